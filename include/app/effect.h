/*
 * effect: carries out what a session wants done (ui/effect.h).
 *
 * Starts things and returns; what comes of them waits in a queue of events that the terminal loop hands to
 * the session. Nothing here calls into a session or a view. Owns the children that it started: none outlives
 * it, but for a clipboard tool that holds the selection.
 */
#ifndef APP_EFFECT_H
#define APP_EFFECT_H

#include "core/kb.h"
#include "plat/loop.h"
#include "ui/effect.h"
#include "ui/event.h"
#include "ui/screen.h"

struct effect_runner;

/* All are borrowed and outlive the runner. */
struct effect_runner *effect_runner_new(const struct kb *kb, struct loop *loop, struct screen *screen);
void effect_runner_free(struct effect_runner *runner); /* null is nothing; ends all probes */

/* Carry it out. `lang` is the language of the answer. EFFECT_SUSPEND and EFFECT_QUIT are the loop's. */
void effect_run(struct effect_runner *runner, const struct effect *effect, enum lang lang);

/* SIGCHLD came. */
void effect_child_ended(struct effect_runner *runner);

/* Is a copy under way, which the program should wait for before it ends? */
bool effect_is_copying(const struct effect_runner *runner);

/* The next answer; its texts live until the next call. False: none. */
bool effect_next_event(struct effect_runner *runner, struct event *event);

/* The command that was chosen for the shell's prompt; empty: none. Lives as long as the runner. */
struct str effect_prompt(const struct effect_runner *runner);

/* Where the session's state is kept; false: there is no such place. */
bool effect_state_path(struct buf *path);

#endif

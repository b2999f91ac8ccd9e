/*
 * report_effect: what a problem report needs of the machine, and writing it down.
 *
 * Part of app/effect.h. A file is written in a child process (app/child.h): its file system may hang.
 */
#ifndef APP_REPORT_EFFECT_H
#define APP_REPORT_EFFECT_H

#include "plat/loop.h"
#include "ui/effect.h"
#include "ui/event.h"

struct report_effects;

/* The texts of the event live during the call only. */
typedef void report_answer_to(void *context, const struct event *event);

struct report_effects *report_effects_new(struct loop *loop, report_answer_to *answer, void *context);
void report_effects_free(struct report_effects *effects); /* null is nothing */

/* EFFECT_REPORT_READ, EFFECT_FILE_NEW. `lang` is the language of the answer. */
void report_effect_run(struct report_effects *effects, const struct effect *effect, enum lang lang);

#endif

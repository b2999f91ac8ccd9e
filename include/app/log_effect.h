/*
 * log_effect: the effects that read logs: the scan, the lines around a place, how a path goes on.
 *
 * One of each at a time: a new one takes the place of the old. All run in children (app/child.h).
 */
#ifndef APP_LOG_EFFECT_H
#define APP_LOG_EFFECT_H

#include "core/kb.h"
#include "plat/loop.h"
#include "ui/effect.h"
#include "ui/event.h"

struct log_effects;

/* An answer; its texts live until this returns. */
typedef void log_answer(void *context, const struct event *event);

struct log_effects *log_effects_new(const struct kb *kb, struct loop *loop, log_answer *answer,
				    void *context);
void log_effects_free(struct log_effects *effects); /* null is nothing; ends what runs */

/* Carry out EFFECT_SCAN_START, _SCAN_STOP, _LOG_LINES or _COMPLETE. */
void log_effect_run(struct log_effects *effects, const struct effect *effect);

#endif

/*
 * A session on the sample knowledge base with a canvas, and short words for what tests do with it.
 */
#ifndef SESSION_SUPPORT_H
#define SESSION_SUPPORT_H

#include "core/probe.h"
#include "ui/session.h"

struct fixture {
	struct kb *kb;
	struct session *session;
	struct canvas *canvas;
	struct effect_list effects;
	struct buf screen;
	uint64_t now_ms;
};

/* Begin zeroes the fixture; state may be empty. English. */
void fixture_begin(struct fixture *fixture, const char *state, int rows, int columns);
void fixture_end(struct fixture *fixture);
void fixture_send(struct fixture *fixture, struct event event);
void fixture_key(struct fixture *fixture, uint32_t code);
void fixture_type(struct fixture *fixture, const char *text);
const char *fixture_screen(struct fixture *fixture);
/* Fail with the whole screen when the text is not there, or is. */
void fixture_sees(struct fixture *fixture, const char *text);
void fixture_misses(struct fixture *fixture, const char *text);
/* The last one of a kind that was asked for; null: none. */
const struct effect *fixture_last_effect(const struct fixture *fixture, enum effect_kind kind);
void fixture_start(struct fixture *fixture);
/* The answer to a probe of `generation`, with one value; null: none. */
void fixture_answer(struct fixture *fixture, const char *id, enum probe_state state, const char *name,
		    const char *value, uint32_t generation);
/* At the place of the text on the screen. */
void fixture_click(struct fixture *fixture, const char *text, enum mouse_action action);

#endif

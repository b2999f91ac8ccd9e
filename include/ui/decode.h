/*
 * decode: the bytes that a terminal sends -> events.
 *
 * Pure: bytes and times go in, events come out. Takes what xterm, VTE, kitty, iTerm, PuTTY, Windows Terminal,
 * rxvt, the Linux console, tmux and screen send, whatever TERM says, because TERM is often wrong over SSH;
 * a terminal with other key sequences adds its own (decode_add_key). Anything else that begins with ESC
 * (answers to questions nobody asked, focus reports, keys without a meaning here) is swallowed whole, so that
 * no part of it is taken for keys.
 *
 * A lone ESC is the Escape key only when nothing follows within DECODE_ESCAPE_MS; a bracketed paste whose end
 * mark was lost ends when nothing came for DECODE_PASTE_MS. An old terminal marks no paste: there, lines of
 * words that come in one piece are taken for one until nothing came for DECODE_UNMARKED_MS, so that a pasted
 * traceback is text and not a hundred keys. Whoever feeds the decoder sleeps until
 * decode_deadline at most and then calls decode_next again.
 */
#ifndef UI_DECODE_H
#define UI_DECODE_H

#include "ui/event.h"

enum {
	DECODE_ESCAPE_MS = 50,  /* longer than a packet is late on a bad SSH line, shorter than one notices */
	DECODE_PASTE_MS = 2000, /* silence within a paste */
	DECODE_UNMARKED_MS =
		100, /* the same in one without marks: packets of one paste come closer than that */
	DECODE_UNMARKED_BYTES = 32,           /* less, in one piece, may be keys typed ahead on a slow line */
	DECODE_DOUBLE_MS = 400,               /* two presses on one cell are a double click */
	DECODE_PASTE_LIMIT = 64 * 1024 * 1024 /* bytes; what is pasted beyond that is dropped */
};

struct decoder;

struct decoder *decode_new(void);
void decode_free(struct decoder *decoder); /* null is nothing */

/* `bytes` (two at least, the first a control byte) are this key. Null or shorter ones are ignored. */
void decode_add_key(struct decoder *decoder, const char *bytes, uint32_t key);

/* What was read from the terminal, in any pieces. */
void decode_feed(struct decoder *decoder, struct str bytes, uint64_t now_ms);

/*
 * The next event: EVENT_KEY, EVENT_PASTE or EVENT_MOUSE. False: no more for now. A paste's text lives until
 * the next call.
 */
bool decode_next(struct decoder *decoder, uint64_t now_ms, struct event *event);

/* When decode_next may have something although nothing was fed; UINT64_MAX: never. */
uint64_t decode_deadline(const struct decoder *decoder);

#endif

/*
 * screen: the terminal as a place to show canvases and to take events from.
 *
 * Opens the controlling terminal itself (/dev/tty), in a file description of its own, so that it can be
 * non-blocking without that being noticed by the shell, and standard input may be a pipe. Nothing here
 * blocks: what the terminal does not take at once waits in the screen, and a new picture is made only when
 * the last one is out, so that a slow line shows the newest state and never a backlog.
 *
 * Everything is put back by screen_close, also after a failed assertion, a crash or lack of memory: mouse,
 * marked paste, keypad, cursor, alternate screen, line discipline. What was typed and not read is dropped
 * then, so that half a paste never becomes shell commands. One screen can be open at a time.
 *
 * Characters: UTF-8, or ASCII when `ascii` (see app/charset.h for who decides). With ASCII no byte above 126
 * is sent.
 */
#ifndef UI_SCREEN_H
#define UI_SCREEN_H

#include "ui/canvas.h"
#include "ui/event.h"

struct screen;

struct screen_options {
	bool ascii;
	bool no_colour; /* NO_COLOR, --no-color */
	bool no_mouse;  /* leave it to the terminal at first */
};

/* Null: `error` says why (no terminal; one that cannot place the cursor). */
struct screen *screen_open(const struct screen_options *options, struct buf *error);
void screen_close(struct screen *screen); /* null is nothing */

int screen_fd(const struct screen *screen); /* to wait for input, and for output while screen_is_behind */
void screen_size(const struct screen *screen, int *rows, int *columns); /* asks the terminal */

/* Send what changed since the last picture; nothing while screen_is_behind. */
void screen_present(struct screen *screen, const struct canvas *canvas);
bool screen_is_behind(const struct screen *screen);
/* Send what waits. False: the terminal is gone. */
bool screen_flush(struct screen *screen);
void screen_redraw(struct screen *screen); /* the next picture is sent whole */
void screen_set_ascii(struct screen *screen, bool ascii);

/* Bytes for the terminal itself (OSC 52), in order with the pictures. */
void screen_send(struct screen *screen, struct str bytes);

/* Read all input that is there. False: the terminal is gone. */
bool screen_read(struct screen *screen, uint64_t now_ms);
/* The next event that the input holds: EVENT_KEY, EVENT_PASTE, EVENT_MOUSE. False: none for now. */
bool screen_next(struct screen *screen, uint64_t now_ms, struct event *event);
uint64_t screen_deadline(const struct screen *screen); /* call screen_next then; UINT64_MAX: never */

void screen_mouse(struct screen *screen, bool on);

/*
 * Leave the terminal as it was found and come back: for suspending, and for showing plain text. Between the
 * two the terminal belongs to the caller. Both are harmless when there is nothing to leave or to enter.
 */
void screen_leave(struct screen *screen);
void screen_enter(struct screen *screen);

/*
 * Leave, print `text` as it is (control characters apart) and `prompt` below it. What is typed then is read
 * as ever; screen_enter comes back.
 */
void screen_show_plain(struct screen *screen, struct str text, struct str prompt);
bool screen_is_plain(const struct screen *screen);

#endif

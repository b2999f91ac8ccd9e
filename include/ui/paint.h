/*
 * paint: a canvas -> the bytes that bring a terminal from the last picture to this one.
 *
 * Pure. Knows what the terminal shows and sends only the cells that differ, each run after an absolute cursor
 * movement, so that a terminal that takes another width for some character is put right by the next run and
 * nothing is left behind. It is the last gate before the terminal: a control byte in a cell, which the canvas
 * should have cleaned away, becomes `?`.
 */
#ifndef UI_PAINT_H
#define UI_PAINT_H

#include "ui/canvas.h"

/* How this terminal is spoken to. The strings belong to whoever made them and outlive the painter. */
struct paint_terminal {
	void (*move)(const struct paint_terminal *terminal, struct buf *out, int row, int column);
	const char *move_format;        /* for `move` alone */
	const char *style[STYLE_COUNT]; /* from any style to this one */
	const char *clear; /* the whole screen, in the plain style; the cursor's place is not relied on */
	const char *clear_line_end; /* from the cursor; empty: there is no such thing */
	const char *cursor_on, *cursor_off;
	bool scrolls_at_end; /* writing the last cell of the last line would scroll: it stays blank */
	bool hyperlinks;     /* understands OSC 8 */
	bool ascii;          /* takes nothing but ASCII */
};

struct painter;

struct painter *paint_new(void);
void paint_free(struct painter *painter); /* null is nothing */

/* Nothing is known about what the terminal shows: the next picture clears it and is sent whole. */
void paint_forget(struct painter *painter);

/* Append what must be sent so that the terminal shows `canvas`. */
void paint_canvas(struct painter *painter, const struct paint_terminal *terminal, const struct canvas *canvas,
		  struct buf *out);

#endif

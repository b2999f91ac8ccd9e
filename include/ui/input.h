/*
 * input: one line that the reader types into, with the keys of readline.
 *
 * The text is always well-formed UTF-8 without control characters. The cursor stands between grapheme
 * clusters and moves over whole ones. Keys that mean nothing to an input line (Enter, Esc, Tab, Up and Down
 * without a history) are left to the caller.
 */
#ifndef UI_INPUT_H
#define UI_INPUT_H

#include "base/vec.h"
#include "ui/canvas.h"

enum { INPUT_LONGEST = 4096 }; /* bytes; what is typed or pasted beyond it is left out */

/* Lines that were entered before, oldest first. */
struct input_history {
	VEC(struct buf) lines;
};

struct input_line {
	struct buf text;
	size_t cursor;                 /* byte offset */
	struct buf killed;             /* what C-y brings back */
	bool killing;                  /* the last key killed: the next one adds to `killed` */
	size_t first_shown;            /* byte offset of the horizontal scroll */
	struct input_history *history; /* borrowed; null: none */
	size_t history_at;             /* lines.count: the line that is being typed */
	struct buf typed;              /* that line, while an older one is shown */
};

enum input_result { INPUT_IGNORED, INPUT_MOVED, INPUT_CHANGED };

void input_release(struct input_line *input);
void input_set(struct input_line *input, struct str text); /* cursor at the end */
enum input_result input_key(struct input_line *input, uint32_t key);
enum input_result input_paste(struct input_line *input, struct str text); /* line ends become blanks */
struct str input_text(const struct input_line *input);

/* One row; sets the canvas' cursor when `focused`. Scrolls so that the cursor is in view. */
void input_draw(struct input_line *input, struct canvas *canvas, int row, int column, int columns,
		bool focused);
/* A click: the cursor goes to the cluster at this column of the line as it was drawn last. */
void input_click(struct input_line *input, int column);

void input_history_add(struct input_history *history, struct str line); /* no repetition, at most 100 */
void input_history_release(struct input_history *history);

#endif

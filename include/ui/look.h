/*
 * look: what each style looks like, from one table, for terminals of 256, 16, 8 and no colours.
 *
 * Calm: one accent colour, for the focus and the selection only; green, yellow and red for states, which
 * have their mark as well. All the rest is bold, dim or underlined. Nothing relies on a dark or a light
 * background: the 256-colour foregrounds have a contrast of at least 3:1 to black and to white, and a
 * background colour always comes with a foreground.
 */
#ifndef UI_LOOK_H
#define UI_LOOK_H

#include "ui/canvas.h"

enum { LOOK_DEFAULT = -1 }; /* the terminal's own colour */

enum look_attributes { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_UNDERLINE = 4, LOOK_REVERSE = 8 };

struct look {
	unsigned attributes; /* of enum look_attributes */
	int foreground;      /* number of a colour, or LOOK_DEFAULT */
	int background;
};

/* `colours`: how many the terminal has; less than 8 is none. */
struct look look_of(enum style style, int colours);

#endif

/*
 * terminal: what the terminal can do, from terminfo (through ncurses), or from what the program carries.
 *
 * Of ncurses the program uses the part that knows terminals: terminfo. The picture itself is sent by paint.c,
 * because there curses cannot do what is needed here: characters as wide as utf8proc says, UTF-8 whatever the
 * C library's locale is, hyperlinks, and a terminal that is slow or gone without blocking the program.
 *
 * Never fails for a name that terminfo does not know (xterm-ghostty on a remote host, no TERM, no database at
 * all): the commonest terminals are known without it (known_terminal.h), and any other is taken for one that
 * obeys ECMA-48, as all in use do.
 */
#ifndef UI_TERMINAL_H
#define UI_TERMINAL_H

#include "base/arena.h"
#include "ui/decode.h"
#include "ui/paint.h"

struct terminal_wishes {
	const char *name;    /* TERM; may be null */
	const char *program; /* TERM_PROGRAM, with its version behind a blank; may be null */
	bool no_colour;
	bool ascii;
	bool modern_hint; /* the environment names a terminal that knows OSC 8 (VTE_VERSION, WT_SESSION, …) */
};

struct known_terminal;

struct terminal {
	struct arena arena; /* of all strings */
	const struct known_terminal
		*known; /* the entry that counts in place of terminfo's; null: terminfo's */
	bool unknown;   /* neither has one */
	struct paint_terminal paint;
	int colours;
	bool mouse;           /* reports it; else it is not asked to */
	bool paste;           /* marks what is pasted */
	const char *enter;    /* to the alternate screen */
	const char *modes;    /* keypad, marked paste; not the mouse */
	const char *leave;    /* everything back as it was, the mouse included */
	const char *mouse_on; /* empty: has none */
	const char *mouse_off;
	bool alternate; /* has an alternate screen; else the last line is where the shell goes on */
};

/* False: it cannot place the cursor (TERM=dumb), and no picture can be shown. `terminal` is {0} before. */
bool terminal_load(struct terminal *terminal, const struct terminal_wishes *wishes);
void terminal_release(struct terminal *terminal);

/* Tell the decoder the key sequences of this terminal. After terminal_load, before the next one. */
void terminal_add_keys(const struct terminal *terminal, struct decoder *decoder);

#endif

/*
 * tui: the session in a terminal, until the reader or a signal ends it.
 */
#ifndef APP_TUI_H
#define APP_TUI_H

#include "app/charset.h"
#include "app/packs_loader.h"
#include "base/buf.h"
#include "ui/session.h"

struct tui_options {
	struct session_options session; /* its `state` is read here */
	enum charset charset;
	bool no_colour;
	bool no_mouse;
	struct packs_loader *packs; /* whose kb replaces the first one when it is read; null: none */
	struct buf *prompt; /* gets the command that was chosen for the shell's prompt; may be null */
};

/*
 * Returns the exit status: 0, or 128 + the signal that ended it (a terminal that vanished is SIGHUP), with
 * the terminal restored and no child left. -1: there is no terminal that could show it; `error` says why.
 */
int tui_run(const struct kb *kb, const struct tui_options *options, struct buf *error);

#endif

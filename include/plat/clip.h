/*
 * clip: put a text where the reader can paste it from, and say truly which way was taken.
 *
 * The ways are a table, tried in order until one works:
 *
 *   tmux      in tmux: `tmux load-buffer -w -`, and without -w before tmux 3.2. A default tmux drops both an
 *             application's OSC 52 (set-clipboard external) and its passthrough (allow-passthrough off);
 *             this always reaches its buffer, and with -w the outer terminal's clipboard where there is one.
 *   OSC 52    the terminal's own clipboard, through SSH too. In GNU screen each piece in a DCS of its own,
 *             ended by ST. Nobody can tell whether the terminal took it: `confirmed` is false.
 *   wl-copy, xclip, xsel   with a local display (no SSH) they come before OSC 52, because they confirm.
 *   a file    0600, `path`.
 *
 * The tools keep running after they have answered (an X selection lives as long as its owner): they are put
 * into a session of their own and left alone; one that does not answer in time is killed.
 */
#ifndef PLAT_CLIP_H
#define PLAT_CLIP_H

#include "base/buf.h"

#include <sys/types.h>

enum clip_way {
	CLIP_TMUX,        /* its buffer, and the outer terminal's clipboard where that works */
	CLIP_TMUX_BUFFER, /* its buffer alone */
	CLIP_OSC52,
	CLIP_WL_COPY,
	CLIP_XCLIP,
	CLIP_XSEL,
	CLIP_FILE,
	CLIP_NONE, /* nothing worked */
	CLIP_WAY_COUNT = CLIP_NONE
};

enum {
	CLIP_TIMEOUT_MS = 2000,
	/* Longer sequences are dropped by some terminals (hterm, Windows Terminal, tmux at 1 MiB). */
	CLIP_OSC52_LIMIT = 100000, /* bytes of base64 */
	CLIP_SCREEN_PIECE = 76     /* bytes of base64 in one DCS; screen drops strings from 256 on */
};

/* Where the program runs. Plain data, so that the choice can be tested. */
struct clip_environment {
	bool tmux;            /* TMUX */
	bool screen;          /* STY: GNU screen */
	bool wayland;         /* WAYLAND_DISPLAY */
	bool x11;             /* DISPLAY */
	bool remote;          /* SSH_CONNECTION or SSH_TTY */
	const char *terminal; /* TERM; may be null */
};

void clip_environment_read(struct clip_environment *environment);

/* The ways to try, in order; returns how many. */
size_t clip_ways(const struct clip_environment *environment, size_t text_size,
		 enum clip_way ways[CLIP_WAY_COUNT]);

/* Append the OSC 52 sequence that sets the clipboard to `text`. */
void clip_add_osc52(struct buf *out, struct str text, bool in_screen);

/* For messages: "tmux", "OSC 52", "wl-copy"; of the file "file". */
const char *clip_way_name(enum clip_way way);

/*
 * One copy under way: clip_start, then clip_advance whenever a child may have ended (SIGCHLD) or the deadline
 * has come, until it says done; then read the result; clip_release in any case. Nothing blocks.
 */
struct clip {
	/* The result: */
	enum clip_way way;
	bool confirmed;      /* the way said that it worked */
	struct buf terminal; /* CLIP_OSC52: to be sent to the terminal */
	struct buf path;     /* CLIP_FILE */
	struct buf error;    /* CLIP_NONE: why no file could be written */
	/* Private: */
	enum clip_way ways[CLIP_WAY_COUNT];
	size_t count, next;
	struct buf text;
	struct buf file; /* where to write, if it comes to that; empty: only a temporary file */
	bool in_screen;
	pid_t child; /* 0: none */
	uint64_t deadline_ms;
};

/* `clip` is {0}, or was released. `file` (may be null): the path of the last resort. True: done already. */
bool clip_start(struct clip *clip, struct str text, const struct clip_environment *environment,
		const char *file);
bool clip_advance(struct clip *clip);               /* true: done */
uint64_t clip_deadline_ms(const struct clip *clip); /* UINT64_MAX: none */
void clip_release(struct clip *clip);

#endif

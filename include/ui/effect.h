/*
 * effect: all that a session may want done. It never does anything itself; the program carries the effects
 * out after session_handle returned, and answers with events. The list owns copies of all texts.
 */
#ifndef UI_EFFECT_H
#define UI_EFFECT_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/kb.h"

enum effect_kind {
	EFFECT_PROBE_START,  /* probe, generation */
	EFFECT_PROBE_CANCEL, /* probe */
	EFFECT_SCAN_START,   /* text: paths, each ended by NUL; flag: CANN's newest logs too; generation */
	EFFECT_SCAN_STOP,    /* the scan that runs: it still gives EVENT_SCAN_DONE */
	EFFECT_LOG_LINES,    /* text: path; offset: bytes (of gzip and UTF-16: of the UTF-8 text in it) */
	EFFECT_COMPLETE,     /* text: the beginning of a path */
	EFFECT_COPY,         /* text: to the clipboard; answered by EVENT_EFFECT_DONE with how */
	EFFECT_SHOW_RAW,     /* text: leave the screen, print it plainly, wait for a key, come back */
	EFFECT_MOUSE,        /* flag: take the mouse or give it to the terminal */
	EFFECT_PROMPT,       /* text: a command for the prompt of the shell that started the program */
	EFFECT_SAVE_GUIDE,   /* text: how far the guides came; what others saved since is kept */
	EFFECT_HISTORY,      /* text: lines to remember */
	EFFECT_HISTORY_READ, /* answered by EVENT_HISTORY */
	EFFECT_REPORT_READ,  /* answered by EVENT_REPORT */
	EFFECT_FILE_NEW,     /* text: of a new private file, label: its path; answered by EVENT_FILE */
	EFFECT_SAVE_STATE,   /* text: the session's state, to be written atomically */
	EFFECT_REDRAW,       /* the whole screen, not only what changed */
	EFFECT_SUSPEND,      /* Ctrl-Z */
	EFFECT_QUIT
};

struct effect {
	enum effect_kind kind;
	uint32_t id; /* counts up; comes back in EVENT_EFFECT_DONE */
	const struct probe *probe;
	uint32_t generation;
	bool flag;
	uint64_t offset;
	struct str text;
	struct str label; /* for the message: "command of step 2" */
};

struct effect_list {
	struct arena arena;
	VEC(struct effect) list;
	uint32_t last_id;
};

/* Fields kind, probe, generation, flag, text, label of `effect` are taken over; texts are copied. */
uint32_t effect_add(struct effect_list *effects, struct effect effect);
void effect_clear(struct effect_list *effects); /* keeps last_id */
void effect_release(struct effect_list *effects);

#endif

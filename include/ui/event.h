/*
 * event: all that can happen to a session. Texts are valid during session_handle only.
 */
#ifndef UI_EVENT_H
#define UI_EVENT_H

#include "base/str.h"
#include "core/kb.h"

enum event_kind {
	EVENT_KEY,   /* a key that is not text, or text outside an input line: see `key` */
	EVENT_PASTE, /* bracketed paste: `text`, any bytes */
	EVENT_MOUSE,
	EVENT_RESIZE, /* `rows`, `columns` */
	EVENT_PROBE_DONE,
	EVENT_SCAN_PROGRESS, /* of the EFFECT_SCAN_START of this generation */
	EVENT_SCAN_DONE,     /* to its end, or stopped */
	EVENT_LOG_LINES, /* the answer to EFFECT_LOG_LINES: `text` begins `before` bytes before its offset */
	EVENT_PATHS,     /* the answer to EFFECT_COMPLETE: `text` has the paths, each ended by NUL */
	EVENT_EFFECT_DONE, /* a copy, a save, …: `ok`, and `text` says what to tell the reader */
	EVENT_HISTORY,     /* `text`: all lines that are remembered */
	EVENT_REPORT,      /* the answer to EFFECT_REPORT_READ */
	EVENT_FILE,        /* the answer to EFFECT_FILE_NEW */
	EVENT_TICK,        /* asked for by session_next_tick; `now_ms` */
	EVENT_FOCUS_LOST   /* the terminal went away or the program is being suspended */
};

/*
 * Keys: a Unicode character is itself (with Ctrl: 1..26, Esc: 27, Enter: 13, Tab: 9, Backspace: 127);
 * special keys are above the Unicode range.
 */
enum key {
	KEY_TAB_ = 9,
	KEY_ENTER_ = 13,
	KEY_ESCAPE_ = 27,
	KEY_BACKSPACE_ = 127,
	KEY_SPECIAL_ = 0x110000,
	KEY_UP_,
	KEY_DOWN_,
	KEY_LEFT_,
	KEY_RIGHT_,
	KEY_HOME_,
	KEY_END_,
	KEY_PAGE_UP_,
	KEY_PAGE_DOWN_,
	KEY_DELETE_,
	KEY_INSERT_,
	KEY_BACK_TAB_,
	KEY_F1_,
	KEY_F12_ = KEY_F1_ + 11,
	KEY_ALT_ = 0x200000 /* added to the character for Alt+character (readline keys) */
};
#define KEY_CTRL_(letter) ((uint32_t)((letter) - 'a' + 1))

enum mouse_action { MOUSE_PRESS, MOUSE_DOUBLE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct probe_result; /* core/probe.h */

/* How a scan goes. */
struct scan_news {
	uint32_t generation; /* of the EFFECT_SCAN_START */
	uint64_t bytes;      /* read of all files */
	uint64_t total;      /* there are, where that is known */
	bool endless;        /* a pipe or the like is among them: `total` is not all */
	size_t files;        /* there are */
	bool stopped;        /* before the end, as the reader wanted */
	struct str findings; /* what is known so far (core/findings.h); empty: nothing new */
	struct str faults;   /* lines: what could not be read, and why; all of them */
};

struct event {
	enum event_kind kind;
	uint64_t now_ms; /* monotonic */
	union {
		uint32_t key;
		struct str text;
		struct {
			int row, column;
			enum mouse_action action;
		} mouse;
		struct {
			int rows, columns;
		} size;
		struct {
			const struct probe *probe;
			uint32_t generation;               /* of the EFFECT_PROBE_START it answers */
			const struct probe_result *result; /* borrowed */
		} probe;
		struct scan_news scan;
		struct {
			uint32_t id; /* of the effect */
			bool ok;
			struct str text;
			size_t before;
		} lines;
		struct {
			uint32_t id; /* of the effect */
			bool ok;
			struct str message;
		} done;
		struct {
			struct str names;   /* of this machine: lines for redact_know_lines */
			struct str history; /* as of EVENT_HISTORY */
		} report;
		struct {
			uint32_t id; /* of the effect */
			bool ok;
			struct str message;
			struct str next; /* a path that is free, where the one that was asked for is not */
		} file;
	} u;
};

#endif

/*
 * report: the form of a problem report in the browser, and its text as it will leave the machine.
 *
 * Part of a session (ui/view.h). The text is made anew from what is known whenever something of it changes:
 * the diagnosis, the probes, the history, what was typed. It is always redacted; what is not private after
 * all the reader shows value by value, and what counts then is the value, not the name it happens to have.
 * Until the names of this machine are known there is no text at all. What was typed and chosen stays as long
 * as the session.
 */
#ifndef UI_REPORT_H
#define UI_REPORT_H

#include "core/history.h"
#include "core/redact.h"
#include "core/report.h"
#include "ui/input.h"
#include "ui/layout.h"

/* What can have the focus, from top to bottom. */
enum report_row {
	REPORT_ROW_TEMPLATE,
	REPORT_ROW_ANSWERS, /* REPORT_ANSWER_COUNT of them */
	REPORT_ROW_HIDE = REPORT_ROW_ANSWERS + REPORT_ANSWER_COUNT,
	REPORT_ROW_TEXT,
	REPORT_ROW_COUNT
};
enum { REPORT_INPUTS = REPORT_ANSWER_COUNT + 1 }; /* answers, and words to hide as well */

/* Where the text in a line that is typed into comes from. */
enum report_origin {
	REPORT_FROM_NOWHERE,
	REPORT_FROM_LOG,
	REPORT_FROM_SHELL, /* the command that failed */
	REPORT_FROM_FORM,  /* of placeholders */
	REPORT_FROM_USER
};

/* A value that the reader wants shown. */
struct report_shown {
	enum redact_kind kind;
	struct buf value;
};

/* A replacement in the layout of the text. */
struct report_mark {
	size_t name;     /* of the redact; SIZE_MAX: one that cannot be shown */
	size_t from, to; /* offsets in layout.text */
	size_t line;     /* the one it begins in */
	bool shown;
};

/*
 * The part of the log that the report is about. Of a long log its beginning is asked for as well: there jobs
 * say how large they are.
 */
struct report_lines {
	bool known;
	bool begin_known;
	uint32_t asked; /* id of the effect that was not answered yet; 0: none */
	uint32_t asked_generation;
	bool asked_begin;
	uint32_t input, generation; /* of the diagnosis */
	uint64_t offset;
	struct buf begin;
	struct buf around;
	size_t before;                        /* bytes of `around` before the line */
	struct buf scale[REPORT_SCALE_COUNT]; /* what both say */
};

enum report_out { REPORT_TO_FILE, REPORT_TO_CLIPBOARD };

struct report_pane {
	struct redact *redact; /* null until the names of the machine are known */
	bool names_known;
	struct buf names;
	struct buf hidden; /* the words that this redact was told to hide */
	struct history_log history;
	struct buf failed; /* the command that failed, as the shell told it */

	size_t template; /* of kb->reports */
	size_t row;      /* with the focus */
	struct input_line inputs[REPORT_INPUTS];
	enum report_origin origins[REPORT_INPUTS];
	bool launch_known; /* the log shows a command */
	bool touched;      /* by the reader: something would be lost */
	VEC(struct report_shown) shown;
	struct report_lines lines;

	bool stale; /* what is below must be made anew */
	enum lang lang;
	struct buf text; /* as it will be written */
	size_t missing;  /* fields */
	size_t value_count, shown_count;
	struct redact_marks found;
	struct layout layout;
	VEC(struct report_mark) marks;
	size_t mark; /* the cursor among them; SIZE_MAX: none */
	size_t top;  /* first line in view */

	enum report_out out;
	struct input_line path;
	uint32_t writing; /* id of the effect that was not answered yet; 0: none */
};

struct session;
struct event;

/* report_pane.c: what its keys do. */
void report_pane_accept(struct session *session); /* Enter, in the form and before it is written */
void report_pane_move_field(struct session *session, bool back);
void report_pane_go_to_row(struct session *session, size_t row);
bool report_pane_is_in_text(const struct session *session);
struct input_line *report_pane_input(struct session *session); /* of the row; null: it has none */
void report_pane_typed(struct session *session);
void report_pane_scroll(struct session *session, long lines);
const struct report_mark *report_pane_mark(struct session *session); /* at the cursor; null: none */
void report_pane_changed(struct session *session);                   /* what is known of the problem did */
void report_pane_take(struct session *session, const struct event *event);
void report_pane_take_lines(struct session *session, const struct event *event);
void report_pane_take_file(struct session *session, const struct event *event);
void report_pane_ask_lines(struct session *session);
void report_pane_release(struct session *session);

/* report_text.c: the text and its layout. False: it cannot be made yet. */
bool report_pane_make(struct session *session);
const struct report_template *report_pane_template(const struct session *session);

/* view_report.c */
struct rect report_pane_text_area(struct session *session); /* where the text is drawn */

#endif

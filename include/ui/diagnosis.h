/*
 * diagnosis: what the browser shows of a log: findings as rows, and the log around one piece of evidence.
 *
 * Part of a session (ui/view.h). The findings are a copy of its own (core/findings.h); while a scan runs they
 * are replaced as news comes in, and the row that is selected stays selected. The lines around a piece of
 * evidence are asked for when it is looked at, one question at a time; of pasted text they are at hand.
 */
#ifndef UI_DIAGNOSIS_H
#define UI_DIAGNOSIS_H

#include "core/findings.h"
#include "ui/input.h"
#include "ui/layout.h"
#include "ui/list.h"

enum diagnosis_state { DIAGNOSIS_NONE_YET, DIAGNOSIS_RUNNING, DIAGNOSIS_STOPPING, DIAGNOSIS_DONE };

enum diagnosis_row_kind {
	ROW_HEADING, /* never selected, unless there is nothing else */
	ROW_ROOT,
	ROW_FOLLOWS, /* from the match above it that is its cause */
	ROW_BESIDE,
	ROW_CODE,
	ROW_UNMATCHED,
	ROW_LIMIT,
	ROW_FAULT /* what could not be read */
};

struct diagnosis_row {
	enum diagnosis_row_kind kind;
	size_t index;    /* of the match, code, unmatched line, limit; of a heading, the word */
	struct str text; /* of a fault */
};

/* What the reader has chosen, in a form that outlives the findings it was chosen from. */
struct diagnosis_choice {
	bool made;
	enum diagnosis_row_kind kind;
	const struct entry *entry; /* of a match */
	struct buf text;           /* of another row */
	uint32_t input;            /* of the piece of evidence */
	uint64_t offset;
};

/* The lines around a place, as they were read. */
struct log_lines {
	bool known, readable;
	uint32_t input;
	uint64_t offset; /* of the place */
	size_t before;   /* bytes of `text` before it */
	struct buf text;
};

struct diagnosis_pane {
	bool shown; /* in the tree's place; with the focus, over the whole screen */
	enum diagnosis_state state;
	bool stopped; /* before the end */
	uint32_t generation;
	struct findings findings;
	struct buf faults;
	struct buf paths;  /* that were asked for, each ended by NUL */
	struct buf pasted; /* the text itself, when no file was read */
	uint64_t bytes, total, started_ms, now_ms;
	bool endless;
	size_t files;

	VEC(struct diagnosis_row) rows;
	struct list list;
	size_t evidence; /* of the match that is selected */
	struct diagnosis_choice choice;

	struct log_lines lines;
	uint32_t asked;       /* id of the effect that was not answered yet; 0: none */
	uint32_t asked_input; /* what it asked for */
	uint64_t asked_offset;
};

/* The line for a path. */
struct path_prompt {
	struct input_line input;
	struct input_history history;
	struct buf paths; /* that may follow, each ended by NUL */
	struct list list; /* of them */
	bool chosen;      /* one of them stands in the line */
	uint32_t asked;
};

struct session;
struct event;

/* diagnosis.c */
void diagnosis_start(struct session *session, struct str paths, bool plog); /* paths as EFFECT_SCAN_START */
void diagnosis_news(struct session *session, const struct event *event);
void diagnosis_of_paste(struct session *session, const struct diagnosis *diagnosis, struct str text);
void diagnosis_release(struct session *session);
void diagnosis_show(struct session *session); /* with the focus */
void diagnosis_hide(struct session *session);
bool diagnosis_is_running(const struct session *session);
void diagnosis_open_selected(struct session *session);
/* What the log says of this entry becomes facts, in place of what was taken from a log before. */
void diagnosis_use_captures(struct session *session, const struct entry *entry);

/* diagnosis_rows.c */
void diagnosis_make_rows(struct session *session);
bool diagnosis_row_is_match(const struct diagnosis_row *row);
const struct diagnosis_row *diagnosis_row(const struct session *session); /* selected; null: there is none */
const struct match *diagnosis_match(const struct session *session);       /* of that row; null */
/* What is looked at: the piece of evidence of the row; null when it has none. */
const struct evidence *diagnosis_evidence(const struct session *session);
size_t diagnosis_evidence_count(const struct session *session); /* of the row */
void diagnosis_select(struct session *session, size_t row);
void diagnosis_move(struct session *session, enum list_move move);
void diagnosis_step(struct session *session, bool back); /* to the next piece of evidence */
struct str diagnosis_input_name(const struct session *session, uint32_t input);

/* diagnosis_lines.c */
void diagnosis_ask_lines(
	struct session *session); /* for what is looked at, unless they are known or asked for */
void diagnosis_take_lines(struct session *session, const struct event *event);

/* view_path.c */
void path_open(struct session *session);
void path_accept(struct session *session);
void path_ask(struct session *session);
void path_take(struct session *session, const struct event *event);

#endif

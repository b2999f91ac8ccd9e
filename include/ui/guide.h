/*
 * guide: guided fixing in the browser, one step a screen; and what was tried before.
 *
 * Part of a session (ui/view.h). How far each guide came is remembered as text that comes with the session's
 * options and goes out as EFFECT_SAVE_GUIDE; every event of the history goes out as EFFECT_HISTORY, one line
 * each, and comes back as a whole when the reader looks at it.
 */
#ifndef UI_GUIDE_H
#define UI_GUIDE_H

#include "core/guide.h"
#include "core/history.h"
#include "ui/document.h"
#include "ui/list.h"

struct guide_pane {
	struct guide guide;          /* entry null: none was opened yet */
	struct guide_memory *memory; /* null until the first guide is opened */
	struct buf remembered;       /* text of the memory, until then */
	uint64_t saved;              /* generation of the memory that was given out for saving */
	struct list choice;          /* of solutions, in the order below */
	size_t *order;
	struct document document; /* of the screen */
	size_t top;
	const struct probe *checking; /* the check of this step runs; null: none */
	bool resume;                  /* the first answer to the step's probe is its check */
};

/* What was tried before, as a list; the newest first. */
struct past_pane {
	struct history_log log;
	struct list list;
	bool asked; /* and not answered yet */
};

/* Where a command goes. */
enum copy_to { COPY_TO_CLIPBOARD, COPY_TO_PROMPT };

struct session;
struct event;
struct probe_run;

/* guide_pane.c */
void guide_start(struct session *session, const struct entry *entry);
/* The guide that waits for its command to have been run, or the last one; false: there is none. */
bool guide_resume(struct session *session, const struct entry *entry, bool only_waiting);
void guide_probe_done(struct session *session, const struct probe *probe, const struct probe_run *run);
void guide_save(struct session *session); /* when there is something to save */
void guide_release(struct session *session);
const struct probe *guide_check(const struct session *session);  /* of the step; null: it has none */
const struct document_item *guide_item(struct session *session); /* the step's command or text; null */
void guide_command_used(struct session *session, enum copy_to to);
bool guide_sees_other_shell_not(const struct session *session); /* a check cannot see what it changes */
const struct probe_run *guide_check_run(const struct session *session); /* as it stands now; null */

/* view_guide.c */
void guide_make_document(struct session *session, int width);

/* view_past.c */
void past_take(struct session *session, struct str text);
void past_open_selected(struct session *session);
void past_release(struct session *session);
/* Remember it; `entry` may be null. Nothing while no effects can be had. */
void past_note(struct session *session, enum history_kind kind, const struct entry *entry,
	       enum probe_state result, struct str text);

#endif

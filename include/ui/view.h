/*
 * view: the inside of a session, shared by session.c and the views, and by nothing else.
 *
 * A view is a pane of the main screen (tree or results, entry, probes) or lies over it (help, form, detail,
 * question, prompt). One of them has the focus: the top of the stack, else the focused pane. Views change the
 * session and mark it dirty; they never draw outside `draw`.
 */
#ifndef UI_VIEW_H
#define UI_VIEW_H

#include "core/probe.h"
#include "core/search.h"
#include "ui/action.h"
#include "ui/diagnosis.h"
#include "ui/document.h"
#include "ui/guide.h"
#include "ui/input.h"
#include "ui/list.h"
#include "ui/report.h"
#include "ui/session.h"
#include "ui/words.h"

struct visit {
	const struct entry *entry;
	const struct code *code;
	size_t top;
};

/* What the tree is made of: a run of entries under a title. */
struct tree_section {
	const struct section *section; /* null: entries whose section the packs do not name */
	size_t first, count;           /* of kb->entries */
	bool open;
};

struct tree {
	VEC(struct tree_section) sections;
	struct list list; /* its items are the rows: a section, and its entries when it is open */
};

struct results {
	bool shown; /* in the tree's place */
	struct input_line input;
	struct input_history history;
	struct buf pasted; /* text of several lines that was searched for instead of the input */
	size_t pasted_lines;
	struct search_result found;
	size_t lone_codes; /* of found.codes: those without an entry, at the front */
	struct list list;
	struct str suggestions[5]; /* when nothing was found */
	size_t suggestion_count;
	struct visit before; /* what the entry pane showed when the search began */
	struct visit chosen; /* the row that the reader went to; stays selected when more is found */
	bool moved;          /* there is such a row; else the first one is selected, whatever it is */
};

/* What is left to do for search, a slice at a tick (search_work.c). */
struct search_work {
	bool searching;  /* results.found is not all yet */
	bool suggesting; /* nor are results.suggestions */
	size_t slice;    /* how much is done at a time; 0: not known yet */
	bool timing;     /* the last event did a slice, at began_ms */
	uint64_t began_ms;
	uint64_t shown_ms; /* when a list that still grows was shown last */
};

/* The entry pane. */
struct reader {
	const struct entry *entry;
	const struct code *code;
	struct document document;
	size_t top;  /* first line in view */
	size_t item; /* the cursor; SIZE_MAX: none */
	bool errors_shown;
};

enum run_state { RUN_WAITING, RUN_RUNNING, RUN_DONE };

struct probe_run {
	enum run_state state;
	uint32_t generation;
	struct probe_result result;
};

struct probe_pane {
	struct probe_run *runs; /* one a probe, in the order of kb->probes */
	size_t *order;          /* rows of the list: probes of the open entry first */
	size_t own_count;       /* how many those are */
	int columns;            /* of the pane */
	struct list list;
	size_t running;
	uint32_t generation;
};

struct history {
	VEC(struct visit) visits;
	size_t at; /* the one that is shown; visits.count when there is none */
};

struct text_view {
	struct layout layout;
	size_t top;
	const struct probe *probe; /* what it tells of */
};

struct form {
	VEC(const struct placeholder *) fields;
	struct list list;        /* of the fields */
	struct input_line input; /* of the selected field */
	size_t candidate;        /* selected choice; SIZE_MAX: what was typed */
	struct buf why;          /* what is wrong with the input; empty: nothing */
};

struct help {
	enum view about;
	bool about_typing; /* it takes text */
	struct input_line filter;
	bool filtering;
	struct layout layout;
	size_t top;
};

struct confirm {
	struct buf text;  /* that would be copied */
	struct buf label; /* what it is */
	struct buf holes; /* names without a value */
	bool destroys;
	enum copy_to to;
	const struct entry *entry; /* what it is copied for */
};

struct message {
	struct buf text;
	enum style style;
};

/* Where everything is at the present size; an area without rows is not on the screen. */
struct places {
	struct rect title, footer;
	struct rect left; /* tree, results; in the middle width also probes */
	struct rect entry;
	struct rect probes; /* equal to `left` where they take its place */
	struct rect log;    /* below the diagnosis */
	struct rect over;   /* for the view that lies over the panes, if there is one */
	bool too_small;
};

enum { STACK_DEPTH = 6, READ_COLUMNS = 90, SUGGESTIONS = 5 };

/* Codes without a record of their own that the reader has asked for; they live as long as the session. */
struct made_codes {
	struct arena arena;
	VEC(const struct code *) list;
};

struct session {
	const struct kb *kb;
	struct search_index *index; /* null until the first picture, or search; then made in slices */
	struct search_work search_work;
	struct facts *facts;
	enum lang lang;
	bool lang_fixed;           /* by the caller, whatever is remembered */
	bool lang_chosen;          /* by the reader, now or in an earlier session */
	enum lang lang_remembered; /* when lang_chosen */
	bool ascii, mouse, dirty, drawn;
	bool more_packs; /* are being read */
	int rows, columns;
	struct buf machine;

	enum view focus; /* of the main screen */
	bool probes_in_left;
	enum view stack[STACK_DEPTH];
	size_t depth;

	struct tree tree;
	struct results results;
	struct reader reader;
	struct probe_pane probes;
	struct diagnosis_pane diagnosis;
	struct path_prompt path;
	struct buf wanted_logs; /* to begin with: paths, each ended by NUL */
	bool wanted_plog;
	struct history history;
	struct made_codes made_codes;
	struct guide_pane guide;
	struct past_pane past;
	struct report_pane report;
	const struct entry *last_noted; /* that was looked at */
	bool prompting;
	uint64_t epoch_ms;
	int64_t zone_s;
	struct text_view detail;
	struct form form;
	struct help help;
	struct confirm confirm;
	struct input_line prompt;
	struct input_history prompt_history;
	struct message message;

	struct effect_list *effects; /* during session_handle and session_start only */
	uint64_t now_ms;
	uint64_t next_frame_ms; /* of the spinner */
	unsigned frame;
};

/* What a view can do; a null function: nothing. `area` is the inside of the view's frame. */
struct view_ops {
	void (*title)(struct session *session, struct buf *out);
	void (*draw)(struct session *session, struct canvas *canvas, struct rect area, bool focused);
	void (*move)(struct session *session, enum list_move move);
	void (*click)(struct session *session, struct rect area, int row, int column, bool twice);
	void (*wheel)(struct session *session, int rows);
	struct input_line *(*input)(struct session *session); /* that takes the keys; null: none */
	void (*typed)(struct session *session);               /* the input changed */
	/* Rows that it needs at this width, for what lies over the panes; null: all there are. */
	int (*rows)(struct session *session, int columns);
	void (*status)(struct session *session, struct buf *out); /* shown in the lower border */
};

extern const struct view_ops *const view_table[VIEW_COUNT];
extern const struct view_ops view_tree, view_results, view_entry, view_probes, view_detail, view_form,
	view_help, view_confirm, view_goto, view_guide, view_past, view_diagnosis, view_log, view_path,
	view_report, view_report_out;

/* session.c */
enum view session_view(const struct session *session);
void session_push(struct session *session, enum view view);
void session_pop(struct session *session);
void session_focus(struct session *session, enum view view); /* a pane of the main screen */
void session_say(struct session *session, enum style style, struct str text);
void session_say_word(struct session *session, enum word word, struct str text);
struct str session_spinner(const struct session *session); /* its present picture */
struct str session_word(const struct session *session, enum word word);
struct str session_text(const struct session *session, const struct text *text);

/* panes.c */
struct places session_places(struct session *session);
struct rect frame_inside(struct rect frame);
bool session_is_wide(const struct session *session);        /* all three panes */
bool session_is_narrow(const struct session *session);      /* one pane at a time */
enum view session_left_view(const struct session *session); /* what stands in the tree's place */
void session_layout_changed(struct session *session);       /* after a resize or a change of what is shown */
/* The area inside the frame of a view as it is on the screen now. */
struct rect session_area(struct session *session, enum view view);

/* bars.c */
void bars_draw_title(struct session *session, struct canvas *canvas, struct rect area);
void bars_draw_footer(struct session *session, struct canvas *canvas, struct rect area);
/* The action whose key stands at this column of the footer; ACTION_COUNT: none. */
enum action bars_footer_action(struct session *session, int column, int columns);

/* view_tree.c */
void tree_init(struct session *session);
void tree_reveal(struct session *session, const struct entry *entry); /* unfold, select */
/* What a row is: the section, and the entry or SIZE_MAX for the section's own row. */
const struct tree_section *tree_row(const struct tree *tree, size_t row, size_t *entry);
const struct tree_section *tree_selected(const struct tree *tree, size_t *entry);
void tree_update(struct tree *tree); /* after folding */
void tree_open_selected(struct session *session, bool fold_too);
void tree_close_selected(struct session *session);
struct str tree_section_title(const struct session *session, const struct tree_section *section);

/* view_search.c */
void search_open(struct session *session);
void search_close(struct session *session);
void search_update(struct session *session);     /* after the query changed */
void search_show_found(struct session *session); /* more was found: what is selected stays so */
void search_again(struct session *session);      /* the same query, in what is there now */
bool search_paste(struct session *session, struct str text);
void results_open_selected(struct session *session);

/* search_work.c */
struct search_index *session_index(struct session *session); /* as far as it is made; never null */
bool search_is_working(const struct session *session);
unsigned search_indexed_percent(const struct session *session);
void search_work_begin(struct session *session, struct str query);
void search_work_stop(struct session *session);
void search_work_pace(struct session *session, uint64_t now_ms); /* before each event */
void search_work_tick(struct session *session);

/* paste.c: which entries a pasted text of several lines matches, best first. */
void paste_search(struct session *session, struct str text, struct search_result *found);

/* code_made.c */
/* What a code means: its record, else what the way it is made says, or the layers of a number; null: nothing.
 */
const struct code *session_code(struct session *session, struct str name);

/* view_entry.c */
void reader_show(struct session *session, const struct entry *entry, const struct code *code);
void reader_visit(struct session *session, const struct entry *entry,
		  const struct code *code);                       /* and remember */
struct document *reader_document(struct session *session);        /* current */
const struct document_item *reader_item(struct session *session); /* under the cursor; null */
void reader_request(struct session *session, struct document_request *request);
void reader_select_item(struct session *session, size_t item); /* the cursor goes there, in sight */
void reader_open_item(struct session *session, const struct document_item *item);
bool session_goto(struct session *session, struct str id_or_code);

/* copy.c */
void copy_item(struct session *session, const struct document_item *item);
void copy_item_to(struct session *session, const struct document_item *item, enum copy_to to);

/* line_words.c: the words of a command line that the knowledge base uses, for a search; may be none. */
void line_words(const struct kb *kb, struct str line, struct buf *query);

/* view_diagnosis.c */
void diagnosis_places(const struct session *session, struct rect main, struct places *places);
int diagnosis_rows_above(const struct session *session); /* the list, within its frame */
const struct entry *diagnosis_entry_of_signature(const struct kb *kb, size_t signature);

/* view_probes.c */
void probes_init(struct session *session);
void probes_start(struct session *session);
void probes_start_one(struct session *session, const struct probe *probe); /* again, by itself */
void probes_done(struct session *session, const struct event *event);
void probes_reorder(struct session *session); /* the open entry changed */
/* "9 ok · 1 warn"; brief: "✓ 9  ! 1". `out` is empty. */
void probes_add_summary(const struct session *session, bool brief, struct buf *out);
void probes_open_selected(struct session *session);
struct str probe_entry(const struct probe *probe,
		       const struct probe_run *run); /* what mends it; empty: nothing */
const struct probe *probes_selected(const struct session *session, const struct probe_run **run);
void probe_state_look(const struct session *session, const struct probe_run *run, struct str *mark,
		      enum style *style, enum word *name);

/* The rest. */
size_t text_moved(size_t top, enum list_move move,
		  int rows); /* scrolling of a text; not clamped at its end */
/* How far down, in percent; nothing if all is to be seen. */
void text_add_place(size_t top, size_t last, struct buf *out);
void detail_open(struct session *session, const struct probe *probe);
void form_open(struct session *session);
void form_close(struct session *session);
void form_move_field(struct session *session, bool back);
void form_accept(struct session *session);
void help_open(struct session *session);
void help_filter(struct session *session, bool typing);
bool help_clear_filter(struct session *session); /* true when there was one */
void goto_accept(struct session *session);
void goto_say_unknown(struct session *session, struct str name); /* and offer the nearest ones */

/* state.c */
void state_save(struct session *session);
void state_restore(struct session *session, struct str state);

#endif

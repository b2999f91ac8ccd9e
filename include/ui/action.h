/*
 * action: everything that a key can do, as a table made from ui/action.def.
 *
 * The table is used by the keymap and the dispatcher, by the line of keys and the help screen, and by the
 * generator of the key tables in README and manual page.
 */
#ifndef UI_ACTION_H
#define UI_ACTION_H

#include "core/text.h"

struct session;

/* Where keys go: one of them has the focus. */
enum view {
	VIEW_TREE,
	VIEW_RESULTS, /* of a search, with the line that is typed into */
	VIEW_ENTRY,
	VIEW_PROBES,
	VIEW_DIAGNOSIS, /* what was found in a log, in the tree's place or over all panes */
	VIEW_LOG,       /* below it, never with the focus */
	VIEW_DETAIL,    /* of a probe */
	VIEW_FORM,      /* placeholders */
	VIEW_HELP,
	VIEW_GUIDE,      /* guided fixing, one step a screen */
	VIEW_PAST,       /* what was tried before */
	VIEW_CONFIRM,    /* a question */
	VIEW_GOTO,       /* the line for an id or a code */
	VIEW_PATH,       /* the line for a log */
	VIEW_REPORT,     /* the form of a problem report, with its text */
	VIEW_REPORT_OUT, /* what is to be seen before it is written or copied */
	VIEW_COUNT
};

#define IN(view) (1u << VIEW_##view)
#define IN_MAIN  (IN(TREE) | IN(RESULTS) | IN(ENTRY) | IN(PROBES))
#define IN_ANY   (~0u)

enum action {
#define ACTION(id, ...) ACTION_##id,
#include "ui/action.def"
	ACTION_COUNT
};

enum action_group {
#define GROUP(id, ...) ACTION_GROUP_##id,
#include "ui/action.def"
	ACTION_GROUP_COUNT
};

enum action_need {
#define NEED(id, ...) NEED_##id,
#include "ui/action.def"
	NEED_COUNT
};

struct action_info {
	struct str name; /* "COPY_SOLUTION" */
	enum action_group group;
	int priority;      /* in the line of keys: 1 stays longest; 0: not there */
	unsigned contexts; /* bits of enum view: IN(TREE) */
	enum action_need need;
	struct str keys; /* "C-p", "Down j" */
	struct text label;
	struct text help;
	void (*run)(struct session *session, enum action action);
};

struct need_info {
	bool (*met)(struct session *session);
	struct text why_not;
};

/* The functions of the table, one may serve several actions; the need functions say whether there is one. */
#define NEED(id, function, ...) bool function(struct session *session);
#define ACTION(id, group, priority, contexts, need, keys, label_zh, label_en, help_zh, help_en, function) \
	void function(struct session *session, enum action action);
#include "ui/action.def"

extern const struct action_info action_table[ACTION_COUNT];
extern const struct need_info need_table[NEED_COUNT];
extern const struct text action_group_titles[ACTION_GROUP_COUNT];

#endif

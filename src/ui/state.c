/*
 * What is kept from one start to the next, as lines "key value". Unknown lines are skipped, so that older and
 * newer programs can read each other's; nothing in it can do harm.
 */
#include "ui/view.h"

#include "base/utf8.h"

static const struct str first_line = STR_INIT("ascend-faq state 1");

enum { LONGEST_STATE = 64 * 1024, MOST_VISITS = 50, MOST_LINES = 20 };

static void add_line(struct buf *out, const char *key, struct str value)
{
	if (value.size > 0 && str_find_byte(value, '\n') == STR_NOT_FOUND)
		buf_add_format(out, "%s %.*s\n", key, STR_ARG(value));
}

static void add_history(struct buf *out, const char *key, const struct input_history *history)
{
	size_t count = history->lines.count;

	for (size_t i = count > MOST_LINES ? count - MOST_LINES : 0; i < count; i++)
		add_line(out, key, buf_str(&history->lines.items[i]));
}

static void add_tree(const struct session *session, struct buf *out)
{
	const struct tree *tree = &session->tree;
	size_t entry;
	const struct tree_section *selected = tree_selected(tree, &entry);

	add_line(out, "folding", STR("kept"));
	for (size_t i = 0; i < tree->sections.count; i++) {
		if (tree->sections.items[i].open && tree->sections.items[i].section)
			add_line(out, "unfolded", tree->sections.items[i].section->id);
	}
	if (selected && entry != SIZE_MAX)
		add_line(out, "selected-entry", session->kb->entries[entry]->id);
	else if (selected && selected->section)
		add_line(out, "selected-section", selected->section->id);
}

void session_write_state(const struct session *session, struct buf *out)
{
	const struct history *history = &session->history;
	/* A list of hits is not kept: it is left as by Esc. */
	bool searching = session->results.shown && session->focus == VIEW_RESULTS;
	const struct visit *before = &session->results.before;

	buf_add(out, first_line);
	buf_add_byte(out, '\n');
	if (session->lang_chosen)
		add_line(out, "lang", session->lang_remembered == LANG_ZH ? STR("zh") : STR("en"));
	add_tree(session, out);
	for (size_t i = history->at >= MOST_VISITS ? history->at - MOST_VISITS + 1 : 0;
	     i < history->visits.count && i <= history->at; i++) {
		const struct visit *visit = &history->visits.items[i];

		if (visit->entry)
			add_line(out, "visit-entry", visit->entry->id);
		else if (visit->code)
			add_line(out, "visit-code", visit->code->code);
	}
	if (searching ? before->entry : session->reader.entry)
		add_line(out, "shown-entry", searching ? before->entry->id : session->reader.entry->id);
	else if (searching ? before->code : session->reader.code)
		add_line(out, "shown-code", searching ? before->code->code : session->reader.code->code);
	buf_add_format(out, "line %zu\n", searching ? before->top : session->reader.top);
	buf_add_format(out, "focus %s\n", session->focus == VIEW_ENTRY ? "entry" : "tree");
	add_history(out, "search", &session->results.history);
	add_history(out, "go-to", &session->prompt_history);
	add_history(out, "log", &session->path.history);
}

void state_save(struct session *session)
{
	struct buf out = {0};

	session_write_state(session, &out);
	effect_add(session->effects, (struct effect){.kind = EFFECT_SAVE_STATE, .text = buf_str(&out)});
	buf_release(&out);
}

static struct tree_section *find_section(struct session *session, struct str id)
{
	for (size_t i = 0; i < session->tree.sections.count; i++) {
		const struct section *section = session->tree.sections.items[i].section;

		if (section && str_equal(section->id, id))
			return &session->tree.sections.items[i];
	}
	return NULL;
}

static void restore_lang(struct session *session, struct str value)
{
	bool zh = str_equal(value, STR("zh"));

	if (!zh && !str_equal(value, STR("en")))
		return;
	session->lang_chosen = true;
	session->lang_remembered = zh ? LANG_ZH : LANG_EN;
	if (!session->lang_fixed)
		session->lang = session->lang_remembered;
}

static void restore_folding(struct session *session, struct str value)
{
	(void)value;
	for (size_t i = 0; i < session->tree.sections.count; i++)
		session->tree.sections.items[i].open = false;
	tree_update(&session->tree);
}

static void restore_unfolded(struct session *session, struct str value)
{
	struct tree_section *section = find_section(session, value);

	if (section)
		section->open = true;
	tree_update(&session->tree);
}

static void restore_selected_entry(struct session *session, struct str value)
{
	tree_reveal(session, kb_entry(session->kb, value));
}

static void restore_selected_section(struct session *session, struct str value)
{
	const struct tree_section *wanted = find_section(session, value);
	size_t entry;

	for (size_t row = 0; wanted && row < session->tree.list.count; row++) {
		if (tree_row(&session->tree, row, &entry) == wanted) {
			list_select(&session->tree.list, row);
			return;
		}
	}
}

static void restore_visit_entry(struct session *session, struct str value)
{
	const struct entry *entry = kb_entry(session->kb, value);

	if (entry)
		reader_visit(session, entry, NULL);
}

static void restore_visit_code(struct session *session, struct str value)
{
	const struct code *code = session_code(session, value);

	if (code)
		reader_visit(session, NULL, code);
}

static void restore_shown_entry(struct session *session, struct str value)
{
	reader_show(session, kb_entry(session->kb, value), NULL);
}

static void restore_shown_code(struct session *session, struct str value)
{
	reader_show(session, NULL, session_code(session, value));
}

static void restore_line(struct session *session, struct str value)
{
	uint64_t line;

	if (str_to_u64(value, &line) && line < UINT32_MAX)
		session->reader.top = (size_t)line;
}

static void restore_focus(struct session *session, struct str value)
{
	if (str_equal(value, STR("entry")) && (session->reader.entry || session->reader.code))
		session_focus(session, VIEW_ENTRY);
}

static void restore_search(struct session *session, struct str value)
{
	input_history_add(&session->results.history, value);
}

static void restore_goto(struct session *session, struct str value)
{
	input_history_add(&session->prompt_history, value);
}

static void restore_log(struct session *session, struct str value)
{
	input_history_add(&session->path.history, value);
}

struct state_key {
	const char *key;
	void (*restore)(struct session *session, struct str value);
};

static const struct state_key state_keys[] = {
	{"lang", restore_lang},
	{"folding", restore_folding},
	{"unfolded", restore_unfolded},
	{"selected-entry", restore_selected_entry},
	{"selected-section", restore_selected_section},
	{"visit-entry", restore_visit_entry},
	{"visit-code", restore_visit_code},
	{"shown-entry", restore_shown_entry},
	{"shown-code", restore_shown_code},
	{"line", restore_line},
	{"focus", restore_focus},
	{"search", restore_search},
	{"go-to", restore_goto},
	{"log", restore_log},
};

static void restore_one(struct session *session, struct str line)
{
	size_t blank = str_find_byte(line, ' ');

	if (blank == STR_NOT_FOUND || !utf8_is_valid(line))
		return;
	for (size_t i = 0; i < sizeof(state_keys) / sizeof(state_keys[0]); i++) {
		if (str_equal(str_slice(line, 0, blank), str_of(state_keys[i].key)))
			state_keys[i].restore(session, str_slice(line, blank + 1, line.size));
	}
}

void state_restore(struct session *session, struct str state)
{
	struct str rest = state, line;
	size_t entry;
	const struct tree_section *section;

	if (state.size <= LONGEST_STATE && str_next(&rest, '\n', &line) && str_equal(line, first_line)) {
		while (str_next(&rest, '\n', &line))
			restore_one(session, line);
	}
	section = tree_selected(&session->tree, &entry);
	if (!session->reader.entry && !session->reader.code && section && entry != SIZE_MAX)
		reader_show(session, session->kb->entries[entry], NULL);
}

/* The first line: what this is and on what machine. The last line: what the keys do, or what there is to say.
 */
#include "ui/view.h"

#include "base/utf8.h"
#include "ui/keymap.h"

enum { GAP = 2 };

/* False when a name in it is not known. */
static bool add_facts(struct buf *out, const struct facts *facts, struct str pattern)
{
	size_t before = out->size;

	while (pattern.size > 0) {
		size_t open = str_find_byte(pattern, '<');
		size_t close = str_find_byte(pattern, '>');
		const struct fact *fact;

		if (open == STR_NOT_FOUND || close == STR_NOT_FOUND || close < open)
			break;
		fact = facts_best(facts, str_slice(pattern, open + 1, close));
		if (!fact || fact->value.size == 0) {
			buf_truncate(out, before);
			return false;
		}
		buf_add(out, str_slice(pattern, 0, open));
		buf_add(out, str_slice(fact->value, 0, str_find_byte(fact->value, '\n')));
		pattern = str_slice(pattern, close + 1, pattern.size);
	}
	buf_add(out, pattern);
	return true;
}

/* "aarch64 · 8×910B3 · CANN 9.1.0": what the packs say of the machine, as far as it is known. */
static void add_machine(const struct session *session, struct buf *out)
{
	buf_add(out, buf_str(&session->machine));
	for (size_t i = 0; i < session->kb->pack_count; i++) {
		const struct str_list *summary = &session->kb->packs[i]->summary;

		for (size_t j = 0; j < summary->count; j++) {
			size_t before = out->size;

			if (out->size > 0)
				buf_add(out, STR(" · "));
			if (!add_facts(out, session->facts, summary->items[j]))
				buf_truncate(out, before);
		}
	}
}

/* A language is called by its own name, unless that cannot be shown. */
static struct str action_label(const struct session *session, enum action action)
{
	if (action == ACTION_LANGUAGE && session->ascii)
		return session->lang == LANG_ZH ? STR("en") : STR("zh");
	if (action == ACTION_STOP && diagnosis_is_running(session))
		return session_word(session, WORD_STOP);
	if (action == ACTION_ACCEPT && session_view(session) == VIEW_REPORT_OUT)
		return session_text(session,
				    &action_table[session->report.out == REPORT_TO_FILE ? ACTION_REPORT_WRITE
											: ACTION_REPORT_COPY]
					     .label);
	return session_text(session, &action_table[action].label);
}

void bars_draw_title(struct session *session, struct canvas *canvas, struct rect area)
{
	struct buf text = {0};
	struct str other = action_label(session, ACTION_LANGUAGE);
	int end, right = area.columns - 1;

	canvas_fill(canvas, area, STYLE_BAR);
	end = canvas_text(canvas, area.row, 1, STYLE_TITLE, STR("ascend-faq"));
	word_add_numbers(&text, session->kb->entry_count == 1 ? WORD_ENTRY_1 : WORD_ENTRIES, session->lang,
			 session->kb->entry_count, 0);
	if (session->more_packs)
		buf_add(&text, session_word(session, WORD_MORE_PACKS));
	if (end + GAP + 1 + (int)utf8_width(buf_str(&text)) < right)
		end = canvas_text(canvas, area.row, end + GAP + 1, STYLE_DIM, buf_str(&text));
	if (end + GAP + (int)utf8_width(other) <= right) {
		right -= (int)utf8_width(other);
		canvas_text(canvas, area.row, right, STYLE_DIM, other);
		right -= 2 * GAP;
	}
	buf_clear(&text);
	/* Where the probes have no pane of their own, what they found is told here. */
	if (session_is_wide(session))
		add_machine(session, &text);
	else
		probes_add_summary(session, false, &text);
	if (!session_is_wide(session) && end + GAP + (int)utf8_width(buf_str(&text)) > right) {
		buf_clear(&text);
		probes_add_summary(session, true, &text);
	}
	if (text.size > 0 && end + GAP + (int)utf8_width(buf_str(&text)) <= right)
		canvas_text(canvas, area.row, right - (int)utf8_width(buf_str(&text)), STYLE_BAR,
			    buf_str(&text));
	buf_release(&text);
}

/* The footer as a list of actions that fit, in the order of the table. */
struct footer {
	enum action actions[ACTION_COUNT];
	int columns[ACTION_COUNT]; /* of "key label" */
	size_t count;
};

static bool is_typing(struct session *session)
{
	const struct view_ops *ops = view_table[session_view(session)];

	return ops->input && ops->input(session);
}

static int action_columns(struct session *session, enum action action, struct buf *key)
{
	buf_clear(key);
	keymap_show(keymap_shown_key(action, is_typing(session)), key);
	return (int)utf8_width(buf_str(key)) + 1 + (int)utf8_width(action_label(session, action));
}

static void make_footer(struct session *session, int columns, struct footer *footer)
{
	bool chosen[ACTION_COUNT] = {false};
	int used = 1;
	struct buf key = {0};
	bool full = false;

	footer->count = 0;
	for (int priority = 1; priority < 10; priority++) {
		for (int i = 0; i < ACTION_COUNT && !full; i++) {
			const struct action_info *info = &action_table[i];
			int width;

			if (info->priority != priority || !(info->contexts & (1u << session_view(session))))
				continue;
			if (keymap_shown_key((enum action)i, is_typing(session)).size == 0)
				continue;
			width = action_columns(session, (enum action)i, &key);
			full = used + width > columns - 1;
			chosen[i] = !full;
			used += width + GAP;
		}
	}
	for (int i = 0; i < ACTION_COUNT; i++) {
		if (!chosen[i])
			continue;
		footer->columns[footer->count] = action_columns(session, (enum action)i, &key);
		footer->actions[footer->count++] = (enum action)i;
	}
	buf_release(&key);
}

void bars_draw_footer(struct session *session, struct canvas *canvas, struct rect area)
{
	struct footer footer;
	struct buf key = {0};
	int column = area.column + 1;

	canvas_fill(canvas, area, STYLE_BAR);
	if (session->message.text.size > 0) {
		canvas_text_cut(canvas, area.row, column, area.columns - 2, session->message.style,
				buf_str(&session->message.text));
		return;
	}
	make_footer(session, area.columns, &footer);
	for (size_t i = 0; i < footer.count; i++) {
		const struct action_info *info = &action_table[footer.actions[i]];
		bool able = need_table[info->need].met(session);
		int end;

		action_columns(session, footer.actions[i], &key);
		end = canvas_text(canvas, area.row, column, able ? STYLE_KEY : STYLE_DIM, buf_str(&key));
		canvas_text(canvas, area.row, end + 1, able ? STYLE_BAR : STYLE_DIM,
			    action_label(session, footer.actions[i]));
		column += footer.columns[i] + GAP;
	}
	buf_release(&key);
}

enum action bars_footer_action(struct session *session, int column, int columns)
{
	struct footer footer;
	int start = 1;

	make_footer(session, columns, &footer);
	for (size_t i = 0; i < footer.count; i++) {
		if (column >= start && column < start + footer.columns[i])
			return footer.actions[i];
		start += footer.columns[i] + GAP;
	}
	return ACTION_COUNT;
}

/* What goes to the clipboard, and the question before it when that is not harmless. */
#include "base/utf8.h"
#include "core/applies.h"
#include "ui/view.h"

enum { LABEL_COLUMNS = 40 };

/* The entry that a command was taken from. */
static const struct entry *entry_of_copy(const struct session *session)
{
	return session_view(session) == VIEW_GUIDE ? session->guide.guide.entry : session->reader.entry;
}

static void emit_prompt(struct session *session, struct str text, const struct entry *entry)
{
	past_note(session, HISTORY_PROMPTED, entry, PROBE_OK, text);
	guide_command_used(session, COPY_TO_PROMPT);
	state_save(session);
	effect_add(session->effects, (struct effect){.kind = EFFECT_PROMPT, .text = text});
	effect_add(session->effects, (struct effect){.kind = EFFECT_QUIT});
}

static void emit_copy(struct session *session, struct str text, struct str label, enum copy_to to,
		      const struct entry *entry)
{
	if (to == COPY_TO_PROMPT) {
		emit_prompt(session, text, entry);
		return;
	}
	past_note(session, HISTORY_COPIED, entry, PROBE_OK, text);
	guide_command_used(session, COPY_TO_CLIPBOARD);
	effect_add(session->effects, (struct effect){.kind = EFFECT_COPY, .text = text, .label = label});
	session_say_word(session, WORD_COPYING, (struct str){0});
}

/* Copy now, or ask first when values are missing or something would be lost. */
static void copy_or_ask(struct session *session, struct str text, struct str label, struct str holes,
			bool destroys, enum copy_to to)
{
	struct confirm *confirm = &session->confirm;

	if (holes.size == 0 && !destroys) {
		emit_copy(session, text, label, to, entry_of_copy(session));
		return;
	}
	buf_clear(&confirm->text);
	buf_add(&confirm->text, text);
	buf_clear(&confirm->label);
	buf_add(&confirm->label, label);
	buf_clear(&confirm->holes);
	buf_add(&confirm->holes, holes);
	confirm->destroys = destroys;
	confirm->to = to;
	confirm->entry = entry_of_copy(session);
	session_push(session, VIEW_CONFIRM);
}

static void add_holes(const struct filled *filled, struct buf *out)
{
	for (size_t i = 0; i < filled->spans.count; i++) {
		const struct fill_span *span = &filled->spans.items[i];
		struct str hole = str_slice(buf_str(&filled->text), span->start, span->end);

		if (span->filled || str_find(buf_str(out), hole) != STR_NOT_FOUND)
			continue;
		if (out->size > 0)
			buf_add(out, STR("  "));
		buf_add(out, hole);
	}
}

/* What the message calls a command: its first line, not too long. */
static void add_label(const struct filled *filled, struct buf *out)
{
	struct str text = buf_str(&filled->text);
	struct str line = str_slice(text, 0, str_find_byte(text, '\n'));
	size_t end = utf8_fit(line, LABEL_COLUMNS);

	utf8_add_printable(out, str_slice(line, 0, end), false);
	if (end < str_trim(text).size)
		buf_add(out, STR("…"));
}

void copy_item(struct session *session, const struct document_item *item)
{
	copy_item_to(session, item, COPY_TO_CLIPBOARD);
}

void copy_item_to(struct session *session, const struct document_item *item, enum copy_to to)
{
	struct filled filled = {0};
	struct buf holes = {0}, label = {0};
	bool command = item->kind == ITEM_COMMAND;

	if (item->kind == ITEM_LINK) {
		copy_or_ask(session, item->step->link, session_word(session, WORD_LABEL_LINK),
			    (struct str){0}, false, COPY_TO_CLIPBOARD);
		return;
	}
	if (item->kind > ITEM_LINK)
		return;
	fill_command(session->kb, command ? item->step->run : item->step->text, session->facts, &filled);
	add_holes(&filled, &holes);
	if (command)
		add_label(&filled, &label);
	else
		word_add_text(&label, WORD_LABEL_FILE, session->lang, item->step->file);
	copy_or_ask(session, buf_str(&filled.text), buf_str(&label), buf_str(&holes),
		    command && item->step->effect == STEP_DESTROY, command ? to : COPY_TO_CLIPBOARD);
	filled_release(&filled);
	buf_release(&holes);
	buf_release(&label);
}

/* The solution of the cursor; without one the first that is shown. */
static const struct solution *chosen_solution(struct session *session, size_t *number)
{
	const struct document_item *item = reader_item(session);
	const struct entry *entry = session->reader.entry;
	const struct solution *solution = item ? item->solution : NULL;
	size_t *order;

	if (!entry || entry->solution_count == 0)
		return NULL;
	*number = item ? item->solution_number : 0;
	if (solution)
		return solution;
	order = alloc_zeroed(entry->solution_count, sizeof(*order));
	applies_order(entry, session->facts, order);
	*number = order[0] + 1;
	free(order);
	return &entry->solutions[*number - 1];
}

/* What the keys for copying are about. */
static const struct document_item *shown_item(struct session *session)
{
	return session_view(session) == VIEW_GUIDE ? guide_item(session) : reader_item(session);
}

void action_copy(struct session *session, enum action action)
{
	(void)action;
	copy_item(session, shown_item(session));
}

void action_copy_solution(struct session *session, enum action action)
{
	size_t number, holes;
	const struct solution *solution = chosen_solution(session, &number);
	struct document_request request;
	struct buf script = {0}, label = {0}, names = {0};
	bool destroys = false;

	(void)action;
	reader_request(session, &request);
	document_script(&request, solution, number, &script, &holes);
	for (size_t i = 0; i < solution->step_count; i++) {
		struct filled filled = {0};

		destroys = destroys ||
			   (solution->steps[i].run.size > 0 && solution->steps[i].effect == STEP_DESTROY);
		fill_command(session->kb, solution->steps[i].run, session->facts, &filled);
		add_holes(&filled, &names);
		filled_release(&filled);
	}
	word_add_numbers(&label, WORD_LABEL_SOLUTION, session->lang, number, 0);
	copy_or_ask(session, buf_str(&script), buf_str(&label), buf_str(&names), destroys, COPY_TO_CLIPBOARD);
	buf_release(&script);
	buf_release(&label);
	buf_release(&names);
}

void action_raw(struct session *session, enum action action)
{
	const struct document_item *item = shown_item(session);
	struct filled filled = {0};

	(void)action;
	fill_command(session->kb,
		     item->kind == ITEM_COMMAND ? item->step->run
		     : item->kind == ITEM_FILE  ? item->step->text
						: item->step->link,
		     session->facts, &filled);
	effect_add(session->effects, (struct effect){.kind = EFFECT_SHOW_RAW, .text = buf_str(&filled.text)});
	filled_release(&filled);
}

bool need_command(struct session *session)
{
	const struct document_item *item =
		session->reader.entry || session->reader.code ? shown_item(session) : NULL;

	return item && item->kind <= ITEM_LINK;
}

bool need_solution(struct session *session)
{
	const struct entry *entry = session->reader.entry;
	size_t number;
	const struct solution *solution = entry ? chosen_solution(session, &number) : NULL;

	for (size_t i = 0; solution && i < solution->step_count; i++) {
		if (solution->steps[i].run.size > 0)
			return true;
	}
	return false;
}

/* The question. */

void action_anyway(struct session *session, enum action action)
{
	(void)action;
	session_pop(session);
	emit_copy(session, buf_str(&session->confirm.text), buf_str(&session->confirm.label),
		  session->confirm.to, session->confirm.entry);
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_CONFIRM));
}

static void make_layout(struct session *session, int columns, struct layout *layout)
{
	struct confirm *confirm = &session->confirm;
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = 2};
	struct layout_piece holes[] = {{session_word(session, WORD_ASK_HOLES), STYLE_WARN, {0}},
				       {buf_str(&confirm->holes), STYLE_HOLE, {0}}};
	struct layout_piece destroys = {session_word(session, WORD_ASK_DESTROYS), STYLE_FAIL, {0}};
	struct layout_piece text = {buf_str(&confirm->text), STYLE_COMMAND, {0}};

	layout_clear(layout, columns);
	if (confirm->holes.size > 0)
		layout_flow(layout, &format, holes, 2);
	if (confirm->destroys)
		layout_flow(layout, &format, &destroys, 1);
	layout_blank(layout);
	format.bar = true;
	layout_verbatim(layout, &format, &text, 1);
}

static int rows(struct session *session, int columns)
{
	struct layout layout = {0};
	size_t count;

	make_layout(session, columns, &layout);
	count = layout.lines.count;
	layout_release(&layout);
	return count < 1000 ? (int)count : 1000;
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct layout layout = {0};

	(void)focused;
	make_layout(session, area.columns, &layout);
	layout_draw(&layout, canvas, area, 0, (struct str){0});
	layout_release(&layout);
}

const struct view_ops view_confirm = {.title = title, .draw = draw, .rows = rows};

/* The form for placeholders: candidates to choose from, free text, and the check's answer while it is typed.
 */
#include "ui/view.h"

#include "base/utf8.h"

enum {
	CANDIDATES = 8,
	NAME_COLUMNS = 22,
	ROWS_BESIDE = 11 /* what stands above, between and below fields and choices */
};

static const struct placeholder *field(const struct session *session)
{
	const struct form *form = &session->form;

	return form->list.selected < form->fields.count ? form->fields.items[form->list.selected] : NULL;
}

static size_t find_candidates(const struct session *session, struct fact *candidates)
{
	const struct placeholder *placeholder = field(session);
	size_t count = placeholder ? fill_candidates(session->kb, placeholder, session->facts, candidates,
						     CANDIDATES)
				   : 0;

	return count < CANDIDATES ? count : CANDIDATES;
}

/* Is there a value that the reader did not type? */
static bool is_detected(const struct session *session)
{
	struct fact candidates[CANDIDATES];
	size_t count = find_candidates(session, candidates);
	bool detected = false;

	for (size_t i = 0; i < count; i++)
		detected = detected || candidates[i].source != FACT_USER;
	return detected;
}

static struct str shown_value(const struct session *session, const struct fact *fact)
{
	return fact->value.size > 0 ? fact->value : session_word(session, WORD_EMPTY_VALUE);
}

static enum style value_style(const struct fact *fact)
{
	return fact->value.size > 0 ? STYLE_VALUE : STYLE_DIM;
}

static void check(struct session *session)
{
	struct form *form = &session->form;
	const struct placeholder *placeholder = field(session);
	struct str value = str_trim(input_text(&form->input));

	buf_clear(&form->why);
	if (placeholder && value.size > 0 && !fill_check(placeholder, value, session->lang, &form->why) &&
	    form->why.size == 0)
		buf_add(&form->why, STR("?"));
}

static void typed(struct session *session)
{
	session->form.candidate = SIZE_MAX;
	check(session);
}

/* The line that is typed into begins with what the reader set before, else empty. */
static void begin_field(struct session *session)
{
	struct form *form = &session->form;
	const struct placeholder *placeholder = field(session);
	struct fact chosen = {0};
	bool known = placeholder && fill_value(session->kb, placeholder, session->facts, &chosen);

	form->candidate = SIZE_MAX;
	input_set(&form->input, known && chosen.source == FACT_USER ? chosen.value : (struct str){0});
	check(session);
}

static void add_fields(struct form *form, const struct kb *kb, struct str template)
{
	struct placeholder_list list = {0};

	fill_placeholders(kb, template, &list);
	for (size_t i = 0; i < list.list.count; i++) {
		bool seen = list.list.items[i]->display_only;

		for (size_t j = 0; j < form->fields.count; j++)
			seen = seen || form->fields.items[j] == list.list.items[i];
		if (!seen)
			vec_push(&form->fields, list.list.items[i]);
	}
	vec_release(&list.list);
}

/* Is there a line of text in which this placeholder is written, and its value not taken? Then why. */
static bool is_refused(struct session *session, const struct placeholder *placeholder, struct buf *why)
{
	const struct entry *entry = session->reader.entry;
	struct filled filled = {0};

	for (size_t i = 0; entry && i < entry->solution_count; i++) {
		for (size_t j = 0; j < entry->solutions[i].step_count && why->size == 0; j++) {
			fill_command(session->kb, entry->solutions[i].steps[j].run, session->facts, &filled);
			for (size_t k = 0; k < filled.spans.count && why->size == 0; k++) {
				const struct fill_span *span = &filled.spans.items[k];
				bool ends_its_range = span->problem == FILL_BAD_RANGE && k > 0 &&
						      filled.spans.items[k - 1].placeholder == placeholder;

				if (span->placeholder == placeholder || ends_its_range)
					fill_explain(span, session->lang, why);
			}
		}
	}
	filled_release(&filled);
	return why->size > 0;
}

/* The first of `count` that has no value, or whose value is not taken. */
static size_t first_hole(struct session *session, size_t count)
{
	const struct form *form = &session->form;

	for (size_t i = 0; i < count; i++) {
		struct fact chosen;
		struct buf why = {0};
		bool hole = !fill_value(session->kb, form->fields.items[i], session->facts, &chosen) ||
			    is_refused(session, form->fields.items[i], &why);

		buf_release(&why);
		if (hole)
			return i;
	}
	return 0;
}

/* The placeholders of the command under the cursor first, then those of the whole entry. */
void form_open(struct session *session)
{
	struct form *form = &session->form;
	const struct entry *entry = session->reader.entry;
	const struct document_item *item = reader_item(session);
	size_t first;

	vec_clear(&form->fields);
	if (item && item->kind == ITEM_COMMAND)
		add_fields(form, session->kb, item->step->run);
	first = form->fields.count;
	for (size_t i = 0; entry && i < entry->solution_count; i++) {
		for (size_t j = 0; j < entry->solutions[i].step_count; j++)
			add_fields(form, session->kb, entry->solutions[i].steps[j].run);
	}
	if (form->fields.count == 0) {
		session_say(session, STYLE_WARN,
			    session_text(session, &need_table[NEED_PLACEHOLDER].why_not));
		return;
	}
	if (session_view(session) == VIEW_CONFIRM)
		session_pop(session);
	form->list = (struct list){.rows = 4};
	list_set_count(&form->list, form->fields.count);
	list_select(&form->list, first_hole(session, first > 0 ? first : form->fields.count));
	session_push(session, VIEW_FORM);
	begin_field(session);
}

void form_close(struct session *session)
{
	session_pop(session);
}

void form_move_field(struct session *session, bool back)
{
	struct list *list = &session->form.list;

	list_select(list, (list->selected + (back ? list->count - 1 : 1)) % list->count);
	begin_field(session);
}

/* Words may be none at all; where something was detected an empty line means that. */
static bool may_be_empty(const struct session *session)
{
	const struct placeholder *placeholder = field(session);

	return placeholder && placeholder->kind == PLACEHOLDER_WORDS && !is_detected(session);
}

/* What came of it: set, set and of no use yet, or back to what was detected. */
static void tell_accepted(struct session *session, const struct placeholder *placeholder, bool set)
{
	struct fact chosen;
	struct buf line = {0}, why = {0};

	if (is_refused(session, placeholder, &why)) {
		buf_add(&line, placeholder->name);
		buf_add(&line, session->lang == LANG_ZH ? STR("：") : STR(": "));
		buf_add(&line, buf_str(&why));
	} else if (set || fill_value(session->kb, placeholder, session->facts, &chosen)) {
		word_add_text(&line, set ? WORD_VALUE_SET : WORD_VALUE_UNSET, session->lang,
			      placeholder->name);
	}
	if (line.size > 0)
		session_say(session, why.size > 0 ? STYLE_WARN : STYLE_BAR, buf_str(&line));
	buf_release(&line);
	buf_release(&why);
}

void form_accept(struct session *session)
{
	struct form *form = &session->form;
	const struct placeholder *placeholder = field(session);
	struct str value = str_trim(input_text(&form->input));
	bool set;

	check(session);
	if (!placeholder || form->why.size > 0)
		return;
	facts_forget(session->facts, FACT_USER, placeholder->name);
	set = value.size > 0 || may_be_empty(session);
	if (set)
		facts_set(session->facts, placeholder->name, value, FACT_USER, placeholder->name);
	tell_accepted(session, placeholder, set);
	if (form->list.selected + 1 < form->list.count)
		form_move_field(session, false);
	else
		form_close(session);
}

/* Arrows go through the choices, and back to what was typed. */
static void move(struct session *session, enum list_move move_)
{
	struct form *form = &session->form;
	struct fact candidates[CANDIDATES];
	size_t count = find_candidates(session, candidates);

	if (count == 0 || (move_ != LIST_UP && move_ != LIST_DOWN))
		return;
	if (move_ == LIST_DOWN)
		form->candidate = form->candidate == SIZE_MAX ? 0 : (form->candidate + 1) % count;
	else
		form->candidate =
			form->candidate == SIZE_MAX || form->candidate == 0 ? count - 1 : form->candidate - 1;
	input_set(&form->input, candidates[form->candidate].value);
	check(session);
}

static struct input_line *input(struct session *session)
{
	return &session->form.input;
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_FORM));
}

static void draw_field(struct session *session, struct canvas *canvas, struct rect row, size_t index)
{
	const struct placeholder *placeholder = session->form.fields.items[index];
	struct fact chosen = {0};
	bool known = fill_value(session->kb, placeholder, session->facts, &chosen);
	int names = row.columns / 2 < NAME_COLUMNS ? row.columns / 2 : NAME_COLUMNS;
	struct buf origin = {0};
	int column;

	canvas_text_cut(canvas, row.row, row.column, names - 1, known ? STYLE_TEXT : STYLE_HOLE,
			placeholder->name);
	column = row.column + names;
	if (!known)
		canvas_text(canvas, row.row, column, STYLE_DIM, STR("–"));
	if (known) {
		column = canvas_text_cut(canvas, row.row, column, row.column + row.columns - column,
					 value_style(&chosen), shown_value(session, &chosen)) +
			 2;
		document_add_origin(&origin, session->kb, chosen.source, chosen.origin, session->lang);
		canvas_text_cut(canvas, row.row, column, row.column + row.columns - column, STYLE_DIM,
				buf_str(&origin));
	}
	if (index == session->form.list.selected)
		canvas_restyle(canvas, row, STYLE_SELECTED);
	buf_release(&origin);
}

static int draw_fields(struct session *session, struct canvas *canvas, struct rect area)
{
	struct form *form = &session->form;
	int most = area.rows > 12 ? area.rows / 2 : area.rows > 8 ? 3 : 1;
	int rows = (int)form->fields.count < most ? (int)form->fields.count : most;

	list_set_rows(&form->list, rows);
	for (int i = 0; i < rows && form->list.top + (size_t)i < form->list.count; i++)
		draw_field(session, canvas, (struct rect){area.row + i, area.column, 1, area.columns},
			   form->list.top + (size_t)i);
	return rows;
}

static void draw_answer(struct session *session, struct canvas *canvas, struct rect row)
{
	struct form *form = &session->form;
	int column = row.column;

	if (form->why.size > 0) {
		column = canvas_text(canvas, row.row, column, STYLE_FAIL, STR("✗ "));
		canvas_text_cut(canvas, row.row, column, row.columns - 2, STYLE_FAIL, buf_str(&form->why));
	} else if (str_trim(input_text(&form->input)).size > 0) {
		column = canvas_text(canvas, row.row, column, STYLE_OK, STR("✓ "));
		canvas_text_cut(canvas, row.row, column, row.columns - 2, STYLE_OK,
				session_word(session, WORD_VALUE_GOOD));
	} else {
		bool detected = is_detected(session);

		if (detected || may_be_empty(session))
			canvas_text_cut(
				canvas, row.row, column, row.columns, STYLE_DIM,
				session_word(session, detected ? WORD_VALUE_EMPTY : WORD_VALUE_MAY_BE_EMPTY));
	}
}

static void draw_candidates(struct session *session, struct canvas *canvas, struct rect area)
{
	struct fact candidates[CANDIDATES];
	size_t count = find_candidates(session, candidates);
	struct rect before = canvas_clip(canvas, rect_intersection(area, (struct rect){0, 0, 10000, 10000}));

	canvas_text_cut(canvas, area.row, area.column, area.columns, STYLE_DIM,
			session_word(session, count > 0 ? WORD_CANDIDATES : WORD_NO_CANDIDATES));
	for (size_t i = 0; i < count; i++) {
		struct rect row = {area.row + 1 + (int)i, area.column, 1, area.columns};
		struct buf origin = {0};
		int column = canvas_text(canvas, row.row, row.column + 2, value_style(&candidates[i]),
					 shown_value(session, &candidates[i])) +
			     2;

		document_add_origin(&origin, session->kb, candidates[i].source, candidates[i].origin,
				    session->lang);
		canvas_text_cut(canvas, row.row, column, row.column + row.columns - column, STYLE_DIM,
				buf_str(&origin));
		if (i == session->form.candidate)
			canvas_restyle(canvas, row, STYLE_SELECTED);
		buf_release(&origin);
	}
	canvas_clip(canvas, before);
}

static int draw_meaning(struct session *session, struct canvas *canvas, struct rect area, int most)
{
	struct layout layout = {0};
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	const struct placeholder *placeholder = field(session);
	int rows;

	layout_clear(&layout, area.columns);
	if (placeholder)
		layout_prose(&layout, &format, session_text(session, &placeholder->meaning));
	rows = (int)layout.lines.count < most ? (int)layout.lines.count : most;
	layout_draw(&layout, canvas, (struct rect){area.row, area.column, rows, area.columns}, 0,
		    (struct str){0});
	layout_release(&layout);
	return rows;
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	int at = area.row + draw_fields(session, canvas, area);
	int end = area.row + area.rows;
	bool airy = area.rows > 10;

	at += airy;
	at += draw_meaning(session, canvas, (struct rect){at, area.column, end - at, area.columns},
			   airy ? 3 : 1);
	canvas_text(canvas, at, area.column, STYLE_KEY, STR("> "));
	input_draw(&session->form.input, canvas, at, area.column + 2, area.columns - 2, focused);
	draw_answer(session, canvas, (struct rect){at + 1, area.column, 1, area.columns});
	at += 2 + airy;
	if (at < end)
		draw_candidates(session, canvas,
				(struct rect){at, area.column, end - at - airy, area.columns});
	if (airy)
		canvas_text_cut(canvas, end - 1, area.column, area.columns, STYLE_DIM,
				session_word(session, WORD_FORM_KEYS));
}

static int rows(struct session *session, int columns)
{
	struct fact candidates[CANDIDATES];
	size_t fields = session->form.fields.count < 6 ? session->form.fields.count : 6;

	(void)columns;
	return (int)(fields + find_candidates(session, candidates)) + ROWS_BESIDE;
}

const struct view_ops view_form = {
	.title = title, .draw = draw, .move = move, .input = input, .typed = typed, .rows = rows};

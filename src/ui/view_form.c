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

/* The placeholders of the command under the cursor first, then those of the whole entry. */
void form_open(struct session *session)
{
	struct form *form = &session->form;
	const struct entry *entry = session->reader.entry;
	const struct document_item *item = reader_item(session);

	vec_clear(&form->fields);
	if (item && item->kind == ITEM_COMMAND)
		add_fields(form, session->kb, item->step->run);
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

void form_accept(struct session *session)
{
	struct form *form = &session->form;
	const struct placeholder *placeholder = field(session);
	struct str value = str_trim(input_text(&form->input));
	struct buf line = {0};

	check(session);
	if (!placeholder || form->why.size > 0)
		return;
	facts_forget(session->facts, FACT_USER, placeholder->name);
	if (value.size > 0)
		facts_set(session->facts, placeholder->name, value, FACT_USER, placeholder->name);
	word_add_text(&line, value.size > 0 ? WORD_VALUE_SET : WORD_VALUE_UNSET, session->lang,
		      placeholder->name);
	session_say(session, STYLE_BAR, buf_str(&line));
	buf_release(&line);
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
					 STYLE_VALUE, chosen.value) +
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
		canvas_text_cut(canvas, row.row, column, row.columns, STYLE_DIM,
				session_word(session, WORD_VALUE_EMPTY));
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
		int column =
			canvas_text(canvas, row.row, row.column + 2, STYLE_VALUE, candidates[i].value) + 2;

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

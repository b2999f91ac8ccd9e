/* The form of a problem report above its text, and what is to be seen before that is written or copied. */
#include "ui/view.h"

#include "base/utf8.h"

enum {
	NAME_COLUMNS = 16,
	GUTTER_COLUMNS = 2,
	ROWS_ALL = 13,  /* of the area, from which on the whole form is shown */
	ROWS_SOME = 8,  /* and from which on three rows of it */
	CLEAR_SHOWN = 8 /* values in the clear that are listed one by one */
};

static const struct {
	enum word name, hint;
} input_words[REPORT_INPUTS] = {
	[REPORT_COMMAND] = {WORD_REPORT_COMMAND, WORD_REPORT_COMMAND_HINT},
	[REPORT_SHAPE] = {WORD_REPORT_SHAPE, WORD_REPORT_SHAPE_HINT},
	[REPORT_DTYPE] = {WORD_REPORT_DTYPE, WORD_REPORT_DTYPE_HINT},
	[REPORT_EXPECTED] = {WORD_REPORT_EXPECTED, WORD_REPORT_EXPECTED_HINT},
	[REPORT_ANSWER_COUNT] = {WORD_REPORT_HIDE, WORD_REPORT_HIDE_HINT},
};

/* ---- Where everything is. ----------------------------------------------------------------------------- */

struct form_place {
	size_t first; /* row of the form */
	int rows;     /* of them in sight; then a line of counts, where there is room for it */
	bool counts;
};

/* The whole form, or as much of it around the focused row as leaves room for the text. */
static struct form_place place_form(struct session *session, struct rect area)
{
	struct form_place place = {.rows = area.rows >= ROWS_ALL    ? REPORT_ROW_TEXT
					   : area.rows >= ROWS_SOME ? 3
								    : 1,
				   .counts = area.rows >= 4};
	size_t row = session->report.row < REPORT_ROW_TEXT ? session->report.row : REPORT_ROW_HIDE;

	if (area.rows < ROWS_ALL && session->report.row == REPORT_ROW_TEXT)
		place.rows = 0;
	else if (row >= (size_t)place.rows)
		place.first = row + 1 - (size_t)place.rows;
	return place;
}

static struct rect text_area(struct session *session, struct rect area)
{
	struct form_place place = place_form(session, area);
	int above = place.rows + place.counts;
	struct rect text = {area.row + above, area.column + GUTTER_COLUMNS, area.rows - above,
			    area.columns - GUTTER_COLUMNS};

	if (text.columns > READ_COLUMNS)
		text.columns = READ_COLUMNS;
	text.rows = text.rows > 0 ? text.rows : 0;
	text.columns = text.columns > 0 ? text.columns : 0;
	return text;
}

struct rect report_pane_text_area(struct session *session)
{
	return text_area(session, session_area(session, VIEW_REPORT));
}

/* ---- The form. ---------------------------------------------------------------------------------------- */

static void draw_template(struct session *session, struct canvas *canvas, struct rect row)
{
	const struct report_pane *pane = &session->report;
	bool focused = pane->row == REPORT_ROW_TEMPLATE;
	struct buf text = {0};

	buf_add_format(&text, "← %.*s →  %zu/%zu",
		       STR_ARG(session_text(session, &report_pane_template(session)->title)),
		       pane->template + 1, session->kb->report_count);
	canvas_text_cut(canvas, row.row, row.column, row.columns, focused ? STYLE_SELECTED : STYLE_TEXT,
			buf_str(&text));
	buf_release(&text);
}

static void draw_input(struct session *session, struct canvas *canvas, struct rect row, size_t index,
		       bool focused)
{
	static const enum word notes[] = {
		[REPORT_FROM_NOWHERE] = WORD_COUNT,         [REPORT_FROM_USER] = WORD_COUNT,
		[REPORT_FROM_LOG] = WORD_REPORT_FROM_LOG,   [REPORT_FROM_SHELL] = WORD_REPORT_FROM_SHELL,
		[REPORT_FROM_FORM] = WORD_REPORT_FROM_FORM,
	};
	struct report_pane *pane = &session->report;
	struct str note = {0};
	int width;

	if (notes[pane->origins[index]] != WORD_COUNT)
		note = session_word(session, notes[pane->origins[index]]);
	width = (int)utf8_width(note);
	if (width > 0 && width + 20 < row.columns) {
		canvas_text(canvas, row.row, row.column + row.columns - width, STYLE_DIM, note);
		row.columns -= width + 2;
	}
	input_draw(&pane->inputs[index], canvas, row.row, row.column, row.columns, focused);
	if (input_text(&pane->inputs[index]).size == 0)
		canvas_text_cut(canvas, row.row, row.column + (focused ? 2 : 0),
				row.columns - (focused ? 2 : 0), STYLE_DIM,
				session_word(session, index == REPORT_COMMAND && pane->launch_known
							      ? WORD_REPORT_LAUNCH_HINT
							      : input_words[index].hint));
}

static void draw_row(struct session *session, struct canvas *canvas, struct rect row, size_t index,
		     bool focused)
{
	bool here = session->report.row == index;
	enum word name = index == REPORT_ROW_TEMPLATE ? WORD_REPORT_TEMPLATE
						      : input_words[index - REPORT_ROW_ANSWERS].name;
	int names = row.columns / 3 < NAME_COLUMNS ? row.columns / 3 : NAME_COLUMNS;

	if (here)
		canvas_text(canvas, row.row, row.column, STYLE_TITLE, STR("▸"));
	canvas_text_cut(canvas, row.row, row.column + GUTTER_COLUMNS, names - GUTTER_COLUMNS - 1,
			here ? STYLE_HEADING : STYLE_DIM, session_word(session, name));
	row.column += names;
	row.columns -= names;
	if (index == REPORT_ROW_TEMPLATE)
		draw_template(session, canvas, row);
	else
		draw_input(session, canvas, row, index - REPORT_ROW_ANSWERS, focused && here);
}

static size_t places_of(const struct report_pane *pane, size_t name)
{
	size_t count = 0;

	for (size_t i = 0; i < pane->marks.count; i++)
		count += pane->marks.items[i].name == name;
	return count;
}

/* "<IP_1> hidden, in 3 places": the one at the cursor. */
static void add_mark(struct session *session, struct buf *out)
{
	struct report_pane *pane = &session->report;
	const struct report_mark *mark = report_pane_mark(session);
	size_t places;

	if (!mark || mark->name == SIZE_MAX)
		return;
	places = places_of(pane, mark->name);
	buf_add(out, redact_name_at(pane->redact, mark->name)->name);
	buf_add(out, STR("  "));
	buf_add(out, session_word(session, mark->shown ? WORD_REPORT_IS_SHOWN : WORD_REPORT_IS_HIDDEN));
	buf_add(out, session->lang == LANG_ZH ? STR("，") : STR(", "));
	word_add_numbers(out, places == 1 ? WORD_REPORT_PLACE_1 : WORD_REPORT_PLACES, session->lang, places,
			 0);
}

/* A line between the form and the text: "12 replaced, 1 shown · 3 missing       <IP_1> hidden, in 3 places".
 */
static void draw_counts(struct session *session, struct canvas *canvas, struct rect row)
{
	struct report_pane *pane = &session->report;
	struct buf text = {0}, right = {0};
	int end, width;

	for (int i = 0; i < row.columns; i++)
		canvas_text(canvas, row.row, row.column + i, STYLE_BORDER, STR("─"));
	word_add_numbers(&text, WORD_REPORT_COUNTS, session->lang, pane->value_count - pane->shown_count,
			 pane->shown_count);
	if (pane->missing > 0) {
		buf_add(&text, STR(" · "));
		word_add_numbers(&text, WORD_REPORT_MISSING, session->lang, pane->missing, 0);
	}
	buf_add_byte(&text, ' ');
	end = canvas_text_cut(canvas, row.row, row.column, row.columns,
			      report_pane_is_in_text(session) ? STYLE_TITLE : STYLE_DIM, buf_str(&text));
	add_mark(session, &right);
	width = (int)utf8_width(buf_str(&right)) + 1;
	if (right.size > 0 && end + 2 + width <= row.column + row.columns) {
		canvas_text(canvas, row.row, row.column + row.columns - width, STYLE_BORDER, STR(" "));
		canvas_text(canvas, row.row, row.column + row.columns - width + 1, STYLE_HEADING,
			    buf_str(&right));
	}
	buf_release(&text);
	buf_release(&right);
}

/* ---- The text. ---------------------------------------------------------------------------------------- */

static bool line_has(const struct layout *layout, const struct layout_line *line, enum style style)
{
	for (uint32_t i = 0; i < line->run_count; i++) {
		if (layout->runs.items[line->run + i].style == style)
			return true;
	}
	return false;
}

/* Where [from, to) of the layout's text stands in this line; false: not in it. */
static bool find_cells(const struct layout *layout, const struct layout_line *line, size_t from, size_t to,
		       int *column, int *columns)
{
	int at = line->indent;

	*columns = 0;
	for (uint32_t i = 0; i < line->run_count; i++) {
		const struct layout_run *run = &layout->runs.items[line->run + i];
		int width = (int)utf8_width((struct str){layout->text.data + run->start, run->size});

		if (run->start >= from && run->start < to) {
			if (*columns == 0)
				*column = at;
			*columns = at + width - *column;
		}
		at += width;
	}
	return *columns > 0;
}

static void draw_text(struct session *session, struct canvas *canvas, struct rect area)
{
	const struct report_pane *pane = &session->report;
	const struct layout *layout = &pane->layout;
	const struct report_mark *mark = report_pane_mark(session);
	int column, columns;

	layout_draw(layout, canvas, area, pane->top, (struct str){0});
	for (int i = 0; i < area.rows && pane->top + (size_t)i < layout->lines.count; i++) {
		const struct layout_line *line = &layout->lines.items[pane->top + (size_t)i];
		int gutter = area.column - GUTTER_COLUMNS;

		/* What must be looked at is also seen without colour. */
		if (line_has(layout, line, STYLE_REVEALED))
			canvas_text(canvas, area.row + i, gutter, STYLE_FAIL, STR("!"));
		else if (line_has(layout, line, STYLE_HOLE))
			canvas_text(canvas, area.row + i, gutter, STYLE_WARN, STR("?"));
		if (mark && find_cells(layout, line, mark->from, mark->to, &column, &columns))
			canvas_restyle(canvas, (struct rect){area.row + i, area.column + column, 1, columns},
				       STYLE_SELECTED);
	}
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct form_place place = place_form(session, area);
	bool made = report_pane_make(session);

	for (int i = 0; i < place.rows; i++)
		draw_row(session, canvas, (struct rect){area.row + i, area.column, 1, area.columns},
			 place.first + (size_t)i, focused);
	if (!made) {
		canvas_text_cut(canvas, area.row + place.rows, area.column, area.columns, STYLE_DIM,
				session_word(session, WORD_REPORT_PREPARING));
		return;
	}
	report_pane_scroll(session, 0);
	if (place.counts)
		draw_counts(session, canvas,
			    (struct rect){area.row + place.rows, area.column, 1, area.columns});
	draw_text(session, canvas, text_area(session, area));
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_REPORT));
}

static void status(struct session *session, struct buf *out)
{
	const struct report_pane *pane = &session->report;
	int rows = report_pane_text_area(session).rows;
	size_t lines = pane->layout.lines.count;

	if (rows > 0 && lines > (size_t)rows)
		text_add_place(pane->top, lines - (size_t)rows, out);
}

/* In the form from row to row, in the text line by line; pages are always of the text. */
static void move(struct session *session, enum list_move move_)
{
	struct report_pane *pane = &session->report;
	int rows = report_pane_text_area(session).rows;
	bool in_text = report_pane_is_in_text(session);

	if (move_ == LIST_UP && (!in_text || pane->top == 0)) {
		if (pane->row > 0)
			report_pane_go_to_row(session, pane->row - 1);
	} else if (move_ == LIST_DOWN && !in_text) {
		report_pane_go_to_row(session, pane->row + 1);
	} else if (report_pane_make(session)) {
		pane->top = text_moved(pane->top, move_, rows);
		report_pane_scroll(session, 0);
	}
}

static void wheel(struct session *session, int rows)
{
	report_pane_scroll(session, rows);
}

static void click_text(struct session *session, struct rect area, int row, int column)
{
	struct report_pane *pane = &session->report;
	size_t line = pane->top + (size_t)(row - area.row);
	int first, columns;

	report_pane_go_to_row(session, REPORT_ROW_TEXT);
	for (size_t i = 0; i < pane->marks.count && line < pane->layout.lines.count; i++) {
		const struct report_mark *mark = &pane->marks.items[i];

		if (find_cells(&pane->layout, &pane->layout.lines.items[line], mark->from, mark->to, &first,
			       &columns) &&
		    column >= area.column + first && column < area.column + first + columns)
			pane->mark = i;
	}
}

static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	struct form_place place = place_form(session, area);
	struct rect text = text_area(session, area);

	(void)twice;
	row += area.row;
	column += area.column;
	if (row < area.row + place.rows)
		report_pane_go_to_row(session, place.first + (size_t)(row - area.row));
	else if (row >= text.row && report_pane_make(session))
		click_text(session, text, row, column);
}

const struct view_ops view_report = {.title = title,
				     .draw = draw,
				     .move = move,
				     .click = click,
				     .wheel = wheel,
				     .input = report_pane_input,
				     .typed = report_pane_typed,
				     .status = status};

/* ---- Before it is written or copied. ------------------------------------------------------------------ */

/* "In the clear: <IP_1> 10.0.0.1, …" */
static void add_clear(struct session *session, struct buf *out)
{
	const struct report_pane *pane = &session->report;
	size_t count = 0;

	if (pane->shown_count == 0) {
		buf_add(out, session_word(session, WORD_REPORT_NONE_SHOWN));
		return;
	}
	buf_add(out, session_word(session, WORD_REPORT_ALL_SHOWN));
	for (size_t i = 0; i < pane->value_count; i++) {
		const struct redact_name *name = redact_name_at(pane->redact, i);

		if (!name->shown)
			continue;
		if (count++ > 0)
			buf_add(out, session->lang == LANG_ZH ? STR("，") : STR(", "));
		if (count > CLEAR_SHOWN) {
			buf_add_format(out, "… (%zu)", pane->shown_count);
			return;
		}
		buf_add(out, name->name);
		buf_add_byte(out, ' ');
		buf_add(out, name->value);
	}
}

static void add_prose(struct layout *layout, enum style style, struct str text)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	struct layout_piece piece = {text, style, {0}};

	layout_flow(layout, &format, &piece, 1);
}

static void make_summary(struct session *session, struct layout *layout, int width)
{
	const struct report_pane *pane = &session->report;
	struct buf text = {0};

	layout_clear(layout, width);
	word_add_numbers(&text, WORD_REPORT_COUNTS, session->lang, pane->value_count - pane->shown_count,
			 pane->shown_count);
	buf_add(&text, session->lang == LANG_ZH ? STR("。") : STR(". "));
	add_clear(session, &text);
	add_prose(layout, pane->shown_count > 0 ? STYLE_WARN : STYLE_TEXT, buf_str(&text));
	add_prose(layout, STYLE_TEXT, session_word(session, WORD_REPORT_NO_TOOL));
	buf_clear(&text);
	word_add_numbers(&text, WORD_REPORT_STILL_MISSING, session->lang, pane->missing, 0);
	if (pane->missing > 0)
		add_prose(layout, STYLE_TEXT, buf_str(&text));
	buf_release(&text);
}

static struct input_line *out_input(struct session *session)
{
	return session->report.out == REPORT_TO_FILE ? &session->report.path : NULL;
}

static void out_title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, session->report.out == REPORT_TO_FILE ? WORD_REPORT_WRITE
										 : WORD_REPORT_COPY));
}

static int out_rows(struct session *session, int columns)
{
	struct layout layout = {0};
	int rows;

	make_summary(session, &layout, columns);
	rows = (int)layout.lines.count + (out_input(session) ? 3 : 2);
	layout_release(&layout);
	return rows;
}

static void out_draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct layout layout = {0};
	int rows, row, least = out_input(session) ? 2 : 1;

	make_summary(session, &layout, area.columns);
	rows = (int)layout.lines.count;
	if (rows > area.rows - least)
		rows = area.rows > least ? area.rows - least : 0;
	layout_draw(&layout, canvas, (struct rect){area.row, area.column, rows, area.columns}, 0,
		    (struct str){0});
	layout_release(&layout);
	row = area.row + rows + (rows + least < area.rows);
	if (out_input(session)) {
		canvas_text(canvas, row, area.column, STYLE_KEY, STR("> "));
		input_draw(&session->report.path, canvas, row, area.column + 2, area.columns - 2, focused);
		row++;
	}
	canvas_text_cut(
		canvas, row, area.column, area.columns, STYLE_DIM,
		session_word(session, out_input(session) ? WORD_REPORT_WRITE_KEYS : WORD_REPORT_COPY_KEYS));
}

const struct view_ops view_report_out = {
	.title = out_title, .draw = out_draw, .input = out_input, .rows = out_rows};

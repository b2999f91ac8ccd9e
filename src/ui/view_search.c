/* Live search: the results in the tree's place, under the line that is typed into. */
#include "ui/view.h"

#include "base/utf8.h"

static struct results *results_of(struct session *session)
{
	return &session->results;
}

static size_t row_count(const struct results *results)
{
	return results->found.codes.count + results->found.hits.count;
}

/*
 * Rows: codes that no entry treats, the entries, the other codes. What solves the problem comes first, and
 * what equals a code is not lost behind it.
 */
static const struct entry *row_entry(const struct session *session, size_t row)
{
	const struct results *results = &session->results;
	size_t hit = row - results->lone_codes;

	if (row < results->lone_codes || hit >= results->found.hits.count)
		return NULL;
	return session->kb->entries[results->found.hits.items[hit].entry];
}

static const struct code *row_code(const struct session *session, size_t row)
{
	const struct results *results = &session->results;

	if (row < results->lone_codes)
		return results->found.codes.items[row];
	if (row < results->lone_codes + results->found.hits.count || row >= row_count(results))
		return NULL;
	return results->found.codes.items[row - results->found.hits.count];
}

/* Codes without entries to the front; in what was pasted, entries are always first. */
static void order_codes(struct results *results)
{
	const struct code **codes = results->found.codes.items;

	results->lone_codes = 0;
	for (size_t i = 0; results->pasted.size == 0 && i < results->found.named; i++) {
		const struct code *code = codes[i];

		if (code->entries.count > 0)
			continue;
		for (size_t j = i; j > results->lone_codes; j--)
			codes[j] = codes[j - 1];
		codes[results->lone_codes++] = code;
	}
}

static void show_selected(struct session *session)
{
	size_t row = session->results.list.selected;

	reader_show(session, row_entry(session, row), row_code(session, row));
}

/* The reader went to the row that is selected. */
static void choose(struct session *session, bool moved)
{
	struct results *results = &session->results;
	size_t row = results->list.selected;

	results->moved = moved;
	results->chosen = (struct visit){row_entry(session, row), row_code(session, row), 0};
	show_selected(session);
}

static size_t row_of_entry(const struct session *session, const struct entry *entry)
{
	for (size_t row = 0; entry && row < row_count(&session->results); row++) {
		if (row_entry(session, row) == entry)
			return row;
	}
	return 0;
}

/* The list is what was found. */
static void take_found(struct session *session)
{
	struct results *results = results_of(session);

	order_codes(results);
	if (results->found.limited && !session->search_work.searching)
		session_say(session, STYLE_WARN, session_word(session, WORD_PATTERN_LIMIT));
	list_set_count(&results->list, row_count(results));
	session->dirty = true;
}

void search_update(struct session *session)
{
	struct results *results = results_of(session);
	struct str query = input_text(&results->input);
	bool empty = str_trim(query).size == 0 && results->pasted.size == 0;

	search_work_stop(session);
	if (results->pasted.size > 0)
		paste_search(session, buf_str(&results->pasted), &results->found);
	else
		search_work_begin(session, query);
	take_found(session);
	list_select(&results->list, empty ? row_of_entry(session, results->before.entry) : 0);
	choose(session, empty);
}

static size_t row_of_chosen(const struct session *session)
{
	const struct visit *chosen = &session->results.chosen;
	size_t row = 0;

	while (row < row_count(&session->results) &&
	       (row_entry(session, row) != chosen->entry || row_code(session, row) != chosen->code))
		row++;
	return row < row_count(&session->results) ? row : 0;
}

void search_show_found(struct session *session)
{
	struct results *results = results_of(session);
	size_t row;

	take_found(session);
	list_select(&results->list, results->moved ? row_of_chosen(session) : 0);
	row = results->list.selected;
	if (session->focus == VIEW_RESULTS && (row_entry(session, row) != session->reader.entry ||
					       row_code(session, row) != session->reader.code))
		show_selected(session);
}

void search_again(struct session *session)
{
	search_work_begin(session, input_text(&session->results.input));
	search_show_found(session);
}

void search_open(struct session *session)
{
	struct results *results = results_of(session);

	if (!results->shown) {
		results->before =
			(struct visit){session->reader.entry, session->reader.code, session->reader.top};
		results->shown = true;
		input_set(&results->input, (struct str){0});
		buf_clear(&results->pasted);
		search_update(session);
	}
	session_focus(session, VIEW_RESULTS);
}

void search_close(struct session *session)
{
	struct results *results = results_of(session);

	input_history_add(&results->history, input_text(&results->input));
	results->shown = false;
	search_work_stop(session);
	reader_show(session, results->before.entry, results->before.code);
	session->reader.top = results->before.top;
	session_focus(session, VIEW_TREE);
}

bool search_paste(struct session *session, struct str text)
{
	struct results *results = results_of(session);
	struct str trimmed = str_trim(text);
	size_t lines = 1;

	if (trimmed.size == 0)
		return false;
	for (size_t i = 0; i < trimmed.size; i++)
		lines += trimmed.data[i] == '\n' || (trimmed.data[i] == '\r' && trimmed.data[i + 1] != '\n');
	if (session->focus != VIEW_RESULTS)
		input_set(&results->input, (struct str){0});
	search_open(session);
	if (lines == 1 && trimmed.size <= INPUT_LONGEST) {
		buf_clear(&results->pasted);
		input_paste(&results->input, trimmed);
	} else {
		input_set(&results->input, (struct str){0});
		buf_clear(&results->pasted);
		buf_add(&results->pasted, trimmed);
		results->pasted_lines = lines;
	}
	search_update(session);
	return true;
}

/* Typing after a paste begins a new search. */
static void typed(struct session *session)
{
	buf_clear(&session->results.pasted);
	search_update(session);
}

void results_open_selected(struct session *session)
{
	size_t row = session->results.list.selected;
	const struct entry *entry = row_entry(session, row);
	const struct code *code = row_code(session, row);

	if (!entry && !code)
		return;
	input_history_add(&session->results.history, input_text(&session->results.input));
	if (session->results.pasted.size > 0 && entry)
		diagnosis_use_captures(session, entry);
	reader_visit(session, entry, code);
	session_focus(session, VIEW_ENTRY);
}

static void title(struct session *session, struct buf *out)
{
	struct results *results = results_of(session);

	buf_add(out, session_word(session, WORD_SEARCH));
	buf_add(out, STR("  "));
	word_add_numbers(out, WORD_HITS, session->lang, results->found.hits.count, session->kb->entry_count);
	if (results->pasted.size > 0)
		return;
	if (search_indexed_percent(session) < 100)
		word_add_numbers(out, WORD_INDEXING, session->lang, search_indexed_percent(session), 0);
	else if (session->search_work.searching)
		buf_add(out, STR(" …"));
}

static void status(struct session *session, struct buf *out)
{
	const struct list *list = &session->results.list;

	if (list->count > (size_t)(list->rows > 0 ? list->rows : 0))
		buf_add_format(out, "%zu/%zu", list->selected + 1, list->count);
}

static void draw_input(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct results *results = results_of(session);
	struct buf text = {0};

	canvas_text(canvas, area.row, area.column, STYLE_KEY, STR("/ "));
	input_draw(&results->input, canvas, area.row, area.column + 2, area.columns - 2, focused);
	if (results->pasted.size > 0) {
		word_add_numbers(&text, WORD_PASTED, session->lang, results->pasted_lines, 0);
		canvas_text_cut(canvas, area.row, area.column + 2, area.columns - 2, STYLE_INPUT,
				buf_str(&text));
	}
	buf_release(&text);
}

/* What to try when there is nothing. */
static void draw_nothing(struct session *session, struct canvas *canvas, struct rect area)
{
	struct results *results = results_of(session);
	struct layout layout = {0};
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .style = STYLE_TEXT};
	struct buf text = {0};

	if (results->pasted.size == 0 && results->found.error.size == 0 &&
	    (session->search_work.searching || search_indexed_percent(session) < 100))
		return; /* nothing yet */
	layout_clear(&layout, area.columns);
	if (results->found.error.size > 0)
		word_add_text(&text, WORD_PATTERN_WRONG, session->lang, buf_str(&results->found.error));
	else
		buf_add(&text,
			session_word(session, results->pasted.size > 0 ? WORD_PASTE_NO_MATCH : WORD_NO_HIT));
	layout_prose(&layout, &format, buf_str(&text));
	if (results->suggestion_count > 0) {
		layout_blank(&layout);
		buf_clear(&text);
		buf_add(&text, session_word(session, WORD_DID_YOU_MEAN));
		for (size_t i = 0; i < results->suggestion_count; i++)
			buf_add_format(&text, "%s%.*s", i > 0 ? "  " : "", STR_ARG(results->suggestions[i]));
		layout_prose(&layout, &format, buf_str(&text));
	}
	if (results->found.error.size == 0) {
		layout_blank(&layout);
		format.style = STYLE_DIM;
		layout_prose(&layout, &format, session_word(session, WORD_TRY_FEWER));
	}
	layout_draw(&layout, canvas, area, 0, (struct str){0});
	layout_release(&layout);
	buf_release(&text);
}

static void draw_hits(struct canvas *canvas, int row, int column, int columns, struct str query,
		      struct str text)
{
	struct search_ranges ranges = {0};
	int right = column + columns;
	struct rect before = canvas_clip(canvas, (struct rect){row, column, 1, columns});

	canvas_text_cut(canvas, row, column, columns, STYLE_TEXT, text);
	search_highlight(query, text, &ranges);
	for (size_t i = 0; i < ranges.list.count; i++) {
		int from = column + (int)utf8_width(str_slice(text, 0, ranges.list.items[i].start));
		int to = column + (int)utf8_width(str_slice(text, 0, ranges.list.items[i].end));

		canvas_restyle(canvas, (struct rect){row, from, 1, (to < right ? to : right) - from},
			       STYLE_HIT);
	}
	canvas_clip(canvas, before);
	vec_release(&ranges.list);
}

static void draw_row(struct session *session, struct canvas *canvas, struct rect row, size_t index)
{
	const struct entry *entry = row_entry(session, index);
	const struct code *code = row_code(session, index);
	int column;

	if (code)
		column = canvas_text(canvas, row.row, row.column, STYLE_CODE_NAME, code->code) + 1;
	else
		column = canvas_text(canvas, row.row, row.column, STYLE_ENTRY_ID, entry->id) + 1;
	draw_hits(canvas, row.row, column, row.column + row.columns - column,
		  input_text(&session->results.input),
		  code ? code->name : session_text(session, &entry->title));
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct results *results = results_of(session);

	draw_input(session, canvas, area, focused);
	area.row++;
	area.rows--;
	if (row_count(results) == 0)
		draw_nothing(session, canvas, area);
	for (int i = 0; i < area.rows && results->list.top + (size_t)i < results->list.count; i++) {
		size_t index = results->list.top + (size_t)i;
		struct rect row = {area.row + i, area.column, 1, area.columns};

		draw_row(session, canvas, row, index);
		if (index == results->list.selected)
			canvas_restyle(canvas, row, focused ? STYLE_SELECTED : STYLE_SELECTED_DIM);
	}
}

static void move(struct session *session, enum list_move move_)
{
	list_move(&session->results.list, move_);
	choose(session, true);
}

static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	size_t item;
	int first;

	(void)area;
	if (row == 0) {
		input_click(&session->results.input, column - 2);
		return;
	}
	if (!list_item_at(&session->results.list, row - 1, &item, &first))
		return;
	list_select(&session->results.list, item);
	choose(session, true);
	if (twice)
		results_open_selected(session);
}

static void wheel(struct session *session, int rows)
{
	list_scroll(&session->results.list, rows);
}

static struct input_line *input(struct session *session)
{
	return &session->results.input;
}

const struct view_ops view_results = {.title = title,
				      .draw = draw,
				      .move = move,
				      .click = click,
				      .wheel = wheel,
				      .input = input,
				      .typed = typed,
				      .status = status};

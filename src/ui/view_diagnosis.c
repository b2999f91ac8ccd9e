/* The findings of a diagnosis as a list, with how far the scan is above it. Beside an entry it is only names.
 */
#include "ui/view.h"

#include "base/utf8.h"

enum {
	ID_COLUMNS = 6,
	CODE_COLUMNS = 12,
	MARK_COLUMNS = 2,
	BAR_MOST = 40,       /* columns of the progress bar */
	FULL_COLUMNS = 66,   /* from here on ranks and counts stand beside a title */
	RANK_PARTS = 4,      /* "0,3-7" are two */
	SMALLEST_LOG = 12,   /* rows of the screen from which on the log is shown below */
	PERCENT_OF_LIST = 45 /* at most, of the rows */
};

/* Numbers for readers. */

static void add_size(struct buf *out, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	double number = (double)bytes;
	size_t unit = 0;

	while (number >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		number /= 1024;
		unit++;
	}
	buf_add_format(out, unit > 0 && number < 10 ? "%.1f %s" : "%.0f %s", number, units[unit]);
}

static void add_duration(struct buf *out, const struct session *session, uint64_t seconds)
{
	if (seconds < 60)
		word_add_numbers(out, WORD_SECONDS, session->lang, (size_t)seconds, 0);
	else
		word_add_numbers(out, WORD_MINUTES, session->lang, (size_t)(seconds / 60),
				 (size_t)(seconds % 60));
}

static unsigned percent_of(const struct diagnosis_pane *pane)
{
	return pane->total > 0 && pane->bytes < pane->total ? (unsigned)(pane->bytes * 100 / pane->total)
							    : 100;
}

/* "440 MiB of 1.0 GiB · 812 MiB/s · 1 s left" */
static void add_progress(const struct session *session, struct buf *out)
{
	const struct diagnosis_pane *pane = &session->diagnosis;
	uint64_t elapsed = pane->now_ms > pane->started_ms ? pane->now_ms - pane->started_ms : 0;
	struct buf size = {0};
	uint64_t rate;

	add_size(out, pane->bytes);
	if (!pane->endless) {
		add_size(&size, pane->total);
		buf_add_byte(out, ' ');
		word_add_text(out, WORD_OF_ALL, session->lang, buf_str(&size));
	}
	rate = elapsed >= 200 ? pane->bytes * 1000 / elapsed : 0;
	if (rate > 0) {
		buf_add(out, STR(" · "));
		add_size(out, rate);
		buf_add(out, STR("/s"));
	}
	if (rate > 0 && !pane->endless && pane->total > pane->bytes) {
		buf_clear(&size);
		add_duration(&size, session, (pane->total - pane->bytes + rate - 1) / rate);
		buf_add(out, STR(" · "));
		word_add_text(out, WORD_TIME_LEFT, session->lang, buf_str(&size));
	}
	buf_release(&size);
}

/* Where it stands. */

static bool is_full(const struct session *session)
{
	return session->focus == VIEW_DIAGNOSIS;
}

int diagnosis_rows_above(const struct session *session)
{
	return diagnosis_is_running(session) && is_full(session) ? 2 : 0;
}

/* The list above, the log below; the list only as high as it must be. */
void diagnosis_places(const struct session *session, struct rect main, struct places *places)
{
	int wanted = (int)session->diagnosis.rows.count + diagnosis_rows_above(session) + 2;
	int most = main.rows * PERCENT_OF_LIST / 100, least = main.rows / 3;
	int rows = wanted < least ? least : wanted > most ? most : wanted;

	if (main.rows < SMALLEST_LOG)
		rows = main.rows;
	places->left = (struct rect){main.row, main.column, rows, main.columns};
	if (rows < main.rows)
		places->log = (struct rect){main.row + rows, main.column, main.rows - rows, main.columns};
}

/* Drawing. */

static void add_inputs(struct session *session, struct buf *out)
{
	const struct diagnosis_pane *pane = &session->diagnosis;
	const struct diagnosis *diagnosis = &pane->findings.diagnosis;
	struct str paths = buf_str(&pane->paths), path;
	uint64_t lines = 0;

	for (size_t i = 0; i < diagnosis->input_count; i++)
		lines += diagnosis->inputs[i].lines;
	if (diagnosis->input_count == 1 && pane->files <= 1)
		buf_add(out, diagnosis_input_name(session, 0));
	else if (pane->files <= 1 && str_next(&paths, '\0', &path) && paths.size == 0)
		buf_add(out, str_equal(path, STR("-")) ? session_word(session, WORD_STANDARD_INPUT) : path);
	else if (pane->files > 0)
		word_add_numbers(out, WORD_FILES, session->lang, pane->files, 0);
	if (diagnosis_is_running(session) || !is_full(session))
		return;
	if (pane->bytes > 0) {
		buf_add(out, STR(" · "));
		add_size(out, pane->bytes);
		buf_add(out, STR(" · "));
		word_add_numbers(out, WORD_LINES, session->lang, (size_t)lines, 0);
	}
	if (pane->stopped) {
		buf_add(out, STR(" · "));
		word_add_numbers(out, WORD_STOPPED_AT, session->lang, percent_of(pane), 0);
	}
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_DIAGNOSIS));
	buf_add(out, STR("  "));
	add_inputs(session, out);
}

static void status(struct session *session, struct buf *out)
{
	const struct list *list = &session->diagnosis.list;

	if (list->count > (size_t)(list->rows > 0 ? list->rows : 0))
		buf_add_format(out, "%zu/%zu", list->selected + 1, list->count);
}

static void draw_progress(struct session *session, struct canvas *canvas, struct rect area)
{
	const struct diagnosis_pane *pane = &session->diagnosis;
	struct buf text = {0};
	int columns = area.columns / 3 < BAR_MOST ? area.columns / 3 : BAR_MOST;
	int done = (int)percent_of(pane) * columns / 100;
	int column;

	column = canvas_text(canvas, area.row, area.column, STYLE_TITLE, session_spinner(session)) + 1;
	if (!pane->endless && pane->total > 0) {
		for (int i = 0; i < columns; i++)
			canvas_text(canvas, area.row, column + i, i < done ? STYLE_TITLE : STYLE_BORDER,
				    i < done ? STR("█") : STR("░"));
		column += columns + 1;
		buf_add_format(&text, "%u %%  ", percent_of(pane));
	}
	if (pane->state == DIAGNOSIS_STOPPING)
		buf_add(&text, session_word(session, WORD_STOPPING));
	else if (pane->files == 0)
		buf_add(&text, session_word(session, WORD_COLLECTING));
	else
		add_progress(session, &text);
	canvas_text_cut(canvas, area.row, column, area.column + area.columns - column, STYLE_TEXT,
			buf_str(&text));
	buf_release(&text);
}

/* "certain · ×3 · rank 0,3-7", shorter where there is little room. */
static void add_weight(struct session *session, struct buf *out, const struct match *match, bool brief)
{
	if (!brief)
		buf_add(out, session_word(session, match->certain ? WORD_CERTAIN : WORD_LIKELY));
	if (match->count > 1)
		buf_add_format(out, "%s×%llu", out->size > 0 ? " · " : "", (unsigned long long)match->count);
	if (match->rank_count > 0) {
		buf_add_format(out, "%srank ", out->size > 0 ? " · " : "");
		findings_add_ranks(out, match, brief ? 1 : RANK_PARTS);
	}
}

/* Text at the right end of the row; returns what is left of it. */
static struct rect draw_right(struct canvas *canvas, struct rect row, struct str text)
{
	int width = (int)utf8_width(text);

	if (width == 0 || width + 20 > row.columns)
		return row;
	canvas_text(canvas, row.row, row.column + row.columns - width, STYLE_DIM, text);
	row.columns -= width + 2;
	return row;
}

static bool next_follows(const struct session *session, const struct diagnosis_row *row)
{
	const struct diagnosis_pane *pane = &session->diagnosis;

	return row + 1 < pane->rows.items + pane->rows.count && row[1].kind == ROW_FOLLOWS;
}

static void draw_match(struct session *session, struct canvas *canvas, struct rect row,
		       const struct diagnosis_row *what)
{
	static const struct {
		const char *mark;
		enum style style;
		int indent;
	} looks[] = {
		[ROW_ROOT] = {"✗", STYLE_FAIL, 0},
		[ROW_FOLLOWS] = {"└", STYLE_DIM, MARK_COLUMNS},
		[ROW_BESIDE] = {"!", STYLE_WARN, 0},
	};
	const struct match *match = &session->diagnosis.findings.diagnosis.matches[what->index];
	struct buf weight = {0};
	int column = row.column + (is_full(session) ? looks[what->kind].indent : 0);

	if (is_full(session)) {
		add_weight(session, &weight, match, row.columns < FULL_COLUMNS);
		row = draw_right(canvas, row, buf_str(&weight));
	}
	canvas_text(canvas, row.row, column, looks[what->kind].style,
		    what->kind == ROW_FOLLOWS && next_follows(session, what)
			    ? STR("├")
			    : str_of(looks[what->kind].mark));
	column += MARK_COLUMNS;
	canvas_text(canvas, row.row, column, STYLE_ENTRY_ID, match->entry->id);
	column += (int)match->entry->id.size + 1 < ID_COLUMNS ? ID_COLUMNS : (int)match->entry->id.size + 1;
	canvas_text_cut(canvas, row.row, column, row.column + row.columns - column, STYLE_TEXT,
			session_text(session, &match->entry->title));
	buf_release(&weight);
}

static void draw_counted(struct session *session, struct canvas *canvas, struct rect row, uint64_t count,
			 struct str name, struct str text, enum style style)
{
	struct buf right = {0};
	int column = row.column + MARK_COLUMNS;

	if (count > 1)
		buf_add_format(&right, "×%llu", (unsigned long long)count);
	if (is_full(session))
		row = draw_right(canvas, row, buf_str(&right));
	if (name.size > 0) {
		int end = canvas_text_cut(canvas, row.row, column, row.columns - MARK_COLUMNS,
					  STYLE_CODE_NAME, name);

		column = end + 1 > column + CODE_COLUMNS ? end + 1 : column + CODE_COLUMNS;
	}
	canvas_text_cut(canvas, row.row, column, row.column + row.columns - column, style, text);
	buf_release(&right);
}

static void draw_code(struct session *session, struct canvas *canvas, struct rect row,
		      const struct code_met *met)
{
	struct str means = met->code ? session_text(session, &met->code->means)
				     : session_word(session, WORD_CODE_KNOWN_NOT);

	draw_counted(session, canvas, row, met->count, met->code ? met->code->code : met->text,
		     str_slice(means, 0, str_find_byte(means, '\n')), met->code ? STYLE_TEXT : STYLE_DIM);
}

static void draw_heading(struct session *session, struct canvas *canvas, struct rect row, enum word word)
{
	const struct diagnosis *diagnosis = &session->diagnosis.findings.diagnosis;
	int column = canvas_text_cut(canvas, row.row, row.column, row.columns, STYLE_HEADING,
				     session_word(session, word));
	struct buf text = {0};

	for (size_t i = 0; word == WORD_FAILED_FIRST && i < diagnosis->match_count; i++) {
		const struct match *match = &diagnosis->matches[i];

		if (match->root && match->evidence[findings_first(match)].rank != FRAMING_NO_RANK)
			buf_add_format(&text, "rank %d", (int)match->evidence[findings_first(match)].rank);
	}
	if (word == WORD_UNMATCHED && diagnosis->unmatched_more > 0)
		word_add_numbers(&text, WORD_AND_MORE, session->lang, (size_t)diagnosis->unmatched_more, 0);
	canvas_text_cut(canvas, row.row, column + 2, row.column + row.columns - column - 2, STYLE_DIM,
			buf_str(&text));
	buf_release(&text);
}

/* Signatures are counted through the entries (core/scan.h). */
const struct entry *diagnosis_entry_of_signature(const struct kb *kb, size_t signature)
{
	for (size_t i = 0; i < kb->entry_count; i++) {
		if (signature < kb->entries[i]->signature_count)
			return kb->entries[i];
		signature -= kb->entries[i]->signature_count;
	}
	return NULL;
}

static void draw_row(struct session *session, struct canvas *canvas, struct rect row,
		     const struct diagnosis_row *what)
{
	const struct diagnosis *diagnosis = &session->diagnosis.findings.diagnosis;
	const struct entry *entry;

	switch (what->kind) {
	case ROW_HEADING:
		draw_heading(session, canvas, row, (enum word)what->index);
		break;
	case ROW_ROOT:
	case ROW_FOLLOWS:
	case ROW_BESIDE:
		draw_match(session, canvas, row, what);
		break;
	case ROW_CODE:
		draw_code(session, canvas, row, &diagnosis->codes[what->index]);
		break;
	case ROW_UNMATCHED:
		draw_counted(session, canvas, row, diagnosis->unmatched[what->index].count, (struct str){0},
			     diagnosis->unmatched[what->index].first.text, STYLE_TEXT);
		break;
	case ROW_LIMIT:
		entry = diagnosis_entry_of_signature(session->kb, diagnosis->limits[what->index].signature);
		draw_counted(session, canvas, row, 0, entry ? entry->id : STR("?"),
			     entry ? session_text(session, &entry->title) : (struct str){0}, STYLE_TEXT);
		break;
	case ROW_FAULT:
		draw_counted(session, canvas, row, 0, (struct str){0}, what->text, STYLE_WARN);
		break;
	}
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	const struct diagnosis_pane *pane = &session->diagnosis;
	int above = diagnosis_rows_above(session);

	if (above > 0)
		draw_progress(session, canvas, area);
	area.row += above;
	area.rows -= above;
	if (pane->rows.count == 0)
		canvas_text_cut(canvas, area.row, area.column, area.columns, STYLE_DIM,
				session_word(session, WORD_NOTHING_YET));
	for (int i = 0; i < area.rows && pane->list.top + (size_t)i < pane->rows.count; i++) {
		size_t index = pane->list.top + (size_t)i;
		struct rect row = {area.row + i, area.column, 1, area.columns};

		draw_row(session, canvas, row, &pane->rows.items[index]);
		if (index == pane->list.selected && pane->rows.items[index].kind != ROW_HEADING)
			canvas_restyle(canvas, row, focused ? STYLE_SELECTED : STYLE_SELECTED_DIM);
	}
}

static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	size_t item;
	int first;

	(void)area;
	(void)column;
	if (!list_item_at(&session->diagnosis.list, row - diagnosis_rows_above(session), &item, &first))
		return;
	if (session->diagnosis.rows.items[item].kind == ROW_HEADING)
		return;
	diagnosis_select(session, item);
	if (twice)
		diagnosis_open_selected(session);
}

static void wheel(struct session *session, int rows)
{
	list_scroll(&session->diagnosis.list, rows);
}

const struct view_ops view_diagnosis = {.title = title,
					.draw = draw,
					.move = diagnosis_move,
					.click = click,
					.wheel = wheel,
					.status = status};

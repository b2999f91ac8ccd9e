/* One probe: what it found, why that is not right, what was run or read, its output, its time. */
#include "ui/view.h"

static const struct probe_run *find_run(const struct session *session, const struct probe *probe)
{
	for (size_t i = 0; i < session->kb->probe_count; i++) {
		if (session->kb->probes[i] == probe)
			return &session->probes.runs[i];
	}
	return NULL;
}

static void add_heading(struct session *session, struct layout *layout, enum word title)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	struct layout_piece piece = {session_word(session, title), STYLE_HEADING, {0}};

	layout_blank(layout);
	layout_flow(layout, &format, &piece, 1);
}

static void add_verbatim(struct layout *layout, enum style style, struct str text)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = 2};
	struct layout_piece piece = {text, style, {0}};

	layout_verbatim(layout, &format, &piece, 1);
}

static void add_state(struct session *session, struct layout *layout, const struct probe_run *run)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = 2};
	struct str mark;
	enum style style;
	enum word name;

	probe_state_look(session, run, &mark, &style, &name);
	{
		struct layout_piece pieces[] = {
			{mark, style, {0}},
			{STR(" "), style, {0}},
			{session_word(session, name), style, {0}},
			{STR("  "), STYLE_TEXT, {0}},
			{session_text(session, &run->result.detail), STYLE_TEXT, {0}}};

		layout_flow(layout, &format, pieces, run->state == RUN_DONE ? 5 : 3);
	}
}

static void add_values(struct session *session, struct layout *layout, const struct probe_result *result)
{
	if (result->value_count == 0)
		return;
	add_heading(session, layout, WORD_VALUES);
	for (size_t i = 0; i < result->value_count; i++) {
		struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = 2, .hang = 2};
		struct layout_piece pieces[] = {{result->values[i].name, STYLE_DIM, {0}},
						{STR("  "), STYLE_DIM, {0}},
						{result->values[i].value, STYLE_VALUE, {0}}};

		layout_flow(layout, &format, pieces, 3);
	}
}

/* Short enough to be made anew for each picture: excerpts are limited by the probes. */
static void make_layout(struct session *session, int width)
{
	struct text_view *detail = &session->detail;
	const struct probe_run *run = find_run(session, detail->probe);
	const struct entry *entry;
	struct buf line = {0};

	layout_clear(&detail->layout, width);
	if (!run)
		return;
	add_state(session, &detail->layout, run);
	entry = kb_entry(session->kb, probe_entry(detail->probe, run));
	if (entry) {
		add_heading(session, &detail->layout, WORD_MENDED_BY);
		buf_add_format(&line, "→ %.*s  %.*s", STR_ARG(entry->id),
			       STR_ARG(session_text(session, &entry->title)));
		add_verbatim(&detail->layout, STYLE_ENTRY_ID, buf_str(&line));
	}
	add_values(session, &detail->layout, &run->result);
	if (run->result.source.size > 0) {
		add_heading(session, &detail->layout, WORD_READ_FROM);
		add_verbatim(&detail->layout, STYLE_COMMAND, run->result.source);
	}
	if (run->result.excerpt.size > 0) {
		add_heading(session, &detail->layout, WORD_OUTPUT);
		add_verbatim(&detail->layout, STYLE_ERROR_TEXT, run->result.excerpt);
	}
	if (run->state == RUN_DONE) {
		add_heading(session, &detail->layout, WORD_TIME_TAKEN);
		buf_clear(&line);
		word_add_numbers(&line, WORD_MILLISECONDS, session->lang, run->result.ms, 0);
		add_verbatim(&detail->layout, STYLE_TEXT, buf_str(&line));
	}
	buf_release(&line);
}

/* The lowest line that can be the first; the place is kept within it. */
static size_t clamp_top(struct session *session)
{
	struct text_view *detail = &session->detail;
	struct rect area = session_area(session, VIEW_DETAIL);
	size_t rows = area.rows > 1 ? (size_t)area.rows : 1;
	size_t last;

	make_layout(session, area.columns < READ_COLUMNS ? area.columns : READ_COLUMNS);
	last = detail->layout.lines.count > rows ? detail->layout.lines.count - rows : 0;
	if (detail->top > last)
		detail->top = last;
	return last;
}

void detail_open(struct session *session, const struct probe *probe)
{
	session->detail.probe = probe;
	session->detail.top = 0;
	session_push(session, VIEW_DETAIL);
}

size_t text_moved(size_t top, enum list_move move, int rows)
{
	size_t page = rows > 2 ? (size_t)rows - 1 : 1;
	size_t half = page / 2 ? page / 2 : 1;
	size_t step = move == LIST_PAGE_UP || move == LIST_PAGE_DOWN   ? page
		      : move == LIST_HALF_UP || move == LIST_HALF_DOWN ? half
								       : 1;

	switch (move) {
	case LIST_FIRST:
		return 0;
	case LIST_LAST:
		return SIZE_MAX;
	case LIST_UP:
	case LIST_PAGE_UP:
	case LIST_HALF_UP:
		return top > step ? top - step : 0;
	default:
		return top + step;
	}
}

void text_add_place(size_t top, size_t last, struct buf *out)
{
	if (last > 0)
		buf_add_format(out, "%zu%%", (top < last ? top : last) * 100 / last);
}

static void move(struct session *session, enum list_move move_)
{
	session->detail.top = text_moved(session->detail.top, move_, session_area(session, VIEW_DETAIL).rows);
	clamp_top(session);
}

static void wheel(struct session *session, int rows)
{
	for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
		move(session, rows < 0 ? LIST_UP : LIST_DOWN);
}

static void title(struct session *session, struct buf *out)
{
	if (session->detail.probe)
		buf_add(out, session_text(session, &session->detail.probe->title));
}

static void status(struct session *session, struct buf *out)
{
	size_t last = clamp_top(session);

	text_add_place(session->detail.top, last, out);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	(void)focused;
	clamp_top(session);
	layout_draw(&session->detail.layout, canvas, area, session->detail.top, (struct str){0});
}

const struct view_ops view_detail = {
	.title = title, .draw = draw, .move = move, .wheel = wheel, .status = status};

/* Where the panes are, and the whole picture. */
#include "ui/view.h"

#include "base/utf8.h"

enum {
	WIDE_COLUMNS = 110,  /* all three panes fit */
	NARROW_COLUMNS = 70, /* below it: one pane at a time */
	SMALLEST_ROWS = 5,
	SMALLEST_COLUMNS = 20,
	OVER_COLUMNS = 88, /* of what lies over the panes */
	FRAME_PADDING = 2  /* the border and a column of air */
};

static int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

bool session_is_wide(const struct session *session)
{
	return session->columns >= WIDE_COLUMNS;
}

bool session_is_narrow(const struct session *session)
{
	return session->columns < NARROW_COLUMNS;
}

/* In the middle of the panes where there is room around it, else over all of them. */
static struct rect over_area(struct session *session, struct rect main, enum view view)
{
	const struct view_ops *ops = view_table[view];
	struct rect over = main;
	int rows;

	if (session_is_wide(session)) {
		over.columns = OVER_COLUMNS;
		over.column = (main.columns - over.columns) / 2;
	}
	if (ops->rows && session->depth > 0) {
		rows = ops->rows(session, over.columns - 2 * FRAME_PADDING) + 2;
		over.rows = rows < main.rows ? rows : main.rows;
		over.row += (main.rows - over.rows) / 3;
	}
	return over;
}

struct places session_places(struct session *session)
{
	struct rect main = {1, 0, session->rows - 2, session->columns};
	struct places places = {.title = {0, 0, 1, session->columns},
				.footer = {session->rows - 1, 0, 1, session->columns},
				.over = over_area(session, main, session_view(session))};
	int left = clamp(session->columns * 26 / 100, 28, 44);
	int right = clamp(session->columns * 24 / 100, 27, 42);

	if (session->focus == VIEW_DIAGNOSIS)
		diagnosis_places(session, main, &places);
	places.too_small = session->rows < SMALLEST_ROWS || session->columns < SMALLEST_COLUMNS;
	if (session->focus == VIEW_DIAGNOSIS)
		return places;
	if (session_is_narrow(session)) {
		struct rect *only = session->focus == VIEW_ENTRY    ? &places.entry
				    : session->focus == VIEW_PROBES ? &places.probes
								    : &places.left;

		*only = main;
		return places;
	}
	if (!session_is_wide(session)) {
		left = clamp(session->columns * 36 / 100, 28, 38);
		right = 0;
	}
	places.left = (struct rect){main.row, 0, main.rows, left};
	places.entry = (struct rect){main.row, left, main.rows, session->columns - left - right};
	places.probes = (struct rect){main.row, session->columns - right, main.rows, right};
	if (!session_is_wide(session)) {
		places.probes = session->probes_in_left ? places.left : (struct rect){0};
		places.left = session->probes_in_left ? (struct rect){0} : places.left;
	}
	return places;
}

static struct rect frame_of(struct session *session, enum view view)
{
	struct places places = session_places(session);

	switch (view) {
	case VIEW_TREE:
	case VIEW_RESULTS:
	case VIEW_DIAGNOSIS:
		return places.left;
	case VIEW_LOG:
		return places.log;
	case VIEW_ENTRY:
		return places.entry;
	case VIEW_PROBES:
		return places.probes;
	case VIEW_GOTO:
		return places.footer;
	default:
		/* It may lie below another one. */
		return over_area(session, (struct rect){1, 0, session->rows - 2, session->columns}, view);
	}
}

struct rect frame_inside(struct rect frame)
{
	struct rect inside = {frame.row + 1, frame.column + FRAME_PADDING, frame.rows - 2,
			      frame.columns - 2 * FRAME_PADDING};

	inside.rows = inside.rows > 0 ? inside.rows : 0;
	inside.columns = inside.columns > 0 ? inside.columns : 0;
	return inside;
}

struct rect session_area(struct session *session, enum view view)
{
	struct rect frame = frame_of(session, view);

	return view == VIEW_GOTO ? frame : frame_inside(frame);
}

enum view session_left_view(const struct session *session)
{
	return session->results.shown ? VIEW_RESULTS : session->diagnosis.shown ? VIEW_DIAGNOSIS : VIEW_TREE;
}

void session_layout_changed(struct session *session)
{
	int results_rows =
		session_area(session, VIEW_RESULTS).rows - 1; /* the first is the line typed into */

	if (session_area(session, VIEW_TREE).rows > 0) {
		list_set_rows(&session->tree.list, session_area(session, VIEW_TREE).rows);
		list_set_rows(&session->results.list, results_rows);
	}
	if (session_area(session, VIEW_DIAGNOSIS).rows > 0)
		list_set_rows(&session->diagnosis.list,
			      session_area(session, VIEW_DIAGNOSIS).rows - diagnosis_rows_above(session));
	session->probes.columns = session_area(session, VIEW_PROBES).columns;
	if (session_area(session, VIEW_PROBES).rows > 0)
		list_set_rows(&session->probes.list, session_area(session, VIEW_PROBES).rows - 1);
}

/* " title " in the upper border, " status " at the right of the lower one. */
static void draw_frame(struct session *session, struct canvas *canvas, struct rect frame, enum view view,
		       bool focused)
{
	const struct view_ops *ops = view_table[view];
	struct buf text = {0};
	int room = frame.columns - 4;
	int width;

	canvas_frame(canvas, frame, STYLE_BORDER);
	if (ops->title)
		ops->title(session, &text);
	if (text.size > 0 && room > 2) {
		canvas_text(canvas, frame.row, frame.column + 1, STYLE_BORDER, STR(" "));
		width = canvas_text_cut(canvas, frame.row, frame.column + 2, room,
					focused ? STYLE_TITLE : STYLE_DIM, buf_str(&text));
		canvas_text(canvas, frame.row, width, STYLE_BORDER, STR(" "));
	}
	buf_clear(&text);
	if (ops->status)
		ops->status(session, &text);
	if (text.size > 0 && (int)utf8_width(buf_str(&text)) <= room) {
		width = (int)utf8_width(buf_str(&text));
		canvas_text(canvas, frame.row + frame.rows - 1, frame.column + frame.columns - 3 - width,
			    STYLE_BORDER, STR(" "));
		canvas_text(canvas, frame.row + frame.rows - 1, frame.column + frame.columns - 2 - width,
			    STYLE_DIM, buf_str(&text));
		canvas_text(canvas, frame.row + frame.rows - 1, frame.column + frame.columns - 2,
			    STYLE_BORDER, STR(" "));
	}
	buf_release(&text);
}

static void draw_view(struct session *session, struct canvas *canvas, enum view view)
{
	struct rect frame = frame_of(session, view);
	struct rect before;
	bool focused = session_view(session) == view;

	if (frame.rows < 1 || frame.columns < 1)
		return;
	/* What lies over the panes is set off by a column of air. */
	if (view >= VIEW_DETAIL && view != VIEW_GOTO)
		canvas_fill(canvas, (struct rect){frame.row, frame.column - 1, frame.rows, frame.columns + 2},
			    STYLE_TEXT);
	before = canvas_clip(canvas, frame);
	canvas_fill(canvas, frame, view == VIEW_GOTO ? STYLE_BAR : STYLE_TEXT);
	if (view != VIEW_GOTO)
		draw_frame(session, canvas, frame, view, focused);
	canvas_clip(canvas, session_area(session, view));
	view_table[view]->draw(session, canvas, session_area(session, view), focused);
	canvas_clip(canvas, before);
}

static void draw_too_small(struct session *session, struct canvas *canvas)
{
	struct str text = session_word(session, WORD_TOO_SMALL);
	int width = (int)utf8_width(text);
	int column = width < session->columns ? (session->columns - width) / 2 : 0;

	canvas_text(canvas, (session->rows - 1) / 2, column, STYLE_TEXT, text);
}

/* Beside a report, which is free of what is private, the log itself has no place. */
static bool has_report(const struct session *session)
{
	bool found = false;

	for (size_t i = 0; i < session->depth; i++)
		found = found || session->stack[i] == VIEW_REPORT;
	return found;
}

static void draw_panes(struct session *session, struct canvas *canvas, const struct places *places)
{
	if (places->left.rows > 0)
		draw_view(session, canvas, session_left_view(session));
	if (places->log.rows > 0)
		draw_view(session, canvas, VIEW_LOG);
	if (places->entry.rows > 0)
		draw_view(session, canvas, VIEW_ENTRY);
	if (places->probes.rows > 0)
		draw_view(session, canvas, VIEW_PROBES);
}

void session_draw(struct session *session, struct canvas *canvas)
{
	struct places places = session_places(session);

	if (canvas_rows(canvas) != session->rows || canvas_columns(canvas) != session->columns)
		canvas_resize(canvas, session->rows, session->columns);
	if (session->ascii)
		canvas_ascii(canvas, true);
	canvas_clear(canvas);
	session->dirty = false;
	session->drawn = true;
	if (places.too_small) {
		draw_too_small(session, canvas);
		return;
	}
	bars_draw_title(session, canvas, places.title);
	if (!has_report(session))
		draw_panes(session, canvas, &places);
	bars_draw_footer(session, canvas, places.footer);
	/* What is about to leave the machine stays in sight. */
	if (session_view(session) == VIEW_REPORT_OUT)
		draw_view(session, canvas, VIEW_REPORT);
	if (session->depth > 0)
		draw_view(session, canvas, session_view(session));
}

/* The history: what was looked at, copied, checked and done; the newest first. */
#include "ui/view.h"

void past_note(struct session *session, enum history_kind kind, const struct entry *entry,
	       enum probe_state result, struct str text)
{
	struct history_event event = {.when_s = (session->epoch_ms + session->now_ms) / 1000,
				      .kind = kind,
				      .entry = entry ? entry->id : (struct str){0},
				      .result = result,
				      .text = text};
	struct buf line = {0};

	if (!session->effects)
		return;
	history_add_line(&event, &line);
	effect_add(session->effects, (struct effect){.kind = EFFECT_HISTORY, .text = buf_str(&line)});
	buf_release(&line);
}

void past_release(struct session *session)
{
	history_release(&session->past.log);
}

void past_take(struct session *session, struct str text)
{
	struct past_pane *past = &session->past;

	past->asked = false;
	history_release(&past->log);
	history_read(&past->log, text);
	list_set_count(&past->list, past->log.list.count);
	session->dirty = true;
}

void action_past(struct session *session, enum action action)
{
	(void)action;
	session->past.asked = true;
	session->past.list = (struct list){.rows = session_area(session, VIEW_PAST).rows};
	effect_add(session->effects, (struct effect){.kind = EFFECT_HISTORY_READ});
	session_push(session, VIEW_PAST);
}

static const struct history_event *event_at(const struct past_pane *past, size_t row)
{
	return row < past->log.list.count ? &past->log.list.items[past->log.list.count - 1 - row] : NULL;
}

void past_open_selected(struct session *session)
{
	const struct history_event *event = event_at(&session->past, session->past.list.selected);

	if (event && event->entry.size > 0)
		session_goto(session, event->entry);
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_PAST));
}

static void status(struct session *session, struct buf *out)
{
	if (session->past.list.count > 0)
		word_add_numbers(out, WORD_HITS, session->lang, session->past.list.selected + 1,
				 session->past.list.count);
}

static void draw_event(struct session *session, struct canvas *canvas, struct rect row,
		       const struct history_event *event)
{
	enum { TIME_COLUMNS = 21, ENTRY_COLUMNS = 7 };
	static const enum style results[] = {
		[PROBE_UNKNOWN] = STYLE_WARN, [PROBE_OK] = STYLE_OK,         [PROBE_WARN] = STYLE_WARN,
		[PROBE_FAIL] = STYLE_FAIL,    [PROBE_ABSENT] = STYLE_ABSENT, [PROBE_UNTRUSTED] = STYLE_WARN};
	bool checked = event->kind == HISTORY_CHECKED;
	int column = row.column, right = row.column + row.columns;
	struct buf text = {0};

	if (row.columns > 60) {
		history_add_time(event->when_s, session->zone_s, &text);
		canvas_text(canvas, row.row, column, STYLE_DIM, buf_str(&text));
		column += TIME_COLUMNS;
	}
	canvas_text(canvas, row.row, column, STYLE_ENTRY_ID, event->entry);
	column = canvas_text(canvas, row.row, column + ENTRY_COLUMNS,
			     checked ? results[event->result] : STYLE_TEXT,
			     history_kind_text(event->kind, session->lang));
	if (column + 2 < right)
		canvas_text_cut(canvas, row.row, column + 2, right - column - 2,
				event->kind <= HISTORY_PROMPTED ? STYLE_COMMAND : STYLE_TEXT, event->text);
	buf_release(&text);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct past_pane *past = &session->past;

	(void)focused;
	list_set_rows(&past->list, area.rows);
	if (past->list.count == 0)
		canvas_text_cut(canvas, area.row, area.column, area.columns, STYLE_DIM,
				session_word(session, past->asked ? WORD_PAST_READING : WORD_PAST_EMPTY));
	for (int i = 0; i < area.rows; i++) {
		size_t item = past->list.top + (size_t)i;
		struct rect row = {area.row + i, area.column, 1, area.columns};

		if (item >= past->list.count)
			break;
		draw_event(session, canvas, row, event_at(past, item));
		if (item == past->list.selected)
			canvas_restyle(canvas, row, STYLE_SELECTED);
	}
}

static void move(struct session *session, enum list_move move_)
{
	list_move(&session->past.list, move_);
}

static void wheel(struct session *session, int rows)
{
	list_scroll(&session->past.list, rows);
}

static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	size_t item;
	int first;

	(void)area;
	(void)column;
	if (!list_item_at(&session->past.list, row, &item, &first))
		return;
	list_select(&session->past.list, item);
	if (twice)
		past_open_selected(session);
}

const struct view_ops view_past = {
	.title = title, .draw = draw, .move = move, .click = click, .wheel = wheel, .status = status};

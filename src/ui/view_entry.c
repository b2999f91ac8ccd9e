/* The entry pane: an entry, or what a code means; with a cursor that goes from command to command. */
#include "ui/view.h"

#include "base/utf8.h"

static int reader_rows(struct session *session)
{
	int rows = session_area(session, VIEW_ENTRY).rows;

	return rows > 1 ? rows : 1;
}

void reader_request(struct session *session, struct document_request *request)
{
	int columns = session_area(session, VIEW_ENTRY).columns;

	*request = (struct document_request){.kb = session->kb,
					     .facts = session->facts,
					     .entry = session->reader.entry,
					     .code = session->reader.code,
					     .width = columns < READ_COLUMNS ? columns : READ_COLUMNS,
					     .lang = session->lang,
					     .errors_shown = session->reader.errors_shown};
}

static size_t last_top(struct session *session)
{
	size_t lines = session->reader.document.layout.lines.count;
	size_t rows = (size_t)reader_rows(session);

	return lines > rows ? lines - rows : 0;
}

/* Where the item is now; what was found on this machine may have changed the order of solutions. */
static size_t same_item(const struct document *document, const struct document_item *wanted)
{
	for (size_t i = 0; i < document->items.count; i++) {
		const struct document_item *item = &document->items.items[i];

		if (item->kind == wanted->kind && item->step == wanted->step &&
		    str_equal(item->target, wanted->target))
			return i;
	}
	return SIZE_MAX;
}

/* Keeps the place and the cursor when the language, the width or a value changes. */
struct document *reader_document(struct session *session)
{
	struct reader *reader = &session->reader;
	struct document *document = &reader->document;
	struct document_request request;
	struct document before = *document;

	reader_request(session, &request);
	if (document_is_current(document, &request))
		return document;
	if (before.made && before.entry == request.entry && before.code == request.code) {
		*document = (struct document){0};
		document_make(document, &request);
		reader->top = document_same_place(&before, reader->top, document);
		if (reader->item < before.items.count)
			reader->item = same_item(document, &before.items.items[reader->item]);
		document_release(&before);
	} else {
		document_make(document, &request);
	}
	if (reader->item != SIZE_MAX && reader->item >= document->items.count)
		reader->item = SIZE_MAX;
	if (reader->top > last_top(session))
		reader->top = last_top(session);
	return document;
}

const struct document_item *reader_item(struct session *session)
{
	struct document *document = reader_document(session);
	size_t item = session->reader.item;

	/* Without a cursor, the first command is what is meant. */
	for (size_t i = 0; item == SIZE_MAX && i < document->items.count; i++) {
		if (document->items.items[i].kind <= ITEM_FILE)
			item = i;
	}
	return item < document->items.count ? &document->items.items[item] : NULL;
}

void reader_show(struct session *session, const struct entry *entry, const struct code *code)
{
	struct reader *reader = &session->reader;

	if (reader->entry == entry && reader->code == code)
		return;
	reader->entry = entry;
	reader->code = code;
	reader->top = 0;
	reader->item = SIZE_MAX;
	reader->errors_shown = false;
	session->dirty = true;
	probes_reorder(session);
}

void reader_visit(struct session *session, const struct entry *entry, const struct code *code)
{
	struct history *history = &session->history;

	if (entry && session->effects && session->last_noted != entry) {
		past_note(session, HISTORY_LOOKED, entry, PROBE_OK, (struct str){0});
		session->last_noted = entry;
	}

	if (history->at < history->visits.count) {
		struct visit *here = &history->visits.items[history->at];

		if (here->entry == session->reader.entry && here->code == session->reader.code)
			here->top = session->reader.top;
		if (here->entry == entry && here->code == code) {
			reader_show(session, entry, code);
			return;
		}
		history->visits.count = history->at + 1;
	}
	vec_push(&history->visits, (struct visit){entry, code, 0});
	history->at = history->visits.count - 1;
	reader_show(session, entry, code);
}

bool session_goto(struct session *session, struct str id_or_code)
{
	struct str name = str_trim(id_or_code);
	const struct entry *entry = kb_entry(session->kb, name);
	const struct code *code = entry ? NULL : session_code(session, name);

	if (!entry && !code)
		return false;
	reader_visit(session, entry, code);
	if (entry && !session->results.shown)
		tree_reveal(session, entry);
	session_focus(session, VIEW_ENTRY);
	return true;
}

/* Scrolling and the cursor. */

static void scroll_to(struct session *session, size_t top)
{
	size_t last = last_top(session);

	session->reader.top = top < last ? top : last;
}

static void scroll_by(struct session *session, size_t lines, bool down)
{
	size_t top = session->reader.top;

	scroll_to(session, down ? top + lines : top > lines ? top - lines : 0);
}

static bool is_in_view(struct session *session, const struct document_item *item)
{
	size_t top = session->reader.top;

	return item->first_line >= top && item->first_line < top + (size_t)reader_rows(session);
}

/* The whole item in view, with a line of context where there is room. */
static void show_item(struct session *session, const struct document_item *item)
{
	size_t rows = (size_t)reader_rows(session);
	size_t context = rows > 4 ? 1 : 0;
	size_t first = item->first_line > context ? item->first_line - context : 0;
	size_t end = item->first_line + item->line_count + context;

	if (first < session->reader.top || end - first > rows)
		scroll_to(session, first);
	else if (end > session->reader.top + rows)
		scroll_to(session, end - rows);
}

void reader_select_item(struct session *session, size_t item)
{
	session->reader.item = item;
	show_item(session, &session->reader.document.items.items[item]);
}

/* After scrolling: a cursor that went out of view goes to the first item in view, or away. */
static void follow_scroll(struct session *session, bool down)
{
	struct document *document = &session->reader.document;
	size_t found = SIZE_MAX;

	if (session->reader.item != SIZE_MAX &&
	    is_in_view(session, &document->items.items[session->reader.item]))
		return;
	for (size_t i = 0; i < document->items.count; i++) {
		if (!is_in_view(session, &document->items.items[i]))
			continue;
		found = i;
		if (down)
			break;
	}
	if (found != SIZE_MAX)
		session->reader.item = found;
}

/* Down goes to the next item when it is in view, else a line further; as in a text browser. */
static void step(struct session *session, bool down)
{
	struct document *document = &session->reader.document;
	size_t item = session->reader.item, top = session->reader.top;
	bool has_next =
		down ? (item == SIZE_MAX ? document->items.count > 0 : item + 1 < document->items.count)
		     : item != SIZE_MAX && item > 0;
	size_t next = !has_next ? SIZE_MAX : item == SIZE_MAX ? 0 : down ? item + 1 : item - 1;

	if (has_next && is_in_view(session, &document->items.items[next])) {
		reader_select_item(session, next);
		return;
	}
	scroll_by(session, 1, down);
	if (has_next && is_in_view(session, &document->items.items[next]))
		session->reader.item = next;
	else if (session->reader.top == top && !down)
		session->reader.item = SIZE_MAX;
}

void action_next_item(struct session *session, enum action action)
{
	struct document *document = reader_document(session);
	size_t item = session->reader.item;

	if (document->items.count == 0)
		return;
	if (action == ACTION_NEXT_ITEM)
		reader_select_item(session, item == SIZE_MAX                   ? 0
					    : item + 1 < document->items.count ? item + 1
									       : item);
	else
		reader_select_item(session, item == SIZE_MAX || item == 0 ? 0 : item - 1);
}

static void move(struct session *session, enum list_move move_)
{
	size_t rows = (size_t)reader_rows(session);
	size_t page = rows > 2 ? rows - 2 : 1;
	bool down = move_ == LIST_DOWN || move_ == LIST_PAGE_DOWN || move_ == LIST_HALF_DOWN;

	reader_document(session);
	switch (move_) {
	case LIST_UP:
	case LIST_DOWN:
		step(session, down);
		return;
	case LIST_PAGE_UP:
	case LIST_PAGE_DOWN:
		scroll_by(session, page, down);
		break;
	case LIST_HALF_UP:
	case LIST_HALF_DOWN:
		scroll_by(session, rows / 2 ? rows / 2 : 1, down);
		break;
	case LIST_FIRST:
		scroll_to(session, 0);
		session->reader.item = SIZE_MAX;
		return;
	case LIST_LAST:
		scroll_to(session, SIZE_MAX);
		down = false;
		break;
	}
	follow_scroll(session, down);
}

static void wheel(struct session *session, int rows)
{
	reader_document(session);
	scroll_by(session, (size_t)(rows < 0 ? -rows : rows), rows > 0);
}

/* A click on a command copies it, on anything else that can be gone to goes there. */
static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	struct document *document = reader_document(session);
	size_t line = session->reader.top + (size_t)row;

	(void)area;
	(void)column;
	if (line == document->errors_line) {
		session->reader.errors_shown = !session->reader.errors_shown;
		return;
	}
	for (size_t i = 0; i < document->items.count; i++) {
		const struct document_item *item = &document->items.items[i];

		if (line < item->first_line || line >= item->first_line + item->line_count)
			continue;
		session->reader.item = i;
		if (!twice)
			reader_open_item(session, item);
		return;
	}
}

void reader_open_item(struct session *session, const struct document_item *item)
{
	struct document_item copy = *item;

	if (copy.kind == ITEM_SEE || copy.kind == ITEM_CODE) {
		if (!session_goto(session, copy.target))
			session_say_word(session, WORD_CODE_KNOWN_NOT, copy.target);
		return;
	}
	copy_item_to(session, &copy, session->prompting ? COPY_TO_PROMPT : COPY_TO_CLIPBOARD);
}

/* Drawing. */

static const struct tree_section *shown_section(const struct session *session)
{
	size_t entry;

	return session->results.shown ? NULL : tree_selected(&session->tree, &entry);
}

static void title(struct session *session, struct buf *out)
{
	const struct reader *reader = &session->reader;

	if (reader->entry)
		buf_add_format(out, "%.*s  %.*s", STR_ARG(reader->entry->id),
			       STR_ARG(session_text(session, &reader->entry->title)));
	else if (reader->code)
		buf_add(out, reader->code->code);
	else if (shown_section(session))
		buf_add(out, tree_section_title(session, shown_section(session)));
}

static void status(struct session *session, struct buf *out)
{
	size_t last;

	if (!session->reader.entry && !session->reader.code)
		return;
	reader_document(session);
	last = last_top(session);
	text_add_place(session->reader.top, last, out);
}

static void add_entry_of_section(struct session *session, struct layout *layout, const struct entry *entry)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = 6};
	struct layout_piece pieces[] = {{entry->id, STYLE_ENTRY_ID, {0}},
					{STR("  "), STYLE_TEXT, {0}},
					{session_text(session, &entry->title), STYLE_TEXT, {0}}};

	layout_flow(layout, &format, pieces, 3);
}

/* No entry is shown: what is in the section, and how to begin. */
static void draw_section(struct session *session, struct canvas *canvas, struct rect area)
{
	struct layout layout = {0};
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .style = STYLE_DIM};
	const struct tree_section *section = shown_section(session);
	enum word hint = session->results.shown ? WORD_TYPE_TO_SEARCH : WORD_PRESS_TO_READ;

	layout_clear(&layout, area.columns < READ_COLUMNS ? area.columns : READ_COLUMNS);
	for (size_t i = 0; section && i < section->count && layout.lines.count + 3 < (size_t)area.rows; i++)
		add_entry_of_section(session, &layout, session->kb->entries[section->first + i]);
	if (section && section->count == 0) {
		struct str empty =
			section->section ? session_text(session, &section->section->empty) : (struct str){0};

		layout_prose(&layout, &format,
			     empty.size > 0 ? empty : session_word(session, WORD_NO_ENTRIES));
	}
	if (layout.lines.count > 0)
		layout_blank(&layout);
	if (!session->results.shown || session->results.pasted.size + session->results.input.text.size == 0)
		layout_prose(&layout, &format, session_word(session, hint));
	layout_draw(&layout, canvas, area, 0, (struct str){0});
	layout_release(&layout);
}

/* The cursor: a thicker bar at a command, a selection elsewhere. */
static void draw_cursor(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	const struct document *document = &session->reader.document;
	const struct document_item *item;

	if (session->reader.item == SIZE_MAX || !focused)
		return;
	item = &document->items.items[session->reader.item];
	for (size_t i = 0; i < item->line_count; i++) {
		const struct layout_line *line = &document->layout.lines.items[item->first_line + i];
		int row = area.row + (int)(item->first_line + i) - (int)session->reader.top;

		if (line->bar >= 0)
			canvas_text(canvas, row, area.column + line->bar, STYLE_TITLE, STR("█"));
		else
			canvas_restyle(canvas,
				       (struct rect){row, area.column + line->indent, 1, line->columns},
				       STYLE_SELECTED);
	}
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct str query = {0};

	if (!session->reader.entry && !session->reader.code) {
		draw_section(session, canvas, area);
		return;
	}
	reader_document(session);
	if (session->results.shown)
		query = input_text(&session->results.input);
	layout_draw(&session->reader.document.layout, canvas, area, session->reader.top, query);
	draw_cursor(session, canvas, area, focused);
}

const struct view_ops view_entry = {
	.title = title, .draw = draw, .move = move, .click = click, .wheel = wheel, .status = status};

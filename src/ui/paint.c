#include "ui/paint.h"

#include "base/utf8.h"
#include "base/vec.h"

#include <string.h>

enum {
	GAP = 4, /* so many unchanged cells are sent again rather than jumped over: a jump takes more bytes */
	CLEAR_FROM = 6, /* so many blanks at the end of a line are worth a "clear to the end" */
	LINKS_KEPT = 1024,
	UNKNOWN_STYLE = 255
};

/* A cell as the terminal shows it; `link` is 0 or 1 + the index into `links`. */
struct shown {
	char glyph[CELL_BYTES];
	uint8_t style;
	uint8_t width;
	uint16_t link;
};

struct painter {
	struct shown *cells; /* null: nothing known */
	int rows, columns;
	VEC(struct buf) links; /* the URLs that cells refer to, each once */
	int cursor_row, cursor_column;
};

/* Where the terminal stands while a picture is sent. */
struct brush {
	const struct paint_terminal *terminal;
	struct buf *out;
	int row, column; /* -1: not known */
	unsigned style;
	unsigned link;
};

struct painter *paint_new(void)
{
	return alloc_zeroed(1, sizeof(struct painter));
}

static void drop_links(struct painter *painter)
{
	for (size_t i = 0; i < painter->links.count; i++)
		buf_release(&painter->links.items[i]);
	vec_release(&painter->links);
}

void paint_forget(struct painter *painter)
{
	free(painter->cells);
	painter->cells = NULL;
	drop_links(painter);
}

void paint_free(struct painter *painter)
{
	if (!painter)
		return;
	paint_forget(painter);
	free(painter);
}

/* Only what cannot end the sequence or hide anything goes into a hyperlink. */
static bool url_is_plain(struct str url)
{
	for (size_t i = 0; i < url.size; i++)
		if (url.data[i] <= ' ' || url.data[i] > '~')
			return false;
	return url.size > 0 && url.size < 2048;
}

static uint16_t intern_link(struct painter *painter, struct str url)
{
	struct buf copy = {0};

	if (!url_is_plain(url))
		return 0;
	for (size_t i = 0; i < painter->links.count; i++)
		if (str_equal(buf_str(&painter->links.items[i]), url))
			return (uint16_t)(i + 1);
	if (painter->links.count == LINKS_KEPT)
		return 0; /* until the next complete picture */
	buf_add(&copy, url);
	vec_push(&painter->links, copy);
	return (uint16_t)painter->links.count;
}

/* What the terminal is to show for a cell: the glyph as it is, or one that is safe to send. */
static void cell_to_show(struct painter *painter, const struct paint_terminal *terminal,
			 const struct canvas *canvas, int row, int column, struct shown *want)
{
	const struct cell *cell = canvas_cell(canvas, row, column);
	struct str glyph = {cell->glyph, strnlen(cell->glyph, CELL_BYTES - 1)};

	*want = (struct shown){.style = cell->style, .width = cell->width};
	if (terminal->hyperlinks && cell->link)
		want->link = intern_link(painter, canvas_link_url(canvas, cell->link));
	for (size_t i = 0; i < glyph.size; i++) {
		unsigned char byte = (unsigned char)glyph.data[i];
		bool c1 = byte == 0xc2 && i + 1 < glyph.size && (unsigned char)glyph.data[i + 1] < 0xa0;

		if (byte < 0x20 || byte == 0x7f || c1 || (terminal->ascii && byte >= 0x80)) {
			memset(want->glyph, '?', want->width);
			return;
		}
	}
	memcpy(want->glyph, glyph.data, glyph.size);
	if (glyph.size == 0 && want->width == 1)
		want->glyph[0] = ' ';
}

/* Nothing may be written into the last cell of the last line, not by half of a wide character either. */
static void spare_last_cell(struct shown *want, int columns)
{
	static const struct shown blank = {.glyph = " ", .style = STYLE_TEXT, .width = 1};

	if (columns > 1 && want[columns - 1].width == 0)
		want[columns - 2] = blank;
	if (columns > 0)
		want[columns - 1] = blank;
}

static bool same(const struct shown *a, const struct shown *b)
{
	return a->style == b->style && a->width == b->width && a->link == b->link &&
	       strcmp(a->glyph, b->glyph) == 0;
}

static bool is_plain_blank(const struct shown *cell)
{
	return cell->style == STYLE_TEXT && cell->link == 0 && cell->glyph[0] == ' ' &&
	       cell->glyph[1] == '\0';
}

static void add(struct brush *brush, const char *bytes)
{
	buf_add(brush->out, str_of(bytes));
}

static void set_link(struct brush *brush, const struct painter *painter, unsigned link)
{
	if (brush->link == link)
		return;
	brush->link = link;
	/* The id holds the parts of a link together that stand on several lines. */
	if (link)
		buf_add_format(brush->out, "\033]8;id=%u;%s\033\\", link,
			       buf_c_string(&painter->links.items[link - 1]));
	else
		add(brush, "\033]8;;\033\\");
}

static void set_style(struct brush *brush, unsigned style)
{
	if (brush->style == style)
		return;
	brush->style = style;
	add(brush, brush->terminal->style[style]);
}

static void move_to(struct brush *brush, int row, int column)
{
	if (brush->row == row && brush->column == column)
		return;
	brush->terminal->move(brush->terminal, brush->out, row, column);
	brush->row = row;
	brush->column = column;
}

/* Do all terminals give this glyph the same width? If not, where the cursor is now must not be relied on. */
static bool width_is_certain(const char *glyph)
{
	struct str text = str_of(glyph);
	size_t size;
	uint32_t character;

	if (text.size == 0)
		return true;
	character = utf8_at(text, 0, &size);
	if (size != text.size)
		return false;
	return character < 0x1f000 && !(character >= 0x2600 && character < 0x2800);
}

static void put_cell(struct brush *brush, const struct painter *painter, const struct shown *cell)
{
	set_style(brush, cell->style);
	set_link(brush, painter, cell->link);
	add(brush, cell->glyph);
	brush->column += cell->width;
	if (brush->column >= painter->columns || !width_is_certain(cell->glyph))
		brush->row = -1;
}

/* The column from which `want` is blank to its end, and something has to change there. */
static int blank_from(const struct paint_terminal *terminal, const struct shown *want,
		      const struct shown *have, int columns)
{
	int from = columns;
	int changed = columns; /* the leftmost blank that is not there yet */

	if (!terminal->clear_line_end[0])
		return columns;
	while (from > 0 && is_plain_blank(&want[from - 1])) {
		from--;
		if (!same(&want[from], &have[from]))
			changed = from;
	}
	return columns - changed >= CLEAR_FROM ? changed : columns;
}

static void paint_row(struct painter *painter, struct brush *brush, int row, const struct shown *want)
{
	struct shown *have = &painter->cells[(size_t)row * (size_t)painter->columns];
	int blank = blank_from(brush->terminal, want, have, painter->columns);
	int end = 0; /* column after the last run */

	for (int column = 0; column < blank; column++) {
		if (same(&want[column], &have[column]))
			continue;
		if (want[column].width == 0 && column > 0 && column > end)
			column--; /* a wide character is sent whole */
		if (end > 0 && column - end <= GAP && column > end)
			column = end;
		end = column;
		move_to(brush, row, column);
		while (end < blank &&
		       (want[end].width == 0 || !same(&want[end], &have[end]) || end == column)) {
			if (want[end].width) {
				move_to(brush, row, end);
				put_cell(brush, painter, &want[end]);
			}
			end++;
		}
		column = end - 1;
	}
	if (blank < painter->columns) {
		move_to(brush, row, blank);
		set_link(brush, painter, 0);
		set_style(brush, STYLE_TEXT);
		add(brush, brush->terminal->clear_line_end);
	}
	memcpy(have, want, (size_t)painter->columns * sizeof(*want));
}

/* Clear the terminal: every cell is a plain blank then. */
static void start_over(struct painter *painter, struct brush *brush, int rows, int columns)
{
	size_t count = (size_t)rows * (size_t)columns;

	paint_forget(painter);
	painter->cells = alloc_zeroed(count ? count : 1, sizeof(*painter->cells));
	painter->rows = rows;
	painter->columns = columns;
	for (size_t i = 0; i < count; i++) {
		painter->cells[i].glyph[0] = ' ';
		painter->cells[i].width = 1;
		painter->cells[i].style = STYLE_TEXT;
	}
	set_style(brush, STYLE_TEXT);
	add(brush, brush->terminal->clear);
	painter->cursor_row = painter->cursor_column = -2;
}

static void paint_cursor(struct painter *painter, struct brush *brush, const struct canvas *canvas,
			 bool moved)
{
	int row, column;

	canvas_cursor_at(canvas, &row, &column);
	if (row < 0 || column < 0 || row >= painter->rows || column >= painter->columns)
		row = column = -1;
	if (!moved && row == painter->cursor_row && column == painter->cursor_column)
		return;
	if (row >= 0) {
		move_to(brush, row, column);
		if (moved || painter->cursor_row < 0)
			add(brush, brush->terminal->cursor_on);
	} else if (painter->cursor_row != -1) {
		add(brush, brush->terminal->cursor_off);
	}
	painter->cursor_row = row;
	painter->cursor_column = column;
}

void paint_canvas(struct painter *painter, const struct paint_terminal *terminal, const struct canvas *canvas,
		  struct buf *out)
{
	struct brush brush = {terminal, out, -1, -1, UNKNOWN_STYLE, 0};
	int rows = canvas_rows(canvas), columns = canvas_columns(canvas);
	struct shown *want = alloc_zeroed((size_t)columns + 1, sizeof(*want));
	struct buf body = {0};
	bool moved;

	if (!painter->cells || painter->rows != rows || painter->columns != columns)
		start_over(painter, &brush, rows, columns);
	brush.out = &body;
	for (int row = 0; row < rows; row++) {
		for (int column = 0; column < columns; column++)
			cell_to_show(painter, terminal, canvas, row, column, &want[column]);
		if (terminal->scrolls_at_end && row == rows - 1)
			spare_last_cell(want, columns);
		paint_row(painter, &brush, row, want);
	}
	moved = body.size > 0;
	set_link(&brush, painter, 0);
	/* The cursor would be seen running over the screen. */
	if (moved && painter->cursor_row >= 0)
		buf_add(out, str_of(terminal->cursor_off));
	buf_add(out, buf_str(&body));
	brush.out = out;
	if (moved)
		set_style(&brush, STYLE_TEXT);
	paint_cursor(painter, &brush, canvas, moved);
	buf_release(&body);
	free(want);
}

#include "ui/canvas.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <string.h>

struct canvas {
	int rows, columns;
	struct cell *cells;
	struct rect clip;
	int cursor_row, cursor_column;
	bool ascii;
	struct arena arena; /* of the links */
	VEC(struct str) links;
};

/* What stands for a character where the locale has no UTF-8. As wide as the character itself. */
struct ascii_form {
	uint32_t character;
	const char *text;
};

/* Sorted by character. */
static const struct ascii_form ascii_forms[] = {
	{0x00A0, " "}, /* no-break blank */
	{0x00B7, "-"}, /* middle dot, between facts */
	{0x00D7, "x"}, /* times */
	{0x2010, "-"}, /* hyphen */
	{0x2013, "-"}, /* en dash; also the mark of "absent" */
	{0x2014, "-"}, /* em dash */
	{0x2018, "'"},  {0x2019, "'"},   {0x201C, "\""},  {0x201D, "\""}, /* quotation marks */
	{0x2022, "*"},                                                    /* bullet */
	{0x2026, "~"},                                                    /* ellipsis */
	{0x2190, "<"},  {0x2191, "^"},   {0x2192, ">"},   {0x2193, "v"},  /* arrows */
	{0x21B3, "~"},                                                    /* the line above goes on */
	{0x2264, "<"},  {0x2265, ">"},                                    /* at most, at least */
	{0x2500, "-"},  {0x2502, "|"},                                    /* borders */
	{0x2514, "\\"},                                                   /* follows from the line above */
	{0x251C, "|"},  {0x256D, "+"},   {0x256E, "+"},   {0x256F, "+"},  {0x2570, "+"},
	{0x2580, "|"},                                                   /* scroll thumb, upper half */
	{0x2588, ">"},  {0x258C, "|"},                                   /* bars */
	{0x2591, "."},                                                   /* what is not done yet */
	{0x25B8, ">"},  {0x25BE, "v"},                                   /* folded, unfolded */
	{0x25CB, "o"},  {0x25CF, "*"},                                   /* circles */
	{0x2605, "*"},                                                   /* star */
	{0x2713, "+"},  {0x2717, "x"},                                   /* right, wrong */
	{0x2807, "-"},  {0x280B, "|"},   {0x280F, "\\"},  {0x2819, "/"}, /* spinner */
	{0x2826, "/"},  {0x2827, "|"},   {0x2834, "|"},   {0x2838, "\\"}, {0x2839, "-"},
	{0x283C, "/"},  {0x3000, "  "},  {0x3001, ", "},  {0x3002, ". "}, {0x300A, " <"},
	{0x300B, "> "}, {0x300C, " \""}, {0x300D, "\" "}, {0x3010, " ["}, {0x3011, "] "},
};

static const char *const style_names[STYLE_COUNT] = {
	[STYLE_TEXT] = "text",
	[STYLE_DIM] = "dim",
	[STYLE_TITLE] = "title",
	[STYLE_HEADING] = "heading",
	[STYLE_SELECTED] = "selected",
	[STYLE_SELECTED_DIM] = "selected dim",
	[STYLE_BORDER] = "border",
	[STYLE_CODE_NAME] = "code name",
	[STYLE_ENTRY_ID] = "entry id",
	[STYLE_COMMAND] = "command",
	[STYLE_VALUE] = "value",
	[STYLE_HOLE] = "hole",
	[STYLE_ERROR_TEXT] = "error text",
	[STYLE_LINK] = "link",
	[STYLE_OK] = "ok",
	[STYLE_WARN] = "warn",
	[STYLE_FAIL] = "fail",
	[STYLE_ABSENT] = "absent",
	[STYLE_HIT] = "hit",
	[STYLE_KEY] = "key",
	[STYLE_BAR] = "bar",
	[STYLE_INPUT] = "input",
	[STYLE_PRIVATE] = "private",
	[STYLE_REVEALED] = "revealed",
};

static const struct cell blank_cell = {.glyph = " ", .style = STYLE_TEXT, .width = 1};

struct canvas *canvas_new(int rows, int columns)
{
	struct canvas *canvas = alloc_zeroed(1, sizeof(*canvas));

	canvas_resize(canvas, rows, columns);
	return canvas;
}

void canvas_free(struct canvas *canvas)
{
	if (!canvas)
		return;
	free(canvas->cells);
	arena_release(&canvas->arena);
	vec_release(&canvas->links);
	free(canvas);
}

void canvas_resize(struct canvas *canvas, int rows, int columns)
{
	canvas->rows = rows > 1 ? rows : 1;
	canvas->columns = columns > 1 ? columns : 1;
	canvas->cells = alloc_resized(canvas->cells, (size_t)canvas->rows * (size_t)canvas->columns,
				      sizeof(*canvas->cells));
	canvas_clear(canvas);
}

void canvas_clear(struct canvas *canvas)
{
	size_t count = (size_t)canvas->rows * (size_t)canvas->columns;

	for (size_t i = 0; i < count; i++)
		canvas->cells[i] = blank_cell;
	canvas->clip = (struct rect){0, 0, canvas->rows, canvas->columns};
	canvas->cursor_row = canvas->cursor_column = -1;
	arena_release(&canvas->arena);
	vec_clear(&canvas->links);
}

int canvas_rows(const struct canvas *canvas)
{
	return canvas->rows;
}

int canvas_columns(const struct canvas *canvas)
{
	return canvas->columns;
}

static struct cell *cell_at(const struct canvas *canvas, int row, int column)
{
	return &canvas->cells[(size_t)row * (size_t)canvas->columns + (size_t)column];
}

const struct cell *canvas_cell(const struct canvas *canvas, int row, int column)
{
	return cell_at(canvas, row, column);
}

void canvas_ascii(struct canvas *canvas, bool ascii)
{
	canvas->ascii = ascii;
}

bool canvas_is_ascii(const struct canvas *canvas)
{
	return canvas->ascii;
}

bool rect_holds(struct rect area, int row, int column)
{
	return row >= area.row && row - area.row < area.rows && column >= area.column &&
	       column - area.column < area.columns;
}

struct rect rect_intersection(struct rect a, struct rect b)
{
	int row = a.row > b.row ? a.row : b.row;
	int column = a.column > b.column ? a.column : b.column;
	int bottom = a.row + a.rows < b.row + b.rows ? a.row + a.rows : b.row + b.rows;
	int right = a.column + a.columns < b.column + b.columns ? a.column + a.columns : b.column + b.columns;

	if (bottom <= row || right <= column)
		return (struct rect){row, column, 0, 0};
	return (struct rect){row, column, bottom - row, right - column};
}

struct rect canvas_clip(struct canvas *canvas, struct rect clip)
{
	struct rect before = canvas->clip;

	canvas->clip = rect_intersection(clip, (struct rect){0, 0, canvas->rows, canvas->columns});
	return before;
}

/* What stays of a wide glyph of which one half is about to be overwritten is a blank. */
static void split_wide(struct canvas *canvas, int row, int column)
{
	struct cell *cell = cell_at(canvas, row, column);
	struct cell *rest = cell->width == 2 ? cell + 1 : cell - 1;

	if (cell->width == 1)
		return;
	memcpy(rest->glyph, " ", 2);
	rest->width = 1;
}

/* One glyph at a place whose row is inside the clip. */
static void put_glyph(struct canvas *canvas, int row, int column, enum style style, const char *glyph,
		      size_t size, int width)
{
	int left = canvas->clip.column;
	int right = left + canvas->clip.columns;
	struct cell *cell;

	if (width == 2 && (column + 1 == left || column + 1 == right)) {
		/* Half of it is outside: what is inside becomes blank. */
		column = column + 1 == left ? left : column;
		put_glyph(canvas, row, column, style, " ", 1, 1);
		return;
	}
	if (column < left || column + width > right)
		return;
	split_wide(canvas, row, column);
	if (width == 2)
		split_wide(canvas, row, column + 1);
	cell = cell_at(canvas, row, column);
	memset(cell, 0, sizeof(*cell) * (size_t)width);
	memcpy(cell->glyph, glyph, size);
	cell->width = (uint8_t)width;
	cell->style = (uint8_t)style;
	if (width == 2)
		cell[1].style = (uint8_t)style;
}

static const char *find_ascii_form(uint32_t character)
{
	size_t low = 0, high = sizeof(ascii_forms) / sizeof(ascii_forms[0]);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (ascii_forms[middle].character == character)
			return ascii_forms[middle].text;
		if (ascii_forms[middle].character < character)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static void put_ascii(struct canvas *canvas, int row, int column, enum style style, uint32_t character,
		      int width)
{
	const char *form = find_ascii_form(character);
	char text[3] = "??";

	if (character < 0x7F)
		text[0] = (char)character;
	else if (character >= 0xFF01 && character <= 0xFF5E) /* full-width forms of ASCII */
		text[0] = (char)(character - 0xFF01 + '!');
	if (text[0] != '?')
		text[1] = ' ';
	if (form)
		memcpy(text, form, strlen(form));
	for (int i = 0; i < width; i++)
		put_glyph(canvas, row, column + i, style, text + i, 1, 1);
}

static bool is_unprintable(uint32_t character)
{
	return character == UTF8_INVALID || character < 0x20 || (character >= 0x7F && character < 0xA0) ||
	       (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069) ||
	       character == 0x200E || character == 0x200F || character == 0x2028 || character == 0x2029;
}

/* The most bytes of whole characters of a cluster that a cell can hold. */
static size_t cluster_size(struct str text, size_t start, size_t end)
{
	size_t at = start, size;

	while (at < end) {
		utf8_at(text, at, &size);
		if (at + size - start > CELL_BYTES - 1)
			break;
		at += size;
	}
	return at - start;
}

/* A cluster, made printable; returns its columns. */
static int put_cluster(struct canvas *canvas, int row, int column, enum style style, struct str text,
		       size_t start, size_t end, int width)
{
	size_t size;
	uint32_t character = utf8_at(text, start, &size);

	if (character == '\t' || character == '\n' || character == '\r')
		character = ' ', width = 1;
	if (is_unprintable(character)) {
		if (canvas->ascii)
			put_glyph(canvas, row, column, style, "?", 1, 1);
		else
			put_glyph(canvas, row, column, style, "\xEF\xBF\xBD", 3, 1);
		return 1;
	}
	if (width == 0)
		return 0;
	if (canvas->ascii)
		put_ascii(canvas, row, column, style, character, width);
	else if (character == ' ')
		put_glyph(canvas, row, column, style, " ", 1, 1);
	else
		put_glyph(canvas, row, column, style, text.data + start, cluster_size(text, start, end),
			  width);
	return width;
}

int canvas_text(struct canvas *canvas, int row, int column, enum style style, struct str text)
{
	bool visible = row >= canvas->clip.row && row - canvas->clip.row < canvas->clip.rows;
	int right = visible ? canvas->clip.column + canvas->clip.columns : canvas->columns;

	for (size_t at = 0; at < text.size && column < right;) {
		int width;
		size_t end = utf8_grapheme_end(text, at, &width);

		if (visible)
			width = put_cluster(canvas, row, column, style, text, at, end, width > 2 ? 2 : width);
		column += width;
		at = end;
	}
	return column;
}

int canvas_text_cut(struct canvas *canvas, int row, int column, int columns, enum style style,
		    struct str text)
{
	if (columns <= 0)
		return column;
	if (utf8_fit(text, (size_t)columns) == text.size)
		return canvas_text(canvas, row, column, style, text);
	column = canvas_text(canvas, row, column, style,
			     str_slice(text, 0, utf8_fit(text, (size_t)columns - 1)));
	return canvas_text(canvas, row, column, style, STR("…"));
}

void canvas_fill(struct canvas *canvas, struct rect area, enum style style)
{
	area = rect_intersection(area, canvas->clip);
	for (int row = area.row; row < area.row + area.rows; row++) {
		for (int column = area.column; column < area.column + area.columns; column++)
			put_glyph(canvas, row, column, style, " ", 1, 1);
	}
}

void canvas_restyle(struct canvas *canvas, struct rect area, enum style style)
{
	area = rect_intersection(area, canvas->clip);
	for (int row = area.row; row < area.row + area.rows; row++) {
		for (int column = area.column; column < area.column + area.columns; column++)
			cell_at(canvas, row, column)->style = (uint8_t)style;
	}
}

void canvas_frame(struct canvas *canvas, struct rect area, enum style style)
{
	int bottom = area.row + area.rows - 1;
	int right = area.column + area.columns - 1;

	if (area.rows < 2 || area.columns < 2)
		return;
	for (int column = area.column + 1; column < right; column++) {
		canvas_text(canvas, area.row, column, style, STR("─"));
		canvas_text(canvas, bottom, column, style, STR("─"));
	}
	for (int row = area.row + 1; row < bottom; row++) {
		canvas_text(canvas, row, area.column, style, STR("│"));
		canvas_text(canvas, row, right, style, STR("│"));
	}
	canvas_text(canvas, area.row, area.column, style, STR("╭"));
	canvas_text(canvas, area.row, right, style, STR("╮"));
	canvas_text(canvas, bottom, area.column, style, STR("╰"));
	canvas_text(canvas, bottom, right, style, STR("╯"));
}

void canvas_link(struct canvas *canvas, struct rect area, struct str url)
{
	area = rect_intersection(area, canvas->clip);
	if (area.rows == 0 || url.size == 0 || canvas->links.count >= UINT16_MAX)
		return;
	vec_push(&canvas->links, arena_copy(&canvas->arena, url));
	for (int row = area.row; row < area.row + area.rows; row++) {
		for (int column = area.column; column < area.column + area.columns; column++)
			cell_at(canvas, row, column)->link = (uint16_t)canvas->links.count;
	}
}

struct str canvas_link_url(const struct canvas *canvas, unsigned link)
{
	return link && link <= canvas->links.count ? canvas->links.items[link - 1] : (struct str){0};
}

void canvas_cursor(struct canvas *canvas, int row, int column)
{
	bool inside = rect_holds(canvas->clip, row, column);

	canvas->cursor_row = inside ? row : -1;
	canvas->cursor_column = inside ? column : -1;
}

void canvas_cursor_at(const struct canvas *canvas, int *row, int *column)
{
	*row = canvas->cursor_row;
	*column = canvas->cursor_column;
}

void canvas_dump(const struct canvas *canvas, struct buf *out)
{
	for (int row = 0; row < canvas->rows; row++) {
		size_t end = out->size;

		for (int column = 0; column < canvas->columns; column++) {
			const struct cell *cell = cell_at(canvas, row, column);

			buf_add(out, str_of(cell->glyph));
			if (cell->width && strcmp(cell->glyph, " ") != 0)
				end = out->size;
		}
		buf_truncate(out, end);
		buf_add_byte(out, '\n');
	}
}

void canvas_dump_styles(const struct canvas *canvas, struct buf *out)
{
	for (int row = 0; row < canvas->rows; row++) {
		const char *separator = ": ";
		int start = 0;

		buf_add_format(out, "%d", row);
		for (int column = 0; column <= canvas->columns; column++) {
			int style = cell_at(canvas, row, start)->style;

			if (column < canvas->columns && cell_at(canvas, row, column)->style == style)
				continue;
			if (style != STYLE_TEXT) {
				buf_add_format(out, "%s%d+%d %s", separator, start, column - start,
					       style_names[style]);
				separator = ", ";
			}
			start = column;
		}
		buf_add_byte(out, '\n');
	}
}

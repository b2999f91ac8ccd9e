#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "base/vec.h"
#include "ui/look.h"
#include "ui/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 24 };

/* A terminal that understands just what the painter sends. */
struct terminal {
	struct paint_terminal speech;
	char style_bytes[STYLE_COUNT][8];
	char glyphs[ROWS][COLUMNS][CELL_BYTES]; /* "" is the right half of a wide one */
	int styles[ROWS][COLUMNS];
	int row, column, style;
	bool cursor;
	bool scrolled; /* something was written into the last cell of the last line */
};

static void move(const struct paint_terminal *speech, struct buf *out, int row, int column)
{
	(void)speech;
	buf_add_format(out, "\033[%d;%dH", row + 1, column + 1);
}

static void clear(struct terminal *terminal, int row, int from)
{
	for (int column = from; column < COLUMNS; column++) {
		strcpy(terminal->glyphs[row][column], " ");
		terminal->styles[row][column] = terminal->style;
	}
}

static void terminal_init(struct terminal *terminal)
{
	*terminal = (struct terminal){.style = STYLE_HOLE};
	for (int style = 0; style < STYLE_COUNT; style++) {
		snprintf(terminal->style_bytes[style], sizeof(terminal->style_bytes[style]), "\033[%dm",
			 style);
		terminal->speech.style[style] = terminal->style_bytes[style];
	}
	terminal->speech.move = move;
	terminal->speech.clear = "\033[J";
	terminal->speech.clear_line_end = "\033[K";
	terminal->speech.cursor_on = "\033[1l";
	terminal->speech.cursor_off = "\033[0l";
	/* What was there before. */
	for (int row = 0; row < ROWS; row++)
		for (int column = 0; column < COLUMNS; column++)
			strcpy(terminal->glyphs[row][column], "@");
}

static size_t control(struct terminal *terminal, struct str bytes)
{
	char text[32];
	int first = 0, second = 0, length = 0;
	char final;

	snprintf(text, sizeof(text), "%.*s", STR_ARG(str_slice(bytes, 0, 20)));
	if (sscanf(text, "\033[%d;%d%c%n", &first, &second, &final, &length) != 3 || !length) {
		first = 0;
		if (sscanf(text, "\033[%d%c%n", &first, &final, &length) != 2 || !length)
			assert_int_equal(sscanf(text, "\033[%c%n", &final, &length), 1);
	}
	switch (final) {
	case 'H':
		terminal->row = first - 1;
		terminal->column = second - 1;
		break;
	case 'm':
		terminal->style = first;
		break;
	case 'J':
		for (int row = 0; row < ROWS; row++)
			clear(terminal, row, 0);
		break;
	case 'K':
		clear(terminal, terminal->row, terminal->column);
		break;
	case 'l':
		terminal->cursor = first;
		break;
	default:
		fail_msg("a control sequence that nobody asked for: %s", text + 1);
	}
	return (size_t)length;
}

static void show(struct terminal *terminal, struct str bytes)
{
	for (size_t at = 0; at < bytes.size;) {
		int width;
		size_t end;

		if (bytes.data[at] == '\033') {
			at += control(terminal, str_slice(bytes, at, bytes.size));
			continue;
		}
		end = utf8_grapheme_end(bytes, at, &width);
		assert_in_range((unsigned char)bytes.data[at], 0x20, 0xf4);
		assert_in_range(terminal->row, 0, ROWS - 1);
		assert_in_range(terminal->column, 0, COLUMNS - width);
		for (int i = 0; i < width; i++) {
			char *glyph = terminal->glyphs[terminal->row][terminal->column + i];

			snprintf(glyph, CELL_BYTES, "%.*s", i == 0 ? (int)(end - at) : 0, bytes.data + at);
			terminal->styles[terminal->row][terminal->column + i] = terminal->style;
		}
		terminal->column += width;
		terminal->scrolled |= terminal->row == ROWS - 1 && terminal->column == COLUMNS;
		at = end;
	}
}

static void assert_shows(const struct terminal *terminal, const struct canvas *canvas)
{
	int row, column;

	for (row = 0; row < ROWS; row++) {
		for (column = 0; column < COLUMNS; column++) {
			const struct cell *cell = canvas_cell(canvas, row, column);
			const char *glyph = cell->glyph[0] || cell->width == 0 ? cell->glyph : " ";

			if (strcmp(glyph, terminal->glyphs[row][column]) != 0)
				fail_msg("row %d column %d: \"%s\" is shown for \"%s\"", row, column,
					 terminal->glyphs[row][column], glyph);
			assert_int_equal(terminal->styles[row][column], cell->style);
		}
	}
	canvas_cursor_at(canvas, &row, &column);
	assert_int_equal(terminal->cursor, row >= 0);
	if (row >= 0) {
		assert_int_equal(terminal->row, row);
		assert_int_equal(terminal->column, column);
	}
}

static void draw_something(struct canvas *canvas)
{
	static const struct str texts[] = {STR_INIT("export A=1"),
					   STR_INIT("端口被占用"),
					   STR_INIT("a端b口c"),
					   STR_INIT(" "),
					   STR_INIT("e\xcc\x81\xe2\x9c\x93 \xf0\x9f\x98\x80x"),
					   STR_INIT("            ")};
	int count = rand() % 6;

	if (rand() % 8 == 0)
		canvas_clear(canvas);
	for (int i = 0; i < count; i++)
		canvas_text(canvas, rand() % ROWS, rand() % COLUMNS - 2, (enum style)(rand() % STYLE_COUNT),
			    texts[(size_t)rand() % (sizeof(texts) / sizeof(texts[0]))]);
	if (rand() % 4 == 0)
		canvas_cursor(canvas, -1, -1);
	else if (rand() % 2)
		canvas_cursor(canvas, rand() % ROWS, rand() % COLUMNS);
}

static void test_the_terminal_shows_the_canvas(void **state)
{
	struct terminal terminal;
	struct canvas *canvas = canvas_new(ROWS, COLUMNS);
	struct painter *painter = paint_new();
	struct buf out = {0};

	(void)state;
	srand(1);
	terminal_init(&terminal);
	for (int i = 0; i < 5000; i++) {
		draw_something(canvas);
		if (rand() % 50 == 0)
			paint_forget(painter);
		buf_clear(&out);
		paint_canvas(painter, &terminal.speech, canvas, &out);
		show(&terminal, buf_str(&out));
		assert_shows(&terminal, canvas);
		/* And nothing is sent for nothing. */
		buf_clear(&out);
		paint_canvas(painter, &terminal.speech, canvas, &out);
		assert_int_equal(out.size, 0);
	}
	paint_free(painter);
	canvas_free(canvas);
	buf_release(&out);
}

static void test_the_last_cell_is_spared_where_it_scrolls(void **state)
{
	struct terminal terminal;
	struct canvas *canvas = canvas_new(ROWS, COLUMNS);
	struct painter *painter = paint_new();
	struct buf out = {0};

	(void)state;
	terminal_init(&terminal);
	terminal.speech.scrolls_at_end = true;
	canvas_text(canvas, ROWS - 1, COLUMNS - 2, STYLE_TEXT, STR("端"));
	paint_canvas(painter, &terminal.speech, canvas, &out);
	show(&terminal, buf_str(&out));
	assert_false(terminal.scrolled);
	paint_free(painter);
	canvas_free(canvas);
	buf_release(&out);
}

static void test_one_changed_cell_costs_few_bytes(void **state)
{
	struct terminal terminal;
	struct canvas *canvas = canvas_new(ROWS, COLUMNS);
	struct painter *painter = paint_new();
	struct buf out = {0};

	(void)state;
	terminal_init(&terminal);
	canvas_text(canvas, 2, 0, STYLE_TEXT, STR("0123456789"));
	paint_canvas(painter, &terminal.speech, canvas, &out);
	buf_clear(&out);
	canvas_text(canvas, 2, 5, STYLE_TEXT, STR("x"));
	paint_canvas(painter, &terminal.speech, canvas, &out);
	assert_string_equal(buf_c_string(&out), "\033[3;6H\033[0mx");
	paint_free(painter);
	canvas_free(canvas);
	buf_release(&out);
}

static void test_ascii_terminals_get_ascii(void **state)
{
	struct terminal terminal;
	struct canvas *canvas = canvas_new(ROWS, COLUMNS);
	struct painter *painter = paint_new();
	struct buf out = {0};

	(void)state;
	terminal_init(&terminal);
	terminal.speech.ascii = true;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("a端b"));
	paint_canvas(painter, &terminal.speech, canvas, &out);
	for (size_t i = 0; i < out.size; i++)
		assert_true((unsigned char)out.data[i] < 0x7f);
	show(&terminal, buf_str(&out));
	assert_string_equal(terminal.glyphs[0][3], "b");
	paint_free(painter);
	canvas_free(canvas);
	buf_release(&out);
}

static void test_hyperlinks(void **state)
{
	struct terminal terminal;
	struct canvas *canvas = canvas_new(ROWS, COLUMNS);
	struct painter *painter = paint_new();
	struct buf out = {0};

	(void)state;
	terminal_init(&terminal);
	terminal.speech.hyperlinks = true;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("see here and"));
	canvas_link(canvas, (struct rect){0, 4, 1, 4}, STR("https://x/a"));
	canvas_link(canvas, (struct rect){0, 9, 1, 3}, STR("https://x/\033[2J")); /* not a link, then */
	paint_canvas(painter, &terminal.speech, canvas, &out);
	assert_non_null(
		strstr(buf_c_string(&out), "see \033]8;id=1;https://x/a\033\\here\033]8;;\033\\ and"));
	paint_free(painter);
	canvas_free(canvas);
	buf_release(&out);
}

static void test_every_style_is_seen_without_colours(void **state)
{
	static const enum style pairs[][2] = {
		{STYLE_SELECTED, STYLE_TEXT},     {STYLE_SELECTED, STYLE_SELECTED_DIM},
		{STYLE_SELECTED_DIM, STYLE_TEXT}, {STYLE_HOLE, STYLE_COMMAND},
		{STYLE_VALUE, STYLE_COMMAND},     {STYLE_HOLE, STYLE_VALUE},
		{STYLE_HIT, STYLE_TEXT},          {STYLE_KEY, STYLE_BAR},
		{STYLE_TITLE, STYLE_DIM},         {STYLE_LINK, STYLE_TEXT},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		assert_int_not_equal(look_of(pairs[i][0], 0).attributes, look_of(pairs[i][1], 0).attributes);
	for (int style = 0; style < STYLE_COUNT; style++) {
		struct look many = look_of((enum style)style, 256), few = look_of((enum style)style, 8);

		assert_int_equal(look_of((enum style)style, 0).foreground, LOOK_DEFAULT);
		assert_true(few.foreground < 8 && few.background < 8);
		assert_true(many.background == LOOK_DEFAULT || many.foreground != LOOK_DEFAULT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_terminal_shows_the_canvas),
		cmocka_unit_test(test_the_last_cell_is_spared_where_it_scrolls),
		cmocka_unit_test(test_one_changed_cell_costs_few_bytes),
		cmocka_unit_test(test_ascii_terminals_get_ascii),
		cmocka_unit_test(test_hyperlinks),
		cmocka_unit_test(test_every_style_is_seen_without_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

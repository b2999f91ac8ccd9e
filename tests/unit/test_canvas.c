#include "test.h"

#include "base/utf8.h"
#include "ui/canvas.h"

static void check_dump(const struct canvas *canvas, const char *expected)
{
	struct buf dump = {0};

	canvas_dump(canvas, &dump);
	assert_string_equal(buf_c_string(&dump), expected);
	buf_release(&dump);
}

/* Each wide cell has its right half beside it, and each right half its left one. */
static void check_halves(const struct canvas *canvas)
{
	for (int row = 0; row < canvas_rows(canvas); row++) {
		for (int column = 0; column < canvas_columns(canvas); column++) {
			const struct cell *cell = canvas_cell(canvas, row, column);

			if (cell->width == 2) {
				assert_true(column + 1 < canvas_columns(canvas));
				assert_int_equal(cell[1].width, 0);
			}
			if (cell->width == 0) {
				assert_true(column > 0);
				assert_int_equal(cell[-1].width, 2);
			}
		}
	}
}

static void text_is_clipped_at_every_side(void **state)
{
	struct canvas *canvas = canvas_new(2, 5);

	(void)state;
	assert_int_equal(canvas_text(canvas, 0, -2, STYLE_TEXT, STR("abcdef")), 4);
	canvas_text(canvas, 1, 3, STYLE_TEXT, STR("abcdef"));
	canvas_text(canvas, -1, 0, STYLE_TEXT, STR("above"));
	canvas_text(canvas, 2, 0, STYLE_TEXT, STR("below"));
	check_dump(canvas, "cdef\n   ab\n");
	canvas_free(canvas);
}

static void wide_glyph_never_sticks_out(void **state)
{
	struct canvas *canvas = canvas_new(2, 5);

	(void)state;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("中文字"));
	check_dump(canvas, "中文\n\n");
	canvas_text(canvas, 1, -1, STYLE_TEXT, STR("中文"));
	check_dump(canvas, "中文\n 文\n");
	check_halves(canvas);
	canvas_free(canvas);
}

static void half_overwritten_wide_glyph_becomes_blank(void **state)
{
	struct canvas *canvas = canvas_new(1, 8);

	(void)state;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("中文字"));
	canvas_text(canvas, 0, 1, STYLE_TEXT, STR("x"));
	check_dump(canvas, " x文字\n");
	canvas_text(canvas, 0, 2, STYLE_TEXT, STR("y"));
	check_dump(canvas, " xy 字\n");
	canvas_text(canvas, 0, 3, STYLE_TEXT, STR("国"));
	check_dump(canvas, " xy国\n");
	check_halves(canvas);
	canvas_free(canvas);
}

static void clusters_stay_whole(void **state)
{
	struct canvas *canvas = canvas_new(1, 6);
	struct buf marks = {0};

	(void)state;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("e\xCC\x81x"));
	assert_string_equal(canvas_cell(canvas, 0, 0)->glyph, "e\xCC\x81");
	assert_string_equal(canvas_cell(canvas, 0, 1)->glyph, "x");
	/* More marks than a cell can hold: cut between characters. */
	buf_add(&marks, STR("a"));
	for (int i = 0; i < 100; i++)
		buf_add(&marks, STR("\xCC\x81"));
	canvas_text(canvas, 0, 0, STYLE_TEXT, buf_str(&marks));
	assert_true(utf8_is_valid(str_of(canvas_cell(canvas, 0, 0)->glyph)));
	buf_release(&marks);
	canvas_free(canvas);
}

static void nothing_unprintable_gets_onto_the_grid(void **state)
{
	struct canvas *canvas = canvas_new(1, 12);

	(void)state;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("a\x1B[31m\x07\xFF\xC2\x9B\tb"));
	check_dump(canvas, "a\uFFFD[31m\uFFFD\uFFFD\uFFFD b\n");
	canvas_free(canvas);
}

static void ascii_has_a_form_of_the_same_width(void **state)
{
	struct canvas *canvas = canvas_new(4, 14);

	(void)state;
	canvas_ascii(canvas, true);
	canvas_frame(canvas, (struct rect){0, 0, 3, 14}, STYLE_BORDER);
	canvas_text(canvas, 1, 2, STYLE_TEXT, STR("✓ ✗ – ▸ 8×910B"));
	canvas_text(canvas, 3, 0, STYLE_TEXT, STR("中é，（Ａ"));
	check_dump(canvas, "+------------+\n"
			   "| + x - > 8x91\n"
			   "+------------+\n"
			   "???, ( A\n");
	canvas_free(canvas);
}

static void cut_text_ends_with_an_ellipsis(void **state)
{
	struct canvas *canvas = canvas_new(4, 10);

	(void)state;
	canvas_text_cut(canvas, 0, 0, 5, STYLE_TEXT, STR("abcde"));
	canvas_text_cut(canvas, 1, 0, 4, STYLE_TEXT, STR("abcde"));
	canvas_text_cut(canvas, 2, 0, 4, STYLE_TEXT, STR("中文字"));
	canvas_text_cut(canvas, 3, 0, 0, STYLE_TEXT, STR("abcde"));
	check_dump(canvas, "abcde\nabc…\n中…\n\n");
	canvas_free(canvas);
}

static void clip_holds_for_all_that_is_drawn(void **state)
{
	struct canvas *canvas = canvas_new(3, 8);
	struct rect before = canvas_clip(canvas, (struct rect){1, 2, 1, 3});

	(void)state;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("xxxxxxxx"));
	canvas_text(canvas, 1, 1, STYLE_TEXT, STR("中中中"));
	canvas_fill(canvas, (struct rect){2, 0, 1, 8}, STYLE_BAR);
	canvas_restyle(canvas, (struct rect){0, 0, 3, 8}, STYLE_FAIL);
	canvas_link(canvas, (struct rect){0, 0, 3, 8}, STR("https://x"));
	canvas_cursor(canvas, 2, 2);
	check_dump(canvas, "\n   中\n\n");
	assert_int_equal(canvas_cell(canvas, 1, 1)->style, STYLE_TEXT);
	assert_int_equal(canvas_cell(canvas, 1, 2)->style, STYLE_FAIL);
	assert_int_equal(canvas_cell(canvas, 0, 0)->link, 0);
	assert_true(str_equal(canvas_link_url(canvas, canvas_cell(canvas, 1, 2)->link), STR("https://x")));
	canvas_clip(canvas, before);
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("x"));
	check_dump(canvas, "x\n   中\n\n");
	check_halves(canvas);
	canvas_free(canvas);
}

static void cursor_is_shown_inside_only(void **state)
{
	struct canvas *canvas = canvas_new(3, 8);
	int row, column;

	(void)state;
	canvas_cursor(canvas, 2, 7);
	canvas_cursor_at(canvas, &row, &column);
	assert_int_equal(row, 2);
	assert_int_equal(column, 7);
	canvas_cursor(canvas, 2, 8);
	canvas_cursor_at(canvas, &row, &column);
	assert_int_equal(row, -1);
	canvas_free(canvas);
}

static void any_size_is_a_canvas(void **state)
{
	struct canvas *canvas = canvas_new(0, -3);

	(void)state;
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("中"));
	canvas_frame(canvas, (struct rect){0, 0, 1, 1}, STYLE_BORDER);
	check_dump(canvas, "\n");
	canvas_resize(canvas, 1, 2);
	canvas_text(canvas, 0, 0, STYLE_TEXT, STR("中"));
	check_dump(canvas, "中\n");
	canvas_free(canvas);
}

static void styles_are_dumped_by_run(void **state)
{
	struct canvas *canvas = canvas_new(2, 10);
	struct buf dump = {0};

	(void)state;
	canvas_text(canvas, 0, 2, STYLE_HEADING, STR("ab"));
	canvas_text(canvas, 0, 6, STYLE_OK, STR("中c"));
	canvas_dump_styles(canvas, &dump);
	assert_string_equal(buf_c_string(&dump), "0: 2+2 heading, 6+3 ok\n1\n");
	buf_release(&dump);
	canvas_free(canvas);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_every_side),
		cmocka_unit_test(wide_glyph_never_sticks_out),
		cmocka_unit_test(half_overwritten_wide_glyph_becomes_blank),
		cmocka_unit_test(clusters_stay_whole),
		cmocka_unit_test(nothing_unprintable_gets_onto_the_grid),
		cmocka_unit_test(ascii_has_a_form_of_the_same_width),
		cmocka_unit_test(cut_text_ends_with_an_ellipsis),
		cmocka_unit_test(clip_holds_for_all_that_is_drawn),
		cmocka_unit_test(cursor_is_shown_inside_only),
		cmocka_unit_test(any_size_is_a_canvas),
		cmocka_unit_test(styles_are_dumped_by_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "test.h"

#include "base/utf8.h"
#include "ui/layout.h"

#include <string.h>

static void check(const struct layout *layout, const char *expected)
{
	struct buf dump = {0};

	for (size_t i = 0; i < layout->lines.count; i++) {
		const struct layout_line *line = &layout->lines.items[i];

		buf_add_repeated(&dump, ' ', line->indent);
		buf_add(&dump, layout_line_text(layout, line));
		buf_add_byte(&dump, '\n');
		assert_int_equal(line->columns, utf8_width(layout_line_text(layout, line)));
	}
	assert_string_equal(buf_c_string(&dump), expected);
	buf_release(&dump);
}

static void check_prose(int width, const char *text, const char *expected)
{
	struct layout layout = {.width = width};
	struct layout_format format = {.item = LAYOUT_NO_ITEM};

	layout_prose(&layout, &format, str_of(text));
	check(&layout, expected);
	layout_release(&layout);
}

static void latin_wraps_at_blanks(void **state)
{
	(void)state;
	check_prose(10, "one two three four", "one two\nthree four\n");
	check_prose(9, "one  two", "one  two\n");
	check_prose(3, "one  two", "one\ntwo\n");
	check_prose(4, "abcdefghij", "abcd\nefgh\nij\n");
}

static void long_words_prefer_to_break_behind_a_slash(void **state)
{
	(void)state;
	check_prose(12, "/usr/local/Ascend", "/usr/local/\nAscend\n");
}

static void chinese_wraps_between_characters(void **state)
{
	(void)state;
	check_prose(8, "端口被其他进程占用", "端口被其\n他进程占\n用\n");
	check_prose(9, "端口被其他进程占用", "端口被其\n他进程占\n用\n");
	check_prose(11, "检查 HCCL 端口", "检查 HCCL\n端口\n");
}

static void closing_marks_never_start_a_line(void **state)
{
	(void)state;
	check_prose(8, "端口被占。用", "端口被\n占。用\n");
	check_prose(8, "端口被）。用", "端口\n被）。用\n");
	check_prose(10, "端口（EI20）见", "端口\n（EI20）见\n");
}

static void opening_marks_never_end_a_line(void **state)
{
	(void)state;
	check_prose(8, "端口被（占用）", "端口被\n（占用）\n");
	check_prose(9, "端口被「占用」", "端口被\n「占用」\n");
}

static void clusters_are_never_cut(void **state)
{
	(void)state;
	check_prose(2, "e\xCC\x81o\xCC\x81u\xCC\x81", "e\xCC\x81o\xCC\x81\nu\xCC\x81\n");
	check_prose(1, "中文", "中\n文\n");
}

static void paragraphs_are_joined_and_parted(void **state)
{
	(void)state;
	check_prose(40, "one\ntwo\n\nthree\n", "one two\n\nthree\n");
	check_prose(40, "端口\n被占用\nHCCL", "端口被占用 HCCL\n");
}

static void chinese_has_no_blanks_of_folded_lines(void **state)
{
	(void)state;
	check_prose(40, "端口 被占用； <PORT> 要换 （见 1.6）", "端口被占用；<PORT> 要换（见 1.6）\n");
	check_prose(40, "用 `a ； b` 。 好", "用 a ； b。好\n");
}

static void items_hang(void **state)
{
	(void)state;
	check_prose(12, "first:\n- one two three\n- four\n", "first:\n- one two\n  three\n- four\n");
	check_prose(12, "1. one two three\n2. four\n", "1. one two\n   three\n2. four\n");
}

static void backticks_and_addresses_have_their_styles(void **state)
{
	struct layout layout = {.width = 60};
	struct layout_format format = {.item = 7, .style = STYLE_DIM};
	const struct layout_line *line;
	const struct layout_run *runs;

	(void)state;
	layout_prose(&layout, &format, STR("run `npu-smi info`, see https://a.b/c?d=1."));
	assert_int_equal(layout.lines.count, 1);
	line = &layout.lines.items[0];
	runs = &layout.runs.items[line->run];
	assert_int_equal(line->item, 7);
	assert_int_equal(line->run_count, 5);
	assert_int_equal(runs[0].style, STYLE_DIM);
	assert_int_equal(runs[1].style, STYLE_COMMAND);
	assert_int_equal(runs[1].size, strlen("npu-smi info"));
	assert_int_equal(runs[3].style, STYLE_LINK);
	assert_true(str_equal(layout.links.items[runs[3].link - 1], STR("https://a.b/c?d=1")));
	assert_int_equal(runs[4].size, 1);
	layout_release(&layout);
}

static void lone_backtick_is_text(void **state)
{
	(void)state;
	check_prose(40, "a ` b", "a ` b\n");
	check_prose(40, "`", "`\n");
}

static void check_verbatim(int width, const char *text, const char *expected)
{
	struct layout layout = {.width = width};
	struct layout_format format = {.item = 3, .bar = true};
	struct layout_piece piece = {.text = str_of(text), .style = STYLE_COMMAND};

	layout_verbatim(&layout, &format, &piece, 1);
	check(&layout, expected);
	for (size_t i = 0; i < layout.lines.count; i++)
		assert_int_equal(layout.lines.items[i].bar, 0);
	layout_release(&layout);
}

static void commands_keep_their_lines(void **state)
{
	(void)state;
	check_verbatim(20, "if x; then\n  echo a\n\nfi\n", "  if x; then\n    echo a\n  \n  fi\n");
	check_verbatim(20, "\ta\r\n", "      a\n");
}

static void long_commands_go_on_behind_a_mark(void **state)
{
	(void)state;
	check_verbatim(14, "export A=bcdef ghi jkl", "  export\n    A=bcdef\n    ghi jkl\n");
	check_verbatim(12, "abcdefghijklmn", "  abcdefghij\n    klmn\n");
}

static void control_characters_become_visible(void **state)
{
	(void)state;
	check_verbatim(20, "a\x1B[0mb\xFF", "  a\uFFFD[0mb\uFFFD\n");
}

static void empty_text_gives_no_line(void **state)
{
	(void)state;
	check_prose(10, "", "");
	check_prose(10, " \n \n", "");
}

/* Any bytes at any width: lines fit, unless a single cluster is wider than the width. */
static void lines_always_fit(void **state)
{
	static const char alphabet[][5] = {"a", " ", "\n",       "中",   "。", "（",
					   "`", "-", "\xCC\x81", "\xFF", "/",  "1. "};
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct layout layout = {.width = round % 40 - 2};
		struct layout_format format = {.indent = round % 3, .bar = round % 2, .item = LAYOUT_NO_ITEM};
		struct buf text = {0};
		struct layout_piece piece = {.style = STYLE_TEXT};
		int limit = layout.width < 2 ? 2 : layout.width;

		for (int i = 0; i < 60; i++) {
			seed = seed * 1103515245u + 12345u;
			buf_add(&text, str_of(alphabet[(seed >> 16) % 12]));
		}
		piece.text = buf_str(&text);
		if (format.bar)
			layout_verbatim(&layout, &format, &piece, 1);
		else
			layout_prose(&layout, &format, piece.text);
		for (size_t i = 0; i < layout.lines.count; i++) {
			int room = limit - layout.lines.items[i].indent;

			assert_true(layout.lines.items[i].columns <= (room < 2 ? 2 : room));
		}
		layout_release(&layout);
		buf_release(&text);
	}
}

static void drawing_stays_inside(void **state)
{
	struct canvas *canvas = canvas_new(4, 16);
	struct layout layout = {.width = 12};
	struct layout_format format = {.item = 0, .bar = true};
	struct layout_piece piece = {.text = STR("abcdefghijklmnopqrstuvwxyz"), .style = STYLE_COMMAND};
	struct buf dump = {0};

	(void)state;
	layout_verbatim(&layout, &format, &piece, 1);
	layout_draw(&layout, canvas, (struct rect){1, 2, 2, 12}, 0, (struct str){0});
	canvas_dump(canvas, &dump);
	assert_string_equal(buf_c_string(&dump), "\n  ▌ abcdefghij\n  ▌ ↳ klmnopqr\n\n");
	buf_release(&dump);
	layout_release(&layout);
	canvas_free(canvas);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latin_wraps_at_blanks),
		cmocka_unit_test(long_words_prefer_to_break_behind_a_slash),
		cmocka_unit_test(chinese_wraps_between_characters),
		cmocka_unit_test(closing_marks_never_start_a_line),
		cmocka_unit_test(opening_marks_never_end_a_line),
		cmocka_unit_test(clusters_are_never_cut),
		cmocka_unit_test(paragraphs_are_joined_and_parted),
		cmocka_unit_test(chinese_has_no_blanks_of_folded_lines),
		cmocka_unit_test(items_hang),
		cmocka_unit_test(backticks_and_addresses_have_their_styles),
		cmocka_unit_test(lone_backtick_is_text),
		cmocka_unit_test(commands_keep_their_lines),
		cmocka_unit_test(long_commands_go_on_behind_a_mark),
		cmocka_unit_test(control_characters_become_visible),
		cmocka_unit_test(empty_text_gives_no_line),
		cmocka_unit_test(lines_always_fit),
		cmocka_unit_test(drawing_stays_inside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

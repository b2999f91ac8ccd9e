#include "test.h"

#include "base/utf8.h"
#include "ui/event.h"
#include "ui/input.h"

static void check(const struct input_line *input, const char *text, size_t cursor)
{
	assert_string_equal(buf_c_string(&input->text), text);
	assert_int_equal(input->cursor, cursor);
}

static void type(struct input_line *input, const char *text)
{
	struct str rest = str_of(text);

	for (size_t at = 0, size; at < rest.size; at += size)
		assert_int_equal(input_key(input, utf8_at(rest, at, &size)), INPUT_CHANGED);
}

static void keys_of_readline(void **state)
{
	struct input_line input = {0};

	(void)state;
	type(&input, "one two three");
	input_key(&input, KEY_CTRL_('a'));
	check(&input, "one two three", 0);
	input_key(&input, KEY_ALT_ + 'f');
	check(&input, "one two three", 3);
	input_key(&input, KEY_CTRL_('f'));
	input_key(&input, KEY_ALT_ + 'd');
	check(&input, "one  three", 4);
	input_key(&input, KEY_CTRL_('e'));
	input_key(&input, KEY_ALT_ + 'b');
	check(&input, "one  three", 5);
	input_key(&input, KEY_CTRL_('k'));
	check(&input, "one  ", 5);
	input_key(&input, KEY_CTRL_('y'));
	check(&input, "one  three", 10);
	input_key(&input, KEY_CTRL_('w'));
	check(&input, "one  ", 5);
	input_key(&input, KEY_CTRL_('u'));
	check(&input, "", 0);
	input_release(&input);
}

static void kills_in_a_row_are_one(void **state)
{
	struct input_line input = {0};

	(void)state;
	type(&input, "one two three");
	input_key(&input, KEY_CTRL_('w'));
	input_key(&input, KEY_CTRL_('w'));
	check(&input, "one ", 4);
	input_key(&input, KEY_CTRL_('y'));
	check(&input, "one two three", 13);
	input_release(&input);
}

static void cursor_steps_over_clusters(void **state)
{
	struct input_line input = {0};

	(void)state;
	type(&input, "a中e");
	input_key(&input, 0x301); /* a combining accent joins the e */
	check(&input, "a中e\xCC\x81", 7);
	input_key(&input, KEY_LEFT_);
	check(&input, "a中e\xCC\x81", 4);
	input_key(&input, KEY_BACKSPACE_);
	check(&input, "ae\xCC\x81", 1);
	input_key(&input, KEY_DELETE_);
	check(&input, "a", 1);
	input_release(&input);
}

static void control_characters_do_not_get_in(void **state)
{
	struct input_line input = {0};

	(void)state;
	assert_int_equal(input_key(&input, KEY_ESCAPE_), INPUT_IGNORED);
	assert_int_equal(input_key(&input, KEY_ENTER_), INPUT_IGNORED);
	assert_int_equal(input_key(&input, 0x85), INPUT_IGNORED);
	assert_int_equal(input_key(&input, UTF8_INVALID), INPUT_IGNORED);
	assert_int_equal(input_key(&input, 0xD800), INPUT_IGNORED);
	assert_int_equal(input_key(&input, KEY_UP_), INPUT_IGNORED);
	check(&input, "", 0);
	input_release(&input);
}

static void paste_is_one_clean_line(void **state)
{
	struct input_line input = {0};

	(void)state;
	input_paste(&input, STR("\n one\r\ntwo\t\x1B[31mx\xFF\n"));
	check(&input, "one two [31mx", 13);
	input_release(&input);
}

static void length_is_limited(void **state)
{
	struct input_line input = {0};
	struct buf text = {0};

	(void)state;
	buf_add_repeated(&text, 'x', 100000);
	input_paste(&input, buf_str(&text));
	assert_true(input.text.size <= INPUT_LONGEST);
	for (int i = 0; i < 10; i++)
		input_key(&input, 0x4E2D);
	assert_true(input.text.size <= INPUT_LONGEST);
	assert_true(utf8_is_valid(input_text(&input)));
	buf_release(&text);
	input_release(&input);
}

static void history_goes_back_and_forth(void **state)
{
	struct input_history history = {0};
	struct input_line input = {.history = &history};

	(void)state;
	input_history_add(&history, STR("one"));
	input_history_add(&history, STR("two"));
	input_history_add(&history, STR("one"));
	assert_int_equal(history.lines.count, 2);
	input_set(&input, STR(""));
	type(&input, "new");
	input_key(&input, KEY_UP_);
	check(&input, "one", 3);
	input_key(&input, KEY_UP_);
	input_key(&input, KEY_UP_);
	check(&input, "two", 3);
	input_key(&input, KEY_DOWN_);
	input_key(&input, KEY_DOWN_);
	check(&input, "new", 3);
	input_release(&input);
	input_history_release(&history);
}

static void long_text_scrolls_with_the_cursor(void **state)
{
	struct input_line input = {0};
	struct canvas *canvas = canvas_new(1, 8);
	struct buf dump = {0};
	int row, column;

	(void)state;
	type(&input, "0123456789中文");
	input_draw(&input, canvas, 0, 1, 6, true);
	canvas_dump(canvas, &dump);
	assert_string_equal(buf_c_string(&dump), " 9中文\n");
	canvas_cursor_at(canvas, &row, &column);
	assert_int_equal(column, 6);
	input_key(&input, KEY_CTRL_('a'));
	input_draw(&input, canvas, 0, 1, 6, true);
	buf_clear(&dump);
	canvas_dump(canvas, &dump);
	assert_string_equal(buf_c_string(&dump), " 012345\n");
	input_click(&input, 3);
	assert_int_equal(input.cursor, 3);
	buf_release(&dump);
	canvas_free(canvas);
	input_release(&input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_of_readline),
		cmocka_unit_test(kills_in_a_row_are_one),
		cmocka_unit_test(cursor_steps_over_clusters),
		cmocka_unit_test(control_characters_do_not_get_in),
		cmocka_unit_test(paste_is_one_clean_line),
		cmocka_unit_test(length_is_limited),
		cmocka_unit_test(history_goes_back_and_forth),
		cmocka_unit_test(long_text_scrolls_with_the_cursor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

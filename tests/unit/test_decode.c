#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "ui/decode.h"

#include <stdio.h>
#include <string.h>

enum { START = 1000000 };

static void add_event(struct buf *out, const struct event *event)
{
	if (event->kind == EVENT_PASTE)
		buf_add_format(out, "paste(%.*s) ", STR_ARG(event->u.text));
	else if (event->kind == EVENT_MOUSE)
		buf_add_format(out, "mouse%d@%d,%d ", event->u.mouse.action, event->u.mouse.row,
			       event->u.mouse.column);
	else if (event->u.key > ' ' && event->u.key < 127)
		buf_add_format(out, "%c ", (char)event->u.key);
	else
		buf_add_format(out, "%x ", event->u.key);
}

/* What `bytes` become when they come at once, or byte by byte; then the time passes. */
static const char *decoded(struct str bytes, bool piecemeal)
{
	static char text[4096];
	struct decoder *decoder = decode_new();
	struct buf out = {0};
	struct event event;
	size_t step = piecemeal ? 1 : bytes.size;

	decode_add_key(decoder, "\033?x", KEY_F12_);
	for (size_t at = 0; at < bytes.size; at += step) {
		decode_feed(decoder, str_slice(bytes, at, at + step), START);
		while (decode_next(decoder, START + DECODE_ESCAPE_MS - 1, &event))
			add_event(&out, &event);
	}
	while (decode_deadline(decoder) != UINT64_MAX) {
		uint64_t deadline = decode_deadline(decoder);

		while (decode_next(decoder, deadline, &event))
			add_event(&out, &event);
	}
	snprintf(text, sizeof(text), "%.*s", STR_ARG(buf_str(&out)));
	buf_release(&out);
	decode_free(decoder);
	return text;
}

static const struct {
	struct str bytes;
	const char *events;
} cases[] = {
	/* Text and control keys. */
	{STR_INIT("ab"), "a b "},
	{STR_INIT("\003\032\r\t\177\b"), "3 1a d 9 7f 7f "},
	{STR_INIT("\xe6\xa0\x87\xe3\x80\x82"), "6807 3002 "},
	{STR_INIT("\xf0\x9f\x98\x80"), "1f600 "},
	{STR_INIT("a\xff\xfe\xe6\x41z"), "a A z "},
	{STR_INIT("\xe6\xa0"), ""},
	{STR_INIT("\0a"), "a "},
	{STR_INIT("\xc2\x9b\x41"), "A "}, /* C1 CSI as UTF-8 is no text and no key */
	/* Escape, Alt. */
	{STR_INIT("\033"), "1b "},
	{STR_INIT("\033\033"), "1b 1b "},
	{STR_INIT("\033b\033\177\033\xe6\xa0\x87"), "200062 20007f 206807 "},
	{STR_INIT("\033["), "20005b "},
	{STR_INIT("\033O"), "20004f "},
	{STR_INIT("\033]"), "20005d "},
	/* Keys of xterm, VT, rxvt, Linux console, with modifiers. */
	{STR_INIT("\033[A\033OB\033[1;2C\033[D"), "110001 110002 110004 110003 "},
	{STR_INIT("\033[1;5C\033[1;3D"), "200066 200062 "},
	{STR_INIT("\033[H\033OF\033[1~\033[4~\033[7~\033[8~"), "110005 110006 110005 110006 110005 110006 "},
	{STR_INIT("\033[5~\033[6~\033[3~\033[2~\033[Z"), "110007 110008 110009 11000a 11000b "},
	{STR_INIT("\033OP\033[15~\033[24~\033[[A\033[[E"), "11000c 110010 110017 11000c 110010 "},
	{STR_INIT("\033Op\033OM"), "0 d "},
	{STR_INIT("\033[27;5;97~\033[97;5u\033[27;3;98~"), "1 1 200062 "},
	{STR_INIT("\033[1114113u"), ""},
	{STR_INIT("\033?x"), "110017 "}, /* told by terminfo */
	/* Mouse: press, release, again within the time, elsewhere, wheel, motion, right button, old report.
	 */
	{STR_INIT("\033[<0;5;3M\033[<0;5;3m"), "mouse0@2,4 "},
	{STR_INIT("\033[<0;5;3M\033[<0;5;3m\033[<0;5;3M\033[<0;5;3M"), "mouse0@2,4 mouse1@2,4 mouse0@2,4 "},
	{STR_INIT("\033[<0;5;3M\033[<0;6;3M"), "mouse0@2,4 mouse0@2,5 "},
	{STR_INIT("\033[<64;1;1M\033[<65;300;200M"), "mouse2@0,0 mouse3@199,299 "},
	{STR_INIT("\033[<35;1;1M\033[<2;1;1M\033[<0;0;0M"), ""},
	{STR_INIT("\033[M !\"a"), "mouse0@1,0 a "},
	/* A paste is text whatever it holds. */
	{STR_INIT("\033[200~one\r\ntwo \033[A q\033[201~x"), "paste(one\r\ntwo \033[A q) x "},
	{STR_INIT("\033[200~\033[201~"), "paste() "},
	{STR_INIT("\033[200~a\033[20b\033[201~"), "paste(a\033[20b) "},
	{STR_INIT("\033[200~lost end"), "paste(lost end) "},
	/* What nobody asked for is swallowed whole. */
	{STR_INIT("\033[?1;2c\033[>0;276;0cx"), "x "},
	{STR_INIT("\033]11;rgb:0000/0000/0000\033\\x\033]52;c;QQ==\007y"), "x y "},
	{STR_INIT("\033P1+r524742=38\033\\x"), "x "},
	{STR_INIT("\033[I\033[O\033[12;40Rx"), "x "},
	{STR_INIT("\033[1;2;3;4;5;6;7;8;9;10zx"), "x "},
	{STR_INIT("\033[99999999999999999999~x"), "x "},
	{STR_INIT("\033[12\033[A"), "110001 "},
	{STR_INIT("\033]never ends"), ""},
	{STR_INIT("\033[12;"), ""},
};

static void check(bool piecemeal)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *events = decoded(cases[i].bytes, piecemeal);

		if (strcmp(events, cases[i].events) != 0)
			fail_msg("case %zu (%s): expected \"%s\", got \"%s\"", i, cases[i].bytes.data + 1,
				 cases[i].events, events);
	}
}

static void test_all_at_once(void **state)
{
	(void)state;
	check(false);
}

static void test_byte_by_byte(void **state)
{
	(void)state;
	check(true);
}

static void test_escape_waits_for_its_time(void **state)
{
	struct decoder *decoder = decode_new();
	struct event event;

	(void)state;
	assert_true(decode_deadline(decoder) == UINT64_MAX);
	decode_feed(decoder, STR("\033"), START);
	assert_false(decode_next(decoder, START, &event));
	assert_true(decode_deadline(decoder) == START + DECODE_ESCAPE_MS);
	decode_feed(decoder, STR("[A"), START + DECODE_ESCAPE_MS - 1);
	assert_true(decode_next(decoder, START + DECODE_ESCAPE_MS - 1, &event));
	assert_int_equal(event.u.key, KEY_UP_);
	assert_true(decode_deadline(decoder) == UINT64_MAX);
	decode_free(decoder);
}

static void test_a_slow_second_press_is_no_double_click(void **state)
{
	struct decoder *decoder = decode_new();
	struct event event;

	(void)state;
	decode_feed(decoder, STR("\033[<0;5;3M"), START);
	assert_true(decode_next(decoder, START, &event));
	decode_feed(decoder, STR("\033[<0;5;3M"), START + DECODE_DOUBLE_MS + 1);
	assert_true(decode_next(decoder, START + DECODE_DOUBLE_MS + 1, &event));
	assert_int_equal(event.u.mouse.action, MOUSE_PRESS);
	decode_free(decoder);
}

static void test_a_long_paste_comes_whole(void **state)
{
	struct decoder *decoder = decode_new();
	struct event event;
	struct buf pasted = {0};

	(void)state;
	for (int i = 0; i < 200000; i++)
		buf_add_format(&pasted, "line %d \033[31m\n", i);
	decode_feed(decoder, STR("\033[200~"), START);
	for (size_t at = 0; at < pasted.size; at += 4093) {
		decode_feed(decoder, str_slice(buf_str(&pasted), at, at + 4093), START + at);
		assert_false(decode_next(decoder, START + at, &event));
	}
	decode_feed(decoder, STR("\033[201~"), START + pasted.size);
	assert_true(decode_next(decoder, START + pasted.size, &event));
	assert_int_equal(event.kind, EVENT_PASTE);
	assert_true(str_equal(event.u.text, buf_str(&pasted)));
	buf_release(&pasted);
	decode_free(decoder);
}

static void test_lines_of_a_terminal_without_marks_are_a_paste(void **state)
{
	static const char first[] = "Traceback (most recent call last):\r  File \"q.py\", line 3\r";
	struct decoder *decoder = decode_new();
	struct event event;

	(void)state;
	decode_feed(decoder, str_of(first), START);
	assert_false(decode_next(decoder, START, &event));
	decode_feed(decoder, STR("q\r"), START + DECODE_UNMARKED_MS - 1);
	assert_false(decode_next(decoder, START + DECODE_UNMARKED_MS - 1, &event));
	assert_true(decode_next(decoder, decode_deadline(decoder), &event));
	assert_int_equal(event.kind, EVENT_PASTE);
	assert_true(str_starts(event.u.text, str_of(first)));
	assert_true(str_ends(event.u.text, STR("q\r")));
	assert_false(decode_next(decoder, 2 * START, &event));
	decode_free(decoder);
}

static void test_a_terminal_that_marks_pastes_types_the_rest(void **state)
{
	struct decoder *decoder = decode_new();
	struct event event;

	(void)state;
	decode_feed(decoder, STR("\033[200~x\033[201~"), START);
	assert_true(decode_next(decoder, START, &event));
	decode_feed(decoder, STR("typed ahead on a line that is very slow\ryes"), START);
	assert_true(decode_next(decoder, START, &event));
	assert_int_equal(event.u.key, 't');
	decode_free(decoder);
}

static void test_keys_typed_ahead_are_keys(void **state)
{
	static const char *const keys[] = {"jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj\rjj", "/ei0020 bind\ry",
					   "/a search of more than a few words with Enter\r"};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct decoder *decoder = decode_new();
		struct event event;

		decode_feed(decoder, str_of(keys[i]), START);
		assert_true(decode_next(decoder, START, &event));
		assert_int_equal(event.kind, EVENT_KEY);
		decode_free(decoder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_at_once),
		cmocka_unit_test(test_byte_by_byte),
		cmocka_unit_test(test_escape_waits_for_its_time),
		cmocka_unit_test(test_a_slow_second_press_is_no_double_click),
		cmocka_unit_test(test_a_long_paste_comes_whole),
		cmocka_unit_test(test_lines_of_a_terminal_without_marks_are_a_paste),
		cmocka_unit_test(test_a_terminal_that_marks_pastes_types_the_rest),
		cmocka_unit_test(test_keys_typed_ahead_are_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

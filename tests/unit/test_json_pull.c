#include "test.h"

#include "core/json_pull.h"

#include <string.h>

static void read_all(const char *text, struct buf *out)
{
	static const char marks[] = ".!{}[]ktv";
	struct json_pull json;
	enum json_kind kind;

	json_pull_open(&json, str_of(text));
	do {
		kind = json_pull_next(&json);
		buf_add_byte(out, marks[kind]);
		if (kind >= JSON_KEY) {
			buf_add(out, json.text);
			buf_add_byte(out, ' ');
		}
	} while (kind != JSON_END && kind != JSON_BAD);
	json_pull_close(&json);
}

static void expect(const char *text, const char *events)
{
	struct buf out = {0};

	read_all(text, &out);
	if (strcmp(buf_c_string(&out), events) != 0)
		fail_msg("%s gives %s", text, buf_c_string(&out));
	buf_release(&out);
}

static void documents_are_read(void **state)
{
	(void)state;
	expect("{}", "{}.");
	expect(" [ ] ", "[].");
	expect("{\"a\": 1, \"b\": [true, null, -1.5e3], \"c\": {\"d\": \"x\"}}",
	       "{ka v1 kb [vtrue vnull v-1.5e3 ]kc {kd tx }}.");
	expect("\"alone\"", "talone .");
}

static void escapes_are_taken_out(void **state)
{
	(void)state;
	expect("[\"a\\nb\\\\c\\\"d\\/\"]", "[ta\nb\\c\"d/ ].");
	expect("[\"\\u4e2d\\u00e9\\u0041\"]", "[t\xe4\xb8\xad\xc3\xa9"
					      "A ].");
	expect("[\"\\ud83d\\ude00\"]", "[t\xf0\x9f\x98\x80 ].");
	expect("[\"\\ud83dx\"]", "[t\xef\xbf\xbdx ].");
	expect("{\"k\\u0031\": \"\\\\\"}", "{kk1 t\\ }.");
}

static void what_is_no_json_ends_it(void **state)
{
	static const char *const texts[] = {
		"",      "{",         "{\"a\"}",       "{\"a\":}", "[1,]",   "[1 2]", "[1]x", "{\"a\":1,}",
		"[\"a]", "[\"\\x\"]", "[\"\\u12g4\"]", "]",        "[nope]", "{a:1}", "[1}",  "[\"a\nb\"]"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct buf out = {0};

		read_all(texts[i], &out);
		if (!strchr(buf_c_string(&out), '!'))
			fail_msg("%s is taken: %s", texts[i], buf_c_string(&out));
		buf_release(&out);
	}
}

static void depth_is_bounded(void **state)
{
	char text[200];
	struct buf out = {0};

	(void)state;
	memset(text, '[', sizeof(text));
	text[sizeof(text) - 1] = 0;
	read_all(text, &out);
	assert_int_equal(out.size, JSON_DEPTH_MOST + 1);
	assert_int_equal(out.data[out.size - 1], '!');
	buf_release(&out);
}

static void a_value_is_skipped(void **state)
{
	struct json_pull json;

	(void)state;
	json_pull_open(&json, STR("{\"a\": {\"b\": [1, {\"c\": 2}]}, \"d\": 3}"));
	assert_int_equal(json_pull_next(&json), JSON_OBJECT);
	assert_int_equal(json_pull_next(&json), JSON_KEY);
	assert_true(json_pull_skip(&json));
	assert_int_equal(json_pull_next(&json), JSON_KEY);
	assert_true(str_equal(json.text, STR("d")));
	assert_true(json_pull_skip(&json));
	assert_int_equal(json_pull_next(&json), JSON_OBJECT_END);
	assert_int_equal(json_pull_next(&json), JSON_END);
	json_pull_close(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_are_read),      cmocka_unit_test(escapes_are_taken_out),
		cmocka_unit_test(what_is_no_json_ends_it), cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(a_value_is_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

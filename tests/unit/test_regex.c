#include "test.h"

#include <string.h>

#include "base/buf.h"
#include "core/regex.h"

static struct regex *must_compile(const char *pattern, unsigned flags)
{
	struct buf error = {0};
	struct regex *regex = regex_new(str_of(pattern), flags, &error, NULL);

	if (!regex)
		fail_msg("%s: %s", pattern, buf_c_string(&error));
	buf_release(&error);
	return regex;
}

static enum regex_result try_match(const char *pattern, unsigned flags, struct str subject)
{
	struct regex *regex = must_compile(pattern, flags);
	enum regex_result result = regex_match(regex, subject, 0);

	regex_free(regex);
	return result;
}

static void finds_and_gives_groups(void **state)
{
	struct regex *regex = must_compile("port (?<PORT>\\d+)|address (?<IP>\\S+)", 0);
	struct str subject = STR("bind port 29500 failed");
	struct str value;

	(void)state;
	assert_int_equal(regex_match(regex, subject, 0), REGEX_MATCH);
	assert_true(regex_group(regex, subject, 0, &value));
	assert_true(str_equal(value, STR("port 29500")));
	assert_true(regex_group(regex, subject, 1, &value));
	assert_true(str_equal(value, STR("29500")));
	assert_false(regex_group(regex, subject, 2, &value));
	assert_false(regex_group(regex, subject, 7, &value));
	assert_int_equal(regex_match(regex, subject, 6), REGEX_NO_MATCH);
	assert_false(regex_group(regex, subject, 0, &value));
	assert_int_equal(regex_match(regex, subject, subject.size + 1), REGEX_NO_MATCH);
	assert_int_equal(regex_match(regex, (struct str){NULL, 0}, 0), REGEX_NO_MATCH);
	regex_free(regex);
	regex_free(NULL);
}

static void lists_names_of_both_spellings(void **state)
{
	struct regex *regex = must_compile("(a)(?P<CARD>b)|(?<PORT>c)|x(?<PORT>d)", 0);
	size_t ports = 0, number;

	(void)state;
	assert_int_equal(regex_name_count(regex), 3);
	for (size_t i = 0; i < 3; i++) {
		struct str name = regex_name(regex, i, &number);

		if (str_equal(name, STR("CARD")))
			assert_int_equal(number, 2);
		else if (str_equal(name, STR("PORT")))
			ports++;
	}
	assert_int_equal(ports, 2);
	regex_free(regex);
}

static void honours_flags(void **state)
{
	(void)state;
	assert_int_equal(try_match("ei0020", 0, STR("EI0020")), REGEX_NO_MATCH);
	assert_int_equal(try_match("ei0020", REGEX_CASELESS, STR("EI0020")), REGEX_MATCH);
	assert_int_equal(try_match("^b$", 0, STR("a\nb\nc")), REGEX_NO_MATCH);
	assert_int_equal(try_match("^b$", REGEX_MULTILINE, STR("a\nb\nc")), REGEX_MATCH);
	assert_int_equal(try_match("b", REGEX_ANCHORED, STR("ab")), REGEX_NO_MATCH);
	assert_int_equal(try_match("a.b", 0, STR("a\nb")), REGEX_NO_MATCH);
	assert_int_equal(try_match("a.b", REGEX_DOTALL, STR("a\nb")), REGEX_MATCH);
	assert_int_equal(try_match("a\\s+b", REGEX_ONCE, STR("a\n  b")), REGEX_MATCH);
}

static void tolerates_bytes_that_are_not_utf8(void **state)
{
	(void)state;
	assert_int_equal(try_match("EI0020", 0, STR("\xff\xfe\x80 EI0020 \xc3")), REGEX_MATCH);
	assert_int_equal(try_match("EI0020", REGEX_ONCE, STR("\xff\xfe\x80 EI0020 \xc3")), REGEX_MATCH);
	assert_int_equal(try_match("端口.占用", 0, STR("\xf0 端口已占用")), REGEX_MATCH);
	assert_int_equal(try_match("a.b", 0,
				   STR("a\xff"
				       "b")),
			 REGEX_NO_MATCH);
	assert_int_equal(try_match("b", 0, STR("a\0b")), REGEX_MATCH);
}

static void word_boundaries_are_ascii(void **state)
{
	(void)state;
	assert_int_equal(try_match("\\bEI0020\\b", 0, STR("错误EI0020。")), REGEX_MATCH);
}

static void what_is_not_blank_may_be_chinese(void **state)
{
	(void)state;
	assert_int_equal(try_match("^/home/\\S+/clang: not found", 0, STR("/home/张三/clang: not found")),
			 REGEX_MATCH);
	assert_int_equal(try_match("^1\\.10\\s+\\S", 0, STR("1.10 构建")), REGEX_MATCH);
	assert_int_equal(try_match("error\\W+EI0020", 0, STR("error：EI0020")), REGEX_MATCH);
	assert_int_equal(try_match("第\\D\\d", 0, STR("第卡3")), REGEX_MATCH);
	assert_int_equal(try_match("blank(?!\\S)", 0, STR("blank构")), REGEX_NO_MATCH);
	assert_int_equal(try_match("[\\s\\S]{3}z", 0, STR("a 构z")), REGEX_MATCH);
	assert_int_equal(try_match("^[]\\S]+$", 0, STR("a]构")), REGEX_MATCH);
	assert_int_equal(try_match("^[[:alpha:]\\S]\\S$", 0, STR("a构")), REGEX_MATCH);
	assert_int_equal(try_match("^\\Q\\S[\\E\\S$", 0, STR("\\S[构")), REGEX_MATCH);
	assert_int_equal(try_match("^\\\\S$", 0, STR("\\S")), REGEX_MATCH);
}

static void says_why_a_pattern_is_wrong(void **state)
{
	struct buf error = {0};
	size_t at = 0;

	(void)state;
	assert_null(regex_new(STR("ab(c"), 0, &error, &at));
	assert_string_equal(buf_c_string(&error), "missing closing parenthesis");
	assert_int_equal(at, 4);
	assert_null(regex_new(STR("\\S\\S(c"), 0, NULL, &at));
	assert_int_equal(at, 6);
	assert_null(regex_new(STR("a\\C"), 0, NULL, NULL));
	assert_null(regex_new(STR("\xff"), 0, NULL, NULL));
	buf_release(&error);
}

static void refuses_monstrous_patterns(void **state)
{
	struct buf pattern = {0};

	(void)state;
	buf_add_repeated(&pattern, '(', 1000);
	buf_add_repeated(&pattern, ')', 1000);
	assert_null(regex_new(buf_str(&pattern), 0, NULL, NULL));
	buf_clear(&pattern);
	buf_add_repeated(&pattern, 'a', 100 * 1000);
	assert_null(regex_new(buf_str(&pattern), 0, NULL, NULL));
	buf_release(&pattern);
}

static void a_limit_is_not_no_match(void **state)
{
	struct buf subject = {0};

	(void)state;
	buf_add_repeated(&subject, 'a', 60);
	buf_add_byte(&subject, 'b');
	assert_int_equal(try_match("^(a|aa)+$", 0, buf_str(&subject)), REGEX_LIMIT);
	assert_int_equal(try_match("^(a|aa)+$", REGEX_ONCE, buf_str(&subject)), REGEX_LIMIT);
	buf_release(&subject);
}

static void long_subjects_need_no_stack(void **state)
{
	struct buf subject = {0};

	(void)state;
	buf_add_repeated(&subject, 'a', 5000);
	buf_add_byte(&subject, 'z');
	assert_int_equal(try_match("^(?:(a)|b)+z", 0, buf_str(&subject)), REGEX_MATCH);
	buf_release(&subject);
}

static void knows_patterns_that_match_nothing(void **state)
{
	struct regex *some = must_compile("a+", 0), *empty = must_compile("a*|b", 0);

	(void)state;
	assert_false(regex_matches_empty(some));
	assert_true(regex_matches_empty(empty));
	regex_free(some);
	regex_free(empty);
}

static void copies_are_independent(void **state)
{
	struct regex *first = must_compile("x(\\d)", 0), *second = regex_copy(first);
	struct str a = STR("x1"), b = STR("x2"), value;

	(void)state;
	assert_int_equal(regex_match(first, a, 0), REGEX_MATCH);
	assert_int_equal(regex_match(second, b, 0), REGEX_MATCH);
	assert_true(regex_group(first, a, 1, &value));
	assert_true(str_equal(value, STR("1")));
	regex_free(first);
	assert_true(regex_group(second, b, 1, &value));
	assert_true(str_equal(value, STR("2")));
	assert_int_equal(regex_match(second, a, 0), REGEX_MATCH);
	regex_free(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_and_gives_groups),
		cmocka_unit_test(lists_names_of_both_spellings),
		cmocka_unit_test(honours_flags),
		cmocka_unit_test(tolerates_bytes_that_are_not_utf8),
		cmocka_unit_test(word_boundaries_are_ascii),
		cmocka_unit_test(what_is_not_blank_may_be_chinese),
		cmocka_unit_test(says_why_a_pattern_is_wrong),
		cmocka_unit_test(refuses_monstrous_patterns),
		cmocka_unit_test(a_limit_is_not_no_match),
		cmocka_unit_test(long_subjects_need_no_stack),
		cmocka_unit_test(knows_patterns_that_match_nothing),
		cmocka_unit_test(copies_are_independent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/fill.h"
#include "pack_support.h"

#include <string.h>

static const struct pack_text files[] = {
	PACK_YAML("test"),
	{"placeholders.yaml",
	 "- {name: DIR, aliases: [FOLDER], meaning: {zh: 目录, en: folder}, kind: path,\n"
	 "   values: [{probe: dir}, {probe: other, name: OTHER_DIR}, {env: DIR_ENV}, {log: DIR_LOG}, {text: "
	 "/default}]}\n"
	 "- {name: WORD, meaning: {zh: 词, en: word}, kind: word}\n"
	 "- {name: ARGS, meaning: {zh: 参数, en: arguments}, kind: words}\n"
	 "- {name: PORT, meaning: {zh: 端口, en: port}, kind: port, check: {range: 1024-65535}}\n"
	 "- {name: A, meaning: {zh: 起, en: start}, kind: port, values: [{probe: free}]}\n"
	 "- {name: B, meaning: {zh: 止, en: end}, kind: port, values: [{probe: free}]}\n"
	 "- {name: RANGE, meaning: {zh: 区间, en: range}, kind: port-range}\n"
	 "- {name: CARD_ID, shell-variable: true, meaning: {zh: 卡, en: card}, kind: int, check: {range: "
	 "0-63}}\n"
	 "- {name: ADDRESS, meaning: {zh: 地址, en: address}, kind: ip}\n"
	 "- {name: NIC, meaning: {zh: 网卡, en: interface}, kind: interface}\n"
	 "- {name: RELEASE, meaning: {zh: 版本, en: version}, kind: version}\n"},
	{NULL, NULL}};

static struct arena arena;
static struct kb *kb;
static struct facts *facts;
static struct filled filled;

static int set_up_kb(void **state)
{
	struct diag_list diags = {0};
	const struct pack *pack = pack_of_texts(files, &arena, &diags);
	struct buf text = {0};

	(void)state;
	diags_to_text(&diags, &text);
	if (text.size)
		print_error("%s", buf_c_string(&text));
	buf_release(&text);
	diag_release(&diags);
	kb = kb_new(&pack, 1);
	return kb->placeholder_count == 11 ? 0 : -1;
}

static int tear_down_kb(void **state)
{
	(void)state;
	kb_free(kb);
	arena_release(&arena);
	filled_release(&filled);
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	facts = facts_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	facts_free(facts);
	return 0;
}

static void user(const char *name, const char *value)
{
	facts_set(facts, str_of(name), str_of(value), FACT_USER, STR("--set"));
}

static void expect(const char *template, const char *wanted)
{
	fill_command(kb, str_of(template), facts, &filled);
	assert_string_equal(buf_c_string(&filled.text), wanted);
}

static void expect_problem(const char *template, enum fill_problem problem)
{
	fill_command(kb, str_of(template), facts, &filled);
	assert_true(filled.holes > 0);
	for (size_t i = 0; i < filled.spans.count; i++) {
		if (!filled.spans.items[i].filled) {
			assert_int_equal(filled.spans.items[i].problem, problem);
			return;
		}
	}
	fail();
}

static void test_only_declared_names_are_replaced(void **state)
{
	static const char text[] =
		"cat <IN >OUT; echo <UNKNOWN> ${PATH} <dir> <DIR $DIR ${DIR} << EOF\n<\nEOF\n";

	(void)state;
	user("DIR", "/opt");
	expect(text, text);
	assert_int_equal(filled.spans.count, 0);
	expect("ls <DIR> <FOLDER>", "ls /opt /opt");
}

static void test_plain_values_go_in_unquoted(void **state)
{
	(void)state;
	user("DIR", "/usr/local/Ascend/cann-9.1.0");
	expect("export PATH=<DIR>/bin:$PATH", "export PATH=/usr/local/Ascend/cann-9.1.0/bin:$PATH");
	expect("echo \"<DIR>\" '<DIR>'",
	       "echo \"/usr/local/Ascend/cann-9.1.0\" '/usr/local/Ascend/cann-9.1.0'");
}

static void test_quoting_by_place(void **state)
{
	(void)state;
	user("DIR", "/a b/$(id)'\"`\\!");
	expect("export PATH=<DIR>/bin:$PATH", "export PATH='/a b/$(id)'\\''\"`\\!'/bin:$PATH");
	expect("echo \"<DIR>\"", "echo \"/a b/\\$(id)'\\\"\\`\\\\\"'!'\"\"");
	expect("echo 'x <DIR>'", "echo 'x /a b/$(id)'\\''\"`\\!'");
	expect("echo \"$(ls <DIR>)\"", "echo \"$(ls '/a b/$(id)'\\''\"`\\!')\"");
	expect("cat <<EOF\n<DIR>\nEOF\nls <DIR>",
	       "cat <<EOF\n/a b/\\$(id)'\"\\`\\\\!\nEOF\nls '/a b/$(id)'\\''\"`\\!'");
	expect("cat <<'EOF'\n<DIR>\nEOF\nls <DIR>",
	       "cat <<'EOF'\n/a b/$(id)'\"`\\!\nEOF\nls '/a b/$(id)'\\''\"`\\!'");
	expect("ls # <DIR>", "ls # /a b/$(id)'\"`\\!");
}

static void test_places_that_take_plain_values_only(void **state)
{
	static const char *const templates[] = {
		"echo `ls <DIR>`", "echo ${X:-<DIR>}", "echo \"${X:-\"}\"<DIR>}\"",
		"echo $'<DIR>'",   "echo $<DIR>",      "x=$(case a in a) ls <DIR>;; esac)"};

	(void)state;
	user("DIR", "/a b");
	for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++)
		expect_problem(templates[i], FILL_BAD_PLACE);
	user("DIR", "/opt");
	expect("echo `ls <DIR>` ${X:-<DIR>}", "echo `ls /opt` ${X:-/opt}");
	expect_problem("echo $((<DIR> + 1))", FILL_BAD_PLACE);
	user("PORT", "2000");
	expect("echo $((<PORT> + 1)) <PORT>>file", "echo $((2000 + 1)) '2000'>file");
}

static void test_a_value_never_ends_a_heredoc_or_a_comment(void **state)
{
	(void)state;
	user("DIR", "EOF");
	expect_problem("cat <<EOF\n<DIR>\nEOF", FILL_BAD_PLACE);
	expect_problem("cat <<-'EOF'\n\t<DIR>\n\tEOF", FILL_BAD_PLACE);
	user("DIR", "a\nEOF\nid");
	expect_problem("cat <<EOF\n<DIR>\nEOF", FILL_BAD_PLACE);
	expect_problem("# <DIR>", FILL_BAD_PLACE);
	user("DIR", "a\n\nO\nb");
	expect("cat <<EOF\n<DIR>\nEOF", "cat <<EOF\na\n\nO\nb\nEOF");
	user("DIR", "a\nO");
	expect_problem("cat <<EOF\nE<DIR>F\nEOF", FILL_BAD_PLACE);
}

static void test_control_characters_are_written_as_numbers(void **state)
{
	(void)state;
	user("DIR", "a\x1b[31m\tb");
	expect("ls <DIR>", "ls 'a'\"$(printf '\\033')\"'[31m'\"$(printf '\\011')\"'b'");
	expect("ls \"<DIR>\"", "ls \"a$(printf '\\033')[31m$(printf '\\011')b\"");
	expect_problem("cat <<'EOF'\n<DIR>\nEOF", FILL_BAD_PLACE);
}

static void test_a_leading_dash_makes_no_option(void **state)
{
	(void)state;
	user("DIR", "-rf");
	user("WORD", "-rf");
	expect("ls <DIR> \"<DIR>\"", "ls ./-rf \"./-rf\"");
	expect("ls -L<DIR> --dir=<WORD>", "ls -L-rf --dir=-rf");
	expect_problem("ls <WORD>", FILL_OPTION);
	expect_problem("ls '<WORD>'", FILL_OPTION);
	user("WORD", "if");
	expect("<WORD>", "'if'");
}

static void test_words_go_in_as_typed_and_only_from_the_user(void **state)
{
	(void)state;
	facts_set(facts, STR("ARGS"), STR("--lr 1"), FACT_LOG, STR("a.log:1"));
	expect_problem("run <ARGS>", FILL_NO_VALUE);
	user("ARGS", "--lr 1 'a b'");
	expect("run <ARGS>", "run --lr 1 'a b'");
	expect("echo \"<ARGS>\"", "echo \"--lr 1 'a b'\"");
	user("ARGS", "");
	expect("run <ARGS>", "run ");
	assert_int_equal(filled.holes, 0);
	user("ARGS", "it's");
	expect_problem("run <ARGS>", FILL_BAD_VALUE);
	user("ARGS", "a\nb");
	expect_problem("run <ARGS>", FILL_BAD_VALUE);
}

static void test_shell_variable(void **state)
{
	(void)state;
	expect_problem("npu-smi set -t reset -i ${CARD_ID} -m 1", FILL_NO_VALUE);
	assert_string_equal(buf_c_string(&filled.text), "npu-smi set -t reset -i ${CARD_ID} -m 1");
	user("CARD_ID", "3");
	expect("npu-smi -i ${CARD_ID} <CARD_ID> \"${CARD_ID}\" '${CARD_ID}'",
	       "npu-smi -i 3 3 \"3\" '${CARD_ID}'");
}

static void expect_explained(const char *template, const char *wanted)
{
	struct buf why = {0};

	fill_command(kb, str_of(template), facts, &filled);
	for (size_t i = 0; i < filled.spans.count; i++)
		fill_explain(&filled.spans.items[i], LANG_EN, &why);
	assert_string_equal(buf_c_string(&why), wanted);
	buf_release(&why);
}

static void test_a_hole_with_a_value_says_why_it_is_not_taken(void **state)
{
	(void)state;
	expect_explained("<A>-<B>", "");
	user("A", "30000");
	user("B", "29000");
	expect_explained("<A>-<B>", "the two ends are no pair: set both, the first not above the second");
	user("B", "x");
	expect_explained("<A>-<B>", "must be a port number, 1 to 65535");
	user("B", "30063");
	expect_explained("<A>-<B>", "");
}

static void test_a_range_is_one_pair(void **state)
{
	(void)state;
	facts_set(facts, STR("A"), STR("23400"), FACT_PROBE, STR("free"));
	facts_set(facts, STR("B"), STR("23463"), FACT_PROBE, STR("free"));
	expect("export R=\"<A>-<B>\"", "export R=\"23400-23463\"");
	user("A", "30000");
	expect_problem("export R=\"<A>-<B>\"", FILL_BAD_RANGE);
	user("B", "29000");
	expect_problem("export R=\"<A>-<B>\"", FILL_BAD_RANGE);
	user("B", "30063");
	expect("export R=\"<A>-<B>\"", "export R=\"30000-30063\"");
	facts_forget(facts, FACT_USER, STR("--set"));
	facts_forget(facts, FACT_PROBE, STR("free"));
	user("B", "30063");
	expect_problem("<A>-<B>", FILL_NO_VALUE);
}

static void test_order_of_sources(void **state)
{
	struct fact chosen, candidates[8];
	const struct placeholder *dir = kb_placeholder(kb, STR("DIR"));

	(void)state;
	assert_true(fill_value(kb, dir, facts, &chosen));
	assert_true(str_equal(chosen.value, STR("/default")) && chosen.source == FACT_DEFAULT);
	facts_set(facts, STR("DIR_LOG"), STR("/log"), FACT_LOG, STR("x.log:1"));
	facts_set(facts, STR("DIR_ENV"), STR("/env"), FACT_ENVIRONMENT, STR("DIR_ENV"));
	facts_set(facts, STR("OTHER_DIR"), STR("/other"), FACT_PROBE, STR("other"));
	facts_set(facts, STR("DIR"), STR("/unasked"), FACT_PROBE, STR("third"));
	assert_true(fill_value(kb, dir, facts, &chosen));
	assert_true(str_equal(chosen.value, STR("/other")));
	facts_set(facts, STR("DIR"), STR("/variable"), FACT_ENVIRONMENT, STR("DIR"));
	facts_add(facts, STR("DIR"), STR("/p1"), FACT_PROBE, STR("dir"));
	facts_add(facts, STR("DIR"), STR("/p2"), FACT_PROBE, STR("dir"));
	user("FOLDER", "/mine");
	assert_int_equal(fill_candidates(kb, dir, facts, candidates, 8), 8);
	assert_true(str_equal(candidates[0].value, STR("/mine")));
	assert_true(str_equal(candidates[1].value, STR("/p1")));
	assert_true(str_equal(candidates[2].value, STR("/p2")));
	assert_true(str_equal(candidates[3].value, STR("/other")));
	assert_true(str_equal(candidates[4].value, STR("/env")));
	assert_true(str_equal(candidates[5].value, STR("/log")));
	assert_true(str_equal(candidates[6].value, STR("/default")));
	assert_true(str_equal(candidates[7].value, STR("/unasked")));
	assert_int_equal(fill_candidates(kb, dir, facts, candidates, 1), 8);
}

static void test_a_bad_value_is_not_taken(void **state)
{
	struct fact chosen;
	const struct placeholder *port = kb_placeholder(kb, STR("PORT"));

	(void)state;
	facts_set(facts, STR("PORT"), STR("1;id"), FACT_LOG, STR("x.log:1"));
	assert_false(fill_value(kb, port, facts, &chosen));
	assert_int_equal(chosen.value.size, 0);
	facts_set(facts, STR("PORT"), STR("29500"), FACT_LOG, STR("x.log:2"));
	assert_true(fill_value(kb, port, facts, &chosen));
	/* The user's wish is not silently replaced by another value. */
	user("PORT", "80");
	assert_false(fill_value(kb, port, facts, &chosen));
	assert_true(str_equal(chosen.value, STR("80")));
	expect_problem("<PORT>", FILL_BAD_VALUE);
	/* A path that a log gives with an escape in it is no path of this machine. */
	facts_set(facts, STR("DIR"), STR("/a\x1b"), FACT_LOG, STR("x.log:3"));
	expect("<DIR>", "/default");
}

static void test_kinds(void **state)
{
	static const struct {
		const char *name, *good, *bad;
	} cases[] = {
		{"PORT", "1024", "1023"},
		{"PORT", "65535", "65536"},
		{"PORT", "20000", "020000"},
		{"PORT", "20000", "2e4"},
		{"PORT", "20000", "-20000"},
		{"RANGE", "23400-23463", "23463-23400"},
		{"RANGE", "1-65535", "0-1"},
		{"RANGE", "5-5", "5"},
		{"CARD_ID", "0", "64"},
		{"CARD_ID", "63", ""},
		{"ADDRESS", "192.168.0.1", "192.168.0.256"},
		{"ADDRESS", "::1", "1.2.3"},
		{"ADDRESS", "fe80::1:2", "fe80::1::2"},
		{"ADDRESS", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7"},
		{"ADDRESS", "::ffff:10.0.0.1", "::ffff:10.0.0"},
		{"ADDRESS", "::", ":"},
		{"NIC", "eth0", "eth 0"},
		{"NIC", "enp189s0f0.100", "-eth0"},
		{"NIC", "bond0:1", "abcdefghijklmnop"},
		{"RELEASE", "8.2.RC1", "8.2;id"},
		{"RELEASE", "2.7.1.post8+cpu", "new"},
		{"DIR", "any thing\n$(id)", ""},
		{"WORD", "-x", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct placeholder *placeholder = kb_placeholder(kb, str_of(cases[i].name));

		for (int lang = 0; lang < LANG_COUNT; lang++) {
			struct buf why = {0};

			if (!fill_check(placeholder, str_of(cases[i].good), (enum lang)lang, &why))
				fail_msg("%s refused: %s", cases[i].good, buf_c_string(&why));
			assert_int_equal(why.size, 0);
			if (fill_check(placeholder, str_of(cases[i].bad), (enum lang)lang, &why))
				fail_msg("%s taken", cases[i].bad);
			assert_true(why.size > 0);
			buf_release(&why);
		}
		assert_false(fill_check(placeholder, (struct str){"1\0", 2}, LANG_EN, NULL));
	}
}

static void test_spans_and_lists(void **state)
{
	struct placeholder_list list = {0};

	(void)state;
	user("DIR", "/a b");
	fill_command(kb, STR("ls <DIR> <WORD> <FOLDER>"), facts, &filled);
	assert_int_equal(filled.spans.count, 3);
	assert_int_equal(filled.holes, 1);
	assert_true(str_equal(
		str_slice(buf_str(&filled.text), filled.spans.items[0].start, filled.spans.items[0].end),
		STR("'/a b'")));
	assert_true(str_equal(filled.spans.items[0].value, STR("/a b")));
	assert_true(str_equal(
		str_slice(buf_str(&filled.text), filled.spans.items[1].start, filled.spans.items[1].end),
		STR("<WORD>")));
	fill_placeholders(kb, STR("ls <DIR> <WORD> <FOLDER> ${CARD_ID}"), &list);
	assert_int_equal(list.list.count, 3);
	assert_ptr_equal(list.list.items[2], kb_placeholder(kb, STR("CARD_ID")));
	vec_release(&list.list);
	fill_command(kb, (struct str){0}, facts, &filled);
	assert_int_equal(filled.text.size, 0);
}

static void test_hostile_templates_are_borne(void **state)
{
	char deep[4096];

	(void)state;
	user("DIR", "/a b");
	memset(deep, '(', sizeof(deep));
	memcpy(deep + sizeof(deep) - sizeof("<DIR>"), "<DIR>", sizeof("<DIR>"));
	fill_command(kb, str_of(deep), facts, &filled);
	for (size_t i = 0; i + 8 < sizeof(deep); i += 8)
		memcpy(deep + i, "$(\"${x:`", 8);
	fill_command(kb, str_of(deep), facts, &filled);
	expect_problem(deep, FILL_BAD_PLACE);
	fill_command(kb, STR("<<EOF <<\"A\nB\" <<-'C"), facts, &filled);
	fill_command(kb, STR("<<\n\\"), facts, &filled);
	fill_command(kb, STR("${"), facts, &filled);
	fill_command(kb, STR("<"), facts, &filled);
	fill_command(kb, STR("<DIR"), facts, &filled);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_only_declared_names_are_replaced),
		TEST(test_plain_values_go_in_unquoted),
		TEST(test_quoting_by_place),
		TEST(test_places_that_take_plain_values_only),
		TEST(test_a_value_never_ends_a_heredoc_or_a_comment),
		TEST(test_control_characters_are_written_as_numbers),
		TEST(test_a_leading_dash_makes_no_option),
		TEST(test_words_go_in_as_typed_and_only_from_the_user),
		TEST(test_shell_variable),
		TEST(test_a_hole_with_a_value_says_why_it_is_not_taken),
		TEST(test_a_range_is_one_pair),
		TEST(test_order_of_sources),
		TEST(test_a_bad_value_is_not_taken),
		TEST(test_kinds),
		TEST(test_spans_and_lists),
		TEST(test_hostile_templates_are_borne),
	};

	return cmocka_run_group_tests(tests, set_up_kb, tear_down_kb);
}

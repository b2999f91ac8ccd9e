#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "core/search.h"
#include "core/search_score.h"

#include <stdio.h>
#include <string.h>

#define BOTH(zh, en) \
	{ \
		{ \
			STR_INIT(zh), STR_INIT(en) \
		} \
	}
#define LIST(...) \
	{ \
		(const struct str[]){__VA_ARGS__}, \
			sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str) \
	}

static const struct section install = {.id = STR_INIT("install"),
				       .title = BOTH("安装构建篇", "Installation")};
static const struct section *const sections[] = {&install};

static const struct sample socket_sample[] = {
	{.text = STR_INIT(
		 "Communication_Error_Bind_IP_Port (EI0020):\n"
		 "Failed to enable listening for the NPU network adapter socket. Reason: The IP address "
		 "<IP_ADDRESS> and port <PORT> have already been bound.")}};
static const struct sample torch_sample[] = {
	{.text = STR_INIT(
		 "torch.distributed.DistNetworkError: code: -98, name: EADDRINUSE, message: address already "
		 "in use\n[ERROR] ERR99999 UNKNOWN application exception")}};
static const struct step socket_steps[] = {{.say = BOTH("让 HCCL 自己选端口", "Let HCCL choose the port"),
					    .run = STR_INIT("export HCCL_NPU_SOCKET_PORT_RANGE=\"auto\"")}};
static const struct solution socket_solutions[] = {
	{.title = BOTH("自动分配端口", "Automatic ports"), .steps = socket_steps, .step_count = 1}};

enum { CLANG, PORT, SOCKET, SCATTERED, HIVMC, ENTRY_COUNT };

static const struct entry entries[ENTRY_COUNT] = {
	[CLANG] = {.id = STR_INIT("1.1"),
		   .section = STR_INIT("install"),
		   .title = BOTH("clang++ 缺失", "clang++ is missing"),
		   .problem = BOTH("编译过程中提示找不到 clang++ 编译器。",
				   "The compiler clang++ is not found."),
		   .note = BOTH("", "Not to be mixed up with a socket.")},
	[PORT] = {.id = STR_INIT("1.2"),
		  .section = STR_INIT("install"),
		  .title = BOTH("torch.distributed.DistNetworkError 端口占用", "Address already in use"),
		  .errors = torch_sample,
		  .error_count = 1,
		  .codes = LIST(STR_INIT("EADDRINUSE"), STR_INIT("ERR99999")),
		  .aliases = LIST(STR_INIT("dkzy"))},
	[SOCKET] = {.id = STR_INIT("1.6"),
		    .section = STR_INIT("install"),
		    .title = BOTH("无法监听 NPU 网卡 socket", "NPU socket cannot listen"),
		    .cause = BOTH("NPU socket 端口被其他进程占用。", "Another process holds the port."),
		    .errors = socket_sample,
		    .error_count = 1,
		    .codes = LIST(STR_INIT("EI0020")),
		    .solutions = socket_solutions,
		    .solution_count = 1},
	[SCATTERED] = {.id = STR_INIT("2.1"),
		       .title = BOTH("已经", "Already"),
		       .problem = BOTH("", "Use an address in the list"),
		       .note = BOTH("", "see EI0020")},
	[HIVMC] = {.id = STR_INIT("3.1"),
		   .title = BOTH("找不到 hivmc", "hivmc cannot be found"),
		   .problem = BOTH("ＣＡＮＮ 包版本不对，需下载。", "The CANN package does not fit.")},
};
static const struct entry *const entry_list[ENTRY_COUNT] = {&entries[0], &entries[1], &entries[2],
							    &entries[3], &entries[4]};

static const struct code codes[] = {
	{.code = STR_INIT("EADDRINUSE"), .aliases = LIST(STR_INIT("-98"))},
	{.code = STR_INIT("EI0020"),
	 .name = STR_INIT("Communication_Error_Bind_IP_Port"),
	 .aliases = LIST(STR_INIT("EI0019"), STR_INIT("EJ0003"))},
	{.code = STR_INIT("507015"), .entries = LIST(STR_INIT("3.1"))},
	{.code = STR_INIT("EZ9999"), .wrapper = true},
};
static const struct code *const code_list[] = {&codes[0], &codes[1], &codes[2], &codes[3]};

static const struct kb kb = {
	.sections = sections,
	.section_count = 1,
	.entries = entry_list,
	.entry_count = ENTRY_COUNT,
	.codes = code_list,
	.code_count = 4,
};

static struct search_index *search_index;
static struct search_result result;

static int set_up(void **state)
{
	(void)state;
	search_index = search_index_new(&kb);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	search_index_free(search_index);
	search_result_release(&result);
	return 0;
}

static void run(const char *query)
{
	search_run(search_index, str_of(query), &result);
}

static const struct search_hit *hit_of(uint32_t entry)
{
	for (size_t i = 0; i < result.hits.count; i++) {
		if (result.hits.items[i].entry == entry)
			return &result.hits.items[i];
	}
	return NULL;
}

static void expect_first(const char *query, uint32_t entry)
{
	run(query);
	if (result.hits.count == 0 || result.hits.items[0].entry != entry)
		fail_msg("\"%s\": first is %d, not %u", query,
			 result.hits.count ? (int)result.hits.items[0].entry : -1, entry);
}

static void expect_score(const char *query, uint32_t entry, uint32_t score)
{
	const struct search_hit *hit;

	run(query);
	hit = hit_of(entry);
	if (!hit || hit->score != score)
		fail_msg("\"%s\" in %u: %u, not %u", query, entry, hit ? hit->score : 0, score);
}

static void expect_none(const char *query)
{
	run(query);
	if (result.hits.count)
		fail_msg("\"%s\" finds %u", query, result.hits.items[0].entry);
}

static void test_empty_query_is_the_tree(void **state)
{
	(void)state;
	run("  ");
	assert_int_equal(result.hits.count, ENTRY_COUNT);
	for (uint32_t i = 0; i < ENTRY_COUNT; i++)
		assert_int_equal(result.hits.items[i].entry, i);
}

static void test_codes_as_people_type_them(void **state)
{
	static const char *const socket[] = {"EI0020",    "ei0020",
					     "ei20",      "EI20",
					     "(EI0020):", "ｅｉ００２０",
					     "ei19",      "EJ0003",
					     "ej3",       "communication_error_bind_ip_port"};
	static const char *const port[] = {"EADDRINUSE", "eaddrinuse,", "-98", "98", "err99999"};

	(void)state;
	for (size_t i = 0; i < sizeof(socket) / sizeof(socket[0]); i++) {
		expect_first(socket[i], SOCKET);
		assert_true(result.hits.items[0].exact);
		assert_int_equal(result.hits.items[0].field, SEARCH_CODE);
		assert_ptr_equal(result.codes.items[0], &codes[1]);
	}
	for (size_t i = 0; i < sizeof(port) / sizeof(port[0]); i++) {
		expect_first(port[i], PORT);
		assert_true(result.hits.items[0].exact);
	}
	expect_first("507015", HIVMC);
	assert_true(result.hits.items[0].exact);
}

static void test_a_code_of_no_entry_is_named(void **state)
{
	(void)state;
	expect_none("ez9999");
	assert_int_equal(result.codes.count, 1);
	assert_ptr_equal(result.codes.items[0], &codes[3]);
	run("EI0020 socket");
	assert_int_equal(result.codes.count, 1);
}

static void test_exact_comes_before_everything(void **state)
{
	(void)state;
	/* 1.1 is an id; nothing that merely holds it may be before it. */
	expect_score("1.1", CLANG,
		     SEARCH_TIER_EXACT + SEARCH_TIER_NO_ERROR + SEARCH_EXACT_ID + SEARCH_WEIGHT_ID +
			     SEARCH_EDGE_WHOLE);
	expect_first("already", SCATTERED);
	assert_true(result.hits.items[0].exact);
	assert_false(result.hits.items[1].exact);
	expect_first("address  ALREADY in use", PORT);
	assert_true(result.hits.items[0].exact);
	expect_first("dkzy", PORT);
}

static void test_field_decides_then_edge(void **state)
{
	(void)state;
	expect_score("socket", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_TITLE + SEARCH_EDGE_WHOLE);
	expect_score("socket", CLANG, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_NOTE + SEARCH_EDGE_WHOLE);
	expect_score("sock", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_TITLE + SEARCH_EDGE_START);
	expect_score("ocket", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_TITLE + SEARCH_EDGE_NONE);
	expect_score("bind", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_CODE + SEARCH_EDGE_WHOLE);
	expect_score("adapter", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_ERROR + SEARCH_EDGE_WHOLE);
	expect_score("process", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_CAUSE + SEARCH_EDGE_WHOLE);
	expect_score("hccl_npu_socket_port_range", SOCKET,
		     SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_COMMAND + SEARCH_EDGE_WHOLE);
	expect_score("automatic", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_SOLUTION + SEARCH_EDGE_WHOLE);
	expect_score("installation", CLANG, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_SECTION + SEARCH_EDGE_WHOLE);
	expect_score("compiler", CLANG, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_PROBLEM + SEARCH_EDGE_WHOLE);
}

static void test_every_word_must_be_found_in_any_order_and_language(void **state)
{
	(void)state;
	expect_first("listen socket", SOCKET);
	expect_first("端口 listen", SOCKET);
	expect_none("socket clang++ hivmc");
	expect_score("npu socket", SOCKET,
		     SEARCH_TIER_NO_ERROR + 2 * (SEARCH_WEIGHT_TITLE + SEARCH_EDGE_WHOLE) + SEARCH_PHRASE);
	expect_score("socket npu", SOCKET,
		     SEARCH_TIER_NO_ERROR + 2 * (SEARCH_WEIGHT_TITLE + SEARCH_EDGE_WHOLE));
}

static void test_words_together_go_before_words_scattered(void **state)
{
	(void)state;
	/* 2.1 has "already" in its title, "address" and "in" in its problem; 1.2 has the message. */
	expect_first("address already in", PORT);
	assert_non_null(hit_of(SCATTERED));
}

static void test_chinese_by_substring_and_next_to_latin(void **state)
{
	(void)state;
	expect_first("口占", PORT);
	expect_first("不到", HIVMC);
	expect_first("找不到hivmc", HIVMC);
	expect_first("监听", SOCKET);
	expect_first("端口，占用", PORT);
	expect_none("无此词");
}

static void test_width_and_case_are_alike(void **state)
{
	(void)state;
	expect_first("cann 包", HIVMC);
	expect_first("ｈｉｖｍｃ", HIVMC);
	expect_first("HIVMC", HIVMC);
}

static void test_one_typing_error_after_exact_hits(void **state)
{
	static const char *const typed[] = {"sockte", "socet",   "sockket", "sacket",
					    "oscket", "socketx", "xsocket"};

	(void)state;
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++) {
		expect_first(typed[i], SOCKET);
		assert_true(result.hits.items[0].fuzzy);
	}
	expect_score("sockte", SOCKET, SEARCH_WEIGHT_TITLE);
	expect_none("sokcte");
	expect_none("hvmc");
	/* clang's note has "mixed"; "mixes" has one error there. */
	expect_first("mixes", CLANG);
	/* "listen" and "listem": the exact hit is before the forgiven one. */
	expect_first("npu lisstening", SOCKET);
}

static void test_a_chinese_sentence_is_taken_apart(void **state)
{
	(void)state;
	expect_first("端口被占用了", SOCKET);
	assert_true(result.hits.items[0].fuzzy);
	expect_first("找不到编译器", CLANG);
	/* Three characters are a word, not a sentence. */
	expect_none("占端口");
	expect_none("完全无关的话");
}

static void test_one_letter_begins_a_word(void **state)
{
	(void)state;
	expect_none("v"); /* hivmc, have */
	expect_score("h", SOCKET, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_ERROR + SEARCH_EDGE_START);
	expect_score("c", CLANG, SEARCH_TIER_NO_ERROR + SEARCH_WEIGHT_TITLE + SEARCH_EDGE_START);
	expect_first("+", CLANG);
}

static void test_another_number_is_another_thing(void **state)
{
	(void)state;
	expect_none("EI0021");
	expect_none("ERR99998");
	expect_none("eaddrinuse1");
}

static void test_pattern(void **state)
{
	(void)state;
	run("re:EI\\d{4}\\)");
	assert_int_equal(result.hits.count, 1);
	assert_int_equal(result.hits.items[0].entry, SOCKET);
	assert_int_equal(result.hits.items[0].field, SEARCH_ERROR);
	run("re:^clang");
	assert_int_equal(result.hits.count, 1);
	run("re:(");
	assert_int_equal(result.hits.count, 0);
	assert_true(result.error.size > 0);
	run("socket");
	assert_int_equal(result.error.size, 0);
	run("re:");
	assert_int_equal(result.hits.count, ENTRY_COUNT);
}

static void test_odd_queries_are_borne(void **state)
{
	char many[4096];

	(void)state;
	expect_none("\xff\xfe\x80");
	run("，。");
	run("&&");
	run("\n\t\x01");
	memset(many, 'a', sizeof(many));
	search_run(search_index, (struct str){many, sizeof(many)}, &result);
	assert_int_equal(result.hits.count, 0);
	for (size_t i = 1; i < sizeof(many); i += 2)
		many[i] = ' ';
	search_run(search_index, (struct str){many, sizeof(many)}, &result);
	search_run(search_index, (struct str){"a\0b", 3}, &result);
}

static void expect_marked(const char *query, const char *text, const char *marked)
{
	struct search_ranges ranges = {0};
	struct buf got = {0};
	size_t last = 0;

	search_highlight(str_of(query), str_of(text), &ranges);
	for (size_t i = 0; i < ranges.list.count; i++) {
		struct search_range range = ranges.list.items[i];

		assert_true(range.start >= last && range.start < range.end && range.end <= strlen(text));
		buf_add(&got, str_slice(str_of(text), last, range.start));
		buf_add_format(&got, "[%.*s]", STR_ARG(str_slice(str_of(text), range.start, range.end)));
		last = range.end;
	}
	buf_add(&got, str_slice(str_of(text), last, strlen(text)));
	assert_string_equal(buf_c_string(&got), marked);
	buf_release(&got);
	vec_release(&ranges.list);
}

static void test_highlight(void **state)
{
	(void)state;
	expect_marked("socket npu", "NPU Socket, socket", "[NPU] [Socket], [socket]");
	expect_marked("占用", "端口被占用，占用", "端口被[占用]，[占用]");
	expect_marked("端口占用了", "端口被占用，口", "[端口]被[占用]，口");
	expect_marked("cann", "ＣＡＮＮ 包", "[ＣＡＮＮ] 包");
	expect_marked("ei20", "code (EI0020): EI0201", "code ([EI0020]): EI0201");
	expect_marked("sockte", "the Socket is", "the [Socket] is");
	expect_marked("kg", "5 ㎏", "5 [㎏]");
	expect_marked("k", "5 ㎏", "5 [㎏]");
	expect_marked("re:so+", "soo SO", "[soo] [SO]");
	expect_marked("re:x*", "axb", "a[x]b");
	expect_marked("re:(", "(", "(");
	expect_marked("", "text", "text");
	expect_marked("ab bc", "abc", "[abc]");
}

static void expect_suggestion(const char *query, const char *wanted)
{
	struct str suggestions[8];
	size_t count = search_suggest(search_index, str_of(query), suggestions, 8);

	if (count == 0 || !str_equal(suggestions[0], str_of(wanted)))
		fail_msg("\"%s\": %.*s, not %s", query, count ? (int)suggestions[0].size : 0,
			 count ? suggestions[0].data : "", wanted);
}

static void test_suggestions(void **state)
{
	struct str suggestions[1];

	(void)state;
	expect_suggestion("EI0021", "EI0020");
	expect_suggestion("507105", "507015");
	expect_suggestion("1.7", "1.6");
	expect_suggestion("sokcte", "socket");
	assert_int_equal(search_suggest(search_index, STR("zzzzzzzzzzzz"), suggestions, 1), 0);
	assert_int_equal(search_suggest(search_index, STR(""), suggestions, 1), 0);
	assert_int_equal(search_suggest(search_index, STR("EI0021"), suggestions, 0), 0);
}

/* A hundred thousand entries; the answers are known from how they are made. */
enum { MANY = 100000 };

static struct kb make_many(struct arena *arena, size_t count)
{
	struct entry *many = arena_take_array(arena, count, sizeof(*many));
	const struct entry **list = arena_take_array(arena, count, sizeof(*list));
	char text[160];

	for (int i = 0; i < (int)count; i++) {
		snprintf(text, sizeof(text), "%d.%d", i / 1000 + 1, i % 1000 + 1);
		many[i].id = arena_copy(arena, str_of(text));
		snprintf(text, sizeof(text), "Worker %d lost rank%d", i, i % 64);
		many[i].title.in[LANG_EN] = arena_copy(arena, str_of(text));
		snprintf(text, sizeof(text), "进程%s退出，编号 x%05dy%s", i % 10 ? "异常" : "正常", i,
			 i == 77777 ? " unicorn" : "");
		many[i].problem.in[LANG_ZH] = arena_copy(arena, str_of(text));
		list[i] = &many[i];
	}
	return (struct kb){.entries = list, .entry_count = count};
}

static void test_a_hundred_thousand_entries(void **state)
{
	struct arena arena = {0};
	struct kb many = make_many(&arena, MANY);
	struct search_index *index = search_index_new(&many);

	(void)state;
	search_run(index, STR("worker"), &result);
	assert_int_equal(result.hits.count, MANY);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(result.hits.items[i].entry, i);
	search_run(index, STR("unicorn"), &result);
	assert_int_equal(result.hits.count, 1);
	assert_int_equal(result.hits.items[0].entry, 77777);
	search_run(index, STR("uniconr"), &result);
	assert_int_equal(result.hits.items[0].entry, 77777);
	search_run(index, STR("x4242"), &result);
	assert_int_equal(result.hits.count, 10);
	search_run(index, STR("常正"), &result);
	assert_int_equal(result.hits.count, 0);
	search_run(index, STR("正常退出"), &result);
	assert_int_equal(result.hits.count, MANY / 10);
	search_run(index, STR("rank63 正常 lost"), &result);
	for (size_t i = 0; i < result.hits.count; i++)
		assert_true(result.hits.items[i].entry % 64 == 63 && result.hits.items[i].entry % 10 == 0);
	search_run(index, STR("100.1000"), &result);
	assert_true(result.hits.items[0].exact);
	assert_int_equal(result.hits.items[0].entry, MANY - 1);
	search_index_free(index);
	arena_release(&arena);
}

/* However the work is cut, the same comes out. */

enum { SOME = 1500 };

static const size_t slices[] = {1, 997, 65537, 10 * 1000 * 1000};

static const char *const sliced_queries[] = {
	"",
	"worker",
	"wroker",
	"rank63 lost",
	"异常退出",
	"编号进程退出了吗",
	"unicron",
	"1.77",
	"x00042",
	"e",
	"re:rank(6|7)\\b",
	"re:(",
	"re:",
	"lost worekr 正常",
	"zzzzzzz",
	"wrker",
	"worker 77 lost",
};

static void expect_same_result(const struct search_result *a, const struct search_result *b)
{
	assert_int_equal(a->hits.count, b->hits.count);
	for (size_t i = 0; i < a->hits.count; i++)
		assert_memory_equal(&a->hits.items[i], &b->hits.items[i], sizeof(a->hits.items[i]));
	assert_int_equal(a->limited, b->limited);
	assert_int_equal(a->codes.count, b->codes.count);
	assert_string_equal(buf_c_string(&a->error), buf_c_string(&b->error));
}

static void expect_same_suggestions(struct search_index *sliced, struct search_index *whole,
				    const char *query, size_t work)
{
	struct str a[8], b[8];
	size_t count = search_suggest(whole, str_of(query), b, 8);

	search_suggest_begin(sliced, str_of(query));
	while (!search_suggest_step(sliced, work))
		;
	assert_int_equal(search_suggest_take(sliced, a, 8), count);
	for (size_t i = 0; i < count; i++)
		assert_true(str_equal(a[i], b[i]));
}

static void test_slices_change_nothing(void **state)
{
	struct arena arena = {0};
	struct kb many = make_many(&arena, SOME);
	struct search_index *whole = search_index_new(&many);
	struct search_result sliced_result = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
		struct search_index *sliced = search_index_begin(&many);

		while (!search_index_step(sliced, slices[i]))
			assert_false(search_index_is_whole(sliced));
		assert_true(search_index_is_whole(sliced));
		for (size_t j = 0; j < sizeof(sliced_queries) / sizeof(sliced_queries[0]); j++) {
			search_run(whole, str_of(sliced_queries[j]), &result);
			search_begin(sliced, str_of(sliced_queries[j]), &sliced_result);
			while (!search_step(sliced, &sliced_result, slices[i]))
				;
			expect_same_result(&sliced_result, &result);
			expect_same_suggestions(sliced, whole, sliced_queries[j], slices[i]);
		}
		search_index_free(sliced);
	}
	search_result_release(&sliced_result);
	search_index_free(whole);
	arena_release(&arena);
}

static void test_a_query_that_another_ends(void **state)
{
	struct arena arena = {0};
	struct kb many = make_many(&arena, SOME);
	struct search_index *index = search_index_new(&many);

	(void)state;
	for (size_t i = 0; i < sizeof(sliced_queries) / sizeof(sliced_queries[0]); i++) {
		search_begin(index, str_of(sliced_queries[i]), &result);
		search_step(index, &result, 1);
	}
	search_run(index, STR("unicorn"), &result);
	assert_int_equal(result.hits.count, 0);
	search_run(index, STR("worekr"), &result);
	assert_int_equal(result.hits.count, SOME);
	search_index_free(index);
	arena_release(&arena);
}

static void test_an_index_that_is_not_whole_answers(void **state)
{
	struct arena arena = {0};
	struct kb many = make_many(&arena, SOME);
	struct search_index *index = search_index_begin(&many);
	size_t in = 0;

	(void)state;
	search_run(index, STR("worker"), &result);
	assert_int_equal(result.hits.count, 0);
	for (bool done = false; !done;) {
		done = search_index_step(index, 50 * 1000);
		assert_true(search_index_entries(index) >= in);
		in = search_index_entries(index);
		search_run(index, STR("worker"), &result);
		assert_int_equal(result.hits.count, in);
		search_run(index, STR("wroker"), &result);
		assert_int_equal(result.hits.count, in);
	}
	assert_int_equal(in, SOME);
	search_index_free(index);
	arena_release(&arena);
}

static void test_hits_are_there_before_all_is_done(void **state)
{
	struct arena arena = {0};
	struct kb many = make_many(&arena, SOME);
	struct search_index *index = search_index_new(&many);
	size_t steps = 0, before = 0;

	(void)state;
	search_begin(index, STR("re:worker"), &result);
	for (bool done = false; !done; steps++) {
		done = search_step(index, &result, 20 * 1000);
		assert_true(result.hits.count > before);
		before = result.hits.count;
		for (uint32_t i = 0; i < before; i++)
			assert_int_equal(result.hits.items[i].entry, i);
	}
	assert_true(steps > 10);
	search_index_free(index);
	arena_release(&arena);
}

static void test_no_entries_at_all(void **state)
{
	static const struct kb nothing;
	struct search_index *index = search_index_new(&nothing);
	struct str suggestion;

	(void)state;
	search_run(index, STR("socket"), &result);
	assert_int_equal(result.hits.count, 0);
	search_run(index, STR(""), &result);
	search_run(index, STR("re:x"), &result);
	assert_int_equal(result.hits.count, 0);
	assert_int_equal(search_suggest(index, STR("socket"), &suggestion, 1), 0);
	search_index_free(index);
	search_index_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_query_is_the_tree),
		cmocka_unit_test(test_codes_as_people_type_them),
		cmocka_unit_test(test_a_code_of_no_entry_is_named),
		cmocka_unit_test(test_exact_comes_before_everything),
		cmocka_unit_test(test_field_decides_then_edge),
		cmocka_unit_test(test_every_word_must_be_found_in_any_order_and_language),
		cmocka_unit_test(test_words_together_go_before_words_scattered),
		cmocka_unit_test(test_chinese_by_substring_and_next_to_latin),
		cmocka_unit_test(test_width_and_case_are_alike),
		cmocka_unit_test(test_one_typing_error_after_exact_hits),
		cmocka_unit_test(test_a_chinese_sentence_is_taken_apart),
		cmocka_unit_test(test_one_letter_begins_a_word),
		cmocka_unit_test(test_another_number_is_another_thing),
		cmocka_unit_test(test_pattern),
		cmocka_unit_test(test_odd_queries_are_borne),
		cmocka_unit_test(test_highlight),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_a_hundred_thousand_entries),
		cmocka_unit_test(test_slices_change_nothing),
		cmocka_unit_test(test_a_query_that_another_ends),
		cmocka_unit_test(test_an_index_that_is_not_whole_answers),
		cmocka_unit_test(test_hits_are_there_before_all_is_done),
		cmocka_unit_test(test_no_entries_at_all),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

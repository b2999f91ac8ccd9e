#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/clean.h"
#include "core/framing.h"

static void check_clean(const char *raw, size_t size, const char *expected)
{
	struct buf out = {0};

	clean_add(&out, (struct str){raw, size});
	assert_string_equal(buf_c_string(&out), expected);
	buf_release(&out);
}

#define CLEAN(raw, expected) check_clean(raw, sizeof(raw) - 1, expected)

static void escapes_are_taken_away(void **state)
{
	(void)state;
	CLEAN("\033[1mld.lld: \033[0m\033[0;31merror: \033[0mundefined", "ld.lld: error: undefined");
	CLEAN("\033]8;;http://x\033\\link\033]8;;\033\\", "link");
	CLEAN("\033]0;title\atext", "text");
	CLEAN("[36m(WorkerDict pid=1)[0m text", "(WorkerDict pid=1) text");
	CLEAN("\\u001b[1;31mKeyError\\u001b[0m \\x1b[32mx\\033[K ^[[1my^[[0m", "KeyError x y");
	CLEAN("grep '^[[:space:]]' C:\\u001b \\e[x]", "grep '^[[:space:]]' C:\\u001b \\e[x]");
}

static void what_is_no_escape_stays(void **state)
{
	(void)state;
	CLEAN("[12] [10,0] x[5] [0xffm]", "[12] [10,0] x[5] [0xffm]");
	CLEAN("[module] [] [;]", "[module] [] [;]");
	CLEAN("tab\tstays", "tab\tstays");
	CLEAN("\033", "");
	CLEAN("\033[", "");
	CLEAN("\033[31", "");
}

static void line_ends_and_progress_bars(void **state)
{
	(void)state;
	CLEAN("text\r", "text");
	CLEAN("text  \r\nmore", "text\nmore");
	CLEAN(" 10%\r 50%\r100%", " 10%\n 50%\n100%");
	CLEAN("a\r\r\nb", "a\nb");
}

static void what_copying_changed_is_put_back(void **state)
{
	(void)state;
	CLEAN("named \xE2\x80\x98triton\xE2\x80\x99 \xE2\x80\x9Cx\xE2\x80\x9D", "named 'triton' \"x\"");
	CLEAN("code: \xE2\x88\x92"
	      "98",
	      "code: -98");
	CLEAN("\xC2\xA0 clang\xE2\x80\x8B++", "  clang++");
	CLEAN("&lt;http&gt; &#39;a&#39; &quot;b&quot; &amp;lt;", "<http> 'a' \"b\" &lt;");
	CLEAN("make && ./a & b &copy;", "make && ./a & b &copy;");
	CLEAN("&", "&");
	CLEAN("\xE7\xAB\xAF\xE5\x8F\xA3\xEF\xBC\x9A\xE2\x80\x94",
	      "\xE7\xAB\xAF\xE5\x8F\xA3\xEF\xBC\x9A\xE2\x80\x94");
	assert_false(clean_is_plain(STR("a &lt; b")));
	assert_true(clean_is_plain(STR("a && b &c")));
}

static void bytes_that_are_no_text(void **state)
{
	(void)state;
	CLEAN("E\0r\0r\0o\0r", "Error");
	CLEAN("bad \xff\xfe end", "bad \xEF\xBF\xBD\xEF\xBF\xBD end");
	CLEAN("\xEF\xBB\xBFmark", "mark");
	CLEAN("ab\bc", "ac");
	CLEAN("\xE4\xB8\xAD\xE6\x96\x87", "\xE4\xB8\xAD\xE6\x96\x87");
}

static void plain_text_is_left_as_it_is(void **state)
{
	(void)state;
	assert_true(clean_is_plain(STR("RuntimeError: [Errno 2]\tno")));
	assert_false(clean_is_plain(STR("\033[0m")));
	assert_false(clean_is_plain(STR("[36mtext")));
	assert_false(clean_is_plain(STR("text ")));
	assert_false(clean_is_plain(STR("a\rb")));
}

static void json_escapes_are_resolved(void **state)
{
	struct buf out = {0};

	(void)state;
	assert_true(clean_unescape(&out, STR("{\"m\":\"a\\n\\tb \\\"q\\\" \\u4e2d \\/x\"}")));
	assert_string_equal(buf_c_string(&out), "{\"m\":\"a\n\tb \"q\" \xE4\xB8\xAD /x\"}");
	buf_clear(&out);
	assert_true(clean_unescape(&out, STR("a\\\\nb\\ud83d\\ude00\\")));
	assert_string_equal(buf_c_string(&out), "a\nb\xF0\x9F\x98\x80");
	buf_clear(&out);
	assert_false(clean_unescape(&out, STR("no line end \\t here")));
	assert_int_equal(out.size, 0);
	buf_release(&out);
}

static void utf16_in_pieces(void **state)
{
	static const char bytes[] = "a\0\x2d\x4e\x3d\xd8\x00\xde\x00\xd8"
				    "b\0c";
	struct clean_utf16 utf16 = {0};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(bytes) - 1; i++)
		clean_utf16_add(&utf16, &out, bytes + i, 1);
	clean_utf16_finish(&utf16, &out);
	assert_string_equal(buf_c_string(&out), "a\xE4\xB8\xAD\xF0\x9F\x98\x80\xEF\xBF\xBD"
						"b\xEF\xBF\xBD");
	buf_release(&out);
}

/* Framing */

struct strip_case {
	const char *line, *stripped;
	int rank;
	uint64_t pid;
};

static const struct strip_case strip_cases[] = {
	{"[rank1]: RuntimeError", "RuntimeError", 1, 0},
	{"[rank1]:", "", 1, 0},
	{"[rank0]:     File \"x\"", "    File \"x\"", 0, 0},
	{"(EngineCore_DP0 pid=276) ERROR 03-18 08:08:14 [core.py:1100] text", "text", -1, 276},
	{"(Worker_TP3 pid=1526) ERROR 09-26 15:32:25 [multiproc_executor.py:654] text", "text", 3, 1526},
	{"(WorkerDict pid=77, ip=10.0.0.7) text [repeated 2x across cluster]", "text", -1, 77},
	{"0: text", "text", 0, 0},
	{"[1,3]<stderr>:text", "text", 3, 0},
	{"2026-03-02T08:00:11.123456789Z [rank2]: text", "text", 2, 0},
	{"E           text", "text", -1, 0},
	{"#14 37.2 | text", "text", -1, 0},
	{"[ERROR] HCCL(3626636,all_reduce_test):2025-11-21-13:18:47.639.860 [a.cc:1] text", "[a.cc:1] text",
	 -1, 3626636},
	{"[ERROR] 2026-02-02-20:20:02 (PID:33710, Device:0, RankID:5) ERR00100",
	 "[ERROR] 2026-02-02-20:20:02 (PID:33710, Device:0, RankID:5) ERR00100", 5, 33710},
	{"/bin/sh: 1: llvm-ar: not found", "/bin/sh: 1: llvm-ar: not found", -1, 0},
	{"train.py:12: error: x", "train.py:12: error: x", -1, 0},
	{"plain text", "plain text", -1, 0},
};

static void prefixes_are_taken_off(void **state)
{
	struct framing *framing = framing_new(*state);

	for (size_t i = 0; i < sizeof(strip_cases) / sizeof(*strip_cases); i++) {
		const struct strip_case *c = &strip_cases[i];
		struct line_head head;
		struct str stripped = framing_strip(framing, str_of(c->line), &head);

		if (!str_equal(stripped, str_of(c->stripped)))
			fail_msg("%s -> %.*s", c->line, STR_ARG(stripped));
		if (head.rank != c->rank || head.pid != c->pid)
			fail_msg("%s: rank %d, pid %lu", c->line, head.rank, (unsigned long)head.pid);
	}
	framing_free(framing);
}

static void times_are_comparable(void **state)
{
	struct framing *framing = framing_new(*state);
	struct line_head early, late;

	framing_strip(framing, STR("[PID: 2] 2026-02-27-09:15:03.771.204 x"), &early);
	framing_strip(framing, STR("2026-02-27T09:15:03.771205Z x"), &late);
	assert_int_equal(early.time_kind, TIME_FULL);
	assert_int_equal(late.time_kind, TIME_FULL);
	assert_int_equal(late.time - early.time, 1);
	framing_strip(framing, STR("[08:00:11] x"), &early);
	assert_int_equal(early.time_kind, TIME_OF_DAY);
	framing_free(framing);
}

static void talk_is_told_from_errors(void **state)
{
	static const char *const quiet[] = {"+ export A=1", "# EI0020", "hint: if it fails, set A",
					    "echo \"EI0020\"", "| EI0020 | port |"};
	static const char *const errors[] = {"RuntimeError: x", "ld.lld: error: undefined symbol: foo",
					     "CMake Error at CMakeLists.txt:3 (project):", "[ERROR] x"};
	static const char *const neither[] = {"loss: 0.1, token_error_rate: 0.2", "no errors found"};
	struct framing *framing = framing_new(*state);
	struct line_head head = {.rank = FRAMING_NO_RANK};

	for (size_t i = 0; i < sizeof(quiet) / sizeof(*quiet); i++)
		assert_true(framing_is_quiet(framing, str_of(quiet[i])));
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		assert_false(framing_is_quiet(framing, str_of(errors[i])));
		assert_true(framing_is_error(framing, str_of(errors[i]), &head));
	}
	for (size_t i = 0; i < sizeof(neither) / sizeof(*neither); i++)
		assert_false(framing_is_error(framing, str_of(neither[i]), &head));
	framing_free(framing);
}

static void every_frame_fits_its_samples(void **state)
{
	const struct kb *kb = *state;

	for (size_t i = 0; i < kb->frame_count; i++) {
		const struct frame *frame = kb->frames[i];
		const struct pack pack = {.name = STR_INIT("one"), .frames = frame, .frame_count = 1};
		const struct pack *const packs[] = {&pack};
		struct kb *one = kb_new(packs, 1);
		struct framing *framing = framing_new(one);

		for (size_t j = 0; j < frame->samples.count; j++) {
			struct str sample = frame->samples.items[j];
			struct line_head head;
			struct line_head nothing = {.rank = FRAMING_NO_RANK};
			struct framing_cursor cursor = {0};
			const struct code *code;
			struct str rest = framing_strip(framing, sample, &head);
			struct str name;
			bool fits = rest.size < sample.size || head.rank != FRAMING_NO_RANK || head.pid ||
				    head.time_kind || framing_is_error(framing, sample, &nothing) ||
				    framing_is_quiet(framing, sample) ||
				    framing_next_code(framing, sample, &cursor, &name, &code);

			if (!fits)
				fail_msg("%.*s does not fit %.*s", STR_ARG(frame->id), STR_ARG(sample));
		}
		framing_free(framing);
		kb_free(one);
	}
}

static void ranks_of_file_names(void **state)
{
	(void)state;
	assert_int_equal(framing_rank_of_path(STR("logs/attempt_0/3/stderr.log")), 3);
	assert_int_equal(framing_rank_of_path(STR("out/train_rank12.log")), 12);
	assert_int_equal(framing_rank_of_path(STR("rank_7/log.txt")), 7);
	assert_int_equal(framing_rank_of_path(STR("train.log")), FRAMING_NO_RANK);
	assert_int_equal(framing_rank_of_path(STR("ranking.txt")), FRAMING_NO_RANK);
}

int main(void)
{
	const struct pack *const packs[] = {&kb_shipped_pack};
	struct kb *kb = kb_new(packs, 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_are_taken_away),
		cmocka_unit_test(what_is_no_escape_stays),
		cmocka_unit_test(line_ends_and_progress_bars),
		cmocka_unit_test(what_copying_changed_is_put_back),
		cmocka_unit_test(bytes_that_are_no_text),
		cmocka_unit_test(plain_text_is_left_as_it_is),
		cmocka_unit_test(json_escapes_are_resolved),
		cmocka_unit_test(utf16_in_pieces),
		cmocka_unit_test_prestate(prefixes_are_taken_off, kb),
		cmocka_unit_test_prestate(times_are_comparable, kb),
		cmocka_unit_test_prestate(talk_is_told_from_errors, kb),
		cmocka_unit_test_prestate(every_frame_fits_its_samples, kb),
		cmocka_unit_test(ranks_of_file_names),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	kb_free(kb);
	return failed;
}

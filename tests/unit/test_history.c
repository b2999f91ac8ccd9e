#include "test.h"

#include "base/utf8.h"
#include "core/history.h"

#include <string.h>

static void add(struct buf *out, uint64_t when_s, enum history_kind kind, const char *id,
		enum probe_state result, struct str text)
{
	struct history_event event = {when_s, kind, str_of(id), result, text};

	history_add_line(&event, out);
}

static void test_what_is_written_is_read(void **state)
{
	static const struct str texts[] = {
		STR_INIT("export A=\"1\""),    STR_INIT("a\nb\\x0a\tc"), STR_INIT(""),
		STR_INIT("端口 \xff\x1b[31m"), STR_INIT("\\"),           STR_INIT("\\x4")};
	struct history_log log = {0};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(&out, 100 + i, HISTORY_CHECKED, "1.6", PROBE_FAIL, texts[i]);
	add(&out, 200, HISTORY_LOOKED, "", PROBE_OK, STR("a b"));
	history_read(&log, buf_str(&out));
	assert_int_equal(log.list.count, 7);
	for (size_t i = 0; i < 6; i++) {
		const struct history_event *event = &log.list.items[i];

		assert_int_equal(event->when_s, 100 + i);
		assert_int_equal(event->kind, HISTORY_CHECKED);
		assert_int_equal(event->result, PROBE_FAIL);
		assert_true(str_equal(event->entry, STR("1.6")));
		assert_true(str_equal(event->text, texts[i]));
	}
	assert_int_equal(log.list.items[6].entry.size, 0);
	/* Nothing in the file can move the cursor of a terminal or end a line. */
	for (size_t i = 0; i < out.size; i++)
		assert_true((unsigned char)out.data[i] >= ' ' || out.data[i] == '\n');
	history_release(&log);
	buf_release(&out);
}

static void test_long_texts_are_cut_at_a_character(void **state)
{
	struct history_log log = {0};
	struct buf out = {0}, text = {0};

	(void)state;
	for (int i = 0; i < 200; i++)
		buf_add(&text, STR("端"));
	add(&out, 1, HISTORY_COPIED, "1.6", PROBE_OK, buf_str(&text));
	history_read(&log, buf_str(&out));
	assert_int_equal(log.list.count, 1);
	assert_true(log.list.items[0].text.size <= HISTORY_TEXT + 3);
	assert_true(utf8_is_valid(log.list.items[0].text));
	assert_true(str_ends(log.list.items[0].text, STR("…")));
	history_release(&log);
	buf_release(&out);
	buf_release(&text);
}

/* A write that was cut off anywhere leaves the events before it, and never half of one. */
static void test_a_cut_file_keeps_its_whole_events(void **state)
{
	struct buf out = {0};

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		add(&out, i, HISTORY_COPIED, "1.6", PROBE_OK, STR("npu-smi info"));
	for (size_t size = 0; size <= out.size; size++) {
		struct history_log log = {0};

		history_read(&log, str_slice(buf_str(&out), 0, size));
		assert_int_equal(log.list.count, size / (out.size / 3));
		for (size_t i = 0; i < log.list.count; i++)
			assert_true(str_equal(log.list.items[i].text, STR("npu-smi info")));
		history_release(&log);
	}
	buf_release(&out);
}

static void test_garbage_does_no_harm(void **state)
{
	struct history_log log = {0};

	(void)state;
	history_read(
		&log,
		STR("\nh1\nh1 \nh1 1\nh1 1 copied\nh1 1 copied -\nh1 x copied - 1.6 t\nh1 1 danced - 1.6 t\n"
		    "h1 1 checked happy 1.6 t\nh2 1 copied - 1.6 t\n\xff\xff\nh1 1 copied - 1.6 good\n"));
	assert_int_equal(log.list.count, 1);
	assert_true(str_equal(log.list.items[0].text, STR("good")));
	history_release(&log);
}

static void test_it_is_bounded(void **state)
{
	struct history_log log = {0};
	struct buf out = {0};
	struct str kept;

	(void)state;
	for (uint64_t i = 0; i < HISTORY_MOST + 50; i++)
		add(&out, i, HISTORY_LOOKED, "1.6", PROBE_OK, (struct str){0});
	history_read(&log, buf_str(&out));
	assert_int_equal(log.list.count, HISTORY_MOST);
	assert_int_equal(log.list.items[0].when_s, 50);
	assert_int_equal(log.list.items[HISTORY_MOST - 1].when_s, HISTORY_MOST + 49);
	history_release(&log);
	kept = history_compact(buf_str(&out));
	history_read(&log, kept);
	assert_int_equal(log.list.count, HISTORY_MOST);
	history_release(&log);
	/* Long lines: the size counts. */
	buf_clear(&out);
	while (out.size < 2 * HISTORY_FILE_LIMIT)
		add(&out, 1, HISTORY_COPIED, "1.6", PROBE_OK,
		    STR("0123456789012345678901234567890123456789012345678901234567890123456789"
			"0123456789012345678901234567890123456789012345678901234567890123456789"));
	buf_add(&out, STR("h1 half"));
	kept = history_compact(buf_str(&out));
	assert_true(kept.size < HISTORY_FILE_LIMIT);
	assert_true(kept.size > HISTORY_FILE_LIMIT / 2);
	assert_true(str_starts(kept, STR("h1 1 copied")));
	assert_true(str_ends(kept, STR("\n")));
	buf_release(&out);
}

static void test_times(void **state)
{
	static const struct {
		uint64_t when_s;
		int64_t zone_s;
		const char *text;
	} cases[] = {
		{0, 0, "1970-01-01 00:00:00"},
		{951782400, 0, "2000-02-29 00:00:00"},
		{1796100790, 0, "2026-12-01 04:53:10"},
		{1796100790, 8 * 3600, "2026-12-01 12:53:10"},
		{1796100790, -5 * 3600, "2026-11-30 23:53:10"},
		{5, -3600, "1970-01-01 00:00:05"},
		{UINT64_MAX, 0, "9999-12-31 23:59:59"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_clear(&out);
		history_add_time(cases[i].when_s, cases[i].zone_s, &out);
		assert_string_equal(buf_c_string(&out), cases[i].text);
	}
	buf_release(&out);
}

static void test_report(void **state)
{
	struct history_log log = {0};
	struct buf out = {0}, report = {0};

	(void)state;
	add(&out, 0, HISTORY_COPIED, "1.6", PROBE_OK, STR("a\nb\x1b[2J"));
	add(&out, 1, HISTORY_LOOKED, "1.2", PROBE_OK, (struct str){0});
	add(&out, 2, HISTORY_CHECKED, "1.6", PROBE_FAIL, STR("port-29500: busy"));
	history_read(&log, buf_str(&out));
	history_add_report(&log, STR("1.6"), 0, LANG_EN, &report);
	assert_string_equal(buf_c_string(&report),
			    "- 1970-01-01 00:00:00  1.6  copied: a; b\xef\xbf\xbd[2J\n"
			    "- 1970-01-01 00:00:02  1.6  checked [fail]: port-29500: busy\n");
	buf_clear(&report);
	history_add_report(&log, (struct str){0}, 0, LANG_ZH, &report);
	assert_non_null(strstr(buf_c_string(&report), "1.2  查看\n"));
	history_release(&log);
	buf_release(&out);
	buf_release(&report);
}

/* Done in the last time, or for an entry that is asked for; of many the newest. */
static void test_tried(void **state)
{
	const struct str entries[] = {STR("1.6")};
	struct history_log log = {0};
	struct buf out = {0}, tried = {0};
	size_t lines = 0;

	(void)state;
	add(&out, 10, HISTORY_COPIED, "1.6", PROBE_OK, STR("old, wanted"));
	add(&out, 20, HISTORY_COPIED, "1.2", PROBE_OK, STR("old, other"));
	add(&out, 100, HISTORY_LOOKED, "1.6", PROBE_OK, STR(""));
	add(&out, 110, HISTORY_SKIPPED, "1.2", PROBE_OK, STR("new, other"));
	history_read(&log, buf_str(&out));
	history_add_tried(&log, 90, entries, 1, 0, LANG_EN, &tried);
	assert_string_equal(buf_c_string(&tried), "- 1970-01-01 00:00:10  1.6  copied: old, wanted\n"
						  "- 1970-01-01 00:01:50  1.2  skipped: new, other\n");
	history_release(&log);
	buf_clear(&out);
	buf_clear(&tried);
	for (uint64_t i = 0; i < 2 * HISTORY_TRIED; i++)
		add(&out, i, HISTORY_COPIED, "1.6", PROBE_OK, STR("x"));
	history_read(&log, buf_str(&out));
	history_add_tried(&log, 0, NULL, 0, 0, LANG_EN, &tried);
	for (size_t i = 0; i < tried.size; i++)
		lines += tried.data[i] == '\n';
	assert_int_equal(lines, HISTORY_TRIED);
	assert_null(strstr(buf_c_string(&tried), "00:00:05"));
	history_release(&log);
	buf_release(&out);
	buf_release(&tried);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_is_read),
		cmocka_unit_test(test_long_texts_are_cut_at_a_character),
		cmocka_unit_test(test_a_cut_file_keeps_its_whole_events),
		cmocka_unit_test(test_garbage_does_no_harm),
		cmocka_unit_test(test_it_is_bounded),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

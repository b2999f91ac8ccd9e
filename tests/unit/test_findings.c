#include "test.h"

#include "core/findings.h"
#include "sample_kb.h"

#include <string.h>

/* A diagnosis with something of everything. */
static const struct evidence evidence[] = {
	{.signature = 0,
	 .input = 1,
	 .line = 90,
	 .offset = 1 << 20,
	 .rank = 3,
	 .head = {.rank = 3, .time = 20, .time_kind = TIME_OF_DAY},
	 .text = STR_INIT("address already in use on port 29500")},
	{.signature = 0,
	 .input = 0,
	 .line = UINT64_MAX,
	 .offset = UINT64_MAX,
	 .rank = FRAMING_NO_RANK,
	 .head = {.rank = FRAMING_NO_RANK, .time = 10, .time_kind = TIME_OF_DAY, .level = LEVEL_ERROR},
	 .text = STR_INIT("any \0 bytes \xFF"),
	 .around = STR_INIT("one\n two\r\nany bytes\n\nlast"),
	 .around_line = 10},
};
static const int32_t ranks[] = {0, 1, 3, 4, 5, 6, 9};
static const struct capture captures[] = {
	{.name = STR_INIT("PORT"), .value = STR_INIT("29500"), .evidence = 1},
	{.name = STR_INIT("CANN_ROOT"), .value = STR_INIT("/no"), .evidence = 0, .absent = true},
};
static const struct str codes[] = {STR_INIT("EI0020")};
static const struct input inputs[] = {{.name = STR_INIT("a.log"), .bytes = 5, .lines = 1},
				      {.name = STR_INIT("b.log"), .utf16 = true, .long_lines = 2}};

struct kept {
	struct kb *kb;
	struct match match;
	struct code_met code;
	struct unmatched unmatched;
	struct limit_hit limit;
	struct diagnosis diagnosis;
	struct buf bytes;
};

static void begin(struct kept *sample)
{
	memset(sample, 0, sizeof(*sample));
	sample->kb = sample_kb_new();
	sample->match = (struct match){.entry = kb_entry(sample->kb, STR("1.1")),
				       .score = 0.92,
				       .certain = true,
				       .root = true,
				       .cause = DIAGNOSE_NONE,
				       .count = 7,
				       .evidence = evidence,
				       .evidence_count = 2,
				       .ranks = ranks,
				       .rank_count = 7,
				       .captures = captures,
				       .capture_count = 2,
				       .codes = codes,
				       .code_count = 1};
	sample->code = (struct code_met){STR("EI0020"), kb_code(sample->kb, STR("EI0020")), 2, evidence[0]};
	sample->unmatched = (struct unmatched){3, evidence[1]};
	sample->limit = (struct limit_hit){0, evidence[0]};
	sample->diagnosis = (struct diagnosis){.matches = &sample->match,
					       .match_count = 1,
					       .codes = &sample->code,
					       .code_count = 1,
					       .unmatched = &sample->unmatched,
					       .unmatched_count = 1,
					       .unmatched_more = 12,
					       .inputs = inputs,
					       .input_count = 2,
					       .limits = &sample->limit,
					       .limit_count = 1};
	findings_write(sample->kb, &sample->diagnosis, &sample->bytes);
}

static void end(struct kept *sample)
{
	buf_release(&sample->bytes);
	kb_free(sample->kb);
}

static void same_evidence(const struct evidence *a, const struct evidence *b)
{
	assert_true(a->signature == b->signature && a->input == b->input && a->line == b->line);
	assert_true(a->offset == b->offset && a->rank == b->rank && a->head.time == b->head.time);
	assert_true(a->head.time_kind == b->head.time_kind && a->head.level == b->head.level);
	assert_true(str_equal(a->text, b->text));
	assert_true(str_equal(a->around, b->around));
	assert_int_equal(a->around_line, b->around_line);
}

static void a_copy_is_the_same(void **state)
{
	struct kept sample;
	struct findings findings;
	const struct diagnosis *copy = &findings.diagnosis;
	const struct match *match;

	(void)state;
	begin(&sample);
	assert_true(findings_read(sample.kb, buf_str(&sample.bytes), &findings));
	assert_int_equal(copy->match_count, 1);
	match = &copy->matches[0];
	assert_ptr_equal(match->entry, sample.match.entry);
	assert_true(match->certain && match->root && match->cause == DIAGNOSE_NONE && match->count == 7);
	assert_int_equal(match->evidence_count, 2);
	same_evidence(&match->evidence[0], &evidence[0]);
	same_evidence(&match->evidence[1], &evidence[1]);
	assert_memory_equal(match->ranks, ranks, sizeof(ranks));
	assert_true(str_equal(match->captures[0].value, STR("29500")) && !match->captures[0].absent);
	assert_true(match->captures[0].evidence == 1 && match->captures[1].absent);
	assert_true(str_equal(match->codes[0], STR("EI0020")));
	assert_ptr_equal(copy->codes[0].code, sample.code.code);
	same_evidence(&copy->codes[0].first, &evidence[0]);
	assert_int_equal(copy->unmatched[0].count, 3);
	assert_int_equal(copy->unmatched_more, 12);
	assert_true(copy->inputs[1].utf16 && str_equal(copy->inputs[0].name, STR("a.log")));
	same_evidence(&copy->limits[0].at, &evidence[0]);
	findings_release(&findings);
	end(&sample);
}

/* What a process that was killed has written, or bytes from elsewhere. */
static void broken_bytes_are_refused(void **state)
{
	struct kept sample;
	struct findings findings;
	struct str whole;

	(void)state;
	begin(&sample);
	whole = buf_str(&sample.bytes);
	for (size_t size = 0; size < whole.size; size++)
		assert_false(findings_read(sample.kb, str_slice(whole, 0, size), &findings));
	buf_add_byte(&sample.bytes, 0);
	assert_false(findings_read(sample.kb, buf_str(&sample.bytes), &findings));
	buf_truncate(&sample.bytes, sample.bytes.size - 1);
	/* Any byte wrong: refused, or another sound diagnosis; never a crash. */
	for (size_t i = 0; i < sample.bytes.size; i++) {
		sample.bytes.data[i] = (char)(sample.bytes.data[i] ^ 0x81);
		if (findings_read(sample.kb, buf_str(&sample.bytes), &findings))
			findings_release(&findings);
		sample.bytes.data[i] = (char)(sample.bytes.data[i] ^ 0x81);
	}
	end(&sample);
}

static void the_first_is_by_time_else_by_place(void **state)
{
	struct evidence places[] = {
		{.input = 1, .offset = 5}, {.input = 0, .offset = 9}, {.input = 0, .offset = 7}};
	struct match match = {.evidence = evidence, .evidence_count = 2};

	(void)state;
	assert_int_equal(findings_first(&match), 1);
	match = (struct match){.evidence = places, .evidence_count = 3};
	assert_int_equal(findings_first(&match), 2);
}

static void the_lines_around_come_one_by_one(void **state)
{
	struct around_cursor before = {0}, after = {0};
	struct evidence piece = evidence[1];
	struct buf shown = {0};
	struct str line;

	(void)state;
	assert_true(findings_next_around(&piece, true, &before, &line));
	findings_add_shown(&shown, line);
	assert_true(str_equal(buf_str(&shown), STR(" two")));
	assert_true(findings_next_around(&piece, true, &before, &line));
	assert_true(str_equal(line, STR("one")));
	assert_false(findings_next_around(&piece, true, &before, &line));
	assert_true(findings_next_around(&piece, false, &after, &line));
	assert_true(str_equal(line, STR("")));
	assert_true(findings_next_around(&piece, false, &after, &line));
	assert_true(str_equal(line, STR("last")));
	assert_false(findings_next_around(&piece, false, &after, &line));
	piece.around = (struct str){0};
	piece.around_line = 0;
	before = after = (struct around_cursor){0};
	assert_false(findings_next_around(&piece, true, &before, &line));
	assert_false(findings_next_around(&piece, false, &after, &line));
	buf_release(&shown);
}

static void ranks_are_told_in_ranges(void **state)
{
	struct match match = {.ranks = ranks, .rank_count = 7};
	struct buf text = {0};

	(void)state;
	findings_add_ranks(&text, &match, 9);
	assert_string_equal(buf_c_string(&text), "0,1,3-6,9");
	buf_clear(&text);
	findings_add_ranks(&text, &match, 1);
	assert_string_equal(buf_c_string(&text), "0,1,… (7)");
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_is_the_same),
		cmocka_unit_test(broken_bytes_are_refused),
		cmocka_unit_test(the_first_is_by_time_else_by_place),
		cmocka_unit_test(the_lines_around_come_one_by_one),
		cmocka_unit_test(ranks_are_told_in_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

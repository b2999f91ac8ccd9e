#include "test.h"

#include "core/guide.h"

#include <string.h>

/* Two solutions; the first has a step twice, and shares one with the second. */
static struct step first_steps[] = {
	{.say = {{STR_INIT("看"), STR_INIT("look")}}, .run = STR_INIT("npu-smi info")},
	{.say = {{STR_INIT("设"), STR_INIT("set")}}, .run = STR_INIT("export A=1"), .verify = STR_INIT("a")},
	{.say = {{STR_INIT("设"), STR_INIT("set")}}, .run = STR_INIT("export A=1"), .verify = STR_INIT("a")},
};
static struct step second_steps[] = {
	{.say = {{STR_INIT("看"), STR_INIT("look")}}, .run = STR_INIT("npu-smi info")},
	{.say = {{STR_INIT("写"), STR_INIT("write")}}, .run = STR_INIT("touch x")},
};
static const struct solution solutions[] = {
	{.title = {{STR_INIT("一"), STR_INIT("one")}}, .steps = first_steps, .step_count = 3},
	{.title = {{STR_INIT("二"), STR_INIT("two")}}, .steps = second_steps, .step_count = 2},
};
static const struct entry entry = {.id = STR_INIT("1.6"), .solutions = solutions, .solution_count = 2};
static const struct entry single = {.id = STR_INIT("1.1"), .solutions = solutions, .solution_count = 1};

struct fixture {
	struct guide_memory *memory;
	struct guide guide;
};

static struct fixture begin(const char *text)
{
	struct fixture fixture = {.memory = guide_memory_new()};

	guide_memory_read(fixture.memory, str_of(text));
	guide_open(&fixture.guide, fixture.memory, &entry);
	return fixture;
}

/* Written out and read in again, as by the next session. */
static void reopen(struct fixture *fixture)
{
	struct buf text = {0};

	guide_memory_write(fixture->memory, &text);
	guide_memory_free(fixture->memory);
	*fixture = begin(buf_c_string(&text));
	buf_release(&text);
}

static void test_a_solution_is_chosen_and_gone_through(void **state)
{
	struct fixture fixture = begin("");
	struct guide *guide = &fixture.guide;

	(void)state;
	assert_null(guide_solution(guide));
	assert_null(guide_step(guide));
	guide_choose(guide, 0, 1);
	assert_ptr_equal(guide_step(guide), &first_steps[0]);
	guide_set(guide, GUIDE_CONFIRMED, 2); /* by hand: goes on */
	assert_int_equal(guide->step, 1);
	guide_set(guide, GUIDE_FAILED, 3); /* by a check: stays, so that it can be read */
	assert_int_equal(guide->step, 1);
	guide_set(guide, GUIDE_DONE, 4);
	assert_int_equal(guide->step, 1);
	guide_go(guide, 2, 5);
	assert_int_equal(guide_step_state(guide, 2),
			 GUIDE_TODO); /* the same command once more is its own step */
	guide_set(guide, GUIDE_SKIPPED, 6);
	assert_int_equal(guide->step, 3);
	assert_null(guide_step(guide));
	guide_set(guide, GUIDE_DONE, 7); /* at the end there is nothing to set */
	guide_go(guide, 99, 8);
	assert_int_equal(guide->step, 3);
	assert_int_equal(guide_finished(guide, 0), 3);
	assert_int_equal(guide_finished(guide, 1), 1); /* the step that both have */
	guide_memory_free(fixture.memory);
}

static void test_it_goes_on_where_it_was_left(void **state)
{
	struct fixture fixture = begin("");

	(void)state;
	guide_choose(&fixture.guide, 1, 1);
	guide_set(&fixture.guide, GUIDE_CONFIRMED, 2);
	guide_set(&fixture.guide, GUIDE_FAILED, 3);
	reopen(&fixture);
	assert_int_equal(fixture.guide.solution, 1);
	assert_int_equal(fixture.guide.step, 1);
	assert_int_equal(guide_step_state(&fixture.guide, 0), GUIDE_CONFIRMED);
	assert_int_equal(guide_step_state(&fixture.guide, 1), GUIDE_FAILED);
	guide_restart(&fixture.guide, 4);
	reopen(&fixture);
	assert_int_equal(fixture.guide.step, 0);
	assert_int_equal(guide_finished(&fixture.guide, 1), 0);
	guide_memory_free(fixture.memory);
}

static void test_an_only_solution_needs_no_choice(void **state)
{
	struct fixture fixture = begin("");

	(void)state;
	guide_open(&fixture.guide, fixture.memory, &single);
	assert_int_equal(fixture.guide.solution, 0);
	guide_memory_free(fixture.memory);
}

/* A pack with other steps before, between and behind: what is the same keeps its state. */
static void test_steps_are_known_by_content(void **state)
{
	struct step changed[4] = {second_steps[1], first_steps[1], first_steps[0], first_steps[1]};
	struct solution solution = solutions[0];
	struct entry other = entry;
	struct fixture fixture = begin("");

	(void)state;
	guide_choose(&fixture.guide, 0, 1);
	guide_set(&fixture.guide, GUIDE_CONFIRMED, 2);
	guide_set(&fixture.guide, GUIDE_DONE, 3);
	solution.steps = changed;
	solution.step_count = 4;
	other.solutions = &solution;
	other.solution_count = 1;
	guide_open(&fixture.guide, fixture.memory, &other);
	assert_int_equal(guide_step_state(&fixture.guide, 0), GUIDE_TODO);
	assert_int_equal(guide_step_state(&fixture.guide, 1), GUIDE_DONE);
	assert_int_equal(guide_step_state(&fixture.guide, 2), GUIDE_CONFIRMED);
	assert_int_equal(guide_step_state(&fixture.guide, 3), GUIDE_TODO);
	assert_int_equal(fixture.guide.step, 1); /* where it stood: the step, not the number */
	changed[1].run = STR("export A=2");
	guide_open(&fixture.guide, fixture.memory, &other);
	assert_int_equal(guide_step_state(&fixture.guide, 1), GUIDE_TODO);
	guide_memory_free(fixture.memory);
}

static void test_two_sessions_lose_nothing(void **state)
{
	struct fixture one = begin(""), two = begin("");
	struct buf text = {0};

	(void)state;
	guide_choose(&one.guide, 0, 10);
	guide_set(&one.guide, GUIDE_CONFIRMED, 11);
	guide_choose(&two.guide, 1, 12);
	guide_go(&two.guide, 1, 13);
	guide_set(&two.guide, GUIDE_FAILED, 14);
	guide_memory_write(one.memory, &text);         /* one saves */
	guide_memory_read(two.memory, buf_str(&text)); /* two reads, merges, saves */
	buf_clear(&text);
	guide_memory_write(two.memory, &text);
	guide_memory_read(one.memory, buf_str(&text));
	assert_int_equal(guide_step_state(&one.guide, 0), GUIDE_CONFIRMED);
	guide_choose(&one.guide, 1, 20);
	assert_int_equal(guide_step_state(&one.guide, 1), GUIDE_FAILED);
	/* What is older does not come back. */
	guide_go(&one.guide, 1, 21);
	guide_set(&one.guide, GUIDE_DONE, 22);
	guide_memory_read(one.memory, buf_str(&text));
	assert_int_equal(guide_step_state(&one.guide, 1), GUIDE_DONE);
	guide_memory_free(one.memory);
	guide_memory_free(two.memory);
	buf_release(&text);
}

static void test_garbage_does_no_harm(void **state)
{
	static const char *const texts[] = {
		"",
		"ascend-faq guide 2\nstep 1.6 1 done 1\n",
		"ascend-faq guide 1",
		"ascend-faq guide 1\nstep\nstep 1.6\nstep 1.6 xyz done 1\nstep 1.6 1 dancing 1\nstep 1.6 1 "
		"done x\n"
		"step 1.6 11111111111111111111 done 1\nplace 1.6 1 1 waiting\nplace  1 1 - 1\nplace 1.6 g 1 "
		"- 1\n",
		("ascend-faq guide 1\nplace 1.6 ffffffffffffffff ffffffffffffffff waiting "
		 "18446744073709551615\n"),
		"\xff\xfe\n\n\n \n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fixture fixture = begin(texts[i]);

		assert_int_equal(fixture.guide.solution, GUIDE_NONE);
		guide_choose(&fixture.guide, 0, 5);
		assert_int_equal(fixture.guide.step, 0);
		assert_int_equal(guide_finished(&fixture.guide, 0), 0);
		guide_memory_free(fixture.memory);
	}
}

static void test_a_cut_text_keeps_its_whole_lines(void **state)
{
	struct fixture fixture = begin("");
	struct buf text = {0};

	(void)state;
	guide_choose(&fixture.guide, 0, 1);
	guide_set(&fixture.guide, GUIDE_CONFIRMED, 2);
	guide_set(&fixture.guide, GUIDE_DONE, 3);
	guide_memory_write(fixture.memory, &text);
	guide_memory_free(fixture.memory);
	for (size_t size = 0; size < text.size; size++) {
		fixture.memory = guide_memory_new();
		guide_memory_read(fixture.memory, str_slice(buf_str(&text), 0, size));
		guide_open(&fixture.guide, fixture.memory, &entry);
		assert_in_range(guide_finished(&fixture.guide, 0), 0, 2);
		guide_memory_free(fixture.memory);
	}
	buf_release(&text);
}

static void test_the_memory_is_bounded(void **state)
{
	struct buf text = {0}, out = {0};
	struct guide_memory *memory = guide_memory_new();
	size_t lines = 0;

	(void)state;
	buf_add(&text, STR("ascend-faq guide 1\n"));
	for (unsigned i = 0; i < GUIDE_MEMORY_MOST + 500; i++)
		buf_add_format(&text, "step 1.6 %x done %u\n", i + 1, i + 1);
	guide_memory_read(memory, buf_str(&text));
	guide_memory_write(memory, &out);
	for (size_t i = 0; i < out.size; i++)
		lines += out.data[i] == '\n';
	assert_int_equal(lines, GUIDE_MEMORY_MOST + 1);
	assert_null(strstr(buf_c_string(&out), " done 500\n"));
	assert_non_null(strstr(buf_c_string(&out), " done 501\n"));
	guide_memory_free(memory);
	buf_release(&text);
	buf_release(&out);
}

static void test_the_last_one_and_the_one_that_waits(void **state)
{
	struct kb *kb;
	struct entry copies[2] = {single, entry};
	struct pack pack = {.name = STR("test"), .entries = copies, .entry_count = 2};
	const struct pack *packs[] = {&pack};
	struct fixture fixture = begin("");

	(void)state;
	kb = kb_new(packs, 1);
	assert_null(guide_memory_last(fixture.memory, kb, false));
	guide_choose(&fixture.guide, 0, 1);
	guide_wait(&fixture.guide, true, 2);
	guide_open(&fixture.guide, fixture.memory, &single);
	guide_go(&fixture.guide, 1, 3);
	assert_string_equal(guide_memory_last(fixture.memory, kb, false)->id.data, "1.1");
	assert_string_equal(guide_memory_last(fixture.memory, kb, true)->id.data, "1.6");
	guide_open(&fixture.guide, fixture.memory, &entry);
	guide_wait(&fixture.guide, false, 4);
	assert_null(guide_memory_last(fixture.memory, kb, true));
	guide_memory_free(fixture.memory);
	kb_free(kb);
}

static void test_only_what_is_well_is_done(void **state)
{
	struct step step = {.run = STR("export A=1"), .effect = STEP_SHELL};

	(void)state;
	assert_int_equal(guide_judge(&step, PROBE_OK), GUIDE_DONE);
	assert_int_equal(guide_judge(&step, PROBE_WARN), GUIDE_FAILED);
	assert_int_equal(guide_judge(&step, PROBE_FAIL), GUIDE_FAILED);
	assert_int_equal(guide_judge(&step, PROBE_UNKNOWN), GUIDE_TODO);
	assert_int_equal(guide_judge(&step, PROBE_UNTRUSTED), GUIDE_TODO);
	/* It was to be brought about, and is not there; a step that only looks cannot be blamed. */
	assert_int_equal(guide_judge(&step, PROBE_ABSENT), GUIDE_FAILED);
	step.effect = STEP_READ;
	assert_int_equal(guide_judge(&step, PROBE_ABSENT), GUIDE_TODO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_solution_is_chosen_and_gone_through),
		cmocka_unit_test(test_it_goes_on_where_it_was_left),
		cmocka_unit_test(test_an_only_solution_needs_no_choice),
		cmocka_unit_test(test_steps_are_known_by_content),
		cmocka_unit_test(test_two_sessions_lose_nothing),
		cmocka_unit_test(test_garbage_does_no_harm),
		cmocka_unit_test(test_a_cut_text_keeps_its_whole_lines),
		cmocka_unit_test(test_the_memory_is_bounded),
		cmocka_unit_test(test_the_last_one_and_the_one_that_waits),
		cmocka_unit_test(test_only_what_is_well_is_done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Search in many entries: what takes long is done in slices, at ticks, and the keys between them are
 * answered. */
#include "test.h"

#include "session_support.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 30000, SECTION = 1000, MOST_TICKS = 5000 };

static struct arena arena;
static struct pack pack;
static struct fixture fixture;

static struct str format(const char *text, int number)
{
	char made[128];

	snprintf(made, sizeof(made), text, number);
	return arena_copy(&arena, str_of(made));
}

static int make_pack(void **state)
{
	struct entry *entries = arena_take_array(&arena, MANY, sizeof(*entries));
	struct section *sections = arena_take_array(&arena, 1, sizeof(*sections));

	(void)state;
	sections[0] = (struct section){.id = STR("run"), .title = {{STR("运行"), STR("Run time")}}};
	for (int i = 0; i < MANY; i++) {
		entries[i].id = format("1.%d", i + 1);
		entries[i].section = STR("run");
		entries[i].title.in[LANG_EN] = format("Worker %d was lost", i + 1);
		entries[i].title.in[LANG_ZH] = format("进程 %d 退出", i + 1);
		entries[i].problem.in[LANG_EN] = format("The worker of rank%d ended by itself", i % 64);
	}
	pack = (struct pack){.name = STR("many"),
			     .sections = sections,
			     .section_count = 1,
			     .entries = entries,
			     .entry_count = MANY};
	return 0;
}

static int drop_pack(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static int set_up(void **state)
{
	const struct pack *packs[] = {&pack};
	struct session_options options = {.lang = LANG_EN};

	(void)state;
	fixture = (struct fixture){.kb = kb_new(packs, 1)};
	fixture.session = session_new(fixture.kb, &options, 30, 100);
	fixture.canvas = canvas_new(30, 100);
	fixture_start(&fixture);
	fixture_screen(&fixture);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fixture_end(&fixture);
	return 0;
}

/* One tick, if the session wants one now; it takes no time. */
static bool tick(void)
{
	struct event event = {.kind = EVENT_TICK, .now_ms = fixture.now_ms};

	if (session_next_tick(fixture.session) > fixture.now_ms)
		return false;
	session_handle(fixture.session, &event, &fixture.effects);
	return true;
}

static int finish(void)
{
	int ticks = 0;

	while (tick())
		assert_true(++ticks < MOST_TICKS);
	return ticks;
}

static void test_the_index_is_made_in_slices_and_then_rests(void **state)
{
	(void)state;
	assert_true(finish() > 5);
	assert_true(session_next_tick(fixture.session) == UINT64_MAX);
	fixture_type(&fixture, "/");
	fixture_sees(&fixture, "30000 of 30000");
	fixture_misses(&fixture, "indexing");
}

static void test_a_search_before_the_index_is_whole_is_repeated(void **state)
{
	(void)state;
	fixture_type(&fixture, "/rank7 ");
	fixture_sees(&fixture, "indexing");
	fixture_misses(&fixture, "No entry holds");
	finish();
	fixture_misses(&fixture, "indexing");
	fixture_sees(&fixture, "469 of 30000");
	fixture_sees(&fixture, "1.8 Worker 8 was lost");
}

static void test_where_the_reader_went_stays_selected(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(tick());
	fixture_type(&fixture, "/worker lost");
	tick();
	fixture_key(&fixture, KEY_DOWN_);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_sees(&fixture, "Worker 3 was lost");
	finish();
	fixture_sees(&fixture, "30000 of 30000");
	fixture_sees(&fixture, "3/30000");
	fixture_key(&fixture, KEY_ENTER_);
	fixture_sees(&fixture, "1.3  Worker 3 was lost");
}

static void test_a_pattern_is_matched_over_ticks(void **state)
{
	(void)state;
	finish();
	fixture_type(&fixture, "/re:Worker 2999[0-9]");
	assert_true(finish() > 0);
	fixture_sees(&fixture, "10 of 30000");
	fixture_sees(&fixture, "Worker 29995 was lost");
	/* Done: nothing more is to be done until the next key. */
	assert_true(session_next_tick(fixture.session) == UINT64_MAX);
}

static void test_nothing_found_is_said_when_it_is_known(void **state)
{
	(void)state;
	fixture_type(&fixture, "/wroekr zzzzz");
	finish();
	fixture_sees(&fixture, "No entry holds");
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_type(&fixture, "/re:nowhere at all");
	fixture_misses(&fixture, "No entry holds");
	finish();
	fixture_sees(&fixture, "No entry holds");
}

static void test_a_typing_error_is_answered_with_suggestions(void **state)
{
	(void)state;
	finish();
	fixture_type(&fixture, "/rnak6x");
	finish();
	fixture_sees(&fixture, "Did you mean");
}

static void test_slow_machines_get_smaller_slices(void **state)
{
	int fast = finish(), slow = 0;

	tear_down(state);
	set_up(state);
	while (tick()) {
		fixture.now_ms += 50;
		assert_true(++slow < MOST_TICKS);
	}
	assert_true(slow > 3 * fast);
}

static void test_leaving_the_search_leaves_its_work(void **state)
{
	(void)state;
	finish();
	fixture_type(&fixture, "/re:Worker");
	fixture_key(&fixture, KEY_ESCAPE_);
	assert_true(session_next_tick(fixture.session) == UINT64_MAX);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_the_index_is_made_in_slices_and_then_rests),
		TEST(test_a_search_before_the_index_is_whole_is_repeated),
		TEST(test_where_the_reader_went_stays_selected),
		TEST(test_a_pattern_is_matched_over_ticks),
		TEST(test_nothing_found_is_said_when_it_is_known),
		TEST(test_a_typing_error_is_answered_with_suggestions),
		TEST(test_slow_machines_get_smaller_slices),
		TEST(test_leaving_the_search_leaves_its_work),
	};

	return cmocka_run_group_tests(tests, make_pack, drop_pack);
}

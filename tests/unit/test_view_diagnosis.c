/* The diagnosis in the browser, through events and the screen. */
#include "test.h"

#include "core/findings.h"
#include "session_support.h"

#include <string.h>

/* Which of the samples below are in the diagnosis. */
enum { SECOND_MATCH = 1, CODE_AND_UNKNOWN = 2 };

static const struct evidence port_lines[] = {
	{.line = 41, .offset = 1000, .rank = 3, .text = STR_INIT("address already in use on port 29777")},
	{.line = 90,
	 .offset = 9000,
	 .rank = 5,
	 .text = STR_INIT("address already in use on port 29777 again")},
};
static const struct evidence other_lines[] = {
	{.line = 60, .offset = 4000, .rank = FRAMING_NO_RANK, .text = STR_INIT("the card is lost")},
};
static const int32_t port_ranks[] = {3, 5};
static const struct capture port_captures[] = {
	{.name = STR_INIT("MASTER_PORT"), .value = STR_INIT("29777"), .evidence = 0},
	{.name = STR_INIT("SCRIPT"), .value = STR_INIT("/gone.py"), .evidence = 0, .absent = true},
};

static void send_news(struct fixture *fixture, enum event_kind kind, unsigned what, uint64_t bytes)
{
	struct event event = {.kind = kind};
	struct match matches[2] = {{.entry = kb_entry(fixture->kb, STR("1.1")),
				    .certain = true,
				    .root = true,
				    .cause = DIAGNOSE_NONE,
				    .count = 2,
				    .evidence = port_lines,
				    .evidence_count = 2,
				    .ranks = port_ranks,
				    .rank_count = 2,
				    .captures = port_captures,
				    .capture_count = 2},
				   {.entry = kb_entry(fixture->kb, STR("1.2")),
				    .cause = 0,
				    .count = 1,
				    .evidence = other_lines,
				    .evidence_count = 1}};
	struct code_met code = {STR("EI0020"), kb_code(fixture->kb, STR("EI0020")), 4, port_lines[0]};
	struct unmatched unknown = {6,
				    {.line = 7, .offset = 70, .rank = 0, .text = STR("something quite new")}};
	struct input input = {.name = STR("train.log"), .bytes = bytes, .lines = 100};
	struct diagnosis diagnosis = {.matches = matches,
				      .match_count = what & SECOND_MATCH ? 2 : 1,
				      .codes = &code,
				      .code_count = what & CODE_AND_UNKNOWN ? 1 : 0,
				      .unmatched = &unknown,
				      .unmatched_count = what & CODE_AND_UNKNOWN ? 1 : 0,
				      .inputs = &input,
				      .input_count = 1};
	struct buf findings = {0};

	findings_write(fixture->kb, &diagnosis, &findings);
	event.u.scan = (struct scan_news){
		.generation = 1, .bytes = bytes, .total = 1000, .files = 1, .findings = buf_str(&findings)};
	fixture_send(fixture, event);
	buf_release(&findings);
}

static void start(struct fixture *fixture)
{
	fixture_begin(fixture, "", 36, 120);
	fixture_start(fixture);
	fixture_key(fixture, 'd');
	fixture_type(fixture, "train.log");
	fixture_key(fixture, KEY_ENTER_);
}

static void done(struct fixture *fixture)
{
	start(fixture);
	send_news(fixture, EVENT_SCAN_DONE, SECOND_MATCH | CODE_AND_UNKNOWN, 1000);
}

static void a_path_starts_a_scan(void **state)
{
	struct fixture fixture;
	const struct effect *effect;

	(void)state;
	start(&fixture);
	effect = fixture_last_effect(&fixture, EFFECT_SCAN_START);
	assert_non_null(effect);
	assert_true(str_equal(effect->text, (struct str){"train.log", 10}) && !effect->flag);
	fixture_sees(&fixture, "Diagnosis  train.log");
	fixture_sees(&fixture, "Nothing found yet");
	fixture_end(&fixture);
}

static void no_path_is_the_newest_logs(void **state)
{
	struct fixture fixture;
	const struct effect *effect;

	(void)state;
	fixture_begin(&fixture, "", 36, 120);
	fixture_key(&fixture, 'd');
	fixture_key(&fixture, KEY_ENTER_);
	effect = fixture_last_effect(&fixture, EFFECT_SCAN_START);
	assert_true(effect && effect->flag && effect->text.size == 0);
	fixture_end(&fixture);
}

static void findings_show_while_it_runs_and_escape_stops(void **state)
{
	struct fixture fixture;

	(void)state;
	start(&fixture);
	fixture.now_ms += 1000;
	send_news(&fixture, EVENT_SCAN_PROGRESS, 0, 250);
	fixture_sees(&fixture, "25 %");
	fixture_sees(&fixture, "s left");
	fixture_sees(&fixture, "What failed first  rank 3");
	fixture_sees(&fixture, "Esc stop");
	assert_true(session_next_tick(fixture.session) != UINT64_MAX);
	fixture_key(&fixture, KEY_ESCAPE_);
	assert_non_null(fixture_last_effect(&fixture, EFFECT_SCAN_STOP));
	fixture_sees(&fixture, "Stopping");
	/* A second Escape does not wait for the end. */
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_sees(&fixture, " FAQ ");
	fixture_end(&fixture);
}

static void news_of_an_older_scan_do_not_count(void **state)
{
	struct fixture fixture;
	struct event event = {.kind = EVENT_SCAN_DONE,
			      .u.scan = {.generation = 0, .faults = STR("x: gone\n")}};

	(void)state;
	start(&fixture);
	fixture_send(&fixture, event);
	fixture_sees(&fixture, "Nothing found yet");
	event.u.scan.generation = 1;
	fixture_send(&fixture, event);
	fixture_sees(&fixture, "Could not be read");
	fixture_sees(&fixture, "x: gone");
	fixture_end(&fixture);
}

static void what_follows_stands_under_the_first(void **state)
{
	struct fixture fixture;
	const char *first, *second;

	(void)state;
	done(&fixture);
	first = strstr(fixture_screen(&fixture), "✗ 1.1");
	second = strstr(fixture_screen(&fixture), "  └ 1.2");
	assert_true(first && second && first < second);
	fixture_sees(&fixture, "certain · ×2 · rank 3,5");
	fixture_sees(&fixture, "EI0020");
	fixture_sees(&fixture, "something quite new");
	fixture_sees(&fixture, "×6");
	fixture_end(&fixture);
}

static void what_is_chosen_stays_when_news_come(void **state)
{
	struct fixture fixture;

	(void)state;
	start(&fixture);
	send_news(&fixture, EVENT_SCAN_PROGRESS, CODE_AND_UNKNOWN, 100);
	fixture_key(&fixture, 'G');
	fixture_sees(&fixture, "train.log:7 · rank 0");
	send_news(&fixture, EVENT_SCAN_PROGRESS, SECOND_MATCH | CODE_AND_UNKNOWN, 200);
	fixture_sees(&fixture, "train.log:7 · rank 0");
	fixture_key(&fixture, '<');
	fixture_key(&fixture, 'n');
	fixture_sees(&fixture, "train.log:90 · rank 5 · 2/2");
	send_news(&fixture, EVENT_SCAN_DONE, SECOND_MATCH, 1000);
	fixture_sees(&fixture, "train.log:90 · rank 5 · 2/2");
	fixture_end(&fixture);
}

static void n_goes_through_all_evidence(void **state)
{
	static const char *const places[] = {":41 ", ":90 ", ":60 ", ":41 ", ":7 ", ":7 "};
	struct fixture fixture;

	(void)state;
	done(&fixture);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		fixture_sees(&fixture, places[i]);
		fixture_key(&fixture, 'n');
	}
	for (size_t i = 5; i > 1; i--) {
		fixture_key(&fixture, 'N');
		fixture_sees(&fixture, places[i - 2]);
	}
	fixture_end(&fixture);
}

/* Asked for one by one, and what comes for something else is not shown. */
static void lines_are_asked_for_on_demand(void **state)
{
	static const char text[] =
		"line before\nraw \x1b[31maddress already in use on port 29777\nline after\n";
	struct fixture fixture;
	const struct effect *asked;
	struct event event = {.kind = EVENT_LOG_LINES};

	(void)state;
	done(&fixture);
	asked = fixture_last_effect(&fixture, EFFECT_LOG_LINES);
	assert_true(asked && asked->offset == 1000 && str_equal(asked->text, STR("train.log")));
	event.u.lines.id = asked->id + 1;
	event.u.lines.ok = true;
	event.u.lines.text = (struct str){text, sizeof(text) - 1};
	event.u.lines.before = strlen("line before\n");
	fixture_send(&fixture, event);
	fixture_misses(&fixture, "line before");
	/* The cursor moves on before the answer is there: it is asked for what is looked at then. */
	fixture_key(&fixture, 'n');
	assert_ptr_equal(fixture_last_effect(&fixture, EFFECT_LOG_LINES), asked);
	event.u.lines.id = asked->id;
	fixture_send(&fixture, event);
	asked = fixture_last_effect(&fixture, EFFECT_LOG_LINES);
	assert_int_equal(asked->offset, 9000);
	fixture_key(&fixture, 'N');
	event.u.lines.id = asked->id;
	event.u.lines.ok = false;
	fixture_send(&fixture, event);
	asked = fixture_last_effect(&fixture, EFFECT_LOG_LINES);
	assert_int_equal(asked->offset, 1000);
	event.u.lines.id = asked->id;
	event.u.lines.ok = true;
	fixture_send(&fixture, event);
	fixture_sees(&fixture, "40   line before");
	fixture_sees(&fixture, "41 ▌ raw address already in use");
	fixture_sees(&fixture, "42   line after");
	fixture_end(&fixture);
}

static void a_log_that_is_gone_is_said(void **state)
{
	struct fixture fixture;
	struct event event = {.kind = EVENT_LOG_LINES};

	(void)state;
	done(&fixture);
	event.u.lines.id = fixture_last_effect(&fixture, EFFECT_LOG_LINES)->id;
	fixture_send(&fixture, event);
	fixture_sees(&fixture, "cannot be read again");
	fixture_sees(&fixture, "address already in use on port 29777");
	fixture_end(&fixture);
}

static void two_keys_copy_with_the_values_of_the_log(void **state)
{
	struct fixture fixture;
	const struct effect *copy;

	(void)state;
	done(&fixture);
	fixture_key(&fixture, KEY_ENTER_);
	fixture_sees(&fixture, "from the log: train.log:41");
	fixture_key(&fixture, 'y');
	/* SCRIPT is a path that is not on this machine: it stays a gap, and that is said. */
	fixture_sees(&fixture, "<SCRIPT>");
	fixture_key(&fixture, 'y');
	copy = fixture_last_effect(&fixture, EFFECT_COPY);
	assert_true(copy && str_find(copy->text, STR("MASTER_PORT=29777\n")) != STR_NOT_FOUND);
	assert_true(str_find(copy->text, STR("gone")) == STR_NOT_FOUND);
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_sees(&fixture, "What failed first");
	fixture_end(&fixture);
}

static void the_diagnosis_is_kept(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_begin(&fixture, "", 36, 120);
	fixture_key(&fixture, 'D');
	fixture_sees(&fixture, "No log was diagnosed yet");
	fixture_end(&fixture);
	done(&fixture);
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_misses(&fixture, "What failed first");
	fixture_key(&fixture, 'D');
	fixture_sees(&fixture, "What failed first");
	/* The search lies over it and gives it back. */
	fixture_key(&fixture, '/');
	fixture_misses(&fixture, "What failed first");
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_sees(&fixture, "What failed first");
	fixture_end(&fixture);
}

static void tab_completes_a_path(void **state)
{
	struct fixture fixture;
	struct event event = {.kind = EVENT_PATHS};
	static const char paths[] = "/var/lib/\0/var/log/";

	(void)state;
	fixture_begin(&fixture, "", 36, 120);
	fixture_key(&fixture, 'd');
	fixture_type(&fixture, "/v");
	fixture_key(&fixture, KEY_TAB_);
	assert_true(str_equal(fixture_last_effect(&fixture, EFFECT_COMPLETE)->text, STR("/v")));
	event.u.lines.id = fixture_last_effect(&fixture, EFFECT_COMPLETE)->id;
	event.u.lines.ok = true;
	event.u.lines.text = (struct str){paths, sizeof(paths)};
	fixture_send(&fixture, event);
	fixture_sees(&fixture, "> /var/l");
	fixture_key(&fixture, KEY_DOWN_);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_sees(&fixture, "> /var/log/");
	/* Typing goes on from there; an answer that is late does not count. */
	fixture_type(&fixture, "x");
	fixture_misses(&fixture, "/var/lib/");
	fixture_send(&fixture, event);
	fixture_sees(&fixture, "> /var/log/x");
	fixture_end(&fixture);
}

static void every_size_is_drawn(void **state)
{
	struct fixture fixture;

	(void)state;
	done(&fixture);
	for (int rows = 1; rows < 40; rows += 3) {
		for (int columns = 1; columns < 130; columns += 7) {
			fixture_send(&fixture,
				     (struct event){.kind = EVENT_RESIZE, .u.size = {rows, columns}});
			fixture_screen(&fixture);
			fixture_key(&fixture, 'n');
		}
		fixture_key(&fixture, 'g');
	}
	fixture_end(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_starts_a_scan),
		cmocka_unit_test(no_path_is_the_newest_logs),
		cmocka_unit_test(findings_show_while_it_runs_and_escape_stops),
		cmocka_unit_test(news_of_an_older_scan_do_not_count),
		cmocka_unit_test(what_follows_stands_under_the_first),
		cmocka_unit_test(what_is_chosen_stays_when_news_come),
		cmocka_unit_test(n_goes_through_all_evidence),
		cmocka_unit_test(lines_are_asked_for_on_demand),
		cmocka_unit_test(a_log_that_is_gone_is_said),
		cmocka_unit_test(two_keys_copy_with_the_values_of_the_log),
		cmocka_unit_test(the_diagnosis_is_kept),
		cmocka_unit_test(tab_completes_a_path),
		cmocka_unit_test(every_size_is_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

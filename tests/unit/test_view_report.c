/* The problem report in the browser, through events, effects and the screen. */
#include "test.h"

#include "core/findings.h"
#include "core/history.h"
#include "core/report.h"
#include "session_support.h"

#include <string.h>

/* The line of the error begins at byte 71. */
static const char log_text[] = "start on node-7, torch.float16, shape=(4, 8)\n"
			       "joined from 10.1.2.3:5000\n"
			       "address already in use on port 29777 of node-7\n"
			       "asked 10.1.2.3 and 10.1.2.4\n";
enum { ERROR_OFFSET = 71 };

static void send_diagnosis(struct fixture *fixture, uint64_t offset)
{
	struct evidence line = {.line = 3,
				.offset = offset,
				.rank = 3,
				.text = STR_INIT("address already in use on port 29777 of node-7")};
	struct match match = {.entry = kb_entry(fixture->kb, STR("1.1")),
			      .certain = true,
			      .root = true,
			      .cause = DIAGNOSE_NONE,
			      .count = 1,
			      .evidence = &line,
			      .evidence_count = 1};
	struct input input = {.name = STR("train.log"), .bytes = sizeof(log_text) - 1, .lines = 4};
	struct diagnosis diagnosis = {
		.matches = &match, .match_count = 1, .inputs = &input, .input_count = 1};
	struct event event = {.kind = EVENT_SCAN_DONE};
	struct buf findings = {0};

	findings_write(fixture->kb, &diagnosis, &findings);
	event.u.scan = (struct scan_news){.generation = 1,
					  .bytes = input.bytes,
					  .total = input.bytes,
					  .files = 1,
					  .findings = buf_str(&findings)};
	fixture_send(fixture, event);
	buf_release(&findings);
}

static void answer_lines(struct fixture *fixture, const char *text)
{
	const struct effect *asked = fixture_last_effect(fixture, EFFECT_LOG_LINES);

	assert_non_null(asked);
	fixture_send(fixture,
		     (struct event){.kind = EVENT_LOG_LINES,
				    .u.lines = {asked->id, true, str_of(text), (size_t)asked->offset}});
}

static void answer_report(struct fixture *fixture, const char *history)
{
	fixture_send(fixture,
		     (struct event){.kind = EVENT_REPORT,
				    .u.report = {STR("USER zhangwei\nHOST login-1\n"), str_of(history)}});
}

static void open_report(struct fixture *fixture)
{
	fixture_begin(fixture, "", 40, 100);
	fixture_start(fixture);
	fixture_key(fixture, 'r');
	answer_report(fixture, "");
}

/* After the diagnosis of the log above. */
static void open_diagnosed(struct fixture *fixture)
{
	fixture_begin(fixture, "", 40, 100);
	fixture_start(fixture);
	fixture_key(fixture, 'd');
	fixture_type(fixture, "train.log");
	fixture_key(fixture, KEY_ENTER_);
	send_diagnosis(fixture, 1);
	answer_lines(fixture, log_text);
	fixture_key(fixture, 'r');
	answer_report(fixture, "");
}

/* The text as it would be written now. */
static struct str written(struct fixture *fixture)
{
	const struct effect *effect;

	fixture_key(fixture, KEY_F1_ + 2);
	fixture_key(fixture, KEY_ENTER_);
	effect = fixture_last_effect(fixture, EFFECT_COPY);
	assert_non_null(effect);
	return effect->text;
}

static void assert_has(struct str text, const char *part, bool has)
{
	if ((str_find(text, str_of(part)) != STR_NOT_FOUND) != has)
		fail_msg("`%s` is %sin the text:\n%.*s", part, has ? "not " : "", STR_ARG(text));
}

static void nothing_is_shown_before_the_names_are_known(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_begin(&fixture, "", 40, 100);
	fixture_start(&fixture);
	fixture_key(&fixture, 'r');
	assert_non_null(fixture_last_effect(&fixture, EFFECT_REPORT_READ));
	fixture_sees(&fixture, "being prepared");
	fixture_key(&fixture, 'w');
	fixture_misses(&fixture, "Write to a file");
	answer_report(&fixture, "");
	fixture_sees(&fixture, "0 replaced, 0 shown");
	fixture_end(&fixture);
}

static void without_a_log_it_says_what_is_missing(void **state)
{
	struct fixture fixture;

	(void)state;
	open_report(&fixture);
	fixture_sees(&fixture, "general form");
	fixture_sees(&fixture, "(missing: no log was given");
	fixture_sees(&fixture, "Not asked yet");
	fixture_answer(&fixture, "cann", PROBE_OK, "CANN_VERSION", "9.1", 1);
	fixture_sees(&fixture, "what was found");
	fixture_end(&fixture);
}

static void the_log_is_in_it_and_nothing_private(void **state)
{
	struct fixture fixture;

	(void)state;
	open_diagnosed(&fixture);
	fixture_sees(&fixture, "joined from <IP_1>:5000");
	fixture_sees(&fixture, "of <HOST_1>");
	fixture_sees(&fixture, "3 replaced, 0 shown");
	fixture_misses(&fixture, "10.1.2.3");
	assert_has(written(&fixture), "10.1.2.", false);
	assert_has(written(&fixture), "node-7", false);
	fixture_end(&fixture);
}

static void what_the_log_says_is_filled_in_until_the_reader_types(void **state)
{
	struct fixture fixture;

	(void)state;
	open_diagnosed(&fixture);
	fixture_sees(&fixture, "(4, 8)");
	fixture_sees(&fixture, "from the log");
	assert_has(written(&fixture), "shape: (4, 8)", true);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_key(&fixture, KEY_CTRL_('u'));
	fixture_type(&fixture, "[1, 2] w y q");
	assert_has(written(&fixture), "shape: [1, 2] w y q", true);
	fixture_end(&fixture);
}

static void one_value_is_shown_wherever_it_stands(void **state)
{
	struct fixture fixture;
	struct str text;

	(void)state;
	open_diagnosed(&fixture);
	fixture_key(&fixture, ' ');
	fixture_sees(&fixture, "Tab goes to something");
	/* In the text, from behind: <IP_1.2>, <IP_1>. */
	fixture_key(&fixture, KEY_BACK_TAB_);
	fixture_key(&fixture, KEY_BACK_TAB_);
	fixture_sees(&fixture, "<IP_1>  hidden, in 2 places");
	fixture_key(&fixture, ' ');
	fixture_sees(&fixture, "2 replaced, 1 shown");
	fixture_sees(&fixture, "<IP_1>  in the clear, in 2 places");
	text = written(&fixture);
	assert_has(text, "from 10.1.2.3:5000", true);
	assert_has(text, "asked 10.1.2.3 and <IP_1.2>", true);
	assert_has(text, "node-7", false);
	fixture_key(&fixture, ' ');
	fixture_sees(&fixture, "3 replaced, 0 shown");
	assert_has(written(&fixture), "10.1.2.3", false);
	fixture_end(&fixture);
}

static void a_click_goes_to_a_row_or_a_replacement(void **state)
{
	struct fixture fixture;

	(void)state;
	open_diagnosed(&fixture);
	fixture_click(&fixture, "what you expected", MOUSE_PRESS);
	fixture_type(&fixture, "that it runs");
	fixture_sees(&fixture, "▸ Expected");
	fixture_click(&fixture, "<IP_1.2>", MOUSE_PRESS);
	fixture_sees(&fixture, "<IP_1.2>  hidden, in 1 place");
	fixture_key(&fixture, ' ');
	fixture_sees(&fixture, "and 10.1.2.4");
	fixture_click(&fixture, "asked", MOUSE_PRESS);
	fixture_misses(&fixture, "in the clear, in");
	fixture_end(&fixture);
}

/* Numbers follow the order in the text: a name may come to stand for another value, what is shown may not. */
static void what_is_shown_is_the_value_and_not_its_name(void **state)
{
	struct fixture fixture;
	struct str text;

	(void)state;
	open_report(&fixture);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_type(&fixture, "run --master 10.9.9.9");
	fixture_key(&fixture, KEY_BACK_TAB_);
	fixture_key(&fixture, KEY_BACK_TAB_);
	fixture_key(&fixture, ' ');
	assert_has(written(&fixture), "--master 10.9.9.9", true);
	/* Now another address comes before it. */
	fixture_key(&fixture, KEY_HOME_);
	fixture_key(&fixture, KEY_TAB_);
	while (!strstr(fixture_screen(&fixture), "▸ Command"))
		fixture_key(&fixture, KEY_TAB_);
	fixture_key(&fixture, KEY_HOME_);
	fixture_type(&fixture, "ssh 10.8.8.8 ");
	text = written(&fixture);
	assert_has(text, "ssh <IP_1> run --master 10.9.9.9", true);
	fixture_end(&fixture);
}

static void words_that_were_missed_are_hidden_too(void **state)
{
	struct fixture fixture;

	(void)state;
	open_report(&fixture);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_type(&fixture, "run projectx by zhangwei");
	assert_has(written(&fixture), "run projectx by <USER_1>", true);
	for (int i = 0; i < 4; i++)
		fixture_key(&fixture, KEY_DOWN_);
	fixture_type(&fixture, "projectx");
	assert_has(written(&fixture), "projectx", false);
	fixture_end(&fixture);
}

static void a_pasted_command_is_one_line(void **state)
{
	struct fixture fixture;

	(void)state;
	open_report(&fixture);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_send(&fixture,
		     (struct event){.kind = EVENT_PASTE, .u.text = STR("export A=1\ntorchrun x.py\n")});
	assert_has(written(&fixture), "export A=1 torchrun x.py\n", true);
	fixture_end(&fixture);
}

static void templates_go_round(void **state)
{
	struct fixture fixture;

	(void)state;
	open_report(&fixture);
	fixture_sees(&fixture, "general form →  2/2");
	fixture_key(&fixture, KEY_RIGHT_);
	fixture_sees(&fixture, "brief form →  1/2");
	assert_has(written(&fixture), "Brief", true);
	fixture_key(&fixture, KEY_LEFT_);
	fixture_sees(&fixture, "general form");
	fixture_end(&fixture);
}

static void what_was_typed_stays(void **state)
{
	struct fixture fixture;

	(void)state;
	open_report(&fixture);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_type(&fixture, "torchrun train.py");
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_misses(&fixture, "torchrun train.py");
	assert_false(session_is_calm(fixture.session));
	fixture_key(&fixture, 'r');
	answer_report(&fixture, "");
	fixture_sees(&fixture, "torchrun train.py");
	fixture_end(&fixture);
}

static void before_it_is_written_it_says_what_is_in_the_clear(void **state)
{
	struct fixture fixture;
	const struct effect *effect;

	(void)state;
	open_diagnosed(&fixture);
	fixture_key(&fixture, 'w');
	fixture_sees(&fixture, "Nothing is in the clear");
	fixture_sees(&fixture, "No tool finds everything");
	assert_null(fixture_last_effect(&fixture, EFFECT_FILE_NEW));
	fixture_key(&fixture, KEY_ESCAPE_);
	fixture_key(&fixture, KEY_BACK_TAB_);
	fixture_key(&fixture, ' ');
	fixture_key(&fixture, 'w');
	fixture_sees(&fixture, "In the clear: <IP_1.2> 10.1.2.4");
	fixture_sees(&fixture, "> ascend-report-19700101.md");
	fixture_key(&fixture, KEY_ENTER_);
	effect = fixture_last_effect(&fixture, EFFECT_FILE_NEW);
	assert_non_null(effect);
	assert_true(str_equal(effect->label, STR("ascend-report-19700101.md")));
	assert_has(effect->text, "10.1.2.4", true);
	assert_has(effect->text, "10.1.2.3", false);
	fixture_end(&fixture);
}

static void a_file_that_is_there_brings_the_next_name(void **state)
{
	struct fixture fixture;
	uint32_t id;

	(void)state;
	open_report(&fixture);
	fixture_key(&fixture, 'w');
	fixture_key(&fixture, KEY_ENTER_);
	id = fixture_last_effect(&fixture, EFFECT_FILE_NEW)->id;
	fixture_send(&fixture,
		     (struct event){.kind = EVENT_FILE,
				    .u.file = {id, false, STR("is there already"), STR("other-2.md")}});
	fixture_sees(&fixture, "> other-2.md");
	fixture_sees(&fixture, "is there already");
	fixture_key(&fixture, KEY_ENTER_);
	id = fixture_last_effect(&fixture, EFFECT_FILE_NEW)->id;
	fixture_send(&fixture, (struct event){.kind = EVENT_FILE,
					      .u.file = {id, true, STR("Written."), (struct str){0}}});
	fixture_misses(&fixture, "Write to a file");
	fixture_sees(&fixture, "Written.");
	fixture_end(&fixture);
}

static void a_question_about_the_log_waits_for_that_of_the_diagnosis(void **state)
{
	struct fixture fixture;
	size_t asked;

	(void)state;
	fixture_begin(&fixture, "", 40, 100);
	fixture_start(&fixture);
	fixture_key(&fixture, 'd');
	fixture_type(&fixture, "train.log");
	fixture_key(&fixture, KEY_ENTER_);
	send_diagnosis(&fixture, ERROR_OFFSET);
	asked = fixture.effects.list.count;
	fixture_key(&fixture, 'r');
	answer_report(&fixture, "");
	for (size_t i = asked; i < fixture.effects.list.count; i++)
		assert_int_not_equal(fixture.effects.list.items[i].kind, EFFECT_LOG_LINES);
	answer_lines(&fixture, log_text);
	fixture_sees(&fixture, "joined from <IP_1>:5000");
	fixture_end(&fixture);
}

/* There jobs say how large they are. */
static void the_beginning_of_a_long_log_is_asked_for_too(void **state)
{
	struct fixture fixture;
	const struct effect *asked;

	(void)state;
	fixture_begin(&fixture, "", 40, 100);
	fixture_start(&fixture);
	fixture_key(&fixture, 'd');
	fixture_type(&fixture, "train.log");
	fixture_key(&fixture, KEY_ENTER_);
	send_diagnosis(&fixture, 100000);
	asked = fixture_last_effect(&fixture, EFFECT_LOG_LINES);
	assert_int_equal(asked->offset, 100000);
	fixture_send(&fixture, (struct event){.kind = EVENT_LOG_LINES,
					      .u.lines = {asked->id, true,
							  STR("before\naddress already in use\n"), 7}});
	fixture_key(&fixture, 'r');
	answer_report(&fixture, "");
	asked = fixture_last_effect(&fixture, EFFECT_LOG_LINES);
	assert_int_equal(asked->offset, 0);
	answer_lines(&fixture, "shape=(16, 32)\n");
	assert_has(written(&fixture), "shape: (16, 32)", true);
	fixture_end(&fixture);
}

static void a_command_is_known_from_the_log(void **state)
{
	static const struct {
		const char *log, *command;
	} cases[] = {
		{"lina@n1:~$ torchrun --nproc_per_node=8 a.py\n", "torchrun --nproc_per_node=8 a.py"},
		{"+ HCCL_X=1 python3 -m torch.distributed.run a.py\r\n",
		 "HCCL_X=1 python3 -m torch.distributed.run a.py"},
		{"x\nmpirun -n 8 ./a\ntorchrun b.py\n", "mpirun -n 8 ./a"},
		{"File \"/usr/bin/torchrun\", line 8, in <module>\n", ""},
		{"please call torchrun --help\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf found = {0};

		report_find_scale(str_of(cases[i].log), REPORT_LAUNCH, &found);
		assert_string_equal(buf_c_string(&found), cases[i].command);
		buf_release(&found);
	}
}

/* What the log shows may hold names and addresses: it is in the text, not in the line. */
static void a_command_of_the_log_is_shown_without_what_is_private(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture_begin(&fixture, "", 40, 100);
	fixture_start(&fixture);
	fixture_key(&fixture, 'd');
	fixture_type(&fixture, "train.log");
	fixture_key(&fixture, KEY_ENTER_);
	send_diagnosis(&fixture, 0);
	answer_lines(&fixture, "torchrun --master_addr=10.1.2.3 a.py\n");
	fixture_key(&fixture, 'r');
	answer_report(&fixture, "");
	fixture_sees(&fixture, "the log has one");
	fixture_misses(&fixture, "10.1.2.3");
	assert_has(written(&fixture), "~~~~sh\ntorchrun --master_addr=<IP_1> a.py\n", true);
	fixture_key(&fixture, KEY_DOWN_);
	fixture_type(&fixture, "other");
	assert_has(written(&fixture), "~~~~sh\nother\n", true);
	fixture_end(&fixture);
}

static void a_cut_line_shows_no_part_of_a_word(void **state)
{
	struct report_input input = {.lang = LANG_EN};
	struct buf line = {0}, out = {0};

	(void)state;
	buf_add_repeated(&line, 'x', 390);
	buf_add(&line, STR(" 10.1.2.3456789012345"));
	input.around = buf_str(&line);
	report_add_field(&input, STR("errors"), &out);
	assert_null(strstr(buf_c_string(&out), "10.1"));
	assert_non_null(strstr(buf_c_string(&out), "x…\n"));
	buf_release(&line);
	buf_release(&out);
}

static void what_was_done_is_told(void **state)
{
	struct fixture fixture;
	struct history_event done = {
		.when_s = 5, .kind = HISTORY_COPIED, .entry = STR("1.1"), .text = STR("ss -ltnp")};
	struct history_event looked = {.when_s = 6, .kind = HISTORY_LOOKED, .entry = STR("2.1")};
	struct buf history = {0};
	struct str text;

	(void)state;
	history_add_line(&done, &history);
	history_add_line(&looked, &history);
	fixture_begin(&fixture, "", 40, 100);
	fixture_start(&fixture);
	fixture_key(&fixture, 'r');
	answer_report(&fixture, buf_c_string(&history));
	text = written(&fixture);
	assert_has(text, "ss -ltnp", true);
	assert_has(text, "  2.1  ", false);
	buf_release(&history);
	fixture_end(&fixture);
}

static void every_size_and_key_is_safe(void **state)
{
	static const uint32_t keys[] = {KEY_TAB_,     KEY_BACK_TAB_, KEY_UP_,    KEY_DOWN_, KEY_PAGE_DOWN_,
					KEY_PAGE_UP_, KEY_RIGHT_,    KEY_LEFT_,  ' ',       'G',
					'<',          'L',           KEY_ENTER_, 'w',       KEY_ESCAPE_};

	(void)state;
	for (int rows = 5; rows < 30; rows += 3) {
		struct fixture fixture;

		open_diagnosed(&fixture);
		for (int round = 0; round < 2; round++) {
			for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
				fixture_send(&fixture, (struct event){.kind = EVENT_RESIZE,
								      .u.size = {rows, 20 + 7 * (int)i}});
				fixture_key(&fixture, keys[i]);
				fixture_screen(&fixture);
			}
			fixture_key(&fixture, 'r');
		}
		fixture_end(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_shown_before_the_names_are_known),
		cmocka_unit_test(without_a_log_it_says_what_is_missing),
		cmocka_unit_test(the_log_is_in_it_and_nothing_private),
		cmocka_unit_test(what_the_log_says_is_filled_in_until_the_reader_types),
		cmocka_unit_test(one_value_is_shown_wherever_it_stands),
		cmocka_unit_test(a_click_goes_to_a_row_or_a_replacement),
		cmocka_unit_test(what_is_shown_is_the_value_and_not_its_name),
		cmocka_unit_test(words_that_were_missed_are_hidden_too),
		cmocka_unit_test(a_pasted_command_is_one_line),
		cmocka_unit_test(templates_go_round),
		cmocka_unit_test(what_was_typed_stays),
		cmocka_unit_test(before_it_is_written_it_says_what_is_in_the_clear),
		cmocka_unit_test(a_file_that_is_there_brings_the_next_name),
		cmocka_unit_test(a_question_about_the_log_waits_for_that_of_the_diagnosis),
		cmocka_unit_test(the_beginning_of_a_long_log_is_asked_for_too),
		cmocka_unit_test(a_command_is_known_from_the_log),
		cmocka_unit_test(a_command_of_the_log_is_shown_without_what_is_private),
		cmocka_unit_test(a_cut_line_shows_no_part_of_a_word),
		cmocka_unit_test(what_was_done_is_told),
		cmocka_unit_test(every_size_and_key_is_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

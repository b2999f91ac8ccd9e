#include "test.h"

#include "sample_kb.h"
#include "session_support.h"

#include <string.h>

static void first_picture_needs_no_probe(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 24, 120);
	assert_true(session_dirty(f.session));
	fixture_sees(&f, "1 Ports");
	fixture_sees(&f, "1.1 The port is taken");
	fixture_sees(&f, "Another process holds the port.");
	fixture_sees(&f, "3 entries");
	assert_false(session_dirty(f.session));
	assert_int_equal(f.effects.list.count, 0);
	fixture_end(&f);
}

static void probes_of_the_open_entry_start_first(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 24, 120);
	fixture_start(&f);
	assert_int_equal(f.effects.list.count, 3);
	assert_int_equal(f.effects.list.items[0].kind, EFFECT_PROBE_START);
	assert_true(str_equal(f.effects.list.items[0].probe->id, STR("free-port")));
	fixture_end(&f);
}

static void results_fill_the_commands(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_start(&f);
	fixture_sees(&f, "--master_port=<MASTER_PORT>");
	fixture_answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23417", 1);
	fixture_sees(&f, "--master_port=23417");
	fixture_sees(&f, "MASTER_PORT  23417  found now: Free port");
	fixture_sees(&f, "1 ok · 2 running");
	fixture_end(&f);
}

static void stale_answers_are_dropped(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_start(&f);
	fixture_key(&f, 'p');
	assert_non_null(fixture_last_effect(&f, EFFECT_PROBE_CANCEL));
	fixture_answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23417", 1);
	fixture_misses(&f, "23417");
	fixture_answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23500", 2);
	fixture_sees(&f, "23500");
	fixture_answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23600", 2);
	fixture_misses(&f, "23600");
	fixture_end(&f);
}

static void ticks_only_while_something_moves(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_start(&f);
	fixture_screen(&f);
	assert_true(session_next_tick(f.session) != UINT64_MAX);
	fixture_answer(&f, "free-port", PROBE_OK, NULL, "", 1);
	fixture_answer(&f, "cann", PROBE_ABSENT, NULL, "", 1);
	fixture_answer(&f, "clang", PROBE_FAIL, NULL, "", 1);
	fixture_send(&f, (struct event){.kind = EVENT_TICK});
	assert_true(session_next_tick(f.session) == UINT64_MAX);
	fixture_screen(&f);
	fixture_send(&f, (struct event){.kind = EVENT_TICK});
	assert_false(session_dirty(f.session));
	fixture_end(&f);
}

static void enter_on_a_failed_probe_goes_to_what_mends_it(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_start(&f);
	fixture_answer(&f, "free-port", PROBE_OK, NULL, "", 1);
	fixture_answer(&f, "cann", PROBE_OK, NULL, "", 1);
	fixture_answer(&f, "clang", PROBE_FAIL, NULL, "", 1);
	fixture_sees(&f, "✗ clang++");
	fixture_key(&f, 'p');
	fixture_answer(&f, "free-port", PROBE_OK, NULL, "", 2);
	fixture_answer(&f, "cann", PROBE_OK, NULL, "", 2);
	fixture_answer(&f, "clang", PROBE_FAIL, NULL, "", 2);
	fixture_click(&f, "clang++", MOUSE_PRESS);
	fixture_key(&f, 'i');
	fixture_sees(&f, "what was found");
	fixture_sees(&f, "→ 1.2  A card is lost");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "A card does not answer.");
	fixture_end(&f);
}

static void copy_is_the_command_and_nothing_else(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_start(&f);
	fixture_key(&f, KEY_ENTER_);
	fixture_key(&f, 'n');
	fixture_key(&f, 'n');
	fixture_key(&f, 'n');
	fixture_key(&f, 'y');
	assert_string_equal(fixture_last_effect(&f, EFFECT_COPY)->text.data, "ss -ltnp");
	assert_string_equal(fixture_last_effect(&f, EFFECT_COPY)->label.data, "ss -ltnp");
	fixture_send(&f, (struct event){.kind = EVENT_EFFECT_DONE,
					.u.done = {1, true, STR("in the tmux buffer")}});
	fixture_sees(&f, "in the tmux buffer");
	fixture_key(&f, KEY_DOWN_);
	fixture_misses(&f, "in the tmux buffer");
	fixture_end(&f);
}

static void a_hole_is_told_before_copying(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_start(&f);
	fixture_answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23417", 1);
	fixture_key(&f, 'y');
	assert_null(fixture_last_effect(&f, EFFECT_COPY));
	fixture_sees(&f, "Not filled in yet: <SCRIPT>");
	fixture_key(&f, KEY_ESCAPE_);
	assert_null(fixture_last_effect(&f, EFFECT_COPY));
	fixture_key(&f, 'y');
	fixture_key(&f, KEY_ENTER_);
	assert_string_equal(fixture_last_effect(&f, EFFECT_COPY)->text.data,
			    "export MASTER_PORT=23417\ntorchrun --master_port=23417 <SCRIPT>");
	fixture_end(&f);
}

static void what_destroys_is_told_before_copying(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, KEY_DOWN_);
	fixture_key(&f, 'y');
	assert_null(fixture_last_effect(&f, EFFECT_COPY));
	fixture_sees(&f, "Running it loses");
	fixture_key(&f, 'y');
	assert_string_equal(fixture_last_effect(&f, EFFECT_COPY)->text.data, "npu-smi set -t reset -i 0");
	fixture_end(&f);
}

static void a_solution_is_copied_as_a_script(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, KEY_ENTER_);
	for (int i = 0; i < 3; i++)
		fixture_key(&f, 'n');
	fixture_key(&f, 'Y');
	assert_string_equal(fixture_last_effect(&f, EFFECT_COPY)->text.data, "# 1.1  The port is taken\n"
									     "# Solution 1  Look\n"
									     "\n"
									     "# See who holds the port.\n"
									     "ss -ltnp\n");
	fixture_end(&f);
}

static void what_cannot_be_done_says_why(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, KEY_HOME_);
	fixture_key(&f, 'y');
	fixture_sees(&f, "There is no command here to copy.");
	assert_null(fixture_last_effect(&f, EFFECT_COPY));
	fixture_key(&f, '[');
	fixture_sees(&f, "There is no entry before this one.");
	fixture_end(&f);
}

static void search_gives_the_tree_back_as_it_was(void **state)
{
	struct fixture f;
	struct buf before = {0};

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, KEY_DOWN_);
	buf_add(&before, str_of(fixture_screen(&f)));
	fixture_key(&f, '/');
	fixture_type(&f, "EI0020");
	fixture_sees(&f, "1 of 3");
	fixture_sees(&f, "Another process holds the port.");
	fixture_key(&f, KEY_ESCAPE_);
	assert_string_equal(fixture_screen(&f), buf_c_string(&before));
	buf_release(&before);
	fixture_end(&f);
}

static void a_code_without_an_entry_is_explained(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, '/');
	fixture_type(&f, "e507");
	fixture_sees(&f, "A kernel fault.");
	fixture_end(&f);
}

static void an_empty_result_says_what_to_try(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, '/');
	fixture_type(&f, "qqqqqqqq");
	fixture_sees(&f, "0 of 3");
	fixture_sees(&f, "Try fewer words");
	fixture_end(&f);
}

static void a_pasted_error_finds_its_entry(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, KEY_DOWN_);
	fixture_send(&f, (struct event){
				 .kind = EVENT_PASTE,
				 .u.text = STR(
					 "Traceback:\r\n\x1B[31mRuntimeError: address already in use on port "
					 "29500\x1B[0m\r\nbye\n")});
	fixture_sees(&f, "3 pasted lines");
	fixture_sees(&f, "1 of 3");
	fixture_sees(&f, "Another process holds the port.");
	fixture_key(&f, 'x');
	fixture_misses(&f, "pasted lines");
	fixture_end(&f);
}

static void go_to_finds_ids_and_codes_and_offers_others(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_key(&f, ':');
	fixture_type(&f, "1.2");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "A card does not answer.");
	fixture_key(&f, ':');
	fixture_type(&f, "ei0020");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "The port.");
	fixture_key(&f, '[');
	fixture_sees(&f, "A card does not answer.");
	fixture_key(&f, ']');
	fixture_sees(&f, "The port.");
	fixture_key(&f, ':');
	fixture_type(&f, "EI0021");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "There is no “EI0021”. Did you mean: ");
	fixture_sees(&f, "EI0020");
	fixture_end(&f);
}

static void an_unknown_thing_to_open_is_told(void **state)
{
	struct kb *kb = sample_kb_new();
	struct session_options options = {.lang = LANG_EN, .open = STR("EI0029")};
	struct session *session = session_new(kb, &options, 24, 80);
	struct canvas *canvas = canvas_new(24, 80);
	struct buf dump = {0};

	(void)state;
	session_draw(session, canvas);
	canvas_dump(canvas, &dump);
	assert_non_null(strstr(buf_c_string(&dump), "There is no “EI0029”."));
	buf_release(&dump);
	canvas_free(canvas);
	session_free(session);
	kb_free(kb);
}

static void language_keeps_the_place(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 24, 80);
	fixture_key(&f, ':');
	fixture_type(&f, "2.1");
	fixture_key(&f, KEY_ENTER_);
	for (int i = 0; i < 200 && !strstr(fixture_screen(&f), "Background"); i++)
		fixture_key(&f, KEY_DOWN_);
	for (int i = 0; i < 6; i++)
		fixture_key(&f, KEY_DOWN_);
	fixture_sees(&f, "Background");
	fixture_key(&f, 'L');
	fixture_sees(&f, "背景");
	assert_non_null(strstr(fixture_last_effect(&f, EFFECT_SAVE_STATE)->text.data, "lang zh\n"));
	fixture_key(&f, 'L');
	fixture_sees(&f, "Background");
	fixture_end(&f);
}

static void where_you_were_is_where_you_are(void **state)
{
	struct fixture f, g;
	struct buf before = {0};

	(void)state;
	fixture_begin(&f, "", 24, 80);
	fixture_key(&f, ':');
	fixture_type(&f, "2.1");
	fixture_key(&f, KEY_ENTER_);
	fixture_key(&f, 'L');
	for (int i = 0; i < 20; i++)
		fixture_key(&f, KEY_DOWN_);
	buf_add(&before, str_of(fixture_screen(&f)));
	fixture_key(&f, 'q');
	assert_non_null(fixture_last_effect(&f, EFFECT_QUIT));
	fixture_begin(&g, fixture_last_effect(&f, EFFECT_SAVE_STATE)->text.data, 24, 80);
	assert_string_equal(fixture_screen(&g), buf_c_string(&before));
	buf_release(&before);
	fixture_end(&f);
	fixture_end(&g);
}

static void garbage_as_state_is_harmless(void **state)
{
	static const char *const garbage[] = {
		"\xFF\xFE\x00",
		"ascend-faq state 1\nline 99999999999999999999\nline 4000000\nlang fr\nshown-entry 9.9\n",
		"ascend-faq state 1\nfocus entry\nselected-section none\nselected-entry\n\n \nvisit-code ?",
		"ascend-faq state 1\nsearch \x1B[31m\ngo-to \xFF\nunfolded x\nshown-code E507\n",
		"ascend-faq state 2\nlang zh\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		struct fixture f;

		fixture_begin(&f, garbage[i], 24, 80);
		fixture_sees(&f, "3 entries");
		fixture_key(&f, '/');
		fixture_key(&f, 'p' - 'a' + 1);
		fixture_screen(&f);
		fixture_end(&f);
	}
}

static void form_sets_a_value_for_the_session(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 180);
	fixture_key(&f, 'f');
	fixture_sees(&f, "MASTER_PORT");
	fixture_type(&f, "80");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "✗");
	fixture_key(&f, 'u' - 'a' + 1);
	fixture_type(&f, "24001");
	fixture_sees(&f, "✓ fits");
	fixture_key(&f, KEY_ENTER_);
	fixture_type(&f, "train.py --epochs 3");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "--master_port=24001 train.py --epochs 3");
	fixture_sees(&f, "set by you");
	fixture_key(&f, 'f');
	fixture_key(&f, 'u' - 'a' + 1);
	fixture_key(&f, KEY_ENTER_);
	fixture_key(&f, KEY_ESCAPE_);
	fixture_sees(&f, "--master_port=<MASTER_PORT> train.py --epochs 3");
	fixture_end(&f);
}

static void form_begins_where_a_value_is_missing_and_takes_no_words(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 180);
	fixture_key(&f, 'f');
	fixture_type(&f, "24001");
	fixture_key(&f, KEY_ENTER_);
	fixture_key(&f, KEY_ESCAPE_);
	fixture_sees(&f, "--master_port=24001 <SCRIPT>");
	fixture_key(&f, 'f');
	fixture_sees(&f, "the script");
	fixture_sees(&f, "It may be empty");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "SCRIPT is set");
	fixture_sees(&f, "--master_port=24001");
	fixture_misses(&f, "<SCRIPT>");
	fixture_key(&f, 'f');
	fixture_sees(&f, "(empty)");
	fixture_end(&f);
}

static void mouse_selects_opens_and_copies(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 40, 120);
	fixture_click(&f, "1.2 A card", MOUSE_PRESS);
	fixture_sees(&f, "A card does not answer.");
	fixture_click(&f, "1.1 The port", MOUSE_DOUBLE);
	fixture_click(&f, "ss -ltnp", MOUSE_PRESS);
	assert_string_equal(fixture_last_effect(&f, EFFECT_COPY)->text.data, "ss -ltnp");
	fixture_click(&f, "→ 1.2", MOUSE_PRESS);
	fixture_sees(&f, "A card does not answer.");
	fixture_click(&f, "quit", MOUSE_PRESS);
	assert_non_null(fixture_last_effect(&f, EFFECT_QUIT));
	fixture_end(&f);
}

static void sizes_that_are_too_small_say_so(void **state)
{
	struct fixture f;
	struct event small = {.kind = EVENT_RESIZE, .u.size = {4, 30}};

	(void)state;
	fixture_begin(&f, "", 24, 80);
	fixture_key(&f, '/');
	fixture_type(&f, "port");
	fixture_send(&f, small);
	fixture_sees(&f, "needs 20×5");
	small.u.size.rows = small.u.size.columns = 1;
	fixture_send(&f, small);
	fixture_screen(&f);
	small.u.size.rows = 24, small.u.size.columns = 80;
	fixture_send(&f, small);
	fixture_sees(&f, "/ port");
	fixture_end(&f);
}

static void help_tells_the_keys_of_where_you_are(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 60, 120);
	fixture_key(&f, '?');
	fixture_sees(&f, "fold a section");
	fixture_misses(&f, "what the probe ran");
	fixture_key(&f, '/');
	fixture_type(&f, "clip");
	fixture_sees(&f, "No key has these words.");
	fixture_key(&f, KEY_ESCAPE_);
	fixture_key(&f, '/');
	fixture_type(&f, "solution");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "copy the whole solution");
	fixture_misses(&f, "fold a section");
	fixture_key(&f, KEY_ESCAPE_);
	fixture_key(&f, KEY_ESCAPE_);
	fixture_misses(&f, "copy the whole solution");
	fixture_end(&f);
}

static void empty_section_says_so(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 24, 120);
	fixture_key(&f, KEY_END_);
	fixture_sees(&f, "Not yet.");
	fixture_end(&f);
}

static void one_pane_at_a_time_when_narrow(void **state)
{
	struct fixture f;

	(void)state;
	fixture_begin(&f, "", 20, 50);
	fixture_sees(&f, "1.1 The port is taken");
	fixture_misses(&f, "Another process");
	fixture_key(&f, KEY_ENTER_);
	fixture_sees(&f, "Another process");
	fixture_key(&f, KEY_ESCAPE_);
	fixture_misses(&f, "Another process");
	fixture_key(&f, 'p');
	fixture_sees(&f, "clang++");
	fixture_key(&f, KEY_ESCAPE_);
	fixture_sees(&f, "1.1 The port is taken");
	fixture_end(&f);
}

static void a_pack_without_anything_is_a_screen(void **state)
{
	static const struct pack empty = {.name = STR_INIT("empty")};
	const struct pack *packs[] = {&empty};
	struct kb *kb = kb_new(packs, 1);
	struct session_options options = {.lang = LANG_EN};
	struct session *session = session_new(kb, &options, 24, 80);
	struct canvas *canvas = canvas_new(24, 80);
	struct effect_list effects = {0};

	(void)state;
	session_start(session, 0, &effects);
	for (uint32_t code = 1; code < 128; code++) {
		struct event event = {.kind = EVENT_KEY, .u.key = code};

		session_handle(session, &event, &effects);
		session_draw(session, canvas);
	}
	effect_release(&effects);
	canvas_free(canvas);
	session_free(session);
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_picture_needs_no_probe),
		cmocka_unit_test(probes_of_the_open_entry_start_first),
		cmocka_unit_test(results_fill_the_commands),
		cmocka_unit_test(stale_answers_are_dropped),
		cmocka_unit_test(ticks_only_while_something_moves),
		cmocka_unit_test(enter_on_a_failed_probe_goes_to_what_mends_it),
		cmocka_unit_test(copy_is_the_command_and_nothing_else),
		cmocka_unit_test(a_hole_is_told_before_copying),
		cmocka_unit_test(what_destroys_is_told_before_copying),
		cmocka_unit_test(a_solution_is_copied_as_a_script),
		cmocka_unit_test(what_cannot_be_done_says_why),
		cmocka_unit_test(search_gives_the_tree_back_as_it_was),
		cmocka_unit_test(a_code_without_an_entry_is_explained),
		cmocka_unit_test(an_empty_result_says_what_to_try),
		cmocka_unit_test(a_pasted_error_finds_its_entry),
		cmocka_unit_test(go_to_finds_ids_and_codes_and_offers_others),
		cmocka_unit_test(an_unknown_thing_to_open_is_told),
		cmocka_unit_test(language_keeps_the_place),
		cmocka_unit_test(where_you_were_is_where_you_are),
		cmocka_unit_test(garbage_as_state_is_harmless),
		cmocka_unit_test(form_sets_a_value_for_the_session),
		cmocka_unit_test(form_begins_where_a_value_is_missing_and_takes_no_words),
		cmocka_unit_test(mouse_selects_opens_and_copies),
		cmocka_unit_test(sizes_that_are_too_small_say_so),
		cmocka_unit_test(help_tells_the_keys_of_where_you_are),
		cmocka_unit_test(empty_section_says_so),
		cmocka_unit_test(one_pane_at_a_time_when_narrow),
		cmocka_unit_test(a_pack_without_anything_is_a_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "test.h"

#include "core/probe.h"
#include "sample_kb.h"
#include "ui/session.h"

#include <string.h>

struct fixture {
	struct kb *kb;
	struct session *session;
	struct canvas *canvas;
	struct effect_list effects;
	struct buf screen;
	uint64_t now_ms;
};

static void begin(struct fixture *fixture, const char *state, int rows, int columns)
{
	struct session_options options = {.lang = LANG_EN, .state = str_of(state), .machine = STR("aarch64")};

	memset(fixture, 0, sizeof(*fixture));
	fixture->kb = sample_kb_new();
	fixture->session = session_new(fixture->kb, &options, rows, columns);
	fixture->canvas = canvas_new(rows, columns);
}

static void end(struct fixture *fixture)
{
	session_free(fixture->session);
	canvas_free(fixture->canvas);
	effect_release(&fixture->effects);
	buf_release(&fixture->screen);
	kb_free(fixture->kb);
}

static void send(struct fixture *fixture, struct event event)
{
	event.now_ms = fixture->now_ms += 10;
	session_handle(fixture->session, &event, &fixture->effects);
}

static void key(struct fixture *fixture, uint32_t code)
{
	send(fixture, (struct event){.kind = EVENT_KEY, .u.key = code});
}

static void type(struct fixture *fixture, const char *text)
{
	for (; *text; text++)
		key(fixture, (unsigned char)*text);
}

static const char *screen(struct fixture *fixture)
{
	session_draw(fixture->session, fixture->canvas);
	buf_clear(&fixture->screen);
	canvas_dump(fixture->canvas, &fixture->screen);
	return buf_c_string(&fixture->screen);
}

static void sees(struct fixture *fixture, const char *text)
{
	if (!strstr(screen(fixture), text))
		fail_msg("`%s` is not on the screen:\n%s", text, buf_c_string(&fixture->screen));
}

static void misses(struct fixture *fixture, const char *text)
{
	if (strstr(screen(fixture), text))
		fail_msg("`%s` is on the screen:\n%s", text, buf_c_string(&fixture->screen));
}

static const struct effect *last_effect(const struct fixture *fixture, enum effect_kind kind)
{
	for (size_t i = fixture->effects.list.count; i > 0; i--) {
		if (fixture->effects.list.items[i - 1].kind == kind)
			return &fixture->effects.list.items[i - 1];
	}
	return NULL;
}

static void start(struct fixture *fixture)
{
	session_start(fixture->session, fixture->now_ms, &fixture->effects);
}

/* Answer a probe of generation `generation` with one value. */
static void answer(struct fixture *fixture, const char *id, enum probe_state state, const char *name,
		   const char *value, uint32_t generation)
{
	struct probe_value values[] = {{str_of(name), str_of(value)}};
	struct probe_result result = {.state = state, .values = values, .value_count = name ? 1 : 0};

	result.detail.in[LANG_EN] = result.detail.in[LANG_ZH] = STR("what was found");
	send(fixture, (struct event){.kind = EVENT_PROBE_DONE,
				     .u.probe = {kb_probe(fixture->kb, str_of(id)), generation, &result}});
}

static void find_on_screen(struct fixture *fixture, const char *text, int *row, int *column)
{
	const char *at = strstr(screen(fixture), text);
	const char *line = at;

	assert_non_null(at);
	*row = 0;
	for (const char *i = buf_c_string(&fixture->screen); i < at; i++)
		*row += *i == '\n';
	while (line > buf_c_string(&fixture->screen) && line[-1] != '\n')
		line--;
	for (*column = 0; line < at; line++)
		*column += ((unsigned char)*line & 0xC0) != 0x80;
}

static void click(struct fixture *fixture, const char *text, enum mouse_action action)
{
	struct event event = {.kind = EVENT_MOUSE};

	find_on_screen(fixture, text, &event.u.mouse.row, &event.u.mouse.column);
	event.u.mouse.action = action;
	send(fixture, event);
}

static void first_picture_needs_no_probe(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 24, 120);
	assert_true(session_dirty(f.session));
	sees(&f, "1 Ports");
	sees(&f, "1.1 The port is taken");
	sees(&f, "Another process holds the port.");
	sees(&f, "3 entries");
	assert_false(session_dirty(f.session));
	assert_int_equal(f.effects.list.count, 0);
	end(&f);
}

static void probes_of_the_open_entry_start_first(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 24, 120);
	start(&f);
	assert_int_equal(f.effects.list.count, 3);
	assert_int_equal(f.effects.list.items[0].kind, EFFECT_PROBE_START);
	assert_true(str_equal(f.effects.list.items[0].probe->id, STR("free-port")));
	end(&f);
}

static void results_fill_the_commands(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	start(&f);
	sees(&f, "--master_port=<MASTER_PORT>");
	answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23417", 1);
	sees(&f, "--master_port=23417");
	sees(&f, "MASTER_PORT  23417  found now: Free port");
	sees(&f, "1 ok · 2 running");
	end(&f);
}

static void stale_answers_are_dropped(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	start(&f);
	key(&f, 'p');
	assert_non_null(last_effect(&f, EFFECT_PROBE_CANCEL));
	answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23417", 1);
	misses(&f, "23417");
	answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23500", 2);
	sees(&f, "23500");
	answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23600", 2);
	misses(&f, "23600");
	end(&f);
}

static void ticks_only_while_something_moves(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	start(&f);
	screen(&f);
	assert_true(session_next_tick(f.session) != UINT64_MAX);
	answer(&f, "free-port", PROBE_OK, NULL, "", 1);
	answer(&f, "cann", PROBE_ABSENT, NULL, "", 1);
	answer(&f, "clang", PROBE_FAIL, NULL, "", 1);
	send(&f, (struct event){.kind = EVENT_TICK});
	assert_true(session_next_tick(f.session) == UINT64_MAX);
	screen(&f);
	send(&f, (struct event){.kind = EVENT_TICK});
	assert_false(session_dirty(f.session));
	end(&f);
}

static void enter_on_a_failed_probe_goes_to_what_mends_it(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	start(&f);
	answer(&f, "free-port", PROBE_OK, NULL, "", 1);
	answer(&f, "cann", PROBE_OK, NULL, "", 1);
	answer(&f, "clang", PROBE_FAIL, NULL, "", 1);
	sees(&f, "✗ clang++");
	key(&f, 'p');
	answer(&f, "free-port", PROBE_OK, NULL, "", 2);
	answer(&f, "cann", PROBE_OK, NULL, "", 2);
	answer(&f, "clang", PROBE_FAIL, NULL, "", 2);
	click(&f, "clang++", MOUSE_PRESS);
	key(&f, 'i');
	sees(&f, "what was found");
	sees(&f, "→ 1.2  A card is lost");
	key(&f, KEY_ENTER_);
	sees(&f, "A card does not answer.");
	end(&f);
}

static void copy_is_the_command_and_nothing_else(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	start(&f);
	key(&f, KEY_ENTER_);
	key(&f, 'n');
	key(&f, 'n');
	key(&f, 'n');
	key(&f, 'y');
	assert_string_equal(last_effect(&f, EFFECT_COPY)->text.data, "ss -ltnp");
	assert_string_equal(last_effect(&f, EFFECT_COPY)->label.data, "ss -ltnp");
	send(&f, (struct event){.kind = EVENT_EFFECT_DONE, .u.done = {1, true, STR("in the tmux buffer")}});
	sees(&f, "in the tmux buffer");
	key(&f, KEY_DOWN_);
	misses(&f, "in the tmux buffer");
	end(&f);
}

static void a_hole_is_told_before_copying(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	start(&f);
	answer(&f, "free-port", PROBE_OK, "MASTER_PORT", "23417", 1);
	key(&f, 'y');
	assert_null(last_effect(&f, EFFECT_COPY));
	sees(&f, "have no value yet: <SCRIPT>");
	key(&f, KEY_ESCAPE_);
	assert_null(last_effect(&f, EFFECT_COPY));
	key(&f, 'y');
	key(&f, KEY_ENTER_);
	assert_string_equal(last_effect(&f, EFFECT_COPY)->text.data,
			    "export MASTER_PORT=23417\ntorchrun --master_port=23417 <SCRIPT>");
	end(&f);
}

static void what_destroys_is_told_before_copying(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, KEY_DOWN_);
	key(&f, 'y');
	assert_null(last_effect(&f, EFFECT_COPY));
	sees(&f, "Running it loses");
	key(&f, 'y');
	assert_string_equal(last_effect(&f, EFFECT_COPY)->text.data, "npu-smi set -t reset -i 0");
	end(&f);
}

static void a_solution_is_copied_as_a_script(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, KEY_ENTER_);
	for (int i = 0; i < 3; i++)
		key(&f, 'n');
	key(&f, 'Y');
	assert_string_equal(last_effect(&f, EFFECT_COPY)->text.data, "# 1.1  The port is taken\n"
								     "# Solution 1  Look\n"
								     "\n"
								     "# See who holds the port.\n"
								     "ss -ltnp\n");
	end(&f);
}

static void what_cannot_be_done_says_why(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, KEY_HOME_);
	key(&f, 'y');
	sees(&f, "There is no command here to copy.");
	assert_null(last_effect(&f, EFFECT_COPY));
	key(&f, '[');
	sees(&f, "There is no entry before this one.");
	end(&f);
}

static void search_gives_the_tree_back_as_it_was(void **state)
{
	struct fixture f;
	struct buf before = {0};

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, KEY_DOWN_);
	buf_add(&before, str_of(screen(&f)));
	key(&f, '/');
	type(&f, "EI0020");
	sees(&f, "1 of 3");
	sees(&f, "Another process holds the port.");
	key(&f, KEY_ESCAPE_);
	assert_string_equal(screen(&f), buf_c_string(&before));
	buf_release(&before);
	end(&f);
}

static void a_code_without_an_entry_is_explained(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, '/');
	type(&f, "e507");
	sees(&f, "A kernel fault.");
	end(&f);
}

static void an_empty_result_says_what_to_try(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, '/');
	type(&f, "qqqqqqqq");
	sees(&f, "0 of 3");
	sees(&f, "Try fewer words");
	end(&f);
}

static void a_pasted_error_finds_its_entry(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, KEY_DOWN_);
	send(&f, (struct event){
			 .kind = EVENT_PASTE,
			 .u.text = STR("Traceback:\r\n\x1B[31mRuntimeError: address already in use on port "
				       "29500\x1B[0m\r\nbye\n")});
	sees(&f, "3 pasted lines");
	sees(&f, "1 of 3");
	sees(&f, "Another process holds the port.");
	key(&f, 'x');
	misses(&f, "pasted lines");
	end(&f);
}

static void go_to_finds_ids_and_codes_and_offers_others(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	key(&f, ':');
	type(&f, "1.2");
	key(&f, KEY_ENTER_);
	sees(&f, "A card does not answer.");
	key(&f, ':');
	type(&f, "ei0020");
	key(&f, KEY_ENTER_);
	sees(&f, "The port.");
	key(&f, '[');
	sees(&f, "A card does not answer.");
	key(&f, ']');
	sees(&f, "The port.");
	key(&f, ':');
	type(&f, "EI0021");
	key(&f, KEY_ENTER_);
	sees(&f, "There is no “EI0021”. Did you mean: ");
	sees(&f, "EI0020");
	end(&f);
}

static void language_keeps_the_place(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 24, 80);
	key(&f, ':');
	type(&f, "2.1");
	key(&f, KEY_ENTER_);
	for (int i = 0; i < 200 && !strstr(screen(&f), "Background"); i++)
		key(&f, KEY_DOWN_);
	for (int i = 0; i < 6; i++)
		key(&f, KEY_DOWN_);
	sees(&f, "Background");
	key(&f, 'L');
	sees(&f, "背景");
	assert_non_null(strstr(last_effect(&f, EFFECT_SAVE_STATE)->text.data, "lang zh\n"));
	key(&f, 'L');
	sees(&f, "Background");
	end(&f);
}

static void where_you_were_is_where_you_are(void **state)
{
	struct fixture f, g;
	struct buf before = {0};

	(void)state;
	begin(&f, "", 24, 80);
	key(&f, ':');
	type(&f, "2.1");
	key(&f, KEY_ENTER_);
	key(&f, 'L');
	for (int i = 0; i < 20; i++)
		key(&f, KEY_DOWN_);
	buf_add(&before, str_of(screen(&f)));
	key(&f, 'q');
	assert_non_null(last_effect(&f, EFFECT_QUIT));
	begin(&g, last_effect(&f, EFFECT_SAVE_STATE)->text.data, 24, 80);
	assert_string_equal(screen(&g), buf_c_string(&before));
	buf_release(&before);
	end(&f);
	end(&g);
}

static void garbage_as_state_is_harmless(void **state)
{
	static const char *const garbage[] = {
		"\xFF\xFE\x00",
		"ascend-faq state 1\nline 99999999999999999999\nline 4000000\nlang fr\nshown-entry 9.9\n",
		"ascend-faq state 1\nfocus entry\nselected-section none\nselected-entry\n\n \nvisit-code ?",
		"ascend-faq state 1\nsearch \x1B[31m\ngo-to \xFF\nunfolded x\nshown-code E507\nvisit-entry "
		"1.1",
		"ascend-faq state 2\nlang zh\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		struct fixture f;

		begin(&f, garbage[i], 24, 80);
		sees(&f, "3 entries");
		key(&f, '/');
		key(&f, 'p' - 'a' + 1);
		screen(&f);
		end(&f);
	}
}

static void form_sets_a_value_for_the_session(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 180);
	key(&f, 'f');
	sees(&f, "MASTER_PORT");
	type(&f, "80");
	key(&f, KEY_ENTER_);
	sees(&f, "✗");
	key(&f, 'u' - 'a' + 1);
	type(&f, "24001");
	sees(&f, "✓ fits");
	key(&f, KEY_ENTER_);
	type(&f, "train.py --epochs 3");
	key(&f, KEY_ENTER_);
	sees(&f, "--master_port=24001 train.py --epochs 3");
	sees(&f, "set by you");
	key(&f, 'f');
	key(&f, 'u' - 'a' + 1);
	key(&f, KEY_ENTER_);
	key(&f, KEY_ESCAPE_);
	sees(&f, "--master_port=<MASTER_PORT> train.py --epochs 3");
	end(&f);
}

static void mouse_selects_opens_and_copies(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 40, 120);
	click(&f, "1.2 A card", MOUSE_PRESS);
	sees(&f, "A card does not answer.");
	click(&f, "1.1 The port", MOUSE_DOUBLE);
	click(&f, "ss -ltnp", MOUSE_PRESS);
	assert_string_equal(last_effect(&f, EFFECT_COPY)->text.data, "ss -ltnp");
	click(&f, "→ 1.2", MOUSE_PRESS);
	sees(&f, "A card does not answer.");
	click(&f, "quit", MOUSE_PRESS);
	assert_non_null(last_effect(&f, EFFECT_QUIT));
	end(&f);
}

static void sizes_that_are_too_small_say_so(void **state)
{
	struct fixture f;
	struct event small = {.kind = EVENT_RESIZE, .u.size = {4, 30}};

	(void)state;
	begin(&f, "", 24, 80);
	key(&f, '/');
	type(&f, "port");
	send(&f, small);
	sees(&f, "needs 20×5");
	small.u.size.rows = small.u.size.columns = 1;
	send(&f, small);
	screen(&f);
	small.u.size.rows = 24, small.u.size.columns = 80;
	send(&f, small);
	sees(&f, "/ port");
	end(&f);
}

static void help_tells_the_keys_of_where_you_are(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 60, 120);
	key(&f, '?');
	sees(&f, "fold a section");
	misses(&f, "what the probe ran");
	key(&f, '/');
	type(&f, "clip");
	sees(&f, "No key has these words.");
	key(&f, KEY_ESCAPE_);
	key(&f, '/');
	type(&f, "solution");
	key(&f, KEY_ENTER_);
	sees(&f, "copy the whole solution");
	misses(&f, "fold a section");
	key(&f, KEY_ESCAPE_);
	key(&f, KEY_ESCAPE_);
	misses(&f, "copy the whole solution");
	end(&f);
}

static void empty_section_says_so(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 24, 120);
	key(&f, KEY_END_);
	sees(&f, "Not yet.");
	end(&f);
}

static void one_pane_at_a_time_when_narrow(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "", 20, 50);
	sees(&f, "1.1 The port is taken");
	misses(&f, "Another process");
	key(&f, KEY_ENTER_);
	sees(&f, "Another process");
	key(&f, KEY_ESCAPE_);
	misses(&f, "Another process");
	key(&f, 'p');
	sees(&f, "clang++");
	key(&f, KEY_ESCAPE_);
	sees(&f, "1.1 The port is taken");
	end(&f);
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
		cmocka_unit_test(language_keeps_the_place),
		cmocka_unit_test(where_you_were_is_where_you_are),
		cmocka_unit_test(garbage_as_state_is_harmless),
		cmocka_unit_test(form_sets_a_value_for_the_session),
		cmocka_unit_test(mouse_selects_opens_and_copies),
		cmocka_unit_test(sizes_that_are_too_small_say_so),
		cmocka_unit_test(help_tells_the_keys_of_where_you_are),
		cmocka_unit_test(empty_section_says_so),
		cmocka_unit_test(one_pane_at_a_time_when_narrow),
		cmocka_unit_test(a_pack_without_anything_is_a_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * A monkey at the keyboard: many random events of all kinds at all sizes. Nothing crashes, nothing is drawn
 * that cannot be on a screen, and what was asked for is always well-formed.
 */
#include "test.h"

#include "base/utf8.h"
#include "core/probe.h"
#include "sample_kb.h"
#include "ui/session.h"

enum { EVENTS = 100000, MOST_ROWS = 44, MOST_COLUMNS = 150 };

struct monkey {
	uint32_t last_file; /* id of the file that was to be written last */
	uint32_t seed;
	struct kb *kb;
	struct session *session;
	struct canvas *canvas;
	struct effect_list effects;
	uint32_t generation;
	uint64_t now_ms;
};

static uint32_t draw_number(struct monkey *monkey, uint32_t below)
{
	monkey->seed = monkey->seed * 1664525u + 1013904223u;
	return (monkey->seed >> 8) % below;
}

static uint32_t random_key(struct monkey *monkey)
{
	static const uint32_t likely[] = {
		KEY_UP_,
		KEY_DOWN_,
		KEY_LEFT_,
		KEY_RIGHT_,
		KEY_ENTER_,
		KEY_ENTER_,
		KEY_ESCAPE_,
		KEY_TAB_,
		'/',
		'y',
		'Y',
		'f',
		'p',
		'L',
		'?',
		':',
		'[',
		']',
		'e',
		'n',
		'N',
		KEY_HOME_,
		KEY_END_,
		KEY_PAGE_UP_,
		'1',
		'.',
		'2',
		KEY_DELETE_,
		KEY_BACK_TAB_,
		KEY_CTRL_('p'),
		KEY_CTRL_('w'),
		KEY_PAGE_DOWN_,
		0x4E2D,
		0x7AEF,
		0x301,
		KEY_BACKSPACE_,
		'r',
		'e',
		'w',
		' ',
		KEY_F1_ + 1,
		KEY_F1_ + 2,
		':',
		'(',
	};

	switch (draw_number(monkey, 8)) {
	case 0:
		return draw_number(monkey, 256);
	case 1:
		return KEY_SPECIAL_ + draw_number(monkey, 40);
	case 2:
		return KEY_ALT_ + draw_number(monkey, 128);
	default:
		return likely[draw_number(monkey, sizeof(likely) / sizeof(likely[0]))];
	}
}

static void send(struct monkey *monkey, struct event event)
{
	event.now_ms = monkey->now_ms += draw_number(monkey, 50);
	session_handle(monkey->session, &event, &monkey->effects);
}

static void send_paste(struct monkey *monkey)
{
	char bytes[64];
	size_t size = draw_number(monkey, sizeof(bytes));

	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)(draw_number(monkey, 4) ? 32 + draw_number(monkey, 90)
							 : draw_number(monkey, 256));
	send(monkey, (struct event){.kind = EVENT_PASTE, .u.text = {bytes, size}});
}

static void send_probe(struct monkey *monkey)
{
	struct probe_value values[] = {{STR("MASTER_PORT"), STR("23417; rm -rf /\n\x1B[2J")}};
	struct probe_result result = {.state = (enum probe_state)draw_number(monkey, 6),
				      .values = values,
				      .value_count = draw_number(monkey, 2),
				      .excerpt = STR("\xFF\x00out\tput\n\n")};

	result.detail.in[LANG_EN] = STR("detail \x1B]0;title\x07");
	send(monkey, (struct event){.kind = EVENT_PROBE_DONE,
				    .u.probe = {monkey->kb->probes[draw_number(monkey, 3)],
						monkey->generation - draw_number(monkey, 2), &result}});
}

static void send_any(struct monkey *monkey)
{
	struct event event = {.kind = EVENT_KEY};

	switch (draw_number(monkey, 40)) {
	case 0:
		event.kind = EVENT_RESIZE;
		event.u.size.rows = (int)draw_number(monkey, draw_number(monkey, 2) ? 8 : MOST_ROWS);
		event.u.size.columns = (int)draw_number(monkey, draw_number(monkey, 2) ? 30 : MOST_COLUMNS);
		break;
	case 1:
		send_paste(monkey);
		return;
	case 2:
	case 3:
		send_probe(monkey);
		return;
	case 4:
		event.kind = EVENT_TICK;
		break;
	case 5:
		event.kind = EVENT_EFFECT_DONE;
		event.u.done.message = STR("copied \x1B[0m 中文");
		break;
	case 6:
		event.kind = EVENT_FOCUS_LOST;
		break;
	case 7:
	case 8:
	case 9:
		event.kind = EVENT_MOUSE;
		event.u.mouse.row = (int)draw_number(monkey, MOST_ROWS) - 1;
		event.u.mouse.column = (int)draw_number(monkey, MOST_COLUMNS) - 1;
		event.u.mouse.action = (enum mouse_action)draw_number(monkey, 4);
		break;
	case 10:
		event.kind = EVENT_REPORT;
		event.u.report.names = STR("USER zhang\nHOST a\nNONE b\n\xFF\n");
		event.u.report.history = STR("\n1 looked \xFF\n");
		break;
	case 11:
		event.kind = EVENT_FILE;
		event.u.file.id = monkey->last_file;
		event.u.file.ok = draw_number(monkey, 2);
		event.u.file.message = STR("written \x1B[0m");
		event.u.file.next = STR("next-2.md");
		break;
	default:
		event.u.key = random_key(monkey);
	}
	send(monkey, event);
}

static void check_picture(struct monkey *monkey)
{
	int row, column;

	session_draw(monkey->session, monkey->canvas);
	for (row = 0; row < canvas_rows(monkey->canvas); row++) {
		for (column = 0; column < canvas_columns(monkey->canvas); column++) {
			const struct cell *cell = canvas_cell(monkey->canvas, row, column);

			assert_true(cell->style < STYLE_COUNT);
			assert_true((unsigned char)cell->glyph[0] >= ' ' || cell->width == 0);
			if (cell->width == 2)
				assert_true(column + 1 < canvas_columns(monkey->canvas) &&
					    cell[1].width == 0);
			if (cell->width == 0)
				assert_true(column > 0 && cell[-1].width == 2);
		}
	}
	canvas_cursor_at(monkey->canvas, &row, &column);
	assert_true(row < canvas_rows(monkey->canvas) && column < canvas_columns(monkey->canvas));
}

static void check_effects(struct monkey *monkey)
{
	for (size_t i = 0; i < monkey->effects.list.count; i++) {
		const struct effect *effect = &monkey->effects.list.items[i];

		if (effect->kind == EFFECT_PROBE_START) {
			assert_non_null(effect->probe);
			monkey->generation = effect->generation;
		}
		if (effect->kind == EFFECT_COPY) {
			assert_true(effect->text.size > 0 && effect->label.size > 0);
			/* A value that is no port never gets into a command. */
			assert_true(str_find(effect->text, STR("rm -rf")) == STR_NOT_FOUND);
		}
		if (effect->kind == EFFECT_FILE_NEW) {
			assert_true(effect->text.size > 0 && effect->label.size > 0);
			monkey->last_file = effect->id;
		}
		if (effect->kind == EFFECT_SAVE_STATE)
			assert_true(str_starts(effect->text, STR("ascend-faq state 1\n")));
	}
	effect_clear(&monkey->effects);
}

static void nothing_that_is_pressed_breaks_it(void **state)
{
	struct session_options options = {.lang = LANG_ZH};
	struct monkey monkey = {.seed = 20, .kb = sample_kb_new(), .canvas = canvas_new(1, 1)};

	(void)state;
	for (int round = 0; round < 10; round++) {
		options.ascii = round % 3 == 0;
		monkey.session = session_new(monkey.kb, &options, 24, 80);
		session_start(monkey.session, 0, &monkey.effects);
		for (int i = 0; i < EVENTS / 10; i++) {
			send_any(&monkey);
			check_effects(&monkey);
			if (i % 4 == 0)
				check_picture(&monkey);
		}
		session_free(monkey.session);
	}
	effect_release(&monkey.effects);
	canvas_free(monkey.canvas);
	kb_free(monkey.kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_that_is_pressed_breaks_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

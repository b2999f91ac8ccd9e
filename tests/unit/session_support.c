#include "test.h"

#include "sample_kb.h"
#include "session_support.h"

#include <string.h>

void fixture_begin(struct fixture *fixture, const char *state, int rows, int columns)
{
	struct session_options options = {.lang = LANG_EN, .state = str_of(state), .machine = STR("aarch64")};

	memset(fixture, 0, sizeof(*fixture));
	fixture->kb = sample_kb_new();
	fixture->session = session_new(fixture->kb, &options, rows, columns);
	fixture->canvas = canvas_new(rows, columns);
}

void fixture_end(struct fixture *fixture)
{
	session_free(fixture->session);
	canvas_free(fixture->canvas);
	effect_release(&fixture->effects);
	buf_release(&fixture->screen);
	kb_free(fixture->kb);
}

void fixture_send(struct fixture *fixture, struct event event)
{
	event.now_ms = fixture->now_ms += 10;
	session_handle(fixture->session, &event, &fixture->effects);
}

void fixture_key(struct fixture *fixture, uint32_t code)
{
	fixture_send(fixture, (struct event){.kind = EVENT_KEY, .u.key = code});
}

void fixture_type(struct fixture *fixture, const char *text)
{
	for (; *text; text++)
		fixture_key(fixture, (unsigned char)*text);
}

const char *fixture_screen(struct fixture *fixture)
{
	session_draw(fixture->session, fixture->canvas);
	buf_clear(&fixture->screen);
	canvas_dump(fixture->canvas, &fixture->screen);
	return buf_c_string(&fixture->screen);
}

void fixture_sees(struct fixture *fixture, const char *text)
{
	if (!strstr(fixture_screen(fixture), text))
		fail_msg("`%s` is not on the screen:\n%s", text, buf_c_string(&fixture->screen));
}

void fixture_misses(struct fixture *fixture, const char *text)
{
	if (strstr(fixture_screen(fixture), text))
		fail_msg("`%s` is on the screen:\n%s", text, buf_c_string(&fixture->screen));
}

const struct effect *fixture_last_effect(const struct fixture *fixture, enum effect_kind kind)
{
	for (size_t i = fixture->effects.list.count; i > 0; i--) {
		if (fixture->effects.list.items[i - 1].kind == kind)
			return &fixture->effects.list.items[i - 1];
	}
	return NULL;
}

void fixture_start(struct fixture *fixture)
{
	session_start(fixture->session, fixture->now_ms, &fixture->effects);
}

/* Answer a probe of generation `generation` with one value. */
void fixture_answer(struct fixture *fixture, const char *id, enum probe_state state, const char *name,
		    const char *value, uint32_t generation)
{
	struct probe_value values[] = {{str_of(name), str_of(value)}};
	struct probe_result result = {.state = state, .values = values, .value_count = name ? 1 : 0};

	result.detail.in[LANG_EN] = result.detail.in[LANG_ZH] = STR("what was found");
	fixture_send(fixture,
		     (struct event){.kind = EVENT_PROBE_DONE,
				    .u.probe = {kb_probe(fixture->kb, str_of(id)), generation, &result}});
}

static void find_on_screen(struct fixture *fixture, const char *text, int *row, int *column)
{
	const char *at = strstr(fixture_screen(fixture), text);
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

void fixture_click(struct fixture *fixture, const char *text, enum mouse_action action)
{
	struct event event = {.kind = EVENT_MOUSE};

	find_on_screen(fixture, text, &event.u.mouse.row, &event.u.mouse.column);
	event.u.mouse.action = action;
	fixture_send(fixture, event);
}

/* What a terminal sends, and a session that gets it: keys, pastes, mouse, sizes, a state file. */
#include "fuzz.h"

#include "ui/decode.h"
#include "ui/session.h"

/* Whatever the pieces are, the events must be the same; and no event may be made of nothing. */
void fuzz_terminal(struct str bytes)
{
	struct decoder *decoder = decode_new();
	size_t piece = 1 + fuzz_number(&bytes, 64);
	size_t events = 0;
	struct event event;

	decode_add_key(decoder, "\033[Z", KEY_BACK_TAB_);
	for (size_t at = 0; at < bytes.size; at += piece) {
		decode_feed(decoder, str_slice(bytes, at, at + piece), at);
		while (decode_next(decoder, at, &event))
			events++;
	}
	while (decode_next(decoder, UINT64_MAX - 1, &event))
		events++;
	FUZZ_CHECK(events <= 2 * bytes.size + 2);
	decode_free(decoder);
}

static bool asks_for_report(const struct effect_list *effects)
{
	bool asks = false;

	for (size_t i = 0; i < effects->list.count; i++)
		asks = asks || effects->list.items[i].kind == EFFECT_REPORT_READ;
	return asks;
}

static void play(struct session *session, struct canvas *canvas, struct str bytes)
{
	struct decoder *decoder = decode_new();
	struct effect_list effects = {0};
	struct event event;
	uint64_t now = 1;

	session_start(session, now, &effects);
	while (bytes.size) {
		if (fuzz_number(&bytes, 16) == 0) {
			int rows = (int)fuzz_number(&bytes, 60);
			int columns = (int)fuzz_number(&bytes, 200);

			event = (struct event){.kind = EVENT_RESIZE, .now_ms = now};
			event.u.size.rows = rows + 1;
			event.u.size.columns = columns + 1;
			canvas_resize(canvas, rows + 1, columns + 1);
			session_handle(session, &event, &effects);
		}
		decode_feed(decoder, str_slice(bytes, 0, 8), now);
		bytes = str_slice(bytes, 8, bytes.size);
		now += 100;
		while (decode_next(decoder, now, &event)) {
			event.now_ms = now;
			session_handle(session, &event, &effects);
		}
		if (asks_for_report(&effects)) {
			event = (struct event){.kind = EVENT_REPORT, .now_ms = now};
			event.u.report.names = STR("USER zhang\nHOST login-1\n");
			event.u.report.history = str_slice(bytes, 0, 64);
			session_handle(session, &event, &effects);
		}
		session_draw(session, canvas);
		effect_clear(&effects);
	}
	effect_release(&effects);
	decode_free(decoder);
}

void fuzz_session(struct str bytes)
{
	struct session_options options = {.lang = LANG_EN};
	struct canvas *canvas = canvas_new(24, 80);
	struct session *session;

	options.lang = fuzz_number(&bytes, 2) ? LANG_ZH : LANG_EN;
	options.state = fuzz_part(&bytes);
	session = session_new(fuzz_kb(), &options, 24, 80);
	play(session, canvas, bytes);
	session_free(session);
	canvas_free(canvas);
}

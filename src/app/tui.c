#include "app/tui.h"

#include "app/effect.h"
#include "app/memory.h"
#include "plat/fs.h"
#include "plat/loop.h"
#include "plat/signal.h"
#include "ui/screen.h"

#include <errno.h>
#include <string.h>

enum { STATE_LIMIT = 1024 * 1024 };

struct tui {
	struct loop *loop;
	struct screen *screen;
	struct session *session;
	struct canvas *canvas;
	struct effect_runner *runner;
	struct effect_list effects;
	const struct tui_options *options;
	int rows, columns;
	int ended_by;    /* signal; 0: none */
	bool packs_read; /* and not yet shown */
	bool touched;    /* by the reader */
	bool quit;
	bool suspend;
	bool input; /* the terminal has something for us */
};

static void handle(struct tui *tui, struct event *event);

/* The terminal belongs to others, or to nobody, from now on: what would be lost is saved. */
static void tell_focus_lost(struct tui *tui)
{
	handle(tui, &(struct event){.kind = EVENT_FOCUS_LOST, .now_ms = loop_now_ms()});
}

static void run_effects(struct tui *tui)
{
	struct effect_list effects = tui->effects;

	/* The session may add effects only while it handles an event: the list is taken as a whole. */
	tui->effects = (struct effect_list){.last_id = effects.last_id};
	for (size_t i = 0; i < effects.list.count; i++) {
		const struct effect *effect = &effects.list.items[i];

		if (effect->kind == EFFECT_QUIT)
			tui->quit = true;
		else if (effect->kind == EFFECT_SUSPEND)
			tui->suspend = true;
		else
			effect_run(tui->runner, effect, session_lang(tui->session));
	}
	effect_release(&effects);
}

static void handle(struct tui *tui, struct event *event)
{
	session_handle(tui->session, event, &tui->effects);
	run_effects(tui);
}

static void take_size(struct tui *tui)
{
	struct event event = {.kind = EVENT_RESIZE, .now_ms = loop_now_ms()};

	screen_size(tui->screen, &tui->rows, &tui->columns);
	screen_redraw(tui->screen);
	event.u.size.rows = tui->rows;
	event.u.size.columns = tui->columns;
	handle(tui, &event);
}

static void suspend(struct tui *tui)
{
	tui->suspend = false;
	tell_focus_lost(tui);
	screen_leave(tui->screen);
	signal_suspend();
	screen_enter(tui->screen);
	take_size(tui);
}

static void take_signal(struct tui *tui, int number)
{
	switch (number) {
	case SIGWINCH:
		take_size(tui);
		break;
	case SIGCHLD:
		effect_child_ended(tui->runner);
		break;
	case SIGTSTP:
		tui->suspend = true;
		break;
	case SIGCONT:
		screen_enter(tui->screen);
		take_size(tui);
		break;
	default:
		tui->ended_by = number;
		break;
	}
}

static void signals_ready(void *context, int fd, short events)
{
	int number;

	(void)fd;
	(void)events;
	while (signal_next(&number))
		take_signal(context, number);
}

static void terminal_ready(void *context, int fd, short events)
{
	struct tui *tui = context;

	(void)fd;
	if (events & POLLOUT && !screen_flush(tui->screen))
		tui->ended_by = SIGHUP;
	/* A hang-up is seen by reading: it gives end of file or EIO. */
	if (events & (POLLIN | POLLHUP | POLLERR) && !screen_read(tui->screen, loop_now_ms()))
		tui->ended_by = SIGHUP;
}

static void take_input(struct tui *tui)
{
	struct event event;
	bool plain = screen_is_plain(tui->screen), any = false;

	while (!tui->quit && !tui->suspend && screen_next(tui->screen, loop_now_ms(), &event)) {
		any = true;
		if (plain)
			continue;
		/* As in any program: it ends, and the terminal is as it was. */
		if (event.kind == EVENT_KEY && event.u.key == KEY_CTRL_('c')) {
			tui->ended_by = SIGINT;
			return;
		}
		tui->touched = true;
		handle(tui, &event);
	}
	if (plain && any) {
		screen_enter(tui->screen);
		take_size(tui);
	}
}

static bool use_ascii(const struct tui *tui)
{
	return tui->options->charset == CHARSET_ASCII ||
	       (tui->options->charset == CHARSET_ASCII_UNTIL_CHINESE &&
		session_lang(tui->session) != LANG_ZH);
}

static void draw(struct tui *tui)
{
	bool ascii = use_ascii(tui);

	if (screen_is_plain(tui->screen) || screen_is_behind(tui->screen) || !session_dirty(tui->session))
		return;
	canvas_resize(tui->canvas, tui->rows, tui->columns);
	canvas_ascii(tui->canvas, ascii);
	screen_set_ascii(tui->screen, ascii);
	session_draw(tui->session, tui->canvas);
	screen_present(tui->screen, tui->canvas);
}

static void read_state(struct buf *state)
{
	struct buf path = {0};

	if (effect_state_path(&path))
		fs_read_file(buf_c_string(&path), STATE_LIMIT, state, NULL);
	buf_release(&path);
}

static void packs_ready(void *context, int fd, short events)
{
	struct tui *tui = context;

	(void)events;
	tui->packs_read = true;
	loop_unwatch(tui->loop, fd);
}

static void start_session(struct tui *tui)
{
	session_start(tui->session, loop_now_ms(), &tui->effects);
	run_effects(tui);
}

/* What the program remembers, and the time by which it does; `guides` keeps the text. */
static void add_memory(struct session_options *options, struct buf *guides)
{
	memory_read_guides(guides);
	options->guides = buf_str(guides);
	options->epoch_ms = memory_epoch_ms();
	options->zone_s = memory_zone_s();
}

/* The session goes on with all packs as soon as the reader has nothing open that would be lost. */
static void show_packs(struct tui *tui)
{
	struct session *before = tui->session;
	struct session_options options = tui->options->session;
	struct kb *kb;
	struct buf state = {0}, guides = {0};

	if (!tui->packs_read || !session_is_calm(before) || effect_is_copying(tui->runner))
		return;
	tui->packs_read = false;
	kb = packs_loader_kb(tui->options->packs);
	if (tui->touched) {
		session_write_state(before, &state);
		options.search = session_query(before);
		options.open = options.line = options.failed = (struct str){NULL, 0};
		options.facts = session_facts(before);
		options.lang = session_lang(before);
	} else {
		/* Where the reader was last may be in what was read only now. */
		read_state(&state);
	}
	options.state = buf_str(&state);
	add_memory(&options, &guides);
	options.index = packs_loader_take_index(tui->options->packs);
	tui->session = session_new(kb, &options, tui->rows, tui->columns);
	effect_runner_free(tui->runner);
	tui->runner = effect_runner_new(kb, tui->loop, tui->screen);
	session_free(before);
	buf_release(&state);
	buf_release(&guides);
	draw(tui);
	start_session(tui);
}

static void run(struct tui *tui)
{
	struct event event;

	draw(tui); /* at once: nothing waits for the probes that start now */
	start_session(tui);
	/* A copy that was just asked for is brought to its end. */
	while (!tui->ended_by && (!tui->quit || effect_is_copying(tui->runner))) {
		uint64_t tick = session_next_tick(tui->session), keys = screen_deadline(tui->screen);
		short wanted;

		draw(tui);
		wanted = screen_is_behind(tui->screen) ? POLLIN | POLLOUT : POLLIN;
		loop_watch(tui->loop, screen_fd(tui->screen), wanted, terminal_ready, tui);
		if (!loop_turn(tui->loop, keys < tick ? keys : tick)) {
			tui->ended_by = SIGHUP;
			break;
		}
		take_input(tui);
		while (!tui->quit && effect_next_event(tui->runner, &event))
			handle(tui, &event);
		if (loop_now_ms() >= session_next_tick(tui->session))
			handle(tui, &(struct event){.kind = EVENT_TICK, .now_ms = loop_now_ms()});
		if (tui->suspend && !tui->ended_by)
			suspend(tui);
		if (!tui->quit && !tui->ended_by)
			show_packs(tui);
	}
	if (tui->ended_by)
		tell_focus_lost(tui);
}

static struct session *make_session(const struct tui *tui, const struct kb *kb)
{
	struct session_options options = tui->options->session;
	struct session *session;
	struct buf state = {0}, guides = {0};

	read_state(&state);
	options.state = buf_str(&state);
	options.more_packs = tui->options->packs != NULL;
	add_memory(&options, &guides);
	session = session_new(kb, &options, tui->rows, tui->columns);
	buf_release(&state);
	buf_release(&guides);
	return session;
}

int tui_run(const struct kb *kb, const struct tui_options *options, struct buf *error)
{
	struct tui tui = {.options = options};
	const struct screen_options screen = {
		.ascii = options->charset != CHARSET_UTF8,
		.no_colour = options->no_colour,
		.no_mouse = options->no_mouse,
	};
	int signals = signal_start();
	int status = -1;

	if (signals < 0) {
		buf_add_format(error, "signals: %s", strerror(errno));
		return -1;
	}
	tui.screen = screen_open(&screen, error);
	if (!tui.screen)
		goto out;
	screen_size(tui.screen, &tui.rows, &tui.columns);
	tui.loop = loop_new();
	tui.session = make_session(&tui, kb);
	tui.canvas = canvas_new(tui.rows, tui.columns);
	tui.runner = effect_runner_new(kb, tui.loop, tui.screen);
	loop_watch(tui.loop, signals, POLLIN, signals_ready, &tui);
	if (options->packs)
		loop_watch(tui.loop, packs_loader_fd(options->packs), POLLIN, packs_ready, &tui);
	run(&tui);
	status = tui.ended_by ? 128 + tui.ended_by : 0;
	if (options->prompt)
		buf_add(options->prompt, effect_prompt(tui.runner));
out:
	effect_runner_free(tui.runner);
	screen_close(tui.screen);
	if (tui.session)
		session_free(tui.session);
	if (tui.canvas)
		canvas_free(tui.canvas);
	loop_free(tui.loop);
	effect_release(&tui.effects);
	signal_stop();
	return status;
}

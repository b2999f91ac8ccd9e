#include "app/effect.h"

#include "app/log_effect.h"
#include "app/memory.h"
#include "app/probe_run.h"
#include "app/report_effect.h"
#include "base/arena.h"
#include "base/vec.h"
#include "plat/clip.h"
#include "plat/fs.h"

/* An event that waits, with all that it refers to. */
struct answer {
	struct event event;
	struct buf message;          /* EVENT_EFFECT_DONE; the text of EVENT_LOG_LINES and EVENT_PATHS */
	struct buf findings, faults; /* EVENT_SCAN_PROGRESS, EVENT_SCAN_DONE */
	struct buf first, second;    /* EVENT_REPORT: names, history; EVENT_FILE: message, next */
	struct probe_result *result; /* EVENT_PROBE_DONE */
};

/* A copy under way. */
struct copying {
	struct clip clip;
	uint32_t id; /* of the effect */
	enum lang lang;
	struct buf label;
	uint64_t deadline; /* of the loop */
};

struct effect_runner {
	struct loop *loop;
	struct screen *screen;
	struct probe_runner *probes;
	struct log_effects *logs;
	struct report_effects *reports;
	struct copying *copying; /* null: none; a new copy replaces it */
	VEC(struct answer) answers;
	size_t given;      /* of them */
	struct buf prompt; /* for the shell's prompt */
};

bool effect_state_path(struct buf *path)
{
	return fs_home_path(FS_STATE, "ascend-faq/state", path);
}

/*
 * What is said about each way; what was copied stands last, as it may be long. %l is the label, %d the tool's
 * name, the path or the fault.
 */
static const struct {
	struct text says;
} said[] = {
	[CLIP_TMUX] = {{{STR_INIT("已存入 tmux 缓冲区，并交给外层终端的剪贴板：%l"),
			 STR_INIT("in the tmux buffer, and handed to the outer clipboard: %l")}}},
	[CLIP_TMUX_BUFFER] = {{{STR_INIT("已存入 tmux 缓冲区（前缀键加 ] 粘贴）：%l"),
				STR_INIT("in the tmux buffer (prefix ] pastes it): %l")}}},
	[CLIP_OSC52] = {{{STR_INIT("已用 OSC 52 发给终端（没收到就按 Ctrl-P）：%l"),
			  STR_INIT("sent to the terminal by OSC 52 (did not arrive? Ctrl-P): %l")}}},
	[CLIP_WL_COPY] = {{{STR_INIT("已用 %d 复制：%l"), STR_INIT("copied by %d: %l")}}},
	[CLIP_XCLIP] = {{{STR_INIT("已用 %d 复制：%l"), STR_INIT("copied by %d: %l")}}},
	[CLIP_XSEL] = {{{STR_INIT("已用 %d 复制：%l"), STR_INIT("copied by %d: %l")}}},
	[CLIP_FILE] = {{{STR_INIT("已写入 %d（这里没有剪贴板）：%l"),
			 STR_INIT("written to %d (no clipboard here): %l")}}},
	[CLIP_NONE] = {{{STR_INIT("没能复制（%d）；按 Ctrl-P 显示原文"),
			 STR_INIT("not copied (%d); Ctrl-P prints it")}}},
};

/* Label and detail are outside text, and never a format. */
static void add_said(struct buf *out, struct str format, struct str label, struct str detail)
{
	for (size_t at = str_find_byte(format, '%'); at != STR_NOT_FOUND; at = str_find_byte(format, '%')) {
		buf_add(out, str_slice(format, 0, at));
		buf_add(out, format.data[at + 1] == 'l' ? label : detail);
		format = str_slice(format, at + 2, format.size);
	}
	buf_add(out, format);
}

static void answer_copy(struct effect_runner *runner)
{
	struct copying *copying = runner->copying;
	const struct clip *clip = &copying->clip;
	struct answer answer = {.event = {.kind = EVENT_EFFECT_DONE, .now_ms = loop_now_ms()}};
	struct str detail = str_of(clip_way_name(clip->way));

	if (clip->way == CLIP_FILE)
		detail = buf_str(&clip->path);
	else if (clip->way == CLIP_NONE)
		detail = buf_str(&clip->error);
	screen_send(runner->screen, buf_str(&clip->terminal));
	add_said(&answer.message, text_in(&said[clip->way].says, copying->lang), buf_str(&copying->label),
		 detail);
	answer.event.u.done.id = copying->id;
	answer.event.u.done.ok = clip->way != CLIP_NONE;
	vec_push(&runner->answers, answer);
}

static void end_copy(struct effect_runner *runner)
{
	if (!runner->copying)
		return;
	loop_cancel(runner->loop, runner->copying->deadline);
	clip_release(&runner->copying->clip);
	buf_release(&runner->copying->label);
	free(runner->copying);
	runner->copying = NULL;
}

static void copy_overdue(void *context);

static void go_on_copying(struct effect_runner *runner, bool done)
{
	struct copying *copying = runner->copying;

	loop_cancel(runner->loop, copying->deadline);
	copying->deadline = 0;
	if (done) {
		answer_copy(runner);
		end_copy(runner);
	} else {
		copying->deadline =
			loop_deadline(runner->loop, clip_deadline_ms(&copying->clip), copy_overdue, runner);
	}
}

static void copy_overdue(void *context)
{
	struct effect_runner *runner = context;

	runner->copying->deadline = 0;
	go_on_copying(runner, clip_advance(&runner->copying->clip));
}

static void start_copy(struct effect_runner *runner, const struct effect *effect, enum lang lang)
{
	struct clip_environment environment;
	struct buf file = {0};

	end_copy(runner);
	runner->copying = alloc_zeroed(1, sizeof(*runner->copying));
	runner->copying->id = effect->id;
	runner->copying->lang = lang;
	buf_add(&runner->copying->label, effect->label);
	clip_environment_read(&environment);
	fs_home_path(FS_STATE, "ascend-faq/copied", &file);
	go_on_copying(runner, clip_start(&runner->copying->clip, effect->text, &environment,
					 file.size ? buf_c_string(&file) : NULL));
	buf_release(&file);
}

void effect_child_ended(struct effect_runner *runner)
{
	if (runner->copying)
		go_on_copying(runner, clip_advance(&runner->copying->clip));
}

bool effect_is_copying(const struct effect_runner *runner)
{
	return runner->copying != NULL;
}

static void probe_is_done(void *context, const struct probe *probe, uint32_t generation,
			  const struct probe_result *result)
{
	struct effect_runner *runner = context;
	struct answer answer = {.event = {.kind = EVENT_PROBE_DONE, .now_ms = loop_now_ms()}};

	answer.result = alloc_zeroed(1, sizeof(*answer.result));
	probe_result_copy(answer.result, result);
	answer.event.u.probe.probe = probe;
	answer.event.u.probe.generation = generation;
	answer.event.u.probe.result = answer.result;
	vec_push(&runner->answers, answer);
}

static void log_is_read(void *context, const struct event *event)
{
	struct effect_runner *runner = context;
	struct answer answer = {.event = *event};

	if (event->kind == EVENT_LOG_LINES || event->kind == EVENT_PATHS) {
		buf_add(&answer.message, event->u.lines.text);
	} else {
		buf_add(&answer.findings, event->u.scan.findings);
		buf_add(&answer.faults, event->u.scan.faults);
	}
	vec_push(&runner->answers, answer);
}

static void report_is_told(void *context, const struct event *event)
{
	struct effect_runner *runner = context;
	struct answer answer = {.event = *event};

	buf_add(&answer.first, event->kind == EVENT_FILE ? event->u.file.message : event->u.report.names);
	buf_add(&answer.second, event->kind == EVENT_FILE ? event->u.file.next : event->u.report.history);
	vec_push(&runner->answers, answer);
}

static void save_state(const struct effect *effect)
{
	struct buf path = {0};

	/* A home that cannot be written is no news, and costs only the memory of where the reader was. */
	if (effect_state_path(&path))
		fs_write_file(buf_c_string(&path), effect->text, NULL);
	buf_release(&path);
}

static void read_history(struct effect_runner *runner)
{
	struct answer answer = {.event = {.kind = EVENT_HISTORY, .now_ms = loop_now_ms()}};

	memory_read_history(&answer.message);
	vec_push(&runner->answers, answer);
}

struct str effect_prompt(const struct effect_runner *runner)
{
	return buf_str(&runner->prompt);
}

void effect_run(struct effect_runner *runner, const struct effect *effect, enum lang lang)
{
	static const struct text any_key = {
		{STR_INIT("按任意键返回"), STR_INIT("press any key to come back")}};

	switch (effect->kind) {
	case EFFECT_PROBE_START:
		probe_runner_start(runner->probes, effect->probe, effect->generation);
		break;
	case EFFECT_PROBE_CANCEL:
		probe_runner_cancel(runner->probes, effect->probe);
		break;
	case EFFECT_SCAN_START:
	case EFFECT_SCAN_STOP:
	case EFFECT_LOG_LINES:
	case EFFECT_COMPLETE:
		log_effect_run(runner->logs, effect);
		break;
	case EFFECT_COPY:
		start_copy(runner, effect, lang);
		break;
	case EFFECT_SHOW_RAW:
		screen_show_plain(runner->screen, effect->text, text_in(&any_key, lang));
		break;
	case EFFECT_MOUSE:
		screen_mouse(runner->screen, effect->flag);
		break;
	case EFFECT_SAVE_STATE:
		save_state(effect);
		break;
	case EFFECT_PROMPT:
		buf_clear(&runner->prompt);
		buf_add(&runner->prompt, effect->text);
		break;
	case EFFECT_SAVE_GUIDE:
		memory_save_guides(effect->text);
		break;
	case EFFECT_HISTORY:
		memory_add_history(effect->text);
		break;
	case EFFECT_HISTORY_READ:
		read_history(runner);
		break;
	case EFFECT_REPORT_READ:
	case EFFECT_FILE_NEW:
		report_effect_run(runner->reports, effect, lang);
		break;
	case EFFECT_REDRAW:
		screen_redraw(runner->screen);
		break;
	case EFFECT_SUSPEND:
	case EFFECT_QUIT:
		break;
	}
}

static void answer_release(struct answer *answer)
{
	buf_release(&answer->message);
	buf_release(&answer->findings);
	buf_release(&answer->faults);
	buf_release(&answer->first);
	buf_release(&answer->second);
	if (answer->result)
		probe_result_release(answer->result);
	free(answer->result);
}

bool effect_next_event(struct effect_runner *runner, struct event *event)
{
	struct answer *answer;

	if (runner->given > 0)
		answer_release(&runner->answers.items[runner->given - 1]);
	if (runner->given == runner->answers.count) {
		vec_clear(&runner->answers);
		runner->given = 0;
		return false;
	}
	answer = &runner->answers.items[runner->given++];
	*event = answer->event;
	if (event->kind == EVENT_EFFECT_DONE) {
		event->u.done.message = buf_str(&answer->message);
	} else if (event->kind == EVENT_REPORT) {
		event->u.report.names = buf_str(&answer->first);
		event->u.report.history = buf_str(&answer->second);
	} else if (event->kind == EVENT_FILE) {
		event->u.file.message = buf_str(&answer->first);
		event->u.file.next = buf_str(&answer->second);
	} else if (event->kind == EVENT_HISTORY) {
		event->u.text = buf_str(&answer->message);
	} else if (event->kind == EVENT_LOG_LINES || event->kind == EVENT_PATHS) {
		event->u.lines.text = buf_str(&answer->message);
	} else if (event->kind == EVENT_SCAN_PROGRESS || event->kind == EVENT_SCAN_DONE) {
		event->u.scan.findings = buf_str(&answer->findings);
		event->u.scan.faults = buf_str(&answer->faults);
	}
	return true;
}

struct effect_runner *effect_runner_new(const struct kb *kb, struct loop *loop, struct screen *screen)
{
	struct effect_runner *runner = alloc_zeroed(1, sizeof(*runner));

	runner->loop = loop;
	runner->screen = screen;
	runner->probes = probe_runner_new(kb, loop, probe_is_done, runner);
	runner->logs = log_effects_new(kb, loop, log_is_read, runner);
	runner->reports = report_effects_new(loop, report_is_told, runner);
	return runner;
}

void effect_runner_free(struct effect_runner *runner)
{
	if (!runner)
		return;
	probe_runner_free(runner->probes);
	log_effects_free(runner->logs);
	report_effects_free(runner->reports);
	end_copy(runner);
	for (size_t i = runner->given ? runner->given - 1 : 0; i < runner->answers.count; i++)
		answer_release(&runner->answers.items[i]);
	vec_release(&runner->answers);
	buf_release(&runner->prompt);
	free(runner);
}

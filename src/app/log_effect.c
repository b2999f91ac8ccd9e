#include "app/log_effect.h"

#include "app/child.h"
#include "app/log_lines.h"
#include "app/path_complete.h"
#include "app/scan_run.h"

#include <stdlib.h>
#include <string.h>

enum { QUESTION_MS = 20 * 1000 };

/* Something small that a child finds out: lines of a log, or paths. */
struct question {
	struct log_effects *effects;
	struct child *child; /* null: none is open */
	enum effect_kind kind;
	uint32_t id; /* of the effect */
	uint64_t offset;
	struct buf path;
};

struct log_effects {
	const struct kb *kb;
	struct loop *loop;
	log_answer *answer;
	void *context;
	struct scan_run *scan;
	struct question lines, paths;
};

static void scan_told_us(void *context, const struct scan_news *news, bool done)
{
	struct log_effects *effects = context;
	struct event event = {.kind = done ? EVENT_SCAN_DONE : EVENT_SCAN_PROGRESS,
			      .now_ms = loop_now_ms(),
			      .u.scan = *news};

	effects->answer(effects->context, &event);
}

static void start_scan(struct log_effects *effects, const struct effect *effect)
{
	scan_run_free(effects->scan);
	effects->scan = scan_run_start(effects->kb, effects->loop, effect->text, effect->flag,
				       effect->generation, scan_told_us, effects);
}

/* In the child. What it prints: for lines, first how many bytes stand before the place. */
static int find_out(void *context, int out_fd)
{
	const struct question *question = context;
	struct buf found = {0};
	size_t before = 0;
	bool good = true;

	if (question->kind == EFFECT_LOG_LINES) {
		good = log_lines_read(buf_c_string(&question->path), question->offset, &found, &before) &&
		       child_write(out_fd, (struct str){(const char *)&before, sizeof(before)});
	} else {
		path_complete(buf_str(&question->path), &found);
	}
	good = good && child_write(out_fd, buf_str(&found));
	buf_release(&found);
	return good ? 0 : 1;
}

static void found_out(void *context, struct proc *proc, bool done)
{
	struct question *question = context;
	struct event event = {.now_ms = loop_now_ms()};
	struct str text = buf_str(&proc->out_text);

	if (!done)
		return;
	event.kind = question->kind == EFFECT_LOG_LINES ? EVENT_LOG_LINES : EVENT_PATHS;
	event.u.lines.id = question->id;
	event.u.lines.ok = proc->end == PROC_EXITED && proc->exit_status == 0;
	if (question->kind == EFFECT_LOG_LINES && event.u.lines.ok) {
		event.u.lines.ok = text.size >= sizeof(event.u.lines.before);
		if (event.u.lines.ok)
			memcpy(&event.u.lines.before, text.data, sizeof(event.u.lines.before));
		text = str_slice(text, sizeof(event.u.lines.before), text.size);
	}
	if (event.u.lines.ok)
		event.u.lines.text = text;
	question->effects->answer(question->effects->context, &event);
	child_free(question->child);
	question->child = NULL;
}

static void ask(struct log_effects *effects, struct question *question, const struct effect *effect)
{
	struct proc_command command = {
		.function = find_out, .context = question, .timeout_ms = QUESTION_MS, .keep_locale = true};
	struct event none = {.now_ms = loop_now_ms()};
	struct buf error = {0};

	child_free(question->child);
	question->effects = effects;
	question->kind = effect->kind;
	question->id = effect->id;
	question->offset = effect->offset;
	buf_clear(&question->path);
	buf_add(&question->path, effect->text);
	question->child = child_start(effects->loop, &command, found_out, question, &error);
	buf_release(&error);
	if (question->child)
		return;
	none.kind = effect->kind == EFFECT_LOG_LINES ? EVENT_LOG_LINES : EVENT_PATHS;
	none.u.lines.id = effect->id;
	effects->answer(effects->context, &none);
}

void log_effect_run(struct log_effects *effects, const struct effect *effect)
{
	if (effect->kind == EFFECT_SCAN_START)
		start_scan(effects, effect);
	else if (effect->kind == EFFECT_SCAN_STOP && effects->scan)
		scan_run_stop(effects->scan);
	else if (effect->kind == EFFECT_LOG_LINES)
		ask(effects, &effects->lines, effect);
	else if (effect->kind == EFFECT_COMPLETE)
		ask(effects, &effects->paths, effect);
}

struct log_effects *log_effects_new(const struct kb *kb, struct loop *loop, log_answer *answer, void *context)
{
	struct log_effects *effects = alloc_zeroed(1, sizeof(*effects));

	*effects = (struct log_effects){.kb = kb, .loop = loop, .answer = answer, .context = context};
	return effects;
}

void log_effects_free(struct log_effects *effects)
{
	if (!effects)
		return;
	scan_run_free(effects->scan);
	child_free(effects->lines.child);
	child_free(effects->paths.child);
	buf_release(&effects->lines.path);
	buf_release(&effects->paths.path);
	free(effects);
}

#include "app/report_effect.h"

#include "app/child.h"
#include "app/memory.h"
#include "app/redaction.h"
#include "plat/fs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WRITE_MS = 20 * 1000, NAMES_TRIED = 1000, NUMBER_DIGITS = 3 };

struct report_effects {
	struct loop *loop;
	report_answer_to *answer;
	void *context;
	/* The file that is being written. */
	struct child *child; /* null: none is */
	uint32_t id;         /* of the effect */
	enum lang lang;
	struct buf path, text;
};

static void read_report(struct report_effects *effects)
{
	struct event event = {.kind = EVENT_REPORT, .now_ms = loop_now_ms()};
	struct buf names = {0}, history = {0};

	redaction_add_names(&names);
	memory_read_history(&history);
	event.u.report.names = buf_str(&names);
	event.u.report.history = buf_str(&history);
	effects->answer(effects->context, &event);
	buf_release(&names);
	buf_release(&history);
}

/* ---- In the child. ------------------------------------------------------------------------------------ */

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_there(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0;
}

/* "report-2.md" after "report.md" or "report-1.md": the first one that is free. False: there are too many. */
static bool find_free(struct str path, struct buf *next)
{
	size_t name = path.size, dot, end, digits;

	while (name > 0 && path.data[name - 1] != '/')
		name--;
	dot = path.size;
	while (dot > name && path.data[dot - 1] != '.')
		dot--;
	end = dot > name + 1 ? dot - 1 : path.size;
	digits = end;
	while (digits > name && is_digit(path.data[digits - 1]))
		digits--;
	if (end - digits > 0 && end - digits <= NUMBER_DIGITS && digits > name + 1 &&
	    path.data[digits - 1] == '-')
		digits--;
	else
		digits = end;
	for (int number = 2; number <= NAMES_TRIED; number++) {
		buf_clear(next);
		buf_add_format(next, "%.*s-%d%.*s", STR_ARG(str_slice(path, 0, digits)), number,
			       STR_ARG(str_slice(path, end, path.size)));
		if (!is_there(buf_c_string(next)))
			return true;
	}
	buf_clear(next);
	return false;
}

/* "~/x" is in the home folder. */
static void add_full_path(struct str path, struct buf *full)
{
	const char *home = getenv("HOME");

	if (home && str_starts(path, STR("~/"))) {
		buf_add(full, str_of(home));
		path = str_slice(path, 1, path.size);
	}
	buf_add(full, path);
}

/* Prints what to say, a NUL, and the path that is free where this one is not. */
static int write_file(void *context, int out_fd)
{
	const struct report_effects *effects = context;
	bool zh = effects->lang == LANG_ZH;
	struct buf full = {0}, message = {0}, next = {0}, error = {0};
	const char *path;
	struct stat status;
	bool good;

	add_full_path(buf_str(&effects->path), &full);
	path = buf_c_string(&full);
	good = fs_create_file(path, buf_str(&effects->text), &error);
	if (good) {
		buf_add_format(&message,
			       zh ? "已写入 %s（0600，仅本人可读）。"
				  : "Written to %s (0600: for you alone to read).",
			       path);
	} else if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		buf_add_format(&message, zh ? "%s 是目录：请给出文件名。" : "%s is a folder: name a file.",
			       path);
	} else if (is_there(path) && find_free(buf_str(&full), &next)) {
		buf_add_format(&message,
			       zh ? "%s 已存在，没有改动；可用的名字：%s"
				  : "%s is there already and was left alone; free: %s",
			       path, buf_c_string(&next));
	} else {
		buf_add_format(&message, zh ? "没有写入：%s" : "Not written: %s", buf_c_string(&error));
	}
	buf_add_byte(&message, '\0');
	buf_add(&message, buf_str(&next));
	child_write(out_fd, buf_str(&message));
	buf_release(&full);
	buf_release(&message);
	buf_release(&next);
	buf_release(&error);
	return good ? 0 : 1;
}

/* ---- And what came of it. ----------------------------------------------------------------------------- */

static void file_is_written(void *context, struct proc *proc, bool done)
{
	static const struct text ended = {
		{STR_INIT("没有写完：超时，或进程被终止。"),
		 STR_INIT("Not written to its end: it took too long, or was killed.")}};
	struct report_effects *effects = context;
	struct event event = {.kind = EVENT_FILE, .now_ms = loop_now_ms()};
	struct str text = buf_str(&proc->out_text), message;

	if (!done)
		return;
	event.u.file.id = effects->id;
	event.u.file.ok = proc->end == PROC_EXITED && proc->exit_status == 0;
	event.u.file.message = text_in(&ended, effects->lang);
	if (proc->end == PROC_EXITED && str_next(&text, '\0', &message)) {
		event.u.file.message = message;
		event.u.file.next = text;
	}
	effects->answer(effects->context, &event);
	child_free(effects->child);
	effects->child = NULL;
}

static void start_writing(struct report_effects *effects, const struct effect *effect, enum lang lang)
{
	struct proc_command command = {
		.function = write_file, .context = effects, .timeout_ms = WRITE_MS, .keep_locale = true};
	struct event event = {.kind = EVENT_FILE, .now_ms = loop_now_ms()};
	struct buf error = {0};

	child_free(effects->child);
	effects->id = effect->id;
	effects->lang = lang;
	buf_clear(&effects->path);
	buf_add(&effects->path, effect->label);
	buf_clear(&effects->text);
	buf_add(&effects->text, effect->text);
	effects->child = child_start(effects->loop, &command, file_is_written, effects, &error);
	if (!effects->child) {
		event.u.file.id = effect->id;
		event.u.file.message = buf_str(&error);
		effects->answer(effects->context, &event);
	}
	buf_release(&error);
}

void report_effect_run(struct report_effects *effects, const struct effect *effect, enum lang lang)
{
	if (effect->kind == EFFECT_REPORT_READ)
		read_report(effects);
	else
		start_writing(effects, effect, lang);
}

struct report_effects *report_effects_new(struct loop *loop, report_answer_to *answer, void *context)
{
	struct report_effects *effects = alloc_zeroed(1, sizeof(*effects));

	*effects = (struct report_effects){.loop = loop, .answer = answer, .context = context};
	return effects;
}

void report_effects_free(struct report_effects *effects)
{
	if (!effects)
		return;
	child_free(effects->child);
	buf_release(&effects->path);
	buf_release(&effects->text);
	free(effects);
}

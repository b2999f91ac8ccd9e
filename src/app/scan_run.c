#include "app/scan_run.h"

#include "app/child.h"
#include "app/scan_work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scan_run {
	const struct kb *kb;
	struct child *child;
	scan_told *told;
	void *context;
	struct scan_work work; /* for the child; its texts are ours */
	struct buf paths;
	struct scan_news news; /* the latest */
	struct buf findings, faults;
	bool stopping, complete;
};

/* Whole messages off the output. False: what came is none of ours. */
static bool take_messages(struct scan_run *run, struct buf *bytes, bool *any)
{
	struct scan_message head;
	size_t taken = 0;
	bool good = true;

	while (good && bytes->size - taken >= sizeof(head)) {
		struct str body;

		memcpy(&head, bytes->data + taken, sizeof(head));
		if (head.size > SCAN_MESSAGE_MAX) {
			good = false;
			break;
		}
		if (bytes->size - taken - sizeof(head) < head.size)
			break;
		body = (struct str){bytes->data + taken + sizeof(head), head.size};
		*any = true;
		switch (head.kind) {
		case SCAN_PROGRESS:
			good = scan_progress_read(body, &run->news);
			break;
		case SCAN_FINDINGS:
			buf_clear(&run->findings);
			buf_add(&run->findings, body);
			break;
		case SCAN_FAULT:
			buf_add(&run->faults, body);
			buf_add_byte(&run->faults, '\n');
			break;
		case SCAN_END:
			run->complete = true;
			break;
		default:
			good = false;
		}
		taken += sizeof(head) + head.size;
	}
	buf_remove(bytes, 0, taken);
	return good;
}

static void ready(void *context, struct proc *proc, bool done)
{
	struct scan_run *run = context;
	bool any = false;

	if (!take_messages(run, &proc->out_text, &any))
		proc_cancel(proc);
	if (done && !run->complete && !run->stopping) {
		struct buf end = {0};

		proc_describe_end(proc, &end);
		buf_add_format(&run->faults, "the scan ended early: %s\n", buf_c_string(&end));
		buf_release(&end);
	}
	run->news.stopped = run->stopping;
	run->news.findings = buf_str(&run->findings);
	run->news.faults = buf_str(&run->faults);
	if (any || done)
		run->told(run->context, &run->news, done);
	buf_clear(&run->findings);
}

struct scan_run *scan_run_start(const struct kb *kb, struct loop *loop, struct str paths, bool plog,
				uint32_t generation, scan_told *told, void *context)
{
	struct scan_run *run = alloc_zeroed(1, sizeof(*run));
	struct proc_command command = {.function = scan_work_run,
				       .output_limit = 2 * SCAN_MESSAGE_MAX,
				       .keep_input = true,
				       .own_session = true,
				       .keep_locale = true};
	struct buf error = {0};

	*run = (struct scan_run){.kb = kb, .told = told, .context = context};
	run->news.generation = generation;
	buf_add(&run->paths, paths);
	run->work = (struct scan_work){.kb = kb, .paths = buf_str(&run->paths), .plog = plog};
	command.context = &run->work;
	run->child = child_start(loop, &command, ready, run, &error);
	if (!run->child) {
		run->news.faults = buf_str(&error);
		told(context, &run->news, true);
		scan_run_free(run);
		run = NULL;
	}
	buf_release(&error);
	return run;
}

void scan_run_stop(struct scan_run *run)
{
	run->stopping = true;
	child_cancel(run->child);
}

void scan_run_free(struct scan_run *run)
{
	if (!run)
		return;
	child_free(run->child);
	buf_release(&run->paths);
	buf_release(&run->findings);
	buf_release(&run->faults);
	free(run);
}

void scan_run_add_path(struct buf *out, struct str typed)
{
	const char *home = getenv("HOME");
	struct buf path = {0};
	bool is_home = typed.size > 0 && typed.data[0] == '~' && (typed.size == 1 || typed.data[1] == '/');

	buf_add(&path, typed);
	if (is_home && home && home[0] && access(buf_c_string(&path), F_OK) != 0) {
		buf_add(out, str_of(home));
		typed = str_slice(typed, 1, typed.size);
	}
	buf_add(out, typed);
	buf_release(&path);
}

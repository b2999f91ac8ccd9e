#include "app/scan_work.h"

#include "app/child.h"
#include "app/diagnosis_out.h"
#include "app/input.h"
#include "app/scan_run.h"
#include "core/findings.h"
#include "plat/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	PROGRESS_MS = 100,
	FINDINGS_MS = 300,   /* between two looks at what was found */
	FINDINGS_SHARE = 20, /* and at least so many times as long as the look took */
	NICE = 10
};

struct progress {
	uint64_t bytes, total, files;
	uint8_t endless;
};

struct worker {
	const struct scan_work *work;
	int out;
	struct diagnose *diagnose;
	struct input_files files;
	uint64_t before; /* bytes of the files that are done */
	uint64_t bytes;  /* of the one that is being read */
	uint64_t next_progress_ms, next_findings_ms;
	struct buf findings;
	bool endless; /* what is being read: a pipe, which may give little and seldom */
	bool unseen;  /* it gave something since the last look */
	bool gone;    /* nobody listens any more */
};

/* Set by SIGTERM. The process does nothing but this scan: file scope is its own. */
static volatile sig_atomic_t told_to_stop;
static int end_of_input = -1; /* /dev/null */

static void stop(int number)
{
	(void)number;
	told_to_stop = 1;
	/* A read that waits for a writer of standard input ends here, and the next one finds its end. */
	if (end_of_input >= 0)
		dup2(end_of_input, STDIN_FILENO);
}

static void send(struct worker *worker, enum scan_message_kind kind, struct str body)
{
	struct scan_message head = {kind, (uint32_t)body.size};

	if (worker->gone || body.size > SCAN_MESSAGE_MAX)
		return;
	worker->gone = !child_write(worker->out, (struct str){(const char *)&head, sizeof(head)}) ||
		       !child_write(worker->out, body);
}

static void send_progress(struct worker *worker, uint64_t bytes)
{
	struct progress progress;

	memset(&progress, 0, sizeof(progress));
	progress.bytes = worker->before + bytes;
	progress.total = worker->files.size;
	progress.files = worker->files.list.count;
	progress.endless = worker->files.endless;
	send(worker, SCAN_PROGRESS, (struct str){(const char *)&progress, sizeof(progress)});
}

bool scan_progress_read(struct str bytes, struct scan_news *news)
{
	struct progress progress;

	if (bytes.size != sizeof(progress))
		return false;
	memcpy(&progress, bytes.data, sizeof(progress));
	news->bytes = progress.bytes;
	news->total = progress.total;
	news->files = (size_t)progress.files;
	news->endless = progress.endless != 0;
	return true;
}

static void tell_fault(void *context, struct str message)
{
	send(context, SCAN_FAULT, message);
}

/* A placeholder's value must be a path that exists: only here can that be seen. */
static bool is_absent(const struct kb *kb, const struct capture *capture)
{
	const struct placeholder *placeholder = kb_placeholder(kb, capture->name);
	struct buf path = {0};
	bool absent = false;

	if (!placeholder)
		return false;
	buf_add(&path, capture->value);
	if (placeholder->check.exists || placeholder->check.contains.size > 0)
		absent = access(buf_c_string(&path), F_OK) != 0;
	if (!absent && placeholder->check.contains.size > 0) {
		buf_add_format(&path, "/%.*s", STR_ARG(placeholder->check.contains));
		absent = access(buf_c_string(&path), F_OK) != 0;
	}
	buf_release(&path);
	return absent;
}

/* The result is the diagnose's own: what is marked are copies. */
static void write_findings(struct worker *worker, const struct diagnosis *found)
{
	struct diagnosis diagnosis = *found;
	struct arena arena = {0};
	struct match *matches = arena_take_array(&arena, found->match_count + 1, sizeof(*matches));

	for (size_t i = 0; i < found->match_count; i++) {
		const struct match *match = &found->matches[i];
		struct capture *captures =
			arena_take_array(&arena, match->capture_count + 1, sizeof(*captures));

		for (size_t j = 0; j < match->capture_count; j++) {
			captures[j] = match->captures[j];
			captures[j].absent = is_absent(worker->work->kb, &captures[j]);
		}
		matches[i] = *match;
		matches[i].captures = captures;
	}
	diagnosis.matches = matches;
	buf_clear(&worker->findings);
	findings_write(worker->work->kb, &diagnosis, &worker->findings);
	arena_release(&arena);
}

static void send_findings(struct worker *worker, const struct diagnosis *found)
{
	write_findings(worker, found);
	send(worker, SCAN_FINDINGS, buf_str(&worker->findings));
}

static bool progress(void *context, uint64_t bytes)
{
	struct worker *worker = context;
	uint64_t now = loop_now_ms();

	worker->bytes = bytes;
	worker->unseen = true;
	if (now >= worker->next_findings_ms) {
		if (worker->endless)
			diagnose_flush(worker->diagnose);
		worker->unseen = false;
		send_findings(worker, diagnose_result(worker->diagnose));
		worker->next_findings_ms =
			loop_now_ms() + FINDINGS_MS + FINDINGS_SHARE * (loop_now_ms() - now);
	}
	if (now >= worker->next_progress_ms) {
		send_progress(worker, bytes);
		worker->next_progress_ms = now + PROGRESS_MS;
	}
	return !told_to_stop && !worker->gone;
}

/* Nothing comes: what has come is looked at, although its block is not full. */
static void idle(void *context)
{
	struct worker *worker = context;

	if (!worker->unseen || told_to_stop)
		return;
	worker->next_findings_ms = worker->next_progress_ms = 0;
	progress(worker, worker->bytes);
}

static void collect(struct worker *worker)
{
	struct str rest = worker->work->paths, typed;
	struct buf path = {0}, error = {0};

	if (worker->work->plog && !input_add_plog(&worker->files, &error))
		send(worker, SCAN_FAULT, buf_str(&error));
	while (rest.size > 0 && str_next(&rest, '\0', &typed)) {
		buf_clear(&path);
		buf_clear(&error);
		scan_run_add_path(&path, typed);
		if (str_equal(typed, STR("-")) && isatty(STDIN_FILENO))
			send(worker, SCAN_FAULT, STR("-: standard input is the terminal"));
		else if (!input_add(&worker->files, buf_str(&path), tell_fault, worker, &error))
			send(worker, SCAN_FAULT, buf_str(&error));
	}
	buf_release(&path);
	buf_release(&error);
}

static void read_all(struct worker *worker, const struct scanner *scanner)
{
	struct input_options options = {.progress = progress, .idle = idle, .context = worker};
	struct buf error = {0};

	for (size_t i = 0; i < worker->files.list.count && !told_to_stop && !worker->gone; i++) {
		const struct input_file *file = &worker->files.list.items[i];

		buf_clear(&error);
		worker->endless = file->size == 0;
		if (!input_read(file, scanner, worker->diagnose, &options, &error))
			send(worker, SCAN_FAULT, buf_str(&error));
		worker->endless = false;
		worker->before += file->size;
		progress(worker, 0);
	}
	buf_release(&error);
}

/*
 * The terminal's process goes first. Where the kernel weighs sessions against one another (sched(7), "The
 * autogroup feature"), a process's own nice value counts only among those of its session, which is this scan.
 */
static void be_nice(void)
{
	int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
	char value[16];
	int size = snprintf(value, sizeof(value), "%d", NICE);

	if (setpriority(PRIO_PROCESS, 0, NICE) != 0)
		errno = 0; /* then it is as it is */
	if (group < 0)
		return;
	if (write(group, value, (size_t)size) != size)
		errno = 0;
	close(group);
}

int scan_work_run(void *context, int out_fd)
{
	struct worker worker = {.work = context, .out = out_fd};
	struct sigaction action = {.sa_handler = stop};
	const struct diagnosis *diagnosis;
	struct scanner *scanner;

	signal(SIGPIPE, SIG_IGN); /* a write to nobody fails, and all is given back */
	end_of_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigaction(SIGTERM, &action, NULL); /* without SA_RESTART */
	be_nice();
	collect(&worker);
	send_progress(&worker, 0);
	scanner = scanner_new(worker.work->kb);
	worker.diagnose = diagnose_new(scanner);
	read_all(&worker, scanner);
	diagnosis = diagnose_finish(worker.diagnose);
	if (diagnosis->input_count)
		diagnosis_remember(worker.work->kb, diagnosis);
	send_findings(&worker, diagnosis);
	send_progress(&worker, 0);
	send(&worker, SCAN_END, (struct str){0});
	diagnose_free(worker.diagnose);
	scanner_free(scanner);
	input_files_release(&worker.files);
	buf_release(&worker.findings);
	return 0;
}

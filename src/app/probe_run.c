#include "app/probe_run.h"

#include "app/probe_host.h"
#include "base/vec.h"
#include "plat/proc.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * One child is started in a turn of the loop (a fork of this program costs some 0.3 ms), and only so many
 * work at once: a login node has few cores to spare, and more would not be done sooner. One that takes longer
 * than SLOW_MS waits for something and not for a core: it no longer counts, so that probes that hang hold up
 * no other.
 */
enum { AT_ONCE = 6, SLOW_MS = 200, CHILD_NICE = 10, RESULT_MAX = 4 << 20, SPARE_MS = 500 };

struct wanted {
	const struct probe *probe;
	uint32_t generation;
};

/* One child with the probes of a group. */
struct task {
	struct probe_runner *runner;
	VEC(struct wanted) list; /* probe null: answered, replaced or cancelled */
	struct proc proc;
	size_t taken; /* bytes of its output that were decoded */
	int watched[PROC_FDS];
	uint64_t deadline;
	uint32_t limit_ms; /* for each of its probes */
	bool done;
};

struct probe_runner {
	const struct kb *kb;
	struct loop *loop;
	probe_done *done;
	void *context;
	VEC(struct wanted) queue;
	VEC(struct task *) tasks;
	VEC(pid_t) stuck; /* children that even SIGKILL did not end in time: to be reaped some day */
	uint64_t pump;
	unsigned calling; /* depth of `done`: tasks are only freed at 0 */
};

/* ---- The child. --------------------------------------------------------------------------------------- */

static bool write_all(int fd, struct str bytes)
{
	while (bytes.size > 0) {
		ssize_t size = write(fd, bytes.data, bytes.size);
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return false;
		bytes = str_slice(bytes, (size_t)size, bytes.size);
	}
	return true;
}

/* SIGTERM becomes bytes, so that a running command is ended with its whole group before we go. */
static int watch_sigterm(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool run_one(const struct task *task, uint32_t index, struct probe_host *host, int out_fd)
{
	const struct probe *probe = task->list.items[index].probe;
	struct probe_result result = {0};
	struct buf bytes = {0}, frame = {0};
	uint64_t start = loop_now_ms();
	host->no_commands = !probe_is_trusted(task->runner->kb, probe);
	probe_execute(task->runner->kb, probe, host, &result);
	result.ms = (uint32_t)(loop_now_ms() - start);
	probe_result_encode(&result, &bytes);
	uint32_t head[2] = {index, (uint32_t)bytes.size};
	buf_add_bytes(&frame, head, sizeof(head));
	buf_add(&frame, buf_str(&bytes));
	bool written = write_all(out_fd, buf_str(&frame));
	probe_result_release(&result);
	buf_release(&bytes);
	buf_release(&frame);
	return written;
}

static int run_child(void *context, int out_fd)
{
	const struct task *task = context;
	setpriority(PRIO_PROCESS, 0, CHILD_NICE); /* the screen comes first */
	struct probe_machine *machine = probe_machine_new(watch_sigterm(), (uint32_t)getppid());
	struct probe_host host = probe_machine_host(machine);
	for (uint32_t i = 0; i < task->list.count; i++)
		if (!run_one(task, i, &host, out_fd))
			return 1;
	probe_machine_free(machine);
	return 0;
}

/* ---- Results. ----------------------------------------------------------------------------------------- */

static void answer(struct task *task, size_t index, const struct probe_result *result)
{
	struct wanted wanted = task->list.items[index];
	if (!wanted.probe)
		return;
	task->list.items[index].probe = NULL;
	task->runner->calling++;
	task->runner->done(task->runner->context, wanted.probe, wanted.generation, result);
	task->runner->calling--;
}

/* Whole frames off the output. False: what came is no result. */
static bool take_frames(struct task *task)
{
	uint32_t head[2];
	while (task->proc.out_text.size - task->taken >= sizeof(head)) {
		struct str bytes = str_slice(buf_str(&task->proc.out_text), task->taken, SIZE_MAX);
		memcpy(head, bytes.data, sizeof(head));
		if (head[0] >= task->list.count || head[1] > RESULT_MAX)
			return false;
		if (bytes.size - sizeof(head) < head[1])
			return true;
		struct probe_result result = {0};
		if (!probe_result_decode(str_slice(bytes, sizeof(head), sizeof(head) + head[1]), &result))
			return false;
		task->taken += sizeof(head) + head[1];
		proc_extend(&task->proc, task->limit_ms);
		answer(task, head[0], &result);
		probe_result_release(&result);
	}
	return true;
}

/* Those that the child did not get to: why it ended is the answer. */
static void answer_rest(struct task *task)
{
	struct buf end = {0};
	proc_describe_end(&task->proc, &end);
	bool late = task->proc.end == PROC_TIMED_OUT;
	for (size_t i = 0; i < task->list.count; i++) {
		if (!task->list.items[i].probe)
			continue;
		struct probe_result result = {.state = PROBE_UNKNOWN, .ms = proc_elapsed_ms(&task->proc)};
		struct buf zh = {0}, en = {0};
		buf_add_format(&zh, late ? "超时，未得到结果（%.1f 秒）" : "探测进程意外结束（%.1f 秒后）",
			       result.ms / 1000.0);
		buf_add_format(&en,
			       late ? "timed out without an answer (%.1f s)"
				    : "the probe's process ended early (after %.1f s)",
			       result.ms / 1000.0);
		if (!late)
			buf_add_format(&en, ": %s", buf_c_string(&end));
		result.detail.in[LANG_ZH] = arena_copy(&result.arena, buf_str(&zh));
		result.detail.in[LANG_EN] = arena_copy(&result.arena, buf_str(&en));
		buf_release(&zh);
		buf_release(&en);
		answer(task, i, &result);
		probe_result_release(&result);
	}
	buf_release(&end);
}

/* ---- Tasks in the loop. ------------------------------------------------------------------------------- */

static void schedule_pump(struct probe_runner *runner, uint64_t when_ms);
static void advance(struct task *task);

static void task_ready(void *context, int fd, short events)
{
	(void)fd;
	(void)events;
	advance(context);
}

static void task_due(void *context)
{
	struct task *task = context;
	task->deadline = 0;
	advance(task);
}

static void unwatch(struct task *task)
{
	for (size_t i = 0; i < PROC_FDS; i++) {
		if (task->watched[i] >= 0)
			loop_unwatch(task->runner->loop, task->watched[i]);
		task->watched[i] = -1;
	}
	loop_cancel(task->runner->loop, task->deadline);
	task->deadline = 0;
}

static void watch(struct task *task)
{
	struct pollfd fds[PROC_FDS];
	size_t count = proc_fds(&task->proc, fds);
	for (size_t i = 0; i < count; i++) {
		task->watched[i] = fds[i].fd;
		loop_watch(task->runner->loop, fds[i].fd, POLLIN, task_ready, task);
	}
	uint64_t when = proc_deadline_ms(&task->proc);
	if (when != UINT64_MAX)
		task->deadline = loop_deadline(task->runner->loop, when, task_due, task);
}

static bool is_wanted(const struct task *task)
{
	for (size_t i = 0; i < task->list.count; i++)
		if (task->list.items[i].probe)
			return true;
	return false;
}

static void advance(struct task *task)
{
	if (task->done)
		return;
	/* Before proc_advance: it may close them, and their numbers may be given out again. */
	unwatch(task);
	bool finished = proc_advance(&task->proc);
	if (!take_frames(task))
		proc_cancel(&task->proc);
	if (!finished) {
		watch(task);
		return;
	}
	task->done = true;
	answer_rest(task);
	schedule_pump(task->runner, loop_now_ms()); /* it sweeps */
}

static void task_free(struct task *task)
{
	unwatch(task);
	pid_t pid = task->proc.pid;
	proc_release(&task->proc);
	if (pid > 0 && waitpid(pid, NULL, WNOHANG) == 0)
		vec_push(&task->runner->stuck, pid);
	vec_release(&task->list);
	free(task);
}

static void sweep(struct probe_runner *runner)
{
	size_t kept = 0;
	for (size_t i = 0; i < runner->tasks.count; i++) {
		struct task *task = runner->tasks.items[i];
		if (task->done && runner->calling == 0)
			task_free(task);
		else
			runner->tasks.items[kept++] = task;
	}
	runner->tasks.count = kept;
	kept = 0;
	for (size_t i = 0; i < runner->stuck.count; i++)
		if (waitpid(runner->stuck.items[i], NULL, WNOHANG) == 0)
			runner->stuck.items[kept++] = runner->stuck.items[i];
	runner->stuck.count = kept;
}

/* Take the first queued probe and all of its group off the queue. */
static struct task *task_from_queue(struct probe_runner *runner)
{
	struct task *task = alloc_zeroed(1, sizeof(*task));
	task->runner = runner;
	task->proc = PROC_INIT;
	for (size_t i = 0; i < PROC_FDS; i++)
		task->watched[i] = -1;
	struct str group = runner->queue.items[0].probe->group;
	size_t kept = 0;
	for (size_t i = 0; i < runner->queue.count; i++) {
		struct wanted wanted = runner->queue.items[i];
		if (i == 0 || (group.size > 0 && str_equal(wanted.probe->group, group)))
			vec_push(&task->list, wanted);
		else
			runner->queue.items[kept++] = wanted;
	}
	runner->queue.count = kept;
	return task;
}

/* Each probe of a group may take this long: the child's time starts anew with each result. */
static uint32_t longest_limit(const struct task *task)
{
	uint32_t longest = 0;
	for (size_t i = 0; i < task->list.count; i++) {
		uint32_t limit = probe_limit_ms(task->runner->kb, task->list.items[i].probe);
		longest = limit > longest ? limit : longest;
	}
	return longest + SPARE_MS;
}

static void task_start(struct task *task)
{
	struct proc_command command = {.function = run_child,
				       .context = task,
				       .timeout_ms = longest_limit(task),
				       .output_limit = RESULT_MAX,
				       .keep_locale = true};
	struct buf error = {0};
	task->limit_ms = command.timeout_ms;
	if (proc_start(&task->proc, &command, &error)) {
		watch(task);
	} else {
		task->proc.end = PROC_NOT_STARTED;
		task->proc.error_number = errno;
		task->done = true;
		answer_rest(task);
	}
	buf_release(&error);
}

/* May one more be started? Else *when_ms is when to ask again, if none is done before. */
static bool has_room(const struct probe_runner *runner, uint64_t *when_ms)
{
	uint64_t now = loop_now_ms();
	size_t working = 0;
	*when_ms = UINT64_MAX;
	for (size_t i = 0; i < runner->tasks.count; i++) {
		const struct task *task = runner->tasks.items[i];
		uint64_t slow_ms = task->proc.started_ms + SLOW_MS;
		if (task->done || slow_ms <= now)
			continue;
		working++;
		*when_ms = slow_ms < *when_ms ? slow_ms : *when_ms;
	}
	return working < AT_ONCE;
}

static void pump(void *context)
{
	struct probe_runner *runner = context;
	uint64_t when_ms;
	runner->pump = 0;
	sweep(runner);
	if (runner->queue.count == 0)
		return;
	if (!has_room(runner, &when_ms)) {
		schedule_pump(runner, when_ms);
		return;
	}
	struct task *task = task_from_queue(runner);
	vec_push(&runner->tasks, task);
	task_start(task);
	if (runner->queue.count > 0)
		schedule_pump(runner, loop_now_ms());
}

static void schedule_pump(struct probe_runner *runner, uint64_t when_ms)
{
	loop_cancel(runner->loop, runner->pump); /* it may be meant for later */
	runner->pump = loop_deadline(runner->loop, when_ms, pump, runner);
}

/* ---- The interface. ----------------------------------------------------------------------------------- */

struct probe_runner *probe_runner_new(const struct kb *kb, struct loop *loop, probe_done *done, void *context)
{
	struct probe_runner *runner = alloc_zeroed(1, sizeof(*runner));
	runner->kb = kb;
	runner->loop = loop;
	runner->done = done;
	runner->context = context;
	return runner;
}

void probe_runner_free(struct probe_runner *runner)
{
	if (!runner)
		return;
	for (size_t i = 0; i < runner->tasks.count; i++)
		proc_cancel(&runner->tasks.items[i]->proc);
	for (size_t i = 0; i < runner->tasks.count; i++) {
		struct task *task = runner->tasks.items[i];
		unwatch(task);
		proc_wait(&task->proc, -1); /* short: it was told to end, and there is a grace */
		task_free(task);
	}
	loop_cancel(runner->loop, runner->pump);
	vec_release(&runner->tasks);
	vec_release(&runner->queue);
	vec_release(&runner->stuck);
	free(runner);
}

void probe_runner_cancel(struct probe_runner *runner, const struct probe *probe)
{
	size_t kept = 0;
	for (size_t i = 0; i < runner->queue.count; i++)
		if (runner->queue.items[i].probe != probe)
			runner->queue.items[kept++] = runner->queue.items[i];
	runner->queue.count = kept;
	for (size_t i = 0; i < runner->tasks.count; i++) {
		struct task *task = runner->tasks.items[i];
		for (size_t j = 0; j < task->list.count; j++)
			if (task->list.items[j].probe == probe)
				task->list.items[j].probe = NULL;
		if (!task->done && !is_wanted(task) && task->proc.state == PROC_RUNNING) {
			unwatch(task);
			proc_cancel(&task->proc);
			watch(task);
		}
	}
}

void probe_runner_start(struct probe_runner *runner, const struct probe *probe, uint32_t generation)
{
	probe_runner_cancel(runner, probe);
	vec_push(&runner->queue, (struct wanted){probe, generation});
	schedule_pump(runner, loop_now_ms());
}

size_t probe_runner_pending(const struct probe_runner *runner)
{
	size_t pending = runner->queue.count;
	for (size_t i = 0; i < runner->tasks.count; i++)
		for (size_t j = 0; j < runner->tasks.items[i]->list.count; j++)
			pending += runner->tasks.items[i]->list.items[j].probe != NULL;
	return pending;
}

/* ---- Trust. ------------------------------------------------------------------------------------------- */

bool probe_is_trusted(const struct kb *kb, const struct probe *probe)
{
	const struct pack *pack = kb_probe_pack(kb, probe);

	return pack && !pack->untrusted;
}

#include "plat/proc.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- The child's side: after fork, before exec. ------------------------------------------------------- */

/* What the child needs, made before the fork so that it need not allocate. */
struct child_plan {
	const struct proc_command *command;
	char **environment;
	int input;
	int out, err, failure;
	pid_t parent;
};

static void close_one_by_one(int from, int keep)
{
	DIR *folder = opendir("/proc/self/fd");
	if (!folder) {
		for (int fd = from; fd < 1024; fd++)
			if (fd != keep)
				close(fd);
		return;
	}
	struct dirent *item;
	while ((item = readdir(folder))) {
		int fd = atoi(item->d_name);
		if (fd >= from && fd != keep && fd != dirfd(folder))
			close(fd);
	}
	closedir(folder);
}

/* Close all from `from` on but `keep`. Kernels before 5.9 have no close_range. */
static void close_others(int from, int keep)
{
#ifdef SYS_close_range
	bool done = true;
	if (keep > from)
		done = syscall(SYS_close_range, (unsigned)from, (unsigned)keep - 1, 0u) == 0;
	if (done && syscall(SYS_close_range, (unsigned)(keep >= from ? keep + 1 : from), ~0u, 0u) == 0)
		return;
#endif
	close_one_by_one(from, keep);
}

/* Default dispositions first, then the mask: a signal between fork and here must not run our handlers. */
static void child_signals(void)
{
	struct sigaction action = {0};
	action.sa_handler = SIG_DFL;
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &action, NULL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child_fail(int failure)
{
	int error = errno;
	ssize_t written = write(failure, &error, sizeof(error));
	_exit(written == sizeof(error) ? 127 : 126);
}

static _Noreturn void child_run(const struct child_plan *plan)
{
	const struct proc_command *command = plan->command;
	if (command->own_session)
		setsid();
	else if (!command->keep_controlled)
		setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, command->function ? SIGTERM : SIGKILL);
	if (getppid() != plan->parent)
		_exit(126); /* it died before we asked to be told */

	/* Above 2 first, or one could overwrite another that is 0..2 when the caller runs without them. */
	int failure = fcntl(plan->failure, F_DUPFD_CLOEXEC, 3);
	int input = fcntl(plan->input, F_DUPFD_CLOEXEC, 3);
	int out = fcntl(plan->out, F_DUPFD_CLOEXEC, 3);
	int err = fcntl(plan->err, F_DUPFD_CLOEXEC, 3);
	if (failure < 0 || input < 0 || out < 0 || err < 0 || dup2(input, 0) < 0 || dup2(out, 1) < 0 ||
	    dup2(err, 2) < 0)
		child_fail(plan->failure);
	close_others(3, failure);
	child_signals();

	if (command->function) {
		close(failure);
		_exit(command->function(command->context, 1));
	}
	execvpe(command->argv[0], (char *const *)command->argv, plan->environment);
	child_fail(failure);
}

/* ---- Starting. ---------------------------------------------------------------------------------------- */

static int open_input(struct str input, bool keep)
{
	if (keep)
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	int fd = input.data ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	/* No input, and no /dev/null in a root that has nothing: an empty file does as well. */
	fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	for (size_t at = 0; at < input.size;) {
		ssize_t written = write(fd, input.data + at, input.size - at);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			close(fd);
			return -1;
		}
		at += (size_t)written;
	}
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* The caller's environment with LC_ALL=C; LANGUAGE outranks LC_ALL in gettext, so it goes. */
static char **child_environment(bool keep_locale)
{
	size_t count = 0;
	while (environ && environ[count])
		count++;
	char **copy = alloc_zeroed(count + 2, sizeof(*copy));
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		bool locale = !strncmp(environ[i], "LC_ALL=", 7) || !strncmp(environ[i], "LANGUAGE=", 9);
		if (keep_locale || !locale)
			copy[used++] = environ[i];
	}
	static char c_locale[] = "LC_ALL=C";
	if (!keep_locale)
		copy[used++] = c_locale;
	copy[used] = NULL;
	return copy;
}

static bool open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC) != 0) {
		ends[0] = ends[1] = -1;
		return false;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return true;
}

/* The fork itself, with all signals blocked: see child_signals. */
static pid_t fork_child(const struct child_plan *plan)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0)
		child_run(plan);
	int error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return pid;
}

bool proc_start(struct proc *proc, const struct proc_command *command, struct buf *error)
{
	int out[2] = {-1, -1}, err[2] = {-1, -1}, failure[2] = {-1, -1}, input = -1;
	char **environment = NULL;
	bool started = false;

	if (!open_pipe(out) || !open_pipe(err) || !open_pipe(failure))
		goto out;
	input = open_input(command->input, command->keep_input);
	if (input < 0)
		goto out;
	environment = child_environment(command->keep_locale);
	struct child_plan plan = {.command = command,
				  .environment = environment,
				  .input = input,
				  .out = out[1],
				  .err = err[1],
				  .failure = failure[1],
				  .parent = getpid()};
	pid_t pid = fork_child(&plan);
	if (pid < 0)
		goto out;
	if (!command->keep_controlled && !command->own_session)
		setpgid(pid, pid); /* the child does it too: whoever comes first */

	proc_release(proc);
	proc->state = PROC_RUNNING;
	proc->pid = pid;
	proc->group = command->keep_controlled ? 0 : pid;
	proc->out = out[0];
	proc->err = err[0];
	proc->failure = failure[0];
	out[0] = err[0] = failure[0] = -1;
	proc->output_limit = command->output_limit ? command->output_limit : PROC_OUTPUT_LIMIT;
	proc->stop_signal = command->stop_signal ? command->stop_signal : SIGTERM;
	proc->grace_ms = command->grace_ms ? command->grace_ms : PROC_GRACE_MS;
	proc->started_ms = now_ms();
	proc->deadline_ms = command->timeout_ms ? proc->started_ms + command->timeout_ms : UINT64_MAX;
	started = true;
out:
	if (!started)
		buf_add_format(error, "no process could be started: %s", strerror(errno));
	free(environment);
	close_fd(&input);
	for (int i = 0; i < 2; i++) {
		close_fd(&out[i]);
		close_fd(&err[i]);
		close_fd(&failure[i]);
	}
	return started;
}

/* ---- While it runs. ----------------------------------------------------------------------------------- */

static void signal_all(const struct proc *proc, int number)
{
	if (proc->pid <= 0)
		return;
	/* The group of an own session may not be there yet, right after the start. */
	if (!proc->group || kill(-proc->group, number) != 0)
		kill(proc->pid, number);
}

/* One step further on the way out, because of `why` (kept if there was a reason already). */
static void stop(struct proc *proc, enum proc_end why, bool at_once)
{
	if (proc->state == PROC_RUNNING)
		proc->end = why;
	if (proc->state == PROC_RUNNING && !at_once) {
		proc->state = PROC_STOPPING;
		signal_all(proc, proc->stop_signal);
		signal_all(proc, SIGCONT); /* a stopped child does not take SIGTERM */
	} else {
		proc->state = PROC_KILLED;
		signal_all(proc, SIGKILL);
	}
	proc->deadline_ms = now_ms() + (proc->state == PROC_STOPPING ? proc->grace_ms : PROC_GRACE_MS);
}

static void finish(struct proc *proc)
{
	if (proc->state == PROC_RUNNING)
		proc->end = proc->error_number ? PROC_NOT_STARTED
			    : proc->signal     ? PROC_SIGNALLED
					       : PROC_EXITED;
	close_fd(&proc->out);
	close_fd(&proc->err);
	close_fd(&proc->failure);
	proc->state = PROC_DONE;
	proc->ended_ms = now_ms();
	proc->deadline_ms = UINT64_MAX;
}

/* Read until the pipe is empty or a slice is full, so that a flood of output cannot hold the caller. */
static void drain(struct proc *proc, int *fd, struct buf *into)
{
	for (int slice = 0; *fd >= 0 && slice < 16; slice++) {
		char bytes[16384];
		ssize_t size = read(*fd, bytes, sizeof(bytes));
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0 && errno == EAGAIN)
			return;
		if (size <= 0) {
			close_fd(fd);
			return;
		}
		size_t used = proc->out_text.size + proc->err_text.size;
		size_t room = used < proc->output_limit ? proc->output_limit - used : 0;
		buf_add_bytes(into, bytes, (size_t)size < room ? (size_t)size : room);
		if ((size_t)size > room && proc->state == PROC_RUNNING)
			stop(proc, PROC_TOO_MUCH_OUTPUT, true);
	}
}

static void drain_failure(struct proc *proc)
{
	int number = 0;
	ssize_t size = proc->failure >= 0 ? read(proc->failure, &number, sizeof(number)) : -1;
	if (size == sizeof(number))
		proc->error_number = number;
	if (size == sizeof(number) || size == 0)
		close_fd(&proc->failure);
}

static bool reap(struct proc *proc)
{
	int status = 0;
	pid_t pid = proc->pid > 0 ? waitpid(proc->pid, &status, WNOHANG) : -1;
	if (pid == 0)
		return false;
	proc->pid = 0;
	if (pid > 0 && WIFEXITED(status))
		proc->exit_status = WEXITSTATUS(status);
	if (pid > 0 && WIFSIGNALED(status))
		proc->signal = WTERMSIG(status);
	return true;
}

bool proc_advance(struct proc *proc)
{
	if (proc->state == PROC_IDLE || proc->state == PROC_DONE)
		return true;
	drain_failure(proc);
	drain(proc, &proc->out, &proc->out_text);
	drain(proc, &proc->err, &proc->err_text);

	if (proc->out < 0 && proc->err < 0) {
		if (reap(proc)) {
			drain_failure(proc);
			finish(proc);
			return true;
		}
		/* It closed its output and lives on, or is just about to end: look again soon, then less
		 * often. */
		proc->reap_delay_ms = proc->reap_delay_ms ? proc->reap_delay_ms * 2 : 1;
		if (proc->reap_delay_ms > 100)
			proc->reap_delay_ms = 100;
	}
	if (now_ms() < proc->deadline_ms)
		return false;
	if (proc->state != PROC_KILLED) {
		stop(proc, PROC_TIMED_OUT, false);
		return false;
	}
	reap(proc);
	finish(proc);
	return true;
}

size_t proc_fds(const struct proc *proc, struct pollfd fds[PROC_FDS])
{
	size_t count = 0;
	const int all[PROC_FDS] = {proc->out, proc->err, proc->failure};
	for (size_t i = 0; i < PROC_FDS; i++)
		if (all[i] >= 0)
			fds[count++] = (struct pollfd){.fd = all[i], .events = POLLIN};
	return count;
}

uint64_t proc_deadline_ms(const struct proc *proc)
{
	if (proc->state == PROC_IDLE || proc->state == PROC_DONE)
		return UINT64_MAX;
	if (proc->reap_delay_ms) {
		uint64_t again = now_ms() + proc->reap_delay_ms;
		return again < proc->deadline_ms ? again : proc->deadline_ms;
	}
	return proc->deadline_ms;
}

void proc_extend(struct proc *proc, uint32_t timeout_ms)
{
	if (proc->state == PROC_RUNNING)
		proc->deadline_ms = now_ms() + timeout_ms;
}

void proc_cancel(struct proc *proc)
{
	if (proc->state == PROC_RUNNING)
		stop(proc, PROC_CANCELLED, false);
}

void proc_wait(struct proc *proc, int cancel_fd)
{
	while (!proc_advance(proc)) {
		struct pollfd fds[PROC_FDS + 1];
		size_t count = proc_fds(proc, fds);
		bool watch = cancel_fd >= 0 && proc->state == PROC_RUNNING;
		if (watch)
			fds[count] = (struct pollfd){.fd = cancel_fd, .events = POLLIN};
		uint64_t deadline = proc_deadline_ms(proc), now = now_ms();
		uint64_t sleep_ms = deadline > now ? deadline - now : 0;
		int timeout = deadline == UINT64_MAX ? -1 : sleep_ms > 60000 ? 60000 : (int)sleep_ms;
		if (poll(fds, count + (watch ? 1 : 0), timeout) > 0 && watch && fds[count].revents)
			stop(proc, PROC_CANCELLED, true);
	}
}

void proc_release(struct proc *proc)
{
	if (proc->pid > 0) {
		/* A killed child is gone within a millisecond; one that is stuck in the kernel is left
		 * behind. */
		signal_all(proc, SIGKILL);
		for (int tries = 0; !reap(proc) && tries < 20; tries++)
			nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
	}
	close_fd(&proc->out);
	close_fd(&proc->err);
	close_fd(&proc->failure);
	buf_release(&proc->out_text);
	buf_release(&proc->err_text);
	*proc = PROC_INIT;
}

uint32_t proc_elapsed_ms(const struct proc *proc)
{
	if (proc->state == PROC_IDLE)
		return 0;
	uint64_t until = proc->state == PROC_DONE ? proc->ended_ms : now_ms();
	return (uint32_t)(until - proc->started_ms);
}

void proc_describe_end(const struct proc *proc, struct buf *out)
{
	unsigned elapsed = proc_elapsed_ms(proc);
	switch (proc->end) {
	case PROC_EXITED:
		buf_add_format(out, "exit status %d", proc->exit_status);
		break;
	case PROC_SIGNALLED:
		buf_add_format(out, "killed by signal %d", proc->signal);
		break;
	case PROC_TIMED_OUT:
		buf_add_format(out, "timed out after %u.%u s", elapsed / 1000, elapsed % 1000 / 100);
		break;
	case PROC_TOO_MUCH_OUTPUT:
		buf_add_format(out, "stopped after %zu bytes of output", proc->output_limit);
		break;
	case PROC_CANCELLED:
		buf_add(out, STR("cancelled"));
		break;
	case PROC_NOT_STARTED:
		buf_add_format(out, "%s", strerror(proc->error_number));
		break;
	}
}

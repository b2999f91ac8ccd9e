/* proc: what a child prints and how it ends, and that nothing a child does can hold the caller. */
#include "plat/proc.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t clock_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static struct proc run_shell(const char *script, uint32_t timeout_ms, size_t limit)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	struct proc proc = PROC_INIT;
	struct buf error = {0};
	assert_true(proc_start(
		&proc, &(struct proc_command){.argv = argv, .timeout_ms = timeout_ms, .output_limit = limit},
		&error));
	proc_wait(&proc, -1);
	return proc;
}

static void collects_both_outputs_and_status(void **state)
{
	(void)state;
	struct proc proc = run_shell("echo out; echo err >&2; exit 7", 5000, 0);
	assert_int_equal(proc.end, PROC_EXITED);
	assert_int_equal(proc.exit_status, 7);
	assert_string_equal(buf_c_string(&proc.out_text), "out\n");
	assert_string_equal(buf_c_string(&proc.err_text), "err\n");
	proc_release(&proc);
	assert_int_equal(proc.state, PROC_IDLE);
}

static void missing_command_is_said_with_errno(void **state)
{
	(void)state;
	const char *argv[] = {"no-such-command-here", NULL};
	struct proc proc = PROC_INIT;
	struct buf error = {0};
	assert_true(proc_start(&proc, &(struct proc_command){.argv = argv, .timeout_ms = 5000}, &error));
	proc_wait(&proc, -1);
	assert_int_equal(proc.end, PROC_NOT_STARTED);
	assert_int_equal(proc.error_number, ENOENT);
	proc_release(&proc);
}

static void child_is_alone(void **state)
{
	(void)state;
	/* Own group, empty standard input, C locale, no descriptor of ours: 0, 1, 2 and the one ls opens. */
	setenv("LC_ALL", "zh_CN.UTF-8", 1);
	setenv("PROC_TEST", "kept", 1);
	int ours = dup(1);
	struct proc proc = run_shell("cat; echo $LC_ALL $PROC_TEST; ls /proc/self/fd | wc -l; "
				     "test $(ps -o pgid= -p $$) -eq $$ && echo own group",
				     5000, 0);
	close(ours);
	assert_string_equal(buf_c_string(&proc.out_text), "C kept\n4\nown group\n");
	proc_release(&proc);
}

static void hanging_child_is_ended_at_the_deadline(void **state)
{
	(void)state;
	uint64_t start = clock_ms();
	struct proc proc = run_shell("echo before; sleep 100", 1000, 0);
	assert_int_equal(proc.end, PROC_TIMED_OUT);
	assert_string_equal(buf_c_string(&proc.out_text), "before\n");
	assert_int_equal(proc.pid, 0);
	assert_true(clock_ms() - start < 20000);
	proc_release(&proc);
}

static void child_that_ignores_sigterm_is_killed(void **state)
{
	(void)state;
	struct proc proc = run_shell("trap '' TERM; while :; do sleep 100; done", 100, 0);
	assert_int_equal(proc.end, PROC_TIMED_OUT);
	assert_int_equal(proc.pid, 0);
	proc_release(&proc);
}

static void grandchild_that_keeps_the_pipe_does_not_hang_us(void **state)
{
	(void)state;
	/* setsid: out of the group, so that no signal of ours reaches it. */
	struct proc proc = run_shell("setsid sleep 10 & echo started", 1000, 0);
	assert_int_equal(proc.state, PROC_DONE);
	assert_int_equal(proc.end, PROC_TIMED_OUT);
	assert_string_equal(buf_c_string(&proc.out_text), "started\n");
	proc_release(&proc);
}

static void child_that_closes_its_output_is_waited_for(void **state)
{
	(void)state;
	struct proc proc = run_shell("exec >&- 2>&-; sleep 0.05; exit 3", 5000, 0);
	assert_int_equal(proc.end, PROC_EXITED);
	assert_int_equal(proc.exit_status, 3);
	proc_release(&proc);
}

static void output_is_capped(void **state)
{
	(void)state;
	struct proc proc = run_shell("yes", 5000, 1000);
	assert_int_equal(proc.end, PROC_TOO_MUCH_OUTPUT);
	assert_int_equal(proc.out_text.size + proc.err_text.size, 1000);
	proc_release(&proc);
}

static void a_dying_child_is_told_from_ours(void **state)
{
	(void)state;
	struct proc proc = run_shell("kill -SEGV $$", 5000, 0);
	assert_int_equal(proc.end, PROC_SIGNALLED);
	assert_int_equal(proc.signal, SIGSEGV);
	struct buf text = {0};
	proc_describe_end(&proc, &text);
	assert_string_equal(buf_c_string(&text), "killed by signal 11");
	buf_release(&text);
	proc_release(&proc);
}

static void input_is_given_whole(void **state)
{
	(void)state;
	const char *argv[] = {"cat", NULL};
	struct buf big = {0}, error = {0};
	buf_add_repeated(&big, 'x', 300000);
	struct proc proc = PROC_INIT;
	assert_true(proc_start(
		&proc, &(struct proc_command){.argv = argv, .input = buf_str(&big), .timeout_ms = 5000},
		&error));
	proc_wait(&proc, -1);
	assert_true(str_equal(buf_str(&proc.out_text), buf_str(&big)));
	proc_release(&proc);
	buf_release(&big);
}

static int write_and_return(void *context, int out_fd)
{
	const char *text = context;
	return write(out_fd, text, strlen(text)) > 0 ? 5 : 1;
}

static void a_function_runs_in_a_child(void **state)
{
	(void)state;
	struct proc proc = PROC_INIT;
	struct buf error = {0};
	struct proc_command command = {
		.function = write_and_return, .context = "from the child", .timeout_ms = 5000};
	assert_true(proc_start(&proc, &command, &error));
	proc_wait(&proc, -1);
	assert_int_equal(proc.exit_status, 5);
	assert_string_equal(buf_c_string(&proc.out_text), "from the child");
	proc_release(&proc);
}

static void many_at_once(void **state)
{
	(void)state;
	enum { COUNT = 50 };
	static struct proc all[COUNT];
	const char *argv[] = {"sh", "-c", "sleep 0.2; echo done", NULL};
	struct buf error = {0};
	uint64_t start = clock_ms();
	for (int i = 0; i < COUNT; i++) {
		all[i] = PROC_INIT;
		assert_true(proc_start(&all[i], &(struct proc_command){.argv = argv, .timeout_ms = 20000},
				       &error));
	}
	for (int i = 0; i < COUNT; i++) {
		proc_wait(&all[i], -1);
		assert_string_equal(buf_c_string(&all[i].out_text), "done\n");
		proc_release(&all[i]);
	}
	assert_true(clock_ms() - start < 9000); /* side by side: one after the other they would need 10 s */
}

/* An emulator may not know the call: then who started it has made it, and says so. */
static void adopt_orphans(int yes)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, yes) != 0)
		assert_non_null(getenv("TEST_ADOPTS_ORPHANS"));
}

static void cancel_ends_the_whole_group(void **state)
{
	(void)state;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	const char *argv[] = {"sh", "-c", "sleep 100 & sleep 100", NULL};
	struct proc proc = PROC_INIT;
	struct buf error = {0};
	assert_true(proc_start(&proc, &(struct proc_command){.argv = argv}, &error));
	pid_t group = proc.group;
	/* Grandchildren come to us, not to a first process that may never take in the dead (as in many containers). */
	adopt_orphans(1);
	assert_int_equal(write(ends[1], "x", 1), 1);
	proc_wait(&proc, ends[0]);
	assert_int_equal(proc.end, PROC_CANCELLED);
	proc_release(&proc);
	/* Waits for the deaths themselves: it ends only when nobody of the group is left. */
	int status = 0;
	while (waitpid(-group, &status, 0) > 0)
		assert_true(WIFSIGNALED(status));
	assert_int_equal(errno, ECHILD);
	adopt_orphans(0);
	close(ends[0]);
	close(ends[1]);
}

static void release_is_safe_in_every_state(void **state)
{
	(void)state;
	struct proc proc = PROC_INIT;
	proc_release(&proc);
	const char *argv[] = {"sleep", "100", NULL};
	struct buf error = {0};
	assert_true(proc_start(&proc, &(struct proc_command){.argv = argv}, &error));
	pid_t pid = proc.pid;
	proc_release(&proc);
	/* Reaped already, or, on a machine that is very busy, at least killed. */
	int status = 0;
	if (waitpid(pid, &status, 0) == pid)
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	proc_release(&proc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collects_both_outputs_and_status),
		cmocka_unit_test(missing_command_is_said_with_errno),
		cmocka_unit_test(child_is_alone),
		cmocka_unit_test(hanging_child_is_ended_at_the_deadline),
		cmocka_unit_test(child_that_ignores_sigterm_is_killed),
		cmocka_unit_test(grandchild_that_keeps_the_pipe_does_not_hang_us),
		cmocka_unit_test(child_that_closes_its_output_is_waited_for),
		cmocka_unit_test(output_is_capped),
		cmocka_unit_test(a_dying_child_is_told_from_ours),
		cmocka_unit_test(input_is_given_whole),
		cmocka_unit_test(a_function_runs_in_a_child),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(cancel_ends_the_whole_group),
		cmocka_unit_test(release_is_safe_in_every_state),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

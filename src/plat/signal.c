#include "plat/signal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

/* In the order in which signal_next hands them out. */
static const int watched[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH, SIGCHLD};
enum { WATCHED = sizeof(watched) / sizeof(watched[0]) };

static int pipe_ends[2] = {-1, -1};
static volatile sig_atomic_t pending[WATCHED];
static struct sigaction before[WATCHED];
static struct sigaction before_pipe;

static void note(int number)
{
	int saved = errno;

	for (size_t i = 0; i < WATCHED; i++)
		if (watched[i] == number)
			pending[i] = 1;
	/* A full pipe is no loss: there is a byte in it already. */
	if (write(pipe_ends[1], "", 1) < 0) {
	}
	errno = saved;
}

int signal_start(void)
{
	struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};

	if (pipe_ends[0] >= 0)
		return pipe_ends[0];
	if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < WATCHED; i++) {
		pending[i] = 0;
		sigaction(watched[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN || watched[i] == SIGCHLD || watched[i] == SIGCONT ||
		    watched[i] == SIGWINCH)
			sigaction(watched[i], &action, NULL);
	}
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, &before_pipe);
	return pipe_ends[0];
}

void signal_stop(void)
{
	if (pipe_ends[0] < 0)
		return;
	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i], &before[i], NULL);
	sigaction(SIGPIPE, &before_pipe, NULL);
	close(pipe_ends[0]);
	close(pipe_ends[1]);
	pipe_ends[0] = pipe_ends[1] = -1;
}

bool signal_next(int *number)
{
	char bytes[64];

	/* The pipe first: a signal between the two is then seen again, not lost. */
	while (read(pipe_ends[0], bytes, sizeof(bytes)) > 0)
		continue;
	for (size_t i = 0; i < WATCHED; i++) {
		if (pending[i]) {
			pending[i] = 0;
			*number = watched[i];
			return true;
		}
	}
	return false;
}

void signal_reset_in_child(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t none;

	sigemptyset(&none);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched[i], &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void signal_suspend(void)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	struct sigaction former;

	sigemptyset(&action.sa_mask);
	sigaction(SIGTSTP, &action, &former);
	kill(0, SIGTSTP);
	/* Stopped here, if at all, before kill() returns; now the program runs again. */
	sigaction(SIGTSTP, &former, NULL);
}

#include "plat/relay.h"

#include "plat/signal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PIPE_SIZE = 1 << 20, KEYS_SIZE = 4096 };

/* One way from the command to one of our own descriptors. */
struct stream {
	int from; /* -1: not used, or at its end */
	int to;
};

struct relay {
	const struct relay_options *options;
	struct relay_result *result;
	struct stream
		streams[2]; /* standard output, standard error; both in the first when they are the same */
	int child_ends[2];  /* the command's side of them */
	int master;         /* of the pseudo terminal; -1: none */
	int terminal;       /* our own terminal's descriptor; -1: none */
	bool takes_keys;    /* standard input is the terminal, too, and is passed on */
	bool raw;
	struct termios saved;
	char keys[KEYS_SIZE]; /* typed, not yet taken by the command */
	size_t key_count;
	int signals;
	uint64_t passed; /* bytes of output so far */
	pid_t child;
	bool ended;
};

static bool same_file(int a, int b)
{
	struct stat one, other;

	return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool open_terminal(struct relay *relay, int like)
{
	struct winsize size;
	struct termios settings;
	char name[64];
	int slave;

	relay->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (relay->master < 0 || grantpt(relay->master) != 0 || unlockpt(relay->master) != 0 ||
	    ptsname_r(relay->master, name, sizeof(name)) != 0)
		return false;
	slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return false;
	relay->terminal = like;
	if (tcgetattr(like, &settings) == 0) {
		/* Without keys to pass on our own terminal stays cooked: it ends the lines, once is enough.
		 */
		if (isatty(STDIN_FILENO) != 1)
			settings.c_oflag &= ~(tcflag_t)OPOST;
		tcsetattr(slave, TCSANOW, &settings);
	}
	if (ioctl(like, TIOCGWINSZ, &size) == 0)
		ioctl(slave, TIOCSWINSZ, &size);
	fcntl(relay->master, F_SETFL, fcntl(relay->master, F_GETFL) | O_NONBLOCK);
	relay->child_ends[0] = relay->child_ends[1] = slave;
	return true;
}

static bool open_pipe(struct relay *relay, size_t index)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE); /* fewer switches; refused is fine */
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	relay->streams[index].from = ends[0];
	relay->child_ends[index] = ends[1];
	return true;
}

static bool open_streams(struct relay *relay)
{
	bool terminals[2] = {isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1};

	for (size_t i = 0; i < 2; i++)
		relay->streams[i] = (struct stream){-1, i == 0 ? STDOUT_FILENO : STDERR_FILENO};
	if (terminals[0] || terminals[1]) {
		size_t index = terminals[0] ? 0 : 1;

		if (!open_terminal(relay, relay->streams[index].to))
			return false;
		relay->streams[index].from = relay->master;
		relay->takes_keys = isatty(STDIN_FILENO) == 1;
	}
	if (!terminals[0] && !open_pipe(relay, 0))
		return false;
	if (!terminals[1] && !terminals[0] && same_file(STDOUT_FILENO, STDERR_FILENO))
		relay->child_ends[1] = relay->child_ends[0];
	else if (!terminals[1] && !open_pipe(relay, 1))
		return false;
	return true;
}

static void make_raw(struct relay *relay, bool raw)
{
	struct termios settings;

	if (!relay->takes_keys || relay->raw == raw)
		return;
	/* In the background the terminal is somebody else's. */
	if (raw && tcgetpgrp(STDIN_FILENO) != getpgrp())
		return;
	if (raw && tcgetattr(STDIN_FILENO, &relay->saved) != 0)
		return;
	settings = relay->saved;
	if (raw)
		cfmakeraw(&settings);
	if (tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0)
		relay->raw = raw;
}

/* In a child that cannot become the command: tell why, and end. */
static _Noreturn void fail(int failure, int error_number)
{
	if (write(failure, &error_number, sizeof(error_number)) < 0)
		_exit(126);
	_exit(127);
}

static _Noreturn void execute(const struct relay *relay, int failure)
{
	dup2(relay->child_ends[0], STDOUT_FILENO);
	dup2(relay->child_ends[1], STDERR_FILENO);
	execvp(relay->options->argv[0], relay->options->argv);
	fail(failure, errno);
}

/* End as the command did, so that whoever waits for this process sees the same. */
static void end_like(int status)
{
	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	raise(WTERMSIG(status));
	_exit(128 + WTERMSIG(status));
}

/*
 * The leader of the command's session, which stays between it and us: the kernel stops a process group
 * (Ctrl-Z) only if its parent is of the same session. It stops itself when the command is stopped, which we
 * see.
 */
static void keep_session(const struct relay *relay, int terminal, int failure)
{
	pid_t command;
	int status;

	setsid();
	ioctl(terminal, TIOCSCTTY, 0);
	if (relay->takes_keys)
		dup2(terminal, STDIN_FILENO);
	signal(SIGTTOU, SIG_IGN);
	command = fork();
	if (command == 0) {
		setpgid(0, 0);
		tcsetpgrp(terminal, getpid());
		signal(SIGTTOU, SIG_DFL);
		execute(relay, failure);
	}
	if (command < 0)
		fail(failure, errno);
	setpgid(command, command);
	close(failure);
	for (;;) {
		if (waitpid(command, &status, WUNTRACED) < 0)
			continue;
		if (!WIFSTOPPED(status))
			end_like(status);
		raise(SIGSTOP);
		tcsetpgrp(terminal, command);
		kill(-command, SIGCONT);
	}
}

static void become_command(const struct relay *relay, int failure)
{
	signal_reset_in_child();
	if (relay->master >= 0)
		keep_session(relay, relay->child_ends[isatty(relay->child_ends[0]) == 1 ? 0 : 1], failure);
	execute(relay, failure);
}

static bool start(struct relay *relay)
{
	int failure[2];
	ssize_t size;

	if (pipe2(failure, O_CLOEXEC) != 0)
		return false;
	relay->child = fork();
	if (relay->child == 0)
		become_command(relay, failure[1]);
	close(failure[1]);
	if (relay->child < 0) {
		close(failure[0]);
		return false;
	}
	do
		size = read(failure[0], &relay->result->error_number, sizeof(relay->result->error_number));
	while (size < 0 && errno == EINTR);
	close(failure[0]);
	relay->result->started = size <= 0;
	if (relay->child_ends[1] != relay->child_ends[0])
		close_fd(&relay->child_ends[1]);
	close_fd(&relay->child_ends[0]);
	return true;
}

/* Pass everything on. Our own output may be non-blocking (it is shared with the shell): then wait for it. */
static bool write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t written = write(fd, bytes, size);

		if (written >= 0) {
			bytes += written;
			size -= (size_t)written;
		} else if (errno == EAGAIN) {
			struct pollfd wait = {fd, POLLOUT, 0};

			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

/* Take what is there from one stream. True while there may be more. */
static bool pass_on(struct relay *relay, struct stream *stream)
{
	size_t room;
	char *buffer = relay->options->next_buffer(relay->options->context, &room);
	ssize_t size = read(stream->from, buffer, room);

	if (size < 0 && (errno == EAGAIN || errno == EINTR))
		return errno == EINTR;
	/* A pseudo terminal whose last user is gone gives EIO. */
	if (size <= 0) {
		if (stream->from != relay->master)
			close(stream->from);
		stream->from = -1;
		return false;
	}
	if (!relay->result->output_lost && !write_all(stream->to, buffer, (size_t)size)) {
		relay->result->output_lost = true;
		relay->result->lost_number = errno;
		/* The command shall find out as it would have without us: its next write fails. */
		if (stream->from != relay->master) {
			close(stream->from);
			stream->from = -1;
		}
	}
	relay->passed += (size_t)size;
	relay->options->sink(relay->options->context, buffer, (size_t)size);
	return stream->from >= 0;
}

/*
 * What was written before the end is there to be read; what a left-over child writes later is not ours: it
 * may never stop. A pseudo terminal holds little, and its number does not tell all.
 */
static void pass_on_rest(struct relay *relay, struct stream *stream)
{
	uint64_t seen = 0;
	int there = 0;

	if (stream->from < 0)
		return;
	if (stream->from == relay->master || ioctl(stream->from, FIONREAD, &there) != 0)
		there = PIPE_SIZE;
	while (seen < (uint64_t)there && stream->from >= 0) {
		uint64_t before = relay->passed;

		if (!pass_on(relay, stream))
			break;
		seen += relay->passed - before;
	}
}

static void take_keys(struct relay *relay)
{
	ssize_t size = read(STDIN_FILENO, relay->keys + relay->key_count, KEYS_SIZE - relay->key_count);

	if (size > 0)
		relay->key_count += (size_t)size;
	else if (size == 0 || errno != EINTR)
		relay->takes_keys = false;
}

static void give_keys(struct relay *relay)
{
	ssize_t size = write(relay->master, relay->keys, relay->key_count);

	if (size > 0) {
		relay->key_count -= (size_t)size;
		memmove(relay->keys, relay->keys + size, relay->key_count);
	}
}

static void pass_signal(const struct relay *relay, int number)
{
	pid_t group = relay->master >= 0 ? tcgetpgrp(relay->master) : -1;

	if (group > 0)
		kill(-group, number);
	else
		kill(relay->child, number);
}

/* The command was stopped (Ctrl-Z): stop as well, so that the shell gets its prompt, and go on with it. */
static void stop_together(struct relay *relay)
{
	bool raw = relay->raw;

	make_raw(relay, false);
	signal_suspend();
	make_raw(relay, raw);
	kill(relay->child, SIGCONT);
}

static void look_after_child(struct relay *relay)
{
	int status;

	while (waitpid(relay->child, &status, WNOHANG | WUNTRACED) > 0) {
		if (WIFSTOPPED(status)) {
			stop_together(relay);
			continue;
		}
		relay->ended = true;
		relay->result->exit_status =
			WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
		return;
	}
}

static void handle_signals(struct relay *relay)
{
	struct winsize size;
	int number;

	while (signal_next(&number)) {
		if (number == SIGCHLD)
			look_after_child(relay);
		else if (number == SIGWINCH && relay->master >= 0 &&
			 ioctl(relay->terminal, TIOCGWINSZ, &size) == 0)
			ioctl(relay->master, TIOCSWINSZ, &size);
		else if (number == SIGCONT)
			make_raw(relay, true);
		else if (number == SIGTSTP && relay->master < 0)
			signal_suspend();
		/* Without a terminal of its own the command is in our group and has Ctrl-C and
		 * Ctrl-\ already. */
		else if (number == SIGTERM || number == SIGHUP || relay->master >= 0)
			pass_signal(relay, number);
	}
}

static void turn(struct relay *relay)
{
	struct pollfd fds[5];
	nfds_t count = 0;

	fds[count++] = (struct pollfd){relay->signals, POLLIN, 0};
	for (size_t i = 0; i < 2; i++)
		fds[count++] = (struct pollfd){relay->streams[i].from, POLLIN, 0};
	fds[count++] =
		(struct pollfd){relay->raw && relay->key_count < KEYS_SIZE ? STDIN_FILENO : -1, POLLIN, 0};
	fds[count++] = (struct pollfd){relay->key_count ? relay->master : -1, POLLOUT, 0};
	if (poll(fds, count, -1) < 0)
		return;
	for (size_t i = 0; i < 2; i++) {
		if (fds[1 + i].revents && relay->streams[i].from >= 0)
			pass_on(relay, &relay->streams[i]);
	}
	if (fds[3].revents)
		take_keys(relay);
	if (fds[4].revents & POLLOUT)
		give_keys(relay);
	if (fds[0].revents)
		handle_signals(relay);
}

bool relay_run(const struct relay_options *options, struct relay_result *result, struct buf *error)
{
	struct relay relay = {.options = options,
			      .result = result,
			      .streams = {{-1, -1}, {-1, -1}},
			      .child_ends = {-1, -1},
			      .master = -1,
			      .terminal = -1};
	bool good = false;

	*result = (struct relay_result){0};
	relay.signals = signal_start();
	if (relay.signals < 0 || !open_streams(&relay)) {
		buf_add_format(error, "no pipe or terminal for its output: %s", strerror(errno));
		goto out;
	}
	if (!start(&relay)) {
		buf_add_format(error, "no process could be started: %s", strerror(errno));
		goto out;
	}
	good = true;
	make_raw(&relay, true);
	while (!relay.ended)
		turn(&relay);
	for (size_t i = 0; i < 2; i++)
		pass_on_rest(&relay, &relay.streams[i]);
	make_raw(&relay, false);
out:
	if (relay.child_ends[1] != relay.child_ends[0])
		close_fd(&relay.child_ends[1]);
	close_fd(&relay.child_ends[0]);
	for (size_t i = 0; i < 2; i++) {
		if (relay.streams[i].from != relay.master)
			close_fd(&relay.streams[i].from);
	}
	close_fd(&relay.master);
	signal_stop();
	return good;
}

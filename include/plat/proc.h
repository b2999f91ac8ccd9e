/*
 * proc: run a command, or a function in a child process, and collect what it prints.
 *
 * A command is an argv list; there is no shell. The child is the leader of its own process group, reads
 * /dev/null (or `input`), holds no descriptor of ours, has default signal dispositions, and speaks English
 * (LC_ALL=C) but has the caller's environment otherwise. A time limit and an output limit always hold.
 *
 * Life cycle: PROC_INIT, proc_start, then whenever one of its descriptors is ready or its deadline has come
 * proc_advance, until that says done; proc_release at the end. Every function is safe in every state. Many
 * may run at once; nothing here blocks but proc_wait.
 *
 * Done is: both outputs at their end AND the child reaped. The child is reaped last, so that as long as its
 * group may be signalled the number of the group cannot have been given to somebody else. At the deadline
 * the whole group gets SIGTERM (or stop_signal), grace_ms later SIGKILL, and another PROC_GRACE_MS later the run is done
 * whatever happens: a grandchild that keeps the output open, or a child stuck in the kernel (state D), costs
 * a late answer and never a hang.
 */
#ifndef PLAT_PROC_H
#define PLAT_PROC_H

#include "base/buf.h"

#include <poll.h>
#include <sys/types.h>

enum { PROC_GRACE_MS = 300 };

enum proc_state {
	PROC_IDLE,     /* never started, or released */
	PROC_RUNNING,  /* until its deadline */
	PROC_STOPPING, /* SIGTERM was sent */
	PROC_KILLED,   /* SIGKILL was sent */
	PROC_DONE
};

/* Why it ended; what it printed before is there in any case. */
enum proc_end {
	PROC_EXITED,    /* exit_status */
	PROC_SIGNALLED, /* by `signal`, which was not ours */
	PROC_TIMED_OUT,
	PROC_TOO_MUCH_OUTPUT, /* stopped at the limit: the output is cut there */
	PROC_CANCELLED,
	PROC_NOT_STARTED /* the command cannot be executed: `error_number` (ENOENT, EACCES, …) */
};

struct proc_command {
	const char *const *argv; /* ends with null; argv[0] is looked up in PATH unless it has a slash */
	/* Instead of argv: runs in a forked child, writes to `out_fd`; its result is the exit status. */
	int (*function)(void *context, int out_fd);
	void *context;
	struct str input;     /* standard input; null data: /dev/null */
	bool keep_input;      /* instead: our own standard input */
	uint32_t timeout_ms;  /* 0: none */
	size_t output_limit;  /* bytes of both outputs together; 0: PROC_OUTPUT_LIMIT */
	bool keep_locale;     /* leave LC_ALL as it is */
	bool own_session;     /* leads a session: the kernel weighs its work against ours, not as part of it */
	bool keep_controlled; /* stay in our process group and take Ctrl-C with us (`run`) */
	int stop_signal;      /* what asks it to end; 0: SIGTERM */
	uint32_t grace_ms;    /* how long it may then take; 0: PROC_GRACE_MS */
};

#define PROC_OUTPUT_LIMIT ((size_t)1 << 20)

struct proc {
	enum proc_state state;
	enum proc_end end;
	pid_t pid;    /* 0: none, or reaped */
	pid_t group;  /* 0: none of its own */
	int out, err; /* -1: closed */
	int failure;  /* the child writes errno here when it cannot execute; else end of file */
	struct buf out_text, err_text;
	size_t output_limit;
	uint64_t started_ms, ended_ms; /* monotonic */
	uint64_t deadline_ms;          /* of the present state; see proc_deadline_ms */
	uint32_t reap_delay_ms;        /* outputs closed, child not: look again after this */
	int stop_signal;
	uint32_t grace_ms;
	int exit_status;
	int signal;
	int error_number;
};

#define PROC_INIT ((struct proc){.out = -1, .err = -1, .failure = -1, .deadline_ms = UINT64_MAX})

/* False: no pipe or no process could be had; `error` says why and `proc` is as before. */
bool proc_start(struct proc *proc, const struct proc_command *command, struct buf *error);

/* What to poll for: at most PROC_FDS entries. */
enum { PROC_FDS = 3 };
size_t proc_fds(const struct proc *proc, struct pollfd fds[PROC_FDS]);

/* When proc_advance must be called even if nothing is ready, monotonic; UINT64_MAX: never. */
uint64_t proc_deadline_ms(const struct proc *proc);

/* Read what is there, reap, obey the deadline. True once it is done. Never blocks. */
bool proc_advance(struct proc *proc);

/* It may go on for `timeout_ms` from now (if its time is not over yet). */
void proc_extend(struct proc *proc, uint32_t timeout_ms);

/* Begin to end it: SIGTERM now, SIGKILL after the grace; go on with proc_advance, or proc_release. */
void proc_cancel(struct proc *proc);

/* Run to the end. `cancel_fd`, if not -1: when it becomes readable the group is killed at once. */
void proc_wait(struct proc *proc, int cancel_fd);

/* Kills the group at once if it still runs, frees everything. Waits at most 10 ms for the child to be gone.
 */
void proc_release(struct proc *proc);

/* Milliseconds that it ran, or has run so far. */
uint32_t proc_elapsed_ms(const struct proc *proc);

/* For messages: "exit status 187", "killed by signal 9", "timed out after 3 s", "No such file or directory".
 */
void proc_describe_end(const struct proc *proc, struct buf *out);

#endif

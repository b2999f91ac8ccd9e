#include "app/child.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct child {
	struct loop *loop;
	struct proc proc;
	int watched[PROC_FDS]; /* -1: none */
	uint64_t deadline;
	child_ready *ready;
	void *context;
};

static void advance(struct child *child);

static void descriptor_ready(void *context, int fd, short events)
{
	(void)fd;
	(void)events;
	advance(context);
}

static void overdue(void *context)
{
	struct child *child = context;

	child->deadline = 0;
	advance(child);
}

static void unwatch(struct child *child)
{
	for (size_t i = 0; i < PROC_FDS; i++) {
		if (child->watched[i] >= 0)
			loop_unwatch(child->loop, child->watched[i]);
		child->watched[i] = -1;
	}
	loop_cancel(child->loop, child->deadline);
	child->deadline = 0;
}

static void watch(struct child *child)
{
	struct pollfd fds[PROC_FDS];
	size_t count = proc_fds(&child->proc, fds);

	for (size_t i = 0; i < count; i++) {
		child->watched[i] = fds[i].fd;
		loop_watch(child->loop, fds[i].fd, POLLIN, descriptor_ready, child);
	}
	child->deadline = loop_deadline(child->loop, proc_deadline_ms(&child->proc), overdue, child);
}

static void advance(struct child *child)
{
	bool done;

	/* Before proc_advance: it may close them, and their numbers may be given out again. */
	unwatch(child);
	done = proc_advance(&child->proc);
	if (!done)
		watch(child);
	child->ready(child->context, &child->proc, done);
}

struct child *child_start(struct loop *loop, const struct proc_command *command, child_ready *ready,
			  void *context, struct buf *error)
{
	struct child *child = alloc_zeroed(1, sizeof(*child));

	*child = (struct child){.loop = loop, .proc = PROC_INIT, .ready = ready, .context = context};
	for (size_t i = 0; i < PROC_FDS; i++)
		child->watched[i] = -1;
	if (!proc_start(&child->proc, command, error)) {
		free(child);
		return NULL;
	}
	watch(child);
	return child;
}

void child_cancel(struct child *child)
{
	unwatch(child);
	proc_cancel(&child->proc);
	watch(child);
}

void child_free(struct child *child)
{
	if (!child)
		return;
	unwatch(child);
	proc_release(&child->proc);
	free(child);
}

bool child_write(int fd, struct str bytes)
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

#include "plat/loop.h"

#include "base/vec.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

struct watch {
	int fd;
	short events;
	uint64_t born; /* the turn it was added in: what is ready now is not for a newcomer */
	void (*ready)(void *context, int fd, short events);
	void *context;
};

struct deadline {
	uint64_t id;
	uint64_t when_ms;
	void (*due)(void *context);
	void *context;
};

/* Both lists are short (a terminal, a signal pipe, some children): looking through them is cheapest. */
struct loop {
	VEC(struct watch) watches;
	VEC(struct deadline) deadlines;
	VEC(struct pollfd) polled;
	uint64_t last_id;
	uint64_t turn;
};

struct loop *loop_new(void)
{
	return alloc_zeroed(1, sizeof(struct loop));
}

void loop_free(struct loop *loop)
{
	if (!loop)
		return;
	vec_release(&loop->watches);
	vec_release(&loop->deadlines);
	vec_release(&loop->polled);
	free(loop);
}

uint64_t loop_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static struct watch *find_watch(struct loop *loop, int fd)
{
	for (size_t i = 0; i < loop->watches.count; i++)
		if (loop->watches.items[i].fd == fd)
			return &loop->watches.items[i];
	return NULL;
}

void loop_watch(struct loop *loop, int fd, short events, void (*ready)(void *context, int fd, short events),
		void *context)
{
	struct watch watch = {fd, events, loop->turn, ready, context};
	struct watch *old = find_watch(loop, fd);

	if (old)
		*old = watch;
	else
		vec_push(&loop->watches, watch);
}

void loop_unwatch(struct loop *loop, int fd)
{
	struct watch *watch = find_watch(loop, fd);

	if (watch)
		*watch = loop->watches.items[--loop->watches.count];
}

uint64_t loop_deadline(struct loop *loop, uint64_t when_ms, void (*due)(void *context), void *context)
{
	if (when_ms == LOOP_NEVER)
		return 0;
	vec_push(&loop->deadlines, (struct deadline){++loop->last_id, when_ms, due, context});
	return loop->last_id;
}

void loop_cancel(struct loop *loop, uint64_t deadline)
{
	for (size_t i = 0; i < loop->deadlines.count; i++) {
		if (loop->deadlines.items[i].id == deadline) {
			loop->deadlines.items[i] = loop->deadlines.items[--loop->deadlines.count];
			return;
		}
	}
}

/* The deadline that comes first and is not after `limit_ms`; of equal ones the oldest. Null: none. */
static const struct deadline *first_deadline(const struct loop *loop, uint64_t limit_ms)
{
	const struct deadline *first = NULL;

	for (size_t i = 0; i < loop->deadlines.count; i++) {
		const struct deadline *one = &loop->deadlines.items[i];

		if (one->when_ms > limit_ms)
			continue;
		if (!first || one->when_ms < first->when_ms ||
		    (one->when_ms == first->when_ms && one->id < first->id))
			first = one;
	}
	return first;
}

/* poll()'s timeout. loop_now_ms rounds down, so sleeping the difference never ends before the time. */
static int timeout_until(uint64_t when_ms)
{
	uint64_t now = loop_now_ms();

	if (when_ms == LOOP_NEVER)
		return -1;
	if (when_ms <= now)
		return 0;
	return when_ms - now > INT_MAX ? INT_MAX : (int)(when_ms - now);
}

static void call_ready(struct loop *loop)
{
	for (size_t i = 0; i < loop->polled.count; i++) {
		struct pollfd polled = loop->polled.items[i];
		struct watch *watch;

		if (!polled.revents)
			continue;
		/* An earlier callback may have removed it, or put a new file in its place. */
		watch = find_watch(loop, polled.fd);
		if (!watch || watch->born == loop->turn)
			continue;
		if (polled.revents & POLLNVAL) {
			/* Closed under the watch, a fault of the owner: at least it does not spin. */
			loop_unwatch(loop, polled.fd);
			continue;
		}
		watch->ready(watch->context, polled.fd, polled.revents);
	}
}

static void call_due(struct loop *loop)
{
	uint64_t now = loop_now_ms();
	uint64_t last_id = loop->last_id; /* those set meanwhile wait for the next turn */
	const struct deadline *first;

	while ((first = first_deadline(loop, now)) && first->id <= last_id) {
		struct deadline deadline = *first;

		loop_cancel(loop, deadline.id);
		deadline.due(deadline.context);
	}
}

bool loop_turn(struct loop *loop, uint64_t until_ms)
{
	const struct deadline *first = first_deadline(loop, until_ms);
	uint64_t until = first ? first->when_ms : until_ms;
	int ready;

	if (loop->watches.count == 0 && until == LOOP_NEVER) {
		errno = EDEADLK;
		return false;
	}
	loop->turn++;
	vec_clear(&loop->polled);
	for (size_t i = 0; i < loop->watches.count; i++) {
		const struct watch *watch = &loop->watches.items[i];

		vec_push(&loop->polled, (struct pollfd){.fd = watch->fd, .events = watch->events});
	}
	ready = poll(loop->polled.items, loop->polled.count, timeout_until(until));
	if (ready < 0 && errno != EINTR && errno != EAGAIN)
		return false;
	if (ready > 0)
		call_ready(loop);
	call_due(loop);
	return true;
}

/*
 * loop: one poll() for everything that the program waits for.
 *
 * A loop has watches (a descriptor and whom to call when it is ready) and deadlines (a time and whom to
 * call then). It sleeps until the first of them; with nothing due it makes no wake-up at all, so an idle
 * program costs nothing. It is the only place that may block.
 *
 * Callbacks may add and remove watches and deadlines, their own too. One that gets POLLHUP or POLLERR, or
 * reads end of file, must remove its watch, or the loop would come back to it at once, for ever.
 * Descriptors belong to the caller: remove the watch before the close.
 */
#ifndef PLAT_LOOP_H
#define PLAT_LOOP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#define LOOP_NEVER UINT64_MAX

struct loop;

struct loop *loop_new(void);
void loop_free(struct loop *loop); /* null is nothing; closes no descriptor */

/* Monotonic milliseconds: the clock of all deadlines. */
uint64_t loop_now_ms(void);

/*
 * Call `ready` each time `fd` has one of `events` (POLLIN, POLLOUT); `events` as poll() gives them back,
 * POLLHUP and POLLERR included. One watch a descriptor: a second one replaces the first.
 */
void loop_watch(struct loop *loop, int fd, short events, void (*ready)(void *context, int fd, short events),
		void *context);
void loop_unwatch(struct loop *loop, int fd); /* one that is not watched: nothing */

/*
 * Call `due` once, at `when_ms` or as soon after as the loop turns. Returns an id for loop_cancel, never 0.
 * LOOP_NEVER sets no deadline and returns 0.
 */
uint64_t loop_deadline(struct loop *loop, uint64_t when_ms, void (*due)(void *context), void *context);
void loop_cancel(struct loop *loop, uint64_t deadline); /* 0, or one that has passed: nothing */

/*
 * Sleep until something is ready or due, or until `until_ms` (LOOP_NEVER: no limit), then call whom it
 * concerns. Descriptors go first, deadlines after. Returns also when a signal came. False: there is nothing
 * to wait for, or poll() failed for good (errno says why): the caller must not go on turning.
 */
bool loop_turn(struct loop *loop, uint64_t until_ms);

#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plat/loop.h"
#include "plat/signal.h"

#include <string.h>
#include <unistd.h>

struct seen {
	struct loop *loop;
	char order[16];
	size_t count;
	int other_fd;
	uint64_t at_ms;
};

static void see(struct seen *seen, char what)
{
	if (seen->count < sizeof(seen->order) - 1)
		seen->order[seen->count++] = what;
}

static void read_one(void *context, int fd, short events)
{
	struct seen *seen = context;
	char byte = '?';

	(void)events;
	assert_int_equal(read(fd, &byte, 1), 1);
	see(seen, byte);
}

static void unwatch_other(void *context, int fd, short events)
{
	struct seen *seen = context;

	read_one(context, fd, events);
	loop_unwatch(seen->loop, seen->other_fd);
}

static void see_due(void *context)
{
	struct seen *seen = context;

	see(seen, 'd');
	seen->at_ms = loop_now_ms();
}

static void see_late(void *context)
{
	see(context, 'l');
}

static void see_due_again(void *context)
{
	struct seen *seen = context;

	see(seen, 'a');
	loop_deadline(seen->loop, loop_now_ms(), see_due, seen);
}

static void test_a_deadline_is_never_early(void **state)
{
	struct seen seen = {.loop = loop_new()};
	uint64_t when = loop_now_ms() + 30;

	(void)state;
	loop_deadline(seen.loop, when, see_due, &seen);
	while (seen.count == 0)
		assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_true(seen.at_ms >= when);
	loop_free(seen.loop);
}

static void test_deadlines_come_in_order(void **state)
{
	struct seen seen = {.loop = loop_new()};
	uint64_t now = loop_now_ms(), cancelled;

	(void)state;
	loop_deadline(seen.loop, now, see_late, &seen);
	loop_deadline(seen.loop, now - 1, see_due, &seen);
	cancelled = loop_deadline(seen.loop, now - 2, see_due_again, &seen);
	loop_cancel(seen.loop, cancelled);
	loop_cancel(seen.loop, cancelled);
	loop_cancel(seen.loop, 0);
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "dl");
	loop_free(seen.loop);
}

static void test_a_deadline_set_by_a_deadline_waits_for_the_next_turn(void **state)
{
	struct seen seen = {.loop = loop_new()};

	(void)state;
	loop_deadline(seen.loop, loop_now_ms(), see_due_again, &seen);
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "a");
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "ad");
	loop_free(seen.loop);
}

static void test_nothing_to_wait_for_does_not_sleep(void **state)
{
	struct loop *loop = loop_new();

	(void)state;
	assert_int_equal(loop_deadline(loop, LOOP_NEVER, see_due, NULL), 0);
	assert_false(loop_turn(loop, LOOP_NEVER));
	loop_free(loop);
}

static void test_descriptors_before_deadlines(void **state)
{
	struct seen seen = {.loop = loop_new()};
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "xy", 2), 2);
	loop_watch(seen.loop, ends[0], POLLIN, read_one, &seen);
	loop_deadline(seen.loop, loop_now_ms(), see_due, &seen);
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "xd");
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "xdy");
	/* Drained: the time is waited for. */
	assert_true(loop_turn(seen.loop, loop_now_ms() + 1));
	assert_string_equal(seen.order, "xdy");
	loop_free(seen.loop);
	close(ends[0]);
	close(ends[1]);
}

static void test_a_callback_may_remove_another_watch(void **state)
{
	struct seen seen = {.loop = loop_new()};
	int first[2], second[2];

	(void)state;
	assert_int_equal(pipe(first), 0);
	assert_int_equal(pipe(second), 0);
	assert_int_equal(write(first[1], "1", 1), 1);
	assert_int_equal(write(second[1], "2", 1), 1);
	seen.other_fd = second[0];
	loop_watch(seen.loop, first[0], POLLIN, unwatch_other, &seen);
	loop_watch(seen.loop, second[0], POLLIN, read_one, &seen);
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "1");
	loop_free(seen.loop);
	for (int i = 0; i < 2; i++) {
		close(first[i]);
		close(second[i]);
	}
}

static void test_a_closed_descriptor_does_not_spin(void **state)
{
	struct seen seen = {.loop = loop_new()};
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	loop_watch(seen.loop, ends[0], POLLIN, read_one, &seen);
	close(ends[0]);
	close(ends[1]);
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_false(loop_turn(seen.loop, LOOP_NEVER));
	loop_free(seen.loop);
}

static void signal_ready(void *context, int fd, short events)
{
	int number;

	(void)fd;
	(void)events;
	while (signal_next(&number))
		see(context, number == SIGTERM    ? 'T'
			     : number == SIGCHLD  ? 'C'
			     : number == SIGWINCH ? 'W'
						  : '?');
}

static void test_signals_are_coalesced_and_ordered(void **state)
{
	struct seen seen = {.loop = loop_new()};
	int fd = signal_start();

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(signal_start(), fd);
	loop_watch(seen.loop, fd, POLLIN, signal_ready, &seen);
	raise(SIGCHLD);
	raise(SIGWINCH);
	raise(SIGWINCH);
	raise(SIGTERM);
	raise(SIGPIPE);
	assert_true(loop_turn(seen.loop, LOOP_NEVER));
	assert_string_equal(seen.order, "TWC");
	signal_stop();
	loop_free(seen.loop);
}

static void test_an_ignored_hangup_stays_ignored(void **state)
{
	struct sigaction now;
	int number;

	(void)state;
	signal(SIGHUP, SIG_IGN);
	assert_true(signal_start() >= 0);
	raise(SIGHUP);
	assert_false(signal_next(&number));
	signal_stop();
	sigaction(SIGHUP, NULL, &now);
	assert_true(now.sa_handler == SIG_IGN);
	signal(SIGHUP, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_deadline_is_never_early),
		cmocka_unit_test(test_deadlines_come_in_order),
		cmocka_unit_test(test_a_deadline_set_by_a_deadline_waits_for_the_next_turn),
		cmocka_unit_test(test_nothing_to_wait_for_does_not_sleep),
		cmocka_unit_test(test_descriptors_before_deadlines),
		cmocka_unit_test(test_a_callback_may_remove_another_watch),
		cmocka_unit_test(test_a_closed_descriptor_does_not_spin),
		cmocka_unit_test(test_signals_are_coalesced_and_ordered),
		cmocka_unit_test(test_an_ignored_hangup_stays_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* probe_run: answers come once each, and nothing that hangs holds anything else. */
#include "test.h"

#include "app/probe_run.h"
#include "base/vec.h"
#include "pack_support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANG(id) \
	"- id: " id "\n  title: {zh: 挂, en: hang}\n  timeout: 60s\n  read: [{command: [sleep, '600']}]\n" \
	"  judge: [{state: ok, say: {zh: 好, en: good}}]\n"
#define QUICK(id) \
	"- id: " id "\n  title: {zh: 快, en: quick}\n  read: [{value: x, into: X}]\n" \
	"  judge: [{state: ok, say: {zh: 好, en: good}}]\n"

static const struct pack_text files[] = {
	PACK_YAML("probes"),
	{"probes.yaml", HANG("hang-1") HANG("hang-2") HANG("hang-3") HANG("hang-4") HANG("hang-5")
				HANG("hang-6") HANG("hang-7") HANG("hang-8") QUICK("quick-1") QUICK(
					"quick-2") "- id: late\n  title: {zh: 迟, en: late}\n  timeout: "
						   "200ms\n  read: [{command: [sleep, '600']}]\n"
						   "  judge: [{state: ok, say: {zh: 好, en: good}}]\n"},
	{NULL, NULL},
};

struct seen {
	struct str id;
	uint32_t generation;
	enum probe_state state;
};

struct bench {
	struct arena arena;
	struct diag_list diags;
	struct kb *kb;
	struct loop *loop;
	struct probe_runner *runner;
	VEC(struct seen) seen;
};

static void take(void *context, const struct probe *probe, uint32_t generation,
		 const struct probe_result *result)
{
	struct bench *bench = context;
	vec_push(&bench->seen, (struct seen){probe->id, generation, result->state});
}

static void set_up(struct bench *bench)
{
	*bench = (struct bench){0};
	const struct pack *packs[] = {pack_of_texts(files, &bench->arena, &bench->diags)};
	assert_non_null(packs[0]);
	assert_int_equal(bench->diags.errors, 0);
	bench->kb = kb_new(packs, 1);
	bench->loop = loop_new();
	bench->runner = probe_runner_new(bench->kb, bench->loop, take, bench);
}

static void tear_down(struct bench *bench)
{
	probe_runner_free(bench->runner);
	loop_free(bench->loop);
	kb_free(bench->kb);
	vec_release(&bench->seen);
	diag_release(&bench->diags);
	arena_release(&bench->arena);
	/* Every child was ended and reaped. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void start(struct bench *bench, const char *id, uint32_t generation)
{
	const struct probe *probe = kb_probe(bench->kb, str_of(id));
	assert_non_null(probe);
	probe_runner_start(bench->runner, probe, generation);
}

/* Turn the loop until so many answers are there. */
static void turn_until(struct bench *bench, size_t answers)
{
	uint64_t end = loop_now_ms() + 30000;
	while (bench->seen.count < answers && loop_now_ms() < end)
		loop_turn(bench->loop, loop_now_ms() + 100);
	assert_int_equal(bench->seen.count, answers);
}

static void what_hangs_holds_up_no_other(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	for (int i = 1; i <= 8; i++) {
		char id[16];
		snprintf(id, sizeof(id), "hang-%d", i);
		start(&bench, id, 1);
	}
	start(&bench, "quick-1", 1);
	start(&bench, "quick-2", 1);
	turn_until(&bench, 2);
	assert_int_equal(bench.seen.items[0].state, PROBE_OK);
	assert_int_equal(bench.seen.items[1].state, PROBE_OK);
	assert_int_equal(probe_runner_pending(bench.runner), 8);
	tear_down(&bench);
}

static void a_new_start_replaces_the_old_one(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	start(&bench, "quick-1", 1);
	start(&bench, "quick-1", 2);
	turn_until(&bench, 1);
	assert_int_equal(bench.seen.items[0].generation, 2);
	assert_int_equal(probe_runner_pending(bench.runner), 0);

	/* One that runs already: what the old one would say is dropped. */
	start(&bench, "hang-1", 3);
	loop_turn(bench.loop, loop_now_ms() + 50);
	loop_turn(bench.loop, loop_now_ms() + 50);
	start(&bench, "hang-1", 4);
	start(&bench, "quick-2", 5);
	turn_until(&bench, 2);
	assert_int_equal(bench.seen.items[1].generation, 5);
	assert_int_equal(probe_runner_pending(bench.runner), 1);
	tear_down(&bench);
}

static void one_that_is_cancelled_says_nothing(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	start(&bench, "hang-1", 1);
	start(&bench, "hang-2", 1);
	loop_turn(bench.loop, loop_now_ms() + 50);
	loop_turn(bench.loop, loop_now_ms() + 50);
	probe_runner_cancel(bench.runner, kb_probe(bench.kb, STR("hang-1")));
	probe_runner_cancel(bench.runner, kb_probe(bench.kb, STR("hang-2")));
	probe_runner_cancel(bench.runner, kb_probe(bench.kb, STR("quick-1"))); /* never started */
	assert_int_equal(probe_runner_pending(bench.runner), 0);
	start(&bench, "quick-2", 1);
	turn_until(&bench, 1);
	assert_true(str_equal(bench.seen.items[0].id, STR("quick-2")));
	tear_down(&bench);
}

static void one_that_takes_too_long_is_unknown(void **state)
{
	(void)state;
	struct bench bench;
	set_up(&bench);
	start(&bench, "late", 7);
	turn_until(&bench, 1);
	assert_int_equal(bench.seen.items[0].state, PROBE_UNKNOWN);
	assert_int_equal(bench.seen.items[0].generation, 7);
	tear_down(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_hangs_holds_up_no_other),
		cmocka_unit_test(a_new_start_replaces_the_old_one),
		cmocka_unit_test(one_that_is_cancelled_says_nothing),
		cmocka_unit_test(one_that_takes_too_long_is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

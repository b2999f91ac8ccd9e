#include "app/machine.h"

#include "app/probe_run.h"
#include "core/applies.h"
#include "core/fill.h"

struct machine {
	struct facts *facts;
	bool late;
};

static void take_values(void *context, const struct probe *probe, uint32_t generation,
			const struct probe_result *result)
{
	struct machine *machine = context;

	(void)generation;
	probe_result_to_facts(probe, result, machine->facts);
}

static void start_sources(struct probe_runner *runner, const struct kb *kb,
			  const struct placeholder *placeholder)
{
	for (size_t i = 0; i < placeholder->value_count; i++) {
		const struct probe *probe = kb_probe(kb, placeholder->values[i].probe);

		if (probe)
			probe_runner_start(runner, probe, 1);
	}
}

void machine_facts_for_commands(const struct kb *kb, const struct solution *solution, struct facts *facts)
{
	struct machine machine = {.facts = facts};
	struct loop *loop = loop_new();
	struct probe_runner *runner = probe_runner_new(kb, loop, take_values, &machine);

	for (size_t i = 0; i < solution->step_count; i++) {
		struct placeholder_list list = {0};

		fill_placeholders(kb, solution->steps[i].run, &list);
		for (size_t p = 0; p < list.list.count; p++)
			start_sources(runner, kb, list.list.items[p]);
		vec_release(&list.list);
	}
	while (probe_runner_pending(runner) > 0 && loop_turn(loop, LOOP_NEVER))
		;
	probe_runner_free(runner);
	loop_free(loop);
}

/* Does the probe take a value of this name? */
static bool gives(const struct probe *probe, struct str name)
{
	struct buf group = {0};
	bool found = false;

	buf_add_format(&group, "(?<%.*s>", STR_ARG(name));
	for (size_t i = 0; i < probe->read_count && !found; i++) {
		const struct probe_step *step = &probe->read[i];

		found = str_equal(step->into, name);
		for (size_t j = 0; j < step->capture.count && !found; j++)
			found = str_find(step->capture.items[j], buf_str(&group)) != STR_NOT_FOUND;
	}
	buf_release(&group);
	return found;
}

static void start_givers(struct probe_runner *runner, const struct kb *kb, struct str name)
{
	for (size_t i = 0; i < kb->probe_count; i++) {
		if (gives(kb->probes[i], name))
			probe_runner_start(runner, kb->probes[i], 1);
	}
}

static void time_is_over(void *context)
{
	struct machine *machine = context;

	machine->late = true;
}

void machine_facts_for_applies(const struct kb *kb, const struct entry *entry, struct facts *facts)
{
	bool cann = entry->applies.cann.size > 0, chip = entry->applies.chips.count > 0;
	struct machine machine = {.facts = facts};
	struct probe_runner *runner;
	struct loop *loop;

	for (size_t i = 0; i < entry->solution_count; i++) {
		cann = cann || entry->solutions[i].applies.cann.size > 0;
		chip = chip || entry->solutions[i].applies.chips.count > 0;
	}
	if (!cann && !chip)
		return;
	loop = loop_new();
	runner = probe_runner_new(kb, loop, take_values, &machine);
	if (cann)
		start_givers(runner, kb, STR("CANN_VERSION"));
	if (chip)
		start_givers(runner, kb, STR("CHIP"));
	loop_deadline(loop, loop_now_ms() + MACHINE_LIMIT_MS, time_is_over, &machine);
	while (!machine.late && probe_runner_pending(runner) > 0 && loop_turn(loop, LOOP_NEVER))
		;
	probe_runner_free(runner);
	loop_free(loop);
}

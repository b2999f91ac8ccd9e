/* compare: facts of all nodes, grouped by value. */
#include "core/compare_private.h"

#include "base/nodeset.h"

#include <stdlib.h>
#include <string.h>

struct value_of_node {
	uint32_t value, node;
};

/* All values of one thing, in the order of nodes. */
struct column {
	uint32_t thing;
	struct value_of_node *values;
	size_t count;
};

static struct str probe_part(struct str thing)
{
	return str_slice(thing, 0, str_find_byte(thing, 0));
}

static struct str name_part(struct str thing)
{
	return str_slice(thing, str_find_byte(thing, 0) + 1, thing.size);
}

struct str compare_value(const struct compare_input *input, const struct compare_entry *entry,
			 const char *probe, const char *value)
{
	for (size_t i = 0; i < entry->facts.list.count; i++) {
		struct str thing = compare_text_at(input, entry->facts.list.items[i].thing);

		if (str_equal(name_part(thing), str_of(value)) && str_equal(probe_part(thing), str_of(probe)))
			return compare_text_at(input, entry->facts.list.items[i].value);
	}
	return STR("");
}

/* ---- Columns. ----------------------------------------------------------------------------------------- */

/* Counted, then filled: no sorting of millions of facts. */
static struct column *make_columns(struct compare_input *input, size_t *count)
{
	size_t texts = input->texts.list.count;
	uint32_t *column_of = alloc_zeroed(texts, sizeof(*column_of));
	size_t *sizes = alloc_zeroed(texts, sizeof(*sizes));
	struct column *columns;

	*count = 0;
	for (size_t i = 0; i < input->entries.count; i++)
		for (size_t j = 0; j < input->entries.items[i].facts.list.count; j++) {
			uint32_t thing = input->entries.items[i].facts.list.items[j].thing;

			if (!sizes[thing]++)
				column_of[thing] = (uint32_t)(*count)++;
		}
	columns = arena_take_array(&input->arena, *count + 1, sizeof(*columns));
	for (size_t thing = 0; thing < texts; thing++)
		if (sizes[thing])
			columns[column_of[thing]] = (struct column){
				(uint32_t)thing,
				arena_take_array(&input->arena, sizes[thing], sizeof(struct value_of_node)),
				0};
	for (size_t i = 0; i < input->entries.count; i++)
		for (size_t j = 0; j < input->entries.items[i].facts.list.count; j++) {
			struct compare_fact fact = input->entries.items[i].facts.list.items[j];
			struct column *column = &columns[column_of[fact.thing]];

			/* Said twice by one node: what was said first. */
			if (!column->count || column->values[column->count - 1].node != i)
				column->values[column->count++] =
					(struct value_of_node){fact.value, (uint32_t)i};
		}
	free(column_of);
	free(sizes);
	return columns;
}

/* ---- Groups. ------------------------------------------------------------------------------------------ */

static int compare_values(const void *left, const void *right)
{
	const struct value_of_node *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static int compare_groups(const void *left, const void *right)
{
	const struct compare_group *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return str_compare(a->value, b->value);
}

static bool all_equal(const struct column *column)
{
	for (size_t i = 1; i < column->count; i++)
		if (column->values[i].value != column->values[0].value)
			return false;
	return true;
}

/* Those that do not have the thing at all, as a group without value. */
static void add_without(struct compare_input *input, const struct column *column, struct compare_thing *thing,
			struct compare_group *groups)
{
	size_t missing = input->result.read_count - column->count, at = 0, given = 0;
	uint32_t *nodes;

	if (!missing)
		return;
	nodes = arena_take_array(&input->arena, missing, sizeof(*nodes));
	for (uint32_t i = 0; i < input->entries.count; i++) {
		/* Columns are in the order of nodes, until they are put in that of values. */
		while (at < column->count && column->values[at].node < i)
			at++;
		if (input->entries.items[i].read && (at == column->count || column->values[at].node != i))
			nodes[given++] = i;
	}
	groups[thing->group_count++] = (struct compare_group){STR(""), nodes, given};
}

static void make_groups(struct compare_input *input, struct column *column, struct compare_thing *thing)
{
	size_t different = 1;
	struct compare_group *groups;
	uint32_t *nodes = arena_take_array(&input->arena, column->count, sizeof(*nodes));
	bool equal = all_equal(column);
	struct value_of_node *values = column->values;

	if (!equal) {
		values = alloc_zeroed(column->count, sizeof(*values));
		memcpy(values, column->values, column->count * sizeof(*values));
		qsort(values, column->count, sizeof(*values), compare_values);
		for (size_t i = 1; i < column->count; i++)
			different += values[i].value != values[i - 1].value;
	}
	groups = arena_take_array(&input->arena, different + 1, sizeof(*groups));
	for (size_t from = 0, to; from < column->count; from = to) {
		for (to = from; to < column->count && values[to].value == values[from].value; to++)
			nodes[to] = values[to].node;
		groups[thing->group_count++] = (struct compare_group){
			compare_text_at(input, values[from].value), nodes + from, to - from};
	}
	add_without(input, column, thing, groups);
	qsort(groups, thing->group_count, sizeof(*groups), compare_groups);
	thing->groups = groups;
	if (!equal)
		free(values);
}

/* ---- What it means. ----------------------------------------------------------------------------------- */

static bool differs_by_nature(const struct probe *probe, struct str name)
{
	for (size_t i = 0; probe && i < probe->differs.count; i++)
		if (str_equal(probe->differs.items[i], STR("*")) || str_equal(probe->differs.items[i], name))
			return true;
	return false;
}

static bool is_bad(struct str state)
{
	return str_equal(state, STR("fail")) || str_equal(state, STR("warn"));
}

/* Of a state: how many nodes fail, and what the first of them says. */
static void look_at_state(struct compare_input *input, struct compare_thing *thing)
{
	char id[64];
	uint32_t first = UINT32_MAX;

	for (size_t i = 0; i < thing->group_count; i++)
		if (is_bad(thing->groups[i].value)) {
			thing->failing += thing->groups[i].count;
			first = thing->groups[i].nodes[0] < first ? thing->groups[i].nodes[0] : first;
		}
	if (first == UINT32_MAX || thing->id.size >= sizeof(id))
		return;
	memcpy(id, thing->id.data, thing->id.size);
	id[thing->id.size] = 0;
	thing->detail = compare_value(input, &input->entries.items[first], id, "\1detail");
}

static int compare_failing(const void *left, const void *right)
{
	const struct compare_thing *a = left, *b = right;

	if (a->failing != b->failing)
		return a->failing > b->failing ? -1 : 1;
	return str_compare(a->id, b->id);
}

/* How many nodes are not of the largest group. */
static size_t exceptions(const struct compare_thing *thing)
{
	size_t count = 0;

	for (size_t i = 1; i < thing->group_count; i++)
		count += thing->groups[i].count;
	return count;
}

static int compare_different(const void *left, const void *right)
{
	const struct compare_thing *a = left, *b = right;
	size_t few = exceptions(a), more = exceptions(b);
	int order;

	if (few != more)
		return few < more ? -1 : 1;
	order = str_compare(a->id, b->id);
	return order ? order : str_compare(a->name, b->name);
}

static void sort_things(struct compare_input *input, struct column *columns, size_t count)
{
	struct compare *result = &input->result;
	struct compare_thing *failing = arena_take_array(&input->arena, count + 1, sizeof(*failing));
	struct compare_thing *different = arena_take_array(&input->arena, count + 1, sizeof(*different));
	struct compare_thing *same = arena_take_array(&input->arena, count + 1, sizeof(*same));

	for (size_t i = 0; i < count; i++) {
		struct str text = compare_text_at(input, columns[i].thing);
		struct compare_thing thing = {.id = probe_part(text), .name = name_part(text)};

		thing.probe = kb_probe(input->kb, thing.id);
		if (str_equal(thing.name, STR("\1detail")))
			continue;
		/* A value that differs by nature is not grouped: it may have as many values as there are
		 * nodes. */
		if (thing.name.size && differs_by_nature(thing.probe, thing.name))
			continue;
		make_groups(input, &columns[i], &thing);
		if (!thing.name.size) {
			look_at_state(input, &thing);
			if (thing.failing)
				failing[result->failing_count++] = thing;
			else if (thing.group_count > 1)
				different[result->different_count++] = thing;
		} else if (thing.group_count > 1) {
			different[result->different_count++] = thing;
		} else {
			same[result->same_count++] = thing;
		}
	}
	qsort(failing, result->failing_count, sizeof(*failing), compare_failing);
	qsort(different, result->different_count, sizeof(*different), compare_different);
	result->failing = failing;
	result->different = different;
	result->same = same;
}

const struct compare *compare_finish(struct compare_input *input)
{
	struct compare_node *nodes =
		arena_take_array(&input->arena, input->entries.count + 1, sizeof(*nodes));
	size_t count;
	struct column *columns;

	for (size_t i = 0; i < input->entries.count; i++) {
		const struct compare_entry *entry = &input->entries.items[i];

		nodes[i] =
			(struct compare_node){compare_text_at(input, entry->name), entry->read, entry->why};
		input->result.read_count += entry->read;
	}
	input->result.nodes = nodes;
	input->result.node_count = input->entries.count;
	input->result.repeated = input->repeated;
	columns = make_columns(input, &count);
	sort_things(input, columns, count);
	compare_find_shared(input);
	return &input->result;
}

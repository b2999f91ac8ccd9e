/* Diagnoses of many nodes: which cause came first of all, and which nodes have which. */
#include "app/fleet.h"
#include "app/json_out.h"
#include "base/nodeset.h"

#include <stdlib.h>
#include <string.h>

/* What a node's own diagnosis takes for its first cause. */
struct cause {
	size_t node;
	json_t *match, *evidence; /* borrowed */
	const char *entry, *title, *time_kind;
	int64_t time_us, rank; /* rank -1: unknown */
	int64_t spread_ms;     /* the time is known to this */
};

struct causes {
	VEC(struct cause) list; /* the first of all first */
	const struct gather *gather;
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/*
 * Our time for a time of the node: less what its clock is surely ahead of ours. A clock that may be right is
 * left alone; that it may be wrong by the width of the window is said.
 */
static void correct(const struct gather_node *node, struct cause *cause)
{
	int64_t ahead_ms = 0;

	if (!node->has_clock)
		return;
	if (node->clock_low > 0)
		ahead_ms = node->clock_low;
	else if (node->clock_high < 0)
		ahead_ms = node->clock_high;
	if (llabs(ahead_ms) > (int64_t)400 * 366 * 86400 * 1000)
		return;
	cause->time_us -= ahead_ms * 1000;
	cause->spread_ms = node->clock_high - node->clock_low;
}

static bool read_cause(const struct gather *gather, size_t index, const json_t *document, struct cause *cause)
{
	json_t *match = json_array_get(json_object_get(document, "matches"), 0), *rank;
	json_t *evidence = json_array_get(json_object_get(match, "evidence"), 0);

	if (!json_is_object(match) || !json_is_object(evidence))
		return false;
	rank = json_object_get(evidence, "rank");
	*cause = (struct cause){.node = index,
				.match = match,
				.evidence = evidence,
				.entry = text_of(match, "entry"),
				.title = text_of(match, "title"),
				.time_kind = text_of(evidence, "time_kind"),
				.time_us = json_integer_value(json_object_get(evidence, "time_us")),
				.rank = json_is_integer(rank) ? json_integer_value(rank) : -1};
	if (llabs(cause->time_us) > INT64_MAX / 4)
		cause->time_us = 0;
	correct(gather_node(gather, index), cause);
	return true;
}

static bool same_clock(const struct cause *a, const struct cause *b)
{
	return *a->time_kind && strcmp(a->time_kind, b->time_kind) == 0;
}

/* Of most kinds of time first; by time where they have the same; else by rank. */
static int compare_causes(const void *one, const void *other)
{
	const struct cause *a = one, *b = other;
	int kind = strcmp(a->time_kind, b->time_kind);

	if (kind)
		return !*a->time_kind ? 1 : !*b->time_kind ? -1 : kind;
	if (*a->time_kind && a->time_us != b->time_us)
		return a->time_us < b->time_us ? -1 : 1;
	if (a->rank != b->rank)
		return (uint64_t)a->rank < (uint64_t)b->rank ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static void find_causes(const struct gather *gather, json_t *const *documents, struct causes *causes)
{
	causes->gather = gather;
	for (size_t i = 0; i < gather_node_count(gather); i++) {
		struct cause cause;

		if (documents[i] && read_cause(gather, i, documents[i], &cause))
			vec_push(&causes->list, cause);
	}
	if (causes->list.count)
		qsort(causes->list.items, causes->list.count, sizeof(struct cause), compare_causes);
}

bool fleet_diagnosis_found(json_t *const *documents, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (documents[i] && json_array_size(json_object_get(documents[i], "matches")))
			return true;
	return false;
}

/* Does the order of these two depend on clocks that are not known so well? */
static bool is_uncertain(const struct cause *first, const struct cause *later)
{
	int64_t spread = first->spread_ms > later->spread_ms ? first->spread_ms : later->spread_ms;

	return same_clock(first, later) && later->time_us - first->time_us < spread * 1000;
}

static struct str node_name(const struct causes *causes, const struct cause *cause)
{
	return gather_node(causes->gather, cause->node)->name;
}

/* Is it the first of its entry? Then *names gets all nodes that have it for their first cause. */
static bool nodes_of(const struct causes *causes, size_t index, struct buf *names)
{
	const struct cause *items = causes->list.items;
	VEC(struct str) list = {0};

	for (size_t i = 0; i < index; i++)
		if (strcmp(items[i].entry, items[index].entry) == 0)
			return false;
	for (size_t i = index; i < causes->list.count; i++)
		if (strcmp(items[i].entry, items[index].entry) == 0)
			vec_push(&list, node_name(causes, &items[i]));
	nodeset_fold(list.items, list.count, names);
	vec_release(&list);
	return true;
}

static void print_cause(const struct app *app, const struct causes *causes, size_t index, struct str nodes,
			struct output *output)
{
	const struct cause *cause = &causes->list.items[index], *first = &causes->list.items[0];
	struct str name = node_name(causes, cause);

	output_text(output, OUTPUT_ID, str_of(cause->entry));
	output_format(output, OUTPUT_PLAIN, " ");
	output_text(output, OUTPUT_HEADING, str_of(cause->title));
	output_format(output, OUTPUT_DIM, "  %.*s", STR_ARG(nodes));
	if (index && same_clock(first, cause))
		output_format(output, OUTPUT_DIM, "  +%.3f s",
			      (double)(cause->time_us - first->time_us) / 1e6);
	if (index && is_uncertain(first, cause))
		output_format(output, OUTPUT_WARN,
			      app_say(app, "（时钟只精确到 ±%lld 毫秒，先后不能确定）",
				      " (clocks are known to ±%lld ms: the order is not certain)"),
			      (long long)(first->spread_ms > cause->spread_ms ? first->spread_ms
									      : cause->spread_ms));
	output_format(output, OUTPUT_DIM, "\n      %.*s:", STR_ARG(name));
	output_text(output, OUTPUT_DIM, str_of(text_of(cause->evidence, "path")));
	output_format(output, OUTPUT_DIM, ":%lld",
		      (long long)json_integer_value(json_object_get(cause->evidence, "line")));
	if (cause->rank >= 0)
		output_format(output, OUTPUT_DIM, " · rank %lld", (long long)cause->rank);
	output_format(output, OUTPUT_DIM, ": ");
	output_text(output, OUTPUT_PLAIN, str_of(text_of(cause->evidence, "text")));
	buf_add_byte(&output->text, '\n');
}

static void print_without(const struct app *app, const struct gather *gather, json_t *const *documents,
			  struct output *output)
{
	VEC(struct str) names = {0};
	struct buf folded = {0};

	for (size_t i = 0; i < gather_node_count(gather); i++)
		if (documents[i] && !json_array_size(json_object_get(documents[i], "matches")))
			vec_push(&names, gather_node(gather, i)->name);
	if (names.count) {
		nodeset_fold(names.items, names.count, &folded);
		output_format(output, OUTPUT_PLAIN, "%s%.*s\n",
			      app_say(app, "没有已知问题：", "no known problem: "),
			      STR_ARG(buf_str(&folded)));
	}
	vec_release(&names);
	buf_release(&folded);
}

void fleet_diagnosis_print(const struct app *app, struct output *output, const struct gather *gather,
			   json_t *const *documents)
{
	struct causes causes = {0};

	find_causes(gather, documents, &causes);
	for (size_t i = 0; i < causes.list.count; i++) {
		struct buf nodes = {0};

		if (nodes_of(&causes, i, &nodes)) {
			if (i == 0)
				output_format(output, OUTPUT_HEADING, "%s\n",
					      app_say(app, "最先的原因", "First cause"));
			print_cause(app, &causes, i, buf_str(&nodes), output);
			if (i == 0 && causes.list.count > 1)
				buf_add_byte(&output->text, '\n');
		}
		buf_release(&nodes);
	}
	print_without(app, gather, documents, output);
	vec_release(&causes.list);
}

json_t *fleet_diagnosis_to_json(const struct app *app, const struct gather *gather, json_t *const *documents)
{
	json_t *object = json_object(), *array = json_array();
	struct causes causes = {0};

	(void)app;
	find_causes(gather, documents, &causes);
	for (size_t i = 0; i < causes.list.count; i++) {
		const struct cause *cause = &causes.list.items[i], *first = &causes.list.items[0];
		json_t *item = json_object();

		json_object_set_new(item, "node", json_from_str(node_name(&causes, cause)));
		json_object_set_new(item, "entry", json_from_str(str_of(cause->entry)));
		json_object_set_new(item, "title", json_from_str(str_of(cause->title)));
		json_object_set_new(item, "rank", cause->rank < 0 ? json_null() : json_integer(cause->rank));
		json_object_set(item, "evidence", cause->evidence);
		json_object_set_new(item, "after_us",
				    same_clock(first, cause) ? json_integer(cause->time_us - first->time_us)
							     : json_null());
		json_object_set_new(item, "clock_spread_ms", json_integer(cause->spread_ms));
		json_object_set_new(item, "order_certain",
				    json_boolean(i == 0 || !is_uncertain(first, cause)));
		json_array_append_new(array, item);
	}
	json_object_set_new(object, "causes", array);
	vec_release(&causes.list);
	return object;
}

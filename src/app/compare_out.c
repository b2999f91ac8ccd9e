#include "app/compare_out.h"

#include "app/app.h"
#include "app/json_out.h"
#include "base/nodeset.h"
#include "base/utf8.h"

enum { VALUE_SHOWN = 120, GROUPS_SHOWN = 8, NODES_SHOWN = 600 };

static void fold(const struct compare *compare, const uint32_t *nodes, size_t count, struct buf *out)
{
	struct str *names = alloc_zeroed(count + 1, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = compare->nodes[nodes[i]].name;
	nodeset_fold(names, count, out);
	free(names);
}

static struct str title_of(const struct app *app, const struct compare_thing *thing)
{
	return thing->probe ? text_in(&thing->probe->title, app->options.lang) : thing->id;
}

/* ---- For people. -------------------------------------------------------------------------------------- */

static void print_nodes(struct output *output, const struct compare *compare,
			const struct compare_group *group, size_t indent, size_t used)
{
	struct buf nodes = {0};

	fold(compare, group->nodes, group->count, &nodes);
	if (nodes.size > NODES_SHOWN) {
		nodes.size = NODES_SHOWN;
		buf_add(&nodes, STR("…"));
	}
	output_wrapped(output, OUTPUT_DIM, indent, used, buf_str(&nodes));
	buf_release(&nodes);
}

/* "61  9.1.0  node[01-06]" */
static void print_group(const struct app *app, struct output *output, const struct compare *compare,
			const struct compare_group *group, bool largest)
{
	struct str value = group->value;
	char count[32];
	bool cut = value.size > VALUE_SHOWN;

	snprintf(count, sizeof(count), "%6zu  ", group->count);
	output_text(output, OUTPUT_PLAIN, str_of(count));
	if (!value.size) {
		output_text(output, OUTPUT_DIM, str_of(app_say(app, "（没有）", "(none)")));
		value = str_of(app_say(app, "（没有）", "(none)"));
	} else {
		value = str_slice(value, 0, VALUE_SHOWN);
		output_text(output, largest ? OUTPUT_PLAIN : OUTPUT_WARN, value);
		if (cut)
			output_text(output, OUTPUT_DIM, STR("…"));
	}
	output_text(output, OUTPUT_PLAIN, STR("  "));
	print_nodes(output, compare, group, 10, 10 + utf8_width(value) + cut);
}

static void print_failing(const struct app *app, struct output *output, const struct compare *compare)
{
	for (size_t i = 0; i < compare->failing_count; i++) {
		const struct compare_thing *thing = &compare->failing[i];

		output_format(output, OUTPUT_FAIL, "%s ", output->ascii ? "x" : "✗");
		output_text(output, OUTPUT_HEADING, title_of(app, thing));
		output_format(output, OUTPUT_PLAIN, app_say(app, "：%zu / %zu 个节点", ": %zu of %zu nodes"),
			      thing->failing, compare->read_count);
		if (thing->probe && thing->probe->entry.size)
			output_format(output, OUTPUT_DIM, "  %s %.*s", output->ascii ? "->" : "→",
				      STR_ARG(thing->probe->entry));
		output_text(output, OUTPUT_PLAIN, STR("\n"));
		buf_add_repeated(&output->text, ' ', 4);
		output_wrapped(output, OUTPUT_PLAIN, 4, 4, thing->detail);
		for (size_t j = 0; thing->group_count > 1 && j < thing->group_count && j < GROUPS_SHOWN; j++)
			print_group(app, output, compare, &thing->groups[j], j == 0);
	}
}

static void print_different(const struct app *app, struct output *output, const struct compare *compare)
{
	if (compare->different_count)
		output_format(output, OUTPUT_HEADING, "\n%s\n", app_say(app, "各节点不同", "What differs"));
	for (size_t i = 0; i < compare->different_count; i++) {
		const struct compare_thing *thing = &compare->different[i];

		output_format(output, OUTPUT_WARN, "! ");
		output_text(output, OUTPUT_PLAIN, title_of(app, thing));
		if (thing->name.size) {
			output_text(output, OUTPUT_DIM, STR("  "));
			output_text(output, OUTPUT_DIM, thing->name);
		}
		output_text(output, OUTPUT_PLAIN, STR("\n"));
		for (size_t j = 0; j < thing->group_count && j < GROUPS_SHOWN; j++)
			print_group(app, output, compare, &thing->groups[j], j == 0);
		if (thing->group_count > GROUPS_SHOWN)
			output_format(output, OUTPUT_DIM,
				      app_say(app, "        还有 %zu 种值，见 --json\n",
					      "        and %zu values more: see --json\n"),
				      thing->group_count - GROUPS_SHOWN);
	}
}

/* Versions and the like, in one line each; paths and counts are in --json. */
static void print_same(const struct app *app, struct output *output, const struct compare *compare)
{
	bool any = false;

	for (size_t i = 0; i < compare->same_count && compare->read_count > 1; i++) {
		const struct compare_thing *thing = &compare->same[i];

		if (!str_ends(thing->name, STR("_VERSION")) && !str_equal(thing->name, STR("CHIP")) &&
		    !str_equal(thing->name, STR("NPU_COUNT")))
			continue;
		if (!any)
			output_format(output, OUTPUT_HEADING, "\n%s\n",
				      app_say(app, "各节点相同", "The same on all"));
		any = true;
		output_format(output, OUTPUT_OK, "%s ", output->ascii ? "+" : "✓");
		output_text(output, OUTPUT_PLAIN, title_of(app, thing));
		output_text(output, OUTPUT_PLAIN, STR("  "));
		output_text(output, OUTPUT_PLAIN, str_slice(thing->groups[0].value, 0, VALUE_SHOWN));
		output_text(output, OUTPUT_PLAIN, STR("\n"));
	}
}

static void print_shared(const struct app *app, struct output *output, const struct compare *compare)
{
	const struct compare_shared *shared = &compare->shared;

	output_format(output, OUTPUT_HEADING, "\n%s\n", app_say(app, "全部节点可用", "For all of them"));
	if (shared->interface.size)
		output_format(output, OUTPUT_PLAIN,
			      app_say(app, "  网卡 %.*s，同在网络 %.*s\n",
				      "  interface %.*s, in the same network %.*s\n"),
			      STR_ARG(shared->interface), STR_ARG(shared->network));
	else
		output_format(output, OUTPUT_WARN, "  %s\n",
			      app_say(app, "没有名称和网络都相同的网卡",
				      "no interface has the same name and network on all"));
	if (shared->port)
		output_format(output, OUTPUT_PLAIN,
			      app_say(app, "  端口 %u 在各节点都空闲", "  port %u is free on all"),
			      shared->port);
	else
		output_format(
			output, OUTPUT_WARN, "  %s",
			app_say(app, "没有已知在各节点都空闲的端口", "no port is known to be free on all"));
	if (shared->first)
		output_format(output, OUTPUT_PLAIN, app_say(app, "，%u-%u 也是", ", and so are %u-%u"),
			      shared->first, shared->last);
	output_text(output, OUTPUT_PLAIN, STR("\n"));
}

static void print_unread(const struct app *app, struct output *output, const struct compare *compare)
{
	for (size_t i = 0; i < compare->node_count; i++) {
		const struct compare_node *node = &compare->nodes[i];

		if (node->read)
			continue;
		output_format(output, OUTPUT_FAIL, "? ");
		output_text(output, OUTPUT_HEADING, node->name);
		output_text(output, OUTPUT_PLAIN, str_of(app_say(app, "：", ": ")));
		output_text(output, OUTPUT_PLAIN, node->why);
		output_text(output, OUTPUT_PLAIN, STR("\n"));
	}
}

void compare_print(const struct app *app, struct output *output, const struct compare *compare)
{
	output_format(output, OUTPUT_HEADING,
		      app_say(app, "%zu 个节点，读到 %zu 个的结果", "%zu nodes, results of %zu"),
		      compare->node_count, compare->read_count);
	if (compare->repeated)
		output_format(
			output, OUTPUT_DIM,
			app_say(app, "（%zu 个重复，以最后的为准）", " (%zu came again: the last counts)"),
			compare->repeated);
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	print_unread(app, output, compare);
	print_failing(app, output, compare);
	print_different(app, output, compare);
	print_same(app, output, compare);
	if (compare->read_count)
		print_shared(app, output, compare);
}

/* ---- For programs. ------------------------------------------------------------------------------------ */

static json_t *thing_to_json(const struct compare *compare, const struct compare_thing *thing)
{
	json_t *object = json_object(), *groups = json_array();

	json_add_str(object, "probe", thing->id);
	if (thing->name.size)
		json_add_str(object, "value", thing->name);
	if (thing->failing) {
		json_object_set_new(object, "failing", json_integer((json_int_t)thing->failing));
		json_add_str(object, "detail", thing->detail);
		json_object_set_new(object, "entry",
				    thing->probe && thing->probe->entry.size
					    ? json_from_str(thing->probe->entry)
					    : json_null());
	}
	for (size_t i = 0; i < thing->group_count; i++) {
		json_t *group = json_object();
		struct buf nodes = {0};

		fold(compare, thing->groups[i].nodes, thing->groups[i].count, &nodes);
		json_object_set_new(group, thing->name.size ? "is" : "state",
				    thing->groups[i].value.size ? json_from_str(thing->groups[i].value)
								: json_null());
		json_object_set_new(group, "count", json_integer((json_int_t)thing->groups[i].count));
		json_object_set_new(group, "nodes", json_from_str(buf_str(&nodes)));
		json_array_append_new(groups, group);
		buf_release(&nodes);
	}
	json_object_set_new(object, "groups", groups);
	return object;
}

static json_t *things_to_json(const struct compare *compare, const struct compare_thing *things, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, thing_to_json(compare, &things[i]));
	return list;
}

static json_t *shared_to_json(const struct compare_shared *shared)
{
	json_t *object = json_object();

	json_object_set_new(object, "interface",
			    shared->interface.size ? json_from_str(shared->interface) : json_null());
	json_object_set_new(object, "network",
			    shared->network.size ? json_from_str(shared->network) : json_null());
	json_object_set_new(object, "port", shared->port ? json_integer(shared->port) : json_null());
	json_object_set_new(object, "port_first", shared->first ? json_integer(shared->first) : json_null());
	json_object_set_new(object, "port_last", shared->last ? json_integer(shared->last) : json_null());
	return object;
}

json_t *compare_to_json(const struct app *app, const struct compare *compare)
{
	json_t *document = json_document(), *unread = json_array();

	(void)app;
	json_object_set_new(document, "nodes", json_integer((json_int_t)compare->node_count));
	json_object_set_new(document, "read", json_integer((json_int_t)compare->read_count));
	json_object_set_new(document, "repeated", json_integer((json_int_t)compare->repeated));
	for (size_t i = 0; i < compare->node_count; i++) {
		json_t *object;

		if (compare->nodes[i].read)
			continue;
		object = json_object();
		json_add_str(object, "node", compare->nodes[i].name);
		json_add_str(object, "why", compare->nodes[i].why);
		json_array_append_new(unread, object);
	}
	json_object_set_new(document, "unread", unread);
	json_object_set_new(document, "failing",
			    things_to_json(compare, compare->failing, compare->failing_count));
	json_object_set_new(document, "different",
			    things_to_json(compare, compare->different, compare->different_count));
	json_object_set_new(document, "same", things_to_json(compare, compare->same, compare->same_count));
	json_object_set_new(document, "shared", shared_to_json(&compare->shared));
	return document;
}

int compare_status(const struct compare *compare)
{
	bool well = compare->read_count == compare->node_count && !compare->failing_count &&
		    !compare->different_count;

	return well ? EXIT_FOUND : EXIT_NOTHING;
}

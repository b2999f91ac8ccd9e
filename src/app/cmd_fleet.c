/* ascend-faq fleet: the probes of many nodes. */
#include "app/compare_out.h"
#include "app/fleet.h"
#include "app/json_out.h"
#include "base/nodeset.h"
#include "plat/fs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_S = 60, TIMEOUT_MOST_S = 86400 };

struct str_vec {
	VEC(struct str) list;
};

struct fleet {
	struct app *app;
	const struct fleet_engine *engine;
	struct fleet_names asked;
	VEC(struct str) states; /* of each that is asked, what the engine says against it; empty: nothing */
	uint32_t timeout_ms;
	bool diagnose;
	struct gather *gather;
	enum fleet_end end;
	struct compare_input *input;
	const struct compare *compare;
	VEC(json_t *) documents; /* of each node of `gather`; null: none */
};

/* ---- Which nodes. -------------------------------------------------------------------------------------- */

/* ansible writes "  hosts (8):" above its list. */
static void drop_heading(struct buf *list)
{
	size_t end = str_find_byte(buf_str(list), '\n');

	if (end != STR_NOT_FOUND && str_find(str_slice(buf_str(list), 0, end), STR("(")) != STR_NOT_FOUND)
		buf_remove(list, 0, end + 1);
}

static bool find_nodes(struct fleet *fleet)
{
	const struct fleet_engine *engine = fleet->engine;
	const char *given = fleet->app->options.argument[OPTION_NODES];
	const char *known = engine->nodes_environment ? getenv(engine->nodes_environment) : NULL;
	struct buf list = {0}, error = {0};
	bool good;

	if (given)
		buf_add(&list, str_of(given));
	else if (known && *known)
		buf_add(&list, str_of(known));
	else if (engine->nodes_argv[0])
		fleet_engine_ask(engine->nodes_argv, NULL, &list);
	if (!given)
		drop_heading(&list);
	good = fleet_names_add(fleet->app, &fleet->asked, buf_str(&list), &error);
	if (!good)
		app_fault(fleet->app, "--nodes：%s", "--nodes: %s", buf_c_string(&error));
	else if (!fleet->asked.list.count)
		app_fault(fleet->app, "%s 没有给出节点；请用 --nodes 指定，例如 --nodes node[01-08]",
			  "%s names no nodes; say which with --nodes, as in --nodes node[01-08]",
			  engine->name);
	good = good && fleet->asked.list.count;
	buf_release(&list);
	buf_release(&error);
	return good;
}

static bool is_down(const struct fleet_engine *engine, struct str state)
{
	for (size_t i = 0; i < sizeof(engine->down) / sizeof(*engine->down) && engine->down[i]; i++)
		if (str_starts(state, str_of(engine->down[i])))
			return true;
	return engine->also_gone && str_ends(state, str_of(engine->also_gone));
}

/* A node that the engine takes for dead would keep all the others waiting: it is left out, and named. */
static void find_down(struct fleet *fleet)
{
	const struct fleet_engine *engine = fleet->engine;
	struct buf nodes = {0}, states = {0};
	struct str rest, line, name;

	for (size_t i = 0; i < fleet->asked.list.count; i++)
		vec_push(&fleet->states, (struct str){0});
	if (!engine->down_argv[0])
		return;
	fleet_names_join(fleet->asked.list.items, fleet->asked.list.count, &nodes);
	struct fleet_words words = {
		.nodes = buf_c_string(&nodes), .node = "", .script = "", .shell = "", .token = ""};
	fleet_engine_ask(engine->down_argv, &words, &states);
	rest = buf_str(&states);
	while (str_next(&rest, '\n', &line)) {
		if (!str_next(&line, ' ', &name) || !is_down(engine, line))
			continue;
		for (size_t i = 0; i < fleet->asked.list.count; i++)
			if (str_equal(fleet->asked.list.items[i], name))
				fleet->states.items[i] = arena_copy(&fleet->asked.arena, line);
	}
	buf_release(&nodes);
	buf_release(&states);
}

/* ---- Running. ------------------------------------------------------------------------------------------ */

static int run(struct fleet *fleet, const struct str *arguments, size_t count)
{
	struct fleet_request request = {.engine = fleet->engine,
					.arguments = arguments,
					.argument_count = count,
					.send = fleet->app->options.given[OPTION_SEND],
					.timeout_ms = fleet->timeout_ms};
	VEC(struct str) nodes = {0};
	struct buf error = {0};
	int status = EXIT_FOUND;

	for (size_t i = 0; i < fleet->asked.list.count; i++)
		if (!fleet->states.items[i].size)
			vec_push(&nodes, fleet->asked.list.items[i]);
	request.nodes = nodes.items;
	request.node_count = nodes.count;
	fleet->end = fleet_run(fleet->app, &request, &fleet->gather, &error);
	if (fleet->end == FLEET_NOT_STARTED)
		status = app_fault(fleet->app, "%s", "%s", buf_c_string(&error));
	for (size_t i = 0; i < fleet->asked.list.count; i++) {
		struct buf why = {0};

		if (!fleet->states.items[i].size)
			continue;
		buf_add_format(&why, "%s: %.*s", fleet->engine->name, STR_ARG(fleet->states.items[i]));
		gather_expect(fleet->gather, fleet->asked.list.items[i]);
		gather_refuse(fleet->gather, fleet->asked.list.items[i], buf_str(&why));
		buf_release(&why);
	}
	vec_release(&nodes);
	buf_release(&error);
	return status;
}

static void tell_unreadable(const struct fleet *fleet, size_t index)
{
	gather_fail(fleet->gather, index,
		    str_of(app_say(fleet->app, "它的结果不是本程序的文档",
				   "its result is no document of this program")));
}

/* What came whole may yet be no document of ours. Only --json needs it as a value. */
static void parse_documents(struct fleet *fleet)
{
	for (size_t i = 0; i < gather_node_count(fleet->gather); i++) {
		const struct gather_node *node = gather_node(fleet->gather, i);
		json_t *document = NULL;

		if (node->state == GATHER_DONE)
			document = json_loadb(node->document.data, node->document.size,
					      JSON_REJECT_DUPLICATES, NULL);
		if (!json_is_object(document) || !json_is_integer(json_object_get(document, "schema"))) {
			json_decref(document);
			document = NULL;
		}
		if (node->state == GATHER_DONE && !document)
			tell_unreadable(fleet, i);
		vec_push(&fleet->documents, document);
	}
}

/* The document with the name by which the node was asked: several may have the host name localhost. */
static void add_document(const struct gather_node *node, struct buf *out)
{
	static const struct str head = STR_INIT("{\"schema\":1,\"host\":\"");
	struct str text = buf_str(&node->document);

	if (str_starts(text, head)) {
		buf_add(out, head);
		buf_add(out, node->name);
		text = str_slice(text, head.size, text.size);
		text = str_slice(text, str_find_byte(text, '"'), text.size);
	}
	buf_add(out, text);
}

static void compare_all(struct fleet *fleet)
{
	fleet->input = compare_new(fleet->app->kb);
	for (size_t i = 0; i < gather_node_count(fleet->gather); i++) {
		const struct gather_node *node = gather_node(fleet->gather, i);

		if (node->state != GATHER_DONE)
			continue;
		if (!compare_add(fleet->input, buf_str(&node->document), node->name, true))
			tell_unreadable(fleet, i);
	}
	fleet->compare = compare_finish(fleet->input);
}

static bool save(struct fleet *fleet, const char *folder)
{
	struct buf path = {0}, document = {0}, error = {0};
	bool good = true;

	for (size_t i = 0; good && i < gather_node_count(fleet->gather); i++) {
		const struct gather_node *node = gather_node(fleet->gather, i);

		if (node->state != GATHER_DONE)
			continue;
		buf_clear(&path);
		buf_clear(&document);
		buf_add_format(&path, "%s/%.*s.json", folder, STR_ARG(node->name));
		add_document(node, &document);
		buf_add_byte(&document, '\n');
		good = fs_write_file(buf_c_string(&path), buf_str(&document), &error);
	}
	if (!good)
		app_fault(fleet->app, "%s", "%s", buf_c_string(&error));
	buf_release(&path);
	buf_release(&document);
	buf_release(&error);
	return good;
}

/* ---- What became of them. ------------------------------------------------------------------------------ */

static const struct {
	const char *name; /* as in --json */
	const char *zh, *en;
} states[] = {
	[GATHER_WAITING] = {"waiting", "未答复", "no answer"},
	[GATHER_ALIVE] = {"alive", "未答复", "no answer"},
	[GATHER_DONE] = {"done", "已答复", "answered"},
	[GATHER_ABSENT] =
		{"absent", "没有 ascend-faq（用 --send 临时放一份，或用 --program 指出路径）",
		 "no ascend-faq there (--send puts it there for a run; --program says where it is)"},
	[GATHER_FAILED] = {"failed", "没有得到结果", "gave no result"},
	[GATHER_GONE] = {"dead", "无法到达", "could not be reached"},
	[GATHER_LATE] = {"late", "到时间未答复", "no answer in time"},
};

static void print_lost_nodes(const struct fleet *fleet, struct output *output, enum gather_state state)
{
	VEC(struct str) names = {0};
	struct buf folded = {0};

	for (size_t i = 0; i < gather_node_count(fleet->gather); i++)
		if (gather_node(fleet->gather, i)->state == state)
			vec_push(&names, gather_node(fleet->gather, i)->name);
	if (names.count) {
		nodeset_fold(names.items, names.count, &folded);
		output_format(output, OUTPUT_FAIL, "%s ", output->ascii ? "x" : "✗");
		output_text(output, OUTPUT_HEADING, buf_str(&folded));
		output_format(output, OUTPUT_PLAIN, "  %s\n",
			      app_say(fleet->app, states[state].zh, states[state].en));
	}
	for (size_t i = 0; i < gather_node_count(fleet->gather); i++) {
		const struct gather_node *node = gather_node(fleet->gather, i);

		if (node->state != state || !node->remark.size)
			continue;
		output_format(output, OUTPUT_DIM, "  %.*s: ", STR_ARG(node->name));
		output_text(output, OUTPUT_DIM, buf_str(&node->remark));
		buf_add_byte(&output->text, '\n');
	}
	vec_release(&names);
	buf_release(&folded);
}

static void print_summary(const struct fleet *fleet, struct output *output)
{
	struct gather_counts counts = gather_counts(fleet->gather);

	output_format(output, OUTPUT_HEADING,
		      app_say(fleet->app, "%s：%zu 个节点，%zu 个已答复\n", "%s: %zu nodes, %zu answered\n"),
		      fleet->engine->name, counts.asked, counts.done);
	for (size_t state = 0; state < sizeof(states) / sizeof(*states); state++)
		if (state != GATHER_DONE)
			print_lost_nodes(fleet, output, (enum gather_state)state);
	if (counts.garbage)
		output_format(output, OUTPUT_DIM,
			      app_say(fleet->app, "%llu 行不是结果，已忽略\n",
				      "%llu lines were no results and are left out\n"),
			      (unsigned long long)counts.garbage);
}

/* ---- Their clocks. ------------------------------------------------------------------------ */

/* Two nodes whose clocks are certainly apart, the most of all: that of *ahead and that of *behind. */
static int64_t clocks_apart(const struct fleet *fleet, const struct gather_node **ahead,
			    const struct gather_node **behind)
{
	*ahead = *behind = NULL;
	for (size_t i = 0; i < gather_node_count(fleet->gather); i++) {
		const struct gather_node *node = gather_node(fleet->gather, i);

		if (!node->has_clock)
			continue;
		if (!*ahead || node->clock_low > (*ahead)->clock_low)
			*ahead = node;
		if (!*behind || node->clock_high < (*behind)->clock_high)
			*behind = node;
	}
	return *ahead && *ahead != *behind ? (*ahead)->clock_low - (*behind)->clock_high : 0;
}

static void print_clocks(const struct fleet *fleet, struct output *output)
{
	const struct gather_node *ahead, *behind;
	int64_t apart = clocks_apart(fleet, &ahead, &behind);

	if (apart <= 0)
		return;
	output_format(output, OUTPUT_WARN, "! ");
	output_format(output, OUTPUT_PLAIN,
		      app_say(fleet->app, "时钟：%.*s 比 %.*s 至少快 %lld 毫秒\n",
			      "clocks: %.*s is ahead of %.*s by %lld ms at least\n"),
		      STR_ARG(ahead->name), STR_ARG(behind->name), (long long)apart);
}

static json_t *node_to_json(const struct fleet *fleet, size_t index)
{
	const struct gather_node *node = gather_node(fleet->gather, index);
	json_t *object = json_object();

	json_object_set_new(object, "node", json_from_str(node->name));
	json_add_str(object, "host", buf_str(&node->own_name));
	json_object_set_new(object, "state", json_string(states[node->state].name));
	json_add_str(object, "message", buf_str(&node->remark));
	if (node->has_clock) {
		json_object_set_new(object, "clock_low_ms", json_integer(node->clock_low));
		json_object_set_new(object, "clock_high_ms", json_integer(node->clock_high));
	}
	if (fleet->documents.items[index])
		json_object_set(object, "result", fleet->documents.items[index]);
	return object;
}

static int print_json(struct fleet *fleet, int status)
{
	json_t *document = json_document(), *nodes = json_array();
	struct gather_counts counts = gather_counts(fleet->gather);
	const struct gather_node *ahead, *behind;
	int64_t apart = clocks_apart(fleet, &ahead, &behind);

	json_object_set_new(document, "engine", json_string(fleet->engine->name));
	json_object_set_new(document, "interrupted", json_boolean(fleet->end == FLEET_INTERRUPTED));
	json_object_set_new(document, "asked", json_integer((json_int_t)counts.asked));
	json_object_set_new(document, "answered", json_integer((json_int_t)counts.done));
	json_object_set_new(document, "garbage_lines", json_integer((json_int_t)counts.garbage));
	for (size_t i = 0; i < gather_node_count(fleet->gather); i++)
		json_array_append_new(nodes, node_to_json(fleet, i));
	json_object_set_new(document, "nodes", nodes);
	json_object_set_new(document, "clocks_apart_ms", json_integer(apart > 0 ? apart : 0));
	if (fleet->compare)
		json_object_set_new(document, "compare", compare_to_json(fleet->app, fleet->compare));
	else
		json_object_set_new(
			document, "diagnosis",
			fleet_diagnosis_to_json(fleet->app, fleet->gather, fleet->documents.items));
	return json_print(fleet->app, document, status);
}

static int status_of(const struct fleet *fleet)
{
	struct gather_counts counts = gather_counts(fleet->gather);

	if (!counts.done || fleet->end == FLEET_INTERRUPTED)
		return EXIT_FAULT;
	if (fleet->diagnose)
		return fleet_diagnosis_found(fleet->documents.items, fleet->documents.count) ? EXIT_FOUND
											     : EXIT_NOTHING;
	return counts.done == counts.asked ? compare_status(fleet->compare) : EXIT_NOTHING;
}

static int show(struct fleet *fleet)
{
	const char *folder = fleet->app->options.argument[OPTION_SAVE];
	struct output output;
	int status;

	if (!fleet->diagnose)
		compare_all(fleet);
	if (fleet->diagnose || fleet->app->options.given[OPTION_JSON])
		parse_documents(fleet);
	status = status_of(fleet);
	if (folder && !save(fleet, folder))
		status = EXIT_FAULT;
	if (fleet->app->options.given[OPTION_JSON])
		return print_json(fleet, status);
	output_open(&output, &fleet->app->options);
	output.page = true;
	print_summary(fleet, &output);
	print_clocks(fleet, &output);
	if (fleet->diagnose) {
		buf_add_byte(&output.text, '\n');
		fleet_diagnosis_print(fleet->app, &output, fleet->gather, fleet->documents.items);
	} else if (fleet->compare->read_count) {
		buf_add_byte(&output.text, '\n');
		compare_print(fleet->app, &output, fleet->compare);
	}
	return output_close(&output) ? status : EXIT_FAULT;
}

/* ---- The command. -------------------------------------------------------------------------------------- */

static bool read_timeout(struct fleet *fleet)
{
	const char *given = fleet->app->options.argument[OPTION_TIMEOUT];
	uint64_t seconds = TIMEOUT_S;

	if (given && (!str_to_u64(str_of(given), &seconds) || seconds < 1 || seconds > TIMEOUT_MOST_S)) {
		app_fault(fleet->app, "--timeout %s：应为 1 到 %d 秒",
			  "--timeout %s: must be 1 to %d seconds", given, TIMEOUT_MOST_S);
		return false;
	}
	fleet->timeout_ms = (uint32_t)seconds * 1000;
	return true;
}

static bool can_send(const struct fleet *fleet)
{
	if (!fleet->app->options.given[OPTION_SEND] || fleet->engine->input == FLEET_INPUT_ALL)
		return true;
	app_fault(fleet->app,
		  "--send：%s 不能把文件传给各节点的标准输入；请用 slurm、clush 或 ssh，或先把程序放到节点上",
		  "--send: %s passes no standard input to the nodes; use slurm, clush or ssh, or put the "
		  "program "
		  "there first",
		  fleet->engine->name);
	return false;
}

/* The command for the nodes: probe, or diagnose with paths that mean there what they mean here. */
static bool read_operands(struct fleet *fleet, struct str_vec *arguments)
{
	const struct app *app = fleet->app;
	size_t count = app_operand_count(app);
	char folder[4096];

	fleet->diagnose = count > 0 && str_equal(app_operand(app, 0), STR("diagnose"));
	if (count == (fleet->diagnose ? 1u : 0u) && !fleet->diagnose) {
		vec_push(&arguments->list, STR("probe"));
		return true;
	}
	if (!fleet->diagnose || count == 1) {
		app_fault(app, "fleet 后面可以写 diagnose PATH…；节点用 --nodes 指定",
			  "fleet takes diagnose PATH…; say which nodes with --nodes");
		return false;
	}
	vec_push(&arguments->list, STR("diagnose"));
	vec_push(&arguments->list, STR("--"));
	for (size_t i = 1; i < count; i++) {
		struct str path = app_operand(app, i);
		struct buf whole = {0};

		if (path.size && path.data[0] != '/' && getcwd(folder, sizeof(folder)))
			buf_add_format(&whole, "%s/", folder);
		buf_add(&whole, path);
		vec_push(&arguments->list, arena_copy(&fleet->asked.arena, buf_str(&whole)));
		buf_release(&whole);
	}
	return true;
}

int cmd_fleet(struct app *app)
{
	struct fleet fleet = {.app = app};
	struct str_vec arguments = {0};
	int status = EXIT_FAULT;

	app_kb(app);
	if (read_timeout(&fleet) && read_operands(&fleet, &arguments))
		fleet.engine = fleet_engine_find(app, app->options.argument[OPTION_ENGINE]);
	if (fleet.engine && can_send(&fleet) && find_nodes(&fleet)) {
		find_down(&fleet);
		status = run(&fleet, arguments.list.items, arguments.list.count);
		if (status == EXIT_FOUND)
			status = show(&fleet);
	}
	for (size_t i = 0; i < fleet.documents.count; i++)
		json_decref(fleet.documents.items[i]);
	vec_release(&fleet.documents);
	vec_release(&arguments.list);
	vec_release(&fleet.states);
	compare_free(fleet.input);
	gather_free(fleet.gather);
	fleet_names_release(&fleet.asked);
	return status;
}

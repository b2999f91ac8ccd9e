/* ascend-faq fill: the commands of an entry with values filled in, for a shell to read. */
#include "app/app.h"
#include "app/json_out.h"
#include "app/probe_run.h"
#include "core/fill.h"

static const char *source_name(const struct app *app, enum fact_source source)
{
	switch (source) {
	case FACT_DEFAULT:
		return app_say(app, "默认值", "default");
	case FACT_ENVIRONMENT:
		return app_say(app, "环境变量", "environment");
	case FACT_PROBE:
		return app_say(app, "检查", "probe");
	case FACT_LOG:
		return app_say(app, "日志", "log");
	case FACT_USER:
		return app_say(app, "指定", "you");
	}
	return "";
}

/* A comment line for a shell: nothing in it may end the comment. */
static void comment(struct output *output, struct str text)
{
	struct str rest = text;
	struct str line;

	while (str_next(&rest, '\n', &line)) {
		output_text(output, OUTPUT_DIM, STR("# "));
		output_text(output, OUTPUT_DIM, line);
		output_text(output, OUTPUT_DIM, STR("\n"));
	}
}

static void print_provenance(const struct app *app, struct output *output, const struct filled *filled)
{
	for (size_t i = 0; i < filled->spans.count; i++) {
		const struct fill_span *span = &filled->spans.items[i];
		struct buf text = {0};
		bool seen = false;

		for (size_t j = 0; j < i; j++)
			seen |= filled->spans.items[j].placeholder == span->placeholder;
		if (seen)
			continue;
		if (span->filled)
			buf_add_format(&text, "%.*s: %s (%.*s)", STR_ARG(span->placeholder->name),
				       source_name(app, span->source), STR_ARG(span->origin));
		else
			buf_add_format(&text, app_say(app, "缺少 %.*s：%.*s", "missing %.*s: %.*s"),
				       STR_ARG(span->placeholder->name),
				       STR_ARG(text_in(&span->placeholder->meaning, app->options.lang)));
		comment(output, buf_str(&text));
		buf_release(&text);
	}
}

static size_t pick_solution(const struct entry *entry)
{
	for (size_t i = 0; i < entry->solution_count; i++) {
		if (entry->solutions[i].recommended)
			return i;
	}
	return 0;
}

static json_t *step_to_json(const struct step *step, const struct filled *filled)
{
	json_t *object = json_object();
	json_t *values = json_object();
	json_t *missing = json_array();

	json_add_text(object, "say", &step->say);
	json_add_str(object, "run", buf_str(&filled->text));
	for (size_t i = 0; i < filled->spans.count; i++) {
		const struct fill_span *span = &filled->spans.items[i];
		const char *sources[] = {"default", "environment", "probe", "log", "user"};

		if (!span->filled) {
			json_array_append_new(missing, json_from_str(span->placeholder->name));
			continue;
		}
		json_t *value = json_object();
		struct buf name = {0};

		json_add_str(value, "value", span->value);
		json_object_set_new(value, "source", json_string(sources[span->source]));
		json_add_str(value, "origin", span->origin);
		buf_add(&name, span->placeholder->name);
		json_object_set_new(values, buf_c_string(&name), value);
		buf_release(&name);
	}
	json_object_set_new(object, "values", values);
	json_object_set_new(object, "missing", missing);
	return object;
}

struct fill_page {
	struct app *app;
	struct output output;
	json_t *steps;
	const struct facts *facts;
	size_t holes;
	size_t commands;
};

static void fill_step(struct fill_page *page, const struct step *step)
{
	struct filled filled = {0};
	enum lang lang = page->app->options.lang;

	if (step->run.size == 0) {
		comment(&page->output, text_in(&step->say, lang));
		if (step->file.size) {
			comment(&page->output, step->file);
			comment(&page->output, step->text);
		}
		if (step->link.size)
			comment(&page->output, step->link);
		return;
	}
	fill_command(page->app->kb, step->run, page->facts, &filled);
	page->commands++;
	page->holes += filled.holes;
	if (page->steps)
		json_array_append_new(page->steps, step_to_json(step, &filled));
	comment(&page->output, text_in(&step->say, lang));
	print_provenance(page->app, &page->output, &filled);
	/* A command with a hole must not run by accident when this is piped into a shell. */
	if (filled.holes || step->effect == STEP_DESTROY)
		comment(&page->output,
			str_of(filled.holes ? app_say(page->app, "缺少参数，没有写成可执行的命令：",
						      "values are missing, so it is left as a comment:")
					    : app_say(page->app, "会删除或中断，请确认后再执行：",
						      "destroys something: run it only when sure:")));
	if (filled.holes || step->effect == STEP_DESTROY) {
		comment(&page->output, buf_str(&filled.text));
	} else {
		buf_add(&page->output.text, buf_str(&filled.text));
		if (!str_ends(buf_str(&filled.text), STR("\n")))
			buf_add_byte(&page->output.text, '\n');
	}
	filled_release(&filled);
}

static int fill_solution(struct app *app, const struct entry *entry, size_t index, const struct facts *facts)
{
	const struct solution *solution = &entry->solutions[index];
	struct fill_page page = {.app = app, .facts = facts};
	bool json = app->options.given[OPTION_JSON];
	int status;

	output_open(&page.output, &app->options);
	page.steps = json ? json_array() : NULL;
	for (size_t i = 0; i < solution->step_count; i++)
		fill_step(&page, &solution->steps[i]);
	status = page.holes ? EXIT_NOTHING : EXIT_FOUND;
	if (json) {
		json_t *document = json_document();

		json_add_str(document, "entry", entry->id);
		json_object_set_new(document, "solution", json_integer((json_int_t)index + 1));
		json_object_set_new(document, "steps", page.steps);
		buf_release(&page.output.text);
		return json_print(app, document, status);
	}
	if (page.holes)
		app_warn(app, "缺少 %zu 个值；用 --set NAME=VALUE 指定",
			 "%zu values are missing; give them with --set NAME=VALUE", page.holes);
	return output_close(&page.output) ? status : EXIT_FAULT;
}

static void take_values(void *context, const struct probe *probe, uint32_t generation,
			const struct probe_result *result)
{
	(void)generation;
	probe_result_to_facts(probe, result, context);
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

/* Run the probes that can give values to this solution's commands. */
static void probe_for_values(const struct kb *kb, const struct solution *solution, struct facts *facts)
{
	struct loop *loop = loop_new();
	struct probe_runner *runner = probe_runner_new(kb, loop, take_values, facts);

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

int cmd_fill(struct app *app)
{
	const struct kb *kb = app_kb(app);
	const struct entry *entry = kb_entry(kb, app_operand(app, 0));
	struct facts *facts;
	size_t index;
	int status;

	if (!entry || entry->solution_count == 0) {
		app_warn(app, "%.*s：%s", "%.*s: %s", STR_ARG(app_operand(app, 0)),
			 entry ? app_say(app, "这个条目没有解决方案", "this entry has no solution")
			       : app_say(app, "没有这个条目；ascend-faq list 列出全部条目",
					 "no such entry; ascend-faq list shows them all"));
		return EXIT_NOTHING;
	}
	index = pick_solution(entry);
	if (app_operand_count(app) > 1) {
		uint64_t number;

		if (!str_to_u64(app_operand(app, 1), &number) || number == 0 ||
		    number > entry->solution_count)
			return app_fault(app, "%.*s：这个条目有 %zu 个解决方案",
					 "%.*s: this entry has %zu solutions", STR_ARG(app_operand(app, 1)),
					 entry->solution_count);
		index = (size_t)number - 1;
	}
	facts = facts_new();
	if (app_facts(app, facts)) {
		probe_for_values(kb, &entry->solutions[index], facts);
		status = fill_solution(app, entry, index, facts);
	} else {
		status = EXIT_FAULT;
	}
	facts_free(facts);
	return status;
}

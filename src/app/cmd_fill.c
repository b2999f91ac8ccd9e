/* ascend-faq fill: the commands of an entry with values filled in, for a shell to read. */
#include "app/app.h"
#include "app/json_out.h"
#include "app/machine.h"
#include "core/applies.h"
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

/* There is a value, and it was not taken. */
static void add_refusal(const struct app *app, const struct fill_span *span, struct buf *out)
{
	buf_add_format(out, app_say(app, "未采用 %.*s = %.*s：", "not taken: %.*s = %.*s: "),
		       STR_ARG(span->placeholder->name), STR_ARG(span->value));
	fill_explain(span, app->options.lang, out);
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
		else if (span->problem == FILL_NO_VALUE)
			buf_add_format(&text, app_say(app, "缺少 %.*s：%.*s", "missing %.*s: %.*s"),
				       STR_ARG(span->placeholder->name),
				       STR_ARG(text_in(&span->placeholder->meaning, app->options.lang)));
		else
			add_refusal(app, span, &text);
		comment(output, buf_str(&text));
		buf_release(&text);
	}
}

/* The one that is offered first where nothing else is asked for. */
static size_t pick_solution(const struct entry *entry, const struct facts *facts)
{
	size_t *order = alloc_zeroed(entry->solution_count, sizeof(*order));
	size_t first;

	applies_order(entry, facts, order);
	first = order[0];
	free(order);
	return first;
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
			str_of(filled.holes ? app_say(page->app, "占位符没有填全，只写成注释：",
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

/* A solution that is not for this machine says so before its commands. */
static void print_applies(const struct app *app, struct output *output, const struct applies *applies,
			  const struct facts *facts)
{
	struct buf text = {0};

	if (applies_check(applies, facts) == APPLIES_NOT) {
		applies_say_here(applies, facts, app->options.lang, &text);
		comment(output, buf_str(&text));
	}
	buf_release(&text);
}

static int fill_solution(struct app *app, const struct entry *entry, size_t index, const struct facts *facts)
{
	const struct solution *solution = &entry->solutions[index];
	struct fill_page page = {.app = app, .facts = facts};
	bool json = app->options.given[OPTION_JSON];
	int status;

	output_open(&page.output, &app->options);
	page.steps = json ? json_array() : NULL;
	print_applies(app, &page.output, &entry->applies, facts);
	print_applies(app, &page.output, &solution->applies, facts);
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
	if (page.holes == 1)
		app_warn(app, "缺少 1 个值；用 --set NAME=VALUE 指定",
			 "a value is missing; give it with --set NAME=VALUE");
	else if (page.holes)
		app_warn(app, "缺少 %zu 个值；用 --set NAME=VALUE 指定",
			 "%zu values are missing; give them with --set NAME=VALUE", page.holes);
	return output_close(&page.output) ? status : EXIT_FAULT;
}

/* The number that was asked for, or the one to offer first; false and told when there is none such. */
static bool choose_solution(struct app *app, const struct entry *entry, struct facts *facts, size_t *index)
{
	uint64_t number;

	if (app_operand_count(app) < 2) {
		*index = pick_solution(entry, facts);
		return true;
	}
	if (!str_to_u64(app_operand(app, 1), &number) || number == 0 || number > entry->solution_count) {
		app_fault(app, "%.*s：这个条目有 %zu 个解决方案", "%.*s: this entry has %zu solutions",
			  STR_ARG(app_operand(app, 1)), entry->solution_count);
		return false;
	}
	*index = (size_t)number - 1;
	return true;
}

static int no_solution(const struct app *app, const struct entry *entry)
{
	struct str name = app_operand(app, 0);
	const struct code *code = entry ? NULL : kb_code(app->kb, name);
	struct buf entries = {0};

	for (size_t i = 0; code && i < code->entries.count; i++)
		buf_add_format(&entries, "%s%.*s", i ? ", " : "", STR_ARG(code->entries.items[i]));
	if (entry)
		app_warn(app, "%.*s：这个条目没有解决方案", "%.*s: this entry has no solution",
			 STR_ARG(name));
	else if (entries.size)
		app_warn(app, "%.*s 是错误码，相关条目：%s", "%.*s is an error code; its entries: %s",
			 STR_ARG(name), buf_c_string(&entries));
	else
		app_warn(app, "%.*s：没有这个条目；ascend-faq list 列出全部条目",
			 "%.*s: no such entry; ascend-faq list shows them all", STR_ARG(name));
	buf_release(&entries);
	return EXIT_NOTHING;
}

int cmd_fill(struct app *app)
{
	const struct kb *kb = app_kb(app);
	const struct entry *entry = kb_entry(kb, app_operand(app, 0));
	struct facts *facts;
	size_t index;
	int status = EXIT_FAULT;

	if (!entry || entry->solution_count == 0)
		return no_solution(app, entry);
	facts = facts_new();
	if (app_facts(app, facts)) {
		machine_facts_for_applies(kb, entry, facts);
		if (choose_solution(app, entry, facts, &index)) {
			machine_facts_for_commands(kb, &entry->solutions[index], facts);
			status = fill_solution(app, entry, index, facts);
		}
	}
	facts_free(facts);
	return status;
}

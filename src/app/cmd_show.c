/* ascend-faq show: an entry, whole, or what a code means. */
#include "app/app.h"
#include "app/json_out.h"
#include "app/machine.h"
#include "app/memory.h"
#include "core/applies.h"
#include "core/code_family.h"
#include "core/search.h"

enum { TEXT_INDENT = 2, STEP_INDENT = 5, COMMAND_INDENT = 7, SUGGESTIONS = 5, LAYERS_MOST = 16 };

struct page {
	const struct app *app;
	struct output *output;
	enum lang lang;
	const struct facts *facts; /* of the entry that is printed: what decides whether it applies here */
};

static void heading(struct page *page, const char *zh, const char *en)
{
	output_text(page->output, OUTPUT_PLAIN, STR("\n"));
	output_text(page->output, OUTPUT_HEADING, str_of(app_say(page->app, zh, en)));
	output_text(page->output, OUTPUT_PLAIN, STR("\n"));
}

static void part(struct page *page, const char *zh, const char *en, const struct text *text)
{
	struct str content = text_in(text, page->lang);

	if (content.size == 0)
		return;
	heading(page, zh, en);
	output_wrapped(page->output, OUTPUT_PLAIN, TEXT_INDENT, 0, content);
}

/* Every line of `text` as it is, behind `indent` blanks. */
static void verbatim(struct page *page, enum output_style style, size_t indent, struct str text)
{
	struct str rest = str_ends(text, STR("\n")) ? str_slice(text, 0, text.size - 1) : text;
	struct str line;

	while (str_next(&rest, '\n', &line)) {
		buf_add_repeated(&page->output->text, ' ', line.size ? indent : 0);
		output_text(page->output, style, line);
		buf_add_byte(&page->output->text, '\n');
	}
}

static void names(struct page *page, const char *zh, const char *en, const struct str_list *list,
		  enum output_style style)
{
	if (list->count == 0)
		return;
	heading(page, zh, en);
	buf_add_repeated(&page->output->text, ' ', TEXT_INDENT);
	for (size_t i = 0; i < list->count; i++) {
		if (i)
			output_text(page->output, OUTPUT_PLAIN, STR("  "));
		output_text(page->output, style, list->items[i]);
	}
	output_text(page->output, OUTPUT_PLAIN, STR("\n"));
}

/* Other entries, each with its title. */
static void entries(struct page *page, const char *zh, const char *en, const struct str_list *list)
{
	if (list->count > 0)
		heading(page, zh, en);
	for (size_t i = 0; i < list->count; i++) {
		const struct entry *entry = kb_entry(page->app->kb, list->items[i]);

		buf_add_repeated(&page->output->text, ' ', TEXT_INDENT);
		output_text(page->output, OUTPUT_ID, list->items[i]);
		if (entry)
			output_format(page->output, OUTPUT_PLAIN, "  %.*s",
				      STR_ARG(text_in(&entry->title, page->lang)));
		output_text(page->output, OUTPUT_PLAIN, STR("\n"));
	}
}

static const char *effect_note(const struct page *page, const struct step *step)
{
	switch (step->effect) {
	case STEP_READ:
		return NULL;
	case STEP_SHELL:
		return app_say(page->app, "只影响当前 shell", "changes this shell only");
	case STEP_WRITE:
		return app_say(page->app, "会写入文件或启动任务", "writes files or starts a job");
	case STEP_DESTROY:
		return app_say(page->app, "会删除或中断，请先确认", "destroys something: make sure first");
	}
	return NULL;
}

static void print_step(struct page *page, const struct step *step, size_t number)
{
	size_t before = page->output->text.size;
	const char *note = effect_note(page, step);

	output_format(page->output, OUTPUT_PLAIN, "  %zu. ", number);
	output_wrapped(page->output, OUTPUT_PLAIN, STEP_INDENT, page->output->text.size - before,
		       text_in(&step->say, page->lang));
	if (step->file.size) {
		buf_add_repeated(&page->output->text, ' ', STEP_INDENT);
		output_text(page->output, OUTPUT_HEADING, step->file);
		output_text(page->output, OUTPUT_PLAIN, STR("\n"));
		verbatim(page, OUTPUT_COMMAND, COMMAND_INDENT, step->text);
	}
	if (step->run.size) {
		verbatim(page, OUTPUT_COMMAND, COMMAND_INDENT, step->run);
		if (note) {
			buf_add_repeated(&page->output->text, ' ', COMMAND_INDENT);
			output_format(page->output, step->effect == STEP_DESTROY ? OUTPUT_WARN : OUTPUT_DIM,
				      "# %s\n", note);
		}
	}
	if (step->link.size)
		verbatim(page, OUTPUT_COMMAND, COMMAND_INDENT, step->link);
}

/* For what it holds, and what this machine has of that. */
static void print_applies(struct page *page, size_t indent, const struct applies *applies)
{
	struct buf text = {0};
	bool not_here = applies_check(applies, page->facts) == APPLIES_NOT;

	if (!applies_is_limited(applies))
		return;
	buf_add(&text, str_of(app_say(page->app, "适用于 ", "Applies to ")));
	applies_say_condition(applies, page->lang, &text);
	output_wrapped(page->output, OUTPUT_DIM, indent, 0, buf_str(&text));
	buf_clear(&text);
	applies_say_here(applies, page->facts, page->lang, &text);
	if (text.size > 0)
		output_wrapped(page->output, not_here ? OUTPUT_WARN : OUTPUT_OK, indent, 0, buf_str(&text));
	buf_release(&text);
}

static void print_solution(struct page *page, const struct entry *entry, size_t index)
{
	const struct solution *solution = &entry->solutions[index];
	struct str title = text_in(&solution->title, page->lang);
	struct output *output = page->output;

	output_text(output, OUTPUT_PLAIN, STR("\n"));
	output_text(output, OUTPUT_HEADING, str_of(app_say(page->app, "解决方案", "Solution")));
	if (entry->solution_count > 1)
		output_format(output, OUTPUT_HEADING, " %zu", index + 1);
	if (title.size)
		output_format(output, OUTPUT_HEADING, "%s%.*s", app_say(page->app, "：", ": "),
			      STR_ARG(title));
	if (solution->recommended && entry->solution_count > 1)
		output_text(output, OUTPUT_OK, str_of(app_say(page->app, "（推荐）", " (recommended)")));
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	print_applies(page, TEXT_INDENT, &solution->applies);
	for (size_t i = 0; i < solution->step_count; i++)
		print_step(page, &solution->steps[i], i + 1);
}

static void print_samples(struct page *page, const struct entry *entry)
{
	for (size_t i = 0; i < entry->error_count; i++) {
		struct str note = text_in(&entry->errors[i].note, page->lang);

		if (i == 0)
			heading(page, "报错信息", "Error message");
		else
			output_text(page->output, OUTPUT_PLAIN, STR("\n"));
		if (note.size)
			output_wrapped(page->output, OUTPUT_DIM, TEXT_INDENT, 0, note);
		verbatim(page, OUTPUT_PLAIN, COMMAND_INDENT, entry->errors[i].text);
	}
}

static void print_entry(struct page *page, const struct entry *entry)
{
	struct output *output = page->output;

	output_text(output, OUTPUT_ID, entry->id);
	output_text(output, OUTPUT_PLAIN, STR("  "));
	output_text(output, OUTPUT_HEADING, text_in(&entry->title, page->lang));
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	print_applies(page, 0, &entry->applies);
	part(page, "问题描述", "Problem", &entry->problem);
	part(page, "原因", "Cause", &entry->cause);
	part(page, "背景", "Background", &entry->background);
	print_samples(page, entry);
	for (size_t i = 0; i < entry->solution_count; i++)
		print_solution(page, entry, i);
	part(page, "更正", "Correction", &entry->correction);
	if (text_in(&entry->correction, page->lang).size && entry->correction_source.size)
		output_wrapped(output, OUTPUT_DIM, TEXT_INDENT, 0, entry->correction_source);
	part(page, "注意", "Note", &entry->note);
	names(page, "错误码", "Codes", &entry->codes, OUTPUT_CODE);
	entries(page, "另见", "See also", &entry->see);
	heading(page, "来源", "Source");
	output_wrapped(output, OUTPUT_PLAIN, TEXT_INDENT, 0, entry->source);
}

static void show_entry(struct page *page, const struct entry *entry)
{
	struct facts *facts = facts_new();

	machine_facts_for_applies(page->app->kb, entry, facts);
	page->facts = facts;
	print_entry(page, entry);
	page->facts = NULL;
	facts_free(facts);
}

static void print_code(struct page *page, const struct code *code)
{
	struct output *output = page->output;

	output_text(output, OUTPUT_CODE, code->code);
	if (code->name.size)
		output_format(output, OUTPUT_PLAIN, "  %.*s", STR_ARG(code->name));
	output_format(output, OUTPUT_DIM, "  %.*s\n", STR_ARG(code->namespace));
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	output_wrapped(output, OUTPUT_PLAIN, TEXT_INDENT, 0, text_in(&code->means, page->lang));
	if (code->tier >= 3)
		output_wrapped(output, OUTPUT_DIM, TEXT_INDENT, 0,
			       str_of(app_say(page->app, "（含义由标题推断）",
					      "(meaning inferred from the title)")));
	if (code->wrapper)
		output_wrapped(output, OUTPUT_WARN, TEXT_INDENT, 0,
			       str_of(app_say(page->app,
					      "这个码只说明错误在哪里被捕获，不说明原因；请看它前后的报错。",
					      "This code says only where the error was caught, not why: "
					      "read the messages around it.")));
	part(page, "常见原因与处理", "Usual cause and first thing to do", &code->usually);
	names(page, "其他写法", "Also written", &code->aliases, OUTPUT_CODE);
	entries(page, "相关条目", "Entries", &code->entries);
	heading(page, "来源", "Source");
	output_wrapped(output, OUTPUT_PLAIN, TEXT_INDENT, 0, code->source);
}

static void print_reading_parts(struct page *page, const struct code_reading *reading)
{
	for (size_t i = 0; i < reading->count; i++) {
		buf_add_repeated(&page->output->text, ' ', TEXT_INDENT);
		output_text(page->output, OUTPUT_PLAIN, text_in(&reading->parts[i].part->title, page->lang));
		output_text(page->output, OUTPUT_PLAIN, STR(" "));
		output_text(page->output, OUTPUT_CODE, reading->parts[i].value);
		output_text(page->output, OUTPUT_PLAIN, STR("\n"));
		if (reading->parts[i].known)
			output_wrapped(page->output, OUTPUT_PLAIN, 2 * TEXT_INDENT, 0,
				       text_in(&reading->parts[i].known->means, page->lang));
		else
			output_wrapped(page->output, OUTPUT_DIM, 2 * TEXT_INDENT, 0,
				       str_of(app_say(page->app, "公开文档没有说明", "not documented")));
	}
}

/* A code without an entry of its own, by the way it is made. */
static void print_reading(struct page *page, struct str name, const struct code_reading *reading)
{
	output_text(page->output, OUTPUT_CODE, name);
	output_format(page->output, OUTPUT_DIM, "  %.*s\n\n", STR_ARG(reading->family->id));
	output_wrapped(page->output, OUTPUT_PLAIN, TEXT_INDENT, 0,
		       text_in(&reading->family->means, page->lang));
	output_text(page->output, OUTPUT_PLAIN, STR("\n"));
	print_reading_parts(page, reading);
	output_text(page->output, OUTPUT_PLAIN, STR("\n"));
	output_wrapped(page->output, OUTPUT_DIM, TEXT_INDENT, 0,
		       str_of(app_say(page->app, "（这个码没有单独收录，以上由它的构成得出）",
				      "(this code has no record of its own: read by the way it is made)")));
}

static void print_number(struct page *page, struct str name, const struct code *const *layers, size_t count)
{
	output_text(page->output, OUTPUT_CODE, name);
	output_text(page->output, OUTPUT_PLAIN, STR("\n\n"));
	output_wrapped(
		page->output, OUTPUT_PLAIN, TEXT_INDENT, 0,
		str_of(app_say(
			page->app,
			"单独一个数字的含义取决于由哪一层打印，例如 HCCL 调用之后的是 HCCL 的返回码：",
			"What a bare number means depends on the layer that printed it; after an HCCL call "
			"it is HCCL's:")));
	for (size_t i = 0; i < count; i++) {
		output_text(page->output, OUTPUT_PLAIN, STR("\n"));
		print_code(page, layers[i]);
	}
}

/* What can be said of a name that is neither an entry nor a code on record. */
static bool show_reading(struct page *page, struct str name)
{
	const struct code *layers[LAYERS_MOST];
	size_t count = code_by_number(page->app->kb, name, layers, LAYERS_MOST);
	struct code_reading reading;

	if (count)
		print_number(page, name, layers, count < LAYERS_MOST ? count : LAYERS_MOST);
	else if (code_read(page->app->kb, name, &reading))
		print_reading(page, name, &reading);
	else
		return false;
	return true;
}

static json_t *reading_to_json(const struct app *app, struct str name)
{
	const struct code *layers[LAYERS_MOST];
	size_t count = code_by_number(app->kb, name, layers, LAYERS_MOST);
	struct code_reading reading;
	json_t *object = json_object();
	json_t *parts = json_array();

	json_add_str(object, "code", name);
	for (size_t i = 0; i < count && i < LAYERS_MOST; i++)
		json_array_append_new(parts, json_from_code(layers[i]));
	if (count) {
		json_object_set_new(object, "layers", parts);
		return object;
	}
	if (!code_read(app->kb, name, &reading)) {
		json_decref(parts);
		json_decref(object);
		return NULL;
	}
	json_add_str(object, "family", reading.family->id);
	json_add_text(object, "means", &reading.family->means);
	for (size_t i = 0; i < reading.count; i++) {
		json_t *part = json_object();

		json_add_str(part, "part", reading.parts[i].part->group);
		json_add_str(part, "value", reading.parts[i].value);
		if (reading.parts[i].known)
			json_add_text(part, "means", &reading.parts[i].known->means);
		json_array_append_new(parts, part);
	}
	json_object_set_new(object, "parts", parts);
	return object;
}

static void say_unknown(const struct app *app, struct str name)
{
	struct search_index *index = search_index_new(app->kb);
	struct str nearest[SUGGESTIONS];
	size_t count = search_suggest(index, name, nearest, SUGGESTIONS);
	struct buf text = {0};

	for (size_t i = 0; i < count; i++)
		buf_add_format(&text, "%s%.*s", i ? ", " : "", STR_ARG(nearest[i]));
	if (count)
		app_warn(app, "%.*s：没有这个条目或错误码；相近的有 %s",
			 "%.*s: no such entry or code; near: %s", STR_ARG(name), buf_c_string(&text));
	else
		app_warn(app, "%.*s：没有这个条目或错误码；可以试试 ascend-faq search",
			 "%.*s: no such entry or code; try ascend-faq search", STR_ARG(name));
	buf_release(&text);
	search_index_free(index);
}

/* One operand: an entry, a code, or what can be read of one. False: nothing. */
static bool show_one(struct page *page, struct str name, json_t *entries, json_t *codes)
{
	const struct app *app = page->app;
	const struct entry *entry = kb_entry(app->kb, name);
	const struct code *code = entry ? NULL : kb_code(app->kb, name);

	if (app->options.given[OPTION_JSON]) {
		json_t *reading = entry || code ? NULL : reading_to_json(app, name);

		if (entry)
			json_array_append_new(entries, json_from_entry(entry));
		else if (code || reading)
			json_array_append_new(codes, code ? json_from_code(code) : reading);
		return entry || code || reading;
	}
	if (entry)
		show_entry(page, entry);
	else if (code)
		print_code(page, code);
	return entry || code || show_reading(page, name);
}

/* Without an operand: what the last diagnosis found. False: told why not. */
static bool last_diagnosis(const struct app *app, struct buf *names)
{
	bool known = memory_read_diagnosis(names);

	if (!known)
		app_warn(app, "还没有诊断过日志；请先运行 ascend-faq diagnose LOG",
			 "no log was diagnosed yet: run ascend-faq diagnose LOG first");
	else if (names->size == 0)
		app_warn(app, "上一次诊断没有发现已知问题或错误码",
			 "the last diagnosis found no known problem and no code");
	return names->size > 0;
}

static bool show_or_say(struct page *page, struct str name, json_t *entries, json_t *codes)
{
	size_t before = page->output->text.size;

	if (before)
		output_text(page->output, OUTPUT_PLAIN, STR("\n"));
	if (show_one(page, name, entries, codes))
		return true;
	buf_truncate(&page->output->text, before);
	say_unknown(page->app, name);
	return false;
}

int cmd_show(struct app *app)
{
	struct output output;
	struct page page = {app, &output, app->options.lang, NULL};
	json_t *entries = json_array();
	json_t *codes = json_array();
	struct buf last = {0};
	struct str rest, name;
	bool all = true;
	int status;

	app_kb(app);
	output_open(&output, &app->options);
	output.page = true;
	for (size_t i = 0; i < app_operand_count(app); i++)
		all = show_or_say(&page, app_operand(app, i), entries, codes) && all;
	if (app_operand_count(app) == 0)
		all = last_diagnosis(app, &last);
	rest = buf_str(&last);
	while (str_next(&rest, '\n', &name))
		all = (name.size == 0 || show_or_say(&page, name, entries, codes)) && all;
	buf_release(&last);
	status = all ? EXIT_FOUND : EXIT_NOTHING;
	if (app->options.given[OPTION_JSON]) {
		json_t *document = json_document();

		json_object_set_new(document, "entries", entries);
		json_object_set_new(document, "codes", codes);
		buf_release(&output.text);
		return json_print(app, document, status);
	}
	json_decref(entries);
	json_decref(codes);
	return output_close(&output) ? status : EXIT_FAULT;
}

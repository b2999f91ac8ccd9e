/* ascend-faq list: the table of contents. */
#include "app/app.h"
#include "app/json_out.h"

static bool section_asked_for(const struct section *section, struct str name)
{
	return name.size == 0 || str_equal(name, section->id) || str_equal(name, section->number);
}

static void print_section(const struct app *app, struct output *output, const struct section *section)
{
	enum lang lang = app->options.lang;
	const struct kb *kb = app->kb;
	size_t printed = 0;

	output_format(output, OUTPUT_HEADING, "%.*s  %.*s\n", STR_ARG(section->number),
		      STR_ARG(text_in(&section->title, lang)));
	for (size_t i = 0; i < kb->entry_count; i++) {
		const struct entry *entry = kb->entries[i];

		if (!str_equal(entry->section, section->id))
			continue;
		printed++;
		output_format(output, OUTPUT_ID, "  %-5.*s", STR_ARG(entry->id));
		output_format(output, OUTPUT_PLAIN, " %.*s\n", STR_ARG(text_in(&entry->title, lang)));
	}
	if (printed == 0)
		output_format(output, OUTPUT_DIM, "  %.*s\n", STR_ARG(text_in(&section->empty, lang)));
}

static json_t *section_to_json(const struct app *app, const struct section *section)
{
	const struct kb *kb = app->kb;
	json_t *object = json_object();
	json_t *entries = json_array();

	json_add_str(object, "id", section->id);
	json_add_str(object, "number", section->number);
	json_add_str(object, "title", text_in(&section->title, app->options.lang));
	for (size_t i = 0; i < kb->entry_count; i++) {
		if (str_equal(kb->entries[i]->section, section->id))
			json_array_append_new(entries, json_from_entry_line(app, kb->entries[i]));
	}
	json_object_set_new(object, "entries", entries);
	return object;
}

/* For completion: ids and nothing else, one a line. */
static int list_ids(struct app *app)
{
	const struct kb *kb = app_kb(app);
	struct output output;

	output_open(&output, &app->options);
	for (size_t i = 0; i < kb->entry_count; i++) {
		output_text(&output, OUTPUT_PLAIN, kb->entries[i]->id);
		output_text(&output, OUTPUT_PLAIN, STR("\n"));
	}
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

int cmd_list(struct app *app)
{
	const struct kb *kb = app_kb(app);
	struct str name = app_operand_count(app) ? app_operand(app, 0) : STR("");
	bool json = app->options.given[OPTION_JSON];
	json_t *sections = json_array();
	struct output output;
	size_t found = 0;

	if (app->options.given[OPTION_IDS]) {
		json_decref(sections);
		return list_ids(app);
	}
	output_open(&output, &app->options);
	output.page = true;
	for (size_t i = 0; i < kb->section_count; i++) {
		if (!section_asked_for(kb->sections[i], name))
			continue;
		if (json)
			json_array_append_new(sections, section_to_json(app, kb->sections[i]));
		else
			print_section(app, &output, kb->sections[i]);
		found++;
	}
	if (found && json) {
		json_t *document = json_document();

		json_object_set_new(document, "sections", sections);
		buf_release(&output.text);
		return json_print(app, document, EXIT_FOUND);
	}
	json_decref(sections);
	if (!found) {
		buf_release(&output.text);
		app_fault(app, "%.*s：没有这个章节；ascend-faq list 列出全部章节",
			  "%.*s: there is no such section; ascend-faq list shows them all", STR_ARG(name));
		return EXIT_NOTHING;
	}
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

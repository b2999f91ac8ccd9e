/* ascend-faq export: the whole knowledge base as one document. */
#include "app/app.h"
#include "app/embedded.h"
#include "app/json_out.h"
#include "core/export.h"

static struct str embedded_file(const struct embedded *files, const char *name)
{
	while (files->name.size > 0 && !str_equal(files->name, str_of(name)))
		files++;
	return files->text;
}

static json_t *json_from_section(const struct section *section)
{
	json_t *object = json_object();

	json_add_str(object, "id", section->id);
	json_add_str(object, "number", section->number);
	json_add_text(object, "title", &section->title);
	return object;
}

static int export_json(struct app *app, const struct kb *kb)
{
	json_t *document = json_document();
	json_t *sections = json_array();
	json_t *entries = json_array();
	json_t *codes = json_array();

	json_add_text(document, "title", &kb->packs[0]->title);
	json_add_str(document, "version", kb->packs[0]->version);
	for (size_t i = 0; i < kb->section_count; i++)
		json_array_append_new(sections, json_from_section(kb->sections[i]));
	for (size_t i = 0; i < kb->entry_count; i++)
		json_array_append_new(entries, json_from_entry(kb->entries[i]));
	for (size_t i = 0; i < kb->code_count; i++)
		json_array_append_new(codes, json_from_code(kb->codes[i]));
	json_object_set_new(document, "sections", sections);
	json_object_set_new(document, "entries", entries);
	json_object_set_new(document, "codes", codes);
	return json_print(app, document, EXIT_FOUND);
}

int cmd_export(struct app *app)
{
	const struct kb *kb = app_kb(app);
	const char *argument = app->options.argument[OPTION_FORMAT];
	struct str format = argument ? str_of(argument) : STR("markdown");
	enum lang lang = app->options.lang;
	struct buf document = {0};
	struct output output;

	if (app->options.given[OPTION_JSON] || str_equal(format, STR("json")))
		return export_json(app, kb);
	if (str_equal(format, STR("markdown"))) {
		export_markdown(kb, lang, &document);
	} else if (str_equal(format, STR("html"))) {
		export_html(kb, lang, embedded_file(embedded_page, "page.css"),
			    embedded_file(embedded_page, "page.js"), &document);
	} else {
		return app_fault(app, "--format %.*s：应为 markdown、html 或 json",
				 "--format %.*s: must be markdown, html or json", STR_ARG(format));
	}
	output_open(&output, &app->options);
	output_text(&output, OUTPUT_PLAIN, buf_str(&document));
	buf_release(&document);
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

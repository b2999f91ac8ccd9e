#include "app/json_out.h"

#include "app/fleet.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>

json_t *json_from_str(struct str text)
{
	struct buf clean = {0};
	json_t *value = json_stringn(text.data ? text.data : "", text.size);

	if (value)
		return value;
	for (size_t at = 0, size; at < text.size; at += size)
		utf8_add(&clean, utf8_at(text, at, &size));
	value = json_stringn(buf_c_string(&clean), clean.size);
	buf_release(&clean);
	return value ? value : json_null();
}

json_t *json_from_text(const struct text *text)
{
	json_t *object = json_object();

	json_add_str(object, "zh", text->in[LANG_ZH]);
	json_add_str(object, "en", text->in[LANG_EN]);
	return object;
}

json_t *json_from_list(const struct str_list *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->count; i++)
		json_array_append_new(array, json_from_str(list->items[i]));
	return array;
}

void json_add_str(json_t *object, const char *key, struct str text)
{
	if (text.size)
		json_object_set_new(object, key, json_from_str(text));
}

void json_add_text(json_t *object, const char *key, const struct text *text)
{
	if (text->in[LANG_ZH].size || text->in[LANG_EN].size)
		json_object_set_new(object, key, json_from_text(text));
}

json_t *json_document(void)
{
	json_t *document = json_object();

	json_object_set_new(document, "schema", json_integer(1));
	return document;
}

/*
 * The document as it may go to a terminal. jansson escapes what is below U+0020; DEL, C1 and bidirectional
 * controls can stand in strings alone, and are escaped here.
 */
static bool print_safely(struct str text)
{
	size_t plain = 0; /* what waits to be printed starts here */

	for (size_t at = 0, size; at < text.size; at += size) {
		uint32_t character = utf8_at(text, at, &size);

		if (!utf8_is_control(character) || character < 0x20)
			continue;
		fwrite(text.data + plain, 1, at - plain, stdout);
		printf("\\u%04x", character);
		plain = at + size;
	}
	fwrite(text.data + plain, 1, text.size - plain, stdout);
	putchar('\n');
	return fflush(stdout) == 0 && !ferror(stdout);
}

/* Printable ASCII, in one line. */
static bool print_parcels(const struct app *app, const json_t *document)
{
	char *text = json_dumps(document, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(6));
	struct str rest = str_of(text ? text : "null"), part;
	struct buf ascii = {0};

	/* DEL is the one control character that jansson leaves, and it can stand in strings alone. */
	for (bool first = true; str_next(&rest, '\x7f', &part); first = false) {
		if (!first)
			buf_add(&ascii, STR("\\u007f"));
		buf_add(&ascii, part);
	}
	bool good = fleet_parcel_document(app, buf_str(&ascii));
	buf_release(&ascii);
	free(text);
	return good;
}

int json_print(const struct app *app, json_t *document, int status)
{
	if (app->options.given[OPTION_PARCEL]) {
		bool sent = print_parcels(app, document);

		json_decref(document);
		return sent ? status : EXIT_FAULT;
	}
	char *text = json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	bool good = print_safely(str_of(text ? text : "null"));

	free(text);
	json_decref(document);
	if (!good)
		output_tell_lost(app->options.lang);
	return good ? status : EXIT_FAULT;
}

json_t *json_from_code(const struct code *code)
{
	json_t *object = json_object();

	json_add_str(object, "code", code->code);
	json_add_str(object, "namespace", code->namespace);
	json_add_str(object, "name", code->name);
	json_object_set_new(object, "aliases", json_from_list(&code->aliases));
	json_object_set_new(object, "wrapper", json_boolean(code->wrapper));
	json_add_text(object, "means", &code->means);
	json_add_text(object, "usually", &code->usually);
	json_object_set_new(object, "entries", json_from_list(&code->entries));
	json_add_str(object, "source", code->source);
	return object;
}

static json_t *from_samples(const struct sample *samples, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_add_str(object, "text", samples[i].text);
		json_add_text(object, "note", &samples[i].note);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *from_step(const struct step *step)
{
	static const char *const effects[] = {"read", "shell", "write", "destroy"};
	json_t *object = json_object();

	json_add_text(object, "say", &step->say);
	json_add_str(object, "run", step->run);
	if (step->run.size || step->file.size)
		json_object_set_new(object, "effect", json_string(effects[step->effect]));
	json_add_str(object, "file", step->file);
	json_add_str(object, "text", step->text);
	json_add_str(object, "link", step->link);
	json_add_str(object, "verify", step->verify);
	return object;
}

static json_t *from_solution(const struct solution *solution)
{
	json_t *object = json_object();
	json_t *steps = json_array();

	json_add_text(object, "title", &solution->title);
	json_object_set_new(object, "recommended", json_boolean(solution->recommended));
	for (size_t i = 0; i < solution->step_count; i++)
		json_array_append_new(steps, from_step(&solution->steps[i]));
	json_object_set_new(object, "steps", steps);
	return object;
}

json_t *json_from_entry(const struct entry *entry)
{
	static const char *const origins[] = {"faq", "official", "community", "site"};
	json_t *object = json_object();
	json_t *solutions = json_array();

	json_add_str(object, "id", entry->id);
	json_add_str(object, "section", entry->section);
	json_object_set_new(object, "kind",
			    json_string(entry->kind == ENTRY_REFERENCE ? "reference" : "problem"));
	json_add_text(object, "title", &entry->title);
	json_add_text(object, "problem", &entry->problem);
	json_add_text(object, "cause", &entry->cause);
	json_add_text(object, "background", &entry->background);
	json_add_text(object, "note", &entry->note);
	json_add_text(object, "correction", &entry->correction);
	json_add_str(object, "correction-source", entry->correction_source);
	json_object_set_new(object, "origin", json_string(origins[entry->origin]));
	json_add_str(object, "source", entry->source);
	json_object_set_new(object, "errors", from_samples(entry->errors, entry->error_count));
	json_object_set_new(object, "codes", json_from_list(&entry->codes));
	json_object_set_new(object, "probes", json_from_list(&entry->probes));
	for (size_t i = 0; i < entry->solution_count; i++)
		json_array_append_new(solutions, from_solution(&entry->solutions[i]));
	json_object_set_new(object, "solutions", solutions);
	json_object_set_new(object, "see", json_from_list(&entry->see));
	json_add_str(object, "pack", entry->pack);
	return object;
}

json_t *json_from_entry_line(const struct app *app, const struct entry *entry)
{
	json_t *object = json_object();

	json_add_str(object, "id", entry->id);
	json_add_str(object, "section", entry->section);
	json_add_str(object, "title", text_in(&entry->title, app->options.lang));
	json_object_set_new(object, "codes", json_from_list(&entry->codes));
	return object;
}

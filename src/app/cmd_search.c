/* ascend-faq search: entries ranked for words, codes or pasted error text. */
#include "app/app.h"
#include "app/json_out.h"
#include "core/search.h"

enum { SUGGESTIONS = 5 };

static void join_operands(const struct app *app, struct buf *query)
{
	for (size_t i = 0; i < app_operand_count(app); i++) {
		if (i)
			buf_add_byte(query, ' ');
		buf_add(query, app_operand(app, i));
	}
}

static json_t *result_to_json(const struct app *app, const struct search_result *result)
{
	json_t *document = json_document();
	json_t *hits = json_array();
	json_t *codes = json_array();

	for (size_t i = 0; i < result->hits.count; i++) {
		const struct search_hit *hit = &result->hits.items[i];
		json_t *object = json_from_entry_line(app, app->kb->entries[hit->entry]);

		json_object_set_new(object, "exact", json_boolean(hit->exact));
		json_object_set_new(object, "fuzzy", json_boolean(hit->fuzzy));
		json_array_append_new(hits, object);
	}
	for (size_t i = 0; i < result->codes.count; i++)
		json_array_append_new(codes, json_from_code(result->codes.items[i]));
	json_object_set_new(document, "hits", hits);
	json_object_set_new(document, "codes", codes);
	return document;
}

static void print_codes(const struct app *app, struct output *output, const struct search_result *result,
			size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct code *code = result->codes.items[i];

		output_format(output, OUTPUT_CODE, "%.*s", STR_ARG(code->code));
		output_format(output, OUTPUT_PLAIN, "  %.*s\n",
			      STR_ARG(text_in(&code->means, app->options.lang)));
	}
}

static void print_result(const struct app *app, struct output *output, const struct search_result *result)
{
	enum lang lang = app->options.lang;

	print_codes(app, output, result, 0, result->named);
	for (size_t i = 0; i < result->hits.count; i++) {
		const struct entry *entry = app->kb->entries[result->hits.items[i].entry];

		output_format(output, OUTPUT_ID, "%-5.*s", STR_ARG(entry->id));
		output_format(output, OUTPUT_PLAIN, " %.*s\n", STR_ARG(text_in(&entry->title, lang)));
	}
	print_codes(app, output, result, result->named, result->codes.count);
}

static void suggest(const struct app *app, struct search_index *index, struct str query)
{
	struct str nearest[SUGGESTIONS];
	size_t count = search_suggest(index, query, nearest, SUGGESTIONS);
	struct buf text = {0};

	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_add(&text, STR(", "));
		buf_add(&text, nearest[i]);
	}
	if (count)
		app_warn(app, "%.*s：没有找到；相近的有 %s", "%.*s: nothing found; near: %s", STR_ARG(query),
			 buf_c_string(&text));
	else
		app_warn(app, "%.*s：没有找到；请减少词语，或只用报错中的错误码",
			 "%.*s: nothing found; try fewer words, or only the error code", STR_ARG(query));
	buf_release(&text);
}

int cmd_search(struct app *app)
{
	struct search_index *index = search_index_new(app_kb(app));
	struct search_result result = {0};
	struct buf query = {0};
	int status = EXIT_FOUND;

	join_operands(app, &query);
	search_run(index, buf_str(&query), &result);
	if (result.error.size) {
		status = app_fault(app, "%s", "%s", buf_c_string(&result.error));
	} else {
		if (result.limited)
			app_warn(app, "正则表达式在部分条目上超出了限制，结果可能不全",
				 "the pattern hit a limit in some entries; the result may be incomplete");
		status = result.hits.count || result.codes.count ? EXIT_FOUND : EXIT_NOTHING;
		if (app->options.given[OPTION_JSON]) {
			status = json_print(app, result_to_json(app, &result), status);
		} else if (status == EXIT_NOTHING) {
			suggest(app, index, buf_str(&query));
		} else {
			struct output output;

			output_open(&output, &app->options);
			output.page = true;
			print_result(app, &output, &result);
			status = output_close(&output) ? status : EXIT_FAULT;
		}
	}
	search_result_release(&result);
	buf_release(&query);
	search_index_free(index);
	return status;
}

/* ascend-faq compat: which versions go together, and whether those of this machine do. */
#include "app/app.h"
#include "app/json_out.h"
#include "app/probe_run.h"
#include "base/utf8.h"
#include "core/compat.h"
#include "core/version.h"

#include <string.h>

/* Versions: found by the probes, or named on the command line ("cann=9.1.0"). */
struct versions {
	const struct app *app;
	struct arena arena;
	VEC(struct compat_column) columns; /* each value once */
	VEC(struct str) found;             /* beside it; empty: not known */
};

static void note_column(struct versions *versions, const struct compat_column *column)
{
	for (size_t i = 0; i < versions->columns.count; i++)
		if (str_equal(versions->columns.items[i].value, column->value))
			return;
	vec_push(&versions->columns, *column);
	vec_push(&versions->found, STR(""));
}

static void note_columns(struct versions *versions)
{
	const struct kb *kb = versions->app->kb;

	for (size_t i = 0; i < kb->matrix_count; i++)
		for (size_t j = 0; j < kb->matrices[i]->column_count; j++)
			note_column(versions, &kb->matrices[i]->columns[j]);
}

static struct str version_of(void *context, struct str value)
{
	const struct versions *versions = context;

	for (size_t i = 0; i < versions->columns.count; i++)
		if (str_equal(versions->columns.items[i].value, value))
			return versions->found.items[i];
	return STR("");
}

/* ---- From the machine. -------------------------------------------------------------------------------- */

static void take(void *context, const struct probe *probe, uint32_t generation,
		 const struct probe_result *result)
{
	struct versions *versions = context;

	(void)generation;
	for (size_t i = 0; i < versions->columns.count; i++) {
		const struct compat_column *column = &versions->columns.items[i];
		struct str lines = probe_result_value(result, column->value), first = STR("");

		if (str_equal(column->probe, probe->id) && str_next(&lines, '\n', &first))
			versions->found.items[i] = arena_copy(&versions->arena, first);
	}
}

static bool run_probes(struct versions *versions)
{
	const struct kb *kb = versions->app->kb;
	struct loop *loop = loop_new();
	struct probe_runner *runner = probe_runner_new(kb, loop, take, versions);
	bool turning = true;

	for (size_t i = 0; i < versions->columns.count; i++) {
		const struct probe *probe = kb_probe(kb, versions->columns.items[i].probe);
		bool again = false;

		for (size_t j = 0; j < i; j++)
			again |=
				str_equal(versions->columns.items[j].probe, versions->columns.items[i].probe);
		if (probe && !again)
			probe_runner_start(runner, probe, 1);
	}
	while (turning && probe_runner_pending(runner) > 0)
		turning = loop_turn(loop, LOOP_NEVER);
	probe_runner_free(runner);
	loop_free(loop);
	return turning;
}

/* ---- From the command line. --------------------------------------------------------------------------- */

/* torch_npu is torch-npu is TORCH-NPU. */
static bool is_name(struct str typed, struct str name)
{
	if (typed.size != name.size)
		return false;
	for (size_t i = 0; i < typed.size; i++)
		if (!((typed.data[i] == '-' || typed.data[i] == '_') &&
		      (name.data[i] == '-' || name.data[i] == '_')) &&
		    !str_equal_ascii_case(str_slice(typed, i, i + 1), str_slice(name, i, i + 1)))
			return false;
	return true;
}

static int no_such_part(const struct versions *versions, struct str typed)
{
	struct buf names = {0};
	int status;

	for (size_t i = 0; i < versions->columns.count; i++)
		buf_add_format(&names, "%s%.*s", i ? ", " : "", STR_ARG(versions->columns.items[i].probe));
	status = app_fault(versions->app, "%.*s：不认识；写成 名称=版本，名称有：%s",
			   "%.*s: not known; write NAME=VERSION with a NAME of: %s", STR_ARG(typed),
			   buf_c_string(&names));
	buf_release(&names);
	return status;
}

static int take_operand(struct versions *versions, struct str operand)
{
	size_t at = str_find_byte(operand, '=');
	struct str name = str_slice(operand, 0, at), version;

	if (at == STR_NOT_FOUND)
		return no_such_part(versions, operand);
	version = str_slice(operand, at + 1, operand.size);
	if (!version_is_valid(version))
		return app_fault(versions->app, "%.*s：不是版本号，例如 9.1.0、8.3.RC1、2.9.0.post6",
				 "%.*s: not a version such as 9.1.0, 8.3.RC1, 2.9.0.post6", STR_ARG(version));
	for (size_t i = 0; i < versions->columns.count; i++)
		if (is_name(name, versions->columns.items[i].name) ||
		    is_name(name, versions->columns.items[i].probe)) {
			versions->found.items[i] = version;
			return EXIT_FOUND;
		}
	return no_such_part(versions, name);
}

static int gather(struct versions *versions)
{
	size_t count = app_operand_count(versions->app);

	note_columns(versions);
	for (size_t i = 0; i < count; i++) {
		int status = take_operand(versions, app_operand(versions->app, i));

		if (status != EXIT_FOUND)
			return status;
	}
	if (!count && !run_probes(versions))
		return app_fault(versions->app, "检查没有做完：poll 失败",
				 "the probes did not end: poll failed");
	return EXIT_FOUND;
}

/* ---- For people. -------------------------------------------------------------------------------------- */

/* `known`: of how many of its versions that can be told. */
static bool row_fits(const struct compat *compat, const struct compat_use *use, size_t row, size_t *known)
{
	bool fits = true;

	*known = 0;
	for (size_t i = 0; i < use->matrix->column_count; i++) {
		const struct compat_part *part = &compat->parts[use->part[i]];

		*known += part->version.size && part->listed;
		fits = fits && compat_cell_fits(compat, use, row, i);
	}
	return fits;
}

/* "9.1.0" of "9.1.0 || 9.1.*"; "26.0.RC1 (>=25.2 <26.2)" of "26.0.RC1 || >=25.2 <26.2". */
static void add_cell(struct buf *out, struct str cell)
{
	struct str offer = compat_cell_offer(cell);
	struct str rest = str_slice(cell, str_find(cell, STR("||")), cell.size);

	buf_add(out, offer);
	rest = rest.size > 2 ? str_trim(str_slice(rest, 2, rest.size)) : STR("");
	if (rest.size && !str_ends(rest, STR(".*")))
		buf_add_format(out, " (%.*s)", STR_ARG(rest));
}

static void column_widths(const struct compat_matrix *matrix, size_t *widths)
{
	struct buf cell = {0};

	for (size_t j = 0; j < matrix->column_count; j++) {
		widths[j] = utf8_width(matrix->columns[j].name);
		for (size_t i = 0; i < matrix->row_count; i++) {
			buf_clear(&cell);
			add_cell(&cell, matrix->rows[i].cells.items[j]);
			if (utf8_width(buf_str(&cell)) > widths[j])
				widths[j] = utf8_width(buf_str(&cell));
		}
	}
	buf_release(&cell);
}

static void print_cell(struct output *output, enum output_style style, struct str text, size_t width)
{
	size_t used = utf8_width(text);

	output_text(output, style, text);
	buf_add_repeated(&output->text, ' ', (width > used ? width - used : 0) + 2);
}

static void end_line(struct output *output)
{
	while (output->text.size && output->text.data[output->text.size - 1] == ' ')
		output->text.size--;
	buf_add_byte(&output->text, '\n');
}

static void print_row(struct output *output, const struct compat *compat, const struct compat_use *use,
		      size_t row, const size_t *widths)
{
	size_t known_count;
	bool fits = row_fits(compat, use, row, &known_count);
	struct buf cell = {0};

	/* That of all things Python fits says little. */
	if (fits && known_count > 1)
		output_text(output, OUTPUT_OK, str_of(output->ascii ? "+" : "✓"));
	else
		buf_add_byte(&output->text, ' ');
	buf_add_byte(&output->text, ' ');
	for (size_t i = 0; i < use->matrix->column_count; i++) {
		const struct compat_part *part = &compat->parts[use->part[i]];
		bool known = part->version.size && part->listed;
		bool cell_fits = known && compat_cell_fits(compat, use, row, i);

		buf_clear(&cell);
		add_cell(&cell, use->matrix->rows[row].cells.items[i]);
		print_cell(output,
			   cell_fits ? OUTPUT_OK
			   : known   ? OUTPUT_DIM
				     : OUTPUT_PLAIN,
			   buf_str(&cell), widths[i]);
	}
	end_line(output);
	buf_release(&cell);
}

/* The table may simply not go back so far. */
static void print_no_row(const struct app *app, struct output *output, const struct compat *compat,
			 const struct compat_use *use)
{
	output_format(output, OUTPUT_DIM, "  %s", app_say(app, "没有符合的行", "no row fits"));
	for (size_t i = 0; i < use->matrix->column_count; i++) {
		const struct compat_part *part = &compat->parts[use->part[i]];
		struct str from = compat_begins_at(use->matrix, i, part->version);

		if (part->version.size && from.size)
			output_format(
				output, OUTPUT_DIM,
				app_say(app, "：此表从 %.*s %.*s 开始", ": the table begins at %.*s %.*s"),
				STR_ARG(part->column->name), STR_ARG(from));
	}
	output_text(output, OUTPUT_PLAIN, STR("\n"));
}

static void print_matrix(const struct app *app, struct output *output, const struct compat *compat,
			 const struct compat_use *use)
{
	const struct compat_matrix *matrix = use->matrix;
	size_t widths[COMPAT_PARTS_MAX], printed = 0, known;
	bool query = app_operand_count(app) > 0;

	column_widths(matrix, widths);
	output_format(output, OUTPUT_HEADING, "\n%.*s\n",
		      STR_ARG(text_in(&matrix->title, app->options.lang)));
	output_text(output, OUTPUT_PLAIN, STR("  "));
	for (size_t i = 0; i < matrix->column_count; i++)
		print_cell(output, OUTPUT_DIM, matrix->columns[i].name, widths[i]);
	end_line(output);
	for (size_t i = 0; i < matrix->row_count; i++) {
		/* A question is answered by the rows that fit all of it. */
		if (query && !row_fits(compat, use, i, &known))
			continue;
		print_row(output, compat, use, i, widths);
		printed++;
	}
	if (!printed)
		print_no_row(app, output, compat, use);
	output_format(output, OUTPUT_DIM, "  %s%.*s\n", app_say(app, "来源：", "source: "),
		      STR_ARG(matrix->source));
}

static void print_versions(const struct app *app, struct output *output, const struct compat *compat)
{
	size_t widest = 0;

	output_format(output, OUTPUT_HEADING, "%s\n",
		      app_operand_count(app) ? app_say(app, "所问的版本", "The versions in question")
					     : app_say(app, "本机的版本", "The versions of this machine"));
	for (size_t i = 0; i < compat->part_count; i++)
		if (utf8_width(compat->parts[i].column->name) > widest)
			widest = utf8_width(compat->parts[i].column->name);
	for (size_t i = 0; i < compat->part_count; i++) {
		const struct compat_part *part = &compat->parts[i];

		if (!part->version.size && app_operand_count(app))
			continue;
		output_text(output, OUTPUT_PLAIN, STR("  "));
		print_cell(output, OUTPUT_PLAIN, part->column->name, widest);
		if (!part->version.size)
			output_text(output, OUTPUT_DIM, str_of(app_say(app, "没有找到", "not found")));
		else
			output_text(output, part->wanted.size ? OUTPUT_WARN : OUTPUT_PLAIN, part->version);
		if (part->wanted.size) {
			output_format(output, OUTPUT_DIM, " %s ", output->ascii ? "->" : "→");
			output_text(output, OUTPUT_OK, part->wanted);
		} else if (part->version.size && !part->listed) {
			output_format(output, OUTPUT_DIM, "  %s",
				      app_say(app, "（表中没有）", "(in no table)"));
		}
		buf_add_byte(&output->text, '\n');
	}
}

static void print_verdict(const struct app *app, struct output *output, const struct compat *compat)
{
	static const struct {
		enum output_style style;
		const char *mark, *ascii, *zh, *en;
	} verdicts[] = {
		[COMPAT_UNKNOWN] = {OUTPUT_DIM, "–", "-", "没有一张表同时有其中的两个版本，下面是配套关系",
				    "No table has two of them to compare; below is what goes together"},
		[COMPAT_FITS] = {OUTPUT_OK, "✓", "+", "互相配套", "They go together"},
		[COMPAT_UNLISTED] = {OUTPUT_WARN, "?", "?", "有的版本不在表中，其余没有矛盾",
				     "Some version is in no table; the rest does not contradict"},
		[COMPAT_MISFIT] = {OUTPUT_FAIL, "✗", "x", "互不配套；箭头后面是改动最少的配套版本",
				   "They do not go together; behind the arrow is the nearest set that does"},
	};
	const char *zh = verdicts[compat->state].zh, *en = verdicts[compat->state].en;

	if (compat->state == COMPAT_MISFIT && !compat->found) {
		zh = "互不配套，表中也没有接近的一组";
		en = "They do not go together, and the tables have no set that does";
	}
	output_format(output, verdicts[compat->state].style, "%s ",
		      output->ascii ? verdicts[compat->state].ascii : verdicts[compat->state].mark);
	output_format(output, OUTPUT_PLAIN, "%s\n", app_say(app, zh, en));
}

static bool print_text(const struct app *app, const struct compat *compat)
{
	struct output output;

	output_open(&output, &app->options);
	output.page = true;
	print_versions(app, &output, compat);
	print_verdict(app, &output, compat);
	for (size_t i = 0; i < compat->use_count; i++)
		print_matrix(app, &output, compat, &compat->uses[i]);
	return output_close(&output);
}

/* ---- For programs. ------------------------------------------------------------------------------------ */

static json_t *matrix_to_json(const struct app *app, const struct compat *compat,
			      const struct compat_use *use)
{
	const struct compat_matrix *matrix = use->matrix;
	json_t *object = json_object(), *columns = json_array(), *rows = json_array();

	json_add_str(object, "id", matrix->id);
	json_add_str(object, "title", text_in(&matrix->title, app->options.lang));
	for (size_t i = 0; i < matrix->column_count; i++)
		json_array_append_new(columns, json_from_str(matrix->columns[i].name));
	for (size_t i = 0; i < matrix->row_count; i++) {
		json_t *row = json_object(), *cells = json_array();
		size_t known;
		bool fits = row_fits(compat, use, i, &known);

		for (size_t j = 0; j < matrix->column_count; j++)
			json_array_append_new(cells, json_from_str(matrix->rows[i].cells.items[j]));
		json_object_set_new(row, "cells", cells);
		json_object_set_new(row, "fits", json_boolean(fits && known > 0));
		json_array_append_new(rows, row);
	}
	json_object_set_new(object, "columns", columns);
	json_object_set_new(object, "rows", rows);
	json_add_str(object, "source", matrix->source);
	return object;
}

static int print_json(const struct app *app, const struct compat *compat, int status)
{
	static const char *const states[] = {"unknown", "fits", "unlisted", "misfit"};
	json_t *document = json_document(), *parts = json_array(), *matrices = json_array();

	json_object_set_new(document, "state", json_string(states[compat->state]));
	for (size_t i = 0; i < compat->part_count; i++) {
		const struct compat_part *part = &compat->parts[i];
		json_t *object = json_object();

		json_add_str(object, "name", part->column->name);
		json_object_set_new(object, "version",
				    part->version.size ? json_from_str(part->version) : json_null());
		json_object_set_new(object, "listed", json_boolean(part->version.size && part->listed));
		json_object_set_new(object, "nearest",
				    part->wanted.size ? json_from_str(part->wanted) : json_null());
		json_array_append_new(parts, object);
	}
	for (size_t i = 0; i < compat->use_count; i++)
		json_array_append_new(matrices, matrix_to_json(app, compat, &compat->uses[i]));
	json_object_set_new(document, "versions", parts);
	json_object_set_new(document, "matrices", matrices);
	return json_print(app, document, status);
}

int cmd_compat(struct app *app)
{
	struct versions versions = {.app = app};
	struct compat compat;
	int status;

	app_kb(app);
	status = gather(&versions);
	if (status == EXIT_FOUND) {
		compat_check(app->kb->matrices, app->kb->matrix_count, version_of, &versions,
			     app_operand_count(app) > 0, &compat);
		status = compat.state == COMPAT_MISFIT ? EXIT_NOTHING : EXIT_FOUND;
		if (app->options.given[OPTION_JSON])
			status = print_json(app, &compat, status);
		else if (!print_text(app, &compat))
			status = EXIT_FAULT;
	}
	vec_release(&versions.columns);
	vec_release(&versions.found);
	arena_release(&versions.arena);
	return status;
}

/* ascend-faq report: what is known of a problem, without private data, for those who may solve it. */
#include "core/history.h"
#include "core/report.h"

#include "app/input.h"
#include "app/json_out.h"
#include "app/log_lines.h"
#include "app/memory.h"
#include "app/probe_run.h"
#include "app/redaction.h"
#include "plat/fs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TRIED_SINCE_S = 24 * 60 * 60, TRIED_ENTRIES = 5 };

struct reporting {
	struct app *app;
	struct input_files files;
	struct scanner *scanner;
	struct diagnose *diagnose;
	struct probe_result *results; /* one for each probe of the kb */
	VEC(struct report_probe) probes;
	struct buf log; /* the part of the log around the first error */
	struct buf scale[REPORT_SCALE_COUNT];
	struct buf tried;
	struct report_input input;
};

/* Probes */

static void take(void *context, const struct probe *probe, uint32_t generation,
		 const struct probe_result *result)
{
	struct reporting *reporting = context;

	(void)generation;
	for (size_t i = 0; i < reporting->probes.count; i++) {
		if (reporting->probes.items[i].probe == probe)
			probe_result_copy(&reporting->results[i], result);
	}
}

static void run_probes(struct reporting *reporting)
{
	const struct kb *kb = app_kb(reporting->app);
	struct loop *loop = loop_new();
	struct probe_runner *runner = probe_runner_new(kb, loop, take, reporting);

	reporting->results = alloc_zeroed(kb->probe_count + 1, sizeof(*reporting->results));
	for (size_t i = 0; i < kb->probe_count; i++)
		vec_push(&reporting->probes, (struct report_probe){kb->probes[i], &reporting->results[i]});
	for (size_t i = 0; i < kb->probe_count; i++)
		probe_runner_start(runner, kb->probes[i], 1);
	while (probe_runner_pending(runner) > 0 && loop_turn(loop, LOOP_NEVER))
		;
	probe_runner_free(runner);
	loop_free(loop);
	reporting->input.probes = reporting->probes.items;
	reporting->input.probe_count = reporting->probes.count;
}

/* Logs */

static void tell_fault(void *context, struct str message)
{
	app_warn(context, "%.*s", "%.*s", STR_ARG(message));
}

/* From its beginning, where jobs say how large they are, and from what is around the error. */
static void read_scale(struct reporting *reporting, const char *path, uint64_t offset)
{
	struct buf near = {0};
	size_t unused;

	if (offset > LOG_LINES_BEFORE)
		log_lines_read(path, 0, &near, &unused);
	buf_add(&near, buf_str(&reporting->log));
	for (int i = 0; i < REPORT_SCALE_COUNT; i++) {
		report_find_scale(buf_str(&near), (enum report_scale)i, &reporting->scale[i]);
		reporting->input.scale[i] = buf_str(&reporting->scale[i]);
	}
	buf_release(&near);
}

static void read_around(struct reporting *reporting)
{
	const struct diagnosis *diagnosis = reporting->input.diagnosis;
	const struct evidence *first = report_first_evidence(diagnosis);
	size_t before = 0;
	struct str path;

	if (!first || first->input >= diagnosis->input_count)
		return;
	path = diagnosis->inputs[first->input].name;
	for (size_t i = 0; i < reporting->files.list.count; i++) {
		struct str file = reporting->files.list.items[i].path;

		if (!str_equal(file, path) || str_equal(file, STR("-")) ||
		    !log_lines_read(file.data, first->offset, &reporting->log, &before))
			continue;
		read_scale(reporting, file.data, first->offset);
		reporting->input.around = report_lines_around(buf_str(&reporting->log), before);
		return;
	}
}

static int read_logs(struct reporting *reporting)
{
	struct app *app = reporting->app;
	struct input_options options = {0};
	struct buf error = {0};
	int status = EXIT_FOUND;

	if (app->options.given[OPTION_PLOG] && !input_add_plog(&reporting->files, &error))
		status = app_fault(app, "%s", "%s", buf_c_string(&error));
	for (size_t i = 0; i < app_operand_count(app); i++) {
		buf_clear(&error);
		if (!input_add(&reporting->files, app_operand(app, i), tell_fault, app, &error))
			status = app_fault(app, "%s", "%s", buf_c_string(&error));
	}
	if (!reporting->files.list.count) {
		buf_release(&error);
		return status;
	}
	reporting->scanner = scanner_new(app_kb(app));
	reporting->diagnose = diagnose_new(reporting->scanner);
	for (size_t i = 0; i < reporting->files.list.count; i++) {
		buf_clear(&error);
		if (!input_read(&reporting->files.list.items[i], reporting->scanner, reporting->diagnose,
				&options, &error))
			status = app_fault(app, "%s", "%s", buf_c_string(&error));
	}
	buf_release(&error);
	reporting->input.diagnosis = diagnose_finish(reporting->diagnose);
	read_around(reporting);
	return status;
}

/* What was done in the last day, and before for what the log shows. */
static void read_tried(struct reporting *reporting)
{
	const struct diagnosis *diagnosis = reporting->input.diagnosis;
	struct str entries[TRIED_ENTRIES];
	struct history_log log = {0};
	struct buf text = {0};
	time_t now = time(NULL);
	size_t count = 0;

	for (; diagnosis && count < diagnosis->match_count && count < TRIED_ENTRIES; count++)
		entries[count] = diagnosis->matches[count].entry->id;
	memory_read_history(&text);
	history_read(&log, buf_str(&text));
	history_add_tried(&log, now > TRIED_SINCE_S ? (uint64_t)now - TRIED_SINCE_S : 0, entries, count,
			  memory_zone_s(), reporting->app->options.lang, &reporting->tried);
	reporting->input.tried = buf_str(&reporting->tried);
	history_release(&log);
	buf_release(&text);
}

/* Output */

static void tell_missing(const struct app *app, const struct report *report)
{
	struct buf names = {0};

	for (size_t i = 0; i < report->missing.count; i++)
		buf_add_format(&names, "%s%.*s", i ? ", " : "", STR_ARG(report->missing.items[i]));
	if (names.size)
		app_warn(
			app, "还缺：%s；可用 --command、--shape、--dtype、--expected 补上，或在文中填写",
			"still missing: %s; --command, --shape, --dtype and --expected add it, or fill it in",
			buf_c_string(&names));
	app_warn(app, "没有工具能找出一切隐私信息：发出之前请自己再读一遍",
		 "no tool finds everything that is private: read the report before you send it");
	buf_release(&names);
}

static json_t *to_json(const struct reporting *reporting, const struct report_template *template,
		       const struct report *report, struct redact *redact, struct str text)
{
	json_t *document = json_document(), *fields = json_object(), *missing = json_array(),
	       *hidden = json_array();
	struct buf field = {0}, clean = {0};

	json_object_set_new(document, "template", json_from_str(template->id));
	for (size_t i = 0; report_fields[i]; i++) {
		buf_clear(&field);
		buf_clear(&clean);
		report_add_field(&reporting->input, str_of(report_fields[i]), &field);
		redact_text(redact, buf_str(&field), &clean, NULL);
		json_object_set_new(fields, report_fields[i], json_from_str(buf_str(&clean)));
	}
	for (size_t i = 0; i < report->missing.count; i++)
		json_array_append_new(missing, json_from_str(report->missing.items[i]));
	for (size_t i = 0; i < redact_name_count(redact); i++)
		json_array_append_new(hidden, json_from_str(redact_name_at(redact, i)->name));
	json_object_set_new(document, "fields", fields);
	json_object_set_new(document, "missing", missing);
	json_object_set_new(document, "hidden", hidden);
	json_object_set_new(document, "text", json_from_str(text));
	buf_release(&field);
	buf_release(&clean);
	return document;
}

static int write_report(const struct app *app, struct str text)
{
	const char *path = app->options.argument[OPTION_OUTPUT];
	struct output output;
	struct buf error = {0};
	int status = EXIT_FOUND;

	if (path && strcmp(path, "-") != 0) {
		if (!fs_create_file(path, text, &error))
			status = app_fault(app, "%s；不覆盖已有的文件",
					   "%s; a file that is there is not overwritten",
					   buf_c_string(&error));
		buf_release(&error);
		return status;
	}
	output_open(&output, &app->options);
	output_text(&output, OUTPUT_PLAIN, text);
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

static int make(struct reporting *reporting, const struct report_template *template, struct redact *redact)
{
	struct app *app = reporting->app;
	const char *path = app->options.argument[OPTION_OUTPUT];
	struct report report = {0};
	struct buf text = {0};
	int status;

	report_write(template, &reporting->input, &report);
	redact_text(redact, buf_str(&report.text), &text, NULL);
	if (app->options.given[OPTION_JSON])
		status = json_print(app, to_json(reporting, template, &report, redact, buf_str(&text)),
				    EXIT_FOUND);
	else
		status = write_report(app, buf_str(&text));
	tell_missing(app, &report);
	if (app->options.given[OPTION_EXPLAIN])
		redaction_explain(app, redact);
	if (app->options.given[OPTION_MAP] &&
	    !redaction_write_map(app, redact, app->options.argument[OPTION_MAP], path))
		status = EXIT_FAULT;
	report_release(&report);
	buf_release(&text);
	return status;
}

int cmd_report(struct app *app)
{
	static const enum option_id answers[REPORT_ANSWER_COUNT] = {
		[REPORT_COMMAND] = OPTION_COMMAND,
		[REPORT_SHAPE] = OPTION_SHAPE,
		[REPORT_DTYPE] = OPTION_DTYPE,
		[REPORT_EXPECTED] = OPTION_EXPECTED,
	};
	const char *id =
		app->options.given[OPTION_TEMPLATE] ? app->options.argument[OPTION_TEMPLATE] : "general";
	const struct kb *kb = app_kb(app);
	const struct report_template *template = report_template(kb, str_of(id));
	struct reporting reporting = {.app = app, .input = {.kb = kb, .lang = app->options.lang}};
	struct redact *redact;
	int status, written;

	if (!template)
		return app_fault(app, "--template %s：没有这个模板",
				 "--template %s: there is no such template", id);
	redact = redaction_new(app);
	if (!redact)
		return EXIT_FAULT;
	for (size_t i = 0; i < REPORT_ANSWER_COUNT; i++)
		reporting.input.answers[i] = str_of(app->options.argument[answers[i]]);
	status = read_logs(&reporting);
	read_tried(&reporting);
	if (!app->options.given[OPTION_NO_PROBE])
		run_probes(&reporting);
	written = make(&reporting, template, redact);
	for (size_t i = 0; i < reporting.probes.count; i++)
		probe_result_release(&reporting.results[i]);
	free(reporting.results);
	vec_release(&reporting.probes);
	buf_release(&reporting.log);
	for (size_t i = 0; i < REPORT_SCALE_COUNT; i++)
		buf_release(&reporting.scale[i]);
	buf_release(&reporting.tried);
	diagnose_free(reporting.diagnose);
	scanner_free(reporting.scanner);
	input_files_release(&reporting.files);
	redact_free(redact);
	return status == EXIT_FOUND ? written : status;
}

/* ascend-faq history: what was looked at, copied, checked and done. */
#include "app/app.h"
#include "app/json_out.h"
#include "app/memory.h"
#include "core/history.h"
#include "core/probe.h"

static json_t *event_to_json(const struct history_event *event)
{
	json_t *object = json_object();
	struct buf time = {0};

	history_add_time(event->when_s, 0, &time);
	time.data[10] = 'T';
	buf_add_byte(&time, 'Z');
	json_add_str(object, "time", buf_str(&time));
	json_add_str(object, "kind", history_kind_name(event->kind));
	json_add_str(object, "entry", event->entry);
	if (event->kind == HISTORY_CHECKED)
		json_add_str(object, "result", probe_state_name(event->result));
	json_add_str(object, "text", event->text);
	buf_release(&time);
	return object;
}

static void print_event(const struct app *app, struct output *output, const struct history_event *event)
{
	static const enum output_style results[] = {
		[PROBE_UNKNOWN] = OUTPUT_WARN, [PROBE_OK] = OUTPUT_OK,      [PROBE_WARN] = OUTPUT_WARN,
		[PROBE_FAIL] = OUTPUT_FAIL,    [PROBE_ABSENT] = OUTPUT_DIM, [PROBE_UNTRUSTED] = OUTPUT_WARN,
	};
	struct buf time = {0};
	struct str rest = event->text, line;

	history_add_time(event->when_s, memory_zone_s(), &time);
	output_text(output, OUTPUT_DIM, buf_str(&time));
	output_text(output, OUTPUT_PLAIN, STR("  "));
	output_text(output, OUTPUT_ID, event->entry);
	output_text(output, OUTPUT_PLAIN, STR("  "));
	output_text(output, OUTPUT_PLAIN, history_kind_text(event->kind, app->options.lang));
	if (event->kind == HISTORY_CHECKED) {
		output_text(output, OUTPUT_PLAIN, STR(" "));
		output_text(output, results[event->result], probe_state_name(event->result));
	}
	for (bool first = true; str_next(&rest, '\n', &line); first = false) {
		output_text(output, OUTPUT_PLAIN, first ? STR("  ") : STR(" ⏎ "));
		output_text(output, OUTPUT_PLAIN, line);
	}
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	buf_release(&time);
}

static int print_log(struct app *app, const struct history_log *log, struct str entry)
{
	struct output output;
	json_t *events = json_array();
	size_t count = 0;

	output_open(&output, &app->options);
	output.page = true;
	for (size_t i = 0; i < log->list.count; i++) {
		const struct history_event *event = &log->list.items[i];

		if (entry.size > 0 && !str_equal(entry, event->entry))
			continue;
		count++;
		if (app->options.given[OPTION_JSON])
			json_array_append_new(events, event_to_json(event));
		else
			print_event(app, &output, event);
	}
	if (app->options.given[OPTION_JSON]) {
		json_t *document = json_document();

		json_object_set_new(document, "on", json_boolean(memory_history_is_on()));
		json_object_set_new(document, "events", events);
		buf_release(&output.text);
		return json_print(app, document, count ? EXIT_FOUND : EXIT_NOTHING);
	}
	json_decref(events);
	if (count == 0)
		app_warn(app, memory_history_is_on() ? "还没有记录" : "历史已关闭；history --on 重新打开",
			 memory_history_is_on() ? "nothing yet"
						: "the history is switched off; history --on switches it on");
	return output_close(&output) ? (count ? EXIT_FOUND : EXIT_NOTHING) : EXIT_FAULT;
}

int cmd_history(struct app *app)
{
	const struct options *options = &app->options;
	struct history_log log = {0};
	struct buf text = {0}, error = {0};
	int status = EXIT_FOUND;

	if (options->given[OPTION_CLEAR] && !memory_clear(&error))
		status = EXIT_FAULT;
	if ((options->given[OPTION_OFF] || options->given[OPTION_ON]) &&
	    !memory_switch_history(options->given[OPTION_ON], &error))
		status = EXIT_FAULT;
	if (error.size > 0)
		app_fault(app, "%s", "%s", buf_c_string(&error));
	if (!options->given[OPTION_CLEAR] && !options->given[OPTION_OFF] && !options->given[OPTION_ON]) {
		memory_read_history(&text);
		history_read(&log, buf_str(&text));
		status = print_log(app, &log, app_operand_count(app) ? app_operand(app, 0) : (struct str){0});
	}
	history_release(&log);
	buf_release(&text);
	buf_release(&error);
	return status;
}

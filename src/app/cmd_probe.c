/* ascend-faq probe: what this machine has, as a table or as JSON. */
#include "app/app.h"
#include "app/fleet.h"
#include "app/json_out.h"
#include "app/probe_run.h"
#include "base/distance.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct answer {
	const struct probe *probe;
	struct probe_result result;
};

struct answers {
	VEC(struct answer) list; /* in the order that is printed */
};

/* How a state looks; never by colour alone. */
static const struct {
	const char *mark, *ascii;
	enum output_style style;
	const char *zh, *en; /* for the sum */
} looks[] = {
	[PROBE_UNKNOWN] = {"?", "?", OUTPUT_WARN, "未知", "unknown"},
	[PROBE_OK] = {"✓", "+", OUTPUT_OK, "正常", "ok"},
	[PROBE_WARN] = {"!", "!", OUTPUT_WARN, "注意", "warn"},
	[PROBE_FAIL] = {"✗", "x", OUTPUT_FAIL, "异常", "fail"},
	[PROBE_ABSENT] = {"–", "-", OUTPUT_DIM, "不适用", "absent"},
	[PROBE_UNTRUSTED] = {"?", "?", OUTPUT_WARN, "不受信任", "untrusted"},
};

static void take(void *context, const struct probe *probe, uint32_t generation,
		 const struct probe_result *result)
{
	struct answers *answers = context;
	(void)generation;
	for (size_t i = 0; i < answers->list.count; i++)
		if (answers->list.items[i].probe == probe)
			probe_result_copy(&answers->list.items[i].result, result);
}

static bool run_all(struct app *app, struct answers *answers)
{
	struct loop *loop = loop_new();
	struct probe_runner *runner = probe_runner_new(app->kb, loop, take, answers);
	for (size_t i = 0; i < answers->list.count; i++)
		probe_runner_start(runner, answers->list.items[i].probe, 1);
	bool turning = true;
	while (turning && probe_runner_pending(runner) > 0)
		turning = loop_turn(loop, LOOP_NEVER);
	probe_runner_free(runner);
	loop_free(loop);
	return turning;
}

/* ---- Which probes. ------------------------------------------------------------------------------------- */

static int no_such_probe(const struct app *app, struct str id)
{
	const struct probe *nearest = NULL;
	/* A third of the letters may be wrong, and one more. */
	size_t least = id.size / 3 + 2 < 4 ? id.size / 3 + 2 : 4;
	for (size_t i = 0; i < app->kb->probe_count; i++) {
		size_t distance = distance_bytes(id, app->kb->probes[i]->id, least);
		if (distance < least) {
			least = distance;
			nearest = app->kb->probes[i];
		}
	}
	if (nearest)
		return app_fault(app, "%.*s：没有这个检查；是不是 %.*s？",
				 "%.*s: there is no such probe; did you mean %.*s?", STR_ARG(id),
				 STR_ARG(nearest->id));
	return app_fault(app, "%.*s：没有这个检查；ascend-faq probe --json 列出全部编号",
			 "%.*s: there is no such probe; ascend-faq probe --json shows all of their ids",
			 STR_ARG(id));
}

static int choose(struct app *app, struct answers *answers)
{
	size_t count = app_operand_count(app);
	for (size_t i = 0; count == 0 && i < app->kb->probe_count; i++)
		vec_push(&answers->list, (struct answer){.probe = app->kb->probes[i]});
	for (size_t i = 0; i < count; i++) {
		const struct probe *probe = kb_probe(app->kb, app_operand(app, i));
		bool again = false;
		if (!probe)
			return no_such_probe(app, app_operand(app, i));
		for (size_t j = 0; j < answers->list.count; j++)
			again |= answers->list.items[j].probe == probe;
		if (!again)
			vec_push(&answers->list, (struct answer){.probe = probe});
	}
	return EXIT_FOUND;
}

/* ---- For people. --------------------------------------------------------------------------------------- */

static void add_joined(struct buf *out, struct str lines)
{
	struct str line;
	for (size_t i = 0; str_next(&lines, '\n', &line); i++) {
		if (i > 0)
			buf_add(out, STR(", "));
		buf_add(out, line);
	}
}

static void print_values(const struct answer *answer, struct output *output, size_t indent)
{
	for (size_t i = 0; i < answer->result.value_count; i++) {
		const struct probe_value *value = &answer->result.values[i];
		struct buf text = {0};
		buf_add_format(&text, "%.*s = ", STR_ARG(value->name));
		add_joined(&text, value->value);
		buf_add_repeated(&output->text, ' ', indent);
		output_wrapped(output, OUTPUT_DIM, indent + 2, indent, buf_str(&text));
		buf_release(&text);
	}
}

static void print_answer(const struct app *app, const struct answer *answer, struct output *output,
			 size_t widest)
{
	const struct probe_result *result = &answer->result;
	enum lang lang = app->options.lang;
	struct str title = text_in(&answer->probe->title, lang);
	bool asked_for = app_operand_count(app) > 0;
	bool wrong = result->state != PROBE_OK && result->state != PROBE_ABSENT;
	struct buf detail = {0};

	output_text(output, looks[result->state].style,
		    str_of(output->ascii ? looks[result->state].ascii : looks[result->state].mark));
	buf_add_byte(&output->text, ' ');
	output_text(output, wrong ? OUTPUT_HEADING : OUTPUT_PLAIN, title);
	buf_add_repeated(&output->text, ' ', widest - utf8_width(title));
	output_format(output, OUTPUT_DIM, " %5u ms  ", result->ms);
	size_t indent = 2 + widest + 11;
	buf_add(&detail, text_in(&result->detail, lang));
	if (result->entry.size > 0)
		buf_add_format(&detail, " %s %.*s", output->ascii ? "->" : "→", STR_ARG(result->entry));
	output_wrapped(output,
		       wrong                           ? OUTPUT_PLAIN
		       : result->state == PROBE_ABSENT ? OUTPUT_DIM
						       : OUTPUT_PLAIN,
		       indent, indent, buf_str(&detail));
	if ((wrong || asked_for) && result->source.size > 0) {
		buf_clear(&detail);
		buf_add_format(&detail, "%s%.*s", app_say(app, "依据：", "read: "), STR_ARG(result->source));
		buf_add_repeated(&output->text, ' ', indent);
		output_wrapped(output, OUTPUT_DIM, indent, indent, buf_str(&detail));
	}
	if (asked_for)
		print_values(answer, output, indent);
	buf_release(&detail);
}

static void print_sum(const struct app *app, const struct answers *answers, struct output *output)
{
	static const enum probe_state order[] = {PROBE_OK,      PROBE_WARN,   PROBE_FAIL,
						 PROBE_UNKNOWN, PROBE_ABSENT, PROBE_UNTRUSTED};
	bool first = true;
	buf_add_byte(&output->text, '\n');
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		size_t count = 0;
		for (size_t j = 0; j < answers->list.count; j++)
			count += answers->list.items[j].result.state == order[i];
		if (count == 0)
			continue;
		if (!first)
			output_text(output, OUTPUT_DIM, output->ascii ? STR(", ") : STR(" · "));
		output_format(output, looks[order[i]].style, "%zu %s", count,
			      app_say(app, looks[order[i]].zh, looks[order[i]].en));
		first = false;
	}
	buf_add_byte(&output->text, '\n');
}

static bool print_table(const struct app *app, const struct answers *answers)
{
	struct output output;
	size_t widest = 0;
	output_open(&output, &app->options);
	output.page = true;
	/* A program that reads lines wants a probe on one of them. */
	if (!output.terminal)
		output.width = SIZE_MAX;
	for (size_t i = 0; i < answers->list.count; i++) {
		size_t width = utf8_width(text_in(&answers->list.items[i].probe->title, app->options.lang));
		widest = width > widest ? width : widest;
	}
	for (size_t i = 0; i < answers->list.count; i++)
		print_answer(app, &answers->list.items[i], &output, widest);
	if (answers->list.count > 1)
		print_sum(app, answers, &output);
	return output_close(&output);
}

/* ---- For programs. ------------------------------------------------------------------------------------- */

static json_t *answer_to_json(const struct app *app, const struct answer *answer)
{
	const struct probe_result *result = &answer->result;
	json_t *object = json_object(), *values = json_object();
	json_object_set_new(object, "id", json_from_str(answer->probe->id));
	json_object_set_new(object, "title",
			    json_from_str(text_in(&answer->probe->title, app->options.lang)));
	json_object_set_new(object, "state", json_from_str(probe_state_name(result->state)));
	for (size_t i = 0; i < result->value_count; i++) {
		struct buf name = {0}, joined = {0};
		buf_add(&name, result->values[i].name);
		add_joined(&joined, result->values[i].value);
		json_object_set_new(values, buf_c_string(&name), json_from_str(buf_str(&joined)));
		buf_release(&name);
		buf_release(&joined);
	}
	json_object_set_new(object, "values", values);
	json_object_set_new(object, "detail", json_from_str(text_in(&result->detail, app->options.lang)));
	json_object_set_new(object, "entry", result->entry.size ? json_from_str(result->entry) : json_null());
	json_object_set_new(object, "read", json_from_str(result->source));
	json_object_set_new(object, "ms", json_integer(result->ms));
	return object;
}

static int print_json(const struct app *app, const struct answers *answers, int status)
{
	json_t *document = json_document(), *list = json_array();
	char host[256] = "", stamp[64] = "";
	time_t now = time(NULL);
	struct tm parts;
	if (gethostname(host, sizeof(host) - 1) != 0)
		host[0] = 0;
	if (gmtime_r(&now, &parts))
		strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &parts);
	json_object_set_new(document, "host", json_from_str(str_of(host)));
	json_object_set_new(document, "time", json_from_str(str_of(stamp)));
	for (size_t i = 0; i < answers->list.count; i++)
		json_array_append_new(list, answer_to_json(app, &answers->list.items[i]));
	json_object_set_new(document, "probes", list);
	return json_print(app, document, status);
}

/* All well; something is wrong; nothing wrong was seen but something could not be told. */
static int status_of(const struct answers *answers)
{
	int status = EXIT_FOUND;
	for (size_t i = 0; i < answers->list.count; i++) {
		enum probe_state state = answers->list.items[i].result.state;
		if (state == PROBE_FAIL || state == PROBE_WARN)
			return EXIT_NOTHING;
		if (state == PROBE_UNKNOWN || state == PROBE_UNTRUSTED)
			status = EXIT_FAULT;
	}
	return status;
}

int cmd_probe(struct app *app)
{
	struct answers answers = {0};
	app_kb(app);
	fleet_parcel_hello(app);
	int status = choose(app, &answers);
	if (status == EXIT_FOUND) {
		if (!run_all(app, &answers)) {
			status = app_fault(app, "检查没有做完：poll 失败",
					   "the probes did not end: poll failed");
		} else {
			status = status_of(&answers);
			if (app->options.given[OPTION_JSON])
				status = print_json(app, &answers, status);
			else if (!print_table(app, &answers))
				status = EXIT_FAULT;
		}
	}
	for (size_t i = 0; i < answers.list.count; i++)
		probe_result_release(&answers.list.items[i].result);
	vec_release(&answers.list);
	return status;
}

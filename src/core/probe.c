#include "core/probe.h"

#include "core/probe_step.h"

#include <stdio.h>

enum { EXCERPT_MAX = 4096, WHAT_MAX = 400, AFTER_MAX = 8, DEFAULT_TIMEOUT_MS = 5000, LIMIT_MAX_MS = 600000 };

struct run {
	const struct kb *kb;
	const struct probe_host *host;
	struct probe_values values;
	struct buf excerpt;
	struct buf what;
	struct buf place; /* of a tool or a folder that was found: what is told if nothing was read in it */
	/* Set when the probe cannot go on; `detail` then says why. */
	bool ended;
	enum probe_state state;
	struct buf detail[LANG_COUNT];
};

/* ---- What C itself has to say. ------------------------------------------------------------------------- */

static const struct {
	const char *in[LANG_COUNT];
} end_texts[] = {
	[PROBE_END_OK] = {{"正常", "ok"}},
	[PROBE_END_MISSING] = {{"没有", "not there"}},
	[PROBE_END_STATUS] = {{"退出码不为 0", "exit status is not 0"}},
	[PROBE_END_DENIED] = {{"没有权限", "permission denied"}},
	[PROBE_END_TIMEOUT] = {{"超时，未得到结果", "timed out without an answer"}},
	[PROBE_END_SIGNAL] = {{"被信号终止", "killed by a signal"}},
	[PROBE_END_TOO_MUCH] = {{"输出过多，已中止", "stopped: too much output"}},
	[PROBE_END_ERROR] = {{"读取出错", "cannot be read"}},
};

/* End the probe: "what: why" in each language, `number` after it when there is one. */
static void end_run(struct run *run, enum probe_state state, struct str what, const char *zh, const char *en,
		    int number)
{
	const char *const texts[LANG_COUNT] = {[LANG_ZH] = zh, [LANG_EN] = en};
	run->ended = true;
	run->state = state;
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		struct buf *out = &run->detail[lang];
		buf_clear(out);
		if (what.size > 0)
			buf_add_format(out, "%.*s%s", STR_ARG(what), lang == LANG_ZH ? "：" : ": ");
		buf_add(out, str_of(texts[lang]));
		if (number)
			buf_add_format(out, lang == LANG_ZH ? "（%d）" : " (%d)", number);
	}
}

/* The pattern or condition of a definition is wrong or hit a limit: not the reader's fault, and not silent.
 */
static void end_for_definition(struct run *run, const struct buf *why)
{
	end_run(run, PROBE_UNKNOWN, buf_str(why), "探测项定义有误或超出限制",
		"the definition of this probe is wrong or hit a limit", 0);
}

/* ---- Steps. ------------------------------------------------------------------------------------------- */

static void set_end(struct run *run, const struct probe_reading *reading)
{
	static const char *const words[] = {
		[PROBE_END_OK] = "ok",
		[PROBE_END_MISSING] = "missing",
		[PROBE_END_STATUS] = "status",
		[PROBE_END_DENIED] = "denied",
		[PROBE_END_TIMEOUT] = "timeout",
		[PROBE_END_SIGNAL] = "signal",
		[PROBE_END_TOO_MUCH] = "too much",
		[PROBE_END_ERROR] = "error",
	};
	char text[64];
	if (reading->end == PROBE_END_STATUS || reading->end == PROBE_END_SIGNAL)
		snprintf(text, sizeof(text), "%s %d", words[reading->end], reading->number);
	else
		snprintf(text, sizeof(text), "%s", words[reading->end]);
	probe_values_set(&run->values, STR("end"), str_of(text));
	probe_values_set(&run->values, STR("output"), buf_str(&reading->text));
}

static bool could_tell(enum probe_end end)
{
	return end == PROBE_END_OK || end == PROBE_END_MISSING || end == PROBE_END_STATUS;
}

static void note(struct buf *list, struct str what)
{
	if (what.size == 0 || list->size >= WHAT_MAX || str_find(buf_str(list), what) != STR_NOT_FOUND)
		return;
	if (list->size > 0)
		buf_add(list, STR(", "));
	buf_add(list, str_slice(what, 0, WHAT_MAX));
}

/* What the reader is told was read, and the beginning of it. */
static void keep_for_reader(struct run *run, const struct probe_step *step,
			    const struct probe_reading *reading)
{
	bool place = step->find.count || step->which.count;
	if (reading->end != PROBE_END_MISSING)
		note(place ? &run->place : &run->what, buf_str(&reading->what));
	bool worth = step->command.count || step->file.count || step->files.count || step->stat.count ||
		     step->package.size || step->env.count || step->variable_count || step->ports.size ||
		     step->interfaces.count || step->paths.count;
	if (worth && !step->private && reading->text.size > 0 && run->excerpt.size < EXCERPT_MAX)
		buf_add(&run->excerpt,
			str_slice(buf_str(&reading->text), 0, EXCERPT_MAX - run->excerpt.size));
}

static void run_step(struct run *run, const struct probe_step *step, uint32_t timeout_ms)
{
	struct buf why = {0};
	struct probe_reading reading = {0};
	enum probe_truth wanted = probe_conditions_hold(&run->values, run->host, step->when, &why);
	if (wanted == PROBE_UNTOLD)
		end_for_definition(run, &why);
	if (wanted != PROBE_TRUE)
		goto out;

	probe_step_read(run->kb, step, &run->values, run->host, timeout_ms, &reading);
	set_end(run, &reading);
	keep_for_reader(run, step, &reading);
	if (reading.refused)
		end_run(run, PROBE_UNTRUSTED, STR(""), "该知识包的文件可被他人改写，不执行其命令",
			"others may write this pack's files: its commands are not run", 0);
	else if (!could_tell(reading.end) && !step->optional)
		end_run(run, PROBE_UNKNOWN, buf_str(&reading.what), end_texts[reading.end].in[LANG_ZH],
			end_texts[reading.end].in[LANG_EN], reading.number);
	/* What was printed before the end may hold values all the same. */
	if (!probe_step_take(step, run->host, buf_str(&reading.text), &run->values, &why))
		end_for_definition(run, &why);
out:
	probe_reading_release(&reading);
	buf_release(&why);
}

static uint32_t timeout_of(const struct probe *probe)
{
	return probe->timeout > 0 && probe->timeout < LIMIT_MAX_MS ? (uint32_t)probe->timeout
								   : DEFAULT_TIMEOUT_MS;
}

static void run_steps(struct run *run, const struct probe *probe)
{
	for (size_t i = 0; i < probe->read_count && !run->ended; i++)
		run_step(run, &probe->read[i], timeout_of(probe));
}

/* Those that come before give their values; that one of them could not be told does not end this probe. */
static void run_before(struct run *run, const struct probe *probe, unsigned depth)
{
	for (size_t i = 0; i < probe->after.count && depth < AFTER_MAX; i++) {
		const struct probe *before = kb_probe(run->kb, probe->after.items[i]);
		if (!before)
			continue;
		run_before(run, before, depth + 1);
		run_steps(run, before);
		run->ended = false;
		for (int lang = 0; lang < LANG_COUNT; lang++)
			buf_clear(&run->detail[lang]);
	}
}

/* ---- Judging. ----------------------------------------------------------------------------------------- */

static const struct probe_rule *rule_of(struct run *run, const struct probe *probe)
{
	struct buf why = {0};
	const struct probe_rule *found = NULL;
	for (size_t i = 0; i < probe->judge_count && !found && !run->ended; i++) {
		enum probe_truth truth =
			probe_conditions_hold(&run->values, run->host, probe->judge[i].when, &why);
		if (truth == PROBE_TRUE)
			found = &probe->judge[i];
		else if (truth == PROBE_UNTOLD)
			end_for_definition(run, &why);
	}
	buf_release(&why);
	return found;
}

static bool is_reader_value(const struct probe_named *named)
{
	return named->own && named->value.size > 0 && !str_equal(named->name, STR("output")) &&
	       !str_equal(named->name, STR("end"));
}

static void judge(struct run *run, const struct probe *probe, struct str *entry)
{
	const struct probe_rule *rule = run->ended ? NULL : rule_of(run, probe);
	*entry = STR("");
	if (run->ended)
		return;
	run->state = rule ? rule->state : PROBE_UNKNOWN;
	for (int lang = 0; rule && lang < LANG_COUNT; lang++)
		probe_say(&run->values, text_in(&rule->say, (enum lang)lang), &run->detail[lang]);
	for (size_t i = 0; i < run->values.list.count && run->detail[LANG_EN].size == 0; i++)
		if (is_reader_value(&run->values.list.items[i]))
			for (int lang = 0; lang < LANG_COUNT; lang++)
				buf_add(&run->detail[lang], run->values.list.items[i].value);
	if (rule && rule->entry.size > 0)
		*entry = rule->entry;
	else if (run->state == PROBE_WARN || run->state == PROBE_FAIL)
		*entry = probe->entry;
}

static void hand_out(struct run *run, struct str entry, struct probe_result *result)
{
	struct arena *arena = &result->arena;
	result->state = run->state;
	for (int lang = 0; lang < LANG_COUNT; lang++)
		result->detail.in[lang] = arena_copy(arena, buf_str(&run->detail[lang]));
	result->source = arena_copy(arena, buf_str(run->what.size ? &run->what : &run->place));
	result->excerpt = arena_copy(arena, buf_str(&run->excerpt));
	result->entry = arena_copy(arena, entry);
	result->values = arena_take_array(arena, run->values.list.count + 1, sizeof(*result->values));
	for (size_t i = 0; i < run->values.list.count; i++) {
		const struct probe_named *named = &run->values.list.items[i];
		if (is_reader_value(named))
			result->values[result->value_count++] = (struct probe_value){
				arena_copy(arena, named->name), arena_copy(arena, named->value)};
	}
}

void probe_execute(const struct kb *kb, const struct probe *probe, const struct probe_host *host,
		   struct probe_result *result)
{
	struct run run = {.kb = kb, .host = host};
	struct str entry;
	probe_result_release(result);
	run_before(&run, probe, 0);
	for (size_t i = 0; i < run.values.list.count; i++)
		run.values.list.items[i].own = false;
	buf_clear(&run.what);
	buf_clear(&run.place);
	buf_clear(&run.excerpt);
	probe_values_set(&run.values, STR("output"), STR(""));
	probe_values_set(&run.values, STR("end"), STR(""));
	run_steps(&run, probe);
	judge(&run, probe, &entry);
	hand_out(&run, entry, result);

	probe_values_release(&run.values);
	buf_release(&run.excerpt);
	buf_release(&run.what);
	buf_release(&run.place);
	for (int lang = 0; lang < LANG_COUNT; lang++)
		buf_release(&run.detail[lang]);
}

/* ---- Limits and lint. --------------------------------------------------------------------------------- */

static uint32_t commands_ms(const struct kb *kb, const struct probe *probe, unsigned depth)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < probe->read_count; i++)
		if (probe->read[i].command.count > 0 && sum < LIMIT_MAX_MS)
			sum += timeout_of(probe);
	for (size_t i = 0; i < probe->after.count && depth < AFTER_MAX; i++) {
		const struct probe *before = kb_probe(kb, probe->after.items[i]);
		if (before && sum < LIMIT_MAX_MS)
			sum += commands_ms(kb, before, depth + 1);
	}
	return sum;
}

uint32_t probe_limit_ms(const struct kb *kb, const struct probe *probe)
{
	return timeout_of(probe) + commands_ms(kb, probe, 0);
}

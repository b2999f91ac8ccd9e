#include "core/report.h"

#include "core/regex.h"

#include <stdio.h>
#include <string.h>

enum {
	ERRORS_MAX = 5,
	LINE_SIZE_MAX = 400,
	TITLE_SIZE_MAX = 120,
	LINES_BEFORE = 12,
	LINES_AFTER = 8,
	UNMATCHED_MAX = 10,
	FOUND_MAX = 6
};

/* Fences that no line of a log ends by accident. */
#define FENCE "~~~~"

/* What a log says of the scale of a job, when it does. */
static const struct {
	const char *pattern;
	size_t most; /* different values that are told */
} scales[REPORT_SCALE_COUNT] = {
	[REPORT_WORLD_SIZE] = {"(?i)\\b(?:world[_ -]?size|nranks|num_?ranks|rank_?size|ranksize|total_ranks)"
			       "[\"']?\\s*[=:]?\\s*\\[?(?<value>\\d{1,6})\\b",
			       FOUND_MAX},
	[REPORT_SHAPES] = {"(?i)(?:shapes?|sizes?|torch\\.Size)[\"']?\\s*(?:[=:(]|mismatch|of|is)?\\s*"
			   "(?<value>[(\\[]\\s*\\d+(?:\\s*,\\s*\\d+)*\\s*,?\\s*[)\\]])",
			   FOUND_MAX},
	[REPORT_DTYPES] = {"(?<value>\\btorch\\.(?:b?float(?:16|32|64)?|half|double|u?int(?:8|16|32|64)|long|"
			   "bool)\\b|\\b(?:DT_)?(?:BFLOAT16|FLOAT16|bfloat16|float16|float32|bf16|fp16|fp32|"
			   "fp8|int8)\\b)",
			   FOUND_MAX},
	/* At the start of a line, after a prompt, or after the + of `set -x`. */
	[REPORT_LAUNCH] =
		{"(?m)(?:^|[$#>] |^\\++ )(?<value>(?:(?:nohup|srun|env|[A-Za-z_]\\w*=\\S*) +)*"
		 "(?:torchrun|torch-run|mpirun|mpiexec|deepspeed|msrun|accelerate launch|vllm serve|"
		 "python3?(?: -u)? -m torch\\.distributed\\.(?:launch|run)) [^\\r\\n]{2,2000})\\r?$",
		 1},
};

/* Different values, separated by commas. */
void report_find_scale(struct str log, enum report_scale what, struct buf *out)
{
	struct regex *regex = regex_new(str_of(scales[what].pattern), REGEX_ONCE, NULL, NULL);
	size_t group = 1, at = 0, count = 0, start = out->size;

	while (count < scales[what].most && regex_match(regex, log, at) == REGEX_MATCH) {
		struct str value, whole;

		regex_group(regex, log, group, &value);
		regex_group(regex, log, 0, &whole);
		at = (size_t)(whole.data - log.data) + (whole.size ? whole.size : 1);
		if (str_find(str_slice(buf_str(out), start, out->size), value) != STR_NOT_FOUND)
			continue;
		if (count++)
			buf_add(out, STR(", "));
		buf_add(out, value);
	}
	regex_free(regex);
}

static const struct match *root_of(const struct report_input *input)
{
	const struct diagnosis *diagnosis = input->diagnosis;

	return diagnosis && diagnosis->match_count ? &diagnosis->matches[0] : NULL;
}

const struct evidence *report_first_evidence(const struct diagnosis *diagnosis)
{
	if (diagnosis && diagnosis->match_count && diagnosis->matches[0].evidence_count)
		return &diagnosis->matches[0].evidence[0];
	if (diagnosis && diagnosis->unmatched_count)
		return &diagnosis->unmatched[0].first;
	if (diagnosis && diagnosis->code_count)
		return &diagnosis->codes[0].first;
	return NULL;
}

struct str report_lines_around(struct str log, size_t at)
{
	size_t from = at, to = at;

	for (int i = 0; i < LINES_BEFORE && from; i++) {
		const char *end = memrchr(log.data, '\n', from - 1);

		from = end ? (size_t)(end - log.data) + 1 : 0;
	}
	for (int i = 0; i <= LINES_AFTER && to < log.size; i++) {
		const char *end = memchr(log.data + to, '\n', log.size - to);

		to = end ? (size_t)(end - log.data) + 1 : log.size;
	}
	return str_slice(log, from, to);
}

/*
 * At most so many bytes, cut at a blank or before a letter that is not ASCII: half a token or half an address
 * would not be known for what it is, and would be shown. A word that is as long as that is left out.
 */
static struct str cut_text(struct str text, size_t most)
{
	size_t size = most;

	if (text.size <= most)
		return text;
	while (size && !strchr(" \t", text.data[size]) && (unsigned char)text.data[size] < 0xC0)
		size--;
	return str_slice(text, 0, size);
}

static void add_line(struct buf *out, struct str line)
{
	buf_add(out, cut_text(line, LINE_SIZE_MAX));
	if (line.size > LINE_SIZE_MAX)
		buf_add(out, STR("…"));
	buf_add_byte(out, '\n');
}

static void add_title(const struct report_input *input, struct buf *out)
{
	const struct match *root = root_of(input);
	const struct evidence *first = report_first_evidence(input->diagnosis);

	if (root)
		buf_add(out, text_in(&root->entry->title, input->lang));
	else if (first)
		buf_add(out, cut_text(first->text, TITLE_SIZE_MAX));
}

/* The lines around the first error, and the first lines of the others. */
static void add_errors(const struct report_input *input, struct buf *out)
{
	const struct diagnosis *diagnosis = input->diagnosis;

	if (!report_first_evidence(input->diagnosis) && !input->around.size)
		return;
	buf_add(out, STR(FENCE "text\n"));
	if (input->around.size) {
		struct str rest = str_trim(input->around), line;

		while (str_next(&rest, '\n', &line))
			add_line(out, str_ends(line, STR("\r")) ? str_slice(line, 0, line.size - 1) : line);
	} else {
		add_line(out, report_first_evidence(input->diagnosis)->text);
	}
	for (size_t i = 1; diagnosis && i < diagnosis->match_count && i < ERRORS_MAX; i++) {
		if (diagnosis->matches[i].evidence_count &&
		    str_find(input->around, diagnosis->matches[i].evidence[0].text) == STR_NOT_FOUND)
			add_line(out, diagnosis->matches[i].evidence[0].text);
	}
	buf_add(out, STR(FENCE));
}

static void add_first_cause(const struct report_input *input, struct buf *out)
{
	const struct diagnosis *diagnosis = input->diagnosis;

	for (size_t i = 0; diagnosis && i < diagnosis->match_count && i < ERRORS_MAX; i++) {
		const struct match *match = &diagnosis->matches[i];

		buf_add_format(out, "%s- ascend-faq %.*s %.*s (%.2f%s)", i ? "\n" : "",
			       STR_ARG(match->entry->id), STR_ARG(text_in(&match->entry->title, input->lang)),
			       match->score,
			       match->root ? input->lang == LANG_ZH ? "，第一原因" : ", first cause" : "");
	}
}

static void add_codes(const struct report_input *input, struct buf *out)
{
	const struct diagnosis *diagnosis = input->diagnosis;
	struct str blank = STR("");

	for (size_t i = 0; diagnosis && i < diagnosis->code_count; i++) {
		const struct code_met *met = &diagnosis->codes[i];
		struct str means = met->code ? text_in(&met->code->means, input->lang) : blank;

		buf_add_format(out, "%s- `%.*s` ×%llu%s%.*s", i ? "\n" : "", STR_ARG(met->text),
			       (unsigned long long)met->count, means.size ? "  " : "", STR_ARG(means));
	}
}

static void add_unmatched(const struct report_input *input, struct buf *out)
{
	const struct diagnosis *diagnosis = input->diagnosis;

	if (!diagnosis || !diagnosis->unmatched_count)
		return;
	buf_add(out, STR(FENCE "text\n"));
	for (size_t i = 0; i < diagnosis->unmatched_count && i < UNMATCHED_MAX; i++) {
		buf_add_format(out, "%llux ", (unsigned long long)diagnosis->unmatched[i].count);
		add_line(out, diagnosis->unmatched[i].first.text);
	}
	buf_add(out, STR(FENCE));
}

static void add_ranks(const struct report_input *input, struct buf *out)
{
	const struct match *root = root_of(input);

	for (size_t i = 0; root && i < root->rank_count; i++)
		buf_add_format(out, "%s%d", i ? ", " : "", (int)root->ranks[i]);
}

static void add_world_size(const struct report_input *input, struct buf *out)
{
	buf_add(out, input->scale[REPORT_WORLD_SIZE]);
}

static void add_answer(const struct report_input *input, enum report_answer answer, struct buf *out)
{
	buf_add(out, str_trim(input->answers[answer]));
}

static void add_shape(const struct report_input *input, struct buf *out)
{
	add_answer(input, REPORT_SHAPE, out);
	if (!input->answers[REPORT_SHAPE].size)
		buf_add(out, input->scale[REPORT_SHAPES]);
}

static void add_dtype(const struct report_input *input, struct buf *out)
{
	add_answer(input, REPORT_DTYPE, out);
	if (!input->answers[REPORT_DTYPE].size)
		buf_add(out, input->scale[REPORT_DTYPES]);
}

static void add_command(const struct report_input *input, struct buf *out)
{
	struct str command = str_trim(input->answers[REPORT_COMMAND]);

	if (!command.size)
		command = input->scale[REPORT_LAUNCH];
	if (!command.size)
		return;
	buf_add(out, STR(FENCE "sh\n"));
	buf_add(out, command);
	buf_add(out, STR("\n" FENCE));
}

static void add_expected(const struct report_input *input, struct buf *out)
{
	add_answer(input, REPORT_EXPECTED, out);
}

static void add_tried(const struct report_input *input, struct buf *out)
{
	buf_add(out, str_trim(input->tried));
}

static bool is_found(const struct probe_result *result)
{
	return result &&
	       (result->state == PROBE_OK || result->state == PROBE_WARN || result->state == PROBE_FAIL);
}

static void add_cell(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '|')
			buf_add_byte(out, '\\');
		buf_add_byte(out, text.data[i] == '\n' ? ' ' : text.data[i]);
	}
}

static void add_environment(const struct report_input *input, struct buf *out)
{
	static const char *const marks[] = {[PROBE_OK] = "", [PROBE_WARN] = "⚠ ", [PROBE_FAIL] = "✗ "};
	bool first = true;

	for (size_t i = 0; i < input->probe_count; i++) {
		const struct report_probe *one = &input->probes[i];

		if (!is_found(one->result))
			continue;
		if (first)
			buf_add_format(out, "| %s | %s |\n| --- | --- |",
				       input->lang == LANG_ZH ? "项目" : "what",
				       input->lang == LANG_ZH ? "结果" : "found");
		first = false;
		buf_add(out, STR("\n| "));
		add_cell(out, text_in(&one->probe->title, input->lang));
		buf_add_format(out, " | %s", marks[one->result->state]);
		add_cell(out, text_in(&one->result->detail, input->lang));
		buf_add(out, STR(" |"));
	}
}

/* "Not found: a; b", of the probes that have, or have not, answered. */
static void add_titles(const struct report_input *input, const struct text *heading, bool answered,
		       struct buf *out)
{
	bool first = true;

	for (size_t i = 0; i < input->probe_count; i++) {
		const struct report_probe *one = &input->probes[i];

		if (is_found(one->result) || (one->result != NULL) != answered)
			continue;
		if (first && out->size && !str_ends(buf_str(out), STR("\n")))
			buf_add(out, STR("\n\n"));
		buf_add(out, first                    ? text_in(heading, input->lang)
			     : input->lang == LANG_ZH ? STR("；")
						      : STR("; "));
		first = false;
		buf_add(out, text_in(&one->probe->title, input->lang));
	}
}

/* What was looked for and is not here, or could not be told: so that nobody asks. */
static void add_not_found(const struct report_input *input, struct buf *out)
{
	static const struct text not_found = {
		{STR_INIT("没有找到或无法判断："), STR_INIT("Not found, or could not be told: ")}};
	static const struct text not_asked = {{STR_INIT("尚未检查："), STR_INIT("Not asked yet: ")}};

	add_titles(input, &not_found, true, out);
	add_titles(input, &not_asked, false, out);
}

struct field_source {
	const char *name;
	void (*add)(const struct report_input *input, struct buf *out);
	bool optional; /* nothing is said where it has no value */
	struct text missing;
};

#define ASK(zh, en) \
	{ \
		{ \
			STR_INIT(zh), STR_INIT(en) \
		} \
	}

static const struct field_source sources[] = {
	{"title", add_title, false, ASK("一句话说明问题", "the problem in one sentence")},
	{"errors", add_errors, false,
	 ASK("没有给出日志，或其中没有报错：请附上关键报错和前后各十行",
	     "no log was given, or it shows no error: add the key error with ten lines around it")},
	{"first-cause", add_first_cause, false,
	 ASK("日志中没有已知的问题", "the log shows none of the known problems")},
	{"codes", add_codes, true, ASK("", "")},
	{"unmatched", add_unmatched, true, ASK("", "")},
	{"ranks", add_ranks, false, ASK("日志没有写明", "the log does not say")},
	{"world-size", add_world_size, false,
	 ASK("日志没有写明，请填写", "the log does not say: fill it in")},
	{"shape", add_shape, false, ASK("请填写", "fill it in")},
	{"dtype", add_dtype, false, ASK("请填写", "fill it in")},
	{"command", add_command, false,
	 ASK("请填写完整的启动命令和环境变量", "the whole command with its environment variables")},
	{"expected", add_expected, false,
	 ASK("期望看到什么，实际是什么", "what was expected, and what came")},
	{"environment", add_environment, false,
	 ASK("没有运行环境检查：ascend-faq probe", "the probes were not run: ascend-faq probe")},
	{"not-found", add_not_found, true, ASK("", "")},
	{"tried", add_tried, false, ASK("还没有记录", "nothing is on record")},
};
enum { SOURCE_COUNT = sizeof(sources) / sizeof(*sources) };

const char *const report_fields[] = {"title",    "errors",      "first-cause", "codes", "unmatched",
				     "ranks",    "world-size",  "shape",       "dtype", "command",
				     "expected", "environment", "not-found",   "tried", NULL};

static const struct field_source *source_of(struct str field)
{
	for (size_t i = 0; i < SOURCE_COUNT; i++) {
		if (str_equal(field, str_of(sources[i].name)))
			return &sources[i];
	}
	return NULL;
}

static void add_probe(const struct report_input *input, struct str id, struct buf *out)
{
	for (size_t i = 0; i < input->probe_count; i++) {
		if (str_equal(input->probes[i].probe->id, id) && is_found(input->probes[i].result))
			buf_add(out, text_in(&input->probes[i].result->detail, input->lang));
	}
}

void report_add_field(const struct report_input *input, struct str field, struct buf *out)
{
	const struct field_source *source = source_of(field);

	if (source)
		source->add(input, out);
	else if (str_starts(field, STR("probe:")))
		add_probe(input, str_slice(field, 6, field.size), out);
}

static const struct text missing_open = {{STR_INIT("**（缺："), STR_INIT("**(missing: ")}};
static const struct text missing_close = {{STR_INIT("）**"), STR_INIT(")**")}};

bool report_next_missing(struct str text, size_t *from, size_t *to)
{
	size_t start = STR_NOT_FOUND, end;
	enum lang lang = LANG_ZH;

	for (int i = 0; i < LANG_COUNT; i++) {
		size_t at = str_find(str_slice(text, *from, text.size), missing_open.in[i]);

		if (at < start) {
			start = at;
			lang = (enum lang)i;
		}
	}
	if (start == STR_NOT_FOUND)
		return false;
	start += *from;
	end = str_find(str_slice(text, start, text.size), missing_close.in[lang]);
	if (end == STR_NOT_FOUND)
		return false;
	*from = start;
	*to = start + end + missing_close.in[lang].size;
	return true;
}

static void write_field(const struct report_input *input, struct str field, struct report *report)
{
	static const struct text not_here = ASK("没有找到", "not found");
	const struct field_source *source = source_of(field);
	size_t before = report->text.size;

	report_add_field(input, field, &report->text);
	if (report->text.size > before || (source && source->optional))
		return;
	vec_push(&report->missing, field);
	buf_add(&report->text, missing_open.in[input->lang]);
	buf_add(&report->text, text_in(source ? &source->missing : &not_here, input->lang));
	buf_add(&report->text, missing_close.in[input->lang]);
}

/* Three line ends in a row are left by fields that had nothing to say. */
static void add_template_text(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '\n' && str_ends(buf_str(out), STR("\n\n")))
			continue;
		buf_add_byte(out, text.data[i]);
	}
}

static bool next_field(struct str *rest, struct str *text, struct str *field)
{
	size_t open = str_find(*rest, STR("{{"));
	size_t close = open == STR_NOT_FOUND ? open : str_find(str_slice(*rest, open, rest->size), STR("}}"));

	if (close == STR_NOT_FOUND)
		return false;
	*text = str_slice(*rest, 0, open);
	*field = str_slice(*rest, open + 2, open + close);
	*rest = str_slice(*rest, open + close + 2, rest->size);
	return true;
}

void report_write(const struct report_template *template, const struct report_input *input,
		  struct report *report)
{
	struct str rest = text_in(&template->body, input->lang);
	struct str text, field;

	while (next_field(&rest, &text, &field)) {
		add_template_text(&report->text, text);
		write_field(input, field, report);
	}
	add_template_text(&report->text, rest);
	if (!str_ends(buf_str(&report->text), STR("\n")))
		buf_add_byte(&report->text, '\n');
}

void report_release(struct report *report)
{
	buf_release(&report->text);
	vec_release(&report->missing);
}

const struct report_template *report_template(const struct kb *kb, struct str id)
{
	for (size_t i = 0; i < kb->report_count; i++) {
		if (str_equal(kb->reports[i]->id, id))
			return kb->reports[i];
	}
	return NULL;
}

void report_check(const struct kb *kb, const struct report_template *template, struct diag_list *diags)
{
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		struct str rest = template->body.in[lang];
		struct str text, field;

		while (next_field(&rest, &text, &field)) {
			if (source_of(field) || (str_starts(field, STR("probe:")) &&
						 kb_probe(kb, str_slice(field, 6, field.size))))
				continue;
			diag_add(diags, DIAG_ERROR, template->where,
				 "`{{%.*s}}` is no field of a report, nor probe:ID", STR_ARG(field));
		}
	}
}

#include "app/diagnosis_out.h"

#include "app/json_out.h"
#include "app/memory.h"
#include "core/code_family.h"
#include "core/findings.h"

enum {
	CONTEXT_SHOWN = 2,
	CONTEXT_MOST = 16,
	EVIDENCE_SHOWN = 4,
	UNMATCHED_SHOWN = 8,
	RANKS_SHOWN = 16,
	ID_WIDTH = 5
};

struct page {
	const struct app *app;
	struct output *output;
	const struct diagnosis *diagnosis;
	enum lang lang;
};

static struct str name_of(const struct diagnosis *diagnosis, const struct evidence *evidence)
{
	return diagnosis->inputs[evidence->input].name;
}

static void print_place(struct page *page, const struct evidence *evidence)
{
	buf_add_repeated(&page->output->text, ' ', ID_WIDTH + 1);
	output_format(page->output, OUTPUT_DIM, "%.*s:%llu: ", STR_ARG(name_of(page->diagnosis, evidence)),
		      (unsigned long long)evidence->line);
}

static void print_evidence(struct page *page, const struct evidence *evidence)
{
	print_place(page, evidence);
	output_text(page->output, OUTPUT_PLAIN, evidence->text);
	buf_add_byte(&page->output->text, '\n');
}

static void print_context_line(struct page *page, uint64_t line, struct str raw)
{
	struct buf shown = {0};

	findings_add_shown(&shown, raw);
	buf_add_repeated(&page->output->text, ' ', ID_WIDTH + 1);
	output_format(page->output, OUTPUT_DIM, "%llu- ", (unsigned long long)line);
	output_text(page->output, OUTPUT_DIM, buf_str(&shown));
	buf_add_byte(&page->output->text, '\n');
	buf_release(&shown);
}

/* As grep -C shows it. Only of what cannot be read again. */
static void print_in_context(struct page *page, const struct evidence *evidence)
{
	struct around_cursor before = {0}, after = {0};
	struct str lines[CONTEXT_SHOWN], line;
	size_t count = 0;

	while (count < CONTEXT_SHOWN && findings_next_around(evidence, true, &before, &lines[count]))
		count++;
	for (size_t i = count; i > 0; i--)
		print_context_line(page, evidence->line - i, lines[i - 1]);
	print_evidence(page, evidence);
	for (count = 0; count < CONTEXT_SHOWN && findings_next_around(evidence, false, &after, &line);)
		print_context_line(page, evidence->line + ++count, line);
}

static void print_ranks(struct page *page, const struct match *match)
{
	output_format(page->output, OUTPUT_DIM, " · rank ");
	for (size_t i = 0; i < match->rank_count && i < RANKS_SHOWN; i++)
		output_format(page->output, OUTPUT_DIM, "%s%d", i ? "," : "", match->ranks[i]);
	if (match->rank_count > RANKS_SHOWN)
		output_format(page->output, OUTPUT_DIM, ",… (%zu)", match->rank_count);
}

static void print_match(struct page *page, const struct match *match)
{
	output_format(page->output, OUTPUT_ID, "%-*.*s", ID_WIDTH, STR_ARG(match->entry->id));
	output_format(page->output, OUTPUT_HEADING, " %.*s",
		      STR_ARG(text_in(&match->entry->title, page->lang)));
	output_format(page->output, OUTPUT_DIM, "  %s",
		      match->certain ? app_say(page->app, "确定", "certain")
				     : app_say(page->app, "可能", "likely"));
	if (match->count > 1)
		output_format(page->output, OUTPUT_DIM, " · ×%llu", (unsigned long long)match->count);
	if (match->rank_count)
		print_ranks(page, match);
	buf_add_byte(&page->output->text, '\n');
	for (size_t i = 0; i < match->evidence_count && i < EVIDENCE_SHOWN; i++) {
		if (i == 0)
			print_in_context(page, &match->evidence[i]);
		else
			print_evidence(page, &match->evidence[i]);
	}
	for (size_t i = 0; i < match->capture_count; i++) {
		const struct capture *capture = &match->captures[i];

		buf_add_repeated(&page->output->text, ' ', ID_WIDTH + 1);
		output_format(page->output, OUTPUT_PLAIN, "<%.*s> = %.*s\n", STR_ARG(capture->name),
			      STR_ARG(capture->value));
	}
}

static void heading(struct page *page, const char *zh, const char *en)
{
	if (page->output->text.size)
		buf_add_byte(&page->output->text, '\n');
	output_text(page->output, OUTPUT_HEADING, str_of(app_say(page->app, zh, en)));
	buf_add_byte(&page->output->text, '\n');
}

/* The root, then what follows from it, then what stands beside it. */
static void print_matches(struct page *page)
{
	const struct diagnosis *diagnosis = page->diagnosis;
	bool follows = false;
	bool others = false;

	for (size_t i = 0; i < diagnosis->match_count; i++) {
		if (diagnosis->matches[i].root) {
			heading(page, "最先出现的问题", "What failed first");
			print_match(page, &diagnosis->matches[i]);
		}
		follows = follows || diagnosis->matches[i].cause != DIAGNOSE_NONE;
		others = others ||
			 (!diagnosis->matches[i].root && diagnosis->matches[i].cause == DIAGNOSE_NONE);
	}
	if (follows)
		heading(page, "其后出现，可能由它引起", "Came after it, perhaps because of it");
	for (size_t i = 0; i < diagnosis->match_count; i++) {
		if (diagnosis->matches[i].cause != DIAGNOSE_NONE)
			print_match(page, &diagnosis->matches[i]);
	}
	if (others)
		heading(page, "也符合", "Fits, too");
	for (size_t i = 0; i < diagnosis->match_count; i++) {
		if (!diagnosis->matches[i].root && diagnosis->matches[i].cause == DIAGNOSE_NONE)
			print_match(page, &diagnosis->matches[i]);
	}
}

static void print_codes(struct page *page)
{
	const struct diagnosis *diagnosis = page->diagnosis;

	if (diagnosis->code_count)
		heading(page, "错误码", "Codes");
	for (size_t i = 0; i < diagnosis->code_count; i++) {
		const struct code_met *met = &diagnosis->codes[i];
		struct str name = met->code ? met->code->code : met->text;

		output_format(page->output, OUTPUT_CODE, "%.*s", STR_ARG(name));
		output_format(page->output, OUTPUT_DIM, "  ×%llu  %.*s:%llu", (unsigned long long)met->count,
			      STR_ARG(name_of(diagnosis, &met->first)), (unsigned long long)met->first.line);
		if (met->code)
			output_format(page->output, OUTPUT_PLAIN, "  %.*s",
				      STR_ARG(text_in(&met->code->means, page->lang)));
		buf_add_byte(&page->output->text, '\n');
	}
}

static void print_unmatched(struct page *page)
{
	const struct diagnosis *diagnosis = page->diagnosis;
	uint64_t more = diagnosis->unmatched_more;

	if (diagnosis->unmatched_count)
		heading(page, "没有对应条目的报错", "Errors that no entry knows");
	for (size_t i = 0; i < diagnosis->unmatched_count; i++) {
		if (i >= UNMATCHED_SHOWN) {
			more += diagnosis->unmatched[i].count;
			continue;
		}
		output_format(page->output, OUTPUT_DIM, "×%-4llu ",
			      (unsigned long long)diagnosis->unmatched[i].count);
		output_format(page->output, OUTPUT_DIM,
			      "%.*s:%llu: ", STR_ARG(name_of(diagnosis, &diagnosis->unmatched[i].first)),
			      (unsigned long long)diagnosis->unmatched[i].first.line);
		output_text(page->output, OUTPUT_PLAIN, diagnosis->unmatched[i].first.text);
		buf_add_byte(&page->output->text, '\n');
	}
	if (more)
		output_format(
			page->output, OUTPUT_DIM,
			app_say(page->app, "另有 %llu 行，见 --json\n", "and %llu lines more: see --json\n"),
			(unsigned long long)more);
}

static void print_next(struct page *page)
{
	const struct diagnosis *diagnosis = page->diagnosis;

	if (!diagnosis->match_count) {
		output_text(
			page->output, OUTPUT_PLAIN,
			str_of(app_say(page->app, "没有发现已知问题。\n", "No known problem was found.\n")));
		return;
	}
	buf_add_byte(&page->output->text, '\n');
	output_format(page->output, OUTPUT_COMMAND, "ascend-faq show %.*s",
		      STR_ARG(diagnosis->matches[0].entry->id));
	output_text(page->output, OUTPUT_DIM,
		    str_of(app_say(page->app, "  原因与解决步骤\n", "  for cause and solution\n")));
}

void diagnosis_print(const struct app *app, struct output *output, const struct diagnosis *diagnosis)
{
	struct page page = {app, output, diagnosis, app->options.lang};

	print_matches(&page);
	print_codes(&page);
	print_unmatched(&page);
	if (output->text.size && !diagnosis->match_count)
		buf_add_byte(&output->text, '\n');
	print_next(&page);
}

/* Memory */

void diagnosis_remember(const struct kb *kb, const struct diagnosis *diagnosis)
{
	struct buf names = {0};

	for (size_t i = 0; i < diagnosis->match_count; i++)
		buf_add_format(&names, "%.*s\n", STR_ARG(diagnosis->matches[i].entry->id));
	for (size_t i = 0; i < diagnosis->code_count; i++) {
		const struct code_met *met = &diagnosis->codes[i];
		struct code_reading reading;

		if (met->code || code_read(kb, met->text, &reading))
			buf_add_format(&names, "%.*s\n", STR_ARG(met->code ? met->code->code : met->text));
	}
	memory_save_diagnosis(buf_str(&names));
	buf_release(&names);
}

/* JSON */

static void add_number(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* "before" and "after": the lines around it, where they were kept. */
static void add_around(json_t *object, const struct evidence *evidence, const char *key, bool back)
{
	struct around_cursor cursor = {0};
	json_t *lines = json_array();
	struct buf shown = {0};
	struct str line;

	while (cursor.taken < CONTEXT_MOST && findings_next_around(evidence, back, &cursor, &line)) {
		buf_clear(&shown);
		findings_add_shown(&shown, line);
		if (back)
			json_array_insert_new(lines, 0, json_from_str(buf_str(&shown)));
		else
			json_array_append_new(lines, json_from_str(buf_str(&shown)));
	}
	json_object_set_new(object, key, lines);
	buf_release(&shown);
}

static json_t *evidence_to_json(const struct diagnosis *diagnosis, const struct scanner *scanner,
				const struct evidence *evidence)
{
	static const char *const strengths[] = {"hint", "likely", "certain"};
	static const char *const times[] = {"none", "day", "year", "full"};
	json_t *object = json_object();

	json_object_set_new(object, "path", json_from_str(name_of(diagnosis, evidence)));
	add_number(object, "line", evidence->line);
	add_number(object, "offset", evidence->offset);
	json_object_set_new(object, "rank",
			    evidence->rank == FRAMING_NO_RANK ? json_null() : json_integer(evidence->rank));
	json_object_set_new(object, "text", json_from_str(evidence->text));
	if (evidence->head.time_kind) {
		json_object_set_new(object, "time_kind", json_string(times[evidence->head.time_kind]));
		json_object_set_new(object, "time_us", json_integer(evidence->head.time));
	}
	if (evidence->around.size > 0) {
		add_around(object, evidence, "before", true);
		add_around(object, evidence, "after", false);
	}
	if (scanner && evidence->signature != DIAGNOSE_NONE)
		json_object_set_new(object, "strength",
				    json_string(strengths[scanner_signature(scanner, evidence->signature)
								  ->signature->strength]));
	return object;
}

static json_t *match_to_json(const struct app *app, const struct diagnosis *diagnosis,
			     const struct scanner *scanner, const struct match *match)
{
	json_t *object = json_object();
	json_t *codes = json_array();
	json_t *ranks = json_array();
	json_t *captures = json_object();
	json_t *evidence = json_array();

	for (size_t i = 0; i < match->code_count; i++)
		json_array_append_new(codes, json_from_str(match->codes[i]));
	for (size_t i = 0; i < match->rank_count; i++)
		json_array_append_new(ranks, json_integer(match->ranks[i]));
	for (size_t i = match->capture_count; i > 0; i--) {
		const struct capture *capture = &match->captures[i - 1];
		char name[64];

		/* The first value of a name is the one that stays. */
		if (capture->name.size < sizeof(name)) {
			snprintf(name, sizeof(name), "%.*s", STR_ARG(capture->name));
			json_object_set_new(captures, name, json_from_str(capture->value));
		}
	}
	for (size_t i = 0; i < match->evidence_count; i++)
		json_array_append_new(evidence, evidence_to_json(diagnosis, scanner, &match->evidence[i]));
	json_object_set_new(object, "entry", json_from_str(match->entry->id));
	json_object_set_new(object, "title", json_from_str(text_in(&match->entry->title, app->options.lang)));
	json_object_set_new(object, "score", json_real(match->score));
	json_object_set_new(object, "certain", json_boolean(match->certain));
	json_object_set_new(object, "root", json_boolean(match->root));
	json_object_set_new(object, "cause",
			    match->cause == DIAGNOSE_NONE
				    ? json_null()
				    : json_from_str(diagnosis->matches[match->cause].entry->id));
	json_object_set_new(object, "codes", codes);
	json_object_set_new(object, "ranks", ranks);
	add_number(object, "count", match->count);
	json_object_set_new(object, "captures", captures);
	json_object_set_new(object, "evidence", evidence);
	return object;
}

static json_t *inputs_to_json(const struct diagnosis *diagnosis)
{
	json_t *inputs = json_array();

	for (size_t i = 0; i < diagnosis->input_count; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "path", json_from_str(diagnosis->inputs[i].name));
		add_number(object, "bytes", diagnosis->inputs[i].bytes);
		add_number(object, "lines", diagnosis->inputs[i].lines);
		json_array_append_new(inputs, object);
	}
	return inputs;
}

static json_t *codes_to_json(const struct app *app, const struct diagnosis *diagnosis)
{
	json_t *codes = json_array();

	for (size_t i = 0; i < diagnosis->code_count; i++) {
		const struct code_met *met = &diagnosis->codes[i];
		json_t *object = json_object();

		json_object_set_new(object, "code", json_from_str(met->code ? met->code->code : met->text));
		add_number(object, "count", met->count);
		json_object_set_new(object, "path", json_from_str(name_of(diagnosis, &met->first)));
		add_number(object, "line", met->first.line);
		json_object_set_new(object, "means",
				    met->code ? json_from_str(text_in(&met->code->means, app->options.lang))
					      : json_null());
		json_object_set_new(object, "wrapper", json_boolean(met->code && met->code->wrapper));
		json_array_append_new(codes, object);
	}
	return codes;
}

static json_t *unmatched_to_json(const struct diagnosis *diagnosis)
{
	json_t *unmatched = json_array();

	for (size_t i = 0; i < diagnosis->unmatched_count; i++) {
		json_t *object = evidence_to_json(diagnosis, NULL, &diagnosis->unmatched[i].first);

		add_number(object, "count", diagnosis->unmatched[i].count);
		json_array_append_new(unmatched, object);
	}
	return unmatched;
}

static json_t *limits_to_json(const struct diagnosis *diagnosis, const struct scanner *scanner)
{
	json_t *limits = json_array();

	for (size_t i = 0; i < diagnosis->limit_count; i++) {
		const struct scan_signature *signature =
			scanner_signature(scanner, diagnosis->limits[i].signature);
		json_t *object = evidence_to_json(diagnosis, scanner, &diagnosis->limits[i].at);

		json_object_set_new(object, "entry", json_from_str(signature->entry->id));
		json_object_set_new(object, "match", json_from_str(signature->signature->match));
		json_array_append_new(limits, object);
	}
	return limits;
}

json_t *diagnosis_to_json(const struct app *app, const struct scanner *scanner,
			  const struct diagnosis *diagnosis)
{
	json_t *document = json_document();
	json_t *matches = json_array();

	for (size_t i = 0; i < diagnosis->match_count; i++)
		json_array_append_new(matches,
				      match_to_json(app, diagnosis, scanner, &diagnosis->matches[i]));
	json_object_set_new(document, "inputs", inputs_to_json(diagnosis));
	json_object_set_new(document, "matches", matches);
	json_object_set_new(document, "codes", codes_to_json(app, diagnosis));
	json_object_set_new(document, "unmatched", unmatched_to_json(diagnosis));
	json_object_set_new(document, "limits", limits_to_json(diagnosis, scanner));
	return document;
}

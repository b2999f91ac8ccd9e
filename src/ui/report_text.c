/* The text of a problem report: from what is known, without what is private, and laid out. */
#include "ui/view.h"

#include "base/utf8.h"

enum { TRIED_SINCE_S = 24 * 60 * 60, TRIED_ENTRIES = 5, TAB_COLUMNS = 4 };

const struct report_template *report_pane_template(const struct session *session)
{
	return session->kb->reports[session->report.template];
}

/* ---- What it is made from. ---------------------------------------------------------------------------- */

struct material {
	struct report_input input;
	VEC(struct report_probe) probes;
	struct buf tried;
};

static void add_probes(struct session *session, struct material *material)
{
	for (size_t i = 0; i < session->kb->probe_count; i++) {
		const struct probe_run *run = &session->probes.runs[i];

		vec_push(&material->probes,
			 (struct report_probe){session->kb->probes[i],
					       run->state == RUN_DONE ? &run->result : NULL});
	}
	material->input.probes = material->probes.items;
	material->input.probe_count = material->probes.count;
}

/* What was done in the last day, and before for what the log shows. */
static void add_tried(struct session *session, struct material *material)
{
	const struct diagnosis *diagnosis = material->input.diagnosis;
	uint64_t now_s = (session->epoch_ms + session->now_ms) / 1000;
	struct str entries[TRIED_ENTRIES];
	size_t count = 0;

	for (; diagnosis && count < diagnosis->match_count && count < TRIED_ENTRIES; count++)
		entries[count] = diagnosis->matches[count].entry->id;
	history_add_tried(&session->report.history, now_s > TRIED_SINCE_S ? now_s - TRIED_SINCE_S : 0,
			  entries, count, session->zone_s, session->lang, &material->tried);
	material->input.tried = buf_str(&material->tried);
}

static void add_log(struct session *session, struct material *material)
{
	const struct report_lines *lines = &session->report.lines;
	const struct evidence *first;

	if (session->diagnosis.state == DIAGNOSIS_NONE_YET)
		return;
	material->input.diagnosis = &session->diagnosis.findings.diagnosis;
	first = report_first_evidence(material->input.diagnosis);
	if (!first || !lines->known || lines->around.size == 0 || lines->input != first->input ||
	    lines->offset != first->offset || lines->generation != session->diagnosis.generation)
		return;
	for (size_t i = 0; i < REPORT_SCALE_COUNT; i++)
		material->input.scale[i] = buf_str(&lines->scale[i]);
	material->input.around = report_lines_around(buf_str(&lines->around), lines->before);
}

static void set_unasked(struct report_pane *pane, size_t answer, struct str value, enum report_origin origin)
{
	if (pane->origins[answer] == REPORT_FROM_USER ||
	    (value.size == 0 && pane->origins[answer] == REPORT_FROM_NOWHERE))
		return;
	if (!str_equal(input_text(&pane->inputs[answer]), value))
		input_set(&pane->inputs[answer], value);
	pane->origins[answer] = value.size > 0 ? origin : REPORT_FROM_NOWHERE;
}

/*
 * The command that failed, or at least what was filled in for it before. One that the log shows stays in the
 * text alone, where it is without what is private.
 */
static void fill_command_answer(struct session *session)
{
	struct report_pane *pane = &session->report;
	const struct fact *script = facts_best(session->facts, STR("SCRIPT"));
	const struct fact *arguments = facts_best(session->facts, STR("ARGS"));
	struct str failed = str_trim(buf_str(&pane->failed));
	struct buf filled = {0};

	if (script && script->source == FACT_USER) {
		buf_add(&filled, script->value);
		buf_add_byte(&filled, ' ');
		if (arguments && arguments->source == FACT_USER)
			buf_add(&filled, arguments->value);
	}
	if (failed.size > 0)
		set_unasked(pane, REPORT_COMMAND, failed, REPORT_FROM_SHELL);
	else
		set_unasked(pane, REPORT_COMMAND,
			    pane->launch_known ? (struct str){0} : str_trim(buf_str(&filled)),
			    REPORT_FROM_FORM);
	buf_release(&filled);
}

/* Into the lines that the reader has not typed into yet: what the log and the shell say. */
static void fill_answers(struct session *session, const struct material *material)
{
	static const struct {
		enum report_answer answer;
		const char *field;
	} of_log[] = {{REPORT_SHAPE, "shape"}, {REPORT_DTYPE, "dtype"}};
	struct report_pane *pane = &session->report;
	struct buf value = {0};

	for (size_t i = 0; i < sizeof(of_log) / sizeof(of_log[0]); i++) {
		buf_clear(&value);
		report_add_field(&material->input, str_of(of_log[i].field), &value);
		set_unasked(pane, of_log[i].answer, buf_str(&value), REPORT_FROM_LOG);
	}
	pane->launch_known = material->input.scale[REPORT_LAUNCH].size > 0;
	fill_command_answer(session);
	buf_release(&value);
}

static void material_begin(struct session *session, struct material *material)
{
	material->input = (struct report_input){.kb = session->kb, .lang = session->lang};
	add_log(session, material);
	add_probes(session, material);
	add_tried(session, material);
	fill_answers(session, material);
	for (size_t i = 0; i < REPORT_ANSWER_COUNT; i++)
		material->input.answers[i] = input_text(&session->report.inputs[i]);
}

static void material_end(struct material *material)
{
	vec_release(&material->probes);
	buf_release(&material->tried);
}

/* ---- Without what is private. ------------------------------------------------------------------------- */

/* One that knows the machine and the words that are to be hidden as well; words cannot be taken back. */
static void renew_redact(struct session *session)
{
	struct report_pane *pane = &session->report;
	struct str words = input_text(&pane->inputs[REPORT_ANSWER_COUNT]), word;

	if (pane->redact && str_equal(words, buf_str(&pane->hidden))) {
		redact_reset(pane->redact);
		return;
	}
	redact_free(pane->redact);
	pane->redact = redact_new(session->kb);
	redact_know_lines(pane->redact, buf_str(&pane->names));
	buf_clear(&pane->hidden);
	buf_add(&pane->hidden, words);
	while (words.size > 0 && str_next(&words, ' ', &word))
		redact_hide(pane->redact, word);
}

static bool is_shown(const struct report_pane *pane, const struct redact_name *name)
{
	for (size_t i = 0; i < pane->shown.count; i++) {
		if (pane->shown.items[i].kind == name->kind &&
		    str_equal(buf_str(&pane->shown.items[i].value), name->value))
			return true;
	}
	return false;
}

static void redact_report(struct session *session, struct str text)
{
	struct report_pane *pane = &session->report;

	renew_redact(session);
	buf_clear(&pane->text);
	vec_clear(&pane->found.list);
	redact_text(pane->redact, text, &pane->text, &pane->found);
	pane->value_count = redact_name_count(pane->redact);
	pane->shown_count = 0;
	for (size_t i = 0; i < pane->value_count; i++) {
		if (!is_shown(pane, redact_name_at(pane->redact, i)))
			continue;
		redact_show(pane->redact, redact_name_at(pane->redact, i)->name, true);
		pane->shown_count++;
	}
	if (pane->shown_count == 0)
		return;
	buf_clear(&pane->text);
	vec_clear(&pane->found.list);
	redact_text(pane->redact, text, &pane->text, &pane->found);
}

/* ---- Laid out. ---------------------------------------------------------------------------------------- */

/* A line of it while its pieces are put together. */
struct line {
	struct buf text; /* clean, of all pieces */
	VEC(struct layout_piece) pieces;
	VEC(struct report_mark) marks; /* offsets in `text` */
};

/* As layout.c would clean it, so that offsets are known. */
static void add_piece(struct line *line, struct str text, enum style style)
{
	size_t before = line->text.size;
	struct str rest = text, part;

	if (text.size == 0)
		return;
	for (bool first = true; str_next(&rest, '\t', &part); first = false) {
		if (!first)
			buf_add_repeated(&line->text, ' ', TAB_COLUMNS);
		utf8_add_printable(&line->text, part, false);
	}
	/* Only its size counts as yet: the text may still move. */
	vec_push(&line->pieces, (struct layout_piece){{NULL, line->text.size - before}, style, {0}});
}

static void lay_out_line(struct report_pane *pane, struct line *line)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	size_t base = pane->layout.text.size, first = pane->layout.lines.count, at = 0;

	for (size_t i = 0; i < line->pieces.count; i++) {
		line->pieces.items[i].text.data = line->text.data + at;
		at += line->pieces.items[i].text.size;
	}
	if (line->text.size == 0)
		layout_blank(&pane->layout);
	else
		layout_verbatim(&pane->layout, &format, line->pieces.items, line->pieces.count);
	for (size_t i = 0; i < line->marks.count; i++) {
		struct report_mark mark = line->marks.items[i];

		mark.from += base;
		mark.to += base;
		mark.line = first;
		while (mark.line + 1 < pane->layout.lines.count) {
			const struct layout_line *next = &pane->layout.lines.items[mark.line + 1];

			if (next->run_count == 0 || pane->layout.runs.items[next->run].start > mark.from)
				break;
			mark.line++;
		}
		vec_push(&pane->marks, mark);
	}
	buf_clear(&line->text);
	vec_clear(&line->pieces);
	vec_clear(&line->marks);
}

static enum style base_style(struct str line, bool *fenced)
{
	if (str_starts(line, STR("~~~~"))) {
		*fenced = !*fenced;
		return STYLE_DIM;
	}
	return *fenced                      ? STYLE_ERROR_TEXT
	       : str_starts(line, STR("#")) ? STYLE_HEADING
	       : str_starts(line, STR(">")) ? STYLE_DIM
					    : STYLE_TEXT;
}

/* Text without replacements; what is missing in it stands out. */
static void add_plain(struct line *line, struct str text, enum style style)
{
	size_t at = 0, from = 0, to;

	while (report_next_missing(text, &from, &to)) {
		add_piece(line, str_slice(text, at, from), style);
		add_piece(line, str_slice(text, from, to), STYLE_HOLE);
		at = from = to;
	}
	add_piece(line, str_slice(text, at, text.size), style);
}

/* [start, end) of the report's text is one line of it; *next is the first replacement that may be in it. */
static void add_line(struct report_pane *pane, struct line *line, size_t start, size_t end, size_t *next,
		     enum style style)
{
	struct str text = buf_str(&pane->text);
	size_t at = start;

	while (*next < pane->found.list.count && pane->found.list.items[*next].from < end) {
		const struct redact_mark *found = &pane->found.list.items[*next];
		size_t from = found->from > at ? found->from : at, to = found->to < end ? found->to : end;
		struct report_mark mark = {.name = found->name};

		mark.shown = mark.name != SIZE_MAX && redact_name_at(pane->redact, mark.name)->shown;
		add_plain(line, str_slice(text, at, from), style);
		mark.from = line->text.size;
		add_piece(line, str_slice(text, from, to), mark.shown ? STYLE_REVEALED : STYLE_PRIVATE);
		mark.to = line->text.size;
		/* Of a value of several lines, the place is in the first. */
		if (found->from >= start)
			vec_push(&line->marks, mark);
		at = to;
		if (found->to > end)
			break;
		++*next;
	}
	add_plain(line, str_slice(text, at, end), style);
	lay_out_line(pane, line);
}

static void lay_out(struct report_pane *pane, int width)
{
	struct str text = buf_str(&pane->text);
	struct line line = {0};
	size_t next = 0;
	bool fenced = false;

	layout_clear(&pane->layout, width);
	vec_clear(&pane->marks);
	for (size_t start = 0; start < text.size;) {
		size_t size = str_find_byte(str_slice(text, start, text.size), '\n');
		size_t end = size == STR_NOT_FOUND ? text.size : start + size;

		size_t shown_end = end > start && text.data[end - 1] == '\r' ? end - 1 : end;

		add_line(pane, &line, start, shown_end, &next,
			 base_style(str_slice(text, start, end), &fenced));
		start = end + 1;
	}
	buf_release(&line.text);
	vec_release(&line.pieces);
	vec_release(&line.marks);
	if (pane->mark != SIZE_MAX && pane->mark >= pane->marks.count)
		pane->mark = SIZE_MAX;
}

bool report_pane_make(struct session *session)
{
	struct report_pane *pane = &session->report;
	struct rect area = report_pane_text_area(session);
	struct material material = {0};
	struct report report = {0};

	if (!pane->names_known)
		return false;
	if (pane->stale || pane->lang != session->lang) {
		material_begin(session, &material);
		report_write(report_pane_template(session), &material.input, &report);
		redact_report(session, buf_str(&report.text));
		pane->missing = report.missing.count;
		pane->lang = session->lang;
		report_release(&report);
		material_end(&material);
		pane->layout.width = 0;
		pane->stale = false;
	}
	if (pane->layout.width != (area.columns > 2 ? area.columns : 2))
		lay_out(pane, area.columns > 2 ? area.columns : 2);
	return true;
}

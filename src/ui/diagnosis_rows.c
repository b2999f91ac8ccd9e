/* The findings as rows: the first cause, what follows from it, what stands beside it, codes, unknown errors.
 */
#include "ui/view.h"

static const struct diagnosis *findings_of(const struct session *session)
{
	return &session->diagnosis.findings.diagnosis;
}

/* Making the rows. */

static void add_row(struct diagnosis_pane *pane, enum diagnosis_row_kind kind, size_t index)
{
	vec_push(&pane->rows, (struct diagnosis_row){.kind = kind, .index = index});
}

static enum diagnosis_row_kind kind_of(const struct match *match)
{
	return match->root ? ROW_ROOT : match->cause != DIAGNOSE_NONE ? ROW_FOLLOWS : ROW_BESIDE;
}

/* WORD_COUNT: no heading, they stand under the rows before them. */
static void add_matches(struct diagnosis_pane *pane, enum diagnosis_row_kind kind, enum word heading)
{
	const struct diagnosis *diagnosis = &pane->findings.diagnosis;
	bool first = heading != WORD_COUNT;

	for (size_t i = 0; i < diagnosis->match_count; i++) {
		if (kind_of(&diagnosis->matches[i]) != kind)
			continue;
		if (first)
			add_row(pane, ROW_HEADING, heading);
		first = false;
		add_row(pane, kind, i);
	}
}

static void add_group(struct diagnosis_pane *pane, enum diagnosis_row_kind kind, enum word heading,
		      size_t count)
{
	if (count > 0)
		add_row(pane, ROW_HEADING, heading);
	for (size_t i = 0; i < count; i++)
		add_row(pane, kind, i);
}

static void add_faults(struct diagnosis_pane *pane)
{
	struct str rest = buf_str(&pane->faults), line;

	if (rest.size > 0)
		add_row(pane, ROW_HEADING, WORD_FAULTS);
	while (rest.size > 0 && str_next(&rest, '\n', &line)) {
		if (line.size > 0)
			vec_push(&pane->rows, (struct diagnosis_row){.kind = ROW_FAULT, .text = line});
	}
}

/* What is selected. */

const struct diagnosis_row *diagnosis_row(const struct session *session)
{
	const struct diagnosis_pane *pane = &session->diagnosis;

	return pane->list.selected < pane->rows.count ? &pane->rows.items[pane->list.selected] : NULL;
}

const struct match *diagnosis_match(const struct session *session)
{
	const struct diagnosis_row *row = diagnosis_row(session);

	return row && diagnosis_row_is_match(row) ? &findings_of(session)->matches[row->index] : NULL;
}

const struct evidence *diagnosis_evidence(const struct session *session)
{
	const struct diagnosis *diagnosis = findings_of(session);
	const struct diagnosis_row *row = diagnosis_row(session);
	const struct match *match = diagnosis_match(session);

	if (match)
		return &match->evidence[session->diagnosis.evidence];
	if (!row)
		return NULL;
	return row->kind == ROW_CODE        ? &diagnosis->codes[row->index].first
	       : row->kind == ROW_UNMATCHED ? &diagnosis->unmatched[row->index].first
	       : row->kind == ROW_LIMIT     ? &diagnosis->limits[row->index].at
					    : NULL;
}

size_t diagnosis_evidence_count(const struct session *session)
{
	const struct match *match = diagnosis_match(session);

	return match ? match->evidence_count : diagnosis_evidence(session) ? 1 : 0;
}

bool diagnosis_row_is_match(const struct diagnosis_row *row)
{
	return row->kind == ROW_ROOT || row->kind == ROW_FOLLOWS || row->kind == ROW_BESIDE;
}

struct str diagnosis_input_name(const struct session *session, uint32_t input)
{
	if (session->diagnosis.pasted.size > 0)
		return session_word(session, WORD_PASTED_TEXT);
	if (str_equal(findings_of(session)->inputs[input].name, STR("-")))
		return session_word(session, WORD_STANDARD_INPUT);
	return findings_of(session)->inputs[input].name;
}

/* The choice, kept while news come in. */

static struct str text_of(const struct diagnosis *diagnosis, const struct diagnosis_row *row)
{
	return row->kind == ROW_CODE        ? diagnosis->codes[row->index].text
	       : row->kind == ROW_UNMATCHED ? diagnosis->unmatched[row->index].first.text
	       : row->kind == ROW_FAULT     ? row->text
					    : (struct str){0};
}

static void keep_choice(struct session *session)
{
	struct diagnosis_choice *choice = &session->diagnosis.choice;
	const struct diagnosis_row *row = diagnosis_row(session);
	const struct match *match = diagnosis_match(session);
	const struct evidence *evidence = diagnosis_evidence(session);

	choice->made = row != NULL;
	if (!row)
		return;
	choice->kind = row->kind;
	choice->entry = match ? match->entry : NULL;
	buf_clear(&choice->text);
	buf_add(&choice->text, text_of(findings_of(session), row));
	choice->input = evidence ? evidence->input : 0;
	choice->offset = evidence ? evidence->offset : 0;
}

static bool is_choice(const struct diagnosis *diagnosis, const struct diagnosis_row *row,
		      const struct diagnosis_choice *choice)
{
	if (diagnosis_row_is_match(row))
		return diagnosis->matches[row->index].entry == choice->entry;
	return row->kind == choice->kind && row->kind != ROW_HEADING &&
	       str_equal(text_of(diagnosis, row), buf_str(&choice->text));
}

/* In sight, with the heading over it. */
static void select_row(struct session *session, size_t row)
{
	struct diagnosis_pane *pane = &session->diagnosis;

	if (row > 0 && row < pane->rows.count && pane->rows.items[row - 1].kind == ROW_HEADING)
		list_select(&pane->list, row - 1);
	list_select(&pane->list, row);
	pane->evidence = diagnosis_match(session) ? findings_first(diagnosis_match(session)) : 0;
}

static void select_choice(struct session *session)
{
	struct diagnosis_pane *pane = &session->diagnosis;
	const struct diagnosis_choice *choice = &pane->choice;
	const struct match *match;
	size_t row = 0;

	while (choice->made && row < pane->rows.count &&
	       !is_choice(findings_of(session), &pane->rows.items[row], choice))
		row++;
	if (!choice->made || row == pane->rows.count) {
		/* The first cause, wherever it comes to stand. */
		for (row = 0; row + 1 < pane->rows.count && pane->rows.items[row].kind == ROW_HEADING;)
			row++;
		select_row(session, row);
		return;
	}
	select_row(session, row);
	match = diagnosis_match(session);
	for (size_t i = 0; match && i < match->evidence_count; i++) {
		if (match->evidence[i].offset == choice->offset && match->evidence[i].input == choice->input)
			pane->evidence = i;
	}
}

void diagnosis_make_rows(struct session *session)
{
	struct diagnosis_pane *pane = &session->diagnosis;
	const struct diagnosis *diagnosis = findings_of(session);

	vec_clear(&pane->rows);
	if (pane->state == DIAGNOSIS_DONE && diagnosis->match_count == 0)
		add_row(pane, ROW_HEADING, pane->files > 0 ? WORD_NOTHING_KNOWN : WORD_NO_FILES);
	add_matches(pane, ROW_ROOT, WORD_FAILED_FIRST);
	add_matches(pane, ROW_FOLLOWS, WORD_COUNT);
	add_matches(pane, ROW_BESIDE, WORD_BESIDES);
	add_group(pane, ROW_CODE, WORD_CODES, diagnosis->code_count);
	add_group(pane, ROW_UNMATCHED, WORD_UNMATCHED, diagnosis->unmatched_count);
	add_group(pane, ROW_LIMIT, WORD_LIMITS, diagnosis->limit_count);
	add_faults(pane);
	list_set_count(&pane->list, pane->rows.count);
	select_choice(session);
}

/* Moving. */

void diagnosis_select(struct session *session, size_t row)
{
	select_row(session, row);
	keep_choice(session);
}

/* Headings are passed over. */
void diagnosis_move(struct session *session, enum list_move move)
{
	struct diagnosis_pane *pane = &session->diagnosis;
	bool down =
		move == LIST_DOWN || move == LIST_PAGE_DOWN || move == LIST_HALF_DOWN || move == LIST_FIRST;
	size_t before = pane->list.selected, row;

	list_move(&pane->list, move);
	row = pane->list.selected;
	while (down && row + 1 < pane->rows.count && pane->rows.items[row].kind == ROW_HEADING)
		row++;
	while (!down && row > 0 && pane->rows.items[row].kind == ROW_HEADING)
		row--;
	if (row < pane->rows.count && pane->rows.items[row].kind == ROW_HEADING)
		row = before;
	diagnosis_select(session, row);
}

void diagnosis_step(struct session *session, bool back)
{
	struct diagnosis_pane *pane = &session->diagnosis;
	size_t count = diagnosis_evidence_count(session);
	size_t row = pane->list.selected;

	if (back ? pane->evidence > 0 : pane->evidence + 1 < count) {
		pane->evidence += back ? (size_t)-1 : 1;
		keep_choice(session);
		return;
	}
	/* Over the end of a match to the next one. */
	do {
		if (back ? row == 0 : row + 1 >= pane->rows.count)
			return;
		row += back ? (size_t)-1 : 1;
	} while (pane->rows.items[row].kind == ROW_HEADING || pane->rows.items[row].kind == ROW_FAULT);
	select_row(session, row);
	count = diagnosis_evidence_count(session);
	pane->evidence = back && count > 0 ? count - 1 : 0;
	keep_choice(session);
}

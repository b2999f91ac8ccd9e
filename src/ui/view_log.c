/* The log around the piece of evidence that is looked at, and what it says: values, codes. */
#include "ui/view.h"

#include "base/utf8.h"

enum {
	LINES_MOST = 128, /* on either side */
	MARK_COLUMNS = 2,
	CODES_SHOWN = 3
};

/* Raw lines of the context, the one that is looked at among them. */
struct context {
	struct str lines[2 * LINES_MOST + 1];
	size_t count, at;    /* at: the line that is looked at */
	uint64_t first_line; /* number of lines[0] */
};

static struct str line_at(struct str text, size_t start)
{
	size_t end = str_find_byte(str_slice(text, start, text.size), '\n');

	return str_slice(text, start, end == STR_NOT_FOUND ? text.size : start + end);
}

/* False: the lines are not known, or cannot be read. */
static bool make_context(const struct session *session, const struct evidence *evidence,
			 struct context *context)
{
	const struct log_lines *lines = &session->diagnosis.lines;
	struct str text = buf_str(&lines->text);
	size_t starts[LINES_MOST], count = 0, start;

	if (!lines->known || !lines->readable || lines->input != evidence->input ||
	    lines->offset != evidence->offset)
		return false;
	for (size_t end = lines->before; end > 0 && count < LINES_MOST && evidence->line > count + 1;
	     count++) {
		start = end - 1;
		while (start > 0 && text.data[start - 1] != '\n')
			start--;
		starts[count] = start;
		end = start;
	}
	context->count = context->at = count;
	context->first_line = evidence->line - count;
	for (size_t i = 0; i < count; i++)
		context->lines[i] = line_at(text, starts[count - 1 - i]);
	start = lines->before;
	for (size_t i = 0; i <= LINES_MOST && start < text.size; i++) {
		struct str line = line_at(text, start);

		context->lines[context->count++] = line;
		start += line.size + 1;
	}
	return context->count > context->at;
}

/* Values that the signatures took out of this line stand out in it. */
static void add_pieces(struct session *session, const struct evidence *evidence, struct str text,
		       struct layout *layout)
{
	const struct match *match = diagnosis_match(session);
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	struct layout_piece pieces[3] = {{text, STYLE_ERROR_TEXT, {0}}};
	size_t count = 1;

	for (size_t i = 0; match && i < match->capture_count && count == 1; i++) {
		const struct capture *capture = &match->captures[i];
		size_t at = str_find(text, capture->value);

		if (&match->evidence[capture->evidence] != evidence || capture->value.size == 0 ||
		    at == STR_NOT_FOUND)
			continue;
		pieces[0].text = str_slice(text, 0, at);
		pieces[1] = (struct layout_piece){
			str_slice(text, at, at + capture->value.size), STYLE_VALUE, {0}};
		pieces[2] = (struct layout_piece){
			str_slice(text, at + capture->value.size, text.size), STYLE_ERROR_TEXT, {0}};
		count = 3;
	}
	layout_verbatim(layout, &format, pieces, count);
}

static bool is_evidence(const struct session *session, const struct evidence *evidence, uint64_t line)
{
	const struct match *match = diagnosis_match(session);
	bool found = evidence->line == line;

	for (size_t i = 0; match && i < match->evidence_count; i++)
		found = found ||
			(match->evidence[i].input == evidence->input && match->evidence[i].line == line);
	return found;
}

static int digits_of(uint64_t number)
{
	int digits = 1;

	while ((number /= 10) > 0)
		digits++;
	return digits;
}

struct log_place {
	struct canvas *canvas;
	struct rect area; /* of the lines */
	int gutter;       /* columns of numbers and marks */
};

static void draw_number(const struct log_place *place, int row, uint64_t number, bool marked)
{
	struct buf text = {0};

	buf_add_format(&text, "%llu", (unsigned long long)number);
	canvas_text(place->canvas, row,
		    place->area.column + place->gutter - 1 - MARK_COLUMNS - (int)text.size, STYLE_DIM,
		    buf_str(&text));
	if (marked)
		canvas_text(place->canvas, row, place->area.column + place->gutter - MARK_COLUMNS, STYLE_FAIL,
			    STR("▌"));
	buf_release(&text);
}

static void draw_around(struct session *session, const struct log_place *place,
			const struct evidence *evidence, const struct context *context, size_t index, int row)
{
	struct buf text = {0};
	uint64_t number = context->first_line + index;
	bool marked = is_evidence(session, evidence, number);

	if (row < place->area.row || row >= place->area.row + place->area.rows)
		return;
	findings_add_shown(&text, context->lines[index]);
	draw_number(place, row, number, marked);
	canvas_text_cut(place->canvas, row, place->area.column + place->gutter,
			place->area.columns - place->gutter, marked ? STYLE_ERROR_TEXT : STYLE_TEXT,
			buf_str(&text));
	buf_release(&text);
}

/* The line itself is shown whole, what is around it in one row a line. */
static void draw_lines(struct session *session, const struct log_place *place,
		       const struct evidence *evidence)
{
	struct context context = {0};
	struct layout layout = {0};
	struct buf text = {0};
	bool known = make_context(session, evidence, &context);
	int rows, above, below, first;

	if (known)
		findings_add_shown(&text, context.lines[context.at]);
	layout_clear(&layout, place->area.columns - place->gutter);
	/* A line that is longer than what is shown of it, or redrawn: what matched in it counts. */
	add_pieces(session, evidence,
		   str_find(buf_str(&text), evidence->text) != STR_NOT_FOUND ? buf_str(&text)
									     : evidence->text,
		   &layout);
	rows = (int)layout.lines.count < place->area.rows / 2 + 1 ? (int)layout.lines.count
								  : place->area.rows / 2 + 1;
	above = (place->area.rows - rows) / 2;
	below = place->area.rows - rows - above;
	if ((int)context.at < above)
		above = (int)context.at;
	if (known && (int)(context.count - context.at) - 1 < below)
		above += below - (int)(context.count - context.at) + 1;
	if ((int)context.at < above)
		above = (int)context.at;
	first = place->area.row + above;
	for (int i = 1; i <= above; i++)
		draw_around(session, place, evidence, &context, context.at - (size_t)i, first - i);
	draw_number(place, first, evidence->line, true);
	for (int i = 1; i < rows; i++)
		canvas_text(place->canvas, first + i, place->area.column + place->gutter - MARK_COLUMNS,
			    STYLE_FAIL, STR("▌"));
	layout_draw(&layout, place->canvas,
		    (struct rect){first, place->area.column + place->gutter, rows, layout.width}, 0,
		    (struct str){0});
	for (size_t i = context.at + 1; i < context.count; i++)
		draw_around(session, place, evidence, &context, i, first + rows - 1 + (int)(i - context.at));
	layout_release(&layout);
	buf_release(&text);
}

/* What it says. */

static void add_values(struct session *session, struct layout *layout, const struct match *match)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = MARK_COLUMNS};
	VEC(struct layout_piece) pieces = {0};

	vec_push(&pieces, (struct layout_piece){session_word(session, WORD_VALUES), STYLE_HEADING, {0}});
	for (size_t i = 0; i < match->capture_count; i++) {
		const struct capture *capture = &match->captures[i];

		vec_push(&pieces, (struct layout_piece){STR("  "), STYLE_TEXT, {0}});
		vec_push(&pieces, (struct layout_piece){capture->name, STYLE_DIM, {0}});
		vec_push(&pieces, (struct layout_piece){STR(" "), STYLE_TEXT, {0}});
		vec_push(&pieces, (struct layout_piece){capture->value, STYLE_VALUE, {0}});
		if (capture->absent)
			vec_push(&pieces, (struct layout_piece){
						  session_word(session, WORD_NOT_HERE), STYLE_WARN, {0}});
	}
	if (match->capture_count > 0)
		layout_flow(layout, &format, pieces.items, pieces.count);
	vec_release(&pieces);
}

static void add_code(struct session *session, struct layout *layout, const struct code *code)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = MARK_COLUMNS};
	struct layout_piece pieces[] = {
		{code->code, STYLE_CODE_NAME, {0}},
		{STR("  "), STYLE_TEXT, {0}},
		{session_text(session, &code->means), STYLE_TEXT, {0}},
		{code->wrapper ? STR("  ") : STR(""), STYLE_TEXT, {0}},
		{code->wrapper ? session_word(session, WORD_CODE_WRAPPER) : STR(""), STYLE_DIM, {0}}};

	layout_flow(layout, &format, pieces, sizeof(pieces) / sizeof(pieces[0]));
}

static void add_usually(struct session *session, struct layout *layout, const struct code *code)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = MARK_COLUMNS};
	struct layout_piece pieces[] = {{session_word(session, WORD_USUALLY), STYLE_HEADING, {0}},
					{STR("  "), STYLE_TEXT, {0}},
					{session_text(session, &code->usually), STYLE_TEXT, {0}}};

	if (pieces[2].text.size > 0)
		layout_flow(layout, &format, pieces, 3);
}

static void add_note(struct session *session, struct layout *layout, enum word word)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .style = STYLE_DIM};

	layout_prose(layout, &format, session_word(session, word));
}

/* Why there is nothing around the line. */
static void add_reading(struct session *session, struct layout *layout, const struct evidence *evidence)
{
	const struct diagnosis_pane *pane = &session->diagnosis;
	bool pipe = str_equal(pane->findings.diagnosis.inputs[evidence->input].name, STR("-"));

	if (pane->lines.known && !pane->lines.readable && pane->lines.input == evidence->input &&
	    pane->lines.offset == evidence->offset)
		add_note(session, layout, pipe ? WORD_PIPE_IS_READ : WORD_LOG_UNREADABLE);
}

static void add_details(struct session *session, struct layout *layout, const struct evidence *evidence)
{
	const struct diagnosis_row *row = diagnosis_row(session);
	const struct match *match = diagnosis_match(session);
	const struct code *code =
		row->kind == ROW_CODE ? session->diagnosis.findings.diagnosis.codes[row->index].code : NULL;

	if (match)
		add_values(session, layout, match);
	for (size_t i = 0; match && i < match->code_count && i < CODES_SHOWN; i++) {
		if (kb_code(session->kb, match->codes[i]))
			add_code(session, layout, kb_code(session->kb, match->codes[i]));
	}
	if (code) {
		add_code(session, layout, code);
		add_usually(session, layout, code);
	}
	if (row->kind == ROW_LIMIT)
		add_note(session, layout, WORD_LIMIT_NOTE);
	add_reading(session, layout, evidence);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	const struct evidence *evidence = diagnosis_evidence(session);
	struct log_place place = {canvas, area, 0};
	struct layout layout = {0};
	int rows;

	(void)focused;
	if (!evidence || area.rows < 1)
		return;
	place.gutter = digits_of(evidence->line + (uint64_t)area.rows) + 1 + MARK_COLUMNS;
	layout_clear(&layout, area.columns);
	add_details(session, &layout, evidence);
	rows = (int)layout.lines.count < area.rows / 2 ? (int)layout.lines.count : area.rows / 2;
	if (rows > 0) {
		place.area.rows -= rows + 1;
		layout_draw(&layout, canvas,
			    (struct rect){area.row + area.rows - rows, area.column, rows, area.columns}, 0,
			    (struct str){0});
	}
	draw_lines(session, &place, evidence);
	layout_release(&layout);
}

static void title(struct session *session, struct buf *out)
{
	const struct evidence *evidence = diagnosis_evidence(session);
	size_t count = diagnosis_evidence_count(session);

	if (!evidence)
		return;
	buf_add_format(out, "%.*s:%llu", STR_ARG(diagnosis_input_name(session, evidence->input)),
		       (unsigned long long)evidence->line);
	if (evidence->rank != FRAMING_NO_RANK)
		buf_add_format(out, " · rank %d", (int)evidence->rank);
	if (count > 1)
		buf_add_format(out, " · %zu/%zu", session->diagnosis.evidence + 1, count);
}

static void wheel(struct session *session, int rows)
{
	diagnosis_step(session, rows < 0);
}

const struct view_ops view_log = {.title = title, .draw = draw, .wheel = wheel};

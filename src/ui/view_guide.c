/* Guided fixing: one step a screen, the choice of a solution before, what was done at the end. */
#include "ui/view.h"

#include "core/applies.h"
#include "ui/document_parts.h"

enum { ROOMY_ROWS = 14 };

static const struct {
	const char *mark;
	enum style style;
	enum word name;
} looks[GUIDE_STATE_COUNT] = {
	[GUIDE_TODO] = {"·", STYLE_DIM, WORD_STEP_TODO},
	[GUIDE_DONE] = {"✓", STYLE_OK, WORD_STEP_DONE},
	[GUIDE_FAILED] = {"✗", STYLE_FAIL, WORD_STEP_FAILED},
	[GUIDE_SKIPPED] = {"–", STYLE_ABSENT, WORD_STEP_SKIPPED},
	[GUIDE_CONFIRMED] = {"✓", STYLE_OK, WORD_STEP_CONFIRMED},
};

static struct str word(const struct part *part, enum word id)
{
	return word_in(id, part->request->lang);
}

static void flow(struct part *part, int indent, const struct layout_piece *pieces, size_t count)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = indent, .hang = PART_INDENT};

	layout_flow(&part->document->layout, &format, pieces, count);
}

static void blank(struct part *part)
{
	layout_blank(&part->document->layout);
}

/* ---- The choice. -------------------------------------------------------------------------------------- */

static void add_solution_state(struct session *session, struct buf *out, size_t index)
{
	const struct guide *guide = &session->guide.guide;
	size_t finished = guide_finished(guide, index);

	if (finished > 0)
		word_add_numbers(out, WORD_STEPS_FINISHED, session->lang, finished,
				 guide->entry->solutions[index].step_count);
}

static void add_choice(struct session *session, struct part *part, size_t row)
{
	size_t index = session->guide.order[row];
	const struct solution *solution = &session->guide.guide.entry->solutions[index];
	bool not_here = applies_check(&solution->applies, session->facts) == APPLIES_NOT;
	bool selected = row == session->guide.choice.selected;
	struct buf number = {0}, state = {0}, reason = {0};
	struct layout_piece pieces[] = {
		{selected ? STR("▸ ") : STR("  "), STYLE_TITLE, {0}},
		{{0}, not_here ? STYLE_DIM : STYLE_HEADING, {0}},
		{session_text(session, &solution->title), not_here ? STYLE_DIM : STYLE_TEXT, {0}},
		{{0}, STYLE_OK, {0}},
		{{0}, STYLE_DIM, {0}}};

	buf_add_format(&number, "%zu  ", index + 1);
	pieces[1].text = buf_str(&number);
	if (solution->title.in[LANG_ZH].size + solution->title.in[LANG_EN].size == 0)
		pieces[2].text = word(part, WORD_SOLUTION);
	add_solution_state(session, &state, index);
	if (solution->recommended && !not_here)
		pieces[3].text = word(part, WORD_DOT_RECOMMENDED);
	pieces[4].text = buf_str(&state);
	flow(part, 0, pieces, 5);
	if (solution_destroys(solution)) {
		struct layout_piece danger[] = {{STR("! "), STYLE_WARN, {0}},
						{word(part, WORD_HAS_DANGER), STYLE_WARN, {0}}};

		flow(part, 5, danger, 2);
	}
	applies_say_here(&solution->applies, session->facts, session->lang, &reason);
	if (not_here)
		part_prose(part, 5, STYLE_WARN, buf_str(&reason));
	buf_release(&number);
	buf_release(&state);
	buf_release(&reason);
}

static void add_choices(struct session *session, struct part *part)
{
	part_prose(part, 0, STYLE_DIM, word(part, WORD_CHOOSE_SOLUTION));
	for (size_t row = 0; row < session->guide.choice.count; row++) {
		blank(part);
		/* The anchors are the first line of the selected choice and the line behind it. */
		if (row == session->guide.choice.selected)
			part_anchor(part);
		add_choice(session, part, row);
		if (row == session->guide.choice.selected)
			part_anchor(part);
	}
}

/* ---- A step. ------------------------------------------------------------------------------------------ */

/* "✓ 1  ✗ 2  [3]  · 4" */
static void add_progress(struct session *session, struct part *part)
{
	const struct guide *guide = &session->guide.guide;
	size_t count = guide_solution(guide)->step_count;
	VEC(struct layout_piece) pieces = {0};
	struct buf numbers = {0};

	buf_reserve(&numbers, 32 * count);
	for (size_t i = 0; i < count; i++) {
		enum guide_state state = guide_step_state(guide, i);
		size_t start = numbers.size;
		bool here = i == guide->step;

		buf_add_format(&numbers, here ? " [%zu]   " : " %zu   ", i + 1);
		vec_push(&pieces, (struct layout_piece){.text = str_of(looks[state].mark),
							.style = looks[state].style});
		vec_push(&pieces,
			 (struct layout_piece){.text = str_slice(buf_str(&numbers), start, numbers.size),
					       .style = here ? STYLE_TITLE : STYLE_DIM});
	}
	flow(part, 0, pieces.items, pieces.count);
	vec_release(&pieces);
	buf_release(&numbers);
}

static void add_solution_title(struct session *session, struct part *part)
{
	const struct guide *guide = &session->guide.guide;
	const struct solution *solution = guide_solution(guide);
	struct buf number = {0};
	struct layout_piece pieces[] = {{{0}, STYLE_DIM, {0}},
					{STR("  "), STYLE_TEXT, {0}},
					{session_text(session, &solution->title), STYLE_TEXT, {0}}};

	buf_add(&number, word(part, WORD_SOLUTION));
	if (guide->entry->solution_count > 1)
		buf_add_format(&number, " %zu", guide->solution + 1);
	pieces[0].text = buf_str(&number);
	flow(part, 0, pieces, 3);
	part_applies(part, 0, &solution->applies);
	buf_release(&number);
}

static void add_effect(struct part *part, const struct step *step)
{
	static const enum word effects[] = {[STEP_READ] = WORD_EFFECT_READ,
					    [STEP_SHELL] = WORD_EFFECT_SHELL,
					    [STEP_WRITE] = WORD_EFFECT_WRITE,
					    [STEP_DESTROY] = WORD_EFFECT_DESTROY};

	if (step->run.size > 0)
		part_prose(part, PART_INDENT, step->effect == STEP_DESTROY ? STYLE_WARN : STYLE_DIM,
			   word(part, effects[step->effect]));
	else if (step->file.size > 0)
		part_prose(part, PART_INDENT, STYLE_DIM, word(part, WORD_EFFECT_EDIT));
	else
		part_prose(part, PART_INDENT, STYLE_DIM, word(part, WORD_EFFECT_HAND));
}

/* What the probe says now; what it cannot see is said, too. */
static void add_check(struct session *session, struct part *part)
{
	const struct probe *probe = guide_check(session);
	const struct probe_run *run = guide_check_run(session);
	struct str mark;
	enum style style;
	enum word name;

	if (!probe || !run)
		return;
	part_heading(part, word(part, WORD_CHECK), session_text(session, &probe->title));
	probe_state_look(session, run, &mark, &style, &name);
	{
		struct layout_piece pieces[] = {
			{mark, style, {0}},
			{STR(" "), style, {0}},
			{session_word(session, name), style, {0}},
			{STR("  "), STYLE_TEXT, {0}},
			{session_text(session, &run->result.detail), STYLE_TEXT, {0}}};

		flow(part, PART_INDENT, pieces, run->state == RUN_DONE ? 5 : 3);
	}
	if (run->state == RUN_DONE && run->result.source.size > 0) {
		struct layout_piece read[] = {{word(part, WORD_READ_FROM), STYLE_DIM, {0}},
					      {STR("  "), STYLE_DIM, {0}},
					      {run->result.source, STYLE_DIM, {0}}};

		flow(part, 2 * PART_INDENT, read, 3);
	}
	if (guide_sees_other_shell_not(session) && run->state == RUN_DONE && run->result.state != PROBE_OK)
		part_prose(part, PART_INDENT, STYLE_WARN,
			   word(part, session->prompting ? WORD_OTHER_SHELL_PROMPT : WORD_OTHER_SHELL));
}

/* The state of the step in words, and what Enter does next. */
static void add_state(struct session *session, struct part *part)
{
	const struct guide *guide = &session->guide.guide;
	const struct step *step = guide_step(guide);
	enum guide_state state = guide_step_state(guide, guide->step);
	bool settled = state == GUIDE_DONE || state == GUIDE_CONFIRMED;
	enum word next = settled                ? WORD_NEXT_STEP
			 : step->run.size > 0   ? session->prompting ? WORD_NEXT_PROMPT : WORD_NEXT_COPY
			 : step->file.size > 0  ? WORD_NEXT_COPY_TEXT
			 : guide_check(session) ? WORD_NEXT_CHECK
						: WORD_NEXT_CONFIRM;
	struct layout_piece pieces[] = {{str_of(looks[state].mark), looks[state].style, {0}},
					{STR(" "), STYLE_TEXT, {0}},
					{word(part, looks[state].name), looks[state].style, {0}},
					{STR("  "), STYLE_TEXT, {0}},
					{word(part, next), STYLE_DIM, {0}}};

	blank(part);
	if (session->guide.checking)
		pieces[4].text = word(part, WORD_CHECKING);
	flow(part, 0, pieces, 5);
}

static void add_step(struct session *session, struct part *part)
{
	const struct guide *guide = &session->guide.guide;
	const struct step *step = guide_step(guide);
	struct buf title = {0};

	/* Where there is little room it is for the step itself. */
	if (session_area(session, VIEW_GUIDE).rows >= ROOMY_ROWS) {
		add_solution_title(session, part);
		blank(part);
	}
	add_progress(session, part);
	word_add_numbers(&title, WORD_STEP_OF, session->lang, guide->step + 1,
			 guide_solution(guide)->step_count);
	part_heading(part, buf_str(&title), (struct str){0});
	part_step(part, guide_solution(guide), guide->solution + 1, step);
	add_effect(part, step);
	add_check(session, part);
	add_state(session, part);
	buf_release(&title);
}

/* ---- The end. ----------------------------------------------------------------------------------------- */

static void add_end(struct session *session, struct part *part)
{
	const struct guide *guide = &session->guide.guide;
	const struct solution *solution = guide_solution(guide);

	add_solution_title(session, part);
	blank(part);
	part_prose(part, 0, STYLE_TEXT,
		   word(part, guide_finished(guide, guide->solution) == solution->step_count
				      ? WORD_ALL_STEPS
				      : WORD_SOME_STEPS));
	blank(part);
	for (size_t i = 0; i < solution->step_count; i++) {
		enum guide_state state = guide_step_state(guide, i);
		const struct step *step = &solution->steps[i];
		struct str say = session_text(session, &step->say);
		struct layout_piece pieces[] = {{str_of(looks[state].mark), looks[state].style, {0}},
						{STR(" "), STYLE_TEXT, {0}},
						{word(part, looks[state].name), looks[state].style, {0}},
						{STR("  "), STYLE_TEXT, {0}},
						{say.size > 0 ? say : step->run, STYLE_TEXT, {0}}};

		flow(part, 0, pieces, 5);
	}
	blank(part);
	part_prose(part, 0, STYLE_DIM,
		   word(part, guide->entry->solution_count > 1 ? WORD_END_OTHER : WORD_END_ONLY));
}

/* ---- The view. ---------------------------------------------------------------------------------------- */

void guide_make_document(struct session *session, int width)
{
	struct document *document = &session->guide.document;
	struct document_request request = {.kb = session->kb,
					   .facts = session->facts,
					   .entry = session->guide.guide.entry,
					   .width = width < READ_COLUMNS ? width : READ_COLUMNS,
					   .lang = session->lang};
	struct part part = {.document = document, .request = &request};

	layout_clear(&document->layout, request.width);
	vec_clear(&document->items);
	vec_clear(&document->anchors);
	if (!session->guide.guide.entry)
		return;
	if (!guide_solution(&session->guide.guide))
		add_choices(session, &part);
	else if (guide_step(&session->guide.guide))
		add_step(session, &part);
	else
		add_end(session, &part);
}

static size_t last_top(struct session *session, struct rect area)
{
	size_t lines = session->guide.document.layout.lines.count;
	size_t rows = area.rows > 1 ? (size_t)area.rows : 1;

	return lines > rows ? lines - rows : 0;
}

/* The chosen row stays in sight. */
static void clamp(struct session *session, struct rect area)
{
	struct guide_pane *pane = &session->guide;
	size_t rows = area.rows > 1 ? (size_t)area.rows : 1;
	bool choosing = !guide_solution(&pane->guide) && pane->document.anchors.count == 2;
	size_t first = choosing ? pane->document.anchors.items[0] : 0;
	size_t end = choosing ? pane->document.anchors.items[1] : 0;

	if (choosing && end > pane->top + rows)
		pane->top = end - rows;
	if (choosing && first < pane->top)
		pane->top = first;
	if (pane->top > last_top(session, area))
		pane->top = last_top(session, area);
}

static void move(struct session *session, enum list_move move_)
{
	struct rect area = session_area(session, VIEW_GUIDE);

	if (!guide_solution(&session->guide.guide))
		list_move(&session->guide.choice, move_);
	else
		session->guide.top = text_moved(session->guide.top, move_, area.rows);
	guide_make_document(session, area.columns);
	clamp(session, area);
}

static void wheel(struct session *session, int rows)
{
	for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
		move(session, rows < 0 ? LIST_UP : LIST_DOWN);
}

/* On the command: copies it. */
static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	const struct document_item *item = guide_item(session);
	size_t line = session->guide.top + (size_t)row;

	(void)area;
	(void)column;
	if (!twice && item && line >= item->first_line && line < item->first_line + item->line_count)
		copy_item_to(session, item, COPY_TO_CLIPBOARD);
}

static void title(struct session *session, struct buf *out)
{
	const struct entry *entry = session->guide.guide.entry;

	buf_add(out, session_word(session, WORD_GUIDE));
	if (entry)
		buf_add_format(out, "  %.*s  %.*s", STR_ARG(entry->id),
			       STR_ARG(session_text(session, &entry->title)));
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	(void)focused;
	guide_make_document(session, area.columns);
	clamp(session, area);
	layout_draw(&session->guide.document.layout, canvas, area, session->guide.top, (struct str){0});
}

const struct view_ops view_guide = {
	.title = title, .draw = draw, .move = move, .click = click, .wheel = wheel};

#include "ui/document_parts.h"

#include "base/utf8.h"
#include "core/applies.h"

static struct str word(const struct part *part, enum word id)
{
	return word_in(id, part->request->lang);
}

void document_add_origin(struct buf *out, const struct kb *kb, enum fact_source source, struct str origin,
			 enum lang lang)
{
	static const enum word from[] = {[FACT_DEFAULT] = WORD_FROM_DEFAULT,
					 [FACT_ENVIRONMENT] = WORD_FROM_ENVIRONMENT,
					 [FACT_PROBE] = WORD_FROM_PROBE,
					 [FACT_LOG] = WORD_FROM_LOG,
					 [FACT_USER] = WORD_FROM_USER};
	const struct probe *probe = source == FACT_PROBE ? kb_probe(kb, origin) : NULL;

	word_add_text(out, from[source], lang, probe ? text_in(&probe->title, lang) : origin);
}

/* Under a command: where each of its values comes from, and which are missing. */
static void add_provenance(struct part *part, const struct filled *filled, int indent, int32_t item)
{
	struct layout_format format = {.item = item, .indent = indent, .hang = PART_INDENT};
	enum lang lang = part->request->lang;

	for (size_t i = 0; i < filled->spans.count; i++) {
		const struct fill_span *span = &filled->spans.items[i];
		struct layout_piece pieces[] = {
			{span->placeholder->name, span->filled ? STYLE_DIM : STYLE_HOLE, {0}},
			{STR("  "), STYLE_DIM, {0}},
			{span->value, STYLE_VALUE, {0}},
			{STR("  "), STYLE_DIM, {0}},
			{{0}, STYLE_DIM, {0}}};
		struct buf text = {0};
		bool seen = false;

		for (size_t j = 0; j < i; j++)
			seen = seen || filled->spans.items[j].placeholder == span->placeholder;
		if (seen)
			continue;
		if (span->filled) {
			document_add_origin(&text, part->request->kb, span->source, span->origin, lang);
		} else if (span->problem == FILL_NO_VALUE) {
			buf_add(&text, word(part, WORD_HOLE));
			buf_add(&text, text_in(&span->placeholder->meaning, lang));
			pieces[2] = pieces[3];
			pieces[3].text.size = 0;
			pieces[1].text.size = 0;
		} else {
			fill_explain(span, lang, &text);
			pieces[4].style = STYLE_WARN;
		}
		pieces[4].text = buf_str(&text);
		layout_flow(&part->document->layout, &format, pieces, 5);
		buf_release(&text);
	}
}

/* A command with its values in their styles, as one item. */
static void add_command(struct part *part, struct str template, enum document_item_kind kind, int indent)
{
	struct layout_format format = {.indent = indent, .bar = true};
	VEC(struct layout_piece) pieces = {0};
	struct filled filled = {0};
	size_t at = 0;
	struct str text;

	fill_command(part->request->kb, template, part->request->facts, &filled);
	text = buf_str(&filled.text);
	for (size_t i = 0; i < filled.spans.count; i++) {
		const struct fill_span *span = &filled.spans.items[i];

		vec_push(&pieces,
			 (struct layout_piece){str_slice(text, at, span->start), STYLE_COMMAND, {0}});
		vec_push(&pieces, (struct layout_piece){str_slice(text, span->start, span->end),
							span->filled ? STYLE_VALUE : STYLE_HOLE,
							{0}});
		at = span->end;
	}
	vec_push(&pieces, (struct layout_piece){str_slice(text, at, text.size), STYLE_COMMAND, {0}});
	format.item = part_begin_item(part, kind);
	layout_verbatim(&part->document->layout, &format, pieces.items, pieces.count);
	part_end_item(part);
	add_provenance(part, &filled, indent + 2 * PART_INDENT, LAYOUT_NO_ITEM);
	filled_release(&filled);
	vec_release(&pieces);
}

static void add_link(struct part *part, const struct step *step, int indent)
{
	struct layout_format format = {.indent = indent, .hang = PART_INDENT};
	struct layout_piece pieces[] = {{STR("→ "), STYLE_DIM, {0}}, {step->link, STYLE_LINK, step->link}};

	format.item = part_begin_item(part, ITEM_LINK);
	layout_flow(&part->document->layout, &format, pieces, 2);
	part_end_item(part);
}

static void add_verify(struct part *part, const struct step *step, int indent)
{
	const struct probe *probe = kb_probe(part->request->kb, step->verify);
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = indent, .hang = PART_INDENT};
	struct layout_piece pieces[] = {{word(part, WORD_LATER_CHECK), STYLE_DIM, {0}},
					{{0}, STYLE_DIM, {0}}};

	if (!probe)
		return;
	pieces[1].text = text_in(&probe->title, part->request->lang);
	layout_flow(&part->document->layout, &format, pieces, 2);
}

static void add_step(struct part *part, const struct solution *solution, size_t solution_number,
		     const struct step *step, size_t number, bool verify)
{
	struct layout *layout = &part->document->layout;
	int indent = number > 0 ? PART_INDENT + 3 : PART_INDENT;
	size_t first_item = part->document->items.count;
	size_t first_line = layout->lines.count;
	struct str say = text_in(&step->say, part->request->lang);

	part_anchor(part);
	if (say.size > 0)
		part_prose(part, indent, STYLE_TEXT, say);
	if (step->effect == STEP_DESTROY && (step->run.size > 0 || step->file.size > 0)) {
		struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = indent, .hang = PART_INDENT};
		struct layout_piece pieces[] = {{STR("! "), STYLE_FAIL, {0}},
						{word(part, WORD_DESTROYS), STYLE_FAIL, {0}}};

		layout_flow(&part->document->layout, &format, pieces, 2);
	}
	if (step->run.size > 0)
		add_command(part, step->run, ITEM_COMMAND, indent);
	if (step->file.size > 0)
		part_prose(part, indent, STYLE_COMMAND, step->file);
	if (step->text.size > 0)
		add_command(part, step->text, ITEM_FILE, indent);
	if (step->link.size > 0)
		add_link(part, step, indent);
	if (verify)
		add_verify(part, step, indent);
	if (first_line < layout->lines.count)
		layout->lines.items[first_line].number = (uint16_t)number;
	for (size_t i = first_item; i < part->document->items.count; i++) {
		part->document->items.items[i].solution = solution;
		part->document->items.items[i].solution_number = solution_number;
		part->document->items.items[i].step = step;
	}
}

void part_step(struct part *part, const struct solution *solution, size_t number, const struct step *step)
{
	add_step(part, solution, number, step, 0, false);
}

/* What does not hold on this machine is there to read, but recedes; what warns stays as it is. */
static void grey_from(struct layout *layout, size_t first_run)
{
	for (size_t i = first_run; i < layout->runs.count; i++) {
		struct layout_run *run = &layout->runs.items[i];

		if (run->style != STYLE_WARN && run->style != STYLE_FAIL)
			run->style = STYLE_DIM;
	}
}

static void add_solution(struct part *part, const struct entry *entry, size_t index)
{
	const struct solution *solution = &entry->solutions[index];
	size_t first_run = part->document->layout.runs.count;
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = PART_INDENT};
	bool reference = entry->kind == ENTRY_REFERENCE;
	struct buf title = {0};
	struct layout_piece pieces[] = {{{0}, STYLE_HEADING, {0}},
					{STR(" · "), STYLE_DIM, {0}},
					{word(part, WORD_RECOMMENDED), STYLE_OK, {0}},
					{STR("  "), STYLE_TEXT, {0}},
					{text_in(&solution->title, part->request->lang), STYLE_TEXT, {0}}};

	if (reference && pieces[4].text.size > 0) {
		pieces[0].text = pieces[4].text;
		pieces[4].text.size = pieces[3].text.size = 0;
	} else {
		buf_add(&title, word(part, reference ? WORD_STEPS : WORD_SOLUTION));
		if (entry->solution_count > 1)
			buf_add_format(&title, " %zu", index + 1);
		pieces[0].text = buf_str(&title);
	}
	if (!solution->recommended || entry->solution_count < 2)
		pieces[1].text.size = pieces[2].text.size = 0;
	layout_blank(&part->document->layout);
	part_anchor(part);
	layout_flow(&part->document->layout, &format, pieces, 5);
	part_applies(part, PART_INDENT, &solution->applies);
	for (size_t i = 0; i < solution->step_count; i++) {
		if (i > 0 && solution->step_count > 1)
			layout_blank(&part->document->layout);
		add_step(part, solution, index + 1, &solution->steps[i], solution->step_count > 1 ? i + 1 : 0,
			 true);
	}
	if (applies_check(&solution->applies, part->request->facts) == APPLIES_NOT)
		grey_from(&part->document->layout, first_run);
	buf_release(&title);
}

void part_solutions(struct part *part, const struct entry *entry)
{
	size_t *order = alloc_zeroed(entry->solution_count + 1, sizeof(*order));

	applies_order(entry, part->request->facts, order);
	for (size_t i = 0; i < entry->solution_count; i++)
		add_solution(part, entry, order[i]);
	free(order);
}

/* Each line of `text` as a comment. */
static void add_comment(struct buf *out, struct str text)
{
	struct str rest = str_trim(text), line;

	while (str_next(&rest, '\n', &line)) {
		buf_add(out, STR("# "));
		/* What is made printable cannot end the comment or hide a command in it. */
		utf8_add_printable(out, str_trim(line), false);
		buf_add_byte(out, '\n');
	}
}

static void add_step_to_script(const struct document_request *request, const struct step *step,
			       struct buf *out, size_t *holes)
{
	struct filled filled = {0};
	struct buf line = {0};

	add_comment(out, text_in(&step->say, request->lang));
	if (step->run.size > 0) {
		fill_command(request->kb, step->run, request->facts, &filled);
		*holes += filled.holes;
		buf_add(out, buf_str(&filled.text));
		if (!str_ends(buf_str(out), STR("\n")))
			buf_add_byte(out, '\n');
	} else if (step->file.size > 0) {
		word_add_text(&line, WORD_SCRIPT_EDIT, request->lang, step->file);
		add_comment(out, buf_str(&line));
		add_comment(out, step->text);
	} else if (step->link.size > 0) {
		word_add_text(&line, WORD_SCRIPT_LINK, request->lang, step->link);
		add_comment(out, buf_str(&line));
	}
	buf_release(&line);
	filled_release(&filled);
}

void document_script(const struct document_request *request, const struct solution *solution, size_t number,
		     struct buf *out, size_t *holes)
{
	struct buf line = {0};

	*holes = 0;
	buf_add_format(&line, "%.*s  %.*s", STR_ARG(request->entry->id),
		       STR_ARG(text_in(&request->entry->title, request->lang)));
	add_comment(out, buf_str(&line));
	buf_clear(&line);
	buf_add(&line, word_in(WORD_SOLUTION, request->lang));
	if (request->entry->solution_count > 1)
		buf_add_format(&line, " %zu", number);
	buf_add_format(&line, "  %.*s", STR_ARG(text_in(&solution->title, request->lang)));
	add_comment(out, buf_str(&line));
	for (size_t i = 0; i < solution->step_count; i++) {
		buf_add_byte(out, '\n');
		add_step_to_script(request, &solution->steps[i], out, holes);
	}
	buf_release(&line);
}

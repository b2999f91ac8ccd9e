#include "ui/document.h"

#include "core/applies.h"
#include "ui/document_parts.h"
#include "ui/words.h"

void document_release(struct document *document)
{
	layout_release(&document->layout);
	vec_release(&document->items);
	vec_release(&document->anchors);
	*document = (struct document){0};
}

bool document_is_current(const struct document *document, const struct document_request *request)
{
	return document->made && document->entry == request->entry && document->code == request->code &&
	       document->width == request->width && document->lang == request->lang &&
	       document->errors_shown == request->errors_shown &&
	       document->facts_generation == facts_generation(request->facts);
}

/* The first line of an anchor; the one behind the last is the end. */
static size_t anchor_line(const struct document *document, size_t index)
{
	return index < document->anchors.count ? document->anchors.items[index]
					       : document->layout.lines.count;
}

size_t document_same_place(const struct document *from, size_t top, const struct document *to)
{
	size_t index = 0;
	size_t start, size, new_start, new_size;

	if (from->anchors.count != to->anchors.count)
		return top;
	while (index < from->anchors.count && from->anchors.items[index] <= top)
		index++;
	start = index > 0 ? anchor_line(from, index - 1) : 0;
	size = anchor_line(from, index) - start;
	new_start = index > 0 ? anchor_line(to, index - 1) : 0;
	new_size = anchor_line(to, index) - new_start;
	return new_start + (size > 0 ? (top - start) * new_size / size : 0);
}

/* Parts that entries and codes share. */

static struct str word(const struct part *part, enum word id)
{
	return word_in(id, part->request->lang);
}

void part_anchor(struct part *part)
{
	vec_push(&part->document->anchors, part->document->layout.lines.count);
}

void part_heading(struct part *part, struct str title, struct str more)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = 2};
	struct layout_piece pieces[] = {
		{title, STYLE_HEADING, {0}}, {STR("  "), STYLE_TEXT, {0}}, {more, STYLE_DIM, {0}}};

	if (part->document->layout.lines.count > 0)
		layout_blank(&part->document->layout);
	part_anchor(part);
	layout_flow(&part->document->layout, &format, pieces, more.size > 0 ? 3 : 1);
}

void part_prose(struct part *part, int indent, enum style style, struct str text)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = indent, .style = style};

	layout_prose(&part->document->layout, &format, text);
}

static void add_text(struct part *part, enum word title, const struct text *text)
{
	struct str shown = text_in(text, part->request->lang);

	if (shown.size == 0)
		return;
	part_heading(part, word(part, title), (struct str){0});
	part_prose(part, PART_INDENT, STYLE_TEXT, shown);
}

int32_t part_begin_item(struct part *part, enum document_item_kind kind)
{
	struct document *document = part->document;

	part_anchor(part);
	vec_push(&document->items,
		 (struct document_item){.kind = kind, .first_line = document->layout.lines.count});
	return (int32_t)document->items.count - 1;
}

struct document_item *part_end_item(struct part *part)
{
	struct document_item *item = &part->document->items.items[part->document->items.count - 1];

	item->line_count = part->document->layout.lines.count - item->first_line;
	return item;
}

/* "Source  FAQ 1.6" */
static void add_field(struct part *part, enum word name, struct str value)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = PART_INDENT};
	struct layout_piece pieces[] = {
		{word(part, name), STYLE_DIM, {0}}, {STR("  "), STYLE_DIM, {0}}, {value, STYLE_DIM, {0}}};

	if (value.size > 0)
		layout_flow(&part->document->layout, &format, pieces, 3);
}

/* The line at the top: the codes that this entry is known by. */
static void add_code_names(struct part *part, const struct entry *entry)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	VEC(struct layout_piece) pieces = {0};

	for (size_t i = 0; i < entry->codes.count; i++) {
		if (i > 0)
			vec_push(&pieces, (struct layout_piece){.text = STR("   "), .style = STYLE_TEXT});
		vec_push(&pieces,
			 (struct layout_piece){.text = entry->codes.items[i], .style = STYLE_CODE_NAME});
	}
	if (pieces.count > 0)
		layout_flow(&part->document->layout, &format, pieces.items, pieces.count);
	vec_release(&pieces);
}

void part_applies(struct part *part, int indent, const struct applies *applies)
{
	const struct facts *facts = part->request->facts;
	bool not_here = applies_check(applies, facts) == APPLIES_NOT;
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = indent, .hang = PART_INDENT};
	struct layout_piece pieces[] = {{word(part, WORD_APPLIES), STYLE_DIM, {0}},
					{STR(" "), STYLE_DIM, {0}},
					{{0}, STYLE_DIM, {0}}};
	struct layout_piece here[] = {
		{not_here ? STR("! ") : STR("✓ "), not_here ? STYLE_WARN : STYLE_OK, {0}},
		{{0}, not_here ? STYLE_WARN : STYLE_DIM, {0}}};
	struct buf text = {0};

	if (!applies_is_limited(applies))
		return;
	applies_say_condition(applies, part->request->lang, &text);
	pieces[2].text = buf_str(&text);
	layout_flow(&part->document->layout, &format, pieces, 3);
	buf_clear(&text);
	applies_say_here(applies, facts, part->request->lang, &text);
	here[1].text = buf_str(&text);
	if (text.size > 0)
		layout_flow(&part->document->layout, &format, here, 2);
	buf_release(&text);
}

static void add_correction(struct part *part, const struct entry *entry)
{
	struct layout *layout = &part->document->layout;
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	struct str text = text_in(&entry->correction, part->request->lang);
	struct layout_piece pieces[] = {{STR("! "), STYLE_WARN, {0}},
					{word(part, WORD_CORRECTION), STYLE_WARN, {0}}};

	if (text.size == 0)
		return;
	layout_blank(layout);
	layout_flow(layout, &format, pieces, 2);
	part_prose(part, PART_INDENT, STYLE_TEXT, text);
	if (entry->correction_source.size > 0)
		part_prose(part, PART_INDENT, STYLE_DIM, entry->correction_source);
}

/* The commands come first; that something about the text was put right must be known before they are used. */
static void point_to_correction(struct part *part, const struct entry *entry)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	struct layout_piece pieces[] = {{STR("! "), STYLE_WARN, {0}},
					{word(part, WORD_CORRECTION_BELOW), STYLE_DIM, {0}}};

	if (text_in(&entry->correction, part->request->lang).size == 0)
		return;
	layout_blank(&part->document->layout);
	layout_flow(&part->document->layout, &format, pieces, 2);
}

static void add_error(struct part *part, const struct sample *sample)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = PART_INDENT};
	struct layout_piece piece = {.text = sample->text, .style = STYLE_ERROR_TEXT};
	struct str note = text_in(&sample->note, part->request->lang);

	if (note.size > 0)
		part_prose(part, PART_INDENT, STYLE_DIM, note);
	layout_verbatim(&part->document->layout, &format, &piece, 1);
}

static void add_errors(struct part *part, const struct entry *entry)
{
	struct document *document = part->document;
	struct buf title = {0};

	document->errors_line = SIZE_MAX;
	if (entry->error_count == 0)
		return;
	buf_add_format(&title, "%s %.*s", part->request->errors_shown ? "▾" : "▸",
		       STR_ARG(word(part, WORD_ERROR_SAMPLES)));
	if (entry->error_count > 1)
		buf_add_format(&title, " %zu", entry->error_count);
	part_heading(part, buf_str(&title),
		     part->request->errors_shown ? (struct str){0} : word(part, WORD_SHOW_ERRORS));
	document->errors_line = document->layout.lines.count - 1;
	for (size_t i = 0; part->request->errors_shown && i < entry->error_count; i++) {
		if (i > 0)
			layout_blank(&document->layout);
		add_error(part, &entry->errors[i]);
	}
	buf_release(&title);
}

static void add_codes(struct part *part, const struct entry *entry)
{
	if (entry->codes.count == 0)
		return;
	part_heading(part, word(part, WORD_CODES), (struct str){0});
	for (size_t i = 0; i < entry->codes.count; i++) {
		const struct code *code = kb_code(part->request->kb, entry->codes.items[i]);
		struct layout_format format = {.indent = PART_INDENT, .hang = PART_INDENT};
		struct layout_piece pieces[] = {{entry->codes.items[i], STYLE_CODE_NAME, {0}},
						{STR("  "), STYLE_TEXT, {0}},
						{(struct str){0}, STYLE_TEXT, {0}}};

		if (code)
			pieces[2].text = text_in(&code->means, part->request->lang);
		if (code && pieces[2].text.size == 0)
			pieces[2].text = code->name;
		format.item = part_begin_item(part, ITEM_CODE);
		layout_flow(&part->document->layout, &format, pieces, code ? 3 : 1);
		part_end_item(part)->target = entry->codes.items[i];
	}
}

void part_see(struct part *part, const struct str_list *ids, enum word title)
{
	bool first = true;

	for (size_t i = 0; i < ids->count; i++) {
		const struct entry *other = kb_entry(part->request->kb, ids->items[i]);
		struct layout_format format = {.indent = PART_INDENT, .hang = 2 * PART_INDENT};
		struct layout_piece pieces[] = {{STR("→ "), STYLE_DIM, {0}},
						{ids->items[i], STYLE_ENTRY_ID, {0}},
						{STR("  "), STYLE_TEXT, {0}},
						{(struct str){0}, STYLE_TEXT, {0}}};

		if (!other)
			continue;
		if (first)
			part_heading(part, word(part, title), (struct str){0});
		first = false;
		pieces[3].text = text_in(&other->title, part->request->lang);
		format.item = part_begin_item(part, ITEM_SEE);
		layout_flow(&part->document->layout, &format, pieces, 4);
		part_end_item(part)->target = other->id;
	}
}

static void make_entry(struct part *part, const struct entry *entry)
{
	add_code_names(part, entry);
	part_applies(part, 0, &entry->applies);
	add_text(part, WORD_PROBLEM, &entry->problem);
	add_text(part, WORD_CAUSE, &entry->cause);
	add_text(part, WORD_BACKGROUND, &entry->background);
	point_to_correction(part, entry);
	add_errors(part, entry);
	part_solutions(part, entry);
	add_correction(part, entry);
	add_text(part, WORD_NOTE, &entry->note);
	add_codes(part, entry);
	part_see(part, &entry->see, WORD_SEE_ALSO);
	layout_blank(&part->document->layout);
	add_field(part, WORD_SOURCE, entry->source);
	if (entry->origin == ORIGIN_SITE)
		add_field(part, WORD_PACK, entry->pack);
}

static void make_code(struct part *part, const struct code *code)
{
	struct layout *layout = &part->document->layout;
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .hang = PART_INDENT};
	struct str gap = code->name.size > 0 ? STR("  ") : (struct str){0};
	struct layout_piece pieces[] = {{code->code, STYLE_CODE_NAME, {0}},
					{gap, STYLE_TEXT, {0}},
					{code->name, STYLE_TEXT, {0}},
					{STR("  "), STYLE_TEXT, {0}},
					{code->namespace, STYLE_DIM, {0}}};
	struct buf aliases = {0};

	part->document->errors_line = SIZE_MAX;
	layout_flow(layout, &format, pieces, 5);
	if (code->wrapper)
		part_prose(part, 0, STYLE_WARN, word(part, WORD_CODE_WRAPPER));
	layout_blank(layout);
	part_prose(part, 0, STYLE_TEXT, text_in(&code->means, part->request->lang));
	if (code->tier >= 3)
		part_prose(part, 0, STYLE_DIM, word(part, WORD_CODE_INFERRED));
	add_text(part, WORD_USUALLY, &code->usually);
	for (size_t i = 0; i < code->aliases.count; i++)
		buf_add_format(&aliases, "%s%.*s", i ? "  " : "", STR_ARG(code->aliases.items[i]));
	if (aliases.size > 0) {
		part_heading(part, word(part, WORD_ALSO_PRINTED_AS), (struct str){0});
		part_prose(part, PART_INDENT, STYLE_CODE_NAME, buf_str(&aliases));
	}
	part_see(part, &code->entries, WORD_SEE_ALSO);
	layout_blank(layout);
	add_field(part, WORD_SOURCE, code->source);
	buf_release(&aliases);
}

void document_make(struct document *document, const struct document_request *request)
{
	struct part part = {.document = document, .request = request};

	document->entry = request->entry;
	document->code = request->code;
	document->width = request->width;
	document->lang = request->lang;
	document->errors_shown = request->errors_shown;
	document->facts_generation = facts_generation(request->facts);
	document->made = true;
	document->errors_line = SIZE_MAX;
	layout_clear(&document->layout, request->width);
	vec_clear(&document->items);
	vec_clear(&document->anchors);
	if (request->entry)
		make_entry(&part, request->entry);
	else if (request->code)
		make_code(&part, request->code);
}

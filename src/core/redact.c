#include "core/redact.h"

#include "core/clean.h"
#include "core/redact_private.h"

#include <string.h>

/* A line without end is given out in parts; so many bytes stay behind, and so many are looked at again. */
enum { LINE_KEEP = 64 * 1024, LINE_CONTEXT = 4096 };

struct redact *redact_new(const struct kb *kb)
{
	struct redact *redact = alloc_zeroed(1, sizeof(*redact));

	redact->names = redact_names_new();
	redact->path_rule = RULE_REPEATED; /* when there is no rule for paths */
	redact_compile(redact, kb);
	redact_words_reset(redact);
	return redact;
}

void redact_free(struct redact *redact)
{
	if (!redact)
		return;
	redact_rules_release(redact);
	redact_names_free(redact->names);
	vec_release(&redact->literals.list);
	vec_release(&redact->words);
	free(redact->word_slots);
	redact_set_release(&redact->people);
	vec_release(&redact->spans.list);
	buf_release(&redact->held);
	arena_release(&redact->arena);
	free(redact->utf16);
	free(redact);
}

void redact_reset(struct redact *redact)
{
	/* Learned texts stay in the arena until the end; words that outlive the reset stand there, too. */
	redact_words_reset(redact);
	for (size_t i = 0; i < redact->rules.count; i++)
		redact->rules.items[i].count = 0;
	redact_names_reset(redact->names);
	buf_clear(&redact->held);
	redact->context = 0;
	redact->started = redact->in_key = redact->has_fresh = redact->lost_colours = false;
	free(redact->utf16);
	redact->utf16 = NULL;
}

void redact_know(struct redact *redact, enum redact_kind kind, struct str value)
{
	size_t before = redact->words.count;

	redact_learn(redact, kind, value, RULE_MACHINE);
	/* A public word is no word to look for; that somebody here is called so counts where a rule asks. */
	if (redact->words.count == before && value.size)
		redact_set_add(&redact->people, arena_copy(&redact->arena, value));
	redact->word_base = redact->words.count;
}

void redact_hide(struct redact *redact, struct str word)
{
	if (word.size < WORD_SIZE_MIN || word.size > WORD_SIZE_MAX)
		return;
	redact_add_word(redact, (struct redact_word){.text = word,
						     .kind = REDACT_WORD,
						     .fit = WORD_ANYWHERE,
						     .alias = REDACT_NONE,
						     .rule = RULE_GIVEN});
	redact->word_base = redact->words.count;
}

/* Putting the spans in order */

static int compare_spans(const void *left, const void *right)
{
	const struct redact_span *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to > b->to ? -1 : 1;
	if (a->given != b->given)
		return a->given ? -1 : 1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	return (a->alias > b->alias) - (a->alias < b->alias);
}

/*
 * Drop what a KEEP holds, and cut spans around names that stand there and around each other. What is left is
 * in order and does not overlap.
 */
static void settle(struct redact_spans *spans, struct redact_spans *pieces)
{
	struct redact_spans holds = {0};
	size_t first = 0, done = 0;

	if (spans->list.count)
		qsort(spans->list.items, spans->list.count, sizeof(*spans->list.items), compare_spans);
	for (size_t i = 0; i < spans->list.count; i++) {
		if (spans->list.items[i].what != SPAN_HIDE)
			vec_push(&holds.list, spans->list.items[i]);
	}
	for (size_t i = 0; i < spans->list.count; i++) {
		struct redact_span span = spans->list.items[i];
		bool kept = false;

		if (span.what != SPAN_HIDE || span.to <= done)
			continue;
		while (first < holds.list.count && holds.list.items[first].to <= span.from)
			first++;
		for (size_t j = first; j < holds.list.count && holds.list.items[j].from < span.to; j++) {
			const struct redact_span *hold = &holds.list.items[j];

			if (hold->what == SPAN_KEEP)
				kept = kept ||
				       (!span.given && hold->from <= span.from && hold->to >= span.to);
		}
		if (kept)
			continue;
		if (span.from < done)
			span.from = done;
		for (size_t j = first; j < holds.list.count && holds.list.items[j].from < span.to; j++) {
			const struct redact_span *hold = &holds.list.items[j];
			struct redact_span before = span;

			if (hold->what != SPAN_NAME || hold->to <= span.from)
				continue;
			before.to = hold->from;
			if (before.to > before.from)
				vec_push(&pieces->list, before);
			span.from = hold->to;
		}
		if (span.to > span.from)
			vec_push(&pieces->list, span);
		done = span.to > done ? span.to : done;
	}
	vec_release(&holds.list);
}

/* Writing */

static void write_piece(struct redact *redact, const struct redact_span *piece, struct str view,
			struct str raw, struct buf *out)
{
	struct str value = piece->alias == REDACT_NONE ? str_slice(view, piece->from, piece->to)
						       : redact->words.items[piece->alias].text;
	size_t index = redact_names_take(redact->names, piece->kind, value);
	size_t from = out->size;

	redact->rules.items[piece->rule].count++;
	if (index == SIZE_MAX) {
		buf_add_format(out, "<%s>", redact_kind_name(piece->kind));
	} else {
		struct redact_name *name = redact_names_at(redact->names, index);

		name->count++;
		buf_add(out, name->shown ? raw : name->name);
	}
	if (redact->marks)
		vec_push(&redact->marks->list, (struct redact_mark){from, out->size, index});
}

/* Bytes [from, to) of `raw`, pieces replaced; offsets of pieces are those of the view. */
static void write_range(struct redact *redact, const struct redact_spans *pieces,
			const struct redact_map *map, struct str view, struct str raw, size_t from, size_t to,
			struct buf *out)
{
	for (size_t i = 0; i < pieces->list.count; i++) {
		const struct redact_span *piece = &pieces->list.items[i];
		size_t start = redact_map_raw(map, piece->from);
		size_t end = redact_map_raw(map, piece->to - 1) + 1;

		if (end <= from)
			continue;
		if (start >= to)
			break;
		start = start < from ? from : start;
		buf_add(out, str_slice(raw, from, start));
		write_piece(redact, piece, view, str_slice(raw, start, end), out);
		from = end;
	}
	if (from < to)
		buf_add(out, str_slice(raw, from, to));
}

/* Where a line without end may be cut: not in a piece, if that can be helped. */
static size_t cut_of(const struct redact *redact, const struct redact_spans *pieces,
		     const struct redact_map *map, struct str raw)
{
	size_t cut = raw.size - LINE_KEEP;

	while (cut > redact->context && raw.size - cut < 2 * LINE_KEEP && !strchr(" \t,;", raw.data[cut]))
		cut--;
	for (size_t i = 0; i < pieces->list.count; i++) {
		size_t start = redact_map_raw(map, pieces->list.items[i].from);
		size_t end = redact_map_raw(map, pieces->list.items[i].to - 1) + 1;

		if (start < cut && end > cut)
			cut = start;
	}
	return cut > redact->context ? cut : raw.size - LINE_KEEP;
}

/* All spans of the text; words that it gives away are looked for in all of it. */
static void find(struct redact *redact, struct str view)
{
	vec_clear(&redact->spans.list);
	redact->has_fresh = false;
	memset(&redact->fresh, 0, sizeof(redact->fresh));
	redact_key_lines(redact, view);
	redact_scan(redact, view);
	if (redact->has_fresh)
		redact_scan_fresh(redact, view);
}

/* Find and write what is held, up to `size`; `whole`: it ends with a line, or is all that there is. */
static void process(struct redact *redact, size_t size, bool whole, struct buf *out)
{
	struct str raw = str_slice(buf_str(&redact->held), 0, size);
	struct redact_map map = {0};
	struct redact_spans pieces = {0};
	struct buf copy = {0};
	struct str view = raw;
	size_t cut, context;

	for (bool again = true; again;) {
		bool colours = redact->lost_colours, in_key = redact->in_key;

		buf_clear(&copy);
		vec_clear(&map.parts);
		view = redact_view(raw, colours, &copy, &map) ? buf_str(&copy) : raw;
		find(redact, view);
		again = redact->lost_colours && !colours;
		if (again)
			redact->in_key = in_key;
	}
	settle(&redact->spans, &pieces);
	cut = whole ? size : cut_of(redact, &pieces, &map, raw);
	write_range(redact, &pieces, &map, view, raw, redact->context, cut, out);
	context = whole ? 0 : cut < LINE_CONTEXT ? cut : LINE_CONTEXT;
	buf_remove(&redact->held, 0, cut - context);
	redact->context = context;
	buf_release(&copy);
	vec_release(&map.parts);
	vec_release(&pieces.list);
}

/* Up to the last whole line; at `all`, everything. */
static void process_held(struct redact *redact, bool all, struct buf *out)
{
	size_t size = redact->held.size;
	const char *end = size ? memrchr(redact->held.data, '\n', size) : NULL;

	if (all) {
		if (size > redact->context)
			process(redact, size, true, out);
	} else if (end && (size_t)(end - redact->held.data) >= redact->context) {
		process(redact, (size_t)(end - redact->held.data) + 1, true, out);
	} else if (size >= REDACT_WINDOW) {
		process(redact, size, false, out);
	}
}

/* Feeding */

static void add_held(struct redact *redact, const char *bytes, size_t size, struct buf *out)
{
	while (size) {
		size_t room = REDACT_WINDOW - redact->held.size;
		size_t part = size < room ? size : room;

		buf_add_bytes(&redact->held, bytes, part);
		bytes += part;
		size -= part;
		if (redact->held.size >= REDACT_WINDOW)
			process_held(redact, false, out);
	}
}

static void add_utf16(struct redact *redact, const char *bytes, size_t size, struct buf *out)
{
	struct buf text = {0};

	clean_utf16_add(redact->utf16, &text, bytes, size);
	add_held(redact, text.data, text.size, out);
	buf_release(&text);
}

/* The first two bytes decide; they wait in `held` until both are there. */
static void start(struct redact *redact, const char **bytes, size_t *size)
{
	while (redact->held.size < 2 && *size) {
		buf_add_byte(&redact->held, **bytes);
		++*bytes;
		--*size;
	}
	if (redact->held.size < 2)
		return;
	redact->started = true;
	if (memcmp(redact->held.data, "\xFF\xFE", 2) == 0 || memcmp(redact->held.data, "\xFE\xFF", 2) == 0) {
		redact->utf16 = alloc_zeroed(1, sizeof(*redact->utf16));
		redact->utf16->big_endian = redact->held.data[0] == '\xFE';
		buf_clear(&redact->held);
	}
}

void redact_feed(struct redact *redact, const char *bytes, size_t size, struct buf *out)
{
	if (!redact->started)
		start(redact, &bytes, &size);
	if (redact->utf16)
		add_utf16(redact, bytes, size, out);
	else if (size)
		add_held(redact, bytes, size, out);
}

void redact_flush(struct redact *redact, struct buf *out)
{
	process_held(redact, false, out);
}

void redact_finish(struct redact *redact, struct buf *out)
{
	struct buf text = {0};

	if (redact->utf16) {
		clean_utf16_finish(redact->utf16, &text);
		add_held(redact, text.data, text.size, out);
		buf_release(&text);
	}
	process_held(redact, true, out);
	redact->started = redact->in_key = false;
	free(redact->utf16);
	redact->utf16 = NULL;
}

void redact_text(struct redact *redact, struct str text, struct buf *out, struct redact_marks *marks)
{
	redact->marks = marks;
	redact_feed(redact, text.data, text.size, out);
	redact_finish(redact, out);
	redact->marks = NULL;
}

/* What was done */

size_t redact_name_count(const struct redact *redact)
{
	return redact_names_count(redact->names);
}

const struct redact_name *redact_name_at(const struct redact *redact, size_t index)
{
	return redact_names_at(redact->names, index);
}

void redact_show(struct redact *redact, struct str name, bool shown)
{
	for (size_t i = 0; i < redact_names_count(redact->names); i++) {
		if (str_equal(redact_names_at(redact->names, i)->name, name))
			redact_names_at(redact->names, i)->shown = shown;
	}
}

size_t redact_count_count(const struct redact *redact)
{
	return redact->rules.count;
}

struct redact_count redact_count_at(const struct redact *redact, size_t index)
{
	static const char *const words[RULE_FIRST] = {"machine", "repeated", "given"};
	const struct redact_rule *rule = &redact->rules.items[index];

	return (struct redact_count){index < RULE_FIRST ? str_of(words[index]) : rule->redaction->id,
				     rule->count};
}

#include "core/search_index.h"

#include "core/search_words.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64 * 1024 }; /* bytes of vocabulary that are looked at before the work is counted */

enum edge { EDGE_NONE, EDGE_START, EDGE_WHOLE, EDGE_COUNT };

static const uint16_t edge_scores[EDGE_COUNT] = {SEARCH_EDGE_NONE, SEARCH_EDGE_START, SEARCH_EDGE_WHOLE};

static const uint16_t field_weights[SEARCH_FIELD_COUNT] = {
	[SEARCH_ID] = SEARCH_WEIGHT_ID,
	[SEARCH_CODE] = SEARCH_WEIGHT_CODE,
	[SEARCH_TITLE] = SEARCH_WEIGHT_TITLE,
	[SEARCH_ALIAS] = SEARCH_WEIGHT_ALIAS,
	[SEARCH_ERROR] = SEARCH_WEIGHT_ERROR,
	[SEARCH_PROBLEM] = SEARCH_WEIGHT_PROBLEM,
	[SEARCH_CAUSE] = SEARCH_WEIGHT_CAUSE,
	[SEARCH_COMMAND] = SEARCH_WEIGHT_COMMAND,
	[SEARCH_SOLUTION] = SEARCH_WEIGHT_SOLUTION,
	[SEARCH_NOTE] = SEARCH_WEIGHT_NOTE,
	[SEARCH_SECTION] = SEARCH_WEIGHT_SECTION,
};

_Static_assert(SEARCH_FIELD_COUNT <= 1 << SEARCH_VALUE_FIELD_BITS,
	       "a field fits beside an entry and a score");
_Static_assert(SEARCH_EDGE_WHOLE < SEARCH_FIELD_STEP, "edges decide within a field only");
_Static_assert((SEARCH_WEIGHT_ID + SEARCH_EDGE_WHOLE) << SEARCH_VALUE_FIELD_BITS <= UINT16_MAX, "values fit");

/* All places of a needle in a part of the vocabulary, in order. */
struct scan {
	const char *at, *end;
	struct str needle;
	size_t rarest; /* offset of its rarest byte, the one to look for */
	size_t stops;  /* how often a closer look was taken */
};

/* From `from` on, as far as one window goes; *next is where the next one begins. No needle spans chunks. */
static struct scan scan_start(const struct search_index *index, struct str needle, size_t from, size_t *next)
{
	struct scan scan = {.at = index->vocabulary.data + from, .needle = needle};

	*next = index->vocabulary.size;
	if (*next - from > WINDOW)
		*next = index->chunk_starts.items[search_chunk_at(index, from + WINDOW)];
	if (*next <= from) /* a chunk that is longer than a window */
		*next = index->chunk_starts.items[search_chunk_at(index, from) + 1];
	scan.end = index->vocabulary.data + *next;
	for (size_t i = 1; i < needle.size; i++) {
		if (index->byte_counts[(unsigned char)needle.data[i]] <
		    index->byte_counts[(unsigned char)needle.data[scan.rarest]])
			scan.rarest = i;
	}
	return scan;
}

/* One letter is looked for at the starts of words only: inside words it says nothing, and is everywhere. */
static const char *scan_next_start(struct scan *scan)
{
	const char *at = scan->at;

	/* The vocabulary begins with a line end, which is no hit: there is always a byte before one. */
	while (at < scan->end && (at = memchr(at, scan->needle.data[0], (size_t)(scan->end - at)))) {
		scan->stops++;
		scan->at = at + 1;
		if (search_is_edge((struct str){at - 1, 2}, 1))
			return at;
		at++;
	}
	scan->at = scan->end;
	return NULL;
}

static const char *scan_next(struct scan *scan)
{
	if (scan->needle.size == 1)
		return scan_next_start(scan);
	while ((size_t)(scan->end - scan->at) >= scan->needle.size) {
		const char *from = scan->at + scan->rarest;
		const char *hit = memchr(from, scan->needle.data[scan->rarest], (size_t)(scan->end - from));

		if (!hit)
			break;
		scan->stops++;
		hit -= scan->rarest;
		scan->at = hit + 1;
		if ((size_t)(scan->end - hit) >= scan->needle.size &&
		    memcmp(hit, scan->needle.data, scan->needle.size) == 0)
			return hit;
	}
	scan->at = scan->end;
	return NULL;
}

static void pay_for_scan(struct search_index *index, const struct scan *scan, size_t size)
{
	index->left -= (int64_t)(size / SEARCH_COST_SCANNED_BYTES + scan->stops * SEARCH_COST_STOP);
}

/* The value of a hit in each field. */
static void make_values(enum edge edge, uint16_t values[1 << SEARCH_VALUE_FIELD_BITS])
{
	for (size_t field = 0; field < SEARCH_FIELD_COUNT; field++)
		values[field] =
			(uint16_t)((field_weights[field] + edge_scores[edge]) << SEARCH_VALUE_FIELD_BITS |
				   (int)field);
}

static void add_posting(uint32_t posting, const uint16_t *by_field, uint16_t *best)
{
	uint16_t value = by_field[posting & ((1 << SEARCH_VALUE_FIELD_BITS) - 1)];
	uint16_t *entry = &best[posting >> SEARCH_VALUE_FIELD_BITS];

	if (value > *entry)
		*entry = value;
}

static void add_postings(struct search_index *index, size_t chunk, const uint16_t *by_field, uint16_t *best)
{
	const struct search_postings *postings = &index->postings.items[chunk];
	const uint32_t *pool = index->pool.items;
	size_t count = 1;

	add_posting(postings->first, by_field, best);
	for (uint32_t run = postings->head; run; run = pool[run]) {
		uint32_t used = run == postings->tail ? postings->used : pool[run + 1];

		for (uint32_t i = 0; i < used; i++)
			add_posting(pool[run + SEARCH_RUN_HEADER + i], by_field, best);
		count += used;
	}
	index->left -= (int64_t)(SEARCH_COST_HIT + count * SEARCH_COST_POSTING);
}

/* How well the needle stands at `offset` of the chunk. Scripts without blanks have edges at chunk ends only.
 */
static enum edge edge_of(struct str chunk, size_t offset, size_t size)
{
	if (!search_is_edge(chunk, offset))
		return EDGE_NONE;
	return search_is_edge(chunk, offset + size) ? EDGE_WHOLE : EDGE_START;
}

/* In one window; returns where the next one begins. */
static size_t find_exact(struct search_index *index, struct str word, size_t from, uint16_t *best)
{
	uint16_t values[EDGE_COUNT][1 << SEARCH_VALUE_FIELD_BITS] = {0};
	size_t next;
	struct scan scan = scan_start(index, word, from, &next);
	const char *base = index->vocabulary.data;
	const char *hit = scan_next(&scan);

	for (int edge = 0; edge < EDGE_COUNT; edge++)
		make_values((enum edge)edge, values[edge]);
	while (hit) {
		size_t chunk = search_chunk_at(index, (size_t)(hit - base));
		struct str text = search_chunk(index, chunk);
		const char *end = text.data + text.size;
		enum edge edge = EDGE_NONE;

		/* Several hits in one chunk: the best edge; then on behind the chunk. */
		for (; hit && hit < end; hit = scan_next(&scan)) {
			enum edge here = edge_of(text, (size_t)(hit - text.data), word.size);

			edge = here > edge ? here : edge;
			if (edge == EDGE_WHOLE)
				scan.at = end;
		}
		add_postings(index, chunk, values[edge], best);
	}
	pay_for_scan(index, &scan, next - from);
	return next;
}

static bool step_exact(struct search_index *index, struct search_slot *slot)
{
	while (slot->at < index->vocabulary.size && index->left > 0)
		slot->at = find_exact(index, buf_str(&slot->word), slot->at, slot->values);
	return slot->at == index->vocabulary.size;
}

/* Does the word begin, with one error, at `start` or one byte to either side of it? */
static bool is_near(struct str chunk, ptrdiff_t start, struct str word)
{
	for (ptrdiff_t at = start - 1; at <= start + 1; at++) {
		if (at < 0 || (size_t)at >= chunk.size || !search_is_edge(chunk, (size_t)at))
			continue;
		if (search_near(str_slice(chunk, (size_t)at, chunk.size), word))
			return true;
	}
	return false;
}

/*
 * One error spares one of two parts of the word: what is before the middle, or what is behind the letter at
 * the middle (which exchanged letters across the middle need). Each part is scanned for, exactly.
 */
static size_t find_near(struct search_index *index, struct str word, size_t part, size_t from, uint16_t *best)
{
	uint16_t values[1 << SEARCH_VALUE_FIELD_BITS] = {0};
	size_t middle = word.size / 2, next;
	struct str parts[2] = {str_slice(word, 0, middle), str_slice(word, middle + 1, word.size)};
	ptrdiff_t offsets[2] = {0, (ptrdiff_t)middle + 1};
	struct scan scan = scan_start(index, parts[part], from, &next);
	const char *hit;

	make_values(EDGE_NONE, values);
	while ((hit = scan_next(&scan))) {
		size_t chunk = search_chunk_at(index, (size_t)(hit - index->vocabulary.data));
		struct str text = search_chunk(index, chunk);

		index->left -= SEARCH_COST_HIT;
		if (!is_near(text, hit - text.data - offsets[part], word))
			continue;
		add_postings(index, chunk, values, best);
		scan.at = text.data + text.size;
	}
	pay_for_scan(index, &scan, next - from);
	return next;
}

static bool step_near(struct search_index *index, struct search_slot *slot)
{
	while (slot->part < 2 && index->left > 0) {
		slot->at = find_near(index, buf_str(&slot->word), slot->part, slot->at, slot->values);
		if (slot->at < index->vocabulary.size)
			continue;
		slot->part++;
		slot->at = 0;
	}
	return slot->part == 2;
}

/* One pair of characters was looked for everywhere: count it, and be ready for the next. */
static void take_pair(struct search_slot *slot, size_t entries)
{
	for (size_t e = 0; e < entries; e++) {
		uint16_t value = slot->pair_values[e];

		slot->pair_counts[e] = (uint8_t)(slot->pair_counts[e] + (value != 0));
		slot->values[e] = value > slot->values[e] ? value : slot->values[e];
	}
	memset(slot->pair_values, 0, entries * sizeof(*slot->pair_values));
	slot->part++;
	slot->at = 0;
}

static bool nth_pair(struct str word, size_t wanted, struct str *pair)
{
	size_t at = 0;
	bool found = wanted < SEARCH_MOST_PAIRS;

	for (size_t i = 0; found && i <= wanted; i++)
		found = search_next_pair(word, &at, pair);
	return found;
}

/* Entries that have at least half of the word's pairs of characters; the best of them counts. */
static bool step_pairs(struct search_index *index, struct search_slot *slot)
{
	size_t entries = index->entry_count;
	struct str pair;

	if (!slot->pair_values) {
		slot->pair_values = alloc_zeroed(entries + 1, sizeof(*slot->pair_values));
		slot->pair_counts = alloc_zeroed(entries + 1, sizeof(*slot->pair_counts));
	}
	while (nth_pair(buf_str(&slot->word), slot->part, &pair)) {
		while (slot->at < index->vocabulary.size && index->left > 0)
			slot->at = find_exact(index, pair, slot->at, slot->pair_values);
		if (slot->at < index->vocabulary.size)
			return false;
		take_pair(slot, entries);
		index->left -= (int64_t)entries;
	}
	for (size_t e = 0; e < entries; e++)
		slot->values[e] = 2 * slot->pair_counts[e] >= slot->part ? slot->values[e] : 0;
	return true;
}

static void forget_pairs(struct search_slot *slot)
{
	free(slot->pair_values);
	free(slot->pair_counts);
	slot->pair_values = NULL;
	slot->pair_counts = NULL;
}

/* The slot of this word: the one that has it, else the one that was not used for longest, empty. */
static struct search_slot *take_slot(struct search_index *index, struct str word, bool near)
{
	struct search_slot *oldest = &index->slots[0];

	index->tick++;
	for (size_t i = 0; i < SEARCH_SLOTS; i++) {
		struct search_slot *slot = &index->slots[i];

		if (slot->values && slot->near == near && str_equal(buf_str(&slot->word), word)) {
			slot->used = index->tick;
			return slot;
		}
		if (slot->used < oldest->used)
			oldest = slot;
	}
	oldest->used = index->tick;
	oldest->near = near;
	oldest->done = false;
	oldest->at = oldest->part = 0;
	forget_pairs(oldest);
	buf_clear(&oldest->word);
	buf_add(&oldest->word, word);
	if (!oldest->values)
		oldest->values = alloc_bytes((index->entry_count + 1) * sizeof(*oldest->values));
	memset(oldest->values, 0, index->entry_count * sizeof(*oldest->values));
	return oldest;
}

const uint16_t *search_lookup(struct search_index *index, struct str word, bool near)
{
	struct search_slot *slot = take_slot(index, word, near);

	if (slot->done)
		return slot->values;
	if (near && search_is_wide(word))
		slot->done = step_pairs(index, slot);
	else if (near)
		slot->done = step_near(index, slot);
	else
		slot->done = step_exact(index, slot);
	if (slot->done)
		forget_pairs(slot);
	return slot->done ? slot->values : NULL;
}

void search_slots_release(struct search_index *index)
{
	for (size_t i = 0; i < SEARCH_SLOTS; i++) {
		struct search_slot *slot = &index->slots[i];

		forget_pairs(slot);
		buf_release(&slot->word);
		free(slot->values);
		*slot = (struct search_slot){0};
	}
}

void search_forget(struct search_index *index)
{
	search_slots_release(index);
	search_query_release(&index->query);
	search_nearest_release(index);
}

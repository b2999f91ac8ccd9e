#include "core/search_index.h"

#include "core/search_words.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_SHIFT = 6 };

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

/* All places of a needle in the vocabulary, in order. */
struct scan {
	const char *at, *end;
	struct str needle;
	size_t rarest; /* offset of its rarest byte, the one to look for */
};

static struct scan scan_start(const struct search_index *index, struct str needle)
{
	struct scan scan = {index->vocabulary.data, index->vocabulary.data + index->vocabulary.size, needle,
			    0};

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
	char byte = scan->needle.data[0];

	/* The vocabulary begins with a line end, which is no hit: there is always a byte before one. */
	for (const char *at = scan->at; at < scan->end; at++) {
		if (*at == byte && search_is_edge((struct str){at - 1, 2}, 1)) {
			scan->at = at + 1;
			return at;
		}
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
		hit -= scan->rarest;
		scan->at = hit + 1;
		if ((size_t)(scan->end - hit) >= scan->needle.size &&
		    memcmp(hit, scan->needle.data, scan->needle.size) == 0)
			return hit;
	}
	scan->at = scan->end;
	return NULL;
}

static size_t chunk_at(const struct search_index *index, size_t offset)
{
	size_t chunk = index->blocks[offset >> BLOCK_SHIFT];

	while (index->chunk_starts[chunk + 1] <= offset)
		chunk++;
	return chunk;
}

/* The value of a hit in each field. */
static void make_values(enum edge edge, uint16_t values[1 << SEARCH_VALUE_FIELD_BITS])
{
	for (size_t field = 0; field < SEARCH_FIELD_COUNT; field++)
		values[field] =
			(uint16_t)((field_weights[field] + edge_scores[edge]) << SEARCH_VALUE_FIELD_BITS |
				   (int)field);
}

static void add_postings(const struct search_index *index, size_t chunk, const uint16_t *by_field,
			 uint16_t *best)
{
	size_t end = index->posting_starts[chunk + 1];

	for (size_t i = index->posting_starts[chunk]; i < end; i++) {
		uint32_t posting = index->postings[i];
		uint16_t value = by_field[posting & ((1 << SEARCH_VALUE_FIELD_BITS) - 1)];
		uint16_t *entry = &best[posting >> SEARCH_VALUE_FIELD_BITS];

		if (value > *entry)
			*entry = value;
	}
}

/* How well the needle stands at `offset` of the chunk. Scripts without blanks have edges at chunk ends only.
 */
static enum edge edge_of(struct str chunk, size_t offset, size_t size)
{
	if (!search_is_edge(chunk, offset))
		return EDGE_NONE;
	return search_is_edge(chunk, offset + size) ? EDGE_WHOLE : EDGE_START;
}

static void find_exact(const struct search_index *index, struct str word, uint16_t *best)
{
	uint16_t values[EDGE_COUNT][1 << SEARCH_VALUE_FIELD_BITS] = {0};
	struct scan scan = scan_start(index, word);
	const char *base = index->vocabulary.data;
	const char *hit = scan_next(&scan);

	for (int edge = 0; edge < EDGE_COUNT; edge++)
		make_values((enum edge)edge, values[edge]);
	while (hit) {
		size_t chunk = chunk_at(index, (size_t)(hit - base));
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
static void find_near(const struct search_index *index, struct str word, uint16_t *best)
{
	uint16_t values[1 << SEARCH_VALUE_FIELD_BITS] = {0};
	size_t middle = word.size / 2;
	struct str parts[2] = {str_slice(word, 0, middle), str_slice(word, middle + 1, word.size)};
	ptrdiff_t offsets[2] = {0, (ptrdiff_t)middle + 1};

	make_values(EDGE_NONE, values);
	for (size_t part = 0; part < 2; part++) {
		struct scan scan = scan_start(index, parts[part]);
		const char *hit;

		while ((hit = scan_next(&scan))) {
			size_t chunk = chunk_at(index, (size_t)(hit - index->vocabulary.data));
			struct str text = search_chunk(index, chunk);

			if (!is_near(text, hit - text.data - offsets[part], word))
				continue;
			add_postings(index, chunk, values, best);
			scan.at = text.data + text.size;
		}
	}
}

/* Entries that have at least half of the word's pairs of characters; the best of them counts. */
static void find_pairs(const struct search_index *index, struct str word, uint16_t *best)
{
	size_t entries = index->entry_count, at = 0;
	uint16_t *values = alloc_bytes(entries * sizeof(*values));
	uint8_t *counts = alloc_zeroed(entries, sizeof(*counts));
	unsigned pairs = 0;
	struct str pair;

	for (; pairs < SEARCH_MOST_PAIRS && search_next_pair(word, &at, &pair); pairs++) {
		memset(values, 0, entries * sizeof(*values));
		find_exact(index, pair, values);
		for (size_t e = 0; e < entries; e++) {
			counts[e] = (uint8_t)(counts[e] + (values[e] != 0));
			best[e] = values[e] > best[e] ? values[e] : best[e];
		}
	}
	for (size_t e = 0; e < entries; e++)
		best[e] = 2 * counts[e] >= pairs ? best[e] : 0;
	free(values);
	free(counts);
}

static struct search_slot *take_slot(struct search_index *index, struct str word, bool near, bool *known)
{
	struct search_slot *oldest = &index->slots[0];

	index->tick++;
	for (size_t i = 0; i < SEARCH_SLOTS; i++) {
		struct search_slot *slot = &index->slots[i];

		*known = slot->values && slot->near == near && str_equal(buf_str(&slot->word), word);
		if (*known) {
			slot->used = index->tick;
			return slot;
		}
		if (slot->used < oldest->used)
			oldest = slot;
	}
	oldest->used = index->tick;
	oldest->near = near;
	buf_clear(&oldest->word);
	buf_add(&oldest->word, word);
	return oldest;
}

const uint16_t *search_lookup(struct search_index *index, struct str word, bool near)
{
	size_t size = index->entry_count * sizeof(uint16_t);
	bool known;
	struct search_slot *slot = take_slot(index, word, near, &known);

	if (known)
		return slot->values;
	if (!slot->values)
		slot->values = alloc_bytes(size);
	memset(slot->values, 0, size);
	if (near && search_is_wide(word))
		find_pairs(index, word, slot->values);
	else if (near)
		find_near(index, word, slot->values);
	else
		find_exact(index, word, slot->values);
	return slot->values;
}

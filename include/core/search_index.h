/*
 * search_index: what a query is looked up in (part of search; search.h is what others use).
 *
 * The vocabulary is every distinct chunk of every text of every entry, one after the other in one run of
 * bytes with a line end before and after each. A word of the query is looked for in it as a substring by
 * memchr on its rarest byte, and each chunk that holds it gives its postings: the entries it stands in, each
 * with the weightiest field. So the texts are read once, when the index is made, and a key costs a pass over
 * the vocabulary and over the postings of what it hits.
 */
#ifndef CORE_SEARCH_INDEX_H
#define CORE_SEARCH_INDEX_H

#include "base/vec.h"
#include "core/search.h"
#include "core/search_score.h"

/* Which texts of an entry are searched, in the order of enum search_field. */
struct search_piece {
	enum search_field field;
	struct str text;
};

struct search_pieces {
	VEC(struct search_piece) list;
};

/* Append the pieces of `entry`, weightiest first; not what only the index knows (other names of its codes).
 */
void search_entry_pieces(const struct kb *kb, const struct entry *entry, struct search_pieces *pieces);

/* What a whole query can equal. Several names may have one hash: several entries with one code. */
enum search_name_kind {
	SEARCH_NAME_ID,
	SEARCH_NAME_CODE,
	SEARCH_NAME_TITLE,
	SEARCH_NAME_ALIAS,
	SEARCH_NAME_CODE_ITSELF
};

struct search_name {
	uint64_t hash;
	uint32_t target; /* index into kb->entries; for SEARCH_NAME_CODE_ITSELF into kb->codes */
	uint32_t kind;
};

/* One word's value for each entry: score << 4 | field, 0: it is not there. */
enum { SEARCH_VALUE_FIELD_BITS = 4 };

/* Results of words looked up before: while one types, the other words of the query stay the same. */
struct search_slot {
	struct buf word;
	bool near;
	uint64_t used;
	uint16_t *values;
};

enum { SEARCH_SLOTS = 2 * SEARCH_WORD_LIMIT };

struct search_index {
	const struct kb *kb;
	size_t entry_count;

	struct buf vocabulary;
	size_t chunk_count;
	uint32_t *chunk_starts;   /* chunk_count + 1 of them */
	uint32_t *blocks;         /* chunk that holds byte 64 * i of the vocabulary */
	uint32_t *posting_starts; /* chunk_count + 1 of them */
	uint32_t *postings;       /* entry << 4 | field */
	uint32_t byte_counts[256];

	VEC(struct search_name) names; /* sorted by hash, kind, target */

	/* Scratch of queries. */
	struct search_slot slots[SEARCH_SLOTS];
	uint64_t tick;
	uint32_t *totals; /* an entry's score; 0: not hit */
	uint16_t *tops;   /* its best word's value */
};

/* Names with this hash; *count says how many. */
const struct search_name *search_names_find(const struct search_index *index, struct str folded,
					    size_t *count);

/*
 * The value of `word` for every entry; `near`: with exactly those hits that one typing error gives. Lives
 * until SEARCH_SLOTS other words were looked up.
 */
const uint16_t *search_lookup(struct search_index *index, struct str word, bool near);

/* The place of a chunk in the vocabulary. */
struct str search_chunk(const struct search_index *index, size_t chunk);

#endif

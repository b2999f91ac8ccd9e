/*
 * search_index: what a query is looked up in (part of search; search.h is what others use).
 *
 * The vocabulary is every distinct chunk of every text of every entry, one after the other in one run of
 * bytes with a line end before and after each. A word of the query is looked for in it as a substring by
 * memchr on its rarest byte, and each chunk that holds it gives its postings: the entries it stands in, each
 * with the weightiest field. So the texts are read once, when the index is made, and a key costs a pass over
 * the vocabulary and over the postings of what it hits.
 *
 * It grows entry by entry and is whole at every moment: what is asked while it is made is answered from the
 * entries that are in. All work, of making and of asking, is counted in the units of enum search_cost and
 * stops, at the next good place, when index->left is used up.
 */
#ifndef CORE_SEARCH_INDEX_H
#define CORE_SEARCH_INDEX_H

#include "base/vec.h"
#include "core/search.h"
#include "core/search_score.h"
#include "core/search_table.h"
#include "core/search_words.h"

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

/* What things cost, in units of about a nanosecond (see search.h). */
enum search_cost {
	SEARCH_COST_ENTRY = 400,      /* to begin with an entry at all */
	SEARCH_COST_INDEXED_BYTE = 8, /* folded, cut, looked up */
	SEARCH_COST_FOLDED_BYTE = 3,  /* folded and looked through */
	SEARCH_COST_MATCHED_BYTE = 1, /* by a pattern */
	SEARCH_COST_NAME = 150,
	SEARCH_COST_SCANNED_BYTES = 8, /* so many bytes of vocabulary that hold nothing to stop at */
	SEARCH_COST_STOP = 8,          /* where the scan has to look closer */
	SEARCH_COST_HIT = 30,
	SEARCH_COST_POSTING = 2,
	SEARCH_COST_SCORED = 12,  /* an entry, when hits are put together */
	SEARCH_COST_COMPARED = 6, /* a word with what was typed, for suggestions */
};

/* What a whole query can equal. Several names may have one hash: several entries with one code. */
enum search_name_kind {
	SEARCH_NAME_CODE_ITSELF,
	SEARCH_NAME_ID,
	SEARCH_NAME_CODE,
	SEARCH_NAME_TITLE,
	SEARCH_NAME_ALIAS,
	SEARCH_NAME_KINDS
};

/* Those of one kind and text are a chain, in the order in which they were added. */
struct search_name {
	uint64_t hash;   /* of the text and the kind */
	uint32_t target; /* index into kb->entries; for SEARCH_NAME_CODE_ITSELF into kb->codes */
	uint32_t next;   /* 0: no more, as the first of all names follows nothing */
	uint32_t last;   /* of the chain; kept in its first */
};

/*
 * The postings of a chunk: most have one, which stands here; the others are in runs of the pool, each twice
 * as long as the one before it, that begin with the place of the next run and their own length.
 */
struct search_postings {
	uint32_t first;
	uint32_t head, tail; /* runs; 0: none */
	uint32_t used;       /* of the tail */
	uint32_t last_entry; /* its fields come weightiest first, so only the first is kept */
};

enum { SEARCH_RUN_HEADER = 2 };

/* One word's value for each entry: score << 4 | field, 0: it is not there. */
enum { SEARCH_VALUE_FIELD_BITS = 4 };

/* Results of words looked up before: while one types, the other words of the query stay the same. */
struct search_slot {
	struct buf word;
	bool near;
	bool done;
	uint64_t used;
	uint16_t *values;

	/* Where a look-up goes on that is not done. */
	size_t at;             /* in the vocabulary */
	size_t part;           /* of the word: half, or pair of characters */
	uint16_t *pair_values; /* of the pair at hand */
	uint8_t *pair_counts;  /* pairs that an entry has */
};

enum { SEARCH_SLOTS = 2 * SEARCH_WORD_LIMIT + 1 };

enum search_phase { SEARCH_NOTHING, SEARCH_PATTERN, SEARCH_EXACT, SEARCH_NEAR, SEARCH_PHRASES };

/* The query that is being answered. */
struct search_query {
	enum search_phase phase;
	struct search_words words;
	struct regex *pattern;
	size_t at;     /* the entry, or the hit, that is next */
	size_t limits; /* how often the pattern hit one */
	struct search_pieces pieces;
	struct buf text;
};

struct search_nearest; /* search_suggest.c */
struct search_builder; /* search_build.c */

struct search_index {
	const struct kb *kb;
	size_t entry_count;
	struct search_builder *builder; /* null: it is whole */
	int64_t left;                   /* of the work that may be done now */

	struct buf vocabulary;
	size_t chunk_count;
	VEC(uint32_t) chunk_starts;           /* chunk_count + 1 of them */
	VEC(uint32_t) blocks;                 /* chunk that holds byte 64 * i of the vocabulary */
	VEC(struct search_postings) postings; /* of each chunk; a posting is entry << 4 | field */
	VEC(uint32_t) pool;
	uint32_t byte_counts[256];

	VEC(struct search_name) names;
	struct search_table name_table;

	struct search_query query;
	struct search_nearest *nearest;

	/* Scratch of queries. */
	struct search_slot slots[SEARCH_SLOTS];
	uint64_t tick;
	uint32_t *totals; /* an entry's score; 0: not hit */
	uint16_t *tops;   /* its best word's value */
};

/* The first name of this kind and text, and the next one; null: none. */
const struct search_name *search_names_first(const struct search_index *index, enum search_name_kind kind,
					     struct str folded);
const struct search_name *search_names_next(const struct search_index *index, const struct search_name *name);
void search_names_add(struct search_index *index, enum search_name_kind kind, size_t target,
		      struct str folded);

size_t search_chunk_add(struct search_index *index, struct str text);
void search_postings_add(struct search_index *index, size_t chunk, size_t entry, enum search_field field);

struct search_builder *search_builder_new(void);
void search_builder_free(struct search_builder *builder);

/*
 * The value of `word` for every entry; `near`: with exactly those hits that one typing error gives. Null: not
 * yet, the work that was left is done; it goes on at the next call. Lives until SEARCH_SLOTS other words were
 * looked up.
 */
const uint16_t *search_lookup(struct search_index *index, struct str word, bool near);

/* What was looked up is no longer true: the index has grown. */
void search_forget(struct search_index *index);
void search_slots_release(struct search_index *index);
void search_query_release(struct search_query *query);
void search_nearest_release(struct search_index *index);

/* The chunk that holds this byte of the vocabulary. */
size_t search_chunk_at(const struct search_index *index, size_t offset);

/* The place of a chunk in the vocabulary. */
struct str search_chunk(const struct search_index *index, size_t chunk);

/* search_meaning.c: add codes whose meaning has all words. */
struct search_words;
void search_add_meant(const struct kb *kb, const struct search_words *words, struct search_result *result);

#endif

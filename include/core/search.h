/*
 * search: a query -> entries, best first, while the reader types.
 *
 * What equals an id, a code (or alias) or a title comes first, always; then every word of the query must be
 * found somewhere in the entry, and the best field of each word decides (the weights, named and reasoned, are
 * in core/search_score.h). Both languages at once, case and width folded, Chinese by substring, one typing
 * error in a word of five letters or more after the exact hits. "re:" starts a PCRE2 pattern. A query of
 * several lines (a pasted traceback) is for diagnose, not for search.
 *
 * The index is made once from an immutable kb and serves any number of queries.
 *
 * Everything that may take long comes in two forms: at one go, and in slices for who must not wait. A slice
 * gets an amount of work, in units of about a nanosecond each on a usual machine of 2020: core has no clock,
 * so it is the caller who gives less where that took too long. What comes out is the same however it is cut.
 */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/kb.h"

struct search_index;

/* Where a word was found, the weightiest first. */
enum search_field {
	SEARCH_ID,
	SEARCH_CODE, /* also a code's other spellings and its symbolic name */
	SEARCH_TITLE,
	SEARCH_ALIAS,
	SEARCH_ERROR, /* a sample of what is printed */
	SEARCH_PROBLEM,
	SEARCH_CAUSE,
	SEARCH_COMMAND,  /* also what an edit by hand puts in, and links */
	SEARCH_SOLUTION, /* titles and explanations */
	SEARCH_NOTE,     /* background, notes, corrections */
	SEARCH_SECTION,
	SEARCH_FIELD_COUNT
};

/* So much work as there is. */
#define SEARCH_ALL_WORK ((size_t)INT64_MAX)

/* The kb must outlive the index. */
struct search_index *search_index_new(const struct kb *kb);
void search_index_free(struct search_index *index);

/*
 * The same in slices. Until it is whole, queries are answered from the entries that are in. A step ends the
 * query at hand: search_begin again.
 */
struct search_index *search_index_begin(const struct kb *kb);
bool search_index_step(struct search_index *index, size_t work); /* true: it is whole */
bool search_index_is_whole(const struct search_index *index);
size_t search_index_entries(const struct search_index *index); /* that are in */

struct search_hit {
	uint32_t entry; /* index into kb->entries */
	uint32_t score; /* comparable within one result only */
	uint16_t field; /* enum search_field of the best word */
	bool exact;     /* equals an id, code, alias or title */
	bool fuzzy;     /* some word was found with a typing error only */
};

struct search_result {
	VEC(struct search_hit) hits;    /* best first; an empty query gives all entries in tree order */
	struct buf error;               /* of a "re:" pattern; empty: none */
	bool limited;                   /* a "re:" pattern hit a limit in some entry */
	/*
	 * Codes that the query names, also those of no entry; where it finds few entries, behind them some whose
	 * meaning has all of its words.
	 */
	VEC(const struct code *) codes;
	size_t named; /* how many of the codes are named */
};

void search_run(struct search_index *index, struct str query, struct search_result *result);

/*
 * The same in slices, one query at a time: a new one ends the one before. After each step the result has the
 * hits that are known by then, in order.
 */
void search_begin(struct search_index *index, struct str query, struct search_result *result);
bool search_step(struct search_index *index, struct search_result *result, size_t work); /* true: all of it */

void search_result_release(struct search_result *result);

/* Where the words of a query stand in a text that is shown: byte ranges, in order, not overlapping. */
struct search_range {
	size_t start, end;
};
struct search_ranges {
	VEC(struct search_range) list;
};
void search_highlight(struct str query, struct str text, struct search_ranges *ranges);

/* The same for many texts: what is made of the query is made once. Never null; a bad pattern marks nothing.
 */
struct search_marker;
struct search_marker *search_marker_new(struct str query);
void search_marker_free(struct search_marker *marker);
void search_marker_find(struct search_marker *marker, struct str text, struct search_ranges *ranges);

/*
 * For an unknown code or an empty result: nearest codes, ids and words, best first; at most `room`. They live
 * as long as the index; words are folded, as they are compared.
 */
size_t search_suggest(struct search_index *index, struct str query, struct str *suggestions, size_t room);

/* The same in slices. */
void search_suggest_begin(struct search_index *index, struct str query);
bool search_suggest_step(struct search_index *index, size_t work); /* true: done */
size_t search_suggest_take(struct search_index *index, struct str *suggestions, size_t room);

#endif

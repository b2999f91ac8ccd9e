/*
 * search: a query -> entries, best first, while the reader types.
 *
 * What equals an id, a code (or alias) or a title comes first, always; then every word of the query must be
 * found somewhere in the entry, and the best field of each word decides (the weights, named and reasoned, are
 * in core/search_score.h). Both languages at once, case and width folded, Chinese by substring, one typing
 * error in a word of five letters or more after the exact hits. "re:" starts a PCRE2 pattern. A query of
 * several lines (a pasted traceback) is for diagnose, not for search.
 *
 * The index is made once from an immutable kb (search_index_new) and serves any number of queries.
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

/* The kb must outlive the index. */
struct search_index *search_index_new(const struct kb *kb);
void search_index_free(struct search_index *index);

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
	VEC(const struct code *) codes; /* codes that the query names, also those of no entry */
};

void search_run(struct search_index *index, struct str query, struct search_result *result);
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

#endif

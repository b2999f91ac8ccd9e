/*
 * search_words: how search cuts and compares text (part of search).
 *
 * All of it works on folded text (utf8_fold). A chunk is a run without blanks and Chinese punctuation, and
 * ends where the script changes between one that has blanks and one that has not: "安装CANN 包" is 安装,
 * cann, 包. Words are found as parts of chunks, so nothing needs a dictionary.
 */
#ifndef CORE_SEARCH_WORDS_H
#define CORE_SEARCH_WORDS_H

#include "base/buf.h"
#include "core/search_score.h"

/* Take the next chunk of folded text off the front. False when there is none. */
bool search_next_chunk(struct str *rest, struct str *chunk);

struct search_word {
	struct str text;
	bool forgiving; /* long enough for one typing error, or for being taken apart */
};

struct search_words {
	struct buf folded; /* the words point into it */
	struct str whole;  /* the query, folded, single blanks: what titles and phrases are compared with */
	struct search_word items[SEARCH_WORD_LIMIT];
	size_t count;
};

void search_words_split(struct str query, struct search_words *words);
void search_words_release(struct search_words *words);

/* Fold, and make every run of blanks one blank, none at the ends. */
void search_fold_line(struct str text, struct buf *out);

/*
 * A code as people shorten it: letters, then digits without leading zeros, so that "ei20" and "EI0020" are
 * the same. False when folded `word` has not this form or does not fit.
 */
enum { SEARCH_SQUEEZED_SIZE = 24 };
bool search_squeeze(struct str word, char squeezed[SEARCH_SQUEEZED_SIZE], size_t *size);

/* Without the signs that stand around a word in prose and logs: "(EI0020):" is EI0020. */
struct str search_strip_signs(struct str word);

/*
 * Does `text` begin with `word`, with at most one typing error (a letter more, less, other, or two
 * exchanged)? Returns the length in `text`, 0: no. An error in a digit is not forgiven: another number is
 * another thing.
 */
size_t search_near(struct str text, struct str word);

/* Is it of a script without blanks? Then the pair of characters at *at, which goes on by one; false at the
 * end. */
bool search_is_wide(struct str word);
bool search_next_pair(struct str word, size_t *at, struct str *pair);

/* Is `at` a place where a word begins or ends? */
bool search_is_edge(struct str text, size_t at);

uint64_t search_hash(struct str text);

#endif

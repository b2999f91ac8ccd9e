/*
 * scan_filter: the innermost loop of the scan: is one of a set of four-byte windows at these places?
 *
 * A blocked Bloom filter: a window's hash names a word of 32 bits and two bits in it. It says no for almost
 * everything and never for a window of the set. Where the machine has AVX2 (asked at run time), eight places
 * are looked at at once.
 */
#ifndef CORE_SCAN_FILTER_H
#define CORE_SCAN_FILTER_H

#include "base/str.h"

struct scan_filter {
	uint32_t *words;
	unsigned shift; /* of the hash, to the word's index */
	bool wide;      /* AVX2 is there */
};

enum { SCAN_FILTER_STEP = 4, SCAN_FILTER_SPAN = 32 }; /* bytes between places; bytes looked at at once */

/* For a set of about `windows`. */
void scan_filter_init(struct scan_filter *filter, size_t windows);
void scan_filter_release(struct scan_filter *filter);
void scan_filter_add(struct scan_filter *filter, uint32_t window);
bool scan_filter_has(const struct scan_filter *filter, uint32_t window);

/*
 * Look at every fourth byte of text[at, to), by whole spans, until some may hold a window: returns where they
 * are; bit i of *places says that the window i * SCAN_FILTER_STEP behind it may be in the set; *next is where
 * to go on. *places is 0 when there are none: what is left from the returned place is less than a span.
 */
size_t scan_filter_next(const struct scan_filter *filter, struct str text, size_t at, size_t to,
			unsigned *places, size_t *next);

/* Line ends in text, fast. */
uint64_t scan_count_lines(struct str text);

#endif

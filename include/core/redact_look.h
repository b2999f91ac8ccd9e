/*
 * redact_look: the first look of the redaction at a text, 64 bytes at a time. Part of core/redact_private.h.
 */
#ifndef CORE_REDACT_LOOK_H
#define CORE_REDACT_LOOK_H

#include "core/redact_private.h"

enum { REDACT_LOOK = 64 };

/* One bit a byte, the lowest is the first. */
struct redact_look {
	uint64_t digits, hex, upper;
	uint64_t words; /* digits and small letters: no path begins behind them */
	uint64_t dots, colons, dashes, plus, less, brackets, signs;
	uint64_t paths;   /* / \\ ~ */
	uint64_t needles; /* a literal or a word may begin here */
};

/* `block.data` is followed by one byte more. What is beyond the block has no bits. */
void redact_look(struct str block, size_t at, const struct redact_heads *heads, struct redact_look *look);

/* Places of `here` where a shape, a path or a name may begin; with the looks at both sides (all 0 at the
 * ends). */
uint64_t redact_look_places(const struct redact_look *before, const struct redact_look *here,
			    const struct redact_look *next);

/* The fifth digit of each number of five digits and more. */
uint64_t redact_look_numbers(const struct redact_look *before, const struct redact_look *here);

#endif

/*
 * fuzz: parsers of outside bytes, one function each, for libFuzzer (`make fuzz TARGET=name`) and for the
 * replay of the corpus in `make check`.
 *
 * A target takes any bytes and must neither crash nor hang nor leak; where two ways must give the same result
 * it compares them and aborts when they differ.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "core/kb.h"

#define FUZZ_TARGETS(X) X(diagnose) X(pack) X(terminal) X(probe) X(fill) X(session) X(search) X(text) X(redact) X(faq)

#define FUZZ_DECLARE(name) void fuzz_##name(struct str bytes);
FUZZ_TARGETS(FUZZ_DECLARE)
#undef FUZZ_DECLARE

/* Take a number of 0 .. limit - 1 off the front; 0 when there is nothing left. */
size_t fuzz_number(struct str *bytes, size_t limit);

/* Take the part up to the next 0xFF byte, or a third of it all. */
struct str fuzz_part(struct str *bytes);

/* The shipped knowledge base, made once. */
const struct kb *fuzz_kb(void);

#define FUZZ_CHECK(condition) \
	do { \
		if (!(condition)) \
			__builtin_trap(); \
	} while (0)

#endif

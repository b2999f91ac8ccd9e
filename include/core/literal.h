/*
 * literal: which texts must occur in whatever a PCRE2 pattern matches.
 *
 * Conservative: what the reader of patterns here does not know for sure, it takes for "anything". So the
 * literals may be fewer than there are, and never wrong (but for one thing: in caseless patterns the two
 * letters beyond ASCII that equal an ASCII one, the long s and the Kelvin sign, are not thought of).
 */
#ifndef CORE_LITERAL_H
#define CORE_LITERAL_H

#include "base/arena.h"
#include "base/vec.h"

enum {
	LITERAL_SIZE_MIN = 5, /* shorter ones are no use to the scan */
	LITERAL_SIZE_MAX = 16,
	LITERAL_SETS_MAX = 3
};

struct literal {
	struct str text;    /* LITERAL_SIZE_MIN to LITERAL_SIZE_MAX bytes */
	bool caseless;      /* ASCII letters in either case */
	bool starts_word;   /* no letter, digit or _ stands before it */
	bool ends_word;     /* nor behind it */
	uint32_t frequency; /* how often it is to be expected in a log; comparable within one build only */
};

/* Every match holds at least one of these. */
struct literal_set {
	struct literal *items;
	size_t count;
	uint32_t frequency;
};

/*
 * Independent sets: where a message is broken by a line wrap or a colour inside a literal of one set, another
 * set still finds it. Rarest first. None: the pattern has no literal of LITERAL_SIZE_MIN bytes that it needs.
 */
struct literal_sets {
	struct literal_set sets[LITERAL_SETS_MAX];
	size_t count;
};

struct literal_sets literal_extract(struct str pattern, struct arena *arena);

/*
 * How often four bytes are to be expected in a log, roughly: a matter of speed only. The sum over `count`
 * windows that follow each other is what a literal costs the scan.
 */
uint32_t literal_window_frequency(const char *four_bytes);

/* The same for a text that is looked for as it is. */
struct literal_sets literal_of_text(struct str text, struct arena *arena);

#endif

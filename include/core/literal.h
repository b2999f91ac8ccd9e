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
	LITERAL_WINDOW = 4,  /* bytes that the scan looks at at once */
	LITERAL_WINDOWS = 4, /* so many windows of a literal, one behind the other, are looked for */
	LITERAL_SETS_MAX = 3
};

/*
 * How often a few bytes are to be expected in a log: a matter of speed only. Some 16 KiB; made once for the
 * patterns of a scanner.
 */
struct frequencies {
	uint8_t common[1 << 17]; /* how often a group of three or four bytes occurs in words of healthy logs */
};
void frequencies_init(struct frequencies *frequencies);

/* Of `count` bytes, 3 or 4: comparable with each other, no unit. */
uint32_t frequencies_of(const struct frequencies *frequencies, const char *bytes, size_t count);

uint32_t frequency_sum(uint32_t a, uint32_t b); /* at most UINT32_MAX */

/*
 * The cheapest windows that follow each other: where they start and how often they are to be expected. A
 * short text has windows that reach beyond it, which are as frequent as the three bytes that are known.
 */
uint32_t frequencies_cheapest(const struct frequencies *frequencies, struct str text, size_t *first);

struct literal {
	struct str text;    /* LITERAL_SIZE_MIN to LITERAL_SIZE_MAX bytes */
	bool caseless;      /* ASCII letters in either case */
	bool starts_word;   /* no letter, digit or _ stands before it */
	bool ends_word;     /* nor behind it */
	uint32_t frequency; /* of its windows, together */
	/*
	 * Where its windows start. Of a text of 7 bytes or more all are inside; a shorter one has windows
	 * that reach one byte beyond it.
	 */
	size_t first_window;
};

/* Every match holds at least one of these. */
struct literal_set {
	struct literal *items;
	size_t count;
	uint32_t frequency;
};

/*
 * Independent sets: where a message is broken by a line wrap or a colour inside a literal of one set, another
 * set still finds it. Rarest first; common words are left out where there is something better. None: the
 * pattern has no literal of LITERAL_SIZE_MIN bytes that it needs.
 */
struct literal_sets {
	struct literal_set sets[LITERAL_SETS_MAX];
	size_t count;
};

struct literal_sets literal_extract(const struct frequencies *frequencies, struct str pattern,
				    struct arena *arena);

/* The same for a text that is looked for as it is. */
struct literal_sets literal_of_text(const struct frequencies *frequencies, struct str text,
				    struct arena *arena);

#endif

/*
 * str: a piece of text that somebody else owns.
 *
 * A `struct str` is a pointer and a length. It never owns its bytes and is never freed; whoever hands one
 * out says how long the bytes live. The bytes need not end with NUL and may hold any value. An empty str
 * may have a null pointer. Pass it by value.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	const char *data;
	size_t size; /* bytes */
};

/* A str made of a string literal; STR_INIT is for static initialisers. */
#define STR(literal) ((struct str){"" literal, sizeof(literal) - 1})
#define STR_INIT(literal) \
	{ \
		"" literal, sizeof(literal) - 1 \
	}

/* Arguments for printf's "%.*s". */
#define STR_ARG(text) (int)(text).size, (text).data ? (text).data : ""

struct str str_of(const char *c_string); /* null gives the empty str */
bool str_equal(struct str a, struct str b);
bool str_equal_ascii_case(struct str a, struct str b); /* ignores the case of A-Z only */
int str_compare(struct str a, struct str b);           /* bytewise, as memcmp; the shorter first */
bool str_starts(struct str text, struct str prefix);
bool str_ends(struct str text, struct str suffix);

#define STR_NOT_FOUND SIZE_MAX
size_t str_find(struct str text, struct str needle); /* first offset; an empty needle is at 0 */
size_t str_find_byte(struct str text, char byte);

struct str str_slice(struct str text, size_t from, size_t to); /* both clamped to the text */
struct str str_trim(struct str text);                          /* ASCII blanks, tabs, line ends */

/*
 * Take the part before the first `separator` off the front of *rest. False when *rest was used up:
 * "a,b" gives "a", "b"; "" gives nothing; "a," gives "a", "".  A null data pointer marks "used up".
 */
bool str_next(struct str *rest, char separator, struct str *part);

/* Whole decimal number without sign; false when it is not one or does not fit. */
bool str_to_u64(struct str text, uint64_t *value);

#endif

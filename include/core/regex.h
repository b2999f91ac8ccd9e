/*
 * regex: PCRE2 with limits. The only module that includes pcre2.h.
 *
 * Compiled with UTF (invalid bytes tolerated: PCRE2_MATCH_INVALID_UTF), JIT where there is one. Match, depth
 * and heap limits are set, so that no pattern can hang or exhaust the program; hitting one is REGEX_LIMIT,
 * never "no match".
 */
#ifndef CORE_REGEX_H
#define CORE_REGEX_H

#include "base/buf.h"

struct regex;

enum regex_result { REGEX_NO_MATCH, REGEX_MATCH, REGEX_LIMIT };

enum regex_flags {
	REGEX_CASELESS = 1,
	REGEX_MULTILINE = 2, /* ^ and $ at line ends */
	REGEX_ANCHORED = 4,
	REGEX_DOTALL = 8,
	REGEX_ONCE = 16 /* will see little text: not worth the time that making machine code takes */
};

/*
 * Null when `pattern` does not compile: `error` gets why, *error_at the offset into the pattern.
 * The regex owns all its memory; regex_free(null) is nothing. One regex may not be used by two threads at
 * once: regex_copy gives a thread its own, cheaply (the compiled pattern is shared).
 */
struct regex *regex_new(struct str pattern, unsigned flags, struct buf *error, size_t *error_at);
struct regex *regex_copy(const struct regex *regex);
void regex_free(struct regex *regex);

/* Match `subject` from `start`. Groups are valid until the next match with this regex. */
enum regex_result regex_match(struct regex *regex, struct str subject, size_t start);

/* After REGEX_MATCH: group 0 is the whole hit. False when the group did not take part. */
bool regex_group(const struct regex *regex, struct str subject, size_t number, struct str *value);

/*
 * Named groups, 0 .. regex_name_count - 1; (?<NAME>...) and (?P<NAME>...) are the same. A name may stand in
 * several branches of a pattern and is then listed once for each group. Names live as long as the regex.
 */
size_t regex_name_count(const struct regex *regex);
struct str regex_name(const struct regex *regex, size_t index, size_t *group_number);

/* Could it match the empty text somewhere? Such a signature is a fault. */
bool regex_matches_empty(const struct regex *regex);

#endif

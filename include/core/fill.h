/*
 * fill: a command template and facts -> the command with its values in, and what is still missing.
 *
 * Only placeholders that the knowledge base declares are replaced: <NAME> (and aliases), ${NAME} where it is
 * declared `shell_variable`. Everything else (redirections, ${PATH}, heredocs) stays as it is. Each value is
 * checked against the placeholder's kind and quoted for where it stands: bare, in double quotes, in single
 * quotes, in a heredoc. A value from a log that does not pass the check is never used.
 */
#ifndef CORE_FILL_H
#define CORE_FILL_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/facts.h"
#include "core/kb.h"

enum fill_place { FILL_BARE, FILL_DOUBLE_QUOTED, FILL_SINGLE_QUOTED, FILL_HEREDOC, FILL_HEREDOC_LITERAL };

/* One occurrence of a placeholder in the result. */
struct fill_span {
	size_t start, end; /* bytes in the filled text */
	const struct placeholder *placeholder;
	bool filled;      /* false: a hole, still written <NAME> */
	struct str value; /* the value before quoting; lives as long as the facts */
	enum fact_source source;
	struct str origin; /* for the reader */
};

struct filled {
	struct buf text; /* ready to paste */
	VEC(struct fill_span) spans;
	size_t holes;
};

/*
 * Which value a placeholder gets: the user's, else the first of placeholder->values that facts know and
 * that passes the check. False when there is none; `why`, if not null, says what was refused.
 * The checks of "free" ports, existing paths need the machine: they are made by whoever adds the fact.
 */
bool fill_value(const struct kb *kb, const struct placeholder *placeholder, const struct facts *facts,
		struct fact *chosen, struct buf *why);

/* All values that would do, best first (for the form); returns how many, fills at most `room`. */
size_t fill_candidates(const struct kb *kb, const struct placeholder *placeholder, const struct facts *facts,
		       struct fact *candidates, size_t room);

/* Is `value` of the placeholder's kind and within its check? Else `why` says what is wrong, in `lang`. */
bool fill_check(const struct placeholder *placeholder, struct str value, enum lang lang, struct buf *why);

void fill_command(const struct kb *kb, struct str template, const struct facts *facts, struct filled *out);
void filled_release(struct filled *filled);

/* Placeholders that occur in `template`, each once, in order; the caller frees the vec's items. */
struct placeholder_list {
	VEC(const struct placeholder *) list;
};
void fill_placeholders(const struct kb *kb, struct str template, struct placeholder_list *out);

#endif

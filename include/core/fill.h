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

enum fill_place {
	FILL_BARE,
	FILL_DOUBLE_QUOTED,
	FILL_SINGLE_QUOTED,
	FILL_HEREDOC,
	FILL_HEREDOC_LITERAL,
	FILL_COMMENT,
	FILL_STRICT, /* `…`, ${…}, $'…': values that need no quoting */
	FILL_NUMBER  /* $((…)): numbers */
};

/* Why a placeholder is still a hole. */
enum fill_problem {
	FILL_OK,
	FILL_NO_VALUE,
	FILL_BAD_VALUE, /* there is one, which the placeholder's kind or check refuses: fill_check says why */
	FILL_BAD_PLACE, /* this value cannot be written at this place of the command */
	FILL_OPTION,    /* begins with - where a program would take it for an option */
	FILL_BAD_RANGE  /* <A>-<B>: the first is greater, or one is chosen by the user and the other is not */
};

/* One occurrence of a placeholder in the result. */
struct fill_span {
	size_t start, end; /* bytes in the filled text */
	const struct placeholder *placeholder;
	bool filled; /* false: a hole, still written <NAME> */
	enum fill_problem problem;
	struct str value; /* before quoting, also of a hole if there is one; lives as long as the facts */
	enum fact_source source;
	struct str origin; /* for the reader */
};

struct filled {
	struct buf text; /* ready to paste */
	VEC(struct fill_span) spans;
	size_t holes;
};

/* One line on a problem, for the reader. */
struct str fill_problem_text(enum fill_problem problem, enum lang lang);

/* Adds why the value of a hole was not taken; nothing where there is no value. */
void fill_explain(const struct fill_span *span, enum lang lang, struct buf *out);

/*
 * Which value a placeholder gets: the user's (under its name or an alias of it), else the first of
 * placeholder->values that the facts know and that passes the check, else what they know under its own name.
 * A `probe:` source takes facts of FACT_PROBE whose origin is the probe's id, a `log:` source those of
 * FACT_LOG with the group's name, an `env:` source those of FACT_ENVIRONMENT with the variable's name. False
 * when there is none (chosen->value is empty), or when the user's own does not pass: then *chosen is it, and
 * nothing else is taken in its place; fill_check says what is wrong. Texts live as long as the facts.
 */
bool fill_value(const struct kb *kb, const struct placeholder *placeholder, const struct facts *facts,
		struct fact *chosen);

/* All values that would do, best first (for the form); returns how many, fills at most `room`. */
size_t fill_candidates(const struct kb *kb, const struct placeholder *placeholder, const struct facts *facts,
		       struct fact *candidates, size_t room);

/*
 * Is `value` of the placeholder's kind and within its check? Else `why`, if not null, says what is wrong, in
 * `lang`. Pure: whether a port is free or a path exists is checked by whoever makes the fact.
 */
bool fill_check(const struct placeholder *placeholder, struct str value, enum lang lang, struct buf *why);

/* The same, and stricter where the value does not come from the user: words are never taken from elsewhere.
 */
bool fill_check_fact(const struct placeholder *placeholder, const struct fact *fact);

/* Release `out` afterwards; it need not be empty before, only initialised ({0}). */
void fill_command(const struct kb *kb, struct str template, const struct facts *facts, struct filled *out);
void filled_release(struct filled *filled);

/* Placeholders that occur in `template`, each once, in order; the caller frees the vec's items. */
struct placeholder_list {
	VEC(const struct placeholder *) list;
};
void fill_placeholders(const struct kb *kb, struct str template, struct placeholder_list *out);

#endif

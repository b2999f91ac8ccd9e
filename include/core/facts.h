/*
 * facts: what is known about this machine, this log and this user's wishes, as name -> values.
 *
 * A fact may have several values from several sources; precedence (user over log over probe over environment
 * over default) is decided here, in facts_best, and nowhere else. Owns copies of all names and values.
 */
#ifndef CORE_FACTS_H
#define CORE_FACTS_H

#include "base/str.h"

enum fact_source { FACT_DEFAULT, FACT_ENVIRONMENT, FACT_PROBE, FACT_LOG, FACT_USER };

struct fact {
	struct str name;  /* CANN_ROOT */
	struct str value; /* any bytes; not trusted */
	enum fact_source source;
	struct str origin; /* for the reader: the probe's id, "train.log:81", the variable's name */
};

struct facts;

struct facts *facts_new(void);
void facts_free(struct facts *facts);

/* Know this value. What the same source and origin said of this name before is replaced. */
void facts_set(struct facts *facts, struct str name, struct str value, enum fact_source source,
	       struct str origin);
/* Know this value too, after those that are there: a second installation, the next card. */
void facts_add(struct facts *facts, struct str name, struct str value, enum fact_source source,
	       struct str origin);
/* Forget all that came from this source and origin (a probe that runs again). An empty origin: all. */
void facts_forget(struct facts *facts, enum fact_source source, struct str origin);

/* In the order in which they came. A fact's pointer and texts live until the next change of the facts. */
size_t facts_count(const struct facts *facts);
const struct fact *facts_at(const struct facts *facts, size_t index);

/*
 * All values of a name, best first; returns how many there are, fills at most `room`. Within one source the
 * first that came is best, but the user's last word.
 */
size_t facts_find(const struct facts *facts, struct str name, const struct fact **found, size_t room);
const struct fact *facts_best(const struct facts *facts, struct str name); /* null: unknown */

/* Goes up with every change: what was drawn from older facts is stale. */
uint64_t facts_generation(const struct facts *facts);

#endif

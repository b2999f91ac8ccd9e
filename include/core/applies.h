/*
 * applies: does what an entry or a solution says hold on this machine?
 *
 * An `applies` names CANN versions and chips (core/kb.h). What this machine has is known from probes, or from
 * the reader (--set): facts CANN_VERSION, CANN_ROOT and CHIP. Neither a log, which may come from another
 * machine, nor a variable that happens to have such a name counts.
 */
#ifndef CORE_APPLIES_H
#define CORE_APPLIES_H

#include "base/buf.h"
#include "core/facts.h"
#include "core/kb.h"

enum applies_verdict {
	APPLIES_UNKNOWN, /* something it depends on is not known here */
	APPLIES_HERE,    /* also when it names no condition */
	APPLIES_NOT
};

enum applies_verdict applies_check(const struct applies *applies, const struct facts *facts);

/* Has it any condition at all? */
bool applies_is_limited(const struct applies *applies);

/* The conditions in words: "CANN 9.1.0 or later · A2, A3". Nothing when there are none. */
void applies_say_condition(const struct applies *applies, enum lang lang, struct buf *out);

/*
 * What this machine has of what it depends on, and whether that fits, one sentence: "on this machine: CANN
 * 8.2.RC1 at /usr/local/Ascend/cann, needs 9.1.0 or later". Nothing when there are no conditions, or nothing
 * of them is known.
 */
void applies_say_here(const struct applies *applies, const struct facts *facts, enum lang lang,
		      struct buf *out);

/* Has one of its steps a command that loses something (STEP_DESTROY)? */
bool solution_destroys(const struct solution *solution);

/*
 * The order in which solutions are offered, as indices into entry->solutions: those that do not apply here
 * last; what loses something after what is harmless; the recommended ones first among equals. `facts` may be
 * null: nothing is known.
 */
void applies_order(const struct entry *entry, const struct facts *facts, size_t *order);

#endif

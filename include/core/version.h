/*
 * version: which of two versions is the newer, and does one fit an expression.
 *
 * Takes versions as they are really written: CANN "8.2.RC1", "8.0.RC3.alpha001", torch_npu "2.7.1.post8",
 * "3.2.0rc4", "2.7.1+cpu", "v0.9.1", driver "25.7.rc1.6". Case, a leading v and what follows a + (the local
 * part) do not count; missing numbers are 0.
 *
 *	dev, daily, nightly < alpha < beta < rc < the version itself < further numbers and words < post
 *
 * Hence 8.2.RC1 < 8.2 = 8.2.0 < 8.2.0.post1, and 8.0.RC3.alpha001 < 8.0.RC3.
 */
#ifndef CORE_VERSION_H
#define CORE_VERSION_H

#include "base/buf.h"

/* Does it start as a version does, with a digit (after an optional v)? */
bool version_is_valid(struct str version);

/* Less than, equal to or greater than 0. What is not a version is less than all that are. */
int version_compare(struct str a, struct str b);

/*
 * An expression is terms that must all hold, separated by blanks or commas; "||" separates alternatives:
 *
 *	">=9.1.0"   "<3.11"   ">=8.2.RC1 <9"   "1.2 || >=2"   "!=2.7.1"   "8.5.*" (8.5 and all that follow it)
 *
 * A term without operator means equal. The empty expression fits all. False when `version` is not one.
 */
bool version_fits(struct str version, struct str expression);

/* Is it an expression? Else `why`, if not null, says what is wrong (English, one line: for lint). */
bool version_check_expression(struct str expression, struct buf *why);

#endif

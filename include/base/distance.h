/*
 * distance: how many typing errors lie between two texts.
 */
#ifndef BASE_DISTANCE_H
#define BASE_DISTANCE_H

#include "base/str.h"

/*
 * Substitutions, insertions, deletions and transpositions of neighbours (optimal string alignment), in
 * bytes. Anything that is `limit` or more is `limit`. Texts longer than 64 bytes are `limit` unless equal.
 */
size_t distance_bytes(struct str a, struct str b, size_t limit);

#endif

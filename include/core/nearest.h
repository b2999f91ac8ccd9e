/*
 * nearest: "did you mean ...?" for words of a small known set.
 */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include "base/str.h"

/*
 * The known word nearest to a misspelt one, or null when none is near: a third of the letters may be wrong,
 * and two neighbours that changed places count once. `known` ends with null.
 */
const char *nearest_word(struct str word, const char *const *known);

#endif

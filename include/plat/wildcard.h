/*
 * wildcard: the paths that a pattern with wild cards names, as glob(3) finds them.
 *
 * Not glob(3) itself: for `~user` it asks the name services, which a static program must not (they load
 * shared libraries of the machine that it runs on), and which would be a tenth of it.
 *
 *   *        any bytes of one name, also none       [abc] [a-z] [!a-z]   one character of these, or none of
 * these ?        one character                          \x                   x itself None of them stands for
 * a slash, nor for a point at the beginning of a name.
 */
#ifndef PLAT_WILDCARD_H
#define PLAT_WILDCARD_H

#include <stdbool.h>

/* Does the whole name match? Without slashes. */
bool wildcard_matches(const char *pattern, const char *name);

/* Called with each path that exists, in the order of the folders; lasts for the call. False: no more, please.
 */
typedef bool wildcard_found(void *context, const char *path);

/* False: stopped by `found`. A folder that cannot be read holds nothing. */
bool wildcard_expand(const char *pattern, wildcard_found *found, void *context);

#endif

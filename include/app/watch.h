/*
 * watch: the output of a command goes by, and is diagnosed in a thread of its own.
 *
 * Whoever passes the output on never waits for the diagnosis, unless that is WATCH_BLOCKS blocks behind. Of
 * the output its beginning and its end are kept, so that it can be shown later.
 */
#ifndef APP_WATCH_H
#define APP_WATCH_H

#include "core/diagnose.h"

enum { WATCH_BLOCKS = 6 };

struct watch;

struct watch *watch_new(const struct scanner *scanner); /* the scanner must outlive it */
void watch_free(struct watch *watch);                   /* gives up what was not yet diagnosed */

/* The sides of a struct relay_options: `watch` is a struct watch. */
char *watch_room(void *watch, size_t *size);
void watch_take(void *watch, const char *bytes, size_t size); /* bytes that were put into that room */

/* Nothing more comes. Waits until all is diagnosed; the result lives as long as the watch. */
const struct diagnosis *watch_finish(struct watch *watch);

/* After watch_finish: beginning, the lines that were found, end; what is left out is said. */
void watch_add_kept(const struct watch *watch, const struct diagnosis *diagnosis, struct buf *out);

#endif

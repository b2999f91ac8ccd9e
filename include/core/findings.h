/*
 * findings: a diagnosis that is kept: as bytes, for a pipe between two processes, and as a copy of its own.
 *
 * Both sides have the same knowledge base; entries and codes travel as their numbers. The bytes are in the
 * machine's own order: they go from one process of this program to another, and never to a file.
 */
#ifndef CORE_FINDINGS_H
#define CORE_FINDINGS_H

#include "base/arena.h"
#include "base/buf.h"
#include "core/diagnose.h"

/* Owns all texts of its diagnosis; entries and codes are the knowledge base's. {0} is an empty one. */
struct findings {
	struct arena arena;
	struct diagnosis diagnosis;
};

void findings_write(const struct kb *kb, const struct diagnosis *diagnosis, struct buf *out);

/* False when the bytes are not what findings_write made of this kb; `findings` is empty then. */
bool findings_read(const struct kb *kb, struct str bytes, struct findings *findings);
void findings_release(struct findings *findings);

/* The evidence of a match that was first, as an index: by time where the lines tell it alike, else by place.
 */
size_t findings_first(const struct match *match);

/* A raw line of a log as a terminal would show it in the end: of a progress bar the last state. Cut when
 * long. */
void findings_add_shown(struct buf *out, struct str raw);

/* The line before (`back`) or behind those that were taken of evidence.around; false: there is none. */
struct around_cursor {
	size_t taken; /* lines */
	size_t at;    /* bytes */
};
bool findings_next_around(const struct evidence *evidence, bool back, struct around_cursor *cursor,
			  struct str *line);

/* "0,3-7": at most `most` parts, then the number of all. */
void findings_add_ranks(struct buf *out, const struct match *match, size_t most);

#endif

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

/* "0,3-7": at most `most` parts, then the number of all. */
void findings_add_ranks(struct buf *out, const struct match *match, size_t most);

#endif

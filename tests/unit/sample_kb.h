/*
 * A small knowledge base for tests of the views, and one with many entries.
 *
 * Sections: "ports" (1.1 with a placeholder, a recommended second solution and a link; 1.2 with a step that
 * destroys), "long" (2.1, many lines), "none" (empty). Codes: EI0020 -> 1.1, E507 without an entry. Probes:
 * free-port (gives MASTER_PORT), cann, clang (mended by 1.2). Private are addresses 10.x.x.x and hosts node-N;
 * forms of reports: brief, general.
 */
#ifndef SAMPLE_KB_H
#define SAMPLE_KB_H

#include "core/kb.h"

struct kb *sample_kb_new(void);

/* `count` entries in ten sections; the pack lives in the arena. */
struct kb *sample_kb_many(struct arena *arena, size_t count);

#endif

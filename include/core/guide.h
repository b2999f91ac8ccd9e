/*
 * guide: guided fixing, step by step, as a state machine; and the memory of how far each guide came.
 *
 * Pure: times come from outside (milliseconds since 1970), the memory goes in and out as text.
 *
 * A step is known by what it says and runs, not by its place: after a change of the pack the steps that are
 * still the same keep their states, a changed or new one is to be done. A step that stands in several
 * solutions of an entry has one state.
 *
 * Memories merge: reading a text into a memory takes over what is newer there. Two sessions that each read,
 * merge and write under a lock lose nothing of each other's. Reading never fails: what is not understood is
 * left out.
 */
#ifndef CORE_GUIDE_H
#define CORE_GUIDE_H

#include "base/buf.h"
#include "core/facts.h"
#include "core/kb.h"

enum guide_state {
	GUIDE_TODO,
	GUIDE_DONE,      /* its check passed */
	GUIDE_FAILED,    /* its check did not pass */
	GUIDE_SKIPPED,   /* by the reader */
	GUIDE_CONFIRMED, /* by the reader: done, without a check */
	GUIDE_STATE_COUNT
};

/* ---- The memory. -------------------------------------------------------------------------------------- */

struct guide_memory;

enum { GUIDE_MEMORY_MOST = 4000 /* steps and entries each; the oldest are forgotten */ };

struct guide_memory *guide_memory_new(void);
void guide_memory_free(struct guide_memory *memory); /* null is nothing */
void guide_memory_read(struct guide_memory *memory, struct str text);
void guide_memory_write(const struct guide_memory *memory, struct buf *out);
/* Goes up with every change that is worth saving; reading is none. */
uint64_t guide_memory_generation(const struct guide_memory *memory);

/*
 * The entry whose guide was used last; null: none that the kb knows. With `waiting` only one that was left
 * with a command on the prompt (guide_wait).
 */
const struct entry *guide_memory_last(const struct guide_memory *memory, const struct kb *kb, bool waiting);

/* ---- One guide. --------------------------------------------------------------------------------------- */

#define GUIDE_NONE SIZE_MAX

struct guide {
	struct guide_memory *memory; /* borrowed, as is the entry */
	const struct entry *entry;
	size_t solution; /* index into entry->solutions; GUIDE_NONE: still to be chosen */
	size_t step;     /* index into its steps; their count: the end */
};

/* Go on where it was left. Where there is only one solution, or was only one, it is chosen. */
void guide_open(struct guide *guide, struct guide_memory *memory, const struct entry *entry);

const struct solution *guide_solution(const struct guide *guide);          /* null: none chosen */
const struct step *guide_step(const struct guide *guide);                  /* null: none chosen, or the end */
enum guide_state guide_step_state(const struct guide *guide, size_t step); /* of the chosen solution */
size_t guide_finished(const struct guide *guide, size_t solution); /* steps done, confirmed or skipped */

void guide_choose(struct guide *guide, size_t solution, uint64_t now_ms); /* its first open step comes */
void guide_unchoose(struct guide *guide);                                 /* back to the choice */
void guide_go(struct guide *guide, size_t step, uint64_t now_ms);         /* clamped to the end */

/* The state of the present step. Skipped and confirmed go on to the next one. */
void guide_set(struct guide *guide, enum guide_state state, uint64_t now_ms);
void guide_restart(struct guide *guide, uint64_t now_ms); /* all steps of the solution are to be done */

/* A command of the present step is on the reader's prompt: the guide goes on when it is opened again. */
void guide_wait(struct guide *guide, bool waiting, uint64_t now_ms);

/*
 * What a check says of a step: done, failed, or nothing (it could not be told): then GUIDE_TODO. That the
 * thing probed is not there at all is a failure where the step was to bring it about.
 */
enum guide_state guide_judge(const struct step *step, enum probe_state state);

/* A number for what the step says and runs; the `again`-th step of the same content in a solution. */
uint64_t guide_step_key(const struct step *step, size_t again);

#endif

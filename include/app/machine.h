/*
 * machine: what a command must know of this machine, by running the probes that tell it.
 */
#ifndef APP_MACHINE_H
#define APP_MACHINE_H

#include "core/facts.h"
#include "core/kb.h"

/* Long enough for npu-smi on a busy node; an answer that comes later is not waited for. */
enum { MACHINE_LIMIT_MS = 3000 };

/* What the placeholders of a solution's commands may be filled with; waits for the probes to end. */
void machine_facts_for_commands(const struct kb *kb, const struct solution *solution, struct facts *facts);

/*
 * What decides whether the entry and its solutions apply here (core/applies.h). Runs nothing when they apply
 * everywhere; stops at MACHINE_LIMIT_MS.
 */
void machine_facts_for_applies(const struct kb *kb, const struct entry *entry, struct facts *facts);

#endif

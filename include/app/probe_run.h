/*
 * probe_run: run probes side by side without ever waiting for one.
 *
 * Each group of probes (kb_probe.h) is carried out in a child that was forked and has executed nothing else:
 * it looks up paths, reads files, tries ports and starts the commands, judges, and writes results into a
 * pipe. Hence a file system that hangs hangs a child, and at its time limit the program goes on without it
 * (a thread would keep the whole process from ending). Why a fork and not the program started again: the
 * child has the knowledge base already, needs no protocol for definitions, and works when the program's file
 * was replaced. Outside bytes are parsed there, too: what comes back is one checked format.
 *
 * The child's commands have groups of their own; they end with it, by its signalfd for SIGTERM and by
 * PR_SET_PDEATHSIG. Children are started one by one between other events, a few work at once, and they are
 * nice, so that a key is never waited for; one that hangs holds up no other.
 */
#ifndef APP_PROBE_RUN_H
#define APP_PROBE_RUN_H

#include "core/probe.h"
#include "plat/loop.h"

struct probe_runner;

/* `result` is borrowed for the call; the callback may start and cancel probes. */
typedef void probe_done(void *context, const struct probe *probe, uint32_t generation,
			const struct probe_result *result);

/* `kb` and `loop` must outlive the runner. */
struct probe_runner *probe_runner_new(const struct kb *kb, struct loop *loop, probe_done *done,
				      void *context);

/* Ends all children (waits a moment for them to end their commands) and calls nobody. Null is nothing. */
void probe_runner_free(struct probe_runner *runner);

/*
 * Run it soon. `generation` comes back with the result. One that is running already is started anew, and
 * what the old one finds is dropped. `done` is called exactly once for each start that is neither replaced
 * nor cancelled: with `unknown` and the reason if all else fails.
 */
void probe_runner_start(struct probe_runner *runner, const struct probe *probe, uint32_t generation);
void probe_runner_cancel(struct probe_runner *runner, const struct probe *probe);

/* How many starts are still to be answered. */
size_t probe_runner_pending(const struct probe_runner *runner);

/*
 * May its commands be run? Those of the shipped pack always; else the pack's file and folder must belong to
 * the user or root and be writable by nobody else.
 */
bool probe_is_trusted(const struct kb *kb, const struct probe *probe);

#endif

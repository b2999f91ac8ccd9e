/*
 * relay: run a command in the foreground as if nobody stood between it and its outputs, and see what it
 * prints.
 *
 * Where standard output or standard error is a terminal the command gets a terminal too (a pseudo terminal
 * of the same size and settings, the controlling one of a session of its own); window size, control
 * characters, signals and job control pass through. Where they are files or pipes it gets pipes, one for
 * both if both were the same. Bytes go on at once and unchanged; nothing is buffered beyond one read.
 */
#ifndef PLAT_RELAY_H
#define PLAT_RELAY_H

#include "base/buf.h"

/* Called with every piece of output after it was passed on; must be quick. */
typedef void relay_sink(void *context, const char *bytes, size_t size);

struct relay_result {
	bool started; /* false: `error_number` says why it could not be executed */
	int error_number;
	int exit_status;  /* as a shell says it: 128 + number for a signal */
	bool output_lost; /* our own output could not be written any more (closed pipe, full disk) */
	int lost_number;  /* and why: an error number */
};

struct relay_options {
	char *const *argv; /* ends with null; argv[0] is looked up in PATH unless it has a slash */
	/* Where the next piece is to be read to; belongs to the caller, who may keep the piece there. */
	char *(*next_buffer)(void *context, size_t *size);
	relay_sink *sink;
	void *context;
};

/*
 * Runs the command to its end. False: a pipe, terminal or process could not be had; `error` says why. Uses
 * plat/signal: nothing else may have started it.
 */
bool relay_run(const struct relay_options *options, struct relay_result *result, struct buf *error);

#endif

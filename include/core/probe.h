/*
 * probe: carry out the definition of a probe on a host, and say what was found.
 *
 * Pure: all that is read comes through a `struct probe_host`. The program's host reads the machine (in a
 * child process: app/probe_run.h), the tests' host answers from captured outputs; everything between the
 * bytes and the result is here, and is the same for `probe --json`, the browser and the tests.
 */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/facts.h"
#include "core/kb.h"

/* ---- What was found. ---------------------------------------------------------------------------------- */

struct probe_value {
	struct str name;
	struct str value; /* any bytes; several: one a line */
};

/* Owns all its texts (but not the ids of the kb). {0} is an empty one: `unknown` with nothing to say. */
struct probe_result {
	struct arena arena;
	enum probe_state state;
	struct probe_value *values; /* each name once, in the order they were found */
	size_t value_count;
	struct text detail; /* one sentence for the reader: what is so, or why not; both languages */
	struct str source; /* what was run or read: "npu-smi info", "/usr/local/Ascend/driver/version.info" */
	struct str excerpt; /* beginning of the text it was judged by; any bytes; may be empty */
	struct str entry;   /* what to read; empty: nothing */
	uint32_t ms;        /* how long it took */
};

void probe_result_release(struct probe_result *result);
void probe_result_copy(struct probe_result *to, const struct probe_result *from); /* `to` is released first */
struct str probe_result_value(const struct probe_result *result, struct str name); /* empty: none */

/* Replace all that `probe` said before. Of a value with several lines the first is the fact. */
void probe_result_to_facts(const struct probe *probe, const struct probe_result *result, struct facts *facts);

struct str probe_state_name(enum probe_state state); /* "ok", as in --json */

/* To bytes and back, for the pipe between the child and the program. False: the bytes are not a result. */
void probe_result_encode(const struct probe_result *result, struct buf *out);
bool probe_result_decode(struct str bytes, struct probe_result *result);

/* ---- The host: where text comes from. ----------------------------------------------------------------- */

enum probe_ask {
	PROBE_ASK_ENV,        /* name, or prefix and '*' -> NAME=value lines */
	PROBE_ASK_GLOB,       /* path or glob -> existing paths, one a line, any order */
	PROBE_ASK_STAT,       /* path -> "kind mode owner group rw" */
	PROBE_ASK_RESOLVE,    /* path -> real path */
	PROBE_ASK_FILE,       /* path -> contents */
	PROBE_ASK_WHICH,      /* name -> path of the executable in PATH */
	PROBE_ASK_COMMAND,    /* argv -> output */
	PROBE_ASK_PORTS,      /* "FIRST-LAST" -> lines as in struct probe_step */
	PROBE_ASK_FREE_PORTS, /* "FIRST-LAST", `size` -> "FIRST LAST" */
	PROBE_ASK_INTERFACES, /* wanted names in argv[0], wanted address in argv[1] (both may be empty) */
	PROBE_ASK_SPACE,      /* path -> "TOTAL AVAILABLE" MiB */
	PROBE_ASK_SYSTEM      /* name -> text */
};

struct probe_request {
	enum probe_ask ask;
	struct str text;        /* what for, but for COMMAND and INTERFACES */
	const struct str *argv; /* COMMAND, INTERFACES */
	size_t argv_count;
	uint64_t size;       /* FREE_PORTS */
	uint32_t timeout_ms; /* COMMAND */
};

enum probe_end {
	PROBE_END_OK,
	PROBE_END_MISSING, /* no such file, command, variable, name */
	PROBE_END_STATUS,  /* a command's exit status, not 0: `number` */
	PROBE_END_DENIED,
	PROBE_END_TIMEOUT,
	PROBE_END_SIGNAL, /* `number` */
	PROBE_END_TOO_MUCH,
	PROBE_END_ERROR /* errno's text is in `text` */
};

struct probe_answer {
	enum probe_end end;
	int number;
	struct buf text; /* any bytes; what there is, also when `end` is not OK */
};

struct probe_host {
	void *context;
	/* `answer` comes empty (its buf may have memory). Must answer: never hang, never fail otherwise. */
	void (*ask)(void *context, const struct probe_request *request, struct probe_answer *answer);
	bool no_commands; /* a step with a command ends the probe as `untrusted` */
};

/* ---- Running. ----------------------------------------------------------------------------------------- */

/*
 * Run `probe` and, before it, those it comes `after` (theirs give values only). `result->ms` is left 0: the
 * clock is the caller's. A definition that is wrong (a pattern that does not compile) gives `unknown` and
 * says so; lint finds it before.
 */
void probe_execute(const struct kb *kb, const struct probe *probe, const struct probe_host *host,
		   struct probe_result *result);

/* What it may take: the time limits of its commands and of those it comes after, and one for all else. */
uint32_t probe_limit_ms(const struct kb *kb, const struct probe *probe);

/* For lint: every fault of the definition that does not need the machine. */
void probe_check(const struct kb *kb, const struct probe *probe, struct diag_list *diags);

#endif

/*
 * probe_step: one step of a probe, from its source to its text, and from the text to values.
 *
 * Part of core/probe.h. Each kind of source is one function and one row of a table in probe_source.c.
 */
#ifndef CORE_PROBE_STEP_H
#define CORE_PROBE_STEP_H

#include "core/probe_values.h"

struct probe_reading {
	struct buf text;
	enum probe_end end;
	int number;
	struct buf what; /* for the reader: "npu-smi info", "/etc/pip.conf"; empty: nothing worth naming */
	bool refused;    /* a command, and the host runs none */
};

void probe_step_read(const struct kb *kb, const struct probe_step *step, const struct probe_values *values,
		     const struct probe_host *host, uint32_t timeout_ms, struct probe_reading *reading);
void probe_reading_release(struct probe_reading *reading);

/* Number of sources that are set; lint wants one. */
size_t probe_step_sources(const struct probe_step *step);

/* Set what `into`, `capture`, `count` and `row` say. False: a pattern is wrong or hit a limit; `why`. */
bool probe_step_take(const struct probe_step *step, const struct probe_host *host, struct str text,
		     struct probe_values *values, struct buf *why);

/* Order of paths: as text, but numbers and versions in them by their value: davinci2 < davinci10. */
int probe_path_compare(struct str a, struct str b);

/* "29500", "60000-60031", "60000+32" (so many from there on). False: it is none of these. */
bool probe_ports_parse(struct str text, uint16_t *first, uint16_t *last);

/* Is the value one that the variable may have? An empty one always is. `why`: a wrong pattern. */
enum probe_truth probe_variable_legal(const struct probe_variable *variable, struct str value,
				      struct buf *why);

#endif

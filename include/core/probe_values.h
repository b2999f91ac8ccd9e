/*
 * probe_values: the values that a probe has taken so far, and the two small languages of a definition that
 * use them: templates and conditions (core/kb_probe.h says what they look like).
 *
 * Part of core/probe.h; nothing but the probe modules and lint needs it.
 */
#ifndef CORE_PROBE_VALUES_H
#define CORE_PROBE_VALUES_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/probe.h"

struct probe_named {
	struct str name;
	struct str value;
	bool own; /* of the probe itself, not of one it comes after */
};

/* Owns names and values. An empty value is no value: setting it takes the name away. */
struct probe_values {
	struct arena arena;
	VEC(struct probe_named) list;
};

void probe_values_set(struct probe_values *values, struct str name, struct str value);
struct str probe_values_get(const struct probe_values *values, struct str name); /* empty: none */
void probe_values_release(struct probe_values *values);

/* ---- Templates. --------------------------------------------------------------------------------------- */

enum probe_template {
	PROBE_TEMPLATE_TEXT,
	PROBE_TEMPLATE_PATH /* what is inserted is escaped for globs; must be absolute or written "./..." */
};

struct probe_texts {
	struct arena arena;
	VEC(struct str) list;
};

/*
 * Add what `template` gives: nothing when a value or variable in it is empty or a path is not absolute, else
 * one text, or one for each line of the values in it (at most PROBE_TEXTS_MAX in all).
 */
enum { PROBE_TEXTS_MAX = 2048 };
void probe_expand(const struct probe_values *values, const struct probe_host *host, struct str template,
		  enum probe_template kind, struct probe_texts *out);
void probe_texts_release(struct probe_texts *texts);

/* For readers: <NAME> is its value, lines joined by ", ", or "?" when there is none. Never fails. */
void probe_say(const struct probe_values *values, struct str template, struct buf *out);

/* ---- Conditions. -------------------------------------------------------------------------------------- */

enum probe_operator {
	PROBE_PRESENT,
	PROBE_MISSING,
	PROBE_EQUAL,
	PROBE_NOT_EQUAL,
	PROBE_LESS,
	PROBE_LESS_EQUAL,
	PROBE_GREATER,
	PROBE_GREATER_EQUAL,
	PROBE_MATCH,
	PROBE_NO_MATCH
};

struct probe_condition {
	struct str name;
	enum probe_operator operator;
	struct str right;
};

bool probe_condition_parse(struct str text, struct probe_condition *condition);

/* True, false, or that it could not be told (a wrong pattern or a limit): `why` says it. */
enum probe_truth { PROBE_FALSE, PROBE_TRUE, PROBE_UNTOLD };
enum probe_truth probe_condition_holds(const struct probe_values *values, const struct probe_host *host,
				       struct str text, struct buf *why);
enum probe_truth probe_conditions_hold(const struct probe_values *values, const struct probe_host *host,
				       struct str_list when, struct buf *why);

#endif

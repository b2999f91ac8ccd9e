/* How a probe looks in probes.yaml; what the keys mean stands in core/kb_probe.h. */
#include "core/schema.h"

static const char *const state_names[] = {"unknown", "ok", "warn", "fail", "absent", "untrusted", NULL};

static const struct field variable_fields[] = {
	ROW_STR(probe_variable, match, "match", "PCRE2 that the whole value must match"),
	ROW_STR(probe_variable, range, "range", "120-7200: a whole number in it"),
	ROW_BOOL(probe_variable, ports, "ports", "ports and ranges of ports, separated by commas"),
};
static const struct schema schema_variable =
	SCHEMA(probe_variable, "variable", variable_fields, .shorthand = "match", SCHEMA_NO_WHERE,
	       SCHEMA_MAP_KEY(probe_variable, name));

enum { SOURCE = 1 };

static const struct field step_fields[] = {
	ROW_STR_LIST(probe_step, when, "when", "conditions that must all hold"),
	ROW_STR_LIST(probe_step, find, "find", "paths: the first that exists", .choice = SOURCE),
	ROW_STR_LIST(probe_step, paths, "paths", "paths: all that exist", .choice = SOURCE),
	ROW_STR_LIST(probe_step, stat, "stat", "paths: kind, mode, owner, group, access", .choice = SOURCE),
	ROW_STR_LIST(probe_step, resolve, "resolve", "paths without symbolic links", .choice = SOURCE),
	ROW_STR_LIST(probe_step, file, "file", "text of the first file that can be read", .choice = SOURCE),
	ROW_STR_LIST(probe_step, files, "files", "text of all these files", .choice = SOURCE),
	ROW_STR_LIST(probe_step, command, "command", "argv: what it prints", .choice = SOURCE),
	ROW_STR_LIST(probe_step, which, "which", "names: the first executable in PATH", .choice = SOURCE),
	ROW_STR_LIST(probe_step, env, "env", "variables, PREFIX* too", .choice = SOURCE),
	ROW_STR(probe_step, value, "value", "a text made of other values", .choice = SOURCE),
	ROW_STR(probe_step, package, "package", "METADATA of a Python package", .choice = SOURCE,
		.needs = "in"),
	ROW_STR_LIST(probe_step, in, "in", "site-packages folders for `package`"),
	ROW_STR(probe_step, ports, "ports", "state and holder of these ports", .choice = SOURCE),
	ROW_STR(probe_step, free_ports, "free-ports", "free ports in this range", .choice = SOURCE),
	ROW_INT(probe_step, size, "size", "how many free ports in a row", .fallback = 1),
	ROW_STR_LIST(probe_step, interfaces, "interfaces", "wanted names, wanted address", .choice = SOURCE),
	ROW_STR(probe_step, space, "space", "MiB of the file system of a path", .choice = SOURCE),
	ROW_STR(probe_step, system, "system", "cores, machine, limits, user, folder", .choice = SOURCE),
	ROW_STR_LIST(probe_step, compat, "compat", "matrices of compat.yaml: do the versions go together",
		     .choice = SOURCE),
	ROW_MAP(probe_step, variables, variable_count, probe_variable, schema_variable, "variables",
		"legal values; gives those that are not", .choice = SOURCE),
	ROW_STR(probe_step, into, "into", "name of the value that gets the whole text"),
	ROW_STR_LIST(probe_step, capture, "capture", "PCRE2; its named groups are values"),
	ROW_BOOL(probe_step, each, "each", "all matches"),
	ROW_STR(probe_step, count, "count", "name of the value that gets the number of matches",
		.needs = "each"),
	ROW_STR(probe_step, row, "row", "text for each match, gathered in `into`", .needs = "into"),
	ROW_BOOL(probe_step, optional, "optional", "go on when it could not be told"),
	ROW_BOOL(probe_step, private, "private", "do not show the text"),
};
static const struct schema schema_step = SCHEMA(probe_step, "step", step_fields, .required_choice = SOURCE,
						SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field rule_fields[] = {
	ROW_STR_LIST(probe_rule, when, "when", "conditions that must all hold; none: always"),
	ROW_ENUM(probe_rule, state, probe_state, state_names, "state", "what it means", .required = true),
	ROW_TEXT(probe_rule, say, "say", "one sentence for the reader"),
	ROW_STR(probe_rule, entry, "entry", "what to read then", .refers = REFERS_ENTRY),
};
static const struct schema schema_rule =
	SCHEMA(probe_rule, "rule", rule_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field probe_fields[] = {
	ROW_STR(probe, id, "id", "its name", .required = true),
	ROW_TEXT(probe, title, "title", "a few words", .required = true),
	ROW_STR_LIST(probe, after, "after", "probes whose values it uses", .refers = REFERS_PROBE),
	ROW_STR(probe, group, "group", "probes that share their commands"),
	ROW_LIST(probe, read, read_count, probe_step, schema_step, "read", "what is read, in order",
		 .required = true),
	ROW_LIST(probe, judge, judge_count, probe_rule, schema_rule, "judge",
		 "the first that applies decides", .required = true),
	ROW_STR_LIST(probe, differs, "differs", "values that differ from node to node by nature; '*': all"),
	ROW_DURATION(probe, timeout, "timeout", "time for each command", .fallback = 5000),
	ROW_STR(probe, entry, "entry", "what to read when it is not ok", .refers = REFERS_ENTRY),
};
const struct schema schema_probe =
	SCHEMA(probe, "probe", probe_fields, SCHEMA_WHERE(probe), SCHEMA_NO_MAP_KEY);

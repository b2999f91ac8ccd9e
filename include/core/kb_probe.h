/*
 * kb_probe: how the definition of an environment probe looks in the knowledge base (part of kb.h).
 *
 * A probe reads and never changes anything. It has two lists, both worked through in order:
 *
 *   read   steps. Each takes text from one source (a file, a command, the environment, …) and takes values
 *          out of it, by name. A later step may use them: <NAME> in its source is the value.
 *   judge  rules. The first one that applies decides the state, the sentence for the reader and the entry.
 *
 * C knows only the general kinds of source below; every fact about Ascend is in content/probes.yaml. The keys
 * of YAML are the members' names with '-' for '_'.
 *
 * Templates (marked T): <NAME> is a value taken by an earlier step, $NAME and ${NAME} the environment
 * variable, ~ at the start the home. A template that names a value or variable that is unset or EMPTY gives
 * nothing: it is left out of its list, and never means the current folder. A value with several lines gives
 * the text once for each. Paths must come out absolute; only what is written "./..." in the pack stands for
 * the folder that the program was started in. Paths may be globs (* ? [ ]); what comes from a value is taken
 * literally. Of several hits the one with the highest version comes first.
 *
 * Conditions (`when`, all must hold):  "NAME present"  "NAME missing"  "NAME = text"  "NAME != text"
 * "NAME < 9.1"  "<="  ">"  ">="  (versions, core/version.h; false when NAME is missing)  "NAME ~ PCRE2"
 * "NAME !~ PCRE2" (both false when NAME is missing).  The right side of all but ~ is a template. Two values
 * are always there: `output`, the text of the last step, and `end`, how its command ended: "ok", "missing"
 * (no such command or file), or "status N".
 *
 * What could not be told (no permission, time out, killed, endless output) ends the probe as `unknown` with
 * the reason, unless the step is `optional`; then `end` says "denied", "timeout", "signal N", "too much".
 */
#ifndef CORE_KB_PROBE_H
#define CORE_KB_PROBE_H

#include "base/diag.h"
#include "core/text.h"

/* One environment variable and the values it may have. */
struct probe_variable {
	struct str name;
	struct str match; /* PCRE2 that the whole value must match; and / or: */
	struct str range; /* "120-7200": a whole number in it */
	bool ports;       /* ports and ranges of ports, separated by commas */
};

/* One step. Exactly one source is set. */
struct probe_step {
	struct str_list when;

	struct str_list find;  /* T paths -> the first that exists */
	struct str_list paths; /* T paths -> all that exist, one a line */
	struct str_list stat;  /* T paths -> "PATH kind mode owner group rw" or "PATH missing", one a line */
	struct str_list resolve; /* T paths -> without symbolic links, each once, one a line */
	struct str_list file;    /* T paths -> what is in the first that can be read */
	struct str_list files;   /* T paths -> what is in all of them */
	struct str_list command; /* T argv -> standard output, then standard error */
	struct str_list which;   /* names -> path of the first that is an executable in PATH */
	struct str_list env;   /* names, "HCCL_*" too -> NAME=value, one a line, of those set and not empty */
	struct str value;      /* T -> itself */
	struct str package;    /* distribution name -> METADATA of the installed Python package */
	struct str_list in;    /* T with package: site-packages folders */
	struct str ports;      /* T "29500", "60000-60031", "60000+32" -> "PORT busy holder" or "PORT free" */
	struct str free_ports; /* T range -> "FIRST LAST" of `size` free ports in a row */
	int64_t size;          /* with free_ports; default 1 */
	struct str_list interfaces; /* T [wanted names, wanted address]: "NAME ADDRESS family up chosen|-" */
	struct str space;           /* T path -> "TOTAL AVAILABLE" of its file system, MiB */
	struct str system;          /* cores, machine, limits, user, folder */
	struct str_list
		compat; /* matrices of compat.yaml -> how the values of before go together: core/compat.h */
	const struct probe_variable *variables; /* -> "NAME=value" of those whose value is not legal */
	size_t variable_count;

	struct str into;         /* the whole text, without blanks at its ends, is this value */
	struct str_list capture; /* PCRE2 with named groups: each is a value; ^ and $ at line ends */
	bool each;               /* all matches: a value has one line for each different one */
	struct str count;        /* with each: the number of matches (of the first pattern) is this value */
	struct str row;          /* T with each and into: the text for a match; into gets all, one a line */
	bool optional;           /* that it could not be told is not the end */
	bool private;            /* may hold secrets: the text is not kept as the reader's excerpt */
};

enum probe_state {
	PROBE_UNKNOWN, /* could not tell, and why */
	PROBE_OK,
	PROBE_WARN,
	PROBE_FAIL,
	PROBE_ABSENT,   /* does not apply: the thing probed is not here */
	PROBE_UNTRUSTED /* of a pack whose files others may write: its commands are not run */
};

struct probe_rule {
	struct str_list when; /* none: always */
	enum probe_state state;
	struct text say;  /* T: one sentence; empty: the first value */
	struct str entry; /* what to read; empty: the probe's, if warn or fail */
};

struct probe {
	struct str id;
	struct text title;
	struct str_list after; /* probes whose steps are carried out before: their values are there */
	struct str group;      /* probes of one group run in one child, so that equal commands are run once */
	const struct probe_step *read;
	size_t read_count;
	const struct probe_rule *judge;
	size_t judge_count;
	struct str_list differs; /* values that differ from node to node by nature; "*": all */
	int64_t timeout;         /* ms, of each command; what is read without one has the same time in all */
	struct str entry;        /* what to read when it is not ok */
	struct location where;
};

#endif

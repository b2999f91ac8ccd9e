/*
 * fleet: the program on many nodes at once, through the engine that the site has.
 *
 * We start no connection of our own: srun, clush, pdsh, mpirun, ansible or ssh reach the nodes, as the user
 * could by hand, and run one line of shell there, which runs `ascend-faq probe --json --parcel TOKEN`. What
 * comes back is gathered by core/gather.h.
 */
#ifndef APP_FLEET_H
#define APP_FLEET_H

#include "app/app.h"
#include "base/arena.h"
#include "core/gather.h"

#include <jansson.h>

/* ---- The engines (fleet_engine.c). ----------------------------------------------------------------------
 */

/* How an engine wants the names of nodes. */
enum fleet_list { FLEET_FOLDED, FLEET_COMMAS, FLEET_COLONS };

/* Can it pass a file to all nodes as standard input? */
enum fleet_input { FLEET_INPUT_ALL, FLEET_INPUT_NONE };

enum { FLEET_ARGV_MOST = 24 };

struct fleet_engine {
	const char *name;
	const char *program;     /* looked for in PATH */
	const char *environment; /* must be set; null: need not */
	const char *version;     /* `program --version` must print this; null: need not */
	/*
	 * The command. Words in braces are replaced: {nodes}, {count}, {connect} (seconds to reach a node),
	 * {node} (one: then there is a process for each), {shell} (one word that a shell on the node reads),
	 * {script} (one word for `sh -c` where no shell comes between), {run} (a name for this run),
	 * {minutes} (its limit).
	 */
	const char *const argv[FLEET_ARGV_MOST];
	enum fleet_list list;
	const char *nodes_environment;   /* variable with the nodes that it would take; null: none */
	const char *const nodes_argv[8]; /* command that prints the nodes that it would take */
	const char *const down_argv[8];  /* prints "NODE STATE" lines; {nodes} as above */
	const char *const down[10];      /* beginnings of states in which a node cannot be asked */
	const char *const
		cancel_argv[4]; /* takes back what a killed engine leaves behind; {run} names this run */
	const char *also_gone;  /* an end of a state in which it cannot, either */
	enum fleet_input input;
	int stop_signal;
	const char *set_name, *set_value; /* environment variable to set */
	struct gather_style style;
};

extern const struct fleet_engine fleet_engines[];
extern const size_t fleet_engine_count;

/* The engine of --engine NAME, or the first that is here. Null: told, with what was looked for. */
const struct fleet_engine *fleet_engine_find(const struct app *app, const char *name);

bool fleet_engine_is_per_node(const struct fleet_engine *engine);

/* Add `engine`'s command for these texts to `argv`, a VEC of owned strings, with null at its end. */
struct fleet_argv {
	VEC(char *) words;
};
struct fleet_words {
	const char *nodes, *node, *script, *shell, *token;
	size_t count;
	unsigned connect_s, minutes;
};
void fleet_argv_make(const char *const *pattern, const struct fleet_words *words, struct fleet_argv *argv);
void fleet_argv_release(struct fleet_argv *argv);

/* Run one of the engine's commands and add what it prints; nothing when it fails. `words` may be null. */
void fleet_engine_ask(const char *const *pattern, const struct fleet_words *words, struct buf *out);

/* ---- What is run on a node (fleet_script.c). ------------------------------------------------------------
 */

struct fleet_script {
	struct str token;
	struct str program;          /* path where it may be on the nodes; then PATH is looked in */
	const struct str *arguments; /* of the program, --json and --parcel among them */
	size_t argument_count;
	size_t send_size; /* bytes of the program that come through standard input; 0: none do */
};

void fleet_script_add(const struct fleet_script *script, struct buf *out); /* for sh -c */
void fleet_script_add_shell(struct str script, struct buf *out); /* sh -c '…' as one text for a login shell */

/* ---- Running (fleet_run.c). -----------------------------------------------------------------------------
 */

struct fleet_request {
	const struct fleet_engine *engine;
	const struct str *nodes;
	size_t node_count;
	const struct str *arguments; /* of the program on the nodes: the command, then its operands */
	size_t argument_count;
	bool send;
	uint32_t timeout_ms;
};

enum fleet_end { FLEET_ENDED, FLEET_TIMED_OUT, FLEET_INTERRUPTED, FLEET_NOT_STARTED };

/*
 * Run it, gather, show progress where standard error is a terminal. On FLEET_NOT_STARTED `error` says why.
 * The caller frees *gather, in which gather_finish was called.
 */
enum fleet_end fleet_run(struct app *app, const struct fleet_request *request, struct gather **gather,
			 struct buf *error);

/* ---- The nodes' end of it (fleet_parcel.c). ---------------------------------------------------------------
 */

/* With --parcel: tell that the program has started. Else nothing. */
void fleet_parcel_hello(const struct app *app);
/* The document in parcels on standard output; false: it could not be written. */
bool fleet_parcel_document(const struct app *app, struct str document);

/* ---- Names of nodes (fleet_nodes.c). ---------------------------------------------------------------------
 */

struct fleet_names {
	struct arena arena;
	VEC(struct str) list; /* each once, in the order they were given */
};

/*
 * Add the nodes of "node[01-64],login1", also separated by blanks and line ends. False: `error` says which
 * word is no node, in the reader's language. Only letters, digits, '.', '_' and '-' make names, none begins
 * with '-': they become words of commands.
 */
bool fleet_names_add(const struct app *app, struct fleet_names *names, struct str text, struct buf *error);
void fleet_names_join(const struct str *names, size_t count, struct buf *out); /* with commas */
void fleet_names_release(struct fleet_names *names);

/* ---- Merging diagnoses (fleet_diagnose.c). ---------------------------------------------------------------
 */

/* `documents`: of each node of `gather` what `diagnose --json` said, or null. */
void fleet_diagnosis_print(const struct app *app, struct output *output, const struct gather *gather,
			   json_t *const *documents);
json_t *fleet_diagnosis_to_json(const struct app *app, const struct gather *gather, json_t *const *documents);
bool fleet_diagnosis_found(json_t *const *documents, size_t count);

#endif

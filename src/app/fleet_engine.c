/* The engines that reach nodes: one table, in the order in which they are looked for. */
#include "app/fleet.h"

#include "plat/proc.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ASK_TIMEOUT_MS = 10000 };

static const char *const gone_slurm[] = {"failed on node", "Unable to contact", "Node failure", NULL};
static const char *const gone_shell[] = {"exited with exit code", "command timeout", NULL};
static const char *const gone_ansible[] = {"UNREACHABLE!", "| FAILED", NULL};
static const char *const gone_nothing[] = {NULL};

/* clang-format off */
const struct fleet_engine fleet_engines[] = {
	{
		/* Inside an allocation: a step of it, beside the job's own (SLURM_OVERLAP is unknown to old ones,
		 * which share anyway; an option would be an error). */
		.name = "slurm", .program = "srun", .environment = "SLURM_JOB_ID",
		.argv = {"srun", "--nodelist={nodes}", "--nodes={count}", "--ntasks={count}", "--ntasks-per-node=1",
			 "--label", "--kill-on-bad-exit=0", "--wait=0", "--job-name={run}", "--time={minutes}", "sh", "-c",
			 "{script}"},
		.list = FLEET_FOLDED,
		.nodes_environment = "SLURM_JOB_NODELIST",
		.down_argv = {"sinfo", "--noheader", "--Node", "--nodes={nodes}", "--format=%N %T"},
		.down = {"down", "fail", "unknown", "powered", "powering", "reboot"}, .also_gone = "*",
		.input = FLEET_INPUT_ALL, .stop_signal = SIGTERM,
		.set_name = "SLURM_OVERLAP", .set_value = "1",
		.style = {GATHER_RANK_LABEL, gone_slurm},
	},
	{
		.name = "clush", .program = "clush",
		.argv = {"clush", "--color=never", "-t", "{connect}", "-w", "{nodes}", "{shell}"},
		.list = FLEET_FOLDED,
		.nodes_argv = {"nodeset", "-f", "-a"},
		.input = FLEET_INPUT_ALL, .stop_signal = SIGINT,
		.style = {GATHER_NODE_LABEL, gone_shell},
	},
	{
		/* It asks for an allocation of its own, and does not wait for nodes that jobs have. */
		.name = "slurm", .program = "srun",
		.argv = {"srun", "--nodelist={nodes}", "--nodes={count}", "--ntasks={count}", "--ntasks-per-node=1",
			 "--label", "--kill-on-bad-exit=0", "--wait=0", "--immediate={connect}",
			 "--job-name={run}", "--time={minutes}", "sh", "-c", "{script}"},
		.list = FLEET_FOLDED,
		.nodes_argv = {"sinfo", "--noheader", "--Node", "--format=%N"},
		.down_argv = {"sinfo", "--noheader", "--Node", "--nodes={nodes}", "--format=%N %T"},
		.down = {"down", "fail", "unknown", "powered", "powering", "reboot", "drain", "allocated", "maint"},
		.also_gone = "*",
		.cancel_argv = {"scancel", "--name={run}"},
		.input = FLEET_INPUT_ALL, .stop_signal = SIGTERM,
		.style = {GATHER_RANK_LABEL, gone_slurm},
	},
	{
		.name = "pdsh", .program = "pdsh",
		.argv = {"pdsh", "-b", "-t", "{connect}", "-w", "{nodes}", "{shell}"},
		.list = FLEET_FOLDED,
		.input = FLEET_INPUT_NONE, .stop_signal = SIGINT,
		.style = {GATHER_NODE_LABEL, gone_shell},
	},
	{
		.name = "mpirun", .program = "mpirun", .version = "Open MPI",
		.argv = {"mpirun", "--host", "{nodes}", "--map-by", "ppr:1:node", "sh", "-c", "{script}"},
		.list = FLEET_COMMAS,
		.input = FLEET_INPUT_NONE, .stop_signal = SIGTERM,
		.style = {GATHER_NO_LABEL, gone_nothing},
	},
	{
		.name = "mpirun", .program = "mpirun", /* MPICH, Intel MPI: Hydra */
		.argv = {"mpirun", "-hosts", "{nodes}", "-n", "{count}", "-ppn", "1", "sh", "-c", "{script}"},
		.list = FLEET_COMMAS,
		.input = FLEET_INPUT_NONE, .stop_signal = SIGTERM,
		.style = {GATHER_NO_LABEL, gone_nothing},
	},
	{
		.name = "ansible", .program = "ansible",
		.argv = {"ansible", "{nodes}", "--one-line", "--forks", "64", "--timeout", "{connect}",
			 "--module-name", "raw", "--args", "{shell}"},
		.list = FLEET_COLONS,
		.nodes_argv = {"ansible", "all", "--list-hosts"},
		.input = FLEET_INPUT_NONE, .stop_signal = SIGINT,
		.style = {GATHER_NO_LABEL, gone_ansible},
	},
	{
		/* The last: a process for each node; it asks for no password. */
		.name = "ssh", .program = "ssh",
		.argv = {"ssh", "-T", "-oBatchMode=yes", "-oConnectTimeout={connect}", "--", "{node}", "{shell}"},
		.list = FLEET_FOLDED,
		.input = FLEET_INPUT_ALL, .stop_signal = SIGTERM,
		.style = {GATHER_NO_LABEL, gone_nothing},
	},
};
/* clang-format on */
const size_t fleet_engine_count = sizeof(fleet_engines) / sizeof(*fleet_engines);

/* ---- Which is here. ------------------------------------------------------------------------------------ */

static bool in_path(const char *program)
{
	struct str rest = str_of(getenv("PATH")), folder;
	struct buf path = {0};
	bool found = false;

	while (!found && str_next(&rest, ':', &folder)) {
		buf_clear(&path);
		buf_add(&path, folder.size ? folder : STR("."));
		buf_add_format(&path, "/%s", program);
		found = access(buf_c_string(&path), X_OK) == 0;
	}
	buf_release(&path);
	return found;
}

static bool version_says(const struct fleet_engine *engine)
{
	const char *const pattern[] = {engine->program, "--version", NULL};
	struct buf text = {0};

	fleet_engine_ask(pattern, NULL, &text);
	bool says = str_find(buf_str(&text), str_of(engine->version)) != STR_NOT_FOUND;
	buf_release(&text);
	return says;
}

static bool is_here(const struct fleet_engine *engine)
{
	const char *value = engine->environment ? getenv(engine->environment) : "set";

	return value && *value && in_path(engine->program) && (!engine->version || version_says(engine));
}

const struct fleet_engine *fleet_engine_find(const struct app *app, const char *name)
{
	struct buf names = {0};
	bool known = false;

	for (size_t i = 0; i < fleet_engine_count; i++) {
		const struct fleet_engine *engine = &fleet_engines[i];
		bool wanted = !name || strcmp(name, engine->name) == 0 || strcmp(name, engine->program) == 0;

		known = known || wanted;
		if (wanted && is_here(engine)) {
			buf_release(&names);
			return engine;
		}
		if (str_find(buf_str(&names), str_of(engine->program)) == STR_NOT_FOUND)
			buf_add_format(&names, "%s%s", names.size ? ", " : "", engine->program);
	}
	if (name && known)
		app_fault(app, "--engine %s：这台机器的 PATH 中没有它",
			  "--engine %s: it is not in PATH on this machine", name);
	else if (name)
		app_fault(app, "--engine %s：没有这种引擎；可用 %s",
			  "--engine %s: no such engine; there are %s", name, buf_c_string(&names));
	else
		app_fault(app, "PATH 中没有能到达其他节点的命令；找过 %s",
			  "nothing in PATH reaches other nodes; looked for %s", buf_c_string(&names));
	buf_release(&names);
	return NULL;
}

/* ---- Its command. -------------------------------------------------------------------------------------- */

bool fleet_engine_is_per_node(const struct fleet_engine *engine)
{
	for (size_t i = 0; engine->argv[i]; i++)
		if (strcmp(engine->argv[i], "{node}") == 0)
			return true;
	return false;
}

static bool add_replaced(const char *name, size_t size, const struct fleet_words *words, struct buf *out)
{
	const struct {
		const char *name, *text;
	} texts[] = {{"nodes", words->nodes},
		     {"node", words->node},
		     {"script", words->script},
		     {"shell", words->shell}};
	struct str wanted = {name, size};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (str_equal(wanted, str_of(texts[i].name))) {
			buf_add(out, str_of(texts[i].text));
			return true;
		}
	}
	if (str_equal(wanted, STR("run")))
		buf_add_format(out, "ascend-faq-%s", words->token);
	else if (str_equal(wanted, STR("minutes")))
		buf_add_format(out, "%u", words->minutes);
	else if (str_equal(wanted, STR("count")))
		buf_add_format(out, "%zu", words->count);
	else if (str_equal(wanted, STR("connect")))
		buf_add_format(out, "%u", words->connect_s);
	else
		return false;
	return true;
}

void fleet_argv_make(const char *const *pattern, const struct fleet_words *words, struct fleet_argv *argv)
{
	for (size_t i = 0; pattern[i]; i++) {
		struct buf word = {0};
		const char *open = strchr(pattern[i], '{');
		const char *close = open ? strchr(open, '}') : NULL;

		buf_add(&word,
			(struct str){pattern[i], open ? (size_t)(open - pattern[i]) : strlen(pattern[i])});
		if (close && add_replaced(open + 1, (size_t)(close - open - 1), words, &word))
			buf_add(&word, str_of(close + 1));
		buf_add(&word, STR(""));
		buf_reserve(&word, 1);
		vec_push(&argv->words, word.data);
	}
	vec_push(&argv->words, NULL);
}

void fleet_argv_release(struct fleet_argv *argv)
{
	for (size_t i = 0; i < argv->words.count; i++)
		free(argv->words.items[i]);
	vec_release(&argv->words);
}

void fleet_engine_ask(const char *const *pattern, const struct fleet_words *words, struct buf *out)
{
	static const struct fleet_words none = {
		.nodes = "", .node = "", .script = "", .shell = "", .token = ""};
	struct fleet_argv argv = {0};
	struct proc proc = PROC_INIT;
	struct buf error = {0};

	fleet_argv_make(pattern, words ? words : &none, &argv);
	struct proc_command command = {.argv = (const char *const *)argv.words.items,
				       .timeout_ms = ASK_TIMEOUT_MS,
				       .output_limit = 8 << 20};
	if (proc_start(&proc, &command, &error)) {
		proc_wait(&proc, -1);
		if (proc.end == PROC_EXITED && proc.exit_status == 0)
			buf_add(out, buf_str(&proc.out_text));
	}
	proc_release(&proc);
	fleet_argv_release(&argv);
	buf_release(&error);
}

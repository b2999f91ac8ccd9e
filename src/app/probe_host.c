#include "app/probe_host.h"

#include "app/probe_host_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { COMMAND_OUTPUT_MAX = 1 << 20 };

/* ---- The environment and the system. ------------------------------------------------------------------ */

/* One line a variable, whatever its value holds. */
static void add_variable(struct buf *out, struct str variable)
{
	for (size_t i = 0; i < variable.size; i++)
		buf_add_byte(out,
			     variable.data[i] == '\n' || variable.data[i] == '\r' ? ' ' : variable.data[i]);
	buf_add_byte(out, '\n');
}

static void ask_env(struct probe_machine *machine, const struct probe_request *request,
		    struct probe_answer *answer)
{
	(void)machine;
	bool prefix = str_ends(request->text, STR("*"));
	struct str wanted = str_slice(request->text, 0, request->text.size - prefix);
	answer->end = PROBE_END_MISSING;
	for (char **item = environ; item && *item; item++) {
		struct str variable = str_of(*item);
		size_t equals = str_find_byte(variable, '=');
		if (equals == STR_NOT_FOUND || equals + 1 == variable.size || !str_starts(variable, wanted) ||
		    (!prefix && equals != wanted.size))
			continue;
		add_variable(&answer->text, variable);
		answer->end = PROBE_END_OK;
	}
}

static void add_limit(struct buf *out, const char *name, int resource, rlim_t unit)
{
	struct rlimit limit;
	if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
		return;
	const rlim_t values[2] = {limit.rlim_cur, limit.rlim_max};
	buf_add(out, str_of(name));
	for (size_t i = 0; i < 2; i++)
		if (values[i] == RLIM_INFINITY)
			buf_add(out, STR(" unlimited"));
		else
			buf_add_format(out, " %llu", (unsigned long long)(values[i] / unit));
	buf_add_byte(out, '\n');
}

static void add_limits(struct buf *out)
{
	/* Units as `ulimit` has them: KiB for memory, 512-byte blocks for core files are given in KiB too. */
	add_limit(out, "nofile", RLIMIT_NOFILE, 1);
	add_limit(out, "nproc", RLIMIT_NPROC, 1);
	add_limit(out, "memlock", RLIMIT_MEMLOCK, 1024);
	add_limit(out, "core", RLIMIT_CORE, 1024);
	add_limit(out, "stack", RLIMIT_STACK, 1024);
}

static void add_cores(struct buf *out)
{
	cpu_set_t *set = CPU_ALLOC(4096);
	size_t size = CPU_ALLOC_SIZE(4096);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (set && sched_getaffinity(0, size, set) == 0)
		cores = CPU_COUNT_S(size, set);
	CPU_FREE(set);
	buf_add_format(out, "%ld", cores);
}

static void add_folder(struct buf *out)
{
	char *folder = getcwd(NULL, 0);
	if (folder)
		buf_add(out, str_of(folder));
	free(folder);
}

static void ask_system(struct probe_machine *machine, const struct probe_request *request,
		       struct probe_answer *answer)
{
	struct utsname name;
	if (str_equal(request->text, STR("cores")))
		add_cores(&answer->text);
	else if (str_equal(request->text, STR("machine")) && uname(&name) == 0)
		buf_add(&answer->text, str_of(name.machine));
	else if (str_equal(request->text, STR("limits")))
		add_limits(&answer->text);
	else if (str_equal(request->text, STR("user")))
		probe_machine_user_name(machine, getuid(), &answer->text);
	else if (str_equal(request->text, STR("folder")))
		add_folder(&answer->text);
	answer->end = answer->text.size ? PROBE_END_OK : PROBE_END_MISSING;
}

static void ask_space(struct probe_machine *machine, const struct probe_request *request,
		      struct probe_answer *answer)
{
	struct buf path = {0};
	struct statvfs space;
	probe_machine_path(machine, request->text, &path);
	if (statvfs(buf_c_string(&path), &space) != 0) {
		probe_answer_errno(answer, errno);
	} else {
		unsigned long long unit = space.f_frsize ? space.f_frsize : space.f_bsize;
		buf_add_format(&answer->text, "%llu %llu", space.f_blocks * unit >> 20,
			       space.f_bavail * unit >> 20);
		answer->end = PROBE_END_OK;
	}
	buf_release(&path);
}

/* ---- Commands. ---------------------------------------------------------------------------------------- */

static bool is_executable(const char *path)
{
	struct stat info;
	return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* As the shell looks it up, but for entries that are empty or relative: they would mean the current folder.
 */
static void ask_which(struct probe_machine *machine, const struct probe_request *request,
		      struct probe_answer *answer)
{
	(void)machine;
	struct str folders = str_of(getenv("PATH")), folder;
	answer->end = PROBE_END_MISSING;
	while (answer->end != PROBE_END_OK && str_next(&folders, ':', &folder)) {
		if (!str_starts(folder, STR("/")))
			continue;
		buf_clear(&answer->text);
		buf_add_format(&answer->text, "%.*s/%.*s", STR_ARG(folder), STR_ARG(request->text));
		if (is_executable(buf_c_string(&answer->text)))
			answer->end = PROBE_END_OK;
	}
	if (answer->end != PROBE_END_OK)
		buf_clear(&answer->text);
}

static void end_of(const struct proc *proc, struct probe_answer *answer)
{
	switch (proc->end) {
	case PROC_EXITED:
		answer->end = proc->exit_status ? PROBE_END_STATUS : PROBE_END_OK;
		answer->number = proc->exit_status;
		break;
	case PROC_SIGNALLED:
		answer->end = PROBE_END_SIGNAL;
		answer->number = proc->signal;
		break;
	case PROC_TIMED_OUT:
	case PROC_CANCELLED:
		answer->end = PROBE_END_TIMEOUT;
		break;
	case PROC_TOO_MUCH_OUTPUT:
		answer->end = PROBE_END_TOO_MUCH;
		break;
	case PROC_NOT_STARTED:
		probe_answer_errno(answer, proc->error_number);
		break;
	}
}

static void run_command(struct probe_machine *machine, const char *const *argv, uint32_t timeout_ms,
			struct probe_answer *answer)
{
	struct proc proc = PROC_INIT;
	struct proc_command command = {
		.argv = argv, .timeout_ms = timeout_ms, .output_limit = COMMAND_OUTPUT_MAX};
	struct buf error = {0};
	if (!proc_start(&proc, &command, &error)) {
		buf_add(&answer->text, buf_str(&error));
		answer->end = PROBE_END_ERROR;
	} else {
		proc_wait(&proc, machine->cancel_fd);
		if (proc.end == PROC_CANCELLED)
			_exit(1); /* nobody waits for us any more */
		end_of(&proc, answer);
		buf_add(&answer->text, buf_str(&proc.out_text));
		buf_add(&answer->text, buf_str(&proc.err_text));
	}
	proc_release(&proc);
	buf_release(&error);
}

/* A program found below the root is run there; what PATH gives is run as it is. */
static void add_program(struct probe_machine *machine, struct str name, struct buf *out)
{
	if (str_starts(name, STR("/")) && machine->root.size > 0) {
		probe_machine_path(machine, name, out);
		if (is_executable(buf_c_string(out)))
			return;
		buf_clear(out);
	}
	buf_add(out, name);
}

static void ask_command(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer)
{
	struct buf key = {0}, program = {0};
	for (size_t i = 0; i < request->argv_count; i++) {
		buf_add(&key, request->argv[i]);
		buf_add_byte(&key, 0);
	}
	const struct known_command *known = NULL;
	for (size_t i = 0; i < machine->known.count && !known; i++)
		if (str_equal(machine->known.items[i].argv, buf_str(&key)))
			known = &machine->known.items[i];
	if (known) {
		answer->end = known->end;
		answer->number = known->number;
		buf_add(&answer->text, known->text);
		goto out;
	}
	const char **argv = alloc_zeroed(request->argv_count + 1, sizeof(*argv));
	for (size_t i = 0; i < request->argv_count; i++)
		argv[i] = arena_c_string(&machine->arena, request->argv[i]);
	if (request->argv_count > 0) {
		add_program(machine, request->argv[0], &program);
		argv[0] = buf_c_string(&program);
		run_command(machine, argv, request->timeout_ms, answer);
	} else {
		answer->end = PROBE_END_MISSING;
	}
	free(argv);
	vec_push(&machine->known,
		 (struct known_command){arena_copy(&machine->arena, buf_str(&key)), answer->end,
					answer->number, arena_copy(&machine->arena, buf_str(&answer->text))});
out:
	buf_release(&key);
	buf_release(&program);
}

/* ---- The host. ---------------------------------------------------------------------------------------- */

static void ask(void *context, const struct probe_request *request, struct probe_answer *answer)
{
	static void (*const ways[])(struct probe_machine *, const struct probe_request *,
				    struct probe_answer *) = {
		[PROBE_ASK_ENV] = ask_env,
		[PROBE_ASK_GLOB] = probe_machine_glob,
		[PROBE_ASK_STAT] = probe_machine_stat,
		[PROBE_ASK_RESOLVE] = probe_machine_resolve,
		[PROBE_ASK_FILE] = probe_machine_file,
		[PROBE_ASK_WHICH] = ask_which,
		[PROBE_ASK_COMMAND] = ask_command,
		[PROBE_ASK_PORTS] = probe_machine_ports,
		[PROBE_ASK_FREE_PORTS] = probe_machine_free_ports,
		[PROBE_ASK_INTERFACES] = probe_machine_interfaces,
		[PROBE_ASK_SPACE] = ask_space,
		[PROBE_ASK_SYSTEM] = ask_system,
	};
	struct probe_machine *machine = context;
	struct pollfd cancelled = {.fd = machine->cancel_fd, .events = POLLIN};
	if (machine->cancel_fd >= 0 && poll(&cancelled, 1, 0) > 0)
		_exit(1); /* nobody waits for us any more */
	ways[request->ask](machine, request, answer);
}

struct probe_machine *probe_machine_new(int cancel_fd, uint32_t ports_seed)
{
	struct probe_machine *machine = alloc_zeroed(1, sizeof(*machine));
	machine->cancel_fd = cancel_fd;
	machine->ports_seed = ports_seed;
	struct str root = str_of(getenv("ASCEND_FAQ_ROOT"));
	while (root.size > 0 && root.data[root.size - 1] == '/')
		root.size--;
	if (str_starts(root, STR("/")))
		machine->root = arena_copy(&machine->arena, root);
	return machine;
}

void probe_machine_free(struct probe_machine *machine)
{
	if (!machine)
		return;
	vec_release(&machine->known);
	net_sockets_release(&machine->sockets);
	arena_release(&machine->arena);
	free(machine);
}

struct probe_host probe_machine_host(struct probe_machine *machine)
{
	return (struct probe_host){.context = machine, .ask = ask};
}

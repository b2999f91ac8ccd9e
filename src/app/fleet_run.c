/* Run an engine (or one ssh a node), take in what comes, show how far it is. */
#include "app/child.h"
#include "app/fleet.h"
#include "base/nodeset.h"
#include "plat/fs.h"
#include "plat/signal.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SIDE_BY_SIDE = 32,        /* processes, where there is one a node */
	GRACE_MS = 3000,          /* for an engine to end its own connections */
	CONNECT_S = 10,           /* to reach a node; less when the time is shorter */
	SHOW_MS = 100,            /* between two looks of the status line */
	OUTPUT_HELD = 64 << 20,   /* bytes that may wait to be taken; they are taken at once */
	PROGRAM_MOST = 256 << 20, /* bytes of the program that is sent */
	DESCENDANT_ROUNDS = 20,
	CHILDREN_SIZE_MAX = 1 << 20
};

struct job {
	struct run *run;
	struct child *child;
	struct gather_stream out, err;
	struct str node; /* empty: all of them */
};

struct run {
	const struct app *app;
	const struct fleet_request *request;
	struct gather *gather;
	struct loop *loop;
	struct buf token, script, shell, nodes, program, say; /* say: why an engine ended badly */
	struct job *jobs;
	size_t job_count, jobs_started, jobs_running;
	uint64_t started_ms, deadline_ms, shown_ms;
	bool interrupted, timed_out, terminal, shown, not_started;
	int interrupts;
};

static int64_t wall_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- The status line. ---------------------------------------------------------------------------------- */

static void show_progress(struct run *run, bool now)
{
	struct gather_counts counts;
	uint64_t time_ms = loop_now_ms();
	char line[200];

	if (!run->terminal || (!now && time_ms < run->shown_ms + SHOW_MS))
		return;
	counts = gather_counts(run->gather);
	snprintf(line, sizeof(line),
		 app_say(run->app, "\r%s：%zu/%zu 完成，%zu 失败，%zu 未答复  %llu/%u s\033[K",
			 "\r%s: %zu of %zu done, %zu lost, %zu still out  %llu of %u s\033[K"),
		 run->request->engine->name, counts.done, counts.asked, counts.lost, counts.waiting,
		 (unsigned long long)(time_ms - run->started_ms) / 1000, run->request->timeout_ms / 1000);
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		run->terminal = false;
	run->shown_ms = time_ms;
	run->shown = true;
}

static void hide_progress(struct run *run)
{
	if (run->shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
		run->terminal = false;
	run->shown = false;
}

/* ---- Jobs. --------------------------------------------------------------------------------------------- */

static void start_more(struct run *run);

static void note_end(struct run *run, struct job *job, const struct proc *proc)
{
	struct buf end = {0};

	if (proc->end == PROC_NOT_STARTED) {
		buf_clear(&run->say);
		buf_add_format(&run->say, "%s: %s", run->request->engine->program,
			       strerror(proc->error_number));
		run->not_started = true;
	} else if (proc->end != PROC_CANCELLED && (proc->end != PROC_EXITED || proc->exit_status != 0)) {
		buf_add_format(&end, "%s: ", run->request->engine->program);
		proc_describe_end(proc, &end);
		if (job->node.size)
			gather_refuse(run->gather, job->node, buf_str(&end));
		else
			buf_add(&run->say, buf_str(&end));
	}
	buf_release(&end);
}

static void job_ready(void *context, struct proc *proc, bool done)
{
	struct job *job = context;
	struct run *run = job->run;
	int64_t now = wall_ms();

	gather_take(run->gather, &job->out, buf_str(&proc->out_text), now);
	gather_take(run->gather, &job->err, buf_str(&proc->err_text), now);
	buf_clear(&proc->out_text);
	buf_clear(&proc->err_text);
	if (done) {
		gather_end(run->gather, &job->out, now);
		gather_end(run->gather, &job->err, now);
		note_end(run, job, proc);
		child_free(job->child);
		job->child = NULL;
		run->jobs_running--;
		start_more(run);
	}
	show_progress(run, done);
}

static struct fleet_words words_of(const struct run *run)
{
	unsigned seconds = run->request->timeout_ms / 1000;

	return (struct fleet_words){.nodes = buf_c_string(&run->nodes),
				    .node = "",
				    .script = buf_c_string(&run->script),
				    .shell = buf_c_string(&run->shell),
				    .token = buf_c_string(&run->token),
				    .count = run->request->node_count,
				    .connect_s = seconds < CONNECT_S ? seconds + 1 : CONNECT_S,
				    .minutes = seconds / 60 + 2};
}

static bool start_job(struct run *run, struct job *job, struct buf *error)
{
	const struct fleet_engine *engine = run->request->engine;
	struct buf node = {0};
	struct fleet_argv argv = {0};
	struct fleet_words words = words_of(run);

	buf_add(&node, job->node);
	words.node = buf_c_string(&node);
	fleet_argv_make(engine->argv, &words, &argv);
	/* Its own session: without a terminal nothing can ask for a password. */
	struct proc_command command = {.argv = (const char *const *)argv.words.items,
				       .input = run->program.size ? buf_str(&run->program) : (struct str){0},
				       .output_limit = OUTPUT_HELD,
				       .own_session = true,
				       .stop_signal = engine->stop_signal,
				       .grace_ms = GRACE_MS};
	*job = (struct job){.run = run, .node = job->node, .out.node = job->node, .err.node = job->node};
	job->child = child_start(run->loop, &command, job_ready, job, error);
	run->jobs_running += job->child != NULL;
	fleet_argv_release(&argv);
	buf_release(&node);
	return job->child;
}

static void start_more(struct run *run)
{
	while (!run->interrupted && !run->timed_out && run->jobs_started < run->job_count &&
	       run->jobs_running < SIDE_BY_SIDE) {
		struct job *job = &run->jobs[run->jobs_started++];
		struct buf error = {0};

		if (!start_job(run, job, &error)) {
			gather_refuse(run->gather, job->node, buf_str(&error));
			buf_clear(&run->say);
			buf_add(&run->say, buf_str(&error));
			run->not_started = run->job_count == 1;
		}
		buf_release(&error);
	}
}

static void stop_jobs(struct run *run, bool at_once)
{
	for (size_t i = 0; i < run->jobs_started; i++) {
		if (!run->jobs[i].child)
			continue;
		if (!at_once) {
			child_cancel(run->jobs[i].child);
			continue;
		}
		child_free(run->jobs[i].child);
		run->jobs[i].child = NULL;
		run->jobs_running--;
	}
}

/* ---- Events. ------------------------------------------------------------------------------------------- */

static void time_is_over(void *context)
{
	struct run *run = context;

	run->timed_out = true;
	stop_jobs(run, false);
}

static void signals_ready(void *context, int fd, short events)
{
	struct run *run = context;
	int number;

	(void)fd;
	(void)events;
	while (signal_next(&number)) {
		if (number == SIGTSTP)
			signal_suspend();
		if (number != SIGINT && number != SIGTERM && number != SIGHUP && number != SIGQUIT)
			continue;
		run->interrupted = true;
		stop_jobs(run, ++run->interrupts > 1);
	}
}

static void tick(void *context)
{
	struct run *run = context;

	show_progress(run, true);
	loop_deadline(run->loop, loop_now_ms() + 1000, tick, run);
}

/*
 * What an engine leaves behind: clush's connections are sessions of their own, which no signal to a group
 * reaches. As their subreaper we are their parent once the engine has gone.
 */
static void end_descendants(void)
{
	for (int round = 0; round < DESCENDANT_ROUNDS; round++) {
		char path[64], *end;
		struct buf children = {0};
		size_t alive = 0;

		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
		fs_read_file(path, CHILDREN_SIZE_MAX, &children, NULL);
		for (const char *at = buf_c_string(&children);; at = end) {
			long pid = strtol(at, &end, 10);

			if (pid <= 0)
				break;
			kill((pid_t)pid, round ? SIGKILL : SIGTERM);
			alive++;
		}
		buf_release(&children);
		if (!alive)
			return;
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
}

/* ---- All of it. ---------------------------------------------------------------------------------------- */

static void make_token(struct buf *token)
{
	unsigned char bytes[8] = {0};

	if (getrandom(bytes, sizeof(bytes), 0) < 0)
		memset(bytes, 0, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++)
		buf_add_format(token, "%02x", bytes[i]);
}

static bool own_path(struct buf *path)
{
	char text[4096];
	ssize_t size = readlink("/proc/self/exe", text, sizeof(text));

	if (size <= 0 || (size_t)size == sizeof(text))
		return false;
	buf_add_bytes(path, text, (size_t)size);
	return true;
}

static bool prepare_script(struct run *run, struct str token, struct buf *error)
{
	const struct fleet_request *request = run->request;
	const char *given = run->app->options.argument[OPTION_PROGRAM];
	struct buf own = {0};
	VEC(struct str) arguments = {0};
	bool good = true;

	own_path(&own);
	if (request->send)
		good = fs_read_file(buf_c_string(&own), PROGRAM_MOST, &run->program, error);
	for (size_t i = 0; i < request->argument_count; i++) {
		vec_push(&arguments, request->arguments[i]);
		if (i > 0)
			continue;
		vec_push(&arguments, STR("--lang"));
		vec_push(&arguments, str_of(run->app->options.lang == LANG_ZH ? "zh" : "en"));
		vec_push(&arguments, STR("--json"));
		vec_push(&arguments, STR("--parcel"));
		vec_push(&arguments, token);
	}
	struct fleet_script script = {.token = token,
				      .program = given ? str_of(given) : buf_str(&own),
				      .arguments = arguments.items,
				      .argument_count = arguments.count,
				      .send_size = run->program.size};
	fleet_script_add(&script, &run->script);
	fleet_script_add_shell(buf_str(&run->script), &run->shell);
	vec_release(&arguments);
	buf_release(&own);
	return good;
}

static void join_nodes(struct run *run)
{
	const struct fleet_request *request = run->request;
	struct str *names = alloc_zeroed(request->node_count + 1, sizeof(*names));

	/* nodeset_fold puts them in order; mpirun's ranks go by ours. */
	for (size_t i = 0; i < request->node_count; i++)
		names[i] = request->nodes[i];
	if (request->engine->list == FLEET_FOLDED)
		nodeset_fold(names, request->node_count, &run->nodes);
	else
		fleet_names_join(names, request->node_count, &run->nodes);
	for (size_t i = 0; request->engine->list == FLEET_COLONS && i < run->nodes.size; i++)
		if (run->nodes.data[i] == ',')
			run->nodes.data[i] = ':';
	free(names);
}

static void make_jobs(struct run *run)
{
	const struct fleet_request *request = run->request;
	bool per_node = fleet_engine_is_per_node(request->engine);

	run->job_count = per_node ? request->node_count : 1;
	run->jobs = alloc_zeroed(run->job_count, sizeof(*run->jobs));
	for (size_t i = 0; per_node && i < run->job_count; i++)
		run->jobs[i].node = request->nodes[i];
}

static void turn(struct run *run)
{
	int signals = signal_start();
	uint64_t limit;

	if (signals >= 0)
		loop_watch(run->loop, signals, POLLIN, signals_ready, run);
	gather_started(run->gather, wall_ms());
	start_more(run);
	limit = loop_deadline(run->loop, run->started_ms + run->request->timeout_ms, time_is_over, run);
	if (run->terminal)
		tick(run);
	while (run->jobs_running > 0 && loop_turn(run->loop, LOOP_NEVER))
		;
	loop_cancel(run->loop, limit);
	stop_jobs(run, true);
	if ((run->timed_out || run->interrupted) && run->request->engine->cancel_argv[0]) {
		struct fleet_words words = words_of(run);
		struct buf out = {0};

		fleet_engine_ask(run->request->engine->cancel_argv, &words, &out);
		buf_release(&out);
	}
	hide_progress(run);
	end_descendants();
	if (signals >= 0)
		loop_unwatch(run->loop, signals);
	signal_stop();
}

static void tell_engine_fault(struct run *run)
{
	struct gather_counts counts = gather_counts(run->gather);

	/* Of an engine that failed as a whole its own words say why. */
	if (!run->say.size || counts.done == counts.asked || run->timed_out || run->interrupted)
		return;
	app_warn(run->app, "%s", "%s", buf_c_string(&run->say));
	for (size_t i = 0; i < gather_garbage_count(run->gather) && i < 5; i++)
		app_warn(run->app, "%.*s", "%.*s", STR_ARG(gather_garbage(run->gather, i)));
}

enum fleet_end fleet_run(struct app *app, const struct fleet_request *request, struct gather **gather,
			 struct buf *error)
{
	struct run run = {.app = app, .request = request, .loop = loop_new(), .started_ms = loop_now_ms()};
	enum fleet_end end = FLEET_NOT_STARTED;

	make_token(&run.token);
	*gather = run.gather = gather_new(buf_str(&run.token), &request->engine->style);
	for (size_t i = 0; i < request->node_count; i++)
		gather_expect(run.gather, request->nodes[i]);
	run.terminal = isatty(STDERR_FILENO);
	join_nodes(&run);
	make_jobs(&run);
	if (prepare_script(&run, buf_str(&run.token), error)) {
		prctl(PR_SET_CHILD_SUBREAPER, 1);
		if (request->engine->set_name)
			setenv(request->engine->set_name, request->engine->set_value, 1);
		turn(&run);
		gather_finish(run.gather, run.timed_out || run.interrupted);
		tell_engine_fault(&run);
		end = run.not_started   ? FLEET_NOT_STARTED
		      : run.interrupted ? FLEET_INTERRUPTED
		      : run.timed_out   ? FLEET_TIMED_OUT
					: FLEET_ENDED;
		if (run.not_started)
			buf_add(error, buf_str(&run.say));
	}
	buf_release(&run.token);
	buf_release(&run.script);
	buf_release(&run.shell);
	buf_release(&run.nodes);
	buf_release(&run.program);
	buf_release(&run.say);
	for (size_t i = 0; i < run.job_count; i++) {
		buf_release(&run.jobs[i].out.rest);
		buf_release(&run.jobs[i].err.rest);
	}
	free(run.jobs);
	loop_free(run.loop);
	return end;
}

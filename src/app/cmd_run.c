/* ascend-faq run: pass a command through untouched; if it fails, say which known problem it has. */
#include "app/app.h"
#include "app/diagnosis_out.h"
#include "plat/fs.h"
#include "plat/relay.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* What is kept of the output, so that the browser can show it: its beginning and its end. */
enum { KEPT_HEAD = 2 << 20, KEPT_TAIL = 2 << 20 };

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

struct watch {
	struct diagnose *diagnose;
	struct buf head;
	struct buf tail;  /* a ring once it is full */
	size_t tail_next; /* where the next byte goes */
	uint64_t size;    /* of the whole output */
};

static char *room_for_output(void *context, size_t *size)
{
	struct watch *watch = context;

	return diagnose_room(watch->diagnose, size);
}

static void keep_tail(struct watch *watch, struct str bytes)
{
	if (!watch->tail.size) {
		buf_reserve(&watch->tail, KEPT_TAIL);
		watch->tail.size = KEPT_TAIL;
	}
	if (bytes.size > KEPT_TAIL)
		bytes = str_slice(bytes, bytes.size - KEPT_TAIL, bytes.size);
	while (bytes.size) {
		size_t room = KEPT_TAIL - watch->tail_next;
		size_t now = bytes.size < room ? bytes.size : room;

		memcpy(watch->tail.data + watch->tail_next, bytes.data, now);
		watch->tail_next = (watch->tail_next + now) % KEPT_TAIL;
		bytes = str_slice(bytes, now, bytes.size);
	}
}

static void take_output(void *context, const char *bytes, size_t size)
{
	struct watch *watch = context;
	struct str rest = {bytes, size};
	size_t head = watch->head.size < KEPT_HEAD ? KEPT_HEAD - watch->head.size : 0;

	buf_add(&watch->head, str_slice(rest, 0, head));
	if (size > head)
		keep_tail(watch, str_slice(rest, head, size));
	watch->size += size;
	diagnose_commit(watch->diagnose, size);
}

/* Beginning, the lines that were found, end; what is left out is said. */
static void kept_output(const struct watch *watch, const struct diagnosis *diagnosis, struct buf *out)
{
	uint64_t behind = watch->size - watch->head.size;
	size_t tail = behind < KEPT_TAIL ? (size_t)behind : KEPT_TAIL;
	size_t start = (watch->tail_next + KEPT_TAIL - tail) % KEPT_TAIL;

	buf_add(out, buf_str(&watch->head));
	if (behind > tail) {
		buf_add_format(out, "\n… %" PRIu64 " bytes left out; what was found in the whole:\n",
			       behind - tail);
		for (size_t i = 0; i < diagnosis->match_count; i++) {
			for (size_t e = 0; e < diagnosis->matches[i].evidence_count; e++) {
				buf_add(out, diagnosis->matches[i].evidence[e].text);
				buf_add_byte(out, '\n');
			}
		}
		buf_add(out, STR("…\n"));
	}
	if (tail) {
		size_t first = tail < KEPT_TAIL - start ? tail : KEPT_TAIL - start;

		buf_add_bytes(out, watch->tail.data + start, first);
		buf_add_bytes(out, watch->tail.data, tail - first);
	}
}

/* Where the browser finds the output again: one file that the next failure replaces. */
static bool save_output(const struct watch *watch, const struct diagnosis *diagnosis, struct buf *path)
{
	struct buf text = {0};
	bool good = fs_home_path(FS_STATE, "ascend-faq/last-run.log", path);

	if (good) {
		kept_output(watch, diagnosis, &text);
		good = fs_write_file(buf_c_string(path), buf_str(&text), NULL);
	}
	buf_release(&text);
	return good;
}

static void print_failure(const struct app *app, const struct watch *watch, const struct diagnosis *diagnosis,
			  int status)
{
	struct output output;
	struct buf path = {0};

	output_open_on(&output, &app->options, STDERR_FILENO);
	buf_add_format(&output.text, "\nascend-faq: ");
	if (diagnosis->match_count) {
		output_format(&output, OUTPUT_PLAIN,
			      app_say(app, "命令失败（状态 %d），输出符合已知问题：\n",
				      "the command failed (status %d); its output shows:\n"),
			      status);
		diagnosis_print(app, &output, diagnosis);
	} else {
		output_format(&output, OUTPUT_PLAIN,
			      app_say(app, "命令失败（状态 %d），输出不符合任何已知问题。\n",
				      "the command failed (status %d); its output shows no known problem.\n"),
			      status);
	}
	if (save_output(watch, diagnosis, &path)) {
		output_format(&output, OUTPUT_COMMAND, "ascend-faq %.*s", STR_ARG(buf_str(&path)));
		output_format(&output, OUTPUT_PLAIN, "  %s\n",
			      app_say(app, "在浏览器中打开", "opens it in the browser"));
	}
	output_close(&output);
	buf_release(&path);
}

static int tell_not_started(const struct app *app, const struct relay_result *result)
{
	struct str name = app_operand(app, 0);

	app_fault(app, "%.*s：%s", "%.*s: %s", STR_ARG(name), strerror(result->error_number));
	return result->error_number == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

int cmd_run(struct app *app)
{
	struct scanner *scanner = scanner_new(app_kb(app));
	struct watch watch = {.diagnose = diagnose_new(scanner)};
	struct relay_options options = {
		.next_buffer = room_for_output, .sink = take_output, .context = &watch};
	struct relay_result result;
	struct buf error = {0};
	VEC(char *) argv = {0};
	int status;

	for (size_t i = 0; i < app_operand_count(app); i++)
		vec_push(&argv, (char *)(uintptr_t)app_operand(app, i).data);
	vec_push(&argv, NULL);
	options.argv = argv.items;
	diagnose_begin(watch.diagnose, STR("output"));
	if (!relay_run(&options, &result, &error)) {
		status = app_fault(app, "无法运行：%s", "cannot run it: %s", buf_c_string(&error));
	} else if (!result.started) {
		status = tell_not_started(app, &result);
	} else {
		status = result.exit_status;
		if (result.output_lost && result.lost_number != EPIPE) {
			errno = result.lost_number;
			output_tell_lost(app->options.lang);
			status = status ? status : EXIT_FAULT;
		}
		if (status != 0 && !result.output_lost)
			print_failure(app, &watch, diagnose_finish(watch.diagnose), status);
	}
	vec_release(&argv);
	buf_release(&watch.head);
	buf_release(&watch.tail);
	buf_release(&error);
	diagnose_free(watch.diagnose);
	scanner_free(scanner);
	return status;
}

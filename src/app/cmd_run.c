/* ascend-faq run: pass a command through untouched; if it fails, say which known problem it has. */
#include "app/app.h"
#include "app/diagnosis_out.h"
#include "app/watch.h"
#include "plat/fs.h"
#include "plat/relay.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

/* Where the browser finds the output again: one file that the next failure replaces. */
static bool save_output(const struct watch *watch, const struct diagnosis *diagnosis, struct buf *path)
{
	struct buf text = {0};
	bool good = fs_home_path(FS_STATE, "ascend-faq/last-run.log", path);

	if (good) {
		watch_add_kept(watch, diagnosis, &text);
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

	diagnosis_remember(app->kb, diagnosis);
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
	struct watch *watch = watch_new(scanner);
	struct relay_options options = {.next_buffer = watch_room, .sink = watch_take, .context = watch};
	struct relay_result result;
	struct buf error = {0};
	VEC(char *) argv = {0};
	int status;

	for (size_t i = 0; i < app_operand_count(app); i++)
		vec_push(&argv, (char *)(uintptr_t)app_operand(app, i).data);
	vec_push(&argv, NULL);
	options.argv = argv.items;
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
			print_failure(app, watch, watch_finish(watch), status);
	}
	vec_release(&argv);
	buf_release(&error);
	watch_free(watch);
	scanner_free(scanner);
	return status;
}

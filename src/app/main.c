/*
 * ascend-faq: known problems of Ascend NPU jobs, in the terminal.
 */
#include "app/app.h"

#include "app/packs.h"
#include "base/distance.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *nearest_command(struct str name)
{
	const char *nearest = NULL;
	size_t least = 3; /* more than two changes apart is no help */

	for (size_t i = 0; i < command_count; i++) {
		size_t distance = distance_bytes(name, str_of(command_table[i].name), least);

		if (distance < least) {
			least = distance;
			nearest = command_table[i].name;
		}
	}
	return nearest;
}

static int unknown_command(const struct app *app, struct str name)
{
	const char *nearest = nearest_command(name);

	if (nearest)
		return app_fault(app, "%.*s：没有这个命令，也没有这个文件；是不是 %s？",
				 "%.*s: neither a command nor a file; did you mean %s?", STR_ARG(name),
				 nearest);
	return app_fault(app, "%.*s：没有这个命令，也没有这个文件；ascend-faq help 列出全部命令",
			 "%.*s: neither a command nor a file; ascend-faq help lists the commands",
			 STR_ARG(name));
}

static int check_operands(const struct app *app)
{
	const struct command *command = app->command;
	size_t count = app_operand_count(app);

	if (count >= command->least && count <= command->most)
		return EXIT_FOUND;
	return app_fault(app, "用法：ascend-faq %s %s", "usage: ascend-faq %s %s", command->name,
			 command->operands);
}

static int check_options(const struct app *app)
{
	const char *name = app->command ? app->command->name : NULL;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (!app->options.given[i] || option_applies(&option_table[i], name))
			continue;
		if (name)
			return app_fault(app, "--%s：%s 不支持这个选项；ascend-faq help %s 列出它的选项",
					 "--%s: %s does not take this option; see ascend-faq help %s",
					 option_table[i].name, name, name);
		return app_fault(app, "--%s：浏览器不支持这个选项；ascend-faq help 说明各命令的选项",
				 "--%s: the browser does not take this option; see ascend-faq help",
				 option_table[i].name);
	}
	return EXIT_FOUND;
}

static int run(struct app *app)
{
	struct options *options = &app->options;

	if (options->given[OPTION_VERSION])
		return cmd_version(app);
	if (options->operands.count) {
		struct str name = str_of(options->operands.items[0]);

		app->command = command_find(name);
		if (options->given[OPTION_HELP])
			return cmd_help(app);
		if (!app->command && access(options->operands.items[0], F_OK) != 0 &&
		    !str_equal(name, STR("-")))
			return unknown_command(app, name);
	}
	if (options->given[OPTION_HELP])
		return cmd_help(app);
	if (check_options(app) != EXIT_FOUND)
		return EXIT_FAULT;
	if (!app->command)
		return cmd_browse(app);
	if (check_operands(app) != EXIT_FOUND)
		return EXIT_FAULT;
	return app->command->run(app);
}

/*
 * Who starts us may have closed one of 0 to 2: the next file would get its number, and take or give what is
 * meant for that stream. Something is put there that refuses both, as what was closed did.
 */
static void fill_standard_descriptors(void)
{
	int null;

	do
		null = open("/dev/null", O_PATH);
	while (null >= 0 && null <= STDERR_FILENO);
	if (null >= 0)
		close(null);
}

/* SIGCHLD ignored would lose the exit status of every child; a blocked signal would never be seen. */
static void reset_signals(void)
{
	sigset_t none;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int main(int argc, char **argv)
{
	struct app app = {.program = argv[0]};
	struct buf error = {0};
	int status;

	fill_standard_descriptors();
	reset_signals();
	/* An unknown locale must never stop the start: it leaves the C locale. */
	setlocale(LC_CTYPE, "");
	if (options_parse(&app.options, argc, argv, &error))
		status = run(&app);
	else
		status = app_fault(&app, "%s", "%s", buf_c_string(&error));
	buf_release(&error);
	packs_free(app.packs);
	options_release(&app.options);
	return status;
}

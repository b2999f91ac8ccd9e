/* ascend-faq help, version. */
#include "app/app.h"

#include "base/utf8.h"

enum { SUMMARY_COLUMN = 28 };

static void pad_to(struct output *output, size_t used, size_t column)
{
	buf_add_repeated(&output->text, ' ', used < column ? column - used : 2);
}

static void print_command_line(const struct app *app, struct output *output, const struct command *command)
{
	struct buf usage = {0};

	buf_add_format(&usage, "%s %s", command->name, command->operands);
	output_text(output, OUTPUT_PLAIN, STR("  "));
	output_text(output, OUTPUT_COMMAND, buf_str(&usage));
	pad_to(output, 2 + utf8_width(buf_str(&usage)), SUMMARY_COLUMN);
	output_text(output, OUTPUT_PLAIN, text_in(&command->summary, app->options.lang));
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	buf_release(&usage);
}

static void print_options(const struct app *app, struct output *output, const char *command)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *option = &option_table[i];
		struct buf usage = {0};

		if (!option_applies(option, command))
			continue;
		if (option->letter)
			buf_add_format(&usage, "-%c, ", option->letter);
		buf_add_format(&usage, "--%s", option->name);
		if (option->argument)
			buf_add_format(&usage, " %s", option->argument);
		output_text(output, OUTPUT_PLAIN, STR("  "));
		output_text(output, OUTPUT_COMMAND, buf_str(&usage));
		pad_to(output, 2 + utf8_width(buf_str(&usage)), SUMMARY_COLUMN);
		output_text(output, OUTPUT_PLAIN, text_in(&option->help, app->options.lang));
		output_text(output, OUTPUT_PLAIN, STR("\n"));
		buf_release(&usage);
	}
}

static void print_overview(const struct app *app, struct output *output)
{
	output_text(output, OUTPUT_PLAIN,
		    str_of(app_say(app, "ascend-faq：昇腾 NPU 任务的已知问题，在终端里查。\n\n",
				   "ascend-faq: known problems of Ascend NPU jobs, in the terminal.\n\n")));
	output_text(output, OUTPUT_HEADING, str_of(app_say(app, "用法\n", "Usage\n")));
	output_text(output, OUTPUT_PLAIN, STR("  "));
	output_text(output, OUTPUT_COMMAND, STR("ascend-faq"));
	pad_to(output, 12, SUMMARY_COLUMN);
	output_text(
		output, OUTPUT_PLAIN,
		str_of(app_say(app, "打开浏览界面（需要终端）\n", "open the browser (needs a terminal)\n")));
	output_text(output, OUTPUT_PLAIN, STR("  "));
	output_text(output, OUTPUT_COMMAND, STR("ascend-faq LOG…"));
	pad_to(output, 17, SUMMARY_COLUMN);
	output_text(
		output, OUTPUT_PLAIN,
		str_of(app_say(
			app, "打开并诊断这些日志：文件或目录，- 为标准输入\n",
			"open it on the diagnosis of these logs: files, folders, - for standard input\n")));
	for (size_t i = 0; i < command_count; i++)
		print_command_line(app, output, &command_table[i]);
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	output_text(output, OUTPUT_HEADING, str_of(app_say(app, "选项\n", "Options\n")));
	print_options(app, output, NULL);
	output_text(
		output, OUTPUT_PLAIN,
		str_of(app_say(app,
			       "\n退出状态：0 找到或一切正常；1 没有找到或发现问题；2 无法完成。\n"
			       "ascend-faq help 命令名 显示该命令的选项。\n",
			       "\nExit status: 0 found, or all well; 1 nothing found, or something is wrong; "
			       "2 could not do it.\nascend-faq help COMMAND shows a command's options.\n")));
}

static void print_command(const struct app *app, struct output *output, const struct command *command)
{
	struct str details = text_in(&command->details, app->options.lang);

	output_format(output, OUTPUT_COMMAND, "ascend-faq %s %s", command->name, command->operands);
	output_text(output, OUTPUT_PLAIN, STR("\n\n"));
	output_wrapped(output, OUTPUT_PLAIN, 2, 0, text_in(&command->summary, app->options.lang));
	if (details.size)
		output_wrapped(output, OUTPUT_PLAIN, 2, 0, details);
	output_text(output, OUTPUT_PLAIN, STR("\n"));
	print_options(app, output, command->name);
}

int cmd_help(struct app *app)
{
	const struct command *command = app->command;
	struct output output;

	/* `help NAME` asks for NAME; `NAME --help` has it as the command already. */
	if (command && command->run == cmd_help) {
		command = NULL;
		if (app_operand_count(app) > 0) {
			command = command_find(app_operand(app, 0));
			if (!command)
				return app_fault(
					app, "%.*s：没有这个命令；ascend-faq help 列出全部命令",
					"%.*s: there is no such command; ascend-faq help lists them all",
					STR_ARG(app_operand(app, 0)));
		}
	}
	output_open(&output, &app->options);
	output.page = true;
	if (command)
		print_command(app, &output, command);
	else
		print_overview(app, &output);
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

int cmd_version(struct app *app)
{
	const struct pack *shipped = &kb_shipped_pack;
	struct output output;

	output_open(&output, &app->options);
	output_format(&output, OUTPUT_PLAIN, "ascend-faq %s\n%s %.*s %.*s\n", ASCEND_FAQ_VERSION,
		      app_say(app, "知识包", "pack"), STR_ARG(shipped->name), STR_ARG(shipped->version));
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

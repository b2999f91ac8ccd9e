/* ascend-faq diagnose: which known problems a log shows. */
#include "app/app.h"
#include "app/diagnosis_out.h"
#include "app/fleet.h"
#include "app/follow.h"
#include "app/input.h"
#include "app/json_out.h"

#include <unistd.h>

enum { LITERALS_SHOWN = 6, THREADS_MOST = 64 };

static void tell_fault(void *context, struct str message)
{
	const struct app *app = context;

	app_warn(app, "%.*s", "%.*s", STR_ARG(message));
}

/* All that can be read is read; what cannot makes the status. */
static int collect(const struct app *app, struct input_files *files)
{
	struct buf error = {0};
	int status = EXIT_FOUND;

	if (app->options.given[OPTION_PLOG] && !input_add_plog(files, &error))
		status = app_fault(app, "%s", "%s", buf_c_string(&error));
	for (size_t i = 0; i < app_operand_count(app); i++) {
		buf_clear(&error);
		if (!input_add(files, app_operand(app, i), tell_fault, (void *)(uintptr_t)app, &error))
			status = app_fault(app, "%s", "%s", buf_c_string(&error));
	}
	if (app_operand_count(app) == 0 && !app->options.given[OPTION_PLOG]) {
		input_add(files, STR("-"), NULL, NULL, &error);
		if (isatty(STDIN_FILENO))
			app_warn(app, "读取标准输入；粘贴日志后按 Ctrl-D 结束",
				 "reading standard input; paste the log, then press Ctrl-D");
	}
	buf_release(&error);
	return status;
}

static bool thread_count(const struct app *app, unsigned *threads)
{
	uint64_t number = 0;

	*threads = 0;
	if (!app->options.given[OPTION_THREADS])
		return true;
	if (!str_to_u64(str_of(app->options.argument[OPTION_THREADS]), &number) || number < 1 ||
	    number > THREADS_MOST) {
		app_fault(app, "--threads %s：应为 1 到 %d", "--threads %s: must be 1 to %d",
			  app->options.argument[OPTION_THREADS], THREADS_MOST);
		return false;
	}
	*threads = (unsigned)number;
	return true;
}

/* --why */

static void print_trace_line(struct output *output, const struct diagnosis *diagnosis, const char *what,
			     uint64_t count, const struct evidence *first)
{
	output_format(output, OUTPUT_PLAIN, "      %s", what);
	if (count) {
		output_format(output, OUTPUT_PLAIN, " ×%llu  ", (unsigned long long)count);
		output_format(output, OUTPUT_DIM,
			      "%.*s:%llu: ", STR_ARG(diagnosis->inputs[first->input].name),
			      (unsigned long long)first->line);
		output_text(output, OUTPUT_PLAIN, first->text);
	}
	buf_add_byte(&output->text, '\n');
}

static void print_missing_literals(const struct app *app, struct output *output,
				   const struct scanner *scanner, size_t index)
{
	struct str literals[LITERALS_SHOWN];
	size_t count = scanner_literals(scanner, index, literals, LITERALS_SHOWN);

	output_format(
		output, OUTPUT_PLAIN, "      %s",
		app_say(app, "日志中没有它必需的文字：", "the log has none of the texts that it needs:"));
	for (size_t i = 0; i < count && i < LITERALS_SHOWN; i++)
		output_format(output, OUTPUT_PLAIN, app_say(app, i ? "、“%.*s”" : "“%.*s”", " \"%.*s\""),
			      STR_ARG(literals[i]));
	output_text(output, OUTPUT_PLAIN, count > LITERALS_SHOWN ? STR(" …\n") : STR("\n"));
}

static void print_trace(const struct app *app, struct output *output, const struct scanner *scanner,
			const struct diagnose *diagnose, const struct diagnosis *diagnosis, size_t index)
{
	static const struct text strengths[] = {
		{{STR_INIT("辅助"), STR_INIT("hint")}},
		{{STR_INIT("可能"), STR_INIT("likely")}},
		{{STR_INIT("确定"), STR_INIT("certain")}},
	};
	const struct signature_trace *trace = diagnose_trace(diagnose, index);
	const struct signature *signature = scanner_signature(scanner, index)->signature;

	output_format(output, OUTPUT_CODE, "%-8.*s",
		      STR_ARG(text_in(&strengths[signature->strength], app->options.lang)));
	output_format(output, OUTPUT_COMMAND, " %.*s\n", STR_ARG(str_trim(signature->match)));
	if (trace->matched)
		print_trace_line(output, diagnosis, app_say(app, "匹配", "matched"), trace->matched,
				 &trace->match);
	if (trace->excluded)
		print_trace_line(output, diagnosis,
				 app_say(app, "匹配，但附近的文字符合 unless，不算",
					 "matched, but so did its `unless`, near it"),
				 trace->excluded, &trace->exclusion);
	if (trace->quiet)
		print_trace_line(output, diagnosis,
				 app_say(app, "匹配，但该行只是提到这个错误（命令、注释、说明或列表），不算",
					 "matched, but the line only talks of it (a command, comment, advice "
					 "or list)"),
				 trace->quiet, &trace->talk);
	if (trace->limited)
		print_trace_line(
			output, diagnosis,
			app_say(app, "匹配步数超出限制，无法判断", "took more steps than allowed: unknown"),
			0, NULL);
	if (!trace->literals)
		print_missing_literals(app, output, scanner, index);
	else if (!trace->matched && !trace->excluded && !trace->quiet && !trace->limited)
		print_trace_line(output, diagnosis,
				 app_say(app, "必需的文字在，但整个表达式不匹配",
					 "its text is there, but the whole pattern does not match"),
				 trace->literals, &trace->literal);
}

static int print_why(const struct app *app, const struct scanner *scanner, const struct diagnose *diagnose,
		     const struct diagnosis *diagnosis, const struct entry *entry)
{
	struct output output;
	bool matched = false;

	output_open(&output, &app->options);
	output.page = true;
	for (size_t i = 0; i < diagnosis->match_count; i++)
		matched = matched || diagnosis->matches[i].entry == entry;
	output_format(&output, OUTPUT_ID, "%.*s", STR_ARG(entry->id));
	output_format(&output, OUTPUT_HEADING, "  %.*s", STR_ARG(text_in(&entry->title, app->options.lang)));
	output_format(&output, OUTPUT_PLAIN, "  %s\n",
		      matched ? app_say(app, "匹配", "matches") : app_say(app, "不匹配", "does not match"));
	for (size_t i = 0; i < scanner_signature_count(scanner); i++) {
		if (scanner_signature(scanner, i)->entry == entry)
			print_trace(app, &output, scanner, diagnose, diagnosis, i);
	}
	if (!entry->signature_count)
		output_format(&output, OUTPUT_PLAIN, "%s\n",
			      app_say(app, "这个条目供查阅，没有特征。",
				      "This entry is for reading: it has no signatures."));
	return output_close(&output) ? matched ? EXIT_FOUND : EXIT_NOTHING : EXIT_FAULT;
}

static int print_diagnosis(const struct app *app, const struct scanner *scanner,
			   const struct diagnosis *diagnosis)
{
	int status = diagnosis->match_count ? EXIT_FOUND : EXIT_NOTHING;
	struct output output;

	if (app->options.given[OPTION_JSON])
		return json_print(app, diagnosis_to_json(app, scanner, diagnosis), status);
	output_open(&output, &app->options);
	output.page = true;
	diagnosis_print(app, &output, diagnosis);
	for (size_t i = 0; i < diagnosis->limit_count; i++)
		app_warn(app, "%.*s：一个特征超出了匹配步数限制，无法判断（%.*s:%llu）",
			 "%.*s: a signature took more steps than allowed; unknown whether it matches "
			 "(%.*s:%llu)",
			 STR_ARG(scanner_signature(scanner, diagnosis->limits[i].signature)->entry->id),
			 STR_ARG(diagnosis->inputs[diagnosis->limits[i].at.input].name),
			 (unsigned long long)diagnosis->limits[i].at.line);
	return output_close(&output) ? status : EXIT_FAULT;
}

static int read_all(const struct app *app, const struct input_files *files, const struct scanner *scanner,
		    struct diagnose *diagnose, unsigned threads)
{
	struct input_options options = {.threads = threads};
	struct buf error = {0};
	int status = EXIT_FOUND;

	for (size_t i = 0; i < files->list.count; i++) {
		buf_clear(&error);
		if (!input_read(&files->list.items[i], scanner, diagnose, &options, &error))
			status = app_fault(app, "%s", "%s", buf_c_string(&error));
	}
	buf_release(&error);
	return status;
}

static int follow(const struct app *app, struct diagnose *diagnose)
{
	struct str path = app_operand_count(app) ? app_operand(app, 0) : STR("-");
	struct buf error = {0};
	int status = EXIT_FOUND;

	if (!follow_log(app, path, diagnose, &error))
		status = app_fault(app, "%s", "%s", buf_c_string(&error));
	buf_release(&error);
	return status;
}

int cmd_diagnose(struct app *app)
{
	const struct kb *kb = app_kb(app);
	const struct entry *why = NULL;
	struct input_files files = {0};
	struct scanner *scanner;
	struct diagnose *diagnose;
	const struct diagnosis *diagnosis;
	unsigned threads;
	int status, found;

	if (!thread_count(app, &threads))
		return EXIT_FAULT;
	if (app->options.given[OPTION_FOLLOW] && app_operand_count(app) > 1)
		return app_fault(app, "--follow 一次只跟一个日志", "--follow takes one log at a time");
	if (app->options.given[OPTION_WHY]) {
		why = kb_entry(kb, str_of(app->options.argument[OPTION_WHY]));
		if (!why)
			return app_fault(app, "--why %s：没有这个条目", "--why %s: there is no such entry",
					 app->options.argument[OPTION_WHY]);
	}
	fleet_parcel_hello(app);
	scanner = scanner_new(kb);
	diagnose = diagnose_new(scanner);
	status = app->options.given[OPTION_FOLLOW] ? follow(app, diagnose) : collect(app, &files);
	if (read_all(app, &files, scanner, diagnose, threads) != EXIT_FOUND)
		status = EXIT_FAULT;
	diagnosis = diagnose_finish(diagnose);
	found = EXIT_NOTHING;
	if (diagnosis->input_count)
		diagnosis_remember(kb, diagnosis);
	if (status == EXIT_FOUND || diagnosis->input_count)
		found = why ? print_why(app, scanner, diagnose, diagnosis, why)
			    : print_diagnosis(app, scanner, diagnosis);
	diagnose_free(diagnose);
	scanner_free(scanner);
	input_files_release(&files);
	return status == EXIT_FOUND ? found : status;
}

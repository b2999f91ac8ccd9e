#include "app/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define HELP(zh, en) \
	{ \
		{ \
			STR_INIT(zh), STR_INIT(en) \
		} \
	}

const struct option_info option_table[OPTION_COUNT] = {
	[OPTION_HELP] = {OPTION_HELP, "help", 'h', NULL, NULL, HELP("显示帮助", "show help")},
	[OPTION_VERSION] = {OPTION_VERSION, "version", 'V', NULL, NULL, HELP("显示版本", "show the version")},
	[OPTION_LANG] = {OPTION_LANG, "lang", 0, "zh|en", NULL,
			 HELP("界面语言，优先于环境变量", "language, before that of the environment")},
	[OPTION_PACK] = {OPTION_PACK, "pack", 0, "DIR", NULL,
			 HELP("叠加这个知识包，可重复", "overlay this pack; may be given again")},
	[OPTION_SET] = {OPTION_SET, "set", 0, "NAME=VALUE", NULL,
			HELP("指定占位符的值，可重复", "value of a placeholder; may be given again")},
	[OPTION_JSON] =
		{OPTION_JSON, "json", 0, NULL,
		 "list show explain search probe compat compare fill lint diagnose report history export fleet",
		 HELP("输出一个 JSON 文档", "print one JSON document")},
	[OPTION_NO_COLOR] = {OPTION_NO_COLOR, "no-color", 0, NULL, NULL,
			     HELP("不使用颜色，与 NO_COLOR 相同", "no colours, as NO_COLOR")},
	[OPTION_PLAIN] = {OPTION_PLAIN, "plain", 0, NULL,
			  "list show explain search probe compat compare fill diagnose history fleet",
			  HELP("不分页、不着色、不折行", "no pager, no colours, no wrapping")},
	[OPTION_ASCII] = {OPTION_ASCII, "ascii", 0, NULL, NULL,
			  HELP("边框和标记只用 ASCII 字符", "borders and marks in ASCII only")},
	[OPTION_SEARCH] = {OPTION_SEARCH, "search", 's', "WORDS", "browser",
			   HELP("打开时先搜索这些词", "open with this search")},
	[OPTION_WHY] = {OPTION_WHY, "why", 0, "ID", "diagnose",
			HELP("逐条说明这个条目为什么匹配或不匹配",
			     "why this entry matches or not, signature by signature")},
	[OPTION_PLOG] = {OPTION_PLOG, "plog", 0, NULL, "browser diagnose",
			 HELP("读取最新的 CANN 日志目录", "read the newest CANN log folder")},
	[OPTION_FOLLOW] = {OPTION_FOLLOW, "follow", 'f', NULL, "diagnose",
			   HELP("日志增长时继续读取", "keep reading as the log grows")},
	[OPTION_THREADS] = {OPTION_THREADS, "threads", 0, "N", "diagnose",
			    HELP("使用的线程数，默认为 CPU 核数", "threads to use; default: all cores")},
	[OPTION_EXPLAIN] = {OPTION_EXPLAIN, "explain", 0, NULL, "redact report",
			    HELP("在标准错误上列出隐去了什么、由哪条规则、多少处",
				 "list on standard error what was hidden, by which rule, how often")},
	[OPTION_MAP] = {OPTION_MAP, "map", 0, "FILE", "redact report",
			HELP("把代号与原值的对照表写到 FILE（0600，不能与输出在同一目录）",
			     "write which name stands for what to FILE (0600, not beside the output)")},
	[OPTION_HIDE] = {OPTION_HIDE, "hide", 0, "WORD", "redact report",
			 HELP("这个词也要隐去，可重复", "hide this word too; may be given again")},
	[OPTION_OUTPUT] = {OPTION_OUTPUT, "output", 'o', "FILE", "report",
			   HELP("写到新文件 FILE（0600），不覆盖",
				"write to the new file FILE (0600); never overwrites")},
	[OPTION_TEMPLATE] = {OPTION_TEMPLATE, "template", 0, "TEMPLATE", "report",
			     HELP("报告模板：general、triton-ascend、vllm-ascend",
				  "form of the report: general, triton-ascend, vllm-ascend")},
	[OPTION_COMMAND] = {OPTION_COMMAND, "command", 0, "TEXT", "report",
			    HELP("复现命令", "the command to reproduce it")},
	[OPTION_SHAPE] = {OPTION_SHAPE, "shape", 0, "TEXT", "report",
			  HELP("张量 shape", "shapes of the tensors")},
	[OPTION_DTYPE] = {OPTION_DTYPE, "dtype", 0, "TEXT", "report", HELP("数据类型", "data types")},
	[OPTION_EXPECTED] = {OPTION_EXPECTED, "expected", 0, "TEXT", "report",
			     HELP("期望与实际结果", "what was expected, and what came")},
	[OPTION_NO_PROBE] = {OPTION_NO_PROBE, "no-probe", 0, NULL, "report",
			     HELP("不运行环境检查", "do not run the environment probes")},
	[OPTION_PRINT] = {OPTION_PRINT, "print", 0, NULL, "browser guide",
			  HELP("在命令上按 Enter 即退出并输出该命令（供 shell 放到命令行）",
			       "Enter on a command ends the program and prints it, for the shell's prompt")},
	[OPTION_RESUME] = {OPTION_RESUME, "resume", 0, NULL, "browser guide",
			   HELP("继续上次的引导并运行该步骤的检查",
				"go on with the guide and run the check of its step")},
	[OPTION_LINE] = {OPTION_LINE, "line", 0, "TEXT", "browser",
			 HELP("当前命令行：搜索其中知识包认识的词",
			      "the command line: search for the words of it that the pack knows")},
	[OPTION_FAILED] = {OPTION_FAILED, "failed", 0, "TEXT", "browser",
			   HELP("命令行为空时改用这条失败的命令",
				"the command that failed, where the line is empty")},
	[OPTION_IDS] = {OPTION_IDS, "ids", 0, NULL, "list", HELP("只列出条目编号", "the ids alone")},
	[OPTION_CLEAR] = {OPTION_CLEAR, "clear", 0, NULL, "history",
			  HELP("清除历史和引导进度", "erase the history and how far the guides came")},
	[OPTION_OFF] = {OPTION_OFF, "off", 0, NULL, "history",
			HELP("不再记录", "remember nothing from now on")},
	[OPTION_ON] = {OPTION_ON, "on", 0, NULL, "history", HELP("重新记录", "remember again")},
	[OPTION_FORMAT] = {OPTION_FORMAT, "format", 0, "markdown|html|json", "export",
			   HELP("格式，默认 markdown", "the form; markdown unless it is given")},
	[OPTION_COMPLETION] = {OPTION_COMPLETION, "completion", 0, NULL, "shell",
			       HELP("只输出补全，不含按键绑定", "the completion alone, no key binding")},
	[OPTION_AGAINST] = {OPTION_AGAINST, "against", 0, "FAQ", "lint",
			    HELP("列出这份 FAQ 文档里有、知识包里没有的条目、报错、命令和链接",
				 "list entries, error lines, commands and links of this FAQ document that "
				 "the pack lacks")},
	[OPTION_NODES] = {OPTION_NODES, "nodes", 0, "LIST", "fleet",
			  HELP("节点，例如 node[01-64],login1；省略时取引擎自己的节点",
			       "the nodes, as node[01-64],login1; without it those that the engine has")},
	[OPTION_ENGINE] =
		{OPTION_ENGINE, "engine", 0, "NAME", "fleet",
		 HELP("slurm、clush、pdsh、mpirun、ansible 或 ssh；省略时用找到的第一个",
		      "slurm, clush, pdsh, mpirun, ansible or ssh; without it the first that is here")},
	[OPTION_TIMEOUT] = {OPTION_TIMEOUT, "timeout", 0, "SECONDS", "fleet",
			    HELP("最多等这么久，默认 60 秒；保留已有的结果",
				 "wait no longer, default 60; what has come by then is kept")},
	[OPTION_SEND] = {OPTION_SEND, "send", 0, NULL, "fleet",
			 HELP("没有本程序的节点上临时放一份，用后删除",
			      "put the program on nodes that lack it, for this run only")},
	[OPTION_SAVE] = {OPTION_SAVE, "save", 0, "FOLDER", "fleet",
			 HELP("每个节点的结果存为 FOLDER 中的一个文件",
			      "keep each node's result as a file in FOLDER")},
	[OPTION_PROGRAM] = {OPTION_PROGRAM, "program", 0, "PATH", "fleet",
			    HELP("本程序在节点上的路径，默认与这里相同，再找 PATH",
				 "where the program is on the nodes; default: as here, then PATH")},
	[OPTION_PARCEL] = {OPTION_PARCEL, "parcel", 0, "TOKEN", "probe diagnose",
			   HELP("与 --json 一起：分段输出，供 fleet 收集",
				"with --json: in the form that fleet gathers")},
};

bool lang_from_name(struct str name, enum lang *lang)
{
	if (name.size < 2 || (name.size > 2 && !strchr("_-.@", name.data[2])))
		return false;
	if (str_equal_ascii_case(str_slice(name, 0, 2), STR("zh")))
		*lang = LANG_ZH;
	else if (str_equal_ascii_case(str_slice(name, 0, 2), STR("en")))
		*lang = LANG_EN;
	else
		return false;
	return true;
}

enum lang options_environment_lang(bool *chosen)
{
	static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
	enum lang lang = LANG_EN;
	const char *value = getenv("ASCEND_FAQ_LANG");

	*chosen = value && lang_from_name(str_of(value), &lang);
	if (*chosen)
		return lang;
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		value = getenv(variables[i]);
		if (value && *value) {
			lang_from_name(str_of(value), &lang);
			return lang;
		}
	}
	return lang;
}

bool option_applies(const struct option_info *option, const char *command)
{
	struct str rest = str_of(option->commands);
	struct str name;

	if (!option->commands)
		return true;
	while (str_next(&rest, ' ', &name)) {
		if (str_equal(name, str_of(command ? command : "browser")))
			return true;
	}
	return false;
}

static void say_usage_fault(const struct options *options, int fault, const char *what, struct buf *error)
{
	bool zh = options->lang == LANG_ZH;

	if (fault == ':')
		buf_add_format(error, zh ? "%s：缺少参数" : "%s: needs an argument", what);
	else
		buf_add_format(error,
			       zh ? "%s：没有这个选项；ascend-faq help 列出全部选项"
				  : "%s: no such option; ascend-faq help lists them all",
			       what);
}

static bool take_setting(struct options *options, const char *argument, struct buf *error)
{
	struct str text = str_of(argument);
	size_t equals = str_find_byte(text, '=');

	if (equals == STR_NOT_FOUND || equals == 0) {
		buf_add_format(error,
			       options->lang == LANG_ZH
				       ? "--set %s：应写成 NAME=VALUE，例如 --set MASTER_PORT=23417"
				       : "--set %s: write NAME=VALUE, as in --set MASTER_PORT=23417",
			       argument);
		return false;
	}
	vec_push(&options->settings,
		 (struct setting){str_slice(text, 0, equals), str_slice(text, equals + 1, text.size)});
	return true;
}

static bool take_option(struct options *options, enum option_id id, const char *argument, struct buf *error)
{
	options->given[id] = true;
	options->argument[id] = argument;
	switch (id) {
	case OPTION_LANG:
		options->lang_given = lang_from_name(str_of(argument), &options->lang);
		if (!options->lang_given)
			buf_add_format(error,
				       options->lang == LANG_ZH ? "--lang %s：应为 zh 或 en"
								: "--lang %s: must be zh or en",
				       argument);
		return options->lang_given;
	case OPTION_PACK:
		vec_push(&options->packs, argument);
		if (!*argument)
			say_usage_fault(options, ':', "--pack", error);
		return *argument;
	case OPTION_HIDE:
		vec_push(&options->hides, argument);
		return true;
	case OPTION_SET:
		return take_setting(options, argument, error);
	default:
		return true;
	}
}

/* getopt's view of the table. Its values are option ids; letters are found in the table. */
static void make_getopt_tables(struct option *longs, struct buf *letters)
{
	buf_add(letters, STR("+:"));
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *option = &option_table[i];

		longs[i] = (struct option){option->name, option->argument ? required_argument : no_argument,
					   NULL, 256 + (int)i};
		if (!option->letter)
			continue;
		buf_add_byte(letters, option->letter);
		if (option->argument)
			buf_add_byte(letters, ':');
	}
	longs[OPTION_COUNT] = (struct option){0};
}

static int option_of_letter(int letter)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (option_table[i].letter == letter)
			return (int)i;
	}
	return -1;
}

/* Options may stand anywhere among the operands, up to "--": getopt's "+" mode stops at each operand. */
bool options_parse(struct options *options, int argc, char **argv, struct buf *error)
{
	struct option longs[OPTION_COUNT + 1];
	struct buf letters = {0};
	bool good = true;

	options->lang = options_environment_lang(&options->lang_given);
	make_getopt_tables(longs, &letters);
	optind = 1;
	opterr = 0;
	while (good && optind < argc) {
		const char *what = argv[optind];
		bool number = what[0] == '-' && what[1] >= '0' && what[1] <= '9';
		/* No option is a digit, and -98 is an error code. */
		int got = number ? -1 : getopt_long(argc, argv, buf_c_string(&letters), longs, NULL);

		if (got == -1) {
			bool rest = strcmp(what, "--") == 0;

			while (optind < argc) {
				vec_push(&options->operands, argv[optind++]);
				/* Of `run` the second operand is a command, whose options are its own. */
				rest = rest || (options->operands.count > 1 &&
						strcmp(options->operands.items[0], "run") == 0);
				if (!rest)
					break;
			}
		} else if (got == '?' || got == ':') {
			say_usage_fault(options, got, what, error);
			good = false;
		} else {
			int id = got >= 256 ? got - 256 : option_of_letter(got);

			good = take_option(options, (enum option_id)id, optarg, error);
		}
	}
	buf_release(&letters);
	return good;
}

void options_release(struct options *options)
{
	vec_release(&options->packs);
	vec_release(&options->settings);
	vec_release(&options->hides);
	vec_release(&options->operands);
}

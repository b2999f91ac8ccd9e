#include "app/app.h"

#define TEXT_INIT(zh, en) \
	{ \
		{ \
			STR_INIT(zh), STR_INIT(en) \
		} \
	}
#define ANY SIZE_MAX

/* The subcommands, in the order of `help`. Dispatch, help, completions and the manual come from here. */
const struct command command_table[] = {
	{"show", "ID|CODE…", 1, ANY,
	 TEXT_INIT("完整显示条目，或解释错误码", "an entry, whole, or what a code means"),
	 TEXT_INIT("ID 是条目编号，例如 1.6；CODE 是错误码，例如 EI0020、EADDRINUSE、507035。",
		   "ID is an entry's number, such as 1.6; CODE an error code, such as EI0020, EADDRINUSE, "
		   "507035."),
	 cmd_show},
	{"explain", "[ID|CODE…]", 0, ANY,
	 TEXT_INIT("同 show；省略参数时为上一次诊断的结果",
		   "the same as show; alone: what the last diagnosis found"),
	 TEXT_INIT("省略参数时，显示上一次 diagnose、run "
		   "或浏览器中的诊断所发现的条目和错误码。只记住它们的编号，"
		   "不保存日志的内容。",
		   "Without an argument it shows the entries and codes of the last diagnosis, be it of "
		   "diagnose, "
		   "run or the browser. Only their names are kept, nothing of the log."),
	 cmd_show},
	{"list", "[SECTION]", 0, 1, TEXT_INIT("列出目录", "the table of contents"),
	 TEXT_INIT("SECTION 是章节编号或名称，例如 3 或 runtime。",
		   "SECTION is a section's number or name, such as 3 or runtime."),
	 cmd_list},
	{"search", "WORDS…", 1, ANY,
	 TEXT_INIT("按词语、错误码或粘贴的报错文本查找条目",
		   "entries ranked for words, codes or pasted error text"),
	 TEXT_INIT("每个词都要在条目中出现，中英文同时查找。以 re: 开头的是 PCRE2 正则表达式。",
		   "Every word must be found somewhere in an entry, in either language. re: starts a PCRE2 "
		   "pattern."),
	 cmd_search},
	{"diagnose", "[PATH…]", 0, ANY,
	 TEXT_INIT("判断日志对应哪些已知问题", "which known problems a log shows"),
	 TEXT_INIT("PATH 是文件或目录，目录会整个读取；省略或写作 - 时读取标准输入。",
		   "PATH is a file, or a folder, which is read whole; without one, or for -, standard input "
		   "is read."),
	 cmd_diagnose},
	{"run", "-- COMMAND…", 1, ANY,
	 TEXT_INIT("运行命令并原样传递输出，失败时给出诊断",
		   "run a command, pass its output through, diagnose a failure"),
	 TEXT_INIT("输出逐字节原样传递，终端仍是终端，退出状态不变（信号为 128+n）。诊断写到标准错误。",
		   "Output passes byte for byte, a terminal stays a terminal, the exit status is the "
		   "command's (128+n "
		   "for a signal). The diagnosis goes to standard error."),
	 cmd_run},
	{"probe", "[PROBE…]", 0, ANY,
	 TEXT_INIT("运行环境检查并列出结果", "run the environment probes, print a table"),
	 TEXT_INIT(
		 "检查只读取，不改变机器上的任何东西。指定 PROBE 时连同读到的值一起列出。退出码：0 一切正常，"
		 "1 有需要注意或异常的项，2 没有这样的项但有的无法判断。"
		 "设置 ASCEND_FAQ_ROOT=DIR 时，检查所读的绝对路径都在 DIR "
		 "之下查找，用于查看挂载的容器文件系统。",
		 "Probes only read; they change nothing on the machine. Those named are shown with the "
		 "values "
		 "that were read. Exit status: 0 all is well, 1 something warns or fails, 2 nothing does but "
		 "something could not be told. With ASCEND_FAQ_ROOT=DIR the absolute paths that probes read "
		 "are "
		 "looked up below DIR, as for a container's file system that is mounted there."),
	 cmd_probe},
	{"compat", "[NAME=VERSION…]", 0, ANY,
	 TEXT_INIT("版本是否配套，以及最接近的配套", "which versions go together, and whether these do"),
	 TEXT_INIT("省略参数时核对本机：CANN、驱动、Python、torch、torch_npu、triton-"
		   "ascend。给出参数时核对所问的"
		   "版本，例如 cann=9.1.0 torch=2.9.0，只列出符合的行。退出码：0 配套，1 不配套。",
		   "Without an argument it is about this machine: CANN, driver, Python, torch, torch_npu, "
		   "triton-ascend. With arguments, such as cann=9.1.0 torch=2.9.0, about those versions, and "
		   "only the rows that fit are shown. Exit status: 0 they go together, 1 they do not."),
	 cmd_compat},
	{"fleet", "[diagnose PATH…]", 0, ANY,
	 TEXT_INIT("在多个节点上运行检查并比较", "run the probes on many nodes and compare"),
	 TEXT_INIT("通过本站已有的引擎到达节点：Slurm（srun）、ClusterShell（clush）、pdsh、mpirun、ansible，"
		   "最后是 "
		   "ssh；先找到的先用。结果陆续到达；到时间仍未答复或无法到达的节点会列出名字，已有的结果保留"
		   "。Ctrl-C "
		   "停止引擎并输出已有的结果。带 diagnose 时在各节点上诊断 PATH，按时间和 rank "
		   "找出最先的原因。退出码：0 "
		   "所有节点都答复且一切正常，1 有异常的项或没有答复的节点，2 没有结果。",
		   "Nodes are reached through the engine that the site has: Slurm (srun), ClusterShell "
		   "(clush), pdsh, "
		   "mpirun, ansible, and ssh as the last; the first that is here is taken. Results come as "
		   "they are "
		   "ready; nodes that are late or cannot be reached are named, and what has come is kept. "
		   "Ctrl-C stops "
		   "the engine and prints what there is. With diagnose the logs at PATH are diagnosed on "
		   "every node, and "
		   "the first cause of all is found by time and rank. Exit status: 0 all nodes answered and "
		   "all is well, "
		   "1 something is wrong or a node did not answer, 2 there is no result."),
	 cmd_fleet},
	{"compare", "FILE…", 1, ANY,
	 TEXT_INIT("比较多个节点的检查结果", "what differs between the probes of many nodes"),
	 TEXT_INIT(
		 "FILE 是各节点上 probe --json 的输出：每个节点一个文件，或一个文件里每行一个文档；- "
		 "为标准输入。列出读不出的节点、异常的检查、各节点不同的值（相同的节点折叠为 node[07-09]）、"
		 "以及全部节点都可用的网卡和端口。退出码：0 全部正常且一致，1 有异常或不同，2 "
		 "什么都没有读到。",
		 "FILE is the output of probe --json on a node: a file for each, or one with a document a "
		 "line; - "
		 "is standard input. Shown are nodes that cannot be read, probes that fail, values that "
		 "differ "
		 "(nodes that agree are folded: node[07-09]), and the interface and ports that all can use. "
		 "Exit "
		 "status: 0 all is well and alike, 1 something fails or differs, 2 nothing could be read."),
	 cmd_compare},
	{"fill", "ID [N]", 1, 2,
	 TEXT_INIT("输出填好占位符的命令", "the commands of an entry with values filled in"),
	 TEXT_INIT("N 选择第几个解决方案；省略时输出推荐的那个。命令写到标准输出，缺少的值和说明写成注释。",
		   "N picks a solution; without it the recommended one is printed. Commands go to standard "
		   "output; "
		   "what is missing and why stands in comments."),
	 cmd_fill},
	{"guide", "[ID]", 0, 1,
	 TEXT_INIT("在终端界面中逐步修复", "guided fixing, step by step, in the browser"),
	 TEXT_INIT(
		 "每屏一步：做什么、为什么、命令及其影响，然后检查。省略 ID 时继续上次的引导；--resume "
		 "还会运行该步骤的检查，适合在 export、source 之后的 shell 里使用。",
		 "One step a screen: what and why, the command and what it changes, then its check. Without "
		 "ID the last guide goes on; --resume runs the check of its step as well, which sees what "
		 "was exported or sourced in this shell."),
	 cmd_guide},
	{"history", "[ID]", 0, 1,
	 TEXT_INIT("查看过、复制过、检查过什么", "what was looked at, copied, checked and done"),
	 TEXT_INIT("给出 ID 时只列出该条目的。记录只有自己可读，最多一万条。--clear 清除，--off "
		   "关闭，--on 打开；ASCEND_FAQ_HISTORY=0 也会关闭。",
		   "With ID that entry's alone. What is remembered is readable by you alone and bounded (ten "
		   "thousand events). --clear erases it, --off and --on switch it; ASCEND_FAQ_HISTORY=0 "
		   "switches it off, too."),
	 cmd_history},
	{"shell", "bash|zsh|fish", 1, 1,
	 TEXT_INIT("输出 shell 的按键绑定和补全", "the key binding and completion for a shell"),
	 TEXT_INIT(
		 "在 shell 的启动文件里加入 eval \"$(ascend-faq shell bash)\"（zsh 同理；fish 为 ascend-faq "
		 "shell fish | source）。之后 Ctrl-G "
		 "以当前命令行、或刚失败的命令中的词打开浏览器；在命令上按 "
		 "Enter 会把它放到命令行，由您自己运行。--completion 只输出补全。",
		 "Put eval \"$(ascend-faq shell bash)\" into the shell's start file (zsh likewise; for fish: "
		 "ascend-faq shell fish | source). Then Ctrl-G opens the browser on the words of the command "
		 "line, or of the command that failed last, and Enter on a command puts it on the prompt for "
		 "you to run. Nothing is ever run by itself. --completion prints the completion alone."),
	 cmd_shell},
	{"redact", "[FILE]", 0, 1, TEXT_INIT("输出去掉隐私信息的文本", "a text without private data"),
	 TEXT_INIT(
		 "省略 FILE 或写作 - "
		 "时读取标准输入，结果写到标准输出。用户名、工号、主机名、地址、进程号、路径、令牌等换成 "
		 "<USER_1> "
		 "这样的代号，同一个值代号相同；同一子网的地址同号（<IP_1>、<IP_1.2>）。没有工具能找出一切，"
		 "发出之前请自己再读一遍。",
		 "Without FILE, or for -, standard input is read; the result goes to standard output. User "
		 "names, employee numbers, host names, addresses, process ids, paths, tokens and the like "
		 "become names such as <USER_1>, the same value the same name; addresses of one subnet share "
		 "a number (<IP_1>, <IP_1.2>). No tool finds everything: read the result before you send "
		 "it."),
	 cmd_redact},
	{"report", "[LOG…]", 0, ANY,
	 TEXT_INIT("生成去掉隐私信息的问题报告", "a problem report without private data"),
	 TEXT_INIT("把日志的诊断、环境检查和你给出的内容写成 "
		   "Markdown；不会发送任何东西。缺少的内容在文中标出，用 --command、"
		   "--shape、--dtype、--expected 补上。",
		   "Puts the diagnosis of the logs, the environment probes and what you say into Markdown; "
		   "nothing "
		   "is ever sent. What is missing is marked in the text: --command, --shape, --dtype and "
		   "--expected add it."),
	 cmd_report},
	{"lint", "[DIR]", 0, 1, TEXT_INIT("检查知识包", "check a pack"),
	 TEXT_INIT("省略 DIR 时检查内置的知识包。", "Without DIR the shipped pack is checked."), cmd_lint},
	{"import", "FAQ DIR", 2, 2,
	 TEXT_INIT("把 FAQ 文档变成知识包的雏形", "make the beginning of a pack from a FAQ document"),
	 TEXT_INIT("FAQ 是 Markdown 或纯文本，形如本 "
		   "FAQ：带编号的标题、问题描述、报错信息、解决方案。每个条目写成 "
		   "DIR 中的一个新文件，已有的文件不会改动。之后用 lint DIR 检查并补全。",
		   "FAQ is Markdown or plain text shaped as this FAQ is: numbered headings, 问题描述, "
		   "报错信息, "
		   "解决方案 (or Problem, Error message, Solution). Every entry becomes a new file in DIR; "
		   "files that "
		   "are there are left alone. Go on with lint DIR."),
	 cmd_import},
	{"export", "", 0, 0,
	 TEXT_INIT("把全部条目和错误码输出为一个文档", "all entries and codes as one document"),
	 TEXT_INIT(
		 "写到标准输出。html 是一个独立的页面，中英文都在其中，可以搜索，不需要网络；markdown "
		 "用 --lang 的语言。",
		 "Goes to standard output. html is one page that needs no network, in both languages, with a "
		 "search; markdown is in the language of --lang."),
	 cmd_export},
	{"complete", "-- WORD…", 0, ANY,
	 TEXT_INIT("命令行末尾可以写什么，供 shell 补全使用",
		   "what may stand at the end of a command line, for the shells' completion"),
	 TEXT_INIT("WORD 是命令行中程序名之后的各个词，最后一个是正在输入的（可以为空）。第一行是 "
		   ":words、:open、"
		   ":files 或 :folders，之后每行一个词，制表符后是说明。",
		   "The WORDs are those of the line behind the program's name; the last, perhaps empty, is "
		   "being "
		   "typed. The first line says :words, :open, :files or :folders; then a word a line, a tab "
		   "and "
		   "what it is."),
	 cmd_complete},
	{"help", "[COMMAND]", 0, 1, TEXT_INIT("显示帮助", "show help"), TEXT_INIT("", ""), cmd_help},
	{"version", "", 0, 0, TEXT_INIT("显示版本", "show the version"), TEXT_INIT("", ""), cmd_version},
};
const size_t command_count = sizeof(command_table) / sizeof(*command_table);

const struct command *command_find(struct str name)
{
	for (size_t i = 0; i < command_count; i++) {
		if (str_equal(name, str_of(command_table[i].name)))
			return &command_table[i];
	}
	return NULL;
}

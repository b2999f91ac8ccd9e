#include "sample_kb.h"

#include <stdio.h>

#define S(literal) STR_INIT(literal)
#define T(zh, en) \
	{ \
		{ \
			S(zh), S(en) \
		} \
	}
#define LIST(...) \
	{ \
		(const struct str[]){__VA_ARGS__}, \
			sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str) \
	}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct section sections[] = {
	{.id = S("ports"), .number = S("1"), .title = T("端口", "Ports")},
	{.id = S("long"), .number = S("2"), .title = T("长文", "Long texts")},
	{.id = S("none"),
	 .number = S("3"),
	 .title = T("空节", "Nothing here"),
	 .empty = T("还没有。", "Not yet.")},
};

static const struct sample errors[] = {
	{.text = S("RuntimeError: address already in use\n  at line 2")},
};

static const struct signature signatures[] = {
	{.match = S("address already in use on port"), .strength = STRENGTH_CERTAIN},
};

static const struct step look_steps[] = {
	{.say = T("看看端口被谁占用。", "See who holds the port."),
	 .run = S("ss -ltnp"),
	 .effect = STEP_READ},
};
static const struct step choose_steps[] = {
	{.say = T("选一个空闲端口。", "Choose a free port."),
	 .run = S("export MASTER_PORT=<MASTER_PORT>\ntorchrun --master_port=<MASTER_PORT> <SCRIPT>"),
	 .effect = STEP_SHELL,
	 .verify = S("free-port")},
	{.say = T("参考文档。", "Read the manual."), .link = S("https://example.org/ports")},
};
static const struct solution port_solutions[] = {
	{.title = T("查看", "Look"), .steps = look_steps, .step_count = COUNT(look_steps)},
	{.title = T("换端口", "Another port"),
	 .recommended = true,
	 .steps = choose_steps,
	 .step_count = COUNT(choose_steps)},
};

static const struct step reset_steps[] = {
	{.say = T("复位。", "Reset."), .run = S("npu-smi set -t reset -i 0"), .effect = STEP_DESTROY},
};
static const struct solution reset_solutions[] = {
	{.title = T("复位", "Reset"), .steps = reset_steps, .step_count = COUNT(reset_steps)}};

#define LINE_EN "A line of an entry that goes on and on, with `code` and https://example.org/page in it.\n\n"
#define LINE_ZH "这是一个很长的条目中的一行，含有 `code` 和 https://example.org/page 等内容，写得很长。\n\n"
#define TEN(x)  x x x x x x x x x x

static const struct entry entries[] = {
	{.id = S("1.1"),
	 .section = S("ports"),
	 .title = T("端口被占用", "The port is taken"),
	 .problem = T("端口已被其他进程占用。", "Another process holds the port."),
	 .source = S("FAQ 1.1"),
	 .errors = errors,
	 .error_count = 1,
	 .signatures = signatures,
	 .signature_count = 1,
	 .codes = LIST(S("EI0020")),
	 .probes = LIST(S("free-port")),
	 .solutions = port_solutions,
	 .solution_count = COUNT(port_solutions),
	 .see = LIST(S("1.2"))},
	{.id = S("1.2"),
	 .section = S("ports"),
	 .title = T("掉卡", "A card is lost"),
	 .problem = T("卡不见了。", "A card does not answer."),
	 .source = S("FAQ 1.2"),
	 .solutions = reset_solutions,
	 .solution_count = COUNT(reset_solutions)},
	{.id = S("2.1"),
	 .section = S("long"),
	 .title = T("一个有很长标题的条目，标题长到放不下",
		    "An entry with a title that is too long for any tree"),
	 .problem = T(TEN(LINE_ZH), TEN(LINE_EN)),
	 .background = T(TEN(LINE_ZH), TEN(LINE_EN)),
	 .source = S("FAQ 2.1"),
	 .solutions = reset_solutions,
	 .solution_count = COUNT(reset_solutions)},
};

static const struct code codes[] = {
	{.code = S("E507"),
	 .namespace = S("acl"),
	 .name = S("ACL_ERROR"),
	 .means = T("核错误。", "A kernel fault."),
	 .source = S("acl.h")},
	{.code = S("EI0020"),
	 .namespace = S("cann"),
	 .name = S("Bind_IP_Port"),
	 .means = T("端口。", "The port."),
	 .entries = LIST(S("1.1")),
	 .source = S("cann")},
};

static const struct value_source port_values[] = {{.probe = S("free-port")}, {.env = S("MASTER_PORT")}};

static const struct placeholder placeholders[] = {
	{.name = S("MASTER_PORT"),
	 .meaning = T("空闲端口", "a free port"),
	 .kind = PLACEHOLDER_PORT,
	 .values = port_values,
	 .value_count = 2,
	 .check = {.range = S("20000-29999")}},
	{.name = S("SCRIPT"), .meaning = T("脚本", "the script"), .kind = PLACEHOLDER_WORDS},
};

static const struct probe probes[] = {
	{.id = S("cann"), .title = T("CANN", "CANN")},
	{.id = S("clang"), .title = T("clang++", "clang++"), .entry = S("1.2")},
	{.id = S("free-port"), .title = T("空闲端口", "Free port")},
};

/* Addresses in the rest of net 10, and nodes of a cluster. */
static const struct redaction redactions[] = {
	{.id = S("address"),
	 .kind = REDACTION_HIDE,
	 .shape = SHAPE_DOTTED,
	 .match = S("(?<IP>10(?:\\.\\d{1,3}){3})")},
	{.id = S("node"),
	 .kind = REDACTION_HIDE,
	 .literals = LIST(S("node-")),
	 .match = S("(?<HOST>node-\\d+)")},
};

static const struct report_template reports[] = {
	{.id = S("brief"),
	 .title = T("简表", "brief form"),
	 .body = T("简表\n{{errors}}\n", "Brief\n{{errors}}\n")},
	{.id = S("general"),
	 .title = T("通用表", "general form"),
	 .body = T("# {{title}}\n\n{{errors}}\n\n- shape：{{shape}}\n- dtype：{{dtype}}\n\n{{command}}\n\n"
		   "{{expected}}\n\n{{environment}}\n\n{{not-found}}\n\n{{tried}}\n",
		   "# {{title}}\n\n{{errors}}\n\n- shape: {{shape}}\n- dtype: {{dtype}}\n\n{{command}}\n\n"
		   "{{expected}}\n\n{{environment}}\n\n{{not-found}}\n\n{{tried}}\n")},
};

static const struct pack sample_pack = {
	.name = S("sample"),
	.sections = sections,
	.section_count = 3,
	.entries = entries,
	.entry_count = 3,
	.codes = codes,
	.code_count = 2,
	.placeholders = placeholders,
	.placeholder_count = 2,
	.probes = probes,
	.probe_count = 3,
	.redactions = redactions,
	.redaction_count = COUNT(redactions),
	.reports = reports,
	.report_count = COUNT(reports),
};

struct kb *sample_kb_new(void)
{
	static const struct pack *const packs[] = {&sample_pack};

	return kb_new(packs, 1);
}

static struct str format_into(struct arena *arena, const char *format, size_t number)
{
	char text[200];

	snprintf(text, sizeof(text), format, number);
	return arena_copy(arena, str_of(text));
}

struct kb *sample_kb_many(struct arena *arena, size_t count)
{
	struct pack *pack = arena_take(arena, sizeof(*pack));
	struct section *many_sections = arena_take_array(arena, 10, sizeof(*many_sections));
	struct entry *many = arena_take_array(arena, count, sizeof(*many));
	const struct pack **list = arena_take_array(arena, 1, sizeof(*list));

	for (size_t i = 0; i < 10; i++) {
		many_sections[i].id = format_into(arena, "s%zu", i);
		many_sections[i].number = format_into(arena, "%zu", i + 1);
		many_sections[i].title = (struct text){{many_sections[i].id, many_sections[i].id}};
	}
	for (size_t i = 0; i < count; i++) {
		struct str title = format_into(
			arena, "HCCL socket %zu cannot listen: address in use, 端口占用", i * 7919);

		many[i] = entries[i % 2];
		many[i].section = many_sections[i * 10 / count].id;
		many[i].id = format_into(arena, "9.%zu", i);
		many[i].title = (struct text){{title, title}};
	}
	*pack = sample_pack;
	pack->sections = many_sections;
	pack->section_count = 10;
	pack->entries = many;
	pack->entry_count = count;
	list[0] = pack;
	return kb_new(list, 1);
}

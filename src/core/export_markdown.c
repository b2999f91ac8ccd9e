/* export_markdown: CommonMark, one language, with HTML anchors so that "see also" leads somewhere. */
#include "core/applies.h"
#include "core/export_form.h"

static struct str word(const struct exporter *to, enum export_part part)
{
	return text_in(&export_words[part], to->lang);
}

static bool is_word_byte(char byte)
{
	unsigned char c = (unsigned char)byte;

	return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Would Markdown take the byte at `at` for markup? An underscore within a word it does not. */
static bool is_markup(struct str text, size_t at)
{
	static const struct str anywhere = STR_INIT("\\`*<[]|");
	static const struct str at_line_start = STR_INIT("#+->=");
	char c = text.data[at];

	if (c == '_')
		return at == 0 || at + 1 == text.size || !is_word_byte(text.data[at - 1]) ||
		       !is_word_byte(text.data[at + 1]);
	if ((at == 0 || text.data[at - 1] == '\n') && str_find_byte(at_line_start, c) != STR_NOT_FOUND)
		return true;
	return str_find_byte(anywhere, c) != STR_NOT_FOUND;
}

/* Prose: markup is escaped; line ends stay, with `line_start` behind them. */
static void add_prose(struct exporter *to, struct str text, const char *line_start)
{
	for (size_t i = 0; i < text.size; i++) {
		if (is_markup(text, i))
			buf_add_byte(to->out, '\\');
		buf_add_byte(to->out, text.data[i]);
		if (text.data[i] == '\n' && i + 1 < text.size)
			buf_add(to->out, str_of(line_start));
	}
}

/* A fenced block whose fence is longer than any run of backquotes within. */
static void add_block(struct exporter *to, struct str text, const char *language, size_t indent)
{
	size_t longest = 2;
	struct str rest = str_ends(text, STR("\n")) ? str_slice(text, 0, text.size - 1) : text;
	struct str line;

	for (size_t i = 0, run = 0; i < text.size; i++) {
		run = text.data[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	buf_add_repeated(to->out, ' ', indent);
	buf_add_repeated(to->out, '`', longest + 1);
	buf_add_format(to->out, "%s\n", language);
	while (str_next(&rest, '\n', &line)) {
		buf_add_repeated(to->out, ' ', line.size ? indent : 0);
		buf_add(to->out, line);
		buf_add_byte(to->out, '\n');
	}
	buf_add_repeated(to->out, ' ', indent);
	buf_add_repeated(to->out, '`', longest + 1);
	buf_add(to->out, STR("\n\n"));
}

static void section(struct exporter *to, const struct section *section, bool is_empty)
{
	buf_add(to->out, STR("## "));
	add_prose(to, section->number, "");
	buf_add(to->out, section->number.size ? STR("  ") : STR(""));
	add_prose(to, text_in(&section->title, to->lang), "");
	buf_add(to->out, STR("\n\n"));
	if (is_empty && text_in(&section->empty, to->lang).size) {
		add_prose(to, text_in(&section->empty, to->lang), "");
		buf_add(to->out, STR("\n\n"));
	}
}

static void add_applies(struct exporter *to, const struct applies *applies)
{
	struct buf text = {0};

	if (!applies_is_limited(applies))
		return;
	applies_say_condition(applies, to->lang, &text);
	buf_add_byte(to->out, '*');
	add_prose(to, word(to, EXPORT_APPLIES), "");
	buf_add_byte(to->out, ' ');
	add_prose(to, buf_str(&text), "");
	buf_add(to->out, STR("*\n\n"));
	buf_release(&text);
}

static void entry(struct exporter *to, const struct entry *entry)
{
	buf_add_format(to->out, "<a id=\"e%.*s\"></a>\n\n### ", STR_ARG(entry->id));
	add_prose(to, entry->id, "");
	buf_add(to->out, STR("  "));
	add_prose(to, text_in(&entry->title, to->lang), "");
	buf_add(to->out, STR("\n\n"));
	add_applies(to, &entry->applies);
}

static void heading(struct exporter *to, enum export_part part)
{
	buf_add_format(to->out, "**%.*s**\n\n", STR_ARG(word(to, part)));
}

static void part(struct exporter *to, enum export_part part, const struct text *text)
{
	heading(to, part);
	add_prose(to, text_in(text, to->lang), "");
	buf_add(to->out, STR("\n\n"));
}

static void sample(struct exporter *to, const struct sample *sample)
{
	if (text_in(&sample->note, to->lang).size) {
		add_prose(to, text_in(&sample->note, to->lang), "");
		buf_add(to->out, STR("\n\n"));
	}
	add_block(to, sample->text, "text", 0);
}

static void solution(struct exporter *to, const struct entry *entry, size_t index)
{
	const struct solution *solution = &entry->solutions[index];
	struct str title = text_in(&solution->title, to->lang);

	buf_add_format(to->out, "#### %.*s", STR_ARG(word(to, EXPORT_SOLUTION)));
	if (entry->solution_count > 1)
		buf_add_format(to->out, " %zu", index + 1);
	if (title.size) {
		buf_add(to->out, to->lang == LANG_ZH ? STR("：") : STR(": "));
		add_prose(to, title, "");
	}
	if (solution->recommended && entry->solution_count > 1)
		buf_add_format(to->out, to->lang == LANG_ZH ? "（%.*s）" : " (%.*s)",
			       STR_ARG(word(to, EXPORT_RECOMMENDED)));
	buf_add(to->out, STR("\n\n"));
	add_applies(to, &solution->applies);
}

static void step(struct exporter *to, const struct step *step, size_t number)
{
	enum { INDENT = 4 };
	struct str effect = text_in(&export_effects[step->effect], to->lang);

	buf_add_format(to->out, number < 10 ? "%zu.  " : "%zu. ", number); /* the width of INDENT */
	add_prose(to, text_in(&step->say, to->lang), "    ");
	if (step->run.size && effect.size)
		buf_add_format(to->out, to->lang == LANG_ZH ? "（%.*s）" : " (%.*s)", STR_ARG(effect));
	buf_add(to->out, STR("\n\n"));
	if (step->file.size) {
		buf_add_repeated(to->out, ' ', INDENT);
		add_prose(to, step->file, "    ");
		buf_add(to->out, STR("\n\n"));
		add_block(to, step->text, "", INDENT);
	}
	if (step->run.size)
		add_block(to, step->run, "sh", INDENT);
	if (step->link.size)
		buf_add_format(to->out, "    <%.*s>\n\n", STR_ARG(step->link));
}

static void solution_end(struct exporter *to)
{
	(void)to;
}

static void label(struct exporter *to, enum export_part part)
{
	buf_add_format(to->out, to->lang == LANG_ZH ? "**%.*s**：" : "**%.*s**: ", STR_ARG(word(to, part)));
}

static void codes(struct exporter *to, const struct str_list *codes)
{
	label(to, EXPORT_CODES);
	for (size_t i = 0; i < codes->count; i++)
		buf_add_format(to->out, "%s`%.*s`", i ? " " : "", STR_ARG(codes->items[i]));
	buf_add(to->out, STR("\n\n"));
}

static void see(struct exporter *to, const struct str_list *see)
{
	label(to, EXPORT_SEE);
	for (size_t i = 0; i < see->count; i++)
		buf_add_format(to->out, "%s[%.*s](#e%.*s)", i ? " " : "", STR_ARG(see->items[i]),
			       STR_ARG(see->items[i]));
	buf_add(to->out, STR("\n\n"));
}

static void source(struct exporter *to, const struct entry *entry)
{
	label(to, EXPORT_SOURCE);
	add_prose(to, entry->source, "");
	buf_add(to->out, STR("\n\n"));
	if (text_in(&entry->correction, to->lang).size && entry->correction_source.size) {
		label(to, EXPORT_CORRECTION);
		add_prose(to, entry->correction_source, "");
		buf_add(to->out, STR("\n\n"));
	}
}

static void entry_end(struct exporter *to)
{
	(void)to;
}

/* In a table a line end would end the row. */
static void add_cell(struct exporter *to, struct str text)
{
	struct str line;

	for (bool first = true; str_next(&text, '\n', &line); first = false) {
		if (!first)
			buf_add_byte(to->out, ' ');
		add_prose(to, str_trim(line), "");
	}
}

static void code(struct exporter *to, const struct code *code)
{
	buf_add(to->out, STR("| "));
	add_cell(to, code->code);
	buf_add(to->out, STR(" | "));
	add_cell(to, code->name);
	buf_add(to->out, STR(" | "));
	add_cell(to, text_in(&code->means, to->lang));
	if (code->tier >= 3)
		buf_add_format(to->out, to->lang == LANG_ZH ? "（%.*s）" : " (%.*s)",
			       STR_ARG(word(to, EXPORT_INFERRED)));
	buf_add_byte(to->out, ' ');
	add_cell(to, text_in(&code->usually, to->lang));
	buf_add(to->out, STR(" | "));
	for (size_t i = 0; i < code->entries.count; i++)
		buf_add_format(to->out, "%s[%.*s](#e%.*s)", i ? " " : "", STR_ARG(code->entries.items[i]),
			       STR_ARG(code->entries.items[i]));
	buf_add(to->out, STR(" |\n"));
}

void export_markdown(const struct kb *kb, enum lang lang, struct buf *out)
{
	static const struct export_form form = {.section = section,
						.entry = entry,
						.part = part,
						.heading = heading,
						.sample = sample,
						.solution = solution,
						.step = step,
						.solution_end = solution_end,
						.codes = codes,
						.see = see,
						.source = source,
						.entry_end = entry_end,
						.code = code};
	struct exporter to = {kb, lang, out, &form};

	buf_add(out, STR("# "));
	add_prose(&to, text_in(&kb->packs[0]->title, lang), "");
	buf_add(out, STR("\n\n"));
	export_walk(&to);
	if (kb->code_count == 0)
		return;
	buf_add_format(out, "## %.*s\n\n| | | | |\n| --- | --- | --- | --- |\n",
		       STR_ARG(word(&to, EXPORT_ALL_CODES)));
	export_walk_codes(&to);
}

/*
 * ascend-faq complete: what may stand at the end of a command line, for the shells' completion.
 *
 * The words of the line come as operands, the one that is being typed last. The first line that is printed
 * says what else may stand there: ":files", ":folders", ":words" for nothing else, ":open" for words that go
 * on (NAME=). Then a word a line, a tab, what it is.
 *
 * What an operand or an option's argument may be follows from its name in the tables of commands and options.
 */
#include "app/app.h"

#include <string.h>

enum { CODES_FROM = 1 }; /* there are a thousand codes: not before a letter of theirs is typed */

struct line {
	struct app *app;
	const struct command *command; /* null: none yet */
	struct str word;               /* what is being typed */
	const char *kind;
	struct buf text;
};

static void offer(struct line *line, struct str value, struct str help)
{
	struct str head = str_slice(value, 0, line->word.size);

	if (!str_equal_ascii_case(head, line->word))
		return;
	buf_add(&line->text, value);
	if (help.size) {
		buf_add_byte(&line->text, '\t');
		/* One line, and nothing that a terminal obeys. */
		for (size_t i = 0; i < help.size; i++)
			buf_add_byte(&line->text, (unsigned char)help.data[i] < ' ' ? ' ' : help.data[i]);
	}
	buf_add_byte(&line->text, '\n');
}

static struct str say(const struct line *line, const struct text *text)
{
	return text_in(text, line->app->options.lang);
}

/* ---- What there is. ----------------------------------------------------------------------------------- */

static void offer_entries(struct line *line)
{
	for (size_t i = 0; i < line->app->kb->entry_count; i++)
		offer(line, line->app->kb->entries[i]->id, say(line, &line->app->kb->entries[i]->title));
}

static void offer_codes(struct line *line)
{
	for (size_t i = 0; i < line->app->kb->code_count && line->word.size >= CODES_FROM; i++)
		offer(line, line->app->kb->codes[i]->code, say(line, &line->app->kb->codes[i]->means));
}

static void offer_probes(struct line *line)
{
	for (size_t i = 0; i < line->app->kb->probe_count; i++)
		offer(line, line->app->kb->probes[i]->id, say(line, &line->app->kb->probes[i]->title));
}

static void offer_sections(struct line *line)
{
	for (size_t i = 0; i < line->app->kb->section_count; i++)
		offer(line, line->app->kb->sections[i]->id, say(line, &line->app->kb->sections[i]->title));
}

static void offer_templates(struct line *line)
{
	for (size_t i = 0; i < line->app->kb->report_count; i++)
		offer(line, line->app->kb->reports[i]->id, say(line, &line->app->kb->reports[i]->title));
}

/* NAME=, and the value is the user's. */
static void offer_assignments(struct line *line, struct str name, struct str help)
{
	struct buf open = {0};

	buf_add(&open, name);
	buf_add_byte(&open, '=');
	offer(line, buf_str(&open), help);
	buf_release(&open);
	line->kind = ":open";
}

static void offer_placeholders(struct line *line)
{
	for (size_t i = 0; i < line->app->kb->placeholder_count; i++)
		if (!line->app->kb->placeholders[i]->display_only)
			offer_assignments(line, line->app->kb->placeholders[i]->name,
					  say(line, &line->app->kb->placeholders[i]->meaning));
}

static bool is_earlier_column(const struct kb *kb, size_t matrix, size_t column)
{
	struct str value = kb->matrices[matrix]->columns[column].value;

	for (size_t i = 0; i < matrix; i++)
		for (size_t j = 0; j < kb->matrices[i]->column_count; j++)
			if (str_equal(kb->matrices[i]->columns[j].value, value))
				return true;
	return false;
}

static void offer_versions(struct line *line)
{
	const struct kb *kb = line->app->kb;

	for (size_t i = 0; i < kb->matrix_count; i++)
		for (size_t j = 0; j < kb->matrices[i]->column_count; j++)
			if (!is_earlier_column(kb, i, j))
				offer_assignments(line, kb->matrices[i]->columns[j].probe,
						  kb->matrices[i]->columns[j].name);
}

static void offer_commands(struct line *line)
{
	for (size_t i = 0; i < command_count; i++)
		offer(line, str_of(command_table[i].name), say(line, &command_table[i].summary));
}

static void offer_files(struct line *line)
{
	line->kind = ":files";
}

static void offer_folders(struct line *line)
{
	line->kind = ":folders";
}

/* The names that operands and arguments have in the tables. */
static const struct {
	const char *name;
	void (*offer)(struct line *line);
} names[] = {
	{"ID", offer_entries},
	{"CODE", offer_codes},
	{"PROBE", offer_probes},
	{"SECTION", offer_sections},
	{"TEMPLATE", offer_templates},
	{"NAME=VALUE", offer_placeholders},
	{"NAME=VERSION", offer_versions},
	{"COMMAND", offer_commands},
	{"FILE", offer_files},
	{"LOG", offer_files},
	{"PATH", offer_files},
	{"FAQ", offer_files},
	{"DIR", offer_folders},
	{"FOLDER", offer_folders},
};

/* "ID|CODE", "zh|en": names of the table, and words that stand for themselves. */
static void offer_named(struct line *line, struct str alternatives)
{
	struct str one;

	while (str_next(&alternatives, '|', &one)) {
		bool known = false;

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (str_equal(one, str_of(names[i].name))) {
				names[i].offer(line);
				known = true;
			}
		if (!known && one.size && one.data[0] >= 'a' && one.data[0] <= 'z')
			offer(line, one, STR(""));
	}
}

/* ---- Where on the line. ------------------------------------------------------------------------------- */

static const struct option_info *option_of(struct str word)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *option = &option_table[i];

		if (str_starts(word, STR("--"))
			    ? str_equal(str_slice(word, 2, word.size), str_of(option->name))
			    : word.size == 2 && word.data[0] == '-' && option->letter == word.data[1])
			return option;
	}
	return NULL;
}

static void offer_options(struct line *line)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *option = &option_table[i];
		struct buf word = {0};

		if (line->command && !option_applies(option, line->command->name))
			continue;
		buf_add_format(&word, "--%s", option->name);
		offer(line, buf_str(&word), say(line, &option->help));
		buf_release(&word);
	}
}

/* "FAQ DIR", "[ID|CODE…]": the name of operand `at`, counted from 0. */
static struct str operand_name(const char *operands, size_t at)
{
	struct str rest = str_of(operands), word, last = STR("");

	while (str_next(&rest, ' ', &word)) {
		if (str_starts(word, STR("[")))
			word = str_slice(word, 1, word.size);
		if (str_ends(word, STR("]")))
			word.size--;
		last = STR("");
		if (str_ends(word, STR("…"))) {
			word.size -= STR("…").size;
			last = word;
		}
		if (at-- == 0)
			return word;
	}
	return last;
}

static const struct command *command_of(struct str word)
{
	for (size_t i = 0; i < command_count; i++)
		if (str_equal(word, str_of(command_table[i].name)))
			return &command_table[i];
	return NULL;
}

/* Go over the words before the one that is typed: which command it is, and what is due now. */
static void complete(struct line *line, const struct str *words, size_t count)
{
	const struct option_info *waiting = NULL;
	size_t operands = 0;
	bool options_end = false;

	for (size_t i = 0; i < count; i++) {
		/* bash makes three words of --lang=zh. */
		if (str_equal(words[i], STR("=")))
			continue;
		if (waiting) {
			waiting = NULL;
		} else if (!options_end && str_equal(words[i], STR("--"))) {
			options_end = true;
		} else if (!options_end && str_starts(words[i], STR("-"))) {
			const struct option_info *option = option_of(words[i]);

			waiting = option && option->argument ? option : NULL;
		} else if (!line->command && !operands && command_of(words[i])) {
			line->command = command_of(words[i]);
		} else {
			operands++;
		}
	}
	if (waiting)
		offer_named(line, str_of(waiting->argument));
	else if (!options_end && str_starts(line->word, STR("-")))
		offer_options(line);
	else if (line->command)
		offer_named(line, operand_name(line->command->operands, operands));
	else {
		if (!operands)
			offer_commands(line);
		offer_files(line);
	}
}

int cmd_complete(struct app *app)
{
	struct line line = {.app = app, .kind = ":words"};
	VEC(struct str) words = {0};
	struct output output;

	app_kb(app);
	for (size_t i = 0; i < app_operand_count(app); i++)
		vec_push(&words, app_operand(app, i));
	line.word = words.count ? words.items[words.count - 1] : STR("");
	if (str_equal(line.word, STR("=")))
		line.word = STR("");
	complete(&line, words.items, words.count ? words.count - 1 : 0);
	output_open(&output, &app->options);
	output_format(&output, OUTPUT_PLAIN, "%s\n", line.kind);
	buf_add(&output.text, buf_str(&line.text));
	buf_release(&line.text);
	vec_release(&words);
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

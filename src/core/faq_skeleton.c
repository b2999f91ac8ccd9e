/* An entry of a document as YAML: what can be known from its shape, and no more. */
#include "core/faq_document.h"

enum { SIGNATURES_A_SAMPLE = 2, LONG_LINE = 100000 /* bytes; longer than any */ };

static void add_scalar(struct buf *out, struct str text)
{
	buf_add_byte(out, '\'');
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '\'')
			buf_add_byte(out, '\'');
		buf_add_byte(out, text.data[i]);
	}
	buf_add_byte(out, '\'');
}

static void add_text(struct buf *out, size_t indent, const char *key, struct str text)
{
	buf_add_repeated(out, ' ', indent);
	buf_add_format(out, "%s:\n", key);
	buf_add_repeated(out, ' ', indent + 2);
	buf_add(out, STR("zh: "));
	add_scalar(out, text);
	buf_add_byte(out, '\n');
}

/* Lines as a block scalar below a key that stands at `indent`. */
static void add_block(struct buf *out, size_t indent, struct str text)
{
	struct str line;

	buf_add(out, text.size && text.data[0] == ' ' ? STR("|2\n") : STR("|\n"));
	while (str_next(&text, '\n', &line)) {
		buf_add_repeated(out, ' ', line.size ? indent + 2 : 0);
		buf_add(out, line);
		buf_add_byte(out, '\n');
	}
}

/* The prose of all blocks of a part, one line each. */
static void add_part(struct buf *out, const struct faq_entry *entry, enum faq_part part, const char *key)
{
	struct buf text = {0};

	for (size_t i = 0; i < entry->lines.count; i++) {
		const struct faq_line *line = &entry->lines.items[i];

		if (line->part != part || line->is_code)
			continue;
		if (text.size)
			buf_add_byte(&text, ' ');
		buf_add(&text, line->text);
	}
	/* A problem that is not described has its title for it. */
	if (text.size || part == FAQ_PROBLEM)
		add_text(out, 0, key, text.size ? buf_str(&text) : entry->title);
	buf_release(&text);
}

/* The code of a block from line `from` on, as long as it is one paragraph; returns where that ends. */
static size_t take_code(const struct faq_entry *entry, size_t from, bool whole_block, struct buf *text)
{
	const struct faq_line *lines = entry->lines.items;
	size_t at = from;

	while (at < entry->lines.count && lines[at].is_code && lines[at].block == lines[from].block &&
	       (whole_block || lines[at].paragraph == lines[from].paragraph)) {
		if (text->size)
			buf_add_byte(text, '\n');
		buf_add(text, lines[at++].text);
	}
	return at;
}

/* "[rank1]: " says who printed the line, and is taken off before signatures see it. */
static struct str without_rank(struct str line)
{
	size_t end = str_starts(line, STR("[rank")) ? str_find(line, STR("]:")) : STR_NOT_FOUND;

	return str_trim(end == STR_NOT_FOUND ? line : str_slice(line, end + 2, line.size));
}

static bool has_line(const struct faq_entry *entry, struct str line)
{
	for (size_t i = 0; i < entry->lines.count; i++)
		if (str_equal(without_rank(entry->lines.items[i].text), line))
			return true;
	return false;
}

/* Has another entry of the document this error line? */
static bool is_shared(const struct faq_document *document, const struct faq_entry *own, struct str line)
{
	for (size_t e = 0; e < document->entries.count; e++)
		if (&document->entries.items[e] != own && has_line(&document->entries.items[e], line))
			return true;
	return false;
}

static bool tells_a_fault(struct str line)
{
	static const struct str words[] = {STR_INIT("rror"),  STR_INIT("ailed"),       STR_INIT("not found"),
					   STR_INIT("annot"), STR_INIT("missing"),     STR_INIT("undefined"),
					   STR_INIT("No "),   STR_INIT("ncompatible"), STR_INIT("nvalid")};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_find(line, words[i]) != STR_NOT_FOUND)
			return true;
	return false;
}

/* The line as a pattern: placeholders are any word, numbers any number, blanks any blanks. */
static void add_pattern(struct buf *out, struct str line)
{
	for (size_t i = 0; i < line.size; i++) {
		char c = line.data[i];
		size_t end = c == '<' ? str_find_byte(str_slice(line, i, line.size), '>') : STR_NOT_FOUND;

		if (end != STR_NOT_FOUND &&
		    str_find_byte(str_slice(line, i, i + end), ' ') == STR_NOT_FOUND) {
			buf_add(out, STR("\\S+"));
			i += end;
		} else if (c == ' ') {
			if (!str_ends(buf_str(out), STR("\\s+")))
				buf_add(out, STR("\\s+"));
		} else if (c >= '0' && c <= '9') {
			if (!str_ends(buf_str(out), STR("\\d+")))
				buf_add(out, STR("\\d+"));
		} else {
			if (str_find_byte(STR("\\^$.|?*+()[]{}-#"), c) != STR_NOT_FOUND)
				buf_add_byte(out, '\\');
			buf_add_byte(out, c);
		}
	}
}

static void add_signature(struct buf *out, struct str line)
{
	struct buf pattern = {0};

	add_pattern(&pattern, line);
	buf_add(out, STR("  - match: "));
	add_scalar(out, buf_str(&pattern));
	buf_add(out, STR("\n    strength: likely\n"));
	buf_release(&pattern);
}

struct choice {
	VEC(struct str) lines;
};

/* The error line of a block that says most: tells of a fault, is in no other entry, is long; in this order.
 */
static struct str best_line(const struct faq_document *document, const struct faq_entry *entry, size_t block,
			    const struct choice *chosen)
{
	struct str best = {0};
	size_t best_score = 0;

	for (size_t i = 0; i < entry->lines.count; i++) {
		const struct faq_line *line = &entry->lines.items[i];
		struct str text = without_rank(line->text);
		size_t score = 1 + text.size;
		bool taken = false;

		if (line->block != block || line->part != FAQ_ERRORS || !line->is_code || text.size == 0)
			continue;
		for (size_t c = 0; c < chosen->lines.count; c++)
			taken = taken || str_equal(chosen->lines.items[c], text);
		score += tells_a_fault(text) ? 2 * (size_t)LONG_LINE : 0;
		score += is_shared(document, entry, text) ? 0 : (size_t)LONG_LINE;
		if (!taken && score > best_score) {
			best = text;
			best_score = score;
		}
	}
	return best;
}

/* Other entries that have one of the chosen lines: each problem is told from the other by a person only. */
static void add_see(const struct faq_document *document, const struct faq_entry *entry,
		    const struct choice *chosen, struct buf *out)
{
	bool any = false;

	for (size_t e = 0; e < document->entries.count; e++) {
		const struct faq_entry *other = &document->entries.items[e];
		bool shares = false;

		for (size_t c = 0; c < chosen->lines.count; c++)
			shares = shares || has_line(other, chosen->lines.items[c]);
		if (other == entry || !shares)
			continue;
		buf_add(out, any ? STR(", ") : STR("see: ["));
		buf_add_format(out, "\"%.*s\"", STR_ARG(other->id));
		any = true;
	}
	buf_add(out, any ? STR("]\n") : STR(""));
}

/* Of each sample the lines that say most. */
static void add_signatures(const struct faq_document *document, const struct faq_entry *entry,
			   struct buf *out)
{
	struct choice chosen = {0};

	buf_add(out, STR("signatures:\n"));
	for (size_t block = 0; block < entry->blocks.count; block++)
		for (size_t i = 0; i < SIGNATURES_A_SAMPLE; i++) {
			struct str line = best_line(document, entry, block, &chosen);

			if (line.size == 0 || (i > 0 && is_shared(document, entry, line)))
				break;
			add_signature(out, line);
			vec_push(&chosen.lines, line);
		}
	add_see(document, entry, &chosen, out);
	vec_release(&chosen.lines);
}

static bool add_errors(const struct faq_entry *entry, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < entry->lines.count;) {
		const struct faq_line *line = &entry->lines.items[i];
		struct buf text = {0};

		if (line->part != FAQ_ERRORS || !line->is_code) {
			i++;
			continue;
		}
		buf_add(out, any ? STR("") : STR("errors:\n"));
		any = true;
		i = take_code(entry, i, true, &text);
		buf_add(out, STR("  - text: "));
		add_block(out, 4, buf_str(&text));
		if (entry->blocks.items[line->block].title.size) {
			buf_add(out, STR("    note: {zh: "));
			add_scalar(out, entry->blocks.items[line->block].title);
			buf_add(out, STR("}\n"));
		}
		buf_release(&text);
	}
	return any;
}

/* What one line of a command does; what is not clear by its first word writes. */
static enum step_effect line_effect(struct str line)
{
	static const struct {
		struct str start;
		enum step_effect effect;
	} starts[] = {
		{STR_INIT("#"), STEP_READ},
		{STR_INIT("export "), STEP_SHELL},
		{STR_INIT("source "), STEP_SHELL},
		{STR_INIT("rm "), STEP_DESTROY},
		{STR_INIT("kill"), STEP_DESTROY},
		{STR_INIT("pkill "), STEP_DESTROY},
		{STR_INIT("npu-smi set"), STEP_DESTROY},
		{STR_INIT("npu-smi info"), STEP_READ},
		{STR_INIT("ls "), STEP_READ},
		{STR_INIT("conda config --show"), STEP_READ},
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (str_starts(line, starts[i].start))
			return starts[i].effect;
	return STEP_WRITE;
}

/* The strongest of its lines. */
static const char *effect_of(struct str command)
{
	static const char *const names[] = {[STEP_READ] = "read",
					    [STEP_SHELL] = "shell",
					    [STEP_WRITE] = "write",
					    [STEP_DESTROY] = "destroy"};
	enum step_effect effect = STEP_READ;
	struct str line;

	while (str_next(&command, '\n', &line)) {
		line = str_trim(line);
		if (line.size && line_effect(line) > effect)
			effect = line_effect(line);
	}
	return names[effect];
}

/* Python and the like: an assignment with blanks around its sign is no shell command. */
static bool is_file_text(struct str code)
{
	struct str first = str_slice(
		code, 0, str_find_byte(code, '\n') == STR_NOT_FOUND ? code.size : str_find_byte(code, '\n'));
	size_t sign = str_find(first, STR(" = "));

	return (sign != STR_NOT_FOUND && str_find_byte(str_slice(first, 0, sign), ' ') == STR_NOT_FOUND) ||
	       str_starts(first, STR("import ")) || str_starts(first, STR("if ")) ||
	       str_starts(first, STR("def "));
}

/* The first word of the prose that looks like a file's name; "file" when there is none. */
static struct str file_name(struct str say)
{
	static const struct str ends[] = {STR_INIT(".py"),   STR_INIT(".sh"),  STR_INIT(".cfg"),
					  STR_INIT(".toml"), STR_INIT(".txt"), STR_INIT(".yaml"),
					  STR_INIT(".json")};
	struct str word;

	while (str_next(&say, ' ', &word))
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			if (str_ends(word, ends[i]))
				return word;
	return STR("file");
}

static void add_step(struct buf *out, struct str say, struct str code)
{
	size_t link = str_find(say, STR("https://")), end;

	buf_add(out, STR("      - say:\n          zh: "));
	add_scalar(out, say.size ? say : STR("执行："));
	buf_add_byte(out, '\n');
	if (code.size && is_file_text(code)) {
		buf_add(out, STR("        file: "));
		add_scalar(out, file_name(say));
		buf_add(out, STR("\n        effect: write\n        text: "));
		add_block(out, 8, code);
	} else if (code.size) {
		buf_add(out, STR("        run: "));
		add_block(out, 8, code);
		buf_add_format(out, "        effect: %s\n", effect_of(code));
	} else if (link != STR_NOT_FOUND) {
		for (end = link; end < say.size && (unsigned char)say.data[end] > ' ' &&
				 (unsigned char)say.data[end] < 0x80;)
			end++;
		buf_add(out, STR("        link: "));
		add_scalar(out, str_slice(say, link, end));
		buf_add_byte(out, '\n');
	}
}

/* Without prose a comment above the command says what it is for. */
static struct str take_comment(struct str *code)
{
	size_t end = str_find_byte(*code, '\n');
	struct str comment;

	if (code->size == 0 || code->data[0] != '#' || end == STR_NOT_FOUND)
		return STR("");
	comment = str_trim(str_slice(*code, 1, end));
	*code = str_slice(*code, end + 1, code->size);
	return comment;
}

/* Each line of prose is a step; code belongs to the prose before it. */
static void add_steps(const struct faq_entry *entry, size_t from, size_t end, struct buf *out)
{
	const struct faq_line *lines = entry->lines.items;
	struct str say = {0};

	buf_add(out, STR("    steps:\n"));
	for (size_t i = from; i < end;) {
		struct buf code = {0};
		struct str text;

		if (!lines[i].is_code) {
			if (say.size)
				add_step(out, say, STR(""));
			say = lines[i++].text;
			continue;
		}
		i = take_code(entry, i, false, &code);
		text = buf_str(&code);
		if (say.size == 0)
			say = take_comment(&text);
		add_step(out, say, text);
		say = STR("");
		buf_release(&code);
	}
	if (say.size)
		add_step(out, say, STR(""));
}

static bool is_step(const struct faq_entry *entry, size_t line, bool reference)
{
	return entry->lines.items[line].part == FAQ_SOLUTION ||
	       (reference && entry->lines.items[line].part == FAQ_BACKGROUND);
}

static void add_solutions(const struct faq_entry *entry, bool reference, struct buf *out)
{
	bool any = false;

	for (size_t from = 0, end; from < entry->lines.count; from = end) {
		const struct faq_block *block = &entry->blocks.items[entry->lines.items[from].block];

		for (end = from; end < entry->lines.count &&
				 entry->lines.items[end].block == entry->lines.items[from].block;)
			end++;
		if (!is_step(entry, from, reference))
			continue;
		buf_add(out, any ? STR("") : STR("solutions:\n"));
		any = true;
		buf_add(out, STR("  - title:\n      zh: "));
		add_scalar(out, block->title.size ? block->title : entry->title);
		buf_add_byte(out, '\n');
		if (block->recommended)
			buf_add(out, STR("    recommended: true\n"));
		add_steps(entry, from, end, out);
	}
}

void faq_entry_to_yaml(const struct faq_document *document, const struct faq_entry *entry, struct buf *out)
{
	bool has_errors = false;

	for (size_t i = 0; i < entry->lines.count && !has_errors; i++)
		has_errors = entry->lines.items[i].part == FAQ_ERRORS && entry->lines.items[i].is_code;
	buf_add_format(out, "id: \"%.*s\"\nkind: %s\n", STR_ARG(entry->id),
		       has_errors ? "problem" : "reference");
	add_text(out, 0, "title", entry->title);
	if (has_errors)
		add_part(out, entry, FAQ_PROBLEM, "problem");
	add_part(out, entry, FAQ_CAUSE, "cause");
	if (has_errors)
		add_part(out, entry, FAQ_BACKGROUND, "background");
	add_part(out, entry, FAQ_NOTE, "note");
	buf_add(out, STR("origin: faq\nsource: "));
	add_scalar(out, document->title.size ? document->title : STR("FAQ"));
	buf_add_byte(out, '\n');
	if (has_errors) {
		add_errors(entry, out);
		buf_add(out, STR("# Put a message here that looks like these and is another problem.\n"
				 "not-errors:\n  - text: 'job 1: all is well'\n"));
		add_signatures(document, entry, out);
	}
	add_solutions(entry, !has_errors, out);
}

void faq_pack_to_yaml(const struct faq_document *document, struct buf *out)
{
	buf_add(out, STR("name: imported\n"));
	add_text(out, 0, "title", document->title.size ? document->title : STR("FAQ"));
	buf_add(out, STR("version: \"1\"\n"));
}

struct str faq_section_id(const struct kb *kb, uint64_t number, struct arena *arena)
{
	struct buf id = {0};
	struct str name;

	buf_add_format(&id, "%llu", (unsigned long long)number);
	for (size_t i = 0; i < kb->section_count; i++)
		if (str_equal(kb->sections[i]->number, buf_str(&id))) {
			buf_release(&id);
			return kb->sections[i]->id;
		}
	buf_clear(&id);
	buf_add_format(&id, "chapter-%llu", (unsigned long long)number);
	name = arena_copy(arena, buf_str(&id));
	buf_release(&id);
	return name;
}

#include "core/faq_document.h"

#include "base/utf8.h"

enum { HEADING_LONGEST = 60 /* bytes of an unnumbered heading */ };

/* What a labelled part is called. The longer name of two that begin alike comes first. */
static const struct {
	struct str label;
	enum faq_part part;
} labels[] = {
	{STR_INIT("问题描述"), FAQ_PROBLEM},
	{STR_INIT("问题现象"), FAQ_PROBLEM},
	{STR_INIT("报错信息"), FAQ_ERRORS},
	{STR_INIT("错误信息"), FAQ_ERRORS},
	{STR_INIT("解决方案"), FAQ_SOLUTION},
	{STR_INIT("解决方法"), FAQ_SOLUTION},
	{STR_INIT("可能原因"), FAQ_CAUSE},
	{STR_INIT("原因"), FAQ_CAUSE},
	{STR_INIT("背景"), FAQ_BACKGROUND},
	{STR_INIT("方案"), FAQ_SOLUTION},
	{STR_INIT("注意"), FAQ_NOTE},
	{STR_INIT("Problem"), FAQ_PROBLEM},
	{STR_INIT("Error message"), FAQ_ERRORS},
	{STR_INIT("Solution"), FAQ_SOLUTION},
	{STR_INIT("Cause"), FAQ_CAUSE},
	{STR_INIT("Background"), FAQ_BACKGROUND},
	{STR_INIT("Note"), FAQ_NOTE},
};

struct reader {
	struct faq_document *document;
	struct arena *arena;
	bool markdown; /* has fences: # begins headings, and code stands within fences alone */
	bool fenced;
	bool after_blank;
	size_t paragraph;
	struct faq_entry *entry; /* the current one; null: none yet in this chapter */
	enum faq_part part;
	uint32_t number;
};

static bool has_chinese(struct str text)
{
	for (size_t at = 0, size; at < text.size; at += size) {
		uint32_t character = utf8_at(text, at, &size);

		if ((character >= 0x4E00 && character <= 0x9FFF) ||
		    (character >= 0x3000 && character <= 0x303F) ||
		    (character >= 0xFF00 && character <= 0xFFEF))
			return true;
	}
	return false;
}

static bool drop(struct str *text, struct str prefix)
{
	if (!str_starts(*text, prefix))
		return false;
	*text = str_trim(str_slice(*text, prefix.size, text->size));
	return true;
}

static size_t digits(struct str text, size_t at)
{
	size_t end = at;

	while (end < text.size && text.data[end] >= '0' && text.data[end] <= '9')
		end++;
	return end - at;
}

/* The number of "三、…"; SIZE_MAX: no chapter. *title is what follows. */
static size_t chapter_number(struct str line, struct str *title)
{
	static const struct str numerals[] = {STR_INIT("一"), STR_INIT("二"), STR_INIT("三"), STR_INIT("四"),
					      STR_INIT("五"), STR_INIT("六"), STR_INIT("七"), STR_INIT("八"),
					      STR_INIT("九"), STR_INIT("十")};

	for (size_t i = 0; i < sizeof(numerals) / sizeof(*numerals); i++) {
		struct str rest = line;

		if (drop(&rest, numerals[i]) && drop(&rest, STR("、"))) {
			*title = rest;
			return i + 1;
		}
	}
	return SIZE_MAX;
}

/* "1.10 Title": the bytes of the number, 0 when it is none. */
static size_t entry_number(struct str line)
{
	size_t first = digits(line, 0);
	size_t second = first && first < line.size && line.data[first] == '.' ? digits(line, first + 1) : 0;
	size_t end = first + 1 + second;

	return second && end < line.size && line.data[end] == ' ' ? end : 0;
}

static void open_chapter(struct reader *reader, size_t number, struct str title)
{
	vec_push(&reader->document->chapters, (struct faq_chapter){number, title});
	reader->entry = NULL;
}

static void open_entry(struct reader *reader, struct str id, struct str title)
{
	struct faq_document *document = reader->document;

	vec_push(&document->entries, (struct faq_entry){.id = id,
							.title = title,
							.chapter = document->chapters.count - 1,
							.number = reader->number});
	reader->entry = &document->entries.items[document->entries.count - 1];
	reader->part = FAQ_BACKGROUND;
}

/* An entry without a number of its own: the next one of its chapter. */
static void open_unnumbered(struct reader *reader, struct str title)
{
	struct faq_document *document = reader->document;
	size_t chapter = document->chapters.count - 1, place = 1;
	struct buf id = {0};

	for (size_t i = 0; i < document->entries.count; i++)
		place += document->entries.items[i].chapter == chapter;
	buf_add_format(&id, "%llu.%zu", (unsigned long long)document->chapters.items[chapter].number, place);
	open_entry(reader, arena_copy(reader->arena, buf_str(&id)), title);
	buf_release(&id);
}

/* Chapters whose entries have no numbers. */
static bool is_unnumbered_chapter(const struct reader *reader)
{
	const struct faq_chapter *chapter =
		&reader->document->chapters.items[reader->document->chapters.count - 1];

	return chapter->number == 0 || str_find(chapter->title, STR("附录")) != STR_NOT_FOUND ||
	       str_find(chapter->title, STR("Appendix")) != STR_NOT_FOUND;
}

static bool is_short_heading(struct str line)
{
	static const struct str marks[] = {STR_INIT("。"), STR_INIT("："), STR_INIT("，"), STR_INIT("；"),
					   STR_INIT(":"),  STR_INIT("#"),  STR_INIT("`")};

	if (line.size > HEADING_LONGEST || !has_chinese(line))
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (str_find(line, marks[i]) != STR_NOT_FOUND)
			return false;
	return true;
}

/* "（推荐）" or "(…)" at the front of *rest: what stands in it. */
static struct str take_bracket(struct str *rest)
{
	static const struct str open[] = {STR_INIT("（"), STR_INIT("(")},
				close[] = {STR_INIT("）"), STR_INIT(")")};

	for (size_t i = 0; i < 2; i++) {
		size_t end = str_starts(*rest, open[i]) ? str_find(*rest, close[i]) : STR_NOT_FOUND;
		struct str inside;

		if (end == STR_NOT_FOUND)
			continue;
		inside = str_slice(*rest, open[i].size, end);
		*rest = str_trim(str_slice(*rest, end + close[i].size, rest->size));
		return inside;
	}
	return STR("");
}

/* Does the line open a labelled part? *rest is what follows its colon. */
static bool take_label(struct str line, struct faq_block *block, struct str *rest)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++) {
		struct str inside;

		*rest = line;
		if (!drop(rest, labels[i].label))
			continue;
		*rest = str_trim(str_slice(*rest, digits(*rest, 0), rest->size));
		inside = take_bracket(rest);
		drop(rest, STR("**"));
		if (!drop(rest, STR("：")) && !drop(rest, STR(":")))
			continue;
		drop(rest, STR("**"));
		block->part = labels[i].part;
		block->recommended = str_equal(inside, STR("推荐")) || str_equal(inside, STR("recommended"));
		block->title = block->recommended ? STR("") : inside;
		return true;
	}
	return false;
}

static void add_line(struct reader *reader, bool is_code, struct str text)
{
	struct faq_entry *entry = reader->entry;
	struct faq_line line = {.part = reader->part,
				.is_code = is_code,
				.text = text,
				.paragraph = reader->paragraph,
				.number = reader->number};

	if (entry->blocks.count == 0)
		vec_push(&entry->blocks, (struct faq_block){.part = reader->part});
	line.block = entry->blocks.count - 1;
	vec_push(&entry->lines, line);
}

/* "解决方案：" directly before "方案 1：" names no solution of its own. */
static bool is_bare(const struct faq_entry *entry)
{
	size_t last = entry->blocks.count - 1;

	return entry->blocks.count > 0 && entry->blocks.items[last].part == FAQ_SOLUTION &&
	       (entry->lines.count == 0 || entry->lines.items[entry->lines.count - 1].block != last);
}

static void open_block(struct reader *reader, struct faq_block block, struct str rest)
{
	struct faq_entry *entry = reader->entry;

	reader->part = block.part;
	if (block.part == FAQ_SOLUTION && rest.size && block.title.size == 0) {
		block.title =
			str_ends(rest, STR("：")) ? str_slice(rest, 0, rest.size - STR("：").size) : rest;
	}
	if (block.part == FAQ_SOLUTION && is_bare(entry))
		entry->blocks.items[entry->blocks.count - 1] = block;
	else
		vec_push(&entry->blocks, block);
	if (rest.size)
		add_line(reader, false, rest);
}

static struct str without_end_blanks(struct str line)
{
	while (line.size && (line.data[line.size - 1] == ' ' || line.data[line.size - 1] == '\t' ||
			     line.data[line.size - 1] == '\r'))
		line.size--;
	return line;
}

/* The web page's sign for "link to this heading" is copied along with the text (U+F0C1, or a pilcrow). */
static struct str without_anchor(struct str line)
{
	if (str_ends(line, STR("\xEF\x83\x81")))
		line.size -= 3;
	else if (str_ends(line, STR("¶")))
		line.size -= STR("¶").size;
	return str_trim(line);
}

/* Headings of any kind. True: the line was one. */
static bool read_heading(struct reader *reader, struct str line, bool marked)
{
	struct str title;
	size_t number = chapter_number(line, &title), end;

	if (number != SIZE_MAX) {
		open_chapter(reader, number, title);
		return true;
	}
	end = entry_number(line);
	if (end) {
		open_entry(reader, str_slice(line, 0, end), str_trim(str_slice(line, end, line.size)));
		return true;
	}
	if ((marked || reader->after_blank) && is_unnumbered_chapter(reader) && is_short_heading(line)) {
		open_unnumbered(reader, line);
		return true;
	}
	return false;
}

static void read_line(struct reader *reader, struct str raw)
{
	struct str line = without_anchor(str_trim(raw)), rest;
	struct faq_block block;
	bool marked = false;

	if (str_starts(line, STR("```"))) {
		reader->fenced = !reader->fenced;
		reader->paragraph++;
		return;
	}
	if (reader->fenced) {
		if (reader->entry)
			add_line(reader, true, without_end_blanks(raw));
		return;
	}
	while (reader->markdown && str_starts(line, STR("#"))) {
		line = str_trim(str_slice(line, 1, line.size));
		marked = true;
	}
	if (reader->markdown)
		drop(&line, STR("**"));
	if (read_heading(reader, line, marked) || !reader->entry)
		return;
	if (take_label(line, &block, &rest))
		open_block(reader, block, rest);
	else if (!reader->markdown &&
		 (reader->part == FAQ_ERRORS || line.data[0] == '#' || !has_chinese(line)))
		add_line(reader, true, without_end_blanks(raw));
	else
		add_line(reader, false, line);
}

static struct str first_line(struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line)) {
		line = str_trim(line);
		while (str_starts(line, STR("#")))
			line = str_trim(str_slice(line, 1, line.size));
		if (line.size)
			return line;
	}
	return STR("");
}

void faq_document_clean(struct str bytes, struct buf *out)
{
	for (size_t at = 0, size; at < bytes.size; at += size) {
		uint32_t character = utf8_at(bytes, at, &size);

		if (character == '\r' || character == 0xFEFF)
			continue;
		if (character == UTF8_INVALID ||
		    (utf8_is_control(character) && character != '\n' && character != '\t'))
			buf_add(out, STR("\xEF\xBF\xBD"));
		else
			buf_add(out, str_slice(bytes, at, at + size));
	}
}

void faq_document_read(struct str text, struct arena *arena, struct faq_document *document)
{
	struct reader reader = {.document = document, .arena = arena, .part = FAQ_BACKGROUND};
	struct str rest, raw;

	*document = (struct faq_document){0};
	document->title = first_line(text);
	reader.markdown = str_starts(text, STR("```")) || str_find(text, STR("\n```")) != STR_NOT_FOUND;
	open_chapter(&reader, 0, STR(""));
	for (rest = text; str_next(&rest, '\n', &raw);) {
		struct str line = str_trim(raw);

		reader.number++;
		if (line.size == 0 && !reader.fenced) {
			reader.after_blank = true;
			reader.paragraph++;
			continue;
		}
		if (str_equal(line, document->title) && document->entries.count > 0)
			break;
		if (!str_equal(line, document->title))
			read_line(&reader, raw);
		reader.after_blank = false;
	}
}

void faq_document_release(struct faq_document *document)
{
	for (size_t i = 0; i < document->entries.count; i++) {
		vec_release(&document->entries.items[i].blocks);
		vec_release(&document->entries.items[i].lines);
	}
	vec_release(&document->chapters);
	vec_release(&document->entries);
}

/*
 * A command line -> words to search for: those that the knowledge base uses, as many as some entry holds all
 * of. A whole command line (`torchrun --nproc-per-node=8 train.py --lr 1e-4`) is in no entry.
 */
#include "ui/view.h"

#include "base/utf8.h"

enum { MOST_WORDS = 12, SHORTEST = 3, LONGEST_LINE = 4096 };

struct line_word {
	struct str text;   /* as it was typed */
	struct str folded; /* in `words.folded` */
	size_t entries;    /* that hold it */
	bool option;       /* -x, --name: says less than a command or a file */
};

struct line_words {
	struct buf folded;
	struct line_word list[MOST_WORDS];
	size_t count;
};

/* What the reader would search for an entry by: names, samples, commands; not its prose. */
static void add_entry_text(const struct entry *entry, struct buf *out)
{
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		utf8_fold(entry->title.in[lang], out, NULL);
		buf_add_byte(out, '\n');
	}
	for (size_t i = 0; i < entry->aliases.count; i++) {
		utf8_fold(entry->aliases.items[i], out, NULL);
		buf_add_byte(out, '\n');
	}
	for (size_t i = 0; i < entry->error_count; i++)
		utf8_fold(entry->errors[i].text, out, NULL);
	for (size_t i = 0; i < entry->solution_count; i++) {
		for (size_t j = 0; j < entry->solutions[i].step_count; j++) {
			utf8_fold(entry->solutions[i].steps[j].run, out, NULL);
			buf_add_byte(out, '\n');
		}
	}
}

static bool is_separator(char byte)
{
	static const struct str separators = STR_INIT(" \t\n;|&()<>\"'`=,:$");

	return (unsigned char)byte < ' ' || str_find_byte(separators, byte) != STR_NOT_FOUND;
}

/* "--nproc-per-node" is nproc-per-node, "/opt/x/bin/clang++" is clang++. */
static struct str bare(struct str word)
{
	while (word.size > 0 && word.data[0] == '-')
		word = str_slice(word, 1, word.size);
	for (size_t i = word.size; i > 0; i--) {
		if (word.data[i - 1] == '/')
			return str_slice(word, i, word.size);
	}
	return word;
}

static void add_word(struct line_words *words, struct str word)
{
	struct line_word *one = &words->list[words->count];
	bool option = str_starts(word, STR("-"));

	word = bare(word);
	if (word.size < SHORTEST || words->count == MOST_WORDS || !utf8_is_valid(word))
		return;
	for (size_t i = 0; i < words->count; i++) {
		if (str_equal(words->list[i].text, word))
			return;
	}
	*one = (struct line_word){.text = word, .option = option};
	words->count++;
}

static void split(struct line_words *words, struct str line)
{
	size_t start = 0;

	for (size_t i = 0; i <= line.size; i++) {
		if (i < line.size && !is_separator(line.data[i]))
			continue;
		add_word(words, str_slice(line, start, i));
		start = i + 1;
	}
	/* All folded before any is pointed to: the buffer moves while it grows. */
	for (size_t i = 0; i < words->count; i++) {
		size_t at = words->folded.size;

		utf8_fold(words->list[i].text, &words->folded, NULL);
		words->list[i].folded = (struct str){NULL, words->folded.size - at};
	}
	for (size_t i = 0, at = 0; i < words->count; i++) {
		words->list[i].folded.data = words->folded.data + at;
		at += words->list[i].folded.size;
	}
}

/* Which words the entry holds, as bits. */
static unsigned words_in(const struct line_words *words, struct str text)
{
	unsigned bits = 0;

	for (size_t i = 0; i < words->count; i++) {
		if (str_find(text, words->list[i].folded) != STR_NOT_FOUND)
			bits |= 1u << i;
	}
	return bits;
}

static bool some_entry_has(const unsigned *held, size_t count, unsigned bits)
{
	for (size_t i = 0; i < count; i++) {
		if ((held[i] & bits) == bits)
			return true;
	}
	return false;
}

/* The rarest word says most: it is kept first, then each further one that some entry holds with it. */
static unsigned choose(const struct line_words *words, const unsigned *held, size_t count)
{
	unsigned chosen = 0, tried = 0;

	for (size_t round = 0; round < words->count; round++) {
		size_t rarest = SIZE_MAX;

		for (size_t i = 0; i < words->count; i++) {
			if (!(tried & 1u << i) && words->list[i].entries > 0 &&
			    (rarest == SIZE_MAX || words->list[i].entries < words->list[rarest].entries))
				rarest = i;
		}
		if (rarest == SIZE_MAX)
			break;
		tried |= 1u << rarest;
		if (some_entry_has(held, count, chosen | 1u << rarest))
			chosen |= 1u << rarest;
	}
	return chosen;
}

/* What stands in more than half of the entries tells nothing, and options count only where nothing else does.
 */
static void leave_out_weak(struct line_words *words, size_t entries)
{
	bool plain = false;

	for (size_t i = 0; i < words->count; i++) {
		if (2 * words->list[i].entries > entries)
			words->list[i].entries = 0;
		plain = plain || (!words->list[i].option && words->list[i].entries > 0);
	}
	for (size_t i = 0; i < words->count; i++) {
		if (plain && words->list[i].option)
			words->list[i].entries = 0;
	}
}

void line_words(const struct kb *kb, struct str line, struct buf *query)
{
	enum { MOST_ENTRIES = 2000 }; /* of a large pack the first: it is looked through while a key waits */
	size_t count = kb->entry_count < MOST_ENTRIES ? kb->entry_count : MOST_ENTRIES;
	unsigned *held = alloc_zeroed(count + 1, sizeof(*held));
	struct line_words words = {0};
	struct buf text = {0};
	unsigned chosen;

	split(&words, str_slice(line, 0, LONGEST_LINE));
	for (size_t i = 0; words.count > 0 && i < count; i++) {
		buf_clear(&text);
		add_entry_text(kb->entries[i], &text);
		held[i] = words_in(&words, buf_str(&text));
		for (size_t j = 0; j < words.count; j++)
			words.list[j].entries += held[i] >> j & 1u;
	}
	leave_out_weak(&words, count);
	chosen = choose(&words, held, count);
	for (size_t j = 0; j < words.count; j++) {
		if (!(chosen & 1u << j))
			continue;
		if (query->size > 0)
			buf_add_byte(query, ' ');
		buf_add(query, words.list[j].text);
	}
	buf_release(&words.folded);
	buf_release(&text);
	free(held);
}

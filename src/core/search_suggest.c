#include "core/search_index.h"

#include "core/search_words.h"

#include <stdlib.h>
#include <string.h>

enum {
	LONGEST = 48, /* of what is compared; longer words are not typed */
	MOST_ERRORS = 2,
	NEAREST_ROOM = 16, /* kept while looking */
	ERROR_RANK = 1000, /* more than where and how much the first error is can add up to */
	TOO_FAR = 100 * ERROR_RANK,
	WORD_HANDICAP = ERROR_RANK / 2, /* what names an entry goes before a word that is as near */
};

struct candidate {
	struct str shown;
	uint32_t rank; /* the less the better */
};

struct nearest {
	struct candidate items[NEAREST_ROOM];
	size_t count;
};

static bool is_same(struct str a, struct str b)
{
	return str_equal_ascii_case(a, b);
}

static void keep(struct nearest *nearest, struct str shown, uint32_t rank)
{
	size_t at = nearest->count;

	for (size_t i = 0; i < nearest->count; i++) {
		if (is_same(nearest->items[i].shown, shown))
			return;
	}
	while (at > 0 && nearest->items[at - 1].rank > rank)
		at--;
	if (at == NEAREST_ROOM)
		return;
	if (nearest->count < NEAREST_ROOM)
		nearest->count++;
	memmove(&nearest->items[at + 1], &nearest->items[at],
		(nearest->count - 1 - at) * sizeof(nearest->items[0]));
	nearest->items[at] = (struct candidate){shown, rank};
}

/* A set of bits for the letters and digits in a word: each error changes at most two of them. */
static uint64_t letters_of(struct str word)
{
	uint64_t letters = 0;

	for (size_t i = 0; i < word.size; i++)
		letters |= UINT64_C(1) << ((unsigned char)word.data[i] & 63);
	return letters;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters more, less, other or exchanged between `a` and `b`, both at most LONGEST. */
static size_t distance(struct str a, struct str b)
{
	size_t rows[3][LONGEST + 1];
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t j = 0; j <= b.size; j++)
		last[j] = j;
	for (size_t i = 1; i <= a.size; i++) {
		size_t *swap = before;

		row[0] = i;
		for (size_t j = 1; j <= b.size; j++) {
			size_t other = last[j - 1] + (a.data[i - 1] != b.data[j - 1]);

			row[j] = least(other, least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
			    a.data[i - 2] == b.data[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = swap;
	}
	return last[b.size];
}

static size_t common_start(struct str a, struct str b)
{
	size_t at = 0;

	while (at < a.size && at < b.size && a.data[at] == b.data[at])
		at++;
	return at;
}

/* Between numbers, the next one is nearer than one far off: 1.6 is nearer to 1.7 than 1.1 is. */
static size_t digit_step(struct str a, struct str b, size_t at)
{
	int step = at < a.size && at < b.size ? a.data[at] - b.data[at] : 9;

	step = step < 0 ? -step : step;
	return step < 9 ? (size_t)step : 9;
}

/* How far `candidate` is from `word`: first errors, then where the first is, then how much; TOO_FAR. */
static size_t rank_of(struct str word, uint64_t letters, struct str candidate)
{
	size_t longer = word.size > candidate.size ? word.size : candidate.size;
	size_t errors, common;

	if (longer > LONGEST || longer - least(word.size, candidate.size) > MOST_ERRORS ||
	    __builtin_popcountll(letters ^ letters_of(candidate)) > 2 * MOST_ERRORS)
		return TOO_FAR;
	errors = distance(word, candidate);
	if (errors > MOST_ERRORS || 2 * errors >= longer)
		return TOO_FAR;
	common = common_start(word, candidate);
	return errors * ERROR_RANK + (LONGEST - common) * 10 + digit_step(word, candidate, common);
}

static void offer(struct nearest *nearest, struct str word, uint64_t letters, struct str folded,
		  struct str shown, uint32_t base)
{
	size_t rank = rank_of(word, letters, folded);

	if (rank != TOO_FAR && rank >= ERROR_RANK)
		keep(nearest, shown, base + (uint32_t)rank);
}

static void offer_names(const struct search_index *index, struct str word, struct nearest *nearest)
{
	uint64_t letters = letters_of(word);
	struct buf folded = {0};

	for (size_t i = 0; i < index->kb->code_count; i++) {
		const struct code *code = index->kb->codes[i];

		for (size_t j = 0; j <= code->aliases.count; j++) {
			struct str name = j ? code->aliases.items[j - 1] : code->code;

			buf_clear(&folded);
			search_fold_line(name, &folded);
			offer(nearest, word, letters, buf_str(&folded), name, 0);
		}
	}
	for (size_t i = 0; i < index->entry_count; i++) {
		struct str id = index->kb->entries[i]->id;

		offer(nearest, word, letters, id, id, 0);
	}
	buf_release(&folded);
}

static void offer_words(const struct search_index *index, struct str word, struct nearest *nearest)
{
	uint64_t letters = letters_of(word);

	for (size_t i = 0; i < index->chunk_count; i++) {
		struct str chunk = search_strip_signs(search_chunk(index, i));

		offer(nearest, word, letters, chunk, chunk, WORD_HANDICAP);
	}
}

static bool is_anywhere(struct search_index *index, struct str word)
{
	return memmem(index->vocabulary.data, index->vocabulary.size, word.data, word.size) != NULL;
}

size_t search_suggest(struct search_index *index, struct str query, struct str *suggestions, size_t room)
{
	struct nearest nearest = {0};
	struct search_words words;
	size_t count;

	search_words_split(query, &words);
	for (size_t i = 0; i < words.count; i++) {
		if (words.count == 1 || !is_anywhere(index, words.items[i].text))
			offer_names(index, words.items[i].text, &nearest);
	}
	for (size_t i = 0; i < words.count; i++) {
		if (!is_anywhere(index, words.items[i].text))
			offer_words(index, words.items[i].text, &nearest);
	}
	count = least(nearest.count, room);
	for (size_t i = 0; i < count; i++)
		suggestions[i] = nearest.items[i].shown;
	search_words_release(&words);
	return count;
}

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

enum stage { STAGE_CODES, STAGE_IDS, STAGE_WORDS, STAGE_COUNT };

struct search_nearest {
	struct candidate items[NEAREST_ROOM];
	size_t count;

	struct search_words words;
	struct buf folded;
	enum stage stage;
	size_t word; /* of the words */
	size_t at;   /* the code, entry or chunk that is next */
};

static bool is_same(struct str a, struct str b)
{
	return str_equal_ascii_case(a, b);
}

static void keep(struct search_nearest *nearest, struct str shown, uint32_t rank)
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

static void offer(struct search_nearest *nearest, struct str word, uint64_t letters, struct str folded,
		  struct str shown, uint32_t base)
{
	size_t rank = rank_of(word, letters, folded);

	if (rank != TOO_FAR && rank >= ERROR_RANK)
		keep(nearest, shown, base + (uint32_t)rank);
}

/* Each function offers one code, entry or chunk. */

static void offer_code(struct search_index *index, struct str word, uint64_t letters, size_t at)
{
	struct search_nearest *nearest = index->nearest;
	const struct code *code = index->kb->codes[at];

	for (size_t i = 0; i <= code->aliases.count; i++) {
		struct str name = i ? code->aliases.items[i - 1] : code->code;

		buf_clear(&nearest->folded);
		search_fold_line(name, &nearest->folded);
		offer(nearest, word, letters, buf_str(&nearest->folded), name, 0);
	}
	index->left -= SEARCH_COST_NAME;
}

static void offer_id(struct search_index *index, struct str word, uint64_t letters, size_t at)
{
	struct str id = index->kb->entries[at]->id;

	offer(index->nearest, word, letters, id, id, 0);
	index->left -= SEARCH_COST_COMPARED;
}

static void offer_word(struct search_index *index, struct str word, uint64_t letters, size_t at)
{
	struct str chunk = search_chunk(index, at);

	index->left -= SEARCH_COST_COMPARED;
	if (chunk.size + MOST_ERRORS < word.size)
		return; /* and signs taken off make it only shorter */
	chunk = search_strip_signs(chunk);
	offer(index->nearest, word, letters, chunk, chunk, WORD_HANDICAP);
}

/* 1: it is, 0: it is not, -1: not known yet. */
static int is_anywhere(struct search_index *index, struct str word)
{
	const uint16_t *values = search_lookup(index, word, false);

	for (size_t e = 0; values && e < index->entry_count; e++) {
		if (values[e])
			return 1;
	}
	return values ? 0 : -1;
}

/* One word against one kind of things. */
static bool step_stage(struct search_index *index, struct str word)
{
	static void (*const offers[])(struct search_index * index, struct str word, uint64_t letters,
				      size_t at) = {
		[STAGE_CODES] = offer_code,
		[STAGE_IDS] = offer_id,
		[STAGE_WORDS] = offer_word,
	};
	struct search_nearest *nearest = index->nearest;
	const size_t counts[] = {index->kb->code_count, index->entry_count, index->chunk_count};
	size_t count = counts[nearest->stage];
	bool only = nearest->words.count == 1 && nearest->stage != STAGE_WORDS;
	uint64_t letters = letters_of(word);

	if (nearest->at == 0 && !only) {
		int anywhere = is_anywhere(index, word);

		if (anywhere < 0)
			return false;
		nearest->at = anywhere ? count : 0;
	}
	for (; nearest->at < count && index->left > 0; nearest->at++)
		offers[nearest->stage](index, word, letters, nearest->at);
	return nearest->at == count;
}

void search_suggest_begin(struct search_index *index, struct str query)
{
	search_nearest_release(index);
	index->nearest = alloc_zeroed(1, sizeof(*index->nearest));
	search_words_split(query, &index->nearest->words);
}

bool search_suggest_step(struct search_index *index, size_t work)
{
	struct search_nearest *nearest = index->nearest;

	index->left = (int64_t)work;
	while (nearest && nearest->stage < STAGE_COUNT) {
		if (nearest->word < nearest->words.count) {
			if (!step_stage(index, nearest->words.items[nearest->word].text))
				return false;
			nearest->word++;
		} else {
			nearest->stage++;
			nearest->word = 0;
		}
		nearest->at = 0;
	}
	return true;
}

size_t search_suggest_take(struct search_index *index, struct str *suggestions, size_t room)
{
	size_t count = index->nearest ? least(index->nearest->count, room) : 0;

	for (size_t i = 0; i < count; i++)
		suggestions[i] = index->nearest->items[i].shown;
	return count;
}

size_t search_suggest(struct search_index *index, struct str query, struct str *suggestions, size_t room)
{
	search_suggest_begin(index, query);
	while (!search_suggest_step(index, SEARCH_ALL_WORK))
		;
	return search_suggest_take(index, suggestions, room);
}

void search_nearest_release(struct search_index *index)
{
	if (!index->nearest)
		return;
	search_words_release(&index->nearest->words);
	buf_release(&index->nearest->folded);
	free(index->nearest);
	index->nearest = NULL;
}

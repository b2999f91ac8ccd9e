#include "core/search.h"

#include "base/utf8.h"
#include "core/regex.h"
#include "core/search_index.h"
#include "core/search_words.h"

#include <stdlib.h>
#include <string.h>

static const struct str pattern_mark = STR_INIT("re:");

static void add_code(struct search_result *result, const struct code *code)
{
	for (size_t i = 0; i < result->codes.count; i++) {
		if (result->codes.items[i] == code)
			return;
	}
	vec_push(&result->codes, code);
}

/* Codes as the reader wants them: causes before wrappers, the well known first; else as the kb has them. */
static void sort_codes(struct search_result *result)
{
	for (size_t i = 1; i < result->codes.count; i++) {
		const struct code *code = result->codes.items[i];
		size_t at = i;

		for (; at > 0; at--) {
			const struct code *other = result->codes.items[at - 1];

			if (other->wrapper != code->wrapper ? !other->wrapper : other->tier <= code->tier)
				break;
			result->codes.items[at] = other;
		}
		result->codes.items[at] = code;
	}
}

/* The spellings under which `word` may be a name, best first; the last one is in `squeezed`. */
static size_t spellings(struct str word, struct str list[3], char squeezed[SEARCH_SQUEEZED_SIZE])
{
	size_t count = 0, size;

	list[count++] = word;
	if (word.size > 1 && (word.data[0] == '-' || word.data[0] == '+'))
		list[count++] = str_slice(word, 1, word.size);
	if (search_squeeze(word, squeezed, &size))
		list[count++] = (struct str){squeezed, size};
	return count;
}

/* Exact hits: the whole query is a name of an entry or of a code. Marks them in the totals. */
static void apply_names(struct search_index *index, struct str name, struct search_result *result)
{
	static const uint32_t scores[] = {
		[SEARCH_NAME_ID] = SEARCH_EXACT_ID,
		[SEARCH_NAME_CODE] = SEARCH_EXACT_CODE,
		[SEARCH_NAME_TITLE] = SEARCH_EXACT_TITLE,
		[SEARCH_NAME_ALIAS] = SEARCH_EXACT_ALIAS,
	};
	static const enum search_field fields[] = {
		[SEARCH_NAME_ID] = SEARCH_ID,
		[SEARCH_NAME_CODE] = SEARCH_CODE,
		[SEARCH_NAME_TITLE] = SEARCH_TITLE,
		[SEARCH_NAME_ALIAS] = SEARCH_ALIAS,
	};
	size_t count;
	const struct search_name *names = search_names_find(index, name, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t *total = &index->totals[names[i].target];

		if (names[i].kind == SEARCH_NAME_CODE_ITSELF) {
			add_code(result, index->kb->codes[names[i].target]);
			continue;
		}
		if (*total >= SEARCH_TIER_EXACT)
			continue; /* names are sorted by kind: the best was first */
		*total |= SEARCH_TIER_EXACT | SEARCH_TIER_NO_ERROR;
		*total += scores[names[i].kind];
		index->tops[names[i].target] = (uint16_t)fields[names[i].kind];
	}
}

static void apply_exact(struct search_index *index, const struct search_words *words,
			struct search_result *result)
{
	struct str candidates[2] = {words->whole, search_strip_signs(words->whole)};
	char squeezed[SEARCH_SQUEEZED_SIZE];
	struct str list[3];

	for (size_t i = 0; i < 2; i++) {
		size_t count = i && candidates[1].size == candidates[0].size
				       ? 0
				       : spellings(candidates[i], list, squeezed);

		for (size_t j = 0; j < count; j++)
			apply_names(index, list[j], result);
	}
}

/* Codes that single words of the query name: "EI0020 again" says what EI0020 is. */
static void name_codes(const struct search_index *index, const struct search_words *words,
		       struct search_result *result)
{
	enum { SHORTEST = 3 }; /* in the midst of words, 7 is not HCCL's 7 */
	char squeezed[SEARCH_SQUEEZED_SIZE];
	struct str list[3];

	for (size_t i = 0; words->count > 1 && i < words->count; i++) {
		size_t spelling_count = words->items[i].text.size < SHORTEST
						? 0
						: spellings(words->items[i].text, list, squeezed);

		for (size_t j = 0; j < spelling_count; j++) {
			size_t count;
			const struct search_name *names = search_names_find(index, list[j], &count);

			for (size_t k = 0; k < count; k++) {
				if (names[k].kind == SEARCH_NAME_CODE_ITSELF)
					add_code(result, index->kb->codes[names[k].target]);
			}
		}
	}
}

/* Every entry's score for words that need no forgiveness; returns how many have one. */
static size_t score_exact(struct search_index *index, const struct search_words *words)
{
	size_t entries = index->entry_count, hits = 0;
	uint32_t *totals = index->totals;
	uint16_t *tops = index->tops;

	memset(totals, 0, entries * sizeof(*totals));
	for (size_t i = 0; i < words->count; i++) {
		const uint16_t *values = search_lookup(index, words->items[i].text, false);

		for (size_t e = 0; i == 0 && e < entries; e++) {
			totals[e] = values[e] >> SEARCH_VALUE_FIELD_BITS;
			tops[e] = values[e];
		}
		for (size_t e = 0; i > 0 && e < entries; e++) {
			bool both = totals[e] && values[e];

			totals[e] = both ? totals[e] + (values[e] >> SEARCH_VALUE_FIELD_BITS) : 0;
			tops[e] = values[e] > tops[e] ? values[e] : tops[e];
		}
	}
	for (size_t e = 0; e < entries; e++) {
		hits += totals[e] != 0;
		totals[e] = totals[e] ? totals[e] | SEARCH_TIER_NO_ERROR : 0;
	}
	return hits;
}

/* Further entries, for which at least one word is forgiven a typing error. */
static void score_forgiving(struct search_index *index, const struct search_words *words)
{
	const uint16_t *exact[SEARCH_WORD_LIMIT], *near[SEARCH_WORD_LIMIT] = {0};

	for (size_t i = 0; i < words->count; i++) {
		exact[i] = search_lookup(index, words->items[i].text, false);
		if (words->items[i].forgiving)
			near[i] = search_lookup(index, words->items[i].text, true);
	}
	for (size_t e = 0; e < index->entry_count; e++) {
		uint32_t total = 0;
		uint16_t top = 0;

		if (index->totals[e])
			continue;
		for (size_t i = 0; i < words->count; i++) {
			uint16_t value = exact[i][e] ? exact[i][e] : near[i] ? near[i][e] : 0;

			total = value ? total + (value >> SEARCH_VALUE_FIELD_BITS) : 0;
			if (!value)
				break;
			top = value > top ? value : top;
		}
		index->totals[e] = total;
		index->tops[e] = top;
	}
}

static bool any_forgiving(const struct search_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		if (words->items[i].forgiving)
			return true;
	}
	return false;
}

/* Best first, equal ones in tree order: two counting passes over the score, turned round. */
static void sort_hits(struct search_hit *hits, size_t count)
{
	enum { BITS = 11, BUCKETS = 1 << BITS };
	struct search_hit *other = alloc_bytes(count * sizeof(*other));
	struct search_hit *from = hits, *to = other;

	for (unsigned shift = 0; shift < 2 * BITS; shift += BITS) {
		uint32_t starts[BUCKETS] = {0};
		uint32_t sum = 0;
		struct search_hit *swap = from;

		for (size_t i = 0; i < count; i++)
			starts[~(from[i].score >> shift) & (BUCKETS - 1)]++;
		for (size_t i = 0; i < BUCKETS; i++) {
			uint32_t here = starts[i];

			starts[i] = sum;
			sum += here;
		}
		for (size_t i = 0; i < count; i++)
			to[starts[~(from[i].score >> shift) & (BUCKETS - 1)]++] = from[i];
		from = to;
		to = swap;
	}
	free(other);
}

static void collect(struct search_index *index, struct search_result *result)
{
	for (size_t e = 0; e < index->entry_count; e++) {
		uint32_t total = index->totals[e];
		struct search_hit hit = {.entry = (uint32_t)e, .score = total};

		if (!total)
			continue;
		hit.field = index->tops[e] & ((1 << SEARCH_VALUE_FIELD_BITS) - 1);
		hit.exact = total >= SEARCH_TIER_EXACT;
		hit.fuzzy = total < SEARCH_TIER_NO_ERROR;
		vec_push(&result->hits, hit);
	}
	sort_hits(result->hits.items, result->hits.count);
}

static bool has_phrase(const struct search_pieces *pieces, struct str phrase, struct buf *folded)
{
	for (size_t i = 0; i < pieces->list.count; i++) {
		buf_clear(folded);
		search_fold_line(pieces->list.items[i].text, folded);
		if (str_find(buf_str(folded), phrase) != STR_NOT_FOUND)
			return true;
	}
	return false;
}

/* The best hits that have the words together, as typed, go before those of them that have not. */
static void lift_phrases(struct search_index *index, const struct search_words *words,
			 struct search_result *result)
{
	struct search_pieces pieces = {0};
	struct buf folded = {0};
	size_t count = result->hits.count < SEARCH_PHRASE_HITS ? result->hits.count : SEARCH_PHRASE_HITS;

	for (size_t i = 0; i < count; i++) {
		struct search_hit *hit = &result->hits.items[i];

		vec_clear(&pieces.list);
		search_entry_pieces(index->kb, index->kb->entries[hit->entry], &pieces);
		if (!hit->fuzzy && has_phrase(&pieces, words->whole, &folded))
			hit->score += SEARCH_PHRASE;
	}
	sort_hits(result->hits.items, count);
	vec_release(&pieces.list);
	buf_release(&folded);
}

static void run_words(struct search_index *index, struct str query, struct search_result *result)
{
	struct search_words words;

	search_words_split(query, &words);
	if (score_exact(index, &words) < SEARCH_ENOUGH && any_forgiving(&words))
		score_forgiving(index, &words);
	apply_exact(index, &words, result);
	name_codes(index, &words, result);
	sort_codes(result);
	collect(index, result);
	if (words.count > 1)
		lift_phrases(index, &words, result);
	search_words_release(&words);
}

/* The pieces as lines of one text, so that a pattern may span the lines of a piece. */
static void join_pieces(const struct search_pieces *pieces, struct buf *text)
{
	buf_clear(text);
	for (size_t i = 0; i < pieces->list.count; i++) {
		buf_add(text, pieces->list.items[i].text);
		buf_add_byte(text, '\n');
	}
}

static enum search_field field_at(const struct search_pieces *pieces, size_t offset)
{
	size_t piece = 0, end = 0;

	for (; piece + 1 < pieces->list.count; piece++) {
		end += pieces->list.items[piece].text.size + 1;
		if (offset < end)
			break;
	}
	return pieces->list.items[piece].field;
}

static void run_pattern(struct search_index *index, struct str pattern, struct search_result *result)
{
	enum { MOST_LIMITS = 4 }; /* each costs a limit's worth of time; the next entry would cost it again */
	struct search_pieces pieces = {0};
	struct buf text = {0};
	size_t error_at = 0, limits = 0;
	struct regex *regex = regex_new(pattern, REGEX_CASELESS | REGEX_MULTILINE, &result->error, &error_at);

	for (size_t i = 0; regex && i < index->entry_count && limits < MOST_LIMITS; i++) {
		struct search_hit hit = {.entry = (uint32_t)i, .score = SEARCH_TIER_NO_ERROR};
		enum regex_result got;
		struct str all;

		vec_clear(&pieces.list);
		search_entry_pieces(index->kb, index->kb->entries[i], &pieces);
		join_pieces(&pieces, &text);
		got = pieces.list.count ? regex_match(regex, buf_str(&text), 0) : REGEX_NO_MATCH;
		limits += got == REGEX_LIMIT;
		if (got != REGEX_MATCH || !regex_group(regex, buf_str(&text), 0, &all))
			continue;
		hit.field = (uint16_t)field_at(&pieces, (size_t)(all.data - text.data));
		hit.score += (uint32_t)(SEARCH_FIELD_COUNT - hit.field) * SEARCH_FIELD_STEP;
		vec_push(&result->hits, hit);
	}
	result->limited = limits > 0;
	sort_hits(result->hits.items, result->hits.count);
	regex_free(regex);
	vec_release(&pieces.list);
	buf_release(&text);
}

static void clear(struct search_result *result)
{
	vec_clear(&result->hits);
	vec_clear(&result->codes);
	buf_clear(&result->error);
	result->limited = false;
}

void search_run(struct search_index *index, struct str query, struct search_result *result)
{
	clear(result);
	query = str_trim(query);
	if (str_starts(query, pattern_mark) && query.size > pattern_mark.size) {
		run_pattern(index, str_slice(query, pattern_mark.size, query.size), result);
		return;
	}
	if (query.size > 0 && !str_equal(query, pattern_mark)) {
		run_words(index, query, result);
		return;
	}
	for (size_t i = 0; i < index->entry_count; i++)
		vec_push(&result->hits, (struct search_hit){.entry = (uint32_t)i});
}

void search_result_release(struct search_result *result)
{
	vec_release(&result->hits);
	vec_release(&result->codes);
	buf_release(&result->error);
	result->limited = false;
}

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
static void apply_names(struct search_index *index, struct str text, struct search_result *result)
{
	static const struct {
		enum search_name_kind kind;
		enum search_field field;
		uint32_t score;
	} kinds[] = {
		{SEARCH_NAME_ID, SEARCH_ID, SEARCH_EXACT_ID},
		{SEARCH_NAME_CODE, SEARCH_CODE, SEARCH_EXACT_CODE},
		{SEARCH_NAME_TITLE, SEARCH_TITLE, SEARCH_EXACT_TITLE},
		{SEARCH_NAME_ALIAS, SEARCH_ALIAS, SEARCH_EXACT_ALIAS},
	};
	const struct search_name *name = search_names_first(index, SEARCH_NAME_CODE_ITSELF, text);

	for (; name; name = search_names_next(index, name))
		add_code(result, index->kb->codes[name->target]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		name = search_names_first(index, kinds[i].kind, text);
		for (; name; name = search_names_next(index, name)) {
			uint32_t *total = &index->totals[name->target];

			if (*total >= SEARCH_TIER_EXACT)
				continue; /* a better kind was first */
			*total |= SEARCH_TIER_EXACT | SEARCH_TIER_NO_ERROR;
			*total += kinds[i].score;
			index->tops[name->target] = (uint16_t)kinds[i].field;
		}
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
			const struct search_name *name =
				search_names_first(index, SEARCH_NAME_CODE_ITSELF, list[j]);

			for (; name; name = search_names_next(index, name))
				add_code(result, index->kb->codes[name->target]);
		}
	}
}

/* Is every word looked up? Else the work that was left is done. */
static bool look_up_words(struct search_index *index, const struct search_words *words, bool near)
{
	for (size_t i = 0; i < words->count; i++) {
		bool wanted = !near || words->items[i].forgiving;

		if (wanted && !search_lookup(index, words->items[i].text, near))
			return false;
	}
	return true;
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

static bool has_phrase(struct search_index *index, const struct search_pieces *pieces, struct str phrase)
{
	struct buf *folded = &index->query.text;

	for (size_t i = 0; i < pieces->list.count; i++) {
		buf_clear(folded);
		search_fold_line(pieces->list.items[i].text, folded);
		index->left -= (int64_t)(folded->size * SEARCH_COST_FOLDED_BYTE);
		if (str_find(buf_str(folded), phrase) != STR_NOT_FOUND)
			return true;
	}
	return false;
}

/* Do the best hits have the words together, as typed? Those that do go first. */
static bool step_phrases(struct search_index *index, struct search_result *result)
{
	struct search_query *query = &index->query;
	size_t count = result->hits.count < SEARCH_PHRASE_HITS ? result->hits.count : SEARCH_PHRASE_HITS;

	for (; query->at < count && index->left > 0; query->at++) {
		struct search_hit *hit = &result->hits.items[query->at];

		vec_clear(&query->pieces.list);
		search_entry_pieces(index->kb, index->kb->entries[hit->entry], &query->pieces);
		if (!hit->fuzzy && has_phrase(index, &query->pieces, query->words.whole))
			hit->score += SEARCH_PHRASE;
	}
	if (query->at < count)
		return false;
	sort_hits(result->hits.items, count);
	return true;
}

static void clear(struct search_result *result)
{
	vec_clear(&result->hits);
	vec_clear(&result->codes);
	result->named = 0;
	buf_clear(&result->error);
	result->limited = false;
}

/* Put the hits together from what was looked up; returns how many need no forgiveness. */
static size_t put_together(struct search_index *index, bool forgiving, struct search_result *result)
{
	const struct search_words *words = &index->query.words;
	size_t exact = score_exact(index, words);

	clear(result);
	if (forgiving)
		score_forgiving(index, words);
	apply_exact(index, words, result);
	name_codes(index, words, result);
	sort_codes(result);
	result->named = result->codes.count;
	if (exact < SEARCH_FEW)
		search_add_meant(index->kb, words, result);
	collect(index, result);
	index->left -= (int64_t)(index->entry_count * SEARCH_COST_SCORED);
	return exact;
}

static bool step_words(struct search_index *index, struct search_result *result)
{
	struct search_query *query = &index->query;
	bool forgiving = query->phase == SEARCH_NEAR;

	if (query->phase == SEARCH_EXACT) {
		if (!look_up_words(index, &query->words, false))
			return false;
		forgiving =
			put_together(index, false, result) < SEARCH_ENOUGH && any_forgiving(&query->words);
		query->phase = forgiving ? SEARCH_NEAR : SEARCH_PHRASES;
	}
	if (query->phase == SEARCH_NEAR) {
		if (!look_up_words(index, &query->words, true))
			return false;
		put_together(index, true, result);
		query->phase = SEARCH_PHRASES;
	}
	return query->words.count <= 1 || step_phrases(index, result);
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

static void match_entry(struct search_index *index, size_t entry, struct search_result *result)
{
	struct search_query *query = &index->query;
	struct search_hit hit = {.entry = (uint32_t)entry, .score = SEARCH_TIER_NO_ERROR};
	enum regex_result got = REGEX_NO_MATCH;
	struct str all;

	vec_clear(&query->pieces.list);
	search_entry_pieces(index->kb, index->kb->entries[entry], &query->pieces);
	join_pieces(&query->pieces, &query->text);
	if (query->pieces.list.count)
		got = regex_match(query->pattern, buf_str(&query->text), 0);
	index->left -= (int64_t)(SEARCH_COST_ENTRY + query->text.size * SEARCH_COST_MATCHED_BYTE);
	if (got == REGEX_LIMIT) {
		query->limits++;
		index->left = 0; /* it took long */
	}
	if (got != REGEX_MATCH || !regex_group(query->pattern, buf_str(&query->text), 0, &all))
		return;
	hit.field = (uint16_t)field_at(&query->pieces, (size_t)(all.data - query->text.data));
	hit.score += (uint32_t)(SEARCH_FIELD_COUNT - hit.field) * SEARCH_FIELD_STEP;
	vec_push(&result->hits, hit);
}

static bool step_pattern(struct search_index *index, struct search_result *result)
{
	enum { MOST_LIMITS = 4 }; /* each costs a limit's worth of time; the next entry would cost it again */
	struct search_query *query = &index->query;

	while (query->at < index->entry_count && query->limits < MOST_LIMITS && index->left > 0)
		match_entry(index, query->at++, result);
	result->limited = query->limits > 0;
	sort_hits(result->hits.items, result->hits.count);
	return query->at == index->entry_count || query->limits == MOST_LIMITS;
}

void search_query_release(struct search_query *query)
{
	search_words_release(&query->words);
	regex_free(query->pattern);
	vec_release(&query->pieces.list);
	buf_release(&query->text);
	*query = (struct search_query){0};
}

void search_begin(struct search_index *index, struct str text, struct search_result *result)
{
	struct search_query *query = &index->query;
	size_t error_at = 0;

	clear(result);
	search_query_release(query);
	text = str_trim(text);
	if (str_starts(text, pattern_mark) && text.size > pattern_mark.size) {
		query->pattern = regex_new(str_slice(text, pattern_mark.size, text.size),
					   REGEX_CASELESS | REGEX_MULTILINE, &result->error, &error_at);
		query->phase = query->pattern ? SEARCH_PATTERN : SEARCH_NOTHING;
	} else if (text.size > 0 && !str_equal(text, pattern_mark)) {
		search_words_split(text, &query->words);
		query->phase = SEARCH_EXACT;
	} else {
		for (size_t i = 0; i < index->entry_count; i++)
			vec_push(&result->hits, (struct search_hit){.entry = (uint32_t)i});
	}
}

bool search_step(struct search_index *index, struct search_result *result, size_t work)
{
	struct search_query *query = &index->query;
	bool done = true;

	index->left = (int64_t)work;
	if (query->phase == SEARCH_PATTERN)
		done = step_pattern(index, result);
	else if (query->phase != SEARCH_NOTHING)
		done = step_words(index, result);
	if (done)
		query->phase = SEARCH_NOTHING;
	return done;
}

void search_run(struct search_index *index, struct str query, struct search_result *result)
{
	search_begin(index, query, result);
	while (!search_step(index, result, SEARCH_ALL_WORK))
		;
}

void search_result_release(struct search_result *result)
{
	vec_release(&result->hits);
	vec_release(&result->codes);
	buf_release(&result->error);
	result->limited = false;
}

#include "core/search.h"

#include "base/utf8.h"
#include "core/regex.h"
#include "core/search_words.h"

#include <stdlib.h>
#include <string.h>

struct search_marker {
	struct search_words words;
	struct regex *pattern; /* of a "re:" query; null: words */
	struct buf folded;     /* of the text at hand */
};

struct search_marker *search_marker_new(struct str query)
{
	struct search_marker *marker = alloc_zeroed(1, sizeof(*marker));
	struct buf error = {0};
	size_t error_at;

	query = str_trim(query);
	if (str_starts(query, STR("re:"))) {
		if (query.size > 3)
			marker->pattern = regex_new(str_slice(query, 3, query.size),
						    REGEX_CASELESS | REGEX_MULTILINE, &error, &error_at);
		buf_release(&error);
	} else {
		search_words_split(query, &marker->words);
	}
	return marker;
}

void search_marker_free(struct search_marker *marker)
{
	if (!marker)
		return;
	regex_free(marker->pattern);
	search_words_release(&marker->words);
	buf_release(&marker->folded);
	free(marker);
}

static void add_range(struct search_ranges *ranges, size_t start, size_t end)
{
	if (start < end)
		vec_push(&ranges->list, (struct search_range){start, end});
}

/* Every place of the word, as typed. Returns whether there is one. */
static bool mark_exact(struct str folded, struct str word, struct search_ranges *ranges)
{
	size_t at = 0, hit;
	bool found = false;

	while (word.size && (hit = str_find(str_slice(folded, at, folded.size), word)) != STR_NOT_FOUND) {
		add_range(ranges, at + hit, at + hit + word.size);
		at += hit + word.size;
		found = true;
	}
	return found;
}

static size_t alphanumeric_end(struct str text, size_t at)
{
	while (at < text.size && ((text.data[at] >= 'a' && text.data[at] <= 'z') ||
				  (text.data[at] >= '0' && text.data[at] <= '9')))
		at++;
	return at;
}

/* Words that are the same code ("ei20", EI0020), or have one typing error. */
static void mark_alike(struct str folded, const struct search_word *word, struct search_ranges *ranges)
{
	char wanted[SEARCH_SQUEEZED_SIZE], got[SEARCH_SQUEEZED_SIZE];
	size_t wanted_size = 0, got_size;
	bool code = search_squeeze(word->text, wanted, &wanted_size);

	for (size_t at = 0; (code || word->forgiving) && at < folded.size;) {
		size_t end = alphanumeric_end(folded, at);
		struct str rest = str_slice(folded, at, folded.size);
		size_t near = 0;

		if (!search_is_edge(folded, at)) {
			at++;
			continue;
		}
		if (code && search_squeeze(str_slice(folded, at, end), got, &got_size) &&
		    got_size == wanted_size && memcmp(got, wanted, got_size) == 0)
			near = end - at;
		if (!near && word->forgiving)
			near = search_near(rest, word->text);
		add_range(ranges, at, at + near);
		at += near ? near : 1;
	}
}

/* A word of a script without blanks that is not there whole: its pairs of characters. */
static void mark_pairs(struct str folded, struct str word, struct search_ranges *ranges)
{
	size_t at = 0;
	struct str pair;

	for (int i = 0; i < SEARCH_MOST_PAIRS && search_next_pair(word, &at, &pair); i++)
		mark_exact(folded, pair, ranges);
}

static int compare_ranges(const void *left, const void *right)
{
	const struct search_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

/* In order, those that touch or overlap made one. */
static void merge(struct search_ranges *ranges)
{
	size_t kept = 0;

	if (ranges->list.count == 0)
		return;
	qsort(ranges->list.items, ranges->list.count, sizeof(*ranges->list.items), compare_ranges);
	for (size_t i = 1; i < ranges->list.count; i++) {
		struct search_range *last = &ranges->list.items[kept];
		struct search_range next = ranges->list.items[i];

		if (next.start > last->end)
			ranges->list.items[++kept] = next;
		else if (next.end > last->end)
			last->end = next.end;
	}
	ranges->list.count = kept + 1;
}

/* From folded bytes to bytes of the text; a character that is hit in part is marked whole. */
static void map_back(struct search_ranges *ranges, const uint32_t *offsets, size_t folded_size,
		     size_t text_size)
{
	for (size_t i = 0; i < ranges->list.count; i++) {
		struct search_range *range = &ranges->list.items[i];
		size_t end = range->end;

		while (end < folded_size && offsets[end] == offsets[end - 1])
			end++;
		range->start = offsets[range->start];
		range->end = end < folded_size ? offsets[end] : text_size;
	}
}

static void mark_pattern(struct search_marker *marker, struct str text, struct search_ranges *ranges)
{
	size_t at = 0;
	struct str hit;

	while (at < text.size && regex_match(marker->pattern, text, at) == REGEX_MATCH &&
	       regex_group(marker->pattern, text, 0, &hit)) {
		size_t start = (size_t)(hit.data - text.data), step;

		add_range(ranges, start, start + hit.size);
		at = start + hit.size;
		if (hit.size == 0 && at < text.size) {
			utf8_at(text, at, &step);
			at += step;
		}
	}
}

void search_marker_find(struct search_marker *marker, struct str text, struct search_ranges *ranges)
{
	uint32_t *offsets = NULL;
	struct str folded;

	vec_clear(&ranges->list);
	if (marker->pattern) {
		mark_pattern(marker, text, ranges);
		merge(ranges);
		return;
	}
	if (marker->words.count == 0 || text.size == 0)
		return;
	buf_clear(&marker->folded);
	utf8_fold(text, &marker->folded, &offsets);
	folded = buf_str(&marker->folded);
	for (size_t i = 0; i < marker->words.count; i++) {
		const struct search_word *word = &marker->words.items[i];

		if (mark_exact(folded, word->text, ranges))
			continue;
		if (word->forgiving && search_is_wide(word->text))
			mark_pairs(folded, word->text, ranges);
		else
			mark_alike(folded, word, ranges);
	}
	merge(ranges);
	map_back(ranges, offsets, folded.size, text.size);
	merge(ranges);
	free(offsets);
}

void search_highlight(struct str query, struct str text, struct search_ranges *ranges)
{
	struct search_marker *marker = search_marker_new(query);

	search_marker_find(marker, text, ranges);
	search_marker_free(marker);
}

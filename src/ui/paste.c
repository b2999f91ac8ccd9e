/* A pasted error of several lines: the entries whose signatures it matches, strongest first. */
#include "core/regex.h"
#include "ui/view.h"

static uint32_t match_entry(const struct entry *entry, struct str text)
{
	uint32_t best = 0;

	for (size_t i = 0; i < entry->signature_count; i++) {
		const struct signature *signature = &entry->signatures[i];
		struct buf error = {0};
		size_t error_at;
		struct regex *regex = regex_new(signature->match, REGEX_MULTILINE, &error, &error_at);
		uint32_t score = (uint32_t)signature->strength + 1;

		if (regex && score > best && score > 1 && regex_match(regex, text, 0) == REGEX_MATCH)
			best = score;
		regex_free(regex);
		buf_release(&error);
	}
	return best;
}

static int compare_hits(const void *a, const void *b)
{
	const struct search_hit *first = a, *second = b;

	if (first->score != second->score)
		return first->score > second->score ? -1 : 1;
	return first->entry < second->entry ? -1 : first->entry > second->entry;
}

void paste_search(struct session *session, struct str text, struct search_result *found)
{
	vec_clear(&found->hits);
	vec_clear(&found->codes);
	buf_clear(&found->error);
	for (size_t i = 0; i < session->kb->entry_count; i++) {
		uint32_t score = match_entry(session->kb->entries[i], text);

		if (score > 0)
			vec_push(&found->hits, (struct search_hit){.entry = (uint32_t)i, .score = score});
	}
	if (found->hits.count > 0)
		qsort(found->hits.items, found->hits.count, sizeof(found->hits.items[0]), compare_hits);
}

/* A pasted error of several lines is diagnosed: the entries that it matches come first, then the codes in it.
 */
#include "core/diagnose.h"
#include "ui/view.h"

static void add_matches(const struct kb *kb, const struct diagnosis *diagnosis, struct search_result *found)
{
	for (size_t i = 0; i < diagnosis->match_count; i++) {
		size_t index = kb_entry_index(kb, diagnosis->matches[i].entry);

		if (index != KB_NONE)
			vec_push(&found->hits, (struct search_hit){.entry = (uint32_t)index});
	}
	for (size_t i = 0; i < diagnosis->code_count; i++) {
		if (diagnosis->codes[i].code)
			vec_push(&found->codes, diagnosis->codes[i].code);
	}
}

void paste_search(struct session *session, struct str text, struct search_result *found)
{
	struct scanner *scanner = scanner_new(session->kb);
	struct diagnose *diagnose = diagnose_new(scanner);
	const struct diagnosis *diagnosis;

	vec_clear(&found->hits);
	vec_clear(&found->codes);
	buf_clear(&found->error);
	found->limited = false;
	diagnose_begin(diagnose, STR("-"));
	diagnose_feed(diagnose, text.data, text.size);
	diagnosis = diagnose_finish(diagnose);
	add_matches(session->kb, diagnosis, found);
	diagnosis_of_paste(session, diagnosis, text);
	diagnose_free(diagnose);
	scanner_free(scanner);
}

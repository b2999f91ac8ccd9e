/* What a document has and the knowledge base lacks. */
#include "core/faq_document.h"

enum { SHOWN = 160 /* bytes of a missing line */ };

/* Does one of the lines of `text` say the same, but for blanks around it? */
static bool holds_line(struct str text, struct str wanted)
{
	struct str line;

	while (str_next(&text, '\n', &line))
		if (str_equal(str_trim(line), wanted))
			return true;
	return false;
}

static bool step_holds(const struct step *step, struct str wanted)
{
	return holds_line(step->run, wanted) || holds_line(step->text, wanted) ||
	       str_equal(step->link, wanted);
}

static bool entry_holds(const struct entry *entry, struct str wanted)
{
	for (size_t i = 0; i < entry->error_count; i++)
		if (holds_line(entry->errors[i].text, wanted))
			return true;
	for (size_t i = 0; i < entry->solution_count; i++)
		for (size_t s = 0; s < entry->solutions[i].step_count; s++)
			if (step_holds(&entry->solutions[i].steps[s], wanted))
				return true;
	for (size_t i = 0; i < entry->aliases.count; i++)
		if (str_equal(entry->aliases.items[i], wanted))
			return true;
	return false;
}

/* The next link in prose; it ends at a blank or at what cannot be in one. */
static bool next_link(struct str *rest, struct str *link)
{
	size_t start = str_find(*rest, STR("http")), end;

	if (start == STR_NOT_FOUND)
		return false;
	*rest = str_slice(*rest, start, rest->size);
	for (end = 0; end < rest->size; end++) {
		unsigned char c = (unsigned char)rest->data[end];

		if (c <= ' ' || c >= 0x80 || c == '>' || c == ')' || c == '"')
			break;
	}
	*link = str_slice(*rest, 0, end);
	*rest = str_slice(*rest, end ? end : 1, rest->size);
	return str_find(*link, STR("://")) != STR_NOT_FOUND || next_link(rest, link);
}

static size_t compare_line(const struct faq_line *line, const struct entry *entry, const char *file,
			   struct diag_list *diags)
{
	struct location where = {file, line->number, 1};
	struct str rest = line->text, wanted = str_trim(line->text);
	size_t missing = 0;

	if (line->is_code) {
		/* A comment is the document's prose; the pack says it as such, in two languages. */
		if (wanted.size == 0 || wanted.data[0] == '#' || entry_holds(entry, wanted))
			return 0;
		diag_add(diags, DIAG_WARNING, where, "entry %.*s lacks this %s: %.*s", STR_ARG(entry->id),
			 line->part == FAQ_ERRORS ? "error line" : "command",
			 STR_ARG(str_slice(wanted, 0, SHOWN)));
		return 1;
	}
	while (next_link(&rest, &wanted)) {
		if (entry_holds(entry, wanted))
			continue;
		diag_add(diags, DIAG_WARNING, where, "entry %.*s lacks this link: %.*s", STR_ARG(entry->id),
			 STR_ARG(wanted));
		missing++;
	}
	return missing;
}

size_t faq_document_compare(const struct faq_document *document, const struct kb *kb, const char *file,
			    struct diag_list *diags)
{
	size_t missing = 0;

	for (size_t i = 0; i < document->entries.count; i++) {
		const struct faq_entry *described = &document->entries.items[i];
		const struct entry *entry = kb_entry(kb, described->id);

		if (!entry) {
			diag_add(diags, DIAG_WARNING, (struct location){file, described->number, 1},
				 "there is no entry %.*s (%.*s): `ascend-faq import` makes a beginning of it",
				 STR_ARG(described->id), STR_ARG(described->title));
			missing++;
			continue;
		}
		for (size_t l = 0; l < described->lines.count; l++)
			missing += compare_line(&described->lines.items[l], entry, file, diags);
	}
	return missing;
}

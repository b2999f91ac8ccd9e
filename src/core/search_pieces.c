#include "core/search_index.h"

static void add(struct search_pieces *pieces, enum search_field field, struct str text)
{
	if (text.size)
		vec_push(&pieces->list, (struct search_piece){field, text});
}

static void add_text(struct search_pieces *pieces, enum search_field field, const struct text *text)
{
	for (int lang = 0; lang < LANG_COUNT; lang++)
		add(pieces, field, text->in[lang]);
}

static void add_list(struct search_pieces *pieces, enum search_field field, const struct str_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		add(pieces, field, list->items[i]);
}

static void add_commands(struct search_pieces *pieces, const struct solution *solution)
{
	for (size_t i = 0; i < solution->step_count; i++) {
		const struct step *step = &solution->steps[i];

		add(pieces, SEARCH_COMMAND, step->run);
		add(pieces, SEARCH_COMMAND, step->file);
		add(pieces, SEARCH_COMMAND, step->text);
		add(pieces, SEARCH_COMMAND, step->link);
	}
}

static void add_explanations(struct search_pieces *pieces, const struct solution *solution)
{
	add_text(pieces, SEARCH_SOLUTION, &solution->title);
	for (size_t i = 0; i < solution->step_count; i++)
		add_text(pieces, SEARCH_SOLUTION, &solution->steps[i].say);
}

void search_entry_pieces(const struct kb *kb, const struct entry *entry, struct search_pieces *pieces)
{
	add(pieces, SEARCH_ID, entry->id);
	add_list(pieces, SEARCH_CODE, &entry->codes);
	add_text(pieces, SEARCH_TITLE, &entry->title);
	add_list(pieces, SEARCH_ALIAS, &entry->aliases);
	for (size_t i = 0; i < entry->error_count; i++) {
		add(pieces, SEARCH_ERROR, entry->errors[i].text);
		add_text(pieces, SEARCH_ERROR, &entry->errors[i].note);
	}
	add_text(pieces, SEARCH_PROBLEM, &entry->problem);
	add_text(pieces, SEARCH_CAUSE, &entry->cause);
	for (size_t i = 0; i < entry->solution_count; i++)
		add_commands(pieces, &entry->solutions[i]);
	for (size_t i = 0; i < entry->solution_count; i++)
		add_explanations(pieces, &entry->solutions[i]);
	add_text(pieces, SEARCH_NOTE, &entry->background);
	add_text(pieces, SEARCH_NOTE, &entry->note);
	add_text(pieces, SEARCH_NOTE, &entry->correction);
	for (size_t i = 0; i < kb->section_count; i++) {
		if (str_equal(kb->sections[i]->id, entry->section))
			add_text(pieces, SEARCH_SECTION, &kb->sections[i]->title);
	}
}

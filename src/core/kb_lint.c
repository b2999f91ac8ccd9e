#include "core/kb_lint.h"

#include "base/vec.h"
#include "core/lint_rules.h"
#include "core/nearest.h"
#include "core/probe.h"
#include "core/report.h"
#include "core/schema.h"

#include <string.h>

static const char *const reference_names[] = {
	[REFERS_ENTRY] = "entry", [REFERS_CODE] = "code", [REFERS_PROBE] = "probe"};

static bool exists(const struct lint *lint, enum field_refers refers, struct str name)
{
	switch (refers) {
	case REFERS_ENTRY:
		return kb_entry(lint->kb, name) != NULL;
	case REFERS_CODE:
		return kb_code(lint->kb, name) != NULL;
	case REFERS_PROBE:
		return kb_probe(lint->kb, name) != NULL;
	default:
		return true;
	}
}

/* All names of a kind, as nearest_word wants them; the caller frees the array. */
static const char **known_names(const struct lint *lint, enum field_refers refers, struct arena *arena)
{
	const struct kb *kb = lint->kb;
	size_t count = refers == REFERS_ENTRY  ? kb->entry_count
		       : refers == REFERS_CODE ? kb->code_count
					       : kb->probe_count;
	const char **names = alloc_zeroed(count + 1, sizeof(*names));

	for (size_t i = 0; i < count; i++) {
		struct str name = refers == REFERS_ENTRY  ? kb->entries[i]->id
				  : refers == REFERS_CODE ? kb->codes[i]->code
							  : kb->probes[i]->id;

		names[i] = arena_c_string(arena, name);
	}
	return names;
}

static void check_reference(struct lint *lint, struct location where, const struct field *field,
			    struct str name)
{
	struct arena arena = {0};
	const char **names;
	const char *nearest;

	if (!name.size || exists(lint, field->refers, name))
		return;
	names = known_names(lint, field->refers, &arena);
	nearest = nearest_word(name, names);
	LINT_ERROR(lint, where, "`%s` names %s `%.*s`, which is in no pack%s%s%s", field->key,
		   reference_names[field->refers], STR_ARG(name), nearest ? ": did you mean `" : "",
		   nearest ? nearest : "", nearest ? "`?" : "");
	free(names);
	arena_release(&arena);
}

static void check_struct(struct lint *lint, const struct schema *schema, const char *object,
			 struct location where);

static void check_field(struct lint *lint, const struct field *field, const char *object,
			struct location where)
{
	const void *member = object + field->offset;
	const struct str_list *list = member;
	const char *items;
	size_t count;

	switch (field->type) {
	case FIELD_TEXT:
		lint_text(lint, where, field->key, member);
		break;
	case FIELD_STR:
		if (field->refers)
			check_reference(lint, where, field, *(const struct str *)member);
		break;
	case FIELD_STR_LIST:
		for (size_t i = 0; field->refers && i < list->count; i++)
			check_reference(lint, where, field, list->items[i]);
		break;
	case FIELD_STRUCT:
		check_struct(lint, field->of, member, where);
		break;
	case FIELD_LIST:
	case FIELD_MAP:
		memcpy(&items, member, sizeof(items));
		memcpy(&count, object + field->count_offset, sizeof(count));
		for (size_t i = 0; i < count; i++)
			check_struct(lint, field->of, items + i * field->of->size, where);
		break;
	default:
		break;
	}
}

/* Texts and references of everything, found through the schema: a new key is checked without a line here. */
static void check_struct(struct lint *lint, const struct schema *schema, const char *object,
			 struct location where)
{
	if (schema->where_offset != SCHEMA_NONE)
		memcpy(&where, object + schema->where_offset, sizeof(where));
	for (size_t i = 0; i < schema->field_count; i++)
		check_field(lint, &schema->fields[i], object, where);
}

static const struct section *declared_section(const struct lint *lint, struct str id)
{
	for (size_t i = 0; i < lint->kb->pack_count; i++) {
		const struct pack *pack = lint->kb->packs[i];

		for (size_t j = 0; j < pack->section_count; j++)
			if (str_equal(pack->sections[j].id, id))
				return &pack->sections[j];
	}
	return NULL;
}

static void check_section(struct lint *lint, const struct entry *entry)
{
	const struct section *section = declared_section(lint, entry->section);
	struct str rest;

	if (!section) {
		LINT_ERROR(lint, entry->where,
			   "no section `%.*s`: list it under `sections` in pack.yaml, or move the file",
			   STR_ARG(entry->section));
		return;
	}
	rest = str_slice(entry->id, section->number.size, entry->id.size);
	if (lint->options->shipped && !(str_starts(entry->id, section->number) && str_starts(rest, STR("."))))
		LINT_ERROR(lint, entry->where, "id `%.*s`: ids of section `%.*s` start with `%.*s.`",
			   STR_ARG(entry->id), STR_ARG(section->id), STR_ARG(section->number));
}

static void check_problem(struct lint *lint, const struct entry *entry)
{
	if (!text_in(&entry->problem, LANG_ZH).size)
		LINT_ERROR(lint, entry->where, "entry without `problem`: say what the reader sees happen");
	if (!entry->error_count)
		LINT_ERROR(lint, entry->where,
			   "entry without `errors`: give at least one sample, verbatim, or write `kind: "
			   "reference`");
	if (!entry->signature_count)
		LINT_ERROR(lint, entry->where,
			   "entry without `signatures`: nothing would ever find it in a log");
	if (!entry->not_error_count)
		LINT_ERROR(lint, entry->where,
			   "entry without `not-errors`: give at least one near miss that must not match");
	if (!entry->solution_count)
		LINT_ERROR(lint, entry->where, "entry without `solutions`: say what to do");
}

static void check_entry(struct lint *lint, const struct entry *entry)
{
	size_t recommended = 0;

	check_section(lint, entry);
	if (entry->kind == ENTRY_PROBLEM)
		check_problem(lint, entry);
	else if (entry->signature_count)
		LINT_ERROR(lint, entry->signatures[0].where,
			   "a reference is not diagnosed: take `signatures` out, or `kind: reference`");
	for (size_t i = 0; i < entry->error_count; i++)
		lint_template(lint, entry->errors[i].where, "errors", entry->errors[i].text, true);
	for (size_t i = 0; i < entry->signature_count; i++)
		lint_signature(lint, &entry->signatures[i]);
	for (size_t i = 0; i < entry->solution_count; i++) {
		const struct solution *solution = &entry->solutions[i];

		if (solution->recommended && recommended++)
			LINT_ERROR(lint, solution->where, "a second solution is `recommended`: choose one");
		for (size_t j = 0; j < solution->step_count; j++)
			lint_step(lint, &solution->steps[j]);
	}
	for (size_t i = 0; i < entry->see.count; i++)
		if (str_equal(entry->see.items[i], entry->id))
			LINT_ERROR(lint, entry->where, "`see` names the entry itself");
}

static void check_placeholder(struct lint *lint, const struct placeholder *placeholder)
{
	for (size_t i = 0; i < placeholder->aliases.count; i++) {
		struct str alias = placeholder->aliases.items[i];
		const struct placeholder *other = kb_placeholder(lint->kb, alias);

		if (other && other != placeholder)
			LINT_ERROR(lint, placeholder->where,
				   "alias `%.*s` belongs to placeholder `%.*s` already", STR_ARG(alias),
				   STR_ARG(other->name));
	}
}

void kb_lint(const struct kb *kb, const struct pack *pack, const struct lint_options *options,
	     struct diag_list *diags)
{
	struct lint lint = {kb, pack, options, diags};
	struct location where = {"pack.yaml", 0, 0};

	check_struct(&lint, &schema_pack, (const char *)pack, where);
	for (size_t i = 0; i < pack->entry_count; i++)
		check_entry(&lint, &pack->entries[i]);
	for (size_t i = 0; i < pack->placeholder_count; i++)
		check_placeholder(&lint, &pack->placeholders[i]);
	for (size_t i = 0; i < pack->frame_count; i++)
		lint_frame(&lint, &pack->frames[i]);
	for (size_t i = 0; i < pack->probe_count; i++)
		probe_check(kb, &pack->probes[i], diags);
	lint_samples(&lint);
	lint_redactions(&lint);
	for (size_t i = 0; i < pack->report_count; i++)
		report_check(kb, &pack->reports[i], diags);
	lint_families(&lint);
	lint_matrices(&lint);
	diag_sort(diags);
}

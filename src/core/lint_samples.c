/* The samples of the pack's entries, each matched against every signature of the knowledge base. */
#include "core/lint_rules.h"

#include "core/regex.h"

#include <stdlib.h>
#include <string.h>

struct matcher_signature {
	size_t entry; /* in kb->entries */
	struct regex *match;
	struct regex *unless; /* or null */
};

/* Finds which entries a text shows, by signatures that are more than hints. */
struct matcher {
	const struct kb *kb;
	VEC(struct matcher_signature) signatures;
	bool *found; /* of the last text, by entry */
};

static void matcher_init(struct matcher *matcher, const struct kb *kb)
{
	*matcher = (struct matcher){.kb = kb};
	matcher->found = alloc_zeroed(kb->entry_count + 1, sizeof(*matcher->found));
	for (size_t i = 0; i < kb->entry_count; i++) {
		const struct entry *entry = kb->entries[i];

		for (size_t j = 0; j < entry->signature_count; j++) {
			const struct signature *signature = &entry->signatures[j];
			struct regex *match, *unless = NULL;

			if (signature->strength == STRENGTH_HINT)
				continue;
			match = regex_new(signature->match, REGEX_MULTILINE, NULL, NULL);
			if (match && signature->unless.size)
				unless = regex_new(signature->unless, REGEX_MULTILINE, NULL, NULL);
			if (match)
				vec_push(&matcher->signatures, (struct matcher_signature){i, match, unless});
		}
	}
}

static void matcher_release(struct matcher *matcher)
{
	for (size_t i = 0; i < matcher->signatures.count; i++) {
		regex_free(matcher->signatures.items[i].match);
		regex_free(matcher->signatures.items[i].unless);
	}
	vec_release(&matcher->signatures);
	free(matcher->found);
}

static void matcher_run(struct matcher *matcher, struct str text)
{
	memset(matcher->found, 0, matcher->kb->entry_count * sizeof(*matcher->found));
	for (size_t i = 0; i < matcher->signatures.count; i++) {
		const struct matcher_signature *signature = &matcher->signatures.items[i];

		if (!matcher->found[signature->entry] &&
		    regex_match(signature->match, text, 0) == REGEX_MATCH &&
		    !(signature->unless && regex_match(signature->unless, text, 0) == REGEX_MATCH))
			matcher->found[signature->entry] = true;
	}
}

static bool names(const struct str_list *see, struct str id)
{
	for (size_t i = 0; i < see->count; i++)
		if (str_equal(see->items[i], id))
			return true;
	return false;
}

/* Does one of the two send its readers to the other? */
static bool are_related(const struct entry *a, const struct entry *b)
{
	return names(&a->see, b->id) || names(&b->see, a->id);
}

static void check_error(struct lint *lint, struct matcher *matcher, size_t place, const struct sample *sample)
{
	const struct kb *kb = lint->kb;
	const struct entry *entry = kb->entries[place];

	matcher_run(matcher, sample->text);
	if (entry->kind == ENTRY_PROBLEM && !matcher->found[place])
		LINT_ERROR(lint, sample->where,
			   "no certain or likely signature of `%.*s` matches this sample",
			   STR_ARG(entry->id));
	for (size_t i = 0; i < kb->entry_count; i++)
		if (matcher->found[i] && i != place && !are_related(entry, kb->entries[i]))
			LINT_ERROR(lint, sample->where,
				   "a signature of `%.*s` matches this sample of `%.*s`: make it narrower, "
				   "or name "
				   "one of them in the other's `see`",
				   STR_ARG(kb->entries[i]->id), STR_ARG(entry->id));
}

static void check_not_error(struct lint *lint, struct matcher *matcher, size_t place,
			    const struct sample *sample)
{
	matcher_run(matcher, sample->text);
	if (matcher->found[place])
		LINT_ERROR(lint, sample->where,
			   "a signature of `%.*s` matches this sample, which must not be taken for it",
			   STR_ARG(lint->kb->entries[place]->id));
}

void lint_samples(struct lint *lint)
{
	struct matcher matcher;

	matcher_init(&matcher, lint->kb);
	for (size_t i = 0; i < lint->kb->entry_count; i++) {
		const struct entry *entry = lint->kb->entries[i];

		if (!str_equal(entry->pack, lint->pack->name))
			continue;
		for (size_t j = 0; j < entry->error_count; j++)
			check_error(lint, &matcher, i, &entry->errors[j]);
		for (size_t j = 0; j < entry->not_error_count; j++)
			check_not_error(lint, &matcher, i, &entry->not_errors[j]);
	}
	matcher_release(&matcher);
}

/* The samples of the pack's entries, each put through the diagnosis with everything that is known. */
#include "core/lint_rules.h"

#include "core/diagnose.h"
#include "core/regex.h"

struct sampling {
	struct lint *lint;
	struct scanner *scanner;
	struct diagnose *diagnose;
	const struct diagnosis *result; /* of the last sample */
};

static void run(struct sampling *sampling, const struct sample *sample)
{
	diagnose_reset(sampling->diagnose);
	diagnose_begin(sampling->diagnose, STR("sample"));
	diagnose_feed(sampling->diagnose, sample->text.data, sample->text.size);
	diagnose_feed(sampling->diagnose, "\n", 1);
	sampling->result = diagnose_finish(sampling->diagnose);
}

static bool is_found(const struct sampling *sampling, const struct entry *entry)
{
	for (size_t i = 0; i < sampling->result->match_count; i++)
		if (sampling->result->matches[i].entry == entry)
			return true;
	return false;
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

/* Why no signature of the entry counts, as far as it can be told from how far the nearest one came. */
static const char *reason(const struct sampling *sampling, const struct entry *entry)
{
	const char *reason = "";

	for (size_t i = 0; i < scanner_signature_count(sampling->scanner); i++) {
		const struct scan_signature *signature = scanner_signature(sampling->scanner, i);
		const struct signature_trace *trace = diagnose_trace(sampling->diagnose, i);

		if (signature->entry != entry)
			continue;
		if (trace->quiet)
			return "; one does, but the line is taken for a command, a comment or advice";
		if (trace->excluded)
			reason = "; one does, but its `unless` does, too";
		else if (trace->limited)
			reason = "; one was given up because it takes too many steps";
	}
	return reason;
}

static void check_error(struct sampling *sampling, const struct entry *entry, const struct sample *sample)
{
	struct lint *lint = sampling->lint;

	run(sampling, sample);
	if (entry->kind == ENTRY_PROBLEM && !is_found(sampling, entry))
		LINT_ERROR(lint, sample->where,
			   "no certain or likely signature of `%.*s` matches this sample%s",
			   STR_ARG(entry->id), reason(sampling, entry));
	for (size_t i = 0; i < sampling->result->match_count; i++) {
		const struct entry *other = sampling->result->matches[i].entry;

		if (other != entry && !are_related(entry, other))
			LINT_ERROR(lint, sample->where,
				   "a signature of `%.*s` matches this sample of `%.*s`: make it narrower, "
				   "or name "
				   "one of them in the other's `see`",
				   STR_ARG(other->id), STR_ARG(entry->id));
	}
}

static void check_not_error(struct sampling *sampling, const struct entry *entry, const struct sample *sample)
{
	run(sampling, sample);
	if (is_found(sampling, entry))
		LINT_ERROR(sampling->lint, sample->where,
			   "a signature of `%.*s` matches this sample, which must not be taken for it",
			   STR_ARG(entry->id));
}

/* A sample of another pack: may it be taken for an entry of this one? Then that entry is at fault. */
static void check_foreign(struct sampling *sampling, const struct entry *entry, const struct sample *sample)
{
	struct lint *lint = sampling->lint;

	run(sampling, sample);
	for (size_t i = 0; i < sampling->result->match_count; i++) {
		const struct entry *other = sampling->result->matches[i].entry;

		if (str_equal(other->pack, lint->pack->name) && !are_related(entry, other))
			LINT_ERROR(lint, other->where,
				   "a signature of `%.*s` matches a sample of `%.*s` (%s:%u): make it "
				   "narrower, or "
				   "name `%.*s` in `see`",
				   STR_ARG(other->id), STR_ARG(entry->id), sample->where.file,
				   (unsigned)sample->where.line, STR_ARG(entry->id));
	}
}

/* The scan over a log looks for fixed text; what has none would have to be tried on every line. */
static void check_literals(struct sampling *sampling, struct str pack)
{
	for (size_t i = 0; i < scanner_signature_count(sampling->scanner); i++) {
		const struct scan_signature *signature = scanner_signature(sampling->scanner, i);
		struct regex *regex;

		if (signature->usable || !str_equal(signature->entry->pack, pack))
			continue;
		regex = regex_new(signature->signature->match, REGEX_MULTILINE | REGEX_ONCE, NULL, NULL);
		if (regex) /* else said already */
			LINT_ERROR(sampling->lint, signature->signature->where,
				   "`match` has no fixed text that every match holds: write some more of the "
				   "message, "
				   "in each of its alternatives");
		regex_free(regex);
	}
}

void lint_samples(struct lint *lint)
{
	struct sampling sampling = {.lint = lint, .scanner = scanner_new(lint->kb)};

	sampling.diagnose = diagnose_new(sampling.scanner);
	check_literals(&sampling, lint->pack->name);
	for (size_t i = 0; i < lint->kb->entry_count; i++) {
		const struct entry *entry = lint->kb->entries[i];

		bool own = str_equal(entry->pack, lint->pack->name);

		for (size_t j = 0; j < entry->error_count; j++) {
			if (own)
				check_error(&sampling, entry, &entry->errors[j]);
			else
				check_foreign(&sampling, entry, &entry->errors[j]);
		}
		if (!own)
			continue;
		for (size_t j = 0; j < entry->not_error_count; j++)
			check_not_error(&sampling, entry, &entry->not_errors[j]);
	}
	diagnose_free(sampling.diagnose);
	scanner_free(sampling.scanner);
}

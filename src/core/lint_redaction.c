/* Rules of redaction, each put through the whole redaction with its own samples. */
#include "core/lint_rules.h"

#include "core/redact.h"
#include "core/regex.h"

#include <string.h>

enum { LITERAL_SIZE_LEAST = 3 };

static bool has_words(const struct redaction *redaction)
{
	return redaction->kind >= REDACTION_NAME;
}

static void check_groups(struct lint *lint, const struct redaction *redaction, const struct regex *regex)
{
	size_t known = 0;

	for (size_t i = 0; i < regex_name_count(regex); i++) {
		struct str name = regex_name(regex, i, NULL);
		enum redact_kind kind;

		if (str_equal(name, STR("KEEP")) || redact_kind_of(name, &kind))
			known++;
		else
			LINT_ERROR(
				lint, redaction->where,
				"group (?<%.*s>…): write KEEP, USER, HOST, IP, MAC, PID, MAIL, PHONE, PATH, "
				"TOKEN, URL, SERIAL, JOB, ID or DOMAIN",
				STR_ARG(name));
	}
	if (!known)
		LINT_ERROR(lint, redaction->where,
			   "`match` has no named group: it says what to hide, (?<USER>…)");
}

static void check_pattern(struct lint *lint, const struct redaction *redaction)
{
	struct buf why = {0};
	size_t at = 0;
	struct regex *regex = regex_new(redaction->match, REGEX_ONCE, &why, &at);

	if (!redaction->match.size)
		LINT_ERROR(lint, redaction->where, "a rule needs `match`");
	else if (!regex)
		LINT_ERROR(lint, redaction->where, "`match` does not compile: %s, behind `%.*s`",
			   buf_c_string(&why),
			   STR_ARG(str_slice(redaction->match, at > 20 ? at - 20 : 0, at)));
	else if (regex_matches_empty(regex))
		LINT_ERROR(lint, redaction->where, "`match` can match the empty text");
	else
		check_groups(lint, redaction, regex);
	if (!redaction->literals.count && redaction->shape == SHAPE_NONE)
		LINT_ERROR(lint, redaction->where,
			   "a rule needs `literals` or a `shape`: no line would ever be looked at");
	for (size_t i = 0; i < redaction->literals.count; i++) {
		if (redaction->literals.items[i].size < LITERAL_SIZE_LEAST)
			LINT_ERROR(lint, redaction->where, "literal `%.*s` is shorter than %d bytes",
				   STR_ARG(redaction->literals.items[i]), (int)LITERAL_SIZE_LEAST);
	}
	regex_free(regex);
	buf_release(&why);
}

/* What stands outside of « » is still there, in order; what stood inside is not. */
struct sample_part {
	size_t from, to;
	bool hidden;
};
struct sample_parts {
	struct buf text;
	VEC(struct sample_part) list;
};

static void split_sample(struct str sample, struct sample_parts *parts)
{
	static const struct str marks[] = {STR_INIT("«"), STR_INIT("»"), STR_INIT("·")};
	size_t from = 0;
	bool hidden = false;

	for (size_t at = 0; at < sample.size;) {
		struct str rest = str_slice(sample, at, sample.size);
		size_t which = 0;

		while (which < 3 && !str_starts(rest, marks[which]))
			which++;
		if (which == 3) {
			buf_add_byte(&parts->text, sample.data[at++]);
			continue;
		}
		at += marks[which].size;
		if (which == 2)
			continue;
		vec_push(&parts->list, (struct sample_part){from, parts->text.size, hidden});
		from = parts->text.size;
		hidden = which == 0;
	}
	vec_push(&parts->list, (struct sample_part){from, parts->text.size, hidden});
}

static void check_hidden(struct lint *lint, const struct redaction *redaction, struct redact *redact,
			 struct str sample)
{
	struct sample_parts parts = {0};
	struct buf out = {0};
	size_t at = 0;

	split_sample(sample, &parts);
	redact_reset(redact);
	redact_text(redact, buf_str(&parts.text), &out, NULL);
	for (size_t i = 0; i < parts.list.count; i++) {
		struct str part =
			str_slice(buf_str(&parts.text), parts.list.items[i].from, parts.list.items[i].to);
		size_t found = str_find(str_slice(buf_str(&out), at, out.size), part);

		if (!part.size)
			continue;
		if (parts.list.items[i].hidden && str_find(buf_str(&out), part) != STR_NOT_FOUND)
			LINT_ERROR(lint, redaction->where,
				   "`%.*s` is not hidden in the sample: it becomes `%.*s`", STR_ARG(part),
				   STR_ARG(buf_str(&out)));
		else if (!parts.list.items[i].hidden && found == STR_NOT_FOUND)
			LINT_ERROR(lint, redaction->where,
				   "`%.*s` should stay in the sample, which becomes `%.*s`", STR_ARG(part),
				   STR_ARG(buf_str(&out)));
		else if (!parts.list.items[i].hidden)
			at += found + part.size;
	}
	buf_release(&out);
	buf_release(&parts.text);
	vec_release(&parts.list);
}

static void check_kept(struct lint *lint, const struct redaction *redaction, struct redact *redact,
		       struct str sample)
{
	struct buf out = {0};

	redact_reset(redact);
	redact_text(redact, sample, &out, NULL);
	if (!str_equal(buf_str(&out), sample))
		LINT_ERROR(lint, redaction->where,
			   "the sample `%.*s` should stay as it is; it becomes `%.*s`", STR_ARG(sample),
			   STR_ARG(buf_str(&out)));
	buf_release(&out);
}

void lint_redactions(struct lint *lint)
{
	struct redact *redact;

	if (!lint->pack->redaction_count)
		return;
	redact = redact_new(lint->kb);
	for (size_t i = 0; i < lint->pack->redaction_count; i++) {
		const struct redaction *redaction = &lint->pack->redactions[i];

		if (has_words(redaction) && !redaction->words.count)
			LINT_ERROR(lint, redaction->where, "needs `words`");
		else if (redaction->kind == REDACTION_HIDE || redaction->kind == REDACTION_KEEP)
			check_pattern(lint, redaction);
		if (!has_words(redaction) && !redaction->hide.count && !redaction->keep.count)
			LINT_ERROR(lint, redaction->where,
				   "needs samples: `hide` (what must go stands in «…») or `keep`");
		for (size_t j = 0; j < redaction->hide.count; j++)
			check_hidden(lint, redaction, redact, redaction->hide.items[j]);
		for (size_t j = 0; j < redaction->keep.count; j++)
			check_kept(lint, redaction, redact, redaction->keep.items[j]);
	}
	redact_free(redact);
}

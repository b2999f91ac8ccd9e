/* Patterns: that they compile, and that what they name exists. */
#include "core/lint_rules.h"

#include "core/regex.h"

/* The compiled pattern, or null and a fault. */
static struct regex *compile(struct lint *lint, struct location where, const char *key, struct str pattern,
			     unsigned flags)
{
	struct buf why = {0};
	size_t at = 0;
	struct regex *regex = regex_new(pattern, flags | REGEX_ONCE, &why, &at);

	if (!regex)
		LINT_ERROR(lint, where, "`%s` does not compile: %s, behind `%.*s`", key, buf_c_string(&why),
			   STR_ARG(str_slice(pattern, at > 20 ? at - 20 : 0, at)));
	buf_release(&why);
	return regex;
}

static bool is_upper_case(struct str name)
{
	for (size_t i = 0; i < name.size; i++)
		if (name.data[i] >= 'a' && name.data[i] <= 'z')
			return false;
	return true;
}

/* Is it a `log` source of some placeholder? */
static bool is_log_source(const struct lint *lint, struct str name)
{
	for (size_t i = 0; i < lint->kb->placeholder_count; i++) {
		const struct placeholder *placeholder = lint->kb->placeholders[i];

		for (size_t j = 0; j < placeholder->value_count; j++)
			if (str_equal(placeholder->values[j].log, name))
				return true;
	}
	return false;
}

static void check_groups(struct lint *lint, const struct signature *signature, const struct regex *regex)
{
	for (size_t i = 0; i < regex_name_count(regex); i++) {
		struct str name = regex_name(regex, i, NULL);
		bool again = i > 0 && str_equal(name, regex_name(regex, i - 1, NULL));

		/* A name in lower case is for the pattern itself. */
		if (again || !is_upper_case(name) || kb_placeholder(lint->kb, name) ||
		    is_log_source(lint, name))
			continue;
		LINT_ERROR(lint, signature->where,
			   "group (?<%.*s>…) fills no placeholder: add it to placeholders.yaml, or write the "
			   "name "
			   "in lower case",
			   STR_ARG(name));
	}
}

void lint_signature(struct lint *lint, const struct signature *signature)
{
	struct regex *match = compile(lint, signature->where, "match", signature->match, REGEX_MULTILINE);
	struct regex *unless = NULL;

	if (signature->unless.size)
		unless = compile(lint, signature->where, "unless", signature->unless, REGEX_MULTILINE);
	if (match && regex_matches_empty(match))
		LINT_ERROR(
			lint, signature->where,
			"`match` can match the empty text, so every line: take out the * or ? that lets it");
	if (unless && regex_matches_empty(unless))
		LINT_ERROR(lint, signature->where,
			   "`unless` can match the empty text: the signature would never match");
	if (match)
		check_groups(lint, signature, match);
	regex_free(match);
	regex_free(unless);
}

static bool has_literal(const struct frame *frame, struct str sample)
{
	for (size_t i = 0; i < frame->literals.count; i++)
		if (str_find(sample, frame->literals.items[i]) != STR_NOT_FOUND)
			return true;
	return false;
}

void lint_frame(struct lint *lint, const struct frame *frame)
{
	unsigned flags = frame->kind == FRAME_PREFIX ? REGEX_ANCHORED : 0;
	struct regex *match = compile(lint, frame->where, "match", frame->match, flags);

	if (!match)
		return;
	if (regex_matches_empty(match))
		LINT_ERROR(lint, frame->where, "`match` can match the empty text");
	for (size_t i = 0; i < frame->samples.count; i++) {
		struct str sample = frame->samples.items[i];

		if (regex_match(match, sample, 0) != REGEX_MATCH)
			LINT_ERROR(lint, frame->where, "`match` does not match the sample `%.*s`",
				   STR_ARG(sample));
		else if (!has_literal(frame, sample))
			LINT_ERROR(lint, frame->where, "none of the `literals` is in the sample `%.*s`",
				   STR_ARG(sample));
	}
	regex_free(match);
}

/* The rules of a knowledge base, made ready. */
#include "core/redact_private.h"

#include <string.h>

static void add_words(struct redact *redact, const struct redaction *redaction)
{
	struct redact_set *set;

	switch (redaction->kind) {
	case REDACTION_NAME:
		set = &redact->known.names;
		break;
	case REDACTION_FOLDER:
		set = &redact->known.folders;
		break;
	case REDACTION_ROOT:
		set = &redact->known.roots;
		break;
	case REDACTION_FILE:
		set = &redact->known.files;
		break;
	case REDACTION_SITE:
		set = &redact->known.sites;
		break;
	default:
		return;
	}
	for (size_t i = 0; i < redaction->words.count; i++)
		redact_set_add(set, redaction->words.items[i]);
}

static void find_groups(struct redact_rule *rule)
{
	for (size_t i = 0; i < regex_name_count(rule->regex) && rule->group_count < RULE_GROUPS_MAX; i++) {
		size_t number;
		struct str name = regex_name(rule->regex, i, &number);
		enum redact_kind kind = REDACT_WORD;
		bool keep = str_equal(name, STR("KEEP"));

		if (!keep && !redact_kind_of(name, &kind))
			continue;
		rule->groups[rule->group_count].number = number;
		rule->groups[rule->group_count].keep = keep;
		rule->groups[rule->group_count++].kind = kind;
	}
}

static void add_rule(struct redact *redact, const struct redaction *redaction)
{
	struct redact_rule rule = {.redaction = redaction, .done_line = SIZE_MAX};
	uint32_t index = (uint32_t)redact->rules.count;

	if (redaction->match.size) {
		rule.regex =
			regex_new(redaction->match, redaction->at_literal ? REGEX_ANCHORED : 0, NULL, NULL);
		if (rule.regex)
			find_groups(&rule);
	}
	if (redaction->kind == REDACTION_PATH)
		redact->path_rule = index;
	rule.has_then = redaction->then.size > 0;
	for (size_t i = 0; i < redaction->then.size; i++) {
		unsigned char byte = (unsigned char)redaction->then.data[i];

		rule.then[byte / 64] |= (uint64_t)1 << byte % 64;
	}
	vec_push(&redact->rules, rule);
	if (!rule.regex)
		return;
	if (redaction->shape != SHAPE_NONE)
		vec_push(&redact->by_shape[redaction->shape], index);
	for (size_t i = 0; i < redaction->literals.count; i++) {
		struct str literal = redaction->literals.items[i];

		if (literal.size < 3)
			continue;
		needles_add(&redact->literals, literal, index);
		heads_add(&redact->literal_heads, literal);
	}
}

void redact_compile(struct redact *redact, const struct kb *kb)
{
	needles_clear(&redact->literals);
	for (size_t i = 0; i < RULE_FIRST; i++)
		vec_push(&redact->rules, (struct redact_rule){.done_line = SIZE_MAX});
	for (size_t i = 0; i < kb->redaction_count; i++) {
		const struct redaction *redaction = kb->redactions[i];

		add_words(redact, redaction);
		if (redaction->kind == REDACTION_HIDE || redaction->kind == REDACTION_KEEP ||
		    redaction->kind == REDACTION_PATH)
			add_rule(redact, redaction);
	}
}

void redact_rules_release(struct redact *redact)
{
	for (size_t i = 0; i < redact->rules.count; i++)
		regex_free(redact->rules.items[i].regex);
	vec_release(&redact->rules);
	for (size_t i = 0; i < SHAPE_COUNT; i++)
		vec_release(&redact->by_shape[i]);
	redact_set_release(&redact->known.names);
	redact_set_release(&redact->known.folders);
	redact_set_release(&redact->known.roots);
	redact_set_release(&redact->known.files);
	redact_set_release(&redact->known.sites);
}

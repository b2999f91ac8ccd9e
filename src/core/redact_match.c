/* One rule on one line. */
#include "core/redact_private.h"

#include <string.h>

/* Of a longer line, PCRE2 sees so much before and behind the place where something stands. */
enum { LINE_BEFORE = 2048, LINE_AFTER = 6144, MATCHES_MAX = 1000 };

void redact_add_span(struct redact *redact, struct redact_span span)
{
	if (span.to > span.from)
		vec_push(&redact->spans.list, span);
}

static struct str line_around(struct str block, size_t at)
{
	size_t from = at > LINE_BEFORE ? at - LINE_BEFORE : 0;
	size_t to = block.size - at > LINE_AFTER ? at + LINE_AFTER : block.size;
	const char *end = memchr(block.data + at, '\n', to - at);
	const char *start = memrchr(block.data + from, '\n', at - from);

	if (start)
		from = (size_t)(start - block.data) + 1;
	if (end)
		to = (size_t)(end - block.data);
	if (to > from && block.data[to - 1] == '\r')
		to--;
	return str_slice(block, from, to);
}

static bool one_of(struct str value, const char *const *words)
{
	for (; *words; words++) {
		if (str_equal_ascii_case(value, str_of(*words)))
			return true;
	}
	return false;
}

/* What stands where a password may stand, and is none. */
static bool is_no_secret(struct str value)
{
	static const char *const words[] = {"none",   "null", "nil", "true",      "false",    "yes",
					    "no",     "on",   "off", "undefined", "required", "str",
					    "string", "auto", "xxx", "",          NULL};
	size_t stars = 0;

	if (one_of(value, words) || strchr("$<{%", value.data[0]))
		return true;
	for (size_t i = 0; i < value.size; i++)
		stars += strchr("*xX.…-", value.data[i]) != NULL;
	return stars == value.size;
}

static bool is_address(struct str value)
{
	size_t digits = 0, colons = 0;

	for (size_t i = 0; i < value.size; i++) {
		digits += (value.data[i] >= '0' && value.data[i] <= '9') || value.data[i] == '.';
		colons += value.data[i] == ':';
	}
	return digits == value.size || colons > 1;
}

/* Does the group's text stay although the rule fits? */
static bool is_harmless(const struct redact *redact, enum redact_kind kind, struct str value)
{
	switch (kind) {
	case REDACT_TOKEN:
		return is_no_secret(value);
	case REDACT_URL:
		return redact_is_public_site(redact, value);
	case REDACT_HOST:
		if (is_address(value) || redact_is_public_site(redact, value))
			return true;
		/* fall through */
	case REDACT_USER:
	case REDACT_DOMAIN:
	case REDACT_JOB:
		return redact_is_public_name(redact, value) && !redact_is_known(redact, value);
	case REDACT_PID:
		return str_equal(value, STR("0"));
	default:
		return false;
	}
}

static void say_subnet(struct redact *redact, struct str line, struct str value)
{
	size_t end = (size_t)(value.data + value.size - line.data);
	size_t digits = end + 1;
	uint64_t bits;

	if (end >= line.size || line.data[end] != '/')
		return;
	while (digits < line.size && digits - end < 4 && line.data[digits] >= '0' && line.data[digits] <= '9')
		digits++;
	if (str_to_u64(str_slice(line, end + 1, digits), &bits) && bits <= 128)
		redact_names_subnet(redact->names, value, (unsigned)bits);
}

/* Numbers of jobs and of employees: no name, and yet said to be one by its place. */
static bool is_number(enum redact_kind kind, struct str value)
{
	for (size_t i = 0; i < value.size; i++) {
		if (!strchr("0123456789._-[],%", value.data[i]))
			return false;
	}
	return kind == REDACT_JOB || kind == REDACT_USER;
}

static void take_groups(struct redact *redact, uint32_t index, struct str block, struct str line)
{
	struct redact_rule *rule = &redact->rules.items[index];

	for (size_t i = 0; i < rule->group_count; i++) {
		enum redact_kind kind = rule->groups[i].kind;
		struct redact_span span = {.kind = kind, .rule = index, .alias = REDACT_NONE};
		struct str value;

		if (!regex_group(rule->regex, line, rule->groups[i].number, &value) || !value.size)
			continue;
		span.from = (size_t)(value.data - block.data);
		span.to = span.from + value.size;
		span.what = rule->groups[i].keep ? SPAN_KEEP : SPAN_HIDE;
		if (!rule->groups[i].keep) {
			if (!is_number(kind, value) && is_harmless(redact, kind, value))
				continue;
			if (kind == REDACT_IP)
				say_subnet(redact, line, value);
			if (rule->redaction->only_here)
				;
			else if (kind == REDACT_USER || kind == REDACT_HOST || kind == REDACT_DOMAIN ||
				 kind == REDACT_PID || kind == REDACT_TOKEN || kind == REDACT_MAIL ||
				 kind == REDACT_SERIAL || kind == REDACT_JOB)
				redact_learn(redact, kind, value, RULE_REPEATED);
		}
		redact_add_span(redact, span);
	}
}

static size_t match_end(const struct redact_rule *rule, struct str line, size_t start)
{
	struct str whole = {NULL, 0};
	size_t end;

	regex_group(rule->regex, line, 0, &whole);
	end = (size_t)(whole.data - line.data) + whole.size;
	return end > start ? end : start + 1;
}

void redact_match(struct redact *redact, uint32_t index, struct str block, size_t at)
{
	struct redact_rule *rule = &redact->rules.items[index];
	struct str line = line_around(block, at);
	size_t line_start = (size_t)(line.data - block.data);
	size_t start = 0;

	if (rule->redaction->at_literal) {
		if (at - line_start < line.size &&
		    regex_match(rule->regex, line, at - line_start) == REGEX_MATCH)
			take_groups(redact, index, block, line);
		return;
	}
	if (rule->done_line != SIZE_MAX && at < rule->done_to)
		return;
	for (int i = 0; i < MATCHES_MAX && start < line.size; i++) {
		if (regex_match(rule->regex, line, start) != REGEX_MATCH)
			break;
		take_groups(redact, index, block, line);
		start = match_end(rule, line, start);
	}
	rule->done_line = line_start;
	rule->done_to = line_start + line.size;
}

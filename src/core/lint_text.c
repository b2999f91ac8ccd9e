/* Texts for readers: both languages, and Chinese as it is set. */
#include "core/lint_rules.h"

#include "base/utf8.h"

static const char *const lang_names[LANG_COUNT] = {[LANG_ZH] = "zh", [LANG_EN] = "en"};

static bool is_han(uint32_t character)
{
	return (character >= 0x4E00 && character <= 0x9FFF) || (character >= 0x3400 && character <= 0x4DBF);
}

static bool is_latin(uint32_t character)
{
	return (character >= '0' && character <= '9') || (character >= 'A' && character <= 'Z') ||
	       (character >= 'a' && character <= 'z');
}

static bool is_half_width_mark(uint32_t character)
{
	return character == ',' || character == ';' || character == ':' || character == '!' ||
	       character == '?';
}

/* A character and the one behind it, as the warning shows them. */
static struct str neighbours(struct str text, size_t at, size_t next)
{
	size_t size;

	utf8_at(text, next, &size);
	return str_slice(text, at, next + size);
}

static void check_chinese(struct lint *lint, struct location where, const char *key, struct str text)
{
	uint32_t last = 0;
	size_t last_at = 0, size;

	for (size_t at = 0; at < text.size; last_at = at, at += size) {
		uint32_t character = utf8_at(text, at, &size);
		struct str both = at ? neighbours(text, last_at, at) : text;

		if ((is_han(last) && is_latin(character)) || (is_latin(last) && is_han(character)))
			LINT_WARNING(lint, where, "`%s`: put a space between Chinese and Latin: `%.*s`", key,
				     STR_ARG(both));
		else if (is_han(last) && is_half_width_mark(character))
			LINT_WARNING(lint, where, "`%s`: use the full-width mark after Chinese: `%.*s`", key,
				     STR_ARG(both));
		last = character;
	}
}

static bool has_control(struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		if (((unsigned char)text.data[i] < 0x20 && text.data[i] != '\n') || text.data[i] == 0x7F)
			return true;
	return false;
}

void lint_text(struct lint *lint, struct location where, const char *key, const struct text *text)
{
	bool any = text_in(text, LANG_ZH).size != 0;

	for (int i = 0; i < LANG_COUNT; i++) {
		if (any && lint->options->shipped && !text->in[i].size)
			LINT_ERROR(lint, where, "`%s` has no `%s` text", key, lang_names[i]);
		if (has_control(text->in[i]))
			LINT_ERROR(lint, where, "`%s` holds a tab or another control character", key);
	}
	if (lint->options->shipped)
		check_chinese(lint, where, key, text->in[LANG_ZH]);
}

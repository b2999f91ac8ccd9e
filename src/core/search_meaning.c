/* search: codes whose meaning has all words of the query. They are few words each, and read as they stand. */
#include "core/search_index.h"
#include "core/search_words.h"

#include <string.h>

enum { MEANT_MOST = 12, LETTERS_LEAST = 3 };

/* `word` is folded; of `text` the ASCII letters are compared without regard to case. */
static bool has_word(struct str text, struct str word)
{
	char first = word.data[0];
	bool letter = first >= 'a' && first <= 'z';

	for (size_t at = 0; at + word.size <= text.size; at++) {
		char byte = text.data[at];

		if ((byte == first || (letter && (byte | 0x20) == first)) &&
		    str_equal_ascii_case(str_slice(text, at, at + word.size), word))
			return true;
	}
	return false;
}

static bool says(const struct code *code, struct str word)
{
	const struct text *texts[] = {&code->means, &code->usually};

	if (has_word(code->name, word) || has_word(code->code, word))
		return true;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (int lang = 0; lang < LANG_COUNT; lang++)
			if (has_word(texts[i]->in[lang], word))
				return true;
	return false;
}

static bool says_all(const struct code *code, const struct search_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (words->items[i].text.size && !says(code, words->items[i].text))
			return false;
	return true;
}

static bool is_there(const struct search_result *result, const struct code *code)
{
	for (size_t i = 0; i < result->codes.count; i++)
		if (result->codes.items[i] == code)
			return true;
	return false;
}

void search_add_meant(const struct kb *kb, const struct search_words *words, struct search_result *result)
{
	size_t before = result->codes.count;

	if (!words->count || words->whole.size < LETTERS_LEAST)
		return;
	/* The well known first. */
	for (int64_t tier = 1; tier <= 3; tier++)
		for (size_t i = 0; i < kb->code_count && result->codes.count < before + MEANT_MOST; i++)
			if (kb->codes[i]->tier == tier && says_all(kb->codes[i], words) &&
			    !is_there(result, kb->codes[i]))
				vec_push(&result->codes, kb->codes[i]);
}

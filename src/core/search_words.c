#include "core/search_words.h"

#include "base/utf8.h"

#include <string.h>

enum script { SCRIPT_NONE, SCRIPT_BLANKS, SCRIPT_WIDE };

static enum script script_of(uint32_t character)
{
	if (character <= ' ' || character == 0x7F)
		return SCRIPT_NONE;
	if (character < 0x2000 || character == UTF8_INVALID)
		return SCRIPT_BLANKS;
	/* General punctuation, the byte order mark, Chinese punctuation. */
	if (character <= 0x206F || character == 0xFEFF || (character >= 0x3000 && character <= 0x303F))
		return SCRIPT_NONE;
	return utf8_is_wide_script(character) ? SCRIPT_WIDE : SCRIPT_BLANKS;
}

static enum script script_at(struct str text, size_t at, size_t *size)
{
	unsigned char byte = (unsigned char)text.data[at];

	if (byte < 0x80) {
		*size = 1;
		return byte <= ' ' || byte == 0x7F ? SCRIPT_NONE : SCRIPT_BLANKS;
	}
	/* U+4000 to U+8FFF, the bulk of Chinese; a full decode is not needed to know it. */
	if (byte >= 0xE4 && byte <= 0xE8 && at + 2 < text.size) {
		*size = 3;
		if (((unsigned char)text.data[at + 1] & 0xC0) == 0x80 &&
		    ((unsigned char)text.data[at + 2] & 0xC0) == 0x80)
			return SCRIPT_WIDE;
	}
	return script_of(utf8_at(text, at, size));
}

/* Past what is surely of this script, without a look at each character's properties. */
static size_t skip_alike(struct str text, size_t at, enum script script)
{
	const unsigned char *bytes = (const unsigned char *)text.data;

	if (script == SCRIPT_BLANKS) {
		while (at < text.size && bytes[at] > ' ' && bytes[at] < 0x7F)
			at++;
	} else {
		while (at + 2 < text.size && bytes[at] >= 0xE4 && bytes[at] <= 0xE8 &&
		       (bytes[at + 1] & 0xC0) == 0x80 && (bytes[at + 2] & 0xC0) == 0x80)
			at += 3;
	}
	return at;
}

bool search_next_chunk(struct str *rest, struct str *chunk)
{
	enum script script = SCRIPT_NONE;
	size_t start = 0, size = 0, end;

	for (; start < rest->size; start += size) {
		script = script_at(*rest, start, &size);
		if (script != SCRIPT_NONE)
			break;
	}
	if (script == SCRIPT_NONE)
		return false;
	for (end = start + size; end < rest->size; end += size) {
		end = skip_alike(*rest, end, script);
		if (end == rest->size || script_at(*rest, end, &size) != script)
			break;
	}
	*chunk = str_slice(*rest, start, end);
	*rest = str_slice(*rest, end, rest->size);
	return true;
}

static bool is_letter(char byte)
{
	return byte >= 'a' && byte <= 'z';
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_word_byte(char byte)
{
	return is_letter(byte) || is_digit(byte) || (unsigned char)byte >= 0x80;
}

bool search_is_edge(struct str text, size_t at)
{
	return at == 0 || at >= text.size || !is_word_byte(text.data[at - 1]) || !is_word_byte(text.data[at]);
}

static bool is_sign(char byte)
{
	switch (byte) {
	case ',':
	case ';':
	case ':':
	case '!':
	case '?':
	case '(':
	case ')':
	case '[':
	case ']':
	case '{':
	case '}':
	case '<':
	case '>':
	case '"':
	case '\'':
	case '`':
		return true;
	default:
		return false;
	}
}

struct str search_strip_signs(struct str word)
{
	size_t start = 0, end = word.size;

	while (start < end && is_sign(word.data[start]))
		start++;
	while (end > start && is_sign(word.data[end - 1]))
		end--;
	return start < end ? str_slice(word, start, end) : word;
}

void search_fold_line(struct str text, struct buf *out)
{
	size_t start = out->size, kept = out->size;

	utf8_fold(text, out, NULL);
	for (size_t i = start; i < out->size; i++) {
		bool blank = (unsigned char)out->data[i] <= ' ';

		if (blank && (kept == start || out->data[kept - 1] == ' '))
			continue;
		out->data[kept++] = blank ? ' ' : out->data[i];
	}
	if (kept > start && out->data[kept - 1] == ' ')
		kept--;
	if (out->data)
		buf_truncate(out, kept);
}

static bool has_word_byte(struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (is_word_byte(text.data[i]))
			return true;
	}
	return false;
}

bool search_is_wide(struct str word)
{
	size_t size;

	return word.size > 0 && script_at(word, 0, &size) == SCRIPT_WIDE;
}

bool search_next_pair(struct str word, size_t *at, struct str *pair)
{
	size_t first, second;

	if (*at >= word.size)
		return false;
	utf8_at(word, *at, &first);
	if (*at + first >= word.size)
		return false;
	utf8_at(word, *at + first, &second);
	*pair = str_slice(word, *at, *at + first + second);
	*at += first;
	return true;
}

static bool is_forgiving(struct str word)
{
	size_t letters = 0, pairs = 0;
	struct str pair;

	if (search_is_wide(word)) {
		for (size_t at = 0; search_next_pair(word, &at, &pair);)
			pairs++;
		return pairs + 1 >= SEARCH_FORGIVING_CHARACTERS;
	}

	for (size_t i = 0; i < word.size; i++) {
		if ((unsigned char)word.data[i] >= 0x80)
			return false;
		letters += is_letter(word.data[i]);
	}
	return letters >= SEARCH_FORGIVING_LETTERS;
}

static bool is_known(const struct search_words *words, struct str text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (str_equal(words->items[i].text, text))
			return true;
	}
	return false;
}

static void add_words(struct search_words *words, bool signs_too)
{
	struct str rest = words->whole, chunk;

	while (words->count < SEARCH_WORD_LIMIT && search_next_chunk(&rest, &chunk)) {
		struct str text = search_strip_signs(chunk);

		if ((signs_too || has_word_byte(text)) && !is_known(words, text))
			words->items[words->count++] = (struct search_word){text, is_forgiving(text)};
	}
}

void search_words_split(struct str query, struct search_words *words)
{
	*words = (struct search_words){0};
	search_fold_line(query, &words->folded);
	words->whole = buf_str(&words->folded);
	add_words(words, false);
	if (words->count == 0)
		add_words(words, true);
}

void search_words_release(struct search_words *words)
{
	buf_release(&words->folded);
	*words = (struct search_words){0};
}

bool search_squeeze(struct str word, char squeezed[SEARCH_SQUEEZED_SIZE], size_t *size)
{
	size_t letters = 0, digits;

	while (letters < word.size && is_letter(word.data[letters]))
		letters++;
	digits = letters;
	while (digits + 1 < word.size && word.data[digits] == '0')
		digits++;
	for (size_t i = digits; i < word.size; i++) {
		if (!is_digit(word.data[i]))
			return false;
	}
	*size = letters + word.size - digits;
	if (letters == 0 || digits == word.size || *size > SEARCH_SQUEEZED_SIZE)
		return false;
	memcpy(squeezed, word.data, letters);
	memcpy(squeezed + letters, word.data + digits, word.size - digits);
	return true;
}

/* Length of `word` from `from_word` when `text` has it at `from_text`, counted from the start of text; 0: no.
 */
static size_t rest_fits(struct str text, size_t from_text, struct str word, size_t from_word)
{
	size_t size = word.size - from_word;

	if (from_text > text.size || text.size - from_text < size)
		return 0;
	return memcmp(text.data + from_text, word.data + from_word, size) == 0 ? from_text + size : 0;
}

size_t search_near(struct str text, struct str word)
{
	size_t at = 0, fit;
	bool text_ends, word_digit, text_digit;

	while (at < word.size && at < text.size && word.data[at] == text.data[at])
		at++;
	if (at == word.size)
		return at;
	text_ends = at == text.size;
	word_digit = is_digit(word.data[at]);
	text_digit = !text_ends && is_digit(text.data[at]);
	if (!text_ends && !word_digit && !text_digit) {
		if ((fit = rest_fits(text, at + 1, word, at + 1)))
			return fit;
		if (at + 1 < word.size && at + 1 < text.size && word.data[at] == text.data[at + 1] &&
		    word.data[at + 1] == text.data[at] && (fit = rest_fits(text, at + 2, word, at + 2)))
			return fit;
	}
	if (!text_ends && !text_digit && (fit = rest_fits(text, at + 1, word, at)))
		return fit;
	return word_digit ? 0 : rest_fits(text, at, word, at + 1);
}

uint64_t search_hash(struct str text)
{
	uint64_t hash = text.size * UINT64_C(0x9E3779B97F4A7C15);
	size_t at = 0;

	for (; at + 8 <= text.size; at += 8) {
		uint64_t part;

		memcpy(&part, text.data + at, 8);
		hash = (hash ^ part) * UINT64_C(0xD6E8FEB86659FD93);
		hash ^= hash >> 32;
	}
	if (at < text.size) {
		uint64_t part = 0;

		memcpy(&part, text.data + at, text.size - at);
		hash = (hash ^ part) * UINT64_C(0xD6E8FEB86659FD93);
		hash ^= hash >> 32;
	}
	hash *= UINT64_C(0xD6E8FEB86659FD93);
	return hash ^ hash >> 29;
}

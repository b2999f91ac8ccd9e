#include "base/utf8.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <utf8proc.h>

uint32_t utf8_at(struct str text, size_t at, size_t *size)
{
	utf8proc_int32_t character;
	utf8proc_ssize_t length;
	unsigned char first = (unsigned char)text.data[at];

	if (first < 0x80) {
		*size = 1;
		return first;
	}
	length = utf8proc_iterate((const utf8proc_uint8_t *)text.data + at,
				  (utf8proc_ssize_t)(text.size - at), &character);
	if (length <= 0) {
		*size = 1;
		return UTF8_INVALID;
	}
	*size = (size_t)length;
	return (uint32_t)character;
}

void utf8_add(struct buf *buf, uint32_t character)
{
	utf8proc_uint8_t bytes[4];
	utf8proc_ssize_t length;

	if (character == UTF8_INVALID)
		character = 0xFFFD;
	length = utf8proc_encode_char((utf8proc_int32_t)character, bytes);
	buf_add_bytes(buf, bytes, (size_t)length);
}

int utf8_char_width(uint32_t character)
{
	if (character == UTF8_INVALID)
		return 1;
	if (character < 0x20 || (character >= 0x7F && character < 0xA0))
		return 0;
	if (character < 0x7F)
		return 1;
	return utf8proc_charwidth((utf8proc_int32_t)character);
}

size_t utf8_grapheme_end(struct str text, size_t at, int *columns)
{
	utf8proc_int32_t state = 0;
	size_t size;
	uint32_t previous = utf8_at(text, at, &size);
	size_t end = at + size;
	int width = utf8_char_width(previous);

	while (previous != UTF8_INVALID && end < text.size) {
		uint32_t next = utf8_at(text, end, &size);

		if (next == UTF8_INVALID || (previous < 0x80 && next < 0x80) ||
		    utf8proc_grapheme_break_stateful((utf8proc_int32_t)previous, (utf8proc_int32_t)next,
						     &state))
			break;
		if (utf8_char_width(next) > width)
			width = utf8_char_width(next);
		/* U+FE0F asks for the picture form, which terminals draw two columns wide. */
		if (next == 0xFE0F)
			width = 2;
		previous = next;
		end += size;
	}
	if (columns)
		*columns = width;
	return end;
}

size_t utf8_grapheme_start(struct str text, size_t at)
{
	size_t from = at > 64 ? at - 64 : 0;
	size_t last;

	/* Start at a character border, then walk clusters forward: clusters cannot be found backwards. */
	while (from < at && from > 0 && ((unsigned char)text.data[from] & 0xC0) == 0x80)
		from++;
	last = from;
	while (from < at) {
		last = from;
		from = utf8_grapheme_end(text, from, NULL);
	}
	return last;
}

size_t utf8_width(struct str text)
{
	size_t columns = 0;

	for (size_t at = 0; at < text.size;) {
		int width;

		at = utf8_grapheme_end(text, at, &width);
		columns += (size_t)width;
	}
	return columns;
}

size_t utf8_fit(struct str text, size_t columns)
{
	size_t at = 0;

	while (at < text.size) {
		int width;
		size_t end = utf8_grapheme_end(text, at, &width);

		if ((size_t)width > columns)
			break;
		columns -= (size_t)width;
		at = end;
	}
	return at;
}

bool utf8_is_valid(struct str text)
{
	for (size_t at = 0, size; at < text.size; at += size) {
		if (utf8_at(text, at, &size) == UTF8_INVALID)
			return false;
	}
	return true;
}

bool utf8_is_wide_script(uint32_t character)
{
	return character != UTF8_INVALID && character >= 0x2E80 && utf8_char_width(character) == 2;
}

static bool is_ascii(struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if ((unsigned char)text.data[i] >= 0x80)
			return false;
	}
	return true;
}

static char lower_ascii(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

static void fold_ascii(struct str text, struct buf *out, uint32_t *offsets)
{
	buf_reserve(out, text.size);
	for (size_t i = 0; i < text.size; i++)
		out->data[out->size + i] = lower_ascii(text.data[i]);
	out->size += text.size;
	out->data[out->size] = '\0';
	for (size_t i = 0; offsets && i < text.size; i++)
		offsets[i] = (uint32_t)i;
}

/* Bytes of a Han character at `at` that folds to itself, as most of a Chinese text does: no need to decode.
 */
static size_t plain_han(struct str text, size_t at)
{
	const unsigned char *bytes = (const unsigned char *)text.data + at;

	/* U+4000 to U+9FFF */
	if (text.size - at < 3 || bytes[0] < 0xE4 || bytes[0] > 0xE9)
		return 0;
	return (bytes[1] & 0xC0) == 0x80 && (bytes[2] & 0xC0) == 0x80 ? 3 : 0;
}

static size_t fold_character(uint32_t character, utf8proc_int32_t *out, size_t room)
{
	int boundary = UTF8PROC_BOUNDCLASS_START;
	utf8proc_ssize_t count =
		utf8proc_decompose_char((utf8proc_int32_t)character, out, (utf8proc_ssize_t)room,
					UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_COMPOSE, &boundary);

	return count < 0 || (size_t)count > room ? 0 : (size_t)count;
}

/* Append the fold of the character at `at`; returns its bytes in `text`. */
static size_t fold_at(struct str text, size_t at, struct buf *out)
{
	enum { LONGEST = 32 };
	utf8proc_int32_t folded[LONGEST];
	size_t size, count;
	uint32_t character = utf8_at(text, at, &size);

	if (character == UTF8_INVALID) {
		buf_add_bytes(out, text.data + at, size);
		return size;
	}
	count = fold_character(character, folded, LONGEST);
	if (count == 0)
		utf8_add(out, character);
	for (size_t i = 0; i < count; i++)
		utf8_add(out, (uint32_t)folded[i]);
	return size;
}

void utf8_fold(struct str text, struct buf *out, uint32_t **offsets)
{
	uint32_t *map = NULL;
	size_t map_size = 0;
	size_t start = out->size;

	if (is_ascii(text)) {
		if (offsets)
			*offsets = map = alloc_bytes((text.size + 1) * sizeof(*map));
		fold_ascii(text, out, map);
		return;
	}
	for (size_t at = 0, size; at < text.size; at += size) {
		size_t before = out->size;

		/* Room for what folds to itself is asked for once; what grows asks for its own. */
		if (out->capacity - out->size <= text.size - at)
			buf_reserve(out, text.size - at);
		size = (unsigned char)text.data[at] < 0x80 ? 1 : plain_han(text, at);
		if (size == 1)
			out->data[out->size++] = lower_ascii(text.data[at]);
		for (size_t i = 0; size == 3 && i < 3; i++)
			out->data[out->size++] = text.data[at + i];
		if (size == 0)
			size = fold_at(text, at, out);
		if (!offsets)
			continue;
		if (out->size - start > map_size) {
			map_size = 2 * (out->size - start) + 64;
			map = alloc_resized(map, map_size, sizeof(*map));
		}
		for (size_t i = before; i < out->size; i++)
			map[i - start] = (uint32_t)at;
	}
	out->data[out->size] = '\0';
	if (offsets)
		*offsets = map ? map : alloc_bytes(sizeof(*map));
}

static bool is_bidi_control(uint32_t character)
{
	return (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069) ||
	       character == 0x200E || character == 0x200F;
}

bool utf8_is_control(uint32_t character)
{
	return character < 0x20 || (character >= 0x7F && character < 0xA0) || is_bidi_control(character);
}

void utf8_add_printable(struct buf *out, struct str text, bool ascii)
{
	for (size_t at = 0, size; at < text.size; at += size) {
		uint32_t character = utf8_at(text, at, &size);
		bool control = utf8_is_control(character) && character != '\n' && character != '\t';

		if (!ascii)
			utf8_add(out, control ? 0xFFFD : character);
		else if (control || character == UTF8_INVALID)
			buf_add_byte(out, '?');
		else if (character < 0x7F)
			buf_add_byte(out, (char)character);
		else
			buf_add_repeated(out, '?', (size_t)utf8_char_width(character));
	}
}

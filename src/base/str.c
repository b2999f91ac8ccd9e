#include "base/str.h"

#include <string.h>

struct str str_of(const char *c_string)
{
	return (struct str){c_string, c_string ? strlen(c_string) : 0};
}

bool str_equal(struct str a, struct str b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static unsigned char lower_ascii(char byte)
{
	return (unsigned char)(byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte);
}

bool str_equal_ascii_case(struct str a, struct str b)
{
	if (a.size != b.size)
		return false;
	for (size_t i = 0; i < a.size; i++) {
		if (lower_ascii(a.data[i]) != lower_ascii(b.data[i]))
			return false;
	}
	return true;
}

int str_compare(struct str a, struct str b)
{
	size_t common = a.size < b.size ? a.size : b.size;
	int order = common ? memcmp(a.data, b.data, common) : 0;

	if (order != 0)
		return order;
	return a.size < b.size ? -1 : a.size > b.size;
}

bool str_starts(struct str text, struct str prefix)
{
	return text.size >= prefix.size && str_equal(str_slice(text, 0, prefix.size), prefix);
}

bool str_ends(struct str text, struct str suffix)
{
	return text.size >= suffix.size &&
	       str_equal(str_slice(text, text.size - suffix.size, text.size), suffix);
}

size_t str_find(struct str text, struct str needle)
{
	const char *hit;

	if (needle.size == 0)
		return 0;
	if (text.size < needle.size)
		return STR_NOT_FOUND;
	hit = memmem(text.data, text.size, needle.data, needle.size);
	return hit ? (size_t)(hit - text.data) : STR_NOT_FOUND;
}

size_t str_find_byte(struct str text, char byte)
{
	const char *hit = text.size ? memchr(text.data, byte, text.size) : NULL;

	return hit ? (size_t)(hit - text.data) : STR_NOT_FOUND;
}

struct str str_slice(struct str text, size_t from, size_t to)
{
	if (to > text.size)
		to = text.size;
	if (from > to)
		from = to;
	return (struct str){text.data ? text.data + from : NULL, to - from};
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

struct str str_trim(struct str text)
{
	size_t from = 0;
	size_t to = text.size;

	while (from < to && is_blank(text.data[from]))
		from++;
	while (to > from && is_blank(text.data[to - 1]))
		to--;
	return str_slice(text, from, to);
}

bool str_next(struct str *rest, char separator, struct str *part)
{
	size_t at;

	if (!rest->data)
		return false;
	at = str_find_byte(*rest, separator);
	if (at == STR_NOT_FOUND) {
		*part = *rest;
		*rest = (struct str){NULL, 0};
		return true;
	}
	*part = str_slice(*rest, 0, at);
	*rest = str_slice(*rest, at + 1, rest->size);
	return true;
}

bool str_to_u64(struct str text, uint64_t *value)
{
	uint64_t sum = 0;

	if (text.size == 0)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		unsigned digit = (unsigned)(unsigned char)text.data[i] - '0';

		if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

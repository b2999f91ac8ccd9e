/* A text without escape sequences, and where each of its bytes comes from. */
#include "core/redact_private.h"

#include <string.h>

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* "[01;32m" whose ESC was lost: its size, else 0. */
static size_t lost_colour_size(struct str text, size_t at)
{
	size_t end = at + 1;

	while (end < text.size && (is_digit(text.data[end]) || text.data[end] == ';') && end - at < 16)
		end++;
	return end < text.size && text.data[end] == 'm' && (end > at + 1 || (at && text.data[at - 1] == 0x1B))
		       ? end + 1 - at
		       : 0;
}

/* The size of the escape sequence at `at`; what an OSC says (a title) is no part of it. */
static size_t escape_size(struct str text, size_t at)
{
	size_t end = at + 2;

	if (at + 1 >= text.size)
		return 1;
	switch (text.data[at + 1]) {
	case '[':
		while (end < text.size && end - at < 64 && (unsigned char)text.data[end] >= 0x20 &&
		       (unsigned char)text.data[end] < 0x40)
			end++;
		return end < text.size && (unsigned char)text.data[end] >= 0x40 && text.data[end] > 0
			       ? end + 1 - at
			       : end - at;
	case ']':
		while (end < text.size && is_digit(text.data[end]))
			end++;
		return end < text.size && text.data[end] == ';' ? end + 1 - at : end - at;
	case '(':
	case ')':
		return at + 2 < text.size ? 3 : 2;
	case '\\':
	case '=':
	case '>':
	case 'M':
		return 2;
	default:
		return 1;
	}
}

static void begin_part(const struct buf *view, struct redact_map *map, size_t raw)
{
	vec_push(&map->parts, (struct redact_part){view->size, raw});
}

/* The size of what is no text at `at`; `blank`: it parts two texts. */
static size_t noise_size(struct str text, size_t at, bool *blank)
{
	*blank = false;
	switch (text.data[at]) {
	case 0x1B:
		/* What a title says is another text than what stands around it. */
		*blank = at + 1 < text.size && strchr("]\\", text.data[at + 1]);
		return escape_size(text, at);
	case '\a':
		*blank = true;
		return 1;
	default:
		return lost_colour_size(text, at);
	}
}

static size_t plain_end(struct str text, size_t at)
{
	while (at < text.size && text.data[at] != 0x1B && text.data[at] != '[' && text.data[at] != '\a')
		at++;
	return at;
}

bool redact_view(struct str text, bool lost_colours, struct buf *view, struct redact_map *map)
{
	if (!lost_colours && str_find_byte(text, 0x1B) == STR_NOT_FOUND)
		return false;
	begin_part(view, map, 0);
	for (size_t at = 0; at < text.size;) {
		size_t end = plain_end(text, at);
		size_t size;
		bool blank;

		buf_add(view, str_slice(text, at, end));
		at = end;
		if (at == text.size)
			break;
		size = noise_size(text, at, &blank);
		if (blank) {
			begin_part(view, map, at);
			buf_add_byte(view, ' ');
		}
		if (size)
			begin_part(view, map, at + size);
		else
			buf_add_byte(view, text.data[at]);
		at += size ? size : 1;
	}
	return true;
}

size_t redact_map_raw(const struct redact_map *map, size_t view)
{
	size_t from = 0, to = map->parts.count;

	/* The last part that begins at or before it. */
	while (to - from > 1) {
		size_t middle = from + (to - from) / 2;

		if (map->parts.items[middle].view <= view)
			from = middle;
		else
			to = middle;
	}
	return to ? map->parts.items[from].raw + (view - map->parts.items[from].view) : view;
}

/*
 * The light mark-up of texts for readers: paragraphs, items, `commands`, links. See layout_prose in layout.h.
 */
#include "base/utf8.h"
#include "ui/layout.h"

struct piece_list {
	VEC(struct layout_piece) list;
};

/* "- ", "* " or "1. " at the start of a line: its bytes, else 0. */
static size_t item_mark(struct str line)
{
	size_t digits = 0;

	if (str_starts(line, STR("- ")) || str_starts(line, STR("* ")))
		return 2;
	while (digits < line.size && digits < 2 && line.data[digits] >= '0' && line.data[digits] <= '9')
		digits++;
	if (digits == 0 || !str_starts(str_slice(line, digits, line.size), STR(". ")))
		return 0;
	return digits + 2;
}

/* Is a blank needed where these two lines are joined? Between CJK characters it is not. */
static bool is_blank_between(struct str above, struct str below)
{
	size_t size;
	size_t last = utf8_grapheme_start(above, above.size);

	return !utf8_is_wide_script(utf8_at(above, last, &size)) ||
	       !utf8_is_wide_script(utf8_at(below, 0, &size));
}

/* Bytes of the address at the start of `text`; 0: there is none. */
static size_t address_size(struct str text)
{
	size_t at = 0, size;

	if (!str_starts(text, STR("http://")) && !str_starts(text, STR("https://")))
		return 0;
	while (at < text.size) {
		uint32_t character = utf8_at(text, at, &size);

		if (character <= ' ' || character > 0x7E || character == '<' || character == '>' ||
		    character == '"' || character == '`')
			break;
		at += size;
	}
	while (at > 0 && str_find_byte(STR(".,;:!?)'"), text.data[at - 1]) != STR_NOT_FOUND)
		at--;
	return at;
}

static void add_piece(struct piece_list *pieces, struct str text, enum style style, struct str link)
{
	if (text.size > 0)
		vec_push(&pieces->list, (struct layout_piece){text, style, link});
}

static void add_plain(struct piece_list *pieces, struct str text, enum style style)
{
	size_t start = 0;

	for (size_t at = 0; at < text.size; at++) {
		struct str rest = str_slice(text, at, text.size);
		size_t size = text.data[at] == 'h' ? address_size(rest) : 0;

		if (size == 0)
			continue;
		add_piece(pieces, str_slice(text, start, at), style, (struct str){0});
		add_piece(pieces, str_slice(rest, 0, size), STYLE_LINK, str_slice(rest, 0, size));
		start = at + size;
		at = start - 1;
	}
	add_piece(pieces, str_slice(text, start, text.size), style, (struct str){0});
}

static bool is_full_width_mark(uint32_t character)
{
	return (character >= 0x3000 && character < 0x3040) || (character >= 0xFF00 && character < 0xFFE0);
}

/*
 * YAML folds the line ends of Chinese text into blanks that Chinese does not have: beside a full-width mark
 * or between two Chinese characters.
 */
static void remove_stray_blanks(struct buf *text)
{
	bool inside = false;

	for (size_t at = 0, size; at + 1 < text->size;) {
		uint32_t before = utf8_at(buf_str(text), at, &size);
		uint32_t after;

		at += size;
		inside ^= before == '`';
		if (inside || at + 1 >= text->size || text->data[at] != ' ')
			continue;
		after = utf8_at(buf_str(text), at + 1, &size);
		if (is_full_width_mark(before) || is_full_width_mark(after) ||
		    (utf8_is_wide_script(before) && utf8_is_wide_script(after)))
			buf_remove(text, at, 1);
	}
}

static void add_paragraph(struct layout *layout, const struct layout_format *format, struct str text,
			  int hang)
{
	struct layout_format own = *format;
	struct piece_list pieces = {0};
	struct str rest = text;

	own.hang = hang;
	while (rest.size > 0) {
		size_t open = str_find_byte(rest, '`');
		struct str inside =
			open == STR_NOT_FOUND ? (struct str){0} : str_slice(rest, open + 1, rest.size);
		size_t close = str_find_byte(inside, '`');

		if (open == STR_NOT_FOUND || close == STR_NOT_FOUND) {
			add_plain(&pieces, rest, format->style);
			break;
		}
		add_plain(&pieces, str_slice(rest, 0, open), format->style);
		add_piece(&pieces, str_slice(inside, 0, close), STYLE_COMMAND, (struct str){0});
		rest = str_slice(inside, close + 1, inside.size);
	}
	layout_flow(layout, &own, pieces.list.items, pieces.list.count);
	vec_release(&pieces.list);
}

void layout_prose(struct layout *layout, const struct layout_format *format, struct str text)
{
	struct buf paragraph = {0};
	struct str rest = str_trim(text), line;
	int hang = 0;

	while (str_next(&rest, '\n', &line)) {
		size_t mark;

		line = str_trim(line);
		mark = item_mark(line);
		if (paragraph.size > 0 && (line.size == 0 || mark > 0)) {
			remove_stray_blanks(&paragraph);
			add_paragraph(layout, format, buf_str(&paragraph), hang);
			buf_clear(&paragraph);
			hang = 0;
			if (line.size == 0)
				layout_blank(layout);
		}
		if (mark > 0)
			hang = (int)mark;
		if (line.size > 0 && paragraph.size > 0 && is_blank_between(buf_str(&paragraph), line))
			buf_add_byte(&paragraph, ' ');
		buf_add(&paragraph, line);
	}
	remove_stray_blanks(&paragraph);
	if (paragraph.size > 0)
		add_paragraph(layout, format, buf_str(&paragraph), hang);
	buf_release(&paragraph);
}

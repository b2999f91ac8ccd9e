#include "core/clean.h"

#include "base/utf8.h"

#include <string.h>

enum { ESCAPE = 0x1B, BELL = 0x07, DELETE = 0x7F, C1_CSI = 0x9B, BYTE_ORDER_MARK = 0xFEFF };

/* Longest escape sequence that is believed to be one: a longer run is text that follows a stray ESC. */
enum { CSI_SIZE_MAX = 64, OSC_SIZE_MAX = 4096, LOST_COLOUR_SIZE_MAX = 16 };

static size_t csi_end(struct str raw, size_t at)
{
	size_t limit = raw.size < at + CSI_SIZE_MAX ? raw.size : at + CSI_SIZE_MAX;

	for (size_t i = at; i < limit; i++) {
		unsigned char byte = (unsigned char)raw.data[i];

		if (byte >= 0x40 && byte <= 0x7E)
			return i + 1;
		if (byte < 0x20 || byte > 0x7E)
			return i;
	}
	return limit;
}

/* Strings (OSC, DCS, APC, PM) end with BEL or ESC \ and never go beyond their line. */
static size_t string_end(struct str raw, size_t at)
{
	size_t limit = raw.size < at + OSC_SIZE_MAX ? raw.size : at + OSC_SIZE_MAX;

	for (size_t i = at; i < limit; i++) {
		if (raw.data[i] == BELL)
			return i + 1;
		if (raw.data[i] == ESCAPE)
			return i + 1 < raw.size && raw.data[i + 1] == '\\' ? i + 2 : i;
		if (raw.data[i] == '\n')
			return i;
	}
	return at;
}

/* End of the escape sequence whose ESC stands at `at`. */
static size_t escape_end(struct str raw, size_t at)
{
	size_t next = at + 1;
	unsigned char kind;

	if (next >= raw.size)
		return next;
	kind = (unsigned char)raw.data[next];
	if (kind == '[')
		return csi_end(raw, next + 1);
	if (kind == ']' || kind == 'P' || kind == '_' || kind == '^' || kind == 'X')
		return string_end(raw, next + 1);
	while (next < raw.size && raw.data[next] >= 0x20 && raw.data[next] <= 0x2F)
		next++;
	if (next < raw.size && raw.data[next] >= 0x30 && raw.data[next] <= 0x7E)
		next++;
	return next;
}

/* `[36m`, `[0;31m`, `[1m`: a colour whose ESC a copy or a log collector has eaten. Else returns `at`. */
static size_t lost_colour_end(struct str raw, size_t at)
{
	size_t limit = raw.size < at + LOST_COLOUR_SIZE_MAX ? raw.size : at + LOST_COLOUR_SIZE_MAX;
	size_t i = at + 1;

	while (i < limit && ((raw.data[i] >= '0' && raw.data[i] <= '9') || raw.data[i] == ';'))
		i++;
	if (i < limit && raw.data[i] == 'm' && (i > at + 1 || i + 1 == raw.size || raw.data[i + 1] == '['))
		return i + 1;
	return at;
}

/* `\u001b[31m`, `^[[0m`: a colour whose ESC a program has spelled out. Else returns `at`. */
static size_t spelled_colour_end(struct str raw, size_t at)
{
	static const struct str spellings[] = {STR_INIT("\\u001b["), STR_INIT("\\x1b["), STR_INIT("\\033["),
					       STR_INIT("\\e["), STR_INIT("^[[")};

	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		size_t end = at + spellings[i].size;

		if (!str_starts(str_slice(raw, at, raw.size), spellings[i]))
			continue;
		while (end < raw.size && end - at < LOST_COLOUR_SIZE_MAX + 8 &&
		       ((raw.data[end] >= '0' && raw.data[end] <= '9') || raw.data[end] == ';'))
			end++;
		return end < raw.size && (raw.data[end] == 'm' || raw.data[end] == 'K') ? end + 1 : at;
	}
	return at;
}

static void end_line(struct buf *out, size_t start)
{
	size_t size = out->size;

	while (size > start && (out->data[size - 1] == ' ' || out->data[size - 1] == '\t'))
		size--;
	buf_truncate(out, size);
}

/* A character of HTML text whose sign has a meaning there: &lt; is <. Else returns `at`. */
static size_t entity_end(struct str raw, size_t at, char *sign)
{
	static const struct {
		struct str name;
		char sign;
	} entities[] = {{STR_INIT("&lt;"), '<'},    {STR_INIT("&gt;"), '>'},    {STR_INIT("&amp;"), '&'},
			{STR_INIT("&quot;"), '"'},  {STR_INIT("&apos;"), '\''}, {STR_INIT("&#39;"), '\''},
			{STR_INIT("&#x27;"), '\''}, {STR_INIT("&#34;"), '"'},   {STR_INIT("&nbsp;"), ' '},
			{STR_INIT("&#160;"), ' '}};

	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		if (str_starts(str_slice(raw, at, raw.size), entities[i].name)) {
			*sign = entities[i].sign;
			return at + entities[i].name.size;
		}
	}
	return at;
}

/*
 * What chats, word processors and web pages make of the signs that programs print: quotes that curl, blanks
 * that do not break, a hyphen or minus of their own. Zero is for what has no width.
 */
static uint32_t plain_character(uint32_t character)
{
	switch (character) {
	case 0x2018: /* curled single quotes */
	case 0x2019:
	case 0x201B:
		return '\'';
	case 0x201C: /* curled double quotes */
	case 0x201D:
	case 0x201F:
		return '"';
	case 0x00A0: /* no-break, figure and narrow blanks, the ideographic one */
	case 0x2007:
	case 0x202F:
	case 0x3000:
		return ' ';
	case 0x2010: /* hyphens, minus */
	case 0x2011:
	case 0x2212:
		return '-';
	case 0x200B: /* zero width blank and joiners, byte order mark */
	case 0x200C:
	case 0x200D:
	case 0x2060:
	case BYTE_ORDER_MARK:
		return 0;
	default:
		return character;
	}
}

/* One character, or what is taken away whole. Returns its end. */
static size_t clean_one(struct buf *out, struct str raw, size_t at)
{
	unsigned char byte = (unsigned char)raw.data[at];
	size_t end = at + 1;
	uint32_t character;
	size_t size;

	if (byte == ESCAPE)
		return escape_end(raw, at);
	if (byte == '[') {
		end = lost_colour_end(raw, at);
		if (end > at)
			return end;
		buf_add_byte(out, '[');
		return at + 1;
	}
	if (byte == '\\' || byte == '^') {
		end = spelled_colour_end(raw, at);
		if (end == at)
			buf_add_byte(out, (char)byte);
		return end > at ? end : at + 1;
	}
	if (byte == '&') {
		char sign = '&';

		end = entity_end(raw, at, &sign);
		buf_add_byte(out, sign);
		return end > at ? end : at + 1;
	}
	if (byte == '\b') { /* overstrike, as man pages and old spinners use it */
		if (out->size && out->data[out->size - 1] > ' ')
			buf_truncate(out, out->size - 1);
		return end;
	}
	if (byte == '\t' || (byte >= ' ' && byte < DELETE)) {
		buf_add_byte(out, (char)byte);
		return end;
	}
	if (byte < 0x80)
		return end;
	character = utf8_at(raw, at, &size);
	if (character >= 0x80 && character < 0xA0)
		return character == C1_CSI ? csi_end(raw, at + size) : at + size;
	character = plain_character(character);
	if (character)
		utf8_add(out, character);
	return at + size;
}

static inline bool is_plain(char byte)
{
	return byte >= ' ' && byte < DELETE && byte != '[' && byte != '\\' && byte != '^' && byte != '&';
}

/* End of the printable ASCII that starts at `at` and holds nothing to think about. */
static size_t plain_end(struct str raw, size_t at)
{
	while (at < raw.size && is_plain(raw.data[at]))
		at++;
	return at;
}

void clean_add(struct buf *out, struct str raw)
{
	size_t line = out->size;
	size_t at = 0;

	buf_reserve(out, raw.size);
	while (at < raw.size) {
		size_t end = at;

		if (raw.data[at] != '\r' && raw.data[at] != '\n') {
			end = plain_end(raw, at);
			buf_add(out, str_slice(raw, at, end));
			at = end > at ? end : clean_one(out, raw, at);
			continue;
		}
		while (end < raw.size && raw.data[end] == '\r')
			end++;
		end_line(out, line);
		/* Carriage returns before a line end belong to it; elsewhere a progress bar starts again. */
		if (end < raw.size && (raw.data[end] == '\n' || out->size > line))
			buf_add_byte(out, '\n');
		line = out->size;
		at = end < raw.size && raw.data[end] == '\n' ? end + 1 : end;
	}
	end_line(out, line);
}

bool clean_is_plain(struct str raw)
{
	char sign;

	for (size_t i = 0; i < raw.size; i++) {
		unsigned char byte = (unsigned char)raw.data[i];

		if ((byte < ' ' && byte != '\t') || byte >= DELETE)
			return false;
		if (byte == '&' && entity_end(raw, i, &sign) > i)
			return false;
		if ((byte == '\\' || byte == '^') && spelled_colour_end(raw, i) > i)
			return false;
		if (byte == '[' && lost_colour_end(raw, i) > i)
			return false;
	}
	return !raw.size || (raw.data[raw.size - 1] != ' ' && raw.data[raw.size - 1] != '\t');
}

static int hex_digit(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

/* \uXXXX at `at` (of the backslash), pairs of surrogates as one; returns its end, `at` when it is none. */
static size_t unescape_unicode(struct buf *out, struct str text, size_t at)
{
	uint32_t character = 0;
	uint32_t high = 0;

	for (;;) {
		uint32_t unit = 0;

		if (at + 6 > text.size || text.data[at] != '\\' || text.data[at + 1] != 'u')
			break;
		for (size_t i = at + 2; i < at + 6; i++) {
			int digit = hex_digit(text.data[i]);

			if (digit < 0)
				return at;
			unit = unit * 16 + (uint32_t)digit;
		}
		at += 6;
		if (unit >= 0xD800 && unit < 0xDC00 && !high) {
			high = unit;
			continue;
		}
		character = unit;
		if (high && unit >= 0xDC00 && unit < 0xE000)
			character = 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
		break;
	}
	if (character)
		utf8_add(out, character >= 0xD800 && character < 0xE000 ? UTF8_INVALID : character);
	return at;
}

bool clean_is_escaped(struct str text)
{
	return str_find(text, STR("\\n")) != STR_NOT_FOUND || str_find(text, STR("\\u001b")) != STR_NOT_FOUND;
}

bool clean_unescape(struct buf *out, struct str text)
{
	static const char from[] = "ntr\"'/";
	static const char to[] = "\n\t\n\"'/";

	if (!clean_is_escaped(text))
		return false;
	for (size_t at = 0; at < text.size;) {
		size_t slash = at;
		const char *known;
		size_t end;

		if (text.data[at] != '\\') {
			buf_add_byte(out, text.data[at++]);
			continue;
		}
		/* A string inside a string doubles its backslashes, once for each wrapping. */
		while (slash + 1 < text.size && text.data[slash + 1] == '\\')
			slash++;
		if (slash + 1 == text.size)
			return true;
		known = memchr(from, text.data[slash + 1], sizeof(from) - 1);
		end = text.data[slash + 1] == 'u' ? unescape_unicode(out, text, slash) : slash;
		if (known)
			buf_add_byte(out, to[known - from]);
		else if (end == slash)
			buf_add_byte(out, '\\');
		at = known ? slash + 2 : (end > slash ? end : slash + 1);
	}
	return true;
}

static void utf16_unit(struct clean_utf16 *state, struct buf *out, uint32_t unit)
{
	uint32_t high = state->high;

	state->high = 0;
	if (unit >= 0xDC00 && unit < 0xE000) {
		utf8_add(out, high ? 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00) : UTF8_INVALID);
		return;
	}
	if (high)
		utf8_add(out, UTF8_INVALID);
	if (unit >= 0xD800 && unit < 0xDC00)
		state->high = unit;
	else
		utf8_add(out, unit);
}

void clean_utf16_add(struct clean_utf16 *state, struct buf *out, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (!state->has_odd) {
			state->odd = byte;
			state->has_odd = true;
			continue;
		}
		state->has_odd = false;
		utf16_unit(state, out,
			   state->big_endian ? (uint32_t)state->odd << 8 | byte
					     : (uint32_t)byte << 8 | state->odd);
	}
}

void clean_utf16_finish(struct clean_utf16 *state, struct buf *out)
{
	if (state->high || state->has_odd)
		utf8_add(out, UTF8_INVALID);
	state->high = 0;
	state->has_odd = false;
}

#include "core/json_pull.h"

#include <string.h>

void json_pull_open(struct json_pull *json, struct str text)
{
	*json = (struct json_pull){.rest = text, .start = text.data};
}

void json_pull_close(struct json_pull *json)
{
	buf_release(&json->unescaped);
}

size_t json_pull_offset(const struct json_pull *json)
{
	return (size_t)(json->rest.data - json->start);
}

static void skip_blanks(struct json_pull *json)
{
	size_t i = 0;

	while (i < json->rest.size && strchr(" \t\r\n", json->rest.data[i]) && json->rest.data[i])
		i++;
	json->rest = str_slice(json->rest, i, json->rest.size);
}

static bool take(struct json_pull *json, char byte)
{
	if (!json->rest.size || json->rest.data[0] != byte)
		return false;
	json->rest = str_slice(json->rest, 1, json->rest.size);
	return true;
}

static bool hex_four(struct str text, uint32_t *number)
{
	*number = 0;
	for (size_t i = 0; i < 4; i++) {
		char byte = i < text.size ? text.data[i] : 0;

		if (!((byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f')))
			return false;
		*number = *number << 4 | (uint32_t)(byte <= '9' ? byte - '0' : (byte | 0x20) - 'a' + 10);
	}
	return true;
}

static void add_character(struct buf *out, uint32_t code)
{
	char bytes[4];
	size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = size; i-- > 1; code >>= 6)
		bytes[i] = (char)(0x80 | (code & 0x3F));
	bytes[0] = (char)(size == 1 ? code : (0xF00u >> size & 0xFF) | code);
	buf_add_bytes(out, bytes, size);
}

/* Behind a backslash; returns how many bytes it takes, 0: it is none. */
static size_t unescape(struct str text, struct buf *out)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter = text.size && text.data[0] ? strchr(letters, text.data[0]) : NULL;
	uint32_t code, low;

	if (letter) {
		buf_add_byte(out, bytes[letter - letters]);
		return 1;
	}
	if (!text.size || text.data[0] != 'u' || !hex_four(str_slice(text, 1, text.size), &code))
		return 0;
	if (code >= 0xD800 && code < 0xDC00 && text.size > 10 && text.data[5] == '\\' &&
	    text.data[6] == 'u' && hex_four(str_slice(text, 7, text.size), &low) && low >= 0xDC00 &&
	    low < 0xE000) {
		add_character(out, 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00));
		return 11;
	}
	add_character(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
	return 5;
}

/* Behind the opening quote. */
static bool take_text(struct json_pull *json)
{
	struct str rest = json->rest;
	size_t i = 0, from = 0;

	buf_clear(&json->unescaped);
	for (;; i++) {
		if (i >= rest.size || (unsigned char)rest.data[i] < ' ') {
			json->rest = str_slice(rest, i, rest.size);
			return false;
		}
		if (rest.data[i] == '"')
			break;
		if (rest.data[i] == '\\') {
			size_t size;

			buf_add(&json->unescaped, str_slice(rest, from, i));
			size = unescape(str_slice(rest, i + 1, rest.size), &json->unescaped);
			if (!size) {
				json->rest = str_slice(rest, i, rest.size);
				return false;
			}
			i += size;
			from = i + 1;
		}
	}
	if (from)
		buf_add(&json->unescaped, str_slice(rest, from, i));
	json->text = from ? buf_str(&json->unescaped) : str_slice(rest, 0, i);
	json->rest = str_slice(rest, i + 1, rest.size);
	return true;
}

/* A number, true, false, null: anything of their letters is let through, a reader of numbers checks it. */
static bool take_other(struct json_pull *json)
{
	size_t i = 0;

	while (i < json->rest.size && json->rest.data[i] > ' ' && !strchr(",]}:\"[{", json->rest.data[i]))
		i++;
	json->text = str_slice(json->rest, 0, i);
	json->rest = str_slice(json->rest, i, json->rest.size);
	return i > 0 && (strchr("-0123456789", json->text.data[0]) || str_equal(json->text, STR("true")) ||
			 str_equal(json->text, STR("false")) || str_equal(json->text, STR("null")));
}

static enum json_kind value_is_over(struct json_pull *json, enum json_kind kind)
{
	json->wants = json->depth ? JSON_WANTS_COMMA : JSON_IS_OVER;
	return kind;
}

static enum json_kind open(struct json_pull *json, char closer)
{
	if (json->depth == JSON_DEPTH_MOST)
		return JSON_BAD;
	json->closers[json->depth++] = closer;
	json->wants = closer == '}' ? JSON_WANTS_KEY : JSON_WANTS_VALUE;
	json->first = true;
	return closer == '}' ? JSON_OBJECT : JSON_ARRAY;
}

static bool closes(struct json_pull *json)
{
	if (!json->depth || !take(json, json->closers[json->depth - 1]))
		return false;
	json->depth--;
	json->first = false;
	return true;
}

static enum json_kind close_one(struct json_pull *json)
{
	return value_is_over(json, json->closers[json->depth] == '}' ? JSON_OBJECT_END : JSON_ARRAY_END);
}

static enum json_kind next_value(struct json_pull *json)
{
	json->first = false;
	if (take(json, '{'))
		return open(json, '}');
	if (take(json, '['))
		return open(json, ']');
	if (take(json, '"'))
		return take_text(json) ? value_is_over(json, JSON_TEXT) : JSON_BAD;
	return take_other(json) ? value_is_over(json, JSON_OTHER) : JSON_BAD;
}

enum json_kind json_pull_next(struct json_pull *json)
{
	skip_blanks(json);
	if (json->wants == JSON_IS_OVER)
		return json->rest.size ? JSON_BAD : JSON_END;
	if (json->wants == JSON_WANTS_COMMA) {
		if (closes(json))
			return close_one(json);
		if (!take(json, ','))
			return JSON_BAD;
		json->wants = json->closers[json->depth - 1] == '}' ? JSON_WANTS_KEY : JSON_WANTS_VALUE;
		skip_blanks(json);
	} else if (json->first && closes(json)) {
		return close_one(json);
	}
	if (json->wants == JSON_WANTS_VALUE)
		return next_value(json);
	json->first = false;
	if (!take(json, '"') || !take_text(json))
		return JSON_BAD;
	skip_blanks(json);
	if (!take(json, ':'))
		return JSON_BAD;
	json->wants = JSON_WANTS_VALUE;
	return JSON_KEY;
}

bool json_pull_skip(struct json_pull *json)
{
	size_t depth = json->depth;

	do {
		enum json_kind kind = json_pull_next(json);

		if (kind == JSON_BAD || kind == JSON_END)
			return false;
	} while (json->depth > depth);
	return true;
}

#include "core/fill_shell.h"

#include "base/utf8.h"

#include <string.h>

/* Words that a shell takes for its own where they stand unquoted. */
static const struct str reserved_words[] = {
	STR_INIT("if"),   STR_INIT("then"),   STR_INIT("elif"),  STR_INIT("else"),     STR_INIT("fi"),
	STR_INIT("for"),  STR_INIT("while"),  STR_INIT("until"), STR_INIT("do"),       STR_INIT("done"),
	STR_INIT("case"), STR_INIT("esac"),   STR_INIT("in"),    STR_INIT("function"), STR_INIT("select"),
	STR_INIT("time"), STR_INIT("coproc"),
};

/* Bytes that mean nothing to a shell anywhere. No comma: {<X>,b} would make two words of a,c. */
static bool is_plain_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
	       (byte != '\0' && strchr("_./:@%+-", byte));
}

static bool is_plain(struct str value)
{
	for (size_t i = 0; i < value.size; i++) {
		if (!is_plain_byte(value.data[i]))
			return false;
	}
	for (size_t i = 0; i < sizeof(reserved_words) / sizeof(reserved_words[0]); i++) {
		if (str_equal(value, reserved_words[i]))
			return false;
	}
	return value.size > 0;
}

static bool is_number(struct str value)
{
	for (size_t i = 0; i < value.size; i++) {
		if (value.data[i] < '0' || value.data[i] > '9')
			return false;
	}
	return value.size > 0;
}

/*
 * How many bytes at `at` are a control character, other than a line end? Pasted into a terminal, such a byte
 * would be a key: a tab completes, ^C interrupts, an escape ends the paste.
 */
static size_t control_size(struct str value, size_t at)
{
	size_t size;
	uint32_t character = utf8_at(value, at, &size);

	if (character == '\n' || character == UTF8_INVALID)
		return 0;
	return character < 0x20 || (character >= 0x7F && character < 0xA0) ? size : 0;
}

static bool has_control(struct str value)
{
	for (size_t at = 0, size; at < value.size; at += size) {
		utf8_at(value, at, &size);
		if (control_size(value, at))
			return true;
	}
	return false;
}

/* An expansion that gives these bytes and has none of them; both bash and sh know it. */
static void put_printf(struct str bytes, struct buf *out)
{
	buf_add(out, STR("$(printf '"));
	for (size_t i = 0; i < bytes.size; i++)
		buf_add_format(out, "\\%03o", (unsigned)(unsigned char)bytes.data[i]);
	buf_add(out, STR("')"));
}

/* The inside of single quotes. */
static void put_single_quoted(struct str value, struct buf *out)
{
	for (size_t at = 0, size; at < value.size; at += size) {
		size_t control = control_size(value, at);

		utf8_at(value, at, &size);
		if (control) {
			buf_add(out, STR("'\""));
			put_printf(str_slice(value, at, at + control), out);
			buf_add(out, STR("\"'"));
		} else if (value.data[at] == '\'') {
			buf_add(out, STR("'\\''"));
		} else {
			buf_add(out, str_slice(value, at, at + size));
		}
	}
}

/* The inside of double quotes (`quotes`) or of a here-document whose delimiter is bare. */
static void put_expanding(struct str value, bool quotes, struct buf *out)
{
	for (size_t at = 0, size; at < value.size; at += size) {
		char byte = value.data[at];
		size_t control = control_size(value, at);

		utf8_at(value, at, &size);
		if (control) {
			put_printf(str_slice(value, at, at + control), out);
			continue;
		}
		if (byte == '!' && quotes) {
			/* An interactive bash would put an old command here; only single quotes stop it. */
			buf_add(out, STR("\"'!'\""));
			continue;
		}
		if (byte == '\\' || byte == '$' || byte == '`' || (byte == '"' && quotes))
			buf_add_byte(out, '\\');
		buf_add(out, str_slice(value, at, at + size));
	}
}

static void put_bare(struct str value, char next, struct buf *out)
{
	/* 2 before > is a file descriptor, not an argument. */
	if (is_plain(value) && !(is_number(value) && (next == '<' || next == '>'))) {
		buf_add(out, value);
		return;
	}
	buf_add_byte(out, '\'');
	put_single_quoted(value, out);
	buf_add_byte(out, '\'');
}

/*
 * Could a line be taken for the end of the here-document? A line inside the value is it or is not; its first
 * and last one stand beside what the command has there, so no part of the delimiter will do.
 */
static bool may_end_heredoc(const struct shell_heredoc *heredoc, struct str value)
{
	struct str delimiter = {heredoc->delimiter, heredoc->size};
	struct str rest = value, line;

	for (bool first = true; str_next(&rest, '\n', &line); first = false) {
		bool at_end = first || !rest.data;

		if (heredoc->tabs && line.size && line.data[0] == '\t')
			return true; /* the tab would be taken off */
		if (at_end ? str_find(delimiter, line) != STR_NOT_FOUND : str_equal(delimiter, line))
			return true;
	}
	return false;
}

/* Put it as it is, where it needs no quoting or where there is none. */
static enum fill_problem put_if(bool fits, struct str value, struct buf *out)
{
	if (!fits)
		return FILL_BAD_PLACE;
	buf_add(out, value);
	return FILL_OK;
}

static enum fill_problem put_at(const struct shell_lexer *lexer, struct str value, char next, struct buf *out)
{
	switch (shell_place(lexer)) {
	case FILL_BARE:
		put_bare(value, next, out);
		return FILL_OK;
	case FILL_DOUBLE_QUOTED:
		put_expanding(value, true, out);
		return FILL_OK;
	case FILL_SINGLE_QUOTED:
		put_single_quoted(value, out);
		return FILL_OK;
	case FILL_HEREDOC:
		if (may_end_heredoc(&lexer->heredocs[0], value))
			return FILL_BAD_PLACE;
		put_expanding(value, false, out);
		return FILL_OK;
	case FILL_HEREDOC_LITERAL:
		return put_if(!has_control(value) && !may_end_heredoc(&lexer->heredocs[0], value), value,
			      out);
	case FILL_COMMENT:
		return put_if(!has_control(value) && str_find_byte(value, '\n') == STR_NOT_FOUND, value, out);
	case FILL_STRICT:
		return put_if(is_plain(value), value, out);
	case FILL_NUMBER:
		return put_if(is_number(value), value, out);
	}
	return FILL_BAD_PLACE;
}

enum fill_problem shell_put(const struct shell_lexer *lexer, const struct placeholder *placeholder,
			    struct str value, char next, struct buf *out)
{
	enum fill_place place = shell_place(lexer);
	bool begins_word =
		!lexer->has_text && place <= FILL_SINGLE_QUOTED && placeholder->kind != PLACEHOLDER_WORDS;

	if (memchr(value.data ? value.data : "", '\0', value.size))
		return FILL_BAD_VALUE; /* no command can hold it */
	if (placeholder->kind == PLACEHOLDER_WORDS && place == FILL_BARE) {
		buf_add(out, value);
		return FILL_OK;
	}
	if (begins_word && value.size && value.data[0] == '-') {
		if (placeholder->kind != PLACEHOLDER_PATH)
			return FILL_OPTION;
		buf_add(out, STR("./"));
	}
	return put_at(lexer, value, next, out);
}

void shell_add_word(struct buf *out, struct str value)
{
	put_bare(value, 0, out);
}

/* Private keys and certificates: everything between their BEGIN and END lines. */
#include "core/redact_private.h"

#include <string.h>

/* A key of 16384 bits has some 200 lines; a file of certificates more. */
enum { KEY_LINES_MAX = 2000, SHORT_BODY = 32, PREFIX_BLANKS = 2 };

static bool is_base64(char byte)
{
	return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') ||
	       (byte && strchr("+/=_-", byte));
}

/* The run of base64 at the end of a line; quotes, commas and "\n" of a string may follow it. */
static struct str body_of(struct str line)
{
	size_t to, from;

	while (line.size && strchr(" \t\r\",';+\\)", line.data[line.size - 1]))
		line.size--;
	if (str_ends(line, STR("\\n")))
		line.size -= 2;
	to = line.size;
	for (from = to; from && is_base64(line.data[from - 1]);)
		from--;
	return str_slice(line, from, to);
}

static bool ends_with_token(struct str line)
{
	struct str name = str_trim(line);
	size_t open = name.size;
	enum redact_kind kind;
	uint64_t number;

	while (open && name.data[open - 1] != '<')
		open--;
	return open && redact_name_size(name, open - 1, &kind, &number) == name.size - open + 1 &&
	       kind == REDACT_TOKEN;
}

static bool is_header(struct str line)
{
	return str_find(line, STR("Proc-Type:")) != STR_NOT_FOUND ||
	       str_find(line, STR("DEK-Info:")) != STR_NOT_FOUND ||
	       str_find(line, STR("Version:")) != STR_NOT_FOUND ||
	       str_find(line, STR("Comment:")) != STR_NOT_FOUND;
}

static size_t blanks_before(struct str line, struct str body)
{
	struct str before = str_trim(str_slice(line, 0, (size_t)(body.data - line.data)));
	size_t blanks = 0;

	for (size_t i = 0; i < before.size; i++)
		blanks += before.data[i] == ' ';
	return blanks;
}

static void take_line(struct redact *redact, struct str block, struct str line)
{
	struct str body = body_of(line);
	size_t from;

	if (str_find(line, STR("-----END")) != STR_NOT_FOUND || ++redact->key_lines > KEY_LINES_MAX) {
		redact->in_key = false;
		return;
	}
	if (is_header(line))
		return;
	if (!body.size) {
		/* An empty line, or the name that stands for the body already. */
		redact->in_key = str_trim(line).size == 0 || ends_with_token(line);
		return;
	}
	/* The last line of a key is short; a line of words is something else. */
	if (body.size < SHORT_BODY && blanks_before(line, body) > PREFIX_BLANKS) {
		redact->in_key = false;
		return;
	}
	from = (size_t)(body.data - block.data);
	redact_add_span(redact, (struct redact_span){.from = from,
						     .to = from + body.size,
						     .kind = REDACT_TOKEN,
						     .rule = RULE_REPEATED,
						     .alias = REDACT_NONE});
}

static bool begins_key(struct str line)
{
	static const char *const kinds[] = {"PRIVATE KEY", "CERTIFICATE", "PGP", "SSH2", "PARAMETERS"};
	size_t begin = str_find(line, STR("-----BEGIN "));

	if (begin == STR_NOT_FOUND || str_find(line, STR("-----END")) != STR_NOT_FOUND)
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (str_find(str_slice(line, begin, line.size), str_of(kinds[i])) != STR_NOT_FOUND)
			return true;
	}
	return false;
}

void redact_key_lines(struct redact *redact, struct str block)
{
	size_t at = 0;

	while (at < block.size) {
		struct str rest = str_slice(block, at, block.size);
		size_t size = str_find_byte(rest, '\n');
		struct str line = str_slice(rest, 0, size);

		if (!redact->in_key) {
			size_t begin = str_find(rest, STR("-----BEGIN "));

			if (begin == STR_NOT_FOUND)
				return;
			if (begin > line.size) { /* go to its line */
				while (begin && rest.data[begin - 1] != '\n')
					begin--;
				at += begin;
				continue;
			}
			redact->in_key = begins_key(line);
			redact->key_lines = 0;
		} else {
			take_line(redact, block, line);
		}
		at += line.size + 1;
	}
}

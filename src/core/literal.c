#include "core/literal.h"

#include "base/buf.h"

#include <string.h>

enum {
	DEPTH_MAX = 60,
	ALTERNATIVES_MAX = 200,
	PIECE_SIZE = 10, /* of a long text; enough to be rare, short enough to fall between two line wraps */
	COMMON_FREQUENCY = 1 << 14, /* from here on a set is left out where there is a better one */
	RUN_SIZE_MAX = 4096,
	REPEAT_UNBOUNDED = -1
};

struct sets {
	VEC(struct literal_set) list;
};

/* The pattern as far as it is read. */
struct parser {
	struct str pattern;
	size_t at;
	bool caseless; /* (?i) */
	bool extended; /* (?x) */
	bool failed;   /* something that this reader does not know: no literals at all */
	int depth;
	const struct frequencies *frequencies;
	struct arena *arena;
};

/* Characters that must follow each other, as far as they are read. */
struct run {
	struct buf text;
	bool caseless;
	bool starts_word;
	size_t boundary; /* size of `text` where \b stood, or STR_NOT_FOUND */
};

static void parse_alternatives(struct parser *parser, struct sets *out);

static bool more(const struct parser *parser)
{
	return !parser->failed && parser->at < parser->pattern.size;
}

static char peek(const struct parser *parser)
{
	return parser->at < parser->pattern.size ? parser->pattern.data[parser->at] : '\0';
}

static bool looking_at(const struct parser *parser, const char *text)
{
	return str_starts(str_slice(parser->pattern, parser->at, parser->pattern.size), str_of(text));
}

static bool is_word(char byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
	       byte == '_';
}

static bool is_letter(char byte)
{
	return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

static bool has_letter(struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (is_letter(text.data[i]))
			return true;
	}
	return false;
}

static void add_set(struct sets *out, struct literal_set set)
{
	vec_push(&out->list, set);
}

static void add_piece(struct parser *parser, struct sets *out, const struct run *run, size_t from, size_t to)
{
	struct str text = buf_str(&run->text);
	struct str piece = str_slice(text, from, to);
	struct literal *literal = arena_take(parser->arena, sizeof(*literal));

	literal->text = arena_copy(parser->arena, piece);
	literal->caseless = run->caseless && has_letter(piece);
	literal->starts_word = run->starts_word && from == 0 && is_word(piece.data[0]);
	literal->ends_word = run->boundary == to && to == text.size && is_word(piece.data[piece.size - 1]);
	literal->frequency = frequencies_cheapest(parser->frequencies, literal->text, &literal->first_window);
	/* What logs escape, colour or transcode is found less surely. */
	for (size_t i = 0; i < piece.size; i++) {
		if (memchr("\"\\/'", piece.data[i], 4) || (unsigned char)piece.data[i] >= 0x80) {
			literal->frequency = frequency_sum(literal->frequency, COMMON_FREQUENCY / 2);
			break;
		}
	}
	add_set(out, (struct literal_set){literal, 1, literal->frequency});
}

/* The rarest piece of text[from, to), then those on its two sides. */
static void cut_run(struct parser *parser, struct sets *out, const struct run *run, size_t from, size_t to,
		    int depth)
{
	struct str text = buf_str(&run->text);
	size_t start, end, first;

	if (to - from < LITERAL_SIZE_MIN || depth > 8)
		return;
	if (to - from < PIECE_SIZE + LITERAL_SIZE_MIN) {
		add_piece(parser, out, run, from, to);
		return;
	}
	frequencies_cheapest(parser->frequencies, str_slice(text, from, to), &first);
	start = from + first;
	end = start + PIECE_SIZE < to ? start + PIECE_SIZE : to;
	start = end - from >= PIECE_SIZE ? end - PIECE_SIZE : from;
	add_piece(parser, out, run, start, end);
	cut_run(parser, out, run, from, start, depth + 1);
	cut_run(parser, out, run, end, to, depth + 1);
}

/* The run is over: cut it into pieces, each of which must occur. */
static void end_run(struct parser *parser, struct sets *out, struct run *run)
{
	if (run->text.size <= RUN_SIZE_MAX)
		cut_run(parser, out, run, 0, run->text.size, 0);
	buf_clear(&run->text);
	run->starts_word = false;
	run->boundary = STR_NOT_FOUND;
}

/* {2}, {2,}, {2,5} at the cursor; false when the brace is a literal one. */
static bool parse_braces(struct parser *parser, int *least, int *most)
{
	size_t at = parser->at + 1;
	int numbers[2] = {0, REPEAT_UNBOUNDED};
	int which = 0;
	bool digits = false;

	for (; at < parser->pattern.size; at++) {
		char byte = parser->pattern.data[at];

		if (byte >= '0' && byte <= '9') {
			if (numbers[which] < 0)
				numbers[which] = 0;
			numbers[which] =
				numbers[which] < 100000 ? numbers[which] * 10 + (byte - '0') : 100000;
			digits = true;
		} else if (byte == ',' && which == 0 && digits) {
			which = 1;
		} else {
			break;
		}
	}
	if (!digits || at >= parser->pattern.size || parser->pattern.data[at] != '}')
		return false;
	parser->at = at + 1;
	*least = numbers[0];
	*most = which ? numbers[1] : numbers[0];
	return true;
}

static void parse_repeat(struct parser *parser, int *least, int *most)
{
	*least = 1;
	*most = 1;
	switch (peek(parser)) {
	case '*':
		*least = 0;
		*most = REPEAT_UNBOUNDED;
		break;
	case '+':
		*most = REPEAT_UNBOUNDED;
		break;
	case '?':
		*least = 0;
		break;
	case '{':
		if (!parse_braces(parser, least, most))
			return;
		parser->at--;
		break;
	default:
		return;
	}
	parser->at++;
	if (peek(parser) == '?' || peek(parser) == '+')
		parser->at++;
}

/* [...] at the cursor. Returns its only byte if it has just one, else NUL. */
static char parse_class(struct parser *parser)
{
	size_t start = ++parser->at;
	size_t members = 0;
	char only = '\0';

	if (peek(parser) == '^') {
		parser->at++;
		members = 2;
		start++;
	}
	while (more(parser) && (peek(parser) != ']' || parser->at == start)) {
		if (looking_at(parser, "[:")) {
			size_t end = str_find(str_slice(parser->pattern, parser->at, parser->pattern.size),
					      STR(":]"));

			members = 2;
			parser->at += end == STR_NOT_FOUND ? 1 : end + 2;
			continue;
		}
		if (looking_at(parser, "\\Q")) {
			parser->failed = true;
			return '\0';
		}
		if (peek(parser) == '\\') {
			parser->at++;
			if (is_word(peek(parser)))
				members = 2;
		}
		only = peek(parser);
		members++;
		parser->at++;
	}
	parser->at++;
	return members == 1 && only > 0 ? only : '\0';
}

/* Skip to behind the `close` that ends a name or a comment. */
static void skip_to(struct parser *parser, char close)
{
	while (more(parser) && peek(parser) != close)
		parser->at++;
	parser->at++;
}

enum group_kind { GROUP_PLAIN, GROUP_LOOK, GROUP_UNKNOWN, GROUP_NOTHING };

/* (?i), (?i-s), (?i: at the cursor, which is behind "(?". */
static enum group_kind parse_flags(struct parser *parser)
{
	bool on = true;

	for (; more(parser); parser->at++) {
		char byte = peek(parser);

		if (byte == ')' || byte == ':') {
			parser->at++;
			return byte == ')' ? GROUP_NOTHING : GROUP_PLAIN;
		}
		if (byte == '-')
			on = false;
		else if (byte == '^')
			parser->caseless = parser->extended = false;
		else if (byte == 'i')
			parser->caseless = on;
		else if (byte == 'x')
			parser->extended = on;
		else if (!memchr("msnUJa", byte, 6))
			break;
	}
	parser->failed = true;
	return GROUP_NOTHING;
}

/* What a group is; the cursor goes from its parenthesis to its first alternative. */
static enum group_kind parse_group_head(struct parser *parser)
{
	parser->at++;
	if (peek(parser) == '*') {
		parser->failed = true; /* (*ACCEPT) and others change what must match */
		return GROUP_NOTHING;
	}
	if (peek(parser) != '?')
		return GROUP_PLAIN;
	parser->at++;
	if (looking_at(parser, "=") || looking_at(parser, "!")) {
		parser->at++;
		return GROUP_LOOK;
	}
	if (looking_at(parser, "<=") || looking_at(parser, "<!")) {
		parser->at += 2;
		return GROUP_LOOK;
	}
	if (looking_at(parser, ":") || looking_at(parser, ">") || looking_at(parser, "|")) {
		parser->at++;
		return GROUP_PLAIN;
	}
	if (looking_at(parser, "<") || looking_at(parser, "P<") || looking_at(parser, "'")) {
		char close = looking_at(parser, "'") ? '\'' : '>';

		parser->at += looking_at(parser, "P<") ? 2 : 1;
		skip_to(parser, close);
		return GROUP_PLAIN;
	}
	if (peek(parser) == '#' || peek(parser) == 'R' || peek(parser) == '&' || peek(parser) == 'P' ||
	    (peek(parser) >= '0' && peek(parser) <= '9')) {
		bool comment = peek(parser) == '#';

		skip_to(parser, ')');
		return comment ? GROUP_NOTHING : GROUP_UNKNOWN;
	}
	if (peek(parser) == '(') {
		parser->failed = true; /* conditional */
		return GROUP_NOTHING;
	}
	return parse_flags(parser);
}

/* A group at the cursor, with what it adds to the run and the sets. */
static void parse_group(struct parser *parser, struct sets *out, struct run *run)
{
	bool caseless = parser->caseless;
	bool extended = parser->extended;
	enum group_kind kind = parse_group_head(parser);
	struct sets inner = {0};
	int least = 1;
	int most = 1;

	if (parser->failed)
		return;
	if (kind == GROUP_NOTHING) { /* a comment, or flags that hold to the end of the enclosing group */
		if (run->text.size && run->caseless != parser->caseless)
			end_run(parser, out, run);
		run->caseless = parser->caseless;
		return;
	}
	if (kind != GROUP_UNKNOWN) {
		parse_alternatives(parser, &inner);
		if (peek(parser) != ')')
			parser->failed = true;
		parser->at++;
	}
	parser->caseless = caseless;
	parser->extended = extended;
	parse_repeat(parser, &least, &most);
	if (kind != GROUP_LOOK) {
		end_run(parser, out, run);
		for (size_t i = 0; least > 0 && i < inner.list.count; i++)
			add_set(out, inner.list.items[i]);
	}
	vec_release(&inner.list);
}

static int hex_value(struct parser *parser, size_t digits)
{
	int value = 0;

	for (size_t i = 0; i < digits; i++, parser->at++) {
		char byte = peek(parser);

		if (byte >= '0' && byte <= '9')
			value = value * 16 + (byte - '0');
		else if ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f')
			value = value * 16 + ((byte | 0x20) - 'a' + 10);
		else
			return i ? value : -1;
	}
	return value;
}

/* An escape at the cursor. Returns the ASCII byte it stands for, or NUL for anything else. */
static char parse_escape(struct parser *parser, struct run *run, bool *zero_width)
{
	char byte;
	int value;

	parser->at++;
	byte = peek(parser);
	parser->at++;
	if (!is_word(byte))
		return byte > 0 ? byte : '\0';
	if (memchr("bBAzZGK", byte, 7)) {
		*zero_width = true;
		if (byte == 'b' && run->text.size == 0)
			run->starts_word = true;
		if (byte == 'b')
			run->boundary = run->text.size;
		return '\0';
	}
	if (byte == 'x' && peek(parser) != '{') {
		value = hex_value(parser, 2);
		return value > 0 && value < 0x80 ? (char)value : '\0';
	}
	if (peek(parser) == '{' && memchr("xpPgkNo", byte, 7))
		skip_to(parser, '}');
	else if (peek(parser) == '<' && (byte == 'k' || byte == 'g'))
		skip_to(parser, '>');
	else if (byte == 'p' || byte == 'P')
		parser->at++;
	else if (byte == 'c' || byte == 'E' || byte == 'C')
		parser->failed = true;
	return '\0';
}

/* One literal byte (or NUL: one of several characters), then its repetition. */
static void add_atom(struct parser *parser, struct sets *out, struct run *run, char byte)
{
	int least, most;

	parse_repeat(parser, &least, &most);
	if (run->text.size && run->caseless != parser->caseless)
		end_run(parser, out, run);
	run->caseless = parser->caseless;
	if (!byte || byte == '\n' || byte == '\r' || least == 0) {
		end_run(parser, out, run);
		return;
	}
	buf_add_byte(&run->text, byte);
	if (most != 1)
		end_run(parser, out, run);
}

/* \Q...\E at the cursor. */
static void parse_quoted(struct parser *parser, struct sets *out, struct run *run)
{
	parser->at += 2;
	while (more(parser) && !looking_at(parser, "\\E")) {
		char byte = peek(parser);

		parser->at++;
		if (looking_at(parser, "\\E")) {
			parser->at += 2;
			add_atom(parser, out, run, byte);
			return;
		}
		buf_add_byte(&run->text, byte);
	}
}

static void parse_one(struct parser *parser, struct sets *out, struct run *run)
{
	char byte = peek(parser);
	bool zero_width = false;

	if (looking_at(parser, "\\Q")) {
		parse_quoted(parser, out, run);
	} else if (byte == '\\') {
		byte = parse_escape(parser, run, &zero_width);
		if (!zero_width)
			add_atom(parser, out, run, byte);
	} else if (byte == '[') {
		add_atom(parser, out, run, parse_class(parser));
	} else if (byte == '(') {
		parse_group(parser, out, run);
	} else if (byte == '^' || byte == '$') {
		parser->at++;
	} else if (parser->extended && byte == '#') {
		skip_to(parser, '\n');
	} else if (parser->extended && (byte == ' ' || byte == '\t' || byte == '\n')) {
		parser->at++;
	} else if ((unsigned char)byte >=
		   0x80) { /* whole characters, or the repetition would be of one byte */
		size_t end = parser->at + 1;

		while (end < parser->pattern.size &&
		       ((unsigned char)parser->pattern.data[end] & 0xC0) == 0x80)
			end++;
		if ((end < parser->pattern.size && memchr("*+?{", parser->pattern.data[end], 4)) ||
		    parser->caseless)
			byte = '\0';
		else
			buf_add(&run->text, str_slice(parser->pattern, parser->at, end));
		parser->at = end;
		if (!byte)
			add_atom(parser, out, run, '\0');
	} else {
		parser->at++;
		add_atom(parser, out, run, byte == '.' ? '\0' : byte);
	}
}

static int compare_sets(const void *left, const void *right)
{
	const struct literal_set *a = left;
	const struct literal_set *b = right;

	return (a->frequency > b->frequency) - (a->frequency < b->frequency);
}

/* What follows from common words is work without gain, as long as there is a rarer one. */
static void leave_common_out(struct sets *sets)
{
	while (sets->list.count > 1 && sets->list.items[sets->list.count - 1].frequency >= COMMON_FREQUENCY)
		sets->list.count--;
}

static void parse_sequence(struct parser *parser, struct sets *out)
{
	struct run run = {.caseless = parser->caseless, .boundary = STR_NOT_FOUND};

	while (more(parser) && peek(parser) != '|' && peek(parser) != ')')
		parse_one(parser, out, &run);
	end_run(parser, out, &run);
	buf_release(&run.text);
	if (out->list.count)
		qsort(out->list.items, out->list.count, sizeof(*out->list.items), compare_sets);
	if (out->list.count > LITERAL_SETS_MAX)
		out->list.count = LITERAL_SETS_MAX;
	leave_common_out(out);
}

/* The k-th set of every alternative, together: one of them occurs whichever alternative matches. */
static struct literal_set join_sets(struct parser *parser, const struct sets *alternatives, size_t count,
				    size_t k)
{
	struct literal_set joined = {0};
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += alternatives[i].list.items[k % alternatives[i].list.count].count;
	joined.items = arena_take_array(parser->arena, total, sizeof(*joined.items));
	for (size_t i = 0; i < count; i++) {
		const struct literal_set *set = &alternatives[i].list.items[k % alternatives[i].list.count];

		memcpy(joined.items + joined.count, set->items, set->count * sizeof(*set->items));
		joined.count += set->count;
		joined.frequency = frequency_sum(joined.frequency, set->frequency);
	}
	return joined;
}

static void parse_alternatives(struct parser *parser, struct sets *out)
{
	struct sets alternatives[ALTERNATIVES_MAX];
	size_t count = 0;
	size_t most = 0;
	bool none = false;

	if (++parser->depth > DEPTH_MAX)
		parser->failed = true;
	while (!parser->failed) {
		if (count == ALTERNATIVES_MAX) {
			parser->failed = true;
			break;
		}
		alternatives[count] = (struct sets){0};
		parse_sequence(parser, &alternatives[count]);
		none = none || !alternatives[count].list.count;
		most = alternatives[count].list.count > most ? alternatives[count].list.count : most;
		count++;
		if (peek(parser) != '|' || !more(parser))
			break;
		parser->at++;
	}
	for (size_t k = 0; !parser->failed && !none && k < most; k++)
		add_set(out, join_sets(parser, alternatives, count, k));
	for (size_t i = 0; i < count; i++)
		vec_release(&alternatives[i].list);
	parser->depth--;
}

static struct literal_sets take_sets(struct sets *sets)
{
	struct literal_sets result = {0};

	if (sets->list.count)
		qsort(sets->list.items, sets->list.count, sizeof(*sets->list.items), compare_sets);
	leave_common_out(sets);
	while (result.count < sets->list.count && result.count < LITERAL_SETS_MAX) {
		result.sets[result.count] = sets->list.items[result.count];
		result.count++;
	}
	vec_release(&sets->list);
	return result;
}

struct literal_sets literal_extract(const struct frequencies *frequencies, struct str pattern,
				    struct arena *arena)
{
	struct parser parser = {.pattern = pattern, .frequencies = frequencies, .arena = arena};
	struct sets sets = {0};

	parse_alternatives(&parser, &sets);
	if (parser.failed || parser.at < pattern.size)
		vec_clear(&sets.list);
	return take_sets(&sets);
}

struct literal_sets literal_of_text(const struct frequencies *frequencies, struct str text,
				    struct arena *arena)
{
	struct parser parser = {.frequencies = frequencies, .arena = arena};
	struct run run = {.boundary = STR_NOT_FOUND};
	struct sets sets = {0};

	buf_add(&run.text, text);
	end_run(&parser, &sets, &run);
	buf_release(&run.text);
	return take_sets(&sets);
}

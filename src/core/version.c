#include "core/version.h"

#include <string.h>

/* A word or a further number that stands in a version after its release numbers. */
enum mark_rank {
	MARK_DEV,
	MARK_ALPHA,
	MARK_BETA,
	MARK_CANDIDATE,
	MARK_NONE, /* nothing more: the version itself */
	MARK_NUMBER,
	MARK_WORD,
	MARK_POST
};

static const struct mark_word {
	struct str word;
	enum mark_rank rank;
} mark_words[] = {
	{STR_INIT("dev"), MARK_DEV},       {STR_INIT("daily"), MARK_DEV},
	{STR_INIT("nightly"), MARK_DEV},   {STR_INIT("snapshot"), MARK_DEV},
	{STR_INIT("alpha"), MARK_ALPHA},   {STR_INIT("a"), MARK_ALPHA},
	{STR_INIT("beta"), MARK_BETA},     {STR_INIT("b"), MARK_BETA},
	{STR_INIT("rc"), MARK_CANDIDATE},  {STR_INIT("c"), MARK_CANDIDATE},
	{STR_INIT("pre"), MARK_CANDIDATE}, {STR_INIT("preview"), MARK_CANDIDATE},
	{STR_INIT("post"), MARK_POST},     {STR_INIT("patch"), MARK_POST},
};

/* One piece of a version: a run of digits or a run of letters. Kind 0 is the end. */
enum piece_kind { PIECE_END, PIECE_NUMBER, PIECE_WORD };

struct piece {
	enum piece_kind kind;
	struct str text; /* of a number: without leading zeros */
};

struct mark {
	enum mark_rank rank;
	struct str word;   /* MARK_WORD only */
	struct str number; /* digits without leading zeros; may be empty: 0 */
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == ',';
}

/* Without what does not count: blanks around it, a leading v, the local part. */
static struct str bare(struct str version)
{
	size_t plus;

	version = str_trim(version);
	if (version.size > 1 && (version.data[0] == 'v' || version.data[0] == 'V') &&
	    is_digit(version.data[1]))
		version = str_slice(version, 1, version.size);
	plus = str_find_byte(version, '+');
	return plus == STR_NOT_FOUND ? version : str_slice(version, 0, plus);
}

bool version_is_valid(struct str version)
{
	version = bare(version);
	return version.size > 0 && is_digit(version.data[0]);
}

static struct piece peek_piece(struct str *rest)
{
	size_t at = 0, end;
	enum piece_kind kind;

	while (at < rest->size && !is_digit(rest->data[at]) && !is_letter(rest->data[at]))
		at++;
	*rest = str_slice(*rest, at, rest->size);
	if (rest->size == 0)
		return (struct piece){PIECE_END, *rest};
	kind = is_digit(rest->data[0]) ? PIECE_NUMBER : PIECE_WORD;
	at = 0;
	while (kind == PIECE_NUMBER && at + 1 < rest->size && rest->data[at] == '0' &&
	       is_digit(rest->data[at + 1]))
		at++; /* leading zeros */
	for (end = at; end < rest->size; end++) {
		if (kind == PIECE_NUMBER ? !is_digit(rest->data[end]) : !is_letter(rest->data[end]))
			break;
	}
	return (struct piece){kind, str_slice(*rest, at, end)};
}

static struct piece next_piece(struct str *rest)
{
	struct piece piece = peek_piece(rest);

	if (piece.kind != PIECE_END)
		*rest = str_slice(*rest, (size_t)(piece.text.data - rest->data) + piece.text.size,
				  rest->size);
	return piece;
}

/* Digits without leading zeros: the longer is the greater. No size overflows. */
static int compare_numbers(struct str a, struct str b)
{
	struct str zero = STR("0");

	a = a.size ? a : zero;
	b = b.size ? b : zero;
	if (a.size != b.size)
		return a.size < b.size ? -1 : 1;
	return memcmp(a.data, b.data, a.size);
}

static struct str next_release_number(struct str *rest)
{
	if (peek_piece(rest).kind != PIECE_NUMBER)
		return (struct str){0};
	return next_piece(rest).text;
}

static struct mark next_mark(struct str *rest)
{
	struct piece piece = next_piece(rest);

	if (piece.kind == PIECE_END)
		return (struct mark){.rank = MARK_NONE};
	if (piece.kind == PIECE_NUMBER)
		return (struct mark){.rank = MARK_NUMBER, .number = piece.text};
	for (size_t i = 0; i < sizeof(mark_words) / sizeof(mark_words[0]); i++) {
		if (str_equal_ascii_case(piece.text, mark_words[i].word))
			return (struct mark){.rank = mark_words[i].rank, .number = next_release_number(rest)};
	}
	return (struct mark){.rank = MARK_WORD, .word = piece.text, .number = next_release_number(rest)};
}

static int compare_words(struct str a, struct str b)
{
	for (size_t i = 0; i < a.size && i < b.size; i++) {
		int difference = (a.data[i] | 0x20) - (b.data[i] | 0x20);

		if (difference)
			return difference;
	}
	return a.size < b.size ? -1 : a.size > b.size;
}

int version_compare(struct str a, struct str b)
{
	int difference = (int)version_is_valid(a) - (int)version_is_valid(b);

	if (difference || !version_is_valid(a))
		return difference;
	a = bare(a);
	b = bare(b);
	while (peek_piece(&a).kind == PIECE_NUMBER || peek_piece(&b).kind == PIECE_NUMBER) {
		struct str left = next_release_number(&a);

		difference = compare_numbers(left, next_release_number(&b));
		if (difference)
			return difference;
	}
	for (;;) {
		struct mark left = next_mark(&a), right = next_mark(&b);

		if (left.rank != right.rank)
			return left.rank < right.rank ? -1 : 1;
		if (left.rank == MARK_NONE)
			return 0;
		difference = compare_words(left.word, right.word);
		difference = difference ? difference : compare_numbers(left.number, right.number);
		if (difference)
			return difference;
	}
}

enum relation {
	RELATION_EQUAL,
	RELATION_NOT_EQUAL,
	RELATION_LESS,
	RELATION_AT_MOST,
	RELATION_GREATER,
	RELATION_AT_LEAST
};

/* Longer ones first: the first that fits is taken. */
static const struct relation_word {
	struct str word;
	enum relation relation;
} relation_words[] = {
	{STR_INIT(">="), RELATION_AT_LEAST},  {STR_INIT("<="), RELATION_AT_MOST},
	{STR_INIT("!="), RELATION_NOT_EQUAL}, {STR_INIT("=="), RELATION_EQUAL},
	{STR_INIT(">"), RELATION_GREATER},    {STR_INIT("<"), RELATION_LESS},
	{STR_INIT("="), RELATION_EQUAL},
};

struct term {
	enum relation relation;
	struct str version; /* empty: there is none, which is a fault */
	bool prefix;        /* "8.5.*" */
};

static struct str skip_blanks(struct str text)
{
	size_t at = 0;

	while (at < text.size && is_blank(text.data[at]))
		at++;
	return str_slice(text, at, text.size);
}

/* Take one term off the front; false when only blanks are left. */
static bool next_term(struct str *rest, struct term *term)
{
	size_t end = 0;

	*term = (struct term){.relation = RELATION_EQUAL};
	*rest = skip_blanks(*rest);
	if (rest->size == 0)
		return false;
	for (size_t i = 0; i < sizeof(relation_words) / sizeof(relation_words[0]); i++) {
		if (!str_starts(*rest, relation_words[i].word))
			continue;
		term->relation = relation_words[i].relation;
		*rest = skip_blanks(str_slice(*rest, relation_words[i].word.size, rest->size));
		break;
	}
	while (end < rest->size && !is_blank(rest->data[end]) && !memchr("<>=!", rest->data[end], 4))
		end++;
	if (end == 0 && term->relation == RELATION_EQUAL)
		end = rest->size; /* not a term at all: taken whole, so that reading goes on */
	term->version = str_slice(*rest, 0, end);
	*rest = str_slice(*rest, end, rest->size);
	term->prefix = str_ends(term->version, STR(".*")) || str_ends(term->version, STR(".x"));
	if (term->prefix)
		term->version.size -= 2;
	return true;
}

/* Does `version` begin with all the pieces of `prefix`? */
static bool has_prefix(struct str version, struct str prefix)
{
	version = bare(version);
	prefix = bare(prefix);
	for (;;) {
		struct piece wanted = next_piece(&prefix), got;

		if (wanted.kind == PIECE_END)
			return true;
		got = next_piece(&version);
		if (got.kind != wanted.kind || !str_equal_ascii_case(got.text, wanted.text))
			return false;
	}
}

static bool term_holds(const struct term *term, struct str version)
{
	int order = version_compare(version, term->version);

	if (term->prefix && term->relation <= RELATION_NOT_EQUAL)
		return has_prefix(version, term->version) == (term->relation == RELATION_EQUAL);
	switch (term->relation) {
	case RELATION_EQUAL:
		return order == 0;
	case RELATION_NOT_EQUAL:
		return order != 0;
	case RELATION_LESS:
		return order < 0;
	case RELATION_AT_MOST:
		return order <= 0;
	case RELATION_GREATER:
		return order > 0;
	case RELATION_AT_LEAST:
		return order >= 0;
	}
	return false;
}

/* Take the alternative before the next "||" off the front; false when all are used up. */
static bool next_alternative(struct str *rest, struct str *alternative)
{
	size_t bars;

	if (!rest->data)
		return false;
	bars = str_find(*rest, STR("||"));
	*alternative = str_slice(*rest, 0, bars);
	*rest = bars == STR_NOT_FOUND ? (struct str){0} : str_slice(*rest, bars + 2, rest->size);
	return true;
}

bool version_fits(struct str version, struct str expression)
{
	struct str alternative;

	if (!version_is_valid(version))
		return false;
	if (str_trim(expression).size == 0)
		return true;
	while (next_alternative(&expression, &alternative)) {
		struct term term;
		size_t count = 0;
		bool all = true;

		for (; next_term(&alternative, &term); count++)
			all = all && version_is_valid(term.version) && term_holds(&term, version);
		if (all && count)
			return true;
	}
	return false;
}

static bool fault(struct buf *why, const char *what, struct str text)
{
	if (why)
		buf_add_format(why, "%s: \"%.*s\"", what, STR_ARG(text));
	return false;
}

bool version_check_expression(struct str expression, struct buf *why)
{
	struct str rest = expression, alternative;

	if (str_trim(expression).size == 0)
		return true;
	while (next_alternative(&rest, &alternative)) {
		struct term term;
		size_t count = 0;

		for (; next_term(&alternative, &term); count++) {
			if (term.version.size == 0)
				return fault(why, "an operator without a version", expression);
			if (!version_is_valid(term.version))
				return fault(why, "not a version", term.version);
			if (term.prefix && term.relation > RELATION_NOT_EQUAL)
				return fault(why, "`.*` goes with = and != only", expression);
		}
		if (count == 0)
			return fault(why, "nothing on one side of ||", expression);
	}
	return true;
}

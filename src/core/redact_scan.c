/* One pass over the bytes of a block: where is something that a rule or a word may fit? */
#include "core/redact_look.h"

#include <string.h>

/* What a byte may be the middle of, what may stand before it and behind it: all three must agree. */
enum {
	NEAR_AT = 1,
	NEAR_DOT = 2,
	NEAR_COLON = 4,
	NEAR_DASH = 8,
	NEAR_PLUS = 16,
	NEAR_PATH = 32,
	NEAR_NAME = 64,
	NEAR_BRACKET = 128,

	NEAR_ANY = NEAR_AT | NEAR_PLUS | NEAR_NAME | NEAR_BRACKET,
	OF_HEX = NEAR_DOT | NEAR_COLON | NEAR_DASH
};

static const unsigned char middle[256] = {
	['@'] = NEAR_AT,   ['.'] = NEAR_DOT,   [':'] = NEAR_COLON, ['-'] = NEAR_DASH, ['+'] = NEAR_PLUS,
	['/'] = NEAR_PATH, ['\\'] = NEAR_PATH, ['~'] = NEAR_PATH,  ['<'] = NEAR_NAME, ['['] = NEAR_BRACKET,
};

struct neighbours {
	unsigned char before[256], after[256];
};

static const unsigned char hex[256] = {
	['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1,
	['8'] = 1, ['9'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1,
	['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1,
};

static bool is_digit(unsigned char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_letter(unsigned char byte)
{
	return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static void find_neighbours(struct neighbours *near)
{
	for (int byte = 0; byte < 256; byte++) {
		unsigned char c = (unsigned char)byte;
		unsigned before = NEAR_ANY, after = NEAR_AT | NEAR_PATH;

		if (hex[c])
			before |= OF_HEX;
		else if (!is_letter(c) && !strchr("_>)", c))
			before |= NEAR_COLON;
		if ((!is_letter(c) && !is_digit(c) && !strchr("_.-~>*%$+", c)) || strchr("ILB", c))
			before |= NEAR_PATH;
		after |= hex[c] ? OF_HEX : c == ':' ? NEAR_COLON : 0;
		after |= is_digit(c) ? NEAR_PLUS | NEAR_BRACKET : c >= 'A' && c <= 'Z' ? NEAR_NAME : 0;
		near->before[byte] = (unsigned char)before;
		near->after[byte] = (unsigned char)after;
	}
}

static unsigned char byte_at(struct str block, size_t at)
{
	return at < block.size ? (unsigned char)block.data[at] : 0;
}

static bool hex_at(struct str block, size_t at)
{
	return hex[byte_at(block, at)];
}

static bool digit_at(struct str block, size_t at)
{
	return is_digit(byte_at(block, at));
}

static size_t digits_end(struct str block, size_t at)
{
	while (digit_at(block, at))
		at++;
	return at;
}

static void offer(struct redact *redact, enum redaction_shape shape, struct str block, size_t at)
{
	for (size_t i = 0; i < redact->by_shape[shape].count; i++)
		redact_match(redact, redact->by_shape[shape].items[i], block, at);
}

static void try_word(struct redact *redact, struct str block, size_t at, size_t size)
{
	uint32_t index = redact_word_index(redact, str_slice(block, at, at + size));
	const struct redact_word *word;

	if (index == REDACT_NONE)
		return;
	word = &redact->words.items[index];
	if (!redact_word_fits(word, block, at))
		return;
	if (word->fit == WORD_STEM) {
		size = digits_end(block, at + size) - at;
		if (is_letter(byte_at(block, at + size)))
			return;
	}
	redact_add_span(redact, (struct redact_span){.from = at,
						     .to = at + size,
						     .kind = word->kind,
						     .rule = word->rule,
						     .alias = word->alias,
						     .given = word->rule == RULE_GIVEN});
}

static bool may_be_pid(const struct redact *redact, struct str block, size_t at, size_t size)
{
	uint32_t bit = number_bit(str_slice(block, at, at + size));

	return redact->pid_bits[bit / 64] >> bit % 64 & 1;
}

/* A number of five digits or more begins. */
static void look_at_digits(struct redact *redact, struct str block, size_t at)
{
	size_t size = digits_end(block, at) - at;

	if (size <= 7 && may_be_pid(redact, block, at, size))
		try_word(redact, block, at, size);
	if (size >= 7 && size < 20)
		offer(redact, SHAPE_DIGITS, block, at);
}

static void look_at_dot(struct redact *redact, struct str block, size_t at)
{
	size_t end;

	if (at == 0)
		return;
	if (hex_at(block, at - 1) && byte_at(block, at + 5) == '.' && hex_at(block, at + 1) &&
	    hex_at(block, at + 6))
		offer(redact, SHAPE_GROUPS, block, at);
	if (!digit_at(block, at - 1) || !digit_at(block, at + 1))
		return;
	end = digits_end(block, at + 1);
	if (byte_at(block, end) != '.' || !digit_at(block, end + 1))
		return;
	end = digits_end(block, end + 1);
	if (byte_at(block, end) == '.' && digit_at(block, end + 1))
		offer(redact, SHAPE_DOTTED, block, at);
}

static void look_at_colon(struct redact *redact, struct str block, size_t at)
{
	size_t colons = 0;

	if (byte_at(block, at + 1) == ':') {
		bool before = at && (hex_at(block, at - 1) ||
				     !strchr("_>)ghijklmnopqrstuvwxyz", block.data[at - 1]));
		unsigned char after = byte_at(block, at + 2);

		if (before && (hex[after] || after < 0x80) && byte_at(block, at + 2) != ':')
			offer(redact, SHAPE_COLONS, block, at);
		return;
	}
	if (at == 0 || !hex_at(block, at - 1) || !hex_at(block, at + 1))
		return;
	for (size_t i = at; hex_at(block, i) || byte_at(block, i) == ':'; i++) {
		if (byte_at(block, i) == ':' && ++colons == 5) {
			offer(redact, SHAPE_COLONS, block, at);
			return;
		}
	}
}

static void look_at_dash(struct redact *redact, struct str block, size_t at)
{
	if (at == 0 || !hex_at(block, at - 1) || !hex_at(block, at + 1))
		return;
	if (byte_at(block, at + 3) == '-' && byte_at(block, at + 6) == '-' && hex_at(block, at + 2))
		offer(redact, SHAPE_PAIRS, block, at);
	else if (byte_at(block, at + 5) == '-' && byte_at(block, at + 10) == '-')
		offer(redact, SHAPE_GROUPS, block, at);
	else if ((byte_at(block, at + 5) == '-' || byte_at(block, at + 4) == '-') && at >= 3 &&
		 digits_end(block, at - 3) == at && digits_end(block, at + 1) > at + 3)
		offer(redact, SHAPE_DIGITS, block, at); /* 138-1234-5678, 400-800-1234 */
}

/* A name that stands for a value already: it stays, and its number is taken. */
static void look_at_name(struct redact *redact, struct str block, size_t at)
{
	enum redact_kind kind;
	uint64_t number;
	size_t size;

	if (byte_at(block, at + 1) < 'A' || byte_at(block, at + 1) > 'Z')
		return;
	size = redact_name_size(block, at, &kind, &number);
	if (!size)
		return;
	redact_names_reserve(redact->names, kind, number);
	redact_add_span(redact, (struct redact_span){.from = at, .to = at + size, .what = SPAN_NAME});
}

/* [36m, [01;32m; [4242]: */
static void look_at_bracket(struct redact *redact, struct str block, size_t at)
{
	size_t end = at + 1;

	while (end - at < 12 && (digit_at(block, end) || byte_at(block, end) == ';'))
		end++;
	redact->lost_colours = redact->lost_colours || byte_at(block, end) == 'm';
	if (byte_at(block, end) == ']' && byte_at(block, end + 1) == ':')
		offer(redact, SHAPE_BRACKET, block, at);
}

static void look_closer(struct redact *redact, struct str block, size_t at)
{
	switch (middle[(unsigned char)block.data[at]]) {
	case NEAR_AT:
		offer(redact, SHAPE_AT, block, at);
		break;
	case NEAR_DOT:
		look_at_dot(redact, block, at);
		break;
	case NEAR_COLON:
		look_at_colon(redact, block, at);
		break;
	case NEAR_DASH:
		look_at_dash(redact, block, at);
		break;
	case NEAR_PLUS:
		offer(redact, SHAPE_DIGITS, block, at);
		break;
	case NEAR_PATH:
		redact_path(redact, block, at);
		break;
	case NEAR_BRACKET:
		look_at_bracket(redact, block, at);
		break;
	default:
		look_at_name(redact, block, at);
	}
}

static bool stands_at(struct str block, size_t at, struct str text)
{
	return text.size <= block.size - at &&
	       str_equal_ascii_case(str_slice(block, at, at + text.size), text);
}

static void try_words(struct redact *redact, const struct redact_lengths *lengths, uint32_t hash,
		      struct str block, size_t at)
{
	for (size_t half = 0; half < 2; half++) {
		uint64_t bits = lengths->lengths[hash & (NEEDLE_HEADS - 1)][half];

		for (; bits; bits &= bits - 1) {
			size_t size = 64 * half + (size_t)__builtin_ctzll(bits);

			if (size <= block.size - at)
				try_word(redact, block, at, size);
		}
	}
}

static bool may_follow(const struct redact_rule *rule, unsigned char byte)
{
	return !rule->has_then || (rule->then[byte / 64] >> byte % 64 & 1);
}

static void try_rules(struct redact *redact, uint32_t hash, uint32_t four, struct str block, size_t at)
{
	uint32_t i = redact->literals.heads[hash & (NEEDLE_HEADS - 1)];

	while (i != REDACT_NONE) {
		const struct redact_needle *needle = &redact->literals.list.items[i];

		if ((four & needle->mask) == needle->first && stands_at(block, at, needle->text) &&
		    may_follow(&redact->rules.items[needle->owner], byte_at(block, at + needle->text.size)))
			redact_match(redact, needle->owner, block, at);
		i = needle->next;
	}
}

static bool has_bit(const uint64_t *bits, uint32_t hash)
{
	return bits[hash / 64] >> hash % 64 & 1;
}

/* What is at a byte that has a bit. */
static void look_here(struct redact *redact, const struct neighbours *near, struct str block, size_t at,
		      bool needle, bool place)
{
	const unsigned char *bytes = (const unsigned char *)block.data;

	if (needle && at + 3 <= block.size) {
		uint32_t four = needle_four(block.data + at);
		uint32_t hash = needle_hash(four);

		try_rules(redact, hash, four, block, at);
		/* A rule may have learned a word that begins here. */
		if (has_bit(redact->found.bits, hash))
			try_words(redact, &redact->found, hash, block, at);
	}
	if (place && middle[bytes[at]] & near->before[at ? bytes[at - 1] : ' '] & near->after[bytes[at + 1]])
		look_closer(redact, block, at);
}

void redact_scan(struct redact *redact, struct str block)
{
	struct neighbours near;
	struct redact_look looks[3] = {{0}}, *before = &looks[0], *here = &looks[1], *next = &looks[2],
			   *spare;

	find_neighbours(&near);
	for (size_t i = 0; i < redact->rules.count; i++)
		redact->rules.items[i].done_line = SIZE_MAX;
	redact_look(block, 0, &redact->heads, here);
	for (size_t from = 0; from < block.size; from += REDACT_LOOK) {
		uint64_t places, numbers;

		redact_look(block, from + REDACT_LOOK, &redact->heads, next);
		places = redact_look_places(before, here, next);
		numbers = redact_look_numbers(before, here);
		for (uint64_t some = places | numbers | here->needles; some; some &= some - 1) {
			int bit = __builtin_ctzll(some);
			size_t at = from + (size_t)bit;

			look_here(redact, &near, block, at, here->needles >> bit & 1, places >> bit & 1);
			if (numbers >> bit & 1)
				look_at_digits(redact, block, at - 4);
		}
		spare = before;
		before = here;
		here = next;
		next = spare;
	}
}

/* The last six bytes, 1 for a digit: five digits that something else stands before. */
enum { DIGITS_SEEN = 63, DIGITS_FIVE = 31 };

void redact_scan_fresh(struct redact *redact, struct str block)
{
	const unsigned char *bytes = (const unsigned char *)block.data;
	unsigned digits = 0;

	for (size_t at = 0; at < block.size; at++) {
		digits = (digits << 1 | is_digit(bytes[at])) & DIGITS_SEEN;
		if (digits == DIGITS_FIVE && redact->pid_count) {
			size_t size = digits_end(block, at - 4) - (at - 4);

			if (size <= 7 && may_be_pid(redact, block, at - 4, size))
				try_word(redact, block, at - 4, size);
		}
		if (at + 3 <= block.size) {
			uint32_t hash = needle_hash(needle_four(block.data + at));

			if (has_bit(redact->fresh.bits, hash))
				try_words(redact, &redact->fresh, hash, block, at);
		}
	}
}

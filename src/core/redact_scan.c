/* One pass over the bytes of a block: where is something that a rule or a word may fit? */
#include "core/redact_private.h"

#include <string.h>

/* What a byte may start or be part of. */
enum byte_class {
	BYTE_NOTHING,
	BYTE_DIGIT,
	BYTE_AT,
	BYTE_DOT,
	BYTE_COLON,
	BYTE_DASH,
	BYTE_PLUS,
	BYTE_PATH,
	BYTE_LESS
};

static const unsigned char classes[256] = {
	['0'] = BYTE_DIGIT, ['1'] = BYTE_DIGIT, ['2'] = BYTE_DIGIT, ['3'] = BYTE_DIGIT, ['4'] = BYTE_DIGIT,
	['5'] = BYTE_DIGIT, ['6'] = BYTE_DIGIT, ['7'] = BYTE_DIGIT, ['8'] = BYTE_DIGIT, ['9'] = BYTE_DIGIT,
	['@'] = BYTE_AT,    ['.'] = BYTE_DOT,   [':'] = BYTE_COLON, ['-'] = BYTE_DASH,  ['+'] = BYTE_PLUS,
	['/'] = BYTE_PATH,  ['\\'] = BYTE_PATH, ['~'] = BYTE_PATH,  ['<'] = BYTE_LESS,
};

static const unsigned char hex[256] = {
	['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1, ['7'] = 1,
	['8'] = 1, ['9'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1,
	['A'] = 1, ['B'] = 1, ['C'] = 1, ['D'] = 1, ['E'] = 1, ['F'] = 1,
};

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
	return classes[byte_at(block, at)] == BYTE_DIGIT;
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
	redact_add_span(redact, (struct redact_span){.from = at,
						     .to = at + size,
						     .kind = word->kind,
						     .rule = word->rule,
						     .alias = word->alias,
						     .given = word->rule == RULE_GIVEN});
}

/* A number begins: telephone numbers have seven digits or groups of four. */
static void look_at_digits(struct redact *redact, struct str block, size_t at)
{
	size_t size;

	if (!digit_at(block, at + 1) || !digit_at(block, at + 2))
		return;
	size = digits_end(block, at) - at;
	if (size >= 5 && size <= 7 && redact->pid_count)
		try_word(redact, block, at, size);
	if ((size >= 7 && size < 20) ||
	    (size < 5 &&
	     (byte_at(block, at + size) == '-' || byte_at(block, at + size) == ' ' ||
	      byte_at(block, at + size) == ')') &&
	     digits_end(block, at + size + 1) - at - size > 3))
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

static void look_closer(struct redact *redact, struct str block, size_t at)
{
	switch (classes[(unsigned char)block.data[at]]) {
	case BYTE_DIGIT:
		look_at_digits(redact, block, at);
		break;
	case BYTE_AT:
		offer(redact, SHAPE_AT, block, at);
		break;
	case BYTE_DOT:
		look_at_dot(redact, block, at);
		break;
	case BYTE_COLON:
		look_at_colon(redact, block, at);
		break;
	case BYTE_DASH:
		look_at_dash(redact, block, at);
		break;
	case BYTE_PLUS:
		if (digit_at(block, at + 1) && digit_at(block, at + 2))
			offer(redact, SHAPE_DIGITS, block, at);
		break;
	case BYTE_PATH:
		redact_path(redact, block, at);
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

static void try_rules(struct redact *redact, uint32_t hash, struct str block, size_t at)
{
	uint32_t i = redact->literals.heads[hash & (NEEDLE_HEADS - 1)];

	for (; i != REDACT_NONE; i = redact->literals.list.items[i].next) {
		if (stands_at(block, at, redact->literals.list.items[i].text))
			redact_match(redact, redact->literals.list.items[i].owner, block, at);
	}
}

static bool has_bit(const uint64_t *bits, uint32_t hash)
{
	return bits[hash / 64] >> hash % 64 & 1;
}

void redact_scan(struct redact *redact, struct str block)
{
	const unsigned char *bytes = (const unsigned char *)block.data;
	bool digit_before = false;

	for (size_t i = 0; i < redact->rules.count; i++)
		redact->rules.items[i].done_line = SIZE_MAX;
	for (size_t at = 0; at < block.size; at++) {
		unsigned char class = classes[bytes[at]];

		if (at + 3 <= block.size) {
			uint32_t hash = needle_hash(bytes + at) >> (32 - NEEDLE_BITS);

			if (has_bit(redact->literals.bits, hash))
				try_rules(redact, hash, block, at);
			if (has_bit(redact->found.bits, hash))
				try_words(redact, &redact->found, hash, block, at);
		}
		if (class != BYTE_NOTHING && !(class == BYTE_DIGIT && digit_before))
			look_closer(redact, block, at);
		digit_before = class == BYTE_DIGIT;
	}
}

void redact_scan_fresh(struct redact *redact, struct str block)
{
	const unsigned char *bytes = (const unsigned char *)block.data;
	bool digit_before = false;

	for (size_t at = 0; at + 3 <= block.size; at++) {
		uint32_t hash = needle_hash(bytes + at) >> (32 - NEEDLE_BITS);
		bool digit = classes[bytes[at]] == BYTE_DIGIT;

		if (has_bit(redact->fresh.bits, hash))
			try_words(redact, &redact->fresh, hash, block, at);
		if (digit && !digit_before && redact->pid_count) {
			size_t size = digits_end(block, at) - at;

			if (size >= 5 && size <= 7)
				try_word(redact, block, at, size);
		}
		digit_before = digit;
	}
}

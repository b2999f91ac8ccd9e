/*
 * Where in 64 bytes something may stand that a rule or a word fits: one bit a byte, without a branch a byte.
 *
 * Most of a log is numbers, times and file names that are nobody's; what tells an address from them is how
 * far apart its dots, colons and dashes stand. That is asked of whole groups of bytes at once, as shifts of
 * masks. What is left is looked at closely by redact_scan.c, which decides; here nothing may be missed.
 */
#include "core/redact_look.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* So many bytes behind the 64 are read. */
enum { LOOK_BEYOND = 4 };

typedef unsigned char lanes __attribute__((vector_size(16)));
__extension__ typedef unsigned __int128 wide;

/* One bit a byte from lanes that are 0 or 0xFF. */
static inline uint64_t bits_of(lanes found)
{
#ifdef __SSE2__
	return (uint64_t)(unsigned)_mm_movemask_epi8((__m128i)found);
#else
	/* Each byte keeps the bit of its place; three rounds of adding neighbours bring eight together. */
	static const lanes weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	lanes weighed = found & weights;
	uint64_t halves[2];

	memcpy(halves, &weighed, sizeof(halves));
	for (int i = 0; i < 2; i++)
		halves[i] = halves[i] * UINT64_C(0x0101010101010101) >> 56;
	return halves[0] | halves[1] << 8;
#endif
}

static inline lanes is(lanes bytes, unsigned char byte)
{
	return (lanes)(bytes == (lanes){0} + byte);
}

/* Between `first` and `last`, both included. */
static inline lanes between(lanes bytes, unsigned char first, unsigned char last)
{
	return (lanes)(bytes - first <= (lanes){0} + (unsigned char)(last - first));
}

static inline void look_at_shapes(const unsigned char *bytes, struct redact_look *result)
{
	struct redact_look look = {0}; /* in registers, as far as they go */

#pragma GCC unroll 4
	for (int i = 0; i < REDACT_LOOK; i += (int)sizeof(lanes)) {
		lanes at, digits, lower;

		memcpy(&at, bytes + i, sizeof(at));
		digits = between(at, '0', '9');
		lower = at | (lanes)((lanes){0} + 0x20);
		look.digits |= bits_of(digits) << i;
		look.hex |= bits_of(digits | between(lower, 'a', 'f')) << i;
		look.words |= bits_of(digits | between(at, 'a', 'z')) << i;
		look.upper |= bits_of(between(at, 'A', 'Z')) << i;
		look.dots |= bits_of(is(at, '.')) << i;
		look.colons |= bits_of(is(at, ':')) << i;
		look.dashes |= bits_of(is(at, '-')) << i;
		look.plus |= bits_of(is(at, '+')) << i;
		look.less |= bits_of(is(at, '<')) << i;
		look.brackets |= bits_of(is(at, '[')) << i;
		look.paths |= bits_of(is(at, '/') | is(at, '\\') | is(at, '~')) << i;
		look.signs |= bits_of(is(at, '@')) << i;
	}
	*result = look;
}

/* Of the bytes with a bit in `some` those where four bytes, or three, are known. */
static uint64_t known_heads(const char *bytes, const struct redact_heads *heads, uint64_t some)
{
	uint64_t known = 0;

	for (; some; some &= some - 1) {
		int i = __builtin_ctzll(some);
		uint32_t four = needle_four(bytes + i);
		uint32_t three_hash = needle_hash(four), four_hash = needle_hash_four(four);
		uint64_t three = heads->three[three_hash / 64] >> three_hash % 64;

		known |= ((three | heads->four[four_hash / 64] >> four_hash % 64) & 1) << i;
	}
	return known;
}

typedef uint16_t pairs __attribute__((vector_size(16)));

/* first_hash of the bytes at 0, 2, 4 … 14. */
static inline pairs hash_every_second(const char *bytes)
{
	pairs two, third, hash;

	memcpy(&two, bytes, sizeof(two));
	memcpy(&third, bytes + 2, sizeof(third));
	third = (third | 0x2020) & 0xFF;
	hash = (two | 0x2020) * FIRST_FACTOR + third * FIRST_FACTOR_THIRD;
	return hash >> (16 - FIRST_BITS);
}

static inline uint64_t look_at_needles(const char *bytes, const struct redact_heads *heads)
{
	uint64_t some = 0;

	/* Shifts by constants, once it is unrolled. */
#pragma GCC unroll 4
	for (int from = 0; from < REDACT_LOOK; from += 16) {
		pairs even = hash_every_second(bytes + from), odd = hash_every_second(bytes + from + 1);
		uint32_t part = 0;

#pragma GCC unroll 8
		for (int i = 0; i < 8; i++)
			part |= (uint32_t)heads->first[even[i]] << 2 * i | (uint32_t)heads->first[odd[i]]
										   << (2 * i + 1);
		some |= (uint64_t)part << from;
	}
	return known_heads(bytes, heads, some);
}

static void look(const char *bytes, const struct redact_heads *heads, struct redact_look *look)
{
	look_at_shapes((const unsigned char *)bytes, look);
	look->needles = look_at_needles(bytes, heads);
}

/* The end of the block, with bytes behind it that are nothing: hashing reads some more. */
static void look_at_end(struct str rest, const struct redact_heads *heads, struct redact_look *result)
{
	char bytes[REDACT_LOOK + LOOK_BEYOND] = {0};

	memcpy(bytes, rest.data, rest.size);
	look(bytes, heads, result);
}

void redact_look(struct str block, size_t at, const struct redact_heads *heads, struct redact_look *result)
{
	if (at >= block.size)
		*result = (struct redact_look){0};
	else if (block.size - at < REDACT_LOOK + LOOK_BEYOND)
		look_at_end(str_slice(block, at, at + REDACT_LOOK), heads, result);
	else
		look(block.data + at, heads, result);
}

/* A mask and that of the 64 bytes behind it. */
#define WIDE(mask) ((wide)next->mask << 64 | here->mask)
/* What stands right before each byte. */
#define BEFORE(mask) (WIDE(mask) << 1 | before->mask >> 63)

/* Is a byte of `mask` followed by one of `others`, 2 to `most` bytes further on? */
static inline wide followed(wide mask, wide others, int most)
{
	wide found = 0;

	for (int i = 2; i <= most; i++)
		found |= others >> i;
	return mask & found;
}

uint64_t redact_look_places(const struct redact_look *before, const struct redact_look *here,
			    const struct redact_look *next)
{
	enum { NUMBER_MOST = 4, GROUP_MOST = 5 };
	wide hex_before = BEFORE(hex), hex_after = WIDE(hex) >> 1;
	wide digit_before = BEFORE(digits), digit_after = WIDE(digits) >> 1;
	wide dots = WIDE(dots) & digit_before & digit_after;
	wide colons = WIDE(colons) & hex_before & hex_after;
	wide dashes = WIDE(dashes) & hex_before & hex_after;
	wide three = BEFORE(digits) & (BEFORE(digits) << 1 | before->digits >> 62) &
		     (BEFORE(digits) << 2 | before->digits >> 61);
	wide found, chain = colons;

	/* 10.0.0.1: three dots between digits; 001a.2b3c.4d5e: two that are five apart. */
	found = dots ? followed(dots, followed(dots, dots, NUMBER_MOST), NUMBER_MOST) : 0;
	found |= WIDE(dots) & hex_before & hex_after & WIDE(dots) >> 5;
	/* Five colons between hexadecimal digits; two in a row. */
	for (int i = 0; i < 4 && chain; i++) /* a time has two: it ends there */
		chain = followed(colons, chain, GROUP_MOST);
	found |= chain | (WIDE(colons) & WIDE(colons) >> 1);
	/* 00-1a-2b-…, 8-4-4-4-12 digits, 138-1234-5678, 400-800-1234. */
	found |=
		dashes & ((WIDE(dashes) >> 3 & WIDE(dashes) >> 6) | (WIDE(dashes) >> 5 & WIDE(dashes) >> 10) |
			  (three & digit_after & (WIDE(dashes) >> 4 | WIDE(dashes) >> 5)));
	found |= WIDE(signs) | (WIDE(plus) & digit_after) | (WIDE(brackets) & digit_after) |
		 (WIDE(less) & WIDE(upper) >> 1) | (WIDE(paths) & ~BEFORE(words));
	return (uint64_t)found;
}

/* The fifth digit of a number. */
uint64_t redact_look_numbers(const struct redact_look *before, const struct redact_look *here)
{
	uint64_t five = here->digits;

	for (int i = 1; i <= 4; i++)
		five &= here->digits << i | before->digits >> (64 - i);
	return five & ~(here->digits << 5 | before->digits >> 59);
}

#include "core/scan_filter.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* 32 KiB hold 8192 windows at some thousandths of false alarms, and fit the first cache. */
enum { WORD_BITS_LEAST = 10, WORD_BITS_MOST = 16, WORD_BITS = 32 };

static const uint32_t hash_factor = 0x9E3779B1u; /* odd, and its bits look random: 2^32 / golden ratio */

static inline uint32_t load_window(const char *bytes)
{
	uint32_t window;

	memcpy(&window, bytes, sizeof(window));
	return window;
}

/*
 * The upper bits of a product depend on all of the window, the middle ones on its first bytes only; so the
 * second bit takes the last bytes in by another way.
 */
static inline unsigned first_bit(uint32_t hash)
{
	return hash >> 13 & 31;
}

static inline unsigned second_bit(uint32_t hash, uint32_t window)
{
	return (hash >> 8 ^ window >> 21) & 31;
}

static inline uint32_t test(const uint32_t *words, unsigned shift, uint32_t window)
{
	uint32_t hash = window * hash_factor;
	uint32_t word = words[hash >> shift];

	return word >> first_bit(hash) & word >> second_bit(hash, window);
}

void scan_filter_init(struct scan_filter *filter, size_t windows)
{
	unsigned bits = WORD_BITS_LEAST;

	while (bits < WORD_BITS_MOST && (size_t)1 << bits < windows)
		bits++;
	filter->words = alloc_zeroed((size_t)1 << bits, sizeof(*filter->words));
	filter->shift = 32 - bits;
	filter->wide = false;
#ifdef __x86_64__
	__builtin_cpu_init();
	filter->wide = __builtin_cpu_supports("avx2");
#endif
}

void scan_filter_release(struct scan_filter *filter)
{
	free(filter->words);
	filter->words = NULL;
}

void scan_filter_add(struct scan_filter *filter, uint32_t window)
{
	uint32_t hash = window * hash_factor;

	filter->words[hash >> filter->shift] |=
		UINT32_C(1) << first_bit(hash) | UINT32_C(1) << second_bit(hash, window);
}

bool scan_filter_has(const struct scan_filter *filter, uint32_t window)
{
	return test(filter->words, filter->shift, window) & 1;
}

static unsigned places_narrow(const struct scan_filter *filter, const char *bytes)
{
	unsigned places = 0;

	for (unsigned i = 0; i < SCAN_FILTER_SPAN / SCAN_FILTER_STEP; i++)
		places |= (unsigned)scan_filter_has(filter, load_window(bytes + i * SCAN_FILTER_STEP)) << i;
	return places;
}

static size_t next_narrow(const struct scan_filter *filter, const char *bytes, size_t at, size_t to,
			  unsigned *places, size_t *next)
{
	const uint32_t *words = filter->words;
	unsigned shift = filter->shift;

	*places = 0;
	for (; at + SCAN_FILTER_SPAN <= to; at += SCAN_FILTER_SPAN) {
		uint32_t some = test(words, shift, load_window(bytes + at)) |
				test(words, shift, load_window(bytes + at + 4)) |
				test(words, shift, load_window(bytes + at + 8)) |
				test(words, shift, load_window(bytes + at + 12)) |
				test(words, shift, load_window(bytes + at + 16)) |
				test(words, shift, load_window(bytes + at + 20)) |
				test(words, shift, load_window(bytes + at + 24)) |
				test(words, shift, load_window(bytes + at + 28));

		if (some & 1) {
			*places = places_narrow(filter, bytes + at);
			*next = at + SCAN_FILTER_SPAN;
			break;
		}
	}
	return at;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static inline __m128i look_up_half(const uint32_t *words, __m128i index)
{
	uint64_t low = (uint64_t)_mm_cvtsi128_si64(index);
	uint64_t high = (uint64_t)_mm_extract_epi64(index, 1);
	__m128i word = _mm_cvtsi32_si128((int)words[(uint32_t)low]);

	word = _mm_insert_epi32(word, (int)words[low >> 32], 1);
	word = _mm_insert_epi32(word, (int)words[(uint32_t)high], 2);
	return _mm_insert_epi32(word, (int)words[high >> 32], 3);
}

/* Eight words; what a gather does, in less time on most processors, whose gathers are microcode. */
__attribute__((target("avx2"))) static inline __m256i look_up(const uint32_t *words, __m256i index)
{
	return _mm256_set_m128i(look_up_half(words, _mm256_extracti128_si256(index, 1)),
				look_up_half(words, _mm256_castsi256_si128(index)));
}

/* test() for the eight windows of 32 bytes, in the lowest bit of each. */
__attribute__((target("avx2"))) static inline __m256i test_wide(const uint32_t *words, __m128i shift,
								const char *bytes)
{
	const __m256i mask = _mm256_set1_epi32(31);
	__m256i window = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
	__m256i hash = _mm256_mullo_epi32(window, _mm256_set1_epi32((int)hash_factor));
	__m256i word = look_up(words, _mm256_srl_epi32(hash, shift));
	__m256i first = _mm256_and_si256(_mm256_srli_epi32(hash, 13), mask);
	__m256i second = _mm256_and_si256(
		_mm256_xor_si256(_mm256_srli_epi32(hash, 8), _mm256_srli_epi32(window, 21)), mask);

	return _mm256_and_si256(_mm256_srlv_epi32(word, first), _mm256_srlv_epi32(word, second));
}

/* The lowest bits of eight numbers, as one number. */
__attribute__((target("avx2"))) static inline unsigned lowest_bits(__m256i numbers)
{
	return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(numbers, 31)));
}

__attribute__((target("avx2"))) static size_t next_wide(const struct scan_filter *filter, const char *bytes,
							size_t at, size_t to, unsigned *places, size_t *next)
{
	__m128i shift = _mm_cvtsi32_si128((int)filter->shift);

	for (; at + 2 * SCAN_FILTER_SPAN <= to; at += 2 * SCAN_FILTER_SPAN) {
		__m256i some = test_wide(filter->words, shift, bytes + at);
		__m256i more = test_wide(filter->words, shift, bytes + at + SCAN_FILTER_SPAN);
		unsigned found = lowest_bits(_mm256_or_si256(some, more));

		if (__builtin_expect(!found, 1))
			continue;
		*places = lowest_bits(some) | lowest_bits(more) << SCAN_FILTER_SPAN / SCAN_FILTER_STEP;
		*next = at + 2 * SCAN_FILTER_SPAN;
		return at;
	}
	return next_narrow(filter, bytes, at, to, places, next);
}
#endif

size_t scan_filter_next(const struct scan_filter *filter, struct str text, size_t at, size_t to,
			unsigned *places, size_t *next)
{
#ifdef __x86_64__
	if (filter->wide)
		return next_wide(filter, text.data, at, to, places, next);
#endif
	return next_narrow(filter, text.data, at, to, places, next);
}

/* Sixteen bytes are what x86-64 and aarch64 have without asking. */
typedef unsigned char byte_lanes __attribute__((vector_size(16)));

uint64_t scan_count_lines(struct str text)
{
	uint64_t lines = 0;
	size_t at = 0;

	while (at + 2 * sizeof(byte_lanes) <= text.size) {
		byte_lanes even = {0};
		byte_lanes odd = {0};

		/* Each lane counts up to 255 line ends before it is added up. */
		for (int i = 0; i < 255 && at + 2 * sizeof(byte_lanes) <= text.size; i++) {
			byte_lanes a, b;

			memcpy(&a, text.data + at, sizeof(a));
			memcpy(&b, text.data + at + sizeof(a), sizeof(b));
			even -= (byte_lanes)(a == '\n');
			odd -= (byte_lanes)(b == '\n');
			at += 2 * sizeof(byte_lanes);
		}
		for (size_t i = 0; i < sizeof(byte_lanes); i++)
			lines += (uint64_t)even[i] + odd[i];
	}
	for (; at < text.size; at++)
		lines += text.data[at] == '\n';
	return lines;
}

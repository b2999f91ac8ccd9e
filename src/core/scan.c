#include "core/scan.h"

#include "base/alloc.h"
#include "core/literal.h"

#include <string.h>

enum {
	STRIDE = 4, /* bytes between samples */
	WINDOW = 4, /* bytes of a sample */
	FILTER_WORDS_MIN = 1024,
	FILTER_WORDS_MAX = 1 << 15,
	SAMPLES_AT_ONCE = 8
};

static const uint32_t hash_factor = 0x9E3779B1u; /* odd, and its bits look random: 2^32 / golden ratio */

/* A literal of the scanner; several owners may share it. */
struct needle {
	struct str text;
	bool caseless;
	VEC(struct scan_owner) owners;
};

/* A window of a literal, in the hash table that decides what a sample is. */
struct window {
	uint32_t bytes;
	uint32_t needle;
	int32_t offset; /* of the literal's start, from the window */
	bool used;
};

struct signature_literals {
	uint32_t first, count; /* in needle_ids */
};

struct scanner {
	const struct kb *kb;
	struct arena arena;
	VEC(struct scan_signature) signatures;
	VEC(struct needle) needles;
	VEC(struct signature_literals) literals_of; /* by signature */
	VEC(uint32_t) needle_ids;
	VEC(struct window) windows;
	uint64_t *filter; /* two bits a window, both in the word that its hash names */
	unsigned filter_shift;
	struct window *table;
	size_t table_mask;
	VEC(uint32_t) needle_index; /* hash table over needles while building */
};

static uint32_t load_window(const char *bytes)
{
	uint32_t window;

	memcpy(&window, bytes, sizeof(window));
	return window;
}

static char lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte;
}

/* Needles */

static bool same_needle(const struct needle *needle, const struct literal *literal)
{
	return needle->caseless == literal->caseless && str_equal(needle->text, literal->text);
}

static uint32_t hash_str(struct str text)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
	return hash;
}

/* The index doubles when it is half full; UINT32_MAX is a free place. */
static void grow_needle_index(struct scanner *scanner)
{
	size_t size = scanner->needle_index.count ? 2 * scanner->needle_index.count : 1024;

	vec_release(&scanner->needle_index);
	for (size_t i = 0; i < size; i++)
		vec_push(&scanner->needle_index, UINT32_MAX);
	for (size_t i = 0; i < scanner->needles.count; i++) {
		size_t at = hash_str(scanner->needles.items[i].text) & (size - 1);

		while (scanner->needle_index.items[at] != UINT32_MAX)
			at = (at + 1) & (size - 1);
		scanner->needle_index.items[at] = (uint32_t)i;
	}
}

static void add_windows(struct scanner *scanner, uint32_t needle, const struct literal *literal);

static uint32_t find_needle(struct scanner *scanner, const struct literal *literal)
{
	size_t at;

	if (2 * scanner->needles.count >= scanner->needle_index.count)
		grow_needle_index(scanner);
	at = hash_str(literal->text) & (scanner->needle_index.count - 1);
	while (scanner->needle_index.items[at] != UINT32_MAX) {
		uint32_t found = scanner->needle_index.items[at];

		if (same_needle(&scanner->needles.items[found], literal))
			return found;
		at = (at + 1) & (scanner->needle_index.count - 1);
	}
	scanner->needle_index.items[at] = (uint32_t)scanner->needles.count;
	vec_push(&scanner->needles, (struct needle){.text = literal->text, .caseless = literal->caseless});
	add_windows(scanner, (uint32_t)scanner->needles.count - 1, literal);
	return (uint32_t)scanner->needles.count - 1;
}

/* Both cases of each letter of a caseless window, those from place `at` on. */
static void add_cases(struct scanner *scanner, struct window window, const char *bytes, size_t at)
{
	char other[WINDOW];

	while (at < WINDOW && lower(bytes[at]) == bytes[at] && !(bytes[at] >= 'a' && bytes[at] <= 'z'))
		at++;
	if (at == WINDOW) {
		window.bytes = load_window(bytes);
		vec_push(&scanner->windows, window);
		return;
	}
	memcpy(other, bytes, WINDOW);
	other[at] = lower(bytes[at]);
	add_cases(scanner, window, other, at + 1);
	other[at] = (char)(other[at] & ~0x20);
	add_cases(scanner, window, other, at + 1);
}

static void add_window(struct scanner *scanner, uint32_t needle, bool caseless, const char *bytes,
		       int32_t offset)
{
	struct window window = {load_window(bytes), needle, -offset, true};

	if (caseless)
		add_cases(scanner, window, bytes, 0);
	else
		vec_push(&scanner->windows, window);
}

static bool is_word(unsigned char byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
	       byte == '_';
}

/* A window that reaches one byte beyond a short literal: once for each byte that may stand there. */
static void add_open_windows(struct scanner *scanner, uint32_t needle, const struct literal *literal,
			     bool after)
{
	bool edge = after ? literal->ends_word : literal->starts_word;
	struct str text = literal->text;

	for (int byte = 0; byte < 256; byte++) {
		char window[WINDOW];

		if (edge && (is_word((unsigned char)byte) || byte >= 0x80))
			continue;
		if (after) {
			memcpy(window, text.data + text.size - (WINDOW - 1), WINDOW - 1);
			window[WINDOW - 1] = (char)byte;
		} else {
			window[0] = (char)byte;
			memcpy(window + 1, text.data, WINDOW - 1);
		}
		add_window(scanner, needle, literal->caseless, window,
			   after ? (int32_t)text.size - (WINDOW - 1) : -1);
	}
}

/* STRIDE windows that follow each other, so that a sample falls on one of them wherever the literal stands.
 */
static void add_windows(struct scanner *scanner, uint32_t needle, const struct literal *literal)
{
	struct str text = literal->text;
	uint32_t best_sum = UINT32_MAX;
	size_t best = 0;
	size_t inside = text.size - WINDOW + 1;

	for (size_t from = 0; from + STRIDE <= inside; from++) {
		uint32_t sum = 0;

		for (size_t i = from; i < from + STRIDE; i++)
			sum += literal_window_frequency(text.data + i) / STRIDE;
		if (sum < best_sum) {
			best_sum = sum;
			best = from;
		}
	}
	for (size_t i = best; i < best + STRIDE && i < inside; i++)
		add_window(scanner, needle, literal->caseless, text.data + i, (int32_t)i);
	if (inside == 3)
		add_open_windows(scanner, needle, literal, literal->ends_word || !literal->starts_word);
	if (inside == 2) {
		add_open_windows(scanner, needle, literal, true);
		add_open_windows(scanner, needle, literal, false);
	}
}

/* Building */

static void add_owner(struct scanner *scanner, uint32_t needle, struct scan_owner owner)
{
	struct needle *owned = &scanner->needles.items[needle];

	for (size_t i = 0; i < owned->owners.count; i++) {
		if (owned->owners.items[i].kind == owner.kind &&
		    owned->owners.items[i].signature == owner.signature)
			return;
	}
	vec_push(&owned->owners, owner);
}

static void add_literals(struct scanner *scanner, const struct literal_sets *sets, struct scan_owner owner)
{
	for (size_t i = 0; i < sets->count; i++) {
		for (size_t j = 0; j < sets->sets[i].count; j++) {
			uint32_t needle = find_needle(scanner, &sets->sets[i].items[j]);

			add_owner(scanner, needle, owner);
			if (owner.kind == SCAN_SIGNATURE)
				vec_push(&scanner->needle_ids, needle);
		}
	}
}

static void add_entry(struct scanner *scanner, const struct entry *entry)
{
	for (size_t i = 0; i < entry->signature_count; i++) {
		const struct signature *signature = &entry->signatures[i];
		struct scan_owner owner = {SCAN_SIGNATURE, (uint32_t)scanner->signatures.count};
		struct signature_literals literals = {.first = (uint32_t)scanner->needle_ids.count};
		struct literal_sets sets = literal_extract(signature->match, &scanner->arena);

		add_literals(scanner, &sets, owner);
		literals.count = (uint32_t)scanner->needle_ids.count - literals.first;
		vec_push(&scanner->literals_of, literals);
		vec_push(&scanner->signatures,
			 (struct scan_signature){entry, signature, .usable = sets.count > 0});
	}
}

static void add_frame(struct scanner *scanner, const struct frame *frame)
{
	struct scan_owner owner = {frame->kind == FRAME_ERROR ? SCAN_ERROR : SCAN_CODE, 0};

	if (frame->kind != FRAME_ERROR && frame->kind != FRAME_CODE)
		return;
	for (size_t i = 0; i < frame->literals.count; i++) {
		struct literal_sets sets = literal_of_text(frame->literals.items[i], &scanner->arena);

		sets.count = sets.count > 1 ? 1 : sets.count;
		add_literals(scanner, &sets, owner);
	}
}

static void set_filter(struct scanner *scanner, uint32_t bytes)
{
	uint32_t hash = bytes * hash_factor;

	scanner->filter[hash >> scanner->filter_shift] |=
		UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63);
}

static void build_tables(struct scanner *scanner)
{
	size_t words = FILTER_WORDS_MIN;
	size_t slots = 16;

	scanner->filter_shift = 32 - 10;
	while (words < scanner->windows.count / 2 && words < FILTER_WORDS_MAX) {
		words *= 2;
		scanner->filter_shift--;
	}
	while (slots < 2 * scanner->windows.count)
		slots *= 2;
	scanner->filter = alloc_zeroed(words, sizeof(*scanner->filter));
	scanner->table = alloc_zeroed(slots, sizeof(*scanner->table));
	scanner->table_mask = slots - 1;
	for (size_t i = 0; i < scanner->windows.count; i++) {
		const struct window *window = &scanner->windows.items[i];
		size_t at = (window->bytes * hash_factor >> 7) & scanner->table_mask;

		set_filter(scanner, window->bytes);
		while (scanner->table[at].used)
			at = (at + 1) & scanner->table_mask;
		scanner->table[at] = *window;
	}
	vec_release(&scanner->windows);
	vec_release(&scanner->needle_index);
}

struct scanner *scanner_new(const struct kb *kb)
{
	struct scanner *scanner = alloc_zeroed(1, sizeof(*scanner));

	scanner->kb = kb;
	for (size_t i = 0; i < kb->entry_count; i++)
		add_entry(scanner, kb->entries[i]);
	for (size_t i = 0; i < kb->frame_count; i++)
		add_frame(scanner, kb->frames[i]);
	build_tables(scanner);
	return scanner;
}

void scanner_free(struct scanner *scanner)
{
	if (!scanner)
		return;
	for (size_t i = 0; i < scanner->needles.count; i++)
		vec_release(&scanner->needles.items[i].owners);
	vec_release(&scanner->needles);
	vec_release(&scanner->signatures);
	vec_release(&scanner->literals_of);
	vec_release(&scanner->needle_ids);
	vec_release(&scanner->windows);
	vec_release(&scanner->needle_index);
	free(scanner->filter);
	free(scanner->table);
	arena_release(&scanner->arena);
	free(scanner);
}

const struct kb *scanner_kb(const struct scanner *scanner)
{
	return scanner->kb;
}

size_t scanner_signature_count(const struct scanner *scanner)
{
	return scanner->signatures.count;
}

const struct scan_signature *scanner_signature(const struct scanner *scanner, size_t index)
{
	return &scanner->signatures.items[index];
}

const struct scan_owner *scanner_owners(const struct scanner *scanner, uint32_t literal, size_t *count)
{
	*count = scanner->needles.items[literal].owners.count;
	return scanner->needles.items[literal].owners.items;
}

size_t scanner_literals(const struct scanner *scanner, size_t signature, struct str *literals, size_t room)
{
	struct signature_literals of = scanner->literals_of.items[signature];

	for (size_t i = 0; i < of.count && i < room; i++)
		literals[i] = scanner->needles.items[scanner->needle_ids.items[of.first + i]].text;
	return of.count;
}

/* Scanning */

static bool needle_is_at(const struct needle *needle, struct str text, size_t at)
{
	if (at > text.size || text.size - at < needle->text.size)
		return false;
	if (!needle->caseless)
		return memcmp(text.data + at, needle->text.data, needle->text.size) == 0;
	for (size_t i = 0; i < needle->text.size; i++) {
		if (lower(text.data[at + i]) != lower(needle->text.data[i]))
			return false;
	}
	return true;
}

/* The filter let the sample at `at` pass: is it a window, and does the literal stand around it? */
static void check_sample(const struct scanner *scanner, struct str text, size_t at, uint32_t bytes,
			 struct scan_hits *hits)
{
	size_t slot = (bytes * hash_factor >> 7) & scanner->table_mask;

	for (; scanner->table[slot].used; slot = (slot + 1) & scanner->table_mask) {
		const struct window *window = &scanner->table[slot];
		size_t start = at + (size_t)(int64_t)window->offset; /* wraps below 0: then beyond the text */

		if (window->bytes == bytes &&
		    needle_is_at(&scanner->needles.items[window->needle], text, start))
			vec_push(&hits->list, (struct scan_hit){(uint32_t)start, window->needle});
	}
}

static inline uint64_t filter_sample(const uint64_t *filter, unsigned shift, uint32_t bytes)
{
	uint32_t hash = bytes * hash_factor;
	uint64_t word = filter[hash >> shift];

	return word >> (hash & 63) & word >> (hash >> 6 & 63);
}

/* Samples near the end of the text, where a window may reach beyond it: what is missing counts as NUL. */
static void check_tail(const struct scanner *scanner, struct str text, size_t at, size_t to,
		       struct scan_hits *hits)
{
	for (; at < to; at += STRIDE) {
		char bytes[WINDOW] = {0};
		size_t there = text.size - at < WINDOW ? text.size - at : WINDOW;

		memcpy(bytes, text.data + at, there);
		if (filter_sample(scanner->filter, scanner->filter_shift, load_window(bytes)) & 1)
			check_sample(scanner, text, at, load_window(bytes), hits);
	}
}

void scanner_run(const struct scanner *scanner, struct str text, size_t from, size_t to,
		 struct scan_hits *hits)
{
	const uint64_t *filter = scanner->filter;
	unsigned shift = scanner->filter_shift;
	size_t at = (from + STRIDE - 1) / STRIDE * STRIDE;

	for (; at + SAMPLES_AT_ONCE * STRIDE <= to; at += SAMPLES_AT_ONCE * STRIDE) {
		const char *bytes = text.data + at;
		uint64_t passed = 0;

		for (size_t i = 0; i < SAMPLES_AT_ONCE; i++)
			passed |= filter_sample(filter, shift, load_window(bytes + i * STRIDE));
		if (__builtin_expect(!(passed & 1), 1))
			continue;
		for (size_t i = 0; i < SAMPLES_AT_ONCE; i++) {
			uint32_t sample = load_window(bytes + i * STRIDE);

			if (filter_sample(filter, shift, sample) & 1)
				check_sample(scanner, text, at + i * STRIDE, sample, hits);
		}
	}
	check_tail(scanner, text, at, to, hits);
}

typedef unsigned char byte_lanes __attribute__((vector_size(32)));

uint64_t scan_count_lines(struct str text)
{
	uint64_t lines = 0;
	size_t at = 0;

	while (at + sizeof(byte_lanes) <= text.size) {
		byte_lanes counts = {0};

		/* Each lane counts up to 255 line ends before it is added up. */
		for (int i = 0; i < 255 && at + sizeof(byte_lanes) <= text.size; i++) {
			byte_lanes bytes;

			memcpy(&bytes, text.data + at, sizeof(bytes));
			counts -= (byte_lanes)(bytes == '\n');
			at += sizeof(bytes);
		}
		for (size_t i = 0; i < sizeof(byte_lanes); i++)
			lines += counts[i];
	}
	for (; at < text.size; at++)
		lines += text.data[at] == '\n';
	return lines;
}

#include "core/scan.h"

#include "base/alloc.h"
#include "core/literal.h"
#include "core/scan_filter.h"

#include <string.h>

enum {
	STRIDE = LITERAL_WINDOWS, /* bytes between samples */
	WINDOW = LITERAL_WINDOW,  /* bytes of a sample */
	NOTHING_MORE = INT8_MAX
};

static const uint64_t hash_factor =
	0x9E3779B97F4A7C15u; /* odd, and its bits look random: 2^64 / golden ratio */

/* A literal of the scanner; several owners may share it. */
struct needle {
	struct str text;
	bool caseless;
	VEC(struct scan_owner) owners;
};

/* A window of a literal, in the hash table that decides what a sample is. */
struct window {
	uint32_t bytes;
	uint32_t more; /* four other bytes of the literal, so that most samples are decided without it */
	uint32_t needle;
	int8_t offset;      /* of the literal's start, from the window */
	int8_t more_offset; /* of `more`, from the window */
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
	struct scan_filter filter; /* all windows */
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

static void add_window(struct scanner *scanner, uint32_t needle, const struct literal *literal,
		       const char *bytes, int at)
{
	int last = (int)literal->text.size - WINDOW;
	int more = 2 * at > last ? 0 : last; /* what lies farther away says more */
	struct window window = {.bytes = load_window(bytes),
				.more = load_window(literal->text.data + more),
				.needle = needle,
				.offset = (int8_t)-at,
				.more_offset = (int8_t)(more - at),
				.used = true};

	if (literal->caseless) {
		window.more_offset = NOTHING_MORE;
		add_cases(scanner, window, bytes, 0);
	} else {
		vec_push(&scanner->windows, window);
	}
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
		add_window(scanner, needle, literal, window, after ? (int)text.size - (WINDOW - 1) : -1);
	}
}

/* STRIDE windows that follow each other, so that a sample falls on one of them wherever the literal stands.
 */
static void add_windows(struct scanner *scanner, uint32_t needle, const struct literal *literal)
{
	struct str text = literal->text;
	size_t first = literal->first_window;
	size_t inside = text.size - WINDOW + 1;

	for (size_t i = first; i < first + STRIDE && i < inside; i++)
		add_window(scanner, needle, literal, text.data + i, (int)i);
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

static void add_entry(struct scanner *scanner, const struct frequencies *frequencies,
		      const struct entry *entry)
{
	for (size_t i = 0; i < entry->signature_count; i++) {
		const struct signature *signature = &entry->signatures[i];
		struct scan_owner owner = {SCAN_SIGNATURE, (uint32_t)scanner->signatures.count};
		struct signature_literals literals = {.first = (uint32_t)scanner->needle_ids.count};
		struct literal_sets sets = literal_extract(frequencies, signature->match, &scanner->arena);

		add_literals(scanner, &sets, owner);
		literals.count = (uint32_t)scanner->needle_ids.count - literals.first;
		vec_push(&scanner->literals_of, literals);
		vec_push(&scanner->signatures,
			 (struct scan_signature){entry, signature, .usable = sets.count > 0});
	}
}

static void add_frame(struct scanner *scanner, const struct frequencies *frequencies,
		      const struct frame *frame)
{
	struct scan_owner owner = {frame->kind == FRAME_ERROR ? SCAN_ERROR : SCAN_CODE, 0};

	if (frame->kind != FRAME_ERROR && frame->kind != FRAME_CODE)
		return;
	for (size_t i = 0; i < frame->literals.count; i++) {
		struct literal_sets sets =
			literal_of_text(frequencies, frame->literals.items[i], &scanner->arena);

		sets.count = sets.count > 1 ? 1 : sets.count;
		add_literals(scanner, &sets, owner);
	}
}

static void build_tables(struct scanner *scanner)
{
	size_t slots = 16;

	while (slots < 2 * scanner->windows.count)
		slots *= 2;
	scan_filter_init(&scanner->filter, scanner->windows.count);
	scanner->table = alloc_zeroed(slots, sizeof(*scanner->table));
	scanner->table_mask = slots - 1;
	for (size_t i = 0; i < scanner->windows.count; i++) {
		const struct window *window = &scanner->windows.items[i];
		size_t at = (window->bytes * hash_factor >> 32) & scanner->table_mask;

		scan_filter_add(&scanner->filter, window->bytes);
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
	struct frequencies frequencies;

	frequencies_init(&frequencies);
	scanner->kb = kb;
	for (size_t i = 0; i < kb->entry_count; i++)
		add_entry(scanner, &frequencies, kb->entries[i]);
	for (size_t i = 0; i < kb->frame_count; i++)
		add_frame(scanner, &frequencies, kb->frames[i]);
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
	scan_filter_release(&scanner->filter);
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
	size_t slot = (bytes * hash_factor >> 32) & scanner->table_mask;

	for (; scanner->table[slot].used; slot = (slot + 1) & scanner->table_mask) {
		const struct window *window = &scanner->table[slot];
		size_t start = at + (size_t)(int64_t)window->offset; /* wraps below 0: then beyond the text */
		size_t more = at + (size_t)(int64_t)window->more_offset;

		if (window->bytes != bytes)
			continue;
		if (window->more_offset != NOTHING_MORE && (more > text.size || text.size - more < WINDOW ||
							    load_window(text.data + more) != window->more))
			continue;
		if (needle_is_at(&scanner->needles.items[window->needle], text, start))
			vec_push(&hits->list, (struct scan_hit){(uint32_t)start, window->needle});
	}
}

/* Samples near the end of the text, where a window may reach beyond it: what is missing counts as NUL. */
static void check_tail(const struct scanner *scanner, struct str text, size_t at, size_t to,
		       struct scan_hits *hits)
{
	for (; at < to; at += STRIDE) {
		char bytes[WINDOW] = {0};
		size_t there = text.size - at < WINDOW ? text.size - at : WINDOW;

		memcpy(bytes, text.data + at, there);
		if (scan_filter_has(&scanner->filter, load_window(bytes)))
			check_sample(scanner, text, at, load_window(bytes), hits);
	}
}

void scanner_run(const struct scanner *scanner, struct str text, size_t from, size_t to,
		 struct scan_hits *hits)
{
	size_t at = (from + STRIDE - 1) / STRIDE * STRIDE;

	for (;;) {
		unsigned places;
		size_t next;

		at = scan_filter_next(&scanner->filter, text, at, to, &places, &next);
		if (!places)
			break;
		for (; places; places &= places - 1) {
			size_t place = at + (size_t)__builtin_ctz(places) * STRIDE;

			check_sample(scanner, text, place, load_window(text.data + place), hits);
		}
		at = next;
	}
	check_tail(scanner, text, at, to, hits);
}

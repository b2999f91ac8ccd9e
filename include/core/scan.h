/*
 * scan: one pass over the raw bytes of a log that finds the few places worth a closer look.
 *
 * Each signature, error frame and code frame of the knowledge base has literals that must occur where it
 * matches (core/literal.h). The scan samples every fourth byte: four bytes are hashed into a small bit table
 * that holds all windows of all literals; only what passes is compared. So the cost hardly grows with the
 * number of signatures, and no byte of a line is looked at twice unless something is there.
 *
 * A scanner is made once from a kb (a few milliseconds) and never changes: threads may share it.
 */
#ifndef CORE_SCAN_H
#define CORE_SCAN_H

#include "base/vec.h"
#include "core/kb.h"
#include "core/scan_filter.h"

struct scanner;

/* One signature of the kb, in the order of its entries. */
struct scan_signature {
	const struct entry *entry;
	const struct signature *signature;
	bool usable; /* false: it has no literal, or does not compile; never matched, a fault for lint */
};

/* What a literal stands for. */
enum scan_owner_kind { SCAN_SIGNATURE, SCAN_ERROR, SCAN_CODE };
struct scan_owner {
	enum scan_owner_kind kind;
	uint32_t signature; /* index, for SCAN_SIGNATURE */
};

struct scan_hit {
	uint32_t at;      /* offset of the literal in what was scanned */
	uint32_t literal; /* for scanner_owners */
};
struct scan_hits {
	VEC(struct scan_hit)
	list; /* by offset, but for literals that start within a few bytes of each other */
};

struct scanner *scanner_new(const struct kb *kb);
void scanner_free(struct scanner *scanner);

const struct kb *scanner_kb(const struct scanner *scanner);
size_t scanner_signature_count(const struct scanner *scanner);
const struct scan_signature *scanner_signature(const struct scanner *scanner, size_t index);
const struct scan_owner *scanner_owners(const struct scanner *scanner, uint32_t literal, size_t *count);

/* The literals of one signature, for showing what it needs. */
size_t scanner_literals(const struct scanner *scanner, size_t signature, struct str *literals, size_t room);

/*
 * Append the hits in text[from, to): each literal is found once, by the call whose range holds its window.
 * Calls with ranges that touch find what one call with the whole range would. Bytes outside of the range are
 * compared with where the literal reaches beyond it; so from is SCAN_OVERLAP or more after the start, but at
 * the start of the input, and to as much before the end, but at its end.
 */
enum { SCAN_OVERLAP = 32 };
void scanner_run(const struct scanner *scanner, struct str text, size_t from, size_t to,
		 struct scan_hits *hits);

#endif

/*
 * search_table: from the hash of a text to the number of what has it (part of search).
 *
 * It grows in parts, each on its own, so that no single addition takes long however much it holds: the index
 * is made between keys. Different texts may have one hash: the caller compares, and asks for the next.
 */
#ifndef CORE_SEARCH_TABLE_H
#define CORE_SEARCH_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { SEARCH_TABLE_PARTS = 256, SEARCH_TABLE_NONE = UINT32_MAX };

struct search_table_part {
	uint64_t *slots; /* upper half of the hash, number + 1; 0: free */
	uint32_t size;   /* a power of two, or 0 */
	uint32_t used;
};

struct search_table {
	struct search_table_part parts[SEARCH_TABLE_PARTS];
};

struct search_cursor {
	const struct search_table_part *part;
	uint32_t tag, at;
};

/* A number that was added under this hash; SEARCH_TABLE_NONE when there is none (any more). */
uint32_t search_table_first(const struct search_table *table, uint64_t hash, struct search_cursor *cursor);
uint32_t search_table_next(struct search_cursor *cursor);

void search_table_add(struct search_table *table, uint64_t hash, uint32_t number);
void search_table_release(struct search_table *table);

/* Says that this hash will be looked up soon: memory is far away. */
void search_table_expect(const struct search_table *table, uint64_t hash);

#endif

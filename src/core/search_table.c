#include "core/search_table.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { LEAST_SIZE = 16 };

static uint32_t place_of(uint32_t tag, uint32_t size)
{
	return tag & (size - 1);
}

static void put(struct search_table_part *part, uint64_t slot)
{
	uint32_t at = place_of((uint32_t)(slot >> 32), part->size);

	while (part->slots[at])
		at = (at + 1) & (part->size - 1);
	part->slots[at] = slot;
}

static void grow(struct search_table_part *part)
{
	struct search_table_part larger = {.size = part->size ? 2 * part->size : LEAST_SIZE,
					   .used = part->used};

	larger.slots = alloc_zeroed(larger.size, sizeof(*larger.slots));
	for (uint32_t i = 0; i < part->size; i++) {
		if (part->slots[i])
			put(&larger, part->slots[i]);
	}
	free(part->slots);
	*part = larger;
}

void search_table_add(struct search_table *table, uint64_t hash, uint32_t number)
{
	struct search_table_part *part = &table->parts[hash % SEARCH_TABLE_PARTS];

	if (2 * part->used >= part->size)
		grow(part);
	part->used++;
	put(part, hash >> 32 << 32 | (number + 1));
}

uint32_t search_table_next(struct search_cursor *cursor)
{
	const struct search_table_part *part = cursor->part;

	while (part->slots[cursor->at]) {
		uint64_t slot = part->slots[cursor->at];

		cursor->at = (cursor->at + 1) & (part->size - 1);
		if ((uint32_t)(slot >> 32) == cursor->tag)
			return (uint32_t)slot - 1;
	}
	return SEARCH_TABLE_NONE;
}

uint32_t search_table_first(const struct search_table *table, uint64_t hash, struct search_cursor *cursor)
{
	*cursor = (struct search_cursor){.part = &table->parts[hash % SEARCH_TABLE_PARTS],
					 .tag = (uint32_t)(hash >> 32)};
	if (!cursor->part->size)
		return SEARCH_TABLE_NONE;
	cursor->at = place_of(cursor->tag, cursor->part->size);
	return search_table_next(cursor);
}

void search_table_release(struct search_table *table)
{
	for (size_t i = 0; i < SEARCH_TABLE_PARTS; i++)
		free(table->parts[i].slots);
	*table = (struct search_table){0};
}

void search_table_expect(const struct search_table *table, uint64_t hash)
{
	const struct search_table_part *part = &table->parts[hash % SEARCH_TABLE_PARTS];

	if (part->size)
		__builtin_prefetch(&part->slots[place_of((uint32_t)(hash >> 32), part->size)]);
}

#include "core/search_index.h"

#include <stdlib.h>

enum { BLOCK_SHIFT = 6, SHORTEST_RUN = 2, LONGEST_RUN = 1024 };

/* Names. */

static size_t find_chain(const struct search_index *index, uint64_t hash)
{
	struct search_cursor cursor;
	uint32_t at = search_table_first(&index->name_table, hash, &cursor);

	while (at != SEARCH_TABLE_NONE && index->names.items[at].hash != hash)
		at = search_table_next(&cursor);
	return at;
}

static uint64_t name_hash(enum search_name_kind kind, struct str folded)
{
	return (search_hash(folded) + (uint64_t)kind) * UINT64_C(0x9E3779B97F4A7C15);
}

const struct search_name *search_names_first(const struct search_index *index, enum search_name_kind kind,
					     struct str folded)
{
	size_t at = find_chain(index, name_hash(kind, folded));

	return at == SEARCH_TABLE_NONE ? NULL : &index->names.items[at];
}

const struct search_name *search_names_next(const struct search_index *index, const struct search_name *name)
{
	return name->next ? &index->names.items[name->next] : NULL;
}

void search_names_add(struct search_index *index, enum search_name_kind kind, size_t target,
		      struct str folded)
{
	uint64_t hash = name_hash(kind, folded);
	size_t head = find_chain(index, hash);
	uint32_t at = (uint32_t)index->names.count;
	struct search_name *last =
		head == SEARCH_TABLE_NONE ? NULL : &index->names.items[index->names.items[head].last];

	index->left -= SEARCH_COST_NAME;
	if (folded.size == 0 || (last && last->target == target))
		return;
	if (last) {
		last->next = at;
		index->names.items[head].last = at;
	} else {
		search_table_add(&index->name_table, hash, at);
	}
	vec_push(&index->names, (struct search_name){.hash = hash, .target = (uint32_t)target, .last = at});
}

/* Chunks and their postings. */

static uint32_t add_run(struct search_index *index, uint32_t length)
{
	uint32_t at;

	if (index->pool.count == 0)
		vec_push(&index->pool, 0); /* place 0 means none */
	at = (uint32_t)index->pool.count;
	vec_push(&index->pool, 0);
	vec_push(&index->pool, length);
	for (uint32_t i = 0; i < length; i++)
		vec_push(&index->pool, 0);
	return at;
}

static void add_to_runs(struct search_index *index, struct search_postings *postings, uint32_t posting)
{
	uint32_t length = postings->head ? index->pool.items[postings->tail + 1] : 0;

	if (postings->used == length) {
		uint32_t next = length ? 2 * length : SHORTEST_RUN;
		uint32_t run = add_run(index, next < LONGEST_RUN ? next : LONGEST_RUN);

		if (postings->head)
			index->pool.items[postings->tail] = run;
		else
			postings->head = run;
		postings->tail = run;
		postings->used = 0;
	}
	index->pool.items[postings->tail + SEARCH_RUN_HEADER + postings->used++] = posting;
}

void search_postings_add(struct search_index *index, size_t chunk, size_t entry, enum search_field field)
{
	struct search_postings *postings = &index->postings.items[chunk];
	uint32_t posting = (uint32_t)(entry << SEARCH_VALUE_FIELD_BITS | (size_t)field);

	if (postings->last_entry == entry + 1 || index->pool.count > UINT32_MAX / 2)
		return;
	if (postings->last_entry == 0)
		postings->first = posting;
	else
		add_to_runs(index, postings, posting);
	postings->last_entry = (uint32_t)entry + 1;
}

size_t search_chunk_add(struct search_index *index, struct str text)
{
	size_t chunk = index->chunk_count++;

	buf_add(&index->vocabulary, text);
	buf_add_byte(&index->vocabulary, '\n');
	for (size_t i = 0; i < text.size; i++)
		index->byte_counts[(unsigned char)text.data[i]]++;
	vec_push(&index->chunk_starts, (uint32_t)index->vocabulary.size);
	vec_push(&index->postings, (struct search_postings){0});
	while (index->blocks.count << BLOCK_SHIFT < index->vocabulary.size)
		vec_push(&index->blocks, (uint32_t)chunk);
	return chunk;
}

struct str search_chunk(const struct search_index *index, size_t chunk)
{
	size_t start = index->chunk_starts.items[chunk];

	return (struct str){index->vocabulary.data + start, index->chunk_starts.items[chunk + 1] - start - 1};
}

size_t search_chunk_at(const struct search_index *index, size_t offset)
{
	size_t chunk = index->blocks.items[offset >> BLOCK_SHIFT];

	while (index->chunk_starts.items[chunk + 1] <= offset)
		chunk++;
	return chunk;
}

/* Life. */

struct search_index *search_index_begin(const struct kb *kb)
{
	struct search_index *index = alloc_zeroed(1, sizeof(*index));

	index->kb = kb;
	index->entry_count = kb->entry_count;
	buf_add_byte(&index->vocabulary, '\n');
	vec_push(&index->chunk_starts, (uint32_t)index->vocabulary.size);
	index->totals = alloc_zeroed(kb->entry_count + 1, sizeof(*index->totals));
	index->tops = alloc_zeroed(kb->entry_count + 1, sizeof(*index->tops));
	index->builder = search_builder_new();
	return index;
}

struct search_index *search_index_new(const struct kb *kb)
{
	struct search_index *index = search_index_begin(kb);

	while (!search_index_step(index, SEARCH_ALL_WORK))
		;
	return index;
}

void search_index_free(struct search_index *index)
{
	if (!index)
		return;
	search_builder_free(index->builder);
	search_slots_release(index);
	search_query_release(&index->query);
	search_nearest_release(index);
	buf_release(&index->vocabulary);
	vec_release(&index->chunk_starts);
	vec_release(&index->blocks);
	vec_release(&index->postings);
	vec_release(&index->pool);
	vec_release(&index->names);
	search_table_release(&index->name_table);
	free(index->totals);
	free(index->tops);
	free(index);
}

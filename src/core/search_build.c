/* The index is made from the kb, a slice at a time. */
#include "core/search_index.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 32 };

enum stage { STAGE_CODES, STAGE_ENTRIES, STAGE_CODE_ENTRIES };

struct batch_item {
	struct str text;
	uint64_t hash;
	size_t chunk;
};

/* What is needed only while the index is made. */
struct search_builder {
	enum stage stage;
	size_t next;               /* code or entry */
	struct search_table table; /* of the chunks */
	struct buf folded;
	struct search_pieces pieces;
	struct batch_item batch[BATCH];
};

struct search_builder *search_builder_new(void)
{
	return alloc_zeroed(1, sizeof(struct search_builder));
}

void search_builder_free(struct search_builder *builder)
{
	if (!builder)
		return;
	search_table_release(&builder->table);
	buf_release(&builder->folded);
	vec_release(&builder->pieces.list);
	free(builder);
}

static bool chunk_is(const struct search_index *index, size_t chunk, struct str text)
{
	size_t start = index->chunk_starts.items[chunk];

	return index->chunk_starts.items[chunk + 1] - start == text.size + 1 &&
	       memcmp(index->vocabulary.data + start, text.data, text.size) == 0;
}

static size_t intern(struct search_index *index, struct str text, uint64_t hash)
{
	struct search_table *table = &index->builder->table;
	struct search_cursor cursor;
	uint32_t found = search_table_first(table, hash, &cursor);

	while (found != SEARCH_TABLE_NONE && !chunk_is(index, found, text))
		found = search_table_next(&cursor);
	if (found == SEARCH_TABLE_NONE) {
		found = (uint32_t)search_chunk_add(index, text);
		search_table_add(table, hash, found);
	}
	return found;
}

/*
 * In three passes, each of which asks memory for what the next one needs: places far apart are waited for
 * together.
 */
static void add_batch(struct search_index *index, size_t entry, enum search_field field, size_t count)
{
	struct batch_item *batch = index->builder->batch;

	for (size_t i = 0; i < count; i++) {
		batch[i].hash = search_hash(batch[i].text);
		search_table_expect(&index->builder->table, batch[i].hash);
	}
	for (size_t i = 0; i < count; i++) {
		batch[i].chunk = intern(index, batch[i].text, batch[i].hash);
		__builtin_prefetch(&index->postings.items[batch[i].chunk], 1);
	}
	for (size_t i = 0; i < count; i++)
		search_postings_add(index, batch[i].chunk, entry, field);
}

static void add_folded(struct search_index *index, size_t entry, enum search_field field, struct str text)
{
	struct batch_item *batch = index->builder->batch;
	size_t count;

	index->left -= (int64_t)(text.size * SEARCH_COST_INDEXED_BYTE);
	if (index->vocabulary.size + 2 * text.size >= UINT32_MAX)
		return; /* offsets are 32 bits wide; the loader's limits are far below */
	do {
		for (count = 0; count < BATCH && search_next_chunk(&text, &batch[count].text);)
			count++;
		add_batch(index, entry, field, count);
	} while (count == BATCH);
}

static void add_piece(struct search_index *index, size_t entry, enum search_field field, struct str text)
{
	struct buf *folded = &index->builder->folded;

	buf_clear(folded);
	utf8_fold(text, folded, NULL);
	add_folded(index, entry, field, buf_str(folded));
}

static struct str fold_name(struct search_index *index, struct str text)
{
	struct buf *folded = &index->builder->folded;

	buf_clear(folded);
	search_fold_line(text, folded);
	return buf_str(folded);
}

static void add_name(struct search_index *index, enum search_name_kind kind, size_t target, struct str text)
{
	search_names_add(index, kind, target, fold_name(index, text));
}

/* All the ways in which a code is typed: with and without its sign and its leading zeros. */
static void add_code_names(struct search_index *index, enum search_name_kind kind, size_t target,
			   struct str code)
{
	struct str folded = fold_name(index, code);
	char squeezed[SEARCH_SQUEEZED_SIZE];
	size_t size;

	search_names_add(index, kind, target, folded);
	if (folded.size > 1 && (folded.data[0] == '-' || folded.data[0] == '+'))
		search_names_add(index, kind, target, str_slice(folded, 1, folded.size));
	if (search_squeeze(folded, squeezed, &size) && size < folded.size)
		search_names_add(index, kind, target, (struct str){squeezed, size});
}

/* Stages: each function does one code or entry. */

static void add_code(struct search_index *index, size_t at)
{
	const struct code *code = index->kb->codes[at];

	add_code_names(index, SEARCH_NAME_CODE_ITSELF, at, code->code);
	for (size_t i = 0; i < code->aliases.count; i++)
		add_code_names(index, SEARCH_NAME_CODE_ITSELF, at, code->aliases.items[i]);
	add_name(index, SEARCH_NAME_CODE_ITSELF, at, code->name);
}

/* An entry's code: its spellings are names and words of the entry. */
static void add_spelling(struct search_index *index, size_t entry, struct str code)
{
	char squeezed[SEARCH_SQUEEZED_SIZE];
	size_t size;

	add_code_names(index, SEARCH_NAME_CODE, entry, code);
	if (search_squeeze(buf_str(&index->builder->folded), squeezed, &size))
		add_folded(index, entry, SEARCH_CODE, (struct str){squeezed, size});
	add_piece(index, entry, SEARCH_CODE, code);
}

static void add_definition(struct search_index *index, size_t entry, const struct code *code)
{
	add_spelling(index, entry, code->code);
	for (size_t i = 0; i < code->aliases.count; i++)
		add_spelling(index, entry, code->aliases.items[i]);
	add_piece(index, entry, SEARCH_CODE, code->name);
	add_name(index, SEARCH_NAME_CODE, entry, code->name);
}

static void add_entry_code(struct search_index *index, size_t entry, struct str code)
{
	const struct search_name *name;

	add_spelling(index, entry, code);
	name = search_names_first(index, SEARCH_NAME_CODE_ITSELF, fold_name(index, code));
	while (name) {
		size_t at = (size_t)(name - index->names.items);

		add_definition(index, entry, index->kb->codes[name->target]);
		name = search_names_next(index, &index->names.items[at]); /* adding may have moved them */
	}
}

static void add_entry(struct search_index *index, size_t at)
{
	const struct entry *entry = index->kb->entries[at];
	struct search_pieces *pieces = &index->builder->pieces;
	size_t i = 0;

	vec_clear(&pieces->list);
	search_entry_pieces(index->kb, entry, pieces);
	for (; i < pieces->list.count && pieces->list.items[i].field < SEARCH_CODE; i++)
		add_piece(index, at, pieces->list.items[i].field, pieces->list.items[i].text);
	for (size_t code = 0; code < entry->codes.count; code++)
		add_entry_code(index, at, entry->codes.items[code]);
	for (; i < pieces->list.count; i++)
		add_piece(index, at, pieces->list.items[i].field, pieces->list.items[i].text);
	add_name(index, SEARCH_NAME_ID, at, entry->id);
	for (int lang = 0; lang < LANG_COUNT; lang++)
		add_name(index, SEARCH_NAME_TITLE, at, entry->title.in[lang]);
	for (i = 0; i < entry->aliases.count; i++)
		add_name(index, SEARCH_NAME_ALIAS, at, entry->aliases.items[i]);
	index->left -= SEARCH_COST_ENTRY;
}

/* Codes that name their entries, where the entries do not name the codes. */
static void add_code_entries(struct search_index *index, size_t at)
{
	const struct code *code = index->kb->codes[at];

	for (size_t i = 0; i < code->entries.count; i++) {
		const struct search_name *name =
			search_names_first(index, SEARCH_NAME_ID, fold_name(index, code->entries.items[i]));

		if (name)
			add_definition(index, name->target, code);
	}
	index->left -= SEARCH_COST_NAME;
}

bool search_index_step(struct search_index *index, size_t work)
{
	static void (*const add[])(struct search_index * index, size_t at) = {
		[STAGE_CODES] = add_code,
		[STAGE_ENTRIES] = add_entry,
		[STAGE_CODE_ENTRIES] = add_code_entries,
	};
	const struct kb *kb = index->kb;
	const size_t counts[] = {kb->code_count, kb->entry_count, kb->code_count};
	struct search_builder *builder = index->builder;

	if (!builder)
		return true;
	search_forget(index);
	index->left = (int64_t)work;
	while (builder->stage <= STAGE_CODE_ENTRIES && index->left > 0) {
		if (builder->next < counts[builder->stage]) {
			add[builder->stage](index, builder->next++);
		} else {
			builder->stage++;
			builder->next = 0;
		}
	}
	if (builder->stage <= STAGE_CODE_ENTRIES)
		return false;
	search_builder_free(builder);
	index->builder = NULL;
	return true;
}

bool search_index_is_whole(const struct search_index *index)
{
	return !index->builder;
}

size_t search_index_entries(const struct search_index *index)
{
	if (!index->builder || index->builder->stage > STAGE_ENTRIES)
		return index->entry_count;
	return index->builder->stage == STAGE_ENTRIES ? index->builder->next : 0;
}

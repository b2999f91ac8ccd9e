#include "core/search_index.h"

#include "base/utf8.h"
#include "core/search_words.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_SHIFT = 6 };

struct chunk_state {
	uint64_t hash;
	uint32_t start;      /* in the vocabulary */
	uint32_t last_entry; /* + 1; its fields come weightiest first, so only the first is kept */
	uint32_t count;
};

struct token {
	uint32_t chunk;
	uint32_t posting;
};

/* What is needed only while the index is made. */
struct builder {
	struct search_index *index;
	VEC(struct chunk_state) chunks;
	uint32_t *table; /* open addressing; chunk + 1, 0: free */
	size_t table_size;
	VEC(struct token) tokens;
	struct buf folded;
	size_t code_names; /* the first so many names are those of codes, sorted */
};

static void put(struct builder *builder, size_t chunk)
{
	size_t slot = builder->chunks.items[chunk].hash & (builder->table_size - 1);

	while (builder->table[slot])
		slot = (slot + 1) & (builder->table_size - 1);
	builder->table[slot] = (uint32_t)chunk + 1;
}

static void grow_table(struct builder *builder)
{
	free(builder->table);
	builder->table_size = builder->table_size ? 2 * builder->table_size : 4096;
	builder->table = alloc_zeroed(builder->table_size, sizeof(*builder->table));
	for (size_t i = 0; i < builder->chunks.count; i++)
		put(builder, i);
}

static bool chunk_is(const struct builder *builder, size_t chunk, uint64_t hash, struct str text)
{
	const struct chunk_state *state = &builder->chunks.items[chunk];
	const struct buf *vocabulary = &builder->index->vocabulary;

	/* The line end after the chunk is compared too: its length is not kept. */
	return state->hash == hash && vocabulary->size - state->start > text.size &&
	       memcmp(vocabulary->data + state->start, text.data, text.size) == 0 &&
	       vocabulary->data[state->start + text.size] == '\n';
}

static size_t intern(struct builder *builder, struct str text)
{
	struct buf *vocabulary = &builder->index->vocabulary;
	uint64_t hash = search_hash(text);
	size_t slot;

	if (2 * builder->chunks.count >= builder->table_size)
		grow_table(builder);
	slot = hash & (builder->table_size - 1);
	for (; builder->table[slot]; slot = (slot + 1) & (builder->table_size - 1)) {
		if (chunk_is(builder, builder->table[slot] - 1, hash, text))
			return builder->table[slot] - 1;
	}
	vec_push(&builder->chunks, (struct chunk_state){.hash = hash, .start = (uint32_t)vocabulary->size});
	buf_add(vocabulary, text);
	buf_add_byte(vocabulary, '\n');
	builder->table[slot] = (uint32_t)builder->chunks.count;
	return builder->chunks.count - 1;
}

static void add_chunk(struct builder *builder, size_t entry, enum search_field field, struct str text)
{
	size_t chunk;
	struct chunk_state *state;

	if (builder->index->vocabulary.size + text.size >= UINT32_MAX)
		return; /* offsets are 32 bits wide; the loader's limits are far below */
	chunk = intern(builder, text);
	state = &builder->chunks.items[chunk];
	if (state->last_entry == entry + 1)
		return;
	state->last_entry = (uint32_t)entry + 1;
	state->count++;
	vec_push(&builder->tokens,
		 (struct token){(uint32_t)chunk,
				(uint32_t)(entry << SEARCH_VALUE_FIELD_BITS | (size_t)field)});
}

static void add_piece(struct builder *builder, size_t entry, enum search_field field, struct str text)
{
	struct str rest, chunk;

	buf_clear(&builder->folded);
	utf8_fold(text, &builder->folded, NULL);
	rest = buf_str(&builder->folded);
	while (search_next_chunk(&rest, &chunk))
		add_chunk(builder, entry, field, chunk);
}

static void add_name(struct builder *builder, enum search_name_kind kind, size_t target, struct str name)
{
	if (name.size)
		vec_push(&builder->index->names,
			 (struct search_name){search_hash(name), (uint32_t)target, (uint32_t)kind});
}

static void add_folded_name(struct builder *builder, enum search_name_kind kind, size_t target,
			    struct str text)
{
	buf_clear(&builder->folded);
	search_fold_line(text, &builder->folded);
	add_name(builder, kind, target, buf_str(&builder->folded));
}

/* All the ways in which a code is typed: with and without its sign and its leading zeros. */
static void add_code_names(struct builder *builder, enum search_name_kind kind, size_t target,
			   struct str code)
{
	char squeezed[SEARCH_SQUEEZED_SIZE];
	struct str folded;
	size_t size;

	add_folded_name(builder, kind, target, code);
	folded = buf_str(&builder->folded);
	if (folded.size > 1 && (folded.data[0] == '-' || folded.data[0] == '+'))
		add_name(builder, kind, target, str_slice(folded, 1, folded.size));
	if (search_squeeze(folded, squeezed, &size) && size < folded.size)
		add_name(builder, kind, target, (struct str){squeezed, size});
}

static int compare_names(const void *left, const void *right)
{
	const struct search_name *a = left, *b = right;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->target < b->target ? -1 : a->target > b->target;
}

static const struct search_name *find_names(const struct search_name *names, size_t count, uint64_t hash,
					    size_t *found)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (names[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	for (*found = 0; low + *found < count && names[low + *found].hash == hash;)
		++*found;
	return *found ? names + low : NULL;
}

const struct search_name *search_names_find(const struct search_index *index, struct str folded,
					    size_t *count)
{
	return find_names(index->names.items, index->names.count, search_hash(folded), count);
}

static void sort_names(struct search_index *index)
{
	if (index->names.count)
		qsort(index->names.items, index->names.count, sizeof(*index->names.items), compare_names);
}

static void add_codes(struct builder *builder, const struct kb *kb)
{
	for (size_t i = 0; i < kb->code_count; i++) {
		const struct code *code = kb->codes[i];

		add_code_names(builder, SEARCH_NAME_CODE_ITSELF, i, code->code);
		for (size_t j = 0; j < code->aliases.count; j++)
			add_code_names(builder, SEARCH_NAME_CODE_ITSELF, i, code->aliases.items[j]);
		add_folded_name(builder, SEARCH_NAME_CODE_ITSELF, i, code->name);
	}
	sort_names(builder->index);
	builder->code_names = builder->index->names.count;
}

/* An entry's code: its spellings are names and words of the entry. */
static void add_spelling(struct builder *builder, size_t entry, struct str code)
{
	char squeezed[SEARCH_SQUEEZED_SIZE];
	size_t size;

	add_code_names(builder, SEARCH_NAME_CODE, entry, code);
	if (search_squeeze(buf_str(&builder->folded), squeezed, &size))
		add_chunk(builder, entry, SEARCH_CODE, (struct str){squeezed, size});
	add_piece(builder, entry, SEARCH_CODE, code);
}

static void add_definition(struct builder *builder, size_t entry, const struct code *code)
{
	add_spelling(builder, entry, code->code);
	for (size_t i = 0; i < code->aliases.count; i++)
		add_spelling(builder, entry, code->aliases.items[i]);
	add_piece(builder, entry, SEARCH_CODE, code->name);
	add_folded_name(builder, SEARCH_NAME_CODE, entry, code->name);
}

static void add_entry_code(struct builder *builder, const struct kb *kb, size_t entry, struct str code)
{
	size_t count;

	add_spelling(builder, entry, code);
	buf_clear(&builder->folded);
	search_fold_line(code, &builder->folded);
	for (size_t i = 0;; i++) {
		/* Looked up anew each time: adding names may move the list, but not its first, sorted part.
		 */
		const struct search_name *names = find_names(builder->index->names.items, builder->code_names,
							     search_hash(buf_str(&builder->folded)), &count);

		if (i == count)
			return;
		add_definition(builder, entry, kb->codes[names[i].target]);
		buf_clear(&builder->folded);
		search_fold_line(code, &builder->folded);
	}
}

static void add_entry(struct builder *builder, const struct kb *kb, size_t at, struct search_pieces *pieces)
{
	const struct entry *entry = kb->entries[at];
	size_t i = 0;

	vec_clear(&pieces->list);
	search_entry_pieces(kb, entry, pieces);
	for (; i < pieces->list.count && pieces->list.items[i].field < SEARCH_CODE; i++)
		add_piece(builder, at, pieces->list.items[i].field, pieces->list.items[i].text);
	for (size_t code = 0; code < entry->codes.count; code++)
		add_entry_code(builder, kb, at, entry->codes.items[code]);
	for (; i < pieces->list.count; i++)
		add_piece(builder, at, pieces->list.items[i].field, pieces->list.items[i].text);
	add_folded_name(builder, SEARCH_NAME_ID, at, entry->id);
	for (int lang = 0; lang < LANG_COUNT; lang++)
		add_folded_name(builder, SEARCH_NAME_TITLE, at, entry->title.in[lang]);
	for (i = 0; i < entry->aliases.count; i++)
		add_folded_name(builder, SEARCH_NAME_ALIAS, at, entry->aliases.items[i]);
}

/* Codes that name their entries, where the entries do not name the codes. */
static void add_code_entries(struct builder *builder, const struct kb *kb)
{
	struct search_index *index = builder->index;

	sort_names(index);
	for (size_t i = 0, known = index->names.count; i < kb->code_count; i++) {
		const struct code *code = kb->codes[i];

		for (size_t j = 0; j < code->entries.count; j++) {
			const struct search_name *names;
			size_t count;

			buf_clear(&builder->folded);
			search_fold_line(code->entries.items[j], &builder->folded);
			names = find_names(index->names.items, known, search_hash(buf_str(&builder->folded)),
					   &count);
			if (count && names[0].kind == SEARCH_NAME_ID)
				add_definition(builder, names[0].target, code);
		}
	}
	sort_names(index);
}

/* The tokens by chunk: a counting sort, which keeps the order of entries. */
static void make_postings(struct builder *builder)
{
	struct search_index *index = builder->index;
	size_t chunks = builder->chunks.count;
	uint32_t total = 0;

	index->chunk_count = chunks;
	index->chunk_starts = alloc_bytes((chunks + 1) * sizeof(uint32_t));
	index->posting_starts = alloc_bytes((chunks + 1) * sizeof(uint32_t));
	index->postings = alloc_bytes(builder->tokens.count * sizeof(uint32_t));
	for (size_t i = 0; i < chunks; i++) {
		index->chunk_starts[i] = builder->chunks.items[i].start;
		index->posting_starts[i] = total;
		total += builder->chunks.items[i].count;
		builder->chunks.items[i].count = index->posting_starts[i];
	}
	index->chunk_starts[chunks] = (uint32_t)index->vocabulary.size;
	index->posting_starts[chunks] = total;
	for (size_t i = 0; i < builder->tokens.count; i++) {
		struct token token = builder->tokens.items[i];

		index->postings[builder->chunks.items[token.chunk].count++] = token.posting;
	}
}

static void make_blocks(struct search_index *index)
{
	size_t blocks = (index->vocabulary.size >> BLOCK_SHIFT) + 1;
	size_t chunk = 0;

	index->blocks = alloc_zeroed(blocks, sizeof(*index->blocks));
	for (size_t i = 0; i < blocks && index->chunk_count; i++) {
		while (chunk + 1 < index->chunk_count && index->chunk_starts[chunk + 1] <= i << BLOCK_SHIFT)
			chunk++;
		index->blocks[i] = (uint32_t)chunk;
	}
	for (size_t i = 0; i < index->vocabulary.size; i++)
		index->byte_counts[(unsigned char)index->vocabulary.data[i]]++;
}

struct search_index *search_index_new(const struct kb *kb)
{
	struct search_index *index = alloc_zeroed(1, sizeof(*index));
	struct builder builder = {.index = index};
	struct search_pieces pieces = {0};

	index->kb = kb;
	index->entry_count = kb->entry_count;
	buf_add_byte(&index->vocabulary, '\n');
	add_codes(&builder, kb);
	for (size_t i = 0; i < kb->entry_count; i++)
		add_entry(&builder, kb, i, &pieces);
	add_code_entries(&builder, kb);
	make_postings(&builder);
	make_blocks(index);
	index->totals = alloc_bytes(kb->entry_count * sizeof(*index->totals));
	index->tops = alloc_bytes(kb->entry_count * sizeof(*index->tops));
	vec_release(&pieces.list);
	vec_release(&builder.chunks);
	vec_release(&builder.tokens);
	buf_release(&builder.folded);
	free(builder.table);
	return index;
}

void search_index_free(struct search_index *index)
{
	if (!index)
		return;
	for (size_t i = 0; i < SEARCH_SLOTS; i++) {
		buf_release(&index->slots[i].word);
		free(index->slots[i].values);
	}
	buf_release(&index->vocabulary);
	vec_release(&index->names);
	free(index->chunk_starts);
	free(index->blocks);
	free(index->posting_starts);
	free(index->postings);
	free(index->totals);
	free(index->tops);
	free(index);
}

struct str search_chunk(const struct search_index *index, size_t chunk)
{
	size_t start = index->chunk_starts[chunk];

	return (struct str){index->vocabulary.data + start, index->chunk_starts[chunk + 1] - start - 1};
}

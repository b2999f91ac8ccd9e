#include "core/diagnose_private.h"

#include "base/alloc.h"

#include <string.h>

enum { RAW_SIZE = 64 * 1024, PAGE_SIZE = 4096, SCAN_PIECE = 16 * 1024 };

/* Blocks */

/*
 * Files come from the system in pages. Where the copy is a few bytes off a page, each store has the place
 * within a page of the next load, processors take the one for the other, and reading is three times as slow.
 */
void diagnose_block_init(struct diagnose_block *block)
{
	uintptr_t start;

	*block = (struct diagnose_block){.allocation =
						 alloc_zeroed(1, DIAGNOSE_KEEP + DIAGNOSE_BLOCK + PAGE_SIZE)};
	start = ((uintptr_t)block->allocation + PAGE_SIZE - 1) / PAGE_SIZE * PAGE_SIZE;
	block->memory = (char *)block->allocation + (start - (uintptr_t)block->allocation);
}

void diagnose_block_release(struct diagnose_block *block)
{
	free(block->allocation);
	vec_release(&block->hits.list);
	*block = (struct diagnose_block){0};
}

/*
 * The scan starts and ends half of SCAN_OVERLAP before the block's own bytes: then each literal has what it
 * needs around it. `lead` more bytes before keep the samples of all blocks at the same places of the input.
 */
static size_t scan_block(const struct scanner *scanner, struct diagnose_block *block, bool first, bool all,
			 size_t lead)
{
	size_t before = SCAN_OVERLAP + lead;
	struct str text = {block->memory + DIAGNOSE_KEEP - before, before + block->size};
	size_t from = first ? before : before - SCAN_OVERLAP / 2;
	size_t to = all ? text.size : text.size - SCAN_OVERLAP / 2;

	vec_clear(&block->hits.list);
	block->lines = 0;
	/* In pieces, so that a piece is still near when its lines are counted. */
	for (size_t at = from, own = before; at < to || own < text.size;) {
		size_t end = at < to && to - at > SCAN_PIECE ? at + SCAN_PIECE : to;
		size_t counted = end == to ? text.size : end;

		if (end > at)
			scanner_run(scanner, text, at, end, &block->hits);
		if (counted > own)
			block->lines += scan_count_lines(str_slice(text, own, counted));
		at = end;
		own = counted > own ? counted : own;
	}
	return before;
}

void diagnose_block_scan(const struct scanner *scanner, struct diagnose_block *block)
{
	scan_block(scanner, block, block->first, block->last, 0);
	block->scanned = true;
}

/* What the scan found, as places in the input. */
static void take_hits(struct diagnose *diagnose, const struct diagnose_block *block, size_t before)
{
	uint64_t base = diagnose->taken;

	for (size_t i = 0; i < block->hits.list.count; i++) {
		struct scan_hit hit = block->hits.list.items[i];

		if (base + hit.at >= before && base + hit.at - before >= diagnose->looked)
			vec_push(&diagnose->finds, (struct find){base + hit.at - before, hit.literal});
	}
}

/* What the next block's finds may need to see; finds that wait need as much before them again. */
static void keep_tail(struct diagnose *diagnose)
{
	size_t there = (size_t)(diagnose->view.end - diagnose->view.start);
	size_t wanted = diagnose->finds.count ? DIAGNOSE_KEEP : DIAGNOSE_KEEP - LOOK_AHEAD;
	size_t size = there < wanted ? there : wanted;

	buf_clear(&diagnose->tail);
	buf_add_bytes(&diagnose->tail, diagnose->view.data + there - size, size);
}

/* Finds before this are looked at now; of a log that still grows, those of whole lines. */
static uint64_t look_limit(const struct diagnose *diagnose, bool last, bool all)
{
	const struct view *view = &diagnose->view;
	const char *end;

	if (last)
		return UINT64_MAX;
	if (!all)
		return view->end > LOOK_AHEAD ? view->end - LOOK_AHEAD : 0;
	end = memrchr(view->data, '\n', (size_t)(view->end - view->start));
	return end ? view->start + (uint64_t)(end + 1 - view->data) : diagnose->looked;
}

static void take(struct diagnose *diagnose, struct diagnose_block *block, bool all)
{
	struct input *input = &diagnose->inputs.items[diagnose->inputs.count - 1];
	size_t kept = diagnose->tail.size;
	char *own = block->memory + DIAGNOSE_KEEP;
	bool first = diagnose->taken == 0;
	size_t before = SCAN_OVERLAP;
	uint64_t lines = diagnose->lines_before_cursor; /* before the block: there the cursor stands */

	if (kept)
		memcpy(own - kept, diagnose->tail.data, kept);
	if (!block->scanned)
		before = scan_block(diagnose->scanner, block, first, all, (size_t)(diagnose->taken % 4));
	take_hits(diagnose, block, before);
	diagnose->view = (struct view){own - kept, diagnose->taken - kept, diagnose->taken + block->size};
	if (diagnose->read_closely < CLOSE_READING)
		diagnose_find_hidden(diagnose, block->last);
	for (size_t i = 0; i < LINE_CACHE_SIZE; i++)
		diagnose->lines[i].used = false; /* a line may have been cut off where the view ended */
	diagnose_look(diagnose, look_limit(diagnose, block->last, all));
	diagnose->line_cursor = diagnose->view.end;
	diagnose->lines_before_cursor = lines + block->lines;
	diagnose->taken += block->size;
	input->bytes = diagnose->taken;
	input->lines = diagnose->lines_before_cursor;
	if (diagnose->taken && own[(ptrdiff_t)block->size - 1] != '\n')
		input->lines++; /* the last line may lack its end */
	keep_tail(diagnose);
	block->size = 0;
	block->scanned = false;
	vec_clear(&block->hits.list);
}

void diagnose_take(struct diagnose *diagnose, struct diagnose_block *block)
{
	take(diagnose, block, false);
}

/* Inputs */

/* What was transcoded, as far as it fills blocks; what is left is less than the block has room for. */
static void take_transcoded(struct diagnose *diagnose)
{
	struct diagnose_block *block = &diagnose->block;
	size_t at = 0;

	while (diagnose->transcoded.size - at >= DIAGNOSE_BLOCK - block->size) {
		size_t part = DIAGNOSE_BLOCK - block->size;

		memcpy(block->memory + DIAGNOSE_KEEP + block->size, diagnose->transcoded.data + at, part);
		block->size += part;
		at += part;
		take(diagnose, block, false);
	}
	buf_remove(&diagnose->transcoded, 0, at);
}

static void end_input(struct diagnose *diagnose)
{
	struct diagnose_block *block = &diagnose->block;

	if (!diagnose->reading)
		return;
	if (diagnose->is_utf16) {
		clean_utf16_finish(&diagnose->utf16, &diagnose->transcoded);
		take_transcoded(diagnose);
		if (diagnose->transcoded.size)
			memcpy(block->memory + DIAGNOSE_KEEP + block->size, diagnose->transcoded.data,
			       diagnose->transcoded.size);
		block->size += diagnose->transcoded.size;
	}
	block->last = true;
	take(diagnose, block, true);
	block->last = false;
	diagnose->reading = false;
}

void diagnose_begin(struct diagnose *diagnose, struct str name)
{
	end_input(diagnose);
	vec_push(&diagnose->inputs, (struct input){.name = arena_copy(&diagnose->arena, name)});
	diagnose->reading = true;
	diagnose->taken = diagnose->looked = diagnose->read_closely = 0;
	diagnose->is_utf16 = diagnose->keep_context = false;
	diagnose->utf16 = (struct clean_utf16){0};
	diagnose->path_rank = framing_rank_of_path(name);
	diagnose->line_cursor = diagnose->lines_before_cursor = 0;
	diagnose->block.size = 0;
	buf_clear(&diagnose->tail);
	buf_clear(&diagnose->raw);
	buf_clear(&diagnose->transcoded);
	vec_clear(&diagnose->finds);
	memset(diagnose->shapes, 0, SHAPE_CACHE_SIZE * sizeof(*diagnose->shapes));
	for (size_t i = 0; i < scanner_signature_count(diagnose->scanner); i++)
		diagnose->signatures[i].zone_count = 0; /* places of the input before */
}

void diagnose_keep_context(struct diagnose *diagnose)
{
	diagnose->keep_context = true;
}

/* The mark of UTF-16 at the start of the input: what is in the block so far is transcoded. */
static void start_utf16(struct diagnose *diagnose)
{
	unsigned char *own = (unsigned char *)diagnose->block.memory + DIAGNOSE_KEEP;
	struct diagnose_block *block = &diagnose->block;
	struct buf bytes = {0};

	diagnose->is_utf16 = true;
	diagnose->inputs.items[diagnose->inputs.count - 1].utf16 = true;
	diagnose->utf16.big_endian = own[0] == 0xFE;
	buf_add_bytes(&bytes, own + 2, block->size - 2);
	block->size = 0;
	diagnose_feed(diagnose, bytes.data, bytes.size);
	buf_release(&bytes);
}

static bool has_utf16_mark(const struct diagnose *diagnose)
{
	const unsigned char *own = (const unsigned char *)diagnose->block.memory + DIAGNOSE_KEEP;

	return !diagnose->is_utf16 && diagnose->taken == 0 && diagnose->block.size >= 2 &&
	       ((own[0] == 0xFF && own[1] == 0xFE) || (own[0] == 0xFE && own[1] == 0xFF));
}

char *diagnose_room(struct diagnose *diagnose, size_t *room)
{
	if (diagnose->is_utf16) {
		buf_clear(&diagnose->raw);
		buf_reserve(&diagnose->raw, RAW_SIZE);
		*room = RAW_SIZE;
		return diagnose->raw.data;
	}
	*room = DIAGNOSE_BLOCK - diagnose->block.size;
	return diagnose->block.memory + DIAGNOSE_KEEP + diagnose->block.size;
}

static void commit_utf16(struct diagnose *diagnose, size_t size)
{
	clean_utf16_add(&diagnose->utf16, &diagnose->transcoded, diagnose->raw.data, size);
	take_transcoded(diagnose);
}

void diagnose_commit(struct diagnose *diagnose, size_t size)
{
	if (diagnose->is_utf16) {
		commit_utf16(diagnose, size);
		return;
	}
	diagnose->block.size += size;
	if (has_utf16_mark(diagnose)) {
		start_utf16(diagnose);
		return;
	}
	if (diagnose->block.size == DIAGNOSE_BLOCK)
		take(diagnose, &diagnose->block, false);
}

void diagnose_feed(struct diagnose *diagnose, const char *bytes, size_t size)
{
	while (size) {
		size_t room;
		char *to = diagnose_room(diagnose, &room);
		size_t part = size < room ? size : room;

		memcpy(to, bytes, part);
		diagnose_commit(diagnose, part);
		bytes += part;
		size -= part;
	}
}

void diagnose_flush(struct diagnose *diagnose)
{
	if (diagnose->reading && (diagnose->block.size > 1 || diagnose->taken))
		take(diagnose, &diagnose->block, true);
}

const struct diagnosis *diagnose_result(struct diagnose *diagnose)
{
	diagnose_make_result(diagnose);
	return &diagnose->result;
}

const struct diagnosis *diagnose_finish(struct diagnose *diagnose)
{
	end_input(diagnose);
	return diagnose_result(diagnose);
}

const struct signature_trace *diagnose_trace(const struct diagnose *diagnose, size_t signature)
{
	return &diagnose->signatures[signature].trace;
}

/* Life */

struct diagnose *diagnose_new(const struct scanner *scanner)
{
	struct diagnose *diagnose = alloc_zeroed(1, sizeof(*diagnose));
	size_t signatures = scanner_signature_count(scanner);

	diagnose->scanner = scanner;
	diagnose->kb = scanner_kb(scanner);
	diagnose->framing = framing_new(diagnose->kb);
	diagnose_block_init(&diagnose->block);
	diagnose->lines = alloc_zeroed(LINE_CACHE_SIZE, sizeof(*diagnose->lines));
	diagnose->shapes = alloc_zeroed(SHAPE_CACHE_SIZE, sizeof(*diagnose->shapes));
	diagnose->hit_marks = alloc_zeroed(signatures + 1, sizeof(*diagnose->hit_marks));
	diagnose->signatures = alloc_zeroed(signatures + 1, sizeof(*diagnose->signatures));
	diagnose->found = alloc_zeroed(diagnose->kb->entry_count + 1, sizeof(*diagnose->found));
	for (size_t i = 0; i < signatures; i++)
		diagnose->signatures[i].wrapper_only = true;
	return diagnose;
}

static void forget_found(struct diagnose *diagnose)
{
	for (size_t i = 0; i < diagnose->kb->entry_count; i++) {
		struct found *found = &diagnose->found[i];

		vec_release(&found->evidence);
		vec_release(&found->ranks);
		vec_release(&found->captures);
		vec_release(&found->codes);
		*found = (struct found){0};
	}
	vec_clear(&diagnose->inputs);
	vec_clear(&diagnose->codes);
	vec_clear(&diagnose->code_last);
	vec_clear(&diagnose->unknown);
	vec_clear(&diagnose->covered);
	vec_clear(&diagnose->limits);
	vec_clear(&diagnose->pids);
	vec_clear(&diagnose->finds);
	arena_release(&diagnose->arena);
	arena_release(&diagnose->result_arena);
}

void diagnose_reset(struct diagnose *diagnose)
{
	diagnose->reading = false;
	diagnose->unknown_more = 0;
	diagnose->result = (struct diagnosis){0};
	forget_found(diagnose);
	for (size_t i = 0; i < scanner_signature_count(diagnose->scanner); i++) {
		struct signature_state *state = &diagnose->signatures[i];

		state->recent_count = state->zone_count = 0;
		state->misses = 0;
		state->trace = (struct signature_trace){0};
		state->wrapper_only = true;
	}
}

void diagnose_free(struct diagnose *diagnose)
{
	if (!diagnose)
		return;
	forget_found(diagnose);
	for (size_t i = 0; i < scanner_signature_count(diagnose->scanner); i++) {
		regex_free(diagnose->signatures[i].match);
		regex_free(diagnose->signatures[i].unless);
		free(diagnose->signatures[i].recent);
	}
	for (size_t i = 0; i < LINE_CACHE_SIZE; i++)
		buf_release(&diagnose->lines[i].text);
	for (size_t i = 0; i < READING_COUNT; i++) {
		buf_release(&diagnose->contexts[i].text);
		vec_release(&diagnose->contexts[i].lines);
	}
	buf_release(&diagnose->tail);
	buf_release(&diagnose->raw);
	buf_release(&diagnose->transcoded);
	buf_release(&diagnose->scratch);
	vec_release(&diagnose->inputs);
	vec_release(&diagnose->codes);
	vec_release(&diagnose->code_last);
	vec_release(&diagnose->unknown);
	vec_release(&diagnose->covered);
	vec_release(&diagnose->limits);
	vec_release(&diagnose->pids);
	vec_release(&diagnose->finds);
	vec_release(&diagnose->hit_signatures);
	free(diagnose->lines);
	free(diagnose->shapes);
	free(diagnose->hit_marks);
	free(diagnose->signatures);
	free(diagnose->found);
	diagnose_block_release(&diagnose->block);
	framing_free(diagnose->framing);
	free(diagnose);
}

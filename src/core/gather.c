#include "core/gather.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "core/parcel.h"

#include <string.h>

struct gather {
	struct buf token;
	const struct gather_style *style;
	struct arena names;
	VEC(struct gather_node) nodes;
	VEC(struct buf) garbage;
	uint64_t garbage_lines;
	size_t document_bytes;
	size_t asked;
	/* Names, and names without their domain -> index + 1; 0: free. A power of two, at most half full. */
	uint32_t *slots;
	struct str *keys;
	size_t slot_count, slots_used;
	/* Rank -> index + 1, as the nodes told. */
	VEC(uint32_t) ranks;
	int64_t started_ms;
};

struct gather *gather_new(struct str token, const struct gather_style *style)
{
	struct gather *gather = alloc_zeroed(1, sizeof(*gather));

	buf_add(&gather->token, token);
	gather->style = style;
	return gather;
}

void gather_free(struct gather *gather)
{
	if (!gather)
		return;
	for (size_t i = 0; i < gather->nodes.count; i++) {
		buf_release(&gather->nodes.items[i].own_name);
		buf_release(&gather->nodes.items[i].document);
		buf_release(&gather->nodes.items[i].remark);
	}
	for (size_t i = 0; i < gather->garbage.count; i++)
		buf_release(&gather->garbage.items[i]);
	vec_release(&gather->nodes);
	vec_release(&gather->garbage);
	vec_release(&gather->ranks);
	free(gather->slots);
	free(gather->keys);
	arena_release(&gather->names);
	buf_release(&gather->token);
	free(gather);
}

void gather_started(struct gather *gather, int64_t now_ms)
{
	gather->started_ms = now_ms;
}

/* ---- Names. -------------------------------------------------------------------------------------------- */

static size_t slot_of(const struct gather *gather, struct str name)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < name.size; i++)
		hash = (hash ^ (unsigned char)name.data[i]) * 16777619u;
	size_t slot = hash & (gather->slot_count - 1);
	while (gather->slots[slot] && !str_equal(gather->keys[slot], name))
		slot = (slot + 1) & (gather->slot_count - 1);
	return slot;
}

static struct gather_node *find(const struct gather *gather, struct str name)
{
	if (!gather->slot_count || !name.size)
		return NULL;
	uint32_t index = gather->slots[slot_of(gather, name)];
	return index ? &gather->nodes.items[index - 1] : NULL;
}

static void put_key(struct gather *gather, struct str name, uint32_t index)
{
	size_t slot = slot_of(gather, name);

	if (gather->slots[slot])
		return;
	gather->slots[slot] = index;
	gather->keys[slot] = name;
	gather->slots_used++;
}

static void grow_slots(struct gather *gather)
{
	size_t count = gather->slot_count;
	uint32_t *slots = gather->slots;
	struct str *keys = gather->keys;

	gather->slot_count = count ? count * 2 : 64;
	gather->slots = alloc_zeroed(gather->slot_count, sizeof(*gather->slots));
	gather->keys = alloc_zeroed(gather->slot_count, sizeof(*gather->keys));
	gather->slots_used = 0;
	for (size_t i = 0; i < count; i++)
		if (slots[i])
			put_key(gather, keys[i], slots[i]);
	free(slots);
	free(keys);
}

static struct str without_domain(struct str name)
{
	size_t dot = str_find_byte(name, '.');
	bool address = name.size && name.data[0] >= '0' && name.data[0] <= '9';

	return dot == STR_NOT_FOUND || address ? name : str_slice(name, 0, dot);
}

static struct gather_node *add_node(struct gather *gather, struct str name)
{
	if (gather->nodes.count >= GATHER_NODES_MOST)
		return NULL;
	if ((gather->slots_used + 2) * 2 > gather->slot_count)
		grow_slots(gather);
	name = arena_copy(&gather->names, name);
	vec_push(&gather->nodes, (struct gather_node){.name = name, .exit_status = -1});
	put_key(gather, name, (uint32_t)gather->nodes.count);
	put_key(gather, without_domain(name), (uint32_t)gather->nodes.count);
	return &gather->nodes.items[gather->nodes.count - 1];
}

void gather_expect(struct gather *gather, struct str name)
{
	struct gather_node *known = find(gather, name);

	if ((!known || !str_equal(known->name, name)) && add_node(gather, name))
		gather->asked++;
}

/* ---- Whose is it? -------------------------------------------------------------------------------------- */

static void note_rank(struct gather *gather, uint64_t rank, const struct gather_node *node)
{
	if (rank >= GATHER_NODES_MOST)
		return;
	while (gather->ranks.count <= rank)
		vec_push(&gather->ranks, 0);
	if (!gather->ranks.items[rank])
		gather->ranks.items[rank] = (uint32_t)(node - gather->nodes.items) + 1;
}

static struct gather_node *find_rank(const struct gather *gather, uint64_t rank)
{
	uint32_t index = rank < gather->ranks.count ? gather->ranks.items[rank] : 0;

	return index ? &gather->nodes.items[index - 1] : NULL;
}

/* The engine's label of a line, cut off its front; null: it has none that we know. */
static struct gather_node *take_label(const struct gather *gather, struct str *line)
{
	size_t colon = str_find_byte(*line, ':');
	struct gather_node *node = NULL;
	uint64_t rank;

	if (gather->style->label == GATHER_NO_LABEL || colon == STR_NOT_FOUND)
		return NULL;
	struct str label = str_trim(str_slice(*line, 0, colon));
	if (gather->style->label == GATHER_NODE_LABEL)
		node = find(gather, label);
	else if (str_to_u64(label, &rank))
		node = find_rank(gather, rank);
	if (node)
		*line = str_slice(*line, colon + 1, line->size);
	return node;
}

/*
 * The node of a parcel. The engine's word counts more than the node's own: a stream or a label names it. Else
 * its own name, its name without the domain, its place in the order of those that were asked; one that
 * nobody asked for is added.
 */
static struct gather_node *node_of_parcel(struct gather *gather, const struct parcel *parcel,
					 struct gather_node *told)
{
	struct gather_node *node = told;

	if (!node)
		node = find(gather, parcel->node);
	if (!node)
		node = find(gather, without_domain(parcel->node));
	if (!node && parcel->has_rank && parcel->rank < gather->asked)
		node = &gather->nodes.items[parcel->rank];
	if (!node)
		node = add_node(gather, parcel->node);
	if (node && !node->own_name.size)
		buf_add(&node->own_name, parcel->node);
	if (node && parcel->has_rank)
		note_rank(gather, parcel->rank, node);
	return node;
}

/* ---- Parcels. ------------------------------------------------------------------------------------------- */

static void note_clock(const struct gather *gather, struct gather_node *node, struct str payload,
		       int64_t now_ms)
{
	uint64_t theirs;

	if (payload.size > 15 || !str_to_u64(payload, &theirs))
		return;
	int64_t low = (int64_t)theirs - now_ms, high = (int64_t)theirs - gather->started_ms;
	if (!node->has_clock || low > node->clock_low)
		node->clock_low = low;
	if (!node->has_clock || high < node->clock_high)
		node->clock_high = high;
	node->has_clock = true;
	/* It was set in between: nothing is known, and the wider window says so. */
	if (node->clock_low > node->clock_high) {
		node->clock_low = low < node->clock_high ? low : node->clock_high;
		node->clock_high = high;
	}
}

static bool is_settled(const struct gather_node *node)
{
	return node->state == GATHER_DONE || node->state == GATHER_ABSENT || node->state == GATHER_FAILED;
}

/* False: it fits nowhere. */
static bool take_part(struct gather *gather, struct gather_node *node, const struct parcel *parcel)
{
	if (is_settled(node))
		return false;
	if (parcel->part == 0 && node->parts_got == 0)
		node->parts = parcel->parts;
	if (parcel->part != node->parts_got || parcel->parts != node->parts ||
	    node->document.size + parcel->payload.size > PARCEL_DOCUMENT_MOST ||
	    gather->document_bytes > GATHER_BYTES_MOST)
		return false;
	buf_add(&node->document, parcel->payload);
	gather->document_bytes += parcel->payload.size;
	node->state = ++node->parts_got == node->parts ? GATHER_DONE : GATHER_ALIVE;
	return true;
}

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

static bool take_end(struct gather_node *node, const struct parcel *parcel)
{
	uint64_t status = 0;

	str_to_u64(parcel->payload, &status);
	if (node->exit_status < 0)
		node->exit_status = (int)status;
	if (is_settled(node))
		return true;
	bool absent = node->state != GATHER_ALIVE &&
		      (status == STATUS_NOT_FOUND || status == STATUS_NOT_EXECUTABLE);
	node->state = absent ? GATHER_ABSENT : GATHER_FAILED;
	return true;
}

static bool take_parcel(struct gather *gather, const struct parcel *parcel, struct gather_node *told,
		       int64_t now_ms)
{
	struct gather_node *node = node_of_parcel(gather, parcel, told);

	if (!node)
		return false;
	switch (parcel->kind) {
	case PARCEL_HELLO:
	case PARCEL_SENT:
		note_clock(gather, node, parcel->payload, now_ms);
		/* fall through */
	case PARCEL_PART:
		if (!is_settled(node))
			node->state = GATHER_ALIVE;
		return parcel->kind != PARCEL_PART || take_part(gather, node, parcel);
	case PARCEL_END:
		return take_end(node, parcel);
	}
	return false;
}

/* ---- What is no parcel. --------------------------------------------------------------------------------- */

static void add_remark(struct gather_node *node, struct str text)
{
	text = str_trim(text);
	if (!text.size || node->remark.size >= GATHER_REMARK_MOST ||
	    (node->remark.size && str_find(buf_str(&node->remark), str_slice(text, 0, 100)) != STR_NOT_FOUND))
		return;
	if (node->remark.size)
		buf_add(&node->remark, STR("; "));
	text = str_slice(text, 0, GATHER_REMARK_MOST - node->remark.size);
	/* Line ends and tabs are harmless elsewhere and not in one line. */
	size_t from = node->remark.size;
	utf8_add_printable(&node->remark, text, false);
	for (size_t i = from; i < node->remark.size; i++)
		if (node->remark.data[i] == '\n' || node->remark.data[i] == '\t')
			node->remark.data[i] = ' ';
}

static bool says_gone(const struct gather *gather, struct str line)
{
	for (const char *const *gone = gather->style->gone; gone && *gone; gone++)
		if (str_find(line, str_of(*gone)) != STR_NOT_FOUND)
			return true;
	return false;
}

static void remark(struct gather_node *node, struct str line, bool gone)
{
	if (node->state == GATHER_DONE)
		return;
	add_remark(node, line);
	if (gone && node->state == GATHER_WAITING)
		node->state = GATHER_GONE;
}

static bool is_word_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
	       strchr("._-[],", byte);
}

struct remark_context {
	struct gather *gather;
	struct str line;
	bool gone, named;
};

static void remark_on_word(struct remark_context *context, struct str word)
{
	struct gather_node *node;

	while (word.size && strchr(".,-]", word.data[word.size - 1]) &&
	       str_find_byte(word, '[') == STR_NOT_FOUND)
		word.size--;
	node = find(context->gather, word);
	if (node) {
		remark(node, context->line, context->gone);
		context->named = true;
		return;
	}
}

/* All nodes that the line names; false: none. */
static bool remark_on_named(struct gather *gather, struct str line)
{
	struct remark_context context = {gather, line, says_gone(gather, line), false};
	struct str head = str_slice(line, 0, 4096);

	for (size_t at = 0; at < head.size;) {
		size_t start = at;

		while (at < head.size && head.data[at] && is_word_byte(head.data[at]))
			at++;
		if (at > start)
			remark_on_word(&context, str_slice(head, start, at));
		else
			at++;
	}
	return context.named;
}

static void take_garbage(struct gather *gather, struct str line, struct gather_node *told)
{
	struct str text = str_trim(line);

	if (!text.size)
		return;
	if (told) {
		remark(told, text, says_gone(gather, text));
		return;
	}
	if (remark_on_named(gather, text))
		return;
	gather->garbage_lines++;
	if (gather->garbage.count >= GATHER_GARBAGE_KEPT)
		return;
	struct buf kept = {0};
	utf8_add_printable(&kept, str_slice(text, 0, GATHER_REMARK_MOST), false);
	vec_push(&gather->garbage, kept);
}

static void take_line(struct gather *gather, const struct gather_stream *stream, struct str line,
		      int64_t now_ms)
{
	struct gather_node *told = find(gather, stream->node);
	struct parcel parcel;
	size_t at = 0, taken = 0;
	bool broken, any_broken = false;

	if (!told)
		told = take_label(gather, &line);
	while (parcel_next(line, buf_str(&gather->token), &at, &parcel, &broken)) {
		any_broken = any_broken || broken;
		if (take_parcel(gather, &parcel, told, now_ms))
			taken++;
		else
			any_broken = true;
	}
	if (any_broken || broken)
		gather->garbage_lines++;
	else if (!taken)
		take_garbage(gather, line, told);
}

void gather_take(struct gather *gather, struct gather_stream *stream, struct str bytes, int64_t now_ms)
{
	while (bytes.size) {
		const char *end = memchr(bytes.data, '\n', bytes.size);
		size_t size = end ? (size_t)(end - bytes.data) : bytes.size;
		struct str piece = str_slice(bytes, 0, size);

		bytes = str_slice(bytes, end ? size + 1 : size, bytes.size);
		if (!stream->skipping && end && !stream->rest.size) {
			take_line(gather, stream, piece, now_ms);
			continue;
		}
		if (!stream->skipping)
			buf_add(&stream->rest, piece);
		if (stream->rest.size > GATHER_LINE_MOST) {
			stream->skipping = true;
			gather->garbage_lines++;
			buf_clear(&stream->rest);
		}
		if (!end)
			return;
		if (!stream->skipping)
			take_line(gather, stream, buf_str(&stream->rest), now_ms);
		buf_clear(&stream->rest);
		stream->skipping = false;
	}
}

void gather_end(struct gather *gather, struct gather_stream *stream, int64_t now_ms)
{
	if (stream->rest.size && !stream->skipping)
		take_line(gather, stream, buf_str(&stream->rest), now_ms);
	buf_release(&stream->rest);
	stream->skipping = false;
}

/* ---- The end. ------------------------------------------------------------------------------------------ */

void gather_refuse(struct gather *gather, struct str name, struct str why)
{
	struct gather_node *node = find(gather, name);

	if (!node || is_settled(node))
		return;
	add_remark(node, why);
	node->state = GATHER_GONE;
}

void gather_finish(struct gather *gather, bool timed_out)
{
	for (size_t i = 0; i < gather->nodes.count; i++) {
		struct gather_node *node = &gather->nodes.items[i];

		if (node->state == GATHER_WAITING || node->state == GATHER_ALIVE)
			node->state = timed_out                       ? GATHER_LATE
				      : node->state == GATHER_WAITING ? GATHER_GONE
								      : GATHER_FAILED;
	}
}

void gather_fail(struct gather *gather, size_t index, struct str why)
{
	struct gather_node *node = &gather->nodes.items[index];

	node->state = GATHER_FAILED;
	add_remark(node, why);
}

struct gather_counts gather_counts(const struct gather *gather)
{
	struct gather_counts counts = {.asked = gather->nodes.count, .garbage = gather->garbage_lines};

	for (size_t i = 0; i < gather->nodes.count; i++) {
		enum gather_state state = gather->nodes.items[i].state;

		counts.done += state == GATHER_DONE;
		counts.waiting += state == GATHER_WAITING || state == GATHER_ALIVE;
	}
	counts.lost = counts.asked - counts.done - counts.waiting;
	return counts;
}

size_t gather_node_count(const struct gather *gather)
{
	return gather->nodes.count;
}

const struct gather_node *gather_node(const struct gather *gather, size_t index)
{
	return &gather->nodes.items[index];
}

size_t gather_garbage_count(const struct gather *gather)
{
	return gather->garbage.count;
}

struct str gather_garbage(const struct gather *gather, size_t index)
{
	return buf_str(&gather->garbage.items[index]);
}

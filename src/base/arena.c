#include "base/arena.h"

#include "base/alloc.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t capacity;
	alignas(max_align_t) char bytes[];
};

static struct arena_block *new_block(struct arena *arena, size_t at_least)
{
	size_t capacity = at_least > BLOCK_SIZE ? at_least : BLOCK_SIZE;
	struct arena_block *block = alloc_zeroed(1, sizeof(*block) + capacity);

	block->capacity = capacity;
	/* A block for one large object goes behind the current one, which may still have room. */
	if (arena->blocks && at_least > BLOCK_SIZE) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
	} else {
		block->next = arena->blocks;
		arena->blocks = block;
	}
	return block;
}

void *arena_take(struct arena *arena, size_t size)
{
	size_t step = alignof(max_align_t);
	size_t rounded = (size + step - 1) / step * step;
	struct arena_block *block = arena->blocks;
	void *memory;

	if (!block || block->capacity - block->used < rounded)
		block = new_block(arena, rounded);
	memory = block->bytes + block->used;
	block->used += rounded;
	arena->used += rounded;
	return memory;
}

void *arena_take_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size / 2)
		return alloc_resized(NULL, SIZE_MAX, 2); /* ends the process: out of memory */
	return arena_take(arena, count * size);
}

struct str arena_copy(struct arena *arena, struct str text)
{
	char *copy = arena_take(arena, text.size + 1);

	if (text.size)
		memcpy(copy, text.data, text.size);
	return (struct str){copy, text.size};
}

const char *arena_c_string(struct arena *arena, struct str text)
{
	return arena_copy(arena, text).data;
}

void arena_release(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	*arena = (struct arena){0};
}

/*
 * arena: memory for things that live and die together.
 *
 * Objects are taken with arena_take and never freed one by one; arena_release frees all. Memory is zeroed
 * and aligned for any object. `struct arena a = {0}` is an empty one.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used; /* bytes handed out in all, for limits and tests */
};

void *arena_take(struct arena *arena, size_t size);
void *arena_take_array(struct arena *arena, size_t count, size_t size);
struct str arena_copy(struct arena *arena, struct str text); /* the copy is followed by NUL */
const char *arena_c_string(struct arena *arena, struct str text);
void arena_release(struct arena *arena);

#endif

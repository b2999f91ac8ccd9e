/*
 * vec: a growing array of any element type.
 *
 * A vec is a struct of three members that the user declares with VEC(type); it owns `items`. {0} is an
 * empty one. Pointers into it live until the next push.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/alloc.h"

#include <stdlib.h>

#define VEC(type) \
	struct { \
		type *items; \
		size_t count; \
		size_t capacity; \
	}

#define vec_push(vec, ...) \
	do { \
		if ((vec)->count == (vec)->capacity) { \
			(vec)->capacity = (vec)->capacity ? 2 * (vec)->capacity : 8; \
			(vec)->items = alloc_resized((vec)->items, (vec)->capacity, sizeof(*(vec)->items)); \
		} \
		(vec)->items[(vec)->count++] = __VA_ARGS__; \
	} while (0)

#define vec_clear(vec) ((void)((vec)->count = 0))

#define vec_release(vec) \
	do { \
		free((vec)->items); \
		(vec)->items = NULL; \
		(vec)->count = (vec)->capacity = 0; \
	} while (0)

#endif

/*
 * alloc: memory or a clean end.
 *
 * Out of memory cannot be handled where it happens: the functions here say so, call the handler that the
 * program has set (it restores the terminal) and end the process. They never return null.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

void *alloc_bytes(size_t size); /* uninitialised */
void *alloc_zeroed(size_t count, size_t size);
void *alloc_resized(void *memory, size_t count, size_t size); /* as reallocarray */

/* Called once before the process ends for lack of memory; must not allocate. Null: none. */
void alloc_on_exhaustion(void (*handler)(void));

#endif

#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void (*exhaustion_handler)(void);

void alloc_on_exhaustion(void (*handler)(void))
{
	exhaustion_handler = handler;
}

static void *checked(void *memory)
{
	if (memory)
		return memory;
	if (exhaustion_handler)
		exhaustion_handler();
	fputs("ascend-faq: out of memory\n", stderr);
	_Exit(2);
}

void *alloc_bytes(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *alloc_zeroed(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *alloc_resized(void *memory, size_t count, size_t size)
{
	size_t bytes = count * size;

	if (size && count > SIZE_MAX / size)
		return checked(NULL);
	return checked(realloc(memory, bytes > 0 ? bytes : 1));
}

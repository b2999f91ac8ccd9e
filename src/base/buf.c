#include "base/buf.h"

#include "base/alloc.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
	buf_truncate(buf, 0);
}

void buf_reserve(struct buf *buf, size_t more)
{
	size_t need = buf->size + more + 1;

	if (need <= buf->capacity)
		return;
	buf->capacity = need < 2 * buf->capacity ? 2 * buf->capacity : need;
	buf->data = alloc_resized(buf->data, buf->capacity, 1);
	buf->data[buf->size] = '\0';
}

void buf_add_bytes(struct buf *buf, const void *bytes, size_t size)
{
	buf_reserve(buf, size);
	if (size)
		memcpy(buf->data + buf->size, bytes, size);
	buf->size += size;
	buf->data[buf->size] = '\0';
}

void buf_add(struct buf *buf, struct str text)
{
	buf_add_bytes(buf, text.data, text.size);
}

void buf_add_byte(struct buf *buf, char byte)
{
	buf_add_bytes(buf, &byte, 1);
}

void buf_add_repeated(struct buf *buf, char byte, size_t count)
{
	buf_reserve(buf, count);
	memset(buf->data + buf->size, byte, count);
	buf->size += count;
	buf->data[buf->size] = '\0';
}

void buf_add_format_list(struct buf *buf, const char *format, va_list arguments)
{
	va_list again;
	int length;

	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	assert(length >= 0);
	buf_reserve(buf, (size_t)length);
	vsnprintf(buf->data + buf->size, (size_t)length + 1, format, again);
	va_end(again);
	buf->size += (size_t)length;
}

void buf_add_format(struct buf *buf, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	buf_add_format_list(buf, format, arguments);
	va_end(arguments);
}

void buf_truncate(struct buf *buf, size_t size)
{
	assert(size <= buf->size);
	buf->size = size;
	if (buf->data)
		buf->data[size] = '\0';
}

void buf_remove(struct buf *buf, size_t from, size_t count)
{
	assert(from <= buf->size && count <= buf->size - from);
	if (count == 0)
		return;
	memmove(buf->data + from, buf->data + from + count, buf->size - from - count + 1);
	buf->size -= count;
}

void buf_insert(struct buf *buf, size_t at, struct str text)
{
	assert(at <= buf->size);
	if (text.size == 0)
		return;
	buf_reserve(buf, text.size);
	memmove(buf->data + at + text.size, buf->data + at, buf->size - at + 1);
	memcpy(buf->data + at, text.data, text.size);
	buf->size += text.size;
}

struct str buf_str(const struct buf *buf)
{
	return (struct str){buf->data, buf->size};
}

const char *buf_c_string(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

/*
 * buf: a growing run of bytes, always followed by a NUL that does not count.
 *
 * Owns its bytes. `struct buf b = {0}` is an empty one; buf_release frees it and makes it empty again, so
 * both are safe at any time. A str taken from it (buf_str) lives until the next change.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/str.h"

#include <stdarg.h>

struct buf {
	char *data; /* null only while nothing was ever added */
	size_t size;
	size_t capacity;
};

void buf_release(struct buf *buf);
void buf_clear(struct buf *buf); /* keeps the memory */
void buf_reserve(struct buf *buf, size_t more);
void buf_add(struct buf *buf, struct str text);
void buf_add_bytes(struct buf *buf, const void *bytes, size_t size);
void buf_add_byte(struct buf *buf, char byte);
void buf_add_repeated(struct buf *buf, char byte, size_t count);
void buf_add_format(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_add_format_list(struct buf *buf, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));
void buf_truncate(struct buf *buf, size_t size); /* size at most buf->size */
void buf_remove(struct buf *buf, size_t from, size_t count);
void buf_insert(struct buf *buf, size_t at, struct str text);

struct str buf_str(const struct buf *buf);
const char *buf_c_string(const struct buf *buf); /* never null */

#endif

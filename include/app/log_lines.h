/*
 * log_lines: the lines around a place in a log, read again from the file.
 *
 * In a child process (app/child.h): a file system may hang, and in a gzip file the place is only reached by
 * unpacking all before it.
 */
#ifndef APP_LOG_LINES_H
#define APP_LOG_LINES_H

#include "base/buf.h"

enum { LOG_LINES_BEFORE = 16 * 1024, LOG_LINES_AFTER = 32 * 1024 }; /* bytes */

/*
 * Append what stands from some line before `offset` on. *before is how many of these bytes stand before
 * `offset`; they begin with a line, but where that would be too far. Offsets are those of struct evidence:
 * of gzip and UTF-16, in the UTF-8 text in it. False: it cannot be read, or has become shorter.
 */
bool log_lines_read(const char *path, uint64_t offset, struct buf *out, size_t *before);

#endif

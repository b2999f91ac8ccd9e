/*
 * diag: what is wrong with the data that was read, all of it, in order.
 *
 * The only error channel of parsers: they add a diagnostic and go on. Owns its texts.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/vec.h"

enum diag_severity { DIAG_ERROR, DIAG_WARNING };

/* Where something stands. Line and column count from 1; 0 means "the whole file". */
struct location {
	const char *file;
	uint32_t line;
	uint32_t column; /* in characters */
};

struct diag {
	enum diag_severity severity;
	struct location where;
	struct str text; /* one line, no line end: what is wrong and what to do */
};

struct diag_list {
	struct arena arena;
	VEC(struct diag) list;
	size_t errors;
	size_t warnings;
};

void diag_add(struct diag_list *diags, enum diag_severity severity, struct location where, const char *format,
	      ...) __attribute__((format(printf, 4, 5)));
void diag_sort(struct diag_list *diags); /* by file, line, column; stable */
void diag_release(struct diag_list *diags);

#endif

#include "base/diag.h"

#include "base/buf.h"

#include <stdarg.h>
#include <string.h>

void diag_add(struct diag_list *diags, enum diag_severity severity, struct location where, const char *format,
	      ...)
{
	struct buf text = {0};
	struct diag diag = {severity, where, {NULL, 0}};
	va_list arguments;

	va_start(arguments, format);
	buf_add_format_list(&text, format, arguments);
	va_end(arguments);
	diag.text = arena_copy(&diags->arena, buf_str(&text));
	if (where.file)
		diag.where.file = arena_c_string(&diags->arena, str_of(where.file));
	buf_release(&text);
	vec_push(&diags->list, diag);
	if (severity == DIAG_ERROR)
		diags->errors++;
	else
		diags->warnings++;
}

static int compare_location(const struct diag *a, const struct diag *b)
{
	int order = strcmp(a->where.file ? a->where.file : "", b->where.file ? b->where.file : "");

	if (order != 0)
		return order;
	if (a->where.line != b->where.line)
		return a->where.line < b->where.line ? -1 : 1;
	return a->where.column < b->where.column ? -1 : a->where.column > b->where.column;
}

void diag_sort(struct diag_list *diags)
{
	/* Insertion keeps equal ones in order; a pack has few faults, and they come nearly sorted. */
	for (size_t i = 1; i < diags->list.count; i++) {
		struct diag moved = diags->list.items[i];
		size_t at = i;

		while (at > 0 && compare_location(&diags->list.items[at - 1], &moved) > 0) {
			diags->list.items[at] = diags->list.items[at - 1];
			at--;
		}
		diags->list.items[at] = moved;
	}
}

void diag_release(struct diag_list *diags)
{
	arena_release(&diags->arena);
	vec_release(&diags->list);
	*diags = (struct diag_list){0};
}

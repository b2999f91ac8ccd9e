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

/* Merge two sorted neighbours, [from, middle) and [middle, to), into `out`; of equal ones the first comes
 * first. */
static void merge(const struct diag *items, size_t from, size_t middle, size_t to, struct diag *out)
{
	size_t left = from, right = middle;

	for (size_t at = from; at < to; at++) {
		bool take_left =
			right == to || (left < middle && compare_location(&items[left], &items[right]) <= 0);

		out[at] = take_left ? items[left++] : items[right++];
	}
}

void diag_sort(struct diag_list *diags)
{
	size_t count = diags->list.count;
	struct diag *items = diags->list.items;
	struct diag *spare = alloc_bytes(count * sizeof(*spare));

	/* A hostile pack has as many faults as it likes. */
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t from = 0; from < count; from += 2 * width) {
			size_t middle = from + width < count ? from + width : count;
			size_t to = middle + width < count ? middle + width : count;

			merge(items, from, middle, to, spare);
		}
		if (count)
			memcpy(items, spare, count * sizeof(*items));
	}
	free(spare);
}

void diag_release(struct diag_list *diags)
{
	arena_release(&diags->arena);
	vec_release(&diags->list);
	*diags = (struct diag_list){0};
}

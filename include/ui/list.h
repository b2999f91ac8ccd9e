/*
 * list: what is selected and what is in view in any list of the program.
 *
 * A list knows numbers only: how many items there are, which one is selected, which one is the first in view.
 * The view draws them. An item is one row high, or what `height` says. Invariants, after every call:
 * selected < count (0 when empty), top < count (0 when empty).
 */
#ifndef UI_LIST_H
#define UI_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum list_move {
	LIST_UP,
	LIST_DOWN,
	LIST_PAGE_UP,
	LIST_PAGE_DOWN,
	LIST_HALF_UP,
	LIST_HALF_DOWN,
	LIST_FIRST,
	LIST_LAST
};

struct list {
	size_t count;
	size_t selected;
	size_t top; /* first item in view */
	int rows;   /* of the view; at least 1 is used */
	int (*height)(const void *owner, size_t item);
	const void *owner;
};

void list_set_count(struct list *list, size_t count);
void list_set_rows(struct list *list, int rows); /* keeps the selection in view */
void list_select(struct list *list, size_t item);
void list_move(struct list *list, enum list_move move);

/* Move what is in view, not the selection (mouse wheel). */
void list_scroll(struct list *list, int rows);

/* The item that is drawn on this row of the view; false: none. *first_row gets its first row. */
bool list_item_at(const struct list *list, int row, size_t *item, int *first_row);

#endif

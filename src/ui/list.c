#include "ui/list.h"

static int item_height(const struct list *list, size_t item)
{
	int height = list->height ? list->height(list->owner, item) : 1;

	return height > 1 ? height : 1;
}

static int view_rows(const struct list *list)
{
	return list->rows > 1 ? list->rows : 1;
}

/* The last top that leaves no row empty. */
static size_t last_top(const struct list *list)
{
	size_t top = list->count;
	int rows = view_rows(list);

	if (!list->height)
		return list->count > (size_t)rows ? list->count - (size_t)rows : 0;
	while (top > 0 && rows >= item_height(list, top - 1))
		rows -= item_height(list, --top);
	return top == list->count && top > 0 ? top - 1 : top;
}

static void clamp_top(struct list *list)
{
	size_t last = last_top(list);

	if (list->top > last)
		list->top = last;
}

static void show_selected(struct list *list)
{
	size_t top = list->selected;
	int rows = view_rows(list) - (list->count ? item_height(list, list->selected) : 0);

	if (list->selected < list->top)
		list->top = list->selected;
	/* The lowest top that still shows the whole selected item. */
	while (top > 0 && top > list->top && rows >= item_height(list, top - 1))
		rows -= item_height(list, --top);
	if (list->top < top)
		list->top = top;
	clamp_top(list);
}

void list_set_count(struct list *list, size_t count)
{
	list->count = count;
	if (list->selected >= count)
		list->selected = count ? count - 1 : 0;
	show_selected(list);
}

void list_set_rows(struct list *list, int rows)
{
	if (list->rows == rows)
		return;
	list->rows = rows;
	show_selected(list);
}

void list_select(struct list *list, size_t item)
{
	list->selected = item < list->count ? item : list->count ? list->count - 1 : 0;
	show_selected(list);
}

static void move_by(struct list *list, size_t count, bool down)
{
	if (down)
		list_select(list,
			    list->count - list->selected > count ? list->selected + count : list->count - 1);
	else
		list_select(list, list->selected > count ? list->selected - count : 0);
}

void list_move(struct list *list, enum list_move move)
{
	size_t page = (size_t)view_rows(list) - (view_rows(list) > 1);
	size_t half = page / 2 ? page / 2 : 1;
	bool down = move == LIST_DOWN || move == LIST_PAGE_DOWN || move == LIST_HALF_DOWN;

	if (list->count == 0)
		return;
	switch (move) {
	case LIST_UP:
	case LIST_DOWN:
		move_by(list, 1, down);
		break;
	case LIST_PAGE_UP:
	case LIST_PAGE_DOWN:
		move_by(list, page, down);
		break;
	case LIST_HALF_UP:
	case LIST_HALF_DOWN:
		move_by(list, half, down);
		break;
	case LIST_FIRST:
		list_select(list, 0);
		break;
	case LIST_LAST:
		list_select(list, list->count - 1);
		break;
	}
}

void list_scroll(struct list *list, int rows)
{
	size_t step = (size_t)(rows < 0 ? -rows : rows);

	if (rows < 0)
		list->top = list->top > step ? list->top - step : 0;
	else
		list->top = list->count - list->top > step ? list->top + step : list->count;
	clamp_top(list);
}

bool list_item_at(const struct list *list, int row, size_t *item, int *first_row)
{
	int at = 0;

	if (row < 0 || row >= view_rows(list))
		return false;
	for (size_t i = list->top; i < list->count && at <= row; i++) {
		int height = item_height(list, i);

		if (row < at + height) {
			*item = i;
			*first_row = at;
			return true;
		}
		at += height;
	}
	return false;
}

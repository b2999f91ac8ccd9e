#include "test.h"

#include "ui/list.h"

static void selection_stays_in_view(void **state)
{
	struct list list = {.rows = 3};

	(void)state;
	list_set_count(&list, 10);
	for (int i = 0; i < 4; i++)
		list_move(&list, LIST_DOWN);
	assert_int_equal(list.selected, 4);
	assert_int_equal(list.top, 2);
	list_move(&list, LIST_LAST);
	assert_int_equal(list.top, 7);
	list_move(&list, LIST_DOWN);
	assert_int_equal(list.selected, 9);
	list_move(&list, LIST_FIRST);
	assert_int_equal(list.top, 0);
	list_move(&list, LIST_UP);
	assert_int_equal(list.selected, 0);
}

static void pages_overlap_by_a_row(void **state)
{
	struct list list = {.rows = 5};

	(void)state;
	list_set_count(&list, 100);
	list_move(&list, LIST_PAGE_DOWN);
	assert_int_equal(list.selected, 4);
	list_move(&list, LIST_HALF_DOWN);
	assert_int_equal(list.selected, 6);
	list_move(&list, LIST_PAGE_UP);
	assert_int_equal(list.selected, 2);
	list_move(&list, LIST_PAGE_UP);
	assert_int_equal(list.selected, 0);
}

static void shrinking_keeps_the_invariants(void **state)
{
	struct list list = {.rows = 3};

	(void)state;
	list_set_count(&list, 10);
	list_move(&list, LIST_LAST);
	list_set_count(&list, 2);
	assert_int_equal(list.selected, 1);
	assert_int_equal(list.top, 0);
	list_set_count(&list, 0);
	assert_int_equal(list.selected, 0);
	assert_int_equal(list.top, 0);
	list_move(&list, LIST_DOWN);
	list_move(&list, LIST_LAST);
	assert_int_equal(list.selected, 0);
}

static void resizing_keeps_the_selection_in_view(void **state)
{
	struct list list = {.rows = 10};

	(void)state;
	list_set_count(&list, 10);
	list_select(&list, 9);
	list_set_rows(&list, 2);
	assert_int_equal(list.top, 8);
	list_set_rows(&list, 10);
	assert_int_equal(list.top, 0);
	list_set_rows(&list, 0);
	assert_int_equal(list.top, 9);
}

static void wheel_moves_the_view_alone(void **state)
{
	struct list list = {.rows = 3};

	(void)state;
	list_set_count(&list, 10);
	list_scroll(&list, 5);
	assert_int_equal(list.top, 5);
	assert_int_equal(list.selected, 0);
	list_scroll(&list, 50);
	assert_int_equal(list.top, 7);
	list_scroll(&list, -50);
	assert_int_equal(list.top, 0);
}

static int two_for_odd(const void *owner, size_t item)
{
	(void)owner;
	return item % 2 ? 2 : 1;
}

static void items_of_several_rows(void **state)
{
	struct list list = {.rows = 4, .height = two_for_odd};
	size_t item;
	int first;

	(void)state;
	list_set_count(&list, 6);
	list_select(&list, 3); /* heights 1 2 1 2 1 2 */
	assert_int_equal(list.top, 2);
	assert_true(list_item_at(&list, 2, &item, &first));
	assert_int_equal(item, 3);
	assert_int_equal(first, 1);
	assert_true(list_item_at(&list, 3, &item, &first));
	assert_int_equal(item, 4);
	assert_false(list_item_at(&list, 4, &item, &first));
	assert_false(list_item_at(&list, -1, &item, &first));
	list_select(&list, 5);
	assert_int_equal(list.top, 4);
}

static void an_item_higher_than_the_view_is_shown_from_its_top(void **state)
{
	struct list list = {.rows = 1, .height = two_for_odd};

	(void)state;
	list_set_count(&list, 6);
	list_select(&list, 5);
	assert_int_equal(list.top, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selection_stays_in_view),
		cmocka_unit_test(pages_overlap_by_a_row),
		cmocka_unit_test(shrinking_keeps_the_invariants),
		cmocka_unit_test(resizing_keeps_the_selection_in_view),
		cmocka_unit_test(wheel_moves_the_view_alone),
		cmocka_unit_test(items_of_several_rows),
		cmocka_unit_test(an_item_higher_than_the_view_is_shown_from_its_top),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The list of faults: order, and that a long one is no matter. */
#include "test.h"

#include "base/diag.h"

static void add(struct diag_list *diags, const char *file, uint32_t line, uint32_t column, const char *text)
{
	diag_add(diags, DIAG_ERROR, (struct location){file, line, column}, "%s", text);
}

static void test_order(void **state)
{
	struct diag_list diags = {0};
	static const char *const wanted[] = {"without a file", "first", "second", "third", "fourth", "fifth"};

	(void)state;
	add(&diags, "b.yaml", 1, 1, "fifth");
	add(&diags, "a.yaml", 2, 1, "third");
	add(&diags, "a.yaml", 1, 9, "first");
	add(&diags, NULL, 0, 0, "without a file");
	add(&diags, "a.yaml", 2, 1, "fourth"); /* the same place: as they were found */
	add(&diags, "a.yaml", 1, 10, "second");
	diag_sort(&diags);
	assert_int_equal(diags.list.count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_true(str_equal(diags.list.items[i].text, str_of(wanted[i])));
	diag_release(&diags);
	diag_sort(&diags); /* an empty one */
	assert_int_equal(diags.list.count, 0);
}

/* Sorted by moving each to its place this would take minutes. */
static void test_many(void **state)
{
	enum { MANY = 200 * 1000 };
	struct diag_list diags = {0};

	(void)state;
	for (uint32_t i = MANY; i > 0; i--)
		add(&diags, "a.yaml", i, 1, "x");
	diag_sort(&diags);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(diags.list.items[i].where.line, i + 1);
	diag_release(&diags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

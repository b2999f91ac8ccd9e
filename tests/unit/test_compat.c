#include "test.h"

#include "core/compat.h"

#include <stdio.h>
#include <string.h>

/* ---- Matrices as literals. ---------------------------------------------------------------------------- */

#define COLUMN(name, value) \
	{ \
		STR_INIT(name), STR_INIT("probe"), STR_INIT(value) \
	}
#define CELLS(...) \
	{ \
		{ \
			(const struct str[]){__VA_ARGS__}, \
				sizeof((const struct str[]){__VA_ARGS__}) / sizeof(struct str) \
		} \
	}

static const struct compat_column npu_columns[] = {COLUMN("npu", "NPU"), COLUMN("torch", "TORCH"),
						   COLUMN("Python", "PYTHON"), COLUMN("CANN", "CANN")};
static const struct compat_row npu_rows[] = {
	CELLS(STR_INIT("2.9.0.post6"), STR_INIT("2.9.0"), STR_INIT(">=3.10 <3.14"),
	      STR_INIT("9.1.0 || 9.1.*")),
	CELLS(STR_INIT("2.9.0"), STR_INIT("2.9.0"), STR_INIT(">=3.10 <3.14"), STR_INIT("8.5.0 || 8.5.*")),
	CELLS(STR_INIT("2.7.1.post2"), STR_INIT("2.7.1"), STR_INIT(">=3.9 <3.12"),
	      STR_INIT("8.5.0 || 8.5.*")),
	CELLS(STR_INIT("2.7.1"), STR_INIT("2.7.1"), STR_INIT(">=3.9 <3.12"), STR_INIT("8.3.RC1")),
};
static const struct compat_matrix npu = {
	.id = STR_INIT("npu"), .columns = npu_columns, .column_count = 4, .rows = npu_rows, .row_count = 4};

static const struct compat_column triton_columns[] = {COLUMN("triton", "TRITON"), COLUMN("CANN", "CANN")};
static const struct compat_row triton_rows[] = {
	CELLS(STR_INIT("3.2.2"), STR_INIT("9.1.0")),
	CELLS(STR_INIT("3.2.0"), STR_INIT("8.5.0")),
};
static const struct compat_matrix triton = {.id = STR_INIT("triton"),
					    .columns = triton_columns,
					    .column_count = 2,
					    .rows = triton_rows,
					    .row_count = 2};

static const struct compat_column driver_columns[] = {COLUMN("CANN", "CANN"), COLUMN("driver", "DRIVER")};
static const struct compat_row driver_rows[] = {
	CELLS(STR_INIT("9.1.0"), STR_INIT("26.0.RC1 || >=25.2 <26.2")),
};
static const struct compat_matrix driver = {.id = STR_INIT("driver"),
					    .columns = driver_columns,
					    .column_count = 2,
					    .rows = driver_rows,
					    .row_count = 1};
static const struct compat_matrix *const all[] = {&npu, &triton, &driver};

/* "NPU=2.9.0 CANN=9.1.0" */
static struct str find_version(void *context, struct str value)
{
	struct str rest = str_of(context), word;

	while (str_next(&rest, ' ', &word))
		if (str_starts(word, value) && word.size > value.size && word.data[value.size] == '=')
			return str_slice(word, value.size + 1, word.size);
	return STR("");
}

static void expect_of(bool named, const char *versions, const char *lines)
{
	static struct compat compat;
	struct buf text = {0}, wanted = {0};
	char copy[200];

	snprintf(copy, sizeof(copy), "%s", versions);
	compat_check(all, 3, find_version, copy, named, &compat);
	compat_add_lines(&compat, &text);
	/* Only the verdict: what it was made for is another test's. */
	for (struct str rest = buf_str(&text), line; str_next(&rest, '\n', &line);)
		if (str_starts(line, STR("state: ")) || str_starts(line, STR("change: ")) ||
		    str_starts(line, STR("unlisted: "))) {
			buf_add(&wanted, line);
			buf_add_byte(&wanted, '\n');
		}
	if (strcmp(buf_c_string(&wanted), lines) != 0)
		fail_msg("%s:\n%s", versions, buf_c_string(&wanted));
	buf_release(&text);
	buf_release(&wanted);
}

static void expect(const char *versions, const char *lines)
{
	expect_of(false, versions, lines);
}

static void test_a_set_fits(void **state)
{
	(void)state;
	expect("NPU=2.9.0.post6 TORCH=2.9.0+cpu PYTHON=3.11.4 CANN=9.1.0", "state: fits\n");
	expect("NPU=2.9.0 CANN=8.5.2", "state: fits\n"); /* a patch release of the series */
	expect("NPU=2.7.1.post2 TORCH=2.7.1 PYTHON=3.9.0 CANN=8.5.0 TRITON=3.2.0", "state: fits\n");
	expect("CANN=9.1.0 DRIVER=25.7.rc1.6", "state: fits\n");
}

static void test_nothing_to_compare(void **state)
{
	(void)state;
	expect("", "state: unknown\n");
	expect("NPU=2.9.0", "state: unknown\n");
	expect("PYTHON=3.7.1", "state: unknown\n");
	expect("TORCH=2.1.0 PYTHON=3.11", "state: unknown\n"); /* no matrix is about them */
}

static void test_the_easiest_is_changed(void **state)
{
	(void)state;
	expect("NPU=2.9.0 TORCH=2.9.0 CANN=9.1.0", "state: misfit\nchange: npu 2.9.0 -> 2.9.0.post6\n");
	expect("NPU=2.7.1 TORCH=2.7.1 PYTHON=3.11 CANN=8.5.0",
	       "state: misfit\nchange: npu 2.7.1 -> 2.7.1.post2\n");
	/* Rather both of the easy ones than CANN. */
	expect("NPU=2.7.1 TORCH=2.7.1 PYTHON=3.11 CANN=9.1.0",
	       "state: misfit\nchange: npu 2.7.1 -> 2.9.0.post6\nchange: torch 2.7.1 -> 2.9.0\n");
	expect("NPU=2.9.0.post6 TORCH=2.7.1 CANN=9.1.0", "state: misfit\nchange: torch 2.7.1 -> 2.9.0\n");
	/* Rather these two than Python: 2.9.0 has no 3.9. */
	expect("NPU=2.9.0 TORCH=2.9.0 PYTHON=3.9.2 CANN=8.5.0",
	       "state: misfit\nchange: npu 2.9.0 -> 2.7.1.post2\nchange: torch 2.9.0 -> 2.7.1\n");
	expect("NPU=2.9.0 TORCH=2.9.0 PYTHON=3.7.9 CANN=8.5.0",
	       "state: misfit\nchange: Python 3.7.9 -> >=3.10 <3.14\n");
}

static void test_matrices_agree(void **state)
{
	(void)state;
	expect("NPU=2.9.0.post6 TRITON=3.2.0 CANN=9.1.0", "state: misfit\nchange: triton 3.2.0 -> 3.2.2\n");
	expect("NPU=2.9.0.post6 TRITON=3.2.0 CANN=8.5.0",
	       "state: misfit\nchange: npu 2.9.0.post6 -> 2.9.0\n");
	/* CANN itself is not known: the two that want different ones contradict each other all the same. */
	expect("NPU=2.9.0.post6 TORCH=2.9.0 TRITON=3.2.0", "state: misfit\nchange: triton 3.2.0 -> 3.2.2\n");
	expect("CANN=9.1.0 DRIVER=25.0.1", "state: misfit\nchange: driver 25.0.1 -> 26.0.RC1\n");
}

static void test_what_the_tables_do_not_have(void **state)
{
	(void)state;
	expect("NPU=2.13.0 TORCH=2.13.0 CANN=9.1.0", "state: unlisted\nunlisted: npu 2.13.0\n");
	expect("NPU=2.9.0.dev20250901 CANN=9.1.0", "state: unlisted\nunlisted: npu 2.9.0.dev20250901\n");
	expect("NPU=2.9.0 TORCH=2.9.0 CANN=9.3.0", "state: unlisted\nunlisted: CANN 9.3.0\n");
	expect("CANN=9.1.0 DRIVER=26.2.0", "state: unlisted\nunlisted: driver 26.2.0\n");
	/* Older than all is no news: it does not fit. */
	expect("NPU=2.9.0 TORCH=2.9.0 CANN=7.0.0", "state: misfit\nchange: CANN 7.0.0 -> 8.5.0\n");
	/* The rest is compared without it. */
	expect("NPU=2.9.0 TORCH=2.7.1 CANN=9.3.0",
	       "state: misfit\nchange: npu 2.9.0 -> 2.7.1.post2\nunlisted: CANN 9.3.0\n");
}

static void test_versions_that_were_named(void **state)
{
	(void)state;
	expect_of(true, "TORCH=2.9.0 CANN=8.5.0", "state: fits\n");
	expect_of(true, "TORCH=2.9.0 PYTHON=3.9.2", "state: misfit\nchange: torch 2.9.0 -> 2.7.1\n");
	expect_of(true, "TORCH=2.9.0 CANN=8.3.RC1", "state: misfit\nchange: torch 2.9.0 -> 2.7.1\n");
	expect_of(true, "CANN=9.1.0 PYTHON=3.9", "state: misfit\nchange: Python 3.9 -> >=3.10 <3.14\n");
	expect_of(true, "TORCH=2.9.0", "state: unknown\n");
	expect_of(true, "TORCH=2.99.0 CANN=9.1.0", "state: unlisted\nunlisted: torch 2.99.0\n");
	/* torch_npu is made for one torch. */
	expect_of(true, "NPU=2.9.0 TORCH=99999999999999999999999.1",
		  "state: misfit\nchange: torch 99999999999999999999999.1 -> 2.9.0\n");
	expect("NPU=2.9.0 TORCH=2.10.0", "state: misfit\nchange: torch 2.10.0 -> 2.9.0\n");
}

static const struct compat_row late_rows[] = {
	CELLS(STR_INIT("3.2.0"), STR_INIT(">=3.9 <3.11"), STR_INIT("8.5.0")),
	CELLS(STR_INIT("3.2.2"), STR_INIT(">=3.9 <3.12"), STR_INIT("9.1.0"))};
static const struct compat_column late_columns[] = {COLUMN("late", "LATE"), COLUMN("Python", "PYTHON"),
						    COLUMN("CANN", "CANN")};
static const struct compat_matrix late = {
	.columns = late_columns, .column_count = 3, .rows = late_rows, .row_count = 2};

static void test_a_matrix_that_nobody_named(void **state)
{
	const struct compat_matrix *const two[] = {&npu, &late};
	static struct compat compat;
	char versions[] = "PYTHON=3.11 CANN=8.5.0";
	char both[] = "PYTHON=3.11 CANN=8.5.0 LATE=3.2.0";

	(void)state;
	compat_check(two, 2, find_version, versions, true, &compat);
	assert_int_equal(compat.state, COMPAT_FITS);
	compat_check(two, 2, find_version, both, true, &compat);
	assert_int_equal(compat.state, COMPAT_MISFIT);
}

static void test_where_a_column_begins(void **state)
{
	(void)state;
	assert_true(str_equal(compat_begins_at(&npu, 3, STR("8.2.RC1")), STR("8.3.RC1")));
	assert_true(str_equal(compat_begins_at(&npu, 2, STR("3.8")), STR("3.9")));
	assert_true(str_equal(compat_begins_at(&driver, 1, STR("24.1")), STR("25.2")));
	assert_int_equal(compat_begins_at(&npu, 3, STR("8.4.0")).size, 0);
	assert_int_equal(compat_begins_at(&npu, 2, STR("3.9")).size, 0);
	assert_int_equal(compat_begins_at(&npu, 0, STR("2.7.1")).size, 0);
	assert_int_equal(compat_begins_at(&npu, 0, STR("9")).size, 0);
}

static void test_what_a_version_was_made_for(void **state)
{
	static struct compat compat;
	struct buf text = {0};
	char versions[] = "NPU=2.7.1 CANN=8.3.RC1";

	(void)state;
	compat_check(all, 3, find_version, versions, false, &compat);
	compat_add_lines(&compat, &text);
	assert_non_null(strstr(buf_c_string(&text), "set: npu 2.7.1\nset: CANN 8.3.RC1\n"));
	assert_non_null(strstr(buf_c_string(&text), "\nnpu: CANN 8.3.RC1\n"));
	assert_null(strstr(buf_c_string(&text), "8.5.0"));
	buf_release(&text);
	assert_true(str_equal(compat_cell_offer(STR("8.5.0 || 8.5.*")), STR("8.5.0")));
	assert_true(str_equal(compat_cell_offer(STR(">=3.9 <3.12")), STR(">=3.9 <3.12")));
	assert_true(str_equal(compat_cell_offer(STR("")), STR("")));
}

static const struct compat_row short_rows[] = {CELLS(STR_INIT("1"))};
static const struct compat_column back[] = {COLUMN("CANN", "CANN"), COLUMN("npu", "NPU")};
static const struct compat_row back_rows[] = {CELLS(STR_INIT("9.1.0"), STR_INIT("2.9.0.post6"))};
static const struct compat_matrix shorter = {
	.columns = npu_columns, .column_count = 4, .rows = short_rows, .row_count = 1};
static const struct compat_matrix none = {.columns = npu_columns, .column_count = 4};
static const struct compat_matrix circle = {
	.columns = back, .column_count = 2, .rows = back_rows, .row_count = 1};

/* Hostile matrices: short rows, none at all, more matrices than are looked at, columns in a circle. */
static void test_odd_matrices(void **state)
{
	const struct compat_matrix *many[COMPAT_MATRICES_MAX + 4];
	static struct compat compat;
	char versions[] = "NPU=2.9.0.post6 CANN=9.1.0";

	(void)state;
	for (size_t i = 0; i < COMPAT_MATRICES_MAX + 4; i++)
		many[i] = i % 3 == 0 ? &shorter : i % 3 == 1 ? &none : &circle;
	compat_check(many, COMPAT_MATRICES_MAX + 4, find_version, versions, false, &compat);
	assert_int_equal(compat.state, COMPAT_FITS);
	for (size_t i = 0; i < COMPAT_MATRICES_MAX + 4; i++)
		many[i] = &npu;
	compat_check(many, COMPAT_MATRICES_MAX + 4, find_version, versions, false, &compat);
	assert_int_equal(compat.state, COMPAT_FITS);
	assert_true(compat.use_count == COMPAT_MATRICES_MAX);
}

/* The shipped tables: each row of torch_npu's fits as it stands, and no other version in its place does. */
static void test_the_shipped_rows(void **state)
{
	const struct pack *const packs[] = {&kb_shipped_pack};
	struct kb *kb = kb_new(packs, 1);
	static struct compat compat;

	(void)state;
	assert_true(kb->matrix_count >= 3);
	for (size_t i = 0; i < kb->matrices[0]->row_count; i++) {
		struct str_list cells = kb->matrices[0]->rows[i].cells;
		struct buf versions = {0};

		assert_int_equal(cells.count, 4);
		buf_add_format(&versions, "TORCH_NPU_VERSION=%.*s TORCH_VERSION=%.*s CANN_VERSION=%.*s",
			       STR_ARG(cells.items[0]), STR_ARG(cells.items[1]),
			       STR_ARG(compat_cell_offer(cells.items[3])));
		compat_check(kb->matrices, kb->matrix_count, find_version,
			     (void *)(uintptr_t)buf_c_string(&versions), false, &compat);
		if (compat.state != COMPAT_FITS)
			fail_msg("%s: state %d", buf_c_string(&versions), compat.state);
		buf_release(&versions);
	}
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_set_fits),
		cmocka_unit_test(test_nothing_to_compare),
		cmocka_unit_test(test_the_easiest_is_changed),
		cmocka_unit_test(test_matrices_agree),
		cmocka_unit_test(test_what_the_tables_do_not_have),
		cmocka_unit_test(test_versions_that_were_named),
		cmocka_unit_test(test_a_matrix_that_nobody_named),
		cmocka_unit_test(test_where_a_column_begins),
		cmocka_unit_test(test_what_a_version_was_made_for),
		cmocka_unit_test(test_odd_matrices),
		cmocka_unit_test(test_the_shipped_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

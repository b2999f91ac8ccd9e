#include "test.h"

#include "base/nodeset.h"

#include <string.h>

static void expect(const char *names, const char *folded)
{
	struct str list[64], rest = str_of(names), word;
	struct buf out = {0};
	size_t count = 0;

	while (str_next(&rest, ' ', &word) && count < 64)
		list[count++] = word;
	nodeset_fold(list, count, &out);
	assert_string_equal(buf_c_string(&out), folded);
	buf_release(&out);
}

static void names_are_folded(void **state)
{
	(void)state;
	expect("node07", "node07");
	expect("node09 node07 node08", "node[07-09]");
	expect("node1 node2 node3 node5 node10 node9", "node[1-3,5,9-10]");
	expect("node98 node99 node100 node101", "node[98-101]");
	expect("node098 node099 node100", "node[098-100]");
	expect("a b a", "a,b");
	expect("gpu1 cpu1 cpu2 login", "cpu[1-2],gpu1,login");
	expect("r1n1 r1n2 r2n1", "r1n[1-2],r2n1");
	expect("n1.hx n2.hx n2.b", "n2.b,n[1-2].hx");
	expect("10.0.0.9 10.0.0.10 10.0.1.1", "10.0.0.[9-10],10.0.1.1");
}

/* Leading zeros make other hosts. */
static void zeros_are_kept(void **state)
{
	(void)state;
	expect("n7 n07 n007", "n[7,07,007]");
	expect("n9 n010", "n[9,010]");
	expect("n09 n10", "n[09-10]");
	expect("n0 n1", "n[0-1]");
}

static void odd_names(void **state)
{
	(void)state;
	expect("", "");
	expect("7 8 9", "[7-9]");
	expect("n99999999999999999999 n99999999999999999998", "n99[999999999999999998-999999999999999999]");
	expect("n1-a n2-a", "n[1-2]-a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_folded),
		cmocka_unit_test(zeros_are_kept),
		cmocka_unit_test(odd_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Codes read by the way they are made, and numbers by who printed them, on the shipped pack. */
#include "test.h"

#include "core/code_family.h"

static const struct kb *shipped(void)
{
	static const struct pack *const packs[] = {&kb_shipped_pack};
	static struct kb *kb;

	if (!kb)
		kb = kb_new(packs, 1);
	return kb;
}

static void reads_parts(void **state)
{
	struct code_reading reading;

	(void)state;
	assert_true(code_read(shipped(), STR("err02200"), &reading));
	assert_true(str_equal(reading.family->id, STR("torch_npu")));
	assert_int_equal(reading.count, 2);
	assert_true(str_equal(reading.parts[0].value, STR("02")));
	assert_non_null(reading.parts[0].known);
	assert_true(str_starts(reading.parts[0].known->means.in[LANG_EN], STR("DIST")));
	assert_true(str_equal(reading.parts[1].value, STR("200")));
}

static void says_so_when_a_part_is_unknown(void **state)
{
	struct code_reading reading;

	(void)state;
	assert_true(code_read(shipped(), STR("ERR02777"), &reading));
	assert_null(reading.parts[1].known);
}

static void reads_only_the_whole_code(void **state)
{
	static const char *const others[] = {"ERR0220", "ERR022000", "xERR02200", "EI002",
					     "EI00200", "",          "hello",     "5071"};
	struct code_reading reading;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(code_read(shipped(), str_of(others[i]), &reading));
}

static void tells_the_layers_of_a_number(void **state)
{
	const struct code *found[8];
	size_t count = code_by_number(shipped(), STR("4"), found, 8);

	(void)state;
	assert_true(count >= 1);
	assert_true(str_equal(found[0]->code, STR("HCCL 4")));
	assert_int_equal(code_by_number(shipped(), STR("4x"), found, 8), 0);
	assert_int_equal(code_by_number(shipped(), STR("99999"), found, 8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_parts),
		cmocka_unit_test(says_so_when_a_part_is_unknown),
		cmocka_unit_test(reads_only_the_whole_code),
		cmocka_unit_test(tells_the_layers_of_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

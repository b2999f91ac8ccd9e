#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/facts.h"

static void expect(const struct fact *fact, const char *value)
{
	assert_non_null(fact);
	assert_true(str_equal(fact->value, str_of(value)));
}

static void test_unknown_is_null(void **state)
{
	struct facts *facts = facts_new();

	(void)state;
	assert_null(facts_best(facts, STR("CANN_ROOT")));
	assert_int_equal(facts_count(facts), 0);
	facts_free(facts);
	facts_free(NULL);
}

static void test_user_over_log_over_probe_over_environment_over_default(void **state)
{
	static const char *const values[] = {"default", "environment", "probe", "log", "user"};
	struct facts *facts = facts_new();

	(void)state;
	for (int source = FACT_DEFAULT; source <= FACT_USER; source++) {
		facts_set(facts, STR("PORT"), str_of(values[source]), (enum fact_source)source, STR("here"));
		expect(facts_best(facts, STR("PORT")), values[source]);
	}
	for (int source = FACT_USER; source > FACT_DEFAULT; source--) {
		facts_forget(facts, (enum fact_source)source, STR("here"));
		expect(facts_best(facts, STR("PORT")), values[source - 1]);
	}
	facts_free(facts);
}

static void test_set_replaces_what_the_same_origin_said(void **state)
{
	struct facts *facts = facts_new();

	(void)state;
	facts_set(facts, STR("P"), STR("1"), FACT_PROBE, STR("a"));
	facts_set(facts, STR("P"), STR("2"), FACT_PROBE, STR("b"));
	facts_set(facts, STR("P"), STR("3"), FACT_PROBE, STR("a"));
	assert_int_equal(facts_find(facts, STR("P"), NULL, 0), 2);
	expect(facts_best(facts, STR("P")), "2");
	facts_free(facts);
}

static void test_add_keeps_several_values_in_order_and_no_double(void **state)
{
	struct facts *facts = facts_new();
	const struct fact *found[4];

	(void)state;
	facts_add(facts, STR("CARD_ID"), STR("0"), FACT_PROBE, STR("npu"));
	facts_add(facts, STR("CARD_ID"), STR("1"), FACT_PROBE, STR("npu"));
	facts_add(facts, STR("CARD_ID"), STR("0"), FACT_PROBE, STR("npu"));
	facts_set(facts, STR("CARD_ID"), STR("7"), FACT_USER, STR("form"));
	assert_int_equal(facts_find(facts, STR("CARD_ID"), found, 4), 3);
	expect(found[0], "7");
	expect(found[1], "0");
	expect(found[2], "1");
	assert_int_equal(facts_find(facts, STR("CARD_ID"), found, 1), 3);
	facts_forget(facts, FACT_PROBE, STR("npu"));
	assert_int_equal(facts_find(facts, STR("CARD_ID"), found, 4), 1);
	facts_free(facts);
}

static void test_the_users_last_word_counts(void **state)
{
	struct facts *facts = facts_new();

	(void)state;
	facts_set(facts, STR("P"), STR("1"), FACT_USER, STR("--set"));
	facts_set(facts, STR("P"), STR("2"), FACT_USER, STR("form"));
	expect(facts_best(facts, STR("P")), "2");
	facts_free(facts);
}

static void test_forget_without_origin_takes_the_whole_source(void **state)
{
	struct facts *facts = facts_new();
	uint64_t before;

	(void)state;
	facts_set(facts, STR("P"), STR("1"), FACT_LOG, STR("a.log:1"));
	facts_set(facts, STR("Q"), STR("2"), FACT_LOG, STR("b.log:1"));
	facts_set(facts, STR("Q"), STR("3"), FACT_ENVIRONMENT, STR("Q"));
	facts_forget(facts, FACT_LOG, (struct str){0});
	assert_int_equal(facts_count(facts), 1);
	before = facts_generation(facts);
	facts_forget(facts, FACT_LOG, (struct str){0});
	assert_int_equal(facts_generation(facts), before);
	facts_free(facts);
}

static void test_owns_copies_and_bears_its_own_texts_as_arguments(void **state)
{
	struct facts *facts = facts_new();
	char value[] = "one\0two";
	const struct fact *fact;
	uint64_t before = facts_generation(facts);

	(void)state;
	facts_set(facts, STR("P"), (struct str){value, 7}, FACT_PROBE, STR("x"));
	assert_true(facts_generation(facts) > before);
	value[0] = '!';
	fact = facts_best(facts, STR("P"));
	assert_int_equal(fact->value.size, 7);
	assert_memory_equal(fact->value.data, "one\0two", 7);
	facts_set(facts, fact->name, fact->value, fact->source, fact->origin);
	assert_memory_equal(facts_best(facts, STR("P"))->value.data, "one\0two", 7);
	fact = facts_at(facts, 0);
	facts_forget(facts, fact->source, fact->origin);
	assert_int_equal(facts_count(facts), 0);
	facts_free(facts);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_is_null),
		cmocka_unit_test(test_user_over_log_over_probe_over_environment_over_default),
		cmocka_unit_test(test_set_replaces_what_the_same_origin_said),
		cmocka_unit_test(test_add_keeps_several_values_in_order_and_no_double),
		cmocka_unit_test(test_the_users_last_word_counts),
		cmocka_unit_test(test_forget_without_origin_takes_the_whole_source),
		cmocka_unit_test(test_owns_copies_and_bears_its_own_texts_as_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "test.h"

#include "core/applies.h"

static const struct str a2_a3[] = {STR_INIT("A2"), STR_INIT("A3")};
static const struct applies nine = {.cann = STR_INIT(">=9.1.0")};
static const struct applies chips = {.chips = {a2_a3, 2}};
static const struct applies both = {.cann = STR_INIT(">=8.2 <9"), .chips = {a2_a3, 2}};

static struct facts *machine(const char *cann, const char *chip)
{
	struct facts *facts = facts_new();

	if (cann) {
		facts_set(facts, STR("CANN_VERSION"), str_of(cann), FACT_PROBE, STR("cann"));
		facts_set(facts, STR("CANN_ROOT"), STR("/opt/cann"), FACT_PROBE, STR("cann"));
	}
	if (chip)
		facts_set(facts, STR("CHIP"), str_of(chip), FACT_PROBE, STR("npu"));
	return facts;
}

static void expect(const struct applies *applies, const char *cann, const char *chip,
		   enum applies_verdict wanted)
{
	struct facts *facts = machine(cann, chip);

	assert_int_equal(applies_check(applies, facts), wanted);
	facts_free(facts);
}

static void test_version_and_chip_decide(void **state)
{
	(void)state;
	expect(&nine, "9.1.0", NULL, APPLIES_HERE);
	expect(&nine, "8.2.RC1", NULL, APPLIES_NOT);
	expect(&nine, NULL, "A2", APPLIES_UNKNOWN);
	expect(&nine, "who knows", NULL, APPLIES_UNKNOWN);
	expect(&chips, NULL, "a3", APPLIES_HERE);
	expect(&chips, NULL, "A5", APPLIES_NOT);
	expect(&both, "8.3", "A2", APPLIES_HERE);
	expect(&both, "8.3", NULL, APPLIES_UNKNOWN);
	expect(&both, "9.1", NULL, APPLIES_NOT); /* whatever the chip */
	expect(&(struct applies){0}, NULL, NULL, APPLIES_HERE);
	assert_int_equal(applies_check(&nine, NULL), APPLIES_UNKNOWN);
}

static void test_a_log_and_a_variable_do_not_speak_of_this_machine(void **state)
{
	struct facts *facts = facts_new();

	(void)state;
	facts_set(facts, STR("CANN_VERSION"), STR("8.0"), FACT_LOG, STR("train.log:3"));
	facts_set(facts, STR("CANN_VERSION"), STR("8.0"), FACT_ENVIRONMENT, STR("CANN_VERSION"));
	assert_int_equal(applies_check(&nine, facts), APPLIES_UNKNOWN);
	facts_set(facts, STR("CANN_VERSION"), STR("9.1.0"), FACT_PROBE, STR("cann"));
	assert_int_equal(applies_check(&nine, facts), APPLIES_HERE);
	facts_free(facts);
}

static void says(const struct applies *applies, const char *cann, const char *chip, enum lang lang,
		 const char *wanted)
{
	struct facts *facts = machine(cann, chip);
	struct buf out = {0};

	applies_say_here(applies, facts, lang, &out);
	assert_string_equal(buf_c_string(&out), wanted);
	buf_release(&out);
	facts_free(facts);
}

static void test_says_what_is_here_and_what_is_needed(void **state)
{
	(void)state;
	says(&nine, "8.2.RC1", NULL, LANG_EN,
	     "on this machine: CANN 8.2.RC1 at /opt/cann, needs 9.1.0 or later");
	says(&nine, "8.2.RC1", NULL, LANG_ZH, "本机：CANN 8.2.RC1（/opt/cann），需要 9.1.0 或更高");
	says(&nine, "9.1.0", NULL, LANG_EN, "on this machine: CANN 9.1.0 at /opt/cann");
	says(&nine, NULL, "A2", LANG_EN, "");
	says(&chips, NULL, "A5", LANG_EN, "on this machine: A5, this is for A2, A3");
	says(&chips, NULL, "A5", LANG_ZH, "本机：A5，只适用于 A2、A3");
	says(&both, "9.1.0", "A2", LANG_EN,
	     "on this machine: CANN 9.1.0 at /opt/cann, needs 8.2 or later and earlier than 9; A2");
	says(&(struct applies){0}, "9.1.0", "A2", LANG_EN, "");
}

static void test_says_conditions_in_words(void **state)
{
	static const struct {
		const char *expression, *words;
	} cases[] = {
		{">=9.1.0", "CANN 9.1.0 or later"},
		{"<= 8.3", "CANN 8.3 or earlier"},
		{"8.5.*", "CANN 8.5.*"},
		{">8.2, !=8.5", "CANN later than 8.2 and other than 8.5"},
		{"1.2 || >= 2", "CANN 1.2 or 2 or later"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct applies applies = {.cann = str_of(cases[i].expression)};

		buf_clear(&out);
		applies_say_condition(&applies, LANG_EN, &out);
		assert_string_equal(buf_c_string(&out), cases[i].words);
	}
	buf_release(&out);
}

/* 3.3 of the shipped pack: the two reset forms, by chip; both lose something. */
static void test_the_order_knows_chip_and_danger(void **state)
{
	const struct pack *pack = &kb_shipped_pack;
	struct kb *kb = kb_new(&pack, 1);
	const struct entry *entry = kb_entry(kb, STR("3.3"));
	struct facts *a5 = machine(NULL, "A5"), *a2 = machine(NULL, "A2");
	size_t order[4];

	(void)state;
	assert_non_null(entry);
	assert_int_equal(entry->solution_count, 4);
	applies_order(entry, a5, order);
	assert_int_equal(order[0], 0);
	assert_int_equal(order[1], 1);
	assert_int_equal(order[2], 2);
	assert_int_equal(order[3], 3);
	applies_order(entry, a2, order);
	assert_int_equal(order[2], 3);
	assert_int_equal(order[3], 2);
	facts_free(a5);
	facts_free(a2);
	kb_free(kb);
}

/* What loses something is not the first choice while there is a harmless solution that applies. */
static void test_no_entry_offers_danger_before_what_is_harmless(void **state)
{
	const struct pack *pack = &kb_shipped_pack;
	struct kb *kb = kb_new(&pack, 1);

	(void)state;
	for (size_t i = 0; i < kb->entry_count; i++) {
		const struct entry *entry = kb->entries[i];
		size_t order[32];
		bool harmless = false;

		assert_in_range(entry->solution_count, 0, 32);
		for (size_t s = 0; s < entry->solution_count; s++)
			harmless = harmless || !solution_destroys(&entry->solutions[s]);
		applies_order(entry, NULL, order);
		if (harmless)
			assert_false(solution_destroys(&entry->solutions[order[0]]));
	}
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_and_chip_decide),
		cmocka_unit_test(test_a_log_and_a_variable_do_not_speak_of_this_machine),
		cmocka_unit_test(test_says_what_is_here_and_what_is_needed),
		cmocka_unit_test(test_says_conditions_in_words),
		cmocka_unit_test(test_the_order_knows_chip_and_danger),
		cmocka_unit_test(test_no_entry_offers_danger_before_what_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

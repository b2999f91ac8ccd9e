#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/version.h"

#include <stdio.h>

/* Each is less than the next; within a line separated by = all are equal. */
static void test_order_of_versions_as_they_are_written(void **state) {
  static const char *const ladders[][8] = {
      {"8.0.RC1", "8.0.RC2", "8.0.RC3.alpha001", "8.0.RC3.alpha002", "8.0.RC3",
       "8.0.0", "8.1.RC1", "8.2.RC1"},
      {"2.7.1.dev20250101", "2.7.1a1", "2.7.1b2", "2.7.1rc1", "2.7.1rc2",
       "2.7.1", "2.7.1.post2", "2.7.1.post10"},
      {"3.9.2", "3.10.0", "3.11", "3.11.9", "3.12.0a1", "3.12.0", "26.0.rc1",
       "26.0"},
      {"7.7.0.1.238", "7.7.0.1.239", "7.7.0.2", "7.7.1", "8.5.0.alpha001",
       "8.5.0", "8.5.2", "9.1.0"},
      {"25.7.rc1", "25.7.rc1.6", "25.7.rc2", "25.7", "100000000000000000000000",
       "200000000000000000000000"},
  };

  (void)state;
  for (size_t ladder = 0; ladder < sizeof(ladders) / sizeof(ladders[0]);
       ladder++) {
    for (size_t i = 0; i < 8 && ladders[ladder][i]; i++) {
      for (size_t j = 0; j < 8 && ladders[ladder][j]; j++) {
        int order = version_compare(str_of(ladders[ladder][i]),
                                    str_of(ladders[ladder][j]));

        if ((order > 0) - (order < 0) != (i > j) - (i < j))
          fail_msg("%s against %s: %d", ladders[ladder][i], ladders[ladder][j],
                   order);
      }
    }
  }
}

static void test_equal_versions(void **state) {
  static const char *const pairs[][2] = {
      {"8.2.RC1", "8.2.rc1"},
      {"9.1", "9.1.0"},
      {"v0.9.1", "0.9.1"},
      {"2.7.1+cpu", "2.7.1"},
      {"3.2.0rc4", "3.2.0.RC4"},
      {"8.0.RC3.alpha001", "8.0.rc3.alpha1"},
      {" 1.2 ", "1.2"},
      {"1.2-rc1", "1.2.RC1"},
      {"00", "0"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
    if (version_compare(str_of(pairs[i][0]), str_of(pairs[i][1])) != 0)
      fail_msg("%s is not %s", pairs[i][0], pairs[i][1]);
  }
}

static void test_what_is_not_a_version(void **state) {
  (void)state;
  assert_false(version_is_valid(STR("")));
  assert_false(version_is_valid(STR("unknown")));
  assert_false(version_is_valid(STR("v")));
  assert_true(version_is_valid(STR("v1")));
  assert_true(version_compare(STR("none"), STR("0")) < 0);
  assert_false(version_fits(STR("unknown"), STR("<9")));
  assert_false(version_fits(STR(""), STR("")));
}

static void test_expressions(void **state) {
  static const struct {
    const char *version, *expression;
    bool fits;
  } cases[] = {
      {"9.1.0", ">=9.1.0", true},
      {"9.1.0.RC1", ">=9.1.0", false},
      {"9.1.0.post1", ">=9.1.0", true},
      {"8.5.0", "<9.1.0", true},
      {"3.9.2", ">=3.11", false},
      {"3.11.9", ">= 3.11, <3.12", true},
      {"3.12.0", ">=3.11 <3.12", false},
      {"1.2", "1.2 || >=2", true},
      {"1.3", "1.2 || >=2", false},
      {"2.1", "1.2 || >=2", true},
      {"2.7.1", "!=2.7.1", false},
      {"2.7.1.post8", "!=2.7.1", true},
      {"8.5.2", "8.5.*", true},
      {"8.50.2", "8.5.*", false},
      {"8.5.2", "!=8.5.x", false},
      {"8.5", "==8.5.0", true},
      {"8.5", "=8.5", true},
      {"anything", ">1", false},
      {"7", "", true},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    if (version_fits(str_of(cases[i].version), str_of(cases[i].expression)) !=
        cases[i].fits)
      fail_msg("%s with %s", cases[i].version, cases[i].expression);
    assert_true(version_check_expression(str_of(cases[i].expression), NULL));
  }
}

static void test_faulty_expressions_are_named_and_fit_nothing(void **state) {
  static const char *const faulty[] = {
      ">=", "new", ">= <3", "1.2 ||", "|| 1", ">=8.5.*", "!", "1 ! 2", "=>1"};

  (void)state;
  for (size_t i = 0; i < sizeof(faulty) / sizeof(faulty[0]); i++) {
    struct buf why = {0};

    if (version_check_expression(str_of(faulty[i]), &why))
      fail_msg("taken: %s", faulty[i]);
    assert_true(why.size > 0);
    buf_release(&why);
  }
  assert_false(version_fits(STR("1.2"), STR(">=")));
  assert_false(version_check_expression((struct str){"1\0>", 3}, NULL));
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_of_versions_as_they_are_written),
      cmocka_unit_test(test_equal_versions),
      cmocka_unit_test(test_what_is_not_a_version),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_faulty_expressions_are_named_and_fit_nothing),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}

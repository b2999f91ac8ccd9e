#include "test.h"

#include "ui/event.h"
#include "ui/keymap.h"

static void every_key_has_a_known_name(void **state)
{
	(void)state;
	for (int i = 0; i < ACTION_COUNT; i++) {
		struct str keys = action_table[i].keys, name;
		uint32_t key;

		assert_true(keys.size > 0);
		while (str_next(&keys, ' ', &name))
			assert_true(keymap_parse(name, &key));
	}
}

static void a_key_means_one_thing_in_a_view(void **state)
{
	(void)state;
	for (int view = 0; view < VIEW_COUNT; view++) {
		for (int i = 0; i < ACTION_COUNT; i++) {
			struct str keys = action_table[i].keys, name;
			uint32_t key;

			while (action_table[i].contexts & (1u << view) && str_next(&keys, ' ', &name)) {
				keymap_parse(name, &key);
				if (keymap_action((enum view)view, key) != (enum action)i)
					fail_msg("%.*s is not reached by %.*s in view %d",
						 STR_ARG(action_table[i].name), STR_ARG(name), view);
			}
		}
	}
}

static void every_action_is_explained_in_both_languages(void **state)
{
	(void)state;
	for (int i = 0; i < ACTION_COUNT; i++) {
		for (int lang = 0; lang < LANG_COUNT; lang++) {
			assert_true(action_table[i].help.in[lang].size > 0);
			if (action_table[i].priority > 0)
				assert_true(action_table[i].label.in[lang].size > 0);
		}
	}
}

static void every_need_says_why_not(void **state)
{
	(void)state;
	for (int i = NEED_NOTHING + 1; i < NEED_COUNT; i++) {
		assert_true(need_table[i].why_not.in[LANG_ZH].size > 0);
		assert_true(need_table[i].why_not.in[LANG_EN].size > 0);
	}
}

static void names_of_keys(void **state)
{
	uint32_t key;

	(void)state;
	assert_true(keymap_parse(STR("C-p"), &key));
	assert_int_equal(key, 16);
	assert_true(keymap_parse(STR("S-Tab"), &key));
	assert_int_equal(key, KEY_BACK_TAB_);
	assert_true(keymap_parse(STR("F12"), &key));
	assert_int_equal(key, KEY_F12_);
	assert_true(keymap_parse(STR("M-b"), &key));
	assert_int_equal(key, KEY_ALT_ + 'b');
	assert_true(keymap_parse(STR("中"), &key));
	assert_int_equal(key, 0x4E2D);
	assert_false(keymap_parse(STR(""), &key));
	assert_false(keymap_parse(STR("F13"), &key));
	assert_false(keymap_parse(STR("C-1"), &key));
	assert_false(keymap_parse(STR("ab"), &key));
}

static void while_typing_text_is_text(void **state)
{
	(void)state;
	assert_true(str_equal(keymap_shown_key(ACTION_HELP, false), STR("?")));
	assert_true(str_equal(keymap_shown_key(ACTION_HELP, true), STR("F1")));
	assert_int_equal(keymap_shown_key(ACTION_COPY, true).size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_has_a_known_name),
		cmocka_unit_test(a_key_means_one_thing_in_a_view),
		cmocka_unit_test(every_action_is_explained_in_both_languages),
		cmocka_unit_test(every_need_says_why_not),
		cmocka_unit_test(names_of_keys),
		cmocka_unit_test(while_typing_text_is_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

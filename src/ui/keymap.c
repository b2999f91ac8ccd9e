#include "ui/keymap.h"

#include "base/utf8.h"
#include "ui/event.h"

struct key_name {
	const char *name;
	uint32_t key;
	const char *shown;
};

static const struct key_name key_names[] = {
	{"Up", KEY_UP_, "↑"},
	{"Down", KEY_DOWN_, "↓"},
	{"Left", KEY_LEFT_, "←"},
	{"Right", KEY_RIGHT_, "→"},
	{"Home", KEY_HOME_, "Home"},
	{"End", KEY_END_, "End"},
	{"PgUp", KEY_PAGE_UP_, "PgUp"},
	{"PgDn", KEY_PAGE_DOWN_, "PgDn"},
	{"Enter", KEY_ENTER_, "Enter"},
	{"Esc", KEY_ESCAPE_, "Esc"},
	{"Tab", KEY_TAB_, "Tab"},
	{"S-Tab", KEY_BACK_TAB_, "Shift-Tab"},
	{"Space", ' ', "Space"},
	{"Del", KEY_DELETE_, "Del"},
	{"Backspace", KEY_BACKSPACE_, "Backspace"},
};

enum { KEY_NAMES = sizeof(key_names) / sizeof(key_names[0]) };

bool keymap_parse(struct str name, uint32_t *key)
{
	uint64_t number;
	size_t size;

	for (size_t i = 0; i < KEY_NAMES; i++) {
		if (str_equal(name, str_of(key_names[i].name))) {
			*key = key_names[i].key;
			return true;
		}
	}
	if (name.size > 1 && name.data[0] == 'F' && str_to_u64(str_slice(name, 1, name.size), &number) &&
	    number >= 1 && number <= 12) {
		*key = KEY_F1_ + (uint32_t)number - 1;
		return true;
	}
	if (name.size == 3 && str_starts(name, STR("C-"))) {
		*key = KEY_CTRL_((uint32_t)name.data[2]);
		return name.data[2] >= 'a' && name.data[2] <= 'z';
	}
	if (name.size == 3 && str_starts(name, STR("M-"))) {
		*key = KEY_ALT_ + (uint32_t)name.data[2];
		return true;
	}
	if (name.size == 0)
		return false;
	*key = utf8_at(name, 0, &size);
	return size == name.size && *key != UTF8_INVALID;
}

static bool has_key(struct str keys, uint32_t wanted)
{
	struct str name;
	uint32_t key;

	while (str_next(&keys, ' ', &name)) {
		if (keymap_parse(name, &key) && key == wanted)
			return true;
	}
	return false;
}

enum action keymap_action(enum view view, uint32_t key)
{
	for (int i = 0; i < ACTION_COUNT; i++) {
		if (action_table[i].contexts & (1u << view) && has_key(action_table[i].keys, key))
			return (enum action)i;
	}
	return ACTION_COUNT;
}

void keymap_show(struct str name, struct buf *out)
{
	for (size_t i = 0; i < KEY_NAMES; i++) {
		if (str_equal(name, str_of(key_names[i].name))) {
			buf_add(out, str_of(key_names[i].shown));
			return;
		}
	}
	if (name.size == 3 && str_starts(name, STR("C-")))
		buf_add_format(out, "Ctrl-%c", name.data[2] - 'a' + 'A');
	else if (name.size == 3 && str_starts(name, STR("M-")))
		buf_add_format(out, "Alt-%c", name.data[2]);
	else
		buf_add(out, name);
}

struct str keymap_shown_key(enum action action, bool typing)
{
	struct str keys = action_table[action].keys, name;
	uint32_t key;

	while (str_next(&keys, ' ', &name)) {
		if (keymap_parse(name, &key) && (!typing || key < ' ' || key >= KEY_SPECIAL_))
			return name;
	}
	return (struct str){0};
}

#include "ui/action.h"

#define TEXT(zh, en) \
	{ \
		.in = { [LANG_ZH] = STR_INIT(zh), [LANG_EN] = STR_INIT(en) } \
	}

const struct action_info action_table[ACTION_COUNT] = {
#define ACTION(id, group_, priority_, contexts_, need_, keys_, label_zh, label_en, help_zh, help_en, \
	       function) \
	[ACTION_##id] = {.name = STR_INIT(#id), \
			 .group = ACTION_GROUP_##group_, \
			 .priority = priority_, \
			 .contexts = contexts_, \
			 .need = NEED_##need_, \
			 .keys = STR_INIT(keys_), \
			 .label = TEXT(label_zh, label_en), \
			 .help = TEXT(help_zh, help_en), \
			 .run = function},
#include "ui/action.def"
};

const struct need_info need_table[NEED_COUNT] = {
#define NEED(id, function, zh, en) [NEED_##id] = {.met = function, .why_not = TEXT(zh, en)},
#include "ui/action.def"
};

const struct text action_group_titles[ACTION_GROUP_COUNT] = {
#define GROUP(id, zh, en) [ACTION_GROUP_##id] = TEXT(zh, en),
#include "ui/action.def"
};

/*
 * text: what is written for readers, in the languages of the program.
 */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include "base/str.h"

enum lang { LANG_ZH, LANG_EN, LANG_COUNT };

/* A text for readers. In the shipped pack both languages are there; elsewhere one may be empty. */
struct text {
	struct str in[LANG_COUNT];
};

struct str_list {
	const struct str *items;
	size_t count;
};

/* The text in `lang`, or in the other language where that is missing. */
struct str text_in(const struct text *text, enum lang lang);

#endif

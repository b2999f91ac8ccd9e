/*
 * words: what the program itself says, in its languages; the table is ui/words.def.
 */
#ifndef UI_WORDS_H
#define UI_WORDS_H

#include "base/buf.h"
#include "core/text.h"

enum word {
#define WORD(id, ...) WORD_##id,
#include "ui/words.def"
	WORD_COUNT
};

struct str word_in(enum word word, enum lang lang);

/* The word with its "%s" replaced by `text`, or its "%zu" by numbers in order. */
void word_add_text(struct buf *out, enum word word, enum lang lang, struct str text);
void word_add_numbers(struct buf *out, enum word word, enum lang lang, size_t first, size_t second);

#endif

#include "ui/words.h"

static const struct text words[WORD_COUNT] = {
#define WORD(id, zh, en) [WORD_##id] = {.in = {[LANG_ZH] = STR_INIT(zh), [LANG_EN] = STR_INIT(en)}},
#include "ui/words.def"
};

struct str word_in(enum word word, enum lang lang)
{
	return words[word].in[lang];
}

/* Add up to the next `mark`, and go behind it. */
static bool add_until(struct buf *out, struct str *rest, struct str mark)
{
	size_t at = str_find(*rest, mark);

	if (at == STR_NOT_FOUND) {
		buf_add(out, *rest);
		return false;
	}
	buf_add(out, str_slice(*rest, 0, at));
	*rest = str_slice(*rest, at + mark.size, rest->size);
	return true;
}

void word_add_text(struct buf *out, enum word word, enum lang lang, struct str text)
{
	struct str rest = word_in(word, lang);

	if (!add_until(out, &rest, STR("%s")))
		return;
	buf_add(out, text);
	buf_add(out, rest);
}

void word_add_numbers(struct buf *out, enum word word, enum lang lang, size_t first, size_t second)
{
	struct str rest = word_in(word, lang);

	if (!add_until(out, &rest, STR("%zu")))
		return;
	buf_add_format(out, "%zu", first);
	if (!add_until(out, &rest, STR("%zu")))
		return;
	buf_add_format(out, "%zu", second);
	buf_add(out, rest);
}

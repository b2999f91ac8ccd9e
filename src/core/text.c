#include "core/text.h"

struct str text_in(const struct text *text, enum lang lang)
{
	for (int i = 0; i < LANG_COUNT; i++) {
		struct str candidate = text->in[((int)lang + i) % LANG_COUNT];

		if (candidate.size)
			return candidate;
	}
	return (struct str){"", 0};
}

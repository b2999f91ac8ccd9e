#include "core/nearest.h"

enum { WORD_MAX = 32 };

/* Edit distance where swapping two neighbours is one edit; WORD_MAX when either is too long to be a key. */
static size_t distance(struct str a, struct str b)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];

	if (a.size > WORD_MAX || b.size > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= b.size; j++)
		last[j] = j;
	for (size_t i = 1; i <= a.size; i++) {
		size_t *oldest = before;

		now[0] = i;
		for (size_t j = 1; j <= b.size; j++) {
			size_t best = last[j - 1] + (a.data[i - 1] != b.data[j - 1]);

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
			    a.data[i - 2] == b.data[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
		before = last;
		last = now;
		now = oldest;
	}
	return last[b.size];
}

const char *nearest_word(struct str word, const char *const *known)
{
	const char *nearest = NULL;
	/* A third of the word may be wrong, and at least one letter. */
	size_t best = word.size / 3 + 1;

	for (; *known; known++) {
		size_t edits = distance(word, str_of(*known));

		if (edits < best || (edits == best && !nearest && edits < word.size)) {
			best = edits;
			nearest = *known;
		}
	}
	return nearest;
}

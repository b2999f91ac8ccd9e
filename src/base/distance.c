#include "base/distance.h"

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t distance_bytes(struct str a, struct str b, size_t limit)
{
	size_t rows[3][LONGEST + 1];

	if (str_equal(a, b))
		return 0;
	if (a.size > LONGEST || b.size > LONGEST)
		return limit;
	for (size_t j = 0; j <= b.size; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.size; i++) {
		size_t *now = rows[i % 3];
		size_t *above = rows[(i + 2) % 3];
		size_t *two_above = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= b.size; j++) {
			bool same = a.data[i - 1] == b.data[j - 1];

			now[j] = least(least(above[j] + 1, now[j - 1] + 1), above[j - 1] + !same);
			if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
			    a.data[i - 2] == b.data[j - 1])
				now[j] = least(now[j], two_above[j - 2] + 1);
		}
	}
	return least(rows[a.size % 3][b.size], limit);
}

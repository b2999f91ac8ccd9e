#include "fuzz.h"

size_t fuzz_number(struct str *bytes, size_t limit)
{
	unsigned char first;

	if (bytes->size == 0)
		return 0;
	first = (unsigned char)bytes->data[0];
	*bytes = str_slice(*bytes, 1, bytes->size);
	return first % limit;
}

struct str fuzz_part(struct str *bytes)
{
	size_t end = str_find_byte(*bytes, '\xFF');
	struct str part = str_slice(*bytes, 0, end);

	*bytes = str_slice(*bytes, end == STR_NOT_FOUND ? bytes->size : end + 1, bytes->size);
	return part;
}

const struct kb *fuzz_kb(void)
{
	static const struct pack *const packs[] = {&kb_shipped_pack};
	static struct kb *kb;

	if (!kb)
		kb = kb_new(packs, 1);
	return kb;
}

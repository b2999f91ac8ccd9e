#include "base/nodeset.h"

#include <stdlib.h>
#include <string.h>

/* A name around its last number. */
struct name {
	struct str head, digits, tail;
};

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static struct name split(struct str text)
{
	size_t to = text.size, from;

	while (to > 0 && !is_digit(text.data[to - 1]))
		to--;
	from = to;
	if (!to) /* no number at all */
		return (struct name){text, str_slice(text, 0, 0), str_slice(text, 0, 0)};
	/* What does not fit a number is no number: such names stand alone. */
	while (from > 0 && is_digit(text.data[from - 1]) && to - from < 18)
		from--;
	return (struct name){str_slice(text, 0, from), str_slice(text, from, to),
			     str_slice(text, to, text.size)};
}

static uint64_t number_of(const struct name *name)
{
	uint64_t number = 0;

	str_to_u64(name->digits, &number);
	return number;
}

/* Names of one set beside each other, by number; of equal numbers the shorter first: 7, 07. */
static int compare(const void *left, const void *right)
{
	struct name a = split(*(const struct str *)left), b = split(*(const struct str *)right);
	int order = str_compare(a.head, b.head);
	uint64_t first = number_of(&a), second = number_of(&b);

	if (!order)
		order = str_compare(a.tail, b.tail);
	if (!order)
		order = (a.digits.size > 0) - (b.digits.size > 0);
	if (!order && first != second)
		order = first < second ? -1 : 1;
	if (!order && a.digits.size != b.digits.size)
		order = a.digits.size < b.digits.size ? -1 : 1;
	return order;
}

static bool same_set(const struct name *a, const struct name *b)
{
	return a->digits.size && b->digits.size && str_equal(a->head, b->head) && str_equal(a->tail, b->tail);
}

/* Does b follow a in a range: 08 09, 99 100, but not 9 010? */
static bool follows(const struct name *a, const struct name *b)
{
	bool padded = b->digits.size > 1 && b->digits.data[0] == '0';

	return number_of(b) == number_of(a) + 1 &&
	       (a->digits.size == b->digits.size ||
		(!padded && a->digits.data[0] != '0' && b->digits.size == a->digits.size + 1));
}

static void add_set(struct str *names, size_t count, struct buf *out)
{
	struct name first = split(names[0]);

	buf_add(out, first.head);
	if (count > 1)
		buf_add_byte(out, '[');
	for (size_t i = 0; i < count;) {
		struct name from = split(names[i]), to = from;
		size_t end = i + 1;

		for (; end < count; end++) {
			struct name next = split(names[end]);

			if (!follows(&to, &next))
				break;
			to = next;
		}
		if (i)
			buf_add_byte(out, ',');
		buf_add(out, from.digits);
		if (end - i > 1) {
			buf_add_byte(out, '-');
			buf_add(out, to.digits);
		}
		i = end;
	}
	if (count > 1)
		buf_add_byte(out, ']');
	buf_add(out, first.tail);
}

void nodeset_fold(struct str *names, size_t count, struct buf *out)
{
	size_t kept = 0;

	if (count > 1)
		qsort(names, count, sizeof(*names), compare);
	for (size_t i = 0; i < count; i++)
		if (!kept || !str_equal(names[kept - 1], names[i]))
			names[kept++] = names[i];
	for (size_t from = 0, end; from < kept; from = end) {
		struct name first = split(names[from]);

		for (end = from + 1; end < kept; end++) {
			struct name next = split(names[end]);

			if (!same_set(&first, &next))
				break;
		}
		if (from)
			buf_add_byte(out, ',');
		add_set(names + from, end - from, out);
	}
}

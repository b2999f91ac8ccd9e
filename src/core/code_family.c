#include "core/code_family.h"

#include "core/regex.h"

static const struct code_value *known_value(const struct code_part *part, struct str value)
{
	for (size_t i = 0; i < part->value_count; i++) {
		if (str_equal_ascii_case(part->values[i].value, value))
			return &part->values[i];
	}
	return NULL;
}

/* 0x1800000, or 0. False: more than 64 bits. */
static bool read_hex(struct str text, uint64_t *number)
{
	*number = 0;
	if (str_starts(text, STR("0x")) || str_starts(text, STR("0X")))
		text = str_slice(text, 2, text.size);
	for (size_t i = 0; i < text.size; i++) {
		char byte = text.data[i];
		int digit = byte <= '9' ? byte - '0' : (byte | 0x20) - 'a' + 10;

		*number = *number << 4 | (uint64_t)(digit & 15);
	}
	return text.size <= 16;
}

static void add_part(struct code_reading *reading, const struct code_part *part, struct str value,
		     const struct code_value *known)
{
	if (reading->count == CODE_PARTS_MOST)
		return;
	reading->parts[reading->count].part = part;
	reading->parts[reading->count].value = value;
	reading->parts[reading->count++].known = known;
}

/* Each bit that is set and known; the whole number, too, where one is not known. */
static void take_bits(const struct code_part *part, struct str value, struct code_reading *reading)
{
	uint64_t number, bit, known = 0;

	if (!read_hex(value, &number) || !number)
		return;
	for (size_t i = 0; i < part->value_count; i++) {
		if (!read_hex(part->values[i].value, &bit) || !bit || (number & bit) != bit)
			continue;
		add_part(reading, part, part->values[i].value, &part->values[i]);
		known |= bit;
	}
	if (number & ~known)
		add_part(reading, part, value, NULL);
}

static void take_parts(const struct regex *regex, struct str code, struct code_reading *reading)
{
	const struct code_family *family = reading->family;

	for (size_t p = 0; p < family->part_count && reading->count < CODE_PARTS_MOST; p++) {
		for (size_t i = 0; i < regex_name_count(regex); i++) {
			struct str value;
			size_t number;

			if (!str_equal(regex_name(regex, i, &number), family->parts[p].group) ||
			    !regex_group(regex, code, number, &value))
				continue;
			if (family->parts[p].bits)
				take_bits(&family->parts[p], value, reading);
			else
				add_part(reading, &family->parts[p], value,
					 known_value(&family->parts[p], value));
			break;
		}
	}
}

bool code_family_read(const struct code_family *family, struct str code, struct code_reading *reading)
{
	struct regex *regex = regex_new(family->match, REGEX_CASELESS | REGEX_ONCE, NULL, NULL);
	bool good = regex && regex_match(regex, code, 0) == REGEX_MATCH;
	struct str whole;

	*reading = (struct code_reading){.family = family};
	good = good && regex_group(regex, code, 0, &whole) && whole.size == code.size;
	if (good)
		take_parts(regex, code, reading);
	regex_free(regex);
	return good;
}

bool code_read(const struct kb *kb, struct str code, struct code_reading *reading)
{
	for (size_t i = 0; i < kb->family_count; i++) {
		if (code_family_read(kb->families[i], code, reading))
			return true;
	}
	return false;
}

size_t code_by_number(const struct kb *kb, struct str number, const struct code **found, size_t room)
{
	size_t count = 0, at;
	uint64_t value;

	if (!str_to_u64(number, &value))
		return 0;
	for (size_t i = 0; i < kb->code_count; i++) {
		struct str code = kb->codes[i]->code;
		size_t blank = str_find_byte(code, ' ');

		if (blank == STR_NOT_FOUND || !str_equal(str_slice(code, blank + 1, code.size), number))
			continue;
		/* The well known first; else as the kb has them. */
		at = count < room ? count : room;
		for (; at > 0 && found[at - 1]->tier > kb->codes[i]->tier; at--)
			if (at < room)
				found[at] = found[at - 1];
		if (at < room)
			found[at] = kb->codes[i];
		count++;
	}
	return count;
}

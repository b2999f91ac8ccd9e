#include "core/parcel.h"

#include <stdlib.h>
#include <string.h>

#define MARKER "@ascend-faq:"

static bool is_name_byte(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
	       byte == '.' || byte == '_' || byte == '-';
}

bool parcel_is_node(struct str name)
{
	if (name.size == 0 || name.size > PARCEL_NODE_MOST || name.data[0] == '-' || name.data[0] == '.')
		return false;
	for (size_t i = 0; i < name.size; i++)
		if (!is_name_byte(name.data[i]))
			return false;
	return true;
}

/* FNV-1a */
static uint32_t sum_of(uint32_t sum, struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		sum = (sum ^ (unsigned char)text.data[i]) * 16777619u;
	return sum;
}

static uint32_t sum_of_parcel(struct str head, struct str payload)
{
	return sum_of(sum_of(2166136261u, head), payload);
}

/* ---- Reading. ------------------------------------------------------------------------------------------ */

static bool take_number(struct str *rest, uint64_t *number)
{
	struct str field;

	return str_next(rest, ':', &field) && field.size <= 9 && str_to_u64(field, number);
}

static bool is_kind(struct str field)
{
	return field.size == 1 && (field.data[0] == PARCEL_HELLO || field.data[0] == PARCEL_PART ||
				   field.data[0] == PARCEL_SENT || field.data[0] == PARCEL_END);
}

/* The end parcel is made by a shell: its payload ends where its digits end. */
static bool take_end(struct str rest, struct parcel *parcel)
{
	size_t digits = 0;

	while (digits < rest.size && digits < 4 && rest.data[digits] >= '0' && rest.data[digits] <= '9')
		digits++;
	parcel->payload = str_slice(rest, 0, digits);
	return digits > 0 && digits < 4;
}

/* `text` starts after the marker; *size gets how much of it the parcel takes. */
static bool parse(struct str text, struct str token, struct parcel *parcel, size_t *size)
{
	struct str rest = text, field, sum_text;
	uint64_t bytes;
	char *end, sum_hex[9] = "";

	*parcel = (struct parcel){0};
	if (!str_next(&rest, ':', &field) || !str_equal(field, token))
		return false;
	if (!str_next(&rest, ':', &parcel->node) || !parcel_is_node(parcel->node))
		return false;
	if (!str_next(&rest, ':', &field))
		return false;
	parcel->has_rank = str_to_u64(field, &parcel->rank);
	if (!str_next(&rest, ':', &field) || !is_kind(field))
		return false;
	parcel->kind = (enum parcel_kind)field.data[0];
	if (!take_number(&rest, &parcel->part) || !take_number(&rest, &parcel->parts) ||
	    !take_number(&rest, &bytes))
		return false;
	struct str head = str_slice(text, 0, (size_t)(rest.data - text.data));
	if (!str_next(&rest, ':', &sum_text) || !rest.data)
		return false;
	if (parcel->kind == PARCEL_END) {
		bool good = take_end(rest, parcel);
		*size = (size_t)(parcel->payload.data + parcel->payload.size - text.data);
		return good && str_equal(sum_text, STR("-"));
	}
	if (bytes > rest.size || sum_text.size != 8)
		return false;
	parcel->payload = str_slice(rest, 0, (size_t)bytes);
	memcpy(sum_hex, sum_text.data, 8);
	unsigned long sum = strtoul(sum_hex, &end, 16);
	*size = (size_t)(rest.data - text.data) + (size_t)bytes;
	return *end == '\0' && sum == sum_of_parcel(head, parcel->payload) && parcel->part < parcel->parts;
}

bool parcel_next(struct str line, struct str token, size_t *at, struct parcel *parcel, bool *broken)
{
	*broken = false;
	while (*at < line.size) {
		struct str rest = str_slice(line, *at, line.size);
		const char *found = memmem(rest.data, rest.size, MARKER, sizeof(MARKER) - 1);
		size_t size = 0;

		if (!found)
			break;
		*at = (size_t)(found - line.data) + sizeof(MARKER) - 1;
		if (parse(str_slice(line, *at, line.size), token, parcel, &size)) {
			*at += size;
			return true;
		}
		*broken = true;
	}
	*at = line.size;
	return false;
}

/* ---- Writing. ------------------------------------------------------------------------------------------ */

static void add_name(struct buf *out, struct str name)
{
	name = str_slice(name, 0, PARCEL_NODE_MOST);
	for (size_t i = 0; i < name.size; i++)
		buf_add_byte(out, is_name_byte(name.data[i]) ? name.data[i] : '_');
	if (name.size == 0)
		buf_add_byte(out, '_');
}

/* All of a parcel but what differs from part to part. */
static void add_head(const struct parcel_sender *sender, enum parcel_kind kind, size_t part, size_t parts,
		     size_t size, struct buf *out)
{
	buf_add(out, str_slice(sender->token, 0, PARCEL_TOKEN_MOST));
	buf_add_byte(out, ':');
	add_name(out, sender->node);
	buf_add_byte(out, ':');
	buf_add(out, sender->rank.size && sender->rank.size < 10 ? sender->rank : STR("-"));
	buf_add_format(out, ":%c:%zu:%zu:%zu:", (char)kind, part, parts, size);
}

/* Room for a payload: what the longest head of this sender leaves. */
static size_t payload_room(const struct parcel_sender *sender)
{
	struct buf head = {0};
	size_t room;

	add_head(sender, PARCEL_PART, 999999, 999999, PARCEL_SIZE - 1, &head);
	room = PARCEL_SIZE - (sizeof(MARKER) - 1) - head.size - 9 - 1;
	buf_release(&head);
	return room;
}

static void add_part(const struct parcel_sender *sender, enum parcel_kind kind, size_t part, size_t parts,
		     struct str payload, struct buf *out)
{
	size_t start = out->size, head;

	buf_add(out, STR(MARKER));
	head = out->size;
	add_head(sender, kind, part, parts, payload.size, out);
	buf_add_format(out, "%08x:", sum_of_parcel(str_slice(buf_str(out), head, out->size), payload));
	buf_add(out, payload);
	buf_add_repeated(out, '.', PARCEL_SIZE - 1 - (out->size - start));
	buf_add_byte(out, '\n');
}

void parcel_add(const struct parcel_sender *sender, enum parcel_kind kind, struct str payload, struct buf *out)
{
	add_part(sender, kind, 0, 1, str_slice(payload, 0, payload_room(sender)), out);
}

void parcel_add_document(const struct parcel_sender *sender, struct str document, struct buf *out)
{
	size_t room = payload_room(sender);
	size_t parts = (document.size + room - 1) / room;

	for (size_t part = 0; part < parts; part++)
		add_part(sender, PARCEL_PART, part, parts, str_slice(document, part * room, (part + 1) * room),
			 out);
}

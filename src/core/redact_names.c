/* Names for values: the same value the same name, numbers in the order of appearance, subnets together. */
#include "core/redact_private.h"

#include <string.h>

enum { SUBNETS_SAID_MAX = 256, NUMBER_MAX = 1000 * 1000 * 1000, ADDRESS_SIZE = 16 };

static const char *const kind_names[REDACT_KIND_COUNT] = {
	[REDACT_USER] = "USER",   [REDACT_HOST] = "HOST",     [REDACT_IP] = "IP",
	[REDACT_MAC] = "MAC",     [REDACT_PID] = "PID",       [REDACT_MAIL] = "MAIL",
	[REDACT_PHONE] = "PHONE", [REDACT_PATH] = "PATH",     [REDACT_TOKEN] = "TOKEN",
	[REDACT_URL] = "URL",     [REDACT_SERIAL] = "SERIAL", [REDACT_JOB] = "JOB",
	[REDACT_ID] = "ID",       [REDACT_DOMAIN] = "DOMAIN", [REDACT_WORD] = "WORD",
};

/* A value, or (with `is_subnet`) a subnet, by its key. */
struct item {
	struct str key;
	struct redact_name name;
	bool is_subnet;
	uint64_t number, members; /* of a subnet */
};

struct subnet {
	unsigned char bytes[ADDRESS_SIZE];
	unsigned bits;
};

struct redact_names {
	struct arena arena;
	VEC(struct item) items;
	VEC(uint32_t) values; /* items that are not subnets, in order */
	uint32_t *slots;      /* item + 1, by the hash of its key */
	size_t capacity;
	uint64_t numbers[REDACT_KIND_COUNT]; /* the last one given */
	VEC(struct subnet) said;             /* whose size the text tells */
};

const char *redact_kind_name(enum redact_kind kind)
{
	return kind_names[kind];
}

bool redact_kind_of(struct str name, enum redact_kind *kind)
{
	for (size_t i = 0; i < REDACT_KIND_COUNT; i++) {
		if (str_equal(name, str_of(kind_names[i]))) {
			*kind = (enum redact_kind)i;
			return true;
		}
	}
	return false;
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static int hex_value(char byte)
{
	if (is_digit(byte))
		return byte - '0';
	byte = (char)(byte | 0x20);
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static bool parse_v4(struct str text, unsigned char bytes[4])
{
	size_t at = 0;

	for (int i = 0; i < 4; i++) {
		unsigned value = 0;
		size_t start = at;

		while (at < text.size && is_digit(text.data[at]) && at - start < 4)
			value = value * 10 + (unsigned)(text.data[at++] - '0');
		if (at == start || value > 255)
			return false;
		bytes[i] = (unsigned char)value;
		if (i < 3 && (at >= text.size || text.data[at++] != '.'))
			return false;
	}
	return at == text.size;
}

/* Groups of an IPv6 address into `groups`; *gap gets where "::" stood, or -1. */
static bool parse_groups(struct str text, uint16_t groups[8], int *count, int *gap)
{
	size_t at = 0;

	*count = 0;
	*gap = -1;
	while (at < text.size) {
		unsigned value = 0;
		size_t start = at;
		unsigned char v4[4];

		if (text.data[at] == ':') {
			if (at + 1 >= text.size || text.data[at + 1] != ':' || *gap >= 0)
				return false;
			*gap = *count;
			at += 2;
			continue;
		}
		if (*count == 8)
			return false;
		if (*count <= 6 && parse_v4(str_slice(text, at, text.size), v4)) {
			groups[(*count)++] = (uint16_t)(v4[0] << 8 | v4[1]);
			groups[(*count)++] = (uint16_t)(v4[2] << 8 | v4[3]);
			return true;
		}
		while (at < text.size && hex_value(text.data[at]) >= 0 && at - start < 4)
			value = value * 16 + (unsigned)hex_value(text.data[at++]);
		if (at == start)
			return false;
		groups[(*count)++] = (uint16_t)value;
		if (at == text.size)
			return true;
		if (text.data[at] != ':')
			return false;
		if (at + 1 < text.size && text.data[at + 1] != ':')
			at++;
		else if (at + 1 == text.size)
			return false;
	}
	return true;
}

/* IPv4 as ::ffff:a.b.c.d, so that both ways of writing it are one address. */
static bool parse_address(struct str text, unsigned char bytes[ADDRESS_SIZE])
{
	uint16_t groups[8] = {0};
	int count, gap;
	size_t zone = str_find_byte(text, '%');

	text = str_slice(text, 0, zone);
	memset(bytes, 0, ADDRESS_SIZE);
	if (parse_v4(text, bytes + 12)) {
		bytes[10] = bytes[11] = 0xFF;
		return true;
	}
	if (!parse_groups(text, groups, &count, &gap) || (gap < 0 && count != 8) || count > 8)
		return false;
	for (int i = 0; i < count; i++) {
		int place = gap >= 0 && i >= gap ? 8 - count + i : i;

		bytes[2 * place] = (unsigned char)(groups[i] >> 8);
		bytes[2 * place + 1] = (unsigned char)groups[i];
	}
	return true;
}

static bool is_v4(const unsigned char bytes[ADDRESS_SIZE])
{
	return bytes[10] == 0xFF && bytes[11] == 0xFF && !memcmp(bytes, "\0\0\0\0\0\0\0\0\0", 10);
}

static void mask(unsigned char bytes[ADDRESS_SIZE], unsigned bits)
{
	for (unsigned i = 0; i < ADDRESS_SIZE; i++) {
		unsigned left = bits > 8 * i ? bits - 8 * i : 0;

		if (left < 8)
			bytes[i] &= (unsigned char)(0xFF00 >> left);
	}
}

struct redact_names *redact_names_new(void)
{
	return alloc_zeroed(1, sizeof(struct redact_names));
}

void redact_names_reset(struct redact_names *names)
{
	arena_release(&names->arena);
	names->arena = (struct arena){0};
	vec_clear(&names->items);
	vec_clear(&names->values);
	vec_clear(&names->said);
	if (names->capacity)
		memset(names->slots, 0, names->capacity * sizeof(*names->slots));
	memset(names->numbers, 0, sizeof(names->numbers));
}

void redact_names_free(struct redact_names *names)
{
	if (!names)
		return;
	arena_release(&names->arena);
	vec_release(&names->items);
	vec_release(&names->values);
	vec_release(&names->said);
	free(names->slots);
	free(names);
}

static size_t hash_of(struct str key)
{
	uint64_t hash = 0xCBF29CE484222325u;

	for (size_t i = 0; i < key.size; i++)
		hash = (hash ^ (unsigned char)key.data[i]) * 0x100000001B3u;
	return (size_t)(hash ^ hash >> 29);
}

static void grow(struct redact_names *names)
{
	size_t capacity = names->capacity ? 2 * names->capacity : 256;

	free(names->slots);
	names->slots = alloc_zeroed(capacity, sizeof(*names->slots));
	names->capacity = capacity;
	for (size_t i = 0; i < names->items.count; i++) {
		size_t slot = hash_of(names->items.items[i].key) & (capacity - 1);

		while (names->slots[slot])
			slot = (slot + 1) & (capacity - 1);
		names->slots[slot] = (uint32_t)i + 1;
	}
}

/* The item of this key, made if it is new. */
static size_t item_of(struct redact_names *names, struct str key, bool *is_new)
{
	size_t slot;

	if (2 * names->items.count >= names->capacity)
		grow(names);
	slot = hash_of(key) & (names->capacity - 1);
	for (; names->slots[slot]; slot = (slot + 1) & (names->capacity - 1)) {
		if (str_equal(names->items.items[names->slots[slot] - 1].key, key)) {
			*is_new = false;
			return names->slots[slot] - 1;
		}
	}
	*is_new = true;
	vec_push(&names->items, (struct item){.key = arena_copy(&names->arena, key)});
	names->slots[slot] = (uint32_t)names->items.count;
	return names->items.count - 1;
}

/* One text for all ways to write a value. Numbers are of their kind; names are the same whatever they name.
 */
static void add_key(struct buf *key, enum redact_kind kind, struct str value)
{
	unsigned char address[ADDRESS_SIZE];
	bool number = true;

	for (size_t i = 0; i < value.size; i++)
		number = number && is_digit(value.data[i]);
	if (kind == REDACT_IP && parse_address(value, address)) {
		buf_add(key, STR("ip "));
		buf_add_bytes(key, address, sizeof(address));
		return;
	}
	buf_add_format(key, "%s ", number ? kind_names[kind] : kind == REDACT_MAC ? "MAC" : "");
	for (size_t i = 0; i < value.size; i++) {
		char byte = value.data[i];

		if (kind == REDACT_MAC && hex_value(byte) < 0)
			continue;
		if (byte == '\\' && i + 1 < value.size && value.data[i + 1] == '\\')
			continue;
		buf_add_byte(key,
			     byte >= 'A' && byte <= 'Z' && kind != REDACT_TOKEN ? (char)(byte | 0x20) : byte);
	}
}

static size_t subnet_of(struct redact_names *names, struct str address)
{
	unsigned char bytes[ADDRESS_SIZE];
	unsigned bits = 64;
	struct buf key = {0};
	bool is_new;
	size_t at;

	parse_address(address, bytes);
	if (is_v4(bytes))
		bits = 96 + 24;
	for (size_t i = 0; i < names->said.count; i++) {
		const struct subnet *subnet = &names->said.items[i];
		unsigned char masked[ADDRESS_SIZE];

		memcpy(masked, bytes, sizeof(masked));
		mask(masked, subnet->bits);
		if (memcmp(masked, subnet->bytes, sizeof(masked)) == 0) {
			bits = subnet->bits;
			break;
		}
	}
	mask(bytes, bits);
	buf_add(&key, STR("subnet "));
	buf_add_bytes(&key, bytes, sizeof(bytes));
	buf_add_format(&key, "/%u", bits);
	at = item_of(names, buf_str(&key), &is_new);
	if (is_new) {
		names->items.items[at].is_subnet = true;
		names->items.items[at].number = ++names->numbers[REDACT_IP];
	}
	buf_release(&key);
	return at;
}

static void make_name(struct redact_names *names, size_t at, enum redact_kind kind, struct str value)
{
	unsigned char bytes[ADDRESS_SIZE];
	struct buf name = {0};

	if (kind == REDACT_IP && parse_address(value, bytes)) {
		size_t index = subnet_of(names, value); /* may move the items */
		struct item *subnet = &names->items.items[index];

		buf_add_format(&name, "<IP_%llu", (unsigned long long)subnet->number);
		if (++subnet->members > 1)
			buf_add_format(&name, ".%llu", (unsigned long long)subnet->members);
		buf_add_byte(&name, '>');
	} else {
		buf_add_format(&name, "<%s_%llu>", kind_names[kind],
			       (unsigned long long)++names->numbers[kind]);
	}
	names->items.items[at].name = (struct redact_name){
		.kind = kind,
		.name = arena_copy(&names->arena, buf_str(&name)),
		.value = arena_copy(&names->arena, str_slice(value, 0, REDACT_VALUE_MAX)),
	};
	buf_release(&name);
}

size_t redact_names_take(struct redact_names *names, enum redact_kind kind, struct str value)
{
	struct buf key = {0};
	bool is_new = false;
	size_t at, hash;

	add_key(&key, kind, value);
	/* Long values are told apart by a hash of the whole. */
	if (key.size > REDACT_VALUE_MAX) {
		hash = hash_of(buf_str(&key));
		buf_truncate(&key, REDACT_VALUE_MAX);
		buf_add_bytes(&key, &hash, sizeof(hash));
	}
	if (names->values.count >= REDACT_NAMES_MAX) {
		buf_release(&key);
		return SIZE_MAX;
	}
	at = item_of(names, buf_str(&key), &is_new);
	buf_release(&key);
	if (is_new) {
		make_name(names, at, kind, value);
		/* Of an item that is a value, `number` is its place in the list of values. */
		names->items.items[at].number = names->values.count;
		vec_push(&names->values, (uint32_t)at);
	}
	return (size_t)names->items.items[at].number;
}

void redact_names_reserve(struct redact_names *names, enum redact_kind kind, uint64_t number)
{
	if (number <= NUMBER_MAX && number > names->numbers[kind])
		names->numbers[kind] = number;
}

void redact_names_subnet(struct redact_names *names, struct str address, unsigned bits)
{
	struct subnet subnet;

	if (!parse_address(address, subnet.bytes) || names->said.count >= SUBNETS_SAID_MAX)
		return;
	subnet.bits = is_v4(subnet.bytes) ? bits + 96 : bits;
	if (subnet.bits > 126 || subnet.bits < (is_v4(subnet.bytes) ? 96 + 8 : 16))
		return;
	mask(subnet.bytes, subnet.bits);
	for (size_t i = 0; i < names->said.count; i++) {
		if (memcmp(names->said.items[i].bytes, subnet.bytes, sizeof(subnet.bytes)) == 0)
			return;
	}
	vec_push(&names->said, subnet);
}

struct redact_name *redact_names_at(const struct redact_names *names, size_t index)
{
	return &names->items.items[names->values.items[index]].name;
}

size_t redact_names_count(const struct redact_names *names)
{
	return names->values.count;
}

static size_t digits_end(struct str text, size_t at, uint64_t *number)
{
	size_t start = at;

	while (at < text.size && is_digit(text.data[at]) && at - start < 18)
		at++;
	if (number)
		str_to_u64(str_slice(text, start, at), number);
	return at;
}

size_t redact_name_size(struct str text, size_t at, enum redact_kind *kind, uint64_t *number)
{
	size_t start = at, end = at + 1;

	*number = 0;
	while (end < text.size && text.data[end] >= 'A' && text.data[end] <= 'Z' && end - at < 12)
		end++;
	if (!redact_kind_of(str_slice(text, at + 1, end), kind))
		return 0;
	if (end < text.size && text.data[end] == '_') {
		size_t digits = end + 1;

		end = digits_end(text, digits, number);
		if (end == digits)
			return 0;
		if (end < text.size && text.data[end] == '.')
			end = digits_end(text, end + 1, NULL);
	}
	return end < text.size && text.data[end] == '>' ? end + 1 - start : 0;
}

/* probe: what was found, as a value that can be copied, sent through a pipe and turned into facts. */
#include "core/probe.h"

#include <string.h>

void probe_result_release(struct probe_result *result)
{
	arena_release(&result->arena);
	*result = (struct probe_result){0};
}

void probe_result_copy(struct probe_result *to, const struct probe_result *from)
{
	struct buf bytes = {0};
	probe_result_encode(from, &bytes);
	probe_result_decode(buf_str(&bytes), to);
	buf_release(&bytes);
}

struct str probe_result_value(const struct probe_result *result, struct str name)
{
	for (size_t i = 0; i < result->value_count; i++)
		if (str_equal(result->values[i].name, name))
			return result->values[i].value;
	return STR("");
}

void probe_result_to_facts(const struct probe *probe, const struct probe_result *result, struct facts *facts)
{
	facts_forget(facts, FACT_PROBE, probe->id);
	for (size_t i = 0; i < result->value_count; i++) {
		struct str lines = result->values[i].value, line;
		if (str_next(&lines, '\n', &line))
			facts_set(facts, result->values[i].name, line, FACT_PROBE, probe->id);
	}
}

struct str probe_state_name(enum probe_state state)
{
	static const struct str names[] = {
		[PROBE_UNKNOWN] = STR_INIT("unknown"), [PROBE_OK] = STR_INIT("ok"),
		[PROBE_WARN] = STR_INIT("warn"),       [PROBE_FAIL] = STR_INIT("fail"),
		[PROBE_ABSENT] = STR_INIT("absent"),   [PROBE_UNTRUSTED] = STR_INIT("untrusted"),
	};
	return names[state];
}

/* ---- To bytes and back: 32-bit numbers of this machine, texts as length and bytes. --------------------- */

static const uint32_t magic = 0x50524231;
enum { VALUES_MAX = 4096 };

static void put_number(struct buf *out, uint32_t number)
{
	buf_add_bytes(out, &number, sizeof(number));
}

static void put_text(struct buf *out, struct str text)
{
	put_number(out, (uint32_t)text.size);
	buf_add(out, text);
}

void probe_result_encode(const struct probe_result *result, struct buf *out)
{
	put_number(out, magic);
	put_number(out, (uint32_t)result->state);
	put_number(out, result->ms);
	for (int lang = 0; lang < LANG_COUNT; lang++)
		put_text(out, result->detail.in[lang]);
	put_text(out, result->source);
	put_text(out, result->excerpt);
	put_text(out, result->entry);
	put_number(out, (uint32_t)result->value_count);
	for (size_t i = 0; i < result->value_count; i++) {
		put_text(out, result->values[i].name);
		put_text(out, result->values[i].value);
	}
}

static bool get_number(struct str *bytes, uint32_t *number)
{
	if (bytes->size < sizeof(*number))
		return false;
	memcpy(number, bytes->data, sizeof(*number));
	*bytes = str_slice(*bytes, sizeof(*number), bytes->size);
	return true;
}

static bool get_text(struct str *bytes, struct arena *arena, struct str *text)
{
	uint32_t size;
	if (!get_number(bytes, &size) || size > bytes->size)
		return false;
	*text = arena_copy(arena, str_slice(*bytes, 0, size));
	*bytes = str_slice(*bytes, size, bytes->size);
	return true;
}

static bool decode(struct str bytes, struct probe_result *result)
{
	uint32_t number, state, count;
	if (!get_number(&bytes, &number) || number != magic || !get_number(&bytes, &state) ||
	    state > PROBE_UNTRUSTED || !get_number(&bytes, &result->ms))
		return false;
	result->state = (enum probe_state)state;
	for (int lang = 0; lang < LANG_COUNT; lang++)
		if (!get_text(&bytes, &result->arena, &result->detail.in[lang]))
			return false;
	if (!get_text(&bytes, &result->arena, &result->source) ||
	    !get_text(&bytes, &result->arena, &result->excerpt) ||
	    !get_text(&bytes, &result->arena, &result->entry) || !get_number(&bytes, &count) ||
	    count > VALUES_MAX)
		return false;
	result->values = arena_take_array(&result->arena, count + 1, sizeof(*result->values));
	result->value_count = count;
	for (size_t i = 0; i < count; i++)
		if (!get_text(&bytes, &result->arena, &result->values[i].name) ||
		    !get_text(&bytes, &result->arena, &result->values[i].value))
			return false;
	return bytes.size == 0;
}

bool probe_result_decode(struct str bytes, struct probe_result *result)
{
	struct probe_result fresh = {0};
	bool good = decode(bytes, &fresh);
	probe_result_release(result);
	if (good)
		*result = fresh;
	else
		probe_result_release(&fresh);
	return good;
}

/* compare: documents into facts. */
#include "core/compare_private.h"

#include "core/json_pull.h"

#include <string.h>

/* ---- Texts. ------------------------------------------------------------------------------------------- */

static uint64_t hash_of(struct str text)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 1099511628211u;
	return hash ^ hash >> 29;
}

static size_t slot_of(const struct compare_texts *texts, struct str text)
{
	size_t slot = hash_of(text) & (texts->capacity - 1);

	while (texts->slots[slot] && !str_equal(texts->list.items[texts->slots[slot] - 1], text))
		slot = (slot + 1) & (texts->capacity - 1);
	return slot;
}

static void grow(struct compare_texts *texts)
{
	size_t capacity = texts->capacity ? 2 * texts->capacity : 1024;

	free(texts->slots);
	texts->slots = alloc_zeroed(capacity, sizeof(*texts->slots));
	texts->capacity = capacity;
	for (size_t i = 0; i < texts->list.count; i++)
		texts->slots[slot_of(texts, texts->list.items[i])] = (uint32_t)i + 1;
}

uint32_t compare_text(struct compare_input *input, struct str text)
{
	struct compare_texts *texts = &input->texts;
	size_t slot;

	if (2 * (texts->list.count + 1) > texts->capacity)
		grow(texts);
	slot = slot_of(texts, text);
	if (!texts->slots[slot]) {
		vec_push(&texts->list, arena_copy(&input->arena, text));
		texts->slots[slot] = (uint32_t)texts->list.count;
	}
	return texts->slots[slot] - 1;
}

struct str compare_text_at(const struct compare_input *input, uint32_t number)
{
	return input->texts.list.items[number];
}

/* ---- Nodes. ------------------------------------------------------------------------------------------- */

static struct compare_entry *entry_of(struct compare_input *input, struct str name)
{
	uint32_t number = compare_text(input, name);

	if (number >= input->entry_capacity) {
		size_t capacity = input->texts.list.count * 2;
		uint32_t *larger = alloc_zeroed(capacity, sizeof(*larger));

		if (input->entry_capacity)
			memcpy(larger, input->entry_of_name, input->entry_capacity * sizeof(*larger));
		free(input->entry_of_name);
		input->entry_of_name = larger;
		input->entry_capacity = capacity;
	}
	if (input->entry_of_name[number]) {
		input->repeated++;
		return &input->entries.items[input->entry_of_name[number] - 1];
	}
	vec_push(&input->entries, (struct compare_entry){.name = number});
	input->entry_of_name[number] = (uint32_t)input->entries.count;
	return &input->entries.items[input->entries.count - 1];
}

struct compare_input *compare_new(const struct kb *kb)
{
	struct compare_input *input = alloc_zeroed(1, sizeof(*input));

	input->kb = kb;
	compare_text(input, STR(""));
	return input;
}

void compare_free(struct compare_input *input)
{
	if (!input)
		return;
	for (size_t i = 0; i < input->entries.count; i++)
		vec_release(&input->entries.items[i].facts.list);
	vec_release(&input->entries);
	vec_release(&input->texts.list);
	free(input->texts.slots);
	free(input->entry_of_name);
	arena_release(&input->arena);
	free(input);
}

/* ---- Documents. --------------------------------------------------------------------------------------- */

struct reading {
	struct compare_input *input;
	struct json_pull json;
	struct str host; /* in the arena */
	struct compare_facts facts;
	bool is_ours;
};

static void add_fact(struct reading *reading, struct str probe, struct str name, struct str value)
{
	struct buf thing = {0};

	buf_add(&thing, probe);
	buf_add_byte(&thing, 0);
	buf_add(&thing, name);
	vec_push(&reading->facts.list, (struct compare_fact){compare_text(reading->input, buf_str(&thing)),
							     compare_text(reading->input, value)});
	buf_release(&thing);
}

/* {"CANN_VERSION": "9.1.0", …} */
static bool read_values(struct reading *reading, struct str probe)
{
	struct json_pull *json = &reading->json;
	enum json_kind kind = json_pull_next(json);

	if (kind != JSON_OBJECT)
		return false;
	while ((kind = json_pull_next(json)) == JSON_KEY) {
		struct str name = compare_text_at(reading->input, compare_text(reading->input, json->text));

		if (json_pull_next(json) != JSON_TEXT)
			return false;
		add_fact(reading, probe, name, json->text);
	}
	return kind == JSON_OBJECT_END;
}

/* A probe: id first, as we write it. */
static bool read_probe(struct reading *reading)
{
	struct json_pull *json = &reading->json;
	struct str probe = STR("");
	enum json_kind kind;

	while ((kind = json_pull_next(json)) == JSON_KEY) {
		bool is_id = str_equal(json->text, STR("id")), is_state = str_equal(json->text, STR("state"));
		bool is_detail = str_equal(json->text, STR("detail"));

		if (str_equal(json->text, STR("values"))) {
			if (!read_values(reading, probe))
				return false;
		} else if (is_id || is_state || is_detail) {
			if (json_pull_next(json) != JSON_TEXT)
				return false;
			if (is_id)
				probe = compare_text_at(reading->input,
							compare_text(reading->input, json->text));
			else
				add_fact(reading, probe, is_state ? STR("") : STR("\1detail"), json->text);
		} else if (!json_pull_skip(json)) {
			return false;
		}
	}
	return kind == JSON_OBJECT_END;
}

static bool read_probes(struct reading *reading)
{
	enum json_kind kind = json_pull_next(&reading->json);

	if (kind != JSON_ARRAY)
		return false;
	reading->is_ours = true;
	while ((kind = json_pull_next(&reading->json)) == JSON_OBJECT)
		if (!read_probe(reading))
			return false;
	return kind == JSON_ARRAY_END;
}

static bool read_document(struct reading *reading)
{
	struct json_pull *json = &reading->json;
	enum json_kind kind;

	if (json_pull_next(json) != JSON_OBJECT)
		return false;
	while ((kind = json_pull_next(json)) == JSON_KEY) {
		if (str_equal(json->text, STR("probes"))) {
			if (!read_probes(reading))
				return false;
		} else if (str_equal(json->text, STR("host"))) {
			if (json_pull_next(json) != JSON_TEXT)
				return false;
			reading->host = arena_copy(&reading->input->arena, json->text);
		} else if (!json_pull_skip(json)) {
			return false;
		}
	}
	return kind == JSON_OBJECT_END && json_pull_next(json) == JSON_END;
}

bool compare_add(struct compare_input *input, struct str document, struct str name, bool asked)
{
	struct reading reading = {.input = input};
	struct compare_entry *entry;
	struct buf why = {0};
	bool good;

	if (input->entries.count == COMPARE_NODES_MOST)
		return false;
	json_pull_open(&reading.json, document);
	good = read_document(&reading) && reading.is_ours;
	if (!good && reading.is_ours)
		buf_add_format(&why, "the document is damaged at byte %zu of %zu",
			       json_pull_offset(&reading.json), document.size);
	else if (!good)
		buf_add(&why, STR("no result of ascend-faq probe --json"));
	entry = entry_of(input, good && !asked && reading.host.size ? reading.host : name);
	vec_release(&entry->facts.list);
	entry->facts = (struct compare_facts){{0}};
	entry->read = good;
	entry->why = arena_copy(&input->arena, buf_str(&why));
	if (good)
		entry->facts = reading.facts;
	else
		vec_release(&reading.facts.list);
	json_pull_close(&reading.json);
	buf_release(&why);
	return good;
}

void compare_add_missing(struct compare_input *input, struct str name, struct str why)
{
	struct compare_entry *entry;

	if (input->entries.count == COMPARE_NODES_MOST)
		return;
	entry = entry_of(input, name);
	if (!entry->read)
		entry->why = arena_copy(&input->arena, why);
}

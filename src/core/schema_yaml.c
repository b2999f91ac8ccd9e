#include "core/schema_yaml.h"

#include "base/buf.h"
#include "core/nearest.h"

#include <string.h>

static const char *const lang_keys[LANG_COUNT + 1] = {[LANG_ZH] = "zh", [LANG_EN] = "en"};

static void read_field(struct schema_yaml *yaml, const struct field *field, char *object);
static bool read_struct(struct schema_yaml *yaml, const struct schema *schema, char *object);

static bool at_end(const struct yaml_events *events)
{
	return events->kind == YAML_STOP || events->kind == YAML_LIST_END || events->kind == YAML_MAP_END;
}

static const char *kind_name(enum yaml_kind kind)
{
	return kind == YAML_LIST ? "a list" : kind == YAML_MAP ? "a map" : "a single value";
}

/* "a, b, c" of a list that ends with null. */
static const char *join(struct schema_yaml *yaml, const char *const *words)
{
	struct buf text = {0};
	const char *joined;

	for (size_t i = 0; words[i]; i++) {
		if (i)
			buf_add(&text, STR(", "));
		buf_add(&text, str_of(words[i]));
	}
	joined = arena_c_string(yaml->arena, buf_str(&text));
	buf_release(&text);
	return joined;
}

/* A scalar that is there and not empty. Otherwise says what is wrong. Always goes past the node. */
static bool take_scalar(struct schema_yaml *yaml, const char *key, struct str *value)
{
	struct yaml_events *events = &yaml->events;
	bool good = false;

	if (events->refused) {
		yaml_events_skip(events);
		return false;
	}
	if (events->kind != YAML_SCALAR)
		yaml_events_fault(events, events->where, "`%s` must be a single value, not %s", key,
				  kind_name(events->kind));
	else if (!str_trim(events->text).size)
		yaml_events_fault(events, events->where,
				  "`%s` is empty: write its value, or leave the key out", key);
	else
		good = true;
	*value = good ? arena_copy(yaml->arena, events->text) : (struct str){NULL, 0};
	yaml_events_skip(events);
	return good;
}

static const char *const *field_keys(struct schema_yaml *yaml, const struct schema *schema, int choice)
{
	const char **keys = arena_take_array(yaml->arena, schema->field_count + 1, sizeof(*keys));
	size_t count = 0;

	for (size_t i = 0; i < schema->field_count; i++)
		if (schema->fields[i].key && (!choice || schema->fields[i].choice == choice))
			keys[count++] = schema->fields[i].key;
	return keys;
}

static void report_unknown_word(struct schema_yaml *yaml, struct location where, const char *what,
				struct str word, const char *const *known)
{
	const char *nearest = nearest_word(word, known);

	if (nearest)
		yaml_events_fault(&yaml->events, where, "unknown %s `%.*s`: did you mean `%s`?", what,
				  STR_ARG(word), nearest);
	else
		yaml_events_fault(&yaml->events, where, "unknown %s `%.*s`; known: %s", what, STR_ARG(word),
				  join(yaml, known));
}

static void read_text(struct schema_yaml *yaml, const char *key, struct text *text)
{
	struct yaml_events *events = &yaml->events;

	if (events->kind != YAML_MAP || events->refused) {
		if (!events->refused)
			yaml_events_fault(events, events->where, "`%s` must say its language: {zh: …, en: …}",
					  key);
		yaml_events_skip(events);
		return;
	}
	yaml_events_next(events);
	while (!at_end(events)) {
		struct str word = events->text;
		size_t lang = 0;

		while (lang < LANG_COUNT &&
		       (events->kind != YAML_SCALAR || !str_equal(word, str_of(lang_keys[lang]))))
			lang++;
		if (lang == LANG_COUNT) {
			if (events->kind == YAML_SCALAR && !events->refused)
				report_unknown_word(yaml, events->where, "language", word, lang_keys);
			else if (!events->refused)
				yaml_events_fault(events, events->where, "a key must be a single word");
			yaml_events_skip(events);
			if (!at_end(events))
				yaml_events_skip(events);
			continue;
		}
		if (text->in[lang].size)
			yaml_events_fault(events, events->where, "`%s` is there twice", lang_keys[lang]);
		yaml_events_next(events);
		take_scalar(yaml, lang_keys[lang], &text->in[lang]);
	}
	yaml_events_next(events);
}

static void read_bool(struct schema_yaml *yaml, const char *key, bool *value)
{
	static const char *const words[] = {"false", "true", "no", "yes", "off", "on", NULL};
	struct location where = yaml->events.where;
	struct str text;

	if (!take_scalar(yaml, key, &text))
		return;
	for (size_t i = 0; words[i]; i++) {
		if (str_equal_ascii_case(text, str_of(words[i]))) {
			*value = i % 2 != 0;
			return;
		}
	}
	yaml_events_fault(&yaml->events, where, "`%s` must be true or false, not `%.*s`", key, STR_ARG(text));
}

static bool to_int(struct str text, int64_t *value)
{
	bool negative = str_starts(text, STR("-"));
	uint64_t size;

	if (!str_to_u64(negative ? str_slice(text, 1, text.size) : text, &size) || size > INT64_MAX)
		return false;
	*value = negative ? -(int64_t)size : (int64_t)size;
	return true;
}

static void read_int(struct schema_yaml *yaml, const char *key, int64_t *value)
{
	struct location where = yaml->events.where;
	struct str text;

	if (take_scalar(yaml, key, &text) && !to_int(text, value))
		yaml_events_fault(&yaml->events, where, "`%s` must be a whole number, not `%.*s`", key,
				  STR_ARG(text));
}

static bool to_milliseconds(struct str text, int64_t *value)
{
	static const struct {
		const char *unit;
		int64_t milliseconds;
	} units[] = {{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		struct str unit = str_of(units[i].unit);

		if (str_ends(text, unit) && to_int(str_slice(text, 0, text.size - unit.size), value) &&
		    *value > 0 && *value <= 3600 * 1000 / units[i].milliseconds) {
			*value *= units[i].milliseconds;
			return true;
		}
	}
	return false;
}

static void read_duration(struct schema_yaml *yaml, const char *key, int64_t *value)
{
	struct location where = yaml->events.where;
	int64_t milliseconds;
	struct str text;

	if (!take_scalar(yaml, key, &text))
		return;
	if (to_milliseconds(text, &milliseconds))
		*value = milliseconds;
	else
		yaml_events_fault(
			&yaml->events, where,
			"`%s` must be a time of at most an hour such as 500ms, 3s or 2m, not `%.*s`", key,
			STR_ARG(text));
}

static void read_enum(struct schema_yaml *yaml, const struct field *field, int *value)
{
	struct location where = yaml->events.where;
	struct str text;

	if (!take_scalar(yaml, field->key, &text))
		return;
	for (int i = 0; field->names[i]; i++) {
		if (str_equal(text, str_of(field->names[i]))) {
			*value = i;
			return;
		}
	}
	yaml_events_fault(&yaml->events, where, "`%s` cannot be `%.*s`; it is one of: %s", field->key,
			  STR_ARG(text), join(yaml, field->names));
}

static bool list_is_full(struct schema_yaml *yaml, const char *key, size_t count)
{
	if (count < SCHEMA_YAML_LIST_MAX)
		return false;
	if (count == SCHEMA_YAML_LIST_MAX)
		yaml_events_fault(&yaml->events, yaml->events.where, "`%s` has more than %d items", key,
				  SCHEMA_YAML_LIST_MAX);
	return true;
}

static void read_str_list(struct schema_yaml *yaml, const char *key, struct str_list *list)
{
	struct yaml_events *events = &yaml->events;
	VEC(struct str) items = {0};
	bool whole_list = events->kind == YAML_LIST;
	size_t count = 0;
	struct str *copy;
	struct str item;

	if (whole_list)
		yaml_events_next(events);
	while (!at_end(events)) {
		if (list_is_full(yaml, key, count++))
			yaml_events_skip(events);
		else if (take_scalar(yaml, key, &item))
			vec_push(&items, item);
		if (!whole_list)
			break;
	}
	if (whole_list)
		yaml_events_next(events);
	copy = arena_take_array(yaml->arena, items.count, sizeof(*copy));
	if (items.count)
		memcpy(copy, items.items, items.count * sizeof(*copy));
	*list = (struct str_list){copy, items.count};
	vec_release(&items);
}

static void store_list(struct schema_yaml *yaml, const struct field *field, char *object, struct buf *items)
{
	size_t count = items->size / field->of->size;
	const void *copy = NULL;

	if (count) {
		copy = arena_take(yaml->arena, items->size);
		memcpy((void *)(uintptr_t)copy, items->data, items->size);
	}
	memcpy(object + field->offset, &copy, sizeof(copy));
	memcpy(object + field->count_offset, &count, sizeof(count));
	buf_release(items);
}

static void read_list(struct schema_yaml *yaml, const struct field *field, char *object)
{
	struct yaml_events *events = &yaml->events;
	bool whole_list = events->kind == YAML_LIST;
	struct buf items = {0};
	size_t count = 0;

	if (whole_list)
		yaml_events_next(events);
	while (!at_end(events)) {
		if (list_is_full(yaml, field->key, count++)) {
			yaml_events_skip(events);
		} else {
			void *item = schema_yaml_item(yaml, field->of);

			if (item)
				buf_add_bytes(&items, item, field->of->size);
			free(item);
		}
		if (!whole_list)
			break;
	}
	if (whole_list)
		yaml_events_next(events);
	store_list(yaml, field, object, &items);
}

static bool has_map_key(const struct buf *items, const struct schema *schema, struct str key)
{
	for (size_t at = 0; at < items->size; at += schema->size) {
		struct str other;

		memcpy(&other, items->data + at + schema->map_key_offset, sizeof(other));
		if (str_equal(other, key))
			return true;
	}
	return false;
}

static void read_map(struct schema_yaml *yaml, const struct field *field, char *object)
{
	struct yaml_events *events = &yaml->events;
	const struct schema *schema = field->of;
	struct buf items = {0};

	if (events->kind != YAML_MAP) {
		if (!events->refused)
			yaml_events_fault(events, events->where, "`%s` must be a map {NAME: …}, not %s",
					  field->key, kind_name(events->kind));
		yaml_events_skip(events);
		return;
	}
	yaml_events_next(events);
	while (!at_end(events)) {
		struct location where = events->where;
		char *item;
		struct str key;

		if (!take_scalar(yaml, "key", &key) ||
		    list_is_full(yaml, field->key, items.size / schema->size)) {
			if (!at_end(events))
				yaml_events_skip(events);
			continue;
		}
		if (has_map_key(&items, schema, key))
			yaml_events_fault(events, where, "`%.*s` is there twice", STR_ARG(key));
		item = alloc_zeroed(1, schema->size);
		if (read_struct(yaml, schema, item)) {
			memcpy(item + schema->map_key_offset, &key, sizeof(key));
			buf_add_bytes(&items, item, schema->size);
		}
		free(item);
	}
	yaml_events_next(events);
	store_list(yaml, field, object, &items);
}

static void read_field(struct schema_yaml *yaml, const struct field *field, char *object)
{
	void *member = object + field->offset;

	switch (field->type) {
	case FIELD_STR:
		take_scalar(yaml, field->key, member);
		break;
	case FIELD_TEXT:
		read_text(yaml, field->key, member);
		break;
	case FIELD_BOOL:
		read_bool(yaml, field->key, member);
		break;
	case FIELD_INT:
		read_int(yaml, field->key, member);
		break;
	case FIELD_DURATION:
		read_duration(yaml, field->key, member);
		break;
	case FIELD_ENUM:
		read_enum(yaml, field, member);
		break;
	case FIELD_STR_LIST:
		read_str_list(yaml, field->key, member);
		break;
	case FIELD_STRUCT:
		read_struct(yaml, field->of, member);
		break;
	case FIELD_LIST:
		read_list(yaml, field, object);
		break;
	case FIELD_MAP:
		read_map(yaml, field, object);
		break;
	}
}

static void set_fallbacks(const struct schema *schema, char *object)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct field *field = &schema->fields[i];
		int number = (int)field->fallback;
		bool yes = field->fallback != 0;

		if (field->type == FIELD_INT || field->type == FIELD_DURATION)
			memcpy(object + field->offset, &field->fallback, sizeof(field->fallback));
		else if (field->type == FIELD_ENUM)
			memcpy(object + field->offset, &number, sizeof(number));
		else if (field->type == FIELD_BOOL)
			memcpy(object + field->offset, &yes, sizeof(yes));
	}
}

static uint64_t bit_of(const struct schema *schema, const struct field *field)
{
	return UINT64_C(1) << (field - schema->fields);
}

/* The keys that are there, one bit a row: is anything missing? */
static void check_missing(struct schema_yaml *yaml, const struct schema *schema, uint64_t seen,
			  struct location where)
{
	bool chosen = false;

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct field *field = &schema->fields[i];
		const struct field *needed = field->needs ? schema_field(schema, str_of(field->needs)) : NULL;
		bool there = (seen & bit_of(schema, field)) != 0;

		chosen |= there && field->choice && field->choice == schema->required_choice;
		if (field->required && !there)
			yaml_events_fault(&yaml->events, where, "%s without `%s`: %s", schema->name,
					  field->key, field->help);
		if (there && needed && !(seen & bit_of(schema, needed)))
			yaml_events_fault(&yaml->events, where, "%s with `%s` but without `%s`: %s",
					  schema->name, field->key, needed->key, needed->help);
	}
	if (schema->required_choice && !chosen)
		yaml_events_fault(&yaml->events, where, "%s needs one of: %s", schema->name,
				  join(yaml, field_keys(yaml, schema, schema->required_choice)));
}

/* May `field` be read, after `seen`? */
static bool check_key(struct schema_yaml *yaml, const struct schema *schema, const struct field *field,
		      uint64_t seen)
{
	struct yaml_events *events = &yaml->events;

	if (seen & bit_of(schema, field)) {
		yaml_events_fault(events, events->where, "`%s` is there twice", field->key);
		return false;
	}
	for (size_t i = 0; field->choice && i < schema->field_count; i++) {
		const struct field *other = &schema->fields[i];

		if (other->choice == field->choice && (seen & bit_of(schema, other))) {
			yaml_events_fault(events, events->where,
					  "`%s` beside `%s`: only one of %s may be there", field->key,
					  other->key, join(yaml, field_keys(yaml, schema, field->choice)));
			return false;
		}
	}
	return true;
}

static void read_map_of_struct(struct schema_yaml *yaml, const struct schema *schema, char *object)
{
	struct yaml_events *events = &yaml->events;
	struct location where = events->where;
	uint64_t seen = 0;

	yaml_events_next(events);
	while (!at_end(events)) {
		const struct field *field = NULL;
		bool good = false;

		if (events->kind == YAML_SCALAR && !events->refused) {
			field = schema_field(schema, events->text);
			if (field)
				good = check_key(yaml, schema, field, seen);
			else
				report_unknown_word(yaml, events->where, "key", events->text,
						    field_keys(yaml, schema, 0));
		} else if (!events->refused) {
			yaml_events_fault(events, events->where, "a key must be a single word");
		}
		yaml_events_skip(events);
		if (at_end(events))
			break;
		if (good) {
			seen |= bit_of(schema, field);
			read_field(yaml, field, object);
		} else {
			yaml_events_skip(events);
		}
	}
	if (events->kind != YAML_STOP) {
		check_missing(yaml, schema, seen, where);
		yaml_events_next(events);
	}
}

/* False, with the node passed over, when it is no such thing. */
static bool read_struct(struct schema_yaml *yaml, const struct schema *schema, char *object)
{
	struct yaml_events *events = &yaml->events;
	const struct field *shorthand =
		schema->shorthand ? schema_field(schema, str_of(schema->shorthand)) : NULL;

	if (events->refused) {
		yaml_events_skip(events);
		return false;
	}
	set_fallbacks(schema, object);
	if (schema->where_offset != SCHEMA_NONE)
		memcpy(object + schema->where_offset, &events->where, sizeof(events->where));
	if (events->kind == YAML_MAP) {
		read_map_of_struct(yaml, schema, object);
		return true;
	}
	if (shorthand) {
		read_field(yaml, shorthand, object);
		return true;
	}
	if (events->kind == YAML_STOP) {
		/* Of what could not be read the reason is told already. */
		if (events->faults == 0)
			yaml_events_fault(events, events->where, "%s: nothing is in it", schema->name);
		return false;
	}
	yaml_events_fault(events, events->where, "%s must be a map (%s: …), not %s", schema->name,
			  field_keys(yaml, schema, 0)[0], kind_name(events->kind));
	yaml_events_skip(events);
	return false;
}

void *schema_yaml_item(struct schema_yaml *yaml, const struct schema *schema)
{
	char *object = alloc_zeroed(1, schema->size);

	if (read_struct(yaml, schema, object))
		return object;
	free(object);
	return NULL;
}

#include "core/kb_yaml.h"

#include "base/buf.h"
#include "core/pack_index.h"
#include "core/schema_yaml.h"

#include <stdlib.h>
#include <string.h>

/* What a file below a pack holds. */
struct file_kind {
	const char *path; /* exact, or a folder that ends with '/'; null: any folder */
	enum { FILE_PACK, FILE_ITEMS, FILE_ENTRY } kind;
	enum pack_items items;
};

static const struct file_kind file_kinds[] = {
	{"pack.yaml", FILE_PACK, 0},
	{"placeholders.yaml", FILE_ITEMS, PACK_PLACEHOLDERS},
	{"probes.yaml", FILE_ITEMS, PACK_PROBES},
	{"framing.yaml", FILE_ITEMS, PACK_FRAMES},
	{"redaction.yaml", FILE_ITEMS, PACK_REDACTIONS},
	{"families.yaml", FILE_ITEMS, PACK_FAMILIES},
	{"compat.yaml", FILE_ITEMS, PACK_MATRICES},
	{"reports/", FILE_ITEMS, PACK_REPORTS},
	{"codes/", FILE_ITEMS, PACK_CODES},
	{NULL, FILE_ENTRY, PACK_ENTRIES},
};

struct pack_reader {
	struct arena *arena;
	struct diag_list *diags;
	const char *folder; /* or null */
	struct pack *pack;
	bool has_pack_file;
	struct buf items[PACK_ITEM_KINDS]; /* of structs, one after the other */
};

struct pack_reader *pack_reader_new(struct arena *arena, struct diag_list *diags, const char *folder)
{
	struct pack_reader *reader = alloc_zeroed(1, sizeof(*reader));

	reader->arena = arena;
	reader->diags = diags;
	reader->folder = folder ? arena_c_string(arena, str_of(folder)) : NULL;
	reader->pack = arena_take(arena, sizeof(*reader->pack));
	return reader;
}

static const struct file_kind *file_kind_of(struct str path)
{
	size_t slash = str_find_byte(path, '/');

	for (size_t i = 0; i < sizeof(file_kinds) / sizeof(*file_kinds); i++) {
		const struct file_kind *kind = &file_kinds[i];
		struct str known = str_of(kind->path);

		if (!known.size) /* exactly one folder deep */
			return slash != STR_NOT_FOUND && slash > 0 &&
					       str_find_byte(str_slice(path, slash + 1, path.size), '/') ==
						       STR_NOT_FOUND
				       ? kind
				       : NULL;
		if (str_ends(known, STR("/")) ? str_starts(path, known) : str_equal(path, known))
			return kind;
	}
	return NULL;
}

static bool is_hidden(struct str path)
{
	return str_starts(path, STR(".")) || str_find(path, STR("/.")) != STR_NOT_FOUND;
}

bool pack_reader_wants(const char *path)
{
	return str_ends(str_of(path), STR(".yaml")) && !is_hidden(str_of(path));
}

static void read_item(struct pack_reader *reader, struct schema_yaml *yaml, enum pack_items items,
		      struct str section)
{
	const struct schema *schema = pack_item_schema(items);
	void *item = schema_yaml_item(yaml, schema);

	if (!item)
		return;
	if (items == PACK_ENTRIES)
		((struct entry *)item)->section = section;
	buf_add_bytes(&reader->items[items], item, schema->size);
	free(item);
}

static void read_items(struct pack_reader *reader, struct schema_yaml *yaml, enum pack_items items)
{
	struct yaml_events *events = &yaml->events;

	if (events->kind == YAML_STOP)
		return;
	if (events->kind != YAML_LIST) {
		yaml_events_fault(events, events->where, "must be a list: each %s starts with '- '",
				  pack_item_schema(items)->name);
		return;
	}
	yaml_events_next(events);
	for (size_t count = 0; events->kind != YAML_LIST_END && events->kind != YAML_STOP; count++) {
		if (count == SCHEMA_YAML_ITEMS_MAX) {
			yaml_events_fault(events, events->where, "more than %d items in one file",
					  SCHEMA_YAML_ITEMS_MAX);
			return;
		}
		read_item(reader, yaml, items, (struct str){NULL, 0});
	}
	yaml_events_next(events);
}

static void read_pack_file(struct pack_reader *reader, struct schema_yaml *yaml)
{
	struct pack *pack = schema_yaml_item(yaml, &schema_pack);

	reader->has_pack_file = true;
	if (pack)
		*reader->pack = *pack;
	free(pack);
}

/* What is shown as the name of the file. */
static const char *shown_path(const struct pack_reader *reader, const char *path)
{
	struct str folder = str_of(reader->folder);
	struct buf shown = {0};
	const char *copy;

	buf_add(&shown, folder);
	if (folder.size && !str_ends(folder, STR("/")))
		buf_add_byte(&shown, '/');
	buf_add(&shown, str_of(path));
	copy = arena_c_string(reader->arena, buf_str(&shown));
	buf_release(&shown);
	return copy;
}

void pack_reader_file(struct pack_reader *reader, const char *path, struct str bytes)
{
	const char *file = shown_path(reader, path);
	const struct file_kind *kind = file_kind_of(str_of(path));
	struct schema_yaml yaml = {.arena = reader->arena};
	struct str folder = str_slice(str_of(path), 0, str_find_byte(str_of(path), '/'));

	if (!pack_reader_wants(path))
		return;
	if (!kind) {
		diag_add(reader->diags, DIAG_WARNING, (struct location){file, 0, 0},
			 "not a file of a pack, is not read: entries belong into SECTION/NAME.yaml, "
			 "codes into codes/NAME.yaml");
		return;
	}
	yaml_events_open(&yaml.events, file, bytes, reader->diags);
	if (yaml.events.kind == YAML_STOP && kind->kind != FILE_ITEMS && !yaml.events.faults)
		yaml_events_fault(&yaml.events, (struct location){file, 0, 0}, "is empty");
	else if (kind->kind == FILE_PACK)
		read_pack_file(reader, &yaml);
	else if (kind->kind == FILE_ITEMS)
		read_items(reader, &yaml, kind->items);
	else if (yaml.events.kind != YAML_STOP)
		read_item(reader, &yaml, PACK_ENTRIES, arena_copy(reader->arena, folder));
	/* What follows the root, a syntax fault or a second document, is reported here. */
	if (yaml.events.kind != YAML_STOP)
		yaml_events_next(&yaml.events);
	yaml_events_close(&yaml.events);
}

struct pack *pack_reader_finish(struct pack_reader *reader)
{
	struct pack *pack = reader->pack;
	struct str bytes[PACK_ITEM_KINDS];

	if (!reader->has_pack_file)
		diag_add(reader->diags, DIAG_ERROR, (struct location){shown_path(reader, "pack.yaml"), 0, 0},
			 "is missing: a pack needs it with name, title and version");
	for (int i = 0; i < PACK_ITEM_KINDS; i++)
		bytes[i] = buf_str(&reader->items[i]);
	pack_index(pack, bytes, reader->arena, reader->diags);
	pack_reader_drop(reader);
	return pack;
}

void pack_reader_drop(struct pack_reader *reader)
{
	for (int i = 0; i < PACK_ITEM_KINDS; i++)
		buf_release(&reader->items[i]);
	free(reader);
}

#include "core/kb.h"

#include "base/vec.h"
#include "core/pack_index.h"

#include <string.h>

/* A name and what it names, of one pack or of all. */
struct name {
	struct str name;
	const void *item;
	size_t slot; /* of the item, see `struct overlay` */
	bool alias;
};

struct name_list {
	struct name *names; /* sorted by name, without regard to ASCII case */
	size_t count;
};

struct kb_index {
	const struct entry **entries; /* by id, in natural order */
	size_t *entry_places;         /* of each of them in kb->entries */
	struct name_list codes;
	struct name_list placeholders;
	struct name_list probes;
};

/*
 * The items of one kind of all packs while they are overlaid. Each has a slot, in order of packs and then of
 * the pack's list. In the end the first slot of an id holds the item that wins, and its other slots are
 * empty.
 */
struct overlay {
	const void **slots;
	size_t slot_count;
	struct name_list names;
	bool (*is_same)(const void *a, const void *b); /* of two items with equal names */
	int (*compare)(struct str a, struct str b);
};

typedef struct str item_name(const void *item);

static bool same_name(const void *a, const void *b)
{
	/* Ids are exact; only their order ignores case. The id is the first member of all of these. */
	return str_equal(*(const struct str *)a, *(const struct str *)b);
}

_Static_assert(offsetof(struct entry, id) == 0 && offsetof(struct probe, id) == 0 &&
		       offsetof(struct frame, id) == 0 && offsetof(struct redaction, id) == 0 &&
		       offsetof(struct report_template, id) == 0 && offsetof(struct code_family, id) == 0 &&
		       offsetof(struct compat_matrix, id) == 0 && offsetof(struct section, id) == 0 &&
		       offsetof(struct placeholder, name) == 0,
	       "same_name reads the first member");

static bool same_code(const void *a, const void *b)
{
	const struct code *left = a, *right = b;

	return str_equal_ascii_case(left->code, right->code) && str_equal(left->namespace, right->namespace);
}

static struct name_list merge(struct arena *arena, const struct overlay *overlay, struct name_list a,
			      struct name_list b)
{
	struct name_list merged = {NULL, a.count + b.count};
	size_t i = 0, j = 0;

	if (!a.count)
		return b;
	merged.names = arena_take_array(arena, merged.count, sizeof(*merged.names));
	while (i < a.count || j < b.count) {
		bool left = j == b.count ||
			    (i < a.count && overlay->compare(a.names[i].name, b.names[j].name) <= 0);

		merged.names[i + j] = left ? a.names[i] : b.names[j];
		if (left)
			i++;
		else
			j++;
	}
	return merged;
}

/* Names of one pack's list; those of a pack_name table, or without one the ids themselves. */
static struct name_list list_names(struct arena *arena, const void *items, size_t size, size_t count,
				   const struct pack_name *table, size_t table_count, size_t first_slot)
{
	struct name_list list = {NULL, table ? table_count : count};

	list.names = arena_take_array(arena, list.count, sizeof(*list.names));
	for (size_t i = 0; i < list.count; i++) {
		size_t at = table ? (size_t)table[i].item : i;
		const void *item = (const char *)items + at * size;

		list.names[i] = (struct name){table ? table[i].name : *(const struct str *)item, item,
					      first_slot + at, table && table[i].alias};
	}
	return list;
}

/* Among equal names the last proper one wins, and its place is that of the first. */
static void settle_group(struct overlay *overlay, const struct name *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const void *winner = names[i].item;

		if (names[i].alias || overlay->slots[names[i].slot] != names[i].item)
			continue;
		for (size_t j = i + 1; j < count; j++) {
			if (names[j].alias || !overlay->is_same(names[i].item, names[j].item))
				continue;
			winner = names[j].item;
			overlay->slots[names[j].slot] = NULL;
		}
		overlay->slots[names[i].slot] = winner;
	}
}

static size_t group_end(const struct overlay *overlay, size_t from)
{
	const struct name_list *list = &overlay->names;
	size_t end = from + 1;

	while (end < list->count && overlay->compare(list->names[from].name, list->names[end].name) == 0)
		end++;
	return end;
}

static bool is_winner(const struct overlay *overlay, const struct name *names, size_t count, size_t at)
{
	/* Its own slot may hold another now, and its item may stand in the slot of an earlier pack. */
	for (size_t i = 0; i < count; i++)
		if (!names[i].alias && overlay->slots[names[i].slot] == names[at].item)
			return true;
	return false;
}

/* Settle which items win, and drop the names of those that do not. */
static void settle(struct arena *arena, struct overlay *overlay)
{
	struct name_list *list = &overlay->names;
	bool *lost = arena_take_array(arena, overlay->slot_count, sizeof(*lost));
	size_t kept = 0;

	for (size_t from = 0, end; from < list->count; from = end) {
		end = group_end(overlay, from);
		if (end - from == 1)
			continue;
		settle_group(overlay, list->names + from, end - from);
		for (size_t i = from; i < end; i++)
			if (!list->names[i].alias &&
			    !is_winner(overlay, list->names + from, end - from, i - from))
				lost[list->names[i].slot] = true;
	}
	for (size_t i = 0; i < list->count; i++)
		if (!lost[list->names[i].slot])
			list->names[kept++] = list->names[i];
	list->count = kept;
}

struct kind {
	size_t size;
	size_t items, count;      /* offsets in struct pack */
	size_t names, name_count; /* offsets in struct pack of its pack_name table, or 0 */
	bool (*is_same)(const void *a, const void *b);
	int (*compare)(struct str a, struct str b);
};

/* Items of a pack's list that have no table of names. */
#define LIST_KIND(tag, items, count, compare) \
	{ \
		sizeof(struct tag), offsetof(struct pack, items), offsetof(struct pack, count), 0, 0, \
			same_name, compare \
	}
static const struct kind section_kind = LIST_KIND(section, sections, section_count, NULL);
static const struct kind entry_kind = LIST_KIND(entry, entries, entry_count, natural_compare);
static const struct kind frame_kind = LIST_KIND(frame, frames, frame_count, NULL);
static const struct kind report_kind = LIST_KIND(report_template, reports, report_count, NULL);
static const struct kind redaction_kind = LIST_KIND(redaction, redactions, redaction_count, NULL);
static const struct kind family_kind = LIST_KIND(code_family, families, family_count, NULL);
static const struct kind matrix_kind = LIST_KIND(compat_matrix, matrices, matrix_count, NULL);
static const struct kind code_kind = {sizeof(struct code),
				      offsetof(struct pack, codes),
				      offsetof(struct pack, code_count),
				      offsetof(struct pack, code_names),
				      offsetof(struct pack, code_name_count),
				      same_code,
				      name_compare};
static const struct kind placeholder_kind = {sizeof(struct placeholder),
					     offsetof(struct pack, placeholders),
					     offsetof(struct pack, placeholder_count),
					     offsetof(struct pack, placeholder_names),
					     offsetof(struct pack, placeholder_name_count),
					     same_name,
					     name_compare};
static const struct kind probe_kind = {sizeof(struct probe),
				       offsetof(struct pack, probes),
				       offsetof(struct pack, probe_count),
				       offsetof(struct pack, probe_names),
				       offsetof(struct pack, probe_name_count),
				       same_name,
				       name_compare};

static const void *pack_list(const struct pack *pack, size_t offset)
{
	const void *list;

	memcpy(&list, (const char *)pack + offset, sizeof(list));
	return list;
}

static size_t pack_count(const struct pack *pack, size_t offset)
{
	size_t count;

	memcpy(&count, (const char *)pack + offset, sizeof(count));
	return count;
}

static void fill_slots(struct kb *kb, const struct kind *kind, struct overlay *overlay)
{
	for (size_t i = 0; i < kb->pack_count; i++)
		overlay->slot_count += pack_count(kb->packs[i], kind->count);
	overlay->slots = arena_take_array(kb->arena, overlay->slot_count, sizeof(*overlay->slots));
	overlay->slot_count = 0;
	for (size_t i = 0; i < kb->pack_count; i++) {
		const char *items = pack_list(kb->packs[i], kind->items);

		for (size_t j = 0; j < pack_count(kb->packs[i], kind->count); j++)
			overlay->slots[overlay->slot_count++] = items + j * kind->size;
	}
}

/* Few items that are looked up by walking through them: sections and frames. */
static void settle_short(struct overlay *overlay)
{
	for (size_t i = 0; i < overlay->slot_count; i++) {
		for (size_t j = i + 1; overlay->slots[i] && j < overlay->slot_count; j++) {
			if (!overlay->slots[j] || !overlay->is_same(overlay->slots[i], overlay->slots[j]))
				continue;
			overlay->slots[i] = overlay->slots[j];
			overlay->slots[j] = NULL;
		}
	}
}

static void settle_named(struct kb *kb, const struct kind *kind, struct overlay *overlay)
{
	size_t first_slot = 0;

	for (size_t i = 0; i < kb->pack_count; i++) {
		const struct pack *pack = kb->packs[i];
		size_t count = pack_count(pack, kind->count);
		const struct pack_name *table = kind->names ? pack_list(pack, kind->names) : NULL;
		size_t table_count = kind->names ? pack_count(pack, kind->name_count) : 0;

		if (count)
			overlay->names = merge(kb->arena, overlay, overlay->names,
					       list_names(kb->arena, pack_list(pack, kind->items), kind->size,
							  count, table, table_count, first_slot));
		first_slot += count;
	}
	/* One pack has no two of the same id: nothing to settle. */
	if (kb->pack_count > 1)
		settle(kb->arena, overlay);
}

/* What wins, in order of display; its names go to *names when that is not null. */
static const void *const *overlay_kind(struct kb *kb, const struct kind *kind, size_t *count,
				       struct name_list *names)
{
	struct overlay overlay = {.is_same = kind->is_same, .compare = kind->compare};

	*count = 0;
	fill_slots(kb, kind, &overlay);
	if (names) {
		settle_named(kb, kind, &overlay);
		*names = overlay.names;
	} else if (kb->pack_count > 1) {
		settle_short(&overlay);
	}
	for (size_t i = 0; i < overlay.slot_count; i++)
		if (overlay.slots[i])
			overlay.slots[(*count)++] = overlay.slots[i];
	return overlay.slots;
}

static size_t section_place(const struct kb *kb, struct str id)
{
	size_t i = 0;

	while (i < kb->section_count && !str_equal(kb->sections[i]->id, id))
		i++;
	return i;
}

/* A section that no pack declares: named after its folder. */
static void add_section(struct kb *kb, struct str id)
{
	const struct section **sections =
		arena_take_array(kb->arena, kb->section_count + 1, sizeof(*sections));
	struct section *section = arena_take(kb->arena, sizeof(*section));

	*section = (struct section){.id = id, .number = {"", 0}, .title = {{id, id}}};
	if (kb->section_count)
		memcpy(sections, kb->sections, kb->section_count * sizeof(*sections));
	sections[kb->section_count++] = section;
	kb->sections = sections;
}

/* kb->entries: index->entries by section, each section in natural order of the ids. */
static void order_entries(struct kb *kb, const struct name_list *names)
{
	struct kb_index *index = kb->index;
	size_t count = names->count, last = 0, place = 0;
	size_t *section_of = alloc_zeroed(count + 1, sizeof(*section_of));
	const struct entry **ordered = arena_take_array(kb->arena, count, sizeof(*ordered));
	size_t *next;

	index->entries = arena_take_array(kb->arena, count, sizeof(*index->entries));
	index->entry_places = arena_take_array(kb->arena, count, sizeof(*index->entry_places));
	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = names->names[i].item;

		/* Neighbours mostly share their section. */
		if (last >= kb->section_count || !str_equal(kb->sections[last]->id, entry->section))
			last = section_place(kb, entry->section);
		if (last == kb->section_count)
			add_section(kb, entry->section);
		index->entries[i] = entry;
		section_of[i] = last;
	}
	next = alloc_zeroed(kb->section_count + 1, sizeof(*next));
	for (size_t i = 0; i < count; i++)
		next[section_of[i] + 1]++;
	for (size_t i = 0; i < kb->section_count; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < count; i++) {
		place = next[section_of[i]]++;
		ordered[place] = index->entries[i];
		index->entry_places[i] = place;
	}
	kb->entries = ordered;
	kb->entry_count = count;
	free(section_of);
	free(next);
}

static int compare_code_places(const void *left, const void *right)
{
	const struct code *const *a = left, *const *b = right;
	int order = name_compare((*a)->code, (*b)->code);

	return order ? order : str_compare((*a)->namespace, (*b)->namespace);
}

struct kb *kb_new(const struct pack *const *packs, size_t count)
{
	struct kb *kb = alloc_zeroed(1, sizeof(*kb));
	const struct pack **copy;
	struct name_list entries;
	size_t entry_count;

	kb->arena = alloc_zeroed(1, sizeof(*kb->arena));
	copy = arena_take_array(kb->arena, count, sizeof(*copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = packs[i];
	kb->packs = copy;
	kb->pack_count = count;
	kb->index = arena_take(kb->arena, sizeof(*kb->index));
	kb->sections = (const void *)overlay_kind(kb, &section_kind, &kb->section_count, NULL);
	kb->frames = (const void *)overlay_kind(kb, &frame_kind, &kb->frame_count, NULL);
	kb->redactions = (const void *)overlay_kind(kb, &redaction_kind, &kb->redaction_count, NULL);
	kb->reports = (const void *)overlay_kind(kb, &report_kind, &kb->report_count, NULL);
	kb->families = (const void *)overlay_kind(kb, &family_kind, &kb->family_count, NULL);
	kb->matrices = (const void *)overlay_kind(kb, &matrix_kind, &kb->matrix_count, NULL);
	kb->codes = (const void *)overlay_kind(kb, &code_kind, &kb->code_count, &kb->index->codes);
	kb->placeholders = (const void *)overlay_kind(kb, &placeholder_kind, &kb->placeholder_count,
						      &kb->index->placeholders);
	kb->probes = (const void *)overlay_kind(kb, &probe_kind, &kb->probe_count, &kb->index->probes);
	overlay_kind(kb, &entry_kind, &entry_count, &entries);
	order_entries(kb, &entries);
	if (count > 1 && kb->code_count)
		qsort((void *)(uintptr_t)kb->codes, kb->code_count, sizeof(*kb->codes), compare_code_places);
	return kb;
}

void kb_free(struct kb *kb)
{
	if (!kb)
		return;
	arena_release(kb->arena);
	free(kb->arena);
	free(kb);
}

/* The first name that is not before `name`. */
static size_t lower_bound(const struct name_list *list, struct str name)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (name_compare(list->names[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const void *find_exact(const struct name_list *list, struct str name)
{
	const void *found = NULL;

	/* A proper name before an alias, else the one of the last pack. */
	for (size_t i = lower_bound(list, name); i < list->count; i++) {
		const struct name *candidate = &list->names[i];

		if (name_compare(candidate->name, name) != 0)
			break;
		if (!str_equal(candidate->name, name))
			continue;
		found = candidate->item;
		if (!candidate->alias)
			break;
	}
	return found;
}

static size_t entry_id_place(const struct kb *kb, struct str id)
{
	const struct kb_index *index = kb->index;
	size_t low = 0, high = kb->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = natural_compare(index->entries[middle]->id, id);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return KB_NONE;
}

const struct entry *kb_entry(const struct kb *kb, struct str id)
{
	size_t place = entry_id_place(kb, id);

	return place == KB_NONE ? NULL : kb->index->entries[place];
}

size_t kb_entry_index(const struct kb *kb, const struct entry *entry)
{
	size_t place = entry_id_place(kb, entry->id);

	return place == KB_NONE || kb->index->entries[place] != entry ? KB_NONE
								      : kb->index->entry_places[place];
}

const struct section *kb_section(const struct kb *kb, struct str id)
{
	size_t place = section_place(kb, id);

	return place == kb->section_count ? NULL : kb->sections[place];
}

const struct placeholder *kb_placeholder(const struct kb *kb, struct str name_or_alias)
{
	return find_exact(&kb->index->placeholders, name_or_alias);
}

const struct probe *kb_probe(const struct kb *kb, struct str id)
{
	return find_exact(&kb->index->probes, id);
}

const struct pack *kb_probe_pack(const struct kb *kb, const struct probe *probe)
{
	for (size_t i = 0; i < kb->pack_count; i++) {
		const struct pack *pack = kb->packs[i];

		if (probe >= pack->probes && probe < pack->probes + pack->probe_count)
			return pack;
	}
	return NULL;
}

/* Is `a` to be shown before `b`? */
static bool is_better(const struct name *a, const struct name *b)
{
	const struct code *left = a->item, *right = b->item;

	if (a->alias != b->alias)
		return !a->alias;
	return left->tier < right->tier;
}

static size_t find_codes(const struct kb *kb, struct str code, const struct code **found, size_t room)
{
	const struct name_list *list = &kb->index->codes;
	size_t from = lower_bound(list, code), end = from, given = 0;
	const struct name *last = NULL;

	while (end < list->count && name_compare(list->names[end].name, code) == 0)
		end++;
	/* Selection, stable: there are few, and none of them is moved. */
	while (given < room && given < end - from) {
		const struct name *best = NULL;

		for (size_t i = from; i < end; i++) {
			const struct name *name = &list->names[i];
			bool after_last =
				!last || is_better(last, name) || (!is_better(name, last) && name > last);

			if (after_last && (!best || is_better(name, best)))
				best = name;
		}
		if (!best)
			break;
		last = best;
		found[given++] = best->item;
	}
	return end - from;
}

/* What stands around a code in a message: "[EI0020]:", "(98)". */
static struct str undecorated(struct str code)
{
	static const struct str marks = STR_INIT(" \t\r\n[](){}<>:;,.\"'`=#");

	while (code.size && str_find_byte(marks, code.data[0]) != STR_NOT_FOUND)
		code = str_slice(code, 1, code.size);
	while (code.size && str_find_byte(marks, code.data[code.size - 1]) != STR_NOT_FOUND)
		code.size--;
	return code;
}

size_t kb_codes(const struct kb *kb, struct str code, const struct code **found, size_t room)
{
	struct str bare = undecorated(code);
	size_t count = find_codes(kb, str_trim(code), found, room);

	if (!count)
		count = find_codes(kb, bare, found, room);

	if (!count && str_starts(bare, STR("-")))
		count = find_codes(kb, str_slice(bare, 1, bare.size), found, room);
	return count;
}

const struct code *kb_code(const struct kb *kb, struct str code)
{
	const struct code *found;

	return kb_codes(kb, code, &found, 1) ? found : NULL;
}

const struct code *kb_code_in(const struct kb *kb, struct str namespace, struct str code)
{
	const struct code *found[64];
	size_t count = kb_codes(kb, code, found, 64);

	for (size_t i = 0; i < count && i < 64; i++)
		if (str_equal_ascii_case(found[i]->namespace, namespace))
			return found[i];
	return NULL;
}

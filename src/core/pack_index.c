#include "core/pack_index.h"

#include <string.h>

/* So many namespaces may have the same code; bounds the search for duplicates. */
enum { SAME_NAME_MAX = 64 };

/* The schema of each kind, its main name and its aliases. */
struct item_kind {
	const struct schema *schema;
	size_t name_offset;
	size_t aliases_offset; /* or SCHEMA_NONE */
};

#define NAMED(tag, name)             offsetof(struct tag, name), SCHEMA_NONE
#define NAMED_AND_ALIASED(tag, name) offsetof(struct tag, name), offsetof(struct tag, aliases)

static const struct item_kind item_kinds[PACK_ITEM_KINDS] = {
	[PACK_ENTRIES] = {&schema_entry, NAMED(entry, id)},
	[PACK_CODES] = {&schema_code, NAMED_AND_ALIASED(code, code)},
	[PACK_PLACEHOLDERS] = {&schema_placeholder, NAMED_AND_ALIASED(placeholder, name)},
	[PACK_PROBES] = {&schema_probe, NAMED(probe, id)},
	[PACK_FRAMES] = {&schema_frame, NAMED(frame, id)},
	[PACK_REDACTIONS] = {&schema_redaction, NAMED(redaction, id)},
	[PACK_REPORTS] = {&schema_report, NAMED(report_template, id)},
	[PACK_FAMILIES] = {&schema_family, NAMED(code_family, id)},
	[PACK_MATRICES] = {&schema_matrix, NAMED(compat_matrix, id)},
};

const struct schema *pack_item_schema(enum pack_items kind)
{
	return item_kinds[kind].schema;
}

static bool is_digit(struct str text, size_t at)
{
	return at < text.size && text.data[at] >= '0' && text.data[at] <= '9';
}

/* Compare the numbers that start at *i and *j by value, and go past them. */
static int compare_numbers(struct str a, size_t *i, struct str b, size_t *j)
{
	size_t from_a, from_b, length_a, length_b;

	while (is_digit(a, *i) && a.data[*i] == '0')
		++*i;
	while (is_digit(b, *j) && b.data[*j] == '0')
		++*j;
	from_a = *i;
	from_b = *j;
	while (is_digit(a, *i))
		++*i;
	while (is_digit(b, *j))
		++*j;
	length_a = *i - from_a;
	length_b = *j - from_b;
	if (length_a != length_b)
		return length_a < length_b ? -1 : 1;
	return length_a ? memcmp(a.data + from_a, b.data + from_b, length_a) : 0;
}

int natural_compare(struct str a, struct str b)
{
	size_t i = 0, j = 0;

	while (i < a.size && j < b.size) {
		int order;

		if (is_digit(a, i) && is_digit(b, j)) {
			order = compare_numbers(a, &i, b, &j);
		} else {
			order = (int)(unsigned char)a.data[i] - (int)(unsigned char)b.data[j];
			i++;
			j++;
		}
		if (order != 0)
			return order;
	}
	if (i < a.size || j < b.size)
		return i < a.size ? 1 : -1;
	return str_compare(a, b); /* "1.02" is not "1.2" */
}

static int folded(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : (unsigned char)byte;
}

int name_compare(struct str a, struct str b)
{
	size_t shorter = a.size < b.size ? a.size : b.size;

	for (size_t i = 0; i < shorter; i++) {
		int order = folded(a.data[i]) - folded(b.data[i]);

		if (order != 0)
			return order;
	}
	return a.size < b.size ? -1 : a.size > b.size;
}

static struct str name_of(enum pack_items kind, const void *item)
{
	struct str name;

	memcpy(&name, (const char *)item + item_kinds[kind].name_offset, sizeof(name));
	return name;
}

static const struct location *where_of(enum pack_items kind, const void *item)
{
	return (const void *)((const char *)item + item_kinds[kind].schema->where_offset);
}

static int compare_where(const struct location *a, const struct location *b)
{
	int order = strcmp(a->file ? a->file : "", b->file ? b->file : "");

	if (order != 0)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->column < b->column ? -1 : a->column > b->column;
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *const *a = left, *const *b = right;
	int order = natural_compare((*a)->id, (*b)->id);

	return order ? order : compare_where(&(*a)->where, &(*b)->where);
}

static int compare_codes(const void *left, const void *right)
{
	const struct code *const *a = left, *const *b = right;
	int order = name_compare((*a)->code, (*b)->code);

	if (order == 0 && (*a)->tier != (*b)->tier)
		order = (*a)->tier < (*b)->tier ? -1 : 1;
	if (order == 0)
		order = str_compare((*a)->namespace, (*b)->namespace);
	return order ? order : compare_where(&(*a)->where, &(*b)->where);
}

/* Files may come in any order: what is not sorted by name is sorted by place. */
static int compare_places(enum pack_items kind, const void *left, const void *right)
{
	const void *const *a = left, *const *b = right;

	return compare_where(where_of(kind, *a), where_of(kind, *b));
}

static int compare_placeholders(const void *left, const void *right)
{
	return compare_places(PACK_PLACEHOLDERS, left, right);
}

static int compare_probes(const void *left, const void *right)
{
	return compare_places(PACK_PROBES, left, right);
}

static int compare_frames(const void *left, const void *right)
{
	return compare_places(PACK_FRAMES, left, right);
}

static int compare_reports(const void *left, const void *right)
{
	return compare_places(PACK_REPORTS, left, right);
}

static int compare_redactions(const void *left, const void *right)
{
	return compare_places(PACK_REDACTIONS, left, right);
}

typedef int compare_function(const void *, const void *);

static int compare_families(const void *left, const void *right)
{
	return compare_places(PACK_FAMILIES, left, right);
}

static int compare_matrices(const void *left, const void *right)
{
	return compare_places(PACK_MATRICES, left, right);
}

static compare_function *const orders[PACK_ITEM_KINDS] = {
	compare_entries,    compare_codes,   compare_placeholders, compare_probes,  compare_frames,
	compare_redactions, compare_reports, compare_families,     compare_matrices};

/* Pointers into `bytes`, sorted; the caller frees them. */
static const void **sorted(enum pack_items kind, struct str bytes, size_t count)
{
	const void **items = alloc_zeroed(count + 1, sizeof(*items));
	size_t size = item_kinds[kind].schema->size;
	bool in_order = true;

	for (size_t i = 0; i < count; i++) {
		items[i] = bytes.data + i * size;
		in_order = in_order && (i == 0 || orders[kind](&items[i - 1], &items[i]) <= 0);
	}
	if (!in_order)
		qsort(items, count, sizeof(*items), orders[kind]);
	return items;
}

static void *copy_in_order(enum pack_items kind, const void **items, size_t count, struct arena *arena)
{
	size_t size = item_kinds[kind].schema->size;
	char *copy = arena_take_array(arena, count, size);

	for (size_t i = 0; i < count; i++)
		memcpy(copy + i * size, items[i], size);
	return copy;
}

static int compare_names(const void *left, const void *right)
{
	const struct pack_name *a = left, *b = right;
	int order = name_compare(a->name, b->name);

	if (order == 0)
		order = str_compare(a->name, b->name);
	if (order == 0 && a->alias != b->alias)
		order = a->alias ? 1 : -1;
	return order ? order : a->item < b->item ? -1 : a->item > b->item;
}

struct names {
	VEC(struct pack_name) list;
};

static void collect_names(enum pack_items kind, const char *items, size_t count, struct names *names)
{
	const struct item_kind *of = &item_kinds[kind];

	for (size_t i = 0; i < count; i++) {
		const char *item = items + i * of->schema->size;
		struct str_list aliases = {NULL, 0};

		if (of->aliases_offset != SCHEMA_NONE)
			memcpy(&aliases, item + of->aliases_offset, sizeof(aliases));
		vec_push(&names->list, (struct pack_name){name_of(kind, item), (int64_t)i, false});
		for (size_t j = 0; j < aliases.count; j++)
			vec_push(&names->list, (struct pack_name){aliases.items[j], (int64_t)i, true});
	}
	if (names->list.count)
		qsort(names->list.items, names->list.count, sizeof(*names->list.items), compare_names);
}

static void store_names(struct names *names, const struct pack_name **list, size_t *count,
			struct arena *arena)
{
	struct pack_name *copy = arena_take_array(arena, names->list.count, sizeof(*copy));

	if (names->list.count)
		memcpy(copy, names->list.items, names->list.count * sizeof(*copy));
	*list = names->list.count ? copy : NULL;
	*count = names->list.count;
	vec_release(&names->list);
}

/* Are these two the same thing? The same code may exist in several namespaces. */
static bool is_same(enum pack_items kind, const void *a, const void *b)
{
	if (kind == PACK_CODES)
		return name_compare(name_of(kind, a), name_of(kind, b)) == 0 &&
		       str_equal(((const struct code *)a)->namespace, ((const struct code *)b)->namespace);
	return str_equal(name_of(kind, a), name_of(kind, b));
}

static void report_duplicate(enum pack_items kind, const void *first, const void *again,
			     struct diag_list *diags)
{
	const struct location *where = where_of(kind, first);
	struct str name = name_of(kind, again);

	diag_add(diags, DIAG_ERROR, *where_of(kind, again),
		 "%s `%.*s` is already at %s:%u; give it another id", item_kinds[kind].schema->name,
		 STR_ARG(name), where->file, (unsigned)where->line);
}

/* Entries are sorted by id: equal ones are neighbours. */
static void check_entries(const struct entry *entries, size_t count, struct diag_list *diags)
{
	for (size_t i = 1; i < count; i++)
		if (entries[i].id.size && is_same(PACK_ENTRIES, &entries[i - 1], &entries[i]))
			report_duplicate(PACK_ENTRIES, &entries[i - 1], &entries[i], diags);
}

static void check_duplicates(enum pack_items kind, const void *list, size_t count, struct diag_list *diags)
{
	struct names names = {0};
	const char *items = list;
	size_t size = item_kinds[kind].schema->size;

	if (kind == PACK_ENTRIES) {
		check_entries(list, count, diags);
		return;
	}
	collect_names(kind, items, count, &names);
	for (size_t i = 1; i < names.list.count; i++) {
		const struct pack_name *name = &names.list.items[i];

		if (!name->name.size || name->alias)
			continue;
		for (size_t j = i; j-- > 0 && i - j <= SAME_NAME_MAX &&
				   name_compare(names.list.items[j].name, name->name) == 0;) {
			/* Items are in order of place where their names are equal. */
			int64_t one = names.list.items[j].item, two = name->item;
			const char *other = items + (size_t)(one < two ? one : two) * size;
			const char *again = items + (size_t)(one < two ? two : one) * size;

			if (!names.list.items[j].alias && is_same(kind, other, again)) {
				report_duplicate(kind, other, again, diags);
				break;
			}
		}
	}
	vec_release(&names.list);
}

static const void *index_kind(enum pack_items kind, struct str bytes, size_t *count, struct arena *arena,
			      struct diag_list *diags)
{
	const void **items;
	void *list;

	*count = bytes.size / item_kinds[kind].schema->size;
	items = sorted(kind, bytes, *count);
	list = copy_in_order(kind, items, *count, arena);
	free(items);
	check_duplicates(kind, list, *count, diags);
	return list;
}

/*
 * Look-up by id is to find each entry: of equal ids, which are neighbours and told of, the first stays. Those
 * without an id are equal, too.
 */
static size_t drop_duplicates(struct entry *entries, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!kept || !is_same(PACK_ENTRIES, &entries[kept - 1], &entries[i]))
			entries[kept++] = entries[i];
	return kept;
}

void pack_index(struct pack *pack, const struct str items[PACK_ITEM_KINDS], struct arena *arena,
		struct diag_list *diags)
{
	struct names names = {0};
	struct entry *entries = (struct entry *)(uintptr_t)index_kind(PACK_ENTRIES, items[PACK_ENTRIES],
								      &pack->entry_count, arena, diags);

	pack->entry_count = drop_duplicates(entries, pack->entry_count);
	for (size_t i = 0; i < pack->entry_count; i++)
		entries[i].pack = pack->name;
	pack->entries = entries;
	pack->codes = index_kind(PACK_CODES, items[PACK_CODES], &pack->code_count, arena, diags);
	pack->placeholders = index_kind(PACK_PLACEHOLDERS, items[PACK_PLACEHOLDERS], &pack->placeholder_count,
					arena, diags);
	pack->probes = index_kind(PACK_PROBES, items[PACK_PROBES], &pack->probe_count, arena, diags);
	pack->frames = index_kind(PACK_FRAMES, items[PACK_FRAMES], &pack->frame_count, arena, diags);
	pack->reports = index_kind(PACK_REPORTS, items[PACK_REPORTS], &pack->report_count, arena, diags);
	pack->redactions =
		index_kind(PACK_REDACTIONS, items[PACK_REDACTIONS], &pack->redaction_count, arena, diags);
	pack->families = index_kind(PACK_FAMILIES, items[PACK_FAMILIES], &pack->family_count, arena, diags);
	pack->matrices = index_kind(PACK_MATRICES, items[PACK_MATRICES], &pack->matrix_count, arena, diags);

	collect_names(PACK_CODES, (const char *)pack->codes, pack->code_count, &names);
	store_names(&names, &pack->code_names, &pack->code_name_count, arena);
	collect_names(PACK_PLACEHOLDERS, (const char *)pack->placeholders, pack->placeholder_count, &names);
	store_names(&names, &pack->placeholder_names, &pack->placeholder_name_count, arena);
	collect_names(PACK_PROBES, (const char *)pack->probes, pack->probe_count, &names);
	store_names(&names, &pack->probe_names, &pack->probe_name_count, arena);
}

/*
 * pack_index: the lists of a pack in the order that look-ups need; duplicates reported. Used by kb_yaml.
 */
#ifndef CORE_PACK_INDEX_H
#define CORE_PACK_INDEX_H

#include "core/schema.h"

enum pack_items {
	PACK_ENTRIES,
	PACK_CODES,
	PACK_PLACEHOLDERS,
	PACK_PROBES,
	PACK_FRAMES,
	PACK_REDACTIONS,
	PACK_REPORTS,
	PACK_FAMILIES,
	PACK_MATRICES,
	PACK_ITEM_KINDS
};

const struct schema *pack_item_schema(enum pack_items kind);

/*
 * Put the structs of each kind (raw bytes, one after the other) into the pack: copied to the arena, sorted,
 * with their names. Two of the same id in one pack are an error.
 */
void pack_index(struct pack *pack, const struct str items[PACK_ITEM_KINDS], struct arena *arena,
		struct diag_list *diags);

/* "1.2" before "1.10": runs of digits by value, the rest by bytes. A total order: equal only when the same.
 */
int natural_compare(struct str a, struct str b);

/* Without regard to the case of A-Z. */
int name_compare(struct str a, struct str b);

#endif

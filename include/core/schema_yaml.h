/*
 * schema_yaml: one YAML node -> one struct, as its schema says. Used by kb_yaml.
 */
#ifndef CORE_SCHEMA_YAML_H
#define CORE_SCHEMA_YAML_H

#include "core/schema.h"
#include "core/yaml_events.h"

enum {
	SCHEMA_YAML_ITEMS_MAX = 1000 * 1000, /* in one file that is a list */
	SCHEMA_YAML_LIST_MAX = 10 * 1000     /* in one list inside an item */
};

struct schema_yaml {
	struct arena *arena; /* gets all texts and lists */
	struct yaml_events events;
};

/*
 * Read the node that the current event starts, and go past it. Faults are reported; what is faulty is left
 * out. Null when the node is no such thing at all; else the caller frees the struct (not what it points to).
 */
void *schema_yaml_item(struct schema_yaml *yaml, const struct schema *schema);

#endif

/* How a probe looks in probes.yaml. */
#include "core/schema.h"

static const struct field probe_fields[] = {
	ROW_STR(probe, id, "id", "its name", .required = true),
	ROW_TEXT(probe, title, "title", "a few words", .required = true),
	ROW_STR(probe, entry, "entry", "what to read when it fails"),
};
const struct schema schema_probe =
	SCHEMA(probe, "probe", probe_fields, SCHEMA_WHERE(probe), SCHEMA_NO_MAP_KEY);

/* The table of families.yaml. */
#include "core/schema.h"

static const struct field value_fields[] = {
	ROW_STR(code_value, value, "value", "as it stands in the code", .required = true),
	ROW_TEXT(code_value, means, "means", "what it says", .required = true),
};
static const struct schema schema_value =
	SCHEMA(code_value, "value", value_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field part_fields[] = {
	ROW_STR(code_part, group, "group", "named group of `match`", .required = true),
	ROW_TEXT(code_part, title, "title", "what this part of the code is", .required = true),
	ROW_BOOL(code_part, bits, "bits", "a hexadecimal number whose bits are the values"),
	ROW_LIST(code_part, values, value_count, code_value, schema_value, "values", "what it may be"),
};
static const struct schema schema_part =
	SCHEMA(code_part, "part", part_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field family_fields[] = {
	ROW_STR(code_family, id, "id", "its name", .required = true),
	ROW_STR(code_family, match, "match", "PCRE2, of the whole code", .required = true),
	ROW_TEXT(code_family, means, "means", "what all codes of it say", .required = true),
	ROW_LIST(code_family, parts, part_count, code_part, schema_part, "parts", "what it is made of"),
	ROW_STR_LIST(code_family, samples, "samples", "codes of it", .required = true),
	ROW_STR(code_family, source, "source", "where the facts come from", .required = true),
};
const struct schema schema_family =
	SCHEMA(code_family, "family", family_fields, SCHEMA_WHERE(code_family), SCHEMA_NO_MAP_KEY);

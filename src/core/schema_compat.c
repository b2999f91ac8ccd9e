/* The tables of compat.yaml. */
#include "core/schema.h"

static const struct field column_fields[] = {
	ROW_STR(compat_column, name, "name", "for readers: torch_npu", .required = true),
	ROW_STR(compat_column, probe, "probe", "the probe that finds it", .required = true,
		.refers = REFERS_PROBE),
	ROW_STR(compat_column, value, "value", "that probe's value: TORCH_NPU_VERSION", .required = true),
};
static const struct schema schema_column =
	SCHEMA(compat_column, "column", column_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field row_fields[] = {
	ROW_STR_LIST(compat_row, cells, "cells", "a version or a condition for each column",
		     .required = true),
};
static const struct schema schema_row =
	SCHEMA(compat_row, "row", row_fields, .shorthand = "cells", SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field matrix_fields[] = {
	ROW_STR(compat_matrix, id, "id", "its name", .required = true),
	ROW_TEXT(compat_matrix, title, "title", "one line", .required = true),
	ROW_LIST(compat_matrix, columns, column_count, compat_column, schema_column, "columns",
		 "what it is about first; then from the easiest to the hardest to change", .required = true),
	ROW_LIST(compat_matrix, rows, row_count, compat_row, schema_row, "rows",
		 "versions that go together, the newest first", .required = true),
	ROW_STR(compat_matrix, source, "source", "where the facts come from", .required = true),
};
const struct schema schema_matrix =
	SCHEMA(compat_matrix, "matrix", matrix_fields, SCHEMA_WHERE(compat_matrix), SCHEMA_NO_MAP_KEY);

/* Compatibility matrices: every row has a cell for each column, and every cell is an expression. */
#include "core/compat.h"
#include "core/lint_rules.h"
#include "core/version.h"

static void lint_matrix(struct lint *lint, const struct compat_matrix *matrix)
{
	if (matrix->column_count < 2 || matrix->column_count > COMPAT_PARTS_MAX)
		LINT_ERROR(lint, matrix->where, "a matrix has 2 to %d columns, this one %zu",
			   COMPAT_PARTS_MAX, matrix->column_count);
	for (size_t i = 0; i < matrix->row_count; i++) {
		struct str_list cells = matrix->rows[i].cells;

		if (cells.count != matrix->column_count)
			LINT_ERROR(lint, matrix->where, "row %zu has %zu cells, but there are %zu columns",
				   i + 1, cells.count, matrix->column_count);
		for (size_t j = 0; j < cells.count; j++) {
			struct buf why = {0};

			if (!cells.items[j].size || !version_check_expression(cells.items[j], &why))
				LINT_ERROR(lint, matrix->where,
					   "row %zu: \"%.*s\" is no version and no condition such as "
					   "'>=3.10 <3.15': %s",
					   i + 1, STR_ARG(cells.items[j]),
					   cells.items[j].size ? buf_c_string(&why) : "it is empty");
			buf_release(&why);
		}
	}
}

void lint_matrices(struct lint *lint)
{
	if (lint->kb->matrix_count > COMPAT_MATRICES_MAX)
		LINT_ERROR(lint, lint->pack->matrices[0].where, "there are %zu matrices; %d are looked at",
			   lint->kb->matrix_count, COMPAT_MATRICES_MAX);
	for (size_t i = 0; i < lint->pack->matrix_count; i++)
		lint_matrix(lint, &lint->pack->matrices[i]);
}

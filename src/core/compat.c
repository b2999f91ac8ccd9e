#include "core/compat.h"

#include "core/version.h"

#include <string.h>

/* ---- Cells. ------------------------------------------------------------------------------------------- */

/* The next alternative of "A || B". */
static bool next_alternative(struct str *rest, struct str *alternative)
{
	size_t at = str_find(*rest, STR("||"));

	if (!rest->size)
		return false;
	*alternative = str_trim(str_slice(*rest, 0, at));
	*rest = at == STR_NOT_FOUND ? STR("") : str_slice(*rest, at + 2, rest->size);
	return true;
}

/* Is it a version, and no condition? */
static bool is_exact(struct str term)
{
	for (size_t i = 0; i < term.size; i++)
		if (strchr(" ,<>=!*", term.data[i]))
			return false;
	return version_is_valid(term);
}

struct str compat_cell_offer(struct str cell)
{
	struct str alternative = STR("");

	next_alternative(&cell, &alternative);
	return alternative;
}

/* Is the version newer than every one that the cell names? "<3.15" names it as one that is too new. */
static bool is_newer_than(struct str version, struct str cell)
{
	size_t from = 0;

	while (from < cell.size) {
		size_t to = from;
		bool below = false;
		struct str term;

		while (to < cell.size && !strchr(" ,|", cell.data[to]))
			to++;
		term = str_slice(cell, from, to);
		from = to + 1;
		below = str_starts(term, STR("<")) && !str_starts(term, STR("<="));
		while (term.size && strchr("<>=!", *term.data))
			term = str_slice(term, 1, term.size);
		if (term.size && version_compare(version, term) < (below ? 0 : 1))
			return false;
	}
	return true;
}

/* ---- Parts. ------------------------------------------------------------------------------------------- */

static size_t part_of(struct compat *compat, const struct compat_column *column)
{
	size_t i = 0;

	while (i < compat->part_count && !str_equal(compat->parts[i].column->value, column->value))
		i++;
	if (i == compat->part_count && i < COMPAT_PARTS_MAX)
		compat->parts[compat->part_count++] = (struct compat_part){.column = column, .listed = true};
	return i < COMPAT_PARTS_MAX ? i : COMPAT_PARTS_MAX - 1;
}

/* A part is harder to change than all that stand before it in some matrix. */
static void rank_parts(struct compat *compat)
{
	/* As many rounds as a chain can be long; a circle ends there, too. */
	for (size_t round = 0; round < compat->part_count; round++) {
		for (size_t i = 0; i < compat->use_count; i++) {
			const struct compat_use *use = &compat->uses[i];

			for (size_t j = 1; j < use->matrix->column_count; j++) {
				unsigned before = compat->parts[use->part[j - 1]].effort;
				struct compat_part *part = &compat->parts[use->part[j]];

				if (part->effort <= before && part->effort < COMPAT_PARTS_MAX)
					part->effort = before + 1;
			}
		}
	}
}

static bool column_has(const struct compat_matrix *matrix, size_t column, struct str version)
{
	for (size_t i = 0; i < matrix->row_count; i++)
		if (version_fits(version, matrix->rows[i].cells.items[column]))
			return true;
	return false;
}

static bool is_beyond_column(const struct compat_matrix *matrix, size_t column, struct str version)
{
	for (size_t i = 0; i < matrix->row_count; i++)
		if (!is_newer_than(version, matrix->rows[i].cells.items[column]))
			return false;
	return true;
}

/* One exact version in each cell, as torch in torch_npu's table: what is newer contradicts, too. */
static bool is_exact_column(const struct compat_matrix *matrix, size_t column)
{
	for (size_t i = 0; i < matrix->row_count; i++)
		if (!is_exact(matrix->rows[i].cells.items[column]))
			return false;
	return true;
}

struct str compat_begins_at(const struct compat_matrix *matrix, size_t column, struct str version)
{
	struct str oldest = STR("");

	for (size_t i = 0; i < matrix->row_count; i++) {
		struct str rest = matrix->rows[i].cells.items[column], alternative;

		while (next_alternative(&rest, &alternative)) {
			struct str from = alternative;

			if (version_fits(version, alternative))
				return STR("");
			if (str_starts(from, STR("<")) || str_starts(from, STR("!")))
				continue;
			while (from.size && strchr("<>=", *from.data))
				from = str_slice(from, 1, from.size);
			from = str_slice(from, 0, str_find_byte(from, ' '));
			if (version_compare(version, from) >= 0)
				return STR("");
			if (!oldest.size || version_compare(from, oldest) < 0)
				oldest = from;
		}
	}
	return oldest;
}

static bool is_usable(const struct compat_matrix *matrix)
{
	for (size_t i = 0; i < matrix->row_count; i++)
		if (matrix->rows[i].cells.count != matrix->column_count)
			return false;
	return matrix->column_count > 0 && matrix->column_count <= COMPAT_PARTS_MAX && matrix->row_count > 0;
}

/*
 * Is the part's version in no row, and not for its age? A first column's is silent where no row has it; in
 * another column of a matrix that applies, what is older than all rows is a misfit, and so is what is newer
 * where each row names one exact version.
 */
static bool is_unlisted(const struct compat *compat, size_t part, bool named)
{
	struct str version = compat->parts[part].version;
	bool asked = named; /* by a matrix that is about it, or that applies; or by the reader */

	for (size_t i = 0; i < compat->use_count; i++) {
		const struct compat_use *use = &compat->uses[i];

		for (size_t j = 0; j < use->matrix->column_count; j++) {
			if (use->part[j] != part)
				continue;
			if (column_has(use->matrix, j, version))
				return false;
			if (j > 0 && use->applies &&
			    (!is_beyond_column(use->matrix, j, version) || is_exact_column(use->matrix, j)))
				return false;
			asked |= j == 0 || use->applies;
		}
	}
	return asked;
}

/* Does the matrix have this part's version, which is known? */
static bool has_part(const struct compat *compat, const struct compat_use *use, size_t column)
{
	struct str version = compat->parts[use->part[column]].version;

	return version.size && column_has(use->matrix, column, version);
}

/* Is there a row for all the versions of its columns that are known? */
static bool has_row(const struct compat *compat, const struct compat_use *use)
{
	for (size_t i = 0; i < use->matrix->row_count; i++) {
		size_t j = 0;

		while (j < use->matrix->column_count && compat_cell_fits(compat, use, i, j))
			j++;
		if (j == use->matrix->column_count)
			return true;
	}
	return false;
}

/* Does `other` have the version of each column of `use` whose version is known? */
static bool covers(const struct compat *compat, const struct compat_use *other, const struct compat_use *use)
{
	for (size_t i = 0; i < use->matrix->column_count; i++) {
		bool found = !compat->parts[use->part[i]].version.size;

		for (size_t j = 0; !found && j < other->matrix->column_count; j++)
			found = other->part[j] == use->part[i] && has_part(compat, other, j);
		if (!found)
			return false;
	}
	return true;
}

/*
 * Of versions that were named, two that stand in one matrix are compared there, though nothing was said of
 * its first column. But when Python and CANN go together for torch_npu, it is no fault that they do not for
 * triton-ascend, which nobody named.
 */
static void apply_to_named(struct compat *compat)
{
	for (size_t i = 0; i < compat->use_count; i++) {
		struct compat_use *use = &compat->uses[i];
		size_t count = 0;

		for (size_t j = 1; j < use->matrix->column_count; j++)
			count += has_part(compat, use, j);
		if (!compat->parts[use->part[0]].version.size)
			use->applies = count > 1;
	}
	for (size_t i = 0; i < compat->use_count; i++) {
		struct compat_use *use = &compat->uses[i];

		if (!use->applies || compat->parts[use->part[0]].version.size || has_row(compat, use))
			continue;
		for (size_t j = 0; j < compat->use_count && use->applies; j++) {
			const struct compat_use *other = &compat->uses[j];

			use->applies = j == i || !other->applies || !covers(compat, other, use) ||
				       !has_row(compat, other);
		}
	}
}

/* Which matrices say something, and which versions none of them has. */
static void settle_uses(struct compat *compat, bool named)
{
	for (size_t i = 0; i < compat->use_count; i++)
		compat->uses[i].applies = has_part(compat, &compat->uses[i], 0);
	if (named)
		apply_to_named(compat);
	for (size_t i = 0; i < compat->part_count; i++)
		if (compat->parts[i].version.size)
			compat->parts[i].listed = !is_unlisted(compat, i, named);
}

/* ---- The nearest set. --------------------------------------------------------------------------------- */

struct hunt {
	struct compat *compat;
	size_t rows[COMPAT_MATRICES_MAX]; /* chosen so far */
	struct str wanted[COMPAT_PARTS_MAX];
	struct str best_wanted[COMPAT_PARTS_MAX];
	uint64_t best;
	size_t tries;
};

static struct str cell_of(const struct hunt *hunt, size_t use, size_t part)
{
	const struct compat_use *of = &hunt->compat->uses[use];

	if (of->applies)
		for (size_t i = 0; i < of->matrix->column_count; i++)
			if (of->part[i] == part)
				return of->matrix->rows[hunt->rows[use]].cells.items[i];
	return STR("");
}

static bool fits_all(const struct hunt *hunt, size_t part, struct str version)
{
	for (size_t i = 0; i < hunt->compat->use_count; i++)
		if (!version_fits(version, cell_of(hunt, i, part)))
			return false;
	return true;
}

/* A version that all chosen rows have for this part; the condition itself where only conditions name it. */
static bool offer(const struct hunt *hunt, size_t part, struct str *wanted)
{
	struct str only = STR("");

	for (size_t i = 0; i < hunt->compat->use_count; i++) {
		struct str cell = cell_of(hunt, i, part), alternative;
		bool again = only.size && str_equal(cell, only);

		for (struct str rest = cell; next_alternative(&rest, &alternative);)
			if (is_exact(alternative) && fits_all(hunt, part, alternative)) {
				*wanted = alternative;
				return true;
			}
		if (cell.size && only.size && !again)
			return false;
		if (cell.size)
			only = cell;
	}
	*wanted = compat_cell_offer(only);
	return true;
}

/* What the chosen rows would cost; UINT64_MAX: they contradict each other. */
static uint64_t cost_of(struct hunt *hunt)
{
	uint64_t cost = 0;

	for (size_t i = 0; i < hunt->compat->part_count; i++) {
		const struct compat_part *part = &hunt->compat->parts[i];
		bool known = part->version.size && part->listed;

		hunt->wanted[i] = STR("");
		if (known && fits_all(hunt, i, part->version))
			continue;
		/* What is not listed is left out, but it must not hide that the rest goes together. */
		if (part->version.size && !part->listed)
			continue;
		if (!offer(hunt, i, &hunt->wanted[i]))
			return UINT64_MAX;
		cost += known ? UINT64_C(1) << part->effort : 0;
	}
	return cost;
}

static void choose_rows(struct hunt *hunt, size_t use)
{
	const struct compat *compat = hunt->compat;

	while (use < compat->use_count && !compat->uses[use].applies)
		use++;
	if (use == compat->use_count) {
		uint64_t cost = cost_of(hunt);

		hunt->tries++;
		if (cost < hunt->best) {
			hunt->best = cost;
			memcpy(hunt->best_wanted, hunt->wanted, sizeof(hunt->wanted));
		}
		return;
	}
	for (size_t i = 0; i < compat->uses[use].matrix->row_count; i++) {
		if (hunt->best == 0 || hunt->tries == COMPAT_TRIES_MAX)
			return;
		hunt->rows[use] = i;
		choose_rows(hunt, use + 1);
	}
}

static void find_nearest(struct compat *compat)
{
	struct hunt hunt = {.compat = compat, .best = UINT64_MAX};

	choose_rows(&hunt, 0);
	compat->found = hunt.best != UINT64_MAX;
	if (hunt.best == 0)
		return;
	compat->state = COMPAT_MISFIT;
	for (size_t i = 0; compat->found && i < compat->part_count; i++)
		if (compat->parts[i].version.size)
			compat->parts[i].wanted = hunt.best_wanted[i];
}

/* How many versions of its columns are known and listed. */
static size_t compared(const struct compat *compat, const struct compat_use *use)
{
	size_t count = 0;

	for (size_t i = 0; i < use->matrix->column_count; i++) {
		const struct compat_part *part = &compat->parts[use->part[i]];

		count += part->version.size && part->listed;
	}
	return count;
}

void compat_check(const struct compat_matrix *const *matrices, size_t count, compat_version *version,
		  void *context, bool named, struct compat *compat)
{
	bool comparable = false;

	*compat = (struct compat){0};
	for (size_t i = 0; i < count && compat->use_count < COMPAT_MATRICES_MAX; i++) {
		struct compat_use *use = &compat->uses[compat->use_count];

		if (!is_usable(matrices[i]))
			continue;
		use->matrix = matrices[i];
		for (size_t j = 0; j < matrices[i]->column_count; j++)
			use->part[j] = part_of(compat, &matrices[i]->columns[j]);
		compat->use_count++;
	}
	for (size_t i = 0; i < compat->part_count; i++)
		compat->parts[i].version = version(context, compat->parts[i].column->value);
	rank_parts(compat);
	settle_uses(compat, named);
	for (size_t i = 0; i < compat->use_count; i++)
		comparable |= compat->uses[i].applies && compared(compat, &compat->uses[i]) > 1;
	compat->state = comparable ? COMPAT_FITS : COMPAT_UNKNOWN;
	for (size_t i = 0; i < compat->part_count; i++)
		if (!compat->parts[i].listed)
			compat->state = COMPAT_UNLISTED;
	if (comparable)
		find_nearest(compat);
}

bool compat_cell_fits(const struct compat *compat, const struct compat_use *use, size_t row, size_t column)
{
	const struct compat_part *part = &compat->parts[use->part[column]];

	return !part->version.size || !part->listed ||
	       version_fits(part->version, use->matrix->rows[row].cells.items[column]);
}

/* ---- As lines. ---------------------------------------------------------------------------------------- */

static void add_made_for(const struct compat *compat, const struct compat_use *use, struct buf *out)
{
	const struct compat_matrix *matrix = use->matrix;

	for (size_t i = 0; i < matrix->row_count; i++) {
		if (!compat_cell_fits(compat, use, i, 0))
			continue;
		for (size_t j = 1; j < matrix->column_count; j++) {
			struct str made_for = compat_cell_offer(matrix->rows[i].cells.items[j]);

			buf_add_format(out, "%.*s: %.*s %.*s\n", STR_ARG(matrix->columns[0].name),
				       STR_ARG(matrix->columns[j].name), STR_ARG(made_for));
		}
	}
}

void compat_add_lines(const struct compat *compat, struct buf *out)
{
	static const char *const states[] = {"unknown", "fits", "unlisted", "misfit"};

	buf_add_format(out, "state: %s\n", states[compat->state]);
	for (size_t i = 0; i < compat->part_count; i++) {
		const struct compat_part *part = &compat->parts[i];

		if (part->wanted.size)
			buf_add_format(out, "change: %.*s %.*s -> %.*s\n", STR_ARG(part->column->name),
				       STR_ARG(part->version), STR_ARG(part->wanted));
		else if (!part->listed)
			buf_add_format(out, "unlisted: %.*s %.*s\n", STR_ARG(part->column->name),
				       STR_ARG(part->version));
		if (part->listed && part->version.size)
			buf_add_format(out, "set: %.*s %.*s\n", STR_ARG(part->column->name),
				       STR_ARG(part->version));
	}
	for (size_t i = 0; i < compat->use_count; i++)
		if (compat->uses[i].applies)
			add_made_for(compat, &compat->uses[i], out);
}

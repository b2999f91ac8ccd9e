/*
 * compat: do the versions of this machine go together, and if not, what is the nearest set that does.
 *
 * The facts are matrices (`struct compat_matrix`, content/compat.yaml). A matrix applies when the version of
 * its first column is known and some row has it; where a reader named the versions, also when two of another
 * column's are known and stand in it. A set fits when every matrix that applies has a row in which
 * all versions that are known fit; what is not known fits any cell.
 *
 * Else the nearest set is that with the least to change, where what is harder to change counts for more than
 * all that is easier: columns stand from the easiest to the hardest, and across matrices a part is harder
 * than every part that stands before it somewhere. Among equals the first row wins, which is the newest.
 *
 * A version newer than all of its column, or a first column's that no row has, is "unlisted": the matrices
 * are silent about it, and it takes no part in the comparison. But where every cell of a column is one exact
 * version, as torch in torch_npu's matrix, a newer one contradicts.
 *
 * Pure. Bounds: COMPAT_PARTS_MAX different columns, COMPAT_MATRICES_MAX matrices and COMPAT_TRIES_MAX
 * combinations of rows; what is beyond them is not looked at (lint says so).
 */
#ifndef CORE_COMPAT_H
#define CORE_COMPAT_H

#include "base/buf.h"
#include "core/kb.h"

enum { COMPAT_PARTS_MAX = 32, COMPAT_MATRICES_MAX = 16, COMPAT_TRIES_MAX = 200000 };

enum compat_state {
	COMPAT_UNKNOWN,  /* nothing to compare: no two versions that a matrix is about */
	COMPAT_FITS,     /* every matrix that applies has a row for it */
	COMPAT_UNLISTED, /* what could be compared fits; some version is in no row */
	COMPAT_MISFIT
};

/* A column of one matrix or of several. Texts belong to the kb and to the caller of compat_check. */
struct compat_part {
	const struct compat_column *column;
	struct str version; /* of the machine; empty: not known */
	struct str wanted;  /* what the nearest set has in its place; empty: as it is */
	bool listed;
	unsigned effort; /* the more, the harder to change */
};

struct compat_use {
	const struct compat_matrix *matrix;
	bool applies;
	size_t part[COMPAT_PARTS_MAX]; /* place in `parts` of each of its columns */
};

struct compat {
	enum compat_state state;
	struct compat_part parts[COMPAT_PARTS_MAX];
	size_t part_count;
	struct compat_use uses[COMPAT_MATRICES_MAX];
	size_t use_count;
	bool found; /* with COMPAT_MISFIT: there is a set that fits, see `wanted` */
};

/* The version of a probe's value, empty when it is not known. */
typedef struct str compat_version(void *context, struct str value);

/* `named`: a reader named the versions, which are those of no machine. */
void compat_check(const struct compat_matrix *const *matrices, size_t count, compat_version *version,
		  void *context, bool named, struct compat *compat);

/* Does the row have this version in that column? True also for a version that is not known or not listed. */
bool compat_cell_fits(const struct compat *compat, const struct compat_use *use, size_t row, size_t column);

/* What is offered first in a cell: "8.5.0" of "8.5.0 || 8.5.*". */
struct str compat_cell_offer(struct str cell);

/* Where the column of the matrix begins, when the version is older than all of it; else empty. */
struct str compat_begins_at(const struct compat_matrix *matrix, size_t column, struct str version);

/*
 * As lines, for the step `compat` of a probe:
 *
 *	state: misfit                                   unknown, fits, unlisted, misfit
 *	change: torch_npu 2.9.0 -> 2.9.0.post6          one for each part that the nearest set changes
 *	unlisted: CANN 9.3.0
 *	set: torch_npu 2.9.0                            one for each version that was compared
 *	torch_npu: CANN 8.5.0                           what the version of a first column was made for
 */
void compat_add_lines(const struct compat *compat, struct buf *out);

#endif

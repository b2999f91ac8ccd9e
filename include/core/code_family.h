/*
 * code_family: what a code says by the way it is made, and who may have printed a bare number.
 *
 * ERR02004 has no entry, but is known all the same: torch_npu, module 02 (DIST), type 004. The families are
 * data: content/families.yaml.
 */
#ifndef CORE_CODE_FAMILY_H
#define CORE_CODE_FAMILY_H

#include "core/kb.h"

enum { CODE_PARTS_MOST = 16 };

/* A code taken apart; texts belong to the kb and to the code that was given. */
struct code_reading {
	const struct code_family *family;
	size_t count;
	struct {
		const struct code_part *part;
		struct str value; /* of a part of bits: one bit that is set, as the family writes it */
		const struct code_value *known; /* null: nothing is known of this value */
	} parts[CODE_PARTS_MOST];
};

/* Is `code` of the family? ASCII case does not matter. A family whose pattern is broken has no codes. */
bool code_family_read(const struct code_family *family, struct str code, struct code_reading *reading);

/* The first family of the kb that has the code. */
bool code_read(const struct kb *kb, struct str code, struct code_reading *reading);

/*
 * A bare number means what the layer that printed it says: 4 after an HCCL call is "HCCL 4". All codes of the
 * kb that are this number in some layer; returns how many, fills at most `room`.
 */
size_t code_by_number(const struct kb *kb, struct str number, const struct code **found, size_t room);

#endif

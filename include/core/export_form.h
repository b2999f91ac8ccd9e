/*
 * export_form: what the walk over a knowledge base needs of a format. Private to core/export*.c.
 */
#ifndef CORE_EXPORT_FORM_H
#define CORE_EXPORT_FORM_H

#include "core/export.h"

enum export_part {
	EXPORT_PROBLEM,
	EXPORT_CAUSE,
	EXPORT_BACKGROUND,
	EXPORT_CORRECTION,
	EXPORT_NOTE,
	EXPORT_SAMPLES,
	EXPORT_SOLUTION,
	EXPORT_RECOMMENDED,
	EXPORT_APPLIES,
	EXPORT_CODES,
	EXPORT_SEE,
	EXPORT_SOURCE,
	EXPORT_CHECK,
	EXPORT_ALL_CODES,
	EXPORT_CONTENTS,
	EXPORT_SEARCH,
	EXPORT_INFERRED,
	EXPORT_WRAPPER,
	EXPORT_PART_COUNT
};

struct exporter {
	const struct kb *kb;
	enum lang lang;
	struct buf *out;
	const struct export_form *form;
};

/* Each is called in the order of the document; `part` only with a text that is not empty. */
struct export_form {
	void (*section)(struct exporter *to, const struct section *section, bool is_empty);
	void (*entry)(struct exporter *to, const struct entry *entry);
	void (*part)(struct exporter *to, enum export_part part, const struct text *text);
	void (*heading)(struct exporter *to, enum export_part part); /* above samples, codes … */
	void (*sample)(struct exporter *to, const struct sample *sample);
	void (*solution)(struct exporter *to, const struct entry *entry, size_t index);
	void (*step)(struct exporter *to, const struct step *step, size_t number);
	void (*solution_end)(struct exporter *to);
	void (*codes)(struct exporter *to, const struct str_list *codes);
	void (*see)(struct exporter *to, const struct str_list *see);
	void (*source)(struct exporter *to, const struct entry *entry);
	void (*entry_end)(struct exporter *to);
	void (*code)(struct exporter *to, const struct code *code);
};

extern const struct text export_words[EXPORT_PART_COUNT];
extern const struct text export_effects[]; /* by enum step_effect; that of STEP_READ is empty */

void export_walk(struct exporter *to);       /* sections and their entries */
void export_walk_codes(struct exporter *to); /* every code, in order */

#endif

/*
 * kb_lint: what is wrong with a pack beyond its form: references, languages, placeholders, signatures and the
 * samples they are tested with, commands. Every message says what is wrong and what to write instead.
 *
 * The faults of the form itself (unknown keys, missing ones, duplicates) come from kb_yaml.
 */
#ifndef CORE_KB_LINT_H
#define CORE_KB_LINT_H

#include "base/buf.h"
#include "core/kb.h"

struct lint_options {
	/* The shipped pack: texts in all languages, Chinese typesetting, ids that start with the section's
	 * number. */
	bool shipped;
	/*
	 * Would a shell take this script? It may have any bytes. False: `why` gets one line. Null: not
	 * checked (core runs nothing).
	 */
	bool (*shell_accepts)(void *context, struct str script, struct buf *why);
	void *context;
};

/*
 * Check `pack`, one of the packs of `kb`: what it refers to may stand in another of them, and its samples
 * must not be taken for an entry of another.
 */
void kb_lint(const struct kb *kb, const struct pack *pack, const struct lint_options *options,
	     struct diag_list *diags);

#endif

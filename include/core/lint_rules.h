/*
 * lint_rules: the rules of kb_lint, one file a subject.
 */
#ifndef CORE_LINT_RULES_H
#define CORE_LINT_RULES_H

#include "core/kb_lint.h"

struct lint {
	const struct kb *kb;
	const struct pack *pack;
	const struct lint_options *options;
	struct diag_list *diags;
};

#define LINT_ERROR(lint, where, ...)   diag_add((lint)->diags, DIAG_ERROR, where, __VA_ARGS__)
#define LINT_WARNING(lint, where, ...) diag_add((lint)->diags, DIAG_WARNING, where, __VA_ARGS__)

/* lint_text.c: one text for readers; `key` is its name in YAML. */
void lint_text(struct lint *lint, struct location where, const char *key, const struct text *text);

/* lint_steps.c: placeholders in commands and samples, effects, shell syntax. */
void lint_template(struct lint *lint, struct location where, const char *key, struct str template,
		   bool display);
void lint_step(struct lint *lint, const struct step *step);

/* lint_patterns.c: signatures and frames compile, and name placeholders that exist. */
void lint_signature(struct lint *lint, const struct signature *signature);
void lint_frame(struct lint *lint, const struct frame *frame);

/* lint_samples.c: every sample of the pack through the diagnosis. */
void lint_samples(struct lint *lint);

/* lint_family.c: families of codes, and their samples. */
void lint_families(struct lint *lint);

/* lint_compat.c: matrices of versions. */
void lint_matrices(struct lint *lint);

/* lint_redaction.c: rules of redaction, and their samples. */
void lint_redactions(struct lint *lint);

#endif

/*
 * diagnosis_out: a diagnosis as text for people, and as the JSON document of `diagnose --json`.
 */
#ifndef APP_DIAGNOSIS_OUT_H
#define APP_DIAGNOSIS_OUT_H

#include "app/app.h"
#include "app/output.h"
#include "core/diagnose.h"

#include <jansson.h>

/* Matches with their evidence as path:line: text, codes, unknown errors, and what to type next. */
void diagnosis_print(const struct app *app, struct output *output, const struct diagnosis *diagnosis);

/* For `explain` without an argument: see app/memory.h. A place that cannot be written is no fault. */
void diagnosis_remember(const struct kb *kb, const struct diagnosis *diagnosis);

json_t *diagnosis_to_json(const struct app *app, const struct scanner *scanner,
			  const struct diagnosis *diagnosis);

#endif

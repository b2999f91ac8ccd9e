/*
 * compare_out: what a comparison of nodes found, for people and for programs. Of `compare` and of `fleet`.
 */
#ifndef APP_COMPARE_OUT_H
#define APP_COMPARE_OUT_H

#include "app/output.h"
#include "core/compare.h"

#include <jansson.h>

struct app;

void compare_print(const struct app *app, struct output *output, const struct compare *compare);
json_t *compare_to_json(const struct app *app, const struct compare *compare); /* a new document */

/* EXIT_FOUND: all were read, nothing fails or differs; else EXIT_NOTHING. */
int compare_status(const struct compare *compare);

#endif

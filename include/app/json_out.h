/*
 * json_out: jansson values from our texts, and the one way to print a document.
 *
 * Every document starts with "schema": 1 and its keys only ever grow.
 */
#ifndef APP_JSON_OUT_H
#define APP_JSON_OUT_H

#include "app/app.h"

#include <jansson.h>

json_t *json_from_str(struct str text);          /* invalid bytes become U+FFFD */
json_t *json_from_text(const struct text *text); /* {"zh": …, "en": …}; null when it has neither */
json_t *json_from_list(const struct str_list *list);

/* Add a member unless the text is empty. */
void json_add_text(json_t *object, const char *key, const struct text *text);
void json_add_str(json_t *object, const char *key, struct str text);

/* An object that holds "schema": 1. */
json_t *json_document(void);

/* Print and release `document`. Returns `status`, or EXIT_FAULT when it cannot be written. */
int json_print(const struct app *app, json_t *document, int status);

/* The kb's things as the commands show them. */
json_t *json_from_code(const struct code *code);
json_t *json_from_entry(const struct entry *entry);
json_t *json_from_entry_line(const struct app *app, const struct entry *entry); /* id, section, title */

#endif

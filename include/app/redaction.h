/*
 * redaction: a redact that knows this machine and what --hide says.
 */
#ifndef APP_REDACTION_H
#define APP_REDACTION_H

#include "app/app.h"
#include "core/redact.h"

/*
 * The names of people in /etc/passwd (never asked of a directory service: that would be a connection), $USER
 * and its kin, the owner of $HOME, this machine's name, short and qualified; for redact_know_lines.
 */
void redaction_add_names(struct buf *names);

/* One that knows them. Null, and told, when --hide cannot be done. */
struct redact *redaction_new(struct app *app);

/* On standard error: what was hidden, by kind and by rule; and that no tool finds everything. */
void redaction_explain(const struct app *app, const struct redact *redact);

/*
 * Write which name stands for what to a new private file. Refused in the folder of `beside` (null: of what
 * standard output writes to), so that the two are not sent together by mistake.
 */
bool redaction_write_map(const struct app *app, const struct redact *redact, const char *path,
			 const char *beside);

#endif

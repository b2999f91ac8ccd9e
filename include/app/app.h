/*
 * app: what every subcommand gets: the options, the knowledge base, how to speak to the reader.
 */
#ifndef APP_APP_H
#define APP_APP_H

#include "app/options.h"
#include "app/output.h"
#include "core/facts.h"
#include "core/kb.h"

/* Exit statuses. EXIT_FOUND: found, or all well. EXIT_NOTHING: nothing found, or something is wrong with
 * what was looked at. EXIT_FAULT: the program could not do what it was asked. */
enum exit_status { EXIT_FOUND = 0, EXIT_NOTHING = 1, EXIT_FAULT = 2 };

struct app {
	struct options options;
	const char *program; /* argv[0], to start itself again */
	const struct command *command;
	struct kb *kb;       /* null until app_kb */
	struct packs *packs; /* what keeps overlaid packs alive; null until app_kb */
	bool overlay_broken; /* some overlaid pack was left out */
};

/* The overlaid knowledge base, loaded at the first call; faults of overlays are told on standard error. */
const struct kb *app_kb(struct app *app);

/* Tell the faults of overlaid packs on standard error; `left_out` packs have some. */
void app_tell_faults(struct app *app, const struct diag_list *diags, size_t left_out);

/* The operands after the command's name. */
size_t app_operand_count(const struct app *app);
struct str app_operand(const struct app *app, size_t index);

/* `zh` or `en`, as the reader wants. */
const char *app_say(const struct app *app, const char *zh, const char *en);

/* "ascend-faq: …" on standard error, one line, in the reader's language; returns EXIT_FAULT. */
int app_fault(const struct app *app, const char *zh, const char *en, ...)
	__attribute__((format(printf, 2, 4), format(printf, 3, 4)));

/* The same without "could not": returns nothing. */
void app_warn(const struct app *app, const char *zh, const char *en, ...)
	__attribute__((format(printf, 2, 4), format(printf, 3, 4)));

/* Facts that are known without probing: --set values (checked; false and told when refused), environment. */
bool app_facts(struct app *app, struct facts *facts);

struct command {
	const char *name;
	const char *operands; /* "ID|CODE…"; for usage lines */
	size_t least, most;   /* how many operands; most SIZE_MAX: any number */
	struct text summary;  /* one line */
	struct text details;  /* paragraphs, for `help COMMAND` and the manual; may be empty */
	int (*run)(struct app *app);
};

extern const struct command command_table[];
extern const size_t command_count;
const struct command *command_find(struct str name);

int cmd_show(struct app *app);
int cmd_list(struct app *app);
int cmd_search(struct app *app);
int cmd_diagnose(struct app *app);
int cmd_run(struct app *app);
int cmd_probe(struct app *app);
int cmd_compare(struct app *app);
int cmd_complete(struct app *app);
int cmd_compat(struct app *app);
int cmd_fill(struct app *app);
int cmd_redact(struct app *app);
int cmd_report(struct app *app);
int cmd_lint(struct app *app);
int cmd_export(struct app *app);
int cmd_import(struct app *app);
int cmd_help(struct app *app);
int cmd_version(struct app *app);
int cmd_guide(struct app *app);
int cmd_history(struct app *app);
int cmd_shell(struct app *app);
int cmd_fleet(struct app *app);
int cmd_browse(struct app *app); /* no command: the browser */

#endif

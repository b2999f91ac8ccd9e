/* No command: the browser. */
#include "app/app.h"
#include "app/tui.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/*
 * In which language to start. The locale alone cannot make a terminal show Chinese that must get ASCII; who
 * asks for it by name gets it (app/charset.h).
 */
static enum lang first_lang(const struct app *app, enum charset charset)
{
	if (charset == CHARSET_UTF8 || (app->options.lang_given && charset != CHARSET_ASCII))
		return app->options.lang;
	return LANG_EN;
}

/* Paths as the session takes them, each ended by NUL. False: told why one cannot be read. */
static bool add_logs(struct app *app, struct buf *logs)
{
	for (size_t i = 0; i < app_operand_count(app); i++) {
		struct str path = app_operand(app, i);

		if (str_equal(path, STR("-")) && isatty(STDIN_FILENO)) {
			app_fault(app, "-：标准输入是终端；请用管道送入日志，或在界面中粘贴",
				  "-: standard input is a terminal: pipe a log into it, or paste into the "
				  "browser");
			return false;
		}
		if (!str_equal(path, STR("-")) && access(path.data, R_OK) != 0) {
			app_fault(app, "%.*s：%s", "%.*s: %s", STR_ARG(path), strerror(errno));
			return false;
		}
		buf_add(logs, path);
		buf_add_byte(logs, '\0');
	}
	return true;
}

/*
 * Packs that are read soon are there from the start. What takes longer is read on while the shipped one is
 * shown; not for logs, guides and --set, which want to know all of it.
 */
static struct packs_loader *begin_packs(struct app *app, struct tui_options *tui)
{
	enum { PATIENCE_MS = 20 };
	const struct options *options = &app->options;
	const struct pack *shipped = &kb_shipped_pack;
	struct packs_loader *loader;

	if (!packs_are_any(options->packs.count) || options->settings.count > 0 ||
	    options->given[OPTION_PLOG] || options->given[OPTION_RESUME] || app->command ||
	    app_operand_count(app) > 0)
		return NULL;
	loader = packs_loader_start(options->packs.items, options->packs.count);
	if (!loader)
		return NULL;
	if (packs_loader_wait(loader, PATIENCE_MS)) {
		app->kb = packs_loader_kb(loader);
		tui->session.index = packs_loader_take_index(loader);
	} else {
		app->kb = kb_new(&shipped, 1);
		tui->packs = loader;
	}
	return loader;
}

/* The shipped pack's kb is ours, the others' the loader's. */
static void end_packs(struct app *app, struct packs_loader *loader)
{
	if (!loader)
		return;
	if (packs_loader_wait(loader, 0)) {
		app_tell_faults(app, packs_loader_diags(loader), packs_loader_left_out(loader));
		if (app->kb == packs_loader_kb(loader))
			app->kb = NULL;
	}
	kb_free(app->kb);
	app->kb = NULL;
	packs_loader_free(loader);
}

/* The entry that a guide was asked for; false and told when there is none such. */
static bool check_guide(struct app *app, struct str id)
{
	const struct entry *entry = kb_entry(app_kb(app), id);

	if (entry && entry->solution_count > 0)
		return true;
	app_fault(app, "%.*s：%s", "%.*s: %s", STR_ARG(id),
		  entry ? app_say(app, "这个条目没有解决方案", "this entry has no solution")
			: app_say(app, "没有这个条目；ascend-faq list 列出全部条目",
				  "no such entry; ascend-faq list shows them all"));
	return false;
}

static void set_session(const struct app *app, struct tui_options *tui)
{
	const struct options *options = &app->options;

	tui->session.lang = first_lang(app, tui->charset);
	tui->session.search = str_of(options->argument[OPTION_SEARCH]);
	tui->session.plog = options->given[OPTION_PLOG];
	tui->session.lang_fixed = options->lang_given || tui->charset == CHARSET_ASCII;
	tui->session.ascii = tui->charset == CHARSET_ASCII;
	tui->session.resume = options->given[OPTION_RESUME];
	tui->session.line = str_of(options->argument[OPTION_LINE]);
	tui->session.failed = str_of(options->argument[OPTION_FAILED]);
	tui->session.prompting = options->given[OPTION_PRINT];
}

/* The command that was chosen, for the shell. Nothing chosen is nothing found. */
static int print_prompt(const struct app *app, struct buf *prompt)
{
	struct output output;

	if (prompt->size == 0)
		return EXIT_NOTHING;
	output_open(&output, &app->options);
	buf_add(&output.text, buf_str(prompt));
	buf_add_byte(&output.text, '\n');
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

/* `guide`: its id, or empty for the last one; null data: the browser. */
static int browse(struct app *app, struct str guide)
{
	const char *no_colour = getenv("NO_COLOR");
	struct facts *facts = facts_new();
	struct utsname machine = {0};
	struct buf error = {0}, logs = {0}, prompt = {0};
	struct tui_options tui = {
		.charset = charset_of_terminal(app->options.given[OPTION_ASCII]),
		.no_colour = app->options.given[OPTION_NO_COLOR] || (no_colour && no_colour[0]),
		.prompt = &prompt,
	};
	struct packs_loader *loader = NULL;
	int status = EXIT_FAULT;

	if (!isatty(STDOUT_FILENO) && !app->options.given[OPTION_PRINT]) {
		app_fault(app, "标准输出不是终端，打不开浏览器；请用 %s",
			  "standard output is not a terminal: no browser; use %s",
			  guide.data               ? "fill"
			  : app_operand_count(app) ? "diagnose"
						   : "list, search, show");
		goto out;
	}
	loader = begin_packs(app, &tui);
	if (!app_facts(app, facts) || (!guide.data && !add_logs(app, &logs)))
		goto out;
	uname(&machine);
	set_session(app, &tui);
	tui.session.logs = buf_str(&logs);
	tui.session.machine = str_of(machine.machine);
	tui.session.facts = facts;
	tui.session.guide = guide.data != NULL;
	tui.session.open = guide;
	status = tui_run(app_kb(app), &tui, &error);
	if (status < 0)
		status = app_fault(app, "%s；请用 list、search 或 show", "%s; use list, search or show",
				   buf_c_string(&error));
	else if (status == 0 && app->options.given[OPTION_PRINT])
		status = print_prompt(app, &prompt);
out:
	end_packs(app, loader);
	facts_free(facts);
	buf_release(&error);
	buf_release(&logs);
	buf_release(&prompt);
	return status;
}

int cmd_browse(struct app *app)
{
	return browse(app, (struct str){0});
}

int cmd_guide(struct app *app)
{
	struct str id = app_operand_count(app) > 0 ? app_operand(app, 0) : STR("");

	return id.size > 0 && !check_guide(app, id) ? EXIT_FAULT : browse(app, id);
}

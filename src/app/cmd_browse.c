/* No command: the browser. */
#include "app/app.h"
#include "app/tui.h"

#include <stdlib.h>
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

int cmd_browse(struct app *app)
{
	const struct options *options = &app->options;
	const char *no_colour = getenv("NO_COLOR");
	struct facts *facts = facts_new();
	struct utsname machine = {0};
	struct buf error = {0};
	struct tui_options tui = {
		.charset = charset_of_terminal(options->given[OPTION_ASCII]),
		.no_colour = options->given[OPTION_NO_COLOR] || (no_colour && no_colour[0]),
	};
	int status = EXIT_FAULT;

	if (!isatty(STDOUT_FILENO)) {
		app_fault(app, "标准输出不是终端，打不开浏览器；请用 %s",
			  "standard output is not a terminal: no browser; use %s", "list, search, show");
		goto out;
	}
	if (!app_facts(app, facts))
		goto out;
	uname(&machine);
	tui.session.lang = first_lang(app, tui.charset);
	tui.session.search = str_of(options->argument[OPTION_SEARCH]);
	tui.session.lang_fixed = options->lang_given || tui.charset == CHARSET_ASCII;
	tui.session.machine = str_of(machine.machine);
	tui.session.facts = facts;
	tui.session.ascii = tui.charset == CHARSET_ASCII;
	status = tui_run(app_kb(app), &tui, &error);
	if (status < 0)
		status = app_fault(app, "%s；请用 list、search 或 show", "%s; use list, search or show",
				   buf_c_string(&error));
out:
	facts_free(facts);
	buf_release(&error);
	return status;
}

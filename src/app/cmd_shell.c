/* ascend-faq shell: key binding and completion, to be loaded by a shell. */
#include "app/app.h"
#include "app/embedded.h"

static const struct embedded *script_of(const char *file, struct str shell)
{
	struct buf name = {0};
	const struct embedded *script = embedded_shell;

	buf_add_format(&name, "%s.%.*s", file, STR_ARG(shell));
	while (script->name.size > 0 && !str_equal(script->name, buf_str(&name)))
		script++;
	buf_release(&name);
	return script->name.size ? script : NULL;
}

int cmd_shell(struct app *app)
{
	struct str shell = app_operand(app, 0);
	const struct embedded *key = script_of("ascend-faq", shell),
			      *completion = script_of("completion", shell);
	struct output output;

	if (!key || !completion)
		return app_fault(app, "%.*s：没有这个 shell 的绑定；有 bash、zsh、fish",
				 "%.*s: no binding for this shell; there are bash, zsh, fish",
				 STR_ARG(shell));
	output_open(&output, &app->options);
	if (!app->options.given[OPTION_COMPLETION])
		buf_add(&output.text, key->text);
	buf_add(&output.text, completion->text);
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

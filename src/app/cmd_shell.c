/* ascend-faq shell: key binding and completion, to be loaded by a shell. */
#include "app/app.h"
#include "app/embedded.h"

static void add_commands(struct buf *out)
{
	for (size_t i = 0; i < command_count; i++)
		buf_add_format(out, "%s%s", i ? " " : "", command_table[i].name);
}

static void add_options(struct buf *out)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		buf_add_format(out, "%s--%s", i ? " " : "", option_table[i].name);
}

/* fish shows what an option means, and knows which commands take it. */
static void add_fish_options(struct buf *out)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *option = &option_table[i];
		struct str help = option->help.in[LANG_EN];

		buf_add_format(out, "complete -c ascend-faq -l %s", option->name);
		if (option->letter)
			buf_add_format(out, " -s %c", option->letter);
		if (option->argument)
			buf_add(out, STR(" -r"));
		buf_add(out, STR(" -d '"));
		for (size_t j = 0; j < help.size; j++) {
			if (help.data[j] == '\'' || help.data[j] == '\\')
				buf_add_byte(out, '\\');
			buf_add_byte(out, help.data[j]);
		}
		buf_add(out, STR("'\n"));
	}
}

static const struct {
	struct str mark;
	void (*add)(struct buf *out);
} parts[] = {
	{STR_INIT("@COMMANDS@"), add_commands},
	{STR_INIT("@OPTIONS@"), add_options},
	{STR_INIT("@FISH_OPTIONS@\n"), add_fish_options},
};

static void add_script(struct str text, struct buf *out)
{
	for (size_t at = 0; at < text.size;) {
		struct str rest = str_slice(text, at, text.size);
		size_t part = 0;

		while (part < sizeof(parts) / sizeof(*parts) && !str_starts(rest, parts[part].mark))
			part++;
		if (part < sizeof(parts) / sizeof(*parts)) {
			parts[part].add(out);
			at += parts[part].mark.size;
		} else {
			buf_add_byte(out, text.data[at++]);
		}
	}
}

int cmd_shell(struct app *app)
{
	struct buf name = {0};
	struct output output;
	const struct embedded *script = embedded_shell;

	buf_add_format(&name, "ascend-faq.%.*s", STR_ARG(app_operand(app, 0)));
	while (script->name.size > 0 && !str_equal(script->name, buf_str(&name)))
		script++;
	buf_release(&name);
	if (script->name.size == 0)
		return app_fault(app, "%.*s：没有这个 shell 的绑定；有 bash、zsh、fish",
				 "%.*s: no binding for this shell; there are bash, zsh, fish",
				 STR_ARG(app_operand(app, 0)));
	output_open(&output, &app->options);
	add_script(script->text, &output.text);
	return output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
}

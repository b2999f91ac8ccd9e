#include "app/app.h"

#include "app/packs.h"
#include "core/fill.h"

#include <stdlib.h>

extern char **environ;

const char *app_say(const struct app *app, const char *zh, const char *en)
{
	return app->options.lang == LANG_ZH ? zh : en;
}

static void say_on_stderr(const char *format, va_list arguments)
{
	struct buf text = {0};

	buf_add(&text, STR("ascend-faq: "));
	buf_add_format_list(&text, format, arguments);
	output_message(buf_str(&text));
	buf_release(&text);
}

static void say_diag(const struct app *app, const struct diag *diag)
{
	struct buf text = {0};

	buf_add_format(&text, "%s:%u:%u: %s: %.*s", diag->where.file ? diag->where.file : "",
		       diag->where.line, diag->where.column, app_say(app, "错误", "error"),
		       STR_ARG(diag->text));
	output_message(buf_str(&text));
	buf_release(&text);
}

int app_fault(const struct app *app, const char *zh, const char *en, ...)
{
	va_list arguments;

	va_start(arguments, en);
	say_on_stderr(app_say(app, zh, en), arguments);
	va_end(arguments);
	return EXIT_FAULT;
}

void app_warn(const struct app *app, const char *zh, const char *en, ...)
{
	va_list arguments;

	va_start(arguments, en);
	say_on_stderr(app_say(app, zh, en), arguments);
	va_end(arguments);
}

void app_tell_faults(struct app *app, const struct diag_list *diags, size_t left_out)
{
	for (size_t i = 0; i < diags->list.count; i++) {
		const struct diag *diag = &diags->list.items[i];

		if (diag->severity == DIAG_ERROR)
			say_diag(app, diag);
	}
	app->overlay_broken = left_out > 0;
	if (left_out)
		app_warn(app, "因上述错误略过的知识包：%zu 个；其余内容照常可用",
			 "packs left out because of these errors: %zu; the rest works", left_out);
}

const struct kb *app_kb(struct app *app)
{
	struct diag_list diags = {0};
	size_t left_out;

	if (app->kb)
		return app->kb;
	app->packs = packs_load(app->options.packs.items, app->options.packs.count, &diags, &left_out);
	app->kb = packs_kb(app->packs);
	app_tell_faults(app, &diags, left_out);
	diag_release(&diags);
	return app->kb;
}

size_t app_operand_count(const struct app *app)
{
	size_t own = app->command && app->options.operands.count ? 1 : 0;

	return app->options.operands.count - own;
}

struct str app_operand(const struct app *app, size_t index)
{
	size_t own = app->command ? 1 : 0;

	return str_of(app->options.operands.items[index + own]);
}

static void add_environment(struct facts *facts)
{
	for (char **variable = environ; *variable; variable++) {
		struct str text = str_of(*variable);
		size_t equals = str_find_byte(text, '=');

		if (equals != STR_NOT_FOUND && equals + 1 < text.size)
			facts_set(facts, str_slice(text, 0, equals), str_slice(text, equals + 1, text.size),
				  FACT_ENVIRONMENT, str_slice(text, 0, equals));
	}
}

bool app_facts(struct app *app, struct facts *facts)
{
	const struct kb *kb = app_kb(app);
	struct buf why = {0};
	bool good = true;

	add_environment(facts);
	for (size_t i = 0; good && i < app->options.settings.count; i++) {
		struct setting setting = app->options.settings.items[i];
		const struct placeholder *placeholder = kb_placeholder(kb, setting.name);

		if (!placeholder) {
			app_fault(app, "--set %.*s：没有这个占位符",
				  "--set %.*s: there is no such placeholder", STR_ARG(setting.name));
			good = false;
		} else if (!fill_check(placeholder, setting.value, app->options.lang, &why)) {
			app_fault(app, "--set %.*s：%s", "--set %.*s: %s", STR_ARG(setting.name),
				  buf_c_string(&why));
			good = false;
		} else {
			facts_set(facts, placeholder->name, setting.value, FACT_USER, STR("--set"));
		}
	}
	buf_release(&why);
	return good;
}

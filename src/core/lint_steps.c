/* Commands: their placeholders, what they do to the machine, and whether a shell takes them. */
#include "core/lint_rules.h"

#include "core/regex.h"

static bool is_name_start(char byte)
{
	return byte >= 'A' && byte <= 'Z';
}

static bool is_name_byte(char byte)
{
	return is_name_start(byte) || (byte >= '0' && byte <= '9') || byte == '_';
}

/* The next <UPPER_CASE> at or after *at, which is moved behind it. `name` is without the brackets. */
static bool next_placeholder(struct str template, size_t *at, struct str *name)
{
	for (size_t i = *at; i + 2 < template.size; i++) {
		size_t end = i + 1;

		if (template.data[i] != '<' || !is_name_start(template.data[end]))
			continue;
		while (end < template.size && is_name_byte(template.data[end]))
			end++;
		if (end == template.size || template.data[end] != '>')
			continue;
		*name = str_slice(template, i + 1, end);
		*at = end + 1;
		return true;
	}
	return false;
}

void lint_template(struct lint *lint, struct location where, const char *key, struct str template,
		   bool display)
{
	struct str name;

	for (size_t at = 0; next_placeholder(template, &at, &name);) {
		const struct placeholder *placeholder = kb_placeholder(lint->kb, name);

		if (!placeholder)
			LINT_ERROR(lint, where,
				   "`%s` has the unknown placeholder <%.*s>: add it to placeholders.yaml",
				   key, STR_ARG(name));
		else if (!display && placeholder->display_only)
			LINT_ERROR(lint, where,
				   "`%s` has <%.*s>, which is `display-only`: nobody could fill it", key,
				   STR_ARG(name));
	}
}

/*
 * Commands by the least effect that they have. Matched on each line without its comment; what is behind a
 * quote or in an argument can be met by mistake, so the patterns want the command's own place.
 */
#define COMMAND \
	"(?:^|[;&|(]|\\b(?:sudo|xargs|then|do|exec|time|nohup|env)\\s)\\s*(?:-\\S+\\s+)*(?:[A-Z_]+=\\S*\\s+" \
	")*"

static const struct effect_rule {
	enum step_effect effect;
	const char *pattern;
	const char *what;
} effect_rules[] = {
	{STEP_DESTROY, COMMAND "rm\\s+(?:.*\\s)?(?:-\\w*[rRf]\\w*|--recursive|--force)\\b", "deletes files"},
	{STEP_DESTROY, COMMAND "(?:kill\\s+(?!-0\\b|-l\\b)|p?killall\\b|pkill\\b|fuser\\s+.*-\\w*k)",
	 "ends processes"},
	{STEP_DESTROY, COMMAND "npu-smi\\s+set\\b.*-t\\s+(?:reset|recover)", "resets a card"},
	{STEP_DESTROY, COMMAND "(?:dd|mkfs\\S*|shred|reboot|shutdown|poweroff)\\s",
	 "loses data or stops the machine"},
	{STEP_DESTROY, COMMAND "git\\s+(?:clean\\b|reset\\s+--hard|checkout\\s+(?:-f|--)\\s|restore\\s)",
	 "loses changes"},
	{STEP_DESTROY, COMMAND "(?:docker|podman)\\s+(?:rm|rmi|kill|system\\s+prune)\\b",
	 "removes a container or image"},
	{STEP_DESTROY, COMMAND "conda\\s+(?:env\\s+remove|remove\\s+.*--all)", "removes an environment"},
	{STEP_WRITE, COMMAND "(?:python3?\\s+-m\\s+)?pip3?\\s+(?:install|uninstall)\\b",
	 "changes Python packages"},
	{STEP_WRITE,
	 COMMAND "(?:apt|apt-get|yum|dnf|conda|mamba)\\s+(?:-\\S+\\s+)*(?:install|remove|create|update)\\b",
	 "installs or removes"},
	{STEP_WRITE,
	 COMMAND "(?:make|ninja|cmake\\s+--build|mkdir|cp|mv|ln|touch|tee|chmod|chown|sed\\s+-i)\\b",
	 "writes files"},
	{STEP_WRITE, COMMAND "git\\s+(?:clone|pull|apply|am|submodule|checkout|switch|merge)\\b",
	 "writes files"},
	{STEP_WRITE, COMMAND "(?:torchrun|accelerate\\s+launch|deepspeed|mpirun|srun|sbatch)\\s",
	 "starts a job"},
	{STEP_SHELL,
	 COMMAND "(?:export|unset|source|\\.|cd|ulimit|conda\\s+activate|conda\\s+deactivate|set)\\s",
	 "changes the calling shell"},
};

static const char *const effect_names[] = {"read", "shell", "write", "destroy"};

/* Without comments: a line that only talks of `rm -rf` is harmless. */
static void add_without_comments(struct buf *out, struct str script)
{
	struct str line;

	while (str_next(&script, '\n', &line)) {
		size_t at = 0;

		while (at < line.size && !(line.data[at] == '#' && (at == 0 || line.data[at - 1] == ' ')))
			at++;
		buf_add(out, str_slice(line, 0, at));
		buf_add_byte(out, '\n');
	}
}

static void check_effect(struct lint *lint, const struct step *step)
{
	struct buf script = {0};

	add_without_comments(&script, step->run);
	for (size_t i = 0; i < sizeof(effect_rules) / sizeof(*effect_rules); i++) {
		const struct effect_rule *rule = &effect_rules[i];
		struct regex *regex;

		if (step->effect >= rule->effect)
			continue;
		regex = regex_new(str_of(rule->pattern), REGEX_MULTILINE | REGEX_ONCE, NULL, NULL);
		if (regex && regex_match(regex, buf_str(&script), 0) == REGEX_MATCH)
			LINT_ERROR(lint, step->where, "`run` %s: it needs `effect: %s`, not %s", rule->what,
				   effect_names[rule->effect], effect_names[step->effect]);
		regex_free(regex);
	}
	buf_release(&script);
}

/* With a word for each placeholder: to a shell <NAME> would be a redirection. */
static void check_syntax(struct lint *lint, const struct step *step)
{
	struct buf script = {0}, why = {0};
	size_t from = 0, at = 0;
	struct str name;

	while (next_placeholder(step->run, &at, &name)) {
		buf_add(&script, str_slice(step->run, from, at - name.size - 2));
		buf_add_byte(&script, '1');
		from = at;
	}
	buf_add(&script, str_slice(step->run, from, step->run.size));
	if (!lint->options->shell_accepts(lint->options->context, buf_str(&script), &why))
		LINT_ERROR(lint, step->where, "`run` is not what a shell understands: %s",
			   buf_c_string(&why));
	buf_release(&script);
	buf_release(&why);
}

void lint_step(struct lint *lint, const struct step *step)
{
	lint_template(lint, step->where, "run", step->run, false);
	lint_template(lint, step->where, "text", step->text, false);
	if (!step->run.size)
		return;
	check_effect(lint, step);
	if (lint->options->shell_accepts)
		check_syntax(lint, step);
}

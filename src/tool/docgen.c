/*
 * docgen: the parts of the documents that the program's tables make.
 *
 * usage: docgen readme FILE.md     FILE.md with its key table renewed
 *        docgen manual FILE.in     the manual page: FILE.in with its @PARTS@ replaced
 */
#include "app/app.h"
#include "ui/action.h"

#include <stdio.h>
#include <string.h>

/* For roff: a backslash, and a point or quote at the start of a line, mean something. */
static void add_roff(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '\\')
			buf_add(out, STR("\\e"));
		else if (text.data[i] == '-')
			buf_add(out, STR("\\-"));
		else
			buf_add_byte(out, text.data[i]);
	}
}

static void add_line(struct buf *out, struct str text)
{
	if (text.size && (text.data[0] == '.' || text.data[0] == '\''))
		buf_add(out, STR("\\&"));
	add_roff(out, text);
	buf_add_byte(out, '\n');
}

static void add_commands(struct buf *out)
{
	for (size_t i = 0; i < command_count; i++) {
		const struct command *command = &command_table[i];

		buf_add_format(out, ".It Cm %s", command->name);
		if (*command->operands) {
			buf_add(out, STR(" Ar "));
			add_roff(out, str_of(command->operands));
		}
		buf_add_byte(out, '\n');
		add_line(out, command->summary.in[LANG_EN]);
		if (command->details.in[LANG_EN].size) {
			buf_add(out, STR(".Pp\n"));
			add_line(out, command->details.in[LANG_EN]);
		}
	}
}

static void add_options(struct buf *out)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_info *option = &option_table[i];

		buf_add(out, STR(".It "));
		if (option->letter)
			buf_add_format(out, "Fl %c , ", option->letter);
		buf_add_format(out, "Fl \\-%s", option->name);
		if (option->argument)
			buf_add_format(out, " Ar %s", option->argument);
		buf_add_byte(out, '\n');
		add_line(out, option->help.in[LANG_EN]);
		if (option->commands && *option->commands)
			buf_add_format(out, "Known to: %s.\n", option->commands);
	}
}

static void add_manual_keys(struct buf *out)
{
	buf_add(out, STR(".Bl -tag -width 12n\n"));
	for (size_t i = 0; i < ACTION_COUNT; i++) {
		const struct action_info *action = &action_table[i];

		if (action->keys.size == 0)
			continue;
		buf_add(out, STR(".It Li "));
		add_roff(out, action->keys);
		buf_add_byte(out, '\n');
		add_line(out, action->help.in[LANG_EN]);
	}
	buf_add(out, STR(".El\n"));
}

/* Is it a key of the main screen, and more than a way to move or to keep house? */
static bool is_for_readme(const struct action_info *action)
{
	if (action->keys.size == 0 || !(action->contexts & IN_MAIN))
		return false;
	return action->priority > 0 || action->group == ACTION_GROUP_FIND ||
	       action->group == ACTION_GROUP_USE;
}

/* Markdown: what a reader must know before the first session; the rest is on the help screen. */
static void add_markdown_keys(struct buf *out)
{
	buf_add(out, STR("| key | what it does |\n| --- | --- |\n"));
	for (size_t i = 0; i < ACTION_COUNT; i++) {
		const struct action_info *action = &action_table[i];

		if (is_for_readme(action))
			buf_add_format(out, "| `%.*s` | %.*s |\n", STR_ARG(action->keys),
				       STR_ARG(action->help.in[LANG_EN]));
	}
}

struct part {
	const char *start; /* a line that starts so is replaced by the part */
	const char *end;   /* and all up to the line that starts so, if it is given; both lines stay */
	void (*add)(struct buf *out);
};

static const struct part manual_parts[] = {{"@COMMANDS@", NULL, add_commands},
					   {"@OPTIONS@", NULL, add_options},
					   {"@KEYS@", NULL, add_manual_keys}};
static const struct part readme_parts[] = {{"<!-- keys", "<!-- end of keys", add_markdown_keys}};

static const struct part *part_of(const struct part *parts, size_t count, const char *line)
{
	for (size_t i = 0; i < count; i++) {
		if (strncmp(line, parts[i].start, strlen(parts[i].start)) == 0)
			return &parts[i];
	}
	return NULL;
}

static bool add_file(struct buf *out, const char *path, const struct part *parts, size_t count)
{
	FILE *file = fopen(path, "r");
	const struct part *inside = NULL;
	char line[4096];

	if (!file) {
		perror(path);
		return false;
	}
	while (fgets(line, sizeof(line), file)) {
		const struct part *part = part_of(parts, count, line);

		if (inside && strncmp(line, inside->end, strlen(inside->end)) == 0)
			inside = NULL;
		else if (inside)
			continue;
		if (!part || part->end)
			buf_add(out, str_of(line));
		if (part) {
			part->add(out);
			inside = part->end ? part : NULL;
		}
	}
	fclose(file);
	return true;
}

int main(int argc, char **argv)
{
	struct buf out = {0};
	bool good = false;

	if (argc == 3 && strcmp(argv[1], "readme") == 0)
		good = add_file(&out, argv[2], readme_parts, sizeof(readme_parts) / sizeof(*readme_parts));
	else if (argc == 3 && strcmp(argv[1], "manual") == 0)
		good = add_file(&out, argv[2], manual_parts, sizeof(manual_parts) / sizeof(*manual_parts));
	else
		fputs("usage: docgen readme FILE.md | docgen manual FILE.in\n", stderr);
	fwrite(buf_c_string(&out), 1, out.size, stdout);
	buf_release(&out);
	return good && fflush(stdout) == 0 ? 0 : 2;
}

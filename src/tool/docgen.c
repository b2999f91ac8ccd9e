/*
 * docgen: the parts of the documents that the program's tables make.
 *
 * usage: docgen readme FILE.md     FILE.md with its key table renewed
 *        docgen manual FILE.in     the manual page: FILE.in with its @PARTS@ replaced
 */
#include "app/app.h"
#include "core/schema.h"
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

/* ---- The format of packs, from the tables that read them. --------------------------------------------- */

static const char *type_name(const struct field *field)
{
	static const char *const names[] = {
		[FIELD_STR] = "text",
		[FIELD_TEXT] = "{zh, en}",
		[FIELD_BOOL] = "true or false",
		[FIELD_INT] = "number",
		[FIELD_DURATION] = "duration",
		[FIELD_ENUM] = "one of",
		[FIELD_STR_LIST] = "list of texts",
		[FIELD_STRUCT] = "map",
		[FIELD_LIST] = "list",
		[FIELD_MAP] = "map",
	};

	return names[field->type];
}

static void add_field(struct buf *out, const struct schema *schema, const struct field *field)
{
	bool alone = schema->shorthand && strcmp(schema->shorthand, field->key) == 0;
	struct buf help = {0};

	buf_add_format(out, ".It Cm %s Pq %s", field->key, field->required ? "required : " : "");
	add_roff(out, str_of(type_name(field)));
	for (size_t i = 0; field->type == FIELD_ENUM && field->names[i]; i++)
		buf_add_format(out, "%s %s", i ? " ," : "", field->names[i]);
	buf_add_byte(out, '\n');
	buf_add(&help, str_of(field->help));
	if (alone)
		buf_add_format(&help, ". It alone may stand for the whole %s", schema->name);
	if (field->needs)
		buf_add_format(&help, ". It needs %s", field->needs);
	add_line(out, buf_str(&help));
	buf_release(&help);
}

static void add_schema(struct buf *out, const struct schema *schema)
{
	buf_add(out, STR(".Bl -tag -width Ds -compact\n"));
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct field *field = &schema->fields[i];

		if (!field->key)
			continue;
		add_field(out, schema, field);
		if (field->of) /* how it looks inside */
			add_schema(out, field->of);
	}
	buf_add(out, STR(".El\n"));
}

static void add_pack_files(struct buf *out)
{
	static const struct {
		const char *path, *what;
		const struct schema *schema;
	} files[] = {
		{"pack.yaml", "The pack itself: one map.", &schema_pack},
		{"SECTION/NAME.yaml", "An entry: one map. The folder is its section.", &schema_entry},
		{"codes/NAME.yaml", "Error codes: a list.", &schema_code},
		{"families.yaml", "Codes that are made of parts: a list.", &schema_family},
		{"placeholders.yaml", "Placeholders of commands: a list.", &schema_placeholder},
		{"probes.yaml", "Probes of the machine: a list. A step has one source.", &schema_probe},
		{"framing.yaml", "What launchers and loggers put around messages: a list.", &schema_frame},
		{"redaction.yaml", "What is private in a text: a list.", &schema_redaction},
		{"compat.yaml", "Which versions go together: a list.", &schema_matrix},
		{"reports/NAME.yaml", "Forms of problem reports: a list.", &schema_report},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		buf_add_format(out, ".Ss %s\n", files[i].path);
		add_line(out, str_of(files[i].what));
		add_schema(out, files[i].schema);
	}
}

struct part {
	const char *start; /* a line that starts so is replaced by the part */
	const char *end;   /* and all up to the line that starts so, if it is given; both lines stay */
	void (*add)(struct buf *out);
};

static const struct part manual_parts[] = {{"@COMMANDS@", NULL, add_commands},
					   {"@OPTIONS@", NULL, add_options},
					   {"@KEYS@", NULL, add_manual_keys},
					   {"@PACK@", NULL, add_pack_files}};
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

/* probe: the kinds of source that a step may have, one function each. */
#include "core/probe_step.h"

#include "core/compat.h"

struct source {
	const struct kb *kb;
	const struct probe_step *step;
	const struct probe_values *values;
	const struct probe_host *host;
	uint32_t timeout_ms;
	struct probe_reading *reading;
};

/* ---- Help for all of them. ---------------------------------------------------------------------------- */

static enum probe_end ask(const struct source *source, const struct probe_request *request,
			  struct probe_answer *answer)
{
	buf_clear(&answer->text);
	answer->end = PROBE_END_OK;
	answer->number = 0;
	source->host->ask(source->host->context, request, answer);
	return answer->end;
}

static enum probe_end ask_text(const struct source *source, enum probe_ask kind, struct str text,
			       struct probe_answer *answer)
{
	return ask(source, &(struct probe_request){.ask = kind, .text = text}, answer);
}

/* What could not be told is kept over what is only missing, and both give way to what was found. */
static void note_end(struct probe_reading *reading, const struct probe_answer *answer)
{
	if (answer->end == PROBE_END_OK || reading->end == PROBE_END_OK)
		reading->end = PROBE_END_OK;
	else if (answer->end != PROBE_END_MISSING)
		reading->end = answer->end, reading->number = answer->number;
}

static void note_what(struct probe_reading *reading, struct str what)
{
	if (reading->what.size > 0)
		buf_add(&reading->what, STR(", "));
	buf_add(&reading->what, what);
}

static void add_line(struct buf *out, struct str line)
{
	buf_add(out, line);
	if (!str_ends(line, STR("\n")))
		buf_add_byte(out, '\n');
}

static void add_line_once(struct buf *out, struct str line)
{
	struct str lines = buf_str(out), other;
	while (str_next(&lines, '\n', &other))
		if (str_equal(other, line))
			return;
	add_line(out, line);
}

static int compare_up(const void *a, const void *b)
{
	return probe_path_compare(*(const struct str *)a, *(const struct str *)b);
}

static int compare_down(const void *a, const void *b)
{
	return compare_up(b, a);
}

/* All paths that exist for a path or glob, in order. */
static void hits_of(const struct source *source, struct str path, bool newest_first, struct probe_texts *hits)
{
	struct probe_answer answer = {0};
	ask_text(source, PROBE_ASK_GLOB, path, &answer);
	note_end(source->reading, &answer);
	struct str lines = buf_str(&answer.text), line;
	size_t before = hits->list.count;
	while (answer.end == PROBE_END_OK && str_next(&lines, '\n', &line))
		if (line.size > 0 && hits->list.count < PROBE_TEXTS_MAX)
			vec_push(&hits->list, arena_copy(&hits->arena, line));
	if (hits->list.count > before + 1)
		qsort(hits->list.items + before, hits->list.count - before, sizeof(*hits->list.items),
		      newest_first ? compare_down : compare_up);
	buf_release(&answer.text);
}

static void expand_paths(const struct source *source, struct str_list templates, struct probe_texts *out)
{
	for (size_t i = 0; i < templates.count; i++)
		probe_expand(source->values, source->host, templates.items[i], PROBE_TEMPLATE_PATH, out);
}

static bool expand_one(const struct source *source, struct str template, struct buf *out)
{
	struct probe_texts texts = {0};
	probe_expand(source->values, source->host, template, PROBE_TEMPLATE_TEXT, &texts);
	bool any = texts.list.count > 0;
	if (any)
		buf_add(out, texts.list.items[0]);
	probe_texts_release(&texts);
	return any;
}

/* ---- Paths and files. --------------------------------------------------------------------------------- */

/* Every existing path, in the order of the templates; stops after `most`. */
static void existing(const struct source *source, struct str_list templates, bool newest_first, size_t most,
		     struct probe_texts *hits)
{
	struct probe_texts paths = {0};
	expand_paths(source, templates, &paths);
	for (size_t i = 0; i < paths.list.count && hits->list.count < most; i++)
		hits_of(source, paths.list.items[i], newest_first, hits);
	if (hits->list.count > most)
		hits->list.count = most;
	probe_texts_release(&paths);
}

static void read_find(const struct source *source)
{
	struct probe_texts hits = {0};
	existing(source, source->step->find, true, 1, &hits);
	if (hits.list.count > 0) {
		buf_add(&source->reading->text, hits.list.items[0]);
		note_what(source->reading, hits.list.items[0]);
	}
	probe_texts_release(&hits);
}

static void read_paths(const struct source *source)
{
	struct probe_texts hits = {0};
	existing(source, source->step->paths, false, PROBE_TEXTS_MAX, &hits);
	for (size_t i = 0; i < hits.list.count; i++)
		add_line_once(&source->reading->text, hits.list.items[i]);
	probe_texts_release(&hits);
}

static void add_stat_line(const struct source *source, struct str path, struct str info)
{
	buf_add(&source->reading->text, path);
	buf_add_byte(&source->reading->text, ' ');
	add_line(&source->reading->text, info);
}

/* "\[" in an escaped path is "[". False: it is a glob, which no file need fit. */
static bool unescape(struct str pattern, struct buf *out)
{
	for (size_t i = 0; i < pattern.size; i++) {
		char byte = pattern.data[i];
		if (byte == '*' || byte == '?' || byte == '[')
			return false;
		if (byte == '\\' && i + 1 < pattern.size)
			byte = pattern.data[++i];
		buf_add_byte(out, byte);
	}
	return true;
}

static void read_stat(const struct source *source)
{
	struct probe_texts paths = {0};
	struct probe_answer answer = {0};
	expand_paths(source, source->step->stat, &paths);
	for (size_t i = 0; i < paths.list.count; i++) {
		struct probe_texts hits = {0};
		struct buf plain = {0};
		hits_of(source, paths.list.items[i], false, &hits);
		for (size_t j = 0; j < hits.list.count; j++)
			if (ask_text(source, PROBE_ASK_STAT, hits.list.items[j], &answer) == PROBE_END_OK)
				add_stat_line(source, hits.list.items[j], buf_str(&answer.text));
		if (hits.list.count == 0 && unescape(paths.list.items[i], &plain))
			add_stat_line(source, buf_str(&plain), STR("missing"));
		buf_release(&plain);
		probe_texts_release(&hits);
	}
	buf_release(&answer.text);
	probe_texts_release(&paths);
}

static void read_resolve(const struct source *source)
{
	struct probe_texts hits = {0};
	struct probe_answer answer = {0};
	existing(source, source->step->resolve, false, PROBE_TEXTS_MAX, &hits);
	for (size_t i = 0; i < hits.list.count; i++)
		if (ask_text(source, PROBE_ASK_RESOLVE, hits.list.items[i], &answer) == PROBE_END_OK)
			add_line_once(&source->reading->text, str_trim(buf_str(&answer.text)));
	buf_release(&answer.text);
	probe_texts_release(&hits);
}

static void read_some_files(const struct source *source, struct str_list templates, bool all)
{
	struct probe_texts hits = {0};
	struct probe_answer answer = {0};
	existing(source, templates, !all, PROBE_TEXTS_MAX, &hits);
	source->reading->end = PROBE_END_MISSING; /* existing was one thing, being readable is another */
	for (size_t i = 0; i < hits.list.count; i++) {
		ask_text(source, PROBE_ASK_FILE, hits.list.items[i], &answer);
		note_end(source->reading, &answer);
		if (answer.end != PROBE_END_OK)
			continue;
		add_line(&source->reading->text, buf_str(&answer.text));
		note_what(source->reading, hits.list.items[i]);
		if (!all)
			break;
	}
	buf_release(&answer.text);
	probe_texts_release(&hits);
}

static void read_file(const struct source *source)
{
	read_some_files(source, source->step->file, false);
}

static void read_files(const struct source *source)
{
	read_some_files(source, source->step->files, true);
}

/* ---- Python packages. --------------------------------------------------------------------------------- */

/* Where pip leaves METADATA; `~` is the package's name, in which -, _ and . are one. */
static const char *const metadata_places[] = {"/~-*.dist-info/METADATA", "/~-*.egg-info/PKG-INFO",
					      "/~.egg-info/PKG-INFO", "/~-*.egg-info"};

static bool is_separator(char byte)
{
	return byte == '-' || byte == '_' || byte == '.';
}

static void add_name_glob(struct buf *out, struct str name)
{
	for (size_t i = 0; i < name.size; i++)
		if (is_separator(name.data[i]))
			buf_add(out, STR("[-_.]"));
		else
			buf_add_byte(out, name.data[i]);
}

static bool same_package(struct str a, struct str b)
{
	if (a.size != b.size)
		return false;
	for (size_t i = 0; i < a.size; i++)
		if (!(is_separator(a.data[i]) && is_separator(b.data[i])) &&
		    !str_equal_ascii_case(str_slice(a, i, i + 1), str_slice(b, i, i + 1)))
			return false;
	return true;
}

/* torch-*.dist-info also fits "torch-npu-…": the Name line decides. */
static bool metadata_is_of(struct str text, struct str package)
{
	struct str line;
	while (str_next(&text, '\n', &line))
		if (str_starts(line, STR("Name:")))
			return same_package(str_trim(str_slice(line, 5, line.size)), package);
	return false;
}

static bool read_metadata(const struct source *source, struct str pattern)
{
	struct probe_texts hits = {0};
	struct probe_answer answer = {0};
	bool found = false;
	hits_of(source, pattern, true, &hits);
	for (size_t i = 0; i < hits.list.count && !found; i++) {
		struct str path = hits.list.items[i];
		ask_text(source, PROBE_ASK_FILE, path, &answer);
		found = answer.end == PROBE_END_OK &&
			metadata_is_of(buf_str(&answer.text), source->step->package);
		if (found) {
			buf_add_format(&source->reading->text, "Path: %.*s\n", STR_ARG(path));
			add_line(&source->reading->text, buf_str(&answer.text));
			note_what(source->reading, path);
		}
	}
	buf_release(&answer.text);
	probe_texts_release(&hits);
	return found;
}

static bool read_package_in(const struct source *source, struct str folder)
{
	bool found = false;
	for (size_t i = 0; i < sizeof(metadata_places) / sizeof(*metadata_places) && !found; i++) {
		struct str place = str_of(metadata_places[i]);
		struct buf pattern = {0};
		buf_add(&pattern, folder);
		buf_add_byte(&pattern, '/');
		add_name_glob(&pattern, source->step->package);
		buf_add(&pattern, str_slice(place, 2, place.size));
		found = read_metadata(source, buf_str(&pattern));
		buf_release(&pattern);
	}
	return found;
}

/* `pip install -e` of old: NAME.egg-link holds the folder of the source. */
static bool read_egg_link(const struct source *source, struct str folder)
{
	struct buf path = {0};
	struct probe_answer answer = {0};
	struct probe_texts hits = {0};
	buf_add(&path, folder);
	buf_add_byte(&path, '/');
	add_name_glob(&path, source->step->package);
	buf_add(&path, STR(".egg-link"));
	hits_of(source, buf_str(&path), true, &hits);
	bool found = false;
	if (hits.list.count > 0 &&
	    ask_text(source, PROBE_ASK_FILE, hits.list.items[0], &answer) == PROBE_END_OK) {
		struct str lines = buf_str(&answer.text), first;
		found = str_next(&lines, '\n', &first) && str_starts(first, STR("/")) &&
			read_package_in(source, str_trim(first));
	}
	probe_texts_release(&hits);
	buf_release(&answer.text);
	buf_release(&path);
	return found;
}

static void read_package(const struct source *source)
{
	struct probe_texts folders = {0};
	expand_paths(source, source->step->in, &folders);
	bool found = false;
	for (size_t i = 0; i < folders.list.count && !found; i++)
		found = read_package_in(source, folders.list.items[i]) ||
			read_egg_link(source, folders.list.items[i]);
	source->reading->end = found ? PROBE_END_OK : PROBE_END_MISSING;
	probe_texts_release(&folders);
}

/* ---- Commands and the environment. -------------------------------------------------------------------- */

static void read_command(const struct source *source)
{
	struct probe_texts argv = {0};
	struct str_list templates = source->step->command;
	for (size_t i = 0; i < templates.count; i++)
		probe_expand(source->values, source->host, templates.items[i], PROBE_TEMPLATE_TEXT, &argv);
	if (source->host->no_commands) {
		source->reading->refused = true;
	} else if (argv.list.count >= templates.count && templates.count > 0) {
		struct probe_answer answer = {0};
		struct probe_request request = {.ask = PROBE_ASK_COMMAND,
						.argv = argv.list.items,
						.argv_count = argv.list.count,
						.timeout_ms = source->timeout_ms};
		ask(source, &request, &answer);
		source->reading->end = answer.end;
		source->reading->number = answer.number;
		buf_add(&source->reading->text, buf_str(&answer.text));
		for (size_t i = 0; i < argv.list.count; i++) {
			if (i > 0)
				buf_add_byte(&source->reading->what, ' ');
			buf_add(&source->reading->what, argv.list.items[i]);
		}
		buf_release(&answer.text);
	}
	probe_texts_release(&argv);
}

static void read_which(const struct source *source)
{
	struct probe_answer answer = {0};
	for (size_t i = 0; i < source->step->which.count; i++) {
		ask_text(source, PROBE_ASK_WHICH, source->step->which.items[i], &answer);
		note_end(source->reading, &answer);
		if (answer.end == PROBE_END_OK) {
			buf_add(&source->reading->text, str_trim(buf_str(&answer.text)));
			note_what(source->reading, str_trim(buf_str(&answer.text)));
			break;
		}
	}
	buf_release(&answer.text);
}

static void read_env(const struct source *source)
{
	struct probe_answer answer = {0};
	for (size_t i = 0; i < source->step->env.count; i++) {
		ask_text(source, PROBE_ASK_ENV, source->step->env.items[i], &answer);
		note_end(source->reading, &answer);
		if (answer.end == PROBE_END_OK)
			add_line(&source->reading->text, buf_str(&answer.text));
	}
	buf_release(&answer.text);
}

static void read_variables(const struct source *source)
{
	struct probe_answer answer = {0};
	for (size_t i = 0; i < source->step->variable_count; i++) {
		const struct probe_variable *variable = &source->step->variables[i];
		ask_text(source, PROBE_ASK_ENV, variable->name, &answer);
		struct str line = buf_str(&answer.text);
		if (answer.end != PROBE_END_OK || line.size <= variable->name.size)
			continue;
		if (str_ends(line, STR("\n")))
			line.size--;
		struct buf why = {0};
		struct str value = str_slice(line, variable->name.size + 1, line.size);
		if (probe_variable_legal(variable, value, &why) != PROBE_TRUE)
			add_line(&source->reading->text, line);
		buf_release(&why);
	}
	source->reading->end = PROBE_END_OK;
	buf_release(&answer.text);
}

static void read_value(const struct source *source)
{
	if (expand_one(source, source->step->value, &source->reading->text))
		source->reading->end = PROBE_END_OK;
}

/* ---- The network and the system. ---------------------------------------------------------------------- */

static void take_answer(const struct source *source, const struct probe_request *request)
{
	struct probe_answer answer = {0};
	ask(source, request, &answer);
	source->reading->end = answer.end;
	source->reading->number = answer.number;
	buf_add(&source->reading->text, buf_str(&answer.text));
	buf_release(&answer.text);
}

static void read_port_range(const struct source *source, struct str template, enum probe_ask kind)
{
	struct buf text = {0}, range = {0};
	uint16_t first, last;
	if (expand_one(source, template, &text) && probe_ports_parse(buf_str(&text), &first, &last)) {
		buf_add_format(&range, "%u-%u", first, last);
		uint64_t size = source->step->size > 0 ? (uint64_t)source->step->size : 1;
		take_answer(source,
			    &(struct probe_request){.ask = kind, .text = buf_str(&range), .size = size});
	}
	buf_release(&range);
	buf_release(&text);
}

static void read_ports(const struct source *source)
{
	read_port_range(source, source->step->ports, PROBE_ASK_PORTS);
}

static void read_free_ports(const struct source *source)
{
	read_port_range(source, source->step->free_ports, PROBE_ASK_FREE_PORTS);
}

static void read_interfaces(const struct source *source)
{
	struct buf wanted[2] = {{0}, {0}};
	struct str argv[2];
	for (size_t i = 0; i < 2; i++) {
		if (i < source->step->interfaces.count)
			expand_one(source, source->step->interfaces.items[i], &wanted[i]);
		argv[i] = buf_str(&wanted[i]);
	}
	take_answer(source,
		    &(struct probe_request){.ask = PROBE_ASK_INTERFACES, .argv = argv, .argv_count = 2});
	buf_release(&wanted[0]);
	buf_release(&wanted[1]);
}

static void read_space(const struct source *source)
{
	struct probe_texts paths = {0};
	probe_expand(source->values, source->host, source->step->space, PROBE_TEMPLATE_PATH, &paths);
	if (paths.list.count > 0)
		take_answer(source,
			    &(struct probe_request){.ask = PROBE_ASK_SPACE, .text = paths.list.items[0]});
	probe_texts_release(&paths);
}

static void read_system(const struct source *source)
{
	take_answer(source, &(struct probe_request){.ask = PROBE_ASK_SYSTEM, .text = source->step->system});
}

/* ---- Versions. ---------------------------------------------------------------------------------------- */

static struct str version_among(void *context, struct str value)
{
	const struct probe_values *values = context;

	return probe_values_get(values, value);
}

static void read_compat(const struct source *source)
{
	struct str_list ids = source->step->compat;
	const struct compat_matrix *matrices[COMPAT_MATRICES_MAX];
	size_t count = 0;
	struct compat compat;

	for (size_t i = 0; i < source->kb->matrix_count; i++)
		for (size_t j = 0; j < ids.count && count < COMPAT_MATRICES_MAX; j++)
			if (str_equal(source->kb->matrices[i]->id, ids.items[j]))
				matrices[count++] = source->kb->matrices[i];
	compat_check(matrices, count, version_among, (void *)(uintptr_t)source->values, false, &compat);
	compat_add_lines(&compat, &source->reading->text);
	source->reading->end = PROBE_END_OK;
}

/* ---- The table. --------------------------------------------------------------------------------------- */

enum { IS_LIST, IS_STR, IS_COUNT };

static const struct {
	size_t offset;
	int type;
	void (*read)(const struct source *source);
} sources[] = {
	{offsetof(struct probe_step, find), IS_LIST, read_find},
	{offsetof(struct probe_step, paths), IS_LIST, read_paths},
	{offsetof(struct probe_step, stat), IS_LIST, read_stat},
	{offsetof(struct probe_step, resolve), IS_LIST, read_resolve},
	{offsetof(struct probe_step, file), IS_LIST, read_file},
	{offsetof(struct probe_step, files), IS_LIST, read_files},
	{offsetof(struct probe_step, command), IS_LIST, read_command},
	{offsetof(struct probe_step, which), IS_LIST, read_which},
	{offsetof(struct probe_step, env), IS_LIST, read_env},
	{offsetof(struct probe_step, value), IS_STR, read_value},
	{offsetof(struct probe_step, package), IS_STR, read_package},
	{offsetof(struct probe_step, ports), IS_STR, read_ports},
	{offsetof(struct probe_step, free_ports), IS_STR, read_free_ports},
	{offsetof(struct probe_step, interfaces), IS_LIST, read_interfaces},
	{offsetof(struct probe_step, space), IS_STR, read_space},
	{offsetof(struct probe_step, system), IS_STR, read_system},
	{offsetof(struct probe_step, compat), IS_LIST, read_compat},
	{offsetof(struct probe_step, variable_count), IS_COUNT, read_variables},
};

static bool is_set(const struct probe_step *step, size_t row)
{
	const char *member = (const char *)step + sources[row].offset;
	switch (sources[row].type) {
	case IS_LIST:
		return ((const struct str_list *)(const void *)member)->count > 0;
	case IS_STR:
		return ((const struct str *)(const void *)member)->size > 0;
	default:
		return *(const size_t *)(const void *)member > 0;
	}
}

size_t probe_step_sources(const struct probe_step *step)
{
	size_t count = 0;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		count += is_set(step, i);
	return count;
}

void probe_step_read(const struct kb *kb, const struct probe_step *step, const struct probe_values *values,
		     const struct probe_host *host, uint32_t timeout_ms, struct probe_reading *reading)
{
	struct source source = {kb, step, values, host, timeout_ms, reading};
	reading->end = PROBE_END_MISSING;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		if (is_set(step, i)) {
			sources[i].read(&source);
			return;
		}
	}
}

void probe_reading_release(struct probe_reading *reading)
{
	buf_release(&reading->text);
	buf_release(&reading->what);
	*reading = (struct probe_reading){0};
}

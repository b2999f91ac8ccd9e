/*
 * Golden screens: scripted keys go into a session, the pictures it draws are compared with files.
 *
 *   test_golden                     all .keys files of tests/golden against the .screen files beside them;
 * TAP test_golden --accept NAME…      write NAME.screen anew (all when none is named) test_golden --print
 * FILE.keys   only show what it draws
 *
 * A script is lines of:
 *   sizes ROWSxCOLUMNS…     the script runs once for each size and language
 *   langs zh en             default: both
 *   ascii                   without UTF-8
 *   prompting               started by the shell key
 *   state TEXT              a line of the state to start with
 *   open ID / search TEXT / log PATH   as on the command line
 *   probes                  the canonical answers of probes.txt come in
 *   key NAME…               keys as keymap.h names them
 *   type TEXT               characters
 *   paste TEXT              \n is a line end, \e an escape
 *   mouse press|double|up|down ROW COLUMN
 *   resize ROWSxCOLUMNS
 *   scanned PERCENT FILE    so much of the log FILE of tests/golden is read; 100: the scan is over
 *   lines FILE              the answer to what was asked of its lines
 *   paths A B               the answer to what completes a path
 *   copied TEXT             the answer to a copy
 *   known KIND NAME         what is private on this machine: the answer to what a report asks for
 *   file ok TEXT            the answer to writing a file: it is written, or
 *   file no PATH TEXT       it is not, and PATH is free
 *   effects                 what was asked for since the last time goes into the dump
 *   screen                  a picture
 *   styles                  a picture and its styles
 */
#include "base/utf8.h"
#include "core/findings.h"
#include "core/kb_yaml.h"
#include "core/probe.h"
#include "plat/fs.h"
#include "ui/keymap.h"
#include "ui/session.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER "tests/golden/"

struct golden {
	struct arena arena;
	const struct kb *kb;
	struct buf probes; /* text of probes.txt */
};

/* One run of a script. */
struct run {
	const struct golden *golden;
	struct session *session;
	struct canvas *canvas;
	struct effect_list effects;
	struct effect_list started; /* probes that wait for an answer */
	struct session_options options;
	struct buf state, logs;
	int rows, columns;
	uint64_t now_ms;
	struct buf *out;
};

static void read_folder(struct pack_reader *reader, struct golden *golden, const char *path,
			const char *below)
{
	DIR *folder = opendir(path);
	struct dirent *item;

	while (folder && (item = readdir(folder))) {
		struct buf full = {0}, name = {0}, bytes = {0};
		struct stat status;

		if (item->d_name[0] == '.')
			continue;
		buf_add_format(&full, "%s/%s", path, item->d_name);
		buf_add_format(&name, "%s%s%s", below, *below ? "/" : "", item->d_name);
		if (stat(buf_c_string(&full), &status) == 0 && S_ISDIR(status.st_mode))
			read_folder(reader, golden, buf_c_string(&full), buf_c_string(&name));
		else if (pack_reader_wants(buf_c_string(&name)) &&
			 fs_read_file(buf_c_string(&full), 1 << 20, &bytes, NULL))
			pack_reader_file(reader, arena_c_string(&golden->arena, buf_str(&name)),
					 arena_copy(&golden->arena, buf_str(&bytes)));
		buf_release(&full);
		buf_release(&name);
		buf_release(&bytes);
	}
	if (folder)
		closedir(folder);
}

static bool load(struct golden *golden)
{
	struct diag_list diags = {0};
	struct pack_reader *reader = pack_reader_new(&golden->arena, &diags, FOLDER "pack");
	const struct pack *pack;

	read_folder(reader, golden, FOLDER "pack", "");
	pack = pack_reader_finish(reader);
	for (size_t i = 0; i < diags.list.count; i++)
		printf("# %s:%u: %.*s\n", diags.list.items[i].where.file, diags.list.items[i].where.line,
		       STR_ARG(diags.list.items[i].text));
	diag_release(&diags);
	golden->kb = kb_new(&pack, 1);
	return fs_read_file(FOLDER "probes.txt", 1 << 20, &golden->probes, NULL);
}

static void take_effects(struct run *run)
{
	for (size_t i = 0; i < run->effects.list.count; i++) {
		if (run->effects.list.items[i].kind == EFFECT_PROBE_START)
			effect_add(&run->started, run->effects.list.items[i]);
	}
}

static void send(struct run *run, struct event event)
{
	event.now_ms = run->now_ms += 20;
	session_handle(run->session, &event, &run->effects);
}

static enum probe_state state_of(struct str name)
{
	for (int state = PROBE_UNKNOWN; state <= PROBE_UNTRUSTED; state++) {
		if (str_equal(name, probe_state_name((enum probe_state)state)))
			return (enum probe_state)state;
	}
	return PROBE_UNKNOWN;
}

static void set_values(struct probe_result *result, struct str values)
{
	struct str pair;

	result->values = arena_take_array(&result->arena, 16, sizeof(*result->values));
	while (values.size > 0 && str_next(&values, ';', &pair)) {
		size_t equals = str_find_byte(pair, '=');

		result->values[result->value_count++] = (struct probe_value){
			str_slice(pair, 0, equals), str_slice(pair, equals + 1, pair.size)};
	}
}

/* Answer all probes that were started and not yet answered. */
static void answer_probes(struct run *run)
{
	struct str rest = buf_str(&run->golden->probes), line, part[6];

	take_effects(run);
	while (str_next(&rest, '\n', &line)) {
		struct probe_result result = {0};

		if (line.size == 0 || line.data[0] == '#')
			continue;
		for (int i = 0; i < 6; i++) {
			part[i] = (struct str){0};
			if (line.data)
				str_next(&line, '\t', &part[i]);
		}
		result.state = state_of(part[1]);
		result.entry = part[2];
		result.detail.in[LANG_ZH] = part[3];
		result.detail.in[LANG_EN] = part[4];
		result.source = STR("/bin/probe");
		result.excerpt = STR("first line of the output\nsecond line");
		result.ms = 12;
		set_values(&result, part[5]);
		for (size_t i = 0; i < run->started.list.count; i++) {
			const struct effect *start = &run->started.list.items[i];

			if (str_equal(start->probe->id, part[0]))
				send(run,
				     (struct event){.kind = EVENT_PROBE_DONE,
						    .u.probe = {start->probe, start->generation, &result}});
		}
		probe_result_release(&result);
	}
	effect_clear(&run->started);
}

static void dump_effects(struct run *run)
{
	static const char *const names[] = {[EFFECT_PROBE_START] = "probe-start",
					    [EFFECT_PROBE_CANCEL] = "probe-cancel",
					    [EFFECT_SCAN_START] = "scan-start",
					    [EFFECT_SCAN_STOP] = "scan-stop",
					    [EFFECT_LOG_LINES] = "log-lines",
					    [EFFECT_COMPLETE] = "complete",
					    [EFFECT_COPY] = "copy",
					    [EFFECT_SHOW_RAW] = "show-raw",
					    [EFFECT_MOUSE] = "mouse",
					    [EFFECT_PROMPT] = "prompt",
					    [EFFECT_SAVE_GUIDE] = "save-guide",
					    [EFFECT_HISTORY] = "history",
					    [EFFECT_HISTORY_READ] = "history-read",
					    [EFFECT_REPORT_READ] = "report-read",
					    [EFFECT_FILE_NEW] = "file-new",
					    [EFFECT_SAVE_STATE] = "save-state",
					    [EFFECT_REDRAW] = "redraw",
					    [EFFECT_SUSPEND] = "suspend",
					    [EFFECT_QUIT] = "quit"};

	take_effects(run);
	for (size_t i = 0; i < run->effects.list.count; i++) {
		const struct effect *effect = &run->effects.list.items[i];

		if (effect->kind == EFFECT_PROBE_START || effect->kind == EFFECT_PROBE_CANCEL)
			continue;
		buf_add_format(run->out, "-- %s %.*s\n", names[effect->kind], STR_ARG(effect->label));
		buf_add(run->out, effect->text);
		if (effect->text.size > 0 && !str_ends(effect->text, STR("\n")))
			buf_add_byte(run->out, '\n');
	}
	effect_clear(&run->effects);
}

static void dump_screen(struct run *run, bool styles)
{
	session_draw(run->session, run->canvas);
	buf_add_format(run->out, "== %dx%d %s\n", run->rows, run->columns,
		       session_lang(run->session) == LANG_ZH ? "zh" : "en");
	canvas_dump(run->canvas, run->out);
	if (styles)
		canvas_dump_styles(run->canvas, run->out);
}

static void type(struct run *run, struct str text)
{
	for (size_t at = 0, size; at < text.size; at += size)
		send(run, (struct event){.kind = EVENT_KEY, .u.key = utf8_at(text, at, &size)});
}

static void paste(struct run *run, struct str text)
{
	struct buf bytes = {0};

	for (size_t i = 0; i < text.size; i++) {
		bool escaped = text.data[i] == '\\' && i + 1 < text.size;

		if (escaped)
			i++;
		buf_add_byte(&bytes, !escaped              ? text.data[i]
				     : text.data[i] == 'n' ? '\n'
				     : text.data[i] == 'e' ? '\x1B'
							   : text.data[i]);
	}
	send(run, (struct event){.kind = EVENT_PASTE, .u.text = buf_str(&bytes)});
	buf_release(&bytes);
}

static void mouse(struct run *run, struct str arguments)
{
	struct event event = {.kind = EVENT_MOUSE};
	char action[16];

	if (sscanf(arguments.data, "%15s %d %d", action, &event.u.mouse.row, &event.u.mouse.column) != 3)
		return;
	event.u.mouse.action = strcmp(action, "double") == 0 ? MOUSE_DOUBLE
			       : strcmp(action, "up") == 0   ? MOUSE_WHEEL_UP
			       : strcmp(action, "down") == 0 ? MOUSE_WHEEL_DOWN
							     : MOUSE_PRESS;
	send(run, event);
}

static bool read_log(struct str name, struct buf *text)
{
	struct buf path = {0};
	bool good;

	buf_add_format(&path, FOLDER "%.*s", STR_ARG(name));
	good = fs_read_file(buf_c_string(&path), 1 << 20, text, NULL);
	buf_release(&path);
	return good;
}

/* The diagnosis is the real one, of the part of the file that is read. A tenth of a second goes by. */
static bool scan(struct run *run, struct str arguments)
{
	struct event event = {.kind = EVENT_SCAN_PROGRESS};
	struct scanner *scanner = scanner_new(run->golden->kb);
	struct diagnose *diagnose = diagnose_new(scanner);
	struct buf text = {0}, findings = {0};
	uint64_t percent = 0;
	struct str number;
	bool good = str_next(&arguments, ' ', &number) && str_to_u64(number, &percent) &&
		    read_log(arguments, &text);
	struct str part = str_slice(buf_str(&text), 0, text.size * percent / 100);

	diagnose_begin(diagnose, arguments);
	diagnose_feed(diagnose, part.data, part.size);
	if (percent < 100)
		diagnose_flush(diagnose);
	else
		event.kind = EVENT_SCAN_DONE;
	findings_write(run->golden->kb, percent < 100 ? diagnose_result(diagnose) : diagnose_finish(diagnose),
		       &findings);
	/* As if it were large. */
	event.u.scan = (struct scan_news){.generation = 1,
					  .bytes = (uint64_t)part.size << 20,
					  .total = (uint64_t)text.size << 20,
					  .files = 1,
					  .findings = buf_str(&findings)};
	run->now_ms += 1000;
	send(run, event);
	diagnose_free(diagnose);
	scanner_free(scanner);
	buf_release(&findings);
	buf_release(&text);
	return good;
}

static const struct effect *last_effect(const struct run *run, enum effect_kind kind)
{
	for (size_t i = run->effects.list.count; i > 0; i--) {
		if (run->effects.list.items[i - 1].kind == kind)
			return &run->effects.list.items[i - 1];
	}
	return NULL;
}

static bool answer_lines(struct run *run, struct str name)
{
	const struct effect *asked = last_effect(run, EFFECT_LOG_LINES);
	struct buf text = {0};
	bool good = asked && read_log(name, &text);

	if (good)
		send(run,
		     (struct event){.kind = EVENT_LOG_LINES,
				    .u.lines = {asked->id, true, buf_str(&text), (size_t)asked->offset}});
	buf_release(&text);
	return good;
}

static bool answer_paths(struct run *run, struct str paths)
{
	const struct effect *asked = last_effect(run, EFFECT_COMPLETE);
	struct buf text = {0};
	struct str path;

	while (str_next(&paths, ' ', &path)) {
		buf_add(&text, path);
		buf_add_byte(&text, '\0');
	}
	if (asked)
		send(run,
		     (struct event){.kind = EVENT_PATHS, .u.lines = {asked->id, true, buf_str(&text), 0}});
	buf_release(&text);
	return asked != NULL;
}

static bool answer_file(struct run *run, struct str arguments)
{
	const struct effect *asked = last_effect(run, EFFECT_FILE_NEW);
	struct event event = {.kind = EVENT_FILE};
	struct str word;

	/* What was dumped is forgotten: the ids count up. */
	event.u.file.id = asked ? asked->id : run->effects.last_id;
	if (!str_next(&arguments, ' ', &word))
		return false;
	event.u.file.ok = str_equal(word, STR("ok"));
	if (!event.u.file.ok && !str_next(&arguments, ' ', &event.u.file.next))
		return false;
	event.u.file.message = arguments;
	send(run, event);
	return true;
}

static void resize(struct run *run, struct str arguments)
{
	if (sscanf(arguments.data, "%dx%d", &run->rows, &run->columns) == 2)
		send(run, (struct event){.kind = EVENT_RESIZE, .u.size = {run->rows, run->columns}});
}

/* False: not a command. */
static bool run_line(struct run *run, struct str command, struct str arguments)
{
	struct str name;

	if (str_equal(command, STR("key"))) {
		while (str_next(&arguments, ' ', &name)) {
			struct event event = {.kind = EVENT_KEY};

			if (!keymap_parse(name, &event.u.key))
				return false;
			send(run, event);
		}
	} else if (str_equal(command, STR("type"))) {
		type(run, arguments);
	} else if (str_equal(command, STR("paste"))) {
		paste(run, arguments);
	} else if (str_equal(command, STR("mouse"))) {
		mouse(run, arguments);
	} else if (str_equal(command, STR("resize"))) {
		resize(run, arguments);
	} else if (str_equal(command, STR("scanned"))) {
		return scan(run, arguments);
	} else if (str_equal(command, STR("lines"))) {
		return answer_lines(run, arguments);
	} else if (str_equal(command, STR("paths"))) {
		return answer_paths(run, arguments);
	} else if (str_equal(command, STR("probes"))) {
		answer_probes(run);
	} else if (str_equal(command, STR("copied"))) {
		send(run, (struct event){.kind = EVENT_EFFECT_DONE, .u.done = {1, true, arguments}});
	} else if (str_equal(command, STR("known"))) {
		send(run, (struct event){.kind = EVENT_REPORT, .u.report = {arguments, {0}}});
	} else if (str_equal(command, STR("file"))) {
		return answer_file(run, arguments);
	} else if (str_equal(command, STR("effects"))) {
		dump_effects(run);
	} else if (str_equal(command, STR("screen")) || str_equal(command, STR("styles"))) {
		dump_screen(run, str_equal(command, STR("styles")));
	} else {
		return false;
	}
	return true;
}

/* Lines that say how to start; false: it is a line to be run. */
static bool set_option(struct run *run, struct str command, struct str arguments)
{
	if (str_equal(command, STR("open")))
		run->options.open = arguments;
	else if (str_equal(command, STR("search")))
		run->options.search = arguments;
	else if (str_equal(command, STR("log")))
		buf_add_format(&run->logs, "%.*s%c", STR_ARG(arguments), 0);
	else if (str_equal(command, STR("ascii")))
		run->options.ascii = true;
	else if (str_equal(command, STR("prompting")))
		run->options.prompting = true;
	else if (str_equal(command, STR("state")))
		buf_add_format(&run->state, "%.*s\n", STR_ARG(arguments));
	else
		return str_equal(command, STR("sizes")) || str_equal(command, STR("langs"));
	return true;
}

static bool next_line(struct str *rest, struct str *command, struct str *arguments)
{
	struct str line;
	size_t blank;

	do {
		if (!str_next(rest, '\n', &line))
			return false;
	} while (line.size == 0 || line.data[0] == '#');
	blank = str_find_byte(line, ' ');
	*command = str_slice(line, 0, blank);
	*arguments = blank == STR_NOT_FOUND ? (struct str){line.data + line.size, 0}
					    : str_slice(line, blank + 1, line.size);
	return true;
}

static void run_script(const struct golden *golden, struct str script, int rows, int columns, enum lang lang,
		       struct buf *out)
{
	struct run run = {.golden = golden, .rows = rows, .columns = columns, .now_ms = 1000, .out = out};
	struct str rest = script, command, arguments;

	run.options = (struct session_options){.lang = lang, .machine = STR("aarch64")};
	while (next_line(&rest, &command, &arguments))
		set_option(&run, command, arguments);
	run.options.state = buf_str(&run.state);
	run.options.logs = buf_str(&run.logs);
	run.session = session_new(golden->kb, &run.options, rows, columns);
	run.canvas = canvas_new(rows, columns);
	session_start(run.session, run.now_ms, &run.effects);
	rest = script;
	while (next_line(&rest, &command, &arguments)) {
		if (!set_option(&run, command, arguments) && !run_line(&run, command, arguments))
			buf_add_format(out, "?? %.*s\n", STR_ARG(command));
	}
	session_free(run.session);
	canvas_free(run.canvas);
	effect_release(&run.effects);
	effect_release(&run.started);
	buf_release(&run.state);
	buf_release(&run.logs);
}

static struct str option_of(struct str script, struct str wanted, struct str otherwise)
{
	struct str rest = script, command, arguments;

	while (next_line(&rest, &command, &arguments)) {
		if (str_equal(command, wanted))
			return arguments;
	}
	return otherwise;
}

static void run_all(const struct golden *golden, struct str script, struct buf *out)
{
	struct str sizes = option_of(script, STR("sizes"), STR("24x80")), size;

	while (str_next(&sizes, ' ', &size)) {
		struct str langs = option_of(script, STR("langs"), STR("zh en")), lang;
		int rows = 24, columns = 80;

		sscanf(size.data, "%dx%d", &rows, &columns);
		while (str_next(&langs, ' ', &lang))
			run_script(golden, script, rows, columns,
				   str_equal(lang, STR("zh")) ? LANG_ZH : LANG_EN, out);
	}
}

/* Where two texts begin to differ, for the reader of a failure. */
static void show_difference(struct str expected, struct str got)
{
	struct str a, b;

	for (int line = 1;; line++) {
		bool more_a = str_next(&expected, '\n', &a), more_b = str_next(&got, '\n', &b);

		if (!more_a && !more_b)
			return;
		if (more_a && more_b && str_equal(a, b))
			continue;
		printf("#   line %d\n#   expected: %.*s\n#   got:      %.*s\n", line,
		       more_a ? (int)a.size : 0, more_a ? a.data : "", more_b ? (int)b.size : 0,
		       more_b ? b.data : "");
		return;
	}
}

static bool check(const struct golden *golden, const char *program, int number, const char *name, bool accept)
{
	struct buf keys_path = {0}, screen_path = {0}, script = {0}, expected = {0}, got = {0};
	bool same;

	buf_add_format(&keys_path, FOLDER "%s.keys", name);
	buf_add_format(&screen_path, FOLDER "%s.screen", name);
	fs_read_file(buf_c_string(&keys_path), 1 << 20, &script, NULL);
	run_all(golden, buf_str(&script), &got);
	if (accept)
		fs_write_file(buf_c_string(&screen_path), buf_str(&got), NULL);
	fs_read_file(buf_c_string(&screen_path), 8 << 20, &expected, NULL);
	same = script.size > 0 && str_equal(buf_str(&expected), buf_str(&got));
	printf("%s %d - %s\n", same ? "ok" : "not ok", number, name);
	if (!same) {
		show_difference(buf_str(&expected), buf_str(&got));
		printf("#   to accept it: %s --accept %s; then look at it with git diff\n", program, name);
	}
	buf_release(&keys_path);
	buf_release(&screen_path);
	buf_release(&script);
	buf_release(&expected);
	buf_release(&got);
	return same;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_all(struct golden *golden, char **arguments, int count, bool accept)
{
	VEC(const char *) names = {0};
	DIR *folder = opendir(FOLDER);
	struct dirent *item;
	int failed = 0;

	while (folder && (item = readdir(folder))) {
		struct str name = str_of(item->d_name);

		if (str_ends(name, STR(".keys")))
			vec_push(&names, arena_c_string(&golden->arena, str_slice(name, 0, name.size - 5)));
	}
	if (folder)
		closedir(folder);
	if (names.count > 0)
		qsort(names.items, names.count, sizeof(names.items[0]), compare_names);
	for (size_t i = 0; i < names.count; i++) {
		bool wanted = count <= 2;

		for (int j = 2; j < count; j++)
			wanted = wanted || strcmp(arguments[j], names.items[i]) == 0;
		if (wanted && !check(golden, arguments[0], (int)i + 1, names.items[i], accept))
			failed++;
	}
	vec_release(&names);
	return failed > 0;
}

int main(int count, char **arguments)
{
	struct golden golden = {0};
	struct buf script = {0}, out = {0};
	int status = 1;

	if (!load(&golden)) {
		printf("not ok - " FOLDER "probes.txt cannot be read: run me from the top of the sources\n");
	} else if (count == 3 && strcmp(arguments[1], "--print") == 0) {
		fs_read_file(arguments[2], 1 << 20, &script, NULL);
		run_all(&golden, buf_str(&script), &out);
		fwrite(out.data, 1, out.size, stdout);
		status = 0;
	} else {
		status = check_all(&golden, arguments, count,
				   count > 1 && strcmp(arguments[1], "--accept") == 0);
	}
	buf_release(&script);
	buf_release(&out);
	buf_release(&golden.probes);
	kb_free((struct kb *)golden.kb);
	arena_release(&golden.arena);
	return status;
}

/*
 * The labelled logs of tests/fixtures/logs, as they are and as launchers, terminals and collectors change
 * them on their way: what is found stays the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "core/diagnose.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#define LOGS "tests/fixtures/logs/"

struct labelled {
	struct str file, expected;
	struct str text;
};

struct fixture {
	struct arena arena;
	VEC(struct labelled) logs;
	struct kb *kb;
	struct scanner *scanner;
	struct diagnose *diagnose;
};

static struct str read_file(struct arena *arena, const char *path)
{
	struct buf bytes = {0};
	char part[4096];
	FILE *file = fopen(path, "rb");
	struct str text;
	size_t got;

	if (!file)
		fail_msg("%s cannot be read: run the tests from the top folder", path);
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		buf_add_bytes(&bytes, part, got);
	fclose(file);
	text = arena_copy(arena, buf_str(&bytes));
	buf_release(&bytes);
	return text;
}

static void read_labels(struct fixture *fixture, const char *path)
{
	struct str rest = read_file(&fixture->arena, path);
	struct str line;

	while (str_next(&rest, '\n', &line)) {
		struct labelled log = {0};
		struct buf name = {0};

		if (!line.size || line.data[0] == '#')
			continue;
		str_next(&line, '\t', &log.file);
		str_next(&line, '\t', &log.expected);
		buf_add_format(&name, LOGS "%.*s", STR_ARG(log.file));
		log.text = read_file(&fixture->arena, buf_c_string(&name));
		buf_release(&name);
		vec_push(&fixture->logs, log);
	}
}

static int setup(void **state)
{
	static const struct pack *const packs[] = {&kb_shipped_pack};
	struct fixture *fixture = alloc_zeroed(1, sizeof(*fixture));
	glob_t labels;

	if (glob(LOGS "labels*.tsv", 0, NULL, &labels) != 0)
		return -1;
	for (size_t i = 0; i < labels.gl_pathc; i++)
		read_labels(fixture, labels.gl_pathv[i]);
	globfree(&labels);
	fixture->kb = kb_new(packs, 1);
	fixture->scanner = scanner_new(fixture->kb);
	fixture->diagnose = diagnose_new(fixture->scanner);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	diagnose_free(fixture->diagnose);
	scanner_free(fixture->scanner);
	kb_free(fixture->kb);
	vec_release(&fixture->logs);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

/* Labels: "1.2|3.2,3.4" wants one of the first two and 3.4; an alternative "none" makes it optional. */

static bool is_named(struct str list, char separator, struct str id)
{
	struct str rest = list;
	struct str name;

	while (str_next(&rest, separator, &name)) {
		if (str_equal(name, id))
			return true;
	}
	return false;
}

static bool is_allowed(struct str expected, struct str id)
{
	struct str rest = expected;
	struct str group;

	while (str_next(&rest, ',', &group)) {
		if (is_named(group, '|', id))
			return true;
	}
	return false;
}

static bool has_one_of(const struct diagnosis *result, struct str group)
{
	for (size_t i = 0; i < result->match_count; i++) {
		if (is_named(group, '|', result->matches[i].entry->id))
			return true;
	}
	return is_named(group, '|', STR("none"));
}

/* What is wrong, or null. */
static const char *judge(const struct diagnosis *result, struct str expected)
{
	struct str rest = expected;
	struct str group;

	if (str_equal(expected, STR("none")))
		return result->match_count ? "something is found in a log without a known problem" : NULL;
	while (str_next(&rest, ',', &group)) {
		if (!has_one_of(result, group))
			return "an expected entry is not found";
	}
	if (result->match_count && !is_allowed(expected, result->matches[0].entry->id))
		return "another entry comes first";
	for (size_t i = 0; i < result->match_count; i++) {
		if (!is_allowed(expected, result->matches[i].entry->id))
			return "an entry is found that does not apply";
	}
	return NULL;
}

static size_t check_text(struct fixture *fixture, const struct labelled *log, struct str text,
			 const char *how)
{
	const struct diagnosis *result;
	const char *wrong;

	diagnose_reset(fixture->diagnose);
	diagnose_begin(fixture->diagnose, STR("log"));
	diagnose_feed(fixture->diagnose, text.data, text.size);
	result = diagnose_finish(fixture->diagnose);
	wrong = judge(result, log->expected);
	if (!wrong)
		return 0;
	print_error("%.*s, %s: %s; expected %.*s, found", STR_ARG(log->file), how, wrong,
		    STR_ARG(log->expected));
	for (size_t i = 0; i < result->match_count; i++)
		print_error(" %.*s", STR_ARG(result->matches[i].entry->id));
	print_error("\n");
	return 1;
}

/* Ways that a log changes. `line` counts from 0. */

typedef void change_line(struct buf *out, struct str line, size_t number);

static void add_json_string(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned char byte = (unsigned char)text.data[i];

		if (byte == '\n')
			buf_add(out, STR("\\n"));
		else if (byte == '"' || byte == '\\')
			buf_add_format(out, "\\%c", byte);
		else if (byte < 0x20)
			buf_add_format(out, "\\u%04x", byte);
		else
			buf_add_byte(out, (char)byte);
	}
}

#define PREFIXED(name, ...) \
	static void name(struct buf *out, struct str line, size_t number) \
	{ \
		(void)number; \
		buf_add_format(out, __VA_ARGS__); \
		buf_add(out, line); \
		buf_add_byte(out, '\n'); \
	}

PREFIXED(torchrun, "[rank3]: ")
PREFIXED(torchrun_tee, "[default5]:")
PREFIXED(vllm, "(EngineCore_DP0 pid=276) ERROR 03-18 08:08:%02zu [core.py:1100] ", number % 60)
PREFIXED(vllm_worker, "(Worker_TP3 pid=1526) ERROR 09-26 15:32:25 [multiproc_executor.py:654] ")
PREFIXED(ray, "\033[36m(WorkerDict pid=23316, ip=10.0.0.7)\033[0m ")
PREFIXED(ray_half_eaten, "[36m(WorkerDict pid=23316)[0m ")
PREFIXED(srun, "4: ")
PREFIXED(mpirun, "[1,2]<stderr>:")
PREFIXED(mpirun_blank, "[1,2]<stdout>: ")
PREFIXED(docker_time, "2026-03-02T08:00:%02zu.123456789Z ", number % 60)
PREFIXED(kubernetes, "2026-03-02T08:00:%02zu.123456789+08:00 stderr F ", number % 60)
PREFIXED(github, "2026-03-02T08:00:%02zu.1234567Z ", number % 60)
PREFIXED(pytest, "E           ")
PREFIXED(bar, "| ")
PREFIXED(bar_indented, "      | ")
PREFIXED(buildkit, "#14 %zu.2 ", number)
PREFIXED(indented, "      ")
PREFIXED(compose, "worker-1  | ")
PREFIXED(kubectl, "[pod/train-worker-0/main] ")
PREFIXED(python_logging, "2026-03-02 08:00:%02zu,640 - ERROR - ", number % 60)
PREFIXED(clock_time, "[08:00:%02zu] ", number % 60)
PREFIXED(node_and_rank, "node003: [rank1]: ")
PREFIXED(time_and_rank, "2026-03-02T08:00:%02zu.123Z [rank1]: ", number % 60)
PREFIXED(red, "\033[31m")

static void colours(struct buf *out, struct str line, size_t number)
{
	(void)number;
	buf_add_format(out, "\033[1;31m%.*s\033[0m\033[K\n", STR_ARG(line));
}

static void windows(struct buf *out, struct str line, size_t number)
{
	(void)number;
	buf_add_format(out, "%.*s\r\n", STR_ARG(line));
}

static void ray_repeated(struct buf *out, struct str line, size_t number)
{
	(void)number;
	buf_add_format(out, "(WorkerDict pid=7) %.*s [repeated 2x across cluster]\n", STR_ARG(line));
}

static void docker_json(struct buf *out, struct str line, size_t number)
{
	buf_add(out, STR("{\"log\":\""));
	add_json_string(out, line);
	buf_add_format(out, "\\n\",\"stream\":\"stderr\",\"time\":\"2026-03-02T08:00:%02zu.1Z\"}\n",
		       number % 60);
}

static void progress(struct buf *out, struct str line, size_t number)
{
	if (str_trim(line).size)
		buf_add_format(out, " %zu%%|####\r %zu%%|#####\r", number, number + 1);
	buf_add_format(out, "%.*s\n", STR_ARG(line));
}

static void two_ranks(struct buf *out, struct str line, size_t number)
{
	(void)number;
	buf_add_format(out, "[rank0]: %.*s\n[rank1]: %.*s\n", STR_ARG(line), STR_ARG(line));
}

static void among_training(struct buf *out, struct str line, size_t number)
{
	buf_add_format(out, "[rank0]: %.*s\n[rank1]: step %zu loss 0.%zu\n", STR_ARG(line), number,
		       number * 7919);
}

static void wrap(struct buf *out, struct str line, size_t columns)
{
	while (line.size) {
		size_t end = utf8_fit(line, columns);

		end = end ? end : line.size;
		buf_add(out, str_slice(line, 0, end));
		buf_add_byte(out, '\n');
		line = str_slice(line, end, line.size);
		if (!line.size)
			return;
	}
	buf_add_byte(out, '\n');
}

static void wrap_80(struct buf *out, struct str line, size_t number)
{
	(void)number;
	wrap(out, line, 80);
}

static void wrap_120(struct buf *out, struct str line, size_t number)
{
	(void)number;
	wrap(out, line, 120);
}

struct way {
	const char *name;
	change_line *change;
	bool reads_whole_lines; /* says nothing of logs that a terminal has wrapped already */
};

static const struct way ways[] = {
	{"torchrun", torchrun, true},
	{"torchrun --tee", torchrun_tee, true},
	{"vLLM", vllm, true},
	{"vLLM worker", vllm_worker, true},
	{"ray", ray, true},
	{"ray, colours without ESC", ray_half_eaten, true},
	{"ray, repeated", ray_repeated, true},
	{"srun", srun, true},
	{"mpirun", mpirun, true},
	{"mpirun, blank", mpirun_blank, true},
	{"docker time", docker_time, true},
	{"docker JSON", docker_json, true},
	{"kubernetes", kubernetes, true},
	{"GitHub Actions", github, true},
	{"pytest", pytest, true},
	{"bar", bar, true},
	{"bar, indented", bar_indented, true},
	{"buildkit", buildkit, true},
	{"indented", indented, true},
	{"compose", compose, true},
	{"kubectl", kubectl, true},
	{"Python logging", python_logging, true},
	{"clock", clock_time, true},
	{"node and rank", node_and_rank, true},
	{"time and rank", time_and_rank, true},
	{"red", red, false},
	{"colours", colours, false},
	{"CRLF", windows, false},
	{"progress bar before it", progress, true},
	{"two ranks", two_ranks, true},
	{"among training lines", among_training, true},
	{"wrapped at 80", wrap_80, true},
	{"wrapped at 120", wrap_120, true},
};

/* The lines of a log, without their ends. */
static void change_lines(struct str text, change_line *change, struct buf *out)
{
	struct str rest = text;
	struct str line;
	size_t number = 0;

	while (str_next(&rest, '\n', &line)) {
		if (!rest.data && !line.size)
			break;
		if (str_ends(line, STR("\r")))
			line.size--;
		change(out, line, number++);
	}
}

static void logs_as_they_are(void **state)
{
	struct fixture *fixture = *state;
	size_t wrong = 0;

	assert_true(fixture->logs.count >= 25);
	for (size_t i = 0; i < fixture->logs.count; i++)
		wrong +=
			check_text(fixture, &fixture->logs.items[i], fixture->logs.items[i].text, "as it is");
	assert_int_equal(wrong, 0);
}

static bool is_wrapped(const struct labelled *log)
{
	return str_find(log->file, STR("wrap")) != STR_NOT_FOUND;
}

static void logs_changed_line_by_line(void **state)
{
	struct fixture *fixture = *state;
	size_t wrong = 0;

	for (size_t i = 0; i < fixture->logs.count; i++) {
		for (size_t w = 0; w < sizeof(ways) / sizeof(*ways); w++) {
			struct buf changed = {0};

			if (ways[w].reads_whole_lines && is_wrapped(&fixture->logs.items[i]))
				continue;
			change_lines(fixture->logs.items[i].text, ways[w].change, &changed);
			wrong +=
				check_text(fixture, &fixture->logs.items[i], buf_str(&changed), ways[w].name);
			buf_release(&changed);
		}
	}
	assert_int_equal(wrong, 0);
}

static void add_utf16(struct buf *out, struct str text, bool big_endian)
{
	buf_add(out, big_endian ? STR("\xFE\xFF") : STR("\xFF\xFE"));
	for (size_t at = 0, size; at < text.size; at += size) {
		uint32_t character = utf8_at(text, at, &size);
		char bytes[2];

		if (character == UTF8_INVALID || character > 0xFFFF)
			character = 0xFFFD;
		bytes[big_endian ? 0 : 1] = (char)(character >> 8);
		bytes[big_endian ? 1 : 0] = (char)(character & 0xFF);
		buf_add_bytes(out, bytes, 2);
	}
}

static void logs_changed_whole(void **state)
{
	struct fixture *fixture = *state;
	size_t wrong = 0;

	for (size_t i = 0; i < fixture->logs.count; i++) {
		const struct labelled *log = &fixture->logs.items[i];
		struct buf changed = {0};

		add_utf16(&changed, log->text, false);
		wrong += check_text(fixture, log, buf_str(&changed), "UTF-16, little end first");
		buf_clear(&changed);
		add_utf16(&changed, log->text, true);
		wrong += check_text(fixture, log, buf_str(&changed), "UTF-16, big end first");
		if (is_wrapped(log)) {
			buf_release(&changed);
			continue;
		}
		buf_clear(&changed);
		buf_add(&changed, STR("{\"level\":\"error\",\"exc_info\":\""));
		add_json_string(&changed, log->text);
		buf_add(&changed, STR("\"}\n"));
		wrong += check_text(fixture, log, buf_str(&changed), "one JSON string");
		buf_release(&changed);
	}
	assert_int_equal(wrong, 0);
}

/* Far behind the start, where hidden finds are not searched for. */
static void logs_after_megabytes(void **state)
{
	struct fixture *fixture = *state;
	struct buf before = {0};
	size_t wrong = 0;

	while (before.size < 1500 * 1000)
		buf_add_format(&before, "[rank%zu]: {'loss': 0.%zu, 'token_error_rate': 0.2}\n",
			       before.size % 8, before.size);
	for (size_t i = 0; i < fixture->logs.count; i++) {
		size_t size = before.size;

		if (is_wrapped(&fixture->logs.items[i]))
			continue;
		buf_add(&before, fixture->logs.items[i].text);
		wrong += check_text(fixture, &fixture->logs.items[i], buf_str(&before), "behind a megabyte");
		buf_truncate(&before, size);
	}
	buf_release(&before);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logs_as_they_are),
		cmocka_unit_test(logs_changed_line_by_line),
		cmocka_unit_test(logs_changed_whole),
		cmocka_unit_test(logs_after_megabytes),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

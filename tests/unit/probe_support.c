#include "probe_support.h"

#include "test.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char *joined(struct fake_machine *machine, const struct probe_request *request)
{
	struct buf key = {0};
	for (size_t i = 0; i < request->argv_count; i++)
		buf_add_format(&key, "%s%.*s", i > 0 ? " " : "", STR_ARG(request->argv[i]));
	const char *copy = arena_c_string(&machine->arena, buf_str(&key));
	buf_release(&key);
	return copy;
}

static const struct fake_answer *find(const struct fake_machine *machine, enum probe_ask ask, const char *key)
{
	for (size_t i = machine->list.count; i > 0; i--)
		if (machine->list.items[i - 1].ask == ask && !strcmp(machine->list.items[i - 1].key, key))
			return &machine->list.items[i - 1];
	return NULL;
}

static void add_hit(struct probe_answer *answer, const char *path, size_t size)
{
	struct buf line = {0};
	buf_add_format(&line, "%.*s\n", (int)size, path);
	struct buf *out = &answer->text;
	if (str_find(buf_str(out), buf_str(&line)) == STR_NOT_FOUND)
		buf_add(out, buf_str(&line));
	buf_release(&line);
	answer->end = PROBE_END_OK;
}

/* Files, and the folders that they stand in. */
static void glob_paths(const struct fake_machine *machine, const char *pattern, struct probe_answer *answer)
{
	size_t wanted = strlen(pattern);
	bool folder = wanted > 1 && pattern[wanted - 1] == '/';
	char bare[4096];
	snprintf(bare, sizeof(bare), "%.*s", (int)(folder ? wanted - 1 : wanted), pattern);
	answer->end = PROBE_END_MISSING;
	for (size_t i = 0; i < machine->list.count; i++) {
		const struct fake_answer *known = &machine->list.items[i];
		if (known->ask != PROBE_ASK_FILE)
			continue;
		for (const char *at = strchr(known->key + 1, '/');; at = strchr(at + 1, '/')) {
			char path[4096];
			size_t size = at ? (size_t)(at - known->key) : strlen(known->key);
			snprintf(path, sizeof(path), "%.*s", (int)size, known->key);
			if (fnmatch(bare, path, FNM_PATHNAME | FNM_PERIOD) == 0 && !(folder && !at))
				add_hit(answer, path, size);
			if (!at)
				break;
		}
	}
}

static void give_env(const struct fake_machine *machine, struct str name, struct probe_answer *answer)
{
	bool prefix = str_ends(name, STR("*"));
	name.size -= prefix;
	answer->end = PROBE_END_MISSING;
	for (size_t i = 0; i < machine->list.count; i++) {
		const struct fake_answer *known = &machine->list.items[i];
		struct str key = str_of(known->key);
		if (known->ask == PROBE_ASK_ENV && known == find(machine, PROBE_ASK_ENV, known->key) &&
		    known->text.size > 0 && (prefix ? str_starts(key, name) : str_equal(key, name))) {
			buf_add_format(&answer->text, "%s=%.*s\n", known->key, STR_ARG(known->text));
			answer->end = PROBE_END_OK;
		}
	}
}

static void ask(void *context, const struct probe_request *request, struct probe_answer *answer)
{
	struct fake_machine *machine = context;
	const char *key = request->argv_count > 0 ? joined(machine, request)
						  : arena_c_string(&machine->arena, request->text);
	machine->commands += request->ask == PROBE_ASK_COMMAND;
	bool path = request->ask == PROBE_ASK_GLOB || request->ask == PROBE_ASK_FILE ||
		    request->ask == PROBE_ASK_STAT || request->ask == PROBE_ASK_SPACE;
	machine->relative += path && key[0] != '/' && strncmp(key, "./", 2) != 0;
	if (request->ask == PROBE_ASK_ENV) {
		give_env(machine, request->text, answer);
		return;
	}
	const struct fake_answer *known = find(machine, request->ask, key);
	if (!known && request->ask == PROBE_ASK_GLOB) {
		glob_paths(machine, key, answer);
	} else if (!known && request->ask == PROBE_ASK_STAT && find(machine, PROBE_ASK_FILE, key)) {
		buf_add(&answer->text, STR("file 0644 root root r-"));
	} else if (!known && request->ask == PROBE_ASK_STAT) {
		buf_add(&answer->text, STR("folder 0755 root root r-"));
	} else if (!known && request->ask == PROBE_ASK_RESOLVE) {
		buf_add(&answer->text, str_of(key));
	} else if (!known) {
		answer->end = PROBE_END_MISSING;
	} else {
		answer->end = known->end;
		answer->number = known->number;
		buf_add(&answer->text, known->text);
	}
}

void fake_machine_init(struct fake_machine *machine)
{
	*machine = (struct fake_machine){0};
	machine->host = (struct probe_host){.context = machine, .ask = ask};
	fake_answer(machine, PROBE_ASK_SYSTEM, "machine", "aarch64", PROBE_END_OK, 0);
	fake_answer(machine, PROBE_ASK_SYSTEM, "user", "alice", PROBE_END_OK, 0);
	fake_answer(machine, PROBE_ASK_SYSTEM, "folder", "/home/alice/src", PROBE_END_OK, 0);
	fake_answer(machine, PROBE_ASK_SYSTEM, "cores", "192", PROBE_END_OK, 0);
	fake_env(machine, "HOME", "/home/alice");
}

void fake_machine_release(struct fake_machine *machine)
{
	vec_release(&machine->list);
	arena_release(&machine->arena);
}

static void add(struct fake_machine *machine, enum probe_ask kind, const char *key, struct str text,
		enum probe_end end, int number)
{
	struct fake_answer answer = {kind, arena_c_string(&machine->arena, str_of(key)),
				     arena_copy(&machine->arena, text), end, number};
	vec_push(&machine->list, answer);
}

void fake_answer(struct fake_machine *machine, enum probe_ask kind, const char *key, const char *text,
		 enum probe_end end, int number)
{
	add(machine, kind, key, str_of(text), end, number);
}

static void add_fixture(struct fake_machine *machine, enum probe_ask kind, const char *key,
			const char *fixture)
{
	char path[512];
	snprintf(path, sizeof(path), "tests/fixtures/probe/%s", fixture);
	FILE *file = fopen(path, "rb");
	if (!file)
		fail_msg("%s: not there (the tests run in the top folder)", path);
	struct buf text = {0};
	char bytes[4096];
	size_t size;
	while (file && (size = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add_bytes(&text, bytes, size);
	if (file)
		fclose(file);
	add(machine, kind, key, buf_str(&text), PROBE_END_OK, 0);
	buf_release(&text);
}

void fake_env(struct fake_machine *machine, const char *name, const char *value)
{
	fake_answer(machine, PROBE_ASK_ENV, name, value, PROBE_END_OK, 0);
}

void fake_file(struct fake_machine *machine, const char *path, const char *text)
{
	fake_answer(machine, PROBE_ASK_FILE, path, text, PROBE_END_OK, 0);
}

void fake_fixture(struct fake_machine *machine, const char *path, const char *fixture)
{
	add_fixture(machine, PROBE_ASK_FILE, path, fixture);
}

void fake_which(struct fake_machine *machine, const char *name, const char *path)
{
	fake_answer(machine, PROBE_ASK_WHICH, name, path, PROBE_END_OK, 0);
}

void fake_command(struct fake_machine *machine, const char *argv, const char *text)
{
	fake_answer(machine, PROBE_ASK_COMMAND, argv, text, PROBE_END_OK, 0);
}

void fake_command_fixture(struct fake_machine *machine, const char *argv, const char *fixture)
{
	add_fixture(machine, PROBE_ASK_COMMAND, argv, fixture);
}

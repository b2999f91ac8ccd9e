/*
 * probe_support: a machine that exists only in a test, as a host for core/probe.h.
 */
#ifndef PROBE_SUPPORT_H
#define PROBE_SUPPORT_H

#include "base/vec.h"
#include "core/probe.h"

struct fake_answer {
	enum probe_ask ask;
	const char *key; /* path, name, or argv joined by blanks */
	struct str text;
	enum probe_end end;
	int number;
};

struct fake_machine {
	struct arena arena;
	VEC(struct fake_answer) list; /* of two with one key the later counts */
	struct probe_host host;       /* ready after fake_machine_init */
	size_t commands;              /* how many were run */
	size_t relative; /* how many paths were asked for that are neither absolute nor "./…" */
};

void fake_machine_init(struct fake_machine *machine);
void fake_machine_release(struct fake_machine *machine);

void fake_env(struct fake_machine *machine, const char *name, const char *value);
void fake_file(struct fake_machine *machine, const char *path, const char *text);
void fake_fixture(struct fake_machine *machine, const char *path,
		  const char *fixture); /* of tests/fixtures/probe */
void fake_which(struct fake_machine *machine, const char *name, const char *path);
void fake_command(struct fake_machine *machine, const char *argv, const char *text);
void fake_command_fixture(struct fake_machine *machine, const char *argv, const char *fixture);
void fake_answer(struct fake_machine *machine, enum probe_ask ask, const char *key, const char *text,
		 enum probe_end end, int number);

#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plat/clip.h"
#include "plat/fs.h"
#include "plat/loop.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_osc52(void **state)
{
	static const struct {
		struct str text;
		const char *bytes;
	} cases[] = {
		{STR_INIT(""), "\033]52;c;\033\\"},
		{STR_INIT("a"), "\033]52;c;YQ==\033\\"},
		{STR_INIT("ab"), "\033]52;c;YWI=\033\\"},
		{STR_INIT("abc"), "\033]52;c;YWJj\033\\"},
		{STR_INIT("\xff\xfe\n\0"), "\033]52;c;//4KAA==\033\\"},
		{STR_INIT("\xe7\xab\xaf\xe5\x8f\xa3"), "\033]52;c;56uv5Y+j\033\\"},
	};
	struct buf out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_clear(&out);
		clip_add_osc52(&out, cases[i].text, false);
		assert_string_equal(buf_c_string(&out), cases[i].bytes);
	}
	buf_release(&out);
}

/* What screen hands on: the contents of the DCS sequences, one after the other. */
static void test_in_screen_the_pieces_make_the_whole(void **state)
{
	struct buf text = {0}, wrapped = {0}, plain = {0}, handed_on = {0};
	struct str rest;

	(void)state;
	for (int i = 0; i < 300; i++)
		buf_add_format(&text, "export X%d=%d\n", i, i);
	clip_add_osc52(&wrapped, buf_str(&text), true);
	clip_add_osc52(&plain, buf_str(&text), false);
	rest = buf_str(&wrapped);
	while (rest.size) {
		size_t end = str_find(rest, STR("\033\\"));

		assert_true(str_starts(rest, STR("\033P")));
		assert_true(end != STR_NOT_FOUND && end < 256);
		buf_add(&handed_on, str_slice(rest, 2, end));
		rest = str_slice(rest, end + 2, rest.size);
	}
	/* The same sequence but for its end: BEL for ST. */
	buf_truncate(&plain, plain.size - 2);
	buf_add_byte(&plain, '\a');
	assert_true(str_equal(buf_str(&handed_on), buf_str(&plain)));
	buf_release(&text);
	buf_release(&wrapped);
	buf_release(&plain);
	buf_release(&handed_on);
}

static void test_order(void **state)
{
	static const struct {
		struct clip_environment environment;
		size_t size;
		const char *ways;
	} cases[] = {
		{{.terminal = "xterm-256color", .remote = true}, 9, "OSC 52, file, "},
		{{.terminal = "xterm-256color"}, 9, "OSC 52, file, "},
		{{.terminal = "xterm", .x11 = true}, 9, "xclip, xsel, OSC 52, file, "},
		{{.terminal = "foot", .wayland = true, .x11 = true},
		 9,
		 "wl-copy, xclip, xsel, OSC 52, file, "},
		{{.terminal = "xterm", .x11 = true, .remote = true}, 9, "OSC 52, xclip, xsel, file, "},
		{{.terminal = "tmux-256color", .tmux = true, .remote = true}, 9, "tmux, tmux, file, "},
		{{.terminal = "screen", .screen = true}, 9, "OSC 52, file, "},
		{{.terminal = "linux"}, 9, "file, "},
		{{.terminal = "vt100", .remote = true}, 9, "file, "},
		{{.terminal = "dumb"}, 9, "file, "},
		{{.terminal = NULL}, 9, "file, "},
		{{.terminal = "xterm", .remote = true}, 200000, "file, "},
	};
	enum clip_way ways[CLIP_WAY_COUNT];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t count = clip_ways(&cases[i].environment, cases[i].size, ways);
		struct buf names = {0};

		for (size_t way = 0; way < count; way++)
			buf_add_format(&names, "%s, ", clip_way_name(ways[way]));
		assert_string_equal(buf_c_string(&names), cases[i].ways);
		buf_release(&names);
	}
}

static char folder[64];

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void fake_tool(const char *name, const char *script)
{
	struct buf text = {0};

	buf_add_format(&text, "#!/bin/sh\n%s\n", script);
	assert_true(fs_write_file(in_folder(name), buf_str(&text), NULL));
	assert_int_equal(chmod(in_folder(name), 0700), 0);
	buf_release(&text);
}

static int set_up(void **state)
{
	char path[512];

	(void)state;
	strcpy(folder, "/tmp/ascend-faq-test-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s:/usr/bin:/bin", folder);
	setenv("PATH", path, 1);
	setenv("FOLDER", folder, 1);
	return 0;
}

static int tear_down(void **state)
{
	char command[128];

	(void)state;
	setenv("PATH", "/usr/bin:/bin", 1);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static void copy(struct clip *clip, const char *text, struct clip_environment environment)
{
	bool done = clip_start(clip, str_of(text), &environment, in_folder("state/copied"));

	while (!done) {
		poll(NULL, 0, 1);
		done = clip_advance(clip);
	}
}

static void assert_content(const char *name, const char *content)
{
	struct buf got = {0};

	assert_true(fs_read_file(in_folder(name), 1 << 20, &got, NULL));
	assert_string_equal(buf_c_string(&got), content);
	buf_release(&got);
}

static void test_a_tool_gets_the_bytes_and_lives_on(void **state)
{
	struct clip clip = {0};
	const char *text = "export A=\"b c\"\n\ttab 'q' $(x)\n";

	(void)state;
	/* As xclip does: answers, and a child of it holds the selection. */
	fake_tool("xclip",
		  "cat >$FOLDER/got; (echo $$ >$FOLDER/alive; exec sleep 60) & echo $! >$FOLDER/pid");
	copy(&clip, text, (struct clip_environment){.x11 = true, .terminal = "xterm"});
	assert_int_equal(clip.way, CLIP_XCLIP);
	assert_true(clip.confirmed);
	assert_content("got", text);
	clip_release(&clip);
	assert_int_equal(system("kill $(cat $FOLDER/pid)"), 0); /* it was still there */
}

static void test_what_fails_or_hangs_is_passed_over(void **state)
{
	struct clip clip = {0};
	uint64_t start = loop_now_ms();

	(void)state;
	fake_tool("wl-copy", "exit 1");
	fake_tool("xclip", "sleep 60");
	fake_tool("xsel", "cat >$FOLDER/got");
	copy(&clip, "x", (struct clip_environment){.x11 = true, .wayland = true, .terminal = "xterm"});
	assert_int_equal(clip.way, CLIP_XSEL);
	assert_content("got", "x");
	assert_true(loop_now_ms() - start < 10 * CLIP_TIMEOUT_MS);
	clip_release(&clip);
}

static void test_an_old_tmux_gets_no_option(void **state)
{
	struct clip clip = {0};

	(void)state;
	fake_tool("tmux", "[ \"$2\" = -w ] && exit 1; echo \"$*\" >$FOLDER/words; cat >$FOLDER/got");
	copy(&clip, "x", (struct clip_environment){.tmux = true, .terminal = "screen"});
	assert_int_equal(clip.way, CLIP_TMUX_BUFFER);
	assert_content("words", "load-buffer -\n");
	assert_content("got", "x");
	clip_release(&clip);
}

static void test_without_a_tool_the_terminal_gets_it(void **state)
{
	struct clip clip = {0};

	(void)state;
	setenv("PATH", folder, 1);
	copy(&clip, "a", (struct clip_environment){.x11 = true, .terminal = "xterm"});
	assert_int_equal(clip.way, CLIP_OSC52);
	assert_false(clip.confirmed);
	assert_string_equal(buf_c_string(&clip.terminal), "\033]52;c;YQ==\033\\");
	clip_release(&clip);
}

static void test_the_file_is_the_last_resort(void **state)
{
	struct clip clip = {0};
	struct stat status;

	(void)state;
	copy(&clip, "one", (struct clip_environment){.terminal = "vt100"});
	assert_int_equal(clip.way, CLIP_FILE);
	assert_string_equal(buf_c_string(&clip.path), in_folder("state/copied"));
	assert_content("state/copied", "one");
	assert_int_equal(stat(in_folder("state/copied"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	clip_release(&clip);

	/* Where the state cannot be written: a new file elsewhere. */
	setenv("TMPDIR", folder, 1);
	unsetenv("XDG_RUNTIME_DIR");
	assert_true(clip_start(&clip, STR("two"), &(struct clip_environment){0}, "/dev/null/copied"));
	assert_int_equal(clip.way, CLIP_FILE);
	assert_true(str_starts(buf_str(&clip.path), str_of(in_folder("copied-"))));
	clip_release(&clip);
	unsetenv("TMPDIR");
}

#define with_tools(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_osc52),
		cmocka_unit_test(test_in_screen_the_pieces_make_the_whole),
		cmocka_unit_test(test_order),
		with_tools(test_a_tool_gets_the_bytes_and_lives_on),
		with_tools(test_what_fails_or_hangs_is_passed_over),
		with_tools(test_an_old_tmux_gets_no_option),
		with_tools(test_without_a_tool_the_terminal_gets_it),
		with_tools(test_the_file_is_the_last_resort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plat/fs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/ascend-faq-test-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[256];

	(void)state;
	snprintf(command, sizeof(command), "chmod -R u+w %s && rm -rf %s", folder, folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static size_t files_in(const char *path)
{
	DIR *dir = opendir(path);
	size_t count = 0;

	assert_non_null(dir);
	for (struct dirent *one; (one = readdir(dir));)
		count += one->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void test_written_is_read(void **state)
{
	struct buf out = {0}, error = {0};
	struct stat status;

	(void)state;
	assert_true(fs_write_file(in_folder("a/b/state"), STR("one\0two"), &error));
	assert_true(fs_read_file(in_folder("a/b/state"), 7, &out, &error));
	assert_true(str_equal(buf_str(&out), STR("one\0two")));
	assert_int_equal(stat(in_folder("a/b/state"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(stat(in_folder("a/b"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	assert_int_equal(files_in(in_folder("a/b")), 1);
	buf_release(&out);
	buf_release(&error);
}

static void test_a_file_over_the_limit_is_refused(void **state)
{
	struct buf out = {0}, error = {0};

	(void)state;
	buf_add(&out, STR("before"));
	assert_true(fs_write_file(in_folder("big"), STR("12345678"), NULL));
	assert_false(fs_read_file(in_folder("big"), 7, &out, &error));
	assert_true(str_equal(buf_str(&out), STR("before")));
	assert_non_null(strstr(buf_c_string(&error), "larger than 7 bytes"));
	buf_release(&out);
	buf_release(&error);
}

static void test_only_regular_files_are_read(void **state)
{
	struct buf out = {0}, error = {0};

	(void)state;
	assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
	assert_false(fs_read_file(in_folder("fifo"), 10, &out, &error)); /* and does not hang */
	assert_false(fs_read_file("/dev/zero", 10, &out, &error));
	assert_false(fs_read_file(folder, 10, &out, &error));
	assert_false(fs_read_file(in_folder("missing"), 10, &out, &error));
	assert_non_null(strstr(buf_c_string(&error), "missing: No such file"));
	assert_int_equal(out.size, 0);
	buf_release(&out);
	buf_release(&error);
}

static void test_what_cannot_be_written_leaves_the_old(void **state)
{
	struct buf out = {0}, error = {0};

	(void)state;
	assert_int_equal(mkdir(in_folder("taken"), 0700), 0);
	assert_int_equal(mkdir(in_folder("taken/inside"), 0700), 0);
	assert_false(fs_write_file(in_folder("taken"), STR("x"), &error)); /* a folder is in the way */
	assert_non_null(strstr(buf_c_string(&error), "taken: "));
	assert_int_equal(files_in(folder), 1);
	assert_false(fs_write_file("/dev/null/state", STR("x"), NULL));
	buf_release(&out);
	buf_release(&error);
}

static void test_home_paths(void **state)
{
	static const struct {
		const char *state_home, *home, *path;
	} cases[] = {
		{"/s", "/h", "/s/p/f"},
		{NULL, "/h", "/h/.local/state/p/f"},
		{"", "/h", "/h/.local/state/p/f"},
		{"relative", "/h", "/h/.local/state/p/f"},
		{"relative", "relative", NULL},
		{NULL, NULL, NULL},
	};
	struct buf path = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_clear(&path);
		unsetenv("XDG_STATE_HOME");
		unsetenv("HOME");
		if (cases[i].state_home)
			setenv("XDG_STATE_HOME", cases[i].state_home, 1);
		if (cases[i].home)
			setenv("HOME", cases[i].home, 1);
		assert_int_equal(fs_home_path(FS_STATE, "p/f", &path), cases[i].path != NULL);
		assert_string_equal(buf_c_string(&path), cases[i].path ? cases[i].path : "");
	}
	buf_release(&path);
}

static void test_new_files_are_private_and_different(void **state)
{
	struct buf one = {0}, two = {0}, content = {0};
	struct stat status;

	(void)state;
	assert_true(fs_write_new_file(folder, "copied-", STR("a"), &one, NULL));
	assert_true(fs_write_new_file(folder, "copied-", STR("b"), &two, NULL));
	assert_false(str_equal(buf_str(&one), buf_str(&two)));
	assert_true(fs_read_file(buf_c_string(&two), 1, &content, NULL));
	assert_true(str_equal(buf_str(&content), STR("b")));
	assert_int_equal(stat(buf_c_string(&one), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_false(fs_write_new_file("/missing", "x", STR("a"), &one, NULL));
	buf_release(&one);
	buf_release(&two);
	buf_release(&content);
}

#define in_a_folder(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_a_folder(test_written_is_read),
		in_a_folder(test_a_file_over_the_limit_is_refused),
		in_a_folder(test_only_regular_files_are_read),
		in_a_folder(test_what_cannot_be_written_leaves_the_old),
		in_a_folder(test_new_files_are_private_and_different),
		cmocka_unit_test(test_home_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

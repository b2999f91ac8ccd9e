/*
 * Saving while everything goes wrong: each system call of a save fails in turn, and the power is cut at each
 * of them. This program's own open, write, … stand before the C library's, and count.
 *
 * A power cut is taken at its worst: data that was written and not yet synced is lost, under whatever name
 * the file has by then.
 */
#include "test.h"

#include "plat/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The faults. -------------------------------------------------------------------------------------- */

enum fault { NO_FAULT, CALL_FAILS, POWER_CUT };

static enum fault fault;
static unsigned fault_at, calls;
static int unsynced[64];
static size_t unsynced_count;
static bool synced_is_safe; /* this save syncs: what it did not sync is lost in a power cut */

static void cut_power(void)
{
	for (size_t i = 0; synced_is_safe && i < unsynced_count; i++)
		syscall(SYS_ftruncate, unsynced[i], 0);
	_exit(77);
}

/* Is it this call's turn? With a power cut it does not come back. */
static bool goes_wrong(void)
{
	if (fault == NO_FAULT || ++calls != fault_at)
		return false;
	if (fault == POWER_CUT)
		cut_power();
	errno = EIO;
	return true;
}

static void note_written(int fd)
{
	if (unsynced_count < sizeof(unsynced) / sizeof(*unsynced))
		unsynced[unsynced_count++] = (int)syscall(SYS_dup, fd);
}

static void note_synced(int fd)
{
	struct stat one, other;

	syscall(SYS_fstat, fd, &one);
	for (size_t i = 0; i < unsynced_count; i++) {
		syscall(SYS_fstat, unsynced[i], &other);
		if (one.st_ino == other.st_ino)
			unsynced[i--] = unsynced[--unsynced_count];
	}
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	if (fault == POWER_CUT && calls + 1 == fault_at && size > 1) {
		syscall(SYS_write, fd, bytes, size / 2);
		note_written(fd);
	}
	if (goes_wrong())
		return -1;
	if (fault != NO_FAULT)
		note_written(fd);
	return syscall(SYS_write, fd, bytes, size);
}

int fsync(int fd)
{
	if (goes_wrong())
		return -1;
	if (fault != NO_FAULT)
		note_synced(fd);
	return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	return goes_wrong() ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int ftruncate(int fd, off_t size)
{
	return goes_wrong() ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int fchmod(int fd, mode_t mode)
{
	return goes_wrong() ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

int flock(int fd, int operation)
{
	return goes_wrong() ? -1 : (int)syscall(SYS_flock, fd, operation);
}

int unlink(const char *path)
{
	return goes_wrong() ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
	return goes_wrong() ? -1 : syscall(SYS_pread64, fd, bytes, size, at);
}

int mkostemp(char *template, int flags)
{
	static unsigned number;

	if (goes_wrong())
		return -1;
	snprintf(template + strlen(template) - 6, 7, "%06u", (unsigned)getpid() % 1000 * 1000 + number++);
	return (int)syscall(SYS_openat, AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
}

int open(const char *path, int flags, ...)
{
	return goes_wrong() ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

int close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	return goes_wrong() ? -1 : result;
}

/* ---- The saves. --------------------------------------------------------------------------------------- */

static char folder[64], path[128];

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/ascend-faq-test-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/state", folder);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static void change(void *context, struct str old, struct buf *content)
{
	(void)context;
	buf_add(content, old);
	buf_add(content, STR("new line\n"));
}

static struct str keep_last(struct str text)
{
	return str_slice(text, text.size - 9, text.size);
}

static bool save_by_update(void)
{
	return fs_update_file(path, 1000, change, NULL, NULL);
}

static bool save_by_append(void)
{
	return fs_append_lines(path, STR("new line\n"), 1000, NULL, NULL);
}

static bool save_by_compacting(void)
{
	return fs_append_lines(path, STR("new line\n"), 10, keep_last, NULL);
}

static bool save_by_write(void)
{
	return fs_write_file(path, STR("old line\nnew line\n"), NULL);
}

static void write_old(const char *text)
{
	fault = NO_FAULT;
	assert_true(fs_write_file(path, str_of(text), NULL));
}

static void read_now(struct buf *text)
{
	buf_clear(text);
	if (!fs_read_file(path, 1000, text, NULL))
		buf_add(text, STR("(no file)"));
}

/* Status: 0 saved, 1 said that it did not, 77 the power was cut, 88 it made fewer calls than that. */
static int save_with_fault(bool (*save)(void), enum fault what, unsigned at)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		bool good;

		fault = what;
		fault_at = at;
		calls = 0;
		good = save();
		if (calls < at)
			_exit(good ? 88 : 99);
		_exit(good ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

struct save_case {
	bool (*save)(void);
	const char *before;
	const char *allowed[4]; /* after a fault; a line without end does not count */
	const char *after;      /* when it says that it is saved */
};

static bool is_allowed(const struct save_case *one, struct str text)
{
	while (text.size > 0 && text.data[text.size - 1] != '\n')
		text.size--;
	for (size_t i = 0; i < 4 && one->allowed[i]; i++) {
		if (str_equal(text, str_of(one->allowed[i])))
			return true;
	}
	return false;
}

static void try_every_call(const struct save_case *one, enum fault what)
{
	struct buf text = {0};
	int status = 0;

	for (unsigned at = 1; status != 88; at++) {
		write_old(one->before);
		status = save_with_fault(one->save, what, at);
		assert_true(at < 100 && status != 99);
		read_now(&text);
		if (!is_allowed(one, buf_str(&text)))
			fail_msg("call %u: `%s`", at, buf_c_string(&text));
		if (status == 0 || status == 88)
			assert_string_equal(buf_c_string(&text), one->after);
		/* And the next save finds nothing in its way. */
		fault = NO_FAULT;
		assert_true(one->save());
		read_now(&text);
		assert_true(str_ends(buf_str(&text), STR("new line\n")));
	}
	buf_release(&text);
}

#define OLD "old line\n"
#define NEW "new line\n"

static void test_a_save_is_the_old_or_the_new(void **state)
{
	const struct save_case cases[] = {
		{save_by_write, OLD, {OLD, OLD NEW}, OLD NEW},
		{save_by_update, OLD, {OLD, OLD NEW}, OLD NEW},
	};

	(void)state;
	synced_is_safe = true;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		try_every_call(&cases[i], CALL_FAILS);
		try_every_call(&cases[i], POWER_CUT);
	}
}

static void test_an_appended_line_is_there_whole_or_not_at_all(void **state)
{
	const struct save_case plain = {save_by_append, OLD, {OLD, OLD NEW}, OLD NEW};
	const struct save_case torn = {save_by_append, OLD "half", {OLD, OLD NEW}, OLD NEW};

	(void)state;
	synced_is_safe = false;
	try_every_call(&plain, CALL_FAILS);
	try_every_call(&plain, POWER_CUT);
	try_every_call(&torn, CALL_FAILS);
	try_every_call(&torn, POWER_CUT);
}

/* The replacement is synced, the line that is appended then need not be. */
static void test_compacting_is_whole(void **state)
{
	const struct save_case one = {save_by_compacting,
				      "1st line\n2nd line\n3rd line\n",
				      {"1st line\n2nd line\n3rd line\n", "3rd line\n", "3rd line\n" NEW,
				       "1st line\n2nd line\n3rd line\n" NEW},
				      "3rd line\n" NEW};
	struct buf text = {0};
	int status = 0;

	(void)state;
	synced_is_safe = false;
	for (unsigned at = 1; status != 88; at++) {
		write_old(one.before);
		status = save_with_fault(one.save, at % 2 ? CALL_FAILS : POWER_CUT, at);
		read_now(&text);
		if (!is_allowed(&one, buf_str(&text)))
			fail_msg("call %u: `%s`", at, buf_c_string(&text));
	}
	assert_string_equal(buf_c_string(&text), one.after);
	buf_release(&text);
}

/* ---- Several at once. --------------------------------------------------------------------------------- */

static void count_up(void *context, struct str old, struct buf *content)
{
	uint64_t number = 0;

	(void)context;
	str_to_u64(str_trim(old), &number);
	buf_add_format(content, "%llu\n", (unsigned long long)number + 1);
}

static void test_two_processes_lose_nothing(void **state)
{
	enum { PROCESSES = 4, ROUNDS = 25 };
	struct buf text = {0};
	char lines[128];
	size_t count = 0;

	(void)state;
	fault = NO_FAULT;
	snprintf(lines, sizeof(lines), "%s/lines", folder);
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() == 0) {
			for (int round = 0; round < ROUNDS; round++) {
				while (!fs_update_file(path, 1000, count_up, NULL, NULL))
					;
				while (!fs_append_lines(lines, STR("line\n"), 1 << 20, NULL, NULL))
					;
			}
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	read_now(&text);
	assert_string_equal(buf_c_string(&text), "100\n");
	buf_clear(&text);
	assert_true(fs_read_file(lines, 10000, &text, NULL));
	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n';
	assert_int_equal(count, PROCESSES * ROUNDS);
	buf_release(&text);
}

static void test_a_lock_that_is_held_is_not_waited_for_long(void **state)
{
	struct buf error = {0};
	int one, two;

	(void)state;
	fault = NO_FAULT;
	assert_true(fs_lock(path, 0, &one, &error));
	assert_false(fs_lock(path, 4, &two, &error));
	assert_int_equal(two, -1);
	assert_non_null(strstr(buf_c_string(&error), "held by another process"));
	fs_unlock(one);
	assert_true(fs_lock(path, 0, &two, NULL));
	fs_unlock(two);
	fs_unlock(-1);
	buf_release(&error);
}

static void test_appended_files_are_private(void **state)
{
	struct stat status;

	(void)state;
	fault = NO_FAULT;
	assert_true(fs_write_file(path, STR("a\n"), NULL));
	assert_int_equal(chmod(path, 0644), 0);
	assert_true(fs_append_lines(path, STR("b\n"), 1000, NULL, NULL));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_save_is_the_old_or_the_new, begin, end),
		cmocka_unit_test_setup_teardown(test_an_appended_line_is_there_whole_or_not_at_all, begin,
						end),
		cmocka_unit_test_setup_teardown(test_compacting_is_whole, begin, end),
		cmocka_unit_test_setup_teardown(test_two_processes_lose_nothing, begin, end),
		cmocka_unit_test_setup_teardown(test_a_lock_that_is_held_is_not_waited_for_long, begin, end),
		cmocka_unit_test_setup_teardown(test_appended_files_are_private, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

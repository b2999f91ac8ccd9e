#include "plat/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_STEP = 64 * 1024 };

static bool fail(struct buf *error, const char *path, const char *why)
{
	if (error)
		buf_add_format(error, "%s: %s", path, why);
	return false;
}

static bool read_all(int fd, const char *path, size_t limit, struct buf *out, struct buf *error)
{
	size_t start = out->size;

	for (;;) {
		ssize_t got;

		buf_reserve(out, READ_STEP);
		got = read(fd, out->data + out->size, READ_STEP);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			buf_truncate(out, start);
			return fail(error, path, strerror(errno));
		}
		if (got == 0)
			break;
		if (out->size - start + (size_t)got > limit) {
			buf_truncate(out, start);
			if (error)
				buf_add_format(error, "%s: larger than %zu bytes", path, limit);
			return false;
		}
		out->size += (size_t)got;
		out->data[out->size] = '\0';
	}
	return true;
}

bool fs_read_file(const char *path, size_t limit, struct buf *out, struct buf *error)
{
	struct stat status;
	bool ok;
	/* O_NONBLOCK: opening a FIFO that nobody writes to must not wait. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return fail(error, path, strerror(errno));
	if (fstat(fd, &status) < 0)
		ok = fail(error, path, strerror(errno));
	else if (S_ISDIR(status.st_mode))
		ok = fail(error, path, strerror(EISDIR));
	else if (!S_ISREG(status.st_mode))
		ok = fail(error, path, "not a regular file");
	else
		ok = read_all(fd, path, limit, out, error);
	close(fd);
	return ok;
}

bool fs_home_path(enum fs_home home, const char *name, struct buf *path)
{
	static const struct {
		const char *variable;
		const char *below_home;
	} homes[FS_HOME_COUNT] = {
		[FS_STATE] = {"XDG_STATE_HOME", ".local/state"},
		[FS_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
		[FS_CACHE] = {"XDG_CACHE_HOME", ".cache"},
	};
	const char *folder = getenv(homes[home].variable);

	if (folder && folder[0] == '/') {
		buf_add_format(path, "%s/%s", folder, name);
		return true;
	}
	folder = getenv("HOME");
	if (!folder || folder[0] != '/')
		return false;
	buf_add_format(path, "%s/%s/%s", folder, homes[home].below_home, name);
	return true;
}

void fs_temporary_folder(struct buf *path)
{
	static const char *const variables[] = {"XDG_RUNTIME_DIR", "TMPDIR"};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *folder = getenv(variables[i]);

		if (folder && folder[0] == '/' && access(folder, W_OK | X_OK) == 0) {
			buf_add(path, str_of(folder));
			return;
		}
	}
	buf_add(path, STR("/tmp"));
}

void fs_make_folders(const char *path)
{
	struct buf folder = {0};

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		buf_clear(&folder);
		buf_add_bytes(&folder, path, (size_t)(slash - path));
		mkdir(buf_c_string(&folder), 0700);
	}
	buf_release(&folder);
}

static bool write_all(int fd, struct str content)
{
	while (content.size > 0) {
		ssize_t put = write(fd, content.data, content.size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		content = str_slice(content, (size_t)put, content.size);
	}
	return true;
}

/* Fill the new file `fd` and close it, whatever happens. Returns 0 or errno. */
static int fill_and_close(int fd, struct str content)
{
	int why = 0;

	if (!write_all(fd, content) || fsync(fd) < 0)
		why = errno;
	if (close(fd) < 0 && !why)
		why = errno;
	return why;
}

/* So that the new name itself survives a crash. A file system that cannot: as good as it can do. */
static void sync_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct buf folder = {0};
	int fd;

	if (slash)
		buf_add_bytes(&folder, path, slash == path ? 1 : (size_t)(slash - path));
	else
		buf_add(&folder, STR("."));
	fd = open(buf_c_string(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	buf_release(&folder);
}

bool fs_write_file(const char *path, struct str content, struct buf *error)
{
	struct buf temporary = {0};
	int fd, why;

	fs_make_folders(path);
	buf_add_format(&temporary, "%s.XXXXXX", path);
	fd = mkostemp(temporary.data, O_CLOEXEC); /* 0600 */
	if (fd < 0) {
		why = errno;
		goto out;
	}
	why = fill_and_close(fd, content);
	if (!why && rename(temporary.data, path) < 0)
		why = errno;
	if (why)
		unlink(temporary.data);
	else
		sync_folder_of(path);
out:
	buf_release(&temporary);
	return why ? fail(error, path, strerror(why)) : true;
}

bool fs_create_file(const char *path, struct str content, struct buf *error)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int why;

	if (fd < 0)
		return fail(error, path, strerror(errno));
	why = fill_and_close(fd, content);
	if (why)
		unlink(path);
	return why ? fail(error, path, strerror(why)) : true;
}

bool fs_write_new_file(const char *folder, const char *prefix, struct str content, struct buf *path,
		       struct buf *error)
{
	struct buf name = {0};
	int fd, why;

	buf_add_format(&name, "%s/%sXXXXXX", folder, prefix);
	fd = mkostemp(name.data, O_CLOEXEC);
	if (fd < 0) {
		why = errno;
		goto out;
	}
	why = fill_and_close(fd, content);
	if (why)
		unlink(name.data);
	else
		buf_add(path, buf_str(&name));
out:
	buf_release(&name);
	return why ? fail(error, folder, strerror(why)) : true;
}

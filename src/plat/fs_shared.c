/* Files that several processes write: locks, read-change-replace, appending of lines. */
#include "plat/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_AGAIN_MS = 2, TAIL_STEP = 4096 };

static bool fail(struct buf *error, const char *path, const char *why)
{
	if (error)
		buf_add_format(error, "%s: %s", path, why);
	return false;
}

/* Never blocks in the kernel: a lock on a network file system could hang there. */
static bool take_lock(int fd, uint32_t wait_ms)
{
	const struct timespec pause = {0, LOOK_AGAIN_MS * 1000000L};

	for (uint32_t waited = 0;; waited += LOOK_AGAIN_MS) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= wait_ms)
			return false;
		nanosleep(&pause, NULL);
	}
}

bool fs_lock(const char *path, uint32_t wait_ms, int *lock, struct buf *error)
{
	struct buf name = {0};
	bool locked = false;
	int fd;

	fs_make_folders(path);
	buf_add_format(&name, "%s.lock", path);
	fd = open(buf_c_string(&name), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW,
		  0600);
	if (fd >= 0)
		locked = take_lock(fd, wait_ms);
	if (!locked)
		fail(error, buf_c_string(&name),
		     errno == EWOULDBLOCK ? "held by another process" : strerror(errno));
	if (!locked && fd >= 0)
		close(fd);
	buf_release(&name);
	*lock = locked ? fd : -1;
	return locked;
}

/* The file stays: were it removed, two processes could each hold "the" lock, on different files. */
void fs_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* Only where there is no file may it be begun anew: one that cannot be read now may hold all that is known.
 */
static bool read_old(const char *path, size_t limit, struct buf *old, struct buf *error)
{
	errno = 0;
	if (fs_read_file(path, limit, old, NULL) || errno == ENOENT)
		return true;
	return fail(error, path, errno ? strerror(errno) : "cannot be read");
}

static bool update_locked(const char *path, size_t limit, fs_change *change, void *context, struct buf *error)
{
	struct buf old = {0}, content = {0};
	bool good = read_old(path, limit, &old, error);

	if (good) {
		change(context, buf_str(&old), &content);
		good = fs_write_file(path, buf_str(&content), error);
	}
	buf_release(&old);
	buf_release(&content);
	return good;
}

bool fs_update_file(const char *path, size_t limit, fs_change *change, void *context, struct buf *error)
{
	bool good;
	int lock;

	if (!fs_lock(path, FS_LOCK_MS, &lock, error))
		return false;
	good = update_locked(path, limit, change, context, error);
	fs_unlock(lock);
	return good;
}

/* ---- Appending. --------------------------------------------------------------------------------------- */

/* How much of the file is whole lines. -1: errno says why it cannot be told. */
static off_t whole_size(int fd, off_t size)
{
	char bytes[TAIL_STEP];

	while (size > 0) {
		off_t start = size > TAIL_STEP ? size - TAIL_STEP : 0;
		ssize_t got = pread(fd, bytes, (size_t)(size - start), start);
		const char *end;

		if (got != size - start) {
			errno = got < 0 ? errno : EIO;
			return -1;
		}
		end = memrchr(bytes, '\n', (size_t)got);
		if (end)
			return start + (end - bytes) + 1;
		size = start;
	}
	return 0;
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

/* Returns 0 or errno; on failure the file is as it was, or ends in a line without end. */
static int append_to(int fd, struct str lines)
{
	struct stat status;
	off_t size;
	int why;

	if (fstat(fd, &status) < 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return EINVAL;
	if ((status.st_mode & 0777) != 0600 && fchmod(fd, 0600) < 0)
		return errno;
	size = whole_size(fd, status.st_size);
	if (size < 0 || (size < status.st_size && ftruncate(fd, size) < 0))
		return errno;
	if (write_all(fd, lines))
		return 0;
	why = errno;
	/* Best effort: the next one who appends takes half a line away, too. */
	if (ftruncate(fd, size) < 0)
		return why;
	return why;
}

struct compacting {
	fs_compact *compact;
};

static void compact_text(void *context, struct str old, struct buf *content)
{
	const struct compacting *compacting = context;

	buf_add(content, compacting->compact(old));
}

bool fs_append_lines(const char *path, struct str lines, size_t limit, fs_compact *compact, struct buf *error)
{
	struct compacting compacting = {compact};
	struct stat status;
	int lock, fd, why = 0;

	if (!fs_lock(path, FS_LOCK_MS, &lock, error))
		return false;
	if (compact && stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= (off_t)limit)
		update_locked(path, 8 * limit, compact_text, &compacting, NULL);
	fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
	if (fd < 0) {
		why = errno;
	} else {
		why = append_to(fd, lines);
		if (close(fd) < 0 && !why)
			why = errno;
	}
	fs_unlock(lock);
	return why ? fail(error, path, strerror(why)) : true;
}

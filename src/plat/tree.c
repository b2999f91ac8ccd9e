#include "plat/tree.h"

#include "base/arena.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct walk {
	const struct tree_visitor *visitor;
	struct tree_result *result;
	struct buf path;  /* of what is being looked at */
	struct buf bytes; /* of the current file */
	bool full;        /* too many files: said once */
};

struct names {
	VEC(const char *) list;
	struct arena arena;
};

static void report(struct walk *walk, const char *why)
{
	if (walk->visitor->fault)
		walk->visitor->fault(walk->visitor->context, buf_c_string(&walk->path), why);
}

static bool is_private(const struct stat *status)
{
	return (status->st_uid == geteuid() || status->st_uid == 0) &&
	       !(status->st_mode & (S_IWGRP | S_IWOTH));
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void read_names(DIR *folder, struct names *names)
{
	const struct dirent *item;

	while ((item = readdir(folder)))
		if (item->d_name[0] != '.')
			vec_push(&names->list, arena_c_string(&names->arena, str_of(item->d_name)));
	if (names->list.count)
		qsort(names->list.items, names->list.count, sizeof(*names->list.items), compare_names);
}

/* Append all of the open file to walk->bytes; false, reported, when it is too large or cannot be read. */
static bool read_all(struct walk *walk, int file)
{
	struct buf *bytes = &walk->bytes;
	ssize_t count;

	buf_clear(bytes);
	do {
		buf_reserve(bytes, 64 * 1024);
		count = read(file, bytes->data + bytes->size, 64 * 1024);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0) {
			report(walk, strerror(errno));
			return false;
		}
		bytes->size += (size_t)count;
		if (bytes->size > walk->visitor->file_size_max) {
			report(walk, "is too large");
			return false;
		}
	} while (count != 0);
	buf_add(bytes, (struct str){"", 0});
	return true;
}

static void visit_file(struct walk *walk, int file)
{
	if (walk->result->files == walk->visitor->file_count_max) {
		if (!walk->full)
			report(walk, "is one file too many; it and what follows are not read");
		walk->full = true;
		return;
	}
	if (!read_all(walk, file))
		return;
	walk->result->files++;
	walk->result->bytes += walk->bytes.size;
	walk->visitor->file(walk->visitor->context, buf_c_string(&walk->path), buf_str(&walk->bytes));
}

static bool is_stopped(const struct walk *walk)
{
	return walk->visitor->stop && walk->visitor->stop(walk->visitor->context);
}

static void visit_folder(struct walk *walk, int handle, unsigned depth);

static void visit(struct walk *walk, int folder, const char *name, unsigned depth)
{
	struct stat status;
	int handle = -1;

	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
		report(walk, strerror(errno));
		return;
	}
	if (!S_ISDIR(status.st_mode) && walk->visitor->wants &&
	    !walk->visitor->wants(buf_c_string(&walk->path)))
		return;
	if (S_ISLNK(status.st_mode)) {
		report(walk, "is a link, which is not followed");
		return;
	}
	if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) {
		report(walk, "is not a regular file");
		return;
	}
	if (S_ISDIR(status.st_mode) && depth >= walk->visitor->depth_max)
		return;
	/* It may have been replaced meanwhile: what counts is what was opened. */
	handle = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (handle < 0 || fstat(handle, &status) != 0) {
		report(walk, strerror(errno));
		goto out;
	}
	walk->result->trusted = walk->result->trusted && is_private(&status);
	if (S_ISDIR(status.st_mode)) {
		visit_folder(walk, handle, depth + 1);
		handle = -1;
	} else if (S_ISREG(status.st_mode)) {
		visit_file(walk, handle);
	}
out:
	if (handle >= 0)
		close(handle);
}

/* Takes over `handle`. */
static void visit_folder(struct walk *walk, int handle, unsigned depth)
{
	DIR *folder = fdopendir(handle);
	size_t path_size = walk->path.size;
	struct names names = {0};

	if (!folder) {
		report(walk, strerror(errno));
		close(handle);
		return;
	}
	read_names(folder, &names);
	for (size_t i = 0; i < names.list.count && !is_stopped(walk); i++) {
		if (path_size)
			buf_add_byte(&walk->path, '/');
		buf_add(&walk->path, str_of(names.list.items[i]));
		visit(walk, dirfd(folder), names.list.items[i], depth);
		buf_truncate(&walk->path, path_size);
	}
	vec_release(&names.list);
	arena_release(&names.arena);
	closedir(folder);
}

bool tree_read(const char *folder, const struct tree_visitor *visitor, struct tree_result *result,
	       struct buf *error)
{
	int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct walk walk = {.visitor = visitor, .result = result};
	struct stat status;

	*result = (struct tree_result){0};
	if (handle < 0 || fstat(handle, &status) != 0) {
		if (error)
			buf_add_format(error, "%s: %s", folder, strerror(errno));
		if (handle >= 0)
			close(handle);
		return false;
	}
	result->trusted = is_private(&status);
	visit_folder(&walk, handle, 0);
	buf_release(&walk.path);
	buf_release(&walk.bytes);
	return true;
}

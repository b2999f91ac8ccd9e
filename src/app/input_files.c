/* Which files are read. */
#include "app/input.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { DEPTH_MAX = 32, FILES_MAX = 100 * 1000 };

/* What a file is, whatever name led to it. */
struct identity {
	dev_t device;
	ino_t inode; /* 0: a free place */
};

struct walk {
	struct input_files *files;
	input_fault *fault;
	void *context;
	time_t newer_than;     /* only files written after it */
	struct identity *seen; /* a table of `seen_size` places, a power of two; at most half of them used */
	size_t seen_count, seen_size;
};

/* The place of this identity, or the free one where it belongs. */
static struct identity *seen_place(const struct walk *walk, dev_t device, ino_t inode)
{
	size_t at = (size_t)((inode + device) * 0x9E3779B97F4A7C15u >> 20);

	for (;; at++) {
		struct identity *place = &walk->seen[at & (walk->seen_size - 1)];

		if (!place->inode || (place->device == device && place->inode == inode))
			return place;
	}
}

/* Several links may lead to one file; it is read under the first of its names. */
static bool is_first_name(struct walk *walk, const struct stat *status)
{
	struct identity *place;

	if (2 * walk->seen_count >= walk->seen_size) {
		struct walk old = *walk;

		walk->seen_size = old.seen_size ? 2 * old.seen_size : 64;
		walk->seen = alloc_zeroed(walk->seen_size, sizeof(*walk->seen));
		for (size_t i = 0; i < old.seen_size; i++) {
			if (old.seen[i].inode)
				*seen_place(walk, old.seen[i].device, old.seen[i].inode) = old.seen[i];
		}
		free(old.seen);
	}
	place = seen_place(walk, status->st_dev, status->st_ino);
	if (place->inode || !status->st_ino)
		return !status->st_ino;
	*place = (struct identity){status->st_dev, status->st_ino};
	walk->seen_count++;
	return true;
}

static void add_file(struct input_files *files, struct str path, const struct stat *status)
{
	struct input_file file = {arena_copy(&files->arena, path), 0};

	if (S_ISREG(status->st_mode))
		file.size = (uint64_t)status->st_size;
	else
		files->endless = true;
	files->size += file.size;
	vec_push(&files->list, file);
}

static void tell(struct walk *walk, const char *path, const char *why)
{
	struct buf message = {0};

	if (!walk->fault)
		return;
	buf_add_format(&message, "%s: %s", path, why);
	walk->fault(walk->context, buf_str(&message));
	buf_release(&message);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The folders that lead here, to notice a link that leads back. */
struct above {
	dev_t device;
	ino_t inode;
	const struct above *next;
};

static bool is_loop(const struct above *above, const struct stat *status)
{
	unsigned depth = 0;

	for (; above; above = above->next) {
		if (above->device == status->st_dev && above->inode == status->st_ino)
			return true;
		if (++depth > DEPTH_MAX)
			return true;
	}
	return false;
}

static void walk_folder(struct walk *walk, const char *folder, const struct above *above)
{
	struct dirent **names = NULL;
	int count = scandir(folder, &names, is_visible, compare_names);

	if (count < 0)
		tell(walk, folder, strerror(errno));
	for (int i = 0; i < count; i++) {
		struct buf path = {0};
		struct stat status;

		buf_add_format(&path, "%s/%s", folder, names[i]->d_name);
		if (stat(path.data, &status) != 0) {
			tell(walk, path.data, strerror(errno));
		} else if (S_ISDIR(status.st_mode)) {
			struct above here = {status.st_dev, status.st_ino, above};

			if (!is_loop(above, &status))
				walk_folder(walk, path.data, &here);
		} else if (S_ISREG(status.st_mode) && walk->files->list.count < FILES_MAX &&
			   status.st_mtime > walk->newer_than && is_first_name(walk, &status)) {
			add_file(walk->files, buf_str(&path), &status);
		}
		buf_release(&path);
		free(names[i]);
	}
	free(names);
}

bool input_add(struct input_files *files, struct str path, input_fault *fault, void *context,
	       struct buf *error)
{
	struct walk walk = {.files = files, .fault = fault, .context = context};
	struct buf name = {0};
	struct stat status;
	bool good = true;

	if (str_equal(path, STR("-"))) {
		vec_push(&files->list, (struct input_file){STR("-"), 0});
		files->endless = true;
		return true;
	}
	buf_add(&name, path);
	if (stat(buf_c_string(&name), &status) != 0) {
		buf_add_format(error, "%s: %s", buf_c_string(&name), strerror(errno));
		good = false;
	} else if (S_ISDIR(status.st_mode)) {
		struct above here = {status.st_dev, status.st_ino, NULL};

		while (name.size > 1 && name.data[name.size - 1] == '/')
			buf_truncate(&name, name.size - 1);
		walk_folder(&walk, buf_c_string(&name), &here);
	} else {
		add_file(files, path, &status);
	}
	buf_release(&name);
	free(walk.seen);
	return good;
}

void input_files_release(struct input_files *files)
{
	vec_release(&files->list);
	arena_release(&files->arena);
	*files = (struct input_files){0};
}

/* CANN's log folder, as the variables say. */
static bool plog_folder(struct buf *folder)
{
	const char *value = getenv("ASCEND_PROCESS_LOG_PATH");

	if (value && *value) {
		buf_add(folder, str_of(value));
		return true;
	}
	value = getenv("ASCEND_WORK_PATH");
	if (value && *value) {
		buf_add_format(folder, "%s/log", value);
		return true;
	}
	value = getenv("HOME");
	if (!value || !*value)
		return false;
	buf_add_format(folder, "%s/ascend/log", value);
	return true;
}

bool input_add_plog(struct input_files *files, struct buf *error)
{
	struct input_files all = {0};
	struct walk walk = {.files = &all};
	struct buf folder = {0};
	time_t newest = 0;

	if (plog_folder(&folder))
		walk_folder(&walk, buf_c_string(&folder), NULL);
	for (size_t i = 0; i < all.list.count; i++) {
		struct stat status;

		if (stat(all.list.items[i].path.data, &status) == 0 && status.st_mtime > newest)
			newest = status.st_mtime;
	}
	input_files_release(&all);
	free(walk.seen);
	walk.seen = NULL;
	walk.seen_count = walk.seen_size = 0;
	walk.files = files;
	walk.newer_than = newest - INPUT_JOB_SECONDS;
	if (newest)
		walk_folder(&walk, buf_c_string(&folder), NULL);
	else
		buf_add_format(error,
			       "%s: no logs there (ASCEND_PROCESS_LOG_PATH, ASCEND_WORK_PATH, ~/ascend/log)",
			       buf_c_string(&folder));
	buf_release(&folder);
	free(walk.seen);
	return newest != 0;
}

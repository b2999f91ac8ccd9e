/*
 * tree: the files below a folder, in a fixed order, with limits.
 *
 * Links below the folder are never followed, so nothing outside it is read; hidden names are passed over;
 * what is neither a folder nor a regular file (a FIFO would block) is refused.
 */
#ifndef PLAT_TREE_H
#define PLAT_TREE_H

#include "base/buf.h"

struct tree_visitor {
	void *context;
	/* Is this file to be read? `path` is relative to the folder, with '/' between. Null: all are. */
	bool (*wants)(const char *path);
	void (*file)(void *context, const char *path, struct str bytes);
	void (*fault)(void *context, const char *path, const char *why);
	bool (*stop)(void *context); /* asked before each file: true ends it. Null: never */
	size_t file_size_max;        /* bytes */
	size_t file_count_max;
	unsigned depth_max; /* folders below the folder */
};

struct tree_result {
	size_t files;
	size_t bytes;
	/*
	 * Everything that was opened belongs to the user or to root, and no one else may write to it: nobody
	 * else can have put it there.
	 */
	bool trusted;
};

/* By name, bytewise, folders at their place among the files. False: the folder cannot be read, and why. */
bool tree_read(const char *folder, const struct tree_visitor *visitor, struct tree_result *result,
	       struct buf *error);

#endif

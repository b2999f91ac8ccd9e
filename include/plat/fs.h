/*
 * fs: files, with limits, that never block and never end half written.
 *
 * Errors: false, and `error` (may be null) gets one whole message: what, why.
 */
#ifndef PLAT_FS_H
#define PLAT_FS_H

#include "base/buf.h"

/*
 * Append the whole file to `out`. Only regular files (and links to them): a FIFO or a device, which might
 * never end, is refused before anything is read. One with more than `limit` bytes is refused too, and then
 * `out` is as it was.
 */
bool fs_read_file(const char *path, size_t limit, struct buf *out, struct buf *error);

enum fs_home { FS_STATE, FS_CONFIG, FS_CACHE, FS_HOME_COUNT };

/*
 * Append the path of `name` ("program/file") below $XDG_STATE_HOME, $XDG_CONFIG_HOME or $XDG_CACHE_HOME, or
 * below their defaults in $HOME. False: there is no such place, because HOME is missing or not absolute
 * (relative values are ignored, as the XDG base directory specification says).
 */
bool fs_home_path(enum fs_home home, const char *name, struct buf *path);

/* Append a folder for files that need not last: $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp. */
void fs_temporary_folder(struct buf *path);

/*
 * Replace the file in one step: readers see the old or the new content, never a part, whatever happens. The
 * new file is private (0600); folders that are missing are created (0700). Nothing is left behind on failure.
 */
bool fs_write_file(const char *path, struct str content, struct buf *error);

/* Write a new private file (0600); one that is there already, a link too, is left alone and is an error. */
bool fs_create_file(const char *path, struct str content, struct buf *error);

/*
 * Write a new private file (0600) in `folder` whose name starts with `prefix`, and append its path to `path`.
 * The name cannot be guessed and the file did not exist before.
 */
bool fs_write_new_file(const char *folder, const char *prefix, struct str content, struct buf *path,
		       struct buf *error);

#endif

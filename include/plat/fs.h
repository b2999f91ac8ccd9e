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

/* Create the folders that `path` stands in (0700). Errors show when the file is created. */
void fs_make_folders(const char *path);

/* Write a new private file (0600); one that is there already, a link too, is left alone and is an error. */
bool fs_create_file(const char *path, struct str content, struct buf *error);

/* ---- Files that several processes write. --------------------------------------------------------------- */

enum { FS_LOCK_MS = 500 }; /* how long a lock is waited for; it is held for moments only */

/*
 * Lock `path` (by flock of `path`.lock) against all others that do the same. Waits at most `wait_ms`. Ends
 * with fs_unlock, or with the process.
 */
bool fs_lock(const char *path, uint32_t wait_ms, int *lock, struct buf *error);
void fs_unlock(int lock);

/*
 * Read, change and replace the file under its lock, so that nothing of another process is lost. `change` gets
 * what is there (empty when there is no file) and makes the new content. A file that cannot be read, or is
 * longer than `limit`, is left alone: false. As with fs_write_file there is the old or the new content,
 * whatever happens.
 */
typedef void fs_change(void *context, struct str old, struct buf *content);
bool fs_update_file(const char *path, size_t limit, fs_change *change, void *context, struct buf *error);

/*
 * Append whole lines to a private file under its lock. What a cut-off write left at its end, a line without
 * end, is taken away before. When the file has `limit` bytes or more it is first replaced by `compact` of its
 * text (may be null).
 */
typedef struct str fs_compact(struct str text);
bool fs_append_lines(const char *path, struct str lines, size_t limit, fs_compact *compact,
		     struct buf *error);

/*
 * Write a new private file (0600) in `folder` whose name starts with `prefix`, and append its path to `path`.
 * The name cannot be guessed and the file did not exist before.
 */
bool fs_write_new_file(const char *folder, const char *prefix, struct str content, struct buf *path,
		       struct buf *error);

#endif

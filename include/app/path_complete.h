/*
 * path_complete: how the beginning of a path may go on, as a shell has it.
 *
 * In a child process (app/child.h): a folder may be large, or on a file system that hangs.
 */
#ifndef APP_PATH_COMPLETE_H
#define APP_PATH_COMPLETE_H

#include "base/buf.h"

enum { PATHS_MOST = 1000 };

/*
 * Append all paths that begin with `typed`, each ended by NUL, by name; folders end with '/'. "~/" stays as
 * it was typed. Hidden names only where the name that is typed begins with a dot.
 */
void path_complete(struct str typed, struct buf *out);

#endif

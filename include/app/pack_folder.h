/*
 * pack_folder: a pack as it lies in a folder, read and checked for form.
 */
#ifndef APP_PACK_FOLDER_H
#define APP_PACK_FOLDER_H

#include "core/kb.h"

#include <stdatomic.h>

/*
 * All faults go to `diags`, with the folder's name before each file's. The pack lives in the arena; null when
 * the folder cannot be read. It may be used only if there were no errors. Its `untrusted` is set.
 */
struct pack *pack_folder_read(const char *folder, struct arena *arena, struct diag_list *diags);

/* The same where another thread may end it: what was read by then is no pack to be used. */
struct pack *pack_folder_read_until(const char *folder, struct arena *arena, struct diag_list *diags,
				    const atomic_bool *stop);

#endif

/*
 * pack_folder: a pack as it lies in a folder, read and checked for form.
 */
#ifndef APP_PACK_FOLDER_H
#define APP_PACK_FOLDER_H

#include "core/kb.h"

/*
 * All faults go to `diags`, with the folder's name before each file's. The pack lives in the arena; null when
 * the folder cannot be read. It may be used only if there were no errors. Its `untrusted` is set.
 */
struct pack *pack_folder_read(const char *folder, struct arena *arena, struct diag_list *diags);

#endif

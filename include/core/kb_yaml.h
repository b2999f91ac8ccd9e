/*
 * kb_yaml: a folder of YAML files -> a struct pack, driven by the tables of schema.h.
 *
 * The caller reads the files (core makes no system call) and hands in their bytes, in any order. All faults
 * of all files are reported in one run as file:line:column; a file that cannot be read on does not keep the
 * others from being checked. A pack with errors is still given, as far as it could be read, so that lint can
 * go on; nobody else may use it.
 */
#ifndef CORE_KB_YAML_H
#define CORE_KB_YAML_H

#include "core/kb.h"

struct pack_reader;

/*
 * Both must live as long as the reader; the pack lives in the arena. Places are given as FOLDER/PATH, so that
 * editors can jump to them; `folder` may be null.
 */
struct pack_reader *pack_reader_new(struct arena *arena, struct diag_list *diags, const char *folder);

/*
 * What a file is follows from its path below the pack's folder, with '/' between: pack.yaml, probes.yaml,
 * codes/NAME.yaml, SECTION/NAME.yaml. False: not a file that a pack_reader reads, it need not be opened.
 */
bool pack_reader_wants(const char *path);
void pack_reader_file(struct pack_reader *reader, const char *path, struct str bytes);

/* Sort, look for duplicates, and free the reader. Never null. */
struct pack *pack_reader_finish(struct pack_reader *reader);
void pack_reader_drop(struct pack_reader *reader); /* instead, when there is nothing to finish */

#endif

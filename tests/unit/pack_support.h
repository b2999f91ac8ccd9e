/*
 * pack_support: packs written as YAML in the test itself.
 */
#ifndef PACK_SUPPORT_H
#define PACK_SUPPORT_H

#include "base/buf.h"
#include "core/kb_yaml.h"

struct pack_text {
	const char *path;
	const char *yaml; /* null ends a list of them */
};

/* What every pack needs; `name` is its name. */
#define PACK_YAML(name) \
	{ \
		"pack.yaml", "name: " name "\ntitle: {zh: 包, en: pack}\nversion: '1'\n" \
	}

/* Read the files, up to the one without yaml. */
struct pack *pack_of_texts(const struct pack_text *files, struct arena *arena, struct diag_list *diags);

/* All diagnostics as lines "file:line:column: error: text\n"; the caller releases the buffer. */
void diags_to_text(struct diag_list *diags, struct buf *text);

#endif

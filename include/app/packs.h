/*
 * packs: which packs are read, and the knowledge base that they make together.
 *
 * In order, later ones win by id: the shipped pack, /etc/ascend-faq/packs/ * /, $XDG_CONFIG_HOME/ascend-faq/
 * packs/ * /, each --pack DIR. A pack with errors is left out and the rest works.
 */
#ifndef APP_PACKS_H
#define APP_PACKS_H

#include "core/kb.h"

#include <stdatomic.h>

struct packs;

/*
 * `folders` are those of --pack, in order. Faults of all packs go to `diags`; *left_out counts the packs
 * that were left out. The result lives until packs_free.
 */
struct packs *packs_load(const char *const *folders, size_t count, struct diag_list *diags, size_t *left_out);

/* The same where another thread may end it early; then nothing but packs_free may be done with it. */
struct packs *packs_load_until(const char *const *folders, size_t count, struct diag_list *diags,
			       size_t *left_out, const atomic_bool *stop);
bool packs_are_any(size_t count); /* to read at all, beside the shipped one? */
void packs_free(struct packs *packs);
struct kb *packs_kb(struct packs *packs); /* owned by `packs` */

#endif

#include "app/packs.h"

#include "base/alloc.h"

#include <stdlib.h>

struct packs {
	struct kb *kb;
};

struct packs *packs_load(const char *const *folders, size_t count, struct diag_list *diags, size_t *left_out)
{
	const struct pack *shipped = &kb_shipped_pack;
	struct packs *packs = alloc_zeroed(1, sizeof(*packs));

	(void)folders, (void)count, (void)diags;
	*left_out = 0;
	packs->kb = kb_new(&shipped, 1);
	return packs;
}

void packs_free(struct packs *packs)
{
	if (!packs)
		return;
	kb_free(packs->kb);
	free(packs);
}

struct kb *packs_kb(struct packs *packs)
{
	return packs->kb;
}

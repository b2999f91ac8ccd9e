#include "app/packs.h"

#include "app/pack_folder.h"
#include "base/buf.h"
#include "base/vec.h"
#include "plat/fs.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Packs of the site; those of the user are below the configuration folder. */
#define SITE_PACKS "/etc/ascend-faq/packs"
#define USER_PACKS "ascend-faq/packs"

struct packs {
	struct arena arena;
	VEC(const struct pack *) list;
	struct kb *kb;
	const atomic_bool *stop; /* while they are read; or null */
};

/* With its faults; left out, and counted, if it has errors. */
static void load(struct packs *packs, const char *folder, struct diag_list *diags, size_t *left_out)
{
	size_t errors = diags->errors;
	const struct pack *pack = pack_folder_read_until(folder, &packs->arena, diags, packs->stop);

	if (pack && diags->errors == errors)
		vec_push(&packs->list, pack);
	else
		++*left_out;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible_folder(const struct dirent *item)
{
	return item->d_name[0] != '.' &&
	       (item->d_type == DT_DIR || item->d_type == DT_LNK || item->d_type == DT_UNKNOWN);
}

/* Every folder in `parent`, by name. That there is no such parent is the usual case. */
static void load_all(struct packs *packs, const char *parent, struct diag_list *diags, size_t *left_out)
{
	struct dirent **items = NULL;
	int count = scandir(parent, &items, is_visible_folder, by_name);

	for (int i = 0; i < count; i++) {
		struct buf folder = {0};

		buf_add_format(&folder, "%s/%s", parent, items[i]->d_name);
		load(packs, buf_c_string(&folder), diags, left_out);
		buf_release(&folder);
		free(items[i]);
	}
	free(items);
}

struct packs *packs_load(const char *const *folders, size_t count, struct diag_list *diags, size_t *left_out)
{
	return packs_load_until(folders, count, diags, left_out, NULL);
}

bool packs_are_any(size_t count)
{
	struct buf user = {0};
	bool any = count > 0 || access(SITE_PACKS, F_OK) == 0 ||
		   (fs_home_path(FS_CONFIG, USER_PACKS, &user) && access(buf_c_string(&user), F_OK) == 0);

	buf_release(&user);
	return any;
}

struct packs *packs_load_until(const char *const *folders, size_t count, struct diag_list *diags,
			       size_t *left_out, const atomic_bool *stop)
{
	struct packs *packs = alloc_zeroed(1, sizeof(*packs));
	struct buf user = {0};

	*left_out = 0;
	packs->stop = stop;
	vec_push(&packs->list, &kb_shipped_pack);
	load_all(packs, SITE_PACKS, diags, left_out);
	if (fs_home_path(FS_CONFIG, USER_PACKS, &user))
		load_all(packs, buf_c_string(&user), diags, left_out);
	for (size_t i = 0; i < count; i++)
		load(packs, folders[i], diags, left_out);
	packs->kb = kb_new(packs->list.items, packs->list.count);
	packs->stop = NULL;
	buf_release(&user);
	return packs;
}

void packs_free(struct packs *packs)
{
	if (!packs)
		return;
	kb_free(packs->kb);
	vec_release(&packs->list);
	arena_release(&packs->arena);
	free(packs);
}

struct kb *packs_kb(struct packs *packs)
{
	return packs->kb;
}

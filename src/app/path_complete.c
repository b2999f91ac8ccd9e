#include "app/path_complete.h"

#include "app/scan_run.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_folder(const char *folder, const char *name)
{
	struct buf path = {0};
	struct stat status;
	bool is;

	buf_add_format(&path, "%s/%s", folder, name);
	is = stat(buf_c_string(&path), &status) == 0 && S_ISDIR(status.st_mode);
	buf_release(&path);
	return is;
}

static bool fits(struct str name, struct str begin)
{
	return str_starts(name, begin) && (name.data[0] != '.' || begin.size > 0) &&
	       !str_equal(name, STR(".")) && !str_equal(name, STR(".."));
}

void path_complete(struct str typed, struct buf *out)
{
	struct dirent **names = NULL;
	struct buf folder = {0};
	size_t begin = typed.size, found = 0;
	int count;

	if (str_equal(typed, STR("~"))) {
		buf_add_bytes(out, "~/", 3);
		return;
	}
	while (begin > 0 && typed.data[begin - 1] != '/')
		begin--;
	scan_run_add_path(&folder, str_slice(typed, 0, begin));
	count = scandir(begin > 0 ? buf_c_string(&folder) : ".", &names, NULL, compare_names);
	for (int i = 0; i < count; i++) {
		struct str name = str_of(names[i]->d_name);

		if (found < PATHS_MOST && fits(name, str_slice(typed, begin, typed.size))) {
			buf_add(out, str_slice(typed, 0, begin));
			buf_add(out, name);
			if (is_folder(begin > 0 ? buf_c_string(&folder) : ".", names[i]->d_name))
				buf_add_byte(out, '/');
			buf_add_byte(out, '\0');
			found++;
		}
		free(names[i]);
	}
	free(names);
	buf_release(&folder);
}

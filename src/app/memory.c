#include "app/memory.h"

#include "core/guide.h"
#include "core/history.h"
#include "plat/fs.h"
#include "plat/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GUIDES_LIMIT = 4 * 1024 * 1024, DIAGNOSIS_LIMIT = 256 * 1024 };

static bool path_of(const char *name, struct buf *path)
{
	return fs_home_path(FS_STATE, name, path);
}

/* ---- Guides. ------------------------------------------------------------------------------------------ */

void memory_read_guides(struct buf *text)
{
	struct buf path = {0};

	if (path_of("ascend-faq/guide", &path))
		fs_read_file(buf_c_string(&path), GUIDES_LIMIT, text, NULL);
	buf_release(&path);
}

static void merge(void *context, struct str old, struct buf *content)
{
	const struct str *own = context;
	struct guide_memory *memory = guide_memory_new();

	guide_memory_read(memory, old);
	guide_memory_read(memory, *own);
	guide_memory_write(memory, content);
	guide_memory_free(memory);
}

void memory_save_guides(struct str text)
{
	struct buf path = {0};

	if (path_of("ascend-faq/guide", &path))
		fs_update_file(buf_c_string(&path), GUIDES_LIMIT, merge, &text, NULL);
	buf_release(&path);
}

/* ---- History. ----------------------------------------------------------------------------------------- */

bool memory_history_is_on(void)
{
	const char *wish = getenv("ASCEND_FAQ_HISTORY");
	struct buf path = {0};
	bool on = !wish || (strcmp(wish, "0") != 0 && strcmp(wish, "off") != 0);

	if (on && path_of("ascend-faq/history-off", &path))
		on = access(buf_c_string(&path), F_OK) != 0;
	buf_release(&path);
	return on;
}

static bool remove_file(const char *name, struct buf *error)
{
	struct buf path = {0};
	bool gone = path_of(name, &path) && (unlink(buf_c_string(&path)) == 0 || errno == ENOENT);

	if (!gone)
		buf_add_format(error, "%s: %s", path.size ? buf_c_string(&path) : name,
			       path.size ? strerror(errno) : "HOME?");
	buf_release(&path);
	return gone;
}

bool memory_switch_history(bool on, struct buf *error)
{
	struct buf path = {0};
	bool good;

	if (on)
		return remove_file("ascend-faq/history-off", error);
	good = path_of("ascend-faq/history-off", &path);
	if (good)
		good = fs_write_file(buf_c_string(&path), STR("off\n"), error);
	else
		buf_add(error, STR("HOME?"));
	buf_release(&path);
	return good;
}

void memory_add_history(struct str lines)
{
	struct buf path = {0};

	if (memory_history_is_on() && path_of("ascend-faq/history", &path))
		fs_append_lines(buf_c_string(&path), lines, HISTORY_FILE_LIMIT, history_compact, NULL);
	buf_release(&path);
}

void memory_read_history(struct buf *text)
{
	struct buf path = {0};

	if (path_of("ascend-faq/history", &path))
		fs_read_file(buf_c_string(&path), 8 * HISTORY_FILE_LIMIT, text, NULL);
	buf_release(&path);
}

bool memory_clear(struct buf *error)
{
	return remove_file("ascend-faq/history", error) && remove_file("ascend-faq/guide", error) &&
	       remove_file("ascend-faq/last-diagnosis", error);
}

/* ---- The last diagnosis. ------------------------------------------------------------------------------ */

void memory_save_diagnosis(struct str names)
{
	struct buf path = {0};

	if (path_of("ascend-faq/last-diagnosis", &path))
		fs_write_file(buf_c_string(&path), names, NULL);
	buf_release(&path);
}

bool memory_read_diagnosis(struct buf *names)
{
	struct buf path = {0};
	bool good = path_of("ascend-faq/last-diagnosis", &path) &&
		    fs_read_file(buf_c_string(&path), DIAGNOSIS_LIMIT, names, NULL);

	buf_release(&path);
	return good;
}

/* ---- Time. -------------------------------------------------------------------------------------------- */

uint64_t memory_epoch_ms(void)
{
	struct timespec now = {0};
	uint64_t ms;

	clock_gettime(CLOCK_REALTIME, &now);
	ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	return ms > loop_now_ms() ? ms - loop_now_ms() : 0;
}

int64_t memory_zone_s(void)
{
	time_t now = time(NULL);
	struct tm local = {0};

	return localtime_r(&now, &local) ? local.tm_gmtoff : 0;
}

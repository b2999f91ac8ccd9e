#include "app/pack_folder.h"

#include "base/buf.h"
#include "core/kb_yaml.h"
#include "plat/tree.h"

/* Room for packs of 100,000 entries, one a file; what is beyond is no pack. */
enum { FILE_SIZE_MAX = 16 << 20, FILE_COUNT_MAX = 1000 * 1000, DEPTH_MAX = 3 };

struct reading {
	struct pack_reader *reader;
	struct diag_list *diags;
	const char *folder;
	const atomic_bool *stop; /* or null */
};

static void take_file(void *context, const char *path, struct str bytes)
{
	const struct reading *reading = context;

	pack_reader_file(reading->reader, path, bytes);
}

static void take_fault(void *context, const char *path, const char *why)
{
	const struct reading *reading = context;
	struct buf file = {0};

	buf_add_format(&file, "%s/%s", reading->folder, path);
	diag_add(reading->diags, DIAG_ERROR, (struct location){buf_c_string(&file), 0, 0}, "%s", why);
	buf_release(&file);
}

static bool is_stopped(void *context)
{
	const struct reading *reading = context;

	return reading->stop && atomic_load(reading->stop);
}

struct pack *pack_folder_read(const char *folder, struct arena *arena, struct diag_list *diags)
{
	return pack_folder_read_until(folder, arena, diags, NULL);
}

struct pack *pack_folder_read_until(const char *folder, struct arena *arena, struct diag_list *diags,
				    const atomic_bool *stop)
{
	struct reading reading = {.diags = diags, .folder = folder, .stop = stop};
	const struct tree_visitor visitor = {.context = &reading,
					     .wants = pack_reader_wants,
					     .file = take_file,
					     .fault = take_fault,
					     .stop = is_stopped,
					     .file_size_max = FILE_SIZE_MAX,
					     .file_count_max = FILE_COUNT_MAX,
					     .depth_max = DEPTH_MAX};
	struct tree_result result;
	struct buf error = {0};
	struct pack *pack;
	bool read;

	reading.reader = pack_reader_new(arena, diags, folder);
	read = tree_read(folder, &visitor, &result, &error);
	if (!read) {
		pack_reader_drop(reading.reader);
		diag_add(diags, DIAG_ERROR, (struct location){folder, 0, 0}, "%s", buf_c_string(&error));
		buf_release(&error);
		return NULL;
	}
	pack = pack_reader_finish(reading.reader);
	pack->untrusted = !result.trusted;
	buf_release(&error);
	return pack;
}

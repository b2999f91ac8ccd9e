#include "app/log_lines.h"

#include "base/alloc.h"
#include "core/clean.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

enum { CHUNK = 64 * 1024 };

struct reader {
	gzFile file; /* reads what is not packed as it is */
	bool utf16;
	struct clean_utf16 state;
	char *chunk;
	uint64_t at; /* offset of the end of what was read */
};

/* The next bytes as the diagnosis saw them. False: the end. */
static bool read_more(struct reader *reader, struct buf *out)
{
	int got = gzread(reader->file, reader->chunk, CHUNK);
	size_t before = out->size;

	if (got <= 0)
		return false;
	if (reader->utf16)
		clean_utf16_add(&reader->state, out, reader->chunk, (size_t)got);
	else
		buf_add_bytes(out, reader->chunk, (size_t)got);
	reader->at += out->size - before;
	return true;
}

/* Is it UTF-16? Else go to `offset`, at once where the file is not packed. */
static bool begin(struct reader *reader, uint64_t offset)
{
	unsigned char mark[2] = {0, 0};
	int got = gzread(reader->file, mark, sizeof(mark));

	reader->utf16 =
		got == 2 && ((mark[0] == 0xFF && mark[1] == 0xFE) || (mark[0] == 0xFE && mark[1] == 0xFF));
	reader->state.big_endian = mark[0] == 0xFE;
	if (reader->utf16)
		return true;
	if (gzseek(reader->file, (z_off_t)offset, SEEK_SET) < 0)
		return false;
	reader->at = offset;
	return true;
}

static void keep_lines(struct buf *out, size_t from, uint64_t start, uint64_t offset, size_t *before)
{
	size_t wanted = (size_t)(offset - start) + from;
	size_t first = from, end;

	/* From the start of a line, if one starts before the place. */
	if (start > 0) {
		size_t line = str_find_byte(str_slice(buf_str(out), from, wanted), '\n');

		first = line == STR_NOT_FOUND ? wanted : from + line + 1;
	}
	end = wanted + LOG_LINES_AFTER < out->size ? wanted + LOG_LINES_AFTER : out->size;
	buf_truncate(out, end);
	*before = wanted - first;
	buf_remove(out, from, first - from);
}

bool log_lines_read(const char *path, uint64_t offset, struct buf *out, size_t *before)
{
	struct reader reader = {0};
	uint64_t start = offset > LOG_LINES_BEFORE ? offset - LOG_LINES_BEFORE : 0;
	size_t from = out->size;
	struct stat status;
	bool good = false;

	/* A pipe has been read, and nothing is left in it. */
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	reader.file = gzopen(path, "rbe");
	if (!reader.file)
		return false;
	reader.chunk = alloc_bytes(CHUNK);
	if (begin(&reader, start)) {
		/* Of what must be read through, only the end is kept. */
		while (reader.at < offset + LOG_LINES_AFTER && read_more(&reader, out)) {
			size_t most = LOG_LINES_BEFORE + LOG_LINES_AFTER + 4 * CHUNK;

			if (reader.at < start && out->size - from > most)
				buf_remove(out, from, out->size - from - LOG_LINES_BEFORE);
		}
		good = reader.at > offset;
		start = reader.at - (out->size - from);
	}
	if (good && start <= offset)
		keep_lines(out, from, start, offset, before);
	else
		buf_truncate(out, from);
	free(reader.chunk);
	gzclose(reader.file);
	return good && start <= offset;
}

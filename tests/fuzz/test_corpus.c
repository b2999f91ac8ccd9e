/*
 * Replay the corpora: tests/fuzz/corpus/TARGET/ and, for every target, each file also cut and with bytes
 * changed in a fixed sequence. With FUZZ_TARGET defined it is libFuzzer's entry instead.
 */
#include "fuzz.h"

#include "base/buf.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FUZZ_TARGET

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FUZZ_TARGET((struct str){(const char *)data, size});
	return 0;
}

#else

enum { CHANGES = 40 };

static const struct {
	const char *name;
	void (*run)(struct str bytes);
} targets[] = {
#define FUZZ_ROW(name) {#name, fuzz_##name},
	FUZZ_TARGETS(FUZZ_ROW)
#undef FUZZ_ROW
};

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static void run_changed(void (*run)(struct str bytes), struct str bytes)
{
	uint32_t state = 1;

	run(bytes);
	for (int i = 0; i < CHANGES && bytes.size; i++) {
		struct buf changed = {0};
		size_t at = next_random(&state) % bytes.size;

		buf_add(&changed, i % 4 == 0 ? str_slice(bytes, 0, at) : bytes);
		for (int n = 0; i % 4 && n < i && changed.size; n++)
			changed.data[next_random(&state) % changed.size] = (char)next_random(&state);
		run(buf_str(&changed));
		buf_release(&changed);
	}
}

static bool read_file(const char *path, struct buf *out)
{
	FILE *file = fopen(path, "rb");
	char piece[4096];
	size_t size;

	if (!file)
		return false;
	while ((size = fread(piece, 1, sizeof(piece), file)) > 0)
		buf_add_bytes(out, piece, size);
	fclose(file);
	return true;
}

static size_t run_folder(const char *folder, void (*run)(struct str bytes))
{
	DIR *directory = opendir(folder);
	struct dirent *item;
	size_t files = 0;

	while (directory && (item = readdir(directory)) != NULL) {
		struct buf path = {0};
		struct buf bytes = {0};

		buf_add_format(&path, "%s/%s", folder, item->d_name);
		if (item->d_name[0] != '.' && read_file(buf_c_string(&path), &bytes)) {
			run_changed(run, buf_str(&bytes));
			files++;
		}
		buf_release(&bytes);
		buf_release(&path);
	}
	if (directory)
		closedir(directory);
	return files;
}

int main(void)
{
	bool good = true;

	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		struct buf folder = {0};
		size_t files;

		buf_add_format(&folder, "tests/fuzz/corpus/%s", targets[i].name);
		run_changed(targets[i].run, STR("\x01\xFF\x00\x1B[<0;1;1M\xE4\xB8"));
		files = run_folder(buf_c_string(&folder), targets[i].run);
		good = good && files > 0;
		printf("%sok %zu - fuzz corpus of %s, %zu files\n", files ? "" : "not ", i + 1,
		       targets[i].name, files);
		fflush(stdout);
		buf_release(&folder);
	}
	return good ? 0 : 1;
}

#endif

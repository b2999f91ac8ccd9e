/*
 * The same log through Hyperscan or Vectorscan: hs_scan with all patterns that it takes.
 *
 * usage: hyperscan_bench PATTERNS FILE      lines `name value unit`
 */
#include <hs/hs.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4096, PIECE = 1 << 20 };

static int count_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
		       void *context)
{
	(void)id, (void)from, (void)to, (void)flags;
	++*(unsigned long long *)context;
	return 0;
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	static const char *patterns[MOST];
	static unsigned flags[MOST], ids[MOST];
	unsigned taken = 0, refused = 0;
	char *line = NULL;
	size_t room = 0;
	FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
	int log = argc == 3 ? open(argv[2], O_RDONLY) : -1;
	hs_database_t *database;
	hs_compile_error_t *error;
	hs_scratch_t *scratch = NULL;
	unsigned long long matches = 0;
	double least = 0;
	static char bytes[PIECE];
	ssize_t size;

	if (!file || log < 0)
		return 2;
	while (getline(&line, &room, file) > 0 && taken < MOST) {
		line[strcspn(line, "\n")] = '\0';
		if (hs_compile(line, HS_FLAG_DOTALL | HS_FLAG_ALLOWEMPTY, HS_MODE_BLOCK, NULL, &database,
			       &error) != HS_SUCCESS) {
			refused++;
			continue;
		}
		hs_free_database(database);
		flags[taken] = HS_FLAG_DOTALL;
		ids[taken] = taken;
		patterns[taken++] = strdup(line);
	}
	if (hs_compile_multi(patterns, flags, ids, taken, HS_MODE_BLOCK, NULL, &database, &error) !=
	    HS_SUCCESS) {
		fprintf(stderr, "%s\n", error->message);
		return 2;
	}
	hs_alloc_scratch(database, &scratch);
	for (int round = 0; round < 5; round++) {
		double start = now_ms();

		/* Read as the diagnosis reads, so that both pay for it. */
		lseek(log, 0, SEEK_SET);
		while ((size = read(log, bytes, sizeof(bytes))) > 0)
			hs_scan(database, bytes, (unsigned)size, 0, scratch, count_match, &matches);
		start = now_ms() - start;
		if (round == 0 || start < least)
			least = start;
	}
	printf("hyperscan_taken %u count\nhyperscan_refused %u count\nhyperscan_pass %.3f ms\n", taken,
	       refused, least);
	return 0;
}

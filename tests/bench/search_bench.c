/*
 * Processor time of search, without a screen: making the index, and every key of some typed queries.
 *
 *	search_bench [ENTRIES [LINES]]
 *
 * Prints `name value unit` lines, for the shipped pack (shipped_) and for ENTRIES made entries (large_,
 *100,000 unless told). With LINES, a file name, the titles and texts of the made entries are written there,
 *one entry a line, for `fzf --filter`.
 *
 *	_index           making the index
 *	_memory          what the process holds more once the index is made
 *	_key_median      one more character of a query, over all keys of all queries
 *	_key_worst       the slowest of them
 *	_query_median    "socket port", whole, its words not looked up before
 *	_query_worst     the slowest whole query of the list, its words not looked up before
 */
#include "base/arena.h"
#include "core/search.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MANY = 100000, ROUNDS = 15, KEYS = 1024 };

static const char *const queries[] = {
	"socket",
	"ei0020",
	"端口占用",
	"address already in use",
	"eaddrinuse",
	"error code is 7",
	"hcclcommnitrootinfo",
	"rank3 timeout",
	"cann 版本 不匹配",
	"507015",
	"e",
	"npu socket port range",
	"端口被占用了怎么办",
};

enum { QUERY_COUNT = sizeof(queries) / sizeof(queries[0]) };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
	return values[count / 2];
}

static size_t next_character(const char *text, size_t at)
{
	do {
		at++;
	} while (((unsigned char)text[at] & 0xC0) == 0x80);
	return at;
}

static void time_index(const struct kb *kb, const char *name)
{
	double times[ROUNDS];
	int rounds = kb->entry_count > 10000 ? 3 : ROUNDS;
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;

	for (int i = 0; i < rounds; i++) {
		double start = now();
		struct search_index *index = search_index_new(kb);

		times[i] = now() - start;
		if (i == rounds - 1)
			printf("%s_memory %.2f MiB\n", name,
			       (double)(mallinfo2().uordblks + mallinfo2().hblkhd - before) / 1048576);
		search_index_free(index);
	}
	printf("%s_index %.3f ms\n", name, median(times, (size_t)rounds));
}

static void time_keys(const struct kb *kb, const char *name)
{
	struct search_index *index = search_index_new(kb);
	struct search_result result = {0};
	static double times[KEYS];
	const char *worst_query = "";
	size_t count = 0, worst_size = 0;
	double worst = 0;

	for (size_t i = 0; i < QUERY_COUNT; i++) {
		for (size_t end = 0; queries[i][end] && count < KEYS;) {
			double start = now(), took;

			end = next_character(queries[i], end);
			search_run(index, (struct str){queries[i], end}, &result);
			took = now() - start;
			times[count++] = took;
			if (took > worst) {
				worst = took;
				worst_query = queries[i];
				worst_size = end;
			}
		}
	}
	printf("%s_key_median %.4f ms\n", name, median(times, count));
	printf("%s_key_worst %.4f ms # \"%.*s\"\n", name, worst, (int)worst_size, worst_query);
	search_result_release(&result);
	search_index_free(index);
}

/* Look up so many other words that nothing of an earlier query is at hand. */
static void forget(struct search_index *index, struct search_result *result)
{
	char word[16];

	for (int i = 0; i < 40; i++) {
		snprintf(word, sizeof(word), "zq%dx", i);
		search_run(index, str_of(word), result);
	}
}

static void time_queries(const struct kb *kb, const char *name)
{
	struct search_index *index = search_index_new(kb);
	struct search_result result = {0};
	double times[ROUNDS], worst = 0;
	const char *worst_query = "";
	size_t hits = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double start;

		forget(index, &result);
		start = now();
		search_run(index, STR("socket port"), &result);
		times[i] = now() - start;
		hits = result.hits.count;
	}
	printf("%s_query_median %.4f ms # %zu hits\n", name, median(times, ROUNDS), hits);
	for (size_t i = 0; i < QUERY_COUNT; i++) {
		double start, took;

		forget(index, &result);
		start = now();
		search_run(index, str_of(queries[i]), &result);
		took = now() - start;
		if (took > worst)
			worst_query = queries[i];
		worst = took > worst ? took : worst;
	}
	printf("%s_query_worst %.4f ms # \"%s\"\n", name, worst, worst_query);
	search_result_release(&result);
	search_index_free(index);
}

/* Sentences of real entries with numbers of their own, so that the vocabulary grows as a real one would. */
static struct str made_text(struct arena *arena, const struct kb *kb, size_t number, int lang)
{
	const struct entry *entry = kb->entries[number % kb->entry_count];
	const struct entry *other = kb->entries[(number / kb->entry_count) % kb->entry_count];
	struct str problem = text_in(&entry->problem, (enum lang)lang);
	struct str cause = text_in(&other->cause, (enum lang)lang);
	size_t size = problem.size + cause.size + 128;
	char *text = alloc_bytes(size);
	struct str copy;

	snprintf(text, size, "%.*s %.*s rank%zu pid %zu 0x%08zx", STR_ARG(problem), STR_ARG(cause),
		 number % 4096, number * 7 % 4194304, number * 2654435761u % 4294967296u);
	copy = arena_copy(arena, str_of(text));
	free(text);
	return copy;
}

static struct kb make_many(struct arena *arena, const struct kb *kb, size_t entries)
{
	struct entry *many = arena_take_array(arena, entries, sizeof(*many));
	const struct entry **list = arena_take_array(arena, entries, sizeof(*list));

	for (size_t i = 0; i < entries; i++) {
		const struct entry *model = kb->entries[i % kb->entry_count];
		struct sample *sample = arena_take(arena, sizeof(*sample));
		char text[256];

		many[i] = *model;
		snprintf(text, sizeof(text), "%zu.%zu", i / 1000 + 1, i % 1000 + 1);
		many[i].id = arena_copy(arena, str_of(text));
		for (int lang = 0; lang < LANG_COUNT; lang++) {
			snprintf(text, sizeof(text), "%.*s %zu",
				 STR_ARG(text_in(&model->title, (enum lang)lang)), i);
			many[i].title.in[lang] = arena_copy(arena, str_of(text));
			many[i].problem.in[lang] = made_text(arena, kb, i, lang);
		}
		many[i].cause = (struct text){0};
		sample->text = made_text(arena, kb, i + 1, LANG_EN);
		many[i].errors = sample;
		many[i].error_count = 1;
		many[i].solution_count = 0;
		list[i] = &many[i];
	}
	return (struct kb){.entries = list,
			   .entry_count = entries,
			   .codes = kb->codes,
			   .code_count = kb->code_count,
			   .sections = kb->sections,
			   .section_count = kb->section_count};
}

static void write_flat(FILE *file, struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		fputc(text.data[i] == '\n' ? ' ' : text.data[i], file);
	fputc(' ', file);
}

static bool write_lines(const struct kb *kb, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file) {
		perror(path);
		return false;
	}
	for (size_t i = 0; i < kb->entry_count; i++) {
		const struct entry *entry = kb->entries[i];

		write_flat(file, entry->id);
		for (int lang = 0; lang < LANG_COUNT; lang++) {
			write_flat(file, entry->title.in[lang]);
			write_flat(file, entry->problem.in[lang]);
		}
		write_flat(file, entry->errors[0].text);
		fputc('\n', file);
	}
	return fclose(file) == 0;
}

int main(int count, char **arguments)
{
	const struct pack *shipped = &kb_shipped_pack;
	struct kb *kb = kb_new(&shipped, 1);
	struct arena arena = {0};
	uint64_t entries = MANY;
	struct kb many;

	if (count > 1 &&
	    (!str_to_u64(str_of(arguments[1]), &entries) || entries == 0 || entries > 10 * MANY)) {
		fprintf(stderr, "search_bench: %s: not a number of entries\n", arguments[1]);
		return 2;
	}
	many = make_many(&arena, kb, (size_t)entries);
	time_index(kb, "shipped");
	time_keys(kb, "shipped");
	time_index(&many, "large");
	time_keys(&many, "large");
	time_queries(&many, "large");
	if (count > 2 && !write_lines(&many, arguments[2]))
		return 1;
	arena_release(&arena);
	kb_free(kb);
	return 0;
}

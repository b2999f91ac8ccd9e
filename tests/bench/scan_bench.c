/*
 * What a pass over a log costs, with the signatures of the pack and with four times as many.
 *
 * usage: scan_bench patterns            the signatures, one a line, for other engines: groups without names
 *        scan_bench time FILE           lines `name value unit`
 */
#include "base/arena.h"
#include "core/diagnose.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COPIES = 3 };

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static char rotated(char byte, int by)
{
	char first = byte >= 'a' ? 'a' : 'A';

	return (char)(first + (byte - first + by) % 26);
}

/*
 * A pattern that does not occur: words of an error sample of the entry with each letter turned into another,
 * as long and as rare as real ones.
 */
static struct str other_pattern(struct arena *arena, const struct entry *entry, size_t number, int by)
{
	struct str words = entry->error_count ? entry->errors[number % entry->error_count].text
					      : entry->title.in[LANG_EN];
	struct buf text = {0};
	struct str pattern;
	size_t at = words.size ? number * 37 % words.size : 0;

	buf_add_byte(&text, 'q');
	for (; at < words.size && text.size < 40; at++) {
		if (is_letter(words.data[at]))
			buf_add_byte(&text, rotated(words.data[at], by));
		else if (words.data[at] == ' ')
			buf_add(&text, STR("\\s+"));
	}
	buf_add_format(&text, "zqx%d", by);
	pattern = arena_copy(arena, buf_str(&text));
	buf_release(&text);
	return pattern;
}

static struct str numbered_id(struct arena *arena, struct str id, int copy)
{
	struct buf text = {0};
	struct str result;

	buf_add_format(&text, "%.*s-%d", STR_ARG(id), copy);
	result = arena_copy(arena, buf_str(&text));
	buf_release(&text);
	return result;
}

/* The shipped entries COPIES times over, each with other words to look for. */
static struct pack *more_signatures(struct arena *arena)
{
	const struct pack *shipped = &kb_shipped_pack;
	struct pack *pack = arena_take(arena, sizeof(*pack));
	struct entry *entries = arena_take_array(arena, shipped->entry_count * COPIES, sizeof(*entries));

	pack->name = STR("more");
	pack->entries = entries;
	/* In the order of ids, as a pack has them. */
	for (size_t i = 0; i < shipped->entry_count; i++) {
		for (int copy = 0; copy < COPIES; copy++) {
			struct entry *entry = &entries[pack->entry_count++];
			struct signature *signatures = arena_take_array(
				arena, shipped->entries[i].signature_count, sizeof(*signatures));

			*entry = shipped->entries[i];
			entry->id = numbered_id(arena, entry->id, copy);
			for (size_t s = 0; s < entry->signature_count; s++) {
				signatures[s] = entry->signatures[s];
				signatures[s].match = other_pattern(arena, entry, s, copy + 1);
				signatures[s].unless = STR("");
			}
			entry->signatures = signatures;
		}
	}
	return pack;
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* One thread, the whole file; the time of the pass alone. */
static double pass(const struct scanner *scanner, const char *path)
{
	struct diagnose *diagnose = diagnose_new(scanner);
	int file = open(path, O_RDONLY);
	double start = now_ms();
	ssize_t size;

	if (file < 0) {
		perror(path);
		_Exit(2);
	}
	diagnose_begin(diagnose, STR("log"));
	do {
		size_t room;
		char *to = diagnose_room(diagnose, &room);

		size = read(file, to, room);
		if (size > 0)
			diagnose_commit(diagnose, (size_t)size);
	} while (size > 0);
	diagnose_finish(diagnose);
	close(file);
	start = now_ms() - start;
	diagnose_free(diagnose);
	return start;
}

static double least_of(const struct scanner *scanner, const char *path)
{
	double least = pass(scanner, path);

	for (int i = 0; i < 4; i++) {
		double again = pass(scanner, path);

		if (again < least)
			least = again;
	}
	return least;
}

static void print_patterns(void)
{
	for (size_t i = 0; i < kb_shipped_pack.entry_count; i++) {
		const struct entry *entry = &kb_shipped_pack.entries[i];

		for (size_t s = 0; s < entry->signature_count; s++) {
			struct str rest = str_trim(entry->signatures[s].match);
			size_t at;

			while ((at = str_find(rest, STR("(?<"))) != STR_NOT_FOUND && at + 3 < rest.size &&
			       is_letter(rest.data[at + 3])) {
				printf("%.*s(?:", (int)at, rest.data);
				rest = str_slice(rest, at, rest.size);
				rest = str_slice(rest, str_find_byte(rest, '>') + 1, rest.size);
			}
			printf("%.*s\n", STR_ARG(rest));
		}
	}
}

int main(int argc, char **argv)
{
	const struct pack *packs[] = {&kb_shipped_pack, NULL};
	struct arena arena = {0};
	struct scanner *scanner;

	if (argc == 2 && strcmp(argv[1], "patterns") == 0) {
		print_patterns();
		return 0;
	}
	if (argc != 3 || strcmp(argv[1], "time") != 0) {
		fputs("usage: scan_bench patterns | scan_bench time FILE\n", stderr);
		return 2;
	}
	packs[1] = more_signatures(&arena);
	for (size_t count = 1; count <= 2; count++) {
		struct kb *kb = kb_new(packs, count);
		double start = now_ms();

		scanner = scanner_new(kb);
		printf("scan_%zu_compile %.3f ms\n", count, now_ms() - start);
		printf("scan_%zu_signatures %zu count\n", count, scanner_signature_count(scanner));
		printf("scan_%zu_pass %.3f ms\n", count, least_of(scanner, argv[2]));
		fflush(stdout);
		scanner_free(scanner);
		kb_free(kb);
	}
	arena_release(&arena);
	return 0;
}

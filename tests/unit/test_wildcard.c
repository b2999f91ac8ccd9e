/* The C library's glob(3) and fnmatch(3) say what is right. */
#include "test.h"

#include "base/buf.h"
#include "plat/wildcard.h"

#include <fnmatch.h>
#include <glob.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const patterns[] = {
	"*",       "?",      "a*",     "*a",    "a*b*c", "*.so",     ".*",    "[ab]*", "[!a]*",
	"[^a]*",   "[a-c]?", "[]]",    "[]a]*", "[!]]*", "[a-]*",    "[-a]*", "\\*",   "a\\b",
	"[a",      "a[",     "[\\]]*", "**a**", "a?c*",  "??",       "[.]*",  "\\.*",  "triton*",
	"*[-_.]*", "",       "*中*",   "?",     "[[]*",  "*a*a*a*b",
};

static const char *const names[] = {
	"",
	"a",
	"b",
	"ab",
	"abc",
	"aXbYc",
	"lib.so",
	"lib.so.1",
	".hidden",
	"]",
	"-x",
	"[a",
	"a[",
	"*",
	"a\\b",
	"c9",
	".",
	"..",
	"triton-3.0.dist",
	"中",
	"a中b",
	"文",
	"a.b",
	"[",
	"\\",
	"!a",
	"^a",
	"zzz.so",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac",
	"aab",
};

static void names_match_as_the_c_library_has_them(void **state)
{
	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++) {
			bool wanted = fnmatch(patterns[i], names[j], FNM_PERIOD) == 0;

			if (wildcard_matches(patterns[i], names[j]) != wanted)
				fail_msg("%s and %s: %d is wanted", patterns[i], names[j], wanted);
		}
}

struct hits {
	char *paths[200];
	size_t count, most;
};

static bool add_hit(void *context, const char *path)
{
	struct hits *hits = context;

	hits->paths[hits->count++] = strdup(path);
	return hits->count < hits->most;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check_pattern(const char *pattern)
{
	struct hits hits = {.most = 200};
	glob_t wanted = {0};

	glob(pattern, 0, NULL, &wanted);
	assert_true(wildcard_expand(pattern, add_hit, &hits));
	if (hits.count > 1)
		qsort(hits.paths, hits.count, sizeof(*hits.paths), compare);
	if (wanted.gl_pathc > 1)
		qsort(wanted.gl_pathv, wanted.gl_pathc, sizeof(char *), compare);
	if (hits.count != wanted.gl_pathc)
		fail_msg("%s: %zu paths, not %zu", pattern, hits.count, wanted.gl_pathc);
	for (size_t i = 0; i < hits.count; i++) {
		assert_string_equal(hits.paths[i], wanted.gl_pathv[i]);
		free(hits.paths[i]);
	}
	globfree(&wanted);
}

static void paths_are_found_as_the_c_library_finds_them(void **state)
{
	static const char *const below[] = {"*",
					    "*/*",
					    "*/*/*",
					    "a/*",
					    "*/x",
					    "a/x",
					    "nowhere/*",
					    "nowhere",
					    "a/[x]",
					    "?/x",
					    "a//x",
					    "*//x",
					    "*/",
					    "l/*",
					    ".*",
					    "*/.h*",
					    "dangling*",
					    "d\\angling",
					    "*/x/*",
					    "with\\[brackets\\]/*",
					    "with?brackets]/y",
					    "f/*"};
	char folder[] = "/tmp/ascend-faq-test-XXXXXX", line[512];
	const char *home = getcwd(line, sizeof(line)) ? strdup(line) : NULL;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(line, sizeof(line),
		 "cd %s && mkdir -p a b c/x 'with[brackets]' && touch a/x a/y b/x b/.h c/x/z f "
		 "'with[brackets]/y' && "
		 "ln -s a l && ln -s nowhere dangling",
		 folder);
	assert_int_equal(system(line), 0);
	for (size_t i = 0; i < sizeof(below) / sizeof(*below); i++) {
		snprintf(line, sizeof(line), "%s/%s", folder, below[i]);
		check_pattern(line);
	}
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < sizeof(below) / sizeof(*below); i++)
		check_pattern(below[i]);
	check_pattern("/");
	check_pattern("/*/../tm[p]");
	assert_int_equal(chdir(home), 0);
	snprintf(line, sizeof(line), "rm -rf %s", folder);
	assert_int_equal(system(line), 0);
	free((char *)home);
}

static void who_has_enough_is_asked_no_more(void **state)
{
	struct hits hits = {.most = 2};

	(void)state;
	assert_false(wildcard_expand("/*", add_hit, &hits));
	assert_int_equal(hits.count, 2);
	free(hits.paths[0]);
	free(hits.paths[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_match_as_the_c_library_has_them),
		cmocka_unit_test(paths_are_found_as_the_c_library_finds_them),
		cmocka_unit_test(who_has_enough_is_asked_no_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

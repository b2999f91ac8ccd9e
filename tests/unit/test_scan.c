#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/literal.h"
#include "core/scan.h"
#include "pack_support.h"

#include <string.h>

/* Literals of patterns */

static struct literal_sets extract(struct str pattern, struct arena *arena)
{
	struct frequencies frequencies;

	frequencies_init(&frequencies);
	return literal_extract(&frequencies, pattern, arena);
}

static bool set_has(const struct literal_sets *sets, const char *part)
{
	for (size_t i = 0; i < sets->count; i++) {
		for (size_t j = 0; j < sets->sets[i].count; j++) {
			if (str_find(sets->sets[i].items[j].text, str_of(part)) != STR_NOT_FOUND)
				return true;
		}
	}
	return false;
}

/* `text` matches the pattern: then a literal of every set stands in it. */
static void check_needed(const char *pattern, const char *text)
{
	struct arena arena = {0};
	struct literal_sets sets = extract(str_of(pattern), &arena);

	if (!sets.count)
		fail_msg("%s: no literals", pattern);
	for (size_t i = 0; i < sets.count; i++) {
		bool there = false;

		for (size_t j = 0; j < sets.sets[i].count; j++) {
			const struct literal *literal = &sets.sets[i].items[j];

			for (const char *at = text; *at; at++) {
				there = there ||
					(literal->caseless
						 ? strncasecmp(at, literal->text.data, literal->text.size) ==
							   0
						 : strncmp(at, literal->text.data, literal->text.size) == 0);
			}
		}
		if (!there)
			fail_msg("%s: a set that does not occur in: %s", pattern, text);
	}
	arena_release(&arena);
}

static void every_match_holds_a_literal_of_each_set(void **state)
{
	(void)state;
	check_needed("\\bEI0020\\b|Failed to enable listening", "EI0020");
	check_needed("\\bEI0020\\b|Failed to enable listening", "Failed to enable listening");
	check_needed("appli(?:caiton|cation) exception", "application exception");
	check_needed("colou?rful(ness)? things", "colorful things");
	check_needed("a{2}bcdefg{0,3}hijkl", "aabcdefhijkl");
	check_needed("(?i)Address already in use", "ADDRESS ALREADY IN USE");
	check_needed("(?i:Error) code is 4", "eRRoR code is 4");
	check_needed("\\Qa.b*c[d]\\E+hello", "a.b*c[d]hello");
	check_needed("(?x) hello \\ world # comment\n", "hello world");
	check_needed("hello[.]world[ ]again", "hello.world again");
	check_needed("(?<PORT>\\d+) have already been bound", "16666 have already been bound");
	check_needed("foo(?!bar)bazqux", "foobazqux");
	check_needed("(?:abcdefg|hijklmn)+opqrstu", "hijklmnabcdefgopqrstu");
	check_needed("x{literal}brace", "x{literal}brace");
	check_needed("[]abc]defghij", "]defghij");
	check_needed("[[:alpha:]]defghij\\x41\\.", "qdefghijA.");
}

static void what_need_not_occur_is_no_literal(void **state)
{
	struct arena arena = {0};
	struct literal_sets sets;

	(void)state;
	sets = extract(STR("(?:optional )?required"), &arena);
	assert_true(set_has(&sets, "requir"));
	assert_false(set_has(&sets, "option"));
	sets = extract(STR("(?=lookahead)(?<!behind)something"), &arena);
	assert_false(set_has(&sets, "lookah"));
	assert_false(set_has(&sets, "behind"));
	sets = extract(STR("alternative|x"), &arena);
	assert_int_equal(sets.count, 0);
	sets = extract(STR("abcd\\d+"), &arena);
	assert_int_equal(sets.count, 0);
	sets = extract(STR("hello(*ACCEPT)world"), &arena);
	assert_int_equal(sets.count, 0);
	sets = extract(STR("(?(1)hello|world)"), &arena);
	assert_int_equal(sets.count, 0);
	sets = extract(STR("broken(pattern"), &arena);
	assert_int_equal(sets.count, 0);
	arena_release(&arena);
}

static void long_texts_give_several_sets(void **state)
{
	struct arena arena = {0};
	struct literal_sets sets;

	(void)state;
	sets = extract(STR("operandSegmentSizes of hivm.hir.custom, LLVMCGData"), &arena);
	assert_int_equal(sets.count, LITERAL_SETS_MAX);
	arena_release(&arena);
}

static void hostile_patterns_end(void **state)
{
	struct arena arena = {0};
	struct buf pattern = {0};

	(void)state;
	buf_add_repeated(&pattern, '(', 5000);
	extract(buf_str(&pattern), &arena);
	buf_clear(&pattern);
	buf_add_repeated(&pattern, '|', 5000);
	extract(buf_str(&pattern), &arena);
	for (int byte = 1; byte < 256; byte++) {
		char text[] = {'\\', (char)byte, '(', (char)byte, '[', (char)byte, '\0'};

		extract(str_of(text), &arena);
		extract(str_of(text + 2), &arena);
		extract(str_of(text + 4), &arena);
	}
	buf_release(&pattern);
	arena_release(&arena);
}

/* The scan */

#define SIGNATURE(match) "- {match: '" match "', strength: certain}\n"

struct fixture {
	struct arena arena;
	struct diag_list diags;
	const struct pack *packs[1];
	struct kb *kb;
	struct scanner *scanner;
};

static const char entry_yaml[] =
	"id: '1.1'\ntitle: {zh: t, en: t}\norigin: faq\nsource: s\nsignatures:\n" SIGNATURE("\\bEI0020\\b")
		SIGNATURE("Failed to enable listening") SIGNATURE("hivmc") SIGNATURE("(?i)CaseLess")
			SIGNATURE("llvm-ar") SIGNATURE("EADDRINUSE|address already in use");

static int setup(void **state)
{
	struct fixture *fixture = alloc_zeroed(1, sizeof(*fixture));
	const struct pack_text files[] = {PACK_YAML("test"), {"install/1.1.yaml", entry_yaml}, {0}};

	fixture->packs[0] = pack_of_texts(files, &fixture->arena, &fixture->diags);
	if (!fixture->packs[0] || fixture->diags.errors) {
		struct buf text = {0};

		diags_to_text(&fixture->diags, &text);
		print_message("%s", buf_c_string(&text));
		return -1;
	}
	fixture->kb = kb_new(fixture->packs, 1);
	fixture->scanner = scanner_new(fixture->kb);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	scanner_free(fixture->scanner);
	kb_free(fixture->kb);
	arena_release(&fixture->arena);
	diag_release(&fixture->diags);
	free(fixture);
	return 0;
}

/* Signatures that some hit names, as a set of bits. */
static unsigned signatures_in(const struct scanner *scanner, struct str text, size_t cut)
{
	struct scan_hits hits = {0};
	unsigned set = 0;

	scanner_run(scanner, text, 0, cut, &hits);
	scanner_run(scanner, text, cut, text.size, &hits);
	for (size_t i = 0; i < hits.list.count; i++) {
		size_t count;
		const struct scan_owner *owners = scanner_owners(scanner, hits.list.items[i].literal, &count);

		for (size_t j = 0; j < count; j++)
			set |= 1u << owners[j].signature;
	}
	vec_release(&hits.list);
	return set;
}

struct scan_case {
	const char *text;
	unsigned set;
};

static const struct scan_case scan_cases[] = {
	{"EI0020", 1},
	{"(EI0020): x", 1},
	{"Failed to enable listening", 2},
	{"Cannot find hivmc under", 4},
	{"hivmc", 4},
	{"CASELESS", 8},
	{"caseless", 8},
	{"llvm-ar: not found", 16},
	{"EADDRINUSE", 32},
	{"address already in use", 32},
	{"nothing of this is there", 0},
	{"EI002", 0},
	{"hivm", 0},
	{"", 0},
};

/* Wherever it stands among the samples, and wherever the range is cut. */
static void literals_are_found_at_every_place(void **state)
{
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(scan_cases) / sizeof(*scan_cases); i++) {
		for (size_t before = 0; before < 40; before++) {
			struct buf text = {0};

			buf_add_repeated(&text, '-', before);
			buf_add(&text, str_of(scan_cases[i].text));
			for (size_t cut = 0; cut <= text.size; cut++)
				assert_int_equal(signatures_in(fixture->scanner, buf_str(&text), cut),
						 scan_cases[i].set);
			buf_add_repeated(&text, '\n', 50);
			assert_int_equal(signatures_in(fixture->scanner, buf_str(&text), text.size / 2),
					 scan_cases[i].set);
			buf_release(&text);
		}
	}
}

static void each_literal_is_found_once(void **state)
{
	const struct fixture *fixture = *state;
	struct scan_hits hits = {0};

	scanner_run(fixture->scanner, STR("..hivmc...hivmc..hivmc"), 0, 22, &hits);
	assert_int_equal(hits.list.count, 3);
	assert_int_equal(hits.list.items[0].at, 2);
	assert_int_equal(hits.list.items[1].at, 10);
	assert_int_equal(hits.list.items[2].at, 17);
	vec_release(&hits.list);
}

static void line_ends_are_counted(void **state)
{
	struct buf text = {0};

	(void)state;
	for (size_t i = 0; i < 30000; i++)
		buf_add_byte(&text, i % 7 ? 'x' : '\n');
	for (size_t size = 0; size < 100; size++)
		assert_int_equal(scan_count_lines((struct str){text.data, size}), (size + 6) / 7);
	assert_int_equal(scan_count_lines(buf_str(&text)), (30000 + 6) / 7);
	buf_release(&text);
}

static void every_shipped_signature_can_be_found(void **state)
{
	const struct pack *const packs[] = {&kb_shipped_pack};
	struct kb *kb = kb_new(packs, 1);
	struct scanner *scanner = scanner_new(kb);

	(void)state;
	for (size_t i = 0; i < scanner_signature_count(scanner); i++) {
		const struct scan_signature *signature = scanner_signature(scanner, i);

		if (!signature->usable)
			fail_msg("%.*s: no literal of %d bytes in %.*s", STR_ARG(signature->entry->id),
				 LITERAL_SIZE_MIN, STR_ARG(signature->signature->match));
	}
	scanner_free(scanner);
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_match_holds_a_literal_of_each_set),
		cmocka_unit_test(what_need_not_occur_is_no_literal),
		cmocka_unit_test(long_texts_give_several_sets),
		cmocka_unit_test(hostile_patterns_end),
		cmocka_unit_test(literals_are_found_at_every_place),
		cmocka_unit_test(each_literal_is_found_once),
		cmocka_unit_test(line_ends_are_counted),
		cmocka_unit_test(every_shipped_signature_can_be_found),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

#include "test.h"

#include "core/kb_lint.h"
#include "pack_support.h"

/* An entry of which each part can be replaced. */
struct parts {
	const char *head, *problem, *errors, *not_errors, *signatures, *solutions, *more;
};

static const struct parts good = {
	.head = "id: '1.1'\ntitle: {zh: 标题, en: title}\norigin: faq\nsource: s\n",
	.problem = "problem: {zh: 问题, en: problem}\n",
	.errors = "errors: ['clang++ not found in <DIR>']\n",
	.not_errors = "not-errors: ['gcc not found']\n",
	.signatures = "signatures: [{match: 'clang\\+\\+ not found', strength: certain}]\n",
	.solutions =
		"solutions:\n  - steps:\n    - {say: {zh: 看, en: look}, run: 'ls <DIR>', effect: read}\n",
	.more = "",
};

#define SECTIONS \
	"name: test\ntitle: {zh: 包, en: pack}\nversion: '1'\nsections:\n" \
	"  - {id: install, number: '1', title: {zh: 安装, en: Install}}\n"
#define PLACEHOLDERS \
	"- {name: DIR, meaning: {zh: 目录, en: folder}, kind: path, values: [{log: FOUND_DIR}]}\n" \
	"- {name: PID, meaning: {zh: 进程, en: process}, kind: int, display-only: true}\n"

enum { FILES_MAX = 8 };

struct fixture {
	struct pack_text files[FILES_MAX];
	size_t count;
	struct lint_options options;
};

static struct fixture new_fixture(void)
{
	return (struct fixture){.files = {{"pack.yaml", SECTIONS}, {"placeholders.yaml", PLACEHOLDERS}},
				.count = 2};
}

static void add_entry(struct buf *yaml, const struct parts *parts)
{
	const char *const all[] = {parts->head,       parts->problem,   parts->errors, parts->not_errors,
				   parts->signatures, parts->solutions, parts->more};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		buf_add(yaml, str_of(all[i]));
}

static void expect_faults(struct fixture *fixture, const char *faults)
{
	struct diag_list diags = {0};
	struct arena arena = {0};
	struct buf text = {0};
	const struct pack *pack = pack_of_texts(fixture->files, &arena, &diags);
	struct kb *kb = kb_new(&pack, 1);

	diags_to_text(&diags, &text);
	assert_string_equal(buf_c_string(&text), "");
	kb_lint(kb, pack, &fixture->options, &diags);
	diags_to_text(&diags, &text);
	assert_string_equal(buf_c_string(&text), faults);
	kb_free(kb);
	buf_release(&text);
	diag_release(&diags);
	arena_release(&arena);
}

/* The faults of a pack with this entry in install/a.yaml. */
static void expect_with(struct lint_options options, struct parts parts, const char *faults)
{
	struct fixture fixture = new_fixture();
	struct buf yaml = {0};

	add_entry(&yaml, &parts);
	fixture.files[fixture.count++] = (struct pack_text){"install/a.yaml", buf_c_string(&yaml)};
	fixture.options = options;
	expect_faults(&fixture, faults);
	buf_release(&yaml);
}

static void expect(struct parts parts, const char *faults)
{
	expect_with((struct lint_options){.shipped = true}, parts, faults);
}

/* As `expect` with one part replaced. */
#define EXPECT(part, yaml, faults) \
	do { \
		struct parts changed = good; \
		changed.part = yaml; \
		expect(changed, faults); \
	} while (0)

#define A "install/a.yaml:"

static void a_good_pack_has_no_faults(void **state)
{
	(void)state;
	expect(good, "");
}

static void a_problem_has_all_its_parts(void **state)
{
	(void)state;
	EXPECT(problem, "", A "1:1: error: entry without `problem`: say what the reader sees happen\n");
	EXPECT(errors, "",
	       A "1:1: error: entry without `errors`: give at least one sample, verbatim, or write `kind: "
		 "reference`\n");
	EXPECT(not_errors, "",
	       A "1:1: error: entry without `not-errors`: give at least one near miss that must not match\n");
	EXPECT(solutions, "", A "1:1: error: entry without `solutions`: say what to do\n");
	EXPECT(signatures, "",
	       A "1:1: error: entry without `signatures`: nothing would ever find it in a log\n" A
		 "6:10: error: no certain or likely signature of `1.1` matches this sample\n");
}

static void a_reference_is_not_diagnosed(void **state)
{
	struct parts parts = {good.head, "", "", "", "", good.solutions, "kind: reference\n"};

	(void)state;
	expect(parts, "");
	parts.signatures = good.signatures;
	expect(parts,
	       A "5:14: error: a reference is not diagnosed: take `signatures` out, or `kind: reference`\n");
}

static void names_must_exist(void **state)
{
	(void)state;
	EXPECT(more, "codes: [EI0020]\n", A "1:1: error: `codes` names code `EI0020`, which is in no pack\n");
	EXPECT(more, "probes: [cann]\n", A "1:1: error: `probes` names probe `cann`, which is in no pack\n");
	EXPECT(more, "see: ['1.2']\n",
	       A "1:1: error: `see` names entry `1.2`, which is in no pack: did you mean `1.1`?\n");
	EXPECT(more, "see: ['1.1']\n", A "1:1: error: `see` names the entry itself\n");
	EXPECT(solutions,
	       "solutions:\n  - steps:\n    - {say: {zh: 看, en: look}, run: 'ls', effect: read, verify: "
	       "ok}\n",
	       A "11:7: error: `verify` names probe `ok`, which is in no pack\n");
}

static void sections_are_declared_and_number_their_entries(void **state)
{
	struct fixture fixture = new_fixture();
	struct buf yaml = {0};

	(void)state;
	add_entry(&yaml, &good);
	fixture.files[fixture.count++] = (struct pack_text){"instal/a.yaml", buf_c_string(&yaml)};
	expect_faults(&fixture, "instal/a.yaml:1:1: error: no section `instal`: list it under `sections` in "
				"pack.yaml, or move the file\n");
	buf_release(&yaml);
	EXPECT(head, "id: '2.1'\ntitle: {zh: 标题, en: title}\norigin: faq\nsource: s\n",
	       A "1:1: error: id `2.1`: ids of section `install` start with `1.`\n");
}

static void the_shipped_pack_speaks_both_languages(void **state)
{
	struct parts parts = good;

	(void)state;
	parts.problem = "problem: {en: problem}\n";
	expect(parts, A "1:1: error: `problem` has no `zh` text\n");
	expect_with((struct lint_options){.shipped = false}, parts, "");
	EXPECT(problem, "problem: {zh: \"问\\t题\", en: problem}\n",
	       A "1:1: error: `problem` holds a tab or another control character\n");
}

static void chinese_is_set_as_chinese(void **state)
{
	(void)state;
	EXPECT(problem, "problem: {zh: 找不到clang, en: problem}\n",
	       A "1:1: warning: `problem`: put a space between Chinese and Latin: `到c`\n");
	EXPECT(problem, "problem: {zh: 见 1.6节, en: problem}\n",
	       A "1:1: warning: `problem`: put a space between Chinese and Latin: `6节`\n");
	EXPECT(problem, "problem: {zh: '端口被占用,请更换', en: problem}\n",
	       A "1:1: warning: `problem`: use the full-width mark after Chinese: `用,`\n");
	EXPECT(problem, "problem: {zh: '端口 29500（默认）：被占用。', en: 'a problem: taken'}\n", "");
}

static void placeholders_are_declared(void **state)
{
	(void)state;
	EXPECT(errors, "errors: ['clang++ not found <WHERE> <lower> <-> <X']\n",
	       A "6:10: error: `errors` has the unknown placeholder <WHERE>: add it to placeholders.yaml\n");
	EXPECT(errors, "errors: ['clang++ not found <PID>']\n", "");
	EXPECT(solutions,
	       "solutions:\n  - steps:\n    - {say: {zh: 看, en: look}, run: 'ls <DIRS> ${DIR} ${x}', "
	       "effect: "
	       "read}\n",
	       A "11:7: error: `run` has the unknown placeholder <DIRS>: add it to placeholders.yaml\n");
	EXPECT(solutions,
	       "solutions:\n  - steps:\n    - {say: {zh: 看, en: look}, run: 'ps <PID>', effect: read}\n",
	       A "11:7: error: `run` has <PID>, which is `display-only`: nobody could fill it\n");
	EXPECT(solutions,
	       "solutions:\n  - steps:\n    - {say: {zh: 改, en: edit}, file: a, text: 'x = <NEW>'}\n",
	       A "11:7: error: `text` has the unknown placeholder <NEW>: add it to placeholders.yaml\n");
}

static void signatures_compile_and_name_placeholders(void **state)
{
	(void)state;
	EXPECT(signatures, "signatures: [{match: 'clang(', strength: certain}]\n",
	       A "6:10: error: no certain or likely signature of `1.1` matches this sample\n" A
		 "8:14: error: `match` does not compile: missing closing parenthesis, behind `clang(`\n");
	EXPECT(signatures, "signatures: [{match: 'clang\\+\\+ not found', unless: '[', strength: certain}]\n",
	       A "8:14: error: `unless` does not compile: missing terminating ] for character class, behind "
		 "`[`\n");
	EXPECT(signatures,
	       "signatures: [{match: '(clang\\+\\+ not found)?', strength: hint}, {match: 'clang\\+\\+ "
	       "not found', strength: likely}]\n",
	       A "8:14: error: `match` can match the empty text, so every line: take out the * or ? that "
		 "lets it\n" A "8:14: error: `match` has no fixed text that every match holds: write some "
		 "more of the message, in "
		 "each of its alternatives\n");
	EXPECT(signatures, "signatures: [{match: 'clang\\+\\+ not found(?<WHERE>.*)', strength: certain}]\n",
	       A "8:14: error: group (?<WHERE>…) fills no placeholder: add it to placeholders.yaml, or write "
		 "the "
		 "name in lower case\n");
	EXPECT(signatures,
	       "signatures: [{match: '(?<x>clang)\\+\\+ not found(?<DIR>.+)|clang\\+\\+ not "
	       "(?<DIR>.)(?<FOUND_DIR>.)', "
	       "strength: certain}]\n",
	       "");
}

static void samples_match_their_own_entry(void **state)
{
	(void)state;
	EXPECT(errors, "errors: ['clang++ not found', 'g++ is missing']\n",
	       A "6:31: error: no certain or likely signature of `1.1` matches this sample\n");
	EXPECT(signatures, "signatures: [{match: 'clang\\+\\+ not found', strength: hint}]\n",
	       A "6:10: error: no certain or likely signature of `1.1` matches this sample\n");
	EXPECT(not_errors, "not-errors: ['no clang++ not found']\n",
	       A "7:14: error: a signature of `1.1` matches this sample, which must not be taken for it\n");
	EXPECT(signatures, "signatures: [{match: 'clang\\+\\+ not', unless: found, strength: certain}]\n",
	       A "6:10: error: no certain or likely signature of `1.1` matches this sample; one does, but "
		 "its `unless` does, too\n");
	EXPECT(errors, "errors:\n  - |\n    clang++\n      not found\n",
	       A "7:5: error: no certain or likely signature of `1.1` matches this sample\n");
}

static void a_sample_is_no_talk(void **state)
{
	struct fixture fixture = new_fixture();
	struct parts parts = good;
	struct buf yaml = {0};

	(void)state;
	parts.errors = "errors: ['# clang++ not found']\n";
	add_entry(&yaml, &parts);
	fixture.files[fixture.count++] = (struct pack_text){"install/a.yaml", buf_c_string(&yaml)};
	fixture.files[fixture.count++] = (struct pack_text){
		"framing.yaml",
		"- {id: comment, kind: quiet, match: '^# ', literals: ['# '], samples: ['# x']}\n"};
	expect_faults(&fixture,
		      A "6:10: error: no certain or likely signature of `1.1` matches this sample; one does, "
			"but the line is taken for a command, a comment or advice\n");
	buf_release(&yaml);
}

static void samples_match_no_stranger(void **state)
{
	struct fixture fixture = new_fixture();
	struct buf first = {0}, second = {0};
	struct parts other = good;

	(void)state;
	fixture.options.shipped = true;
	other.head = "id: '1.2'\ntitle: {zh: 标题, en: title}\norigin: faq\nsource: s\n";
	other.errors = "errors: ['anything not found']\n";
	other.not_errors = "not-errors: [fine]\n";
	other.signatures = "signatures: [{match: '[a-z+]+ not found', strength: likely}]\n";
	add_entry(&first, &good);
	add_entry(&second, &other);
	fixture.files[fixture.count] = (struct pack_text){"install/a.yaml", buf_c_string(&first)};
	fixture.files[fixture.count + 1] = (struct pack_text){"install/b.yaml", buf_c_string(&second)};
	expect_faults(&fixture,
		      A "6:10: error: a signature of `1.2` matches this sample of `1.1`: make it narrower, "
			"or name one of them in the other's `see`\n");
	buf_add(&second, STR("see: ['1.1']\n"));
	fixture.files[fixture.count + 1].yaml = buf_c_string(&second);
	expect_faults(&fixture, "");
	buf_release(&first);
	buf_release(&second);
}

static void an_overlay_takes_no_sample_of_another_pack(void **state)
{
	const struct pack_text base[] = {
		{"pack.yaml", SECTIONS},
		{"install/a.yaml",
		 "id: '1.1'\ntitle: {zh: 标题, en: title}\norigin: faq\nsource: s\nkind: reference\n"
		 "errors: ['clang++ not found']\n"},
		{NULL, NULL}};
	const struct pack_text site[] = {
		PACK_YAML("site"),
		{"install/a.yaml",
		 "id: 'S.1'\ntitle: {en: title}\norigin: site\nsource: s\nproblem: {en: p}\n"
		 "errors: ['disk not found']\nnot-errors: [x]\n"
		 "signatures: [{match: '[a-z+]+ not found', strength: certain}]\n"
		 "solutions: [{steps: [{say: {en: look}}]}]\n"},
		{NULL, NULL}};
	struct diag_list diags = {0};
	struct arena arena = {0};
	struct buf text = {0};
	const struct pack *packs[] = {pack_of_texts(base, &arena, &diags),
				      pack_of_texts(site, &arena, &diags)};
	struct kb *kb = kb_new(packs, 2);
	const struct lint_options options = {.shipped = false};

	(void)state;
	kb_lint(kb, packs[1], &options, &diags);
	diags_to_text(&diags, &text);
	assert_string_equal(
		buf_c_string(&text),
		A "1:1: error: a signature of `S.1` matches a sample of `1.1` (install/a.yaml:6): make it "
		  "narrower, or name `1.1` in `see`\n");
	kb_free(kb);
	buf_release(&text);
	diag_release(&diags);
	arena_release(&arena);
}

static void expect_effect(const char *run, const char *effect, const char *fault)
{
	struct buf yaml = {0}, faults = {0};
	struct parts parts = good;

	buf_add_format(&yaml,
		       "solutions:\n  - steps:\n    - say: {zh: 做, en: do}\n      effect: %s\n      run: "
		       "|\n        %s\n",
		       effect, run);
	parts.solutions = buf_c_string(&yaml);
	if (fault)
		buf_add_format(&faults, A "11:7: error: `run` %s, not %s\n", fault, effect);
	expect(parts, buf_c_string(&faults));
	buf_release(&yaml);
	buf_release(&faults);
}

static void what_destroys_is_marked(void **state)
{
	static const char *const destroy[][2] = {
		{"rm -rf build", "deletes files"},
		{"cd x && rm -r build", "deletes files"},
		{"sudo rm --recursive x", "deletes files"},
		{"find . | xargs rm -f", "deletes files"},
		{"kill -9 <DIR>", "ends processes"},
		{"pkill -f train.py", "ends processes"},
		{"killall python", "ends processes"},
		{"fuser -k 1/tcp", "ends processes"},
		{"npu-smi set -t reset -i 0 -c 0", "resets a card"},
		{"git reset --hard", "loses changes"},
		{"conda env remove -n x", "removes an environment"},
		{"docker rm x", "removes a container or image"},
	};
	struct buf fault = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(destroy) / sizeof(*destroy); i++) {
		buf_clear(&fault);
		buf_add_format(&fault, "%s: it needs `effect: destroy`", destroy[i][1]);
		expect_effect(destroy[i][0], "write", buf_c_string(&fault));
		expect_effect(destroy[i][0], "destroy", NULL);
	}
	buf_release(&fault);
}

static void what_changes_is_no_reading(void **state)
{
	(void)state;
	expect_effect("pip install -e .", "read", "changes Python packages: it needs `effect: write`");
	expect_effect("python3 -m pip install x", "shell",
		      "changes Python packages: it needs `effect: write`");
	expect_effect("mkdir -p build", "read", "writes files: it needs `effect: write`");
	expect_effect("export A=b", "read", "changes the calling shell: it needs `effect: shell`");
	expect_effect("source x.sh", "read", "changes the calling shell: it needs `effect: shell`");
	expect_effect("A=b torchrun x.py", "read", "starts a job: it needs `effect: write`");
}

static void harmless_commands_are_harmless(void **state)
{
	static const char *const harmless[] = {
		"npu-smi info",
		"ss -ltnp | grep 29500",
		"ls # then rm -rf build",
		"kill -0 12",
		"kill -l",
		"grep kill log.txt",
		"ps aux | grep cmake",
		"pip show torch",
		"which make",
		"git log",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		expect_effect(harmless[i], "read", NULL);
}

static void one_solution_is_recommended(void **state)
{
	(void)state;
	EXPECT(solutions,
	       "solutions:\n  - recommended: true\n    steps: {say: {zh: 一, en: one}}\n  - recommended: "
	       "true\n    "
	       "steps: {say: {zh: 二, en: two}}\n",
	       A "12:5: error: a second solution is `recommended`: choose one\n");
}

static bool refuse(void *context, struct str script, struct buf *why)
{
	struct buf *seen = context;

	buf_add(seen, script);
	buf_add(why, STR("unexpected )"));
	return false;
}

static void commands_are_shell(void **state)
{
	struct buf seen = {0};

	(void)state;
	expect_with((struct lint_options){.shell_accepts = refuse, .context = &seen}, good,
		    A "11:7: error: `run` is not what a shell understands: unexpected )\n");
	/* A placeholder is a word to the shell, not a redirection. */
	assert_string_equal(buf_c_string(&seen), "ls 1");
	buf_release(&seen);
}

static void placeholders_do_not_clash(void **state)
{
	struct fixture fixture = new_fixture();

	(void)state;
	fixture.files[1].yaml = "- {name: A, aliases: [B], meaning: {en: a}, kind: word}\n"
				"- {name: B, meaning: {en: b}, kind: word}\n";
	expect_faults(&fixture,
		      "placeholders.yaml:1:3: error: alias `B` belongs to placeholder `B` already\n");
}

static void frames_match_their_samples(void **state)
{
	struct fixture fixture = new_fixture();

	(void)state;
	fixture.files[fixture.count++] = (struct pack_text){
		"framing.yaml",
		"- {id: a, kind: prefix, match: '\\[rank\\d\\]: ', literals: ['[rank'], samples: ['[rank0]: "
		"x', 'y']}\n"
		"- {id: b, kind: prefix, match: '\\d+: ', literals: ['x'], samples: ['0: y']}\n"
		"- {id: c, kind: prefix, match: '(', literals: ['x'], samples: ['0: y']}\n"
		"- {id: d, kind: prefix, match: 'x*', literals: ['x'], samples: ['x']}\n"};
	expect_faults(
		&fixture,
		"framing.yaml:1:3: error: `match` does not match the sample `y`\n"
		"framing.yaml:2:3: error: none of the `literals` is in the sample `0: y`\n"
		"framing.yaml:3:3: error: `match` does not compile: missing closing parenthesis, behind `(`\n"
		"framing.yaml:4:3: error: `match` can match the empty text\n");
}

static void the_shipped_pack_has_no_faults(void **state)
{
	const struct pack *pack = &kb_shipped_pack;
	const struct lint_options options = {.shipped = true};
	struct kb *kb = kb_new(&pack, 1);
	struct diag_list diags = {0};
	struct buf text = {0};

	(void)state;
	kb_lint(kb, pack, &options, &diags);
	diags_to_text(&diags, &text);
	assert_string_equal(buf_c_string(&text), "");
	buf_release(&text);
	diag_release(&diags);
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_pack_has_no_faults),
		cmocka_unit_test(a_problem_has_all_its_parts),
		cmocka_unit_test(a_reference_is_not_diagnosed),
		cmocka_unit_test(names_must_exist),
		cmocka_unit_test(sections_are_declared_and_number_their_entries),
		cmocka_unit_test(the_shipped_pack_speaks_both_languages),
		cmocka_unit_test(chinese_is_set_as_chinese),
		cmocka_unit_test(placeholders_are_declared),
		cmocka_unit_test(signatures_compile_and_name_placeholders),
		cmocka_unit_test(samples_match_their_own_entry),
		cmocka_unit_test(a_sample_is_no_talk),
		cmocka_unit_test(samples_match_no_stranger),
		cmocka_unit_test(an_overlay_takes_no_sample_of_another_pack),
		cmocka_unit_test(what_destroys_is_marked),
		cmocka_unit_test(what_changes_is_no_reading),
		cmocka_unit_test(harmless_commands_are_harmless),
		cmocka_unit_test(one_solution_is_recommended),
		cmocka_unit_test(commands_are_shell),
		cmocka_unit_test(placeholders_do_not_clash),
		cmocka_unit_test(frames_match_their_samples),
		cmocka_unit_test(the_shipped_pack_has_no_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

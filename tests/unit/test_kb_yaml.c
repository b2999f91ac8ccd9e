#include "test.h"

#include <string.h>

#include "core/nearest.h"
#include "pack_support.h"

/* Reads a pack of pack.yaml and one more file, and compares all that is said about it. */
static void expect(const char *path, const char *yaml, const char *faults)
{
	const struct pack_text files[] = {PACK_YAML("test"), {path, yaml}, {NULL, NULL}};
	struct diag_list diags = {0};
	struct arena arena = {0};
	struct buf text = {0};

	pack_of_texts(files, &arena, &diags);
	diags_to_text(&diags, &text);
	assert_string_equal(buf_c_string(&text), faults);
	buf_release(&text);
	diag_release(&diags);
	arena_release(&arena);
}

#define ENTRY_HEAD \
	"id: '1.1'\n" \
	"title: {zh: 标题, en: title}\n" \
	"origin: faq\n" \
	"source: FAQ 1.1\n"

static void reads_every_member_of_an_entry(void **state)
{
	const struct pack_text files[] = {
		PACK_YAML("test"),
		{"install/1.1.yaml", ENTRY_HEAD "kind: problem\n"
						"problem: {zh: 问题, en: problem}\n"
						"correction: {zh: 更正, en: correction}\n"
						"correction-source: upstream\n"
						"applies: {cann: \"<9.1.0\", chip: [A2, A3]}\n"
						"aliases: [socket, 端口占用]\n"
						"errors:\n"
						"  - text: |\n"
						"      line one\n"
						"        line two\n"
						"    note: {zh: 注, en: note}\n"
						"  - only text\n"
						"not-errors: [fine]\n"
						"signatures:\n"
						"  - match: 'line (?<PORT>\\d+)'\n"
						"    unless: other\n"
						"    strength: likely\n"
						"codes: EI0020\n"
						"probes: [cann]\n"
						"solutions:\n"
						"  - title: {zh: 一, en: one}\n"
						"    recommended: yes\n"
						"    steps:\n"
						"      - say: {zh: 做, en: do}\n"
						"        run: kill <PID>\n"
						"        effect: destroy\n"
						"        verify: cann\n"
						"      - say: {zh: 改, en: edit}\n"
						"        file: setup.py\n"
						"        text: |\n"
						"          a = 1\n"
						"see: ['3.3']\n"},
		{NULL, NULL},
	};
	struct diag_list diags = {0};
	struct arena arena = {0};
	const struct pack *pack = pack_of_texts(files, &arena, &diags);
	const struct entry *entry = pack->entries;

	(void)state;
	assert_int_equal(diags.list.count, 0);
	assert_int_equal(pack->entry_count, 1);
	assert_true(str_equal(entry->id, STR("1.1")));
	assert_true(str_equal(entry->section, STR("install")));
	assert_true(str_equal(entry->pack, STR("test")));
	assert_int_equal(entry->kind, ENTRY_PROBLEM);
	assert_int_equal(entry->origin, ORIGIN_FAQ);
	assert_true(str_equal(entry->title.in[LANG_ZH], STR("标题")));
	assert_true(str_equal(entry->correction_source, STR("upstream")));
	assert_true(str_equal(entry->applies.cann, STR("<9.1.0")));
	assert_int_equal(entry->applies.chips.count, 2);
	assert_true(str_equal(entry->aliases.items[1], STR("端口占用")));
	assert_int_equal(entry->error_count, 2);
	assert_true(str_equal(entry->errors[0].text, STR("line one\n  line two")));
	assert_true(str_equal(entry->errors[0].note.in[LANG_EN], STR("note")));
	assert_true(str_equal(entry->errors[1].text, STR("only text")));
	assert_int_equal(entry->errors[1].where.line, 16);
	assert_int_equal(entry->errors[1].where.column, 5);
	assert_string_equal(entry->errors[1].where.file, "install/1.1.yaml");
	assert_true(str_equal(entry->not_errors[0].text, STR("fine")));
	assert_true(str_equal(entry->signatures[0].unless, STR("other")));
	assert_int_equal(entry->signatures[0].strength, STRENGTH_LIKELY);
	assert_true(str_equal(entry->codes.items[0], STR("EI0020")));
	assert_true(entry->solutions[0].recommended);
	assert_int_equal(entry->solutions[0].step_count, 2);
	assert_int_equal(entry->solutions[0].steps[0].effect, STEP_DESTROY);
	assert_true(str_equal(entry->solutions[0].steps[0].verify, STR("cann")));
	assert_true(str_equal(entry->solutions[0].steps[1].text, STR("a = 1")));
	diag_release(&diags);
	arena_release(&arena);
}

static void reads_codes_placeholders_and_frames(void **state)
{
	const struct pack_text files[] = {
		PACK_YAML("test"),
		{"codes/hccl.yaml", "- code: 4\n"
				    "  namespace: hccl\n"
				    "  aliases: [HCCL_E_INTERNAL]\n"
				    "  means: {zh: 内部, en: internal}\n"
				    "  source: docs\n"
				    "- {code: '5', namespace: hccl, tier: 3, wrapper: true, source: docs,\n"
				    "   means: {zh: 五, en: five}}\n"},
		{"placeholders.yaml", "- name: CARD_ID\n"
				      "  shell-variable: true\n"
				      "  meaning: {zh: 卡, en: card}\n"
				      "  kind: port-range\n"
				      "  values:\n"
				      "    - {probe: free-port, name: PORT}\n"
				      "    - {log: PORT}\n"
				      "    - {env: X}\n"
				      "    - text: '29500'\n"
				      "  check: {range: 1-9, free: true}\n"
				      "  display-only: false\n"},
		{"framing.yaml",
		 "- {id: rank, match: '\\[rank(?<rank>\\d+)\\]: ', literals: '[rank', samples: "
		 "['[rank0]: x']}\n"},
		{NULL, NULL},
	};
	struct diag_list diags = {0};
	struct arena arena = {0};
	const struct pack *pack = pack_of_texts(files, &arena, &diags);

	(void)state;
	assert_int_equal(diags.list.count, 0);
	assert_int_equal(pack->code_count, 2);
	assert_int_equal(pack->codes[0].tier, 1);
	assert_int_equal(pack->codes[1].tier, 3);
	assert_true(pack->codes[1].wrapper);
	assert_int_equal(pack->code_name_count, 3);
	assert_true(pack->placeholders[0].shell_variable);
	assert_int_equal(pack->placeholders[0].kind, PLACEHOLDER_PORT_RANGE);
	assert_int_equal(pack->placeholders[0].value_count, 4);
	assert_true(str_equal(pack->placeholders[0].values[0].name, STR("PORT")));
	assert_true(pack->placeholders[0].check.free);
	assert_true(str_equal(pack->frames[0].literals.items[0], STR("[rank")));
	diag_release(&diags);
	arena_release(&arena);
}

static void names_every_kind_of_fault(void **state)
{
	(void)state;
	expect("install/a.yaml", ENTRY_HEAD "signiture: x\nwhatever: y\n",
	       "install/a.yaml:5:1: error: unknown key `signiture`: did you mean `signatures`?\n"
	       "install/a.yaml:6:1: error: unknown key `whatever`; known: id, kind, title, problem, cause, "
	       "background, note, correction, correction-source, origin, source, applies, aliases, errors, "
	       "not-errors, signatures, codes, probes, solutions, see\n");
	expect("install/a.yaml", "id: '1.1'\ntitle: {zh: 标题, en: title}\norigin: faq\n",
	       "install/a.yaml:1:1: error: entry without `source`: where the facts come from\n");
	expect("install/a.yaml", ENTRY_HEAD "id: '1.2'\n",
	       "install/a.yaml:5:1: error: `id` is there twice\n");
	expect("install/a.yaml", ENTRY_HEAD "kind: porblem\n",
	       "install/a.yaml:5:7: error: `kind` cannot be `porblem`; it is one of: problem, reference\n");
	expect("install/a.yaml", ENTRY_HEAD "problem: only English\n",
	       "install/a.yaml:5:10: error: `problem` must say its language: {zh: …, en: …}\n");
	expect("install/a.yaml", ENTRY_HEAD "problem: {zh: 问, fr: quoi, zh: 题}\n",
	       "install/a.yaml:5:18: error: unknown language `fr`; known: zh, en\n"
	       "install/a.yaml:5:28: error: `zh` is there twice\n");
	expect("install/a.yaml", ENTRY_HEAD "see: {a: b}\n",
	       "install/a.yaml:5:6: error: `see` must be a single value, not a map\n");
	expect("install/a.yaml", ENTRY_HEAD "problem:\n",
	       "install/a.yaml:5:9: error: `problem` must say its language: {zh: …, en: …}\n");
	expect("install/a.yaml", ENTRY_HEAD "correction: {zh: 一, en: one}\n",
	       "install/a.yaml:1:1: error: entry with `correction` but without `correction-source`: where "
	       "the "
	       "correction comes from\n");
	expect("install/a.yaml", ENTRY_HEAD "signatures: [abc]\n",
	       "install/a.yaml:5:14: error: signature must be a map (match: …), not a single value\n");
	expect("install/a.yaml", "- a\n",
	       "install/a.yaml:1:1: error: entry must be a map (id: …), not a list\n");
	expect("codes/a.yaml", "code: x\n",
	       "codes/a.yaml:1:1: error: must be a list: each code starts with '- '\n");
	expect("install/a.yaml", "", "install/a.yaml:0:0: error: is empty\n");
	expect("codes/a.yaml", "# none yet\n", "");
	expect("install/a.yaml", ENTRY_HEAD "? [a, b]\n: c\nsee: '1.2'\n",
	       "install/a.yaml:5:3: error: a key must be a single word\n");
}

static void checks_values(void **state)
{
	(void)state;
	expect("codes/a.yaml",
	       "- {code: a, namespace: b, source: c, means: {zh: 一, en: one}, tier: first, wrapper: "
	       "maybe}\n",
	       "codes/a.yaml:1:69: error: `tier` must be a whole number, not `first`\n"
	       "codes/a.yaml:1:85: error: `wrapper` must be true or false, not `maybe`\n");
	expect("codes/a.yaml", "- {code: '', namespace: b, source: ' ', means: {zh: 一, en: one}}\n",
	       "codes/a.yaml:1:10: error: `code` is empty: write its value, or leave the key out\n"
	       "codes/a.yaml:1:36: error: `source` is empty: write its value, or leave the key out\n");
	expect("placeholders.yaml",
	       "- name: A\n  meaning: {zh: 一, en: one}\n  kind: word\n  values:\n    - {probe: a, env: b}\n "
	       "   - "
	       "{name: x}\n",
	       "placeholders.yaml:5:18: error: `env` beside `probe`: only one of probe, log, env, text may "
	       "be "
	       "there\n"
	       "placeholders.yaml:6:7: error: value needs one of: probe, log, env, text\n");
}

static void a_step_says_what_it_does(void **state)
{
	(void)state;
	expect("install/a.yaml",
	       ENTRY_HEAD "solutions:\n"
			  "  - steps:\n"
			  "      - {say: {zh: 做, en: do}, run: ls}\n"
			  "      - {say: {zh: 做, en: do}, run: ls, effect: read, link: 'https://x'}\n"
			  "      - {say: {zh: 做, en: do}, file: setup.py}\n"
			  "  - title: {zh: 空, en: empty}\n",
	       "install/a.yaml:7:9: error: step with `run` but without `effect`: read, shell (changes the "
	       "calling "
	       "shell only), write, destroy\n"
	       "install/a.yaml:8:55: error: `link` beside `run`: only one of run, file, link may be there\n"
	       "install/a.yaml:9:9: error: step with `file` but without `text`: what belongs into the file\n"
	       "install/a.yaml:10:5: error: solution without `steps`: what to do, in order\n");
}

static void one_broken_file_does_not_hide_another(void **state)
{
	const struct pack_text files[] = {
		{"install/a.yaml", "id: [\n"},
		{"install/b.yaml", ENTRY_HEAD "kinds: problem\n"},
		{"codes/c.yaml", "- code: a\n   namespace: b\n"},
		{"probes.yaml", "\tx: y\n"},
		{NULL, NULL},
	};
	struct diag_list diags = {0};
	struct arena arena = {0};
	struct buf text = {0};

	(void)state;
	pack_of_texts(files, &arena, &diags);
	diags_to_text(&diags, &text);
	assert_string_equal(buf_c_string(&text),
			    "codes/c.yaml:2:13: error: mapping values are not allowed in this context\n"
			    "install/a.yaml:1:5: error: `id` must be a single value, not a list\n"
			    "install/a.yaml:2:1: error: did not find expected node content, while parsing a "
			    "flow node that "
			    "starts at line 2\n"
			    "install/b.yaml:5:1: error: unknown key `kinds`: did you mean `kind`?\n"
			    "pack.yaml:0:0: error: is missing: a pack needs it with name, title and version\n"
			    "probes.yaml:1:1: error: a tab cannot indent YAML: use spaces\n");
	buf_release(&text);
	diag_release(&diags);
	arena_release(&arena);
}

static void finds_duplicates_across_files(void **state)
{
	const struct pack_text files[] = {
		PACK_YAML("test"),
		{"compile/z.yaml", ENTRY_HEAD},
		{"install/a.yaml", ENTRY_HEAD},
		{"codes/a.yaml", "- {code: ei1, namespace: cann, means: {en: x}, source: s}\n"
				 "- {code: '4', namespace: hccl, means: {en: x}, source: s}\n"},
		{"codes/b.yaml", "- {code: EI1, namespace: cann, means: {en: x}, source: s}\n"
				 "- {code: '4', namespace: drv, means: {en: x}, source: s}\n"},
		{NULL, NULL},
	};
	struct diag_list diags = {0};
	struct arena arena = {0};
	struct buf text = {0};

	(void)state;
	pack_of_texts(files, &arena, &diags);
	diags_to_text(&diags, &text);
	assert_string_equal(
		buf_c_string(&text),
		"codes/b.yaml:1:3: error: code `EI1` is already at codes/a.yaml:1; give it another id\n"
		"install/a.yaml:1:1: error: entry `1.1` is already at compile/z.yaml:1; give it another "
		"id\n");
	buf_release(&text);
	diag_release(&diags);
	arena_release(&arena);
}

static void knows_the_files_of_a_pack(void **state)
{
	(void)state;
	assert_true(pack_reader_wants("pack.yaml"));
	assert_true(pack_reader_wants("codes/a.yaml"));
	assert_true(pack_reader_wants("anything/a.yaml"));
	assert_false(pack_reader_wants("README.md"));
	assert_true(pack_reader_wants("redaction.yaml"));
	assert_true(pack_reader_wants("compat.yaml"));
	assert_true(pack_reader_wants("reports/a.yaml"));
	assert_false(pack_reader_wants("install/.a.yaml"));
	expect("extra.yaml", "a: b\n",
	       "extra.yaml:0:0: warning: not a file of a pack, is not read: entries belong into "
	       "SECTION/NAME.yaml, codes into codes/NAME.yaml\n");
	expect("a/b/c.yaml", "a: b\n",
	       "a/b/c.yaml:0:0: warning: not a file of a pack, is not read: entries belong into "
	       "SECTION/NAME.yaml, codes into codes/NAME.yaml\n");
}

static void refuses_aliases_tags_and_merge_keys(void **state)
{
	(void)state;
	expect("install/a.yaml", ENTRY_HEAD "see: &all ['1.1']\nprobes: *all\n",
	       "install/a.yaml:6:9: error: alias *all: packs do not use these; write the value itself\n");
	expect("install/a.yaml", ENTRY_HEAD "problem: &p {zh: 一, en: one}\n<<: *p\n",
	       "install/a.yaml:6:1: error: unknown key `<<`; known: id, kind, title, problem, cause, "
	       "background, note, correction, correction-source, origin, source, applies, aliases, errors, "
	       "not-errors, signatures, codes, probes, solutions, see\n"
	       "install/a.yaml:6:5: error: alias *p: packs do not use these; write the value itself\n");
	expect("install/a.yaml", ENTRY_HEAD "note: !!python/object:os.system {zh: 一}\n",
	       "install/a.yaml:5:7: error: tag tag:yaml.org,2002:python/object:os.system: packs do not use "
	       "these; write the value itself\n");
	expect("install/a.yaml", ENTRY_HEAD "see: !include /etc/passwd\n",
	       "install/a.yaml:5:6: error: tag !include: packs do not use these; write the value itself\n");
	expect("install/a.yaml", ENTRY_HEAD "---\n" ENTRY_HEAD,
	       "install/a.yaml:5:1: error: a second document: one file holds one\n");
}

static void survives_hostile_bytes(void **state)
{
	struct buf deep = {0};

	(void)state;
	expect("install/a.yaml", ENTRY_HEAD "note: {zh: \"a\\0b\"}\n",
	       "install/a.yaml:5:12: error: a text must not hold a NUL character\n");
	expect("install/a.yaml", "id: a\ntitle: \xff\n",
	       "install/a.yaml:2:8: error: invalid leading UTF-8 octet: the file must be UTF-8 text\n");
	expect("install/a.yaml", "id: a\n\x01: b\n",
	       "install/a.yaml:2:1: error: control characters are not allowed: the file must be UTF-8 "
	       "text\n");
	buf_add_repeated(&deep, '[', 100 * 1000);
	expect("install/a.yaml", buf_c_string(&deep),
	       "install/a.yaml:1:1: error: entry must be a map (id: …), not a list\n"
	       "install/a.yaml:1:25: error: nested deeper than 24 levels\n");
	buf_clear(&deep);
	for (int i = 0; i < 50 * 1000; i++)
		buf_add(&deep, STR("- "));
	expect("codes/a.yaml", buf_c_string(&deep),
	       "codes/a.yaml:1:3: error: code must be a map (code: …), not a list\n"
	       "codes/a.yaml:1:49: error: nested deeper than 24 levels\n");
	buf_clear(&deep);
	for (int i = 0; i < 30; i++)
		buf_add_format(&deep, "{a: ");
	expect("install/a.yaml", buf_c_string(&deep),
	       "install/a.yaml:1:2: error: unknown key `a`; known: id, kind, title, problem, cause, "
	       "background, note, correction, correction-source, origin, source, applies, aliases, errors, "
	       "not-errors, signatures, codes, probes, solutions, see\n"
	       "install/a.yaml:1:97: error: nested deeper than 24 levels\n");
	buf_release(&deep);
}

static void an_alias_bomb_does_not_go_off(void **state)
{
	struct buf bomb = {0};
	struct diag_list diags = {0};
	struct arena arena = {0};

	(void)state;
	buf_add(&bomb, STR("- &a0 [x, x]\n"));
	for (int i = 1; i < 60; i++)
		buf_add_format(&bomb, "- &a%d [*a%d, *a%d]\n", i, i - 1, i - 1);
	pack_of_texts(
		(const struct pack_text[]){PACK_YAML("test"), {"codes/a.yaml", buf_c_string(&bomb)}, {0}},
		&arena, &diags);
	assert_true(diags.errors <= 101);
	assert_true(arena.used < 100 * 1000);
	buf_release(&bomb);
	diag_release(&diags);
	arena_release(&arena);
}

static void reports_no_more_than_a_reader_can_use(void **state)
{
	struct buf yaml = {0};
	struct diag_list diags = {0};
	struct arena arena = {0};

	(void)state;
	for (int i = 0; i < 100 * 1000; i++)
		buf_add(&yaml, STR("- x\n"));
	pack_of_texts(
		(const struct pack_text[]){PACK_YAML("test"), {"codes/a.yaml", buf_c_string(&yaml)}, {0}},
		&arena, &diags);
	assert_int_equal(diags.errors, 101);
	assert_true(str_equal(diags.list.items[100].text, STR("more faults follow; mend these first")));
	buf_release(&yaml);
	diag_release(&diags);
	arena_release(&arena);
}

static void refuses_what_is_too_large(void **state)
{
	struct buf yaml = {0};

	(void)state;
	buf_add(&yaml, STR(ENTRY_HEAD "see: ["));
	for (int i = 0; i < 10 * 1000; i++)
		buf_add(&yaml, STR("a,\n"));
	buf_add(&yaml, STR("b, c]\n"));
	expect("install/a.yaml", buf_c_string(&yaml),
	       "install/a.yaml:10005:1: error: `see` has more than 10000 items\n");
	buf_add_repeated(&yaml, '#', 17 << 20);
	expect("install/a.yaml", buf_c_string(&yaml), "install/a.yaml:0:0: error: larger than 16 MiB\n");
	buf_release(&yaml);
}

static void a_byte_order_mark_does_no_harm(void **state)
{
	(void)state;
	expect("install/a.yaml", "\xef\xbb\xbf" ENTRY_HEAD, "");
	expect("install/a.yaml",
	       "%YAML 1.1\n---\r\nid: '1'\r\ntitle: {en: a}\r\norigin: faq\r\nsource: b\r\n", "");
}

static void finds_the_nearest_word(void **state)
{
	static const char *const known[] = {"probe", "placeholder", "not-errors", "id", NULL};

	(void)state;
	assert_string_equal(nearest_word(STR("porbe"), known), "probe");
	assert_string_equal(nearest_word(STR("not_errors"), known), "not-errors");
	assert_string_equal(nearest_word(STR("placeholders"), known), "placeholder");
	assert_string_equal(nearest_word(STR("di"), known), "id");
	assert_null(nearest_word(STR("zzz"), known));
	assert_null(nearest_word(STR(""), known));
}

/* A fixed sequence, so that a failure can be repeated. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void damage(struct buf *yaml, uint32_t *seed)
{
	static const char marks[] = "\n\t -:?[]{}\"'|>&*!%#@`,\\~\xff\xc3";
	size_t at = next_random(seed) % yaml->size, size = next_random(seed) % 40 + 1;

	switch (next_random(seed) % 4) {
	case 0:
		yaml->data[at] = marks[next_random(seed) % sizeof(marks)];
		break;
	case 1:
		buf_remove(yaml, at, size < yaml->size - at ? size : yaml->size - at);
		break;
	case 2: {
		struct buf copy = {0};

		buf_add(&copy, str_slice(buf_str(yaml), at, at + size));
		buf_insert(yaml, next_random(seed) % yaml->size, buf_str(&copy));
		buf_release(&copy);
		break;
	}
	default:
		buf_insert(yaml, at, (struct str){&marks[next_random(seed) % sizeof(marks)], 1});
	}
}

static void any_bytes_are_survived(void **state)
{
	static const char *const paths[] = {"install/a.yaml", "codes/a.yaml", "placeholders.yaml",
					    "probes.yaml",    "framing.yaml", "pack.yaml"};
	static const char whole[] =
		ENTRY_HEAD "errors:\n  - text: |\n      line\n    note: {zh: 注, en: note}\n"
			   "signatures: [{match: 'a(?<PORT>\\d+)', strength: likely}]\n"
			   "solutions:\n  - title: {zh: 一, en: one}\n    recommended: yes\n    steps:\n"
			   "      - {say: {zh: 做, en: do}, run: kill, effect: destroy}\n";
	static const char list[] =
		"- id: a\n  name: A\n  code: '4'\n  kind: port\n  title: {zh: 一, en: \"o\\te\"}\n"
		"  read:\n    - {variables: {A: '1', B: {range: 1-2}}, each: true}\n  timeout: 3s\n"
		"  values: [{probe: a}, {env: b}]\n  literals: [a, b]\n  match: x\n";
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < 6000; i++) {
		struct diag_list diags = {0};
		struct arena arena = {0};
		struct buf yaml = {0};
		struct pack_reader *reader = pack_reader_new(&arena, &diags, NULL);
		const char *path = paths[next_random(&seed) % 6];

		buf_add(&yaml, str_of(path == paths[0] ? whole : list));
		for (uint32_t damages = next_random(&seed) % 8; damages-- > 0 && yaml.size;)
			damage(&yaml, &seed);
		pack_reader_file(reader, path, buf_str(&yaml));
		pack_reader_finish(reader);
		assert_true(diags.list.count <= 110);
		assert_true(arena.used < 1 << 20);
		buf_release(&yaml);
		diag_release(&diags);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_member_of_an_entry),
		cmocka_unit_test(reads_codes_placeholders_and_frames),
		cmocka_unit_test(names_every_kind_of_fault),
		cmocka_unit_test(checks_values),
		cmocka_unit_test(a_step_says_what_it_does),
		cmocka_unit_test(one_broken_file_does_not_hide_another),
		cmocka_unit_test(finds_duplicates_across_files),
		cmocka_unit_test(knows_the_files_of_a_pack),
		cmocka_unit_test(refuses_aliases_tags_and_merge_keys),
		cmocka_unit_test(survives_hostile_bytes),
		cmocka_unit_test(an_alias_bomb_does_not_go_off),
		cmocka_unit_test(reports_no_more_than_a_reader_can_use),
		cmocka_unit_test(refuses_what_is_too_large),
		cmocka_unit_test(a_byte_order_mark_does_no_harm),
		cmocka_unit_test(finds_the_nearest_word),
		cmocka_unit_test(any_bytes_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

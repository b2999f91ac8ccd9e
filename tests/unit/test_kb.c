#include "test.h"

#include "core/pack_index.h"
#include "pack_support.h"

#define ENTRY(id, title) "id: '" id "'\ntitle: {en: " title "}\norigin: faq\nsource: s\n"
#define CODE(code, namespace, rest) \
	"- {code: '" code "', namespace: " namespace ", means: {en: m}, source: s" rest "}\n"

enum { PACKS_MAX = 4 };

struct fixture {
	struct arena arena;
	struct diag_list diags;
	const struct pack *packs[PACKS_MAX];
	size_t count;
	struct kb *kb;
};

static void add_pack(struct fixture *fixture, const struct pack_text *files)
{
	fixture->packs[fixture->count++] = pack_of_texts(files, &fixture->arena, &fixture->diags);
}

static void make_kb(struct fixture *fixture)
{
	assert_int_equal(fixture->diags.list.count, 0);
	fixture->kb = kb_new(fixture->packs, fixture->count);
}

static void release(struct fixture *fixture)
{
	kb_free(fixture->kb);
	diag_release(&fixture->diags);
	arena_release(&fixture->arena);
}

static const struct pack_text base_files[] = {
	{"pack.yaml", "name: base\ntitle: {en: base}\nversion: '1'\nsections:\n"
		      "  - {id: install, number: '1', title: {en: Install}}\n"
		      "  - {id: compile, number: '2', title: {en: Compile}}\n"},
	{"compile/a.yaml", ENTRY("2.1", "first of compile")},
	{"install/a.yaml", ENTRY("1.10", "tenth")},
	{"install/b.yaml", ENTRY("1.2", "second")},
	{"codes/a.yaml",
	 CODE("EI0020", "cann", ", aliases: [EI0019, EJ0003]") CODE("4", "hccl", ", tier: 2")
		 CODE("4", "drv", ", tier: 1") CODE("98", "errno", ", aliases: [EADDRINUSE]")},
	{"placeholders.yaml", "- {name: PORT, aliases: [FREE_PORT], meaning: {en: p}, kind: port}\n"
			      "- {name: PID, meaning: {en: p}, kind: int}\n"},
	{"framing.yaml", "- {id: rank, match: a, literals: a, samples: a}\n"
			 "- {id: srun, match: b, literals: b, samples: b}\n"},
	{NULL, NULL},
};

static const struct pack_text site_files[] = {
	PACK_YAML("site"),
	{"install/a.yaml", ENTRY("1.2", "replaced")},
	{"install/b.yaml", ENTRY("1.3", "new")},
	{"rack/c.yaml", ENTRY("S.1", "of the site")},
	{"codes/a.yaml", CODE("ei0020", "cann", ", aliases: [SITE1]") CODE("98", "site", "")},
	{"placeholders.yaml", "- {name: PORT, meaning: {en: other}, kind: port}\n"},
	{"framing.yaml", "- {id: rank, match: c, literals: c, samples: c}\n"},
	{NULL, NULL},
};

#define assert_str(text, expected) \
	do { \
		struct str assert_text = text; \
		assert_string_equal(arena_c_string(&fixture.arena, assert_text), expected); \
	} while (0)

static void orders_entries_by_section_and_number(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_pack(&fixture, base_files);
	make_kb(&fixture);
	assert_int_equal(fixture.kb->entry_count, 3);
	assert_str(fixture.kb->entries[0]->id, "1.2");
	assert_str(fixture.kb->entries[1]->id, "1.10");
	assert_str(fixture.kb->entries[2]->id, "2.1");
	for (size_t i = 0; i < 3; i++) {
		assert_ptr_equal(kb_entry(fixture.kb, fixture.kb->entries[i]->id), fixture.kb->entries[i]);
		assert_int_equal(kb_entry_index(fixture.kb, fixture.kb->entries[i]), i);
	}
	assert_null(kb_entry(fixture.kb, STR("1.1")));
	assert_null(kb_entry(fixture.kb, STR("")));
	assert_str(kb_section(fixture.kb, STR("compile"))->number, "2");
	assert_null(kb_section(fixture.kb, STR("other")));
	release(&fixture);
}

static void finds_placeholders_and_probes_by_exact_name(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_pack(&fixture, base_files);
	make_kb(&fixture);
	assert_str(kb_placeholder(fixture.kb, STR("PORT"))->name, "PORT");
	assert_str(kb_placeholder(fixture.kb, STR("FREE_PORT"))->name, "PORT");
	assert_null(kb_placeholder(fixture.kb, STR("port")));
	assert_null(kb_probe(fixture.kb, STR("cann")));
	release(&fixture);
}

static void finds_codes_as_they_are_printed(void **state)
{
	static const char *const spellings[] = {"EI0020",   "ei0020", "[EI0020]:", " EI0020, ",
						"(ej0003)", "EI0019", "`EI0020`"};
	const struct code *found[4];
	struct fixture fixture = {0};

	(void)state;
	add_pack(&fixture, base_files);
	make_kb(&fixture);
	for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++)
		assert_str(kb_code(fixture.kb, str_of(spellings[i]))->code, "EI0020");
	assert_str(kb_code(fixture.kb, STR("-98"))->code, "98");
	assert_str(kb_code(fixture.kb, STR("eaddrinuse"))->code, "98");
	assert_null(kb_code(fixture.kb, STR("EI002")));
	assert_null(kb_code(fixture.kb, STR("EI00201")));
	assert_null(kb_code(fixture.kb, STR("")));
	assert_null(kb_code(fixture.kb, STR("-")));

	assert_int_equal(kb_codes(fixture.kb, STR("4"), found, 4), 2);
	assert_str(found[0]->namespace, "drv");
	assert_str(found[1]->namespace, "hccl");
	assert_int_equal(kb_codes(fixture.kb, STR("4"), found, 1), 2);
	assert_str(kb_code_in(fixture.kb, STR("HCCL"), STR("4"))->namespace, "hccl");
	assert_null(kb_code_in(fixture.kb, STR("acl"), STR("4")));
	release(&fixture);
}

static void later_packs_win_by_id(void **state)
{
	struct fixture fixture = {0};
	const struct kb *kb;

	(void)state;
	add_pack(&fixture, base_files);
	add_pack(&fixture, site_files);
	make_kb(&fixture);
	kb = fixture.kb;
	assert_int_equal(kb->entry_count, 5);
	assert_str(kb->entries[0]->id, "1.2");
	assert_str(kb->entries[0]->title.in[LANG_EN], "replaced");
	assert_str(kb->entries[0]->pack, "site");
	assert_str(kb->entries[1]->id, "1.3");
	assert_str(kb->entries[2]->id, "1.10");
	assert_str(kb->entries[2]->pack, "base");
	assert_str(kb->entries[4]->id, "S.1");
	for (size_t i = 0; i < kb->entry_count; i++)
		assert_int_equal(kb_entry_index(kb, kb->entries[i]), i);
	assert_int_equal(kb_entry_index(kb, &fixture.packs[0]->entries[0]), KB_NONE);

	assert_int_equal(kb->section_count, 3);
	assert_str(kb->sections[2]->id, "rack");
	assert_str(kb->sections[2]->title.in[LANG_ZH], "rack");

	assert_int_equal(kb->code_count, 5);
	assert_str(kb_code(kb, STR("EI0020"))->code, "ei0020");
	assert_str(kb_code(kb, STR("site1"))->code, "ei0020");
	assert_null(kb_code(kb, STR("EJ0003")));
	assert_int_equal(kb_codes(kb, STR("98"), NULL, 0), 2);

	assert_int_equal(kb->placeholder_count, 2);
	assert_str(kb->placeholders[0]->meaning.in[LANG_EN], "other");
	assert_null(kb_placeholder(kb, STR("FREE_PORT")));
	assert_str(kb_placeholder(kb, STR("PORT"))->meaning.in[LANG_EN], "other");

	assert_int_equal(kb->frame_count, 2);
	assert_str(kb->frames[0]->match, "c");
	assert_str(kb->frames[1]->match, "b");
	release(&fixture);
}

static void the_last_of_many_packs_wins(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	add_pack(&fixture, base_files);
	add_pack(&fixture, site_files);
	add_pack(&fixture, (const struct pack_text[]){PACK_YAML("mine"),
						      {"install/a.yaml", ENTRY("1.2", "mine")},
						      {"codes/a.yaml", CODE("EI0020", "cann", ", tier: 3")},
						      {NULL, NULL}});
	make_kb(&fixture);
	assert_int_equal(fixture.kb->entry_count, 5);
	assert_str(kb_entry(fixture.kb, STR("1.2"))->title.in[LANG_EN], "mine");
	assert_int_equal(kb_code(fixture.kb, STR("EI0020"))->tier, 3);
	assert_null(kb_code(fixture.kb, STR("SITE1")));
	release(&fixture);
}

static void an_empty_kb_is_a_kb(void **state)
{
	struct fixture fixture = {0};

	(void)state;
	make_kb(&fixture);
	assert_int_equal(fixture.kb->entry_count, 0);
	assert_null(kb_entry(fixture.kb, STR("1.1")));
	assert_null(kb_code(fixture.kb, STR("EI0020")));
	assert_null(kb_probe(fixture.kb, STR("cann")));
	release(&fixture);
	kb_free(NULL);
}

static void natural_order_is_a_total_order(void **state)
{
	static const char *const sorted[] = {"",   "1",  "1.2", "1.02", "1.10", "1.10.1", "2",
					     "10", "A1", "A2",  "A10",  "B",    "a"};
	size_t count = sizeof(sorted) / sizeof(*sorted);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			int order = natural_compare(str_of(sorted[i]), str_of(sorted[j]));
			bool ties = (i == 2 && j == 3) || (i == 3 && j == 2);

			if (ties)
				assert_int_not_equal(order, 0);
			else
				assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
		}
	}
}

static void the_shipped_pack_is_a_kb(void **state)
{
	const struct pack *packs[] = {&kb_shipped_pack};
	struct kb *kb = kb_new(packs, 1);

	(void)state;
	assert_true(str_equal(kb->packs[0]->name, STR("ascend")));
	assert_int_equal(kb->section_count, 7);
	for (size_t i = 0; i < kb->entry_count; i++)
		assert_ptr_equal(kb_entry(kb, kb->entries[i]->id), kb->entries[i]);
	for (size_t i = 0; i < kb->code_count; i++)
		assert_ptr_equal(kb_code_in(kb, kb->codes[i]->namespace, kb->codes[i]->code), kb->codes[i]);
	for (size_t i = 0; i < kb->placeholder_count; i++)
		assert_ptr_equal(kb_placeholder(kb, kb->placeholders[i]->name), kb->placeholders[i]);
	for (size_t i = 0; i < kb->probe_count; i++)
		assert_ptr_equal(kb_probe(kb, kb->probes[i]->id), kb->probes[i]);
	kb_free(kb);
}

static void a_hundred_thousand_entries_are_fine(void **state)
{
	enum { COUNT = 100 * 1000 };
	struct fixture fixture = {0};
	struct pack_reader *reader = pack_reader_new(&fixture.arena, &fixture.diags, NULL);
	struct buf yaml = {0}, path = {0};

	(void)state;
	pack_reader_file(reader, "pack.yaml", STR("name: big\ntitle: {en: big}\nversion: '1'\n"));
	for (int i = 0; i < COUNT; i++) {
		buf_clear(&yaml);
		buf_clear(&path);
		buf_add_format(&path, "s%d/%d.yaml", i % 9, i);
		buf_add_format(&yaml,
			       "id: '%d.%d'\ntitle: {zh: 标题, en: title %d}\norigin: site\nsource: s\n",
			       i % 9, i, i);
		pack_reader_file(reader, buf_c_string(&path), buf_str(&yaml));
	}
	fixture.packs[fixture.count++] = pack_reader_finish(reader);
	make_kb(&fixture);
	assert_int_equal(fixture.kb->entry_count, COUNT);
	assert_int_equal(fixture.kb->section_count, 9);
	assert_str(fixture.kb->entries[0]->id, "0.0");
	assert_str(kb_entry(fixture.kb, STR("5.77774"))->title.in[LANG_EN], "title 77774");
	buf_release(&yaml);
	buf_release(&path);
	release(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_entries_by_section_and_number),
		cmocka_unit_test(finds_placeholders_and_probes_by_exact_name),
		cmocka_unit_test(finds_codes_as_they_are_printed),
		cmocka_unit_test(later_packs_win_by_id),
		cmocka_unit_test(the_last_of_many_packs_wins),
		cmocka_unit_test(an_empty_kb_is_a_kb),
		cmocka_unit_test(natural_order_is_a_total_order),
		cmocka_unit_test(the_shipped_pack_is_a_kb),
		cmocka_unit_test(a_hundred_thousand_entries_are_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

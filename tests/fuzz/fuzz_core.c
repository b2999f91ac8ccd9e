/* The other parsers of the core: packs, probe output, templates and values, queries. */
#include "fuzz.h"

#include "base/utf8.h"
#include "core/export.h"
#include "core/faq_document.h"
#include "core/fill.h"
#include "core/kb_lint.h"
#include "core/kb_yaml.h"
#include "core/probe.h"
#include "core/search.h"

#include <stdlib.h>

void fuzz_pack(struct str bytes)
{
	static const char *const paths[] = {"pack.yaml",   "install/1.1.yaml", "placeholders.yaml",
					    "probes.yaml", "framing.yaml",     "codes/x.yaml"};
	struct arena arena = {0};
	struct diag_list diags = {0};
	struct pack_reader *reader = pack_reader_new(&arena, &diags, "fuzz");
	const struct pack *pack;
	struct kb *kb;

	while (bytes.size) {
		size_t path = fuzz_number(&bytes, sizeof(paths) / sizeof(*paths));

		pack_reader_file(reader, paths[path], fuzz_part(&bytes));
	}
	pack = pack_reader_finish(reader);
	kb = kb_new(&pack, 1);
	for (size_t i = 0; i < diags.list.count; i++)
		FUZZ_CHECK(str_find_byte(diags.list.items[i].text, '\n') == STR_NOT_FOUND);
	kb_free(kb);
	diag_release(&diags);
	arena_release(&arena);
}

/* Whatever a document holds, what is made of it is YAML that a pack may have. */
void fuzz_faq(struct str bytes)
{
	struct arena arena = {0};
	struct diag_list diags = {0}, missing = {0};
	struct pack_reader *reader = pack_reader_new(&arena, &diags, "fuzz");
	struct faq_document document;
	struct buf text = {0}, out = {0};
	const struct pack *pack;
	struct kb *kb;

	faq_document_clean(bytes, &text);
	faq_document_read(buf_str(&text), &arena, &document);
	faq_pack_to_yaml(&document, &out);
	pack_reader_file(reader, "pack.yaml", buf_str(&out));
	for (size_t i = 0; i < document.entries.count; i++) {
		buf_clear(&out);
		faq_entry_to_yaml(&document, &document.entries.items[i], &out);
		pack_reader_file(reader, arena_c_string(&arena, STR("install/x.yaml")), buf_str(&out));
	}
	faq_document_compare(&document, fuzz_kb(), "fuzz", &missing);
	faq_document_release(&document);
	pack = pack_reader_finish(reader);
	kb = kb_new(&pack, 1);
	buf_clear(&out);
	export_markdown(kb, LANG_ZH, &out);
	export_html(kb, LANG_EN, STR(""), STR(""), &out);
	kb_free(kb);
	buf_release(&text);
	buf_release(&out);
	diag_release(&diags);
	diag_release(&missing);
	arena_release(&arena);
}

/* Answers every question of a probe with the same bytes. */
static void answer_always(void *context, const struct probe_request *request, struct probe_answer *answer)
{
	const struct str *bytes = context;

	(void)request;
	answer->end = PROBE_END_OK;
	buf_add(&answer->text, *bytes);
}

void fuzz_probe(struct str bytes)
{
	const struct kb *kb = fuzz_kb();
	const struct probe *probe = kb->probes[fuzz_number(&bytes, 255) % kb->probe_count];
	struct probe_host host = {.context = &bytes, .ask = answer_always};
	struct probe_result result = {0};
	struct probe_result again = {0};
	struct buf coded = {0};

	probe_execute(kb, probe, &host, &result);
	probe_result_encode(&result, &coded);
	FUZZ_CHECK(probe_result_decode(buf_str(&coded), &again));
	FUZZ_CHECK(again.state == result.state && again.value_count == result.value_count);
	probe_result_decode(bytes, &again);
	probe_result_release(&again);
	probe_result_release(&result);
	buf_release(&coded);
}

void fuzz_fill(struct str bytes)
{
	const struct kb *kb = fuzz_kb();
	struct facts *facts = facts_new();
	struct str template = fuzz_part(&bytes);
	struct filled filled = {0};

	while (bytes.size) {
		const struct placeholder *placeholder =
			kb->placeholders[fuzz_number(&bytes, 255) % kb->placeholder_count];
		enum fact_source source = (enum fact_source)fuzz_number(&bytes, FACT_USER + 1);
		struct str value = fuzz_part(&bytes);
		struct buf why = {0};

		fill_check(placeholder, value, LANG_ZH, &why);
		facts_set(facts, placeholder->name, value, source, STR("fuzz"));
		buf_release(&why);
	}
	fill_command(kb, template, facts, &filled);
	for (size_t i = 0; i < filled.spans.count; i++) {
		FUZZ_CHECK(filled.spans.items[i].start <= filled.spans.items[i].end);
		FUZZ_CHECK(filled.spans.items[i].end <= filled.text.size);
	}
	filled_release(&filled);
	facts_free(facts);
}

void fuzz_search(struct str bytes)
{
	static struct search_index *index;
	struct search_result result = {0};
	struct search_ranges ranges = {0};
	struct str query = fuzz_part(&bytes);
	struct str near[4];

	if (!index)
		index = search_index_new(fuzz_kb());
	search_run(index, query, &result);
	for (size_t i = 0; i < result.hits.count; i++)
		FUZZ_CHECK(result.hits.items[i].entry < fuzz_kb()->entry_count);
	search_suggest(index, query, near, 4);
	search_highlight(query, bytes, &ranges);
	for (size_t i = 0; i < ranges.list.count; i++) {
		FUZZ_CHECK(ranges.list.items[i].start < ranges.list.items[i].end);
		FUZZ_CHECK(ranges.list.items[i].end <= bytes.size);
	}
	vec_release(&ranges.list);
	search_result_release(&result);
}

void fuzz_text(struct str bytes)
{
	struct buf printable = {0};
	struct buf folded = {0};
	uint32_t *offsets = NULL;
	bool ascii = fuzz_number(&bytes, 2) == 1;

	utf8_add_printable(&printable, bytes, ascii);
	FUZZ_CHECK(utf8_is_valid(buf_str(&printable)));
	for (size_t i = 0; i < printable.size; i++) {
		unsigned char byte = (unsigned char)printable.data[i];

		FUZZ_CHECK((byte >= 0x20 || byte == '\n' || byte == '\t') && byte != 0x7F &&
			   !(ascii && byte > 0x7E));
	}
	utf8_fold(bytes, &folded, &offsets);
	for (size_t i = 0; i < folded.size; i++)
		FUZZ_CHECK(offsets[i] < bytes.size);
	FUZZ_CHECK(utf8_fit(bytes, 7) <= bytes.size);
	utf8_width(bytes);
	free(offsets);
	buf_release(&folded);
	buf_release(&printable);
}

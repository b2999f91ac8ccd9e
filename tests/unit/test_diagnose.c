#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/diagnose.h"
#include "pack_support.h"

#include <string.h>

#define ENTRY(id, rest) "id: '" id "'\ntitle: {zh: t, en: t}\norigin: faq\nsource: s\nsignatures:\n" rest

static const char port_yaml[] = ENTRY(
	"1.1",
	"- {match: 'The server socket has failed to listen\\b.*?port: (?<PORT>\\d+)', strength: certain}\n"
	"- {match: 'EADDRINUSE', strength: likely}\n"
	"- {match: 'ERR99999', strength: likely}\n"
	"codes: [EADDRINUSE]\n");
static const char lines_yaml[] =
	ENTRY("1.2", "- {match: 'undefined symbol:\\s+mlir_ciface_aclshmem', strength: certain}\n"
		     "- {match: 'Failed to run HIVMC pipeline', strength: hint}\n");
static const char code_yaml[] =
	ENTRY("1.3", "- {match: 'error code is 4\\b', unless: 'EI0019', strength: certain}\n");
static const char codes_yaml[] =
	"- {code: ERR99999, namespace: torch_npu, wrapper: true, means: {zh: m, en: m}, source: s}\n"
	"- {code: EADDRINUSE, namespace: errno, means: {zh: m, en: m}, source: s}\n";
static const char placeholders_yaml[] = "- {name: PORT, meaning: {zh: p, en: p}, kind: port}\n";

struct fixture {
	struct arena arena;
	struct diag_list diags;
	const struct pack *packs[2];
	struct pack framing; /* that of the shipped pack alone */
	struct kb *kb;
	struct scanner *scanner;
	struct diagnose *diagnose;
};

static int setup(void **state)
{
	struct fixture *fixture = alloc_zeroed(1, sizeof(*fixture));
	const struct pack_text files[] = {PACK_YAML("test"),
					  {"install/1.1.yaml", port_yaml},
					  {"install/1.2.yaml", lines_yaml},
					  {"install/1.3.yaml", code_yaml},
					  {"codes/test.yaml", codes_yaml},
					  {"placeholders.yaml", placeholders_yaml},
					  {0}};

	fixture->framing.name = STR("framing");
	fixture->framing.frames = kb_shipped_pack.frames;
	fixture->framing.frame_count = kb_shipped_pack.frame_count;
	fixture->packs[0] = &fixture->framing;
	fixture->packs[1] = pack_of_texts(files, &fixture->arena, &fixture->diags);
	if (!fixture->packs[1] || fixture->diags.errors) {
		struct buf text = {0};

		diags_to_text(&fixture->diags, &text);
		print_message("%s", buf_c_string(&text));
		return -1;
	}
	fixture->kb = kb_new(fixture->packs, 2);
	fixture->scanner = scanner_new(fixture->kb);
	fixture->diagnose = diagnose_new(fixture->scanner);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	diagnose_free(fixture->diagnose);
	scanner_free(fixture->scanner);
	kb_free(fixture->kb);
	arena_release(&fixture->arena);
	diag_release(&fixture->diags);
	free(fixture);
	return 0;
}

static const struct diagnosis *run_text(struct fixture *fixture, struct str text)
{
	diagnose_reset(fixture->diagnose);
	diagnose_begin(fixture->diagnose, STR("test.log"));
	diagnose_feed(fixture->diagnose, text.data, text.size);
	return diagnose_finish(fixture->diagnose);
}

static const struct diagnosis *run(struct fixture *fixture, const char *text)
{
	return run_text(fixture, str_of(text));
}

static void check_entries(const struct diagnosis *result, const char *ids)
{
	struct buf found = {0};

	for (size_t i = 0; i < result->match_count; i++)
		buf_add_format(&found, "%s%.*s", i ? " " : "", STR_ARG(result->matches[i].entry->id));
	assert_string_equal(buf_c_string(&found), ids);
	buf_release(&found);
}

#define PORT_LINE "The server socket has failed to listen on any address. port: 29500, name: EADDRINUSE"

static void a_match_has_its_evidence(void **state)
{
	const struct diagnosis *result =
		run(*state, "starting\n[rank3]: x.DistNetworkError: " PORT_LINE "\nend\n");
	const struct match *match = &result->matches[0];

	check_entries(result, "1.1");
	assert_true(match->root && match->certain);
	assert_true(match->score > 0.9 && match->score < 1);
	assert_int_equal(match->count, 1);
	assert_int_equal(match->rank_count, 1);
	assert_int_equal(match->ranks[0], 3);
	assert_int_equal(match->evidence[0].line, 2);
	assert_int_equal(match->evidence[0].offset, 9);
	assert_true(str_starts(match->evidence[0].text, STR("x.DistNetworkError: The server")));
	assert_int_equal(match->capture_count, 1);
	assert_true(str_equal(match->captures[0].name, STR("PORT")));
	assert_true(str_equal(match->captures[0].value, STR("29500")));
	assert_int_equal(match->code_count, 1);
	assert_true(str_equal(match->codes[0], STR("EADDRINUSE")));
	assert_int_equal(result->inputs[0].lines, 3);
}

static void nothing_is_found_in_nothing(void **state)
{
	check_entries(run(*state, ""), "");
	check_entries(run(*state, "\n\n\n"), "");
	check_entries(run(*state, "all is well\n"), "");
}

static void lines_of_a_rank_are_followed(void **state)
{
	struct fixture *fixture = *state;
	const struct diagnosis *result;

	result = run(fixture, "[rank1]: ld.lld: error: undefined symbol:\n"
			      "[rank0]: ld.lld: error: undefined symbol:\n"
			      "[rank0]:   mlir_ciface_aclshmem_barrier.cube\n"
			      "[rank2]: other\n"
			      "[rank1]:   mlir_ciface_aclshmem_put.cube\n");
	check_entries(result, "1.2");
	assert_int_equal(result->matches[0].rank_count, 2);
	assert_int_equal(result->matches[0].count, 2);
	check_entries(
		run(fixture, "[rank1]: undefined symbol:\n[rank1]: other\n[rank0]: mlir_ciface_aclshmem\n"),
		"");
}

static void hints_and_wrappers_alone_are_nothing(void **state)
{
	struct fixture *fixture = *state;
	const struct diagnosis *result;

	check_entries(run(fixture, "[ERROR] Failed to run HIVMC pipeline\n"), "");
	result =
		run(fixture,
		    "[ERROR] 2026-02-11-16:03:44 (PID:1, Device:-1, RankID:-1) ERR99999 UNKNOWN exception\n");
	check_entries(result, "");
	assert_int_equal(result->code_count, 1);
	assert_non_null(result->codes[0].code);
	assert_true(result->codes[0].code->wrapper);
}

static void unless_takes_a_match_away(void **state)
{
	struct fixture *fixture = *state;
	size_t index = 5; /* the only signature of 1.3 */

	check_entries(run(fixture, "RuntimeError: error code is 4\n"), "1.3");
	check_entries(run(fixture, "RuntimeError: error code is 4\nEI0019: host\n"), "");
	assert_int_equal(diagnose_trace(fixture->diagnose, index)->excluded, 1);
	assert_int_equal(diagnose_trace(fixture->diagnose, index)->matched, 0);
	check_entries(run(fixture, "RuntimeError: error code is 40\n"), "");
	assert_int_equal(diagnose_trace(fixture->diagnose, index)->literals, 1);
}

static void talk_is_no_evidence(void **state)
{
	struct fixture *fixture = *state;

	check_entries(run(fixture, "# error code is 4\n"), "");
	check_entries(run(fixture, "+ echo error code is 4\n"), "");
	check_entries(run(fixture, "hint: if error code is 4, update\n"), "");
	check_entries(run(fixture, "EI0001  error code is 4\nEI0002  b\nEI0006  c\n"), "");
	check_entries(run(fixture, "a\n561103  error code is 4\nb\n"), "1.3");
	/* Ranks that report the same are no table, though their numbers differ. */
	check_entries(
		run(fixture,
		    "port 29500 error code is 4\nport 29501 error code is 4\nport 29502 error code is 4\n"),
		"1.3");
}

#define WRAPPED \
	"[rank0]: x.DistNetworkError: The server socket has failed to listen on any addre\n" \
	"ss. port: 29500, useIpv6: false, code: -98, name: EADDRIN\n"

static void hidden_messages_are_found(void **state)
{
	static const struct str texts[] = {
		STR_INIT("x: \033[31merr\033[0mor code\033[1m is 4\n"),
		STR_INIT("x: err[31mor code[0m is 4\n"),
		STR_INIT("e\0r\0r\0o\0r\0 \0c\0o\0d\0e\0 \0i\0s\0 \0004\0\n\0"),
		STR_INIT("\xFF\xFE"
			 "e\0r\0r\0o\0r\0 \0c\0o\0d\0e\0 \0i\0s\0 \0004\0\n\0"),
		STR_INIT("\xFE\xFF\0e\0r\0r\0o\0r\0 \0c\0o\0d\0e\0 \0i\0s\0 \0004\0\n"),
		STR_INIT("10%\r20%\rerror code is 4\r100%\r\n"),
		STR_INIT("{\"log\":\"Traceback\\n  File\\nerror code is 4\\n\"}\n"),
		STR_INIT("error code is 4\r\n"),
		STR_INIT("error code is 4"),
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		check_entries(run_text(fixture, texts[i]), "1.3");
	check_entries(run(fixture, WRAPPED), "1.1");
}

static void a_line_of_any_length(void **state)
{
	struct fixture *fixture = *state;
	struct buf text = {0};
	const struct diagnosis *result;

	buf_add_repeated(&text, 'x', 3 * 1000 * 1000);
	buf_add(&text, STR(" error code is 4 "));
	buf_add_repeated(&text, 'y', 3 * 1000 * 1000);
	result = run_text(fixture, buf_str(&text));
	check_entries(result, "1.3");
	assert_int_equal(result->inputs[0].lines, 1);
	assert_int_equal(result->inputs[0].long_lines, 1);
	assert_int_equal(result->matches[0].evidence[0].line, 1);
	buf_release(&text);
}

static void the_first_cause_is_the_root(void **state)
{
	struct fixture *fixture = *state;
	const struct diagnosis *result;
	struct buf text = {0};

	/* By time: rank 1 failed first, although its line comes later. */
	buf_add(&text, STR("2026-03-02T08:00:20Z [rank0]: error code is 4\n"));
	for (int i = 0; i < 100; i++)
		buf_add_format(&text, "2026-03-02T08:00:2%dZ [rank0]: step %d\n", i / 10, i);
	buf_add(&text, STR("2026-03-02T08:00:11Z [rank1]: " PORT_LINE "\n"));
	result = run_text(fixture, buf_str(&text));
	check_entries(result, "1.1 1.3");
	assert_true(result->matches[0].root);
	assert_int_equal(result->matches[1].cause, 0);
	buf_release(&text);
}

static void unknown_errors_are_listed(void **state)
{
	const struct diagnosis *result =
		run(*state, "ValueError: bad value 12\nloss 1\nValueError: bad value 13\n"
			    "RuntimeError: error code is 4\n# ValueError: quoted\n");

	check_entries(result, "1.3");
	assert_int_equal(result->unmatched_count, 1);
	assert_int_equal(result->unmatched[0].count, 2);
	assert_int_equal(result->unmatched[0].first.line, 1);
}

static void result_to_text(const struct diagnosis *result, struct buf *out)
{
	for (size_t i = 0; i < result->match_count; i++) {
		const struct match *match = &result->matches[i];

		buf_add_format(out, "%.*s %f %d %zu %lu", STR_ARG(match->entry->id), match->score,
			       match->root, match->cause, (unsigned long)match->count);
		for (size_t j = 0; j < match->evidence_count; j++)
			buf_add_format(out, " %lu:%d:%.*s", (unsigned long)match->evidence[j].line,
				       match->evidence[j].rank, STR_ARG(match->evidence[j].text));
		buf_add_byte(out, '\n');
	}
	for (size_t i = 0; i < result->unmatched_count; i++)
		buf_add_format(out, "%lu %.*s\n", (unsigned long)result->unmatched[i].count,
			       STR_ARG(result->unmatched[i].first.text));
	for (size_t i = 0; i < result->input_count; i++)
		buf_add_format(out, "%lu %lu\n", (unsigned long)result->inputs[i].bytes,
			       (unsigned long)result->inputs[i].lines);
}

/* A log of several blocks with something in each place where blocks, lines and pieces meet. */
static void make_log(struct buf *text)
{
	unsigned random = 1;

	while (text->size < 3u * DIAGNOSE_BLOCK + 12345) {
		random = random * 1103515245u + 12345u;
		if ((random >> 16) % 2000 == 0)
			buf_add_format(text, "[rank%u]: RuntimeError: error code is 4\n", (random >> 8) % 8);
		else if ((random >> 16) % 3000 == 0)
			buf_add_format(
				text,
				"[rank%u]: undefined symbol:\n[rank9]: y\n[rank%u]: mlir_ciface_aclshmem\n",
				(random >> 8) % 8, (random >> 8) % 8);
		else
			buf_add_format(text, "[rank%u]: step %u loss 0.%u\n", (random >> 8) % 8, random >> 20,
				       random >> 10);
		if (text->size % DIAGNOSE_BLOCK > DIAGNOSE_BLOCK - 100 && text->size % 3)
			buf_add(text, STR("Failed: " PORT_LINE "\nValueError: x\n"));
	}
}

static void pieces_of_any_size_give_the_same(void **state)
{
	struct fixture *fixture = *state;
	struct buf text = {0};
	struct buf whole = {0};
	const size_t sizes[] = {1, 7, 4096, DIAGNOSE_BLOCK - 1, DIAGNOSE_BLOCK + 1};

	make_log(&text);
	result_to_text(run_text(fixture, buf_str(&text)), &whole);
	assert_true(whole.size > 1000);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct buf pieces = {0};

		diagnose_reset(fixture->diagnose);
		diagnose_begin(fixture->diagnose, STR("test.log"));
		for (size_t at = 0; at < text.size; at += sizes[i])
			diagnose_feed(fixture->diagnose, text.data + at,
				      text.size - at < sizes[i] ? text.size - at : sizes[i]);
		result_to_text(diagnose_finish(fixture->diagnose), &pieces);
		assert_string_equal(buf_c_string(&whole), buf_c_string(&pieces));
		buf_release(&pieces);
	}
	buf_release(&text);
	buf_release(&whole);
}

static void blocks_of_other_threads_give_the_same(void **state)
{
	struct fixture *fixture = *state;
	struct buf text = {0};
	struct buf whole = {0};
	struct buf blocks = {0};
	struct diagnose_block block;

	make_log(&text);
	result_to_text(run_text(fixture, buf_str(&text)), &whole);
	diagnose_reset(fixture->diagnose);
	diagnose_begin(fixture->diagnose, STR("test.log"));
	diagnose_block_init(&block);
	for (size_t at = 0; at < text.size; at += DIAGNOSE_BLOCK) {
		block.size = text.size - at < DIAGNOSE_BLOCK ? text.size - at : DIAGNOSE_BLOCK;
		block.first = at == 0;
		block.last = at + block.size == text.size;
		memcpy(block.memory + DIAGNOSE_KEEP, text.data + at, block.size);
		if (at)
			memcpy(block.memory + DIAGNOSE_KEEP - SCAN_OVERLAP, text.data + at - SCAN_OVERLAP,
			       SCAN_OVERLAP);
		diagnose_block_scan(fixture->scanner, &block);
		diagnose_take(fixture->diagnose, &block);
	}
	result_to_text(diagnose_finish(fixture->diagnose), &blocks);
	assert_string_equal(buf_c_string(&whole), buf_c_string(&blocks));
	diagnose_block_release(&block);
	buf_release(&text);
	buf_release(&whole);
	buf_release(&blocks);
}

static void what_is_known_so_far(void **state)
{
	struct fixture *fixture = *state;

	diagnose_reset(fixture->diagnose);
	diagnose_begin(fixture->diagnose, STR("test.log"));
	diagnose_feed(fixture->diagnose, "error code is 4\nmore", 20);
	diagnose_flush(fixture->diagnose);
	check_entries(diagnose_result(fixture->diagnose), "1.3");
	diagnose_feed(fixture->diagnose, " to come: " PORT_LINE "\n", 11 + sizeof(PORT_LINE) - 1);
	check_entries(diagnose_finish(fixture->diagnose), "1.1 1.3");
}

/*
 * The pack as it is shipped: what its entries show as errors is found, what they show as near misses is not,
 * and nothing of what is only read.
 */
static void shipped_samples_are_diagnosed(void **state)
{
	const struct pack *const packs[] = {&kb_shipped_pack};
	struct kb *kb = kb_new(packs, 1);
	struct scanner *scanner = scanner_new(kb);
	struct diagnose *diagnose = diagnose_new(scanner);

	(void)state;
	for (size_t i = 0; i < kb->entry_count; i++) {
		const struct entry *entry = kb->entries[i];

		for (size_t j = 0; j < entry->error_count + entry->not_error_count; j++) {
			bool is_error = j < entry->error_count;
			bool wanted = is_error && entry->kind == ENTRY_PROBLEM;
			struct str text = is_error ? entry->errors[j].text
						   : entry->not_errors[j - entry->error_count].text;
			const struct diagnosis *result;
			bool found = false;

			diagnose_reset(diagnose);
			diagnose_begin(diagnose, STR("sample"));
			diagnose_feed(diagnose, text.data, text.size);
			result = diagnose_finish(diagnose);
			for (size_t k = 0; k < result->match_count; k++)
				found = found || result->matches[k].entry == entry;
			if (found != wanted)
				print_error("%.*s: %s: %.*s\n", STR_ARG(entry->id),
					    wanted ? "not found" : "found", STR_ARG(text));
			assert_int_equal(found, wanted);
		}
	}
	diagnose_free(diagnose);
	scanner_free(scanner);
	kb_free(kb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_match_has_its_evidence),
		cmocka_unit_test(nothing_is_found_in_nothing),
		cmocka_unit_test(lines_of_a_rank_are_followed),
		cmocka_unit_test(hints_and_wrappers_alone_are_nothing),
		cmocka_unit_test(unless_takes_a_match_away),
		cmocka_unit_test(talk_is_no_evidence),
		cmocka_unit_test(hidden_messages_are_found),
		cmocka_unit_test(a_line_of_any_length),
		cmocka_unit_test(the_first_cause_is_the_root),
		cmocka_unit_test(unknown_errors_are_listed),
		cmocka_unit_test(pieces_of_any_size_give_the_same),
		cmocka_unit_test(blocks_of_other_threads_give_the_same),
		cmocka_unit_test(what_is_known_so_far),
		cmocka_unit_test(shipped_samples_are_diagnosed),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}

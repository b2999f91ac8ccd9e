/* Cleaning, framing, scan and match: the result must not depend on how the bytes are cut into pieces. */
#include "fuzz.h"

#include "core/diagnose.h"
#include "core/findings.h"

#include <string.h>

static const struct scanner *the_scanner(void)
{
	static struct scanner *scanner;

	if (!scanner)
		scanner = scanner_new(fuzz_kb());
	return scanner;
}

static void add_evidence(const struct evidence *evidence, struct buf *out)
{
	struct around_cursor before = {0}, after = {0};
	struct str line;

	buf_add_format(out, "%llu:%.*s\n", (unsigned long long)evidence->line, STR_ARG(evidence->text));
	FUZZ_CHECK(evidence->around_line <= evidence->around.size);
	while (findings_next_around(evidence, true, &before, &line))
		findings_add_shown(out, line);
	while (findings_next_around(evidence, false, &after, &line))
		findings_add_shown(out, line);
	FUZZ_CHECK(before.taken < evidence->line);
}

/* What must be the same: entries, counts, lines and texts, flattened. */
static void flatten(const struct diagnosis *diagnosis, struct buf *out)
{
	for (size_t i = 0; i < diagnosis->match_count; i++) {
		const struct match *match = &diagnosis->matches[i];

		FUZZ_CHECK(match->score >= 0 && match->score <= 1);
		FUZZ_CHECK(match->evidence_count > 0);
		buf_add_format(out, "%.*s %d %d %llu\n", STR_ARG(match->entry->id), match->root,
			       match->certain, (unsigned long long)match->count);
		for (size_t e = 0; e < match->evidence_count; e++)
			add_evidence(&match->evidence[e], out);
		for (size_t c = 0; c < match->capture_count; c++)
			buf_add_format(out, "%.*s=%.*s\n", STR_ARG(match->captures[c].name),
				       STR_ARG(match->captures[c].value));
	}
	for (size_t i = 0; i < diagnosis->unmatched_count; i++)
		buf_add_format(out, "? %llu %llu\n", (unsigned long long)diagnosis->unmatched[i].count,
			       (unsigned long long)diagnosis->unmatched[i].first.line);
	for (size_t i = 0; i < diagnosis->input_count; i++)
		buf_add_format(out, "%llu bytes %llu lines\n", (unsigned long long)diagnosis->inputs[i].bytes,
			       (unsigned long long)diagnosis->inputs[i].lines);
}

static void run(struct diagnose *diagnose, struct str bytes, size_t piece, struct buf *out)
{
	diagnose_reset(diagnose);
	diagnose_begin(diagnose, STR("fuzz"));
	diagnose_keep_context(diagnose);
	for (size_t at = 0; at < bytes.size; at += piece) {
		struct str part = str_slice(bytes, at, at + piece);

		diagnose_feed(diagnose, part.data, part.size);
	}
	flatten(diagnose_finish(diagnose), out);
}

void fuzz_diagnose(struct str bytes)
{
	static struct diagnose *diagnose;
	size_t piece = 1 + fuzz_number(&bytes, 255);
	struct buf whole = {0};
	struct buf cut = {0};

	if (!diagnose)
		diagnose = diagnose_new(the_scanner());
	run(diagnose, bytes, SIZE_MAX / 2, &whole);
	run(diagnose, bytes, piece, &cut);
	FUZZ_CHECK(str_equal(buf_str(&whole), buf_str(&cut)));
	buf_release(&whole);
	buf_release(&cut);
}

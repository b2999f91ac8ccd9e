#include "core/diagnose_private.h"

#include <string.h>

/*
 * What a signature adds to the certainty of its entry: 1 minus the product of the doubts. One certain
 * signature is above any number of likely ones that can be expected; hints alone are nothing.
 */
static const double doubt_of[] = {
	[STRENGTH_HINT] = 0.85,
	[STRENGTH_LIKELY] = 0.40,
	[STRENGTH_CERTAIN] = 0.08,
};
static const double score_max = 0.99;

/* Lines of one rank this near to each other report one failure. */
enum { EVENT_LINES = 60 };

/* By time where both have the same kind of it, else by place. */
int64_t diagnose_compare_places(const struct evidence *a, const struct evidence *b)
{
	if (a->head.time_kind && a->head.time_kind == b->head.time_kind && a->head.time != b->head.time)
		return a->head.time < b->head.time ? -1 : 1;
	if (a->input != b->input)
		return (int64_t)a->input - (int64_t)b->input;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static int32_t rank_of_pid(const struct diagnose *diagnose, uint64_t pid)
{
	for (size_t i = 0; pid && i < diagnose->pids.count; i++) {
		if (diagnose->pids.items[i].pid == pid)
			return diagnose->pids.items[i].rank;
	}
	return FRAMING_NO_RANK;
}

/* A process may say its rank only after its first error. */
static void learn_ranks(struct diagnose *diagnose, struct found *found)
{
	for (size_t i = 0; i < found->evidence.count; i++) {
		struct evidence *evidence = &found->evidence.items[i];

		if (evidence->rank == FRAMING_NO_RANK)
			evidence->rank = rank_of_pid(diagnose, evidence->head.pid);
		if (evidence->rank == FRAMING_NO_RANK)
			continue;
		for (size_t j = 0;; j++) {
			if (j == found->ranks.count || found->ranks.items[j] > evidence->rank) {
				vec_push(&found->ranks, 0);
				memmove(found->ranks.items + j + 1, found->ranks.items + j,
					(found->ranks.count - 1 - j) * sizeof(*found->ranks.items));
				found->ranks.items[j] = evidence->rank;
				break;
			}
			if (found->ranks.items[j] == evidence->rank)
				break;
		}
	}
	if (found->certain && found->first_certain.rank == FRAMING_NO_RANK)
		found->first_certain.rank = rank_of_pid(diagnose, found->first_certain.head.pid);
}

/* Score and count of an entry; false when it is no match. */
static bool judge(const struct diagnose *diagnose, size_t first, size_t count, struct match *match)
{
	bool enough = false;
	double doubt = 1;

	for (size_t i = first; i < first + count; i++) {
		const struct signature_state *state = &diagnose->signatures[i];
		enum strength strength = scanner_signature(diagnose->scanner, i)->signature->strength;

		if (!state->trace.matched || state->wrapper_only)
			continue;
		doubt *= doubt_of[strength];
		enough = enough || strength != STRENGTH_HINT;
		match->certain = match->certain || strength == STRENGTH_CERTAIN;
		if (state->trace.matched > match->count)
			match->count = state->trace.matched;
	}
	match->score = 1 - doubt < score_max ? 1 - doubt : score_max;
	return enough;
}

static const struct evidence *first_evidence(const struct diagnose *diagnose, const struct match *match)
{
	const struct evidence *first = &match->evidence[0];
	const struct found *found = &diagnose->found[kb_entry_index(diagnose->kb, match->entry)];

	if (found->certain)
		return &found->first_certain;
	for (size_t i = 1; i < match->evidence_count; i++) {
		if (diagnose_compare_places(&match->evidence[i], first) < 0)
			first = &match->evidence[i];
	}
	return first;
}

static bool same_event(const struct evidence *a, const struct evidence *b)
{
	uint64_t apart = a->line > b->line ? a->line - b->line : b->line - a->line;

	return a->input == b->input && apart <= EVENT_LINES &&
	       (a->rank == b->rank || a->rank == FRAMING_NO_RANK || b->rank == FRAMING_NO_RANK);
}

/* The first certain match; of those that report the same failure, the most certain one. */
static size_t find_root(const struct diagnose *diagnose, const struct match *matches, size_t count)
{
	size_t root = DIAGNOSE_NONE;
	size_t best;

	for (size_t i = 0; i < count; i++) {
		if (root == DIAGNOSE_NONE || (matches[i].certain && !matches[root].certain) ||
		    (matches[i].certain == matches[root].certain &&
		     diagnose_compare_places(first_evidence(diagnose, &matches[i]),
					     first_evidence(diagnose, &matches[root])) < 0))
			root = i;
	}
	best = root;
	for (size_t i = 0; i < count; i++) {
		if (matches[i].certain == matches[root].certain && matches[i].score > matches[best].score &&
		    same_event(first_evidence(diagnose, &matches[i]),
			       first_evidence(diagnose, &matches[root])))
			best = i;
	}
	return best;
}

/* Of two inputs only times tell; what stands on the same line is another reading of it, not what came of it.
 */
static bool follows(const struct evidence *root, const struct evidence *other)
{
	bool timed = root->head.time_kind && root->head.time_kind == other->head.time_kind;

	if (root->input != other->input)
		return timed && root->head.time < other->head.time;
	return root->offset != other->offset && diagnose_compare_places(root, other) < 0;
}

static int compare_matches(const void *left, const void *right)
{
	const struct match *a = left;
	const struct match *b = right;
	int64_t order;

	if (a->root != b->root)
		return a->root ? -1 : 1;
	if (a->certain != b->certain)
		return a->certain ? -1 : 1;
	if (a->score > b->score || a->score < b->score)
		return a->score > b->score ? -1 : 1;
	order = diagnose_compare_places(&a->evidence[0], &b->evidence[0]);
	return order < 0 ? -1 : order > 0;
}

static void list_matches(struct diagnose *diagnose)
{
	const struct kb *kb = diagnose->kb;
	struct match *matches =
		arena_take_array(&diagnose->result_arena, kb->entry_count + 1, sizeof(*matches));
	size_t count = 0;
	size_t signature = 0;

	for (size_t i = 0; i < kb->entry_count; i++) {
		struct found *found = &diagnose->found[i];
		struct match match = {.entry = kb->entries[i], .cause = DIAGNOSE_NONE};
		size_t first = signature;

		signature += kb->entries[i]->signature_count;
		if (!found->evidence.count ||
		    !judge(diagnose, first, kb->entries[i]->signature_count, &match))
			continue;
		learn_ranks(diagnose, found);
		match.evidence = found->evidence.items;
		match.evidence_count = found->evidence.count;
		match.ranks = found->ranks.items;
		match.rank_count = found->ranks.count;
		match.captures = found->captures.items;
		match.capture_count = found->captures.count;
		match.codes = found->codes.items;
		match.code_count = found->codes.count;
		matches[count++] = match;
	}
	if (count) {
		size_t root = find_root(diagnose, matches, count);

		matches[root].root = true;
		qsort(matches, count, sizeof(*matches), compare_matches);
	}
	for (size_t i = 1; i < count; i++) {
		if (follows(first_evidence(diagnose, &matches[0]), first_evidence(diagnose, &matches[i])))
			matches[i].cause = 0;
	}
	diagnose->result.matches = matches;
	diagnose->result.match_count = count;
}

static bool is_covered(const struct diagnose *diagnose, const struct evidence *evidence)
{
	for (size_t i = 0; i < diagnose->covered.count; i++) {
		const struct covered *covered = &diagnose->covered.items[i];

		if (covered->input == evidence->input && covered->start <= evidence->offset &&
		    evidence->offset <= covered->end)
			return true;
	}
	return false;
}

static int compare_unmatched(const void *left, const void *right)
{
	const struct unmatched *a = left;
	const struct unmatched *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->first.input != b->first.input)
		return a->first.input < b->first.input ? -1 : 1;
	return (a->first.offset > b->first.offset) - (a->first.offset < b->first.offset);
}

static void list_unmatched(struct diagnose *diagnose)
{
	size_t count = 0;
	struct unmatched *list =
		arena_take_array(&diagnose->result_arena, diagnose->unknown.count + 1, sizeof(*list));

	for (size_t i = 0; i < diagnose->unknown.count; i++) {
		if (!is_covered(diagnose, &diagnose->unknown.items[i].line.first))
			list[count++] = diagnose->unknown.items[i].line;
	}
	qsort(list, count, sizeof(*list), compare_unmatched);
	diagnose->result.unmatched = list;
	diagnose->result.unmatched_count = count;
	diagnose->result.unmatched_more = diagnose->unknown_more;
}

void diagnose_make_result(struct diagnose *diagnose)
{
	arena_release(&diagnose->result_arena);
	diagnose->result = (struct diagnosis){0};
	list_matches(diagnose);
	list_unmatched(diagnose);
	diagnose->result.codes = diagnose->codes.items;
	diagnose->result.code_count = diagnose->codes.count;
	diagnose->result.inputs = diagnose->inputs.items;
	diagnose->result.input_count = diagnose->inputs.count;
	diagnose->result.limits = diagnose->limits.items;
	diagnose->result.limit_count = diagnose->limits.count;
}

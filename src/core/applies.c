#include "core/applies.h"

#include "core/version.h"

#include <string.h>

/* What the machine has, from a source that speaks of this machine. Null: not known. */
static const struct fact *here(const struct facts *facts, struct str name)
{
	enum { MOST = 8 };
	const struct fact *found[MOST];
	size_t count = facts ? facts_find(facts, name, found, MOST) : 0;

	for (size_t i = 0; i < count && i < MOST; i++) {
		if (found[i]->source == FACT_PROBE || found[i]->source == FACT_USER)
			return found[i];
	}
	return NULL;
}

static enum applies_verdict check_cann(const struct applies *applies, const struct facts *facts)
{
	const struct fact *version = here(facts, STR("CANN_VERSION"));

	if (applies->cann.size == 0)
		return APPLIES_HERE;
	if (!version || !version_is_valid(version->value))
		return APPLIES_UNKNOWN;
	return version_fits(version->value, applies->cann) ? APPLIES_HERE : APPLIES_NOT;
}

static enum applies_verdict check_chip(const struct applies *applies, const struct facts *facts)
{
	const struct fact *chip = here(facts, STR("CHIP"));

	if (applies->chips.count == 0)
		return APPLIES_HERE;
	if (!chip)
		return APPLIES_UNKNOWN;
	for (size_t i = 0; i < applies->chips.count; i++) {
		if (str_equal_ascii_case(chip->value, applies->chips.items[i]))
			return APPLIES_HERE;
	}
	return APPLIES_NOT;
}

enum applies_verdict applies_check(const struct applies *applies, const struct facts *facts)
{
	enum applies_verdict cann = check_cann(applies, facts), chip = check_chip(applies, facts);

	if (cann == APPLIES_NOT || chip == APPLIES_NOT)
		return APPLIES_NOT;
	return cann == APPLIES_UNKNOWN || chip == APPLIES_UNKNOWN ? APPLIES_UNKNOWN : APPLIES_HERE;
}

bool applies_is_limited(const struct applies *applies)
{
	return applies->cann.size > 0 || applies->chips.count > 0;
}

/* How one term of a version expression is said; what has none of these is an exact version. */
static const struct {
	const char *operator;
	struct text before, after;
} relations[] = {
	{">=", {{{0}, {0}}}, {{STR_INIT(" 或更高"), STR_INIT(" or later")}}},
	{"<=", {{{0}, {0}}}, {{STR_INIT(" 或更低"), STR_INIT(" or earlier")}}},
	{"!=", {{STR_INIT("除 "), STR_INIT("other than ")}}, {{STR_INIT(" 外"), {0}}}},
	{"==", {{{0}, {0}}}, {{{0}, {0}}}},
	{">", {{STR_INIT("高于 "), STR_INIT("later than ")}}, {{{0}, {0}}}},
	{"<", {{STR_INIT("低于 "), STR_INIT("earlier than ")}}, {{{0}, {0}}}},
	{"=", {{{0}, {0}}}, {{{0}, {0}}}},
	{"", {{{0}, {0}}}, {{{0}, {0}}}},
};

static void say_term(struct str term, enum lang lang, struct buf *out)
{
	size_t i = 0;

	while (!str_starts(term, str_of(relations[i].operator)))
		i++;
	buf_add(out, relations[i].before.in[lang]);
	buf_add(out, str_trim(str_slice(term, str_of(relations[i].operator).size, term.size)));
	buf_add(out, relations[i].after.in[lang]);
}

/* The next word before a blank or a comma; false when there is none. */
static bool next_word(struct str *rest, struct str *word)
{
	size_t start = 0, end;

	while (start < rest->size && (rest->data[start] == ' ' || rest->data[start] == ','))
		start++;
	for (end = start; end < rest->size && rest->data[end] != ' ' && rest->data[end] != ','; end++)
		;
	*word = str_slice(*rest, start, end);
	*rest = str_slice(*rest, end, rest->size);
	return word->size > 0;
}

/* ">=8.2 <9 || 10" in words. An operator may stand apart from its version: ">= 8.2". */
static void say_versions(struct str expression, enum lang lang, struct buf *out)
{
	static const struct text and = {{STR_INIT(" 且 "), STR_INIT(" and ")}};
	static const struct text or = {{STR_INIT(" 或 "), STR_INIT(" or ")}};
	struct str word, between = {0};
	struct buf term = {0};

	while (next_word(&expression, &word)) {
		if (str_equal(word, STR("||"))) {
			between = text_in(& or, lang);
			continue;
		}
		buf_add(&term, word);
		if (strspn(buf_c_string(&term), "<>=!") == term.size)
			continue;
		buf_add(out, between);
		say_term(buf_str(&term), lang, out);
		buf_clear(&term);
		between = text_in(&and, lang);
	}
	buf_release(&term);
}

static void say_chips(const struct applies *applies, enum lang lang, struct buf *out)
{
	for (size_t i = 0; i < applies->chips.count; i++) {
		if (i > 0)
			buf_add(out, lang == LANG_ZH ? STR("、") : STR(", "));
		buf_add(out, applies->chips.items[i]);
	}
}

void applies_say_condition(const struct applies *applies, enum lang lang, struct buf *out)
{
	if (applies->cann.size > 0) {
		buf_add(out, STR("CANN "));
		say_versions(applies->cann, lang, out);
	}
	if (applies->cann.size > 0 && applies->chips.count > 0)
		buf_add(out, STR(" · "));
	say_chips(applies, lang, out);
}

/* "CANN 8.2.RC1 at /usr/local/Ascend/cann, needs 9.1.0 or later" */
static void say_cann(const struct applies *applies, const struct facts *facts, enum lang lang,
		     struct buf *out)
{
	static const struct text needs = {{STR_INIT("，需要 "), STR_INIT(", needs ")}};
	const struct fact *version = here(facts, STR("CANN_VERSION")), *root = here(facts, STR("CANN_ROOT"));

	buf_add(out, STR("CANN "));
	buf_add(out, version->value);
	/* The folder belongs to the version only if one source has said both. */
	if (root && root->source == version->source && str_equal(root->origin, version->origin))
		buf_add_format(out, lang == LANG_ZH ? "（%.*s）" : " at %.*s", STR_ARG(root->value));
	if (check_cann(applies, facts) == APPLIES_NOT) {
		buf_add(out, text_in(&needs, lang));
		say_versions(applies->cann, lang, out);
	}
}

static void say_chip(const struct applies *applies, const struct facts *facts, enum lang lang,
		     struct buf *out)
{
	buf_add(out, here(facts, STR("CHIP"))->value);
	if (check_chip(applies, facts) == APPLIES_NOT) {
		buf_add(out, lang == LANG_ZH ? STR("，只适用于 ") : STR(", this is for "));
		say_chips(applies, lang, out);
	}
}

void applies_say_here(const struct applies *applies, const struct facts *facts, enum lang lang,
		      struct buf *out)
{
	static const struct text start = {{STR_INIT("本机："), STR_INIT("on this machine: ")}};
	bool cann = applies->cann.size > 0 && check_cann(applies, facts) != APPLIES_UNKNOWN;
	bool chip = applies->chips.count > 0 && check_chip(applies, facts) != APPLIES_UNKNOWN;

	if (!cann && !chip)
		return;
	buf_add(out, text_in(&start, lang));
	if (cann)
		say_cann(applies, facts, lang, out);
	if (cann && chip)
		buf_add(out, lang == LANG_ZH ? STR("；") : STR("; "));
	if (chip)
		say_chip(applies, facts, lang, out);
}

bool solution_destroys(const struct solution *solution)
{
	for (size_t i = 0; i < solution->step_count; i++) {
		const struct step *step = &solution->steps[i];

		if (step->effect == STEP_DESTROY && (step->run.size > 0 || step->file.size > 0))
			return true;
	}
	return false;
}

/* Less is better. */
static int rank(const struct solution *solution, const struct facts *facts)
{
	return 4 * (applies_check(&solution->applies, facts) == APPLIES_NOT) +
	       2 * solution_destroys(solution) + !solution->recommended;
}

void applies_order(const struct entry *entry, const struct facts *facts, size_t *order)
{
	enum { RANKS = 8 };
	size_t count = 0;

	for (int wanted = 0; wanted < RANKS; wanted++) {
		for (size_t i = 0; i < entry->solution_count; i++) {
			if (rank(&entry->solutions[i], facts) == wanted)
				order[count++] = i;
		}
	}
}

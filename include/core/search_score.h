/*
 * search_score: what a hit is worth, each constant with its reason. Tests are written in these names.
 *
 * The score of a hit is the sum over the words of the query of (field + edge), plus the phrase bonus, plus
 * one tier. Only the best place of each word counts: an entry that says "port" forty times is not forty
 * times as much about ports.
 */
#ifndef CORE_SEARCH_SCORE_H
#define CORE_SEARCH_SCORE_H

enum search_score {
	/*
	 * Tiers: no sum of fields reaches them, so they are rules and not opinions. What equals an id, a code
	 * or a title is what the reader meant; what needs a typing error forgiven comes after all that does
	 * not.
	 */
	SEARCH_TIER_EXACT = 1 << 21,
	SEARCH_TIER_NO_ERROR = 1 << 20,

	/*
	 * Among exact ones: an id names one entry, a code few, and titles may be said twice. An alias is the
	 * pack's own word for "this is meant", but broader than a title.
	 */
	SEARCH_EXACT_ID = 4000,
	SEARCH_EXACT_CODE = 3000,
	SEARCH_EXACT_TITLE = 2000,
	SEARCH_EXACT_ALIAS = 1000,

	/*
	 * Fields, one step apart. What names the entry is over what the machine printed, that is over what we
	 * wrote about it: the reader pastes what was printed, and our prose mentions many things by the way.
	 */
	SEARCH_FIELD_STEP = 100,
	SEARCH_WEIGHT_ID = 1100,
	SEARCH_WEIGHT_CODE = 1000,
	SEARCH_WEIGHT_TITLE = 900,
	SEARCH_WEIGHT_ALIAS = 800,
	SEARCH_WEIGHT_ERROR = 700,
	SEARCH_WEIGHT_PROBLEM = 600,
	SEARCH_WEIGHT_CAUSE = 500,
	SEARCH_WEIGHT_COMMAND = 400,
	SEARCH_WEIGHT_SOLUTION = 300,
	SEARCH_WEIGHT_NOTE = 200,
	SEARCH_WEIGHT_SECTION = 100,

	/*
	 * Edges decide within a field and never between two: even a whole word is less than a step. A start
	 * is worth half of it, since while one types every word is a start of what will be.
	 */
	SEARCH_EDGE_WHOLE = 60,
	SEARCH_EDGE_START = 30,
	SEARCH_EDGE_NONE = 0,

	/*
	 * The words stand together, as typed: "error code is 7" is a message, not four words. Two steps: it
	 * lifts a message over the same words scattered over a title and a problem, not over those all in a
	 * title.
	 */
	SEARCH_PHRASE = 2 * SEARCH_FIELD_STEP,

	/* Looked for in so many of the best hits only; the reader does not see more before the next key. */
	SEARCH_PHRASE_HITS = 128,

	/* With so many hits that need no forgiveness, nobody looks at those that do. */
	SEARCH_ENOUGH = 32,
	/* Fewer exact hits: codes are found by their meaning, too. */
	SEARCH_FEW = 6,

	/* Further words of a query do not count: it is a paste, and diagnose is for that. */
	SEARCH_WORD_LIMIT = 16,

	/* Letters that a word needs before one error is forgiven: shorter ones are near to everything. */
	SEARCH_FORGIVING_LETTERS = 5,

	/*
	 * In scripts without blanks a word is whatever is typed at one go: "端口被占用了" may be a whole
	 * sentence. From so many characters on it is also taken for the pairs of characters that it has, of
	 * which half must be there; like a typing error, that comes after all exact hits. Pairs beyond the
	 * most do not count.
	 */
	SEARCH_FORGIVING_CHARACTERS = 4,
	SEARCH_MOST_PAIRS = 8
};

#endif

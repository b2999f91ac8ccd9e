/*
 * What search has to do that may take longer than a key may: the index is made, a query answered and
 * suggestions looked for in slices, between events. A session has no clock, but events say when they come:
 * slices that took too long get smaller.
 */
#include "ui/view.h"

enum {
	FIRST_WORK = 4000 * 1000, /* units of core/search.h: some 4 ms */
	LEAST_WORK = 1000 * 1000,
	MOST_WORK = 5000 * 1000,
	SLOW_MS = 8,
	FAST_MS = 3,
	SHOW_MS = 100 /* between two pictures of a list that still grows */
};

static size_t work_of(const struct session *session)
{
	return session->search_work.slice ? session->search_work.slice : FIRST_WORK;
}

struct search_index *session_index(struct session *session)
{
	/* Of a small pack it is whole at once. */
	if (!session->index) {
		session->index = search_index_begin(session->kb);
		search_index_step(session->index, work_of(session));
	}
	return session->index;
}

bool search_is_working(const struct session *session)
{
	const struct search_work *work = &session->search_work;

	return work->searching || work->suggesting || !session->index ||
	       !search_index_is_whole(session->index);
}

unsigned search_indexed_percent(const struct session *session)
{
	size_t entries = session->kb->entry_count;

	if (!session->index || search_index_is_whole(session->index) || entries == 0)
		return 100;
	return (unsigned)(search_index_entries(session->index) * 99 / entries);
}

static void step_suggestions(struct session *session)
{
	struct results *results = &session->results;
	size_t count = results->suggestion_count;

	session->search_work.suggesting = !search_suggest_step(session->index, work_of(session) / 2);
	results->suggestion_count = search_suggest_take(session->index, results->suggestions, SUGGESTIONS);
	if (count != results->suggestion_count || !session->search_work.suggesting)
		session->dirty = true;
}

static void step_query(struct session *session, struct str query)
{
	struct search_work *work = &session->search_work;
	struct results *results = &session->results;

	work->searching = !search_step(session->index, &results->found, work_of(session));
	if (work->searching || results->found.hits.count + results->found.codes.count > 0 ||
	    results->found.error.size > 0)
		return;
	/* Words of an index that still grows may move: their time comes when it is whole. */
	if (!search_index_is_whole(session->index))
		return;
	search_suggest_begin(session->index, query);
	work->suggesting = true;
	step_suggestions(session);
}

void search_work_begin(struct session *session, struct str query)
{
	session->search_work.suggesting = false;
	session->results.suggestion_count = 0;
	search_begin(session_index(session), query, &session->results.found);
	step_query(session, query);
}

void search_work_stop(struct session *session)
{
	session->search_work.searching = session->search_work.suggesting = false;
	session->results.suggestion_count = 0;
}

static void step_index(struct session *session)
{
	const struct results *results = &session->results;
	unsigned percent = search_indexed_percent(session);
	bool whole;

	if (!session->index) {
		session_index(session);
		return;
	}
	whole = search_index_step(session->index, work_of(session));
	if (results->shown && percent != search_indexed_percent(session))
		session->dirty = true;
	/* What was found in a part of the entries is looked for in all. */
	if (whole && results->shown && results->pasted.size == 0)
		search_again(session);
}

/* In the time between an event and the next one there was a slice and at most one picture. */
void search_work_pace(struct session *session, uint64_t now_ms)
{
	struct search_work *work = &session->search_work;
	uint64_t took = now_ms - work->began_ms;

	if (!work->timing)
		return;
	work->timing = false;
	work->slice = work_of(session);
	if (took > SLOW_MS)
		work->slice /= 2;
	else if (took < FAST_MS)
		work->slice += work->slice / 4;
	work->slice = work->slice < LEAST_WORK ? LEAST_WORK : work->slice;
	work->slice = work->slice > MOST_WORK ? MOST_WORK : work->slice;
}

void search_work_tick(struct session *session)
{
	struct search_work *work = &session->search_work;

	if (!session->drawn || !search_is_working(session))
		return;
	work->timing = true;
	work->began_ms = session->now_ms;
	if (work->searching) {
		bool dirty = session->dirty;

		step_query(session, input_text(&session->results.input));
		search_show_found(session);
		if (work->searching && session->now_ms < work->shown_ms + SHOW_MS)
			session->dirty = dirty; /* the picture can wait */
		else
			work->shown_ms = session->now_ms;
	} else if (work->suggesting) {
		step_suggestions(session);
	} else {
		step_index(session);
	}
}

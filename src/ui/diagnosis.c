/* A diagnosis in the browser: started, renewed as news of it come in, kept until the next one. */
#include "core/diagnose.h"
#include "ui/view.h"

static struct diagnosis_pane *pane_of(struct session *session)
{
	return &session->diagnosis;
}

bool diagnosis_is_running(const struct session *session)
{
	return session->diagnosis.state == DIAGNOSIS_RUNNING ||
	       session->diagnosis.state == DIAGNOSIS_STOPPING;
}

static void forget(struct session *session)
{
	struct diagnosis_pane *pane = pane_of(session);

	findings_release(&pane->findings);
	buf_clear(&pane->faults);
	buf_clear(&pane->paths);
	buf_clear(&pane->pasted);
	pane->lines.known = false;
	pane->asked = 0;
	pane->choice.made = false;
	pane->evidence = 0;
	pane->stopped = pane->endless = false;
	pane->bytes = pane->total = 0;
	pane->files = 0;
	list_select(&pane->list, 0);
	facts_forget(session->facts, FACT_LOG, (struct str){0});
}

void diagnosis_show(struct session *session)
{
	session->diagnosis.shown = true;
	session_focus(session, VIEW_DIAGNOSIS);
}

void diagnosis_hide(struct session *session)
{
	session->diagnosis.shown = false;
	session_focus(session, VIEW_TREE);
}

void diagnosis_start(struct session *session, struct str paths, bool plog)
{
	struct diagnosis_pane *pane = pane_of(session);

	forget(session);
	buf_add(&pane->paths, paths);
	pane->state = DIAGNOSIS_RUNNING;
	pane->generation++;
	pane->started_ms = pane->now_ms = session->now_ms;
	effect_add(session->effects, (struct effect){.kind = EFFECT_SCAN_START,
						     .generation = pane->generation,
						     .flag = plog,
						     .text = paths});
	diagnosis_make_rows(session);
	if (session->results.shown)
		search_close(session);
	diagnosis_show(session);
}

void diagnosis_news(struct session *session, const struct event *event)
{
	struct diagnosis_pane *pane = pane_of(session);
	const struct scan_news *news = &event->u.scan;
	struct findings findings;

	if (news->generation != pane->generation || !diagnosis_is_running(session))
		return;
	pane->bytes = news->bytes;
	pane->total = news->total;
	pane->endless = news->endless;
	pane->files = news->files;
	pane->now_ms = event->now_ms;
	if (event->kind == EVENT_SCAN_DONE) {
		pane->state = DIAGNOSIS_DONE;
		pane->stopped = news->stopped;
	}
	if (news->faults.size != pane->faults.size) {
		buf_clear(&pane->faults);
		buf_add(&pane->faults, news->faults);
	}
	if (news->findings.size > 0 && findings_read(session->kb, news->findings, &findings)) {
		findings_release(&pane->findings);
		pane->findings = findings;
	}
	diagnosis_make_rows(session);
	session->dirty = true;
}

/* Pasted text was looked at already; what was found stays, so that it can be seen whole. */
void diagnosis_of_paste(struct session *session, const struct diagnosis *diagnosis, struct str text)
{
	struct diagnosis_pane *pane = pane_of(session);
	struct buf bytes = {0};

	/* A scan that runs is left to itself: its reader waits for it. */
	if (diagnosis_is_running(session))
		return;
	forget(session);
	findings_write(session->kb, diagnosis, &bytes);
	findings_read(session->kb, buf_str(&bytes), &pane->findings);
	buf_release(&bytes);
	buf_add(&pane->pasted, text);
	pane->state = DIAGNOSIS_DONE;
	pane->files = 1;
	pane->bytes = pane->total = text.size;
	diagnosis_make_rows(session);
}

void diagnosis_release(struct session *session)
{
	struct diagnosis_pane *pane = pane_of(session);

	findings_release(&pane->findings);
	buf_release(&pane->faults);
	buf_release(&pane->paths);
	buf_release(&pane->pasted);
	buf_release(&pane->lines.text);
	buf_release(&pane->choice.text);
	vec_release(&pane->rows);
}

/* "train.log:81": where a value was found. */
static void add_place(const struct session *session, struct buf *out, const struct evidence *evidence)
{
	buf_add_format(out, "%.*s:%llu", STR_ARG(diagnosis_input_name(session, evidence->input)),
		       (unsigned long long)evidence->line);
}

void diagnosis_use_captures(struct session *session, const struct entry *entry)
{
	const struct diagnosis *diagnosis = &session->diagnosis.findings.diagnosis;
	struct buf origin = {0};

	for (size_t i = 0; i < diagnosis->match_count; i++) {
		const struct match *match = &diagnosis->matches[i];

		if (match->entry != entry)
			continue;
		facts_forget(session->facts, FACT_LOG, (struct str){0});
		for (size_t j = 0; j < match->capture_count; j++) {
			const struct capture *capture = &match->captures[j];

			/* What must be there and is not would only make a command that fails. */
			if (capture->absent)
				continue;
			buf_clear(&origin);
			add_place(session, &origin, &match->evidence[capture->evidence]);
			facts_add(session->facts, capture->name, capture->value, FACT_LOG, buf_str(&origin));
		}
	}
	buf_release(&origin);
}

/* The cursor on the first command of the solution that stands first: the recommended one, if it has any. */
static void go_to_command(struct session *session)
{
	struct document *document = reader_document(session);

	for (size_t i = 0; i < document->items.count; i++) {
		if (document->items.items[i].kind == ITEM_COMMAND) {
			reader_select_item(session, i);
			return;
		}
	}
}

void diagnosis_open_selected(struct session *session)
{
	const struct diagnosis *diagnosis = &session->diagnosis.findings.diagnosis;
	const struct diagnosis_row *row = diagnosis_row(session);
	const struct match *match = diagnosis_match(session);

	if (match) {
		diagnosis_use_captures(session, match->entry);
		session_goto(session, match->entry->id);
		go_to_command(session);
	} else if (row && row->kind == ROW_CODE && diagnosis->codes[row->index].code) {
		reader_visit(session, NULL, diagnosis->codes[row->index].code);
		session_focus(session, VIEW_ENTRY);
	} else if (row && row->kind == ROW_CODE) {
		session_say_word(session, WORD_CODE_KNOWN_NOT, (struct str){0});
	} else if (row && row->kind == ROW_UNMATCHED) {
		session_say_word(session, WORD_LINE_KNOWN_NOT, (struct str){0});
	}
}

/* Actions and what they need. */

bool need_diagnosis(struct session *session)
{
	return session->diagnosis.state != DIAGNOSIS_NONE_YET;
}

bool need_evidence(struct session *session)
{
	return diagnosis_evidence(session) != NULL;
}

void action_diagnose(struct session *session, enum action action)
{
	(void)action;
	path_open(session);
}

void action_diagnosis(struct session *session, enum action action)
{
	(void)action;
	if (session->results.shown)
		search_close(session);
	diagnosis_show(session);
}

void action_evidence(struct session *session, enum action action)
{
	diagnosis_step(session, action == ACTION_PREVIOUS_EVIDENCE);
}

void action_stop(struct session *session, enum action action)
{
	(void)action;
	if (session->diagnosis.state == DIAGNOSIS_RUNNING) {
		session->diagnosis.state = DIAGNOSIS_STOPPING;
		effect_add(session->effects, (struct effect){.kind = EFFECT_SCAN_STOP});
	} else {
		diagnosis_hide(session);
	}
}

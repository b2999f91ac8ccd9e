/* Guided fixing: what its keys do. How a screen of it looks is in view_guide.c. */
#include "ui/view.h"

#include "core/applies.h"

static struct guide *guide_of(struct session *session)
{
	return &session->guide.guide;
}

static uint64_t clock_ms(const struct session *session)
{
	return session->epoch_ms + session->now_ms;
}

static struct guide_memory *memory_of(struct session *session)
{
	struct guide_pane *pane = &session->guide;

	if (!pane->memory) {
		pane->memory = guide_memory_new();
		guide_memory_read(pane->memory, buf_str(&pane->remembered));
		pane->saved = guide_memory_generation(pane->memory);
		buf_release(&pane->remembered);
	}
	return pane->memory;
}

static const struct probe_run *run_of(const struct session *session, const struct probe *probe)
{
	for (size_t i = 0; i < session->kb->probe_count; i++) {
		if (session->kb->probes[i] == probe)
			return &session->probes.runs[i];
	}
	return NULL;
}

const struct probe *guide_check(const struct session *session)
{
	const struct step *step = guide_step(&session->guide.guide);

	return step && step->verify.size > 0 ? kb_probe(session->kb, step->verify) : NULL;
}

const struct document_item *guide_item(struct session *session)
{
	struct document *document = &session->guide.document;

	guide_make_document(session, session_area(session, VIEW_GUIDE).columns);
	for (size_t i = 0; i < document->items.count; i++) {
		if (document->items.items[i].kind <= ITEM_LINK)
			return &document->items.items[i];
	}
	return NULL;
}

bool guide_sees_other_shell_not(const struct session *session)
{
	const struct step *step = guide_step(&session->guide.guide);

	return step && step->run.size > 0 && step->effect == STEP_SHELL && guide_check(session);
}

void guide_save(struct session *session)
{
	struct guide_pane *pane = &session->guide;
	struct buf text = {0};

	if (!pane->memory || !session->effects || pane->saved == guide_memory_generation(pane->memory))
		return;
	pane->saved = guide_memory_generation(pane->memory);
	guide_memory_write(pane->memory, &text);
	effect_add(session->effects, (struct effect){.kind = EFFECT_SAVE_GUIDE, .text = buf_str(&text)});
	buf_release(&text);
}

void guide_release(struct session *session)
{
	struct guide_pane *pane = &session->guide;

	guide_memory_free(pane->memory);
	buf_release(&pane->remembered);
	document_release(&pane->document);
	free(pane->order);
}

/* ---- Opening. ----------------------------------------------------------------------------------------- */

/* The choice: in the order of applies_order, the first one selected. */
static void make_choice(struct session *session)
{
	struct guide_pane *pane = &session->guide;
	size_t count = pane->guide.entry->solution_count;

	free(pane->order);
	pane->order = alloc_zeroed(count + 1, sizeof(*pane->order));
	applies_order(pane->guide.entry, session->facts, pane->order);
	pane->choice = (struct list){.rows = session->rows};
	list_set_count(&pane->choice, count);
}

void guide_start(struct session *session, const struct entry *entry)
{
	guide_open(guide_of(session), memory_of(session), entry);
	make_choice(session);
	session->guide.top = 0;
	session->guide.checking = NULL;
	if (session->reader.entry != entry)
		reader_visit(session, entry, NULL);
	session_push(session, VIEW_GUIDE);
	session->dirty = true;
}

bool guide_resume(struct session *session, const struct entry *entry, bool only_waiting)
{
	if (!entry)
		entry = guide_memory_last(memory_of(session), session->kb, only_waiting);
	if (!entry)
		return false;
	guide_start(session, entry);
	guide_wait(guide_of(session), false, clock_ms(session));
	session->guide.resume = guide_check(session) != NULL;
	session->guide.checking = guide_check(session);
	return true;
}

/* ---- Checks. ------------------------------------------------------------------------------------------ */

/* What the check found goes into the history, with what it read. */
static void note_check(struct session *session, const struct probe *probe, const struct probe_run *run)
{
	struct buf text = {0};

	buf_add_format(&text, "%.*s: %.*s", STR_ARG(probe->id),
		       STR_ARG(session_text(session, &run->result.detail)));
	past_note(session, HISTORY_CHECKED, guide_of(session)->entry, run->result.state, buf_str(&text));
	buf_release(&text);
}

void guide_probe_done(struct session *session, const struct probe *probe, const struct probe_run *run)
{
	struct guide_pane *pane = &session->guide;
	enum guide_state state;

	if (!pane->guide.entry || pane->checking != probe || guide_check(session) != probe)
		return;
	pane->checking = NULL;
	pane->resume = false;
	state = guide_judge(guide_step(&pane->guide), run->result.state);
	/* What could not be told changes nothing: it may be confirmed by hand. */
	if (state != GUIDE_TODO)
		guide_set(&pane->guide, state, clock_ms(session));
	note_check(session, probe, run);
	guide_save(session);
	session->dirty = true;
}

static void start_check(struct session *session)
{
	const struct probe *probe = guide_check(session);

	if (!probe)
		return;
	session->guide.checking = probe;
	probes_start_one(session, probe);
}

/* ---- Moving on. --------------------------------------------------------------------------------------- */

static void show_step(struct session *session)
{
	session->guide.top = 0;
	session->guide.checking = NULL;
	session->guide.resume = false;
	guide_save(session);
}

static void go_to(struct session *session, size_t step)
{
	bool was_inside = guide_step(guide_of(session)) != NULL;

	guide_go(guide_of(session), step, clock_ms(session));
	if (was_inside && !guide_step(guide_of(session)))
		past_note(session, HISTORY_FINISHED, guide_of(session)->entry, PROBE_OK,
			  session_text(session, &guide_solution(guide_of(session))->title));
	show_step(session);
}

/* By hand: done, or left out. */
static void set_by_hand(struct session *session, enum guide_state state)
{
	struct guide *guide = guide_of(session);
	const struct step *step = guide_step(guide);
	size_t next = guide->step + 1;

	past_note(session, state == GUIDE_SKIPPED ? HISTORY_SKIPPED : HISTORY_CONFIRMED, guide->entry,
		  PROBE_OK, step->run.size > 0 ? step->run : session_text(session, &step->say));
	guide_set(guide, state, clock_ms(session));
	guide->step = next - 1;
	go_to(session, next);
}

void guide_command_used(struct session *session, enum copy_to to)
{
	if (session_view(session) != VIEW_GUIDE)
		return;
	guide_wait(guide_of(session), to == COPY_TO_PROMPT, clock_ms(session));
	guide_save(session);
}

/* ---- Actions. ----------------------------------------------------------------------------------------- */

bool need_guide(struct session *session)
{
	return session->reader.entry && session->reader.entry->solution_count > 0;
}

bool need_step(struct session *session)
{
	return session->guide.guide.entry && guide_step(&session->guide.guide);
}

bool need_check(struct session *session)
{
	return need_step(session) && guide_check(session);
}

bool need_guide_solution(struct session *session)
{
	return session->guide.guide.entry && guide_solution(&session->guide.guide);
}

void action_guide(struct session *session, enum action action)
{
	(void)action;
	guide_start(session, session->reader.entry);
}

/* The sensible next thing: choose, copy, go on. */
void action_guide_go_on(struct session *session, enum action action)
{
	struct guide *guide = guide_of(session);
	const struct step *step = guide_step(guide);
	const struct document_item *item;
	enum guide_state state;

	(void)action;
	if (!guide_solution(guide)) {
		guide_choose(guide, session->guide.order[session->guide.choice.selected], clock_ms(session));
		show_step(session);
		return;
	}
	if (!step) {
		session_pop(session);
		return;
	}
	state = guide_step_state(guide, guide->step);
	item = guide_item(session);
	if (state == GUIDE_DONE || state == GUIDE_CONFIRMED)
		go_to(session, guide->step + 1);
	else if (item && item->kind == ITEM_COMMAND)
		copy_item_to(session, item, session->prompting ? COPY_TO_PROMPT : COPY_TO_CLIPBOARD);
	else if (item && item->kind == ITEM_FILE)
		copy_item_to(session, item, COPY_TO_CLIPBOARD);
	else if (guide_check(session))
		start_check(session);
	else
		set_by_hand(session, GUIDE_CONFIRMED);
}

void action_guide_check(struct session *session, enum action action)
{
	(void)action;
	start_check(session);
}

void action_guide_set(struct session *session, enum action action)
{
	set_by_hand(session, action == ACTION_GUIDE_SKIP ? GUIDE_SKIPPED : GUIDE_CONFIRMED);
}

void action_guide_step(struct session *session, enum action action)
{
	struct guide *guide = guide_of(session);

	if (action == ACTION_GUIDE_NEXT)
		go_to(session, guide->step + 1);
	else if (guide->step > 0)
		go_to(session, guide->step - 1);
	else
		action_guide_other(session, action);
}

void action_guide_restart(struct session *session, enum action action)
{
	(void)action;
	guide_restart(guide_of(session), clock_ms(session));
	show_step(session);
}

void action_guide_other(struct session *session, enum action action)
{
	struct guide *guide = guide_of(session);
	size_t before = guide->solution;

	(void)action;
	if (guide->entry->solution_count < 2)
		return;
	guide_unchoose(guide);
	make_choice(session);
	for (size_t i = 0; i < guide->entry->solution_count; i++) {
		if (session->guide.order[i] == before)
			list_select(&session->guide.choice, i);
	}
	show_step(session);
}

/* Used by the picture: how the step's check stands now. */
const struct probe_run *guide_check_run(const struct session *session)
{
	const struct probe *probe = guide_check(session);

	return probe ? run_of(session, probe) : NULL;
}

/* The form of a problem report: what its keys do, and what comes back of it. How it looks is in
 * view_report.c.
 */
#include "ui/view.h"

static struct report_pane *pane_of(struct session *session)
{
	return &session->report;
}

/* ---- Opening, and what is known. ---------------------------------------------------------------------- */

bool need_report(struct session *session)
{
	return session->kb->report_count > 0;
}

/* The form for everything, unless a pack has none. */
static size_t first_template(const struct kb *kb)
{
	for (size_t i = 0; i < kb->report_count; i++) {
		if (str_equal(kb->reports[i]->id, STR("general")))
			return i;
	}
	return 0;
}

static bool was_opened(const struct report_pane *pane)
{
	return pane->names_known;
}

static bool any_probe_was_asked(const struct session *session)
{
	for (size_t i = 0; i < session->kb->probe_count; i++) {
		if (session->probes.runs[i].state != RUN_WAITING)
			return true;
	}
	return false;
}

void action_report(struct session *session, enum action action)
{
	struct report_pane *pane = pane_of(session);

	(void)action;
	if (!was_opened(pane))
		pane->template = first_template(session->kb);
	pane->row = REPORT_ROW_TEMPLATE;
	pane->mark = SIZE_MAX;
	pane->top = 0;
	pane->stale = true;
	if (!any_probe_was_asked(session))
		probes_start(session);
	effect_add(session->effects, (struct effect){.kind = EFFECT_REPORT_READ});
	session_push(session, VIEW_REPORT);
}

void report_pane_changed(struct session *session)
{
	session->report.stale = true;
}

void report_pane_take(struct session *session, const struct event *event)
{
	struct report_pane *pane = pane_of(session);

	pane->names_known = true;
	/* What is hidden already stays so: names are only added to. */
	if (!str_equal(buf_str(&pane->names), event->u.report.names)) {
		buf_clear(&pane->names);
		buf_add(&pane->names, event->u.report.names);
		redact_free(pane->redact);
		pane->redact = NULL;
	}
	history_release(&pane->history);
	history_read(&pane->history, event->u.report.history);
	pane->stale = true;
	session->dirty = true;
}

void report_pane_release(struct session *session)
{
	struct report_pane *pane = pane_of(session);

	redact_free(pane->redact);
	buf_release(&pane->names);
	buf_release(&pane->hidden);
	history_release(&pane->history);
	buf_release(&pane->failed);
	for (size_t i = 0; i < REPORT_INPUTS; i++)
		input_release(&pane->inputs[i]);
	for (size_t i = 0; i < pane->shown.count; i++)
		buf_release(&pane->shown.items[i].value);
	vec_release(&pane->shown);
	buf_release(&pane->lines.begin);
	buf_release(&pane->lines.around);
	for (size_t i = 0; i < REPORT_SCALE_COUNT; i++)
		buf_release(&pane->lines.scale[i]);
	buf_release(&pane->text);
	vec_release(&pane->found.list);
	layout_release(&pane->layout);
	vec_release(&pane->marks);
	input_release(&pane->path);
}

/* ---- The lines of the log. ---------------------------------------------------------------------------- */

enum { BYTES_BEFORE = 16 * 1024, BYTES_AFTER = 32 * 1024 }; /* as EVENT_LOG_LINES has them */

/* Done once, as it takes some milliseconds. */
static void find_scale(struct report_lines *lines)
{
	for (int i = 0; i < REPORT_SCALE_COUNT; i++) {
		struct buf text = {0};

		buf_add(&text, buf_str(&lines->begin));
		buf_add(&text, buf_str(&lines->around));
		buf_clear(&lines->scale[i]);
		report_find_scale(buf_str(&text), (enum report_scale)i, &lines->scale[i]);
		buf_release(&text);
	}
}

/* `text` has the line at `before`; of a long one only what is near counts. */
static void set_lines(struct session *session, const struct evidence *evidence, struct str text,
		      size_t before, bool begin_known)
{
	struct report_lines *lines = &session->report.lines;
	size_t start = before > BYTES_BEFORE ? before - BYTES_BEFORE : 0;

	lines->known = true;
	lines->begin_known = begin_known;
	lines->input = evidence->input;
	lines->offset = evidence->offset;
	lines->generation = session->diagnosis.generation;
	buf_clear(&lines->begin);
	buf_clear(&lines->around);
	if (before <= text.size) {
		while (start > 0 && start < before && text.data[start - 1] != '\n')
			start++;
		lines->before = before - start;
		buf_add(&lines->around, str_slice(text, start, before + BYTES_AFTER));
	}
	find_scale(lines);
	session->report.stale = true;
	session->dirty = true;
}

static bool are_known(const struct session *session, const struct evidence *evidence)
{
	const struct report_lines *lines = &session->report.lines;

	return lines->known && lines->input == evidence->input && lines->offset == evidence->offset &&
	       lines->generation == session->diagnosis.generation;
}

/* What is at hand: pasted, kept of a pipe, or looked at in the diagnosis. */
static bool take_at_hand(struct session *session, const struct evidence *evidence)
{
	const struct diagnosis_pane *diagnosis = &session->diagnosis;
	const struct log_lines *seen = &diagnosis->lines;
	struct str name = diagnosis->findings.diagnosis.inputs[evidence->input].name;

	if (diagnosis->pasted.size > 0) {
		set_lines(session, evidence, buf_str(&diagnosis->pasted), (size_t)evidence->offset, true);
		buf_add(&session->report.lines.begin, str_slice(buf_str(&diagnosis->pasted), 0, BYTES_AFTER));
	} else if (evidence->around.size > 0) {
		set_lines(session, evidence, evidence->around, evidence->around_line, true);
	} else if (str_equal(name, STR("-"))) {
		/* What came through a pipe is gone. */
		set_lines(session, evidence, (struct str){0}, 0, true);
	} else if (seen->known && seen->readable && seen->input == evidence->input &&
		   seen->offset == evidence->offset) {
		set_lines(session, evidence, buf_str(&seen->text), seen->before,
			  evidence->offset <= BYTES_BEFORE);
	} else {
		return false;
	}
	return true;
}

void report_pane_ask_lines(struct session *session)
{
	struct report_lines *lines = &session->report.lines;
	const struct diagnosis *diagnosis = &session->diagnosis.findings.diagnosis;
	const struct evidence *first = report_first_evidence(diagnosis);

	/* One question at a time: that of the diagnosis goes before. */
	if (!first || !was_opened(&session->report) || session_view(session) != VIEW_REPORT ||
	    lines->asked != 0 || session->diagnosis.asked != 0)
		return;
	if (!are_known(session, first) && take_at_hand(session, first) && lines->begin_known)
		return;
	if (are_known(session, first) && lines->begin_known)
		return;
	lines->asked_begin = are_known(session, first);
	lines->asked_generation = session->diagnosis.generation;
	lines->input = first->input;
	lines->offset = first->offset;
	lines->asked = effect_add(session->effects,
				  (struct effect){.kind = EFFECT_LOG_LINES,
						  .text = diagnosis->inputs[first->input].name,
						  .offset = lines->asked_begin ? 0 : first->offset});
}

void report_pane_take_lines(struct session *session, const struct event *event)
{
	struct report_lines *lines = &session->report.lines;
	struct evidence asked = {.input = lines->input, .offset = lines->offset};
	struct str text = event->u.lines.ok ? event->u.lines.text : (struct str){0};

	if (lines->asked == 0 || event->u.lines.id != lines->asked)
		return;
	lines->asked = 0;
	if (lines->asked_generation != session->diagnosis.generation)
		return;
	if (!lines->asked_begin) {
		set_lines(session, &asked, text, event->u.lines.ok ? event->u.lines.before : 0,
			  !event->u.lines.ok || asked.offset <= BYTES_BEFORE);
		return;
	}
	lines->begin_known = true;
	buf_add(&lines->begin, text);
	find_scale(lines);
	session->report.stale = session->dirty = true;
}

/* ---- The form. ---------------------------------------------------------------------------------------- */

bool report_pane_is_in_text(const struct session *session)
{
	return session->report.row == REPORT_ROW_TEXT;
}

struct input_line *report_pane_input(struct session *session)
{
	struct report_pane *pane = pane_of(session);

	return pane->row >= REPORT_ROW_ANSWERS && pane->row <= REPORT_ROW_HIDE
		       ? &pane->inputs[pane->row - REPORT_ROW_ANSWERS]
		       : NULL;
}

void report_pane_typed(struct session *session)
{
	struct report_pane *pane = pane_of(session);

	pane->origins[pane->row - REPORT_ROW_ANSWERS] = REPORT_FROM_USER;
	pane->touched = pane->stale = true;
}

void report_pane_go_to_row(struct session *session, size_t row)
{
	session->report.row = row;
	session->report.mark = SIZE_MAX;
}

static size_t text_rows(struct session *session)
{
	int rows = report_pane_text_area(session).rows;

	return rows > 1 ? (size_t)rows : 1;
}

static size_t last_top(struct session *session)
{
	size_t lines = session->report.layout.lines.count, rows = text_rows(session);

	return lines > rows ? lines - rows : 0;
}

void report_pane_scroll(struct session *session, long lines)
{
	struct report_pane *pane = pane_of(session);

	if (!report_pane_make(session))
		return;
	if (lines < 0)
		pane->top = pane->top > (size_t)-lines ? pane->top - (size_t)-lines : 0;
	else
		pane->top += (size_t)lines;
	if (pane->top > last_top(session))
		pane->top = last_top(session);
}

const struct report_mark *report_pane_mark(struct session *session)
{
	struct report_pane *pane = pane_of(session);

	return report_pane_make(session) && report_pane_is_in_text(session) && pane->mark < pane->marks.count
		       ? &pane->marks.items[pane->mark]
		       : NULL;
}

static void select_mark(struct session *session, size_t index)
{
	struct report_pane *pane = pane_of(session);
	size_t line = pane->marks.items[index].line, rows = text_rows(session);

	pane->mark = index;
	if (line < pane->top || line >= pane->top + rows)
		pane->top = line > rows / 3 ? line - rows / 3 : 0;
	if (pane->top > last_top(session))
		pane->top = last_top(session);
}

static bool is_in_sight(struct session *session, size_t mark)
{
	const struct report_pane *pane = &session->report;
	size_t line = pane->marks.items[mark].line;

	return line >= pane->top && line < pane->top + text_rows(session);
}

/* The next replacement, from the one at the cursor, or from what is in sight. False: that was the last one.
 */
static bool move_mark(struct session *session, bool back)
{
	struct report_pane *pane = pane_of(session);
	size_t count, index;

	if (!report_pane_make(session))
		return false;
	count = pane->marks.count;
	if (pane->mark < count && is_in_sight(session, pane->mark)) {
		if (back ? pane->mark == 0 : pane->mark + 1 >= count)
			return false;
		select_mark(session, back ? pane->mark - 1 : pane->mark + 1);
		return true;
	}
	index = back ? count : 0;
	if (back) {
		while (index > 0 && pane->marks.items[index - 1].line >= pane->top + text_rows(session))
			index--;
		if (index == 0)
			return false;
		select_mark(session, index - 1);
		return true;
	}
	while (index < count && pane->marks.items[index].line < pane->top)
		index++;
	if (index < count)
		select_mark(session, index);
	return index < count;
}

/* Through the rows, in the text through the replacements, and around. */
void report_pane_move_field(struct session *session, bool back)
{
	struct report_pane *pane = pane_of(session);

	if (report_pane_is_in_text(session) && move_mark(session, back))
		return;
	report_pane_go_to_row(session, (pane->row + (back ? REPORT_ROW_COUNT - 1 : 1)) % REPORT_ROW_COUNT);
	if (!report_pane_is_in_text(session))
		return;
	if (back)
		report_pane_scroll(session, (long)pane->layout.lines.count);
	else
		pane->top = 0;
	move_mark(session, back);
}

void action_report_step(struct session *session, enum action action)
{
	struct report_pane *pane = pane_of(session);
	size_t count = session->kb->report_count;
	bool back = action == ACTION_REPORT_PREVIOUS;

	if (report_pane_is_in_text(session)) {
		move_mark(session, back);
	} else if (pane->row == REPORT_ROW_TEMPLATE) {
		pane->template = (pane->template + (back ? count - 1 : 1)) % count;
		pane->top = 0;
		pane->stale = true;
	}
}

bool need_replaced(struct session *session)
{
	return report_pane_mark(session) != NULL;
}

void action_report_toggle(struct session *session, enum action action)
{
	struct report_pane *pane = pane_of(session);
	const struct report_mark *mark = report_pane_mark(session);
	const struct redact_name *name;

	(void)action;
	if (mark->name == SIZE_MAX)
		return;
	name = redact_name_at(pane->redact, mark->name);
	pane->stale = pane->touched = true;
	for (size_t i = 0; i < pane->shown.count; i++) {
		struct report_shown *shown = &pane->shown.items[i];

		if (shown->kind != name->kind || !str_equal(buf_str(&shown->value), name->value))
			continue;
		buf_release(&shown->value);
		*shown = pane->shown.items[pane->shown.count - 1];
		pane->shown.count--;
		return;
	}
	vec_push(&pane->shown, (struct report_shown){.kind = name->kind});
	buf_add(&pane->shown.items[pane->shown.count - 1].value, name->value);
}

/* ---- Out of it. --------------------------------------------------------------------------------------- */

/* "ascend-report-20261201.md" */
static void offer_path(struct session *session)
{
	struct report_pane *pane = pane_of(session);
	struct buf time = {0}, path = {0};

	history_add_time((session->epoch_ms + session->now_ms) / 1000, session->zone_s, &time);
	buf_add_format(&path, "ascend-report-%.4s%.2s%.2s.md", time.data, time.data + 5, time.data + 8);
	input_set(&pane->path, buf_str(&path));
	buf_release(&time);
	buf_release(&path);
}

void action_report_out(struct session *session, enum action action)
{
	struct report_pane *pane = pane_of(session);

	if (!report_pane_make(session)) {
		session_say_word(session, WORD_REPORT_PREPARING, (struct str){0});
		return;
	}
	pane->out = action == ACTION_REPORT_WRITE ? REPORT_TO_FILE : REPORT_TO_CLIPBOARD;
	if (pane->path.text.size == 0)
		offer_path(session);
	session_push(session, VIEW_REPORT_OUT);
}

void action_report_raw(struct session *session, enum action action)
{
	(void)action;
	if (report_pane_make(session))
		effect_add(session->effects,
			   (struct effect){.kind = EFFECT_SHOW_RAW, .text = buf_str(&session->report.text)});
}

static void send_out(struct session *session)
{
	struct report_pane *pane = pane_of(session);
	struct str path = str_trim(input_text(&pane->path));

	if (!report_pane_make(session))
		return;
	if (pane->out == REPORT_TO_CLIPBOARD) {
		effect_add(session->effects,
			   (struct effect){.kind = EFFECT_COPY,
					   .text = buf_str(&pane->text),
					   .label = session_word(session, WORD_LABEL_REPORT)});
		session_pop(session);
		session_say_word(session, WORD_COPYING, (struct str){0});
	} else if (path.size > 0 && pane->writing == 0) {
		pane->writing = effect_add(session->effects, (struct effect){.kind = EFFECT_FILE_NEW,
									     .text = buf_str(&pane->text),
									     .label = path});
		session_say_word(session, WORD_REPORT_WRITING, (struct str){0});
	}
}

void report_pane_take_file(struct session *session, const struct event *event)
{
	struct report_pane *pane = pane_of(session);

	if (pane->writing == 0 || event->u.file.id != pane->writing)
		return;
	pane->writing = 0;
	session_say(session, event->u.file.ok ? STYLE_BAR : STYLE_FAIL, event->u.file.message);
	if (event->u.file.next.size > 0)
		input_set(&pane->path, event->u.file.next);
	if (event->u.file.ok && session_view(session) == VIEW_REPORT_OUT)
		session_pop(session);
}

void report_pane_accept(struct session *session)
{
	if (session_view(session) == VIEW_REPORT_OUT)
		send_out(session);
	else
		report_pane_move_field(session, false);
}

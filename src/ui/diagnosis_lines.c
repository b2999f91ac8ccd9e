/* The lines of the log around what is looked at. */
#include "ui/view.h"

enum { PASTED_BEFORE = 16 * 1024, PASTED_AFTER = 32 * 1024 };

static bool are_known(const struct diagnosis_pane *pane, const struct evidence *evidence)
{
	return pane->lines.known && pane->lines.input == evidence->input &&
	       pane->lines.offset == evidence->offset;
}

static void set_lines(struct diagnosis_pane *pane, uint32_t input, uint64_t offset, struct str text,
		      size_t before, bool readable)
{
	struct log_lines *lines = &pane->lines;

	lines->known = true;
	lines->readable = readable && before <= text.size;
	lines->input = input;
	lines->offset = offset;
	lines->before = before;
	buf_clear(&lines->text);
	if (lines->readable)
		buf_add(&lines->text, text);
}

/* Pasted text is at hand. */
static void take_pasted(struct diagnosis_pane *pane, const struct evidence *evidence)
{
	struct str text = buf_str(&pane->pasted);
	size_t offset = (size_t)evidence->offset;
	size_t start = offset > PASTED_BEFORE ? offset - PASTED_BEFORE : 0;

	if (offset > text.size) {
		set_lines(pane, evidence->input, evidence->offset, (struct str){0}, 0, false);
		return;
	}
	while (start > 0 && start < offset && text.data[start - 1] != '\n')
		start++;
	set_lines(pane, evidence->input, evidence->offset, str_slice(text, start, offset + PASTED_AFTER),
		  offset - start, true);
}

void diagnosis_ask_lines(struct session *session)
{
	struct diagnosis_pane *pane = &session->diagnosis;
	const struct evidence *evidence = pane->shown ? diagnosis_evidence(session) : NULL;
	struct str name;

	if (!evidence || are_known(pane, evidence) || pane->asked != 0 || session->report.lines.asked != 0 ||
	    !session->effects)
		return;
	name = pane->findings.diagnosis.inputs[evidence->input].name;
	if (pane->pasted.size > 0) {
		take_pasted(pane, evidence);
	} else if (evidence->around.size > 0) {
		set_lines(pane, evidence->input, evidence->offset, evidence->around, evidence->around_line,
			  true);
	} else if (str_equal(name, STR("-"))) {
		/* What came through a pipe is gone. */
		set_lines(pane, evidence->input, evidence->offset, (struct str){0}, 0, false);
	} else {
		pane->asked_input = evidence->input;
		pane->asked_offset = evidence->offset;
		pane->asked = effect_add(
			session->effects,
			(struct effect){.kind = EFFECT_LOG_LINES, .text = name, .offset = evidence->offset});
	}
}

void diagnosis_take_lines(struct session *session, const struct event *event)
{
	struct diagnosis_pane *pane = &session->diagnosis;

	if (event->u.lines.id != pane->asked || pane->asked == 0)
		return;
	pane->asked = 0;
	set_lines(pane, pane->asked_input, pane->asked_offset, event->u.lines.text, event->u.lines.before,
		  event->u.lines.ok);
	session->dirty = true;
}

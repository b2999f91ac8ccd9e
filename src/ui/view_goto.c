/* The line for an entry number or an error code. */
#include "ui/view.h"

static struct input_line *input(struct session *session)
{
	return &session->prompt;
}

void action_goto(struct session *session, enum action action)
{
	(void)action;
	input_set(&session->prompt, (struct str){0});
	session_push(session, VIEW_GOTO);
}

void goto_say_unknown(struct session *session, struct str name)
{
	enum { WORK = 4000 * 1000 }; /* codes and numbers are looked through first: for them it does */
	struct str suggestions[SUGGESTIONS];
	struct search_index *index = session_index(session);
	struct buf line = {0};
	size_t count;

	search_work_stop(session);
	search_suggest_begin(index, name);
	search_suggest_step(index, WORK);
	count = search_suggest_take(index, suggestions, SUGGESTIONS);

	word_add_text(&line, WORD_UNKNOWN_ID, session->lang, name);
	if (count > 0)
		buf_add_format(&line, " %.*s", STR_ARG(session_word(session, WORD_DID_YOU_MEAN)));
	for (size_t i = 0; i < count; i++)
		buf_add_format(&line, "%s%.*s", i > 0 ? "  " : "", STR_ARG(suggestions[i]));
	session_say(session, STYLE_WARN, buf_str(&line));
	buf_release(&line);
}

void goto_accept(struct session *session)
{
	struct str name = str_trim(input_text(&session->prompt));

	session_pop(session);
	if (name.size == 0)
		return;
	input_history_add(&session->prompt_history, name);
	if (!session_goto(session, name))
		goto_say_unknown(session, name);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	int column =
		canvas_text(canvas, area.row, area.column + 1, STYLE_KEY, session_word(session, WORD_GOTO));

	input_draw(&session->prompt, canvas, area.row, column, area.columns - column - 1, focused);
}

const struct view_ops view_goto = {.draw = draw, .input = input};

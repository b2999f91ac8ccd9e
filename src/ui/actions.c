/* The actions that several views share; those of one view are in its file. */
#include "ui/view.h"

bool need_nothing(struct session *session)
{
	(void)session;
	return true;
}

bool need_entry(struct session *session)
{
	return session->reader.entry || session->reader.code;
}

bool need_errors(struct session *session)
{
	return session->reader.entry && session->reader.entry->error_count > 0;
}

bool need_placeholder(struct session *session)
{
	const struct entry *entry = session->reader.entry;
	bool found = false;

	for (size_t i = 0; entry && i < entry->solution_count && !found; i++) {
		for (size_t j = 0; j < entry->solutions[i].step_count && !found; j++) {
			struct placeholder_list list = {0};

			fill_placeholders(session->kb, entry->solutions[i].steps[j].run, &list);
			found = list.list.count > 0;
			vec_release(&list.list);
		}
	}
	return found;
}

void action_open(struct session *session, enum action action)
{
	(void)action;
	switch (session_view(session)) {
	case VIEW_TREE:
		tree_open_selected(session, true);
		break;
	case VIEW_RESULTS:
		results_open_selected(session);
		break;
	case VIEW_ENTRY:
		if (session->reader.item != SIZE_MAX && reader_item(session))
			reader_open_item(session, reader_item(session));
		break;
	case VIEW_DIAGNOSIS:
		diagnosis_open_selected(session);
		break;
	case VIEW_PAST:
		past_open_selected(session);
		break;
	case VIEW_PROBES:
	case VIEW_DETAIL:
		probes_open_selected(session);
		break;
	default:
		break;
	}
}

void action_accept(struct session *session, enum action action)
{
	(void)action;
	if (session_view(session) == VIEW_FORM)
		form_accept(session);
	else if (session_view(session) == VIEW_PATH)
		path_accept(session);
	else if (session_view(session) == VIEW_REPORT || session_view(session) == VIEW_REPORT_OUT)
		report_pane_accept(session);
	else
		goto_accept(session);
}

void action_expand(struct session *session, enum action action)
{
	(void)action;
	if (session->focus == VIEW_TREE)
		tree_open_selected(session, false);
	else if (session->focus == VIEW_RESULTS)
		results_open_selected(session);
	else if (session_is_wide(session))
		session_focus(session, VIEW_PROBES);
}

void action_collapse(struct session *session, enum action action)
{
	(void)action;
	if (session->focus == VIEW_TREE)
		tree_close_selected(session);
	else if (session->focus == VIEW_PROBES && session_is_wide(session))
		session_focus(session, VIEW_ENTRY);
	else
		session_focus(session, VIEW_TREE);
}

void action_leave(struct session *session, enum action action)
{
	enum view view = session_view(session);

	(void)action;
	if (view == VIEW_HELP && help_clear_filter(session))
		return;
	if (view == VIEW_FORM)
		form_close(session);
	else if (session->depth > 0)
		session_pop(session);
	else if (view == VIEW_RESULTS)
		search_close(session);
	else
		session_focus(session, VIEW_TREE);
}

void action_move(struct session *session, enum action action)
{
	static const enum list_move moves[ACTION_COUNT] = {
		[ACTION_UP] = LIST_UP,           [ACTION_DOWN] = LIST_DOWN,
		[ACTION_PAGE_UP] = LIST_PAGE_UP, [ACTION_PAGE_DOWN] = LIST_PAGE_DOWN,
		[ACTION_HALF_UP] = LIST_HALF_UP, [ACTION_HALF_DOWN] = LIST_HALF_DOWN,
		[ACTION_FIRST] = LIST_FIRST,     [ACTION_TOP] = LIST_FIRST,
		[ACTION_LAST] = LIST_LAST,       [ACTION_REPORT_PAGE_DOWN] = LIST_PAGE_DOWN,
	};
	const struct view_ops *ops = view_table[session_view(session)];

	if (ops->move)
		ops->move(session, moves[action]);
}

void action_next_pane(struct session *session, enum action action)
{
	static const enum view panes[] = {VIEW_TREE, VIEW_ENTRY, VIEW_PROBES};
	enum view here = session->focus == VIEW_RESULTS || session->focus == VIEW_DIAGNOSIS ? VIEW_TREE
											    : session->focus;
	size_t count = session->kb->probe_count > 0 ? 3 : 2;
	size_t at = 0;

	while (panes[at] != here)
		at++;
	session_focus(session, panes[(at + (action == ACTION_NEXT_PANE ? 1 : count - 1)) % count]);
}

void action_next_field(struct session *session, enum action action)
{
	bool back = action == ACTION_PREVIOUS_FIELD;

	if (session_view(session) == VIEW_REPORT)
		report_pane_move_field(session, back);
	else
		form_move_field(session, back);
}

void action_search(struct session *session, enum action action)
{
	(void)action;
	search_open(session);
}

void action_fill(struct session *session, enum action action)
{
	(void)action;
	form_open(session);
}

void action_errors(struct session *session, enum action action)
{
	struct reader *reader = &session->reader;
	const struct document *document;

	(void)action;
	reader->errors_shown = !reader->errors_shown;
	document = reader_document(session);
	/* What was asked for must be seen. */
	if (reader->errors_shown && document->errors_line != SIZE_MAX) {
		size_t rows = (size_t)session_area(session, VIEW_ENTRY).rows;

		if (document->errors_line < reader->top || document->errors_line + 3 > reader->top + rows)
			reader->top = document->errors_line;
	}
}

void action_probes(struct session *session, enum action action)
{
	bool shown = session_places(session).probes.rows > 0;

	(void)action;
	if (shown) {
		probes_start(session);
		session_say_word(session, WORD_PROBES_AGAIN, (struct str){0});
	} else {
		session_say_word(session, WORD_PROBES_SHOWN, (struct str){0});
	}
	session_focus(session, VIEW_PROBES);
}

bool need_back(struct session *session)
{
	const struct history *history = &session->history;
	const struct visit *here =
		history->at < history->visits.count ? &history->visits.items[history->at] : NULL;

	return here && (history->at > 0 || here->entry != session->reader.entry ||
			here->code != session->reader.code);
}

bool need_forward(struct session *session)
{
	return session->history.at + 1 < session->history.visits.count;
}

void action_history(struct session *session, enum action action)
{
	struct history *history = &session->history;
	struct visit *here = &history->visits.items[history->at];
	bool away = here->entry != session->reader.entry || here->code != session->reader.code;

	if (!away)
		here->top = session->reader.top;
	if (action == ACTION_FORWARD)
		history->at++;
	else if (!away)
		history->at--;
	here = &history->visits.items[history->at];
	reader_show(session, here->entry, here->code);
	session->reader.top = here->top;
	if (here->entry && !session->results.shown)
		tree_reveal(session, here->entry);
	session_focus(session, VIEW_ENTRY);
}

void action_language(struct session *session, enum action action)
{
	(void)action;
	session->lang = session->lang == LANG_ZH ? LANG_EN : LANG_ZH;
	session->lang_chosen = true;
	session->lang_remembered = session->lang;
	state_save(session);
}

void action_mouse(struct session *session, enum action action)
{
	(void)action;
	session->mouse = !session->mouse;
	effect_add(session->effects, (struct effect){.kind = EFFECT_MOUSE, .flag = session->mouse});
	session_say_word(session, session->mouse ? WORD_MOUSE_TAKEN : WORD_MOUSE_GIVEN, (struct str){0});
}

void action_help(struct session *session, enum action action)
{
	(void)action;
	if (session_view(session) != VIEW_HELP)
		help_open(session);
}

void action_redraw(struct session *session, enum action action)
{
	(void)action;
	effect_add(session->effects, (struct effect){.kind = EFFECT_REDRAW});
}

void action_suspend(struct session *session, enum action action)
{
	(void)action;
	state_save(session);
	effect_add(session->effects, (struct effect){.kind = EFFECT_SUSPEND});
}

void action_quit(struct session *session, enum action action)
{
	(void)action;
	state_save(session);
	effect_add(session->effects, (struct effect){.kind = EFFECT_QUIT});
}

void action_filter(struct session *session, enum action action)
{
	(void)action;
	help_filter(session, true);
}

void action_filtered(struct session *session, enum action action)
{
	(void)action;
	help_filter(session, false);
}

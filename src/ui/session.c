#include "ui/view.h"

#include "ui/keymap.h"

enum { WHEEL_ROWS = 3, FRAME_MS = 100 };

const struct view_ops *const view_table[VIEW_COUNT] = {
	[VIEW_TREE] = &view_tree,     [VIEW_RESULTS] = &view_results,
	[VIEW_ENTRY] = &view_entry,   [VIEW_PROBES] = &view_probes,
	[VIEW_DETAIL] = &view_detail, [VIEW_FORM] = &view_form,
	[VIEW_HELP] = &view_help,     [VIEW_CONFIRM] = &view_confirm,
	[VIEW_GOTO] = &view_goto,     [VIEW_GUIDE] = &view_guide,
	[VIEW_PAST] = &view_past,     [VIEW_DIAGNOSIS] = &view_diagnosis,
	[VIEW_LOG] = &view_log,       [VIEW_PATH] = &view_path,
	[VIEW_REPORT] = &view_report, [VIEW_REPORT_OUT] = &view_report_out,
};

struct str session_word(const struct session *session, enum word word)
{
	return word_in(word, session->lang);
}

struct str session_text(const struct session *session, const struct text *text)
{
	return text_in(text, session->lang);
}

enum view session_view(const struct session *session)
{
	return session->depth > 0 ? session->stack[session->depth - 1] : session->focus;
}

void session_push(struct session *session, enum view view)
{
	for (size_t i = 0; i < session->depth; i++) {
		/* A view is open once: it comes to the top, what was over it is left. */
		if (session->stack[i] == view) {
			session->depth = i + 1;
			return;
		}
	}
	if (session->depth < STACK_DEPTH)
		session->stack[session->depth++] = view;
}

void session_pop(struct session *session)
{
	if (session->depth > 0)
		session->depth--;
}

void session_focus(struct session *session, enum view view)
{
	if (view == VIEW_TREE)
		view = session_left_view(session);
	session->depth = 0;
	session->focus = view;
	if (view != VIEW_ENTRY)
		session->probes_in_left = view == VIEW_PROBES;
}

void session_say(struct session *session, enum style style, struct str text)
{
	buf_clear(&session->message.text);
	buf_add(&session->message.text, text);
	session->message.style = style;
	session->dirty = true;
}

void session_say_word(struct session *session, enum word word, struct str text)
{
	struct buf line = {0};

	word_add_text(&line, word, session->lang, text);
	session_say(session, STYLE_BAR, buf_str(&line));
	buf_release(&line);
}

/* Life. */

static void copy_facts(struct facts *to, const struct facts *from)
{
	for (size_t i = 0; from && i < facts_count(from); i++) {
		const struct fact *fact = facts_at(from, i);

		facts_set(to, fact->name, fact->value, fact->source, fact->origin);
	}
}

/* What was asked for, or what the command line of the shell speaks of. */
static void start_search(struct session *session, const struct session_options *options)
{
	struct str line = str_trim(options->line).size > 0 ? options->line : options->failed;
	struct buf query = {0};

	if (options->search.size > 0)
		buf_add(&query, options->search);
	else if (!options->guide && !options->resume)
		line_words(session->kb, line, &query);
	if (query.size > 0) {
		search_open(session);
		search_paste(session, buf_str(&query));
	}
	buf_release(&query);
}

/*
 * The guide that was asked for. The shell key comes back to the one whose command it put on the prompt,
 * unless something else stands there by now.
 */
static void start_guide(struct session *session, const struct session_options *options)
{
	const struct entry *entry = options->open.size > 0 ? session->reader.entry : NULL;
	bool waiting = options->prompting && str_trim(options->line).size == 0 && options->search.size == 0;

	if (options->guide && entry && !options->resume)
		guide_start(session, entry);
	else if (options->guide || options->resume) {
		if (!guide_resume(session, entry, false))
			session_say_word(session, WORD_NO_GUIDE, (struct str){0});
	} else if (waiting) {
		guide_resume(session, NULL, true);
	}
}

struct session *session_new(const struct kb *kb, const struct session_options *options, int rows, int columns)
{
	struct session *session = alloc_zeroed(1, sizeof(*session));

	session->kb = kb;
	session->lang = options->lang;
	session->lang_fixed = options->lang_fixed;
	session->ascii = options->ascii;
	session->more_packs = options->more_packs;
	session->index = options->index;
	session->mouse = true;
	session->dirty = true;
	session->rows = rows > 1 ? rows : 1;
	session->columns = columns > 1 ? columns : 1;
	session->facts = facts_new();
	session->focus = VIEW_TREE;
	session->reader.item = SIZE_MAX;
	session->form.candidate = SIZE_MAX;
	session->results.input.history = &session->results.history;
	session->prompt.history = &session->prompt_history;
	buf_add(&session->machine, options->machine);
	copy_facts(session->facts, options->facts);
	session->tree.list.rows = session->results.list.rows = session->probes.list.rows = session->rows;
	tree_init(session);
	probes_init(session);
	state_restore(session, options->state);
	session_layout_changed(session);
	buf_add(&session->guide.remembered, options->guides);
	buf_add(&session->report.failed, options->failed);
	session->prompting = options->prompting;
	session->epoch_ms = options->epoch_ms;
	session->zone_s = options->zone_s;
	if (options->open.size > 0 && !session_goto(session, options->open))
		goto_say_unknown(session, options->open);
	start_search(session, options);
	start_guide(session, options);
	buf_add(&session->wanted_logs, options->logs);
	session->wanted_plog = options->plog;
	if (session->wanted_plog || session->wanted_logs.size > 0)
		diagnosis_show(session);
	session_layout_changed(session);
	return session;
}

void session_free(struct session *session)
{
	if (!session)
		return;
	search_index_free(session->index);
	facts_free(session->facts);
	buf_release(&session->machine);
	vec_release(&session->tree.sections);
	input_release(&session->results.input);
	input_history_release(&session->results.history);
	buf_release(&session->results.pasted);
	search_result_release(&session->results.found);
	document_release(&session->reader.document);
	for (size_t i = 0; i < session->kb->probe_count; i++)
		probe_result_release(&session->probes.runs[i].result);
	free(session->probes.runs);
	free(session->probes.order);
	diagnosis_release(session);
	guide_release(session);
	past_release(session);
	report_pane_release(session);
	input_release(&session->path.input);
	input_history_release(&session->path.history);
	buf_release(&session->path.paths);
	buf_release(&session->wanted_logs);
	vec_release(&session->history.visits);
	vec_release(&session->made_codes.list);
	arena_release(&session->made_codes.arena);
	layout_release(&session->detail.layout);
	vec_release(&session->form.fields);
	input_release(&session->form.input);
	buf_release(&session->form.why);
	input_release(&session->help.filter);
	layout_release(&session->help.layout);
	buf_release(&session->confirm.text);
	buf_release(&session->confirm.label);
	buf_release(&session->confirm.holes);
	input_release(&session->prompt);
	input_history_release(&session->prompt_history);
	buf_release(&session->message.text);
	free(session);
}

void session_start(struct session *session, uint64_t now_ms, struct effect_list *effects)
{
	session->effects = effects;
	session->now_ms = now_ms;
	probes_start(session);
	guide_save(session);
	if (session->wanted_plog || session->wanted_logs.size > 0)
		diagnosis_start(session, buf_str(&session->wanted_logs), session->wanted_plog);
	session->effects = NULL;
}

/* Events. */

static void run_action(struct session *session, enum action action)
{
	const struct action_info *info = &action_table[action];

	session->dirty = true;
	if (need_table[info->need].met(session))
		info->run(session, action);
	else
		session_say(session, STYLE_WARN, session_text(session, &need_table[info->need].why_not));
}

static bool goes_to_input(const struct view_ops *ops, uint32_t key)
{
	/* Where there is a list under the line that is typed into, the arrows move in the list. */
	return !(ops->move && (key == KEY_UP_ || key == KEY_DOWN_));
}

static void say_unknown_key(struct session *session, uint32_t key)
{
	char name[2] = {(char)key, 0};

	if (key > ' ' && key < 0x7F)
		session_say_word(session, WORD_NO_SUCH_KEY, str_of(name));
}

static void handle_key(struct session *session, uint32_t key)
{
	enum view view = session_view(session);
	const struct view_ops *ops = view_table[view];
	struct input_line *input = ops->input ? ops->input(session) : NULL;
	enum input_result result = INPUT_IGNORED;
	enum action action;

	if (session->message.text.size > 0)
		session->dirty = true;
	buf_clear(&session->message.text);
	if (input && goes_to_input(ops, key))
		result = input_key(input, key);
	if (result != INPUT_IGNORED)
		session->dirty = true;
	if (result == INPUT_CHANGED && ops->typed)
		ops->typed(session);
	if (result != INPUT_IGNORED)
		return;
	action = keymap_action(view, key);
	if (action != ACTION_COUNT)
		run_action(session, action);
	else if (!input)
		say_unknown_key(session, key);
}

static void handle_paste(struct session *session, struct str text)
{
	const struct view_ops *ops = view_table[session_view(session)];
	struct input_line *input = ops->input ? ops->input(session) : NULL;

	session->dirty = true;
	buf_clear(&session->message.text);
	if (session->depth == 0) {
		search_paste(session, text);
		return;
	}
	if (input && input_paste(input, text) == INPUT_CHANGED && ops->typed)
		ops->typed(session);
}

static void mouse_on_view(struct session *session, enum view view, const struct event *event)
{
	const struct view_ops *ops = view_table[view];
	struct rect area = session_area(session, view);
	int row = event->u.mouse.row - area.row;
	int column = event->u.mouse.column - area.column;

	switch (event->u.mouse.action) {
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		if (ops->wheel)
			ops->wheel(session,
				   event->u.mouse.action == MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		return;
	case MOUSE_PRESS:
	case MOUSE_DOUBLE:
		if (session->depth == 0 && session->focus != view)
			session_focus(session, view);
		if (ops->click && rect_holds(area, event->u.mouse.row, event->u.mouse.column))
			ops->click(session, area, row, column, event->u.mouse.action == MOUSE_DOUBLE);
	}
}

static void handle_mouse(struct session *session, const struct event *event)
{
	struct places places = session_places(session);
	int row = event->u.mouse.row, column = event->u.mouse.column;
	bool press = event->u.mouse.action == MOUSE_PRESS || event->u.mouse.action == MOUSE_DOUBLE;

	if (places.too_small)
		return;
	session->dirty = true;
	if (press)
		buf_clear(&session->message.text);
	if (press && rect_holds(places.footer, row, column)) {
		enum action action = bars_footer_action(session, column, session->columns);

		if (action != ACTION_COUNT && event->u.mouse.action == MOUSE_PRESS)
			run_action(session, action);
	} else if (session->depth > 0) {
		if (rect_holds(places.over, row, column))
			mouse_on_view(session, session_view(session), event);
	} else if (rect_holds(places.log, row, column)) {
		/* It never has the focus. */
		if (!press)
			mouse_on_view(session, VIEW_LOG, event);
	} else if (rect_holds(places.entry, row, column)) {
		mouse_on_view(session, VIEW_ENTRY, event);
	} else if (rect_holds(places.probes, row, column)) {
		mouse_on_view(session, VIEW_PROBES, event);
	} else if (rect_holds(places.left, row, column)) {
		mouse_on_view(session, session_left_view(session), event);
	}
}

static void handle_tick(struct session *session)
{
	search_work_tick(session);
	if ((session->probes.running == 0 && !diagnosis_is_running(session)) ||
	    session->now_ms < session->next_frame_ms)
		return;
	session->frame++;
	session->next_frame_ms = session->now_ms + FRAME_MS;
	session->dirty = true;
}

void session_handle(struct session *session, const struct event *event, struct effect_list *effects)
{
	session->effects = effects;
	session->now_ms = event->now_ms;
	search_work_pace(session, event->now_ms);
	switch (event->kind) {
	case EVENT_KEY:
		handle_key(session, event->u.key);
		break;
	case EVENT_PASTE:
		handle_paste(session, event->u.text);
		break;
	case EVENT_MOUSE:
		handle_mouse(session, event);
		break;
	case EVENT_RESIZE:
		session->rows = event->u.size.rows > 1 ? event->u.size.rows : 1;
		session->columns = event->u.size.columns > 1 ? event->u.size.columns : 1;
		session->dirty = true;
		break;
	case EVENT_PROBE_DONE:
		probes_done(session, event);
		report_pane_changed(session);
		break;
	case EVENT_SCAN_PROGRESS:
	case EVENT_SCAN_DONE:
		diagnosis_news(session, event);
		report_pane_changed(session);
		break;
	case EVENT_LOG_LINES:
		diagnosis_take_lines(session, event);
		report_pane_take_lines(session, event);
		break;
	case EVENT_PATHS:
		path_take(session, event);
		break;
	case EVENT_EFFECT_DONE:
		if (event->u.done.message.size > 0)
			session_say(session, event->u.done.ok ? STYLE_BAR : STYLE_FAIL,
				    event->u.done.message);
		break;
	case EVENT_TICK:
		handle_tick(session);
		break;
	case EVENT_HISTORY:
		past_take(session, event->u.text);
		break;
	case EVENT_REPORT:
		report_pane_take(session, event);
		break;
	case EVENT_FILE:
		report_pane_take_file(session, event);
		break;
	case EVENT_FOCUS_LOST:
		state_save(session);
		break;
	}
	session_layout_changed(session);
	diagnosis_ask_lines(session);
	report_pane_ask_lines(session);
	session->effects = NULL;
}

bool session_is_calm(const struct session *session)
{
	const struct results *results = &session->results;

	if (session->depth > 0 || session->report.touched || session->diagnosis.state != DIAGNOSIS_NONE_YET)
		return false;
	if (results->shown)
		return session->focus == VIEW_RESULTS && !results->moved && results->input.text.size > 0;
	return session->focus == VIEW_TREE || session->focus == VIEW_ENTRY;
}

struct str session_query(const struct session *session)
{
	const struct results *results = &session->results;

	if (!results->shown)
		return (struct str){0};
	return results->pasted.size > 0 ? buf_str(&results->pasted) : input_text(&results->input);
}

const struct facts *session_facts(const struct session *session)
{
	return session->facts;
}

enum lang session_lang(const struct session *session)
{
	return session->lang;
}

bool session_dirty(const struct session *session)
{
	return session->dirty;
}

uint64_t session_next_tick(const struct session *session)
{
	/* The search index is made in the quiet moments after the first picture. */
	if (session->drawn && search_is_working(session))
		return session->now_ms;
	return session->probes.running > 0 || diagnosis_is_running(session) ? session->next_frame_ms
									    : UINT64_MAX;
}

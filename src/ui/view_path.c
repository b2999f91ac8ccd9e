/* The line for a log file or folder, with what may follow what was typed. */
#include "ui/view.h"

#include "base/utf8.h"

enum { PATHS_SHOWN = 8, ROWS_ABOVE = 2 };

static struct path_prompt *prompt_of(struct session *session)
{
	return &session->path;
}

static struct input_line *input(struct session *session)
{
	return &session->path.input;
}

static void forget_paths(struct path_prompt *prompt)
{
	buf_clear(&prompt->paths);
	prompt->list = (struct list){.rows = PATHS_SHOWN};
	prompt->chosen = false;
	prompt->asked = 0;
}

void path_open(struct session *session)
{
	struct path_prompt *prompt = prompt_of(session);

	prompt->input.history = &prompt->history;
	input_set(&prompt->input, (struct str){0});
	forget_paths(prompt);
	session_push(session, VIEW_PATH);
}

static void typed(struct session *session)
{
	forget_paths(prompt_of(session));
}

static struct str path_at(const struct path_prompt *prompt, size_t wanted)
{
	struct str rest = buf_str(&prompt->paths), path = {0};

	for (size_t i = 0; i <= wanted && rest.size > 0; i++)
		str_next(&rest, '\0', &path);
	return path;
}

void path_ask(struct session *session)
{
	struct path_prompt *prompt = prompt_of(session);

	if (prompt->list.count > 1) {
		/* They are there to choose from already. */
		return;
	}
	prompt->asked = effect_add(session->effects, (struct effect){.kind = EFFECT_COMPLETE,
								     .text = input_text(&prompt->input)});
}

static size_t common_start(struct str a, struct str b)
{
	size_t size = 0, next;
	int columns;

	/* Never through a character. */
	while (size < a.size) {
		next = utf8_grapheme_end(a, size, &columns);
		if (next > b.size || !str_equal(str_slice(a, size, next), str_slice(b, size, next)))
			break;
		size = next;
	}
	return size;
}

void path_take(struct session *session, const struct event *event)
{
	struct path_prompt *prompt = prompt_of(session);
	struct str rest = event->u.lines.text, path, common = {0};
	size_t count = 0;

	if (prompt->asked == 0 || event->u.lines.id != prompt->asked)
		return;
	forget_paths(prompt);
	while (rest.size > 0 && str_next(&rest, '\0', &path)) {
		common = count++ == 0 ? path : str_slice(common, 0, common_start(common, path));
	}
	if (common.size > input_text(&prompt->input).size)
		input_set(&prompt->input, common);
	if (count > 1)
		buf_add(&prompt->paths, event->u.lines.text);
	list_set_count(&prompt->list, count > 1 ? count : 0);
	if (count == 0)
		session_say_word(session, WORD_NO_SUCH_PATH, (struct str){0});
	session->dirty = true;
}

void path_accept(struct session *session)
{
	struct path_prompt *prompt = prompt_of(session);
	struct buf paths = {0};
	struct str typed_path = input_text(&prompt->input);

	session_pop(session);
	if (typed_path.size > 0) {
		input_history_add(&prompt->history, typed_path);
		buf_add(&paths, typed_path);
		buf_add_byte(&paths, '\0');
	}
	/* Nothing was typed: the newest logs of CANN itself. */
	diagnosis_start(session, buf_str(&paths), typed_path.size == 0);
	buf_release(&paths);
}

void action_complete(struct session *session, enum action action)
{
	(void)action;
	path_ask(session);
}

/* Through the paths that are shown; without any, through what was typed before. */
static void move(struct session *session, enum list_move move_)
{
	struct path_prompt *prompt = prompt_of(session);

	if (prompt->list.count == 0) {
		input_key(&prompt->input, move_ == LIST_UP ? KEY_UP_ : KEY_DOWN_);
		return;
	}
	if (prompt->chosen)
		list_move(&prompt->list, move_);
	prompt->chosen = true;
	input_set(&prompt->input, path_at(prompt, prompt->list.selected));
}

static int rows(struct session *session, int columns)
{
	const struct path_prompt *prompt = prompt_of(session);
	int paths = prompt->list.count < PATHS_SHOWN ? (int)prompt->list.count : PATHS_SHOWN;

	(void)columns;
	return ROWS_ABOVE + 1 + (paths > 0 ? paths + 1 : 0);
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_DIAGNOSE));
}

static void status(struct session *session, struct buf *out)
{
	const struct list *list = &session->path.list;

	if (list->count > PATHS_SHOWN)
		buf_add_format(out, "%zu/%zu", list->selected + 1, list->count);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct path_prompt *prompt = prompt_of(session);
	int column = area.column + 2;

	canvas_text(canvas, area.row, area.column, STYLE_KEY, STR("> "));
	input_draw(&prompt->input, canvas, area.row, column, area.columns - 2, focused);
	canvas_text_cut(canvas, area.row + 1, column, area.columns - 2, STYLE_DIM,
			session_word(session, WORD_PATH_HINT));
	canvas_text_cut(canvas, area.row + 2, column, area.columns - 2, STYLE_DIM,
			session_word(session, WORD_PATH_PLOG));
	for (int i = 0; i < PATHS_SHOWN && prompt->list.top + (size_t)i < prompt->list.count; i++) {
		size_t index = prompt->list.top + (size_t)i;
		struct rect row = {area.row + ROWS_ABOVE + 2 + i, column, 1, area.columns - 2};

		canvas_text_cut(canvas, row.row, row.column, row.columns, STYLE_TEXT, path_at(prompt, index));
		if (prompt->chosen && index == prompt->list.selected)
			canvas_restyle(canvas, row, STYLE_SELECTED);
	}
}

const struct view_ops view_path = {.title = title,
				   .draw = draw,
				   .move = move,
				   .input = input,
				   .typed = typed,
				   .rows = rows,
				   .status = status};

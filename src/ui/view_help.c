/* The keys of where the reader was, made from the table of actions; can be filtered. */
#include "ui/view.h"

#include "base/utf8.h"
#include "ui/event.h"
#include "ui/keymap.h"

enum { KEY_COLUMNS = 21 };

static struct input_line *input(struct session *session)
{
	return session->help.filtering ? &session->help.filter : NULL;
}

void help_open(struct session *session)
{
	session->help.about = session_view(session);
	session->help.about_typing =
		view_table[session->help.about]->input && view_table[session->help.about]->input(session);
	session->help.filtering = false;
	session->help.top = 0;
	input_set(&session->help.filter, (struct str){0});
	session_push(session, VIEW_HELP);
}

void help_filter(struct session *session, bool typing)
{
	session->help.filtering = typing;
	session->help.top = 0;
}

bool help_clear_filter(struct session *session)
{
	struct help *help = &session->help;
	bool had = help->filtering || input_text(&help->filter).size > 0;

	input_set(&help->filter, (struct str){0});
	help->filtering = false;
	return had;
}

/* While text is typed, a key that is text has no other meaning. */
static void add_keys(struct str keys, bool typing, struct buf *out)
{
	struct str name;
	uint32_t key;

	while (str_next(&keys, ' ', &name)) {
		if (typing && keymap_parse(name, &key) && key >= ' ' && key < KEY_SPECIAL_)
			continue;
		if (out->size > 0)
			buf_add(out, STR("  "));
		keymap_show(name, out);
	}
}

/* Does the row hold every word of the filter, in any language? */
static bool is_wanted(const struct help *help, const struct action_info *info, struct str keys)
{
	struct str rest = str_trim(input_text(&help->filter)), part;
	struct buf row = {0}, wanted = {0};
	bool all = true;

	buf_add(&row, keys);
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		buf_add_byte(&row, ' ');
		utf8_fold(info->help.in[lang], &row, NULL);
	}
	while (str_next(&rest, ' ', &part)) {
		buf_clear(&wanted);
		utf8_fold(part, &wanted, NULL);
		if (str_find(keys, part) == STR_NOT_FOUND &&
		    str_find(buf_str(&row), buf_str(&wanted)) == STR_NOT_FOUND)
			all = false;
	}
	buf_release(&row);
	buf_release(&wanted);
	return all;
}

static void add_row(struct session *session, struct layout *layout, const struct action_info *info,
		    struct str keys)
{
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .indent = 2};
	struct buf padding = {0};
	int half = layout->width / 2;
	size_t columns = half < KEY_COLUMNS ? (size_t)half : KEY_COLUMNS;
	size_t width = utf8_width(keys);

	format.hang = (int)columns;
	buf_add_repeated(&padding, ' ', width + 2 < columns ? columns - width : 2);
	{
		struct layout_piece pieces[] = {{keys, STYLE_KEY, {0}},
						{buf_str(&padding), STYLE_TEXT, {0}},
						{session_text(session, &info->help), STYLE_TEXT, {0}}};

		layout_flow(layout, &format, pieces, 3);
	}
	buf_release(&padding);
}

static void add_group(struct session *session, struct layout *layout, enum action_group group)
{
	struct help *help = &session->help;
	struct layout_format format = {.item = LAYOUT_NO_ITEM};
	struct layout_piece title = {session_text(session, &action_group_titles[group]), STYLE_HEADING, {0}};
	struct buf keys = {0};
	bool first = true;

	for (int i = 0; i < ACTION_COUNT; i++) {
		const struct action_info *info = &action_table[i];

		buf_clear(&keys);
		add_keys(info->keys, help->about_typing, &keys);
		if (info->group != group || !(info->contexts & (1u << help->about)) || keys.size == 0 ||
		    !is_wanted(help, info, buf_str(&keys)))
			continue;
		if (first && layout->lines.count > 0)
			layout_blank(layout);
		if (first)
			layout_flow(layout, &format, &title, 1);
		first = false;
		add_row(session, layout, info, buf_str(&keys));
	}
	buf_release(&keys);
}

/* The filter takes a row of its own while there is one. */
static bool has_filter(const struct help *help)
{
	return help->filtering || input_text(&help->filter).size > 0;
}

static size_t last_top(struct session *session)
{
	const struct help *help = &session->help;
	struct rect area = session_area(session, VIEW_HELP);
	int rows = area.rows - has_filter(help) > 1 ? area.rows - has_filter(help) : 1;

	return help->layout.lines.count > (size_t)rows ? help->layout.lines.count - (size_t)rows : 0;
}

static void make_layout(struct session *session)
{
	struct help *help = &session->help;
	struct rect area = session_area(session, VIEW_HELP);
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .style = STYLE_DIM};

	layout_clear(&help->layout, area.columns);
	for (int group = 0; group < ACTION_GROUP_COUNT; group++)
		add_group(session, &help->layout, (enum action_group)group);
	if (help->layout.lines.count == 0)
		layout_prose(&help->layout, &format, session_word(session, WORD_NO_KEYS));
	if (help->about_typing) {
		layout_blank(&help->layout);
		layout_prose(&help->layout, &format, session_word(session, WORD_READLINE));
	}
	if (help->top > last_top(session))
		help->top = last_top(session);
}

static void move(struct session *session, enum list_move move_)
{
	session->help.top = text_moved(session->help.top, move_, session_area(session, VIEW_HELP).rows - 1);
	make_layout(session);
}

static void wheel(struct session *session, int rows)
{
	for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
		move(session, rows < 0 ? LIST_UP : LIST_DOWN);
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_HELP));
}

static void status(struct session *session, struct buf *out)
{
	make_layout(session);
	text_add_place(session->help.top, last_top(session), out);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct help *help = &session->help;

	make_layout(session);
	if (has_filter(help)) {
		canvas_text(canvas, area.row, area.column, STYLE_KEY, STR("/ "));
		input_draw(&help->filter, canvas, area.row, area.column + 2, area.columns - 2,
			   focused && help->filtering);
		area.row++;
		area.rows--;
	}
	layout_draw(&help->layout, canvas, area, help->top, (struct str){0});
}

const struct view_ops view_help = {
	.title = title, .draw = draw, .move = move, .wheel = wheel, .input = input, .status = status};

#include "ui/input.h"

#include "base/utf8.h"
#include "ui/event.h"

#include <string.h>

enum { HISTORY_LONGEST = 100 };

void input_release(struct input_line *input)
{
	buf_release(&input->text);
	buf_release(&input->killed);
	buf_release(&input->typed);
	*input = (struct input_line){.history = input->history};
}

struct str input_text(const struct input_line *input)
{
	return buf_str(&input->text);
}

static bool is_text(uint32_t character)
{
	return character != UTF8_INVALID && character >= 0x20 && !(character >= 0x7F && character < 0xA0) &&
	       !(character >= 0xD800 && character < 0xE000) && character < 0x110000 &&
	       !(character >= 0x202A && character <= 0x202E) && !(character >= 0x2066 && character <= 0x2069);
}

static enum input_result insert(struct input_line *input, struct str text)
{
	if (text.size == 0)
		return INPUT_MOVED;
	if (input->text.size + text.size > INPUT_LONGEST)
		return INPUT_MOVED;
	buf_insert(&input->text, input->cursor, text);
	/* What was inserted may have joined with what follows it: the cursor goes behind the whole cluster.
	 */
	for (size_t at = 0, wanted = input->cursor + text.size; at < wanted;)
		input->cursor = at = utf8_grapheme_end(buf_str(&input->text), at, NULL);
	return INPUT_CHANGED;
}

static enum input_result insert_character(struct input_line *input, uint32_t character)
{
	struct buf one = {0};
	enum input_result result;

	utf8_add(&one, character);
	result = insert(input, buf_str(&one));
	buf_release(&one);
	return result;
}

enum input_result input_paste(struct input_line *input, struct str text)
{
	struct buf clean = {0};
	enum input_result result;

	text = str_trim(text);
	for (size_t at = 0, size; at < text.size; at += size) {
		uint32_t character = utf8_at(text, at, &size);

		if (character == '\n' || character == '\t')
			character = ' ';
		if (!is_text(character))
			continue;
		if (input->text.size + clean.size + 4 > INPUT_LONGEST)
			break;
		utf8_add(&clean, character);
	}
	input->killing = false;
	result = insert(input, buf_str(&clean));
	buf_release(&clean);
	return result;
}

void input_set(struct input_line *input, struct str text)
{
	buf_clear(&input->text);
	input->cursor = input->first_shown = 0;
	input->killing = false;
	input->history_at = input->history ? input->history->lines.count : 0;
	input_paste(input, text);
}

/* Moving. */

static size_t next_cluster(const struct input_line *input, size_t at)
{
	return at < input->text.size ? utf8_grapheme_end(buf_str(&input->text), at, NULL) : at;
}

static size_t previous_cluster(const struct input_line *input, size_t at)
{
	return at > 0 ? utf8_grapheme_start(buf_str(&input->text), at) : 0;
}

static bool is_word_byte(char byte)
{
	unsigned char c = (unsigned char)byte;

	return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static size_t next_word(const struct input_line *input, size_t at)
{
	while (at < input->text.size && !is_word_byte(input->text.data[at]))
		at = next_cluster(input, at);
	while (at < input->text.size && is_word_byte(input->text.data[at]))
		at = next_cluster(input, at);
	return at;
}

static size_t previous_word(const struct input_line *input, size_t at)
{
	size_t before;

	while (at > 0 && !is_word_byte(input->text.data[before = previous_cluster(input, at)]))
		at = before;
	while (at > 0 && is_word_byte(input->text.data[before = previous_cluster(input, at)]))
		at = before;
	return at;
}

/* C-w goes back to a blank, unlike M-backspace. */
static size_t previous_blank(const struct input_line *input, size_t at)
{
	while (at > 0 && input->text.data[at - 1] == ' ')
		at--;
	while (at > 0 && input->text.data[at - 1] != ' ')
		at--;
	return at;
}

static enum input_result move_to(struct input_line *input, size_t at)
{
	input->cursor = at;
	return INPUT_MOVED;
}

/* Deleting and killing. */

static enum input_result delete_between(struct input_line *input, size_t from, size_t to)
{
	if (from == to)
		return INPUT_MOVED;
	buf_remove(&input->text, from, to - from);
	input->cursor = from;
	return INPUT_CHANGED;
}

static enum input_result kill_between(struct input_line *input, size_t from, size_t to, bool went_on)
{
	struct str part = str_slice(buf_str(&input->text), from, to);

	if (!went_on)
		buf_clear(&input->killed);
	buf_insert(&input->killed, from < input->cursor ? 0 : input->killed.size, part);
	input->killing = true;
	return delete_between(input, from, to);
}

/* History. */

static enum input_result show_history(struct input_line *input, size_t at)
{
	const struct input_history *history = input->history;

	if (input->history_at == history->lines.count) {
		buf_clear(&input->typed);
		buf_add(&input->typed, buf_str(&input->text));
	}
	input_set(input,
		  at == history->lines.count ? buf_str(&input->typed) : buf_str(&history->lines.items[at]));
	input->history_at = at;
	return INPUT_CHANGED;
}

static enum input_result move_in_history(struct input_line *input, bool back)
{
	size_t count = input->history ? input->history->lines.count : 0;

	if (input->history_at > count)
		input->history_at = count;
	if (back && input->history_at > 0)
		return show_history(input, input->history_at - 1);
	if (!back && input->history_at < count)
		return show_history(input, input->history_at + 1);
	return INPUT_MOVED;
}

void input_history_add(struct input_history *history, struct str line)
{
	struct buf copy = {0};

	if (line.size == 0)
		return;
	for (size_t i = 0; i < history->lines.count; i++) {
		if (!str_equal(buf_str(&history->lines.items[i]), line))
			continue;
		copy = history->lines.items[i];
		memmove(history->lines.items + i, history->lines.items + i + 1,
			(history->lines.count - i - 1) * sizeof(copy));
		history->lines.items[history->lines.count - 1] = copy;
		return;
	}
	if (history->lines.count == HISTORY_LONGEST) {
		buf_release(&history->lines.items[0]);
		history->lines.count--;
		memmove(history->lines.items, history->lines.items + 1, history->lines.count * sizeof(copy));
	}
	buf_add(&copy, line);
	vec_push(&history->lines, copy);
}

void input_history_release(struct input_history *history)
{
	for (size_t i = 0; i < history->lines.count; i++)
		buf_release(&history->lines.items[i]);
	vec_release(&history->lines);
}

static enum input_result edit(struct input_line *input, uint32_t key, bool killing)
{
	size_t at = input->cursor;

	switch (key) {
	case KEY_CTRL_('h'):
	case KEY_BACKSPACE_:
		return delete_between(input, previous_cluster(input, at), at);
	case KEY_CTRL_('d'):
	case KEY_DELETE_:
		return delete_between(input, at, next_cluster(input, at));
	case KEY_CTRL_('u'):
		return kill_between(input, 0, at, killing);
	case KEY_CTRL_('k'):
		return kill_between(input, at, input->text.size, killing);
	case KEY_CTRL_('w'):
		return kill_between(input, previous_blank(input, at), at, killing);
	case KEY_ALT_ + KEY_BACKSPACE_:
		return kill_between(input, previous_word(input, at), at, killing);
	case KEY_ALT_ + 'd':
		return kill_between(input, at, next_word(input, at), killing);
	case KEY_CTRL_('y'):
		return insert(input, buf_str(&input->killed));
	default:
		return INPUT_IGNORED;
	}
}

enum input_result input_key(struct input_line *input, uint32_t key)
{
	bool killing = input->killing;

	input->killing = false;
	switch (key) {
	case KEY_CTRL_('a'):
	case KEY_HOME_:
		return move_to(input, 0);
	case KEY_CTRL_('e'):
	case KEY_END_:
		return move_to(input, input->text.size);
	case KEY_CTRL_('b'):
	case KEY_LEFT_:
		return move_to(input, previous_cluster(input, input->cursor));
	case KEY_CTRL_('f'):
	case KEY_RIGHT_:
		return move_to(input, next_cluster(input, input->cursor));
	case KEY_ALT_ + 'b':
		return move_to(input, previous_word(input, input->cursor));
	case KEY_ALT_ + 'f':
		return move_to(input, next_word(input, input->cursor));
	case KEY_CTRL_('p'):
	case KEY_UP_:
		return input->history ? move_in_history(input, true) : INPUT_IGNORED;
	case KEY_CTRL_('n'):
	case KEY_DOWN_:
		return input->history ? move_in_history(input, false) : INPUT_IGNORED;
	default:
		return is_text(key) ? insert_character(input, key) : edit(input, key, killing);
	}
}

void input_draw(struct input_line *input, struct canvas *canvas, int row, int column, int columns,
		bool focused)
{
	struct str text = buf_str(&input->text);
	struct rect before;
	size_t width;

	if (columns <= 0)
		return;
	if (input->first_shown > input->cursor)
		input->first_shown = input->cursor;
	/* The cursor needs a column of its own behind the text. */
	while (width = utf8_width(str_slice(text, input->first_shown, input->cursor)),
	       width >= (size_t)columns && input->first_shown < input->cursor)
		input->first_shown = next_cluster(input, input->first_shown);
	before = canvas_clip(canvas, (struct rect){row, column, 1, columns});
	canvas_clip(canvas, rect_intersection(before, (struct rect){row, column, 1, columns}));
	canvas_fill(canvas, (struct rect){row, column, 1, columns}, STYLE_INPUT);
	canvas_text(canvas, row, column, STYLE_INPUT, str_slice(text, input->first_shown, text.size));
	if (focused)
		canvas_cursor(canvas, row, column + (int)width);
	canvas_clip(canvas, before);
}

void input_click(struct input_line *input, int column)
{
	struct str rest = str_slice(buf_str(&input->text), input->first_shown, input->text.size);

	input->cursor = input->first_shown + utf8_fit(rest, column > 0 ? (size_t)column : 0);
}

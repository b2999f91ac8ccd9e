#include "ui/layout.h"

#include "base/utf8.h"
#include "core/search.h"

#include <string.h>

enum {
	NARROWEST = 2,   /* a wide glyph must fit */
	TAB_COLUMNS = 4, /* a tab becomes as many blanks */
	MARK_COLUMNS = 2 /* the bar, or the mark of a continued line, and the blank after it */
};

/* Closing marks that must not start a line, and opening ones that must not end it (kinsoku). */
static const char no_start[] = "。，、；：？！）」』】》〉〕”’…—·～％,.;:?!)]}%";
static const char no_end[] = "（「『【《〈〔“‘([{";

static bool is_one_of(const char *set, uint32_t character)
{
	struct str text = str_of(set);
	size_t size;

	for (size_t at = 0; at < text.size; at += size) {
		if (utf8_at(text, at, &size) == character)
			return true;
	}
	return false;
}

static bool is_no_start(uint32_t character)
{
	return is_one_of(no_start, character);
}

/* May a line end between these two characters? */
static bool is_break(uint32_t before, uint32_t after)
{
	if (after == ' ')
		return false;
	if (before == ' ')
		return true;
	if (!utf8_is_wide_script(before) && !utf8_is_wide_script(after))
		return false;
	return !is_one_of(no_end, before) && !is_no_start(after);
}

/* Where a long path, address or option may be cut when there is no blank. */
static bool is_weak_break(uint32_t before)
{
	return is_one_of("/,;:=&?", before);
}

void layout_clear(struct layout *layout, int width)
{
	layout->width = width;
	buf_clear(&layout->text);
	vec_clear(&layout->runs);
	vec_clear(&layout->lines);
	vec_clear(&layout->links);
	arena_release(&layout->arena);
}

void layout_release(struct layout *layout)
{
	buf_release(&layout->text);
	vec_release(&layout->runs);
	vec_release(&layout->lines);
	vec_release(&layout->links);
	arena_release(&layout->arena);
}

void layout_blank(struct layout *layout)
{
	vec_push(
		&layout->lines,
		(struct layout_line){.run = (uint32_t)layout->runs.count, .bar = -1, .item = LAYOUT_NO_ITEM});
}

struct str layout_line_text(const struct layout *layout, const struct layout_line *line)
{
	const struct layout_run *first = layout->runs.items + line->run;
	const struct layout_run *last = first + line->run_count - 1;

	if (line->run_count == 0)
		return (struct str){0};
	return (struct str){layout->text.data + first->start, last->start + last->size - first->start};
}

/* One flow while it is being wrapped: its text is at the end of layout->text, its pieces as runs beside it.
 */
struct flow {
	struct layout *layout;
	const struct layout_format *format;
	bool verbatim;
	VEC(struct layout_run) pieces;
};

/* Columns before the text of a first or a later line. */
static int line_indent(const struct flow *flow, bool first)
{
	int indent = flow->format->indent + (flow->format->bar ? MARK_COLUMNS : 0);

	if (first)
		return indent;
	return indent + (flow->verbatim ? MARK_COLUMNS : flow->format->hang);
}

static int line_limit(const struct flow *flow, bool first)
{
	int limit = flow->layout->width - line_indent(flow, first);

	return limit > NARROWEST ? limit : NARROWEST;
}

static void add_line(struct flow *flow, size_t start, size_t end, bool first)
{
	struct layout *layout = flow->layout;
	struct layout_line line = {.run = (uint32_t)layout->runs.count,
				   .indent = (uint16_t)line_indent(flow, first),
				   .bar = (int16_t)(flow->format->bar ? flow->format->indent : -1),
				   .continued = flow->verbatim && !first,
				   .item = flow->format->item};

	for (size_t i = 0; i < flow->pieces.count; i++) {
		struct layout_run run = flow->pieces.items[i];
		size_t from = run.start > start ? run.start : start;
		size_t to = run.start + run.size < end ? run.start + run.size : end;

		if (from >= to)
			continue;
		run.start = (uint32_t)from;
		run.size = (uint32_t)(to - from);
		vec_push(&layout->runs, run);
		line.run_count++;
	}
	line.columns = (uint16_t)utf8_width((struct str){layout->text.data + start, end - start});
	vec_push(&layout->lines, line);
}

static size_t skip_blanks_back(const char *text, size_t start, size_t end)
{
	while (end > start && text[end - 1] == ' ')
		end--;
	return end;
}

/* Where to cut a line that is full at `at`; `strong` and `weak` are the last places for it, or the start. */
static size_t choose_cut(const struct flow *flow, size_t start, size_t at, size_t strong, size_t weak)
{
	size_t quarter = start + (at - start) / 4;
	size_t half = start + (at - start) / 2;

	if (strong > start && (!flow->verbatim || strong > quarter))
		return strong;
	return weak > half ? weak : at;
}

/* Wrap one line of the text, [start, end), which holds no line end. */
static void wrap_line(struct flow *flow, size_t start, size_t end)
{
	struct str text = {flow->layout->text.data, end};
	size_t at = start, strong = start, weak = start;
	int columns = 0;
	uint32_t before = ' ';
	bool first = true;

	while (at < end) {
		int width;
		size_t size;
		uint32_t character = utf8_at(text, at, &size);
		size_t next = utf8_grapheme_end(text, at, &width);
		bool blank = character == ' ' && next == at + 1; /* no combining mark on it */

		if (at > start && is_break(before, character))
			strong = at;
		if (at > start && is_weak_break(before) && !blank && !is_no_start(character))
			weak = at;
		if (columns + width > line_limit(flow, first) && !blank && at > start) {
			at = choose_cut(flow, start, at, strong, weak);
			add_line(flow, start, skip_blanks_back(text.data, start, at), first);
			while (!flow->verbatim && at < end && text.data[at] == ' ')
				at++;
			start = strong = weak = at;
			columns = 0;
			before = ' ';
			first = false;
			continue;
		}
		columns += width;
		before = character;
		at = next;
	}
	if (start < end || first)
		add_line(flow, start, skip_blanks_back(text.data, start, end), first);
}

static void wrap_text(struct flow *flow, size_t start)
{
	struct buf *text = &flow->layout->text;

	/* A line end at the very end ends the last line, it does not begin another. */
	while (text->size > start && text->data[text->size - 1] == '\n')
		buf_truncate(text, text->size - 1);
	for (size_t at = start; at <= text->size;) {
		size_t end = at + str_find_byte((struct str){text->data + at, text->size - at}, '\n');

		if (end < at || end > text->size)
			end = text->size;
		wrap_line(flow, at, end);
		at = end + 1;
	}
}

/* Printable, tabs as blanks, no carriage return before a line end. */
static void add_clean(struct buf *out, struct str text)
{
	struct str rest = text, line;

	for (bool first = true; str_next(&rest, '\n', &line); first = false) {
		struct str part;

		if (!first)
			buf_add_byte(out, '\n');
		if (rest.data && str_ends(line, STR("\r")))
			line.size--;
		for (bool leading = true; str_next(&line, '\t', &part); leading = false) {
			if (!leading)
				buf_add_repeated(out, ' ', TAB_COLUMNS);
			utf8_add_printable(out, part, false);
		}
	}
}

static uint16_t add_link(struct layout *layout, struct str url)
{
	if (url.size == 0 || layout->links.count >= UINT16_MAX)
		return 0;
	vec_push(&layout->links, arena_copy(&layout->arena, url));
	return (uint16_t)layout->links.count;
}

static void add_flow(struct layout *layout, const struct layout_format *format,
		     const struct layout_piece *pieces, size_t count, bool verbatim)
{
	struct flow flow = {.layout = layout, .format = format, .verbatim = verbatim};
	size_t start = layout->text.size;

	for (size_t i = 0; i < count; i++) {
		struct layout_run run = {.start = (uint32_t)layout->text.size,
					 .style = (uint8_t)pieces[i].style,
					 .link = add_link(layout, pieces[i].link)};

		add_clean(&layout->text, pieces[i].text);
		run.size = (uint32_t)(layout->text.size - run.start);
		vec_push(&flow.pieces, run);
	}
	wrap_text(&flow, start);
	vec_release(&flow.pieces);
}

void layout_flow(struct layout *layout, const struct layout_format *format, const struct layout_piece *pieces,
		 size_t count)
{
	add_flow(layout, format, pieces, count, false);
}

void layout_verbatim(struct layout *layout, const struct layout_format *format,
		     const struct layout_piece *pieces, size_t count)
{
	add_flow(layout, format, pieces, count, true);
}

/* Drawing. */

static void draw_run(const struct layout *layout, struct canvas *canvas, int row, int *column,
		     const struct layout_run *run, const struct search_ranges *hits, size_t line_start)
{
	size_t at = run->start - line_start;
	size_t end = at + run->size;
	int start = *column;

	for (size_t i = 0; i <= hits->list.count && at < end; i++) {
		size_t hit = i < hits->list.count ? hits->list.items[i].start : end;
		size_t hit_end = i < hits->list.count ? hits->list.items[i].end : end;
		const char *text = layout->text.data + line_start;

		hit = hit < at ? at : hit > end ? end : hit;
		hit_end = hit_end > end ? end : hit_end;
		*column = canvas_text(canvas, row, *column, run->style, (struct str){text + at, hit - at});
		at = hit;
		if (hit_end <= at)
			continue;
		*column = canvas_text(canvas, row, *column, STYLE_HIT, (struct str){text + at, hit_end - at});
		at = hit_end;
	}
	if (run->link)
		canvas_link(canvas, (struct rect){row, start, 1, *column - start},
			    layout->links.items[run->link - 1]);
}

static void draw_line(const struct layout *layout, const struct layout_line *line, struct canvas *canvas,
		      int row, int column, struct str query)
{
	struct search_ranges hits = {0};
	int at = column + line->indent;

	if (query.size > 0 && line->run_count > 0)
		search_highlight(query, layout_line_text(layout, line), &hits);
	if (line->bar >= 0)
		canvas_text(canvas, row, column + line->bar, STYLE_BORDER, STR("▌"));
	if (line->number > 0) {
		struct buf number = {0};

		buf_add_format(&number, "%u", line->number);
		canvas_text(canvas, row,
			    column + (line->bar >= 0 ? line->bar : line->indent) - MARK_COLUMNS -
				    (int)number.size,
			    STYLE_DIM, buf_str(&number));
		buf_release(&number);
	}
	if (line->continued)
		canvas_text(canvas, row, at - MARK_COLUMNS, STYLE_DIM, STR("↳"));
	for (uint32_t i = 0; i < line->run_count; i++) {
		const struct layout_run *run = &layout->runs.items[line->run + i];

		draw_run(layout, canvas, row, &at, run, &hits, layout->runs.items[line->run].start);
	}
	vec_release(&hits.list);
}

void layout_draw(const struct layout *layout, struct canvas *canvas, struct rect area, size_t top,
		 struct str query)
{
	struct rect before = canvas_clip(canvas, area);

	canvas_clip(canvas, rect_intersection(area, before));
	for (int row = 0; row < area.rows && top + (size_t)row < layout->lines.count; row++)
		draw_line(layout, &layout->lines.items[top + (size_t)row], canvas, area.row + row,
			  area.column, query);
	canvas_clip(canvas, before);
}

#include "core/diagnose_private.h"

#include "base/utf8.h"
#include "core/clean.h"

#include <string.h>

/* A terminal narrower than this wraps nothing that anybody could read. */
enum { WRAP_WIDTH_MIN = 40, WRAP_LINES = 10, SEAM_SIZE = 24 };

static const char *view_at(const struct view *view, uint64_t at)
{
	return view->data + (at - view->start);
}

static struct str view_text(const struct view *view, uint64_t from, uint64_t to)
{
	return (struct str){view_at(view, from), (size_t)(to - from)};
}

/* Start of the line that holds `at`, not more than LINE_BEFORE_FIND before it in a very long one. */
static uint64_t line_start(const struct view *view, uint64_t at)
{
	uint64_t least = at > view->start + LINE_SIZE_MAX ? at - LINE_SIZE_MAX : view->start;
	const char *end = memrchr(view_at(view, least), '\n', (size_t)(at - least));

	if (end)
		return view->start + (uint64_t)(end + 1 - view->data);
	if (least == view->start && at - least <= LINE_BEFORE_FIND)
		return least;
	return least == 0 ? 0 : at - (at - least < LINE_BEFORE_FIND ? at - least : LINE_BEFORE_FIND);
}

static uint64_t line_end(const struct view *view, uint64_t start, uint64_t at)
{
	uint64_t most = view->end - start < LINE_SIZE_MAX ? view->end : start + LINE_SIZE_MAX;
	const char *end = at < most ? memchr(view_at(view, at), '\n', (size_t)(most - at)) : NULL;

	return end ? view->start + (uint64_t)(end - view->data) : most > at ? most : at;
}

/*
 * Strip each of the lines of a cleaned text: a redrawn progress bar is several. *last gets where the last one
 * that is not empty starts in `out`.
 */
static void strip_lines(struct diagnose *diagnose, struct str clean, struct buf *out, size_t *last,
			struct line_head *head)
{
	struct str rest = clean;
	struct str part;
	bool first = true;

	*last = 0;
	*head = (struct line_head){.rank = FRAMING_NO_RANK, .stream = {.rank = FRAMING_NO_RANK}};
	while (str_next(&rest, '\n', &part)) {
		struct line_head own;

		if (!first)
			buf_add_byte(out, '\n');
		if (part.size)
			*last = out->size;
		buf_add(out, framing_strip(diagnose->framing, part, &own));
		if (first || stream_is_known(own.stream) || own.rank != FRAMING_NO_RANK)
			*head = own;
		first = false;
	}
}

struct bounds diagnose_bounds(const struct diagnose *diagnose, uint64_t at)
{
	const struct view *view = &diagnose->view;
	struct bounds bounds = {.start = line_start(view, at)};

	bounds.end = line_end(view, bounds.start, at);
	bounds.whole = (bounds.start == 0 ||
			(bounds.start > view->start && view_at(view, bounds.start)[-1] == '\n')) &&
		       (bounds.end == view->end || *view_at(view, bounds.end) == '\n');
	return bounds;
}

/* Forget all lines that were read, with their memory. */
static void empty_cache(struct diagnose *diagnose)
{
	for (size_t i = 0; i < LINE_CACHE_SIZE; i++) {
		diagnose->lines[i].used = false;
		buf_release(&diagnose->lines[i].text);
	}
	diagnose->line_bytes = 0;
}

struct line *diagnose_line(struct diagnose *diagnose, uint64_t at)
{
	struct bounds bounds = diagnose_bounds(diagnose, at);
	struct line *line =
		&diagnose->lines[(bounds.start * 0x9E3779B97F4A7C15u >> 40) & (LINE_CACHE_SIZE - 1)];

	if (line->used && line->start == bounds.start && line->end == bounds.end)
		return line;
	if (diagnose->line_bytes > LINE_CACHE_BYTES_MAX)
		empty_cache(diagnose);
	diagnose->line_bytes -= line->text.capacity;
	line->used = true;
	line->start = bounds.start;
	line->end = bounds.end;
	line->whole = bounds.whole;
	buf_clear(&line->text);
	buf_clear(&diagnose->scratch);
	clean_add(&diagnose->scratch, view_text(&diagnose->view, bounds.start, bounds.end));
	strip_lines(diagnose, buf_str(&diagnose->scratch), &line->text, &line->last, &line->head);
	diagnose->line_bytes += line->text.capacity;
	diagnose_keep_pid(diagnose, &line->head);
	return line;
}

uint64_t diagnose_line_number(struct diagnose *diagnose, uint64_t at)
{
	const struct view *view = &diagnose->view;
	uint64_t cursor = diagnose->line_cursor;

	if (at >= cursor)
		diagnose->lines_before_cursor += scan_count_lines(view_text(view, cursor, at));
	else
		diagnose->lines_before_cursor -= scan_count_lines(view_text(view, at, cursor));
	diagnose->line_cursor = at;
	return diagnose->lines_before_cursor + 1;
}

/* Contexts */

static void add_text_line(struct context *context, struct str text, uint64_t start, uint64_t end,
			  const struct line_head *head, bool is_find)
{
	struct text_line line = {context->text.size, start, end, *head};

	if (context->lines.count) {
		buf_add_byte(&context->text, '\n');
		line.at++;
	}
	if (is_find) {
		if (context->find_first == SIZE_MAX)
			context->find_first = context->lines.count;
		context->find_last = context->lines.count;
	}
	buf_add(&context->text, text);
	vec_push(&context->lines, line);
}

size_t diagnose_text_line(const struct context *context, size_t at)
{
	size_t low = 0;
	size_t high = context->lines.count;

	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (context->lines.items[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static uint64_t next_start(const struct view *view, const struct line *line)
{
	bool ended = line->end < view->end && *view_at(view, line->end) == '\n';

	return ended && line->end + 1 < view->end ? line->end + 1 : UINT64_MAX;
}

/*
 * Go back from the find until `wanted` lines of its stream are there. A line without prefix belongs to the
 * stream when it directly follows a line of it: programs print messages of several lines, launchers do not
 * always label each.
 */
static size_t collect_back(struct diagnose *diagnose, uint64_t find, struct stream stream, uint64_t *starts,
			   size_t room)
{
	uint64_t least = find > diagnose->view.start + CONTEXT_SIZE_MAX ? find - CONTEXT_SIZE_MAX
									: diagnose->view.start;
	uint64_t at = find;
	size_t wanted = CONTEXT_LINES;
	size_t count = 0;

	while (at > least && count < room && wanted) {
		struct line *line = diagnose_line(diagnose, at - 1);

		if (line->start < least && line->start != 0)
			break;
		at = line->start;
		starts[count++] = at;
		if (stream_is_same(line->head.stream, stream) || !stream_is_known(line->head.stream))
			wanted--;
		if (!line->whole)
			break;
	}
	return count;
}

static void collect_around(struct diagnose *diagnose, uint64_t find, struct stream stream)
{
	struct around *around = &diagnose->around;
	uint64_t back[CONTEXT_RAW_LINES_MAX / 2];
	size_t count = collect_back(diagnose, diagnose_line(diagnose, find)->start, stream, back,
				    CONTEXT_RAW_LINES_MAX / 2);
	size_t wanted = 2 * CONTEXT_LINES + 1;
	uint64_t at = find;

	around->made = true;
	around->count = 0;
	while (count)
		around->starts[around->count++] = back[--count];
	around->find = around->count;
	while (at != UINT64_MAX && around->count < CONTEXT_RAW_LINES_MAX && wanted &&
	       at < find + CONTEXT_SIZE_MAX) {
		struct line *line = diagnose_line(diagnose, at);

		around->starts[around->count++] = at;
		if (stream_is_same(line->head.stream, stream) || !stream_is_known(line->head.stream))
			wanted--;
		at = next_start(&diagnose->view, line);
	}
	around->ended = at == UINT64_MAX;
}

/*
 * The lines of the find's stream, or all lines in order. All are of use where lines without a prefix stand
 * between: they may belong to the message or not. Lines that other processes wrote do not belong to it. With
 * all lines come all states of a progress bar that was redrawn in the find's line.
 */
static void read_plain(struct diagnose *diagnose, const struct around *around, struct stream stream, bool all,
		       struct context *context)
{
	size_t from = all && around->find > CONTEXT_LINES ? around->find - CONTEXT_LINES : 0;
	size_t to = around->count;
	bool ours = false;

	if (all && to > around->find + CONTEXT_LINES)
		to = around->find + CONTEXT_LINES;
	context->there = !all;
	for (size_t i = from; i < to; i++) {
		struct line *line = diagnose_line(diagnose, around->starts[i]);
		bool is_find = i == around->find;
		bool known = stream_is_known(line->head.stream);
		struct str text = buf_str(&line->text);

		ours = stream_is_same(line->head.stream, stream) || (ours && !known);
		if (all && ((is_find && line->last) || (!ours && (!known || !stream_is_known(stream)))))
			context->there = true;
		if (!all || !is_find)
			text = str_slice(text, line->last, text.size);
		if (all || ours)
			add_text_line(context, text, line->start, line->end, &line->head, is_find);
	}
}

static size_t raw_width(struct diagnose *diagnose, uint64_t start, uint64_t end)
{
	buf_clear(&diagnose->scratch);
	clean_add(&diagnose->scratch, view_text(&diagnose->view, start, end));
	return utf8_width(buf_str(&diagnose->scratch));
}

/* Trailing blanks count: a terminal breaks after them too. */
static size_t terminal_width(struct diagnose *diagnose, uint64_t start, uint64_t end)
{
	size_t blanks = 0;

	while (end > start && *view_at(&diagnose->view, end - 1) == '\r')
		end--;
	while (end - blanks > start && *view_at(&diagnose->view, end - 1 - blanks) == ' ')
		blanks++;
	return raw_width(diagnose, start, end) + blanks;
}

/*
 * Lines of the full width of a terminal go on in the next line, without a blank between. The width is that of
 * the widest lines here; a double-width character that did not fit leaves one column free. Lines that other
 * processes wrote are left out.
 */
static void read_wrapped(struct diagnose *diagnose, const struct around *around, struct stream stream,
			 struct context *context)
{
	size_t widths[CONTEXT_RAW_LINES_MAX];
	size_t widest = 0;
	struct buf joined = {0};
	struct buf stripped = {0};

	for (size_t i = 0; i < around->count; i++) {
		struct line *line = diagnose_line(diagnose, around->starts[i]);

		widths[i] = terminal_width(diagnose, line->start, line->end);
		widest = widths[i] > widest ? widths[i] : widest;
	}
	for (size_t i = 0; widest >= WRAP_WIDTH_MIN && i < around->count;) {
		size_t last = i;
		bool is_find = false;
		struct line_head head;
		uint64_t start = diagnose_line(diagnose, around->starts[i])->start;
		size_t last_state;
		uint64_t end;

		buf_clear(&joined);
		buf_clear(&stripped);
		for (;; last++) {
			struct line *line = diagnose_line(diagnose, around->starts[last]);
			struct str raw = view_text(&diagnose->view, line->start, line->end);

			while (raw.size && raw.data[raw.size - 1] == '\r')
				raw.size--;
			is_find = is_find || last == around->find;
			buf_add(&joined, raw);
			end = line->end;
			if (widths[last] + 1 < widest || last + 1 == around->count)
				break;
			/* What is quiet by itself is a line of its own, not the rest of one. */
			line = diagnose_line(diagnose, around->starts[last + 1]);
			if (framing_is_quiet(diagnose->framing, buf_str(&line->text)))
				break;
			context->there = true;
		}
		buf_clear(&diagnose->scratch);
		clean_add(&diagnose->scratch, buf_str(&joined));
		strip_lines(diagnose, buf_str(&diagnose->scratch), &stripped, &last_state, &head);
		if (is_find || !stream_is_known(head.stream) || !stream_is_known(stream) ||
		    stream_is_same(head.stream, stream))
			add_text_line(context, str_slice(buf_str(&stripped), last_state, stripped.size),
				      start, end, &head, is_find);
		i = last + 1;
	}
	buf_release(&joined);
	buf_release(&stripped);
}

/* In {"level":"error","message":"Traceback… the text of the last value begins behind the last `":"`. */
static struct str without_keys(struct str part)
{
	struct str rest = part;

	if (!str_starts(part, STR("{")))
		return part;
	for (size_t i = 3; i < part.size; i++) {
		if (part.data[i] == '"' && memchr(": ", part.data[i - 1], 2) &&
		    str_find(str_slice(part, i - 3, i), STR("\":")) != STR_NOT_FOUND)
			rest = str_slice(part, i + 1, part.size);
	}
	return rest;
}

/* The find's line alone, with the escapes of a JSON string resolved: one line of the log becomes many. */
static void read_escaped(struct diagnose *diagnose, uint64_t find, struct context *context)
{
	struct line *line = diagnose_line(diagnose, find);
	struct buf raw = {0};
	struct buf plain = {0};
	struct buf clean = {0};
	struct str rest, part;
	bool first = true;

	/* A line end that stands in a collector's own frame, as Docker's, is none of the message. */
	context->there = clean_is_escaped(buf_str(&line->text));
	if (!context->there)
		return;
	clean_add(&raw, view_text(&diagnose->view, line->start, line->end));
	clean_unescape(&plain, buf_str(&raw));
	clean_add(&clean, buf_str(&plain));
	rest = buf_str(&clean);
	while (str_next(&rest, '\n', &part)) {
		struct line_head head;
		struct str text = framing_strip(diagnose->framing, first ? without_keys(part) : part, &head);

		if (head.rank == FRAMING_NO_RANK)
			head.rank = line->head.rank;
		if (!head.time_kind) {
			head.time = line->head.time;
			head.time_kind = line->head.time_kind;
		}
		add_text_line(context, text, line->start, line->end, &head, true);
		first = false;
	}
	buf_release(&raw);
	buf_release(&plain);
	buf_release(&clean);
}

/*
 * May a terminal have wrapped lines here? Where an input is read closely, widths tell. Elsewhere so few are
 * wrapped that raw sizes must do: the find's line, or one just before it, is as long as the longest around.
 */
static bool may_be_wrapped(struct diagnose *diagnose, uint64_t at)
{
	const struct around *around = &diagnose->around;
	size_t from = around->find > WRAP_LINES ? around->find - WRAP_LINES : 0;
	size_t to = around->find + WRAP_LINES < around->count ? around->find + WRAP_LINES : around->count;
	uint64_t longest = 0;
	uint64_t nearest = 0;

	if (at < CLOSE_READING)
		return true;
	for (size_t i = from; i < to; i++) {
		struct bounds bounds = diagnose_bounds(diagnose, around->starts[i]);
		uint64_t size = bounds.end - bounds.start;

		longest = size > longest ? size : longest;
		if (i <= around->find && i + 3 >= around->find && size > nearest)
			nearest = size;
	}
	return nearest == longest && longest >= WRAP_WIDTH_MIN;
}

void diagnose_forget_contexts(struct diagnose *diagnose)
{
	diagnose->around.made = false;
	for (int i = 0; i < READING_COUNT; i++)
		diagnose->contexts[i].made = false;
}

struct context *diagnose_context(struct diagnose *diagnose, enum reading reading, uint64_t at)
{
	struct context *context = &diagnose->contexts[reading];
	struct stream stream;

	if (context->made)
		return context;
	context->made = true;
	context->there = false;
	context->find_first = context->find_last = SIZE_MAX;
	buf_clear(&context->text);
	vec_clear(&context->lines);
	stream = diagnose_line(diagnose, at)->head.stream;
	if (reading != READ_ESCAPED && !diagnose->around.made)
		collect_around(diagnose, at, stream);
	if (reading == READ_ESCAPED)
		read_escaped(diagnose, at, context);
	else if (reading != READ_WRAPPED)
		read_plain(diagnose, &diagnose->around, stream, reading == READ_ALL, context);
	else if (may_be_wrapped(diagnose, at))
		read_wrapped(diagnose, &diagnose->around, stream, context);
	if (context->find_first == SIZE_MAX)
		context->there = false;
	context->zone_last = context->find_last;
	if (reading == READ_STREAM && diagnose->around.ended && context->there)
		context->zone_last = context->lines.count - 1;
	else if (reading == READ_STREAM && context->lines.count > context->find_last + 1 + CONTEXT_LINES)
		context->zone_last = context->lines.count - 1 - CONTEXT_LINES;
	return context;
}

/* Finds that the raw bytes hide */

static void find_in(struct diagnose *diagnose, struct str text, uint64_t at)
{
	struct scan_hits hits = {0};

	scanner_run(diagnose->scanner, text, 0, text.size, &hits);
	for (size_t i = 0; i < hits.list.count && at >= diagnose->looked; i++)
		vec_push(&diagnose->finds, (struct find){at, hits.list.items[i].literal});
	vec_release(&hits.list);
}

/* The end of a line, and where it is. */
struct seam {
	uint64_t at;
	char end[SEAM_SIZE];
	size_t size;
};

/* The end of the line before and the start of this one, for words that a terminal has broken. */
static void find_in_seam(struct diagnose *diagnose, struct seam *seam, struct str line, uint64_t at)
{
	char joined[2 * SEAM_SIZE];
	size_t after = line.size < SEAM_SIZE ? line.size : SEAM_SIZE;

	memcpy(joined, seam->end, seam->size);
	memcpy(joined + seam->size, line.data, after);
	if (seam->size)
		find_in(diagnose, (struct str){joined, seam->size + after}, seam->at);
	seam->size = line.size < WRAP_WIDTH_MIN / 2 ? 0 : SEAM_SIZE < line.size ? SEAM_SIZE : line.size;
	memcpy(seam->end, line.data + line.size - seam->size, seam->size);
	seam->at = at;
}

/*
 * The start of an input is read more closely: what colours, NUL bytes, escapes of JSON strings and line wraps
 * hide from the scan is found too. That is the whole of a paste, of a terminal's scroll-back, of most files;
 * elsewhere a signature has several literals, so that one that is broken does not hide it. The last whole
 * line comes again with the next call, for the seam behind it.
 */
void diagnose_find_hidden(struct diagnose *diagnose, bool last)
{
	const struct view *view = &diagnose->view;
	uint64_t start = diagnose->read_closely > view->start ? diagnose->read_closely : view->start;
	struct str rest = view_text(view, start, view->end);
	struct seam seam = {0};
	struct buf clean = {0};
	struct buf plain = {0};
	struct str line;

	while (str_next(&rest, '\n', &line)) {
		uint64_t at = view->start + (uint64_t)(line.data - view->data);

		if (!rest.data && !last)
			break;
		diagnose->read_closely = at;
		if (str_ends(line, STR("\r")))
			line.size--;
		buf_clear(&clean);
		buf_clear(&plain);
		if (line.size && memchr(line.data, '\\', line.size) && clean_unescape(&plain, line))
			find_in(diagnose, buf_str(&plain), at);
		if (!clean_is_plain(line)) {
			/* Blanks at the end count: a terminal breaks behind them, too. */
			size_t blanks = line.size;

			while (blanks && line.data[blanks - 1] == ' ')
				blanks--;
			clean_add(&clean, line);
			buf_add_repeated(&clean, ' ', line.size - blanks);
			find_in(diagnose, buf_str(&clean), at);
			line = buf_str(&clean);
		}
		find_in_seam(diagnose, &seam, line, at);
	}
	buf_release(&clean);
	buf_release(&plain);
}

/* The environment: what the probes found, those of the open entry first. */
#include "ui/view.h"

#include "base/utf8.h"

static const char *const spinner[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"};

enum { SPINNER_FRAMES = sizeof(spinner) / sizeof(spinner[0]), FIRST_FRAME_MS = 100, TEXT_COLUMN = 2 };

struct str session_spinner(const struct session *session)
{
	return str_of(spinner[session->frame % SPINNER_FRAMES]);
}

struct state_look {
	const char *mark;
	enum style style;
	enum word name;
};

static const struct state_look state_looks[] = {
	[PROBE_UNKNOWN] = {"?", STYLE_WARN, WORD_STATE_UNKNOWN},
	[PROBE_OK] = {"✓", STYLE_OK, WORD_STATE_OK},
	[PROBE_WARN] = {"!", STYLE_WARN, WORD_STATE_WARN},
	[PROBE_FAIL] = {"✗", STYLE_FAIL, WORD_STATE_FAIL},
	[PROBE_ABSENT] = {"–", STYLE_ABSENT, WORD_STATE_ABSENT},
	[PROBE_UNTRUSTED] = {"?", STYLE_WARN, WORD_STATE_UNTRUSTED},
};

void probe_state_look(const struct session *session, const struct probe_run *run, struct str *mark,
		      enum style *style, enum word *name)
{
	const struct state_look *look = &state_looks[run->result.state];

	*mark = str_of(look->mark);
	*style = look->style;
	*name = look->name;
	if (run->state == RUN_RUNNING) {
		*mark = str_of(spinner[session->frame % SPINNER_FRAMES]);
		*style = STYLE_DIM;
		*name = WORD_STATE_RUNNING;
	} else if (run->state == RUN_WAITING) {
		*mark = STR("·");
		*style = STYLE_DIM;
		*name = WORD_STATE_WAITING;
	}
}

static size_t probe_index(const struct session *session, struct str id)
{
	for (size_t i = 0; i < session->kb->probe_count; i++) {
		if (str_equal(session->kb->probes[i]->id, id))
			return i;
	}
	return SIZE_MAX;
}

/* What needs the reader's eye comes first, once all answers are there: nothing jumps while they come in. */
static int severity(const struct probe_pane *probes, size_t index)
{
	static const int ranks[] = {[PROBE_FAIL] = 0,      [PROBE_WARN] = 1, [PROBE_UNKNOWN] = 2,
				    [PROBE_UNTRUSTED] = 2, [PROBE_OK] = 3,   [PROBE_ABSENT] = 4};

	return probes->running > 0 ? 0 : ranks[probes->runs[index].result.state];
}

enum { SEVERITIES = 5 };

static size_t add_own(struct session *session, const struct entry *entry)
{
	struct probe_pane *probes = &session->probes;
	size_t count = 0;

	for (size_t i = 0; entry && i < entry->probes.count; i++) {
		size_t index = probe_index(session, entry->probes.items[i]);
		bool seen = index == SIZE_MAX;

		for (size_t j = 0; j < count; j++)
			seen = seen || probes->order[j] == index;
		if (!seen)
			probes->order[count++] = index;
	}
	return count;
}

static bool is_own(const struct probe_pane *probes, size_t index)
{
	for (size_t i = 0; i < probes->own_count; i++) {
		if (probes->order[i] == index)
			return true;
	}
	return false;
}

void probes_reorder(struct session *session)
{
	struct probe_pane *probes = &session->probes;
	size_t selected = probes->list.count > 0 ? probes->order[probes->list.selected] : 0;
	size_t count = add_own(session, session->reader.entry);

	probes->own_count = count;
	for (int rank = 0; rank < SEVERITIES; rank++) {
		for (size_t i = 0; i < session->kb->probe_count; i++) {
			if (severity(probes, i) == rank && !is_own(probes, i))
				probes->order[count++] = i;
		}
	}
	list_set_count(&probes->list, count);
	if (session->focus != VIEW_PROBES)
		list_select(&probes->list, 0);
	for (size_t i = 0; session->focus == VIEW_PROBES && i < count; i++) {
		if (probes->order[i] == selected)
			list_select(&probes->list, i);
	}
}

/* What is not well says why, in at most two rows. */
static int detail_rows(const struct session *session, const struct probe_run *run)
{
	struct str detail = session_text(session, &run->result.detail);
	int columns = session->probes.columns - TEXT_COLUMN;

	if (run->state != RUN_DONE || run->result.state == PROBE_OK || run->result.state == PROBE_ABSENT ||
	    detail.size == 0)
		return 0;
	return (int)utf8_width(detail) <= columns ? 1 : 2;
}

static int row_height(const void *owner, size_t item)
{
	const struct session *session = owner;
	const struct probe_pane *probes = &session->probes;
	int rows = 1 + detail_rows(session, &probes->runs[probes->order[item]]);

	/* An empty row parts the open entry's own probes from the rest. */
	return rows + (item + 1 == probes->own_count && item + 1 < probes->list.count);
}

void probes_init(struct session *session)
{
	struct probe_pane *probes = &session->probes;

	probes->runs = alloc_zeroed(session->kb->probe_count + 1, sizeof(*probes->runs));
	probes->order = alloc_zeroed(session->kb->probe_count + 1, sizeof(*probes->order));
	probes->list.height = row_height;
	probes->list.owner = session;
	probes_reorder(session);
}

void probes_start(struct session *session)
{
	struct probe_pane *probes = &session->probes;

	probes->generation++;
	probes->running = 0;
	for (size_t i = 0; i < session->kb->probe_count; i++) {
		const struct probe *probe = session->kb->probes[probes->order[i]];
		struct probe_run *run = &probes->runs[probes->order[i]];

		if (run->state == RUN_RUNNING)
			effect_add(session->effects, (struct effect){.kind = EFFECT_PROBE_CANCEL,
								     .probe = probe,
								     .generation = run->generation});
		run->state = RUN_RUNNING;
		run->generation = probes->generation;
		probes->running++;
		effect_add(session->effects, (struct effect){.kind = EFFECT_PROBE_START,
							     .probe = probe,
							     .generation = probes->generation});
	}
	session->next_frame_ms = session->now_ms + FIRST_FRAME_MS;
	session->dirty = true;
}

void probes_start_one(struct session *session, const struct probe *probe)
{
	struct probe_pane *probes = &session->probes;
	struct probe_run *run = &probes->runs[probe_index(session, probe->id)];

	if (run->state == RUN_RUNNING)
		return; /* its answer is on the way */
	run->state = RUN_RUNNING;
	run->generation = ++probes->generation;
	probes->running++;
	effect_add(
		session->effects,
		(struct effect){.kind = EFFECT_PROBE_START, .probe = probe, .generation = run->generation});
	session->next_frame_ms = session->now_ms + FIRST_FRAME_MS;
	session->dirty = true;
}

void probes_done(struct session *session, const struct event *event)
{
	struct probe_pane *probes = &session->probes;
	size_t index = event->u.probe.probe ? probe_index(session, event->u.probe.probe->id) : SIZE_MAX;
	struct probe_run *run = index != SIZE_MAX ? &probes->runs[index] : NULL;

	/* An answer to an older question is dropped. */
	if (!run || run->state != RUN_RUNNING || run->generation != event->u.probe.generation)
		return;
	run->state = RUN_DONE;
	probes->running--;
	if (event->u.probe.result)
		probe_result_copy(&run->result, event->u.probe.result);
	else
		probe_result_release(&run->result);
	probe_result_to_facts(session->kb->probes[index], &run->result, session->facts);
	if (probes->running == 0)
		probes_reorder(session);
	list_set_count(&probes->list, probes->list.count); /* heights may have changed */
	guide_probe_done(session, session->kb->probes[index], run);
	session->dirty = true;
}

static void add_count(const struct session *session, struct buf *out, bool brief, const char *mark,
		      enum word name, size_t count)
{
	if (count == 0)
		return;
	if (out->size > 0)
		buf_add(out, brief ? STR("  ") : STR(" · "));
	if (brief)
		buf_add_format(out, "%s %zu", mark, count);
	else
		buf_add_format(out, "%zu %.*s", count, STR_ARG(session_word(session, name)));
}

void probes_add_summary(const struct session *session, bool brief, struct buf *out)
{
	static const enum probe_state order[] = {PROBE_OK, PROBE_WARN, PROBE_FAIL, PROBE_UNKNOWN,
						 PROBE_UNTRUSTED};
	size_t counts[PROBE_UNTRUSTED + 1] = {0};

	for (size_t i = 0; i < session->kb->probe_count; i++) {
		if (session->probes.runs[i].state == RUN_DONE)
			counts[session->probes.runs[i].result.state]++;
	}
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		add_count(session, out, brief, state_looks[order[i]].mark, state_looks[order[i]].name,
			  counts[order[i]]);
	add_count(session, out, brief, spinner[session->frame % SPINNER_FRAMES], WORD_STATE_RUNNING,
		  session->probes.running);
}

const struct probe *probes_selected(const struct session *session, const struct probe_run **run)
{
	const struct probe_pane *probes = &session->probes;
	size_t index;

	if (probes->list.count == 0)
		return NULL;
	index = probes->order[probes->list.selected];
	*run = &probes->runs[index];
	return session->kb->probes[index];
}

struct str probe_entry(const struct probe *probe, const struct probe_run *run)
{
	bool bad = run->state == RUN_DONE &&
		   (run->result.state == PROBE_WARN || run->result.state == PROBE_FAIL);

	if (run->state != RUN_DONE || run->result.state == PROBE_OK || run->result.state == PROBE_ABSENT)
		return (struct str){0};
	return run->result.entry.size > 0 ? run->result.entry : bad ? probe->entry : (struct str){0};
}

void probes_open_selected(struct session *session)
{
	const struct probe_run *run;
	const struct probe *probe = probes_selected(session, &run);

	if (!probe)
		return;
	if (!kb_entry(session->kb, probe_entry(probe, run)) ||
	    !session_goto(session, probe_entry(probe, run)))
		detail_open(session, probe);
}

void action_detail(struct session *session, enum action action)
{
	const struct probe_run *run;
	const struct probe *probe = probes_selected(session, &run);

	(void)action;
	if (probe)
		detail_open(session, probe);
}

bool need_probes(struct session *session)
{
	return session->kb->probe_count > 0;
}

/* Drawing. */

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_ENVIRONMENT));
}

/* The beginning of what was found that says enough and fits: "14.0.6" of "14.0.6 (/usr/bin/clang)". */
static struct str short_detail(const struct session *session, const struct probe_run *run, size_t columns)
{
	static const char *const ends[] = {"（", " (", "；", "; ", "：", ": ", "，", ", "};
	struct str detail = session_text(session, &run->result.detail);

	for (size_t i = 0; utf8_width(detail) > columns && i < sizeof(ends) / sizeof(ends[0]); i++)
		detail = str_slice(detail, 0, str_find(detail, str_of(ends[i])));
	return utf8_width(detail) <= columns ? detail : (struct str){0};
}

/* At the right: the entry that mends it, else the state where it is not well, else a value. */
static void draw_right(struct session *session, struct canvas *canvas, struct rect row, int room,
		       const struct probe *probe, const struct probe_run *run)
{
	struct str entry = probe_entry(probe, run);
	bool well = run->state == RUN_DONE && run->result.state == PROBE_OK;
	struct str mark, value;
	enum style style;
	enum word name;
	int right = row.column + row.columns;

	probe_state_look(session, run, &mark, &style, &name);
	value = well ? short_detail(session, run, room > 0 ? (size_t)room : 0) : session_word(session, name);
	if (entry.size > 0 && room >= (int)utf8_width(entry) + 2) {
		canvas_text(canvas, row.row, right - (int)utf8_width(entry) - 2, STYLE_DIM, STR("→"));
		canvas_text(canvas, row.row, right - (int)utf8_width(entry), STYLE_ENTRY_ID, entry);
	} else if (room >= (int)utf8_width(value)) {
		canvas_text(canvas, row.row, right - (int)utf8_width(value), STYLE_DIM, value);
	}
}

static void draw_first_row(struct session *session, struct canvas *canvas, struct rect row,
			   const struct probe *probe, const struct probe_run *run)
{
	struct str name = session_text(session, &probe->title);
	int room = row.columns - TEXT_COLUMN;
	struct str mark;
	enum style style;
	enum word word;

	probe_state_look(session, run, &mark, &style, &word);
	canvas_text(canvas, row.row, row.column, style, mark);
	canvas_text_cut(canvas, row.row, row.column + TEXT_COLUMN, room, STYLE_TEXT, name);
	draw_right(session, canvas, row, room - (int)utf8_width(name) - 2, probe, run);
}

static void draw_detail(struct session *session, struct canvas *canvas, struct rect area,
			const struct probe_run *run)
{
	struct layout layout = {0};
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .style = STYLE_DIM};
	size_t rows = (size_t)detail_rows(session, run);

	if (rows == 0)
		return;
	area.row++;
	area.rows = (int)rows;
	area.column += TEXT_COLUMN;
	area.columns -= TEXT_COLUMN;
	layout_clear(&layout, area.columns);
	layout_prose(&layout, &format, session_text(session, &run->result.detail));
	layout_draw(&layout, canvas, area, 0, (struct str){0});
	if (layout.lines.count > rows)
		canvas_text(canvas, area.row + area.rows - 1, area.column + area.columns - 1, STYLE_DIM,
			    STR("…"));
	layout_release(&layout);
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct probe_pane *probes = &session->probes;
	struct buf summary = {0};
	struct rect before;
	int at = 0;

	probes_add_summary(session, false, &summary);
	if ((int)utf8_width(buf_str(&summary)) > area.columns) {
		buf_clear(&summary);
		probes_add_summary(session, true, &summary);
	}
	canvas_text_cut(canvas, area.row + area.rows - 1, area.column, area.columns, STYLE_DIM,
			buf_str(&summary));
	buf_release(&summary);
	area.rows--;
	before = canvas_clip(canvas, area);
	for (size_t i = probes->list.top; i < probes->list.count && at < area.rows; i++) {
		const struct probe_run *run = &probes->runs[probes->order[i]];
		const struct probe *probe = session->kb->probes[probes->order[i]];
		struct rect row = {area.row + at, area.column, 1, area.columns};

		draw_first_row(session, canvas, row, probe, run);
		if (i == probes->list.selected && focused)
			canvas_restyle(canvas, row, STYLE_SELECTED);
		draw_detail(session, canvas, row, run);
		at += row_height(session, i);
	}
	canvas_clip(canvas, before);
}

static void move(struct session *session, enum list_move move_)
{
	list_move(&session->probes.list, move_);
}

static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	size_t item;
	int first;

	(void)area;
	(void)column;
	if (!list_item_at(&session->probes.list, row, &item, &first))
		return;
	list_select(&session->probes.list, item);
	if (twice)
		probes_open_selected(session);
}

static void wheel(struct session *session, int rows)
{
	list_scroll(&session->probes.list, rows);
}

const struct view_ops view_probes = {
	.title = title, .draw = draw, .move = move, .click = click, .wheel = wheel};

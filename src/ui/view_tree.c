/* The tree: sections with their entries. Rows are counted, not kept, so that any number of entries costs
 * nothing. */
#include "ui/view.h"

#include "base/utf8.h"

enum { ENTRY_INDENT = 2 };

static size_t section_rows(const struct tree_section *section)
{
	return 1 + (section->open ? section->count : 0);
}

void tree_update(struct tree *tree)
{
	size_t rows = 0;

	for (size_t i = 0; i < tree->sections.count; i++)
		rows += section_rows(&tree->sections.items[i]);
	list_set_count(&tree->list, rows);
}

const struct tree_section *tree_row(const struct tree *tree, size_t row, size_t *entry)
{
	for (size_t i = 0; i < tree->sections.count; i++) {
		const struct tree_section *section = &tree->sections.items[i];

		if (row < section_rows(section)) {
			*entry = row == 0 ? SIZE_MAX : section->first + row - 1;
			return section;
		}
		row -= section_rows(section);
	}
	return NULL;
}

const struct tree_section *tree_selected(const struct tree *tree, size_t *entry)
{
	return tree_row(tree, tree->list.selected, entry);
}

static size_t row_of_section(const struct tree *tree, const struct tree_section *section)
{
	size_t row = 0;

	for (const struct tree_section *i = tree->sections.items; i < section; i++)
		row += section_rows(i);
	return row;
}

/* Sections in the order of the packs, empty ones too; then what belongs to no section. */
void tree_init(struct session *session)
{
	const struct kb *kb = session->kb;
	struct tree *tree = &session->tree;

	for (size_t i = 0; i < kb->section_count; i++)
		vec_push(&tree->sections, (struct tree_section){.section = kb->sections[i]});
	for (size_t i = 0, end; i < kb->entry_count; i = end) {
		struct tree_section run = {.first = i};
		struct tree_section *known = NULL;

		for (end = i;
		     end < kb->entry_count && str_equal(kb->entries[end]->section, kb->entries[i]->section);)
			end++;
		run.count = end - i;
		for (size_t j = 0; j < kb->section_count && !known; j++) {
			if (str_equal(kb->sections[j]->id, kb->entries[i]->section))
				known = &tree->sections.items[j];
		}
		if (known && known->count == 0) {
			known->first = run.first;
			known->count = run.count;
		} else {
			vec_push(&tree->sections, run);
		}
	}
	if (tree->sections.count > 0)
		tree->sections.items[0].open = true;
	tree_update(tree);
	if (tree->sections.count > 0 && tree->sections.items[0].count > 0)
		list_select(&tree->list, 1);
}

void tree_reveal(struct session *session, const struct entry *entry)
{
	struct tree *tree = &session->tree;
	size_t index = entry ? kb_entry_index(session->kb, entry) : KB_NONE;

	for (size_t i = 0; i < tree->sections.count && index != KB_NONE; i++) {
		struct tree_section *section = &tree->sections.items[i];

		if (index < section->first || index - section->first >= section->count)
			continue;
		section->open = true;
		tree_update(tree);
		list_select(&tree->list, row_of_section(tree, section) + 1 + index - section->first);
		return;
	}
}

static void show_selected(struct session *session)
{
	size_t entry;
	const struct tree_section *section = tree_selected(&session->tree, &entry);

	reader_show(session, section && entry != SIZE_MAX ? session->kb->entries[entry] : NULL, NULL);
}

static void set_open(struct session *session, const struct tree_section *section, bool open)
{
	struct tree *tree = &session->tree;
	size_t index = (size_t)(section - tree->sections.items);

	tree->sections.items[index].open = open;
	tree_update(tree);
	list_select(&tree->list, row_of_section(tree, section));
	show_selected(session);
}

void tree_open_selected(struct session *session, bool fold_too)
{
	size_t entry;
	const struct tree_section *section = tree_selected(&session->tree, &entry);

	if (!section)
		return;
	if (entry == SIZE_MAX) {
		if (!section->open || fold_too)
			set_open(session, section, !section->open);
		else if (section->count > 0)
			view_tree.move(session, LIST_DOWN);
		return;
	}
	reader_visit(session, session->kb->entries[entry], NULL);
	session_focus(session, VIEW_ENTRY);
}

void tree_close_selected(struct session *session)
{
	size_t entry;
	const struct tree_section *section = tree_selected(&session->tree, &entry);

	if (section && section->open)
		set_open(session, section, false);
}

struct str tree_section_title(const struct session *session, const struct tree_section *section)
{
	return section->section ? session_text(session, &section->section->title) : STR("…");
}

static void title(struct session *session, struct buf *out)
{
	buf_add(out, session_word(session, WORD_TREE));
}

static void add_position(const struct list *list, struct buf *out)
{
	if (list->count > (size_t)list->rows)
		buf_add_format(out, "%zu/%zu", list->selected + 1, list->count);
}

static void status(struct session *session, struct buf *out)
{
	add_position(&session->tree.list, out);
}

static void draw_section(struct session *session, struct canvas *canvas, struct rect row,
			 const struct tree_section *section)
{
	struct buf number = {0};
	int column =
		canvas_text(canvas, row.row, row.column, STYLE_DIM, section->open ? STR("▾ ") : STR("▸ "));
	int end;

	buf_add_format(&number, "%zu", section->count);
	end = row.column + row.columns - (int)number.size;
	canvas_text(canvas, row.row, end, STYLE_DIM, buf_str(&number));
	if (section->section && section->section->number.size > 0) {
		column = canvas_text(canvas, row.row, column, STYLE_ENTRY_ID, section->section->number);
		column++;
	}
	canvas_text_cut(canvas, row.row, column, end - 1 - column, STYLE_TEXT,
			tree_section_title(session, section));
	buf_release(&number);
}

static void draw_entry(struct session *session, struct canvas *canvas, struct rect row,
		       const struct entry *entry)
{
	int column = canvas_text(canvas, row.row, row.column + ENTRY_INDENT, STYLE_ENTRY_ID, entry->id) + 1;

	canvas_text_cut(canvas, row.row, column, row.column + row.columns - column, STYLE_TEXT,
			session_text(session, &entry->title));
}

static void draw(struct session *session, struct canvas *canvas, struct rect area, bool focused)
{
	struct tree *tree = &session->tree;
	size_t entry;

	if (tree->list.count == 0)
		canvas_text_cut(canvas, area.row, area.column, area.columns, STYLE_DIM,
				session_word(session, WORD_EMPTY_PACK));
	for (int i = 0; i < area.rows && tree->list.top + (size_t)i < tree->list.count; i++) {
		size_t index = tree->list.top + (size_t)i;
		const struct tree_section *section = tree_row(tree, index, &entry);
		struct rect row = {area.row + i, area.column, 1, area.columns};

		if (entry == SIZE_MAX)
			draw_section(session, canvas, row, section);
		else
			draw_entry(session, canvas, row, session->kb->entries[entry]);
		if (index == tree->list.selected)
			canvas_restyle(canvas, row, focused ? STYLE_SELECTED : STYLE_SELECTED_DIM);
	}
}

static void move(struct session *session, enum list_move move_)
{
	list_move(&session->tree.list, move_);
	show_selected(session);
}

static void click(struct session *session, struct rect area, int row, int column, bool twice)
{
	size_t item, entry;
	int first;

	(void)area;
	(void)column;
	if (!list_item_at(&session->tree.list, row, &item, &first))
		return;
	list_select(&session->tree.list, item);
	show_selected(session);
	if (twice || (tree_selected(&session->tree, &entry) && entry == SIZE_MAX))
		tree_open_selected(session, true);
}

static void wheel(struct session *session, int rows)
{
	list_scroll(&session->tree.list, rows);
}

const struct view_ops view_tree = {
	.title = title, .draw = draw, .move = move, .click = click, .wheel = wheel, .status = status};

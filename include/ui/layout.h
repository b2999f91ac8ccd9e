/*
 * layout: text -> lines of styled runs that fit a width.
 *
 * Prose wraps at blanks between Latin words and between any two CJK characters, but never so that a line
 * starts with a closing mark (。，、）」) or ends with an opening one (（「), and never through a grapheme
 * cluster. Commands and samples keep their own line breaks and blanks; a line of theirs that is too long goes
 * on in the next line after a mark that is not part of the text. All widths are in columns.
 *
 * A layout owns copies of all that it was given. {0} with a width is an empty one.
 */
#ifndef UI_LAYOUT_H
#define UI_LAYOUT_H

#include "base/arena.h"
#include "base/vec.h"
#include "ui/canvas.h"

struct layout_run {
	uint32_t start, size; /* bytes in layout->text */
	uint8_t style;
	uint16_t link; /* 0, or 1 + index into layout->links */
};

enum { LAYOUT_NO_ITEM = -1 };

/* The runs of a line follow each other in the text without a gap. */
struct layout_line {
	uint32_t run, run_count;
	uint16_t indent;  /* columns before the text */
	uint16_t columns; /* of the text */
	int16_t bar;      /* column of the bar that marks a command; -1: none */
	bool continued;   /* goes on from the line above: a mark stands two columns before the text */
	uint16_t number;  /* drawn in front of the text, ends two columns before it; 0: none */
	int32_t item;     /* what the line belongs to, for the caller; LAYOUT_NO_ITEM */
};

struct layout {
	int width; /* at least 2 is used */
	struct buf text;
	VEC(struct layout_run) runs;
	VEC(struct layout_line) lines;
	struct arena arena;
	VEC(struct str) links;
};

/* A piece of text in one style; `link` is a URL or empty. */
struct layout_piece {
	struct str text;
	enum style style;
	struct str link;
};

struct layout_format {
	int indent;       /* of the first line */
	int hang;         /* more, for the lines after it */
	int32_t item;     /* LAYOUT_NO_ITEM, or what the lines belong to */
	enum style style; /* of plain text in layout_prose */
	bool bar;         /* layout_verbatim: a bar stands at `indent`, the text two columns further */
};

void layout_clear(struct layout *layout, int width);
void layout_release(struct layout *layout);

void layout_blank(struct layout *layout);
/* Pieces that flow into each other; a line end in them ends the line. */
void layout_flow(struct layout *layout, const struct layout_format *format, const struct layout_piece *pieces,
		 size_t count);
/* The same with the rules of commands and of what programs print: blanks and line ends are kept. */
void layout_verbatim(struct layout *layout, const struct layout_format *format,
		     const struct layout_piece *pieces, size_t count);
/*
 * Text for readers: an empty line parts paragraphs, other line ends are blanks, "- " or "1. " at the start of
 * a line begins an item with a hanging indent, `spans` between backticks are commands, http(s) URLs are
 * links.
 */
void layout_prose(struct layout *layout, const struct layout_format *format, struct str text);

struct str layout_line_text(const struct layout *layout, const struct layout_line *line);

/*
 * Draw lines from `top` on into `area`. Where the words of `query` stand they are shown as hits; an empty
 * query: none.
 */
void layout_draw(const struct layout *layout, struct canvas *canvas, struct rect area, size_t top,
		 struct str query);

#endif

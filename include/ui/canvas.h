/*
 * canvas: a grid of glyphs and styles that views draw into.
 *
 * Everything that is drawn goes through here, and here it is clipped, made printable (no control character
 * ever gets onto the grid) and measured: a wide character never sticks out, one that is half overwritten
 * becomes blank. Nothing here knows of curses; canvas_dump gives plain text for tests.
 */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include "base/buf.h"

/* Roles, not colours: the screen maps them to what the terminal can show. One style a thing, everywhere. */
enum style {
	STYLE_TEXT,
	STYLE_DIM,
	STYLE_TITLE,   /* of the focused pane */
	STYLE_HEADING, /* within an entry */
	STYLE_SELECTED,
	STYLE_SELECTED_DIM, /* the selection of a pane without the focus */
	STYLE_BORDER,
	STYLE_CODE_NAME, /* EI0020 */
	STYLE_ENTRY_ID,  /* 1.6 */
	STYLE_COMMAND,
	STYLE_VALUE,      /* a placeholder that was filled */
	STYLE_HOLE,       /* one that was not */
	STYLE_ERROR_TEXT, /* error samples */
	STYLE_LINK,
	STYLE_OK,
	STYLE_WARN,
	STYLE_FAIL,
	STYLE_ABSENT,
	STYLE_HIT, /* what a search found */
	STYLE_KEY, /* a key in the footer */
	STYLE_BAR, /* title and footer lines */
	STYLE_INPUT,
	STYLE_PRIVATE,  /* a name that stands for something private: <HOST_1> */
	STYLE_REVEALED, /* such a thing itself, because the reader wants it shown */
	STYLE_COUNT
};

enum { CELL_BYTES = 24 };

struct cell {
	char glyph[CELL_BYTES]; /* one grapheme cluster, NUL ended; "" is the right half of a wide one */
	uint8_t style;
	uint8_t width; /* 1 or 2; 0 for the right half of a wide one */
	uint16_t link; /* 0, or 1 + index of the hyperlink this cell belongs to */
};

struct rect {
	int row, column, rows, columns;
};

struct canvas; /* rows x columns of cells, a clip rectangle, a cursor, the hyperlinks of this picture */

struct canvas *canvas_new(int rows, int columns);
void canvas_free(struct canvas *canvas);
void canvas_resize(struct canvas *canvas, int rows, int columns); /* and clear */
void canvas_clear(struct canvas *canvas);
int canvas_rows(const struct canvas *canvas);
int canvas_columns(const struct canvas *canvas);
const struct cell *canvas_cell(const struct canvas *canvas, int row, int column);

void canvas_ascii(struct canvas *canvas, bool ascii); /* borders, marks and text fall to ASCII */
bool canvas_is_ascii(const struct canvas *canvas);

bool rect_holds(struct rect area, int row, int column);
struct rect rect_intersection(struct rect a, struct rect b); /* no rows and columns when they do not meet */

/* Draw only inside `clip` (of the whole canvas) from now on; returns the clip that was in force. */
struct rect canvas_clip(struct canvas *canvas, struct rect clip);

/*
 * Text on one row from `column`; returns the column after it. Text that leaves the clip at its right is not
 * measured to its end: then what is returned is some column beyond the clip. Line ends and tabs become
 * blanks.
 */
int canvas_text(struct canvas *canvas, int row, int column, enum style style, struct str text);
/* The same, cut with an ellipsis to at most `columns`. */
int canvas_text_cut(struct canvas *canvas, int row, int column, int columns, enum style style,
		    struct str text);
void canvas_fill(struct canvas *canvas, struct rect area, enum style style);    /* blanks */
void canvas_restyle(struct canvas *canvas, struct rect area, enum style style); /* keeps the glyphs */
/* A rounded border along the inside of `area`; nothing when it is smaller than 2 x 2. */
void canvas_frame(struct canvas *canvas, struct rect area, enum style style);
void canvas_link(struct canvas *canvas, struct rect area, struct str url);
struct str canvas_link_url(const struct canvas *canvas, unsigned link);

void canvas_cursor(struct canvas *canvas, int row, int column); /* shown there; -1, -1: hidden */
void canvas_cursor_at(const struct canvas *canvas, int *row, int *column);

/* Plain text, one line a row, trailing blanks removed. */
void canvas_dump(const struct canvas *canvas, struct buf *out);
/* The styles of a picture, for golden screens: a line a row, "3: 2+7 heading, 12+8 code name". */
void canvas_dump_styles(const struct canvas *canvas, struct buf *out);

#endif

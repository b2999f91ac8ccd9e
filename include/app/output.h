/*
 * output: what a command prints for people: gathered, then written in one go, through a pager where the
 * command asks for one and standard output is a terminal.
 *
 * Text that comes from packs, logs or probes goes through output_text, which makes it harmless.
 */
#ifndef APP_OUTPUT_H
#define APP_OUTPUT_H

#include "app/options.h"
#include "base/buf.h"

enum output_style {
	OUTPUT_PLAIN,
	OUTPUT_HEADING,
	OUTPUT_ID,
	OUTPUT_CODE,
	OUTPUT_COMMAND,
	OUTPUT_DIM,
	OUTPUT_OK,
	OUTPUT_WARN,
	OUTPUT_FAIL,
	OUTPUT_STYLE_COUNT
};

struct output {
	struct buf text;
	enum lang lang;
	int fd;        /* where it goes */
	bool terminal; /* that is one */
	bool color;
	bool ascii;   /* marks in ASCII: the locale has no UTF-8, or it was asked for */
	size_t width; /* columns to wrap at; SIZE_MAX: do not wrap */
	bool page;    /* use $PAGER when it goes to a terminal and is longer than that */
	size_t rows;
};

void output_open(struct output *output, const struct options *options); /* to standard output */
void output_open_on(struct output *output, const struct options *options, int fd);
void output_text(struct output *output, enum output_style style, struct str text);
void output_format(struct output *output, enum output_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Text wrapped between `indent` and the width, the first line too (`first` columns are used already).
 * Ends with a line end.
 */
void output_wrapped(struct output *output, enum output_style style, size_t indent, size_t first,
		    struct str text);

/* Write it all. False, and told, when that failed (a closed pipe ends the process quietly before). Releases.
 */
bool output_close(struct output *output);

/*
 * A message on standard error: one line, harmless whatever outside text is in it, and of a length to be read:
 * of what is longer the middle is left out.
 */
void output_message(struct str text);

/* Say that standard output took no more, and why (errno); nothing when its reader has gone. */
void output_tell_lost(enum lang lang);

#endif

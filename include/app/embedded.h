/*
 * embedded: files that the program carries; made by src/tool/embed.c.
 */
#ifndef APP_EMBEDDED_H
#define APP_EMBEDDED_H

#include "base/str.h"

struct embedded {
	struct str name; /* without its folder; the last one of a list has none */
	struct str text;
};

/* src/app/shell: key binding and completion of each shell. */
extern const struct embedded embedded_shell[];

/* src/app/export: style and script of the page that `export --format html` writes. */
extern const struct embedded embedded_page[];

#endif

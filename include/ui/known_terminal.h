/*
 * known_terminal: what terminfo says of the commonest terminals, carried by the program for machines whose
 * terminfo does not know them, or that have none (a container, a file system with nothing but this program).
 *
 * Made at build time by src/tool/mkterminals.c from the terminfo of the machine that builds; one that it lacks
 * is left out, but for a release, which has them all.
 */
#ifndef UI_KNOWN_TERMINAL_H
#define UI_KNOWN_TERMINAL_H

#include <stdbool.h>

enum capability {
#define CAPABILITY(name) CAPABILITY_##name,
#include "ui/capability.def"
#undef CAPABILITY
	CAPABILITY_COUNT
};

struct known_terminal {
	const char *name;    /* of TERM */
	int colours;         /* -1: has none */
	bool scrolls_at_end; /* a character in the last column of the last line scrolls the picture */
	const char *strings[CAPABILITY_COUNT]; /* null: has it not */
};

/* The last one has no name. */
extern const struct known_terminal known_terminals[];

#endif

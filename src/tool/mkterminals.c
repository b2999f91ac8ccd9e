/*
 * mkterminals: what this machine's terminfo says of the commonest terminals, as C source (see
 * known_terminal.h).
 *
 * usage: mkterminals [all]     to standard output; with `all`, one that is missing here is a fault
 */
#include "ui/known_terminal.h"

#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

/* TERM, and the name that Debian's terminfo has for it where that is another one. */
static const struct {
	const char *name, *entry;
} wanted[] = {
	{"xterm", NULL},
	{"xterm-color", NULL},
	{"xterm-16color", NULL},
	{"xterm-256color", NULL},
	{"xterm-kitty", "kitty"},
	{"kitty", NULL},
	{"alacritty", NULL},
	{"gnome-256color", NULL},
	{"vte-256color", NULL},
	{"konsole-256color", NULL},
	{"putty", NULL},
	{"putty-256color", NULL},
	{"mintty", NULL},
	{"cygwin", NULL},
	{"iterm2", NULL},
	{"nsterm", NULL},
	{"st", NULL},
	{"st-256color", NULL},
	{"Eterm", NULL},
	{"rxvt", NULL},
	{"rxvt-256color", NULL},
	{"rxvt-unicode", NULL},
	{"rxvt-unicode-256color", NULL},
	{"screen", NULL},
	{"screen-bce", NULL},
	{"screen-256color", NULL},
	{"screen.linux", NULL},
	{"screen.xterm-256color", NULL},
	{"tmux", NULL},
	{"tmux-256color", NULL},
	{"linux", NULL},
	{"vt100", NULL},
	{"vt102", NULL},
	{"vt220", NULL},
	{"ansi", NULL},
	{"dumb", NULL},
};

static const char *const capability_names[CAPABILITY_COUNT] = {
#define CAPABILITY(name) [CAPABILITY_##name] = #name,
#include "ui/capability.def"
#undef CAPABILITY
};

static void put_string(const char *name, const char *value)
{
	printf("\t\t[CAPABILITY_%s] = \"", name);
	for (; *value; value++) {
		/* Octal of three digits never runs into what follows. */
		if (*value < ' ' || *value > '~' || strchr("\"\\?", *value))
			printf("\\%03o", (unsigned)(unsigned char)*value);
		else
			putchar(*value);
	}
	printf("\",\n");
}

static void put_terminal(const char *name)
{
	printf("\t{\"%s\", %d, %s, {\n", name, tigetnum("colors"),
	       tigetflag("am") > 0 && tigetflag("xenl") <= 0 ? "true" : "false");
	for (int i = 0; i < CAPABILITY_COUNT; i++) {
		const char *value = tigetstr((char *)capability_names[i]);

		if (value && value != (const char *)-1)
			put_string(capability_names[i], value);
	}
	printf("\t}},\n");
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && strcmp(argv[1], "all") == 0;
	int status;

	/* The terminals of the system, not those that TERMINFO or a home folder has. */
	clearenv();
	printf("/* Made by src/tool/mkterminals.c from terminfo. */\n#include \"ui/known_terminal.h\"\n\n"
	       "const struct known_terminal known_terminals[] = {\n");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const char *entry = wanted[i].entry ? wanted[i].entry : wanted[i].name;

		if (setupterm(entry, -1, &status) == OK) {
			put_terminal(wanted[i].name);
			del_curterm(cur_term);
		} else if (all) {
			fprintf(stderr, "mkterminals: terminfo does not know %s (Debian: ncurses-term)\n",
				entry);
			return 1;
		}
	}
	printf("\t{.name = 0},\n};\n");
	return fflush(stdout) != 0;
}

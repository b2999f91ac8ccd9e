#include "app/charset.h"

#include <langinfo.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Beginnings of TERM whose terminals know nothing but UTF-8. */
static const char *const utf8_terminals[] = {"xterm-kitty", "xterm-ghostty", "kitty",   "ghostty",
					     "alacritty",   "foot",          "wezterm", "contour"};

static bool names_utf8(const char *locale)
{
	const char *dot = locale ? strchr(locale, '.') : NULL;

	return dot && (strncasecmp(dot + 1, "UTF-8", 5) == 0 || strncasecmp(dot + 1, "UTF8", 4) == 0);
}

static bool is_without_charset(const char *locale)
{
	return !locale || !locale[0] || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0;
}

enum charset charset_choose(const struct charset_environment *environment)
{
	if (environment->forced_ascii)
		return CHARSET_ASCII;
	if (strcmp(environment->codeset, "UTF-8") == 0 || names_utf8(environment->name))
		return CHARSET_UTF8;
	if (is_without_charset(environment->name)) {
		if (environment->modern)
			return CHARSET_UTF8;
		for (size_t i = 0;
		     environment->terminal && i < sizeof(utf8_terminals) / sizeof(*utf8_terminals); i++)
			if (strncmp(environment->terminal, utf8_terminals[i], strlen(utf8_terminals[i])) == 0)
				return CHARSET_UTF8;
	}
	return CHARSET_ASCII_UNTIL_CHINESE;
}

enum charset charset_of_terminal(bool forced_ascii)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *ascii = getenv("ASCEND_FAQ_ASCII");
	const char *messages, *all;
	struct charset_environment environment = {
		.forced_ascii = forced_ascii || (ascii && ascii[0] && strcmp(ascii, "0") != 0),
		.codeset = nl_langinfo(CODESET),
		.terminal = getenv("TERM"),
		.modern = getenv("VTE_VERSION") || getenv("WT_SESSION") || getenv("KITTY_WINDOW_ID"),
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && value[0]) {
			environment.name = value;
			break;
		}
	}
	/* LC_MESSAGES alone: who asks for messages in UTF-8 can read them. */
	messages = getenv("LC_MESSAGES");
	all = getenv("LC_ALL");
	if (is_without_charset(environment.name) && !(all && all[0]) && names_utf8(messages))
		environment.name = messages;
	return charset_choose(&environment);
}

/*
 * charset: may UTF-8 be sent to this terminal?
 *
 * Nothing asks the terminal (many answer late, wrongly or not at all). What counts, first that applies:
 *   --ascii, or ASCEND_FAQ_ASCII set and not 0                 ASCII, whatever else
 *   the locale's codeset is UTF-8                              UTF-8
 *   the locale is not installed here, but its name says UTF-8  UTF-8
 *   no locale, C or POSIX, but LC_MESSAGES names UTF-8         UTF-8
 *   no locale, C or POSIX, and a terminal that knows nothing but UTF-8 (kitty, VTE, Windows Terminal, …)
 * UTF-8 everything else (C and POSIX, "nonsense", GB18030)         ASCII, until the reader asks for Chinese
 *
 * The last because many nodes say LANG=C to readers whose terminal is UTF-8 as nearly all are: --lang zh,
 * ASCEND_FAQ_LANG=zh, or the key L (and its memory) say that the terminal can show it; there is no Chinese in
 * ASCII. The locale alone (zh_CN.GB18030) is no such wish: it gets English.
 */
#ifndef APP_CHARSET_H
#define APP_CHARSET_H

#include <stdbool.h>

enum charset { CHARSET_UTF8, CHARSET_ASCII, CHARSET_ASCII_UNTIL_CHINESE };

/* What the environment says. Plain data, so that the rule can be tested. */
struct charset_environment {
	bool forced_ascii;
	const char *codeset;  /* of the locale in force; "ANSI_X3.4-1968" in C */
	const char *name;     /* of the locale that was asked for; null or "": none */
	const char *terminal; /* TERM; may be null */
	bool modern;          /* VTE_VERSION, WT_SESSION, … name a terminal of the last kind */
};

enum charset charset_choose(const struct charset_environment *environment);

/* After setlocale(LC_CTYPE, ""). */
enum charset charset_of_terminal(bool forced_ascii);

#endif

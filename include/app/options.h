/*
 * options: what the command line says, from one table (options.c) that also makes the help and the manual.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/text.h"

enum option_id {
	OPTION_HELP,
	OPTION_VERSION,
	OPTION_LANG,
	OPTION_PACK,
	OPTION_SET,
	OPTION_JSON,
	OPTION_NO_COLOR,
	OPTION_PLAIN,
	OPTION_ASCII,
	OPTION_SEARCH,
	OPTION_WHY,
	OPTION_PLOG,
	OPTION_FOLLOW,
	OPTION_THREADS,
	OPTION_EXPLAIN,
	OPTION_MAP,
	OPTION_HIDE,
	OPTION_OUTPUT,
	OPTION_TEMPLATE,
	OPTION_COMMAND,
	OPTION_SHAPE,
	OPTION_DTYPE,
	OPTION_EXPECTED,
	OPTION_NO_PROBE,
	OPTION_PRINT,
	OPTION_RESUME,
	OPTION_LINE,
	OPTION_FAILED,
	OPTION_IDS,
	OPTION_CLEAR,
	OPTION_OFF,
	OPTION_ON,
	OPTION_FORMAT,
	OPTION_COMPLETION,
	OPTION_AGAINST,
	OPTION_NODES,
	OPTION_ENGINE,
	OPTION_TIMEOUT,
	OPTION_SEND,
	OPTION_SAVE,
	OPTION_PROGRAM,
	OPTION_PARCEL,
	OPTION_COUNT
};

struct option_info {
	enum option_id id;
	const char *name;     /* without the dashes */
	char letter;          /* 0: none */
	const char *argument; /* name of its argument; null: takes none */
	const char *commands; /* blank-separated commands that know it, "browser" without one; null: all */
	struct text help;
};

extern const struct option_info option_table[OPTION_COUNT];

/* "NAME=VALUE" of --set; borrowed from argv. */
struct setting {
	struct str name;
	struct str value;
};

struct options {
	enum lang lang;
	bool lang_given; /* by --lang or ASCEND_FAQ_LANG, not only by the locale */
	bool given[OPTION_COUNT];
	const char *argument[OPTION_COUNT]; /* the last one given */
	VEC(const char *) packs;
	VEC(struct setting) settings;
	VEC(const char *) hides;    /* words of --hide */
	VEC(const char *) operands; /* what is left, in order */
};

/*
 * Read argv[1..]. False on a usage error, which `error` describes in the reader's language. `command` is the
 * name that decides which options are known, or null for the browser.
 */
bool options_parse(struct options *options, int argc, char **argv, struct buf *error);
void options_release(struct options *options);

/* Does the command (null: the browser) know the option? */
bool option_applies(const struct option_info *option, const char *command);

/*
 * The language that the environment asks for: ASCEND_FAQ_LANG, else the first of LC_ALL, LC_MESSAGES, LANG
 * that is set. zh, zh_CN, zh-CN, zh_CN.UTF-8 … are Chinese, everything else English. *chosen tells whether
 * it was asked for of this program (ASCEND_FAQ_LANG), not only of all by the locale.
 */
enum lang options_environment_lang(bool *chosen);
bool lang_from_name(struct str name, enum lang *lang);

#endif

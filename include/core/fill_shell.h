/*
 * fill_shell: where in a shell command one stands, and how a value is written there (part of fill).
 *
 * The lexer follows what bash and POSIX sh have in common, as far as it decides how a byte is read: quotes,
 * $( ), ${ }, $(( )), backquotes, comments, here-documents. What it cannot follow (too deep, a delimiter
 * too long) is `lost`; then only values that need no quoting at all go in.
 */
#ifndef CORE_FILL_SHELL_H
#define CORE_FILL_SHELL_H

#include "core/fill.h"

enum shell_state {
	SHELL_COMMAND,      /* the command itself, or inside ( ) */
	SHELL_SUBSTITUTION, /* inside $( ): quotes start anew */
	SHELL_DOUBLE,
	SHELL_SINGLE,
	SHELL_ESCAPES,   /* $'…' */
	SHELL_BACKQUOTE, /* quoting in it depends on what is around it */
	SHELL_PARAMETER, /* ${…} */
	SHELL_ARITHMETIC,
	SHELL_COMMENT,
	SHELL_HEREDOC,
	SHELL_HEREDOC_LITERAL /* its delimiter was quoted */
};

enum { SHELL_DEPTH = 32, SHELL_HEREDOCS = 4, SHELL_DELIMITER = 64 };

struct shell_heredoc {
	char delimiter[SHELL_DELIMITER];
	size_t size;
	bool literal;
	bool tabs; /* <<-: leading tabs of its lines are taken off */
};

struct shell_lexer {
	enum shell_state stack[SHELL_DEPTH];
	size_t depth;
	struct shell_heredoc heredocs[SHELL_HEREDOCS]; /* those whose bodies are still to come, in order */
	size_t heredoc_count;
	bool in_word;  /* inside a word, be it of quotes alone: # is no comment */
	bool has_text; /* the word has a character: a value here does not begin it */
	bool lost;
};

void shell_start(struct shell_lexer *lexer);

/* Read one step of `text` at `at`; returns where the next begins. */
size_t shell_step(struct shell_lexer *lexer, struct str text, size_t at);

/* A value was put here, instead of a step. */
void shell_pass_value(struct shell_lexer *lexer);

enum fill_place shell_place(const struct shell_lexer *lexer);

/* Is ${NAME} an expansion here, and not text? */
bool shell_expands(const struct shell_lexer *lexer);

/* Are all quotes and brackets closed? */
bool shell_is_complete(const struct shell_lexer *lexer);

/*
 * Write `value` so that the shell reads it as it is. `next` is the byte of the command that follows, 0 at the
 * end. FILL_OK, or why this value cannot stand here; then nothing was written.
 */
enum fill_problem shell_put(const struct shell_lexer *lexer, const struct placeholder *placeholder,
			    struct str value, char next, struct buf *out);

/* Add `value` as one word of a command; it has no NUL. */
void shell_add_word(struct buf *out, struct str value);

#endif

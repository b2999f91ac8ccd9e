#include "core/fill_shell.h"

#include <string.h>

void shell_start(struct shell_lexer *lexer)
{
	*lexer = (struct shell_lexer){.depth = 1};
}

static enum shell_state top(const struct shell_lexer *lexer)
{
	return lexer->stack[lexer->depth - 1];
}

static void push(struct shell_lexer *lexer, enum shell_state state)
{
	if (lexer->depth < SHELL_DEPTH)
		lexer->stack[lexer->depth++] = state;
	else
		lexer->lost = true;
}

static void pop(struct shell_lexer *lexer)
{
	if (lexer->depth > 1)
		lexer->depth--;
}

static char byte_at(struct str text, size_t at)
{
	return at < text.size ? text.data[at] : '\0';
}

static void take_text(struct shell_lexer *lexer)
{
	lexer->in_word = lexer->has_text = true;
}

static void end_word(struct shell_lexer *lexer)
{
	lexer->in_word = lexer->has_text = false;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* The delimiter of a here-document, its quotes taken off; `at` is behind the << or <<-. */
static size_t read_delimiter(struct shell_lexer *lexer, struct str text, size_t at,
			     struct shell_heredoc *heredoc)
{
	char quote = '\0';

	while (is_blank(byte_at(text, at)))
		at++;
	for (; at < text.size; at++) {
		char byte = text.data[at];

		if (!quote && (byte <= ' ' || strchr(";&|<>()", byte)) && (unsigned char)byte < 0x80)
			break;
		if (byte == '\'' || byte == '"' || byte == '\\') {
			heredoc->literal = true;
			if (byte != '\\' && (!quote || quote == byte)) {
				quote = quote ? '\0' : byte;
				continue;
			}
			if (byte == '\\' && quote != '\'' && at + 1 < text.size)
				byte = text.data[++at];
		}
		if (heredoc->size == SHELL_DELIMITER) {
			lexer->lost = true;
			return at;
		}
		heredoc->delimiter[heredoc->size++] = byte;
	}
	return at;
}

static size_t read_redirection(struct shell_lexer *lexer, struct str text, size_t at)
{
	struct shell_heredoc heredoc = {0};

	end_word(lexer);
	if (byte_at(text, at + 1) != '<')
		return at + 1;
	if (byte_at(text, at + 2) == '<')
		return at + 3;
	heredoc.tabs = byte_at(text, at + 2) == '-';
	at = read_delimiter(lexer, text, at + 2 + heredoc.tabs, &heredoc);
	if (lexer->heredoc_count < SHELL_HEREDOCS)
		lexer->heredocs[lexer->heredoc_count++] = heredoc;
	else
		lexer->lost = true;
	return at;
}

static void enter_heredoc(struct shell_lexer *lexer)
{
	if (lexer->heredoc_count)
		push(lexer, lexer->heredocs[0].literal ? SHELL_HEREDOC_LITERAL : SHELL_HEREDOC);
}

/* At the start of a line of a here-document: is it the last? Then on behind it. */
static size_t leave_heredoc(struct shell_lexer *lexer, struct str text, size_t at)
{
	const struct shell_heredoc *heredoc = &lexer->heredocs[0];
	struct str line = str_slice(text, at, text.size);
	size_t end = str_find_byte(line, '\n');

	line = str_slice(line, 0, end);
	while (heredoc->tabs && line.size && line.data[0] == '\t')
		line = str_slice(line, 1, line.size);
	if (!str_equal(line, (struct str){heredoc->delimiter, heredoc->size}))
		return at;
	pop(lexer);
	end_word(lexer);
	lexer->heredoc_count--;
	memmove(lexer->heredocs, lexer->heredocs + 1, lexer->heredoc_count * sizeof(lexer->heredocs[0]));
	if (end == STR_NOT_FOUND)
		return text.size;
	enter_heredoc(lexer);
	return at + end + 1;
}

/* At the start of a line: while it ends a here-document, on behind it; the next one may be empty, too. */
static size_t leave_heredocs(struct shell_lexer *lexer, struct str text, size_t at)
{
	while (lexer->heredoc_count && top(lexer) >= SHELL_HEREDOC && at < text.size) {
		size_t next = leave_heredoc(lexer, text, at);

		if (next == at)
			break;
		at = next;
	}
	return at;
}

static size_t read_line_end(struct shell_lexer *lexer, struct str text, size_t at)
{
	end_word(lexer);
	enter_heredoc(lexer);
	return leave_heredocs(lexer, text, at + 1);
}

static size_t read_dollar(struct shell_lexer *lexer, struct str text, size_t at, bool quoted)
{
	char next = byte_at(text, at + 1);

	take_text(lexer);
	if (next == '(' && byte_at(text, at + 2) == '(') {
		push(lexer, SHELL_ARITHMETIC);
		push(lexer, SHELL_ARITHMETIC);
		return at + 3;
	}
	if (next == '(') {
		push(lexer, SHELL_SUBSTITUTION);
		end_word(lexer);
		return at + 2;
	}
	if (next == '{') {
		push(lexer, SHELL_PARAMETER);
		return at + 2;
	}
	if (next == '\'' && !quoted) {
		push(lexer, SHELL_ESCAPES);
		return at + 2;
	}
	return at + 1;
}

static size_t read_bracket(struct shell_lexer *lexer, struct str text, size_t at)
{
	bool arithmetic = !lexer->in_word && byte_at(text, at + 1) == '('; /* ((…)) */

	push(lexer, arithmetic ? SHELL_ARITHMETIC : SHELL_COMMAND);
	end_word(lexer);
	if (arithmetic)
		push(lexer, SHELL_ARITHMETIC);
	return arithmetic ? at + 2 : at + 1;
}

/* Its patterns end with a ) that nothing opened: inside brackets this lexer cannot tell them apart. */
static bool begins_case(const struct shell_lexer *lexer, struct str text, size_t at)
{
	return lexer->depth > 1 && !lexer->in_word &&
	       str_starts(str_slice(text, at, text.size), STR("case")) && byte_at(text, at + 4) <= ' ';
}

static size_t step_command(struct shell_lexer *lexer, struct str text, size_t at)
{
	char byte = text.data[at];

	switch (byte) {
	case '\\':
		if (byte_at(text, at + 1) != '\n')
			take_text(lexer);
		return at + 2 < text.size ? at + 2 : text.size;
	case '\'':
	case '"':
		push(lexer, byte == '"' ? SHELL_DOUBLE : SHELL_SINGLE);
		lexer->in_word = true;
		return at + 1;
	case '`':
		push(lexer, SHELL_BACKQUOTE);
		take_text(lexer);
		return at + 1;
	case '$':
		return read_dollar(lexer, text, at, false);
	case '(':
		return read_bracket(lexer, text, at);
	case ')':
		end_word(lexer);
		if (top(lexer) == SHELL_SUBSTITUTION)
			take_text(lexer);
		pop(lexer);
		return at + 1;
	case '<':
		return read_redirection(lexer, text, at);
	case '\n':
		return read_line_end(lexer, text, at);
	case '#':
		if (lexer->in_word)
			return at + 1;
		push(lexer, SHELL_COMMENT);
		return at + 1;
	default:
		lexer->lost = lexer->lost || begins_case(lexer, text, at);
		if (is_blank(byte) || memchr(";&|>", byte, 4))
			end_word(lexer);
		else
			take_text(lexer);
		return at + 1;
	}
}

/* Inside double quotes, ${ } and here-documents: backslash, $ and ` keep their meaning. */
static size_t step_expanding(struct shell_lexer *lexer, struct str text, size_t at)
{
	switch (text.data[at]) {
	case '\\':
		take_text(lexer);
		return at + 2 < text.size ? at + 2 : text.size;
	case '`':
		push(lexer, SHELL_BACKQUOTE);
		take_text(lexer);
		return at + 1;
	case '$':
		return read_dollar(lexer, text, at, true);
	default:
		take_text(lexer);
		return at + 1;
	}
}

static size_t step_until(struct shell_lexer *lexer, struct str text, size_t at, char end, bool escapes)
{
	if (text.data[at] == end) {
		pop(lexer);
		return at + 1;
	}
	take_text(lexer);
	return escapes && text.data[at] == '\\' && at + 2 < text.size ? at + 2 : at + 1;
}

static size_t step_arithmetic(struct shell_lexer *lexer, struct str text, size_t at)
{
	if (text.data[at] == '(')
		push(lexer, SHELL_ARITHMETIC);
	if (text.data[at] == ')')
		pop(lexer);
	return at + 1;
}

static size_t step_heredoc(struct shell_lexer *lexer, struct str text, size_t at)
{
	if (text.data[at] == '\n')
		return leave_heredocs(lexer, text, at + 1);
	return top(lexer) == SHELL_HEREDOC ? step_expanding(lexer, text, at) : at + 1;
}

static bool is_in_double_quotes(const struct shell_lexer *lexer)
{
	for (size_t i = lexer->depth; i-- > 0 && lexer->stack[i] != SHELL_SUBSTITUTION;) {
		if (lexer->stack[i] == SHELL_DOUBLE || lexer->stack[i] == SHELL_HEREDOC)
			return true;
	}
	return false;
}

static size_t step_parameter(struct shell_lexer *lexer, struct str text, size_t at)
{
	char byte = text.data[at];

	/* ' quotes in it unless a " is around: "${X:-it's}" */
	if (byte == '"' || (byte == '\'' && !is_in_double_quotes(lexer))) {
		push(lexer, byte == '"' ? SHELL_DOUBLE : SHELL_SINGLE);
		return at + 1;
	}
	return byte == '}' ? step_until(lexer, text, at, '}', false) : step_expanding(lexer, text, at);
}

size_t shell_step(struct shell_lexer *lexer, struct str text, size_t at)
{
	switch (top(lexer)) {
	case SHELL_COMMAND:
	case SHELL_SUBSTITUTION:
		return step_command(lexer, text, at);
	case SHELL_DOUBLE:
		return text.data[at] == '"' ? step_until(lexer, text, at, '"', false)
					    : step_expanding(lexer, text, at);
	case SHELL_PARAMETER:
		return step_parameter(lexer, text, at);
	case SHELL_SINGLE:
		return step_until(lexer, text, at, '\'', false);
	case SHELL_ESCAPES:
		return step_until(lexer, text, at, '\'', true);
	case SHELL_BACKQUOTE:
		return step_until(lexer, text, at, '`', true);
	case SHELL_ARITHMETIC:
		return step_arithmetic(lexer, text, at);
	case SHELL_COMMENT:
		if (text.data[at] != '\n')
			return at + 1;
		pop(lexer);
		return read_line_end(lexer, text, at);
	case SHELL_HEREDOC:
	case SHELL_HEREDOC_LITERAL:
		return step_heredoc(lexer, text, at);
	}
	return at + 1;
}

void shell_pass_value(struct shell_lexer *lexer)
{
	if (top(lexer) < SHELL_COMMENT)
		take_text(lexer);
}

enum fill_place shell_place(const struct shell_lexer *lexer)
{
	static const enum fill_place places[] = {
		[SHELL_COMMAND] = FILL_BARE,
		[SHELL_SUBSTITUTION] = FILL_BARE,
		[SHELL_DOUBLE] = FILL_DOUBLE_QUOTED,
		[SHELL_SINGLE] = FILL_SINGLE_QUOTED,
		[SHELL_ESCAPES] = FILL_STRICT,
		[SHELL_BACKQUOTE] = FILL_STRICT,
		[SHELL_PARAMETER] = FILL_STRICT,
		[SHELL_ARITHMETIC] = FILL_NUMBER,
		[SHELL_COMMENT] = FILL_COMMENT,
		[SHELL_HEREDOC] = FILL_HEREDOC,
		[SHELL_HEREDOC_LITERAL] = FILL_HEREDOC_LITERAL,
	};

	for (size_t i = 0; i < lexer->depth; i++) {
		if (places[lexer->stack[i]] >= FILL_STRICT)
			return places[lexer->stack[i]] == FILL_NUMBER ? FILL_NUMBER : FILL_STRICT;
	}
	return lexer->lost ? FILL_STRICT : places[top(lexer)];
}

bool shell_expands(const struct shell_lexer *lexer)
{
	enum shell_state state = top(lexer);

	return state != SHELL_SINGLE && state != SHELL_ESCAPES && state != SHELL_COMMENT &&
	       state != SHELL_HEREDOC_LITERAL;
}

bool shell_is_complete(const struct shell_lexer *lexer)
{
	return !lexer->lost && lexer->depth == 1 && lexer->heredoc_count == 0;
}

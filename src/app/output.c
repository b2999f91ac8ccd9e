#include "app/output.h"

#include "base/utf8.h"
#include "ui/layout.h"

#include <errno.h>
#include <langinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* SGR parameters. The same few roles as the browser has; never colour alone carries a meaning. */
static const char *const style_codes[OUTPUT_STYLE_COUNT] = {
	[OUTPUT_HEADING] = "1", [OUTPUT_ID] = "1;36", [OUTPUT_CODE] = "35", [OUTPUT_COMMAND] = "36",
	[OUTPUT_DIM] = "2",     [OUTPUT_OK] = "32",   [OUTPUT_WARN] = "33", [OUTPUT_FAIL] = "31",
};

enum { DEFAULT_WIDTH = 80, WIDEST = 90, NARROWEST = 20, UNWRAPPED = 30000 };

/* Of a message that is longer, so many bytes of its beginning and its end are shown. */
enum { MESSAGE_HEAD = 600, MESSAGE_TAIL = 300 };

static void measure_terminal(struct output *output)
{
	struct winsize size;

	output->rows = 24;
	output->width = DEFAULT_WIDTH;
	if (ioctl(output->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		output->width = size.ws_col;
		output->rows = size.ws_row;
	}
	if (output->width > WIDEST)
		output->width = WIDEST;
}

static bool wants_color(const struct options *options)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return !options->given[OPTION_NO_COLOR] && !(no_color && *no_color) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

void output_open(struct output *output, const struct options *options)
{
	output_open_on(output, options, STDOUT_FILENO);
}

void output_open_on(struct output *output, const struct options *options, int fd)
{
	*output = (struct output){.fd = fd, .terminal = isatty(fd), .lang = options->lang};
	output->ascii = options->given[OPTION_ASCII] || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	output->width = SIZE_MAX;
	if (options->given[OPTION_PLAIN])
		return;
	output->color = output->terminal && wants_color(options);
	if (output->terminal)
		measure_terminal(output);
	else
		output->width = DEFAULT_WIDTH;
}

static void begin(struct output *output, enum output_style style)
{
	if (output->color && style_codes[style])
		buf_add_format(&output->text, "\033[%sm", style_codes[style]);
}

static void end(struct output *output, enum output_style style)
{
	if (output->color && style_codes[style])
		buf_add(&output->text, STR("\033[0m"));
}

void output_text(struct output *output, enum output_style style, struct str text)
{
	begin(output, style);
	utf8_add_printable(&output->text, text, false);
	end(output, style);
}

void output_format(struct output *output, enum output_style style, const char *format, ...)
{
	struct buf text = {0};
	va_list arguments;

	va_start(arguments, format);
	buf_add_format_list(&text, format, arguments);
	va_end(arguments);
	output_text(output, style, buf_str(&text));
	buf_release(&text);
}

/* Write all of it. SIGPIPE has its default action, so that a closed pipe ends the process quietly. */
static bool write_all(int fd, struct str text)
{
	while (text.size) {
		ssize_t written = write(fd, text.data, text.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		text = str_slice(text, (size_t)written, text.size);
	}
	return true;
}

/* The start of the character that holds the byte at `at`, of printable text. */
static size_t character_start(struct str text, size_t at)
{
	while (at > 0 && ((unsigned char)text.data[at] & 0xC0) == 0x80)
		at--;
	return at;
}

void output_message(struct str text)
{
	struct buf shown = {0}, line = {0};

	utf8_add_printable(&shown, text, false);
	for (size_t i = 0; i < shown.size; i++)
		shown.data[i] = shown.data[i] == '\n' || shown.data[i] == '\t' ? ' ' : shown.data[i];
	text = buf_str(&shown);
	if (text.size > MESSAGE_HEAD + MESSAGE_TAIL) {
		buf_add(&line, str_slice(text, 0, character_start(text, MESSAGE_HEAD)));
		buf_add(&line, STR(" … "));
		text = str_slice(text, character_start(text, text.size - MESSAGE_TAIL), text.size);
	}
	buf_add(&line, text);
	buf_add_byte(&line, '\n');
	write_all(STDERR_FILENO, buf_str(&line));
	buf_release(&line);
	buf_release(&shown);
}

void output_tell_lost(enum lang lang)
{
	struct buf text = {0};

	if (errno == EPIPE)
		return;
	buf_add_format(&text, "ascend-faq: %s: %s",
		       lang == LANG_ZH ? "无法写标准输出" : "cannot write standard output", strerror(errno));
	output_message(buf_str(&text));
	buf_release(&text);
}

static size_t line_count(struct str text)
{
	size_t lines = 0;

	for (size_t i = 0; i < text.size; i++)
		lines += text.data[i] == '\n';
	return lines;
}

/* As git does: $PAGER, else less; "cat" and the empty string are none. The text is the pager's input. */
static bool write_paged(struct str text)
{
	const char *pager = getenv("PAGER");
	int ends[2];
	pid_t child;

	if (!pager)
		pager = "less";
	if (!*pager || strcmp(pager, "cat") == 0 || pipe(ends) != 0)
		return write_all(STDOUT_FILENO, text);
	child = fork();
	if (child < 0) {
		close(ends[0]);
		close(ends[1]);
		return write_all(STDOUT_FILENO, text);
	}
	if (child == 0) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[0]);
		close(ends[1]);
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	}
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	write_all(ends[1], text);
	close(ends[1]);

	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	/* No pager of that name: the text must not be lost. */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return write_all(STDOUT_FILENO, text);
	return true;
}

bool output_close(struct output *output)
{
	struct str text = buf_str(&output->text);
	bool paged = output->page && output->terminal && output->width != SIZE_MAX &&
		     line_count(text) + 1 > output->rows;
	bool good = paged ? write_paged(text) : write_all(output->fd, text);

	if (!good && output->fd == STDOUT_FILENO)
		output_tell_lost(output->lang);
	buf_release(&output->text);
	return good;
}

static enum output_style run_style(enum output_style normal, uint8_t style)
{
	if (style == STYLE_COMMAND)
		return OUTPUT_COMMAND;
	return normal;
}

void output_wrapped(struct output *output, enum output_style style, size_t indent, size_t first,
		    struct str text)
{
	struct layout layout = {0};
	struct layout_format format = {.item = LAYOUT_NO_ITEM, .style = STYLE_TEXT};
	size_t room = output->width == SIZE_MAX ? UNWRAPPED : output->width;

	layout_clear(&layout, (int)(room > indent + NARROWEST ? room - indent : NARROWEST));
	layout_prose(&layout, &format, text);
	for (size_t i = 0; i < layout.lines.count; i++) {
		const struct layout_line *line = &layout.lines.items[i];
		size_t used = i == 0 ? first : 0;

		if (line->run_count)
			buf_add_repeated(&output->text, ' ',
					 indent + line->indent > used ? indent + line->indent - used : 0);
		for (size_t r = line->run; r < line->run + line->run_count; r++) {
			const struct layout_run *run = &layout.runs.items[r];

			output_text(output, run_style(style, run->style),
				    str_slice(buf_str(&layout.text), run->start, run->start + run->size));
		}
		buf_add_byte(&output->text, '\n');
	}
	layout_release(&layout);
}

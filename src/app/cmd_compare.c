/* ascend-faq compare: results of `probe --json` that were gathered by hand. */
#include "app/app.h"
#include "app/compare_out.h"
#include "app/json_out.h"
#include "plat/fs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 30 };

/* What stands for a node that does not say its name: "logs/node07.json" is node07. */
static struct str name_of(struct str path)
{
	size_t from = path.size;

	while (from && path.data[from - 1] != '/')
		from--;
	path = str_slice(path, from, path.size);
	if (str_ends(path, STR(".json")) && path.size > 5)
		path.size -= 5;
	return path;
}

/* One document a line: the first line is whole by itself. */
static bool has_lines(struct str text)
{
	struct str first = str_trim(str_slice(text, 0, str_find_byte(text, '\n')));

	return first.size > 1 && first.data[0] == '{' && first.data[first.size - 1] == '}';
}

static void take_lines(struct compare_input *input, struct str text, struct str path)
{
	struct str line;

	for (size_t number = 1; str_next(&text, '\n', &line); number++) {
		struct buf name = {0};

		line = str_trim(line);
		if (!line.size)
			continue;
		buf_add(&name, name_of(path));
		buf_add_format(&name, ":%zu", number);
		compare_add(input, line, buf_str(&name), false);
		buf_release(&name);
	}
}

static bool read_input(struct buf *text, struct buf *error)
{
	char part[65536];
	ssize_t size;

	while ((size = read(STDIN_FILENO, part, sizeof(part))) != 0) {
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0 || text->size > FILE_LIMIT) {
			buf_add_format(error, "-: %s", size < 0 ? strerror(errno) : "too large");
			return false;
		}
		buf_add_bytes(text, part, (size_t)size);
	}
	return true;
}

static bool take_file(struct app *app, struct compare_input *input, struct str path)
{
	struct buf name = {0}, text = {0}, error = {0};
	bool good;

	buf_add(&name, path);
	good = str_equal(path, STR("-")) ? read_input(&text, &error)
					 : fs_read_file(buf_c_string(&name), FILE_LIMIT, &text, &error);
	if (!good)
		app_fault(app, "compare：%.*s", "compare: %.*s", STR_ARG(buf_str(&error)));
	else if (has_lines(buf_str(&text)))
		take_lines(input, buf_str(&text), path);
	else
		compare_add(input, buf_str(&text), name_of(path), false);
	buf_release(&name);
	buf_release(&text);
	buf_release(&error);
	return good;
}

int cmd_compare(struct app *app)
{
	struct compare_input *input = compare_new(app_kb(app));
	const struct compare *result;
	struct output output;
	int status = EXIT_FOUND;

	for (size_t i = 0; i < app_operand_count(app); i++)
		if (!take_file(app, input, app_operand(app, i)))
			status = EXIT_FAULT;
	result = compare_finish(input);
	if (status == EXIT_FOUND)
		status = result->read_count ? compare_status(result) : EXIT_FAULT;
	if (app->options.given[OPTION_JSON]) {
		status = json_print(app, compare_to_json(app, result), status);
	} else {
		output_open(&output, &app->options);
		output.page = true;
		compare_print(app, &output, result);
		if (!output_close(&output))
			status = EXIT_FAULT;
	}
	compare_free(input);
	return status;
}

/* ascend-faq redact: standard input or a file to standard output, without private data. */
#include "app/redaction.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	PIECE_SIZE = 256 * 1024,
	IDLE_MS = 200 /* a pipe that pauses for so long: what is whole is given out */
};

static bool write_out(struct buf *out)
{
	struct str text = buf_str(out);

	while (text.size) {
		ssize_t written = write(STDOUT_FILENO, text.data, text.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		text = str_slice(text, (size_t)written, text.size);
	}
	buf_clear(out);
	return true;
}

static bool is_idle(int fd)
{
	struct pollfd waiting = {.fd = fd, .events = POLLIN};

	return poll(&waiting, 1, IDLE_MS) == 0;
}

enum end { END_WELL, END_READ, END_WRITE };

static enum end pass(struct redact *redact, int fd)
{
	char *piece = alloc_bytes(PIECE_SIZE);
	struct buf out = {0};
	enum end end = END_WELL;
	ssize_t size = 0;

	do {
		if (is_idle(fd))
			redact_flush(redact, &out);
		if (out.size && !write_out(&out)) {
			end = END_WRITE;
			break;
		}
		size = read(fd, piece, PIECE_SIZE);
		if (size > 0)
			redact_feed(redact, piece, (size_t)size, &out);
	} while (size > 0 || (size < 0 && errno == EINTR));
	if (size < 0 && end == END_WELL)
		end = END_READ;
	redact_finish(redact, &out);
	if (end != END_WRITE && !write_out(&out))
		end = END_WRITE;
	buf_release(&out);
	free(piece);
	return end;
}

static int open_input(const struct app *app, const char *path)
{
	struct stat status;
	int fd = STDIN_FILENO;

	if (strcmp(path, "-") != 0)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
		app_fault(app, "%s：是目录，请给出文件", "%s: is a folder, name a file", path);
		return -1;
	}
	if (fd < 0)
		app_fault(app, "%s：%s", "%s: %s", path, strerror(errno));
	return fd;
}

int cmd_redact(struct app *app)
{
	const char *path = app_operand_count(app) ? app_operand(app, 0).data : "-";
	const char *map = app->options.argument[OPTION_MAP];
	struct redact *redact = redaction_new(app);
	int fd = redact ? open_input(app, path) : -1;
	int status = EXIT_FOUND;

	if (fd < 0) {
		redact_free(redact);
		return EXIT_FAULT;
	}
	if (fd == STDIN_FILENO && isatty(fd))
		app_warn(app, "读取标准输入；粘贴文本后按 Ctrl-D 结束",
			 "reading standard input; paste the text, then press Ctrl-D");
	switch (pass(redact, fd)) {
	case END_READ:
		status = app_fault(app, "%s：%s", "%s: %s", path, strerror(errno));
		break;
	case END_WRITE:
		status = app_fault(app, "无法写标准输出：%s", "cannot write standard output: %s",
				   strerror(errno));
		break;
	case END_WELL:
		break;
	}
	if (app->options.given[OPTION_EXPLAIN])
		redaction_explain(app, redact);
	if (app->options.given[OPTION_MAP] && !redaction_write_map(app, redact, map, NULL))
		status = EXIT_FAULT;
	redact_free(redact);
	return status;
}

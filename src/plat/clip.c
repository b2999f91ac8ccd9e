#include "plat/clip.h"

#include "base/alloc.h"
#include "plat/fs.h"
#include "plat/loop.h"
#include "plat/signal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HIGHEST_FD = 256 };

/* The command of each way that is one; it reads the text from its standard input. */
static const struct {
	const char *name;
	const char *const argv[6];
} ways[] = {
	[CLIP_TMUX] = {"tmux", {"tmux", "load-buffer", "-w", "-", NULL}},
	[CLIP_TMUX_BUFFER] = {"tmux", {"tmux", "load-buffer", "-", NULL}},
	[CLIP_OSC52] = {"OSC 52", {NULL}},
	[CLIP_WL_COPY] = {"wl-copy", {"wl-copy", NULL}},
	[CLIP_XCLIP] = {"xclip", {"xclip", "-in", "-selection", "clipboard", NULL}},
	[CLIP_XSEL] = {"xsel", {"xsel", "--input", "--clipboard", NULL}},
	[CLIP_FILE] = {"file", {NULL}},
	[CLIP_NONE] = {"", {NULL}},
};

/* Terminals (beginnings of TERM) that have no OSC 52 and may print it. */
static const char *const without_osc52[] = {"dumb", "linux", "vt", "cons", "ansi", "sun", "wy", "unknown"};

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0];
}

void clip_environment_read(struct clip_environment *environment)
{
	*environment = (struct clip_environment){
		.tmux = is_set("TMUX"),
		.screen = is_set("STY"),
		.wayland = is_set("WAYLAND_DISPLAY"),
		.x11 = is_set("DISPLAY"),
		.remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY"),
		.terminal = getenv("TERM"),
	};
}

static bool may_have_osc52(const struct clip_environment *environment, size_t text_size)
{
	if (text_size / 3 * 4 + 4 > CLIP_OSC52_LIMIT)
		return false;
	if (!environment->terminal || !environment->terminal[0])
		return false;
	for (size_t i = 0; i < sizeof(without_osc52) / sizeof(without_osc52[0]); i++)
		if (strncmp(environment->terminal, without_osc52[i], strlen(without_osc52[i])) == 0)
			return false;
	return true;
}

size_t clip_ways(const struct clip_environment *environment, size_t text_size,
		 enum clip_way out[CLIP_WAY_COUNT])
{
	bool osc52 = may_have_osc52(environment, text_size);
	size_t count = 0;

	if (environment->tmux) {
		out[count++] = CLIP_TMUX;
		out[count++] = CLIP_TMUX_BUFFER;
		osc52 = false; /* a default tmux drops it in silence: that would be no way, but a false
				  message */
	}
	if (environment->remote && osc52)
		out[count++] = CLIP_OSC52;
	if (environment->wayland)
		out[count++] = CLIP_WL_COPY;
	if (environment->x11) {
		out[count++] = CLIP_XCLIP;
		out[count++] = CLIP_XSEL;
	}
	if (!environment->remote && osc52)
		out[count++] = CLIP_OSC52;
	out[count++] = CLIP_FILE;
	return count;
}

static void add_base64(struct buf *out, struct str text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < text.size; i += 3) {
		size_t left = text.size - i;
		uint32_t group = (uint32_t)(unsigned char)text.data[i] << 16;

		if (left > 1)
			group |= (uint32_t)(unsigned char)text.data[i + 1] << 8;
		if (left > 2)
			group |= (unsigned char)text.data[i + 2];
		buf_add_byte(out, digits[group >> 18]);
		buf_add_byte(out, digits[group >> 12 & 63]);
		buf_add_byte(out, left > 1 ? digits[group >> 6 & 63] : '=');
		buf_add_byte(out, left > 2 ? digits[group & 63] : '=');
	}
}

void clip_add_osc52(struct buf *out, struct str text, bool in_screen)
{
	struct buf base64 = {0};

	add_base64(&base64, text);
	if (!in_screen) {
		buf_add_format(out, "\033]52;c;%s\033\\", buf_c_string(&base64));
	} else {
		/* Within, BEL ends it: an ST there would be screen's. */
		buf_add(out, STR("\033P\033]52;c;"));
		for (size_t at = 0; at < base64.size; at += CLIP_SCREEN_PIECE) {
			if (at > 0)
				buf_add(out, STR("\033\\\033P"));
			buf_add(out, str_slice(buf_str(&base64), at, at + CLIP_SCREEN_PIECE));
		}
		buf_add(out, STR("\a\033\\"));
	}
	buf_release(&base64);
}

const char *clip_way_name(enum clip_way way)
{
	return ways[way].name;
}

/* The text as a file without a name, to be a child's standard input: then nobody has to wait for a pipe. */
static int text_as_file(struct str text)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);
	size_t at = 0;

	while (fd >= 0 && at < text.size) {
		ssize_t put = write(fd, text.data + at, text.size - at);

		if (put > 0) {
			at += (size_t)put;
		} else if (put == 0 || errno != EINTR) {
			close(fd);
			fd = -1;
		}
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

/* In the child. Does not return. */
static void become_tool(const char *const *argv, int input)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	setsid(); /* it outlives us and our terminal */
	signal_reset_in_child();
	if (null < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(126);
	/* It must hold nothing open for as long as it lives: somebody may wait for the end of a pipe of ours.
	 */
	for (int fd = 3; fd < HIGHEST_FD; fd++)
		close(fd);
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

static bool start_tool(struct clip *clip, enum clip_way way)
{
	int input = text_as_file(buf_str(&clip->text));

	if (input < 0)
		return false;
	clip->child = fork();
	if (clip->child == 0)
		become_tool(ways[way].argv, input);
	close(input);
	if (clip->child < 0) {
		clip->child = 0;
		return false;
	}
	clip->deadline_ms = loop_now_ms() + CLIP_TIMEOUT_MS;
	return true;
}

static bool write_to_file(struct clip *clip)
{
	struct buf folder = {0};
	bool ok = false;

	if (clip->file.size && fs_write_file(buf_c_string(&clip->file), buf_str(&clip->text), NULL)) {
		buf_add(&clip->path, buf_str(&clip->file));
		return true;
	}
	fs_temporary_folder(&folder);
	ok = fs_write_new_file(buf_c_string(&folder), "copied-", buf_str(&clip->text), &clip->path,
			       &clip->error);
	buf_release(&folder);
	return ok;
}

/* Its session's leader by now, or not yet. */
static void kill_tool(pid_t child)
{
	int status;

	kill(-child, SIGKILL);
	kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
}

static bool finish(struct clip *clip, enum clip_way way, bool confirmed)
{
	clip->way = way;
	clip->confirmed = confirmed;
	clip->next = clip->count;
	return true;
}

/* Try ways until one is under way (false) or all is over (true). */
static bool try_next(struct clip *clip)
{
	while (clip->next < clip->count) {
		enum clip_way way = clip->ways[clip->next++];

		if (way == CLIP_OSC52) {
			clip_add_osc52(&clip->terminal, buf_str(&clip->text), clip->in_screen);
			return finish(clip, way, false);
		}
		if (way == CLIP_FILE) {
			if (write_to_file(clip))
				return finish(clip, way, true);
		} else if (start_tool(clip, way)) {
			return false;
		}
	}
	return finish(clip, CLIP_NONE, false);
}

bool clip_start(struct clip *clip, struct str text, const struct clip_environment *environment,
		const char *file)
{
	*clip = (struct clip){.in_screen = environment->screen && !environment->tmux};
	buf_add(&clip->text, text);
	if (file)
		buf_add(&clip->file, str_of(file));
	clip->count = clip_ways(environment, text.size, clip->ways);
	return try_next(clip);
}

bool clip_advance(struct clip *clip)
{
	int status;
	pid_t ended;

	if (clip->child == 0)
		return true;
	ended = waitpid(clip->child, &status, WNOHANG);
	if (ended == 0) {
		if (loop_now_ms() < clip->deadline_ms)
			return false;
		kill_tool(clip->child);
	}
	clip->child = 0;
	if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return finish(clip, clip->ways[clip->next - 1], true);
	return try_next(clip);
}

uint64_t clip_deadline_ms(const struct clip *clip)
{
	return clip->child ? clip->deadline_ms : UINT64_MAX;
}

void clip_release(struct clip *clip)
{
	if (clip->child)
		kill_tool(clip->child);
	buf_release(&clip->terminal);
	buf_release(&clip->path);
	buf_release(&clip->error);
	buf_release(&clip->text);
	buf_release(&clip->file);
	*clip = (struct clip){0};
}

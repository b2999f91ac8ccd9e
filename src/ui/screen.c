#include "ui/screen.h"

#include "base/utf8.h"
#include "ui/decode.h"
#include "ui/paint.h"
#include "ui/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
	READ_STEP = 4096,
	READ_AT_ONCE = 1024 * 1024, /* then events get their turn: a paste may go on for ever */
	CLOSE_MS = 500              /* for a terminal that takes its time to take the last bytes */
};

struct screen {
	int fd;
	enum { LEFT, ENTERED, PLAIN } state;
	bool gone;
	bool mouse;
	struct termios found; /* the line discipline as it was */
	struct terminal terminal;
	struct painter *painter;
	struct decoder *decoder;
	struct buf out; /* what the terminal has not taken yet */
	size_t sent;    /* of it */
};

/* What a dying program needs in order to put the terminal back; no allocation, no pointer into a screen. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios found;
	char leave[512];
	size_t leave_size;
} emergency = {.fd = -1};

static const int fatal_signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

static void restore_now(void)
{
	if (!emergency.armed)
		return;
	emergency.armed = 0;
	if (write(emergency.fd, emergency.leave, emergency.leave_size) < 0) {
	}
	tcsetattr(emergency.fd, TCSANOW, &emergency.found);
}

static void die(int number)
{
	restore_now();
	raise(number); /* SA_RESETHAND: with its default action */
}

/* A sanitizer's or a debugger's own handlers stay. */
static void catch_fatal_signals(void)
{
	struct sigaction action = {.sa_handler = die, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
	struct sigaction now;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		if (sigaction(fatal_signals[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(fatal_signals[i], &action, NULL);
	alloc_on_exhaustion(restore_now);
}

static void arm_emergency(const struct screen *screen)
{
	size_t size = strlen(screen->terminal.leave);

	if (size >= sizeof(emergency.leave))
		return;
	memcpy(emergency.leave, screen->terminal.leave, size);
	emergency.leave_size = size;
	emergency.found = screen->found;
	emergency.fd = screen->fd;
	emergency.armed = 1;
}

/* The terminal in a file description of its own; if that cannot be had, the one of standard input. */
static int open_terminal(void)
{
	const char *name;
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		return fd;
	/* No controlling terminal (setsid, some containers), yet standard input is one. */
	name = ttyname(STDIN_FILENO);
	fd = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) : -1;
	if (fd < 0 && isatty(STDIN_FILENO))
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	return fd;
}

/* VTE's number, or a variable that only terminals with OSC 8 set. */
static bool environment_names_modern_terminal(void)
{
	const char *vte = getenv("VTE_VERSION");

	return (vte && atoi(vte) >= 5000) || getenv("WT_SESSION") || getenv("KONSOLE_VERSION") ||
	       getenv("KITTY_WINDOW_ID") || getenv("DOMTERM");
}

static bool load_terminal(struct screen *screen, const struct screen_options *options)
{
	const char *program = getenv("TERM_PROGRAM"), *version = getenv("TERM_PROGRAM_VERSION");
	struct terminal_wishes wishes = {
		.name = getenv("TERM"),
		.no_colour = options->no_colour,
		.ascii = options->ascii,
		.modern_hint = environment_names_modern_terminal(),
	};
	struct buf both = {0};
	bool ok;

	if (program) {
		buf_add_format(&both, "%s %s", program, version ? version : "");
		wishes.program = buf_c_string(&both);
	}
	ok = terminal_load(&screen->terminal, &wishes);
	buf_release(&both);
	return ok;
}

struct screen *screen_open(const struct screen_options *options, struct buf *error)
{
	struct screen *screen = alloc_zeroed(1, sizeof(*screen));

	screen->fd = open_terminal();
	if (screen->fd < 0) {
		buf_add_format(error, "there is no terminal (%s)", strerror(errno));
		goto fail;
	}
	if (tcgetattr(screen->fd, &screen->found) < 0) {
		buf_add_format(error, "the terminal does not answer (%s)", strerror(errno));
		goto fail;
	}
	if (!load_terminal(screen, options)) {
		const char *name = getenv("TERM");

		buf_add_format(error, "this terminal cannot show pictures (TERM=%s)", name ? name : "");
		goto fail;
	}
	screen->painter = paint_new();
	screen->decoder = decode_new();
	terminal_add_keys(&screen->terminal, screen->decoder);
	screen->mouse = !options->no_mouse;
	catch_fatal_signals();
	screen_enter(screen);
	return screen;
fail:
	screen_close(screen);
	return NULL;
}

void screen_close(struct screen *screen)
{
	if (!screen)
		return;
	screen_leave(screen);
	if (screen->fd >= 0)
		close(screen->fd);
	emergency.fd = -1;
	paint_free(screen->painter);
	decode_free(screen->decoder);
	terminal_release(&screen->terminal);
	buf_release(&screen->out);
	free(screen);
}

int screen_fd(const struct screen *screen)
{
	return screen->fd;
}

/* LINES and COLUMNS count only where the terminal has no idea of its own (a serial line). */
static int size_from_environment(const char *name, int otherwise)
{
	const char *value = getenv(name);
	int number = value ? atoi(value) : 0;

	return number > 0 && number < 10000 ? number : otherwise;
}

void screen_size(const struct screen *screen, int *rows, int *columns)
{
	struct winsize size = {0};

	*rows = *columns = 0;
	if (ioctl(screen->fd, TIOCGWINSZ, &size) == 0) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	}
	if (*rows <= 0)
		*rows = size_from_environment("LINES", 24);
	if (*columns <= 0)
		*columns = size_from_environment("COLUMNS", 80);
	/* A terminal wider than a canvas should be is a fault, or somebody's joke. */
	if (*rows > 2000)
		*rows = 2000;
	if (*columns > 4000)
		*columns = 4000;
}

bool screen_flush(struct screen *screen)
{
	while (!screen->gone && screen->sent < screen->out.size) {
		ssize_t put =
			write(screen->fd, screen->out.data + screen->sent, screen->out.size - screen->sent);

		if (put >= 0)
			screen->sent += (size_t)put;
		else if (errno == EAGAIN)
			return true;
		else if (errno != EINTR)
			screen->gone = true;
	}
	buf_clear(&screen->out);
	screen->sent = 0;
	return !screen->gone;
}

bool screen_is_behind(const struct screen *screen)
{
	return screen->sent < screen->out.size;
}

void screen_send(struct screen *screen, struct str bytes)
{
	buf_add(&screen->out, bytes);
	screen_flush(screen);
}

void screen_present(struct screen *screen, const struct canvas *canvas)
{
	if (screen->state == ENTERED && !screen_is_behind(screen))
		paint_canvas(screen->painter, &screen->terminal.paint, canvas, &screen->out);
	screen_flush(screen);
}

void screen_redraw(struct screen *screen)
{
	paint_forget(screen->painter);
}

void screen_set_ascii(struct screen *screen, bool ascii)
{
	screen->terminal.paint.ascii = ascii;
}

bool screen_read(struct screen *screen, uint64_t now_ms)
{
	char bytes[READ_STEP];
	size_t all = 0;

	while (all < READ_AT_ONCE) {
		ssize_t got = read(screen->fd, bytes, sizeof(bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return true;
		if (got <= 0) {
			screen->gone = true;
			return false;
		}
		decode_feed(screen->decoder, (struct str){bytes, (size_t)got}, now_ms);
		all += (size_t)got;
		if (!(fcntl(screen->fd, F_GETFL) & O_NONBLOCK))
			return true;
	}
	return true;
}

bool screen_next(struct screen *screen, uint64_t now_ms, struct event *event)
{
	return decode_next(screen->decoder, now_ms, event);
}

uint64_t screen_deadline(const struct screen *screen)
{
	return decode_deadline(screen->decoder);
}

void screen_mouse(struct screen *screen, bool on)
{
	screen->mouse = on;
	if (screen->state == ENTERED)
		screen_send(screen, str_of(on ? screen->terminal.mouse_on : screen->terminal.mouse_off));
}

static void make_raw(struct screen *screen)
{
	struct termios raw = screen->found;

	raw.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	/* No ISIG: Ctrl-C, Ctrl-Z and Ctrl-\ are keys, so that an input line can have them. */
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	raw.c_cflag = (raw.c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	tcsetattr(screen->fd, TCSANOW, &raw); /* what was typed ahead is kept */
}

void screen_enter(struct screen *screen)
{
	struct termios now;

	if (screen->gone)
		return;
	if (screen->state == PLAIN)
		screen_leave(screen);
	if (screen->state == LEFT) {
		if (tcgetattr(screen->fd, &now) == 0)
			screen->found = now;
		buf_add(&screen->out, str_of(screen->terminal.enter));
	}
	/*
	 * Already entered: somebody stopped us with SIGSTOP, and the shell has used the terminal since. The
	 * alternate screen is still there, the modes may not be.
	 */
	make_raw(screen);
	screen->state = ENTERED;
	arm_emergency(screen);
	screen_redraw(screen);
	buf_add(&screen->out, str_of(screen->terminal.modes));
	if (screen->mouse)
		buf_add(&screen->out, str_of(screen->terminal.mouse_on));
	screen_flush(screen);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Send all that waits; give up on a terminal that is stopped or gone. */
static void flush_patiently(struct screen *screen)
{
	int64_t until = now_ms() + CLOSE_MS;

	while (screen_flush(screen) && screen_is_behind(screen)) {
		struct pollfd wait = {.fd = screen->fd, .events = POLLOUT};
		int64_t left = until - now_ms();

		if (left <= 0 || (poll(&wait, 1, (int)left) < 0 && errno != EINTR))
			return;
	}
}

/* What must be sent to give the screen back. */
static void add_farewell(struct screen *screen)
{
	const struct paint_terminal *paint = &screen->terminal.paint;
	int rows, columns;

	if (!screen->terminal.alternate) {
		/* The shell goes on below the picture. */
		screen_size(screen, &rows, &columns);
		buf_add(&screen->out, str_of(paint->style[STYLE_TEXT]));
		paint->move(paint, &screen->out, rows - 1, 0);
		buf_add(&screen->out, str_of(paint->clear_line_end));
	}
	buf_add(&screen->out, str_of(screen->terminal.leave));
}

void screen_leave(struct screen *screen)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, former;

	if (screen->state == LEFT)
		return;
	/* From the background the terminal can be put back only with SIGTTOU out of the way. */
	sigemptyset(&ignore.sa_mask);
	sigaction(SIGTTOU, &ignore, &former);
	if (screen->state == ENTERED)
		add_farewell(screen);
	else
		buf_add(&screen->out, STR("\n"));
	flush_patiently(screen);
	buf_clear(&screen->out);
	screen->sent = 0;
	emergency.armed = 0;
	screen->state = LEFT;
	/* TCSANOW, not TCSAFLUSH: that waits until a terminal that may be stopped has shown everything. */
	tcsetattr(screen->fd, TCSANOW, &screen->found);
	tcflush(screen->fd, TCIFLUSH);
	sigaction(SIGTTOU, &former, NULL);
}

void screen_show_plain(struct screen *screen, struct str text, struct str prompt)
{
	struct termios keys;

	screen_leave(screen);
	buf_add(&screen->out, STR("\n"));
	utf8_add_printable(&screen->out, text, screen->terminal.paint.ascii);
	buf_add_format(&screen->out, "%s\n%.*s", str_ends(text, STR("\n")) ? "" : "\n", STR_ARG(prompt));
	/* A key at once, without its echo; Ctrl-C is a key as well: it is what many press to copy. */
	keys = screen->found;
	keys.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	tcsetattr(screen->fd, TCSANOW, &keys);
	screen->state = PLAIN;
	flush_patiently(screen);
}

bool screen_is_plain(const struct screen *screen)
{
	return screen->state == PLAIN;
}

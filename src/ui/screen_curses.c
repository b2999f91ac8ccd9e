/* Terminfo. The only file that includes ncurses. */
#include "ui/look.h"
#include "ui/terminal.h"

#include <ncurses.h>
#include <stdio.h>
#include <string.h>
#include <term.h>

/* term.h has macros with everyday names. */
#undef columns
#undef lines

/* Names of terminals (beginnings) that report the mouse and mark what is pasted, whatever terminfo says. */
static const char *const modern_names[] = {"xterm", "screen",  "tmux",    "rxvt",    "kitty",   "alacritty",
					   "foot",  "wezterm", "ghostty", "contour", "konsole", "gnome",
					   "vte",   "putty",   "st-",     "iterm",   "mintty"};

/* Of these, the ones that also understand OSC 8, or are known to ignore it. */
static const char *const hyperlink_names[] = {"xterm-kitty", "xterm-ghostty", "kitty",  "alacritty",
					      "foot",        "wezterm",       "contour"};
static const char *const hyperlink_programs[] = {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"};

static bool begins_with_one_of(const char *name, const char *const *beginnings, size_t count)
{
	for (size_t i = 0; name && i < count; i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

#define BEGINS_WITH_ONE_OF(name, list) begins_with_one_of(name, list, sizeof(list) / sizeof((list)[0]))

/*
 * A capability without its padding marks ($<5>): no terminal in use needs the delays. "" when there is none.
 * Without terminfo (`built_in`) the value given here counts.
 */
static const char *capability(struct terminal *terminal, bool built_in, const char *name,
			      const char *otherwise)
{
	const char *value = built_in ? otherwise : tigetstr((char *)name);
	struct buf plain = {0};
	const char *kept;

	if (!value || value == (const char *)-1)
		return "";
	while (*value) {
		const char *end = value[0] == '$' && value[1] == '<' ? strchr(value, '>') : NULL;

		if (end)
			value = end + 1;
		else
			buf_add_byte(&plain, *value++);
	}
	kept = arena_c_string(&terminal->arena, buf_str(&plain));
	buf_release(&plain);
	return kept;
}

static void add_capability(struct terminal *terminal, bool built_in, struct buf *out, const char *name,
			   const char *otherwise)
{
	buf_add(out, str_of(capability(terminal, built_in, name, otherwise)));
}

static void move_ecma48(const struct paint_terminal *terminal, struct buf *out, int row, int column)
{
	(void)terminal;
	buf_add_format(out, "\033[%d;%dH", row + 1, column + 1);
}

static void move_terminfo(const struct paint_terminal *terminal, struct buf *out, int row, int column)
{
	const char *bytes = tiparm(terminal->move_format, row, column);

	if (bytes)
		buf_add(out, str_of(bytes));
}

static void add_colour(struct buf *out, const char *format, int colour)
{
	const char *bytes = colour == LOOK_DEFAULT || !format[0] ? NULL : tiparm(format, colour);

	if (bytes)
		buf_add(out, str_of(bytes));
}

/* The bytes of every style: all attributes off, then those of its look. */
static void make_styles(struct terminal *terminal, bool built_in)
{
	static const struct {
		unsigned attribute;
		const char *name, *otherwise;
	} attributes[] = {
		{LOOK_BOLD, "bold", "\033[1m"},
		{LOOK_DIM, "dim", "\033[2m"},
		{LOOK_UNDERLINE, "smul", "\033[4m"},
		{LOOK_REVERSE, "rev", "\033[7m"},
	};
	const char *reset = capability(terminal, built_in, "sgr0", "\033[m");
	const char *foreground = capability(terminal, built_in, "setaf",
					    terminal->colours >= 256 ? "\033[38;5;%p1%dm" : "\033[3%p1%dm");
	const char *background = capability(terminal, built_in, "setab",
					    terminal->colours >= 256 ? "\033[48;5;%p1%dm" : "\033[4%p1%dm");

	for (int style = 0; style < STYLE_COUNT; style++) {
		struct look look = look_of((enum style)style, terminal->colours);
		struct buf bytes = {0};

		buf_add(&bytes, str_of(reset));
		for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
			if (look.attributes & attributes[i].attribute)
				add_capability(terminal, built_in, &bytes, attributes[i].name,
					       attributes[i].otherwise);
		add_colour(&bytes, foreground, look.foreground);
		add_colour(&bytes, background, look.background);
		terminal->paint.style[style] = arena_c_string(&terminal->arena, buf_str(&bytes));
		buf_release(&bytes);
	}
}

/* What terminfo cannot say: names of ECMA-48 terminals that it does not know. */
static int guessed_colours(const char *name)
{
	if (!name || !name[0] || strncmp(name, "vt", 2) == 0)
		return 0;
	return strstr(name, "256color") || strstr(name, "direct") || BEGINS_WITH_ONE_OF(name, hyperlink_names)
		       ? 256
		       : 8;
}

static bool knows_hyperlinks(const struct terminal_wishes *wishes)
{
	unsigned major, minor;

	if (wishes->ascii)
		return false;
	/* tmux hands them on since 3.4. It stands between us and whatever else the environment names. */
	if (wishes->program && sscanf(wishes->program, "tmux %u.%u", &major, &minor) == 2)
		return major > 3 || (major == 3 && minor >= 4);
	if (wishes->name &&
	    (strncmp(wishes->name, "screen", 6) == 0 || strncmp(wishes->name, "tmux", 4) == 0))
		return false;
	return wishes->modern_hint || BEGINS_WITH_ONE_OF(wishes->name, hyperlink_names) ||
	       BEGINS_WITH_ONE_OF(wishes->program, hyperlink_programs);
}

static void make_modes(struct terminal *terminal, bool built_in)
{
	struct buf modes = {0}, leave = {0};
	const char *enter_alternate = capability(terminal, built_in, "smcup", "\033[?1049h");
	const char *leave_alternate = capability(terminal, built_in, "rmcup", "\033[?1049l");

	terminal->alternate = enter_alternate[0] != '\0';
	add_capability(terminal, built_in, &modes, "smkx", "");
	if (terminal->paste)
		buf_add(&modes, STR("\033[?2004h"));
	/* 1000: presses and the wheel; 1006: as decimal numbers, for terminals wider than 223 columns. */
	terminal->mouse_on = terminal->mouse ? "\033[?1000h\033[?1006h" : "";
	terminal->mouse_off = terminal->mouse ? "\033[?1006l\033[?1000l" : "";

	buf_add(&leave, str_of(terminal->paint.style[STYLE_TEXT]));
	buf_add(&leave, str_of(terminal->mouse_off));
	if (terminal->paste)
		buf_add(&leave, STR("\033[?2004l"));
	add_capability(terminal, built_in, &leave, "rmkx", "");
	buf_add(&leave, str_of(terminal->paint.cursor_on));
	buf_add(&leave, str_of(leave_alternate));
	terminal->enter = enter_alternate;
	terminal->modes = arena_c_string(&terminal->arena, buf_str(&modes));
	terminal->leave = arena_c_string(&terminal->arena, buf_str(&leave));
	buf_release(&modes);
	buf_release(&leave);
}

/* Does terminfo know `name`, and as something that can show a picture? */
static bool has_entry(const char *name)
{
	int status;

	if (!name || !name[0] || setupterm(name, -1, &status) != OK)
		return false;
	/* "unknown", "network" and their like are entries that know nothing. */
	return tigetflag("gn") <= 0;
}

bool terminal_load(struct terminal *terminal, const struct terminal_wishes *wishes)
{
	struct paint_terminal *paint = &terminal->paint;
	bool built_in = !has_entry(wishes->name);
	bool modern = BEGINS_WITH_ONE_OF(wishes->name, modern_names);
	const char *mouse;

	paint->move_format = capability(terminal, built_in, "cup", "\033[%i%p1%d;%p2%dH");
	if (!paint->move_format[0] || (wishes->name && strcmp(wishes->name, "dumb") == 0))
		return false;
	paint->move = strcmp(paint->move_format, "\033[%i%p1%d;%p2%dH") == 0 ? move_ecma48 : move_terminfo;
	terminal->colours = built_in ? guessed_colours(wishes->name) : tigetnum("colors");
	if (wishes->no_colour)
		terminal->colours = 0;
	mouse = capability(terminal, built_in, "kmous", "");
	terminal->mouse = modern || mouse[0];
	terminal->paste = modern;
	make_styles(terminal, built_in);
	paint->clear = capability(terminal, built_in, "clear", "\033[H\033[2J");
	paint->clear_line_end = capability(terminal, built_in, "el", "\033[K");
	paint->cursor_on = capability(terminal, built_in, "cnorm", "\033[?25h");
	paint->cursor_off = capability(terminal, built_in, "civis", "\033[?25l");
	paint->scrolls_at_end = !built_in && tigetflag("am") > 0 && tigetflag("xenl") <= 0;
	paint->hyperlinks = knows_hyperlinks(wishes);
	paint->ascii = wishes->ascii;
	make_modes(terminal, built_in);
	return true;
}

void terminal_release(struct terminal *terminal)
{
	arena_release(&terminal->arena);
	*terminal = (struct terminal){0};
	if (cur_term)
		del_curterm(cur_term);
}

void terminal_add_keys(const struct terminal *terminal, struct decoder *decoder)
{
	static const struct {
		const char *name;
		uint32_t key;
	} keys[] = {
		{"kcuu1", KEY_UP_},     {"kcud1", KEY_DOWN_},    {"kcub1", KEY_LEFT_},
		{"kcuf1", KEY_RIGHT_},  {"khome", KEY_HOME_},    {"kend", KEY_END_},
		{"kpp", KEY_PAGE_UP_},  {"knp", KEY_PAGE_DOWN_}, {"kdch1", KEY_DELETE_},
		{"kich1", KEY_INSERT_}, {"kcbt", KEY_BACK_TAB_}, {"kent", KEY_ENTER_},
		{"kf1", KEY_F1_},       {"kf2", KEY_F1_ + 1},    {"kf3", KEY_F1_ + 2},
		{"kf4", KEY_F1_ + 3},   {"kf5", KEY_F1_ + 4},    {"kf6", KEY_F1_ + 5},
		{"kf7", KEY_F1_ + 6},   {"kf8", KEY_F1_ + 7},    {"kf9", KEY_F1_ + 8},
		{"kf10", KEY_F1_ + 9},  {"kf11", KEY_F1_ + 10},  {"kf12", KEY_F12_},
	};

	(void)terminal;
	for (size_t i = 0; cur_term && i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *bytes = tigetstr((char *)keys[i].name);

		if (bytes && bytes != (const char *)-1)
			decode_add_key(decoder, bytes, keys[i].key);
	}
}

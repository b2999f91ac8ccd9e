/* Terminfo. The only file that includes ncurses. */
#include "ui/known_terminal.h"
#include "ui/look.h"
#include "ui/terminal.h"

#include <ncurses.h>
#include <stdlib.h>
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

static const char *const capability_names[CAPABILITY_COUNT] = {
#define CAPABILITY(name) [CAPABILITY_##name] = #name,
#include "ui/capability.def"
#undef CAPABILITY
};

/* As terminfo has it, or the entry that the program carries. Null: has it not. */
static const char *raw_capability(const struct terminal *terminal, enum capability which)
{
	const char *value;

	if (terminal->unknown)
		return NULL;
	if (terminal->known)
		return terminal->known->strings[which];
	value = tigetstr((char *)capability_names[which]);
	return value == (const char *)-1 ? NULL : value;
}

/*
 * A capability without its padding marks ($<5>): no terminal in use needs the delays. "" when there is none.
 * Of a terminal that nobody knows the value given here counts.
 */
static const char *capability(struct terminal *terminal, enum capability which, const char *otherwise)
{
	const char *value = terminal->unknown ? otherwise : raw_capability(terminal, which);
	struct buf plain = {0};
	const char *kept;

	if (!value)
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

static void add_capability(struct terminal *terminal, struct buf *out, enum capability which,
			   const char *otherwise)
{
	buf_add(out, str_of(capability(terminal, which, otherwise)));
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
static void make_styles(struct terminal *terminal)
{
	static const struct {
		unsigned attribute;
		enum capability capability;
		const char *otherwise;
	} attributes[] = {
		{LOOK_BOLD, CAPABILITY_bold, "\033[1m"},
		{LOOK_DIM, CAPABILITY_dim, "\033[2m"},
		{LOOK_UNDERLINE, CAPABILITY_smul, "\033[4m"},
		{LOOK_REVERSE, CAPABILITY_rev, "\033[7m"},
	};
	const char *reset = capability(terminal, CAPABILITY_sgr0, "\033[m");
	const char *foreground = capability(terminal, CAPABILITY_setaf,
					    terminal->colours >= 256 ? "\033[38;5;%p1%dm" : "\033[3%p1%dm");
	const char *background = capability(terminal, CAPABILITY_setab,
					    terminal->colours >= 256 ? "\033[48;5;%p1%dm" : "\033[4%p1%dm");

	for (int style = 0; style < STYLE_COUNT; style++) {
		struct look look = look_of((enum style)style, terminal->colours);
		struct buf bytes = {0};

		buf_add(&bytes, str_of(reset));
		for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
			if (look.attributes & attributes[i].attribute)
				add_capability(terminal, &bytes, attributes[i].capability,
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
	if (wishes->ascii)
		return false;
	/* tmux hands them on since 3.4. It stands between us and whatever else the environment names. */
	if (wishes->program && strncmp(wishes->program, "tmux ", 5) == 0) {
		char *end;
		unsigned long major = strtoul(wishes->program + 5, &end, 10);
		unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;

		return major > 3 || (major == 3 && minor >= 4);
	}
	if (wishes->name &&
	    (strncmp(wishes->name, "screen", 6) == 0 || strncmp(wishes->name, "tmux", 4) == 0))
		return false;
	return wishes->modern_hint || BEGINS_WITH_ONE_OF(wishes->name, hyperlink_names) ||
	       BEGINS_WITH_ONE_OF(wishes->program, hyperlink_programs);
}

static void make_modes(struct terminal *terminal)
{
	struct buf modes = {0}, leave = {0};
	const char *enter_alternate = capability(terminal, CAPABILITY_smcup, "\033[?1049h");
	const char *leave_alternate = capability(terminal, CAPABILITY_rmcup, "\033[?1049l");

	terminal->alternate = enter_alternate[0] != '\0';
	add_capability(terminal, &modes, CAPABILITY_smkx, "");
	if (terminal->paste)
		buf_add(&modes, STR("\033[?2004h"));
	/* 1000: presses and the wheel; 1006: as decimal numbers, for terminals wider than 223 columns. */
	terminal->mouse_on = terminal->mouse ? "\033[?1000h\033[?1006h" : "";
	terminal->mouse_off = terminal->mouse ? "\033[?1006l\033[?1000l" : "";

	buf_add(&leave, str_of(terminal->paint.style[STYLE_TEXT]));
	buf_add(&leave, str_of(terminal->mouse_off));
	if (terminal->paste)
		buf_add(&leave, STR("\033[?2004l"));
	add_capability(terminal, &leave, CAPABILITY_rmkx, "");
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

static const struct known_terminal *find_known(const char *name)
{
	const struct known_terminal *known = known_terminals;

	while (known->name && (!name || strcmp(known->name, name) != 0))
		known++;
	return known->name ? known : NULL;
}

/* Who tells what it can do: terminfo, else the entry that the program carries, else nobody. */
static void find_source(struct terminal *terminal, const char *name)
{
	if (has_entry(name)) {
		terminal->colours = tigetnum("colors");
		terminal->paint.scrolls_at_end = tigetflag("am") > 0 && tigetflag("xenl") <= 0;
		return;
	}
	terminal->known = find_known(name);
	terminal->unknown = !terminal->known;
	terminal->colours = terminal->known ? terminal->known->colours : guessed_colours(name);
	terminal->paint.scrolls_at_end = terminal->known && terminal->known->scrolls_at_end;
}

bool terminal_load(struct terminal *terminal, const struct terminal_wishes *wishes)
{
	struct paint_terminal *paint = &terminal->paint;
	bool modern = BEGINS_WITH_ONE_OF(wishes->name, modern_names);
	const char *mouse;

	find_source(terminal, wishes->name);
	paint->move_format = capability(terminal, CAPABILITY_cup, "\033[%i%p1%d;%p2%dH");
	if (!paint->move_format[0] || (wishes->name && strcmp(wishes->name, "dumb") == 0))
		return false;
	paint->move = strcmp(paint->move_format, "\033[%i%p1%d;%p2%dH") == 0 ? move_ecma48 : move_terminfo;
	if (wishes->no_colour)
		terminal->colours = 0;
	mouse = capability(terminal, CAPABILITY_kmous, "");
	terminal->mouse = modern || mouse[0];
	terminal->paste = modern;
	make_styles(terminal);
	paint->clear = capability(terminal, CAPABILITY_clear, "\033[H\033[2J");
	paint->clear_line_end = capability(terminal, CAPABILITY_el, "\033[K");
	paint->cursor_on = capability(terminal, CAPABILITY_cnorm, "\033[?25h");
	paint->cursor_off = capability(terminal, CAPABILITY_civis, "\033[?25l");
	paint->hyperlinks = knows_hyperlinks(wishes);
	paint->ascii = wishes->ascii;
	make_modes(terminal);
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
		enum capability capability;
		uint32_t key;
	} keys[] = {
		{CAPABILITY_kcuu1, KEY_UP_},      {CAPABILITY_kcud1, KEY_DOWN_},
		{CAPABILITY_kcub1, KEY_LEFT_},    {CAPABILITY_kcuf1, KEY_RIGHT_},
		{CAPABILITY_khome, KEY_HOME_},    {CAPABILITY_kend, KEY_END_},
		{CAPABILITY_kpp, KEY_PAGE_UP_},   {CAPABILITY_knp, KEY_PAGE_DOWN_},
		{CAPABILITY_kdch1, KEY_DELETE_},  {CAPABILITY_kich1, KEY_INSERT_},
		{CAPABILITY_kcbt, KEY_BACK_TAB_}, {CAPABILITY_kent, KEY_ENTER_},
		{CAPABILITY_kf1, KEY_F1_},        {CAPABILITY_kf2, KEY_F1_ + 1},
		{CAPABILITY_kf3, KEY_F1_ + 2},    {CAPABILITY_kf4, KEY_F1_ + 3},
		{CAPABILITY_kf5, KEY_F1_ + 4},    {CAPABILITY_kf6, KEY_F1_ + 5},
		{CAPABILITY_kf7, KEY_F1_ + 6},    {CAPABILITY_kf8, KEY_F1_ + 7},
		{CAPABILITY_kf9, KEY_F1_ + 8},    {CAPABILITY_kf10, KEY_F1_ + 9},
		{CAPABILITY_kf11, KEY_F1_ + 10},  {CAPABILITY_kf12, KEY_F12_},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *bytes = raw_capability(terminal, keys[i].capability);

		if (bytes)
			decode_add_key(decoder, bytes, keys[i].key);
	}
}

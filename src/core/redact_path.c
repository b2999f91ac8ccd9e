/* Paths: what of them says who and where is hidden, what programs put there stays. */
#include "core/redact_private.h"

#include "base/utf8.h"

#include <string.h>

enum { PARTS_MAX = 64, PATH_SIZE_MAX = 4096 };

/* From the end of a path backwards, these are no part of it. */
static const char *const trailing = ".,:;!?";

static bool is_letter(char byte)
{
	return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Full-width punctuation and quotes end a path as their narrow kin do; other characters may be names. */
static bool is_path_character(uint32_t character)
{
	if (character == UTF8_INVALID || character == 0x3000 || (character >= 0x2000 && character <= 0x206F))
		return false;
	return !(character >= 0x3001 && character <= 0x303F) &&
	       !(character >= 0xFF00 && character <= 0xFF65) && character > 0xA0;
}

static size_t path_end(struct str block, size_t at, bool windows)
{
	size_t end = at;

	while (end < block.size && end - at < PATH_SIZE_MAX) {
		unsigned char byte = (unsigned char)block.data[end];
		size_t size = 1;

		if (byte >= 0x80) {
			if (!is_path_character(utf8_at(block, end, &size)))
				break;
		} else if (byte == '<') {
			enum redact_kind kind;
			uint64_t number;

			size = redact_name_size(block, end, &kind, &number);
			if (!size)
				break;
		} else if (byte <= ' ' || byte == 0x7F || strchr("\"'`<>|;,()[]{}*?&=:$#!^", byte)) {
			break;
		} else if (byte == '\\' && !windows) {
			/* An escape of JSON ends it, an escaped blank does not. */
			if (end + 1 >= block.size || block.data[end + 1] != ' ')
				break;
			size = 2;
		}
		end += size;
	}
	while (end > at && strchr(trailing, block.data[end - 1]))
		end--;
	return end;
}

static bool is_separator(char byte)
{
	return byte == '/' || byte == '\\';
}

struct parts {
	struct str of[PARTS_MAX];
	size_t count;
};

static void split(struct str path, struct parts *parts)
{
	size_t at = 0;

	parts->count = 0;
	while (at < path.size && parts->count < PARTS_MAX) {
		size_t end;

		while (at < path.size && is_separator(path.data[at]))
			at++;
		end = at;
		while (end < path.size && !is_separator(path.data[end]))
			end++;
		if (end > at)
			parts->of[parts->count++] = str_slice(path, at, end);
		at = end;
	}
}

/* python3.11, Python39, lib64, 3.2.1, 8.5.0.alpha1, 1: says nothing of its owner. */
static bool is_public_folder(const struct redact_public *known, struct str part)
{
	size_t stem = part.size;
	bool number = part.size > 0;

	if (redact_set_has(&known->folders, part))
		return true;
	while (stem && (is_digit(part.data[stem - 1]) || memchr("._-", part.data[stem - 1], 3)))
		stem--;
	if (stem && stem < part.size && redact_set_has(&known->folders, str_slice(part, 0, stem)))
		return true;
	for (size_t i = 0; i < part.size; i++)
		number = number && (is_digit(part.data[i]) || part.data[i] == '.');
	return number && part.size < 8;
}

/* Source files and libraries stay: their names and lines are what a report is about. */
static bool is_public_file(const struct redact_public *known, struct str part)
{
	for (size_t i = part.size; i-- > 1;) {
		struct str ending = str_slice(part, i, part.size);

		if (part.data[i] == '.' && redact_set_has(&known->files, ending))
			return true;
	}
	/* libhccl.so.1.2 */
	return str_find(part, STR(".so.")) != STR_NOT_FOUND && str_starts(part, STR("lib"));
}

/* Behind these all is a public package's or Python's own. */
static bool is_package_root(const struct parts *parts, size_t at)
{
	struct str part = parts->of[at];

	return str_equal(part, STR("site-packages")) || str_equal(part, STR("dist-packages")) ||
	       (str_starts(part, STR("python3.")) && at && str_starts(parts->of[at - 1], STR("lib")) &&
		at + 2 < parts->count);
}

/* bin/llvm-ar: the name of a program stays. */
static bool is_program(const struct parts *parts, size_t at)
{
	return at && (str_equal(parts->of[at - 1], STR("bin")) || str_equal(parts->of[at - 1], STR("sbin")));
}

static size_t tail_start(const struct redact_public *known, const struct parts *parts, size_t least)
{
	size_t tail = parts->count;

	for (size_t i = parts->count; i-- > least;) {
		if (is_package_root(parts, i)) {
			tail = i;
			break;
		}
	}
	if (tail == parts->count && tail > least &&
	    (is_public_file(known, parts->of[tail - 1]) || is_program(parts, tail - 1)))
		tail--;
	while (tail > least && is_public_folder(known, parts->of[tail - 1]))
		tail--;
	return tail;
}

size_t redact_path_private(const struct redact_public *known, struct str path, size_t least)
{
	struct parts parts;
	size_t tail;

	split(path, &parts);
	if (!parts.count)
		return 0;
	tail = tail_start(known, &parts, least < parts.count ? least : parts.count);
	if (tail == 0)
		return 0;
	return (size_t)(parts.of[tail - 1].data + parts.of[tail - 1].size - path.data);
}

static bool names_people(struct str part)
{
	static const char *const folders[] = {"home", "Users", "Documents and Settings"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		if (str_equal_ascii_case(part, str_of(folders[i])))
			return true;
	}
	return false;
}

/* /home/NAME anywhere in the path: how many parts that needs, and the name is learned. */
static size_t learn_owner(struct redact *redact, const struct parts *parts)
{
	for (size_t i = 0; i + 1 < parts->count && i < 4; i++) {
		struct str owner = parts->of[i + 1];

		if (!names_people(parts->of[i]))
			continue;
		if (redact_is_public_name(redact, owner) && !redact_is_known(redact, owner))
			return 0;
		if (!is_public_folder(&redact->known, owner) || redact_is_known(redact, owner))
			redact_learn(redact, REDACT_USER, owner, RULE_REPEATED);
		return i + 2;
	}
	return 0;
}

static void add_path(struct redact *redact, struct str block, size_t from, size_t to, size_t least)
{
	size_t size = redact_path_private(&redact->known, str_slice(block, from, to), least);

	/* Where a name stands in it already, it was looked at before. */
	if (str_find_byte(str_slice(block, from, from + size), '<') != STR_NOT_FOUND)
		return;
	if (size)
		redact_add_span(redact, (struct redact_span){.from = from,
							     .to = from + size,
							     .kind = REDACT_PATH,
							     .rule = redact->path_rule,
							     .alias = REDACT_NONE});
}

/* /proc/1234/maps: the number is a process. */
static void hide_process(struct redact *redact, struct parts *parts, struct str block)
{
	size_t from;

	if (parts->count < 2 || !str_equal(parts->of[0], STR("proc")))
		return;
	for (size_t i = 0; i < parts->of[1].size; i++) {
		if (!is_digit(parts->of[1].data[i]))
			return;
	}
	from = (size_t)(parts->of[1].data - block.data);
	redact_add_span(redact, (struct redact_span){.from = from,
						     .to = from + parts->of[1].size,
						     .kind = REDACT_PID,
						     .rule = redact->path_rule,
						     .alias = REDACT_NONE});
	redact_learn(redact, REDACT_PID, parts->of[1], RULE_REPEATED);
}

enum { QUOTED_MAX = 400 };

/*
 * Where a path in quotes ends: at the other quote, although blanks stand in it, when what follows each blank
 * goes on as a path does. Else at `end`: "/bin/sh -c x" is a command.
 */
static size_t quoted_end(struct str block, size_t at, size_t end)
{
	char quote = at ? block.data[at - 1] : ' ';
	size_t most = block.size - at > QUOTED_MAX ? at + QUOTED_MAX : block.size;
	size_t close = end, last = end;

	if (!strchr("'\"`", quote) || end >= block.size || block.data[end] != ' ')
		return end;
	while (close < most && block.data[close] != quote && !strchr("\n\"'`<>|;&$=", block.data[close]))
		close++;
	if (close >= most || block.data[close] != quote)
		return end;
	for (size_t i = end; i < close; i++) {
		if (block.data[i] == ' ' && strchr("-/ ", block.data[i + 1]))
			return end;
		if (block.data[i] == '/' || block.data[i] == '.')
			last = i;
	}
	return last > end ? close : end;
}

/* `escaped`: JSON may write \/ for each slash. */
static void unix_path(struct redact *redact, struct str block, size_t at, bool escaped)
{
	size_t end = quoted_end(block, at, path_end(block, at, escaped));
	struct parts parts;
	size_t least;

	split(str_slice(block, at, end), &parts);
	if (!parts.count)
		return;
	hide_process(redact, &parts, block);
	least = learn_owner(redact, &parts);
	if (!least && redact_set_has(&redact->known.roots, parts.of[0]))
		return;
	/* A word after a slash may be anything: an option of a choice, a part of a number. */
	if (!least && parts.count < 2)
		return;
	add_path(redact, block, at, end, least);
}

/* ~/x, ~name/x; the name is somebody's. */
static void home_path(struct redact *redact, struct str block, size_t at)
{
	size_t end = path_end(block, at, false);
	size_t slash = at + 1;
	struct str owner;

	while (slash < end && block.data[slash] != '/')
		slash++;
	owner = str_slice(block, at + 1, slash);
	if (owner.size && !redact_is_public_name(redact, owner) && slash < end) {
		redact_learn(redact, REDACT_USER, owner, RULE_REPEATED);
		add_path(redact, block, at, end, 1);
	} else if (slash < end) {
		size_t size = redact_path_private(&redact->known, str_slice(block, slash, end), 0);

		if (size)
			redact_add_span(redact, (struct redact_span){.from = at,
								     .to = slash + size,
								     .kind = REDACT_PATH,
								     .rule = redact->path_rule,
								     .alias = REDACT_NONE});
	}
}

/* C:\Users\Li.Na\x, C:/Users/x; \\server\share\x. `at`: the letter, or the first backslash. */
static void windows_path(struct redact *redact, struct str block, size_t at)
{
	bool server = block.data[at] == '\\';
	size_t end = path_end(block, at + 2, true);
	struct str path = str_slice(block, at, end);
	struct parts parts;
	size_t least;

	split(path, &parts);
	if (server) {
		if (parts.count < 2 || parts.of[0].size < 2)
			return;
		redact_learn(redact, REDACT_HOST, parts.of[0], RULE_REPEATED);
		add_path(redact, block, at, end, 2);
		return;
	}
	least = learn_owner(redact, &parts);
	if (!least && parts.count > 1 && redact_set_has(&redact->known.roots, parts.of[1]))
		return;
	add_path(redact, block, at, end, least ? least : 1);
}

static bool is_name_byte(char byte)
{
	return is_letter(byte) || is_digit(byte) || byte == '_';
}

static bool is_drive(struct str block, size_t at)
{
	return at >= 2 && block.data[at - 1] == ':' && is_letter(block.data[at - 2]) &&
	       (at < 3 || (!is_name_byte(block.data[at - 3]) && !strchr(".\\", block.data[at - 3])));
}

/* Does an absolute path begin at the slash? */
static bool begins_path(struct str block, size_t at)
{
	char before = at ? block.data[at - 1] : ' ';

	if (at + 1 >= block.size || block.data[at + 1] == '/' || block.data[at + 1] == ' ')
		return false;
	if (before == '/')
		return at >= 3 && block.data[at - 2] == '/' && block.data[at - 3] == ':';
	if (is_name_byte(before))
		return at >= 2 && block.data[at - 2] == '-' && strchr("ILB", before);
	return !strchr(".-~>*%$)+", before) || before == ')';
}

void redact_path(struct redact *redact, struct str block, size_t at)
{
	char before = at ? block.data[at - 1] : ' ';

	switch (block.data[at]) {
	case '~':
		if (!is_name_byte(before) && !strchr("~/.-", before))
			home_path(redact, block, at);
		break;
	case '\\':
		if (at + 1 < block.size && block.data[at + 1] == '/')
			unix_path(redact, block, at, true);
		else if (is_drive(block, at))
			windows_path(redact, block, at - 2);
		else if (at + 2 < block.size && block.data[at + 1] == '\\' &&
			 is_name_byte(block.data[at + 2]) && strchr(" \t\n=", before))
			windows_path(redact, block, at);
		break;
	default:
		if (is_drive(block, at) && block.data[at + 1 < block.size ? at + 1 : at] != '/')
			windows_path(redact, block, at - 2);
		else if (begins_path(block, at))
			unix_path(redact, block, at, false);
	}
}

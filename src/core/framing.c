#include "core/framing.h"

#include "base/alloc.h"
#include "core/regex.h"

#include <string.h>

/* A prefix is looked for at the front of a line; a line of 100 kB need not be searched for "pid=". */
enum {
	PREFIX_SIZE_MAX = 512,
	STRIP_ROUNDS_MAX = 8,
	NOTE_SIZE_MAX = 4096,
	PAIRS_SIZE_MAX = 4096, /* a longer text has them all, as far as anybody asks */
	RANK_MAX = 1000000
};

/*
 * Which pairs of bytes occur in a text: a literal with a pair that does not occur is not there. Made once a
 * line, it spares most of the searches for the literals of all frames.
 */
struct pairs {
	uint64_t bits[8];
};

struct compiled {
	const struct frame *frame;
	struct pairs *pairs; /* of each literal of the frame */
	bool tried;
	struct regex *regex; /* null: not needed so far, or does not compile, which lint reports */
	size_t rank, pid, time, level, label, code; /* group numbers, 0: none */
};

struct framing {
	const struct kb *kb;
	struct compiled *frames;
	size_t count;
};

static void find_groups(struct compiled *compiled)
{
	static const char *const names[] = {"rank", "pid", "time", "level", "label", "code"};
	size_t *const groups[] = {&compiled->rank,  &compiled->pid,   &compiled->time,
				  &compiled->level, &compiled->label, &compiled->code};

	for (size_t i = 0; i < regex_name_count(compiled->regex); i++) {
		size_t number;
		struct str name = regex_name(compiled->regex, i, &number);

		for (size_t j = 0; j < sizeof(names) / sizeof(*names); j++) {
			if (str_equal(name, str_of(names[j])))
				*groups[j] = number;
		}
	}
}

static void find_pairs(struct str text, struct pairs *pairs)
{
	memset(pairs, text.size > PAIRS_SIZE_MAX ? 0xFF : 0, sizeof(*pairs));
	for (size_t i = 0; i + 1 < text.size && text.size <= PAIRS_SIZE_MAX; i++) {
		unsigned place =
			((unsigned char)text.data[i] * 37u + (unsigned char)text.data[i + 1] * 101u) & 511;

		pairs->bits[place / 64] |= UINT64_C(1) << place % 64;
	}
}

static bool has_pairs(const struct pairs *text, const struct pairs *literal)
{
	uint64_t missing = 0;

	for (size_t i = 0; i < sizeof(text->bits) / sizeof(*text->bits); i++)
		missing |= literal->bits[i] & ~text->bits[i];
	return !missing;
}

struct framing *framing_new(const struct kb *kb)
{
	struct framing *framing = alloc_zeroed(1, sizeof(*framing));

	framing->kb = kb;
	framing->count = kb->frame_count;
	framing->frames = alloc_zeroed(kb->frame_count + 1, sizeof(*framing->frames));
	for (size_t i = 0; i < kb->frame_count; i++) {
		const struct str_list *literals = &kb->frames[i]->literals;

		framing->frames[i].frame = kb->frames[i];
		framing->frames[i].pairs = alloc_zeroed(literals->count + 1, sizeof(struct pairs));
		for (size_t j = 0; j < literals->count; j++)
			find_pairs(literals->items[j], &framing->frames[i].pairs[j]);
	}
	return framing;
}

void framing_free(struct framing *framing)
{
	if (!framing)
		return;
	for (size_t i = 0; i < framing->count; i++) {
		regex_free(framing->frames[i].regex);
		free(framing->frames[i].pairs);
	}
	free(framing->frames);
	free(framing);
}

/* Compiled when the first line comes that it may fit: most launchers are not there in most logs. */
static bool frame_matches(struct compiled *compiled, struct str line)
{
	unsigned flags = compiled->frame->kind == FRAME_PREFIX ? REGEX_ANCHORED : 0;

	if (!compiled->tried) {
		compiled->tried = true;
		compiled->regex = regex_new(compiled->frame->match, flags, NULL, NULL);
		if (compiled->regex)
			find_groups(compiled);
	}
	return compiled->regex && regex_match(compiled->regex, line, 0) == REGEX_MATCH;
}

/*
 * `pairs` are those of the line, or of more. Where those of some literal are there the pattern is tried at
 * once: on most lines it fails at its first byte, sooner than the literal would be found.
 */
static bool frame_fits(struct compiled *compiled, struct str line, const struct pairs *pairs)
{
	const struct str_list *literals = &compiled->frame->literals;

	for (size_t i = 0; i < literals->count; i++) {
		if (has_pairs(pairs, &compiled->pairs[i]))
			return frame_matches(compiled, line);
	}
	return literals->count == 0 && frame_matches(compiled, line);
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static int64_t take_digits(struct str text, size_t *at, size_t count_max)
{
	int64_t value = 0;

	for (size_t i = 0; i < count_max && *at < text.size && is_digit(text.data[*at]); i++)
		value = value * 10 + (text.data[(*at)++] - '0');
	return value;
}

/* Fraction of a second as microseconds; CANN writes 771.204 for 771204. */
static int64_t take_fraction(struct str text, size_t at)
{
	int64_t value = 0;
	int digits = 0;

	for (; at < text.size && digits < 6; at++) {
		if (is_digit(text.data[at])) {
			value = value * 10 + (text.data[at] - '0');
			digits++;
		} else if (text.data[at] != '.' && text.data[at] != ',') {
			break;
		}
	}
	for (; digits < 6; digits++)
		value *= 10;
	return value;
}

static size_t find_clock(struct str text)
{
	for (size_t i = 0; i + 8 <= text.size; i++) {
		if (is_digit(text.data[i]) && is_digit(text.data[i + 1]) && text.data[i + 2] == ':' &&
		    is_digit(text.data[i + 3]) && is_digit(text.data[i + 4]) && text.data[i + 5] == ':' &&
		    is_digit(text.data[i + 6]))
			return i;
	}
	return STR_NOT_FOUND;
}

static void read_time(struct str text, struct line_head *head)
{
	size_t clock = find_clock(text);
	int64_t numbers[3] = {0};
	int count = 0;
	size_t at = 0;
	int64_t seconds;

	if (clock == STR_NOT_FOUND)
		return;
	while (at < clock && count < 3) {
		if (is_digit(text.data[at]))
			numbers[count++] = take_digits(text, &at, 4);
		else
			at++;
	}
	at = clock;
	seconds = take_digits(text, &at, 2) * 3600;
	at++;
	seconds += take_digits(text, &at, 2) * 60;
	at++;
	seconds += take_digits(text, &at, 2);
	head->time_kind = count == 3 ? TIME_FULL : count == 2 ? TIME_OF_YEAR : TIME_OF_DAY;
	if (count == 3)
		seconds += (((numbers[0] * 12 + numbers[1]) * 31) + numbers[2]) * 86400;
	else if (count == 2)
		seconds += (numbers[0] * 31 + numbers[1]) * 86400;
	head->time = seconds * 1000000 + take_fraction(text, at);
}

static uint64_t hash_text(uint64_t hash, struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001B3u;
	return hash;
}

static void read_groups(const struct compiled *compiled, struct str line, struct line_head *head)
{
	struct str value;
	uint64_t number;

	if (compiled->rank && regex_group(compiled->regex, line, compiled->rank, &value) &&
	    str_to_u64(value, &number) && number < RANK_MAX && head->rank == FRAMING_NO_RANK)
		head->rank = (int32_t)number;
	if (compiled->pid && regex_group(compiled->regex, line, compiled->pid, &value) &&
	    str_to_u64(value, &number) && !head->pid)
		head->pid = number;
	if (compiled->time && head->time_kind == TIME_NONE &&
	    regex_group(compiled->regex, line, compiled->time, &value))
		read_time(value, head);
	if (compiled->level && regex_group(compiled->regex, line, compiled->level, &value) && value.size)
		head->level = strchr("EFC", value.data[0]) ? LEVEL_ERROR : LEVEL_OTHER;
	if (compiled->label && regex_group(compiled->regex, line, compiled->label, &value))
		head->stream.label =
			hash_text(head->stream.label ? head->stream.label : 0xCBF29CE484222325u, value);
}

static bool take_prefix(struct framing *framing, struct str *line, const struct pairs *pairs,
			struct line_head *head)
{
	for (size_t i = 0; i < framing->count; i++) {
		struct compiled *compiled = &framing->frames[i];
		struct str front = str_slice(*line, 0, PREFIX_SIZE_MAX);
		struct str taken;

		if (compiled->frame->kind != FRAME_PREFIX || !frame_fits(compiled, front, pairs))
			continue;
		if (!regex_group(compiled->regex, front, 0, &taken) || !taken.size)
			continue;
		read_groups(compiled, front, head);
		*line = str_slice(*line, taken.size, line->size);
		return true;
	}
	return false;
}

/* Suffixes, and what the message itself says of its rank. */
static void take_rest(struct framing *framing, struct str *line, const struct pairs *pairs,
		      struct line_head *head)
{
	for (size_t i = 0; i < framing->count; i++) {
		struct compiled *compiled = &framing->frames[i];
		struct str taken;

		if (compiled->frame->kind == FRAME_SUFFIX && frame_fits(compiled, *line, pairs) &&
		    regex_group(compiled->regex, *line, 0, &taken)) {
			line->size = (size_t)(taken.data - line->data);
		} else if (compiled->frame->kind == FRAME_NOTE) {
			struct str front = str_slice(*line, 0, NOTE_SIZE_MAX);

			if (frame_fits(compiled, front, pairs))
				read_groups(compiled, front, head);
		}
	}
}

bool stream_is_known(struct stream stream)
{
	return stream.rank != FRAMING_NO_RANK || stream.pid || stream.label;
}

bool stream_is_same(struct stream a, struct stream b)
{
	bool ranks = a.rank != FRAMING_NO_RANK && b.rank != FRAMING_NO_RANK;
	bool pids = a.pid && b.pid;
	bool labels = a.label && b.label;

	if (!stream_is_known(a) && !stream_is_known(b))
		return true;
	if ((ranks && a.rank != b.rank) || (pids && a.pid != b.pid) || (labels && a.label != b.label))
		return false;
	return ranks || pids || labels;
}

struct str framing_strip(struct framing *framing, struct str line, struct line_head *head)
{
	struct pairs pairs;

	find_pairs(line, &pairs);
	*head = (struct line_head){.rank = FRAMING_NO_RANK, .stream = {.rank = FRAMING_NO_RANK}};
	for (int round = 0; round < STRIP_ROUNDS_MAX && take_prefix(framing, &line, &pairs, head); round++)
		;
	head->stream.rank = head->rank;
	head->stream.pid = head->pid;
	take_rest(framing, &line, &pairs, head);
	return line;
}

static bool some_frame_fits(struct framing *framing, enum frame_kind kind, struct str line)
{
	struct pairs pairs;

	find_pairs(line, &pairs);
	for (size_t i = 0; i < framing->count; i++) {
		if (framing->frames[i].frame->kind == kind && frame_fits(&framing->frames[i], line, &pairs))
			return true;
	}
	return false;
}

bool framing_is_error(struct framing *framing, struct str line, const struct line_head *head)
{
	if (head->level != LEVEL_UNKNOWN)
		return head->level == LEVEL_ERROR && line.size;
	return some_frame_fits(framing, FRAME_ERROR, line);
}

bool framing_is_quiet(struct framing *framing, struct str line)
{
	return some_frame_fits(framing, FRAME_QUIET, line);
}

/* A number of a layer is listed with its name: "HCCL 4". */
static bool code_is_named(const struct code *code, struct str text)
{
	size_t blank = str_find_byte(code->code, ' ');

	if (str_equal(code->code, text))
		return true;
	if (blank != STR_NOT_FOUND && str_equal(str_slice(code->code, blank + 1, code->code.size), text))
		return true;
	for (size_t i = 0; i < code->aliases.count; i++) {
		if (str_equal(code->aliases.items[i], text))
			return true;
	}
	return false;
}

static const struct code *find_code(const struct kb *kb, struct str namespace, struct str text)
{
	if (!namespace.size)
		return kb_code(kb, text);
	for (size_t i = 0; i < kb->code_count; i++) {
		if (str_equal(kb->codes[i]->namespace, namespace) && code_is_named(kb->codes[i], text))
			return kb->codes[i];
	}
	return NULL;
}

bool framing_next_code(struct framing *framing, struct str line, struct framing_cursor *cursor,
		       struct str *text, const struct code **code)
{
	struct pairs pairs;

	find_pairs(line, &pairs);
	for (; cursor->frame < framing->count; cursor->frame++, cursor->at = 0) {
		struct compiled *compiled = &framing->frames[cursor->frame];

		if (compiled->frame->kind != FRAME_CODE)
			continue;
		if (cursor->at == 0 &&
		    !(cursor->any_line ? frame_matches(compiled, line) : frame_fits(compiled, line, &pairs)))
			continue;
		if (!compiled->code)
			continue;
		while (cursor->at < line.size &&
		       regex_match(compiled->regex, line, cursor->at) == REGEX_MATCH) {
			bool there = regex_group(compiled->regex, line, compiled->code, text) && text->size;
			struct str whole;

			regex_group(compiled->regex, line, 0, &whole);
			cursor->at = (size_t)(whole.data - line.data) + whole.size + !whole.size;
			if (!there)
				continue;
			*code = find_code(framing->kb, compiled->frame->namespace, *text);
			if (cursor->any_line && (!*code || is_digit(text->data[0])))
				continue;
			return true;
		}
	}
	return false;
}

/* A number that stands alone in a part of the path: attempt_0/3/stderr.log. */
static int32_t rank_of_folder(struct str path)
{
	size_t slash = path.size;
	struct str folder;
	uint64_t rank;

	while (slash && path.data[slash - 1] != '/')
		slash--;
	if (!slash || (!str_equal(str_slice(path, slash, path.size), STR("stderr.log")) &&
		       !str_equal(str_slice(path, slash, path.size), STR("stdout.log"))))
		return FRAMING_NO_RANK;
	folder = str_slice(path, 0, slash - 1);
	for (size_t i = folder.size; i > 0; i--) {
		if (folder.data[i - 1] == '/') {
			folder = str_slice(folder, i, folder.size);
			break;
		}
	}
	return str_to_u64(folder, &rank) && rank < RANK_MAX ? (int32_t)rank : FRAMING_NO_RANK;
}

int32_t framing_rank_of_path(struct str path)
{
	size_t found = STR_NOT_FOUND;

	for (size_t i = 0; i + 5 <= path.size; i++) {
		if (str_equal_ascii_case(str_slice(path, i, i + 4), STR("rank")))
			found = i + 4;
	}
	if (found != STR_NOT_FOUND) {
		size_t at = found;
		int64_t rank;

		while (at < path.size &&
		       (path.data[at] == '_' || path.data[at] == '-' || path.data[at] == '.'))
			at++;
		found = at;
		rank = take_digits(path, &at, 6);
		if (at > found)
			return (int32_t)rank;
	}
	return rank_of_folder(path);
}

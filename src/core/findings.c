#include "core/findings.h"

#include "core/clean.h"

#include <string.h>

enum { SHOWN_BYTES = 4096 };

/*
 * One function a type does both: it writes a value, or reads one in its place. So the two sides cannot
 * differ.
 */
struct coder {
	const struct kb *kb;
	struct buf *out; /* null: reads */
	struct str in;
	struct arena *arena;
	bool failed;
};

static void code_bytes(struct coder *coder, void *value, size_t size)
{
	if (coder->out) {
		buf_add_bytes(coder->out, value, size);
	} else if (coder->failed || coder->in.size < size) {
		coder->failed = true;
		memset(value, 0, size);
	} else {
		memcpy(value, coder->in.data, size);
		coder->in = str_slice(coder->in, size, coder->in.size);
	}
}

static void code_size(struct coder *coder, size_t *value)
{
	uint64_t number = *value;

	code_bytes(coder, &number, sizeof(number));
	*value = (size_t)number;
}

static void code_flag(struct coder *coder, bool *value)
{
	uint8_t byte = *value;

	code_bytes(coder, &byte, sizeof(byte));
	*value = byte != 0;
}

static void code_str(struct coder *coder, struct str *text)
{
	size_t size = text->size;

	code_size(coder, &size);
	if (coder->out) {
		buf_add(coder->out, *text);
		return;
	}
	if (size > coder->in.size) {
		coder->failed = true;
		size = 0;
	}
	*text = arena_copy(coder->arena, str_slice(coder->in, 0, size));
	coder->in = str_slice(coder->in, size, coder->in.size);
}

/* An entry or a code as its number; KB_NONE: null. */
static void code_entry(struct coder *coder, const struct entry **entry)
{
	size_t index = *entry ? kb_entry_index(coder->kb, *entry) : KB_NONE;

	code_size(coder, &index);
	if (coder->out)
		return;
	*entry = index < coder->kb->entry_count ? coder->kb->entries[index] : NULL;
	coder->failed = coder->failed || !*entry;
}

static void code_code(struct coder *coder, const struct code **code)
{
	size_t index = KB_NONE;

	for (size_t i = 0; *code && i < coder->kb->code_count && index == KB_NONE; i++) {
		if (coder->kb->codes[i] == *code)
			index = i;
	}
	code_size(coder, &index);
	if (!coder->out)
		*code = index < coder->kb->code_count ? coder->kb->codes[index] : NULL;
}

/* How many items follow: each has at least a byte, so that a wrong number cannot ask for much memory. */
static void code_count(struct coder *coder, size_t *count)
{
	code_size(coder, count);
	if (!coder->out && *count > coder->in.size) {
		coder->failed = true;
		*count = 0;
	}
}

static void code_evidence(struct coder *coder, struct evidence *evidence)
{
	struct line_head *head = &evidence->head;
	int32_t kind = (int32_t)head->time_kind, level = (int32_t)head->level;

	code_size(coder, &evidence->signature);
	code_bytes(coder, &evidence->input, sizeof(evidence->input));
	code_bytes(coder, &evidence->line, sizeof(evidence->line));
	code_bytes(coder, &evidence->offset, sizeof(evidence->offset));
	code_bytes(coder, &evidence->rank, sizeof(evidence->rank));
	code_bytes(coder, &head->rank, sizeof(head->rank));
	code_bytes(coder, &head->pid, sizeof(head->pid));
	code_bytes(coder, &head->time, sizeof(head->time));
	code_bytes(coder, &kind, sizeof(kind));
	code_bytes(coder, &level, sizeof(level));
	code_bytes(coder, &head->stream, sizeof(head->stream));
	code_str(coder, &evidence->text);
	code_str(coder, &evidence->around);
	code_size(coder, &evidence->around_line);
	if (coder->out)
		return;
	coder->failed = coder->failed || evidence->around_line > evidence->around.size || kind < TIME_NONE ||
			kind > TIME_FULL || level < LEVEL_UNKNOWN || level > LEVEL_ERROR;
	if (coder->failed)
		kind = level = 0;
	head->time_kind = (unsigned)kind;
	head->level = (unsigned)level;
}

static void code_capture(struct coder *coder, struct capture *capture)
{
	code_str(coder, &capture->name);
	code_str(coder, &capture->value);
	code_size(coder, &capture->evidence);
	code_flag(coder, &capture->absent);
}

static void code_rank(struct coder *coder, int32_t *rank)
{
	code_bytes(coder, rank, sizeof(*rank));
}

/* An array: a copy of each item is written, or items of our own are read. */
#define CODE_ARRAY(coder, type, items, count, code_item) \
	do { \
		type *own = NULL; \
\
		code_count(coder, &(count)); \
		if (!(coder)->out) \
			own = arena_take_array((coder)->arena, (count) + 1, sizeof(type)); \
		for (size_t at = 0; at < (count); at++) { \
			type copy = {0}; \
\
			if ((coder)->out) \
				copy = (items)[at]; \
			code_item(coder, &copy); \
			if (own) \
				own[at] = copy; \
		} \
		if (own) \
			(items) = own; \
	} while (0)

static void code_match(struct coder *coder, struct match *match)
{
	code_entry(coder, &match->entry);
	code_bytes(coder, &match->score, sizeof(match->score));
	code_flag(coder, &match->certain);
	code_flag(coder, &match->root);
	code_size(coder, &match->cause);
	code_bytes(coder, &match->count, sizeof(match->count));
	CODE_ARRAY(coder, struct evidence, match->evidence, match->evidence_count, code_evidence);
	CODE_ARRAY(coder, int32_t, match->ranks, match->rank_count, code_rank);
	CODE_ARRAY(coder, struct capture, match->captures, match->capture_count, code_capture);
	CODE_ARRAY(coder, struct str, match->codes, match->code_count, code_str);
	for (size_t i = 0; !coder->out && i < match->capture_count; i++)
		coder->failed = coder->failed || match->captures[i].evidence >= match->evidence_count;
	coder->failed = coder->failed || (!coder->out && match->evidence_count == 0);
}

static void code_met_code(struct coder *coder, struct code_met *met)
{
	code_str(coder, &met->text);
	code_code(coder, &met->code);
	code_bytes(coder, &met->count, sizeof(met->count));
	code_evidence(coder, &met->first);
}

static void code_unmatched(struct coder *coder, struct unmatched *unmatched)
{
	code_bytes(coder, &unmatched->count, sizeof(unmatched->count));
	code_evidence(coder, &unmatched->first);
}

static void code_input(struct coder *coder, struct input *input)
{
	code_str(coder, &input->name);
	code_bytes(coder, &input->bytes, sizeof(input->bytes));
	code_bytes(coder, &input->lines, sizeof(input->lines));
	code_flag(coder, &input->utf16);
	code_bytes(coder, &input->long_lines, sizeof(input->long_lines));
}

static void code_limit(struct coder *coder, struct limit_hit *limit)
{
	code_size(coder, &limit->signature);
	code_evidence(coder, &limit->at);
}

static void code_diagnosis(struct coder *coder, struct diagnosis *diagnosis)
{
	CODE_ARRAY(coder, struct input, diagnosis->inputs, diagnosis->input_count, code_input);
	CODE_ARRAY(coder, struct match, diagnosis->matches, diagnosis->match_count, code_match);
	CODE_ARRAY(coder, struct code_met, diagnosis->codes, diagnosis->code_count, code_met_code);
	CODE_ARRAY(coder, struct unmatched, diagnosis->unmatched, diagnosis->unmatched_count, code_unmatched);
	code_bytes(coder, &diagnosis->unmatched_more, sizeof(diagnosis->unmatched_more));
	CODE_ARRAY(coder, struct limit_hit, diagnosis->limits, diagnosis->limit_count, code_limit);
}

void findings_write(const struct kb *kb, const struct diagnosis *diagnosis, struct buf *out)
{
	struct coder coder = {.kb = kb, .out = out};
	struct diagnosis copy = *diagnosis;

	code_diagnosis(&coder, &copy);
}

/* Whoever reads the diagnosis need not check an index again. */
static bool evidence_is_sound(const struct diagnosis *diagnosis, const struct evidence *evidence)
{
	return evidence->input < diagnosis->input_count;
}

static bool is_sound(const struct diagnosis *diagnosis)
{
	bool sound = true;

	for (size_t i = 0; i < diagnosis->match_count; i++) {
		const struct match *match = &diagnosis->matches[i];

		sound = sound && (match->cause == DIAGNOSE_NONE || match->cause < diagnosis->match_count);
		for (size_t j = 0; j < match->evidence_count; j++)
			sound = sound && evidence_is_sound(diagnosis, &match->evidence[j]);
	}
	for (size_t i = 0; i < diagnosis->code_count; i++)
		sound = sound && evidence_is_sound(diagnosis, &diagnosis->codes[i].first);
	for (size_t i = 0; i < diagnosis->unmatched_count; i++)
		sound = sound && evidence_is_sound(diagnosis, &diagnosis->unmatched[i].first);
	for (size_t i = 0; i < diagnosis->limit_count; i++)
		sound = sound && evidence_is_sound(diagnosis, &diagnosis->limits[i].at);
	return sound;
}

bool findings_read(const struct kb *kb, struct str bytes, struct findings *findings)
{
	struct coder coder = {.kb = kb, .in = bytes};

	*findings = (struct findings){0};
	coder.arena = &findings->arena;
	code_diagnosis(&coder, &findings->diagnosis);
	if (!coder.failed && coder.in.size == 0 && is_sound(&findings->diagnosis))
		return true;
	findings_release(findings);
	return false;
}

void findings_release(struct findings *findings)
{
	arena_release(&findings->arena);
	*findings = (struct findings){0};
}

static bool is_before(const struct evidence *a, const struct evidence *b)
{
	if (a->head.time_kind != TIME_NONE && a->head.time_kind == b->head.time_kind &&
	    a->head.time != b->head.time)
		return a->head.time < b->head.time;
	if (a->input != b->input)
		return a->input < b->input;
	return a->offset < b->offset;
}

size_t findings_first(const struct match *match)
{
	size_t first = 0;

	for (size_t i = 1; i < match->evidence_count; i++) {
		if (is_before(&match->evidence[i], &match->evidence[first]))
			first = i;
	}
	return first;
}

void findings_add_shown(struct buf *out, struct str raw)
{
	struct buf clean = {0};
	struct str rest, part, last = {0};

	clean_add(&clean, str_slice(raw, 0, SHOWN_BYTES));
	rest = buf_str(&clean);
	while (rest.size > 0 && str_next(&rest, '\n', &part)) {
		if (part.size > 0)
			last = part;
	}
	buf_add(out, last);
	buf_release(&clean);
}

bool findings_next_around(const struct evidence *evidence, bool back, struct around_cursor *cursor,
			  struct str *line)
{
	struct str text = evidence->around;
	size_t start, end;

	if (cursor->taken == 0) {
		end = str_find_byte(str_slice(text, evidence->around_line, text.size), '\n');
		cursor->at = back                   ? evidence->around_line
			     : end == STR_NOT_FOUND ? text.size
						    : evidence->around_line + end + 1;
	}
	if (cursor->at == (back ? 0 : text.size))
		return false;
	start = cursor->at;
	if (back) {
		end = --start;
		while (start > 0 && text.data[start - 1] != '\n')
			start--;
		cursor->at = start;
	} else {
		end = str_find_byte(str_slice(text, start, text.size), '\n');
		end = end == STR_NOT_FOUND ? text.size : start + end;
		cursor->at = end < text.size ? end + 1 : end;
	}
	cursor->taken++;
	*line = str_slice(text, start, end);
	return true;
}

void findings_add_ranks(struct buf *out, const struct match *match, size_t most)
{
	size_t parts = 0;

	for (size_t i = 0, end; i < match->rank_count; i = end) {
		for (end = i + 1; end < match->rank_count && match->ranks[end] == match->ranks[end - 1] + 1;)
			end++;
		if (parts++ == most) {
			buf_add_format(out, ",… (%zu)", match->rank_count);
			return;
		}
		buf_add_format(out, "%s%d", i > 0 ? "," : "", match->ranks[i]);
		if (end - i > 1)
			buf_add_format(out, "%c%d", end - i > 2 ? '-' : ',', match->ranks[end - 1]);
	}
}

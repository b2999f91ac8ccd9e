#include "core/diagnose_private.h"

#include "base/utf8.h"

#include <string.h>

enum { COVERED_MAX = 4096 };

/* At most EVIDENCE_TEXT_MAX bytes, without cutting a character. */
static struct str cut(struct str text)
{
	size_t size = text.size;

	if (size <= EVIDENCE_TEXT_MAX)
		return text;
	size = EVIDENCE_TEXT_MAX;
	while (size && ((unsigned char)text.data[size] & 0xC0) == 0x80)
		size--;
	return str_slice(text, 0, size);
}

/* Of a line that a progress bar was redrawn in, its last state that has a text. */
static struct str last_state(struct str text)
{
	struct str rest = text;
	struct str part;
	struct str last = text;

	while (str_next(&rest, '\n', &part)) {
		if (part.size)
			last = part;
	}
	return last;
}

struct evidence diagnose_evidence(struct diagnose *diagnose, const struct text_line *line, struct str text)
{
	struct evidence evidence = {
		.signature = DIAGNOSE_NONE,
		.input = (uint32_t)(diagnose->inputs.count - 1),
		.line = diagnose_line_number(diagnose, line->start),
		.offset = line->start,
		.rank = line->head.rank,
		.head = line->head,
		.text = cut(last_state(str_trim(text))),
	};

	if (evidence.rank == FRAMING_NO_RANK)
		evidence.rank = diagnose->path_rank;
	return evidence;
}

struct evidence diagnose_own(struct diagnose *diagnose, struct evidence evidence)
{
	evidence.text = arena_copy(&diagnose->arena, evidence.text);
	return evidence;
}

/*
 * The start of the lines before the one that starts at `at`, as many as are kept. `from_start`: the text
 * starts with the input, and so with a whole line.
 */
static size_t around_start(struct str text, size_t at, bool from_start)
{
	size_t start = at;

	for (int lines = 0; lines < AROUND_LINES && start > 0; lines++) {
		size_t line = start - 1;

		while (line > 0 && text.data[line - 1] != '\n')
			line--;
		if ((line == 0 && !from_start) || at - line > AROUND_SIZE)
			break;
		start = line;
	}
	return start;
}

static size_t around_end(struct str text, size_t at)
{
	size_t limit = AROUND_LINE_SIZE, end = at;

	for (int lines = 0; lines <= AROUND_LINES && end < text.size; lines++) {
		size_t size = str_find_byte(str_slice(text, end, text.size), '\n');

		size = size == STR_NOT_FOUND ? text.size - end : size + 1;
		if (lines > 0 && end + size - at > limit)
			break;
		if (lines == 0) {
			size = size < AROUND_LINE_SIZE ? size : AROUND_LINE_SIZE;
			limit = size + AROUND_SIZE;
		}
		end += size;
		if (text.data[end - 1] != '\n')
			break;
	}
	return end;
}

/* As diagnose_own, with the lines around it where they are wanted. */
static struct evidence own_with_context(struct diagnose *diagnose, struct evidence evidence, bool wanted)
{
	const struct view *view = &diagnose->view;
	struct str text = {view->data, (size_t)(view->end - view->start)};

	evidence = diagnose_own(diagnose, evidence);
	if (wanted && diagnose->keep_context && evidence.offset >= view->start &&
	    evidence.offset < view->end) {
		size_t at = (size_t)(evidence.offset - view->start);
		size_t start = around_start(text, at, view->start == 0);

		evidence.around = arena_copy(&diagnose->arena, str_slice(text, start, around_end(text, at)));
		evidence.around_line = at - start;
	}
	return evidence;
}

void diagnose_keep_pid(struct diagnose *diagnose, const struct line_head *head)
{
	if (!head->pid || head->rank == FRAMING_NO_RANK || diagnose->pids.count >= PIDS_MAX)
		return;
	for (size_t i = 0; i < diagnose->pids.count; i++) {
		if (diagnose->pids.items[i].pid == head->pid)
			return;
	}
	vec_push(&diagnose->pids, (struct pid_rank){head->pid, head->rank});
}

static bool keep_rank(struct found *found, int32_t rank)
{
	size_t at = 0;

	if (rank == FRAMING_NO_RANK)
		return false;
	while (at < found->ranks.count && found->ranks.items[at] < rank)
		at++;
	if (at < found->ranks.count && found->ranks.items[at] == rank)
		return false;
	vec_push(&found->ranks, rank);
	memmove(found->ranks.items + at + 1, found->ranks.items + at,
		(found->ranks.count - 1 - at) * sizeof(*found->ranks.items));
	found->ranks.items[at] = rank;
	return true;
}

/*
 * Is this match new? Neighbouring finds see the same lines, and a message that a terminal has wrapped is also
 * matched from the second of its lines. From now on it is known.
 */
bool diagnose_is_new(struct diagnose *diagnose, size_t index, uint64_t start, uint64_t end, int32_t rank)
{
	struct signature_state *state = &diagnose->signatures[index];
	uint32_t input = (uint32_t)(diagnose->inputs.count - 1);

	if (!state->recent)
		state->recent = alloc_zeroed(RECENT_MATCHES, sizeof(*state->recent));
	for (size_t i = 0; i < state->recent_count && i < RECENT_MATCHES; i++) {
		const struct recent_match *recent = &state->recent[i];

		if (recent->input == input && recent->start <= start && start <= recent->end &&
		    (recent->start == start || recent->rank == rank || rank == FRAMING_NO_RANK))
			return false;
	}
	state->recent[state->recent_count++ % RECENT_MATCHES] =
		(struct recent_match){input, rank, start, end};
	return true;
}

/* Is the line part of a match of this signature, whatever was made of it? */
bool diagnose_was_decided(const struct diagnose *diagnose, size_t index, const struct line *line)
{
	const struct signature_state *state = &diagnose->signatures[index];
	uint32_t input = (uint32_t)(diagnose->inputs.count - 1);

	for (size_t i = 0; i < state->recent_count && i < RECENT_MATCHES; i++) {
		const struct recent_match *recent = &state->recent[i];

		if (recent->input == input && recent->start <= line->end && line->start <= recent->end &&
		    (recent->start == line->start || recent->rank == line->head.rank ||
		     line->head.rank == FRAMING_NO_RANK))
			return true;
	}
	return false;
}

static void keep_entry_codes(const struct entry *entry, struct found *found, struct str text)
{
	for (size_t i = 0; i < entry->codes.count; i++) {
		struct str code = entry->codes.items[i];
		bool known = str_find(text, code) == STR_NOT_FOUND;

		for (size_t j = 0; j < found->codes.count; j++)
			known = known || str_equal(found->codes.items[j], code);
		if (!known)
			vec_push(&found->codes, code);
	}
}

static void cover(struct diagnose *diagnose, uint64_t start, uint64_t end)
{
	if (diagnose->covered.count < COVERED_MAX)
		vec_push(&diagnose->covered,
			 (struct covered){(uint32_t)(diagnose->inputs.count - 1), start, end});
}

/* A line is shown once, for the strongest of the signatures that match it. */
static void keep_evidence(struct diagnose *diagnose, struct found *found, const struct evidence *evidence,
			  bool new_rank)
{
	const struct signature *signature =
		scanner_signature(diagnose->scanner, evidence->signature)->signature;

	for (size_t i = found->evidence.count; i > 0; i--) {
		struct evidence *other = &found->evidence.items[i - 1];

		if (other->input != evidence->input || other->offset != evidence->offset)
			continue;
		if (scanner_signature(diagnose->scanner, other->signature)->signature->strength <
		    signature->strength)
			*other = own_with_context(diagnose, *evidence, other->around.size > 0);
		return;
	}
	if (found->evidence.count < EVIDENCE_MAX || new_rank) {
		bool first = found->evidence.count < AROUND_PIECES;

		vec_push(&found->evidence, own_with_context(diagnose, *evidence, first));
	}
}

static struct str lines_text(const struct context *context, size_t first, size_t last)
{
	size_t end =
		last + 1 < context->lines.count ? context->lines.items[last + 1].at - 1 : context->text.size;

	return str_slice(buf_str(&context->text), context->lines.items[first].at, end);
}

void diagnose_keep_match(struct diagnose *diagnose, size_t index, const struct context *context, size_t first,
			 size_t last)
{
	const struct scan_signature *signature = scanner_signature(diagnose->scanner, index);
	struct signature_state *state = &diagnose->signatures[index];
	struct found *found = &diagnose->found[kb_entry_index(diagnose->kb, signature->entry)];
	const struct text_line *line = &context->lines.items[first];
	struct str text = lines_text(context, first, last);
	struct evidence evidence;
	bool new_rank;

	evidence = diagnose_evidence(diagnose, line, lines_text(context, first, first));
	evidence.signature = index;
	if (!state->trace.matched++)
		state->trace.match = diagnose_own(diagnose, evidence);
	new_rank = keep_rank(found, evidence.rank);
	if (signature->signature->strength == STRENGTH_CERTAIN &&
	    (!found->certain || diagnose_compare_places(&evidence, &found->first_certain) < 0)) {
		found->certain = true;
		found->first_certain = diagnose_own(diagnose, evidence);
	}
	if (state->trace.matched > TELLING_MATCHES && !new_rank)
		return;
	keep_entry_codes(signature->entry, found, text);
	cover(diagnose, line->start, context->lines.items[last].end);
	diagnose_keep_codes(diagnose, text, &evidence);
	keep_evidence(diagnose, found, &evidence, new_rank);
}

static void keep_codes(struct diagnose *diagnose, struct str text, const struct evidence *at, bool any_line)
{
	struct framing_cursor cursor = {.any_line = any_line};
	const struct code *code;
	struct str name;

	while (framing_next_code(diagnose->framing, text, &cursor, &name, &code)) {
		bool known = false;

		for (size_t i = 0; i < diagnose->codes.count && !known; i++) {
			struct code_met *other = &diagnose->codes.items[i];
			struct code_place *last = &diagnose->code_last.items[i];

			known = other->code == code && str_equal(other->text, name);
			/* A line is seen by each of its signatures, and counts once. */
			if (known && (last->input != at->input || last->offset < at->offset)) {
				*last = (struct code_place){at->input, at->offset};
				other->count++;
			}
		}
		if (!known && diagnose->codes.count < CODES_MAX) {
			struct code_met met = {
				arena_copy(&diagnose->arena, name), code, 1,
				own_with_context(diagnose, *at, diagnose->codes.count < AROUND_PLACES)};

			met.first.signature = DIAGNOSE_NONE;
			vec_push(&diagnose->codes, met);
			vec_push(&diagnose->code_last, (struct code_place){at->input, at->offset});
		}
	}
}

void diagnose_keep_codes(struct diagnose *diagnose, struct str text, const struct evidence *at)
{
	keep_codes(diagnose, text, at, false);
}

/* What makes two error messages one kind: the words, not the numbers, addresses and quoted names. */
static uint64_t message_shape(struct str text)
{
	uint64_t hash = 0xCBF29CE484222325u;

	for (size_t i = 0; i < text.size; i++) {
		char byte = text.data[i];

		if (byte == '0' && i + 1 < text.size && text.data[i + 1] == 'x') {
			i += 2;
			while (i < text.size && ((text.data[i] >= '0' && text.data[i] <= '9') ||
						 (text.data[i] >= 'a' && text.data[i] <= 'f')))
				i++;
			i--;
			byte = '#';
		}
		if (byte >= '0' && byte <= '9')
			continue;
		hash = (hash ^ (unsigned char)byte) * 0x100000001B3u;
	}
	return hash;
}

/* ERR00100 and the like only say where an error was caught: such a line is explained by its code. */
static bool names_wrapper(struct diagnose *diagnose, struct str text)
{
	struct framing_cursor cursor = {0};
	const struct code *code;
	struct str name;

	while (framing_next_code(diagnose->framing, text, &cursor, &name, &code)) {
		if (code && code->wrapper)
			return true;
	}
	return false;
}

size_t diagnose_keep_unknown(struct diagnose *diagnose, struct str text, const struct evidence *at)
{
	uint64_t shape = message_shape(cut(str_trim(text)));
	struct evidence own;

	if (names_wrapper(diagnose, text))
		return DIAGNOSE_NONE;
	/* "ERROR EI0020: …", as people and their loggers write it. */
	keep_codes(diagnose, text, at, true);
	for (size_t i = 0; i < diagnose->unknown.count; i++) {
		if (diagnose->unknown.items[i].shape == shape) {
			diagnose->unknown.items[i].line.count++;
			return i;
		}
	}
	if (diagnose->unknown.count >= UNMATCHED_MAX) {
		diagnose->unknown_more++;
		return DIAGNOSE_NONE;
	}
	own = own_with_context(diagnose, *at, diagnose->unknown.count < AROUND_PLACES);
	vec_push(&diagnose->unknown, (struct unknown_error){shape, {1, own}});
	return diagnose->unknown.count - 1;
}

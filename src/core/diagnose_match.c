#include "core/diagnose_private.h"

#include <string.h>

/* A table of codes: so many lines that follow each other, each with a code of its own at the same place. */
enum { TABLE_LINES_MIN = 3, CODE_SIZE_MIN = 4, CODE_SIZE_MAX = 14 };

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static bool is_upper(char byte)
{
	return byte >= 'A' && byte <= 'Z';
}

/* EI0020, ERR02200, 561103, EADDRINUSE: a word of capitals and digits that starts or is long like a code. */
static bool is_code_word(struct str word)
{
	size_t digits = 0;

	if (word.size < CODE_SIZE_MIN || word.size > CODE_SIZE_MAX)
		return false;
	for (size_t i = 0; i < word.size; i++) {
		if (is_digit(word.data[i]))
			digits++;
		else if (!is_upper(word.data[i]) && word.data[i] != '_')
			return false;
	}
	return digits >= 4 || (word.data[0] == 'E' && digits == 0);
}

/* Dates, times and decimals are no codes: 2026-03-02, 0.12345. */
static bool is_part_of_number(struct str line, size_t start, size_t end)
{
	static const char joints[] = ".-:/";

	if (start > 0 && memchr(joints, line.data[start - 1], sizeof(joints) - 1))
		return true;
	return end + 1 < line.size && memchr(joints, line.data[end], sizeof(joints) - 1) &&
	       is_digit(line.data[end + 1]);
}

/* The first code of a line that stands at `column`, or at any when it is STR_NOT_FOUND. */
static struct str code_word(struct str line, size_t *column)
{
	size_t at = 0;

	while (at < line.size) {
		size_t end = at;

		while (end < line.size &&
		       (is_digit(line.data[end]) || is_upper(line.data[end]) || line.data[end] == '_' ||
			(line.data[end] >= 'a' && line.data[end] <= 'z')))
			end++;
		if ((*column == STR_NOT_FOUND || *column == at) && !is_part_of_number(line, at, end) &&
		    is_code_word(str_slice(line, at, end))) {
			*column = at;
			return str_slice(line, at, end);
		}
		at = end == at ? at + 1 : end;
	}
	return (struct str){0};
}

static struct str context_line(const struct context *context, size_t index)
{
	size_t end = index + 1 < context->lines.count ? context->lines.items[index + 1].at - 1
						      : context->text.size;

	return str_slice(buf_str(&context->text), context->lines.items[index].at, end);
}

/* Rows above or below that have another code at the same place. */
static size_t table_rows(const struct context *context, size_t index, int step, size_t column,
			 struct str code)
{
	size_t rows = 0;
	size_t at = index;

	for (;;) {
		struct str other;

		if ((step < 0 && at == 0) || (step > 0 && at + 1 == context->lines.count))
			return rows;
		at = step < 0 ? at - 1 : at + 1;
		other = code_word(context_line(context, at), &column);
		if (!other.size || str_equal(other, code))
			return rows;
		code = other;
		rows++;
	}
}

static bool is_in_code_table(const struct context *context, size_t index)
{
	size_t column = STR_NOT_FOUND;
	struct str code = code_word(context_line(context, index), &column);

	if (!code.size)
		return false;
	return 1 + table_rows(context, index, -1, column, code) +
		       table_rows(context, index, 1, column, code) >=
	       TABLE_LINES_MIN;
}

/* Does the match only talk of the error? Its first line decides, and the line that made us look. */
static bool is_talk(struct diagnose *diagnose, const struct context *context, size_t first, size_t last)
{
	if (framing_is_quiet(diagnose->framing, context_line(context, first)))
		return true;
	if (last != first && framing_is_quiet(diagnose->framing, context_line(context, last)))
		return true;
	return is_in_code_table(context, first);
}

/* Matching */

static void compile_signature(struct diagnose *diagnose, size_t index)
{
	struct signature_state *state = &diagnose->signatures[index];
	const struct signature *signature = scanner_signature(diagnose->scanner, index)->signature;

	if (state->compiled)
		return;
	state->compiled = true;
	state->match = regex_new(signature->match, REGEX_MULTILINE, NULL, NULL);
	if (signature->unless.size)
		state->unless = regex_new(signature->unless, REGEX_MULTILINE, NULL, NULL);
}

static struct evidence text_evidence(struct diagnose *diagnose, const struct context *context, size_t line)
{
	return diagnose_evidence(diagnose, &context->lines.items[line], context_line(context, line));
}

static void note_limit(struct diagnose *diagnose, size_t index, const struct context *context)
{
	struct signature_state *state = &diagnose->signatures[index];
	struct limit_hit hit = {index, text_evidence(diagnose, context, context->find_first)};

	if (state->trace.limited++ || diagnose->limits.count >= LIMITS_MAX)
		return;
	hit.at.signature = index;
	vec_push(&diagnose->limits, hit);
}

static bool is_excluded(struct diagnose *diagnose, size_t index, const struct context *context, uint64_t at)
{
	struct signature_state *state = &diagnose->signatures[index];
	const struct context *all;
	enum regex_result result;

	if (!state->unless)
		return false;
	result = regex_match(state->unless, buf_str(&context->text), 0);
	if (result == REGEX_LIMIT)
		note_limit(diagnose, index, context);
	if (result == REGEX_MATCH)
		return true;
	all = diagnose_context(diagnose, READ_ALL, at);
	return all->there && regex_match(state->unless, buf_str(&all->text), 0) == REGEX_MATCH;
}

/* Where a match stands, by lines of the text; blanks at its ends do not count. */
static void matched_lines(const struct context *context, struct str hit, size_t *first, size_t *last)
{
	size_t start = (size_t)(hit.data - context->text.data);
	size_t end = start + hit.size;

	while (start < end && memchr(" \t\n", context->text.data[start], 3))
		start++;
	while (end > start && memchr(" \t\n", context->text.data[end - 1], 3))
		end--;
	*first = diagnose_text_line(context, start);
	*last = diagnose_text_line(context, end > start ? end - 1 : start);
}

/* Groups in capitals are values for placeholders; others are for the pattern itself. */
static bool is_value_name(struct str name)
{
	for (size_t i = 0; i < name.size; i++) {
		if (!is_upper(name.data[i]) && !is_digit(name.data[i]) && name.data[i] != '_')
			return false;
	}
	return true;
}

static void keep_captures(struct diagnose *diagnose, size_t index, const struct context *context)
{
	struct signature_state *state = &diagnose->signatures[index];
	struct found *found = &diagnose->found[kb_entry_index(
		diagnose->kb, scanner_signature(diagnose->scanner, index)->entry)];

	for (size_t i = 0; i < regex_name_count(state->match); i++) {
		size_t number;
		struct str name = regex_name(state->match, i, &number);
		struct str value;
		bool known = false;

		if (!regex_group(state->match, buf_str(&context->text), number, &value) || !value.size ||
		    value.size > EVIDENCE_TEXT_MAX || !is_value_name(name))
			continue;
		for (size_t j = 0; j < found->captures.count; j++)
			known = known || (str_equal(found->captures.items[j].name, name) &&
					  str_equal(found->captures.items[j].value, value));
		if (known || found->captures.count >= CAPTURES_MAX)
			continue;
		vec_push(&found->captures,
			 (struct capture){.name = arena_copy(&diagnose->arena, name),
					  .value = arena_copy(&diagnose->arena, value),
					  .evidence = found->evidence.count ? found->evidence.count - 1 : 0});
	}
}

static void note_wrapper(struct diagnose *diagnose, size_t index, struct str hit)
{
	const struct code *code = kb_code(diagnose->kb, str_trim(hit));

	if (!code || !code->wrapper)
		diagnose->signatures[index].wrapper_only = false;
}

/* Each match of a signature in the text that touches the find's line. Returns whether there was one. */
static bool match_in(struct diagnose *diagnose, size_t index, const struct context *context, uint64_t at)
{
	struct signature_state *state = &diagnose->signatures[index];
	struct str text = buf_str(&context->text);
	bool matched = false;
	size_t from = 0;

	while (from <= text.size) {
		enum regex_result result = regex_match(state->match, text, from);
		struct str hit;
		size_t first, last;

		if (result == REGEX_LIMIT)
			note_limit(diagnose, index, context);
		if (result != REGEX_MATCH)
			break;
		regex_group(state->match, text, 0, &hit);
		from = (size_t)(hit.data - text.data) + hit.size + !hit.size;
		matched_lines(context, hit, &first, &last);
		if (!hit.size || last < context->find_first)
			continue;
		if (first > context->find_last)
			break;
		matched = true;
		if (is_talk(diagnose, context, first, last)) {
			if (!state->trace.quiet++)
				state->trace.talk = text_evidence(diagnose, context, first);
		} else if (is_excluded(diagnose, index, context, at)) {
			if (!state->trace.excluded++)
				state->trace.exclusion = text_evidence(diagnose, context, first);
		} else {
			note_wrapper(diagnose, index, hit);
			diagnose_keep_match(diagnose, index, context, first, last);
			keep_captures(diagnose, index, context);
		}
	}
	return matched;
}

static void match_signature(struct diagnose *diagnose, size_t index, uint64_t at)
{
	struct signature_state *state = &diagnose->signatures[index];

	compile_signature(diagnose, index);
	if (!state->match || !scanner_signature(diagnose->scanner, index)->usable)
		return;
	if (!state->trace.literals++) {
		const struct context *stream = diagnose_context(diagnose, READ_STREAM, at);

		state->trace.literal = text_evidence(diagnose, stream, stream->find_first);
	}
	for (int reading = 0; reading < READING_COUNT; reading++) {
		const struct context *context = diagnose_context(diagnose, (enum reading)reading, at);

		if (context->there && match_in(diagnose, index, context, at))
			return;
	}
}

/* Finds */

/* The bytes of a line without its digits, so that lines that differ in numbers alone are one kind. */
static uint64_t raw_shape(const struct view *view, uint64_t start, uint64_t end)
{
	const char *bytes = view->data + (start - view->start);
	uint64_t hash = 0xCBF29CE484222325u;

	for (uint64_t i = 0; i < end - start; i++) {
		if (!is_digit(bytes[i]))
			hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001B3u;
	}
	return hash | 1;
}

/* A line that looks like an error, and that no signature has a literal in. */
static void look_at_error(struct diagnose *diagnose, const struct line *line, bool code_literal)
{
	struct text_line place = {0, line->start, line->end, line->head};
	struct shape_slot *slot = NULL;
	struct evidence evidence;
	struct str text = buf_str(&line->text);
	uint64_t shape = raw_shape(&diagnose->view, line->start, line->end);
	size_t unknown = DIAGNOSE_NONE;

	if (!code_literal) {
		slot = &diagnose->shapes[(shape >> 20) & (SHAPE_CACHE_SIZE - 1)];
		if (slot->shape == shape) {
			if (slot->unknown != DIAGNOSE_NONE)
				diagnose->unknown.items[slot->unknown].line.count++;
			return;
		}
	}
	if (!framing_is_quiet(diagnose->framing, text)) {
		evidence = diagnose_evidence(diagnose, &place, text);
		diagnose_keep_codes(diagnose, text, &evidence);
		if (framing_is_error(diagnose->framing, text, &line->head))
			unknown = diagnose_keep_unknown(diagnose, text, &evidence);
	}
	if (slot)
		*slot = (struct shape_slot){shape, unknown};
}

/* All finds of one line at once: those from `first` on. Returns the index behind them. */
static size_t look_at_line(struct diagnose *diagnose, size_t first)
{
	uint64_t at = diagnose->finds.items[first].at;
	struct line *line = diagnose_line(diagnose, at);
	uint64_t end = line->end;
	bool error = false;
	bool code = false;
	size_t next = first;

	diagnose->hit_round++;
	vec_clear(&diagnose->hit_signatures);
	for (; next < diagnose->finds.count && diagnose->finds.items[next].at <= end; next++) {
		size_t count;
		const struct scan_owner *owners =
			scanner_owners(diagnose->scanner, diagnose->finds.items[next].literal, &count);

		for (size_t i = 0; i < count; i++) {
			error = error || owners[i].kind == SCAN_ERROR;
			code = code || owners[i].kind == SCAN_CODE;
			if (owners[i].kind != SCAN_SIGNATURE ||
			    diagnose->hit_marks[owners[i].signature] == diagnose->hit_round)
				continue;
			diagnose->hit_marks[owners[i].signature] = diagnose->hit_round;
			vec_push(&diagnose->hit_signatures, owners[i].signature);
		}
	}
	if (!line->whole)
		diagnose->inputs.items[diagnose->inputs.count - 1].long_lines++;
	for (int i = 0; i < READING_COUNT; i++)
		diagnose->contexts[i].made = false;
	for (size_t i = 0; i < diagnose->hit_signatures.count; i++)
		match_signature(diagnose, diagnose->hit_signatures.items[i], at);
	if (error || code)
		look_at_error(diagnose, diagnose_line(diagnose, at), code || diagnose->hit_signatures.count);
	return next;
}

static int compare_finds(const void *left, const void *right)
{
	const struct find *a = left;
	const struct find *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

void diagnose_look(struct diagnose *diagnose, uint64_t limit)
{
	size_t done = 0;
	size_t kept = 0;

	if (diagnose->finds.count)
		qsort(diagnose->finds.items, diagnose->finds.count, sizeof(*diagnose->finds.items),
		      compare_finds);
	while (done < diagnose->finds.count && diagnose->finds.items[done].at < limit)
		done = look_at_line(diagnose, done);
	if (limit > diagnose->looked)
		diagnose->looked = limit;
	for (; done < diagnose->finds.count; done++)
		diagnose->finds.items[kept++] = diagnose->finds.items[done];
	diagnose->finds.count = kept;
}

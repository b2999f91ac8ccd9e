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

/* EI0020, ERR02200, EADDRINUSE by their looks; 561103 only when it is known: other numbers are ports and
 * pids. */
static bool is_code_word(const struct kb *kb, struct str word)
{
	size_t digits = 0;

	if (word.size < CODE_SIZE_MIN || word.size > CODE_SIZE_MAX)
		return false;
	for (size_t i = 0; i < word.size; i++) {
		if (is_digit(word.data[i]))
			digits++;
		else if (!is_upper(word.data[i]))
			return false;
	}
	if (digits == word.size)
		return kb_code(kb, word) != NULL;
	return is_upper(word.data[0]) && (digits >= 4 || (word.data[0] == 'E' && digits == 0));
}

static bool is_word_byte(char byte)
{
	return is_digit(byte) || is_upper(byte) || byte == '_' || (byte >= 'a' && byte <= 'z');
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
static struct str code_word(const struct kb *kb, struct str line, size_t *column)
{
	size_t at = *column == STR_NOT_FOUND ? 0 : *column;

	while (at < line.size) {
		size_t end = at;

		while (end < line.size && is_word_byte(line.data[end]))
			end++;
		if (end > at && (at == 0 || !is_word_byte(line.data[at - 1])) &&
		    !is_part_of_number(line, at, end) && is_code_word(kb, str_slice(line, at, end))) {
			*column = at;
			return str_slice(line, at, end);
		}
		if (*column != STR_NOT_FOUND)
			break;
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
static size_t table_rows(const struct kb *kb, const struct context *context, size_t index, int step,
			 size_t column, struct str code)
{
	size_t rows = 0;
	size_t at = index;

	for (;;) {
		struct str other;

		if ((step < 0 && at == 0) || (step > 0 && at + 1 == context->lines.count))
			return rows;
		at = step < 0 ? at - 1 : at + 1;
		other = code_word(kb, context_line(context, at), &column);
		if (!other.size || str_equal(other, code))
			return rows;
		code = other;
		rows++;
	}
}

static bool is_in_code_table(const struct kb *kb, const struct context *context, size_t index)
{
	size_t column = STR_NOT_FOUND;
	struct str code = code_word(kb, context_line(context, index), &column);

	if (!code.size)
		return false;
	return 1 + table_rows(kb, context, index, -1, column, code) +
		       table_rows(kb, context, index, 1, column, code) >=
	       TABLE_LINES_MIN;
}

/* Does the match only talk of the error? Its first line decides, and the line that made us look. */
static bool is_talk(struct diagnose *diagnose, const struct context *context, size_t first, size_t last)
{
	if (framing_is_quiet(diagnose->framing, context_line(context, first)))
		return true;
	if (last != first && framing_is_quiet(diagnose->framing, context_line(context, last)))
		return true;
	return is_in_code_table(diagnose->kb, context, first);
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
	return diagnose_own(diagnose, diagnose_evidence(diagnose, &context->lines.items[line],
							context_line(context, line)));
}

static void note_limit(struct diagnose *diagnose, size_t index, const struct context *context)
{
	struct signature_state *state = &diagnose->signatures[index];
	struct limit_hit hit = {index, {0}};

	if (state->trace.limited++ || diagnose->limits.count >= LIMITS_MAX)
		return;
	hit.at = text_evidence(diagnose, context, context->find_first);
	hit.at.signature = index;
	vec_push(&diagnose->limits, hit);
}

/* `unless` is looked for in the lines of a match and those around it. */
static bool is_excluded(struct diagnose *diagnose, size_t index, const struct context *context, size_t first,
			size_t last, uint64_t at)
{
	struct signature_state *state = &diagnose->signatures[index];
	const struct context *all;
	size_t from, to;
	enum regex_result result;

	if (!state->unless)
		return false;
	from = context->lines.items[first > CONTEXT_LINES ? first - CONTEXT_LINES : 0].at;
	to = last + CONTEXT_LINES + 1 < context->lines.count
		     ? context->lines.items[last + CONTEXT_LINES + 1].at - 1
		     : context->text.size;
	result = regex_match(state->unless, str_slice(buf_str(&context->text), from, to), 0);
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

/* What is to be made of one match. */
static void decide(struct diagnose *diagnose, size_t index, const struct context *context, struct str hit,
		   size_t first, size_t last, uint64_t at)
{
	struct signature_state *state = &diagnose->signatures[index];
	const struct text_line *line = &context->lines.items[first];
	bool telling = state->trace.matched < TELLING_MATCHES;
	bool talk = telling && is_talk(diagnose, context, first, last);

	/* What was put together only by guess must not take a line away from a better reading. */
	if (talk && context != &diagnose->contexts[READ_ESCAPED] &&
	    context != &diagnose->contexts[READ_STREAM])
		return;
	if (!diagnose_is_new(diagnose, index, line->start, context->lines.items[last].end, line->head.rank))
		return;
	if (talk) {
		if (!state->trace.quiet++)
			state->trace.talk = text_evidence(diagnose, context, first);
	} else if (is_excluded(diagnose, index, context, first, last, at)) {
		if (!state->trace.excluded++)
			state->trace.exclusion = text_evidence(diagnose, context, first);
	} else {
		note_wrapper(diagnose, index, hit);
		diagnose_keep_match(diagnose, index, context, first, last);
		if (telling)
			keep_captures(diagnose, index, context);
	}
}

/*
 * Each match of a signature that ends at the find's line or later and starts before the zone of the text
 * ends: the lines behind the zone are matched with what follows them.
 */
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
		if (first > context->zone_last)
			break;
		matched = matched || first <= context->find_last;
		decide(diagnose, index, context, hit, first, last, at);
	}
	return matched;
}

/* Was the line matched together with one before it? Else its zone begins. */
static bool is_in_zone(const struct signature_state *state, const struct line *line)
{
	for (size_t i = 0; i < state->zone_count && i < ZONES; i++) {
		if (line->end <= state->zones[i].until &&
		    stream_is_same(state->zones[i].stream, line->head.stream))
			return true;
	}
	return false;
}

static void begin_zone(struct signature_state *state, const struct context *context)
{
	const struct text_line *last = &context->lines.items[context->zone_last];
	struct stream stream = context->lines.items[context->find_first].head.stream;
	struct zone zone = {stream, last->end};

	for (size_t i = 0; i < state->zone_count && i < ZONES; i++) {
		if (stream_is_same(state->zones[i].stream, stream)) {
			state->zones[i] = zone;
			return;
		}
	}
	state->zones[state->zone_count++ % ZONES] = zone;
}

static bool match_stream(struct diagnose *diagnose, size_t index, uint64_t at, const struct line *line)
{
	struct signature_state *state = &diagnose->signatures[index];
	const struct context *context;
	bool matched;

	if (is_in_zone(state, line))
		return diagnose_was_decided(diagnose, index, line);
	context = diagnose_context(diagnose, READ_STREAM, at);
	if (!context->there)
		return false;
	matched = match_in(diagnose, index, context, at);
	begin_zone(state, context);
	return matched;
}

static bool match_reading(struct diagnose *diagnose, size_t index, enum reading reading, uint64_t at)
{
	const struct context *context = diagnose_context(diagnose, reading, at);

	return context->there && match_in(diagnose, index, context, at);
}

static void match_signature(struct diagnose *diagnose, size_t index, uint64_t at)
{
	struct signature_state *state = &diagnose->signatures[index];
	struct line line = *diagnose_line(diagnose, at);

	compile_signature(diagnose, index);
	if (!state->match || !scanner_signature(diagnose->scanner, index)->usable)
		return;
	if (!state->trace.literals++) {
		struct text_line place = {0, line.start, line.end, line.head};

		state->trace.literal =
			diagnose_own(diagnose, diagnose_evidence(diagnose, &place, buf_str(&line.text)));
	}
	if (match_reading(diagnose, index, READ_ESCAPED, at) || match_stream(diagnose, index, at, &line) ||
	    (state->misses < MISSES_MAX && (match_reading(diagnose, index, READ_ALL, at) ||
					    match_reading(diagnose, index, READ_WRAPPED, at))))
		state->misses = 0;
	else
		state->misses++;
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

/* A line that looks like an error. `slot`, if not null, will remember what it is. */
static void look_at_error(struct diagnose *diagnose, uint64_t at, struct shape_slot *slot, uint64_t shape)
{
	const struct line *line = diagnose_line(diagnose, at);
	struct text_line place = {0, line->start, line->end, line->head};
	struct str text = buf_str(&line->text);
	size_t unknown = DIAGNOSE_NONE;
	struct evidence evidence;

	if (!framing_is_quiet(diagnose->framing, text)) {
		evidence = diagnose_evidence(diagnose, &place, text);
		diagnose_keep_codes(diagnose, text, &evidence);
		if (framing_is_error(diagnose->framing, text, &line->head))
			unknown = diagnose_keep_unknown(diagnose, text, &evidence);
	}
	if (slot)
		*slot = (struct shape_slot){shape, unknown};
}

/* The same for a line that nothing else was found in: known kinds of lines are only counted. */
static void look_at_plain_error(struct diagnose *diagnose, uint64_t at, struct bounds bounds)
{
	uint64_t shape = raw_shape(&diagnose->view, bounds.start, bounds.end);
	struct shape_slot *slot = &diagnose->shapes[(shape >> 20) & (SHAPE_CACHE_SIZE - 1)];

	if (slot->shape != shape)
		look_at_error(diagnose, at, slot, shape);
	else if (slot->unknown != DIAGNOSE_NONE)
		diagnose->unknown.items[slot->unknown].line.count++;
}

/* What the finds of one line are for. */
struct purposes {
	bool error, code;
};

static void add_purposes(struct diagnose *diagnose, uint32_t literal, struct purposes *purposes)
{
	size_t count;
	const struct scan_owner *owners = scanner_owners(diagnose->scanner, literal, &count);

	for (size_t i = 0; i < count; i++) {
		purposes->error = purposes->error || owners[i].kind == SCAN_ERROR;
		purposes->code = purposes->code || owners[i].kind == SCAN_CODE;
		if (owners[i].kind != SCAN_SIGNATURE ||
		    diagnose->hit_marks[owners[i].signature] == diagnose->hit_round)
			continue;
		diagnose->hit_marks[owners[i].signature] = diagnose->hit_round;
		vec_push(&diagnose->hit_signatures, owners[i].signature);
	}
}

/* All finds of one line at once: those from `first` on. Returns the index behind them. */
static size_t look_at_line(struct diagnose *diagnose, size_t first)
{
	uint64_t at = diagnose->finds.items[first].at;
	struct bounds bounds = diagnose_bounds(diagnose, at);
	struct purposes purposes = {0};
	size_t next = first;

	diagnose->hit_round++;
	vec_clear(&diagnose->hit_signatures);
	for (; next < diagnose->finds.count && diagnose->finds.items[next].at <= bounds.end; next++)
		add_purposes(diagnose, diagnose->finds.items[next].literal, &purposes);
	if (!bounds.whole)
		diagnose->inputs.items[diagnose->inputs.count - 1].long_lines++;
	diagnose_forget_contexts(diagnose);
	for (size_t i = 0; i < diagnose->hit_signatures.count; i++)
		match_signature(diagnose, diagnose->hit_signatures.items[i], at);
	if (purposes.code || (purposes.error && diagnose->hit_signatures.count))
		look_at_error(diagnose, at, NULL, 0);
	else if (purposes.error)
		look_at_plain_error(diagnose, at, bounds);
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

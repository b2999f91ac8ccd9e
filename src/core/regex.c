#include "core/regex.h"

#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/*
 * A signature needs some hundred steps on a line; these leave room for long tracebacks and still end a
 * pattern that backtracks without bound within some ten milliseconds.
 */
enum {
	MATCH_LIMIT = 1000 * 1000,
	DEPTH_LIMIT = 100 * 1000,
	HEAP_LIMIT_KIB = 16 * 1024,
	PATTERN_SIZE_MAX = 64 * 1024,
	PARENTHESES_MAX = 100
};

/* What copies share. Never changes after regex_new but for the count. */
struct pattern {
	atomic_size_t users;
	pcre2_code *code;
	pcre2_match_context *context;
	bool jit;
};

struct regex {
	struct pattern *pattern;
	pcre2_match_data *data;
	int group_count; /* of the last match; 0 when there was none */
};

static void *take_memory(size_t size, void *unused)
{
	(void)unused;
	return alloc_bytes(size ? size : 1);
}

static void give_memory_back(void *memory, void *unused)
{
	(void)unused;
	free(memory);
}

static uint32_t pcre2_options(unsigned flags)
{
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DUPNAMES;

	if (flags & REGEX_CASELESS)
		options |= PCRE2_CASELESS;
	if (flags & REGEX_MULTILINE)
		options |= PCRE2_MULTILINE;
	if (flags & REGEX_ANCHORED)
		options |= PCRE2_ANCHORED;
	if (flags & REGEX_DOTALL)
		options |= PCRE2_DOTALL;
	return options;
}

/*
 * With invalid bytes tolerated, the machine code of PCRE2 10.42 lets \S, \W and \D match no character above
 * U+007F. The classes [^\s], [^\w] and [^\d] say the same and are matched rightly: so they stand for the
 * three here, except inside of classes and of \Q...\E.
 */
static struct str sound_pattern(struct buf *sound, struct str pattern)
{
	size_t class_first = 0; /* where a ] does not end the class yet; 0 outside of classes */
	bool quoted = false;

	for (size_t i = 0; i < pattern.size; i++) {
		char byte = pattern.data[i];
		char next = i + 1 < pattern.size ? pattern.data[i + 1] : '\0';

		if (byte == '\\' && next && (!quoted || next == 'E')) {
			if (!quoted && !class_first && (next == 'S' || next == 'W' || next == 'D'))
				buf_add_format(sound, "[^\\%c]", next - 'A' + 'a');
			else
				buf_add_bytes(sound, pattern.data + i, 2);
			quoted = next == 'Q';
			i++;
			continue;
		}
		if (!quoted && byte == '[' && !class_first) {
			class_first = i + (next == '^' ? 2 : 1);
		} else if (!quoted && byte == '[' && next == ':') {
			size_t end = str_find(str_slice(pattern, i, pattern.size), STR(":]"));

			if (end != STR_NOT_FOUND)
				class_first = i + end + 1;
		} else if (!quoted && byte == ']' && i > class_first) {
			class_first = 0;
		}
		buf_add_byte(sound, byte);
	}
	return buf_str(sound);
}

static pcre2_code *compile_text(struct str pattern, unsigned flags, pcre2_compile_context *context,
				int *number, PCRE2_SIZE *at)
{
	return pcre2_compile((PCRE2_SPTR)(pattern.data ? pattern.data : ""), pattern.size,
			     pcre2_options(flags), number, at, context);
}

static pcre2_code *compile(struct str pattern, unsigned flags, pcre2_general_context *memory,
			   struct buf *error, size_t *error_at)
{
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	PCRE2_UCHAR message[256] = "";
	struct buf sound = {0};
	PCRE2_SIZE at = 0;
	pcre2_code *code;
	int number;

	pcre2_set_max_pattern_length(context, PATTERN_SIZE_MAX);
	pcre2_set_parens_nest_limit(context, PARENTHESES_MAX);
	code = compile_text(sound_pattern(&sound, pattern), flags, context, &number, &at);
	if (!code) /* again as it was written, for the place of the fault */
		code = compile_text(pattern, flags, context, &number, &at);
	buf_release(&sound);
	pcre2_compile_context_free(context);
	if (code)
		return code;
	pcre2_get_error_message(number, message, sizeof(message));
	if (error)
		buf_add_format(error, "%s", (const char *)message);
	if (error_at)
		*error_at = at < pattern.size ? at : pattern.size;
	return NULL;
}

static struct regex *new_user(struct pattern *pattern)
{
	struct regex *regex = alloc_zeroed(1, sizeof(*regex));

	regex->pattern = pattern;
	regex->data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	if (!regex->data)
		alloc_bytes(SIZE_MAX); /* ends the process: out of memory */
	return regex;
}

struct regex *regex_new(struct str text, unsigned flags, struct buf *error, size_t *error_at)
{
	pcre2_general_context *memory = pcre2_general_context_create(take_memory, give_memory_back, NULL);
	pcre2_code *code = compile(text, flags, memory, error, error_at);
	struct regex *regex = NULL;
	struct pattern *pattern;

	if (!code)
		goto out;
	pattern = alloc_zeroed(1, sizeof(*pattern));
	atomic_init(&pattern->users, 1);
	pattern->code = code;
	pattern->context = pcre2_match_context_create(memory);
	pcre2_set_match_limit(pattern->context, MATCH_LIMIT);
	pcre2_set_depth_limit(pattern->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(pattern->context, HEAP_LIMIT_KIB);
	/* Refused where memory may not be made executable; the interpreter does the same, slower. */
	pattern->jit = !(flags & REGEX_ONCE) && pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0;
	regex = new_user(pattern);
out:
	pcre2_general_context_free(memory);
	return regex;
}

struct regex *regex_copy(const struct regex *regex)
{
	atomic_fetch_add(&regex->pattern->users, 1);
	return new_user(regex->pattern);
}

void regex_free(struct regex *regex)
{
	struct pattern *pattern;

	if (!regex)
		return;
	pattern = regex->pattern;
	pcre2_match_data_free(regex->data);
	free(regex);
	if (atomic_fetch_sub(&pattern->users, 1) != 1)
		return;
	pcre2_match_context_free(pattern->context);
	pcre2_code_free(pattern->code);
	free(pattern);
}

enum regex_result regex_match(struct regex *regex, struct str subject, size_t start)
{
	const struct pattern *pattern = regex->pattern;
	PCRE2_SPTR bytes = (PCRE2_SPTR)(subject.data ? subject.data : "");
	int result = PCRE2_ERROR_JIT_STACKLIMIT;

	regex->group_count = 0;
	if (start > subject.size)
		return REGEX_NO_MATCH;
	if (pattern->jit)
		result = pcre2_jit_match(pattern->code, bytes, subject.size, start, 0, regex->data,
					 pattern->context);
	/* The machine code has 32 KiB of stack; what needs more goes to the interpreter, which has the heap.
	 */
	if (result == PCRE2_ERROR_JIT_STACKLIMIT)
		result = pcre2_match(pattern->code, bytes, subject.size, start, PCRE2_NO_JIT, regex->data,
				     pattern->context);
	if (result == PCRE2_ERROR_NOMATCH)
		return REGEX_NO_MATCH;
	if (result <= 0)
		return REGEX_LIMIT;
	regex->group_count = result;
	return REGEX_MATCH;
}

bool regex_group(const struct regex *regex, struct str subject, size_t number, struct str *value)
{
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(regex->data);
	PCRE2_SIZE from, to;

	if (number >= (size_t)regex->group_count)
		return false;
	from = offsets[2 * number];
	to = offsets[2 * number + 1];
	if (from == PCRE2_UNSET || to < from || to > subject.size)
		return false;
	*value = (struct str){subject.data ? subject.data + from : "", to - from};
	return true;
}

size_t regex_name_count(const struct regex *regex)
{
	uint32_t count = 0;

	pcre2_pattern_info(regex->pattern->code, PCRE2_INFO_NAMECOUNT, &count);
	return count;
}

struct str regex_name(const struct regex *regex, size_t index, size_t *group_number)
{
	PCRE2_SPTR table = NULL;
	uint32_t entry_size = 0;

	/* Each entry: the group's number in two bytes, high one first, then the name and NUL. */
	pcre2_pattern_info(regex->pattern->code, PCRE2_INFO_NAMETABLE, &table);
	pcre2_pattern_info(regex->pattern->code, PCRE2_INFO_NAMEENTRYSIZE, &entry_size);
	table += index * entry_size;
	if (group_number)
		*group_number = (size_t)table[0] << 8 | table[1];
	return str_of((const char *)table + 2);
}

bool regex_matches_empty(const struct regex *regex)
{
	uint32_t empty = 0;

	pcre2_pattern_info(regex->pattern->code, PCRE2_INFO_MATCHEMPTY, &empty);
	return empty != 0;
}

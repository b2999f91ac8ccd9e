#include "core/fill.h"

#include "core/fill_shell.h"

static const char *const problem_texts[][LANG_COUNT] = {
	[FILL_OK] = {"", ""},
	[FILL_NO_VALUE] = {"还没有值", "has no value yet"},
	[FILL_BAD_VALUE] = {"这个值不合要求", "the value does not fit"},
	[FILL_BAD_PLACE] = {"这个值不能放在命令的这个位置",
			    "this value cannot be written at this place of the command"},
	[FILL_OPTION] = {"以 - 开头，会被当成选项", "begins with -, and would be taken for an option"},
	[FILL_BAD_RANGE] = {"区间两端不成对：请一起设置，起点不能大于终点",
			    "the two ends are no pair: set both, the first not above the second"},
};

struct str fill_problem_text(enum fill_problem problem, enum lang lang)
{
	return str_of(problem_texts[problem][lang]);
}

void fill_explain(const struct fill_span *span, enum lang lang, struct buf *out)
{
	if (span->problem == FILL_OK || span->problem == FILL_NO_VALUE)
		return;
	if (span->problem == FILL_BAD_VALUE)
		fill_check(span->placeholder, span->value, lang, out);
	else
		buf_add(out, fill_problem_text(span->problem, lang));
}

static bool is_name_byte(char byte, bool first)
{
	return (byte >= 'A' && byte <= 'Z') || (!first && ((byte >= '0' && byte <= '9') || byte == '_'));
}

static size_t name_end(struct str text, size_t at)
{
	size_t start = at;

	while (at < text.size && is_name_byte(text.data[at], at == start))
		at++;
	return at;
}

/* The placeholder that is written at `at`, and where it ends; null: none is. */
static const struct placeholder *placeholder_at(const struct kb *kb, const struct shell_lexer *lexer,
						struct str text, size_t at, size_t *end)
{
	bool variable = text.data[at] == '$';
	size_t from = at + (variable ? 2 : 1);
	const struct placeholder *placeholder;

	if (variable ? at + 1 >= text.size || text.data[at + 1] != '{' || !shell_expands(lexer)
		     : text.data[at] != '<')
		return NULL;
	*end = name_end(text, from);
	if (*end == from || *end >= text.size || text.data[*end] != (variable ? '}' : '>'))
		return NULL;
	placeholder = kb_placeholder(kb, str_slice(text, from, *end));
	++*end;
	return placeholder && variable && !placeholder->shell_variable ? NULL : placeholder;
}

/* A walk over a template, from placeholder to placeholder. */
struct walk {
	const struct kb *kb;
	struct str text;
	struct shell_lexer lexer;
	size_t at;
};

/* Go on to the next placeholder: its bytes are from walk->at to *end, what was passed from *passed. */
static const struct placeholder *walk_next(struct walk *walk, size_t *passed, size_t *end)
{
	*passed = walk->at;
	while (walk->at < walk->text.size) {
		const struct placeholder *placeholder =
			placeholder_at(walk->kb, &walk->lexer, walk->text, walk->at, end);

		if (placeholder)
			return placeholder;
		walk->at = shell_step(&walk->lexer, walk->text, walk->at);
	}
	return NULL;
}

static bool is_number_kind(const struct placeholder *placeholder)
{
	return placeholder->kind == PLACEHOLDER_PORT || placeholder->kind == PLACEHOLDER_INT;
}

/* <A>-<B>: the ends of a range belong together. One of the user's and one found is a range that nobody chose.
 */
static bool is_pair(const struct fill_span *first, const struct fill_span *second)
{
	uint64_t low, high;

	if (!first->filled || (first->source == FACT_USER) != (second->source == FACT_USER))
		return false;
	return str_to_u64(first->value, &low) && str_to_u64(second->value, &high) && low <= high;
}

static bool ends_range(const struct filled *out, const struct fill_span *span, size_t start)
{
	const struct fill_span *before = out->spans.count ? &out->spans.items[out->spans.count - 1] : NULL;

	return before && before->end + 1 == start && out->text.data[before->end] == '-' &&
	       is_number_kind(before->placeholder) && is_number_kind(span->placeholder) &&
	       before->placeholder != span->placeholder;
}

static void add_span(struct walk *walk, const struct placeholder *placeholder, size_t end,
		     const struct facts *facts, struct filled *out)
{
	struct fill_span span = {.start = out->text.size, .placeholder = placeholder};
	struct str before = str_slice(walk->text, 0, walk->at);
	struct fact chosen;

	if (!fill_value(walk->kb, placeholder, facts, &chosen))
		span.problem = chosen.value.size ? FILL_BAD_VALUE : FILL_NO_VALUE;
	span.value = chosen.value;
	span.source = chosen.source;
	span.origin = chosen.origin;
	/* After $ a value would become the name of a variable. */
	if (!span.problem && str_ends(before, STR("$")) && shell_expands(&walk->lexer))
		span.problem = FILL_BAD_PLACE;
	if (!span.problem && ends_range(out, &span, span.start) &&
	    !is_pair(&out->spans.items[out->spans.count - 1], &span))
		span.problem = FILL_BAD_RANGE;
	if (!span.problem)
		span.problem = shell_put(&walk->lexer, placeholder, chosen.value,
					 end < walk->text.size ? walk->text.data[end] : '\0', &out->text);
	span.filled = span.problem == FILL_OK;
	if (!span.filled) {
		buf_add(&out->text, str_slice(walk->text, walk->at, end));
		out->holes++;
	}
	span.end = out->text.size;
	vec_push(&out->spans, span);
}

void fill_command(const struct kb *kb, struct str template, const struct facts *facts, struct filled *out)
{
	struct walk walk = {.kb = kb, .text = template};
	const struct placeholder *placeholder;
	size_t passed, end;

	buf_clear(&out->text);
	vec_clear(&out->spans);
	out->holes = 0;
	shell_start(&walk.lexer);
	while ((placeholder = walk_next(&walk, &passed, &end))) {
		buf_add(&out->text, str_slice(template, passed, walk.at));
		add_span(&walk, placeholder, end, facts, out);
		shell_pass_value(&walk.lexer);
		walk.at = end;
	}
	buf_add(&out->text, str_slice(template, passed, walk.at));
}

void filled_release(struct filled *filled)
{
	buf_release(&filled->text);
	vec_release(&filled->spans);
	filled->holes = 0;
}

void fill_placeholders(const struct kb *kb, struct str template, struct placeholder_list *out)
{
	struct walk walk = {.kb = kb, .text = template};
	const struct placeholder *placeholder;
	size_t passed, end;

	shell_start(&walk.lexer);
	while ((placeholder = walk_next(&walk, &passed, &end))) {
		bool known = false;

		for (size_t i = 0; i < out->list.count; i++)
			known = known || out->list.items[i] == placeholder;
		if (!known)
			vec_push(&out->list, placeholder);
		shell_pass_value(&walk.lexer);
		walk.at = end;
	}
}

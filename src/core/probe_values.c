#include "core/probe_values.h"

#include "core/regex.h"
#include "core/version.h"

enum { VALUE_MAX = 16384, SAY_VALUE_MAX = 300 };

void probe_values_set(struct probe_values *values, struct str name, struct str value)
{
	struct probe_named *found = NULL;
	for (size_t i = 0; i < values->list.count; i++)
		if (str_equal(values->list.items[i].name, name))
			found = &values->list.items[i];
	if (!found) {
		if (value.size == 0)
			return;
		vec_push(&values->list, (struct probe_named){.name = arena_copy(&values->arena, name)});
		found = &values->list.items[values->list.count - 1];
	}
	found->value = value.size ? arena_copy(&values->arena, str_slice(value, 0, VALUE_MAX)) : STR("");
	found->own = true;
}

struct str probe_values_get(const struct probe_values *values, struct str name)
{
	for (size_t i = 0; i < values->list.count; i++)
		if (str_equal(values->list.items[i].name, name))
			return values->list.items[i].value;
	return STR("");
}

void probe_values_release(struct probe_values *values)
{
	vec_release(&values->list);
	arena_release(&values->arena);
}

/* ---- Templates. --------------------------------------------------------------------------------------- */

enum piece_kind { PIECE_LITERAL, PIECE_VALUE, PIECE_VARIABLE };

struct piece {
	enum piece_kind kind;
	struct str text; /* literal text, or the name */
};

static bool name_byte(char byte, bool first)
{
	bool letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '_';
	return letter || (!first && byte >= '0' && byte <= '9');
}

static size_t name_end(struct str text, size_t at)
{
	size_t end = at;
	while (end < text.size && name_byte(text.data[end], end == at))
		end++;
	return end;
}

/* A reference that starts at `at`: <NAME>, $NAME or ${NAME}. False: it is literal text. */
static bool reference_at(struct str text, size_t at, bool variables, struct piece *piece, size_t *end)
{
	bool value = text.data[at] == '<';
	if (!value && !(variables && text.data[at] == '$'))
		return false;
	bool braces = !value && at + 1 < text.size && text.data[at + 1] == '{';
	size_t from = at + (braces ? 2 : 1);
	size_t to = name_end(text, from);
	if (to == from)
		return false;
	if (value || braces) {
		if (to == text.size || text.data[to] != (value ? '>' : '}'))
			return false;
		*end = to + 1;
	} else {
		*end = to;
	}
	*piece = (struct piece){value ? PIECE_VALUE : PIECE_VARIABLE, str_slice(text, from, to)};
	return true;
}

/* The next piece off the front of *rest. */
static struct piece next_piece(struct str *rest, bool variables)
{
	struct piece piece;
	size_t end = 0;
	if (reference_at(*rest, 0, variables, &piece, &end)) {
		*rest = str_slice(*rest, end, rest->size);
		return piece;
	}
	size_t at = 1, unused = 0;
	while (at < rest->size && !reference_at(*rest, at, variables, &piece, &unused))
		at++;
	piece = (struct piece){PIECE_LITERAL, str_slice(*rest, 0, at)};
	*rest = str_slice(*rest, at, rest->size);
	return piece;
}

static struct str ask_variable(const struct probe_host *host, struct str name, struct probe_answer *answer)
{
	struct probe_request request = {.ask = PROBE_ASK_ENV, .text = name};
	host->ask(host->context, &request, answer);
	struct str line = buf_str(&answer->text);
	if (answer->end != PROBE_END_OK || line.size <= name.size)
		return STR("");
	line = str_slice(line, name.size + 1, line.size);
	return str_ends(line, STR("\n")) ? str_slice(line, 0, line.size - 1) : line;
}

static void add_inserted(struct buf *out, struct str text, enum probe_template kind)
{
	for (size_t i = 0; i < text.size; i++) {
		char byte = text.data[i];
		bool glob = byte == '*' || byte == '?' || byte == '[' || byte == ']' || byte == '\\';
		if (kind == PROBE_TEMPLATE_PATH && glob)
			buf_add_byte(out, '\\');
		buf_add_byte(out, byte);
	}
}

struct expansion {
	const struct probe_values *values;
	const struct probe_host *host;
	enum probe_template kind;
	bool relative; /* written "./..." */
	struct probe_texts *out;
};

static void finish_text(const struct expansion *expansion, struct str text)
{
	bool path = expansion->kind == PROBE_TEMPLATE_PATH;
	if (path && !expansion->relative && !str_starts(text, STR("/")))
		return;
	if (expansion->out->list.count < PROBE_TEXTS_MAX)
		vec_push(&expansion->out->list, arena_copy(&expansion->out->arena, text));
}

/* Add the rest of the template to `so_far`, in every way it can be read. */
static void expand_rest(const struct expansion *expansion, struct str rest, struct buf *so_far)
{
	if (rest.size == 0) {
		finish_text(expansion, buf_str(so_far));
		return;
	}
	struct piece piece = next_piece(&rest, true);
	size_t before = so_far->size;
	if (piece.kind == PIECE_LITERAL) {
		buf_add(so_far, piece.text);
		expand_rest(expansion, rest, so_far);
		buf_truncate(so_far, before);
		return;
	}
	struct probe_answer answer = {0};
	struct str lines = piece.kind == PIECE_VALUE ? probe_values_get(expansion->values, piece.text)
						     : ask_variable(expansion->host, piece.text, &answer);
	struct str line;
	while (str_next(&lines, '\n', &line)) {
		if (line.size == 0)
			continue;
		add_inserted(so_far, line, expansion->kind);
		expand_rest(expansion, rest, so_far);
		buf_truncate(so_far, before);
	}
	buf_release(&answer.text);
}

void probe_expand(const struct probe_values *values, const struct probe_host *host, struct str template,
		  enum probe_template kind, struct probe_texts *out)
{
	struct expansion expansion = {values, host, kind, str_starts(template, STR("./")), out};
	struct buf start = {0};
	if (template.size > 0 && template.data[0] == '~') {
		struct buf home = {0};
		buf_add(&home, STR("$HOME"));
		buf_add(&home, str_slice(template, 1, template.size));
		expand_rest(&expansion, buf_str(&home), &start);
		buf_release(&home);
	} else {
		expand_rest(&expansion, template, &start);
	}
	buf_release(&start);
}

void probe_texts_release(struct probe_texts *texts)
{
	vec_release(&texts->list);
	arena_release(&texts->arena);
}

void probe_say(const struct probe_values *values, struct str template, struct buf *out)
{
	while (template.size > 0) {
		struct piece piece = next_piece(&template, false);
		if (piece.kind == PIECE_LITERAL) {
			buf_add(out, piece.text);
			continue;
		}
		struct str value = probe_values_get(values, piece.text);
		if (value.size == 0) {
			buf_add_byte(out, '?');
			continue;
		}
		struct str line;
		size_t start = out->size;
		while (str_next(&value, '\n', &line)) {
			if (out->size > start)
				buf_add(out, STR(", "));
			if (out->size - start + line.size > SAY_VALUE_MAX) {
				buf_add(out,
					out->size > start ? STR("...") : str_slice(line, 0, SAY_VALUE_MAX));
				break;
			}
			buf_add(out, line);
		}
	}
}

/* ---- Conditions. -------------------------------------------------------------------------------------- */

static const struct {
	const char *word;
	enum probe_operator operator;
	bool takes_right;
} operators[] = {
	/* The longer of two that begin alike first. */
	{"present", PROBE_PRESENT, false}, {"missing", PROBE_MISSING, false},
	{"!=", PROBE_NOT_EQUAL, true},     {"!~", PROBE_NO_MATCH, true},
	{"<=", PROBE_LESS_EQUAL, true},    {">=", PROBE_GREATER_EQUAL, true},
	{"=", PROBE_EQUAL, true},          {"<", PROBE_LESS, true},
	{">", PROBE_GREATER, true},        {"~", PROBE_MATCH, true},
};

bool probe_condition_parse(struct str text, struct probe_condition *condition)
{
	text = str_trim(text);
	size_t end = name_end(text, 0);
	struct str rest = str_trim(str_slice(text, end, text.size));
	if (end == 0)
		return false;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		struct str word = str_of(operators[i].word);
		if (!str_starts(rest, word))
			continue;
		struct str right = str_trim(str_slice(rest, word.size, rest.size));
		if ((right.size > 0) != operators[i].takes_right)
			return false;
		*condition = (struct probe_condition){str_slice(text, 0, end), operators[i].operator, right };
		return true;
	}
	return false;
}

static enum probe_truth match(struct str value, struct str pattern, bool wanted, struct buf *why)
{
	size_t at = 0;
	struct regex *regex = regex_new(pattern, REGEX_MULTILINE, why, &at);
	if (!regex)
		return PROBE_UNTOLD;
	enum regex_result result = regex_match(regex, value, 0);
	regex_free(regex);
	if (result == REGEX_LIMIT) {
		buf_add_format(why, "the pattern %.*s hit a limit", STR_ARG(pattern));
		return PROBE_UNTOLD;
	}
	return (result == REGEX_MATCH) == wanted ? PROBE_TRUE : PROBE_FALSE;
}

static bool compare(struct str value, enum probe_operator operator, struct str right)
{
	int order = version_compare(value, right);
	switch (operator) {
	case PROBE_LESS:
		return order < 0;
	case PROBE_LESS_EQUAL:
		return order <= 0;
	case PROBE_GREATER:
		return order > 0;
	case PROBE_GREATER_EQUAL:
		return order >= 0;
	case PROBE_EQUAL:
		return str_equal(value, right);
	default:
		return !str_equal(value, right);
	}
}

enum probe_truth probe_condition_holds(const struct probe_values *values, const struct probe_host *host,
				       struct str text, struct buf *why)
{
	struct probe_condition condition;
	if (!probe_condition_parse(text, &condition)) {
		buf_add_format(why, "not a condition: %.*s", STR_ARG(text));
		return PROBE_UNTOLD;
	}
	struct str value = probe_values_get(values, condition.name);
	if (condition.operator== PROBE_PRESENT || condition.operator== PROBE_MISSING)
		return (value.size > 0) == (condition.operator== PROBE_PRESENT) ? PROBE_TRUE : PROBE_FALSE;
	if (value.size == 0)
		return condition.operator== PROBE_NOT_EQUAL ? PROBE_TRUE : PROBE_FALSE;
	if (condition.operator== PROBE_MATCH || condition.operator== PROBE_NO_MATCH)
		return match(value, condition.right, condition.operator== PROBE_MATCH, why);

	struct probe_texts right = {0};
	probe_expand(values, host, condition.right, PROBE_TEMPLATE_TEXT, &right);
	bool holds = right.list.count > 0 && compare(value, condition.operator, right.list.items[0]);
	probe_texts_release(&right);
	return holds ? PROBE_TRUE : PROBE_FALSE;
}

enum probe_truth probe_conditions_hold(const struct probe_values *values, const struct probe_host *host,
				       struct str_list when, struct buf *why)
{
	for (size_t i = 0; i < when.count; i++) {
		enum probe_truth truth = probe_condition_holds(values, host, when.items[i], why);
		if (truth != PROBE_TRUE)
			return truth;
	}
	return PROBE_TRUE;
}

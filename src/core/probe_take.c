/* probe: from the text of a step to values; what values may look like. */
#include "core/probe_step.h"

#include "core/regex.h"
#include "core/version.h"

/* ---- Paths and ports. --------------------------------------------------------------------------------- */

static size_t number_start(struct str path, size_t at)
{
	while (at > 0 && ((path.data[at - 1] >= '0' && path.data[at - 1] <= '9') || path.data[at - 1] == '.'))
		at--;
	return at;
}

int probe_path_compare(struct str a, struct str b)
{
	size_t at = 0;
	while (at < a.size && at < b.size && a.data[at] == b.data[at])
		at++;
	if (at == a.size && at == b.size)
		return 0;
	at = number_start(a, at);
	struct str rest_a = str_slice(a, at, a.size), rest_b = str_slice(b, at, b.size);
	struct str part_a, part_b;
	if (!str_next(&rest_a, '/', &part_a) || !str_next(&rest_b, '/', &part_b))
		return str_compare(a, b);
	int order =
		version_is_valid(part_a) && version_is_valid(part_b) ? version_compare(part_a, part_b) : 0;
	return order ? order : str_compare(a, b);
}

bool probe_ports_parse(struct str text, uint16_t *first, uint16_t *last)
{
	text = str_trim(text);
	size_t dash = str_find_byte(text, '-'), plus = str_find_byte(text, '+');
	size_t at = dash != STR_NOT_FOUND ? dash : plus;
	uint64_t from = 0, to = 0;
	if (!str_to_u64(str_trim(str_slice(text, 0, at)), &from))
		return false;
	to = from;
	if (at != STR_NOT_FOUND && !str_to_u64(str_trim(str_slice(text, at + 1, text.size)), &to))
		return false;
	if (dash == STR_NOT_FOUND && plus != STR_NOT_FOUND)
		to = to > 0 && to <= 65535 ? from + to - 1 : 0;
	if (from < 1 || to > 65535 || from > to)
		return false;
	*first = (uint16_t)from;
	*last = (uint16_t)to;
	return true;
}

/* ---- Legal values of variables. ----------------------------------------------------------------------- */

static bool in_range(struct str value, struct str range)
{
	size_t dash = str_find_byte(range, '-');
	uint64_t number, least, most;
	return dash != STR_NOT_FOUND && str_to_u64(value, &number) &&
	       str_to_u64(str_slice(range, 0, dash), &least) &&
	       str_to_u64(str_slice(range, dash + 1, range.size), &most) && number >= least && number <= most;
}

static bool are_ports(struct str value)
{
	struct str item;
	while (str_next(&value, ',', &item)) {
		uint16_t first, last;
		if (str_find_byte(item, '+') != STR_NOT_FOUND || !probe_ports_parse(item, &first, &last))
			return false;
	}
	return true;
}

enum probe_truth probe_variable_legal(const struct probe_variable *variable, struct str value,
				      struct buf *why)
{
	if (value.size == 0)
		return PROBE_TRUE;
	if (variable->range.size > 0 && in_range(value, variable->range))
		return PROBE_TRUE;
	if (variable->ports && are_ports(value))
		return PROBE_TRUE;
	if (variable->match.size == 0)
		return PROBE_FALSE;

	struct buf whole = {0};
	buf_add_format(&whole, "\\A(?:%.*s)\\z", STR_ARG(variable->match));
	size_t at = 0;
	struct regex *regex = regex_new(buf_str(&whole), 0, why, &at);
	enum probe_truth truth = PROBE_UNTOLD;
	if (regex)
		truth = regex_match(regex, value, 0) == REGEX_MATCH ? PROBE_TRUE : PROBE_FALSE;
	regex_free(regex);
	buf_release(&whole);
	return truth;
}

/* ---- Captures. ---------------------------------------------------------------------------------------- */

/* Values that this step has found; the first pattern that finds one has it. */
struct found {
	struct arena arena;
	VEC(struct probe_named) list; /* `own`: by the pattern that is at work */
};

static struct probe_named *find_name(struct found *found, struct str name)
{
	for (size_t i = 0; i < found->list.count; i++)
		if (str_equal(found->list.items[i].name, name))
			return &found->list.items[i];
	return NULL;
}

static bool has_line(struct str lines, struct str wanted)
{
	struct str line;
	while (str_next(&lines, '\n', &line))
		if (str_equal(line, wanted))
			return true;
	return false;
}

/* A value must not hold a line end: that is what separates several. */
static struct str one_line(struct arena *arena, struct str value)
{
	struct str copy = arena_copy(arena, str_trim(value));
	char *bytes = (char *)(uintptr_t)copy.data; /* ours: just copied */
	for (size_t i = 0; i < copy.size; i++)
		if (bytes[i] == '\n' || bytes[i] == '\r')
			bytes[i] = ' ';
	return copy;
}

static void found_add(struct found *found, struct str name, struct str value)
{
	value = one_line(&found->arena, value);
	if (value.size == 0)
		return;
	struct probe_named *named = find_name(found, name);
	if (!named) {
		vec_push(&found->list, (struct probe_named){arena_copy(&found->arena, name), value, true});
		return;
	}
	if (!named->own || has_line(named->value, value))
		return;
	struct buf lines = {0};
	buf_add_format(&lines, "%.*s\n%.*s", STR_ARG(named->value), STR_ARG(value));
	named->value = arena_copy(&found->arena, buf_str(&lines));
	buf_release(&lines);
}

struct taking {
	const struct probe_step *step;
	const struct probe_host *host;
	struct probe_values *values;
	struct found found;
	struct buf rows;
	uint64_t matches; /* of the first pattern */
};

enum { MATCHES_MAX = 4096 };

static void add_row(struct taking *taking, const struct regex *regex, struct str text)
{
	for (size_t i = 0; i < regex_name_count(regex); i++) {
		size_t number;
		struct str name = regex_name(regex, i, &number), value;
		if (!regex_group(regex, text, number, &value))
			value = STR("");
		probe_values_set(taking->values, name, one_line(&taking->found.arena, value));
	}
	if (taking->rows.size > 0)
		buf_add_byte(&taking->rows, '\n');
	probe_say(taking->values, taking->step->row, &taking->rows);
}

static void take_groups(struct taking *taking, const struct regex *regex, struct str text)
{
	for (size_t i = 0; i < regex_name_count(regex); i++) {
		size_t number;
		struct str name = regex_name(regex, i, &number), value;
		if (regex_group(regex, text, number, &value))
			found_add(&taking->found, name, value);
	}
	if (taking->step->row.size > 0)
		add_row(taking, regex, text);
}

static bool take_pattern(struct taking *taking, size_t which, struct str text, struct buf *why)
{
	struct str pattern = taking->step->capture.items[which];
	size_t error_at = 0, start = 0;
	struct regex *regex = regex_new(pattern, REGEX_MULTILINE, why, &error_at);
	if (!regex)
		return false;
	for (size_t i = 0; i < taking->found.list.count; i++)
		taking->found.list.items[i].own = false;
	enum regex_result result = REGEX_NO_MATCH;
	for (size_t matches = 0; start <= text.size && matches < MATCHES_MAX; matches++) {
		result = regex_match(regex, text, start);
		struct str whole;
		if (result != REGEX_MATCH || !regex_group(regex, text, 0, &whole))
			break;
		take_groups(taking, regex, text);
		taking->matches += which == 0;
		if (!taking->step->each)
			break;
		size_t end = (size_t)(whole.data - text.data) + whole.size;
		start = end > start ? end : start + 1;
	}
	regex_free(regex);
	if (result == REGEX_LIMIT)
		buf_add_format(why, "the pattern %.*s hit a limit", STR_ARG(pattern));
	return result != REGEX_LIMIT;
}

bool probe_step_take(const struct probe_step *step, const struct probe_host *host, struct str text,
		     struct probe_values *values, struct buf *why)
{
	struct taking taking = {.step = step, .host = host, .values = values};
	bool good = true;
	if (step->into.size > 0 && step->row.size == 0)
		probe_values_set(values, step->into, str_trim(text));
	for (size_t i = 0; i < step->capture.count && good; i++)
		good = take_pattern(&taking, i, text, why);
	for (size_t i = 0; i < taking.found.list.count; i++)
		probe_values_set(values, taking.found.list.items[i].name, taking.found.list.items[i].value);
	if (step->row.size > 0)
		probe_values_set(values, step->into, buf_str(&taking.rows));
	if (step->count.size > 0) {
		struct buf number = {0};
		buf_add_format(&number, "%llu", (unsigned long long)taking.matches);
		probe_values_set(values, step->count, buf_str(&number));
		buf_release(&number);
	}
	buf_release(&taking.rows);
	vec_release(&taking.found.list);
	arena_release(&taking.found.arena);
	return good;
}

#include "app/fleet.h"

#include "core/parcel.h"

static bool expand(struct fleet_names *names, struct str head, struct str rest);

static bool add_name(struct fleet_names *names, struct str name)
{
	if (!parcel_is_node(name) || names->list.count >= GATHER_NODES_MOST)
		return false;
	for (size_t i = 0; i < names->list.count; i++)
		if (str_equal(names->list.items[i], name))
			return true;
	vec_push(&names->list, arena_copy(&names->arena, name));
	return true;
}

static bool expand_range(struct fleet_names *names, struct str head, struct str range, struct str rest)
{
	struct str from = range, to;
	uint64_t first, last;
	bool good = str_next(&from, '-', &to);

	if (!good)
		return false;
	struct str low = to, high = from.data ? from : to;
	if (low.size > 9 || high.size > 9 || !str_to_u64(low, &first) || !str_to_u64(high, &last) ||
	    last < first || last - first >= GATHER_NODES_MOST)
		return false;
	for (uint64_t number = first; good && number <= last; number++) {
		struct buf text = {0};

		buf_add(&text, head);
		buf_add_format(&text, "%0*llu", (int)low.size, (unsigned long long)number);
		good = expand(names, buf_str(&text), rest);
		buf_release(&text);
	}
	return good;
}

static bool expand(struct fleet_names *names, struct str head, struct str rest)
{
	size_t open = str_find_byte(rest, '['), close = str_find_byte(rest, ']');
	struct buf text = {0};
	bool good = true;

	buf_add(&text, head);
	buf_add(&text, str_slice(rest, 0, open));
	if (open == STR_NOT_FOUND) {
		good = add_name(names, buf_str(&text));
	} else if (close == STR_NOT_FOUND || close < open || text.size > PARCEL_NODE_MOST) {
		good = false;
	} else {
		struct str ranges = str_slice(rest, open + 1, close), range;
		while (good && str_next(&ranges, ',', &range))
			good = expand_range(names, buf_str(&text), range,
					    str_slice(rest, close + 1, rest.size));
	}
	buf_release(&text);
	return good;
}

bool fleet_names_add(const struct app *app, struct fleet_names *names, struct str text, struct buf *error)
{
	size_t start = 0, depth = 0;

	for (size_t i = 0; i <= text.size; i++) {
		char byte = i < text.size ? text.data[i] : ',';

		depth += byte == '[';
		depth -= byte == ']' && depth;
		if (i < text.size && depth && byte != '\n')
			continue;
		if (byte != ',' && byte != ' ' && byte != '\n' && byte != '\t' && byte != '\r')
			continue;
		struct str word = str_slice(text, start, i);
		start = i + 1;
		if (!word.size || expand(names, (struct str){0}, word))
			continue;
		buf_add_format(error, app_say(app, "%.*s：不是节点的名字", "%.*s: not a node's name"),
			       STR_ARG(str_slice(word, 0, 100)));
		return false;
	}
	return true;
}

void fleet_names_join(const struct str *names, size_t count, struct buf *out)
{
	for (size_t i = 0; i < count; i++) {
		buf_add(out, i ? STR(",") : STR(""));
		buf_add(out, names[i]);
	}
}

void fleet_names_release(struct fleet_names *names)
{
	vec_release(&names->list);
	arena_release(&names->arena);
}

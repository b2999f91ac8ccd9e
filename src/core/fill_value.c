#include "core/fill.h"

struct fact_list {
	VEC(struct fact) list;
	const struct fact *refused; /* the user's value, which does not pass */
};

static void offer(const struct placeholder *placeholder, const struct fact *fact, struct fact_list *out)
{
	if (!fill_check_fact(placeholder, fact))
		return;
	for (size_t i = 0; i < out->list.count; i++) {
		if (str_equal(out->list.items[i].value, fact->value))
			return;
	}
	vec_push(&out->list, *fact);
}

static bool is_own_name(const struct placeholder *placeholder, struct str name)
{
	if (str_equal(placeholder->name, name))
		return true;
	for (size_t i = 0; i < placeholder->aliases.count; i++) {
		if (str_equal(placeholder->aliases.items[i], name))
			return true;
	}
	return false;
}

static void offer_users(const struct placeholder *placeholder, const struct facts *facts,
			struct fact_list *out)
{
	/* The last word first; what was said before it is offered, too. */
	for (size_t i = facts_count(facts); i-- > 0;) {
		const struct fact *fact = facts_at(facts, i);

		if (fact->source != FACT_USER || !is_own_name(placeholder, fact->name))
			continue;
		if (out->list.count == 0 && !out->refused && !fill_check_fact(placeholder, fact))
			out->refused = fact;
		offer(placeholder, fact, out);
	}
}

/* Does the fact come from where this source says? */
static bool is_from(const struct placeholder *placeholder, const struct value_source *source,
		    const struct fact *fact)
{
	if (source->probe.size)
		return fact->source == FACT_PROBE && str_equal(fact->origin, source->probe) &&
		       str_equal(fact->name, source->name.size ? source->name : placeholder->name);
	if (source->log.size)
		return fact->source == FACT_LOG && str_equal(fact->name, source->log);
	if (source->env.size)
		return fact->source == FACT_ENVIRONMENT && str_equal(fact->name, source->env);
	return false;
}

static void collect(const struct placeholder *placeholder, const struct facts *facts, struct fact_list *out)
{
	size_t count = facts_count(facts);

	offer_users(placeholder, facts, out);
	for (size_t i = 0; i < placeholder->value_count; i++) {
		const struct value_source *source = &placeholder->values[i];
		struct fact literal = {placeholder->name, source->text, FACT_DEFAULT, placeholder->name};

		for (size_t j = 0; j < count; j++) {
			if (is_from(placeholder, source, facts_at(facts, j)))
				offer(placeholder, facts_at(facts, j), out);
		}
		if (source->text.size)
			offer(placeholder, &literal, out);
	}
	/* Not of the environment: a variable that happens to have this name is another thing, unless `env:`
	 * says it. */
	for (int source = FACT_LOG; source >= FACT_PROBE; source--) {
		for (size_t i = 0; i < count; i++) {
			const struct fact *fact = facts_at(facts, i);

			if ((int)fact->source == source && is_own_name(placeholder, fact->name))
				offer(placeholder, fact, out);
		}
	}
}

bool fill_value(const struct kb *kb, const struct placeholder *placeholder, const struct facts *facts,
		struct fact *chosen)
{
	struct fact_list found = {0};
	bool any;

	(void)kb;
	*chosen = (struct fact){.name = placeholder->name};
	collect(placeholder, facts, &found);
	any = found.list.count > 0 && !found.refused;
	if (any)
		*chosen = found.list.items[0];
	else if (found.refused)
		*chosen = *found.refused;
	vec_release(&found.list);
	return any;
}

size_t fill_candidates(const struct kb *kb, const struct placeholder *placeholder, const struct facts *facts,
		       struct fact *candidates, size_t room)
{
	struct fact_list found = {0};
	size_t count;

	(void)kb;
	collect(placeholder, facts, &found);
	count = found.list.count;
	for (size_t i = 0; i < count && i < room; i++)
		candidates[i] = found.list.items[i];
	vec_release(&found.list);
	return count;
}

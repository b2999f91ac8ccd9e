#include "core/facts.h"

#include "base/alloc.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* A fact and, behind it, the bytes of its three texts: one allocation, one address for its whole life. */
struct stored {
	struct fact fact;
	char bytes[];
};

struct facts {
	VEC(struct stored *) list; /* in the order in which they came */
	uint64_t generation;
};

struct facts *facts_new(void)
{
	return alloc_zeroed(1, sizeof(struct facts));
}

void facts_free(struct facts *facts)
{
	if (!facts)
		return;
	for (size_t i = 0; i < facts->list.count; i++)
		free(facts->list.items[i]);
	vec_release(&facts->list);
	free(facts);
}

static struct str put(char **end, struct str text)
{
	struct str copy = {*end, text.size};

	if (text.size)
		memcpy(*end, text.data, text.size);
	*end += text.size;
	return copy;
}

static struct stored *store(struct str name, struct str value, enum fact_source source, struct str origin)
{
	struct stored *stored = alloc_bytes(sizeof(*stored) + name.size + value.size + origin.size);
	char *end = stored->bytes;

	stored->fact.name = put(&end, name);
	stored->fact.value = put(&end, value);
	stored->fact.origin = put(&end, origin);
	stored->fact.source = source;
	return stored;
}

static bool is_from(const struct stored *stored, enum fact_source source, struct str origin)
{
	return stored->fact.source == source && str_equal(stored->fact.origin, origin);
}

/* Take away those for which `name` (empty: any), `source` and `origin` (null: any) fit. */
static bool take_away(struct facts *facts, struct str name, enum fact_source source, const struct str *origin)
{
	size_t kept = 0;
	size_t before = facts->list.count;

	for (size_t i = 0; i < before; i++) {
		struct stored *stored = facts->list.items[i];

		if (stored->fact.source == source && (!origin || is_from(stored, source, *origin)) &&
		    (name.size == 0 || str_equal(stored->fact.name, name)))
			free(stored);
		else
			facts->list.items[kept++] = stored;
	}
	facts->list.count = kept;
	return kept != before;
}

void facts_set(struct facts *facts, struct str name, struct str value, enum fact_source source,
	       struct str origin)
{
	/* Made before the old one goes: the caller's texts may be the old one's own. */
	struct stored *stored = store(name, value, source, origin);

	take_away(facts, stored->fact.name, source, &stored->fact.origin);
	vec_push(&facts->list, stored);
	facts->generation++;
}

void facts_add(struct facts *facts, struct str name, struct str value, enum fact_source source,
	       struct str origin)
{
	for (size_t i = 0; i < facts->list.count; i++) {
		const struct stored *stored = facts->list.items[i];

		if (is_from(stored, source, origin) && str_equal(stored->fact.name, name) &&
		    str_equal(stored->fact.value, value))
			return;
	}
	vec_push(&facts->list, store(name, value, source, origin));
	facts->generation++;
}

void facts_forget(struct facts *facts, enum fact_source source, struct str origin)
{
	char *own = alloc_bytes(origin.size);
	struct str copy = {own, origin.size};

	if (origin.size)
		memcpy(own, origin.data, origin.size);
	if (take_away(facts, (struct str){0}, source, origin.size ? &copy : NULL))
		facts->generation++;
	free(own);
}

size_t facts_count(const struct facts *facts)
{
	return facts->list.count;
}

const struct fact *facts_at(const struct facts *facts, size_t index)
{
	return &facts->list.items[index]->fact;
}

size_t facts_find(const struct facts *facts, struct str name, const struct fact **found, size_t room)
{
	size_t total = 0;

	for (int source = FACT_USER; source >= FACT_DEFAULT; source--) {
		for (size_t i = 0; i < facts->list.count; i++) {
			size_t at = source == FACT_USER ? facts->list.count - 1 - i : i;
			const struct fact *fact = &facts->list.items[at]->fact;

			if ((int)fact->source != source || !str_equal(fact->name, name))
				continue;
			if (total < room)
				found[total] = fact;
			total++;
		}
	}
	return total;
}

const struct fact *facts_best(const struct facts *facts, struct str name)
{
	const struct fact *best = NULL;

	facts_find(facts, name, &best, 1);
	return best;
}

uint64_t facts_generation(const struct facts *facts)
{
	return facts->generation;
}

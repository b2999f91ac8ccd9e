/* compare_private: how the parts of compare work together. */
#ifndef CORE_COMPARE_PRIVATE_H
#define CORE_COMPARE_PRIVATE_H

#include "base/arena.h"
#include "core/compare.h"

/* Texts, each once: a number stands for it. 0 is the empty one. */
struct compare_texts {
	VEC(struct str) list;
	uint32_t *slots; /* number + 1 */
	size_t capacity;
};

/* What a node says of one thing. */
struct compare_fact {
	uint32_t thing, value; /* numbers of texts; the thing is "probe\0value" */
};

struct compare_facts {
	VEC(struct compare_fact) list;
};

struct compare_entry {
	uint32_t name;
	bool read;
	struct str why;
	struct compare_facts facts;
};

struct compare_input {
	const struct kb *kb;
	struct arena arena;
	struct compare_texts texts;
	VEC(struct compare_entry) entries;
	uint32_t *entry_of_name; /* by number of the text; UINT32_MAX: none */
	size_t entry_capacity;
	size_t repeated;
	struct compare result;
};

uint32_t compare_text(struct compare_input *input, struct str text);
struct str compare_text_at(const struct compare_input *input, uint32_t number);

/* The value of a node's thing, empty when it has none. */
struct str compare_value(const struct compare_input *input, const struct compare_entry *entry,
			 const char *probe, const char *value);

/* compare_shared.c */
void compare_find_shared(struct compare_input *input);

#endif

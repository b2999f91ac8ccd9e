/*
 * compare: the results of `probe --json` of many nodes -> what differs between them, and what they share.
 *
 * Pure. Documents go in one by one and are not kept: texts that nodes have in common are kept once, so that
 * ten thousand nodes take some ten megabytes. All of it is hostile: a document that is no JSON, or not ours,
 * makes its node unreadable and says why; a node that comes twice counts once, with what came last.
 *
 * What differs by nature (free memory, the own address) is no difference: key `differs` of a probe says so.
 */
#ifndef CORE_COMPARE_H
#define CORE_COMPARE_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/kb.h"

enum { COMPARE_NODES_MOST = 65536, COMPARE_PORTS_ROW = 64 };

struct compare_node {
	struct str name;
	bool read;      /* its document was taken in */
	struct str why; /* English; of one that was not */
};

/* Nodes that say the same. */
struct compare_group {
	struct str value;      /* empty: they have none */
	const uint32_t *nodes; /* places in `nodes`, ascending */
	size_t count;
};

/* One thing that was compared: a probe's state, or one of its values. */
struct compare_thing {
	const struct probe *probe;          /* null: the kb has none of this id */
	struct str id;                      /* of the probe */
	struct str name;                    /* of the value; empty: the state */
	const struct compare_group *groups; /* the largest first */
	size_t group_count;
	size_t failing;    /* of a state: nodes that warn or fail */
	struct str detail; /* of a state that fails somewhere: what the first such node says */
};

/* What all nodes share. */
struct compare_shared {
	struct str interface, network; /* on all nodes; empty: none */
	uint16_t port;                 /* free on all; 0: none is known to be */
	uint16_t first, last;          /* COMPARE_PORTS_ROW ports in a row that are; 0: none */
};

struct compare {
	const struct compare_node *nodes; /* by name */
	size_t node_count, read_count, repeated;
	const struct compare_thing *failing; /* states that fail somewhere: most nodes first */
	size_t failing_count;
	const struct compare_thing *different; /* fewest exceptions first */
	size_t different_count;
	const struct compare_thing *same; /* values that all nodes have alike */
	size_t same_count;
	struct compare_shared shared;
};

struct compare_input;

struct compare_input *compare_new(const struct kb *kb); /* the kb must outlive it */
void compare_free(struct compare_input *input);

/*
 * One document. `name` is the node's when the document does not say its host, or always when it is `asked`
 * for by that name. False: it is unreadable, which the result says, too.
 */
bool compare_add(struct compare_input *input, struct str document, struct str name, bool asked);

/* A node without a result. */
void compare_add_missing(struct compare_input *input, struct str name, struct str why);

/* The result lives as long as the input, to which nothing may be added afterwards. */
const struct compare *compare_finish(struct compare_input *input);

#endif

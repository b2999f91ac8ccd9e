/*
 * gather: many nodes' answers out of the mixed output of an engine, and what became of the nodes that gave
 * none.
 *
 * Fed with bytes as they come, of any number of streams; pure: times are handed in. All bytes are hostile:
 * only whole parcels (core/parcel.h) make a result; every other line is counted, and kept, cut, as a remark
 * on the nodes that it names, or among the first of the garbage.
 */
#ifndef CORE_GATHER_H
#define CORE_GATHER_H

#include "base/buf.h"
#include "base/vec.h"

#include <stdint.h>

enum gather_state {
	GATHER_WAITING, /* no word yet */
	GATHER_ALIVE,   /* the program has started there */
	GATHER_DONE,    /* its document is whole */
	GATHER_ABSENT,  /* the program is not there, or cannot be run */
	GATHER_FAILED,  /* the program ended without a document, or the document came damaged */
	GATHER_GONE,    /* the engine says that it cannot reach it, or ended without a word of it */
	GATHER_LATE     /* no result when the time was over */
};

enum {
	GATHER_REMARK_MOST = 400,      /* bytes of what is said of a node */
	GATHER_GARBAGE_KEPT = 20,      /* lines */
	GATHER_LINE_MOST = 2 << 20,    /* bytes; an engine may make one line of a whole answer */
	GATHER_BYTES_MOST = 512 << 20, /* of all documents together */
	GATHER_NODES_MOST = 65536
};

struct gather_node {
	struct str name;     /* as it was asked for, or as it calls itself */
	struct buf own_name; /* what it calls itself; empty until it spoke */
	enum gather_state state;
	struct buf document; /* whole when GATHER_DONE */
	uint64_t parts_got, parts;
	struct buf remark; /* what the engine, or the node outside of parcels, said of it; printable */
	int exit_status;   /* of the program there; -1: unknown */
	/*
	 * Its clock minus ours lies between these, in milliseconds: a clock that was sent cannot have been
	 * read before we asked nor after we got it.
	 */
	bool has_clock;
	int64_t clock_low, clock_high;
};

struct gather;

/* How an engine's lines tell their node. */
enum gather_label {
	GATHER_NO_LABEL,
	GATHER_NODE_LABEL, /* "node: text" */
	GATHER_RANK_LABEL  /* "3: text" */
};

struct gather_style {
	enum gather_label label;
	/* A line that holds one of these names nodes that will not answer; null ends. */
	const char *const *gone;
};

/* `style` is borrowed; token as in core/parcel.h. */
struct gather *gather_new(struct str token, const struct gather_style *style);
void gather_free(struct gather *gather);

/* A node that is asked; again, or one beyond GATHER_NODES_MOST: nothing. */
void gather_expect(struct gather *gather, struct str name);

/* Wall clock when the engine was started, milliseconds since 1970. */
void gather_started(struct gather *gather, int64_t now_ms);

/* Lines of one descriptor. {0} is a new one. `node`, if not empty, is whose all of it is (ssh). */
struct gather_stream {
	struct buf rest; /* of a line that has not ended */
	bool skipping;   /* it is longer than any answer: dropped up to its end */
	struct str node;
};

void gather_take(struct gather *gather, struct gather_stream *stream, struct str bytes, int64_t now_ms);
void gather_end(struct gather *gather, struct gather_stream *stream, int64_t now_ms); /* releases it too */

/* The engine will not reach this node because of `why`. Nothing if it has answered. */
void gather_refuse(struct gather *gather, struct str name, struct str why);

/* There will be no more: those without a result are late (`timed_out`) or gone. */
void gather_finish(struct gather *gather, bool timed_out);

struct gather_counts {
	size_t asked, done, lost, waiting; /* lost: absent, failed, gone, late */
	uint64_t garbage; /* lines that are neither of a node nor name one, and damaged parcels */
};

struct gather_counts gather_counts(const struct gather *gather);
size_t gather_node_count(const struct gather *gather);
const struct gather_node *gather_node(const struct gather *gather, size_t index);

/* A document that is whole but no result after all (not JSON, say). */
void gather_fail(struct gather *gather, size_t index, struct str why);

/* Lines that are of no node, cut and printable, the first GATHER_GARBAGE_KEPT. */
size_t gather_garbage_count(const struct gather *gather);
struct str gather_garbage(const struct gather *gather, size_t index);

#endif

/*
 * parcel: how a node's answer survives the journey through an engine (srun, clush, pdsh, mpirun, ansible,
 * ssh).
 *
 * Engines differ in what they do to the output of many nodes: some write a label before each line, some join
 * lines into one, some cut long lines, some mix the bytes of nodes. So a node sends its document in parcels
 * of exactly PARCEL_SIZE bytes, each a line of printable ASCII that says whose it is, which part of how many,
 * and a checksum. 512 divides the sizes in which engines and pipes carry bytes on (1024 of srun, 4096 of
 * mpirun), so that a read never ends inside a parcel. What is no whole parcel is somebody else's text.
 *
 *     @ascend-faq:TOKEN:NODE:RANK:KIND:PART:PARTS:SIZE:SUM:PAYLOAD
 *
 * TOKEN is of this run, so that a log with old parcels in it is no answer. NODE is what the node calls itself,
 * RANK its number in the engine's order ("-": none). The checksum (FNV-1a, 32 bits) guards against damage,
 * not against malice: a node can lie about itself in any case.
 *
 * A line of kind PARCEL_END is written by the remote shell, which knows no checksum: SUM is "-".
 */
#ifndef CORE_PARCEL_H
#define CORE_PARCEL_H

#include "base/buf.h"

enum {
	PARCEL_SIZE = 512,             /* with the line end */
	PARCEL_NODE_MOST = 64,         /* bytes of a node's name; HOST_NAME_MAX of Linux */
	PARCEL_TOKEN_MOST = 32,        /* bytes */
	PARCEL_DOCUMENT_MOST = 1 << 20 /* bytes of one node's document */
};

enum parcel_kind {
	PARCEL_HELLO =
		'h', /* the program has started; the payload is the node's clock, milliseconds since 1970 */
	PARCEL_PART = 'd', /* a part of the document */
	PARCEL_SENT = 's', /* after the last part: the clock again */
	PARCEL_END = 'e'   /* the command has ended; the payload is its exit status */
};

struct parcel {
	enum parcel_kind kind;
	struct str node;
	bool has_rank;
	uint64_t rank;
	uint64_t part, parts; /* from 0 */
	struct str payload;   /* all three point into the line */
};

/*
 * Find the next parcel of `token` at or after *at in `line`; *at becomes the offset after it, or after the
 * marker of one that is not whole, which `*broken` tells. False: there is no more.
 */
bool parcel_next(struct str line, struct str token, size_t *at, struct parcel *parcel, bool *broken);

/* Who sends. `rank` as text, digits; empty: none. Bytes of `node` that no name has become '_'. */
struct parcel_sender {
	struct str token, node, rank;
};

void parcel_add(const struct parcel_sender *sender, enum parcel_kind kind, struct str payload, struct buf *out);

/* A whole document, which must be printable ASCII (as JSON with \u escapes is), in as many parts as it takes.
 */
void parcel_add_document(const struct parcel_sender *sender, struct str document, struct buf *out);

/* May it be a node's name? Letters, digits, '.', '_', '-', not first '-' or '.', at most PARCEL_NODE_MOST. */
bool parcel_is_node(struct str name);

#endif

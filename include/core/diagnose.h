/*
 * diagnose: the bytes of logs -> which known problems are in them, where, and which came first.
 *
 *     d = diagnose_new(scanner);
 *     diagnose_begin(d, path);            once an input
 *     diagnose_feed(d, bytes, size);      in pieces of any size: the result does not depend on them
 *     result = diagnose_finish(d);        diagnose_result(d) tells what is known so far, at any time
 *
 * Memory is bounded whatever comes in; a line may be of any length. Pure: no files, no threads. One diagnose
 * belongs to one thread; the scan over the bytes may be done by others (struct diagnose_block).
 *
 * How a line becomes evidence: the scan finds a literal; its line and the lines around it are cleaned
 * (core/clean.h), their prefixes taken off (core/framing.h), and the lines of the same rank are joined. On
 * that text the signature is matched; then on all lines in order, on lines joined where a terminal has
 * wrapped them, and on the line with its JSON escapes resolved. Lines that only talk of errors (comments,
 * commands, advice, tables of codes) are never evidence.
 */
#ifndef CORE_DIAGNOSE_H
#define CORE_DIAGNOSE_H

#include "base/buf.h"
#include "core/framing.h"
#include "core/scan.h"

#define DIAGNOSE_NONE SIZE_MAX

struct evidence {
	size_t signature; /* for scanner_signature; DIAGNOSE_NONE: no signature, a code or an unknown error */
	uint32_t input;   /* index into diagnosis.inputs */
	uint64_t line;    /* from 1 */
	uint64_t offset;  /* of the line in the input; of UTF-16, as UTF-8 */
	int32_t rank;     /* FRAMING_NO_RANK: not known */
	struct line_head head;
	struct str text; /* the line, clean and without prefix, cut at some hundred bytes */
	/* Where diagnose_keep_context was asked for: whole lines around it as they stand in the log (not
	 * clean), of which the line itself starts at `around_line`. Empty: not kept. */
	struct str around;
	size_t around_line;
};

struct capture {
	struct str name;  /* of the placeholder */
	struct str value; /* as in the log: not trusted */
	size_t evidence;  /* where it was found */
	bool absent;      /* whoever may look at the machine did: it must exist, and does not. Else false. */
};

struct match {
	const struct entry *entry;
	double score;   /* 0 .. 1 */
	bool certain;   /* some certain signature matched */
	bool root;      /* taken for the first cause */
	size_t cause;   /* match that this one probably follows from; DIAGNOSE_NONE for the root */
	uint64_t count; /* how often the error was reported */
	const struct evidence *evidence; /* in order; the first ones and at least one of each rank */
	size_t evidence_count;
	const int32_t *ranks; /* ascending */
	size_t rank_count;
	const struct capture *captures;
	size_t capture_count;
	const struct str *codes; /* of this entry, that stand in its evidence */
	size_t code_count;
};

struct code_met {
	struct str text;
	const struct code *code; /* null: not in the knowledge base */
	uint64_t count;
	struct evidence first;
};

/* Lines that look like errors, alike but for their numbers, and that no match covers. */
struct unmatched {
	uint64_t count;
	struct evidence first;
};

struct input {
	struct str name;
	uint64_t bytes, lines;
	bool utf16;
	uint64_t long_lines; /* lines so long that only the parts around a find were looked at */
};

/* A signature whose pattern took more steps than it may: it is unknown whether it matches there. */
struct limit_hit {
	size_t signature;
	struct evidence at;
};

/* All lives until the next call on the diagnose. */
struct diagnosis {
	const struct match *matches; /* the root first, then best first */
	size_t match_count;
	const struct code_met *codes; /* as they were met */
	size_t code_count;
	const struct unmatched *unmatched; /* most frequent first */
	size_t unmatched_count;
	uint64_t unmatched_more; /* lines beyond those listed */
	const struct input *inputs;
	size_t input_count;
	const struct limit_hit *limits;
	size_t limit_count;
};

struct diagnose;

struct diagnose *diagnose_new(const struct scanner *scanner); /* the scanner must outlive it */
void diagnose_free(struct diagnose *diagnose);
void diagnose_reset(struct diagnose *diagnose); /* as new; keeps what was compiled */

void diagnose_begin(struct diagnose *diagnose, struct str input_name);
void diagnose_feed(struct diagnose *diagnose, const char *bytes, size_t size);

/*
 * Of the input that was begun: keep the lines around the first pieces of evidence, as it cannot be read
 * again. Bounded, too: some lines, some thousand bytes, some pieces.
 */
void diagnose_keep_context(struct diagnose *diagnose);

/*
 * diagnose_feed without a copy: read up to *room bytes to where this points, then say how many came. The room
 * is never 0.
 */
char *diagnose_room(struct diagnose *diagnose, size_t *room);
void diagnose_commit(struct diagnose *diagnose, size_t size);

/* Look at all that was fed, although lines that belong to it may still come (a log that is followed). */
void diagnose_flush(struct diagnose *diagnose);

const struct diagnosis *diagnose_finish(struct diagnose *diagnose);
const struct diagnosis *diagnose_result(struct diagnose *diagnose);

/*
 * How far a signature came, for `diagnose --why` and for the lint of samples: lines that hold one of its
 * literals, of those the matches, and what became of them.
 */
struct signature_trace {
	uint64_t literals;       /* lines with a literal of it */
	uint64_t matched;        /* evidence, also of hints */
	uint64_t excluded;       /* matched, but `unless` too */
	uint64_t quiet;          /* matched where a line only talks of the error */
	uint64_t limited;        /* a limit was hit */
	struct evidence literal; /* the first of each */
	struct evidence match, exclusion, talk;
};
const struct signature_trace *diagnose_trace(const struct diagnose *diagnose, size_t signature);

/*
 * For several threads: blocks of one input, each scanned by any thread (diagnose_block_scan, pure), then
 * given to the diagnose in order. A block starts with DIAGNOSE_KEEP bytes of room, which the diagnose uses;
 * before the scan the last SCAN_OVERLAP of them repeat the end of the block before. Then come its own bytes.
 */
enum { DIAGNOSE_KEEP = 128 * 1024, DIAGNOSE_BLOCK = 512 * 1024 };
struct diagnose_block {
	char *memory; /* DIAGNOSE_KEEP + DIAGNOSE_BLOCK bytes, from the start of a page: see
			 diagnose_block_init */
	void *allocation;
	size_t size;      /* of its own bytes; DIAGNOSE_BLOCK but for the last one */
	bool first, last; /* of its input */
	struct scan_hits hits;
	uint64_t lines; /* line ends among its own bytes, once scanned */
	bool scanned;
};
void diagnose_block_init(struct diagnose_block *block);
void diagnose_block_release(struct diagnose_block *block);
void diagnose_block_scan(const struct scanner *scanner, struct diagnose_block *block);
void diagnose_take(struct diagnose *diagnose, struct diagnose_block *block);

#endif

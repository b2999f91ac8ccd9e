/*
 * diagnose_private: what the files of the diagnose module share.
 *
 * diagnose.c takes bytes in and decides when a find is looked at; diagnose_lines.c reads lines and puts the
 * texts together that signatures see; diagnose_match.c matches; diagnose_found.c keeps what was found;
 * diagnose_rank.c makes the result.
 */
#ifndef CORE_DIAGNOSE_PRIVATE_H
#define CORE_DIAGNOSE_PRIVATE_H

#include "core/clean.h"
#include "core/diagnose.h"
#include "core/regex.h"

enum {
	LINE_SIZE_MAX = 16 * 1024,    /* of a longer line, what is around the find */
	LINE_BEFORE_FIND = 4 * 1024,  /* so much before it */
	CONTEXT_LINES = 22,           /* before and after a find, of its rank */
	CONTEXT_RAW_LINES_MAX = 800,  /* among so many lines of all ranks */
	CONTEXT_SIZE_MAX = 48 * 1024, /* and in so many bytes */
	CLOSE_READING = 1024 * 1024,  /* so much of an input is searched for hidden finds, too */
	LOOK_AHEAD = 64 * 1024,       /* a find waits for so many bytes behind it */
	LINE_CACHE_SIZE = 2048,       /* power of two */
	LINE_CACHE_BYTES_MAX = 4 * 1024 * 1024,
	SHAPE_CACHE_SIZE = 1024, /* power of two */
	EVIDENCE_TEXT_MAX = 480,
	EVIDENCE_MAX = 48,   /* an entry; then only of ranks that have none yet */
	CAPTURES_MAX = 32,   /* an entry */
	UNMATCHED_MAX = 256, /* kinds of unknown errors */
	CODES_MAX = 512,
	LIMITS_MAX = 64,
	PIDS_MAX = 4096,
	RECENT_MATCHES = 128,   /* a signature */
	ZONES = 16,             /* a signature: streams */
	MISSES_MAX = 200,       /* finds in a row; then a signature is only looked for in its stream */
	TELLING_MATCHES = 512,  /* a signature; further ones are only counted */
	AROUND_LINES = 16,      /* that are kept of an input that cannot be read again: before and after */
	AROUND_SIZE = 3 * 1024, /* in so many bytes each */
	AROUND_LINE_SIZE = 4 * 1024, /* of the line itself */
	AROUND_PIECES = 4,           /* of evidence, an entry */
	AROUND_PLACES = 32           /* codes, and unknown errors */
};

/* The bytes that can be looked at now, by their offsets in the input. */
struct view {
	const char *data;
	uint64_t start, end;
};

/*
 * A line, clean and without prefix. `text` holds line ends where a progress bar was redrawn; what a terminal
 * shows in the end is the part from `last` on.
 */
struct line {
	uint64_t start, end; /* without its line end; of a long line, the part that is looked at */
	bool used;
	bool whole; /* nothing was cut off */
	struct buf text;
	size_t last;
	struct line_head head;
};

/* A line in a text that signatures see. */
struct text_line {
	size_t at; /* in the text */
	uint64_t start, end;
	struct line_head head;
};

struct context {
	bool made;
	bool there; /* false: this way of reading gives nothing new */
	struct buf text;
	VEC(struct text_line) lines;
	size_t find_first, find_last; /* the lines of the text that hold the find's line */
	size_t zone_last; /* the last line that has all its context behind it; find_last or later */
};

/* In the order in which they are tried; the first that matches, or only talks of the error, decides. */
enum reading { READ_ESCAPED, READ_STREAM, READ_ALL, READ_WRAPPED, READING_COUNT };

/*
 * The lines around a find, those of all ranks, each by a byte of it: its first, but for the line of the find,
 * where it is the find (of a very long line, what is looked at lies around it).
 */
struct around {
	bool made;
	bool ended; /* no line follows the last one */
	uint64_t starts[CONTEXT_RAW_LINES_MAX];
	size_t count, find;
};

struct find {
	uint64_t at;
	uint32_t literal;
};

/* What an entry has so far. */
struct found {
	VEC(struct evidence) evidence;
	VEC(int32_t) ranks; /* ascending */
	VEC(struct capture) captures;
	VEC(struct str) codes;
	struct evidence first_certain;
	bool certain;
};

struct recent_match {
	uint32_t input;
	int32_t rank;
	uint64_t start, end; /* of its lines */
};

/* The lines of a stream before `until` were matched together. */
struct zone {
	struct stream stream;
	uint64_t until;
};

struct signature_state {
	struct regex *match, *unless; /* compiled when first needed */
	bool compiled;
	struct recent_match *recent; /* RECENT_MATCHES; null before the first match */
	size_t recent_count;         /* of all, to know which comes next */
	struct zone zones[ZONES];
	size_t zone_count;
	uint64_t misses; /* finds since the last match */
	struct signature_trace trace;
	bool wrapper_only; /* matched nothing but a code that names no cause, so far */
};

struct pid_rank {
	uint64_t pid;
	int32_t rank;
};

struct unknown_error {
	uint64_t shape;
	struct unmatched line;
};

struct shape_slot {
	uint64_t shape; /* 0: free */
	size_t unknown; /* index, or DIAGNOSE_NONE: nothing to count */
};

/* Lines that are evidence, so that they are not listed as unknown errors. */
struct covered {
	uint32_t input;
	uint64_t start, end;
};

struct code_place {
	uint32_t input;
	uint64_t offset;
};

struct diagnose {
	const struct scanner *scanner;
	const struct kb *kb;
	struct framing *framing;
	struct arena arena; /* texts of what was found */
	struct arena result_arena;
	struct diagnosis result;

	/* The input that is being read. */
	bool reading;
	struct diagnose_block block; /* of diagnose_feed */
	struct buf tail;             /* last DIAGNOSE_KEEP bytes that were taken */
	uint64_t taken;              /* bytes */
	uint64_t looked;             /* all finds before this were looked at */
	uint64_t read_closely;       /* the lines before this were searched for hidden finds */
	bool is_utf16;
	bool keep_context;
	struct clean_utf16 utf16;
	struct buf raw, transcoded;
	int32_t path_rank;

	struct view view;
	uint64_t line_cursor, lines_before_cursor;
	VEC(struct find) finds; /* that wait */
	struct line *lines;     /* cache */
	size_t line_bytes;      /* in it */
	struct shape_slot *shapes;
	struct around around;
	struct context contexts[READING_COUNT];
	struct buf scratch;
	VEC(uint32_t) hit_signatures;
	uint64_t *hit_marks; /* by signature: number of the find's line that last named it */
	uint64_t hit_round;

	VEC(struct input) inputs;
	struct found *found; /* by entry of the kb */
	struct signature_state *signatures;
	VEC(struct code_met) codes;
	VEC(struct code_place) code_last; /* by code: the line that was counted last */
	VEC(struct unknown_error) unknown;
	uint64_t unknown_more;
	VEC(struct covered) covered;
	VEC(struct limit_hit) limits;
	VEC(struct pid_rank) pids;
};

/* diagnose_lines.c */
struct bounds {
	uint64_t start, end; /* without the line end */
	bool whole;          /* false: the line is longer */
};
struct bounds diagnose_bounds(const struct diagnose *diagnose,
			      uint64_t at); /* of the line that holds this byte */
struct line *diagnose_line(struct diagnose *diagnose, uint64_t at);
void diagnose_forget_contexts(struct diagnose *diagnose); /* another find comes */
uint64_t diagnose_line_number(struct diagnose *diagnose, uint64_t at);
struct context *diagnose_context(struct diagnose *diagnose, enum reading reading, uint64_t at);
void diagnose_find_hidden(struct diagnose *diagnose, bool last);
size_t diagnose_text_line(const struct context *context, size_t at);

/* diagnose_match.c */
void diagnose_look(struct diagnose *diagnose, uint64_t limit); /* at the finds before `limit` */

/* diagnose_found.c */
/* `text` is borrowed until diagnose_own copies it. */
struct evidence diagnose_evidence(struct diagnose *diagnose, const struct text_line *line, struct str text);
struct evidence diagnose_own(struct diagnose *diagnose, struct evidence evidence);
bool diagnose_is_new(struct diagnose *diagnose, size_t signature, uint64_t start, uint64_t end, int32_t rank);
bool diagnose_was_decided(const struct diagnose *diagnose, size_t signature, const struct line *line);
void diagnose_keep_match(struct diagnose *diagnose, size_t signature, const struct context *context,
			 size_t first_line, size_t last_line);
void diagnose_keep_codes(struct diagnose *diagnose, struct str text, const struct evidence *at);
size_t diagnose_keep_unknown(struct diagnose *diagnose, struct str text, const struct evidence *at);
void diagnose_keep_pid(struct diagnose *diagnose, const struct line_head *head);

/* diagnose_rank.c */
int64_t diagnose_compare_places(const struct evidence *a,
				const struct evidence *b); /* negative: a was first */
void diagnose_make_result(struct diagnose *diagnose);

#endif

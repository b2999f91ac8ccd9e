/*
 * framing: what launchers and loggers put around a message: taken off, and remembered.
 *
 * Compiled from the frames of a knowledge base (content/framing.yaml). A framing belongs to one thread.
 */
#ifndef CORE_FRAMING_H
#define CORE_FRAMING_H

#include "base/buf.h"
#include "core/kb.h"

struct framing;

#define FRAMING_NO_RANK (-1)

/*
 * Whose line it is, as the prefixes before it say; tells the processes that write to one terminal apart.
 * Notes within a message do not count: the lines around it have none.
 */
struct stream {
	int32_t rank;   /* FRAMING_NO_RANK: not said */
	uint64_t pid;   /* 0: not said */
	uint64_t label; /* hash of the labels; 0: none */
};

bool stream_is_known(struct stream stream);

/*
 * Did one process write both? What both say must be equal, and there must be something that both say: a
 * launcher labels all lines, torchrun within it only some.
 */
bool stream_is_same(struct stream a, struct stream b);

/* What the prefix of a line said. {.rank = FRAMING_NO_RANK} is nothing. */
struct line_head {
	int32_t rank; /* FRAMING_NO_RANK: not said */
	uint64_t pid; /* 0: not said */
	/*
	 * Microseconds, only for comparing two heads that have the same `time_kind`: a year of 12 * 31 days
	 * where the date is written; of no era.
	 */
	int64_t time;
	enum { TIME_NONE, TIME_OF_DAY, TIME_OF_YEAR, TIME_FULL } time_kind;
	enum { LEVEL_UNKNOWN, LEVEL_OTHER, LEVEL_ERROR } level; /* as a logger wrote it */
	struct stream stream;
};

struct framing *framing_new(const struct kb *kb);
void framing_free(struct framing *framing);

/* Take all prefixes and suffixes off one clean line; *head gets what they and the notes say. */
struct str framing_strip(struct framing *framing, struct str line, struct line_head *head);

/* Does a stripped line, with what its prefix said, report an error; does it only talk about one? */
bool framing_is_error(struct framing *framing, struct str line, const struct line_head *head);
bool framing_is_quiet(struct framing *framing, struct str line);

/*
 * The next error code that `line` names by one of the code frames; *at is 0 for the first call. The code's
 * text points into `line`. *code is null when the knowledge base does not have it.
 */
struct framing_cursor {
	size_t frame, at;
	/* For a line that is known to report an error: do not ask for the literals; only known codes, with a
	 * letter. */
	bool any_line;
};
bool framing_next_code(struct framing *framing, struct str line, struct framing_cursor *cursor,
		       struct str *text, const struct code **code);

/* The rank that a log's file name says (rank_3.log, …/attempt_0/3/stderr.log), else FRAMING_NO_RANK. */
int32_t framing_rank_of_path(struct str path);

#endif

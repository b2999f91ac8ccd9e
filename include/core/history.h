/*
 * history: what was looked at, copied, checked and done, with its time and result.
 *
 * Pure: an event becomes a line that whoever keeps the file appends to it; the file's text becomes events.
 * Reading never fails: lines that are not understood, and a last line without an end (a write that was cut
 * off), are left out. Times are seconds since 1970, from outside.
 */
#ifndef CORE_HISTORY_H
#define CORE_HISTORY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "core/kb_probe.h"

enum {
	HISTORY_MOST = 10000, /* events that are kept; the oldest are forgotten */
	HISTORY_TEXT = 240,   /* bytes of an event's text; more is cut */
	HISTORY_TRIED = 30    /* events in a report */
};

/* The file is put in order (history_compact) when it has grown to this: some 11,000 lines of usual length. */
#define HISTORY_FILE_LIMIT ((size_t)1 << 20)

enum history_kind {
	HISTORY_LOOKED,    /* at the entry */
	HISTORY_COPIED,    /* text: the command */
	HISTORY_PROMPTED,  /* put on the shell's prompt; text: the command */
	HISTORY_CHECKED,   /* result; text: the probe's id, ": ", what it said */
	HISTORY_CONFIRMED, /* a step, by hand; text: what it says */
	HISTORY_SKIPPED,   /* a step; text: what it says */
	HISTORY_FINISHED,  /* the last step of a solution; text: its title */
	HISTORY_KIND_COUNT
};

struct history_event {
	uint64_t when_s;
	enum history_kind kind;
	struct str entry;        /* id; a code where no entry was looked at */
	enum probe_state result; /* of HISTORY_CHECKED */
	struct str text;         /* any bytes */
};

/* One line, with its end. */
void history_add_line(const struct history_event *event, struct buf *out);

/* Owns its texts. In the order of the file: the oldest first. */
struct history_log {
	struct arena arena;
	VEC(struct history_event) list;
};

/* The newest HISTORY_MOST events of the text, added to the log. */
void history_read(struct history_log *log, struct str text);
void history_release(struct history_log *log);

/* The part of the text that is worth keeping: whole lines, the newest HISTORY_MOST or fewer if it is long. */
struct str history_compact(struct str text);

struct str history_kind_name(enum history_kind kind); /* "checked", as in the file and in JSON */
struct str history_kind_text(enum history_kind kind, enum lang lang); /* for the reader */

/* "2026-12-01 04:53:10" in the zone that is `zone_s` seconds ahead of UTC. */
void history_add_time(uint64_t when_s, int64_t zone_s, struct buf *out);

/*
 * What was done, not only looked at, since `since_s` or for one of `entries`, as those lines; the newest ones
 * where there are many.
 */
void history_add_tried(const struct history_log *log, uint64_t since_s, const struct str *entries,
		       size_t entry_count, int64_t zone_s, enum lang lang, struct buf *out);

/* What was tried for one entry (empty: for all), as lines of Markdown for a report: the oldest first. */
void history_add_report(const struct history_log *log, struct str entry, int64_t zone_s, enum lang lang,
			struct buf *out);

#endif

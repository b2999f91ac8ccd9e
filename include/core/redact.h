/*
 * redact: text -> the same text without what says who, where and with which keys.
 *
 *     r = redact_new(kb);
 *     redact_know(r, REDACT_USER, name);       what the machine knows, from the app
 *     redact_feed(r, bytes, size, &out);       pieces of any size: the result does not depend on them
 *     redact_finish(r, &out);
 *
 * What is private is said by the rules of the knowledge base (content/redaction.yaml). Every value gets a
 * name such as <HOST_2>: the same value the same name, numbered as they come. Addresses of one subnet share a
 * number: <IP_1>, <IP_1.2>, <IP_1.3>. A user or host name, PID or token that one line gives away is hidden in
 * the others too, where it stands alone; lines up to REDACT_WINDOW before are still in reach. Names that
 * stand in the text already (<USER_1>) stay, and their numbers are not given again: so doing it twice changes
 * nothing.
 *
 * Memory is bounded whatever comes in; a line may be of any length. UTF-16 with a byte order mark becomes
 * UTF-8. Pure. One redact belongs to one thread. No tool finds everything: say so to the reader.
 */
#ifndef CORE_REDACT_H
#define CORE_REDACT_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/kb.h"

enum redact_kind {
	REDACT_USER,
	REDACT_HOST,
	REDACT_IP,
	REDACT_MAC,
	REDACT_PID,
	REDACT_MAIL,
	REDACT_PHONE,
	REDACT_PATH,
	REDACT_TOKEN,
	REDACT_URL,
	REDACT_SERIAL,
	REDACT_JOB,
	REDACT_ID,
	REDACT_DOMAIN,
	REDACT_WORD, /* given with --hide */
	REDACT_KIND_COUNT
};
const char *redact_kind_name(enum redact_kind kind); /* "USER" */
bool redact_kind_of(struct str name, enum redact_kind *kind);

enum {
	REDACT_WINDOW = 4 * 1024 * 1024, /* bytes that are held back */
	REDACT_NAMES_MAX = 100 * 1000,   /* values beyond are hidden all the same, as <USER> without number */
	REDACT_VALUE_MAX = 512           /* bytes of a value that are kept for comparison */
};

struct redact;

struct redact *redact_new(const struct kb *kb); /* the kb must outlive it */
void redact_free(struct redact *redact);

/* Start a new text with the same rules and what was said with redact_know and redact_hide; numbers start
 * anew. */
void redact_reset(struct redact *redact);

/*
 * What belongs to this machine: names of users and hosts. A name that is a public word ("bin", "test") or is
 * very short is hidden only where the place says that it is meant: bin@host, /home/bin.
 */
void redact_know(struct redact *redact, enum redact_kind kind, struct str value);

/* Several of them, as lines "USER name". */
void redact_know_lines(struct redact *redact, struct str lines);

/* Hide this word wherever it stands, in any case of letters, also within words. */
void redact_hide(struct redact *redact, struct str word);

void redact_feed(struct redact *redact, const char *bytes, size_t size, struct buf *out);
void redact_flush(struct redact *redact, struct buf *out); /* all whole lines, now: a pipe that has paused */
void redact_finish(struct redact *redact, struct buf *out);

/* One value that was hidden. Lives until the next call that takes text. */
struct redact_name {
	enum redact_kind kind;
	struct str name;  /* "<HOST_2>" */
	struct str value; /* as first met, at most REDACT_VALUE_MAX bytes; private */
	uint64_t count;
	bool shown; /* by redact_show */
};
size_t redact_name_count(const struct redact *redact);
const struct redact_name *redact_name_at(const struct redact *redact, size_t index);

/* Let this value stand from now on; numbers stay as they are. For trying again on the same text. */
void redact_show(struct redact *redact, struct str name, bool shown);

/* How often each rule hid something; "machine", "repeated" and "given" are words known, learned and given. */
struct redact_count {
	struct str rule;
	uint64_t count;
};
size_t redact_count_count(const struct redact *redact);
struct redact_count redact_count_at(const struct redact *redact, size_t index);

/* Where a text was changed: offsets in what came out. */
struct redact_mark {
	size_t from, to;
	size_t name; /* for redact_name_at; SIZE_MAX: one without number */
};
struct redact_marks {
	VEC(struct redact_mark) list;
};

/* A whole text at once, without a reset before; `marks` may be null. Shown values are marked as well. */
void redact_text(struct redact *redact, struct str text, struct buf *out, struct redact_marks *marks);

#endif

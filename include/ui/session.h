/*
 * session: what is interactive. Events go in, effects come out, a picture is drawn on demand.
 *
 * Pure: no system call, no clock (events carry the time), no environment. Owns its views; borrows the kb,
 * which must outlive it.
 */
#ifndef UI_SESSION_H
#define UI_SESSION_H

#include "core/facts.h"
#include "core/kb.h"
#include "ui/canvas.h"
#include "ui/effect.h"
#include "ui/event.h"

struct search_index; /* core/search.h */

struct session;

struct session_options {
	enum lang lang;
	bool lang_fixed;    /* asked for now (--lang): the one that was chosen earlier does not count */
	struct str state;   /* as given by an earlier EFFECT_SAVE_STATE; may be empty or garbage */
	struct str open;    /* an entry id or code to start on; may be empty */
	struct str logs;    /* to diagnose: paths, each ended by NUL; may be empty */
	bool plog;          /* and CANN's newest logs */
	struct str search;  /* a query to start with; may be empty */
	struct str machine; /* "aarch64", for the title line */
	const struct facts *facts;  /* from --set and the environment; copied; may be null */
	bool ascii;                 /* always; else as the canvas that session_draw gets is set */
	bool more_packs;            /* are being read: the title says so */
	struct search_index *index; /* of the kb, taken over; null: it is made here */
	struct str guides;          /* as given by an earlier EFFECT_SAVE_GUIDE; may be empty or garbage */
	bool guide;                 /* start with the guide of `open`; without `open` with the last one */
	bool resume;                /* the same, and run the check of the step where it was left */
	struct str line, failed;    /* the shell's command line, the command that failed; may be empty */
	bool prompting;             /* Enter on a command puts it on the shell's prompt */
	uint64_t epoch_ms;          /* milliseconds since 1970 at the monotonic time 0 */
	int64_t zone_s;             /* how far local time is ahead of UTC */
};

struct session *session_new(const struct kb *kb, const struct session_options *options, int rows,
			    int columns);
void session_free(struct session *session);

void session_start(struct session *session, uint64_t now_ms, struct effect_list *effects); /* first effects */
void session_handle(struct session *session, const struct event *event, struct effect_list *effects);

/*
 * To go on with another kb: a session can be followed by a new one in a moment when the reader has nothing
 * open that would be lost. The new one gets the old one's state, query, language and facts.
 */
bool session_is_calm(const struct session *session);
void session_write_state(const struct session *session, struct buf *out); /* as EFFECT_SAVE_STATE has it */
struct str session_query(const struct session *session); /* of the search that is open; empty: none */
const struct facts *session_facts(const struct session *session);

/* The language that is shown now. */
enum lang session_lang(const struct session *session);

bool session_dirty(const struct session *session); /* something changed since the last draw */
void session_draw(struct session *session, struct canvas *canvas);

/* When EVENT_TICK is wanted, monotonic milliseconds; UINT64_MAX: not at all (nothing moves). */
uint64_t session_next_tick(const struct session *session);

#endif

/*
 * memory: what the program remembers of guides and of what was tried, in private files below the state folder
 * ($XDG_STATE_HOME/ascend-faq): `guide`, `history`, and `history-off`, which is there while the history is
 * switched off. ASCEND_FAQ_HISTORY=0 switches it off as well. `last-diagnosis` names the entries and codes
 * that the last diagnosis found; nothing of the log is in it.
 *
 * Several sessions may write at once: each change is made under a lock, to what is there by then. A place
 * that cannot be written costs the memory and nothing else.
 */
#ifndef APP_MEMORY_H
#define APP_MEMORY_H

#include "base/buf.h"

void memory_read_guides(struct buf *text);
void memory_save_guides(struct str text); /* merged into what others saved (core/guide.h) */

bool memory_history_is_on(void);
bool memory_switch_history(bool on, struct buf *error);
void memory_add_history(struct str lines);
void memory_read_history(struct buf *text);
/* Entries and codes, best first, each ended by a line end. False: there was no diagnosis. */
void memory_save_diagnosis(struct str names);
bool memory_read_diagnosis(struct buf *names);
/* All that was tried, what was found last, and how far the guides came. */
bool memory_clear(struct buf *error);

uint64_t memory_epoch_ms(void); /* milliseconds since 1970 at the monotonic time 0 */
int64_t memory_zone_s(void);    /* local time is ahead of UTC by so many seconds */

#endif

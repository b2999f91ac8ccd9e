/*
 * scan_run: a diagnosis for the browser, in a child process, while the terminal stays alive.
 *
 * The child collects the files, reads them with app/input.h and sends how far it is, and what it has found
 * whenever that has changed. It is told to stop by SIGTERM: it then sends what it knows and ends. It runs
 * nicely, so that the terminal's process always goes first.
 */
#ifndef APP_SCAN_RUN_H
#define APP_SCAN_RUN_H

#include "base/buf.h"
#include "core/kb.h"
#include "plat/loop.h"
#include "ui/event.h"

struct scan_run;

/* How a scan goes: its texts live until the callback returns. */
typedef void scan_told(void *context, const struct scan_news *news, bool done);

/*
 * `paths`: each ended by NUL; "-" is standard input; "~" at the start of one that does not exist is the home
 * folder. `plog`: CANN's newest logs too. Failing to start is told as an end with a fault. Null then.
 */
struct scan_run *scan_run_start(const struct kb *kb, struct loop *loop, struct str paths, bool plog,
				uint32_t generation, scan_told *told, void *context);
void scan_run_stop(struct scan_run *run); /* soon `told` of the end, with what was found until now */
void scan_run_free(struct scan_run *run); /* null is nothing; ends it at once */

/* A path as a reader types it: "~/x" and "~" with $HOME, unless there is something of that very name. */
void scan_run_add_path(struct buf *out, struct str typed);

#endif

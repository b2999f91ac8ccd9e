/*
 * child: a function of the program in a child process of its own, watched by the loop.
 *
 * What may take long, may hang (a dead network file system, a pipe that nobody writes to) or reads hostile
 * bytes in quantity is done there: the terminal's loop never waits for it, and it can be ended at any time.
 * It dies with the program, however that ends (plat/proc.h).
 */
#ifndef APP_CHILD_H
#define APP_CHILD_H

#include "plat/loop.h"
#include "plat/proc.h"

struct child;

/*
 * There is more in proc->out_text (take it with buf_remove), or the child has ended (`done`, called once).
 * Called from the loop, never from child_start. May free the child when done.
 */
typedef void child_ready(void *context, struct proc *proc, bool done);

/* Null: it cannot be started; `error` says why. The loop outlives it. */
struct child *child_start(struct loop *loop, const struct proc_command *command, child_ready *ready,
			  void *context, struct buf *error);
void child_cancel(struct child *child); /* SIGTERM, then SIGKILL; `ready` is still told of the end */
void child_free(struct child *child);   /* null is nothing; kills it at once if it still runs */

/* For functions in a child: all of it, although signals come in between. False: the reader is gone. */
bool child_write(int fd, struct str bytes);

#endif

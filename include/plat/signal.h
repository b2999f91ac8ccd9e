/*
 * signal: signals become bytes in a pipe that the loop watches.
 *
 * The handlers do nothing but note the signal and write one byte; everything else happens in the loop, where
 * any function may be called. The only file-scope state of plat: there is one set of signals a process.
 *
 * Watched: SIGWINCH, SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT. SIGPIPE is ignored: a write
 * to a closed pipe gives EPIPE. One that was ignored before the program started (nohup) stays ignored.
 */
#ifndef PLAT_SIGNAL_H
#define PLAT_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

/*
 * Install the handlers. Returns the descriptor to watch for POLLIN, which belongs to this module; -1: errno
 * says why. Between signal_start and signal_stop a second start returns the same descriptor.
 */
int signal_start(void);
void signal_stop(void); /* the dispositions from before; the descriptor is closed */

/*
 * Take one signal that came in since it was last asked, SIGCHLD after the ones that end the program. Several
 * of a kind count as one. False: no more. Call it until then whenever the descriptor is ready.
 */
bool signal_next(int *number);

/*
 * In a child, between fork and exec: every signal as a program expects to find it (default action, nothing
 * blocked). Async-signal-safe.
 */
void signal_reset_in_child(void);

/*
 * Stop this process and its process group as Ctrl-Z in a shell does; returns after SIGCONT. In an orphaned
 * group the kernel does not stop anything and it returns at once. The caller has put the terminal in order.
 */
void signal_suspend(void);

#endif

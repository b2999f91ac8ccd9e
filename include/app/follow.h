/*
 * follow: a log that still grows, diagnosed as it does.
 */
#ifndef APP_FOLLOW_H
#define APP_FOLLOW_H

#include "app/app.h"
#include "core/diagnose.h"

/*
 * Read `path` ("-": standard input) into `diagnose` and go on as it grows, until Ctrl-C or, of a pipe, its
 * end. Each problem is told on standard output when it is first seen. A file that became shorter is read
 * again from its start. False: it cannot be read; `error` says why.
 */
bool follow_log(const struct app *app, struct str path, struct diagnose *diagnose, struct buf *error);

#endif

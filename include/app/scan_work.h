/*
 * scan_work: the child's side of a scan (app/scan_run.h), and what it says to its parent.
 */
#ifndef APP_SCAN_WORK_H
#define APP_SCAN_WORK_H

#include "core/kb.h"
#include "ui/event.h"

struct scan_work {
	const struct kb *kb;
	struct str paths; /* each ended by NUL */
	bool plog;
};

enum scan_message_kind {
	SCAN_PROGRESS = 1,
	SCAN_FINDINGS, /* core/findings.h */
	SCAN_FAULT,    /* a line of text */
	SCAN_END       /* all was read, or it was told to stop: nothing more comes */
};
enum { SCAN_MESSAGE_MAX = 16 << 20 };

struct scan_message {
	uint32_t kind;
	uint32_t size; /* bytes that follow */
};

/* In a child process: `context` is a struct scan_work. Returns its exit status. */
int scan_work_run(void *context, int out_fd);

/* Fills bytes, total, endless, files. False: it is none. */
bool scan_progress_read(struct str bytes, struct scan_news *news);

#endif

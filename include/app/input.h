/*
 * input: logs from files, folders, pipes and standard input into a diagnose.
 *
 * A folder is read whole, in the order of names, hidden names left out; symbolic links are followed, loops
 * are not, and a file that several links lead to is read once. gzip is recognised by its first bytes,
 * wherever it comes from. Large files are scanned by several threads. Nothing is held in memory beyond a few
 * blocks.
 */
#ifndef APP_INPUT_H
#define APP_INPUT_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/diagnose.h"

struct input_file {
	struct str path; /* followed by NUL; "-" is standard input */
	uint64_t size;   /* bytes, 0 where it is not known before */
};

struct input_files {
	struct arena arena;
	VEC(struct input_file) list;
	uint64_t size; /* of all */
	bool endless;  /* some size is not known */
};

/*
 * Add a file, or the files below a folder. False when it cannot be read; `error` gets "path: why". Parts of a
 * folder that cannot be read do not make it fail; they are told one by one through `fault` (may be null).
 */
typedef void input_fault(void *context, struct str message);
bool input_add(struct input_files *files, struct str path, input_fault *fault, void *context,
	       struct buf *error);
void input_files_release(struct input_files *files);

/*
 * Add the logs of the newest job below CANN's log folder: $ASCEND_PROCESS_LOG_PATH, else
 * $ASCEND_WORK_PATH/log, else ~/ascend/log (hicann/runtime docs, "log path"). All files written within
 * INPUT_JOB_SECONDS before the newest one belong to its job.
 */
enum { INPUT_JOB_SECONDS = 600 };
bool input_add_plog(struct input_files *files, struct buf *error);

enum { INPUT_IDLE_MS = 250 };

struct input_options {
	unsigned threads; /* 0: as many as there are processors */
	/* Called now and then from the calling thread; false stops the reading. May be null. */
	bool (*progress)(void *context, uint64_t bytes);
	/* Called again and again while a pipe has nothing to read, after INPUT_IDLE_MS each. May be null. */
	void (*idle)(void *context);
	void *context;
};

/*
 * Read one file through `diagnose`, whose scanner is given too. False when it cannot be read to its end;
 * `error` says why, and what was read before it counts.
 */
bool input_read(const struct input_file *file, const struct scanner *scanner, struct diagnose *diagnose,
		const struct input_options *options, struct buf *error);

/* From a file descriptor to its end; gzip too. `name` is for the result. */
bool input_read_descriptor(int descriptor, struct str name, struct diagnose *diagnose,
			   const struct input_options *options, struct buf *error);

#endif

#include "app/follow.h"

#include "plat/signal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the file system tells nothing of changes (network file systems), it is looked at so often. */
enum { LOOK_AGAIN_MS = 1000 };

struct follow {
	const struct app *app;
	struct diagnose *diagnose;
	int log;
	int changes; /* inotify; -1: none */
	int signals;
	uint64_t read;
	bool regular;
	VEC(const struct entry *) told;
};

static bool was_told(const struct follow *follow, const struct entry *entry)
{
	for (size_t i = 0; i < follow->told.count; i++) {
		if (follow->told.items[i] == entry)
			return true;
	}
	return false;
}

static void tell_new(struct follow *follow)
{
	const struct diagnosis *diagnosis = diagnose_result(follow->diagnose);
	struct output output;

	output_open(&output, &follow->app->options);
	for (size_t i = 0; i < diagnosis->match_count; i++) {
		const struct match *match = &diagnosis->matches[i];
		const struct evidence *first = &match->evidence[0];

		if (was_told(follow, match->entry))
			continue;
		vec_push(&follow->told, match->entry);
		output_format(&output, OUTPUT_ID, "%-5.*s", STR_ARG(match->entry->id));
		output_format(&output, OUTPUT_HEADING, " %.*s\n",
			      STR_ARG(text_in(&match->entry->title, follow->app->options.lang)));
		output_format(&output, OUTPUT_DIM, "      %.*s:%" PRIu64 ": ",
			      STR_ARG(diagnosis->inputs[first->input].name), first->line);
		output_text(&output, OUTPUT_PLAIN, first->text);
		buf_add_byte(&output.text, '\n');
	}
	output_close(&output);
}

/* All that is there now. False at the end of a pipe, or when it cannot be read. */
static bool read_rest(struct follow *follow, struct str path)
{
	struct stat status;

	if (follow->regular && fstat(follow->log, &status) == 0 && (uint64_t)status.st_size < follow->read) {
		lseek(follow->log, 0, SEEK_SET);
		follow->read = 0;
		diagnose_begin(follow->diagnose, path);
	}
	for (;;) {
		size_t room;
		char *to = diagnose_room(follow->diagnose, &room);
		ssize_t size = read(follow->log, to, room);

		if (size > 0) {
			diagnose_commit(follow->diagnose, (size_t)size);
			follow->read += (uint64_t)size;
			if (!follow->regular)
				return true; /* a pipe: what is next may take its time */
			continue;
		}
		return size == 0 ? follow->regular : errno == EINTR || errno == EAGAIN;
	}
}

/* Until there is more, or a signal ends it: then false. */
static bool wait_for_more(struct follow *follow)
{
	struct pollfd fds[] = {{follow->signals, POLLIN, 0},
			       {follow->regular ? follow->changes : follow->log, POLLIN, 0}};
	char events[4096];
	int number;

	poll(fds, 2, follow->regular ? LOOK_AGAIN_MS : -1);
	if (follow->regular && fds[1].revents && read(follow->changes, events, sizeof(events)) < 0)
		follow->changes = -1;
	while (signal_next(&number)) {
		if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
			return false;
		if (number == SIGTSTP)
			signal_suspend();
	}
	return true;
}

bool follow_log(const struct app *app, struct str path, struct diagnose *diagnose, struct buf *error)
{
	struct follow follow = {.app = app, .diagnose = diagnose, .changes = -1};
	bool standard = str_equal(path, STR("-"));
	struct stat status;

	follow.log = standard ? STDIN_FILENO : open(path.data, O_RDONLY | O_CLOEXEC);
	if (follow.log < 0 || fstat(follow.log, &status) != 0) {
		buf_add_format(error, "%.*s: %s", STR_ARG(path), strerror(errno));
		return false;
	}
	if (S_ISDIR(status.st_mode)) {
		buf_add_format(error, "%.*s: %s", STR_ARG(path), strerror(EISDIR));
		close(follow.log);
		return false;
	}
	follow.regular = S_ISREG(status.st_mode);
	follow.signals = signal_start();
	if (follow.regular && !standard)
		follow.changes = inotify_init1(IN_CLOEXEC);
	if (follow.changes >= 0)
		inotify_add_watch(follow.changes, path.data, IN_MODIFY | IN_ATTRIB);
	diagnose_begin(diagnose, path);
	while (read_rest(&follow, path)) {
		diagnose_flush(diagnose);
		tell_new(&follow);
		if (!wait_for_more(&follow))
			break;
	}
	if (follow.changes >= 0)
		close(follow.changes);
	if (!standard)
		close(follow.log);
	signal_stop();
	vec_release(&follow.told);
	return true;
}

#include "app/input.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
	GZIP_WINDOW_BITS = 15 + 16, /* zlib: the largest window, gzip's head */
	PACKED_SIZE = 64 * 1024,
	THREADS_MAX = 64,
	SPARE_BLOCKS =
		12, /* beyond one a thread: done ahead, so that a close look at one keeps nobody waiting */
	PARALLEL_BLOCKS_MIN = 8 /* smaller files are done before threads have started */
};

static bool system_error(struct buf *error, struct str name)
{
	buf_add_format(error, "%.*s: %s", STR_ARG(name), strerror(errno));
	return false;
}

/* A read that signals do not end. */
static ssize_t read_some(int descriptor, void *to, size_t size)
{
	ssize_t got;

	do
		got = read(descriptor, to, size);
	while (got < 0 && errno == EINTR);
	return got;
}

static bool go_on(const struct input_options *options, uint64_t bytes)
{
	return !options->progress || options->progress(options->context, bytes);
}

/* gzip, also several members one behind the other. `packed` holds what was read already. */
static bool read_packed(int descriptor, struct str name, struct diagnose *diagnose,
			const struct input_options *options, struct buf *packed, struct buf *error)
{
	z_stream stream = {0};
	uint64_t bytes = packed->size;
	int result = Z_OK;
	bool good = false;

	if (inflateInit2(&stream, GZIP_WINDOW_BITS) != Z_OK)
		alloc_bytes(SIZE_MAX); /* ends the process: out of memory */
	stream.next_in = (Bytef *)packed->data;
	stream.avail_in = (uInt)packed->size;
	for (;;) {
		size_t room;
		char *to;

		if (stream.avail_in == 0) {
			ssize_t got = read_some(descriptor, packed->data, PACKED_SIZE);

			if (got < 0) {
				system_error(error, name);
				break;
			}
			if (got == 0 && result != Z_STREAM_END)
				buf_add_format(error, "%.*s: gzip data ends in the middle", STR_ARG(name));
			good = got == 0 && result == Z_STREAM_END;
			if (got == 0)
				break;
			bytes += (uint64_t)got;
			stream.next_in = (Bytef *)packed->data;
			stream.avail_in = (uInt)got;
			if (!go_on(options, bytes)) {
				good = true;
				break;
			}
		}
		if (result == Z_STREAM_END)
			inflateReset(&stream);
		to = diagnose_room(diagnose, &room);
		stream.next_out = (Bytef *)to;
		stream.avail_out = (uInt)room;
		result = inflate(&stream, Z_NO_FLUSH);
		diagnose_commit(diagnose, room - stream.avail_out);
		if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
			buf_add_format(error, "%.*s: damaged gzip data", STR_ARG(name));
			break;
		}
	}
	inflateEnd(&stream);
	return good;
}

/* Until there is something to read, or a signal came. */
static void await(int descriptor, const struct input_options *options)
{
	struct pollfd wanted = {descriptor, POLLIN, 0};

	while (options->idle && poll(&wanted, 1, INPUT_IDLE_MS) == 0)
		options->idle(options->context);
}

static bool read_plain(int descriptor, struct str name, struct diagnose *diagnose,
		       const struct input_options *options, uint64_t bytes, struct buf *error)
{
	for (;;) {
		size_t room;
		char *to;
		ssize_t got;

		await(descriptor, options);
		to = diagnose_room(diagnose, &room);
		got = read_some(descriptor, to, room);
		if (got < 0)
			return system_error(error, name);
		if (got == 0)
			return true;
		diagnose_commit(diagnose, (size_t)got);
		bytes += (uint64_t)got;
		if (!go_on(options, bytes))
			return true;
	}
}

bool input_read_descriptor(int descriptor, struct str name, struct diagnose *diagnose,
			   const struct input_options *options, struct buf *error)
{
	struct buf first = {0};
	struct stat status;
	bool good = true;

	diagnose_begin(diagnose, name);
	if (str_equal(name, STR("-")) || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
		diagnose_keep_context(diagnose);
	buf_reserve(&first, PACKED_SIZE);
	while (first.size < 2) {
		ssize_t got = read_some(descriptor, first.data + first.size, PACKED_SIZE - first.size);

		if (got < 0)
			good = system_error(error, name);
		if (got <= 0)
			break;
		first.size += (size_t)got;
	}
	if (first.size >= 2 && (unsigned char)first.data[0] == 0x1F && (unsigned char)first.data[1] == 0x8B) {
		good = read_packed(descriptor, name, diagnose, options, &first, error);
	} else if (good) {
		diagnose_feed(diagnose, first.data, first.size);
		good = !go_on(options, first.size) ||
		       read_plain(descriptor, name, diagnose, options, first.size, error);
	}
	buf_release(&first);
	return good;
}

/* Several threads on one file: they read and scan blocks, the caller takes them in order. */

enum slot_state { SLOT_FREE, SLOT_BUSY, SLOT_READY, SLOT_FAILED };

struct slot {
	struct diagnose_block block;
	enum slot_state state;
	int error_number;
};

struct crew {
	const struct scanner *scanner;
	int descriptor;
	uint64_t size, blocks;
	uint64_t next; /* block that nobody has begun */
	uint64_t taken;
	size_t slot_count;
	struct slot *slots;
	bool stop;
	pthread_mutex_t lock;
	pthread_cond_t ready; /* the block that the caller waits for is done */
	pthread_cond_t room;  /* slots are free again */
};

/* Read block `index` with the bytes before it that the scan wants. 0, or an error number. */
static int read_block(const struct crew *crew, uint64_t index, struct diagnose_block *block)
{
	uint64_t offset = index * DIAGNOSE_BLOCK;
	size_t before = index ? SCAN_OVERLAP : 0;
	char *to = block->memory + DIAGNOSE_KEEP - before;
	size_t wanted = before + (crew->size - offset < DIAGNOSE_BLOCK ? (size_t)(crew->size - offset)
								       : (size_t)DIAGNOSE_BLOCK);
	size_t there = 0;

	while (there < wanted) {
		ssize_t got =
			pread(crew->descriptor, to + there, wanted - there, (off_t)(offset - before + there));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0) /* the file has become shorter */
			return ENODATA;
		there += (size_t)got;
	}
	block->size = wanted - before;
	block->first = index == 0;
	block->last = index + 1 == crew->blocks;
	return 0;
}

/* Is there a block that somebody can begin? With the lock held. */
static bool can_begin(const struct crew *crew)
{
	return !crew->stop && crew->next < crew->blocks && crew->next < crew->taken + crew->slot_count;
}

/* Read and scan the next block. With the lock held, which is given away meanwhile. */
static void do_block(struct crew *crew)
{
	uint64_t index = crew->next++;
	struct slot *slot = &crew->slots[index % crew->slot_count];
	int error_number;

	slot->state = SLOT_BUSY;
	pthread_mutex_unlock(&crew->lock);
	error_number = read_block(crew, index, &slot->block);
	if (!error_number)
		diagnose_block_scan(crew->scanner, &slot->block);
	pthread_mutex_lock(&crew->lock);
	slot->error_number = error_number;
	slot->state = error_number ? SLOT_FAILED : SLOT_READY;
	if (index == crew->taken)
		pthread_cond_signal(&crew->ready); /* it is what the caller waits for */
}

static void *work(void *argument)
{
	struct crew *crew = argument;

	pthread_mutex_lock(&crew->lock);
	while (!crew->stop && crew->next < crew->blocks) {
		if (can_begin(crew))
			do_block(crew);
		else
			pthread_cond_wait(&crew->room, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

static bool is_done(const struct slot *slot)
{
	return slot->state == SLOT_READY || slot->state == SLOT_FAILED;
}

/* The caller is one of the threads: while the block that it wants next is not there it does another. */
static void await_block(struct crew *crew, struct slot *slot)
{
	pthread_mutex_lock(&crew->lock);
	while (!is_done(slot)) {
		if (can_begin(crew))
			do_block(crew);
		else
			pthread_cond_wait(&crew->ready, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
}

static bool take_blocks(struct crew *crew, struct str name, struct diagnose *diagnose,
			const struct input_options *options, struct buf *error)
{
	for (uint64_t index = 0; index < crew->blocks; index++) {
		struct slot *slot = &crew->slots[index % crew->slot_count];

		await_block(crew, slot);
		if (slot->state == SLOT_FAILED) {
			buf_add_format(error, "%.*s: %s", STR_ARG(name), strerror(slot->error_number));
			return false;
		}
		diagnose_take(diagnose, &slot->block);
		pthread_mutex_lock(&crew->lock);
		slot->state = SLOT_FREE;
		crew->taken++;
		/* Workers sleep only when all slots are full: waken once half of them are free again. */
		if (crew->next - crew->taken <= crew->slot_count / 2)
			pthread_cond_broadcast(&crew->room);
		pthread_mutex_unlock(&crew->lock);
		if (!go_on(options, (index + 1) * DIAGNOSE_BLOCK))
			break;
	}
	return true;
}

static bool read_parallel(int descriptor, const struct input_file *file, uint64_t size, unsigned threads,
			  const struct scanner *scanner, struct diagnose *diagnose,
			  const struct input_options *options, struct buf *error)
{
	struct crew crew = {.scanner = scanner,
			    .descriptor = descriptor,
			    .size = size,
			    .blocks = (size + DIAGNOSE_BLOCK - 1) / DIAGNOSE_BLOCK,
			    .slot_count = (size_t)threads + SPARE_BLOCKS};
	pthread_t workers[THREADS_MAX];
	unsigned started = 0;
	bool good;

	pthread_mutex_init(&crew.lock, NULL);
	pthread_cond_init(&crew.ready, NULL);
	pthread_cond_init(&crew.room, NULL);
	crew.slots = alloc_zeroed(crew.slot_count, sizeof(*crew.slots));
	for (size_t i = 0; i < crew.slot_count; i++)
		diagnose_block_init(&crew.slots[i].block);
	while (started + 1 < threads && pthread_create(&workers[started], NULL, work, &crew) == 0)
		started++;
	diagnose_begin(diagnose, file->path);
	if (started)
		good = take_blocks(&crew, file->path, diagnose, options, error);
	else
		good = read_plain(descriptor, file->path, diagnose, options, 0, error);
	pthread_mutex_lock(&crew.lock);
	crew.stop = true;
	pthread_cond_broadcast(&crew.room);
	pthread_mutex_unlock(&crew.lock);
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i], NULL);
	for (size_t i = 0; i < crew.slot_count; i++)
		diagnose_block_release(&crew.slots[i].block);
	free(crew.slots);
	pthread_cond_destroy(&crew.ready);
	pthread_cond_destroy(&crew.room);
	pthread_mutex_destroy(&crew.lock);
	return good;
}

/* gzip and UTF-16 are read from front to back; what is neither can be cut into blocks. */
static bool can_be_cut(int descriptor)
{
	unsigned char mark[2];

	if (pread(descriptor, mark, sizeof(mark), 0) != sizeof(mark))
		return false;
	return !(mark[0] == 0x1F && mark[1] == 0x8B) && !(mark[0] == 0xFF && mark[1] == 0xFE) &&
	       !(mark[0] == 0xFE && mark[1] == 0xFF);
}

bool input_read(const struct input_file *file, const struct scanner *scanner, struct diagnose *diagnose,
		const struct input_options *options, struct buf *error)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned threads = options->threads ? options->threads : processors > 0 ? (unsigned)processors : 1;
	struct stat status;
	int descriptor;
	bool good;

	if (str_equal(file->path, STR("-")))
		return input_read_descriptor(STDIN_FILENO, file->path, diagnose, options, error);
	descriptor = open(file->path.data, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (descriptor < 0)
		return system_error(error, file->path);
	threads = threads < THREADS_MAX ? threads : THREADS_MAX;
	if (threads > 1 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size >= (off_t)PARALLEL_BLOCKS_MIN * DIAGNOSE_BLOCK && can_be_cut(descriptor))
		good = read_parallel(descriptor, file, (uint64_t)status.st_size, threads, scanner, diagnose,
				     options, error);
	else
		good = input_read_descriptor(descriptor, file->path, diagnose, options, error);
	close(descriptor);
	return good;
}

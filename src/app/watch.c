#include "app/watch.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

/* The end that is kept stands in the blocks: whole ones, and the one that was being filled. */
enum { KEPT_HEAD = 2 << 20, KEPT_TAIL = (WATCH_BLOCKS - 2) * DIAGNOSE_BLOCK };

struct watch {
	/* Only the thread touches these until it has ended. */
	struct diagnose *diagnose;
	bool as_stream; /* its first bytes want to be seen in order by diagnose_feed: UTF-16 */
	struct buf head;
	uint64_t size; /* of what was looked at */

	struct diagnose_block blocks[WATCH_BLOCKS];
	uint64_t filled; /* blocks that are full; the next one is being filled */
	uint64_t looked; /* blocks that were diagnosed */
	bool ended;      /* no block comes any more */
	bool given_up;
	bool has_thread;
	pthread_t thread;
	pthread_mutex_t lock; /* of the numbers above */
	pthread_cond_t changed;
};

static void look(struct watch *watch, struct diagnose_block *block)
{
	struct str bytes = {block->memory + DIAGNOSE_KEEP, block->size};

	if (watch->size == 0)
		watch->as_stream = str_starts(bytes, STR("\xFF\xFE")) || str_starts(bytes, STR("\xFE\xFF"));
	if (watch->head.size < KEPT_HEAD)
		buf_add(&watch->head, str_slice(bytes, 0, KEPT_HEAD - watch->head.size));
	watch->size += bytes.size;
	if (watch->as_stream || block->size < DIAGNOSE_BLOCK)
		diagnose_feed(watch->diagnose, bytes.data, bytes.size);
	else
		diagnose_take(watch->diagnose, block);
	block->size = 0;
}

static void *work(void *argument)
{
	struct watch *watch = argument;

	pthread_mutex_lock(&watch->lock);
	for (;;) {
		while (!watch->given_up && !watch->ended && watch->looked == watch->filled)
			pthread_cond_wait(&watch->changed, &watch->lock);
		if (watch->given_up || watch->looked == watch->filled)
			break;
		pthread_mutex_unlock(&watch->lock);
		look(watch, &watch->blocks[watch->looked % WATCH_BLOCKS]);
		pthread_mutex_lock(&watch->lock);
		watch->looked++;
		pthread_cond_signal(&watch->changed);
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

char *watch_room(void *context, size_t *size)
{
	struct watch *watch = context;
	struct diagnose_block *block = &watch->blocks[watch->filled % WATCH_BLOCKS];

	pthread_mutex_lock(&watch->lock);
	while (watch->filled == watch->looked + WATCH_BLOCKS)
		pthread_cond_wait(&watch->changed, &watch->lock);
	pthread_mutex_unlock(&watch->lock);
	*size = DIAGNOSE_BLOCK - block->size;
	return block->memory + DIAGNOSE_KEEP + block->size;
}

void watch_take(void *context, const char *bytes, size_t size)
{
	struct watch *watch = context;
	struct diagnose_block *block = &watch->blocks[watch->filled % WATCH_BLOCKS];

	(void)bytes; /* they are in the block already */
	block->size += size;
	if (block->size < DIAGNOSE_BLOCK)
		return;
	if (!watch->has_thread) {
		look(watch, block);
		watch->looked++;
	}
	pthread_mutex_lock(&watch->lock);
	watch->filled++;
	pthread_cond_signal(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
}

static void end_thread(struct watch *watch, bool give_up)
{
	if (!watch->has_thread)
		return;
	pthread_mutex_lock(&watch->lock);
	watch->ended = true;
	watch->given_up = give_up;
	pthread_cond_signal(&watch->changed);
	pthread_mutex_unlock(&watch->lock);
	pthread_join(watch->thread, NULL);
	watch->has_thread = false;
}

const struct diagnosis *watch_finish(struct watch *watch)
{
	end_thread(watch, false);
	look(watch, &watch->blocks[watch->filled % WATCH_BLOCKS]);
	return diagnose_finish(watch->diagnose);
}

void watch_add_kept(const struct watch *watch, const struct diagnosis *diagnosis, struct buf *out)
{
	uint64_t at = watch->head.size;

	buf_add(out, buf_str(&watch->head));
	if (watch->size - at > KEPT_TAIL) {
		buf_add_format(out, "\n… %" PRIu64 " bytes left out; what was found in the whole:\n",
			       watch->size - at - KEPT_TAIL);
		for (size_t i = 0; i < diagnosis->match_count; i++) {
			for (size_t e = 0; e < diagnosis->matches[i].evidence_count; e++) {
				buf_add(out, diagnosis->matches[i].evidence[e].text);
				buf_add_byte(out, '\n');
			}
		}
		buf_add(out, STR("…\n"));
		at = watch->size - KEPT_TAIL;
	}
	while (at < watch->size) {
		const struct diagnose_block *block = &watch->blocks[at / DIAGNOSE_BLOCK % WATCH_BLOCKS];
		size_t inside = (size_t)(at % DIAGNOSE_BLOCK);
		uint64_t rest = watch->size - at;
		size_t part = rest < DIAGNOSE_BLOCK - inside ? (size_t)rest : DIAGNOSE_BLOCK - inside;

		buf_add_bytes(out, block->memory + DIAGNOSE_KEEP + inside, part);
		at += part;
	}
}

/* Signals are the other thread's: it hears of the command's end and of the terminal's size by them. */
static bool start_thread(struct watch *watch)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = pthread_create(&watch->thread, NULL, work, watch) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

struct watch *watch_new(const struct scanner *scanner)
{
	struct watch *watch = alloc_zeroed(1, sizeof(*watch));

	watch->diagnose = diagnose_new(scanner);
	diagnose_begin(watch->diagnose, STR("output"));
	for (size_t i = 0; i < WATCH_BLOCKS; i++)
		diagnose_block_init(&watch->blocks[i]);
	pthread_mutex_init(&watch->lock, NULL);
	pthread_cond_init(&watch->changed, NULL);
	watch->has_thread = start_thread(watch);
	return watch;
}

void watch_free(struct watch *watch)
{
	if (!watch)
		return;
	end_thread(watch, true);
	for (size_t i = 0; i < WATCH_BLOCKS; i++)
		diagnose_block_release(&watch->blocks[i]);
	buf_release(&watch->head);
	diagnose_free(watch->diagnose);
	pthread_cond_destroy(&watch->changed);
	pthread_mutex_destroy(&watch->lock);
	free(watch);
}

#include "app/packs_loader.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { INDEX_WORK = 5000 * 1000 }; /* between two looks at the flag */

struct packs_loader {
	const char *const *folders;
	size_t count;
	pthread_t thread;
	atomic_bool stop;
	int ends[2]; /* a pipe: closed at its writing end when all is read */

	/* Of the thread, until it is done. */
	struct packs *packs;
	struct search_index *index;
	struct diag_list diags;
	size_t left_out;
};

static void *load(void *context)
{
	struct packs_loader *loader = context;

	loader->packs = packs_load_until(loader->folders, loader->count, &loader->diags, &loader->left_out,
					 &loader->stop);
	loader->index = search_index_begin(packs_kb(loader->packs));
	while (!atomic_load(&loader->stop) && !search_index_step(loader->index, INDEX_WORK))
		;
	close(loader->ends[1]);
	return NULL;
}

struct packs_loader *packs_loader_start(const char *const *folders, size_t count)
{
	struct packs_loader *loader = alloc_zeroed(1, sizeof(*loader));
	sigset_t all, before;
	int error;

	loader->folders = folders;
	loader->count = count;
	atomic_init(&loader->stop, false);
	if (pipe2(loader->ends, O_CLOEXEC) != 0) {
		free(loader);
		return NULL;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&loader->thread, NULL, load, loader);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		close(loader->ends[0]);
		close(loader->ends[1]);
		free(loader);
		return NULL;
	}
	return loader;
}

void packs_loader_free(struct packs_loader *loader)
{
	if (!loader)
		return;
	atomic_store(&loader->stop, true);
	pthread_join(loader->thread, NULL);
	close(loader->ends[0]);
	search_index_free(loader->index);
	packs_free(loader->packs);
	diag_release(&loader->diags);
	free(loader);
}

int packs_loader_fd(const struct packs_loader *loader)
{
	return loader->ends[0];
}

bool packs_loader_wait(struct packs_loader *loader, int wait_ms)
{
	struct pollfd end = {.fd = loader->ends[0], .events = POLLIN};

	return poll(&end, 1, wait_ms) > 0;
}

struct kb *packs_loader_kb(struct packs_loader *loader)
{
	return packs_kb(loader->packs);
}

struct search_index *packs_loader_take_index(struct packs_loader *loader)
{
	struct search_index *index = loader->index;

	loader->index = NULL;
	return index;
}

const struct diag_list *packs_loader_diags(const struct packs_loader *loader)
{
	return &loader->diags;
}

size_t packs_loader_left_out(const struct packs_loader *loader)
{
	return loader->left_out;
}

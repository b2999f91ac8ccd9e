/*
 * packs_loader: reads the packs of the site and of the user in a thread, so that the browser shows the
 * shipped one at once, however large they are.
 *
 * The thread shares nothing with the program until it is done but a flag that ends it. It runs with all
 * signals blocked. Children that are forked meanwhile may use memory as usual (glibc sees to that).
 */
#ifndef APP_PACKS_LOADER_H
#define APP_PACKS_LOADER_H

#include "app/packs.h"
#include "base/diag.h"
#include "core/search.h"

struct packs_loader;

/* As packs_load; `folders` must outlive the loader. Null: no thread could be had. */
struct packs_loader *packs_loader_start(const char *const *folders, size_t count);

/* Ends the thread if it still reads, and frees all that was read: also the kb. Null is nothing. */
void packs_loader_free(struct packs_loader *loader);

/* Readable once all is read. */
int packs_loader_fd(const struct packs_loader *loader);
bool packs_loader_wait(struct packs_loader *loader, int wait_ms); /* true: all is read */

/* Only once all is read. */
struct kb *packs_loader_kb(struct packs_loader *loader);
struct search_index *packs_loader_take_index(struct packs_loader *loader); /* of that kb; once */
const struct diag_list *packs_loader_diags(const struct packs_loader *loader);
size_t packs_loader_left_out(const struct packs_loader *loader);

#endif

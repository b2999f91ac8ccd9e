/*
 * export: the whole knowledge base as one document, for places where the program is not.
 *
 * Markdown has one language. HTML is one page that needs nothing else: both languages in it, the switch
 * between them without a script, a search with one. Everything from packs is escaped for the format; a
 * command keeps its placeholders.
 */
#ifndef CORE_EXPORT_H
#define CORE_EXPORT_H

#include "base/buf.h"
#include "core/kb.h"

void export_markdown(const struct kb *kb, enum lang lang, struct buf *out);

/* `lang` is the one that shows first. `style` and `script` go into the page as they are. */
void export_html(const struct kb *kb, enum lang lang, struct str style, struct str script, struct buf *out);

#endif

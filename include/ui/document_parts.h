/*
 * document_parts: what the files that lay out a document share; nothing else includes it.
 */
#ifndef UI_DOCUMENT_PARTS_H
#define UI_DOCUMENT_PARTS_H

#include "ui/document.h"
#include "ui/words.h"

enum { PART_INDENT = 2 };

struct part {
	struct document *document;
	const struct document_request *request;
};

/* A place that is the same in every language and width begins here. */
void part_anchor(struct part *part);
/* A heading with an empty line before it, and `more` behind it. */
void part_heading(struct part *part, struct str title, struct str more);
void part_prose(struct part *part, int indent, enum style style, struct str text);
void part_applies(struct part *part, int indent, const struct applies *applies);
void part_see(struct part *part, const struct str_list *ids, enum word title);
/* One step without its number and check; `number` is the solution's. */
void part_step(struct part *part, const struct solution *solution, size_t number, const struct step *step);
void part_solutions(struct part *part, const struct entry *entry);

/* Lines between the two belong to the item; `begin` returns its number for layout_format.item. */
int32_t part_begin_item(struct part *part, enum document_item_kind kind);
struct document_item *part_end_item(struct part *part);

#endif

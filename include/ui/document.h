/*
 * document: one entry or one code, laid out for a pane: lines, and the items in them that a cursor can go to.
 *
 * It is made anew when what it depends on changes (document_is_current says so) and is only drawn otherwise.
 */
#ifndef UI_DOCUMENT_H
#define UI_DOCUMENT_H

#include "core/facts.h"
#include "core/fill.h"
#include "core/kb.h"
#include "ui/layout.h"

enum document_item_kind {
	ITEM_COMMAND, /* step->run */
	ITEM_FILE,    /* step->text */
	ITEM_LINK,    /* step->link */
	ITEM_SEE,     /* target: another entry */
	ITEM_CODE     /* target: a code */
};

struct document_item {
	enum document_item_kind kind;
	size_t first_line, line_count;
	const struct solution *solution; /* of commands, files, links */
	size_t solution_number;          /* from 1, as written in the pack */
	const struct step *step;
	struct str target; /* id of the entry, or the code */
};

struct document {
	/* What it shows: one of the two, or neither. */
	const struct entry *entry;
	const struct code *code;
	/* What it was made from. */
	int width;
	enum lang lang;
	bool errors_shown;
	uint64_t facts_generation;
	bool made;

	struct layout layout;
	VEC(struct document_item) items;
	/* First lines of headings, items and steps: the same in number in every language and width. */
	VEC(size_t) anchors;
	size_t errors_line; /* of the heading of the error samples; SIZE_MAX: there are none */
};

struct document_request {
	const struct kb *kb;
	const struct facts *facts;
	const struct entry *entry;
	const struct code *code;
	int width;
	enum lang lang;
	bool errors_shown;
};

/* Where line `top` of one is in another that shows the same thing in another language or width. */
size_t document_same_place(const struct document *from, size_t top, const struct document *to);

bool document_is_current(const struct document *document, const struct document_request *request);
void document_make(struct document *document, const struct document_request *request);
void document_release(struct document *document);

/* "set by you", "found now: CANN version": where a value comes from. */
void document_add_origin(struct buf *out, const struct kb *kb, enum fact_source source, struct str origin,
			 enum lang lang);

/* A whole solution as a shell script: comments, commands with what is known filled in, edits as comments. */
void document_script(const struct document_request *request, const struct solution *solution, size_t number,
		     struct buf *out, size_t *holes);

#endif

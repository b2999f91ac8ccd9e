/*
 * faq_document: a FAQ written for people, read by its shape.
 *
 * Takes Markdown, or the plain text that is left when such a page is copied: chapters ("一、安装构建篇"),
 * numbered entries ("1.6 …"), labelled parts ("问题描述：", "报错信息 2（…）：", "解决方案 1（推荐）："). A
 * short line without punctuation opens an entry where entries have no numbers: before the first chapter, and
 * in the appendix; such an entry gets the next number of its chapter. What follows a second copy of the first
 * line is a table of contents, and is left out.
 *
 * Below "error message" every line is output of a program. Elsewhere a line with Chinese in it is prose and
 * another one is a command, except that Markdown marks commands by fences. The texts are parts of the
 * document, which must outlive the result.
 */
#ifndef CORE_FAQ_DOCUMENT_H
#define CORE_FAQ_DOCUMENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "core/kb.h"

enum faq_part { FAQ_PROBLEM, FAQ_CAUSE, FAQ_BACKGROUND, FAQ_ERRORS, FAQ_SOLUTION, FAQ_NOTE };

struct faq_line {
	enum faq_part part;
	size_t block;     /* of the entry; lines of one labelled part have the same */
	size_t paragraph; /* of the document: blank lines tell paragraphs apart */
	bool is_code;
	struct str text; /* prose: trimmed; code: as it stands, without blanks at its end */
	uint32_t number; /* of the line in the document, from 1 */
};

/* The head of a labelled part. */
struct faq_block {
	enum faq_part part;
	struct str title; /* "链接失败" of "报错信息 2（链接失败）："; of a solution what follows the label */
	bool recommended;
};

struct faq_entry {
	struct str id, title;
	size_t chapter; /* index into chapters */
	uint32_t number;
	VEC(struct faq_block) blocks;
	VEC(struct faq_line) lines;
};

struct faq_chapter {
	uint64_t number; /* 0: before the first */
	struct str title;
};

struct faq_document {
	struct str title;
	VEC(struct faq_chapter) chapters;
	VEC(struct faq_entry) entries;
};

/*
 * The bytes of a file as text that can be read and written again: without control characters (but tabs and
 * line ends) and without bytes that are no UTF-8; those become U+FFFD.
 */
void faq_document_clean(struct str bytes, struct buf *out);

/* Ids that the document does not give are made in the arena. */
void faq_document_read(struct str text, struct arena *arena, struct faq_document *document);
void faq_document_release(struct faq_document *document);

/*
 * The entry as YAML of a pack: a beginning that lints, for a person to go on with. Signatures are made of the
 * error lines that no other entry has.
 */
void faq_entry_to_yaml(const struct faq_document *document, const struct faq_entry *entry, struct buf *out);
void faq_pack_to_yaml(const struct faq_document *document, struct buf *out); /* pack.yaml */
/* The folder of a chapter: the id of the section with that number in `kb`, else "chapter-N". */
struct str faq_section_id(const struct kb *kb, uint64_t number, struct arena *arena);

/*
 * What the document has and the knowledge base lacks, as warnings at the document's lines (`file` is its
 * name): entries, error lines, commands, links. A line that an entry words otherwise may stand among its
 * aliases. Returns how many were missing.
 */
size_t faq_document_compare(const struct faq_document *document, const struct kb *kb, const char *file,
			    struct diag_list *diags);

#endif

/*
 * json_pull: JSON read from front to back, without a tree: results of thousands of nodes in a second.
 *
 * Every byte may be hostile: depth is bounded, what is no JSON ends the reading with JSON_BAD and where.
 * Texts are given as they stand, without their escapes once they have some; they need not be UTF-8.
 */
#ifndef CORE_JSON_PULL_H
#define CORE_JSON_PULL_H

#include "base/buf.h"

enum { JSON_DEPTH_MOST = 32 };

enum json_kind {
	JSON_END, /* the text is over, and was whole */
	JSON_BAD,
	JSON_OBJECT,
	JSON_OBJECT_END,
	JSON_ARRAY,
	JSON_ARRAY_END,
	JSON_KEY,   /* text: its name; the value follows */
	JSON_TEXT,  /* text */
	JSON_OTHER, /* text: a number, true, false or null, as it stands */
};

struct json_pull {
	struct str rest;
	const char *start;
	struct str text; /* of KEY, TEXT, OTHER; lives until the next call */
	struct buf unescaped;
	size_t depth;
	char closers[JSON_DEPTH_MOST];
	enum { JSON_WANTS_VALUE, JSON_WANTS_KEY, JSON_WANTS_COMMA, JSON_IS_OVER } wants;
	bool first; /* of an object or array: no comma yet */
};

void json_pull_open(struct json_pull *json, struct str text);
enum json_kind json_pull_next(struct json_pull *json);
size_t json_pull_offset(const struct json_pull *json); /* where it is: of JSON_BAD the fault */
void json_pull_close(struct json_pull *json);

/* Go past the value that comes next, whatever it is. False: JSON_BAD. */
bool json_pull_skip(struct json_pull *json);

#endif

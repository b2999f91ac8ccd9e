/*
 * yaml_events: one YAML file as a stream of events, with limits, every fault with its place.
 *
 * The only user of libyaml's parser. What packs do not need is refused here, where it cannot do harm:
 * aliases (and so the "billion laughs"), tags, several documents, deep nesting, NUL characters.
 */
#ifndef CORE_YAML_EVENTS_H
#define CORE_YAML_EVENTS_H

#include "base/diag.h"

#include <yaml.h>

enum {
	YAML_FILE_SIZE_MAX = 16 * 1024 * 1024,
	YAML_DEPTH_MAX = 24,
	YAML_FAULTS_MAX = 100 /* in one file; the rest of it is not read then */
};

enum yaml_kind {
	YAML_SCALAR, /* `text` is its value, without line ends at the end */
	YAML_LIST,
	YAML_LIST_END,
	YAML_MAP,
	YAML_MAP_END,
	YAML_STOP /* end of the file, or a fault after which it cannot be read on */
};

/* The current event and its place. `text` lives until the next one. */
struct yaml_events {
	enum yaml_kind kind;
	struct str text;
	bool plain;   /* a scalar without quotes */
	bool refused; /* an alias or a tag: reported, to be passed over */
	struct location where;

	struct diag_list *diags;
	size_t faults;
	unsigned depth;
	yaml_parser_t parser; /* private */
	yaml_event_t event;   /* private */
	bool open;            /* private */
};

/* `file` and `bytes` must live until yaml_events_close. The first event is that of the root; or YAML_STOP. */
void yaml_events_open(struct yaml_events *events, const char *file, struct str bytes,
		      struct diag_list *diags);
void yaml_events_next(struct yaml_events *events);
void yaml_events_skip(struct yaml_events *events); /* pass over the node that the current event starts */
void yaml_events_close(struct yaml_events *events);

/* Report a fault at `where`; after YAML_FAULTS_MAX of them the stream stops. */
void yaml_events_fault(struct yaml_events *events, struct location where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif

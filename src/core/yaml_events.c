#include "core/yaml_events.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <string.h>

static void stop(struct yaml_events *events)
{
	events->kind = YAML_STOP;
	events->text = (struct str){NULL, 0};
}

void yaml_events_fault(struct yaml_events *events, struct location where, const char *format, ...)
{
	struct buf text = {0};
	va_list arguments;

	if (events->faults > YAML_FAULTS_MAX)
		return;
	va_start(arguments, format);
	buf_add_format_list(&text, format, arguments);
	va_end(arguments);
	if (events->faults++ == YAML_FAULTS_MAX) {
		buf_clear(&text);
		buf_add(&text, STR("more faults follow; mend these first"));
	}
	diag_add(events->diags, DIAG_ERROR, where, "%s", buf_c_string(&text));
	buf_release(&text);
}

static struct location location_of(const struct yaml_events *events, yaml_mark_t mark)
{
	return (struct location){events->where.file, (uint32_t)mark.line + 1, (uint32_t)mark.column + 1};
}

/* Line and column of a byte, for faults of the encoding: libyaml gives only the offset of those. */
static struct location location_of_byte(const struct yaml_events *events, struct str bytes, size_t offset)
{
	struct location where = {events->where.file, 1, 1};
	size_t size;

	for (size_t at = 0; at < offset && at < bytes.size; at += size) {
		uint32_t character = utf8_at(bytes, at, &size);

		where.column++;
		if (character == '\n') {
			where.line++;
			where.column = 1;
		}
	}
	return where;
}

static void report_parser_fault(struct yaml_events *events)
{
	const yaml_parser_t *parser = &events->parser;
	const char *problem = parser->problem ? parser->problem : "not YAML";
	struct str text = {(const char *)parser->input.string.start,
			   (size_t)(parser->input.string.end - parser->input.string.start)};

	if (parser->error == YAML_READER_ERROR) {
		struct location where = location_of_byte(events, text, parser->problem_offset);

		yaml_events_fault(events, where, "%s: the file must be UTF-8 text", problem);
		return;
	}
	if (parser->error == YAML_SCANNER_ERROR && parser->buffer.pointer < parser->buffer.last &&
	    *parser->buffer.pointer == '\t')
		yaml_events_fault(events, location_of(events, parser->problem_mark),
				  "a tab cannot indent YAML: use spaces");
	else if (parser->context)
		yaml_events_fault(events, location_of(events, parser->problem_mark),
				  "%s, %s that starts at line %zu", problem, parser->context,
				  parser->context_mark.line + 1);
	else
		yaml_events_fault(events, location_of(events, parser->problem_mark), "%s", problem);
}

/* The next event of libyaml; false at a fault, which is reported. */
static bool pull(struct yaml_events *events)
{
	yaml_event_delete(&events->event);
	if (!yaml_parser_parse(&events->parser, &events->event)) {
		report_parser_fault(events);
		return false;
	}
	events->where = location_of(events, events->event.start_mark);
	return true;
}

static void refuse(struct yaml_events *events, const char *what, const char *name)
{
	yaml_events_fault(events, events->where, "%s%s: packs do not use these; write the value itself", what,
			  name);
	events->refused = true;
}

/* Only the tags that say what the value is anyway. */
static void check_tag(struct yaml_events *events, const yaml_char_t *tag)
{
	static const char *const harmless[] = {YAML_STR_TAG,  YAML_INT_TAG, YAML_BOOL_TAG,
					       YAML_NULL_TAG, YAML_SEQ_TAG, YAML_MAP_TAG};

	if (!tag)
		return;
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++)
		if (strcmp((const char *)tag, harmless[i]) == 0)
			return;
	refuse(events, "tag ", (const char *)tag);
}

static void take_scalar(struct yaml_events *events)
{
	const yaml_event_t *event = &events->event;

	events->kind = YAML_SCALAR;
	events->text = (struct str){(const char *)event->data.scalar.value, event->data.scalar.length};
	while (events->text.size && events->text.data[events->text.size - 1] == '\n')
		events->text.size--;
	events->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	check_tag(events, event->data.scalar.tag);
	if (str_find_byte(events->text, '\0') != STR_NOT_FOUND) {
		yaml_events_fault(events, events->where, "a text must not hold a NUL character");
		events->refused = true;
	}
}

static bool enter(struct yaml_events *events, enum yaml_kind kind, const yaml_char_t *tag)
{
	events->kind = kind;
	check_tag(events, tag);
	if (++events->depth <= YAML_DEPTH_MAX)
		return true;
	yaml_events_fault(events, events->where, "nested deeper than %d levels", YAML_DEPTH_MAX);
	return false;
}

/* Make the pulled event the current one; false when nothing can follow. */
static bool take(struct yaml_events *events)
{
	const yaml_event_t *event = &events->event;

	events->refused = false;
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		take_scalar(events);
		return true;
	case YAML_ALIAS_EVENT:
		events->kind = YAML_SCALAR;
		events->text = (struct str){"", 0};
		events->plain = true;
		refuse(events, "alias *", (const char *)event->data.alias.anchor);
		return true;
	case YAML_SEQUENCE_START_EVENT:
		return enter(events, YAML_LIST, event->data.sequence_start.tag);
	case YAML_MAPPING_START_EVENT:
		return enter(events, YAML_MAP, event->data.mapping_start.tag);
	case YAML_SEQUENCE_END_EVENT:
		events->kind = YAML_LIST_END;
		events->depth--;
		return true;
	case YAML_MAPPING_END_EVENT:
		events->kind = YAML_MAP_END;
		events->depth--;
		return true;
	default:
		return false;
	}
}

void yaml_events_open(struct yaml_events *events, const char *file, struct str bytes, struct diag_list *diags)
{
	*events = (struct yaml_events){.kind = YAML_STOP, .where = {file, 0, 0}, .diags = diags};
	if (bytes.size > YAML_FILE_SIZE_MAX) {
		yaml_events_fault(events, events->where, "larger than %d MiB", YAML_FILE_SIZE_MAX >> 20);
		return;
	}
	if (str_starts(bytes, STR("\xEF\xBB\xBF"))) /* byte order mark, as editors of Windows write it */
		bytes = str_slice(bytes, 3, bytes.size);
	if (!yaml_parser_initialize(&events->parser))
		alloc_bytes(SIZE_MAX); /* ends the process: out of memory */
	events->open = true;
	yaml_parser_set_encoding(&events->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&events->parser, (const unsigned char *)(bytes.data ? bytes.data : ""),
				     bytes.size);
	/* Stream start, document start, root. An empty file has no document. */
	if (pull(events) && pull(events) && events->event.type == YAML_DOCUMENT_START_EVENT && pull(events) &&
	    take(events))
		return;
	stop(events);
}

/* After the root: nothing may follow but the end. */
static void finish_document(struct yaml_events *events)
{
	if (pull(events) && events->event.type == YAML_DOCUMENT_START_EVENT)
		yaml_events_fault(events, events->where, "a second document: one file holds one");
	stop(events);
}

void yaml_events_next(struct yaml_events *events)
{
	if (events->kind == YAML_STOP)
		return;
	if (events->faults > YAML_FAULTS_MAX || !pull(events)) {
		stop(events);
		return;
	}
	if (events->event.type == YAML_DOCUMENT_END_EVENT)
		finish_document(events);
	else if (!take(events))
		stop(events);
}

void yaml_events_skip(struct yaml_events *events)
{
	unsigned outside = events->depth - (events->kind == YAML_LIST || events->kind == YAML_MAP);

	while (events->kind != YAML_STOP && events->depth > outside)
		yaml_events_next(events);
	yaml_events_next(events);
}

void yaml_events_close(struct yaml_events *events)
{
	if (!events->open)
		return;
	yaml_event_delete(&events->event);
	yaml_parser_delete(&events->parser);
	events->open = false;
}

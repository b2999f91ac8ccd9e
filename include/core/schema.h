/*
 * schema: how the structs of kb.h look in YAML. One table a struct, one row a member.
 *
 * The YAML loader (kb_yaml), the C emitter (mkpack) and much of lint are driven by these tables and by
 * nothing else. To add a key to the format: add the member to the struct, and one row to its table in
 * schema.c (schema_probe.c for probes). The macros check at compile time that the row's type fits the member.
 */
#ifndef CORE_SCHEMA_H
#define CORE_SCHEMA_H

#include "core/kb.h"

#include <stddef.h>

enum field_type {
	FIELD_STR,      /* struct str: any scalar, as written */
	FIELD_TEXT,     /* struct text: {zh: ..., en: ...} */
	FIELD_BOOL,     /* bool: true, false (yes, no, on, off) */
	FIELD_INT,      /* int64_t */
	FIELD_DURATION, /* int64_t, milliseconds: 500ms, 3s, 2m */
	FIELD_ENUM,     /* an enum: one of `names`, whose places are the values */
	FIELD_STR_LIST, /* struct str_list: a list of scalars; one scalar is a list of one */
	FIELD_STRUCT,   /* a struct in place, of schema `of` */
	FIELD_LIST,     /* pointer and count of structs `of`; one that is not a list is a list of one */
	FIELD_MAP /* pointer and count of structs `of`, written as a map; the map's key goes into of->map_key
		   */
};

/* What a str or each str of a list names; lint checks that it exists. */
enum field_refers { REFERS_NOTHING, REFERS_ENTRY, REFERS_CODE, REFERS_PROBE };

struct schema;

struct field {
	const char *key; /* in YAML; null: not written there, filled in by the loader */
	const char *member;
	enum field_type type;
	size_t offset;
	const char *count_member; /* LIST, MAP */
	size_t count_offset;      /* LIST, MAP */
	const struct schema *of;  /* STRUCT, LIST, MAP */
	const char *const *names; /* ENUM: ends with null */
	bool required;
	int choice;        /* fields of the same choice (not 0) exclude each other */
	const char *needs; /* this key makes that one required: run needs effect */
	int64_t fallback;  /* BOOL, INT, DURATION, ENUM: the value when the key is absent */
	enum field_refers refers;
	const char *help; /* one line: what it is for */
};

struct schema {
	const char *name;   /* for messages: "signature" */
	const char *c_type; /* for the emitter: "struct signature" */
	size_t size;
	const struct field *fields;
	size_t field_count; /* at most 64 */
	/*
	 * Where a bare scalar or a list is found instead of a map, it is the value of this key: a sample may
	 * be written as its text alone. Null: a map is required.
	 */
	const char *shorthand;
	int required_choice;   /* one field of this choice must be there; 0: none */
	size_t where_offset;   /* of a struct location, or SCHEMA_NONE */
	size_t map_key_offset; /* of the struct str that gets a MAP's key, or SCHEMA_NONE */
	const char *map_key_member;
};

#define SCHEMA_NONE SIZE_MAX

extern const struct schema schema_pack; /* pack.yaml; the lists of other files are rows without a key */
extern const struct schema schema_section;
extern const struct schema schema_entry;
extern const struct schema schema_code;
extern const struct schema schema_placeholder;
extern const struct schema schema_probe; /* schema_probe.c */
extern const struct schema schema_frame;
extern const struct schema schema_report;
extern const struct schema schema_redaction; /* schema_redaction.c */
extern const struct schema schema_family;    /* schema_family.c */
extern const struct schema schema_matrix;    /* schema_compat.c */

/* The row of a YAML key, or null. */
const struct field *schema_field(const struct schema *schema, struct str key);

/*
 * Rows. `structure` is the struct's tag, `member` one of its members; what else a row has is given as
 * designated initialisers at the end: ROW_STR(entry, id, "id", "its number", .required = true).
 */

/* offsetof, and an error from the compiler unless the member has the type. */
#define SCHEMA_OFFSET(structure, member, type) \
	(offsetof(struct structure, member) + 0 * sizeof(_Generic(((struct structure *)0)->member, type : 0)))

#define SCHEMA_ROW(structure, member_, type_, c_type, key_, help_, ...) \
	{ \
		.key = key_, .member = #member_, .type = type_, \
		.offset = SCHEMA_OFFSET(structure, member_, c_type), .help = help_, __VA_ARGS__ \
	}

#define ROW_STR(structure, member, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_STR, struct str, key, __VA_ARGS__)
#define ROW_TEXT(structure, member, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_TEXT, struct text, key, __VA_ARGS__)
#define ROW_BOOL(structure, member, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_BOOL, bool, key, __VA_ARGS__)
#define ROW_INT(structure, member, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_INT, int64_t, key, __VA_ARGS__)
#define ROW_DURATION(structure, member, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_DURATION, int64_t, key, __VA_ARGS__)
#define ROW_STR_LIST(structure, member, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_STR_LIST, struct str_list, key, __VA_ARGS__)
#define ROW_ENUM(structure, member, enumeration, names_, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_ENUM, enum enumeration, key, __VA_ARGS__, .names = names_)
#define ROW_STRUCT(structure, member, tag, schema, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_STRUCT, struct tag, key, __VA_ARGS__, .of = &(schema))
#define ROW_LIST(structure, member, count, tag, schema, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_LIST, const struct tag *, key, __VA_ARGS__, .of = &(schema), \
		   .count_member = #count, .count_offset = SCHEMA_OFFSET(structure, count, size_t))
#define ROW_MAP(structure, member, count, tag, schema, key, ...) \
	SCHEMA_ROW(structure, member, FIELD_MAP, const struct tag *, key, __VA_ARGS__, .of = &(schema), \
		   .count_member = #count, .count_offset = SCHEMA_OFFSET(structure, count, size_t))

/* A whole schema: SCHEMA(entry, "entry", entry_fields, .where_offset = offsetof(struct entry, where)). */
#define SCHEMA(tag, name_, rows, ...) \
	{ \
		.name = name_, .c_type = "struct " #tag, .size = sizeof(struct tag), .fields = rows, \
		.field_count = sizeof(rows) / sizeof(*(rows)), __VA_ARGS__ \
	}
#define SCHEMA_WHERE(tag)      .where_offset = SCHEMA_OFFSET(tag, where, struct location)
#define SCHEMA_NO_WHERE        .where_offset = SCHEMA_NONE
#define SCHEMA_MAP_KEY(tag, m) .map_key_offset = SCHEMA_OFFSET(tag, m, struct str), .map_key_member = #m
#define SCHEMA_NO_MAP_KEY      .map_key_offset = SCHEMA_NONE

#endif

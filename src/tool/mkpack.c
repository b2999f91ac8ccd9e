/*
 * mkpack: CONTENT_DIR -> C source with the pack as constants, so that the program starts without reading it.
 *
 * Prints every fault of the pack as file:line:column and ends with 1 if there is an error. The output depends
 * on the content alone: same content, same bytes.
 */
#include "app/pack_folder.h"
#include "base/buf.h"
#include "core/schema.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PIECE_MAX = 400 }; /* bytes in one piece of a string literal */

static void emit_struct(struct buf *out, const struct schema *schema, const char *object);

/* One piece of a string literal a line of the text, so that no literal grows long and diffs stay readable. */
static void emit_string(struct buf *out, struct str text)
{
	size_t piece = 0;

	buf_add_byte(out, '"');
	for (size_t i = 0; i < text.size; i++, piece++) {
		unsigned char byte = (unsigned char)text.data[i];

		/* Cut at line ends, and in long lines before a character, never inside one. */
		if (piece && (text.data[i - 1] == '\n' || (piece >= PIECE_MAX && (byte & 0xC0) != 0x80))) {
			buf_add(out, STR("\"\n\""));
			piece = 0;
		}
		if (byte == '\n')
			buf_add(out, STR("\\n"));
		else if (byte == '"' || byte == '\\' || byte == '?')
			buf_add_format(out, "\\%c", byte);
		else if (byte < 0x20 || byte == 0x7F)
			buf_add_format(out, "\\%03o", byte);
		else
			buf_add_byte(out, (char)byte);
	}
	buf_add_byte(out, '"');
}

static void emit_str(struct buf *out, struct str text)
{
	if (!text.size) {
		buf_add(out, STR("{\"\",0}"));
		return;
	}
	buf_add_byte(out, '{');
	emit_string(out, text);
	buf_add_format(out, ",%zu}", text.size);
}

static void emit_text(struct buf *out, const struct text *text)
{
	buf_add(out, STR("{{"));
	for (int i = 0; i < LANG_COUNT; i++) {
		buf_add_format(out, "[%d]=", i);
		emit_str(out, text->in[i]);
		buf_add_byte(out, ',');
	}
	buf_add(out, STR("}}"));
}

static void emit_str_list(struct buf *out, const struct str_list *list)
{
	if (!list->count) {
		buf_add(out, STR("{0,0}"));
		return;
	}
	buf_add(out, STR("{(const struct str[]){"));
	for (size_t i = 0; i < list->count; i++) {
		emit_str(out, list->items[i]);
		buf_add_byte(out, ',');
	}
	buf_add_format(out, "},%zu}", list->count);
}

static void emit_list(struct buf *out, const struct field *field, const char *object)
{
	const char *items;
	size_t count;

	memcpy(&items, object + field->offset, sizeof(items));
	memcpy(&count, object + field->count_offset, sizeof(count));
	if (!count) {
		buf_add(out, STR("0"));
		return;
	}
	buf_add_format(out, "(const %s[]){\n", field->of->c_type);
	for (size_t i = 0; i < count; i++) {
		emit_struct(out, field->of, items + i * field->of->size);
		buf_add(out, STR(",\n"));
	}
	buf_add_byte(out, '}');
}

static void emit_count(struct buf *out, const struct field *field, const char *object)
{
	size_t count;

	memcpy(&count, object + field->count_offset, sizeof(count));
	if (count)
		buf_add_format(out, ".%s=%zu,", field->count_member, count);
}

static void emit_value(struct buf *out, const struct field *field, const char *object)
{
	const void *member = object + field->offset;
	int number;

	switch (field->type) {
	case FIELD_STR:
		emit_str(out, *(const struct str *)member);
		break;
	case FIELD_TEXT:
		emit_text(out, member);
		break;
	case FIELD_BOOL:
		buf_add(out, *(const bool *)member ? STR("1") : STR("0"));
		break;
	case FIELD_INT:
	case FIELD_DURATION:
		buf_add_format(out, "INT64_C(%lld)", (long long)*(const int64_t *)member);
		break;
	case FIELD_ENUM:
		memcpy(&number, member, sizeof(number));
		buf_add_format(out, "%d", number);
		break;
	case FIELD_STR_LIST:
		emit_str_list(out, member);
		break;
	case FIELD_STRUCT:
		emit_struct(out, field->of, member);
		break;
	case FIELD_LIST:
	case FIELD_MAP:
		emit_list(out, field, object);
		break;
	}
}

static bool is_unset(const struct field *field, const char *object)
{
	static const char zeros[256];
	const void *member = object + field->offset;
	size_t size = 0;

	switch (field->type) {
	case FIELD_STR:
		return !((const struct str *)member)->size;
	case FIELD_TEXT:
		size = sizeof(struct text);
		break;
	case FIELD_STR_LIST:
		return !((const struct str_list *)member)->count;
	default:
		return false;
	}
	return memcmp(member, zeros, size) == 0;
}

static void emit_struct(struct buf *out, const struct schema *schema, const char *object)
{
	buf_add_byte(out, '{');
	if (schema->map_key_offset != SCHEMA_NONE) {
		buf_add_format(out, ".%s=", schema->map_key_member);
		emit_str(out, *(const struct str *)(const void *)(object + schema->map_key_offset));
		buf_add_byte(out, ',');
	}
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct field *field = &schema->fields[i];

		if (is_unset(field, object))
			continue;
		buf_add_format(out, ".%s=", field->member);
		emit_value(out, field, object);
		buf_add_byte(out, ',');
		if (field->type == FIELD_LIST || field->type == FIELD_MAP)
			emit_count(out, field, object);
	}
	if (schema->where_offset != SCHEMA_NONE) {
		const struct location *where = (const void *)(object + schema->where_offset);

		buf_add(out, STR(".where={"));
		emit_string(out, str_of(where->file));
		buf_add_format(out, ",%u,%u},", (unsigned)where->line, (unsigned)where->column);
	}
	buf_add_byte(out, '}');
}

static void print_faults(struct diag_list *diags)
{
	diag_sort(diags);
	for (size_t i = 0; i < diags->list.count; i++) {
		const struct diag *diag = &diags->list.items[i];

		fprintf(stderr, "%s:%u:%u: %s: %.*s\n", diag->where.file, (unsigned)diag->where.line,
			(unsigned)diag->where.column, diag->severity == DIAG_ERROR ? "error" : "warning",
			STR_ARG(diag->text));
	}
}

static bool write_source(const char *path, const struct pack *pack)
{
	struct buf out = {0};
	FILE *file = fopen(path, "w");
	bool written;

	buf_add(&out, STR("/* Made by mkpack from content/. */\n#include \"core/kb.h\"\n\n"
			  "const struct pack kb_shipped_pack =\n"));
	emit_struct(&out, &schema_pack, (const char *)pack);
	buf_add(&out, STR(";\n"));
	written = file && fwrite(out.data, 1, out.size, file) == out.size;
	if (file && fclose(file) != 0)
		written = false;
	if (!written)
		fprintf(stderr, "mkpack: %s: %s\n", path, strerror(errno));
	buf_release(&out);
	return written;
}

int main(int count, char **arguments)
{
	struct diag_list diags = {0};
	struct arena arena = {0};
	const struct pack *pack;
	int status = 1;

	if (count != 3) {
		fputs("usage: mkpack CONTENT_DIR OUT.c\n", stderr);
		return 2;
	}
	pack = pack_folder_read(arguments[1], &arena, &diags);
	print_faults(&diags);
	if (pack && diags.errors == 0 && write_source(arguments[2], pack))
		status = 0;
	diag_release(&diags);
	arena_release(&arena);
	return status;
}

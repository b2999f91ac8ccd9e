#include "pack_support.h"

struct pack *pack_of_texts(const struct pack_text *files, struct arena *arena, struct diag_list *diags)
{
	struct pack_reader *reader = pack_reader_new(arena, diags, NULL);

	for (; files->yaml; files++)
		if (pack_reader_wants(files->path))
			pack_reader_file(reader, files->path, str_of(files->yaml));
	return pack_reader_finish(reader);
}

void diags_to_text(struct diag_list *diags, struct buf *text)
{
	diag_sort(diags);
	for (size_t i = 0; i < diags->list.count; i++) {
		const struct diag *diag = &diags->list.items[i];

		buf_add_format(text, "%s:%u:%u: %s: %.*s\n", diag->where.file, (unsigned)diag->where.line,
			       (unsigned)diag->where.column,
			       diag->severity == DIAG_ERROR ? "error" : "warning", STR_ARG(diag->text));
	}
}

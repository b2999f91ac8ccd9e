/* ascend-faq import: a FAQ document as a pack to go on with. */
#include "app/app.h"
#include "core/faq_document.h"
#include "plat/fs.h"

enum { DOCUMENT_LIMIT = 16 << 20 };

/* A file of the new pack; one that is there is left alone. */
static bool write_part(struct app *app, const char *folder, struct str section, struct str name,
		       struct str text)
{
	struct buf path = {0}, error = {0};
	bool written;

	buf_add_format(&path, "%s/", folder);
	if (section.size)
		buf_add_format(&path, "%.*s/", STR_ARG(section));
	buf_add_format(&path, "%.*s.yaml", STR_ARG(name));
	fs_make_folders(buf_c_string(&path));
	written = fs_create_file(buf_c_string(&path), text, &error);
	if (!written)
		app_fault(app, "import：%.*s", "import: %.*s", STR_ARG(buf_str(&error)));
	buf_release(&path);
	buf_release(&error);
	return written;
}

static bool write_pack(struct app *app, const char *folder, const struct faq_document *document,
		       struct arena *arena)
{
	struct buf text = {0};
	bool written;

	faq_pack_to_yaml(document, &text);
	written = write_part(app, folder, STR(""), STR("pack"), buf_str(&text));
	for (size_t i = 0; written && i < document->entries.count; i++) {
		const struct faq_entry *entry = &document->entries.items[i];
		uint64_t chapter = document->chapters.items[entry->chapter].number;

		buf_clear(&text);
		faq_entry_to_yaml(document, entry, &text);
		written = write_part(app, folder, faq_section_id(app_kb(app), chapter, arena), entry->id,
				     buf_str(&text));
	}
	buf_release(&text);
	return written;
}

int cmd_import(struct app *app)
{
	struct arena arena = {0};
	const char *path = arena_c_string(&arena, app_operand(app, 0));
	const char *folder = arena_c_string(&arena, app_operand(app, 1));
	struct buf bytes = {0}, text = {0}, error = {0};
	struct faq_document document = {0};
	struct output output;
	int status = EXIT_FAULT;

	if (!fs_read_file(path, DOCUMENT_LIMIT, &bytes, &error)) {
		app_fault(app, "import：%.*s", "import: %.*s", STR_ARG(buf_str(&error)));
		goto out;
	}
	faq_document_clean(buf_str(&bytes), &text);
	faq_document_read(buf_str(&text), &arena, &document);
	if (document.entries.count == 0) {
		app_fault(app, "import：%s 里没有条目；条目以“1.6 标题”这样的行开头",
			  "import: no entries in %s; an entry begins with a line such as \"1.6 Title\"",
			  path);
		status = EXIT_NOTHING;
		goto out;
	}
	if (!write_pack(app, folder, &document, &arena))
		goto out;
	output_open(&output, &app->options);
	output_format(&output, OUTPUT_PLAIN,
		      app_say(app, "%zu 个条目已写入 %s；下一步：ascend-faq lint %s\n",
			      "%zu entries written to %s; next: ascend-faq lint %s\n"),
		      document.entries.count, folder, folder);
	status = output_close(&output) ? EXIT_FOUND : EXIT_FAULT;
out:
	faq_document_release(&document);
	buf_release(&bytes);
	buf_release(&text);
	buf_release(&error);
	arena_release(&arena);
	return status;
}

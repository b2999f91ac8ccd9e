/* ascend-faq lint: every fault of a pack in one run. */
#include "app/app.h"
#include "app/json_out.h"
#include "app/pack_folder.h"
#include "core/faq_document.h"
#include "core/kb_lint.h"
#include "plat/fs.h"
#include "plat/proc.h"

enum { SHELL_TIMEOUT_MS = 5000, DOCUMENT_LIMIT = 16 << 20 };

/* `sh -n` reads and parses; it runs nothing. */
static bool shell_accepts(void *context, struct str script, struct buf *why)
{
	static const char *const argv[] = {"sh", "-n", NULL};
	struct proc_command command = {.argv = argv, .input = script, .timeout_ms = SHELL_TIMEOUT_MS};
	struct proc proc = PROC_INIT;
	struct str message;
	bool accepted;

	(void)context;
	if (!proc_start(&proc, &command, why))
		return false;
	proc_wait(&proc, -1);
	accepted = proc.end == PROC_EXITED && proc.exit_status == 0;
	message = str_trim(buf_str(&proc.err_text));
	if (!accepted && message.size)
		buf_add(why, str_slice(message, 0, str_find_byte(message, '\n')));
	else if (!accepted)
		proc_describe_end(&proc, why);
	proc_release(&proc);
	return accepted;
}

static json_t *diags_to_json(const struct diag_list *diags)
{
	json_t *document = json_document();
	json_t *faults = json_array();

	for (size_t i = 0; i < diags->list.count; i++) {
		const struct diag *diag = &diags->list.items[i];
		json_t *object = json_object();

		json_object_set_new(object, "severity",
				    json_string(diag->severity == DIAG_ERROR ? "error" : "warning"));
		json_add_str(object, "file", str_of(diag->where.file));
		json_object_set_new(object, "line", json_integer(diag->where.line));
		json_object_set_new(object, "column", json_integer(diag->where.column));
		json_add_str(object, "message", diag->text);
		json_array_append_new(faults, object);
	}
	json_object_set_new(document, "faults", faults);
	json_object_set_new(document, "errors", json_integer((json_int_t)diags->errors));
	json_object_set_new(document, "warnings", json_integer((json_int_t)diags->warnings));
	return document;
}

static int print_diags(const struct app *app, const struct diag_list *diags, int status)
{
	struct output output;

	output_open(&output, &app->options);
	for (size_t i = 0; i < diags->list.count; i++) {
		const struct diag *diag = &diags->list.items[i];
		bool error = diag->severity == DIAG_ERROR;

		output_text(&output, OUTPUT_PLAIN, str_of(diag->where.file));
		output_format(&output, OUTPUT_PLAIN, ":%u:%u: ", (unsigned)diag->where.line,
			      (unsigned)diag->where.column);
		output_format(&output, error ? OUTPUT_FAIL : OUTPUT_WARN,
			      "%s: ", error ? "error" : "warning");
		output_text(&output, OUTPUT_PLAIN, diag->text);
		output_text(&output, OUTPUT_PLAIN, STR("\n"));
	}
	return output_close(&output) ? status : EXIT_FAULT;
}

/* The pack of DIR beside the shipped one, unless it is the shipped one itself; without DIR the shipped one.
 */
static void lint(const struct pack *pack, struct diag_list *diags)
{
	bool shipped = str_equal(pack->name, kb_shipped_pack.name);
	const struct pack *packs[] = {&kb_shipped_pack, pack};
	const struct lint_options options = {.shipped = shipped, .shell_accepts = shell_accepts};
	struct kb *kb = kb_new(shipped ? packs + 1 : packs, shipped ? 1 : 2);

	kb_lint(kb, pack, &options, diags);
	kb_free(kb);
}

/* What the FAQ document of --against has that the pack lacks. False: the document cannot be read, and that is
 * told. */
static bool lint_against(struct app *app, const struct pack *pack, struct arena *arena,
			 struct diag_list *diags)
{
	const char *path = app->options.argument[OPTION_AGAINST];
	struct faq_document document = {0};
	struct buf bytes = {0}, text = {0}, error = {0};
	struct kb *kb;

	if (!path)
		return true;
	if (!fs_read_file(path, DOCUMENT_LIMIT, &bytes, &error)) {
		app_fault(app, "lint：%.*s", "lint: %.*s", STR_ARG(buf_str(&error)));
		buf_release(&error);
		return false;
	}
	kb = kb_new(&pack, 1);
	faq_document_clean(buf_str(&bytes), &text);
	faq_document_read(buf_str(&text), arena, &document);
	if (document.entries.count == 0)
		diag_add(diags, DIAG_ERROR, (struct location){path, 0, 0},
			 "no entries found: an entry begins with a line such as `1.6 Title`");
	faq_document_compare(&document, kb, path, diags);
	faq_document_release(&document);
	kb_free(kb);
	buf_release(&bytes);
	buf_release(&text);
	return true;
}

int cmd_lint(struct app *app)
{
	struct diag_list diags = {0};
	struct arena arena = {0};
	const struct pack *pack = &kb_shipped_pack;
	int status = EXIT_FAULT;

	if (app_operand_count(app)) {
		struct str folder = app_operand(app, 0);

		pack = pack_folder_read(arena_c_string(&arena, folder), &arena, &diags);
		if (!pack) {
			app_fault(app, "lint：%.*s", "lint: %.*s", STR_ARG(diags.list.items[0].text));
			goto out;
		}
	}
	lint(pack, &diags);
	if (!lint_against(app, pack, &arena, &diags))
		goto out;
	status = diags.errors ? EXIT_NOTHING : EXIT_FOUND;
	if (app->options.given[OPTION_JSON])
		status = json_print(app, diags_to_json(&diags), status);
	else
		status = print_diags(app, &diags, status);
out:
	diag_release(&diags);
	arena_release(&arena);
	return status;
}

/* Codes that have no record of their own, read by the way they are made, as pages for the reader. */
#include "core/code_family.h"
#include "ui/view.h"

enum { LAYERS_MOST = 16 };

static void add_in(struct buf *out, enum lang lang, const char *zh, const char *en)
{
	buf_add(out, str_of(lang == LANG_ZH ? zh : en));
}

/* "module 02: DIST", an item a part. */
static void write_reading(const struct code_reading *reading, enum lang lang, struct buf *out)
{
	buf_add(out, str_trim(text_in(&reading->family->means, lang)));
	buf_add(out, STR("\n"));
	for (size_t i = 0; i < reading->count; i++) {
		buf_add_format(out, "\n- %.*s %.*s", STR_ARG(text_in(&reading->parts[i].part->title, lang)),
			       STR_ARG(reading->parts[i].value));
		if (!reading->parts[i].known)
			continue;
		add_in(out, lang, "：", ": ");
		buf_add(out, str_trim(text_in(&reading->parts[i].known->means, lang)));
	}
	add_in(out, lang, "\n\n（这个码没有单独收录，以上由它的构成得出）",
	       "\n\n(this code has no record of its own: read by the way it is made)");
}

/* "HCCL 4: an internal error", an item a layer. */
static void write_layers(const struct code *const *layers, size_t count, enum lang lang, struct buf *out)
{
	add_in(out, lang, "单独一个数字的含义取决于由哪一层打印，例如 HCCL 调用之后的是 HCCL 的返回码：\n",
	       "What a bare number means depends on the layer that printed it; after an HCCL call it is "
	       "HCCL's:\n");
	for (size_t i = 0; i < count; i++) {
		buf_add_format(out, "\n- %.*s", STR_ARG(layers[i]->code));
		if (layers[i]->name.size > 0)
			buf_add_format(out, " %.*s", STR_ARG(layers[i]->name));
		add_in(out, lang, "：", ": ");
		buf_add(out, str_trim(text_in(&layers[i]->means, lang)));
	}
}

/* The entries of all layers, each once. */
static struct str_list layer_entries(struct arena *arena, const struct code *const *layers, size_t count)
{
	struct str_list list = {0};
	struct str *ids;
	size_t most = 0;

	for (size_t i = 0; i < count; i++)
		most += layers[i]->entries.count;
	ids = arena_take_array(arena, most + 1, sizeof(*ids));
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < layers[i]->entries.count; j++) {
			bool known = false;

			for (size_t k = 0; k < list.count; k++)
				known = known || str_equal(ids[k], layers[i]->entries.items[j]);
			if (!known)
				ids[list.count++] = layers[i]->entries.items[j];
		}
	}
	list.items = ids;
	return list;
}

static const struct code *make(struct session *session, struct str name, const struct code *const *layers,
			       size_t count, const struct code_reading *reading)
{
	struct arena *arena = &session->made_codes.arena;
	struct code *code = arena_take(arena, sizeof(*code));
	struct buf text = {0};

	code->code = arena_copy(arena, name);
	code->namespace = count ? (struct str){0} : reading->family->id;
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		buf_clear(&text);
		if (count)
			write_layers(layers, count, (enum lang)lang, &text);
		else
			write_reading(reading, (enum lang)lang, &text);
		code->means.in[lang] = arena_copy(arena, buf_str(&text));
	}
	buf_release(&text);
	if (count) {
		code->entries = layer_entries(arena, layers, count);
		code->source = layers[0]->source;
	} else {
		code->source = reading->family->source;
	}
	vec_push(&session->made_codes.list, code);
	return code;
}

const struct code *session_code(struct session *session, struct str name)
{
	const struct code *code = kb_code(session->kb, name);
	const struct code *layers[LAYERS_MOST];
	struct code_reading reading;
	size_t count;

	for (size_t i = 0; !code && i < session->made_codes.list.count; i++) {
		if (str_equal(session->made_codes.list.items[i]->code, name))
			code = session->made_codes.list.items[i];
	}
	if (code)
		return code;
	count = code_by_number(session->kb, name, layers, LAYERS_MOST);
	count = count < LAYERS_MOST ? count : LAYERS_MOST;
	if (count == 1)
		return layers[0];
	if (count || code_read(session->kb, name, &reading))
		return make(session, name, layers, count, &reading);
	return NULL;
}

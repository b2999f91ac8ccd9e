/* export_html: one page. Every text for readers stands in it once a language; a style shows the chosen one.
 */
#include "core/applies.h"
#include "core/export_form.h"

static const char *const lang_names[LANG_COUNT] = {[LANG_ZH] = "zh", [LANG_EN] = "en"};

static void add_escaped(struct exporter *to, struct str text)
{
	for (size_t i = 0; i < text.size; i++) {
		switch (text.data[i]) {
		case '&':
			buf_add(to->out, STR("&amp;"));
			break;
		case '<':
			buf_add(to->out, STR("&lt;"));
			break;
		case '>':
			buf_add(to->out, STR("&gt;"));
			break;
		case '"':
			buf_add(to->out, STR("&quot;"));
			break;
		default:
			buf_add_byte(to->out, text.data[i]);
		}
	}
}

/* The text in each language it has, as elements of this tag. */
static void add_text(struct exporter *to, const char *tag, const struct text *text)
{
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		struct str here = text_in(text, (enum lang)lang);

		if (here.size == 0)
			continue;
		buf_add_format(to->out, "<%s lang=\"%s\">", tag, lang_names[lang]);
		add_escaped(to, here);
		buf_add_format(to->out, "</%s>", tag);
	}
}

static void add_block(struct exporter *to, struct str text, const char *class)
{
	buf_add_format(to->out, "<pre class=\"%s\">", class);
	add_escaped(to, str_ends(text, STR("\n")) ? str_slice(text, 0, text.size - 1) : text);
	buf_add(to->out, STR("</pre>\n"));
}

static void section(struct exporter *to, const struct section *section, bool is_empty)
{
	buf_add(to->out, STR("<h2 id=\"s"));
	add_escaped(to, section->id);
	buf_add(to->out, STR("\">"));
	add_escaped(to, section->number);
	buf_add_byte(to->out, ' ');
	add_text(to, "span", &section->title);
	buf_add(to->out, STR("</h2>\n"));
	if (is_empty)
		add_text(to, "p", &section->empty);
}

static void add_applies(struct exporter *to, const struct applies *applies)
{
	struct buf say[LANG_COUNT] = {0};
	struct text text;

	if (!applies_is_limited(applies))
		return;
	for (int lang = 0; lang < LANG_COUNT; lang++) {
		applies_say_condition(applies, (enum lang)lang, &say[lang]);
		text.in[lang] = buf_str(&say[lang]);
	}
	buf_add(to->out, STR("<p class=\"applies\">"));
	add_text(to, "b", &export_words[EXPORT_APPLIES]);
	buf_add_byte(to->out, ' ');
	add_text(to, "span", &text);
	buf_add(to->out, STR("</p>\n"));
	for (int lang = 0; lang < LANG_COUNT; lang++)
		buf_release(&say[lang]);
}

static void entry(struct exporter *to, const struct entry *entry)
{
	buf_add(to->out, STR("<article id=\"e"));
	add_escaped(to, entry->id);
	buf_add(to->out, STR("\" data-words=\""));
	for (size_t i = 0; i < entry->aliases.count; i++) {
		add_escaped(to, entry->aliases.items[i]);
		buf_add_byte(to->out, ' ');
	}
	buf_add(to->out, STR("\">\n<h3><a href=\"#e"));
	add_escaped(to, entry->id);
	buf_add(to->out, STR("\">"));
	add_escaped(to, entry->id);
	buf_add(to->out, STR("</a> "));
	add_text(to, "span", &entry->title);
	buf_add(to->out, STR("</h3>\n"));
	add_applies(to, &entry->applies);
}

static void heading(struct exporter *to, enum export_part part)
{
	buf_add(to->out, STR("<h4>"));
	add_text(to, "span", &export_words[part]);
	buf_add(to->out, STR("</h4>\n"));
}

static void part(struct exporter *to, enum export_part part, const struct text *text)
{
	buf_add_format(to->out, "<div class=\"%s\">", part == EXPORT_CORRECTION ? "correction" : "part");
	heading(to, part);
	add_text(to, "p", text);
	buf_add(to->out, STR("</div>\n"));
}

static void sample(struct exporter *to, const struct sample *sample)
{
	add_text(to, "p", &sample->note);
	add_block(to, sample->text, "sample");
}

static void solution(struct exporter *to, const struct entry *entry, size_t index)
{
	const struct solution *solution = &entry->solutions[index];

	buf_add(to->out, STR("<h4>"));
	add_text(to, "span", &export_words[EXPORT_SOLUTION]);
	if (entry->solution_count > 1)
		buf_add_format(to->out, " %zu", index + 1);
	buf_add_byte(to->out, ' ');
	add_text(to, "span", &solution->title);
	if (solution->recommended && entry->solution_count > 1) {
		buf_add(to->out, STR(" <em>"));
		add_text(to, "span", &export_words[EXPORT_RECOMMENDED]);
		buf_add(to->out, STR("</em>"));
	}
	buf_add(to->out, STR("</h4>\n"));
	add_applies(to, &solution->applies);
	buf_add(to->out, STR("<ol>\n"));
}

static void step(struct exporter *to, const struct step *step, size_t number)
{
	(void)number; /* the list counts */
	buf_add(to->out, STR("<li>"));
	add_text(to, "p", &step->say);
	if (step->file.size) {
		buf_add(to->out, STR("<code>"));
		add_escaped(to, step->file);
		buf_add(to->out, STR("</code>"));
		add_block(to, step->text, "file");
	}
	if (step->run.size) {
		add_block(to, step->run, step->effect == STEP_DESTROY ? "run destroys" : "run");
		add_text(to, "small", &export_effects[step->effect]);
	}
	/* Nothing but a page of the web is made a link: a pack may come from anywhere. */
	if (str_starts(step->link, STR("https://")) || str_starts(step->link, STR("http://"))) {
		buf_add(to->out, STR("<a href=\""));
		add_escaped(to, step->link);
		buf_add(to->out, STR("\">"));
		add_escaped(to, step->link);
		buf_add(to->out, STR("</a>"));
	} else {
		add_escaped(to, step->link);
	}
	buf_add(to->out, STR("</li>\n"));
}

static void solution_end(struct exporter *to)
{
	buf_add(to->out, STR("</ol>\n"));
}

static void codes(struct exporter *to, const struct str_list *codes)
{
	buf_add(to->out, STR("<p class=\"codes\">"));
	add_text(to, "b", &export_words[EXPORT_CODES]);
	for (size_t i = 0; i < codes->count; i++) {
		buf_add(to->out, STR(" <code>"));
		add_escaped(to, codes->items[i]);
		buf_add(to->out, STR("</code>"));
	}
	buf_add(to->out, STR("</p>\n"));
}

static void add_links(struct exporter *to, const struct str_list *ids)
{
	for (size_t i = 0; i < ids->count; i++) {
		buf_add(to->out, STR(" <a href=\"#e"));
		add_escaped(to, ids->items[i]);
		buf_add(to->out, STR("\">"));
		add_escaped(to, ids->items[i]);
		buf_add(to->out, STR("</a>"));
	}
}

static void see(struct exporter *to, const struct str_list *see)
{
	buf_add(to->out, STR("<p>"));
	add_text(to, "b", &export_words[EXPORT_SEE]);
	add_links(to, see);
	buf_add(to->out, STR("</p>\n"));
}

static void source(struct exporter *to, const struct entry *entry)
{
	buf_add(to->out, STR("<p class=\"source\">"));
	add_text(to, "b", &export_words[EXPORT_SOURCE]);
	buf_add_byte(to->out, ' ');
	add_escaped(to, entry->source);
	if (entry->correction_source.size) {
		buf_add(to->out, STR(" · "));
		add_text(to, "b", &export_words[EXPORT_CORRECTION]);
		buf_add_byte(to->out, ' ');
		add_escaped(to, entry->correction_source);
	}
	buf_add(to->out, STR("</p>\n"));
}

static void entry_end(struct exporter *to)
{
	buf_add(to->out, STR("</article>\n"));
}

static void code(struct exporter *to, const struct code *code)
{
	buf_add(to->out, STR("<tr><td><code>"));
	add_escaped(to, code->code);
	buf_add(to->out, STR("</code></td><td>"));
	add_escaped(to, code->name);
	buf_add(to->out, STR("</td><td>"));
	add_text(to, "span", &code->means);
	if (code->tier >= 3) {
		buf_add(to->out, STR(" <small>"));
		add_text(to, "span", &export_words[EXPORT_INFERRED]);
		buf_add(to->out, STR("</small>"));
	}
	if (code->wrapper) {
		buf_add(to->out, STR(" <small>"));
		add_text(to, "span", &export_words[EXPORT_WRAPPER]);
		buf_add(to->out, STR("</small>"));
	}
	buf_add_byte(to->out, ' ');
	add_text(to, "span", &code->usually);
	add_links(to, &code->entries);
	buf_add(to->out, STR("</td></tr>\n"));
}

static void add_contents(struct exporter *to)
{
	const struct kb *kb = to->kb;

	buf_add(to->out, STR("<details class=\"contents\" open><summary>"));
	add_text(to, "span", &export_words[EXPORT_CONTENTS]);
	buf_add(to->out, STR("</summary>\n"));
	for (size_t i = 0; i < kb->section_count; i++) {
		buf_add(to->out, STR("<a href=\"#s"));
		add_escaped(to, kb->sections[i]->id);
		buf_add(to->out, STR("\">"));
		add_escaped(to, kb->sections[i]->number);
		buf_add_byte(to->out, ' ');
		add_text(to, "span", &kb->sections[i]->title);
		buf_add(to->out, STR("</a>\n"));
	}
	buf_add(to->out, STR("<a href=\"#codes\">"));
	add_text(to, "span", &export_words[EXPORT_ALL_CODES]);
	buf_add(to->out, STR("</a></details>\n"));
}

/* The choice of the language is two radio buttons and the style alone: it needs no script. */
static void add_choice(struct exporter *to)
{
	static const struct {
		const char *name, *label;
	} choices[LANG_COUNT] = {[LANG_ZH] = {"zh", "中文"}, [LANG_EN] = {"en", "English"}};

	for (int i = 0; i < LANG_COUNT; i++)
		buf_add_format(to->out,
			       "<input type=\"radio\" name=\"lang\" id=\"lang-%s\"%s><label "
			       "for=\"lang-%s\">%s</label>\n",
			       choices[i].name, i == (int)to->lang ? " checked" : "", choices[i].name,
			       choices[i].label);
}

static void add_head(struct exporter *to, struct str style)
{
	buf_add_format(to->out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
		       lang_names[to->lang]);
	buf_add(to->out,
		STR("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"));
	add_escaped(to, text_in(&to->kb->packs[0]->title, to->lang));
	buf_add(to->out, STR("</title>\n<style>\n"));
	buf_add(to->out, style);
	buf_add(to->out, STR("</style>\n</head>\n<body>\n"));
}

void export_html(const struct kb *kb, enum lang lang, struct str style, struct str script, struct buf *out)
{
	static const struct export_form form = {.section = section,
						.entry = entry,
						.part = part,
						.heading = heading,
						.sample = sample,
						.solution = solution,
						.step = step,
						.solution_end = solution_end,
						.codes = codes,
						.see = see,
						.source = source,
						.entry_end = entry_end,
						.code = code};
	struct exporter to = {kb, lang, out, &form};

	add_head(&to, style);
	add_choice(&to);
	buf_add(out, STR("<main>\n<h1>"));
	add_text(&to, "span", &kb->packs[0]->title);
	buf_add(out, STR("</h1>\n<p id=\"search\" hidden><input type=\"search\" placeholder=\""));
	add_escaped(&to, text_in(&export_words[EXPORT_SEARCH], lang));
	buf_add(out, STR("\"> <output></output></p>\n"));
	add_contents(&to);
	export_walk(&to);
	buf_add(out, STR("<h2 id=\"codes\">"));
	add_text(&to, "span", &export_words[EXPORT_ALL_CODES]);
	buf_add(out, STR("</h2>\n<table>\n"));
	export_walk_codes(&to);
	buf_add(out, STR("</table>\n</main>\n<script>\n"));
	buf_add(out, script);
	buf_add(out, STR("</script>\n</body>\n</html>\n"));
}

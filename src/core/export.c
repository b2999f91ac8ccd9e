#include "core/export_form.h"

#define TEXT_INIT(zh, en) \
	{ \
		{ \
			STR_INIT(zh), STR_INIT(en) \
		} \
	}

const struct text export_words[EXPORT_PART_COUNT] = {
	[EXPORT_PROBLEM] = TEXT_INIT("问题描述", "Problem"),
	[EXPORT_CAUSE] = TEXT_INIT("原因", "Cause"),
	[EXPORT_BACKGROUND] = TEXT_INIT("背景", "Background"),
	[EXPORT_CORRECTION] = TEXT_INIT("更正", "Correction"),
	[EXPORT_NOTE] = TEXT_INIT("注意", "Note"),
	[EXPORT_SAMPLES] = TEXT_INIT("报错信息", "Error message"),
	[EXPORT_SOLUTION] = TEXT_INIT("解决方案", "Solution"),
	[EXPORT_RECOMMENDED] = TEXT_INIT("推荐", "recommended"),
	[EXPORT_APPLIES] = TEXT_INIT("适用于", "Applies to"),
	[EXPORT_CODES] = TEXT_INIT("错误码", "Codes"),
	[EXPORT_SEE] = TEXT_INIT("另见", "See also"),
	[EXPORT_SOURCE] = TEXT_INIT("来源", "Source"),
	[EXPORT_CHECK] = TEXT_INIT("检查", "check"),
	[EXPORT_ALL_CODES] = TEXT_INIT("错误码一览", "Error codes"),
	[EXPORT_CONTENTS] = TEXT_INIT("目录", "Contents"),
	[EXPORT_SEARCH] = TEXT_INIT("搜索：词语、错误码、报错文本", "Search: words, codes, error text"),
	[EXPORT_INFERRED] = TEXT_INIT("含义由标题推断", "meaning inferred from the title"),
	[EXPORT_WRAPPER] = TEXT_INIT("只说明错误在哪里被捕获，不说明原因",
				     "says only where the error was caught, not why"),
};

const struct text export_effects[] = {
	[STEP_READ] = TEXT_INIT("", ""),
	[STEP_SHELL] = TEXT_INIT("只影响当前 shell", "changes this shell only"),
	[STEP_WRITE] = TEXT_INIT("会写入文件或启动任务", "writes files or starts a job"),
	[STEP_DESTROY] = TEXT_INIT("会删除或中断，请先确认", "destroys something: make sure first"),
};

static void walk_part(struct exporter *to, enum export_part part, const struct text *text)
{
	if (text_in(text, to->lang).size)
		to->form->part(to, part, text);
}

static void walk_solutions(struct exporter *to, const struct entry *entry)
{
	for (size_t i = 0; i < entry->solution_count; i++) {
		const struct solution *solution = &entry->solutions[i];

		to->form->solution(to, entry, i);
		for (size_t s = 0; s < solution->step_count; s++)
			to->form->step(to, &solution->steps[s], s + 1);
		to->form->solution_end(to);
	}
}

static void walk_entry(struct exporter *to, const struct entry *entry)
{
	to->form->entry(to, entry);
	walk_part(to, EXPORT_PROBLEM, &entry->problem);
	walk_part(to, EXPORT_CAUSE, &entry->cause);
	walk_part(to, EXPORT_BACKGROUND, &entry->background);
	if (entry->error_count)
		to->form->heading(to, EXPORT_SAMPLES);
	for (size_t i = 0; i < entry->error_count; i++)
		to->form->sample(to, &entry->errors[i]);
	walk_solutions(to, entry);
	walk_part(to, EXPORT_CORRECTION, &entry->correction);
	walk_part(to, EXPORT_NOTE, &entry->note);
	if (entry->codes.count)
		to->form->codes(to, &entry->codes);
	if (entry->see.count)
		to->form->see(to, &entry->see);
	to->form->source(to, entry);
	to->form->entry_end(to);
}

void export_walk(struct exporter *to)
{
	const struct kb *kb = to->kb;

	for (size_t s = 0; s < kb->section_count; s++) {
		const struct section *section = kb->sections[s];
		bool is_empty = true;

		for (size_t i = 0; i < kb->entry_count && is_empty; i++)
			is_empty = !str_equal(kb->entries[i]->section, section->id);
		to->form->section(to, section, is_empty);
		for (size_t i = 0; i < kb->entry_count; i++)
			if (str_equal(kb->entries[i]->section, section->id))
				walk_entry(to, kb->entries[i]);
	}
}

void export_walk_codes(struct exporter *to)
{
	for (size_t i = 0; i < to->kb->code_count; i++)
		to->form->code(to, to->kb->codes[i]);
}

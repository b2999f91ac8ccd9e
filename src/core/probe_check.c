/* probe: what is wrong with a definition, for lint. */
#include "core/probe_step.h"

#include "core/regex.h"

#define FAULT(...) diag_add(diags, DIAG_ERROR, probe->where, __VA_ARGS__)

static void check_pattern(const struct probe *probe, struct str pattern, struct diag_list *diags)
{
	struct buf why = {0};
	size_t at = 0;
	struct regex *regex = regex_new(pattern, REGEX_MULTILINE, &why, &at);
	if (!regex)
		FAULT("probe %.*s: the pattern %.*s is wrong at character %zu: %s", STR_ARG(probe->id),
		      STR_ARG(pattern), at + 1, buf_c_string(&why));
	regex_free(regex);
	buf_release(&why);
}

static void check_conditions(const struct probe *probe, struct str_list when, struct diag_list *diags)
{
	for (size_t i = 0; i < when.count; i++) {
		struct probe_condition condition;
		if (!probe_condition_parse(when.items[i], &condition))
			FAULT("probe %.*s: \"%.*s\" is not a condition; write NAME present, NAME missing, "
			      "NAME < "
			      "VERSION, NAME = TEXT or NAME ~ PATTERN",
			      STR_ARG(probe->id), STR_ARG(when.items[i]));
		else if (condition.operator== PROBE_MATCH || condition.operator== PROBE_NO_MATCH)
			check_pattern(probe, condition.right, diags);
	}
}

static bool has_matrix(const struct kb *kb, struct str id)
{
	for (size_t i = 0; i < kb->matrix_count; i++)
		if (str_equal(kb->matrices[i]->id, id))
			return true;
	return false;
}

static void check_step(const struct kb *kb, const struct probe *probe, const struct probe_step *step,
		       struct diag_list *diags)
{
	check_conditions(probe, step->when, diags);
	for (size_t i = 0; i < step->capture.count; i++)
		check_pattern(probe, step->capture.items[i], diags);
	for (size_t i = 0; i < step->variable_count; i++)
		if (step->variables[i].match.size > 0)
			check_pattern(probe, step->variables[i].match, diags);
	if (probe_step_sources(step) != 1)
		FAULT("probe %.*s: a step needs one source, this one has %zu", STR_ARG(probe->id),
		      probe_step_sources(step));
	for (size_t i = 0; i < step->compat.count; i++)
		if (!has_matrix(kb, step->compat.items[i]))
			FAULT("probe %.*s: there is no matrix %.*s in compat.yaml", STR_ARG(probe->id),
			      STR_ARG(step->compat.items[i]));
	if (step->row.size > 0 && !step->each)
		FAULT("probe %.*s: `row` needs `each: true`", STR_ARG(probe->id));
	uint16_t first, last;
	if (step->free_ports.size > 0 && str_find_byte(step->free_ports, '<') == STR_NOT_FOUND &&
	    str_find_byte(step->free_ports, '$') == STR_NOT_FOUND &&
	    !probe_ports_parse(step->free_ports, &first, &last))
		FAULT("probe %.*s: \"%.*s\" is not a range of ports", STR_ARG(probe->id),
		      STR_ARG(step->free_ports));
}

/* Does `wanted` come before `probe` through `after`? Deeper than any sane pack: it goes in a circle. */
static bool comes_after(const struct kb *kb, const struct probe *probe, const struct probe *wanted,
			unsigned depth)
{
	for (size_t i = 0; i < probe->after.count && depth < 16; i++) {
		const struct probe *before = kb_probe(kb, probe->after.items[i]);
		if (before && (before == wanted || comes_after(kb, before, wanted, depth + 1)))
			return true;
	}
	return false;
}

void probe_check(const struct kb *kb, const struct probe *probe, struct diag_list *diags)
{
	for (size_t i = 0; i < probe->read_count; i++)
		check_step(kb, probe, &probe->read[i], diags);
	for (size_t i = 0; i < probe->judge_count; i++) {
		const struct probe_rule *rule = &probe->judge[i];
		check_conditions(probe, rule->when, diags);
		if (rule->entry.size > 0 && !kb_entry(kb, rule->entry))
			FAULT("probe %.*s: there is no entry %.*s", STR_ARG(probe->id), STR_ARG(rule->entry));
	}
	if (probe->judge_count == 0 || probe->judge[probe->judge_count - 1].when.count > 0)
		FAULT("probe %.*s: the last rule must be one without `when`, or a case is left out",
		      STR_ARG(probe->id));
	if (probe->entry.size > 0 && !kb_entry(kb, probe->entry))
		FAULT("probe %.*s: there is no entry %.*s", STR_ARG(probe->id), STR_ARG(probe->entry));
	for (size_t i = 0; i < probe->after.count; i++)
		if (!kb_probe(kb, probe->after.items[i]))
			FAULT("probe %.*s: there is no probe %.*s", STR_ARG(probe->id),
			      STR_ARG(probe->after.items[i]));
	if (comes_after(kb, probe, probe, 0))
		FAULT("probe %.*s comes after itself", STR_ARG(probe->id));
}

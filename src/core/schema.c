#include "core/schema.h"

static const char *const strength_names[] = {"hint", "likely", "certain", NULL};
static const char *const effect_names[] = {"read", "shell", "write", "destroy", NULL};
static const char *const frame_kind_names[] = {"prefix", "suffix", "note", "code", "error", "quiet", NULL};
static const char *const kind_names[] = {"problem", "reference", NULL};
static const char *const origin_names[] = {"faq", "official", "community", "site", NULL};
static const char *const placeholder_kind_names[] = {"word", "words", "port",      "port-range", "path",
						     "int",  "ip",    "interface", "version",    NULL};

static const struct field applies_fields[] = {
	ROW_STR(applies, cann, "cann", "versions of CANN, such as \"<9.1.0\""),
	ROW_STR_LIST(applies, chips, "chip", "A2, A3, A5, 310P"),
};
static const struct schema schema_applies =
	SCHEMA(applies, "applies", applies_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field sample_fields[] = {
	ROW_STR(sample, text, "text", "what a program printed, verbatim", .required = true),
	ROW_TEXT(sample, note, "note", "what to see in it"),
};
static const struct schema schema_sample =
	SCHEMA(sample, "sample", sample_fields, SCHEMA_WHERE(sample), SCHEMA_NO_MAP_KEY, .shorthand = "text");

static const struct field signature_fields[] = {
	ROW_STR(signature, match, "match", "PCRE2; named groups fill placeholders", .required = true),
	ROW_STR(signature, unless, "unless", "PCRE2 that the same text must not match"),
	ROW_ENUM(signature, strength, strength, strength_names, "strength",
		 "certain: alone enough; likely: probably; hint: only supports another", .required = true),
};
static const struct schema schema_signature =
	SCHEMA(signature, "signature", signature_fields, SCHEMA_WHERE(signature), SCHEMA_NO_MAP_KEY);

static const struct field step_fields[] = {
	ROW_TEXT(step, say, "say", "what to do and why", .required = true),
	ROW_STR(step, run, "run", "a command with placeholders", .choice = 1, .needs = "effect"),
	ROW_ENUM(step, effect, step_effect, effect_names, "effect",
		 "read, shell (changes the calling shell only), write, destroy"),
	ROW_STR(step, file, "file", "a file to edit by hand", .choice = 1, .needs = "text"),
	ROW_STR(step, text, "text", "what belongs into the file"),
	ROW_STR(step, link, "link", "a page to read or to download from", .choice = 1),
	ROW_STR(step, verify, "verify", "probe that must pass afterwards", .refers = REFERS_PROBE),
};
static const struct schema schema_step =
	SCHEMA(step, "step", step_fields, SCHEMA_WHERE(step), SCHEMA_NO_MAP_KEY);

static const struct field solution_fields[] = {
	ROW_TEXT(solution, title, "title", "one line"),
	ROW_BOOL(solution, recommended, "recommended", "the one to try first"),
	ROW_STRUCT(solution, applies, applies, schema_applies, "applies", "where it helps"),
	ROW_LIST(solution, steps, step_count, step, schema_step, "steps", "what to do, in order",
		 .required = true),
};
static const struct schema schema_solution =
	SCHEMA(solution, "solution", solution_fields, SCHEMA_WHERE(solution), SCHEMA_NO_MAP_KEY);

static const struct field entry_fields[] = {
	ROW_STR(entry, id, "id", "stable; what people quote to each other", .required = true),
	ROW_STR(entry, section, NULL, "name of the folder"),
	ROW_ENUM(entry, kind, entry_kind, kind_names, "kind", "problem, or reference: read, not diagnosed"),
	ROW_TEXT(entry, title, "title", "one line", .required = true),
	ROW_TEXT(entry, problem, "problem", "what the reader sees happen"),
	ROW_TEXT(entry, cause, "cause", "why it happens"),
	ROW_TEXT(entry, background, "background", "what helps to understand it"),
	ROW_TEXT(entry, note, "note", "what else to know"),
	ROW_TEXT(entry, correction, "correction", "where the source document is imprecise",
		 .needs = "correction-source"),
	ROW_STR(entry, correction_source, "correction-source", "where the correction comes from"),
	ROW_ENUM(entry, origin, origin, origin_names, "origin", "faq, official, community, site",
		 .required = true),
	ROW_STR(entry, source, "source", "where the facts come from", .required = true),
	ROW_STRUCT(entry, applies, applies, schema_applies, "applies", "where it happens"),
	ROW_STR_LIST(entry, aliases, "aliases", "further words that find it"),
	ROW_LIST(entry, errors, error_count, sample, schema_sample, "errors", "verbatim samples"),
	ROW_LIST(entry, not_errors, not_error_count, sample, schema_sample, "not-errors",
		 "near misses that must not match"),
	ROW_LIST(entry, signatures, signature_count, signature, schema_signature, "signatures",
		 "what the diagnosis looks for"),
	ROW_STR_LIST(entry, codes, "codes", "error codes that belong to it", .refers = REFERS_CODE),
	ROW_STR_LIST(entry, probes, "probes", "what its reader wants to see, in order",
		     .refers = REFERS_PROBE),
	ROW_LIST(entry, solutions, solution_count, solution, schema_solution, "solutions", "ways to mend it"),
	ROW_STR_LIST(entry, see, "see", "related entries", .refers = REFERS_ENTRY),
	ROW_STR(entry, pack, NULL, "name of its pack"),
};
const struct schema schema_entry =
	SCHEMA(entry, "entry", entry_fields, SCHEMA_WHERE(entry), SCHEMA_NO_MAP_KEY);

static const struct field section_fields[] = {
	ROW_STR(section, id, "id", "name of its folder", .required = true),
	ROW_STR(section, number, "number", "what its entries' ids start with", .required = true),
	ROW_TEXT(section, title, "title", "one line", .required = true),
	ROW_TEXT(section, empty, "empty", "what to say while it has no entries"),
};
const struct schema schema_section =
	SCHEMA(section, "section", section_fields, SCHEMA_WHERE(section), SCHEMA_NO_MAP_KEY);

static const struct field code_fields[] = {
	ROW_STR(code, code, "code", "as it is printed", .required = true),
	ROW_STR(code, namespace, "namespace", "torch_npu, cann, acl, aclnn, hccl, drv, errno …", .required = true),
	ROW_STR(code, name, "name", "symbolic name"),
	ROW_STR_LIST(code, aliases, "aliases", "the same fault in other versions and spellings"),
	ROW_BOOL(code, wrapper, "wrapper", "says only where it was caught, never a cause"),
	ROW_INT(code, tier, "tier", "1 show first, 2 useful, 3 meaning inferred from the title",
		.fallback = 1),
	ROW_TEXT(code, means, "means", "what it says", .required = true),
	ROW_TEXT(code, usually, "usually", "usual cause and first thing to do"),
	ROW_STR_LIST(code, entries, "entries", "entries about it", .refers = REFERS_ENTRY),
	ROW_STR(code, source, "source", "where the facts come from", .required = true),
};
const struct schema schema_code = SCHEMA(code, "code", code_fields, SCHEMA_WHERE(code), SCHEMA_NO_MAP_KEY);

static const struct field value_fields[] = {
	ROW_STR(value_source, probe, "probe", "probe that gives the value", .choice = 1,
		.refers = REFERS_PROBE),
	ROW_STR(value_source, name, "name", "which of the probe's values; else the placeholder's own name"),
	ROW_STR(value_source, log, "log", "named group of a signature", .choice = 1),
	ROW_STR(value_source, env, "env", "environment variable", .choice = 1),
	ROW_STR(value_source, text, "text", "the value itself", .choice = 1),
};
static const struct schema schema_value =
	SCHEMA(value_source, "value", value_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY, .required_choice = 1);

static const struct field check_fields[] = {
	ROW_STR(placeholder_check, range, "range", "for ports and numbers: 20000-29999"),
	ROW_BOOL(placeholder_check, free, "free", "port: must be free on this machine"),
	ROW_BOOL(placeholder_check, exists, "exists", "path: must exist"),
	ROW_BOOL(placeholder_check, executable, "executable", "path: must be an executable file"),
	ROW_STR(placeholder_check, contains, "contains", "path: a file below it that must exist"),
};
static const struct schema schema_check =
	SCHEMA(placeholder_check, "check", check_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field placeholder_fields[] = {
	ROW_STR(placeholder, name, "name", "MASTER_PORT for <MASTER_PORT>", .required = true),
	ROW_STR_LIST(placeholder, aliases, "aliases", "other names of the same value"),
	ROW_BOOL(placeholder, shell_variable, "shell-variable", "${NAME} in a command is it, too"),
	ROW_TEXT(placeholder, meaning, "meaning", "what to put there", .required = true),
	ROW_ENUM(placeholder, kind, placeholder_kind, placeholder_kind_names, "kind",
		 "what its values look like", .required = true),
	ROW_LIST(placeholder, values, value_count, value_source, schema_value, "values",
		 "where values come from, best first"),
	ROW_STRUCT(placeholder, check, placeholder_check, schema_check, "check", "what a value must fulfil"),
	ROW_BOOL(placeholder, display_only, "display-only", "stands in samples only: never asked for"),
};
const struct schema schema_placeholder =
	SCHEMA(placeholder, "placeholder", placeholder_fields, SCHEMA_WHERE(placeholder), SCHEMA_NO_MAP_KEY);

static const struct field frame_fields[] = {
	ROW_STR(frame, id, "id", "its name", .required = true),
	ROW_ENUM(frame, kind, frame_kind, frame_kind_names, "kind",
		 "prefix, suffix, note, code, error, quiet"),
	ROW_STR(frame, namespace, "namespace", "of a code: whose codes are printed this way"),
	ROW_STR(frame, match, "match", "PCRE2; groups rank, pid, time, level, label, code", .required = true),
	ROW_STR_LIST(frame, literals, "literals", "one of them is in every such line", .required = true),
	ROW_STR_LIST(frame, samples, "samples", "lines that it fits", .required = true),
};
const struct schema schema_frame =
	SCHEMA(frame, "frame", frame_fields, SCHEMA_WHERE(frame), SCHEMA_NO_MAP_KEY);

static const struct field name_fields[] = {
	ROW_STR(pack_name, name, NULL, "id or alias"),
	ROW_INT(pack_name, item, NULL, "place in the pack's list"),
	ROW_BOOL(pack_name, alias, NULL, "an alias"),
};
static const struct schema schema_name =
	SCHEMA(pack_name, "name", name_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

static const struct field pack_fields[] = {
	ROW_STR(pack, name, "name", "one word: what the origin of its entries is shown as", .required = true),
	ROW_TEXT(pack, title, "title", "one line", .required = true),
	ROW_STR(pack, version, "version", "of its content", .required = true),
	ROW_STR(pack, source, "source", "who maintains it, where"),
	ROW_STR_LIST(pack, summary, "summary",
		     "the machine in a few words: parts with <NAME> of probes' values"),
	ROW_LIST(pack, sections, section_count, section, schema_section, "sections", "in order of display"),
	ROW_LIST(pack, entries, entry_count, entry, schema_entry, NULL, "SECTION/*.yaml"),
	ROW_LIST(pack, codes, code_count, code, schema_code, NULL, "codes/*.yaml"),
	ROW_LIST(pack, placeholders, placeholder_count, placeholder, schema_placeholder, NULL,
		 "placeholders.yaml"),
	ROW_LIST(pack, probes, probe_count, probe, schema_probe, NULL, "probes.yaml"),
	ROW_LIST(pack, frames, frame_count, frame, schema_frame, NULL, "framing.yaml"),
	ROW_LIST(pack, redactions, redaction_count, redaction, schema_redaction, NULL, "redaction.yaml"),
	ROW_LIST(pack, reports, report_count, report_template, schema_report, NULL, "reports/*.yaml"),
	ROW_LIST(pack, families, family_count, code_family, schema_family, NULL, "families.yaml"),
	ROW_LIST(pack, matrices, matrix_count, compat_matrix, schema_matrix, NULL, "compat.yaml"),
	ROW_LIST(pack, code_names, code_name_count, pack_name, schema_name, NULL, "codes by name"),
	ROW_LIST(pack, placeholder_names, placeholder_name_count, pack_name, schema_name, NULL,
		 "placeholders by name"),
	ROW_LIST(pack, probe_names, probe_name_count, pack_name, schema_name, NULL, "probes by name"),
};
const struct schema schema_pack = SCHEMA(pack, "pack.yaml", pack_fields, SCHEMA_NO_WHERE, SCHEMA_NO_MAP_KEY);

const struct field *schema_field(const struct schema *schema, struct str key)
{
	for (size_t i = 0; i < schema->field_count; i++) {
		const struct field *field = &schema->fields[i];

		/* The first byte tells most of them apart; this is the inner loop of reading a pack. */
		if (key.size && field->key && field->key[0] == key.data[0] &&
		    str_equal(key, str_of(field->key)))
			return field;
	}
	return NULL;
}

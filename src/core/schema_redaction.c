/* The tables of redaction.yaml and of reports/. */
#include "core/schema.h"

static const char *const kind_names[] = {"hide", "keep", "path", "name", "folder",
					 "root", "file", "site", NULL};
static const char *const shape_names[] = {"none",   "at",     "dotted",  "colons", "pairs",
					  "digits", "groups", "bracket", NULL};

static const struct field redaction_fields[] = {
	ROW_STR(redaction, id, "id", "its name", .required = true),
	ROW_ENUM(redaction, kind, redaction_kind, kind_names, "kind",
		 "hide, keep; path; name, folder, root, file, site (lists of words)"),
	ROW_ENUM(redaction, shape, redaction_shape, shape_names, "shape",
		 "what a line must have: at, dotted, colons, pairs, digits, groups, bracket"),
	ROW_STR(redaction, match, "match", "PCRE2; groups are named for what they hide: USER, HOST, IP …"),
	ROW_STR_LIST(redaction, literals, "literals", "one of them is in what it finds"),
	ROW_STR(redaction, then, "then", "one of these characters stands behind the literal"),
	ROW_BOOL(redaction, at_literal, "at-literal", "`match` begins at the literal"),
	ROW_BOOL(redaction, only_here, "only-here", "what it hides is not looked for elsewhere"),
	ROW_STR_LIST(redaction, words, "words", "of name, folder, root, file and site"),
	ROW_STR_LIST(redaction, hide, "hide", "samples: what stands in «…» must go"),
	ROW_STR_LIST(redaction, keep, "keep", "samples that must stay as they are"),
};
const struct schema schema_redaction =
	SCHEMA(redaction, "redaction", redaction_fields, SCHEMA_WHERE(redaction), SCHEMA_NO_MAP_KEY);

static const struct field report_fields[] = {
	ROW_STR(report_template, id, "id", "what `report --template` names it", .required = true),
	ROW_TEXT(report_template, title, "title", "one line", .required = true),
	ROW_TEXT(report_template, body, "body", "Markdown; {{FIELD}} is filled in", .required = true),
};
const struct schema schema_report =
	SCHEMA(report_template, "report", report_fields, SCHEMA_WHERE(report_template), SCHEMA_NO_MAP_KEY);

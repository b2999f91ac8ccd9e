/* Families of codes: the pattern compiles, has the groups of the parts, and matches the samples. */
#include "core/code_family.h"
#include "core/lint_rules.h"
#include "core/regex.h"

static bool has_group(const struct regex *regex, struct str name)
{
	for (size_t i = 0; i < regex_name_count(regex); i++) {
		size_t number;

		if (str_equal(regex_name(regex, i, &number), name))
			return true;
	}
	return false;
}

static void lint_family(struct lint *lint, const struct code_family *family)
{
	struct buf why = {0};
	size_t at;
	struct regex *regex = regex_new(family->match, REGEX_ONCE, &why, &at);

	if (!regex)
		LINT_ERROR(lint, family->where, "`match` does not compile: %s", buf_c_string(&why));
	for (size_t i = 0; regex && i < family->part_count; i++) {
		if (!has_group(regex, family->parts[i].group))
			LINT_ERROR(lint, family->where, "`match` has no group (?<%.*s>…), which a part names",
				   STR_ARG(family->parts[i].group));
	}
	for (size_t i = 0; regex && i < family->samples.count; i++) {
		struct code_reading reading;

		if (!code_family_read(family, family->samples.items[i], &reading))
			LINT_ERROR(lint, family->where, "`match` does not fit its sample %.*s",
				   STR_ARG(family->samples.items[i]));
	}
	regex_free(regex);
	buf_release(&why);
}

void lint_families(struct lint *lint)
{
	for (size_t i = 0; i < lint->pack->family_count; i++)
		lint_family(lint, &lint->pack->families[i]);
}

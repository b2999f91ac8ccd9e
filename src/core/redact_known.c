/* What a machine is known to have, as lines of text. */
#include "core/redact.h"

void redact_know_lines(struct redact *redact, struct str lines)
{
	struct str line;

	while (str_next(&lines, '\n', &line)) {
		size_t blank = str_find_byte(line, ' ');
		enum redact_kind kind;

		if (blank != STR_NOT_FOUND && redact_kind_of(str_slice(line, 0, blank), &kind))
			redact_know(redact, kind, str_slice(line, blank + 1, line.size));
	}
}

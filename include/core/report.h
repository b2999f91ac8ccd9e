/*
 * report: what is known of a problem -> a text for the people who may solve it.
 *
 * Pure. The text comes from a template of the knowledge base (content/reports/); what it holds comes from the
 * diagnosis of the log, the probes, the history and the user. It is NOT redacted: whoever shows or writes it
 * passes it through core/redact.h first. A field that nothing is known for is marked where it stands, and
 * listed.
 */
#ifndef CORE_REPORT_H
#define CORE_REPORT_H

#include "base/buf.h"
#include "base/vec.h"
#include "core/diagnose.h"
#include "core/probe.h"

/* What only the user can say; empty: not said. */
enum report_answer { REPORT_COMMAND, REPORT_SHAPE, REPORT_DTYPE, REPORT_EXPECTED, REPORT_ANSWER_COUNT };

/* What a log may say of how large the job is, and of how it was started. */
enum report_scale { REPORT_WORLD_SIZE, REPORT_SHAPES, REPORT_DTYPES, REPORT_LAUNCH, REPORT_SCALE_COUNT };

struct report_probe {
	const struct probe *probe;
	const struct probe_result *result; /* null: it was not asked yet */
};

struct report_input {
	const struct kb *kb;
	enum lang lang;
	const struct diagnosis *diagnosis;    /* null: no log */
	struct str around;                    /* some lines of the log around the first error; any bytes */
	struct str scale[REPORT_SCALE_COUNT]; /* from report_find_scale; empty: not known */
	const struct report_probe *probes;
	size_t probe_count;
	struct str answers[REPORT_ANSWER_COUNT];
	struct str tried; /* lines of Markdown (core/history.h: history_add_tried); empty: nothing */
};

struct report {
	struct buf text;         /* Markdown */
	VEC(struct str) missing; /* names of fields, as in the template; they live as long as the kb */
};

const struct report_template *report_template(const struct kb *kb, struct str id); /* null: none */
void report_write(const struct report_template *template, const struct report_input *input,
		  struct report *report);
void report_release(struct report *report);

/* One field as text without marks, empty when nothing is known; for `--json`. */
void report_add_field(const struct report_input *input, struct str field, struct buf *out);

/* The line of the log that a report is about: the first one of what failed first. Null: there is none. */
const struct evidence *report_first_evidence(const struct diagnosis *diagnosis);

/* Of `log`, the lines that a report shows around the one that begins at `at`. */
struct str report_lines_around(struct str log, size_t at);

/* What a part of a log says of it. Looks through all of it several times: once for each log will do. */
void report_find_scale(struct str log, enum report_scale what, struct buf *out);

/* The next mark of what is missing, in a text that report_write made, from *from on: [*from, *to). */
bool report_next_missing(struct str text, size_t *from, size_t *to);

/* The names of all fields but probe:ID, ends with null. */
extern const char *const report_fields[];

/* For lint: what is wrong with a template. */
void report_check(const struct kb *kb, const struct report_template *template, struct diag_list *diags);

#endif

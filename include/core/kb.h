/*
 * kb: the knowledge base, everything the program knows.
 *
 * Immutable after load. The types here are plain data, so that one pack can be C source made at build time
 * (the shipped pack, src made by `mkpack`) and another can come from YAML at run time (kb_yaml.h); a `struct
 * kb` is the overlay of several of them. All pointers live as long as the kb. Lists are pointer + count.
 *
 * Which YAML key fills which member, and how, stands in the schema tables (core/schema.h), nowhere else.
 */
#ifndef CORE_KB_H
#define CORE_KB_H

#include "base/diag.h"
#include "core/kb_probe.h"
#include "core/text.h"

/* A condition on a version or a name, as written: ">=9.1.0", "A2". See core/version.h. */
struct applies {
	struct str cann;       /* version expression; empty: any */
	struct str_list chips; /* A2, A3, A5, 310P; empty: any */
};

/* Text printed by a program, shown to the reader; lint runs the signatures on it. */
struct sample {
	struct str text;
	struct text note;
	struct location where;
};

/* certain: alone enough. likely: probably. hint: only supports another. */
enum strength { STRENGTH_HINT, STRENGTH_LIKELY, STRENGTH_CERTAIN };

/* What the diagnosis looks for, on clean lines (launcher prefixes and escapes removed). */
struct signature {
	struct str match;  /* PCRE2; named groups that are placeholders fill them */
	struct str unless; /* PCRE2; optional: the same text must not match it */
	enum strength strength;
	struct location where;
};

enum step_effect {
	STEP_READ,   /* reads */
	STEP_SHELL,  /* changes the calling shell only */
	STEP_WRITE,  /* writes files, installs, starts jobs */
	STEP_DESTROY /* loses something: files, a running job, a card's state */
};

/* One step of a solution. Exactly one of run, file or link may be set; none: something done by hand. */
struct step {
	struct text say;         /* what and why */
	struct str run;          /* command with placeholders; may have several lines */
	enum step_effect effect; /* meaningful with run and file */
	struct str file;         /* an edit by hand: the file's name */
	struct str text;         /* and what belongs into it */
	struct str link;         /* a page to read or download from */
	struct str verify;       /* id of the probe that must pass afterwards; empty: none */
	struct location where;
};

struct solution {
	struct text title;
	bool recommended;
	struct applies applies;
	const struct step *steps;
	size_t step_count;
	struct location where;
};

enum entry_kind {
	ENTRY_PROBLEM,  /* has samples and signatures */
	ENTRY_REFERENCE /* conventions, commands to look up, how to report: is read, not diagnosed */
};

enum origin { ORIGIN_FAQ, ORIGIN_OFFICIAL, ORIGIN_COMMUNITY, ORIGIN_SITE };

struct entry {
	struct str id; /* stable; what people quote to each other */
	struct str section;
	enum entry_kind kind;
	struct text title;
	struct text problem;
	struct text cause;
	struct text background;
	struct text note;
	struct text correction; /* where the source document is imprecise; shown beside it, marked */
	struct str correction_source;
	enum origin origin;
	struct str source;
	struct applies applies;
	struct str_list aliases;
	const struct sample *errors;
	size_t error_count;
	const struct sample *not_errors;
	size_t not_error_count;
	const struct signature *signatures;
	size_t signature_count;
	struct str_list codes;
	struct str_list probes; /* what this entry's reader wants to see, in order */
	const struct solution *solutions;
	size_t solution_count;
	struct str_list see;
	struct str pack; /* name of the pack it comes from */
	struct location where;
};

struct section {
	struct str id;     /* also the name of its folder */
	struct str number; /* "1"; what its entries' ids start with */
	struct text title;
	struct text empty; /* what to say while it has no entries */
	struct location where;
};

struct code {
	struct str code; /* EI0020, EADDRINUSE, 507035 */
	struct str namespace;
	struct str name;         /* symbolic */
	struct str_list aliases; /* the same fault in other versions and spellings: EJ0003, -98 */
	bool wrapper;            /* says only where it was caught, never a cause */
	int64_t tier;            /* 1 show first, 2 useful, 3 meaning inferred from the title */
	struct text means;
	struct text usually; /* usual cause and first thing to do */
	struct str_list entries;
	struct str source;
	struct location where;
};

enum placeholder_kind {
	PLACEHOLDER_WORD,
	PLACEHOLDER_WORDS, /* goes in as typed: <ARGS> */
	PLACEHOLDER_PORT,
	PLACEHOLDER_PORT_RANGE,
	PLACEHOLDER_PATH,
	PLACEHOLDER_INT,
	PLACEHOLDER_IP,
	PLACEHOLDER_INTERFACE,
	PLACEHOLDER_VERSION
};

/* Where a value may come from; exactly one of the four is set. */
struct value_source {
	struct str probe; /* id of a probe; it gives the value of `name`, or of the placeholder's own name */
	struct str name;  /* with probe: which of its values */
	struct str log;   /* named group of a signature */
	struct str env;   /* environment variable */
	struct str text;  /* literal default */
};

struct placeholder_check {
	struct str range;    /* "20000-29999" for ports and numbers */
	bool free;           /* port or port range: bind() must succeed here */
	bool exists;         /* path: must exist */
	bool executable;     /* path: must be an executable file */
	struct str contains; /* path: a file below it that must exist, "bin/clang" */
};

struct placeholder {
	struct str name; /* MASTER_PORT: written <MASTER_PORT>, or ${CARD_ID} when `shell_variable` */
	struct str_list aliases;
	bool shell_variable; /* ${NAME} in a command is this placeholder, not the shell's variable */
	struct text meaning;
	enum placeholder_kind kind;
	const struct value_source *values; /* in order; the first that gives a value is the default */
	size_t value_count;
	struct placeholder_check check;
	bool display_only; /* stands in samples only (<PID>): never asked for */
	struct location where;
};

/*
 * Framing: what launchers, loggers and people put around the messages of programs. Samples show lines that it
 * fits.
 */
enum frame_kind {
	FRAME_PREFIX, /* stands before the message and is taken off; anchored at the start of the line */
	FRAME_SUFFIX, /* stands behind it and is taken off; `match` ends with $ */
	FRAME_NOTE,   /* says rank, pid or time within the message; nothing is taken off */
	FRAME_CODE,   /* group `code` is an error code of `namespace` */
	FRAME_ERROR,  /* the line reports an error, known or not */
	FRAME_QUIET   /* the line talks of errors and reports none: a command, a comment, advice, a listing */
};

/*
 * Prefixes are taken off again and again until none fits. Named groups of `match` that mean something: rank,
 * pid, time, level, label (tells the streams of one terminal apart where there is no rank), code.
 */
struct frame {
	struct str id;
	enum frame_kind kind;
	struct str namespace; /* FRAME_CODE: of the codes that are printed this way; empty: any */
	struct str match;     /* PCRE2 */
	/*
	 * At least one must occur in the line, so that most lines skip PCRE2. Of errors and codes they are
	 * what the scan over the raw bytes looks for: five bytes or more each.
	 */
	struct str_list literals;
	struct str_list samples;
	struct location where;
};

/*
 * A family of codes that are made of parts: ERR02200 is module 02, type 200. Says what can be said of a code
 * of it that has no entry of its own (core/code_family.h).
 */
struct code_value {
	struct str value; /* as it stands in the code */
	struct text means;
};

struct code_part {
	struct str group; /* named group of the family's `match` */
	struct text title;
	bool bits; /* a hexadecimal number; each value is one of its bits, and several may be set */
	const struct code_value *values;
	size_t value_count;
};

struct code_family {
	struct str id;
	struct str match; /* PCRE2, of the whole code */
	struct text means;
	const struct code_part *parts;
	size_t part_count;
	struct str_list samples; /* codes of it */
	struct str source;
	struct location where;
};

/*
 * A compatibility matrix: which versions were made for each other (core/compat.h). The first column is what
 * the matrix is about; the others stand from the easiest to the hardest to change. Rows: the newest first.
 */
struct compat_column {
	struct str name;  /* for readers: torch_npu */
	struct str probe; /* what finds it */
	struct str value; /* the probe's value: TORCH_NPU_VERSION */
};

struct compat_row {
	struct str_list
		cells; /* one a column: an expression of core/version.h; what is offered comes first */
};

struct compat_matrix {
	struct str id;
	struct text title;
	const struct compat_column *columns;
	size_t column_count;
	const struct compat_row *rows;
	size_t row_count;
	struct str source;
	struct location where;
};

/*
 * Redaction: what is private in a text, and what looks so and is not (core/redact.h). Lint runs `hide` and
 * `keep`.
 */
enum redaction_kind {
	REDACTION_HIDE, /* named groups of `match` are hidden; their names say what they are: USER, HOST, IP …
			 */
	REDACTION_KEEP,   /* group KEEP of `match` stays, whatever other rules say: version numbers */
	REDACTION_PATH,   /* file names, taken apart by the program with the words below */
	REDACTION_NAME,   /* `words` are public names: never hidden as somebody's user or host name */
	REDACTION_FOLDER, /* `words` are parts of a path that say nothing of their owner: site-packages */
	REDACTION_ROOT,   /* `words` are first parts of paths that are public as a whole: usr, proc */
	REDACTION_FILE,   /* `words` are endings of file names that stay: .py */
	REDACTION_SITE /* `words` are public sites, with or without owner: pytorch.org, github.com/ascend */
};

/* What a line must have before PCRE2 sees it, where that is no literal. */
enum redaction_shape {
	SHAPE_NONE,
	SHAPE_AT,      /* @ */
	SHAPE_DOTTED,  /* three dots between numbers: 10.0.0.1 */
	SHAPE_COLONS,  /* hexadecimal groups with two colons in a row, or five colons */
	SHAPE_PAIRS,   /* dashes between pairs of hexadecimal digits */
	SHAPE_DIGITS,  /* seven digits; or a + before a digit */
	SHAPE_GROUPS,  /* 8-4-4- hexadecimal digits; 4.4. as in some MAC addresses */
	SHAPE_BRACKET, /* a number in brackets and a colon: [4242]: */
	SHAPE_COUNT
};

struct redaction {
	struct str id;
	enum redaction_kind kind;
	enum redaction_shape shape;
	struct str match; /* PCRE2; on a line without escape sequences */
	/* At least one is in what the rule finds; three bytes or more each; without regard to ASCII case. */
	struct str_list literals;
	struct str then; /* one of these characters stands right behind the literal; empty: any */
	bool at_literal; /* `match` begins at the literal; else anywhere in its line */
	bool only_here;  /* what it hides is not looked for elsewhere: the rule may err */
	struct str_list words;
	struct str_list hide; /* samples: what stands between « and » must go; · is taken out before */
	struct str_list keep; /* samples that must stay as they are */
	struct location where;
};

/* The form of a problem report (core/report.h): Markdown with {{FIELD}}. */
struct report_template {
	struct str id;
	struct text title;
	struct text body;
	struct location where;
};

/* One name of something in a pack; sorted without regard to ASCII case, so that look-up costs no start-up. */
struct pack_name {
	struct str name;
	int64_t item; /* place in the pack's list */
	bool alias;
};

struct pack {
	struct str name;
	struct text title;
	struct str version;
	struct str source;
	struct str_list
		summary; /* the machine in a few words, "CANN <CANN_VERSION>"; a part shows once known */
	const struct section *sections;
	size_t section_count;
	const struct entry *entries; /* in natural order of the id */
	size_t entry_count;
	const struct code *codes; /* sorted by code */
	size_t code_count;
	const struct placeholder *placeholders;
	size_t placeholder_count;
	const struct probe *probes;
	size_t probe_count;
	const struct frame *frames;
	size_t frame_count;
	const struct redaction *redactions;
	size_t redaction_count;
	const struct report_template *reports;
	size_t report_count;
	const struct code_family *families;
	size_t family_count;
	const struct compat_matrix *matrices;
	size_t matrix_count;
	const struct pack_name *code_names;
	size_t code_name_count;
	const struct pack_name *placeholder_names;
	size_t placeholder_name_count;
	const struct pack_name *probe_names;
	size_t probe_name_count;
	/* Others than the user and root could have written its files: its probes run no commands. */
	bool untrusted;
};

/* The overlay of packs: what wins by id, in display order. */
struct kb {
	const struct pack *const *packs; /* in the order they were overlaid; the first is the shipped one */
	size_t pack_count;
	const struct section *const *sections;
	size_t section_count;
	const struct entry *const *entries; /* by section, then by number in the id: 1.2 before 1.10 */
	size_t entry_count;
	const struct code *const *codes; /* sorted by code */
	size_t code_count;
	const struct placeholder *const *placeholders;
	size_t placeholder_count;
	const struct probe *const *probes;
	size_t probe_count;
	const struct frame *const *frames;
	size_t frame_count;
	const struct redaction *const *redactions;
	size_t redaction_count;
	const struct report_template *const *reports;
	size_t report_count;
	const struct code_family *const *families;
	size_t family_count;
	const struct compat_matrix *const *matrices;
	size_t matrix_count;
	struct kb_index *index; /* private: ids and codes sorted for look-up */
	struct arena *arena;    /* private */
};

/* The shipped pack: generated C, no start-up cost. */
extern const struct pack kb_shipped_pack;

/*
 * Overlay `packs`, later ones win by id (a code: by namespace and code). The packs must outlive the kb. An
 * entry whose folder no pack declares as a section gets a section of that name, after the others. Never
 * fails.
 */
struct kb *kb_new(const struct pack *const *packs, size_t count);
void kb_free(struct kb *kb);

/* By id or name, exact. Null when there is none. */
const struct entry *kb_entry(const struct kb *kb, struct str id);
const struct section *kb_section(const struct kb *kb, struct str id);
const struct placeholder *kb_placeholder(const struct kb *kb, struct str name_or_alias);
const struct probe *kb_probe(const struct kb *kb, struct str id);

/*
 * A code by itself, an alias, or with the decoration it is printed with ("-98", "[EI0020]:", "ei0020"); ASCII
 * case is ignored. The same code may stand in several namespaces ("4" of HCCL is not "4" of the driver):
 * kb_codes gives all, best first (codes before aliases, lower tier first), at most `room` of them, and
 * returns how many there are; kb_code is its first. kb_code_in wants the namespace, too.
 */
size_t kb_codes(const struct kb *kb, struct str code, const struct code **found, size_t room);
const struct code *kb_code(const struct kb *kb, struct str code);
const struct code *kb_code_in(const struct kb *kb, struct str namespace, struct str code);

/* The pack that a probe of the kb comes from. */
const struct pack *kb_probe_pack(const struct kb *kb, const struct probe *probe);

#define KB_NONE SIZE_MAX
size_t kb_entry_index(const struct kb *kb, const struct entry *entry); /* into kb->entries */

#endif

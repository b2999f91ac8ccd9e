/*
 * redact_private: how the parts of redact work together.
 *
 * A block of whole lines is looked through once (redact_scan.c): every place where a literal, a known word or
 * a shape stands is offered to its rule, which adds spans. Spans are then put in order and replaced
 * (redact.c). Where the text has escape sequences, all that happens on a copy without them (redact_view.c).
 */
#ifndef CORE_REDACT_PRIVATE_H
#define CORE_REDACT_PRIVATE_H

#include "core/redact.h"
#include "core/regex.h"

#include <string.h>

#define REDACT_NONE UINT32_MAX

/* A place in the block. */
struct redact_span {
	size_t from, to;
	enum { SPAN_HIDE, SPAN_KEEP, SPAN_NAME } what; /* SPAN_NAME: <USER_1> that stood there */
	enum redact_kind kind;
	uint32_t rule;  /* index, for the counts */
	uint32_t alias; /* index of the word whose value it is short for; REDACT_NONE: its own text */
	bool given;     /* by redact_hide: not even a KEEP holds it */
};
struct redact_spans {
	VEC(struct redact_span) list;
};

/* A set of words without regard to ASCII case. Words are borrowed. */
struct redact_set {
	struct str *slots;
	size_t capacity; /* a power of two, or 0 */
	size_t count;
};
void redact_set_add(struct redact_set *set, struct str word);
bool redact_set_has(const struct redact_set *set, struct str word);
void redact_set_release(struct redact_set *set);

/* What public words there are, by their kind. */
struct redact_public {
	struct redact_set names, folders, roots, files, sites;
};

/*
 * Texts that are looked for at every byte. Three bytes, folded, are hashed into a table of bytes, for speed;
 * what passes, four of them (three of texts that have no more) into tables of bits; the rest is compared.
 */
enum { NEEDLE_BITS = 16, NEEDLE_HEADS = 4096 };
enum { FIRST_BITS = 14 };
struct redact_heads {
	unsigned char first[1 << FIRST_BITS]; /* 0 or 1 */
	uint64_t three[(1 << NEEDLE_BITS) / 64];
	uint64_t four[(1 << NEEDLE_BITS) / 64];
};
struct redact_needle {
	struct str text;
	uint32_t first, mask; /* its first four bytes, or three */
	uint32_t owner;       /* rule */
	uint32_t next;        /* of the same hash */
};
struct redact_needles {
	uint32_t heads[NEEDLE_HEADS];
	VEC(struct redact_needle) list;
};
void needles_clear(struct redact_needles *needles);
void needles_add(struct redact_needles *needles, struct str text, uint32_t owner);

/* Four bytes with letters folded (and some other bytes, alike in texts and needles). The last may be beyond
 * the text: every text here is followed by one byte more. */
static inline uint32_t needle_four(const char *at)
{
	const unsigned char *bytes = (const unsigned char *)at;
	uint32_t four = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
			(uint32_t)bytes[3] << 24;

	return four | 0x20202020u;
}

static inline uint32_t needle_hash(uint32_t four)
{
	return (four & 0xFFFFFFu) * 0x9E3779B1u >> (32 - NEEDLE_BITS);
}

static inline uint32_t needle_hash_four(uint32_t four)
{
	return four * 0x9E3779B1u >> (32 - NEEDLE_BITS);
}

/*
 * Of three folded bytes, in 16 bits, so that eight of them are hashed at once (redact_look.c). For
 * processors whose lowest byte comes first.
 */
enum { FIRST_FACTOR = 0x9E3B, FIRST_FACTOR_THIRD = 0x3A4D };
static inline uint32_t first_hash(const char *at)
{
	uint16_t two, fold = 0x2020;

	memcpy(&two, at, sizeof(two));
	return (uint16_t)((uint32_t)(two | fold) * FIRST_FACTOR +
			  ((unsigned char)at[2] | 0x20u) * FIRST_FACTOR_THIRD) >>
	       (16 - FIRST_BITS);
}

void heads_add(struct redact_heads *heads, struct str text);

/* Of a number as it is written: one of 64 * 64. */
static inline uint32_t number_bit(struct str digits)
{
	uint32_t number = 0;

	for (size_t i = 0; i < digits.size; i++)
		number = number * 10 + (uint32_t)(unsigned char)digits.data[i];
	return number % (64 * 64);
}

/*
 * The same for words, of which there may be thousands that start alike: a bit for each length that occurs
 * with a hash of three bytes; then the whole word is looked up.
 */
enum { WORD_SIZE_MIN = 3, WORD_SIZE_MAX = 127 };
struct redact_lengths {
	uint64_t bits[(1 << NEEDLE_BITS) / 64];
	uint64_t lengths[NEEDLE_HEADS][2];
};

/* A name that is looked for: of the machine, learned from the text, or given. */
enum word_fit {
	WORD_ANYWHERE, /* distinct enough to be found within other words */
	WORD_WHOLE,    /* neither letter nor digit beside it */
	WORD_ALONE, /* short, or like a word of programs: only between blanks, quotes, / = : @ and the like */
	WORD_STEM,  /* of a host's name: digits follow, and it is one of the same kind */
	WORD_NUMBER /* a PID: no digit, point or colon beside it */
};
struct redact_word {
	struct str text; /* in the arena */
	enum redact_kind kind;
	enum word_fit fit;
	uint32_t alias; /* the word that it is cut from, or REDACT_NONE */
	uint32_t rule;  /* for the counts */
};

/* Names given to values (redact_names.c). */
struct redact_names;
struct redact_names *redact_names_new(void);
void redact_names_free(struct redact_names *names);
void redact_names_reset(struct redact_names *names);
/* SIZE_MAX: too many values already. */
size_t redact_names_take(struct redact_names *names, enum redact_kind kind, struct str value);
void redact_names_reserve(struct redact_names *names, enum redact_kind kind, uint64_t number);
void redact_names_subnet(struct redact_names *names, struct str address, unsigned bits);
struct redact_name *redact_names_at(const struct redact_names *names, size_t index);
size_t redact_names_count(const struct redact_names *names);

/* <USER_1>, <IP_1.2>, <PID> at `at`: its size, else 0. *number gets the first number, or 0. */
size_t redact_name_size(struct str text, size_t at, enum redact_kind *kind, uint64_t *number);

enum { RULE_GROUPS_MAX = 24 };
struct redact_rule {
	const struct redaction *redaction; /* null: machine, repeated, given */
	struct regex *regex;               /* null: has none, or does not compile */
	struct {
		size_t number;
		bool keep;
		enum redact_kind kind;
	} groups[RULE_GROUPS_MAX];
	size_t group_count;
	bool has_then;
	uint64_t then[4]; /* bytes that may follow its literals, as bits */
	size_t done_line; /* start of the line that it has looked through, SIZE_MAX: none */
	size_t done_to;   /* within that line it has looked as far as here */
	uint64_t count;
};

enum { RULE_MACHINE, RULE_REPEATED, RULE_GIVEN, RULE_FIRST };

struct redact {
	struct redact_public known; /* public words */
	struct arena arena;         /* words */
	VEC(struct redact_rule) rules;
	VEC(uint32_t) by_shape[SHAPE_COUNT];
	uint32_t path_rule;
	struct redact_needles literals; /* of rules */
	VEC(struct redact_word) words;
	size_t word_base;         /* words up to here are of the machine or given: they outlive a reset */
	uint32_t *word_slots;     /* word + 1, by the hash of its text */
	size_t word_capacity;     /* a power of two, or 0 */
	struct redact_set people; /* who is known to be here although the name is a public word */
	struct redact_heads literal_heads;
	struct redact_heads heads;   /* of literals and words: where to look */
	struct redact_lengths found; /* all words but numbers */
	struct redact_lengths fresh; /* words learned in this block */
	bool has_fresh;
	size_t pid_count;      /* learned ones */
	uint64_t pid_bits[64]; /* by number_bit: most numbers of a log are no PID */
	bool in_key;           /* between the lines BEGIN and END of a private key */
	unsigned key_lines;
	bool lost_colours; /* "[36m" without its ESC was seen: such a text is looked at without them */

	struct redact_names *names;
	struct buf held; /* bytes that wait; the first `context` of them are out already */
	size_t context;
	bool started; /* the first bytes were looked at for a byte order mark */
	struct clean_utf16 *utf16;
	struct redact_spans spans;
	struct redact_marks *marks; /* of redact_text */
};

/* redact_rules.c */
void redact_compile(struct redact *redact, const struct kb *kb);
void redact_rules_release(struct redact *redact);

/* redact_words.c */
void redact_learn(struct redact *redact, enum redact_kind kind, struct str value, uint32_t rule);
uint32_t redact_word_index(const struct redact *redact, struct str text); /* REDACT_NONE: no word */
void redact_add_word(struct redact *redact, struct redact_word word);
void redact_words_reset(struct redact *redact);                     /* only those up to word_base are left */
bool redact_is_known(const struct redact *redact, struct str name); /* here, whatever else it may be */
bool redact_word_fits(const struct redact_word *word, struct str block, size_t at);
bool redact_is_public_name(const struct redact *redact, struct str name);
bool redact_is_public_site(const struct redact *redact, struct str url);

/* redact_scan.c: add the spans of `block` (whole lines) and learn words. */
void redact_scan(struct redact *redact, struct str block);
void redact_scan_fresh(struct redact *redact, struct str block);

/* redact_match.c: run a rule on the line around `at`. */
void redact_match(struct redact *redact, uint32_t rule, struct str block, size_t at);
void redact_add_span(struct redact *redact, struct redact_span span);

/* redact_path.c: a path that begins at `at`, a slash, `~`, or the letter of a drive. */
void redact_path(struct redact *redact, struct str block, size_t at);
/* How much of a path is private: 0: nothing. */
size_t redact_path_private(const struct redact_public *known, struct str path, size_t least_parts);

/* redact_key.c: lines of private keys; to be called for the lines of the block that hold "-----". */
void redact_key_lines(struct redact *redact, struct str block);

/*
 * redact_view.c: the text without escape sequences, with `lost_colours` also without those that lost their
 * ESC. False: nothing to take out, the text is its own view. `map` says where its parts come from.
 */
struct redact_part {
	size_t view, raw; /* offsets where the part begins */
};
struct redact_map {
	VEC(struct redact_part) parts;
};
bool redact_view(struct str text, bool lost_colours, struct buf *view, struct redact_map *map);
size_t redact_map_raw(const struct redact_map *map, size_t view); /* of a byte of the view */

#endif

/* Words: public ones that are left alone, and names that are looked for everywhere. */
#include "core/redact_private.h"

#include <string.h>

enum {
	WORDS_MAX = 20 * 1000,
	DISTINCT_SIZE = 6,    /* letters with digits of this size are found within other words */
	PLAIN_SIZE_SHORT = 4, /* letters only, up to this size: may be part of any program's text */
	CUT_SIZE = 8,         /* ps, squeue and others cut user names */
	PID_SIZE_MIN = 5,
	PID_SIZE_MAX = 7,
	PIDS_MAX = 512, /* more would be all the numbers there are */
	TOKEN_SIZE_MIN = 8,
	JOB_SIZE_MIN = 6,
	STEM_SIZE_MIN = 6
};

static char folded(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte;
}

static size_t hash_of(struct str word)
{
	size_t hash = 5381;

	for (size_t i = 0; i < word.size; i++)
		hash = hash * 33 + (unsigned char)folded(word.data[i]);
	return hash ^ hash >> 15;
}

static size_t slot_of(const struct redact_set *set, struct str word)
{
	size_t slot = hash_of(word) & (set->capacity - 1);

	while (set->slots[slot].data && !str_equal_ascii_case(set->slots[slot], word))
		slot = (slot + 1) & (set->capacity - 1);
	return slot;
}

void redact_set_add(struct redact_set *set, struct str word)
{
	size_t slot;

	if (2 * set->count >= set->capacity) {
		struct redact_set bigger = {.capacity = set->capacity ? 2 * set->capacity : 64};

		bigger.slots = alloc_zeroed(bigger.capacity, sizeof(*bigger.slots));
		bigger.count = set->count;
		for (size_t i = 0; i < set->capacity; i++) {
			if (set->slots[i].data)
				bigger.slots[slot_of(&bigger, set->slots[i])] = set->slots[i];
		}
		free(set->slots);
		*set = bigger;
	}
	slot = slot_of(set, word);
	if (!set->slots[slot].data && word.size) {
		set->slots[slot] = word;
		set->count++;
	}
}

bool redact_set_has(const struct redact_set *set, struct str word)
{
	return set->capacity && word.size && set->slots[slot_of(set, word)].data;
}

void redact_set_release(struct redact_set *set)
{
	free(set->slots);
	*set = (struct redact_set){0};
}

void heads_add(struct redact_heads *heads, struct str text)
{
	uint32_t four = needle_four(text.data);
	uint32_t hash = text.size > 3 ? needle_hash_four(four) : needle_hash(four);

	heads->first[first_hash(text.data)] = 1;
	(text.size > 3 ? heads->four : heads->three)[hash / 64] |= (uint64_t)1 << hash % 64;
}

void needles_clear(struct redact_needles *needles)
{
	memset(needles->heads, 0xFF, sizeof(needles->heads));
	vec_clear(&needles->list);
}

void needles_add(struct redact_needles *needles, struct str text, uint32_t owner)
{
	uint32_t mask = text.size > 3 ? UINT32_MAX : 0xFFFFFFu;
	uint32_t first = needle_four(text.data) & mask;
	uint32_t hash = needle_hash(first);
	uint32_t *head = &needles->heads[hash & (NEEDLE_HEADS - 1)];

	vec_push(&needles->list, (struct redact_needle){text, first, mask, owner, *head});
	*head = (uint32_t)needles->list.count - 1;
}

static bool is_letter(char byte)
{
	return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

struct make_up {
	size_t letters, digits, others, wide;
};

static struct make_up make_up_of(struct str word)
{
	struct make_up made = {0};

	for (size_t i = 0; i < word.size; i++) {
		char byte = word.data[i];

		made.letters += is_letter(byte);
		made.digits += is_digit(byte);
		made.wide += (unsigned char)byte >= 0x80;
		made.others += !is_letter(byte) && !is_digit(byte) && (unsigned char)byte < 0x80;
	}
	return made;
}

static enum word_fit fit_of(enum redact_kind kind, struct str word)
{
	struct make_up made = make_up_of(word);

	if (made.digits == word.size && kind != REDACT_TOKEN)
		return WORD_NUMBER;
	if (made.wide || kind == REDACT_TOKEN)
		return WORD_ANYWHERE;
	if (made.letters == word.size)
		return word.size <= PLAIN_SIZE_SHORT ? WORD_ALONE : WORD_WHOLE;
	return word.size >= DISTINCT_SIZE && made.letters ? WORD_ANYWHERE : WORD_WHOLE;
}

bool redact_is_public_name(const struct redact *redact, struct str name)
{
	struct make_up made = make_up_of(name);

	return made.letters + made.wide == 0 || redact_set_has(&redact->known.names, name);
}

/* A name that one line says, and that is rare enough to be looked for in the others. */
static bool is_worth_it(const struct redact *redact, enum redact_kind kind, struct str value)
{
	struct make_up made = make_up_of(value);

	if (value.size < WORD_SIZE_MIN || value.size > WORD_SIZE_MAX || redact->words.count >= WORDS_MAX)
		return false;
	if (kind == REDACT_PID || (kind == REDACT_JOB && made.digits == value.size))
		return redact->pid_count < PIDS_MAX && made.digits == value.size &&
		       value.size >= PID_SIZE_MIN && value.size <= PID_SIZE_MAX;
	if (kind == REDACT_TOKEN)
		return value.size >= TOKEN_SIZE_MIN;
	if (made.wide)
		return made.wide >= 6;
	if (kind == REDACT_JOB && (value.size < JOB_SIZE_MIN || made.letters == value.size))
		return false;
	return !redact_is_public_name(redact, value);
}

static size_t word_slot(const struct redact *redact, struct str text)
{
	size_t slot = hash_of(text) & (redact->word_capacity - 1);

	while (redact->word_slots[slot] &&
	       !str_equal_ascii_case(redact->words.items[redact->word_slots[slot] - 1].text, text))
		slot = (slot + 1) & (redact->word_capacity - 1);
	return slot;
}

uint32_t redact_word_index(const struct redact *redact, struct str text)
{
	uint32_t found = redact->word_capacity ? redact->word_slots[word_slot(redact, text)] : 0;

	return found ? found - 1 : REDACT_NONE;
}

bool redact_is_known(const struct redact *redact, struct str name)
{
	return redact_word_index(redact, name) != REDACT_NONE || redact_set_has(&redact->people, name);
}

static void lengths_add(struct redact_lengths *lengths, struct str text)
{
	uint32_t hash = needle_hash(needle_four(text.data));

	lengths->bits[hash / 64] |= (uint64_t)1 << hash % 64;
	lengths->lengths[hash & (NEEDLE_HEADS - 1)][text.size / 64] |= (uint64_t)1 << text.size % 64;
}

/* Numbers are found where digits begin; other words by their first bytes. */
static void index_word(struct redact *redact, size_t index)
{
	const struct redact_word *word = &redact->words.items[index];

	redact->word_slots[word_slot(redact, word->text)] = (uint32_t)index + 1;
	if (word->fit == WORD_NUMBER) {
		uint32_t bit = number_bit(word->text);

		redact->pid_bits[bit / 64] |= (uint64_t)1 << bit % 64;
		return;
	}
	lengths_add(&redact->found, word->text);
	heads_add(&redact->heads, word->text);
}

static void index_all(struct redact *redact, size_t capacity)
{
	free(redact->word_slots);
	redact->word_slots = alloc_zeroed(capacity, sizeof(*redact->word_slots));
	redact->word_capacity = capacity;
	for (size_t i = 0; i < redact->words.count; i++)
		index_word(redact, i);
}

void redact_add_word(struct redact *redact, struct redact_word word)
{
	word.text = arena_copy(&redact->arena, word.text);
	vec_push(&redact->words, word);
	redact->pid_count += word.fit == WORD_NUMBER;
	redact->has_fresh = true;
	if (2 * redact->words.count > redact->word_capacity)
		index_all(redact, redact->word_capacity ? 2 * redact->word_capacity : 64);
	else
		index_word(redact, redact->words.count - 1);
	if (word.fit != WORD_NUMBER)
		lengths_add(&redact->fresh, word.text);
}

void redact_words_reset(struct redact *redact)
{
	redact->words.count = redact->word_base;
	redact->pid_count = 0;
	memset(redact->pid_bits, 0, sizeof(redact->pid_bits));
	memset(&redact->found, 0, sizeof(redact->found));
	redact->heads = redact->literal_heads;
	if (redact->word_capacity)
		index_all(redact, redact->word_capacity);
}

/* zw1234567 is zw12345+ in ps, zw123456 in squeue. */
static void add_cuts(struct redact *redact, struct str value, uint32_t whole, uint32_t rule)
{
	char cut[CUT_SIZE + 1];
	struct str shorter = {cut, CUT_SIZE};
	struct redact_word word = {.kind = REDACT_USER, .alias = whole, .rule = rule};

	memcpy(cut, value.data, CUT_SIZE);
	for (int i = 0; i < 2; i++) {
		word.text = shorter;
		word.fit = fit_of(REDACT_USER, shorter);
		if (word.fit == WORD_ANYWHERE)
			word.fit = WORD_WHOLE;
		if (redact_word_index(redact, shorter) == REDACT_NONE &&
		    !redact_is_public_name(redact, shorter))
			redact_add_word(redact, word);
		cut[CUT_SIZE - 1] = '+';
	}
}

/* hx-npu-a17 has neighbours hx-npu-a1 and hx-npu-a18. */
static void add_stem(struct redact *redact, struct str value, uint32_t rule)
{
	struct str stem = str_slice(value, 0, str_find_byte(value, '.'));
	struct str name;

	while (stem.size && is_digit(stem.data[stem.size - 1]))
		stem.size--;
	name = stem;
	while (name.size && strchr("-_", name.data[name.size - 1]))
		name.size--;
	if (stem.size < STEM_SIZE_MIN || stem.size > WORD_SIZE_MAX || redact_is_public_name(redact, name) ||
	    make_up_of(name).others == 0 || redact_word_index(redact, stem) != REDACT_NONE)
		return;
	redact_add_word(redact, (struct redact_word){.text = stem,
						     .kind = REDACT_HOST,
						     .fit = WORD_STEM,
						     .alias = REDACT_NONE,
						     .rule = rule});
}

static struct str trimmed(struct str value)
{
	while (value.size && strchr(".,:;-_'\"", value.data[0]))
		value = str_slice(value, 1, value.size);
	while (value.size && strchr(".,:;-_'\"", value.data[value.size - 1]))
		value.size--;
	return value;
}

void redact_learn(struct redact *redact, enum redact_kind kind, struct str value, uint32_t rule)
{
	struct make_up made;
	uint32_t index;

	if (kind == REDACT_MAIL) {
		value = str_slice(value, 0, str_find_byte(value, '@'));
		kind = REDACT_USER;
	}
	if (kind != REDACT_TOKEN)
		value = trimmed(value);
	if (!is_worth_it(redact, kind, value) || redact_word_index(redact, value) != REDACT_NONE)
		return;
	index = (uint32_t)redact->words.count;
	redact_add_word(redact, (struct redact_word){.text = value,
						     .kind = kind,
						     .fit = fit_of(kind, value),
						     .alias = REDACT_NONE,
						     .rule = rule});
	made = make_up_of(value);
	if (kind == REDACT_USER && value.size > CUT_SIZE && !made.wide)
		add_cuts(redact, value, index, rule);
	if (kind == REDACT_HOST)
		add_stem(redact, value, rule);
	if (kind == REDACT_HOST && str_find_byte(value, '.') != STR_NOT_FOUND) {
		struct str first = str_slice(value, 0, str_find_byte(value, '.'));

		made = make_up_of(first);
		if (made.letters && (made.digits || made.others) && first.size >= PLAIN_SIZE_SHORT)
			redact_learn(redact, kind, first, rule);
	}
}

static bool is_alone_before(struct str block, size_t at)
{
	unsigned char byte = at ? (unsigned char)block.data[at - 1] : ' ';

	return byte >= 0x80 || strchr(" \t\r\n\"'`/\\=:@,;([{<>|~_-", (char)byte);
}

static bool is_alone_after(struct str block, size_t to)
{
	unsigned char byte = to < block.size ? (unsigned char)block.data[to] : ' ';

	if (byte == '.')
		return to + 1 >= block.size || strchr(" \t\r\n", block.data[to + 1]);
	return byte >= 0x80 || strchr(" \t\r\n\"'`/\\:@,;)]}<>|$#?!_-", (char)byte);
}

bool redact_word_fits(const struct redact_word *word, struct str block, size_t at)
{
	size_t to = at + word->text.size;
	char before = at ? block.data[at - 1] : ' ';
	char after = to < block.size ? block.data[to] : ' ';
	char first = word->text.data[0];
	char last = word->text.data[word->text.size - 1];
	bool plain;

	switch (word->fit) {
	case WORD_ANYWHERE:
		return true;
	case WORD_NUMBER:
		if ((after == '.' || after == ':') && to + 1 < block.size && is_digit(block.data[to + 1]))
			return false;
		return !is_digit(before) && !is_letter(before) && before != '.' && before != ':' &&
		       !is_digit(after) && !is_letter(after);
	case WORD_ALONE:
		return str_equal(str_slice(block, at, to), word->text) && is_alone_before(block, at) &&
		       is_alone_after(block, to);
	case WORD_STEM:
		return !is_digit(before) && !is_letter(before) && before != '-' && is_digit(after);
	case WORD_WHOLE:
		break;
	}
	/* Of a word of letters, a digit beside it is another word: zhangwei2. */
	plain = make_up_of(word->text).letters == word->text.size;
	return !(is_letter(before) && is_letter(first)) && !(is_letter(after) && is_letter(last)) &&
	       (plain || (!(is_digit(before) && is_digit(first)) && !(is_digit(after) && is_digit(last))));
}

/* https://user@docs.pytorch.org:443/x, git@github.com:ascend/x.git, docs.pytorch.org: the site's name. */
static struct str site_of(struct str url, struct str *rest)
{
	size_t scheme = str_find(url, STR("://"));
	size_t end = 0, user;

	if (scheme != STR_NOT_FOUND)
		url = str_slice(url, scheme + 3, url.size);
	user = str_find_byte(str_slice(url, 0, str_find_byte(url, '/')), '@');
	if (user != STR_NOT_FOUND)
		url = str_slice(url, user + 1, url.size);
	while (end < url.size && !strchr(":/?#", url.data[end]))
		end++;
	*rest = str_slice(url, end, url.size);
	return str_slice(url, 0, end);
}

bool redact_is_public_site(const struct redact *redact, struct str url)
{
	const struct redact_set *sites = &redact->known.sites;
	struct str rest, site = site_of(url, &rest);
	struct buf with_owner = {0};
	size_t end = 1, dot;
	bool found = false;

	if (rest.size && rest.data[0] == ':')
		while (end < rest.size && is_digit(rest.data[end]))
			end++;
	if (end > 1 && end < rest.size && rest.data[end] == '/')
		end++;
	rest = str_slice(rest, end > 1 ? end : 1, rest.size);
	end = 0;
	while (end < rest.size && !strchr("/?#'\"", rest.data[end]))
		end++;
	buf_add(&with_owner, site);
	buf_add_byte(&with_owner, '/');
	buf_add(&with_owner, str_slice(rest, 0, end));
	if (redact_set_has(sites, buf_str(&with_owner)))
		found = true;
	for (; !found && site.size; site = str_slice(site, dot + 1, site.size)) {
		found = redact_set_has(sites, site);
		dot = str_find_byte(site, '.');
		if (dot == STR_NOT_FOUND)
			break;
	}
	buf_release(&with_owner);
	return found;
}

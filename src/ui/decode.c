#include "ui/decode.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "base/vec.h"

#include <string.h>

enum {
	ESCAPE = 0x1b,
	BELL = 0x07,
	SEQUENCE_LIMIT = 4096, /* an escape sequence longer than that is noise */
	NO_KEY = 0
};

struct own_key {
	char bytes[16];
	uint32_t key;
};

struct decoder {
	struct buf in; /* not yet decoded */
	size_t at;     /* what of it is decoded */
	uint64_t fed_ms;
	bool pasting;
	bool unmarked;     /* that paste came without marks: silence ends it */
	bool marks_pastes; /* the terminal has marked one: what is not marked was typed */
	struct buf paste;
	bool paste_given; /* to be cleared by the next call */
	VEC(struct own_key) own_keys;
	int press_row, press_column;
	uint64_t press_ms; /* 0: no press that a second one could make double */
};

/* Final letters of CSI and SS3 sequences (ESC [ A, ESC O A). */
static const struct {
	char final;
	uint32_t key;
} letter_keys[] = {
	{'A', KEY_UP_},       {'B', KEY_DOWN_}, {'C', KEY_RIGHT_},  {'D', KEY_LEFT_},   {'F', KEY_END_},
	{'H', KEY_HOME_},     {'P', KEY_F1_},   {'Q', KEY_F1_ + 1}, {'R', KEY_F1_ + 2}, {'S', KEY_F1_ + 3},
	{'Z', KEY_BACK_TAB_}, {'a', KEY_UP_},   {'b', KEY_DOWN_},   {'c', KEY_RIGHT_},  {'d', KEY_LEFT_},
};

/* The keypad in application mode: ESC O and one of these. */
static const char keypad[] = "M\rX=j*k+l,m-n.o/p0q1r2s3t4u5v6w7x8y9";

/* The number of ESC [ NUMBER ~. Home and End have three spellings. */
static const struct {
	unsigned number;
	uint32_t key;
} tilde_keys[] = {
	{1, KEY_HOME_},      {2, KEY_INSERT_},  {3, KEY_DELETE_},  {4, KEY_END_},      {5, KEY_PAGE_UP_},
	{6, KEY_PAGE_DOWN_}, {7, KEY_HOME_},    {8, KEY_END_},     {11, KEY_F1_},      {12, KEY_F1_ + 1},
	{13, KEY_F1_ + 2},   {14, KEY_F1_ + 3}, {15, KEY_F1_ + 4}, {17, KEY_F1_ + 5},  {18, KEY_F1_ + 6},
	{19, KEY_F1_ + 7},   {20, KEY_F1_ + 8}, {21, KEY_F1_ + 9}, {23, KEY_F1_ + 10}, {24, KEY_F12_},
};

enum { PARAMETERS = 6 };

/* ESC [ PREFIX parameters FINAL */
struct csi {
	char prefix; /* one of <=>? or 0 */
	unsigned parameters[PARAMETERS];
	size_t count;
	char final;
};

struct decoder *decode_new(void)
{
	return alloc_zeroed(1, sizeof(struct decoder));
}

void decode_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	buf_release(&decoder->in);
	buf_release(&decoder->paste);
	vec_release(&decoder->own_keys);
	free(decoder);
}

void decode_add_key(struct decoder *decoder, const char *bytes, uint32_t key)
{
	struct own_key own = {.key = key};

	if (!bytes || strlen(bytes) < 2 || strlen(bytes) >= sizeof(own.bytes) ||
	    (unsigned char)bytes[0] >= ' ')
		return;
	memcpy(own.bytes, bytes, strlen(bytes));
	vec_push(&decoder->own_keys, own);
}

static struct str waiting(const struct decoder *decoder)
{
	return str_slice(buf_str(&decoder->in), decoder->at, decoder->in.size);
}

/* Lines of words that came in one piece: faster than anyone types, so from a terminal that does not mark
 * pastes. */
static bool looks_pasted(struct str bytes)
{
	struct str text = str_trim(bytes);
	bool lines = false;

	if (text.size < DECODE_UNMARKED_BYTES || str_find(text, STR(" ")) == STR_NOT_FOUND)
		return false;
	if (bytes.data[0] == ESCAPE)
		return false;
	for (size_t i = 0; i < text.size; i++)
		lines = lines || text.data[i] == '\r' || text.data[i] == '\n';
	return lines;
}

void decode_feed(struct decoder *decoder, struct str bytes, uint64_t now_ms)
{
	if (bytes.size == 0)
		return;
	if (!decoder->pasting && !decoder->marks_pastes && waiting(decoder).size == 0 && looks_pasted(bytes))
		decoder->pasting = decoder->unmarked = true;
	buf_remove(&decoder->in, 0, decoder->at);
	decoder->at = 0;
	buf_add(&decoder->in, bytes);
	decoder->fed_ms = now_ms;
}

uint64_t decode_deadline(const struct decoder *decoder)
{
	if (decoder->pasting)
		return decoder->fed_ms + (decoder->unmarked ? DECODE_UNMARKED_MS : DECODE_PASTE_MS);
	return waiting(decoder).size ? decoder->fed_ms + DECODE_ESCAPE_MS : UINT64_MAX;
}

static bool give_key(struct event *event, uint32_t key)
{
	if (key == NO_KEY)
		return false;
	event->kind = EVENT_KEY;
	event->u.key = key;
	return true;
}

/* xterm's modifier parameter: 1 + bits (1 Shift, 2 Alt, 4 Ctrl). */
static uint32_t modified(uint32_t key, unsigned parameter)
{
	unsigned bits = parameter ? parameter - 1 : 0;

	if (!(bits & 6))
		return key;
	/* Ctrl or Alt with an arrow goes by words in a line, as readline has it. */
	if (key == KEY_LEFT_)
		return KEY_ALT_ | 'b';
	if (key == KEY_RIGHT_)
		return KEY_ALT_ | 'f';
	if (key >= KEY_SPECIAL_)
		return key;
	if (bits & 4 && ((key | 0x20) >= 'a' && (key | 0x20) <= 'z'))
		key = KEY_CTRL_(key | 0x20);
	return bits & 2 ? KEY_ALT_ | key : key;
}

/* A character that came as a number. */
static uint32_t character_key(unsigned number)
{
	return number > 0x10ffff || (number >= 0x80 && number < 0xa0) ? NO_KEY : number;
}

static uint32_t letter_key(char final)
{
	for (size_t i = 0; i < sizeof(letter_keys) / sizeof(letter_keys[0]); i++)
		if (letter_keys[i].final == final)
			return letter_keys[i].key;
	return NO_KEY;
}

static uint32_t tilde_key(unsigned number)
{
	for (size_t i = 0; i < sizeof(tilde_keys) / sizeof(tilde_keys[0]); i++)
		if (tilde_keys[i].number == number)
			return tilde_keys[i].key;
	return NO_KEY;
}

/* `button` is xterm's: bits 0-1 the button, 2-4 modifiers, 5 motion, 6 wheel. */
static bool give_mouse(struct decoder *decoder, struct event *event, unsigned button, int row, int column)
{
	enum mouse_action action;

	if (row < 0 || column < 0 || button & 32)
		return false;
	button &= ~28u;
	if (button == 64) {
		action = MOUSE_WHEEL_UP;
	} else if (button == 65) {
		action = MOUSE_WHEEL_DOWN;
	} else if (button == 0) {
		bool again = decoder->press_ms && event->now_ms - decoder->press_ms <= DECODE_DOUBLE_MS &&
			     decoder->press_row == row && decoder->press_column == column;

		action = again ? MOUSE_DOUBLE : MOUSE_PRESS;
		decoder->press_ms = again ? 0 : event->now_ms;
		decoder->press_row = row;
		decoder->press_column = column;
	} else {
		return false;
	}
	event->kind = EVENT_MOUSE;
	event->u.mouse.row = row;
	event->u.mouse.column = column;
	event->u.mouse.action = action;
	return true;
}

/* The length of the CSI sequence at the start of `text`, 0 when its end is not there yet. */
static size_t parse_csi(struct str text, struct csi *csi)
{
	size_t at = 2;

	*csi = (struct csi){0};
	if (at < text.size && strchr("<=>?", text.data[at]) && text.data[at])
		csi->prefix = text.data[at++];
	for (; at < text.size; at++) {
		char byte = text.data[at];

		if (byte >= '0' && byte <= '9') {
			if (csi->count == 0)
				csi->count = 1;
			if (csi->count <= PARAMETERS && csi->parameters[csi->count - 1] < 10000000)
				csi->parameters[csi->count - 1] =
					csi->parameters[csi->count - 1] * 10 + (unsigned)(byte - '0');
		} else if (byte == ';' || byte == ':') {
			csi->count += csi->count == 0 ? 2 : 1;
		} else if (byte >= 0x20 && byte <= 0x2f) {
			continue; /* an intermediate byte: none that means anything here */
		} else if (byte >= 0x40 && byte <= 0x7e) {
			csi->final = byte;
			return at + 1;
		} else {
			return at; /* broken off by something else, which is looked at next */
		}
	}
	return 0;
}

static bool give_csi(struct decoder *decoder, struct event *event, const struct csi *csi)
{
	const unsigned *parameters = csi->parameters;

	if (csi->prefix == '<') {
		return csi->final == 'M' && csi->count >= 3 &&
		       give_mouse(decoder, event, parameters[0], (int)parameters[2] - 1,
				  (int)parameters[1] - 1);
	}
	if (csi->prefix)
		return false;
	if (csi->final == '~') {
		if (parameters[0] == 200) {
			decoder->pasting = decoder->marks_pastes = true;
			buf_clear(&decoder->paste);
			return false;
		}
		if (parameters[0] == 27 && csi->count == 3) /* xterm's modifyOtherKeys */
			return give_key(event, modified(character_key(parameters[2]), parameters[1]));
		return give_key(event, modified(tilde_key(parameters[0]), parameters[1]));
	}
	if (csi->final == 'u') /* kitty's and fixterms' spelling of the same */
		return give_key(event, modified(character_key(parameters[0]), parameters[1]));
	/* Keys have 1 there or nothing; ESC [ 12 ; 40 R is the cursor's position and not F3. */
	return parameters[0] <= 1 && give_key(event, modified(letter_key(csi->final), parameters[1]));
}

/* ESC ] … , ESC P … and their like: an answer of the terminal, up to BEL or ESC \. 0: no end yet. */
static size_t string_length(struct str text)
{
	for (size_t i = 2; i < text.size; i++) {
		if (text.data[i] == BELL)
			return i + 1;
		if (text.data[i] == ESCAPE && i + 1 < text.size)
			return text.data[i + 1] == '\\' ? i + 2 : i;
	}
	return 0;
}

/* Does `text` start with a key that decode_add_key told? Else: might it, once more bytes are there? */
static const struct own_key *find_own_key(const struct decoder *decoder, struct str text, bool *might)
{
	const struct own_key *longest = NULL;

	*might = false;
	for (size_t i = 0; i < decoder->own_keys.count; i++) {
		const struct own_key *own = &decoder->own_keys.items[i];
		struct str bytes = str_of(own->bytes);

		if (str_starts(text, bytes)) {
			if (!longest || bytes.size > strlen(longest->bytes))
				longest = own;
		} else if (str_starts(bytes, text)) {
			*might = true;
		}
	}
	return longest;
}

/* One character without ESC before it. *used 0: it is not there completely. */
static uint32_t plain_key(struct str text, bool late, size_t *used)
{
	unsigned char first = (unsigned char)text.data[0];
	size_t need = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
	uint32_t character;

	*used = 1;
	if (first == '\b')
		return KEY_BACKSPACE_;
	if (first < 0x80)
		return first; /* NUL gives no key */
	character = utf8_at(text, 0, used);
	if (character != UTF8_INVALID)
		return character < 0xa0 ? NO_KEY : character; /* C1 controls are no text */
	if (text.size < need && !late && first < 0xf5)
		*used = 0;
	else
		*used = 1;
	return NO_KEY;
}

/* What starts with ESC. Returns the bytes it takes, 0: wait for more. *key NO_KEY and no event: swallowed. */
static size_t escape(struct decoder *decoder, struct str text, bool late, struct event *event, bool *given)
{
	struct csi csi;
	size_t used;
	char second = text.size > 1 ? text.data[1] : '\0';
	uint32_t key;

	*given = false;
	if (text.size == 1 || second == ESCAPE) {
		if (text.size == 1 && !late)
			return 0;
		*given = give_key(event, KEY_ESCAPE_);
		return 1;
	}
	if (second == '[' && text.size > 2) {
		if (text.data[2] == '[') { /* the Linux console's F1 to F5: ESC [ [ A */
			if (text.size < 4)
				return late ? text.size : 0;
			if (text.data[3] >= 'A' && text.data[3] <= 'E')
				*given = give_key(event, KEY_F1_ + (uint32_t)(text.data[3] - 'A'));
			return 4;
		}
		if (text.data[2] == 'M') { /* the old mouse report: three bytes */
			if (text.size < 6)
				return late ? text.size : 0;
			*given = give_mouse(decoder, event, (unsigned char)text.data[3] - 32u,
					    (unsigned char)text.data[5] - 33,
					    (unsigned char)text.data[4] - 33);
			return 6;
		}
		used = parse_csi(text, &csi);
		if (used == 0)
			return late || text.size > SEQUENCE_LIMIT ? text.size : 0;
		if (csi.final)
			*given = give_csi(decoder, event, &csi);
		return used;
	}
	if (second == 'O' && text.size > 2) {
		const char *pad = strchr(keypad, text.data[2]);

		key = letter_key(text.data[2]);
		if (key == NO_KEY && pad && text.data[2] && (pad - keypad) % 2 == 0)
			key = (uint32_t)pad[1];
		*given = give_key(event, key);
		return 3;
	}
	if (strchr("]PX^_", second) && text.size > 2 && second) {
		used = string_length(text);
		if (used == 0)
			return late || text.size > SEQUENCE_LIMIT ? text.size : 0;
		return used;
	}
	if (strchr("[O]PX^_", second) && second && !late)
		return 0; /* a key with Alt, or the start of a sequence: time will tell */
	key = plain_key(str_slice(text, 1, text.size), late, &used);
	if (used == 0)
		return 0;
	if (key != NO_KEY)
		*given = give_key(event, KEY_ALT_ | key);
	return 1 + used;
}

/* In a paste: take what belongs to it. True: it is complete. */
static bool collect_paste(struct decoder *decoder, struct str text, bool late)
{
	static const struct str end = STR_INIT("\033[201~");
	size_t at = decoder->unmarked ? STR_NOT_FOUND : str_find(text, end);
	size_t take = at == STR_NOT_FOUND ? text.size : at;
	size_t room = DECODE_PASTE_LIMIT - decoder->paste.size;
	bool done = at != STR_NOT_FOUND || late;

	/* The end mark may be there in part. */
	if (!done && !decoder->unmarked)
		for (size_t part = end.size - 1; part > 0; part--)
			if (str_ends(text, str_slice(end, 0, part))) {
				take -= part;
				break;
			}
	buf_add(&decoder->paste, str_slice(text, 0, take < room ? take : room));
	decoder->at += at == STR_NOT_FOUND ? take : take + end.size;
	if (done)
		decoder->pasting = decoder->unmarked = false;
	return done;
}

bool decode_next(struct decoder *decoder, uint64_t now_ms, struct event *event)
{
	bool late = now_ms >= decode_deadline(decoder);

	*event = (struct event){.now_ms = now_ms};
	if (decoder->paste_given) {
		decoder->paste_given = false;
		buf_release(&decoder->paste);
	}
	for (;;) {
		struct str text = waiting(decoder);
		const struct own_key *own;
		bool might, given = false;
		size_t used;
		uint32_t key;

		if (decoder->pasting) {
			if (!collect_paste(decoder, text, late))
				return false;
			event->kind = EVENT_PASTE;
			event->u.text = buf_str(&decoder->paste);
			decoder->paste_given = true;
			return true;
		}
		if (text.size == 0)
			return false;
		own = find_own_key(decoder, text, &might);
		if (own) {
			decoder->at += strlen(own->bytes);
			return give_key(event, own->key);
		}
		if (might && !late)
			return false;
		if (text.data[0] == ESCAPE) {
			used = escape(decoder, text, late, event, &given);
		} else {
			key = plain_key(text, late, &used);
			given = used && give_key(event, key);
		}
		if (used == 0)
			return false;
		decoder->at += used;
		if (given)
			return true;
	}
}

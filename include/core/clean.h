/*
 * clean: the raw bytes of a log -> lines that a signature can be matched against.
 *
 * Nothing here knows a launcher: prefixes are core/framing.h's. Pure functions on bytes; any input is fine.
 */
#ifndef CORE_CLEAN_H
#define CORE_CLEAN_H

#include "base/buf.h"

/*
 * Append `raw` (part of a line, a line or several) without what terminals would not show: escape sequences
 * (CSI, OSC and others; also colours that lost their ESC, `[36m`), control characters, NUL, byte order marks.
 * Invalid UTF-8 becomes U+FFFD. A carriage return inside a line becomes a line end: each state of a progress
 * bar is a line of its own. What copying through chats and web pages changed is put back: curled quotes,
 * blanks that do not break, HTML's &lt; and its kin. Blanks at line ends go, also those before a carriage return.
 */
void clean_add(struct buf *out, struct str raw);

/* Would clean_add leave these bytes as they are? Cheap; may say no when it would. */
bool clean_is_plain(struct str raw);

/* Does it hold an escaped line end or colour, as strings of JSON do? */
bool clean_is_escaped(struct str text);

/*
 * Append `text` with the escapes of a JSON string or of Python's repr resolved (\n \t \r \" \' \\ \/ \uXXXX),
 * doubled ones too. Returns false, and appends nothing, when it is not clean_is_escaped.
 */
bool clean_unescape(struct buf *out, struct str text);

/* UTF-16 with a byte order mark comes as bytes in pieces of any size. */
struct clean_utf16 {
	bool big_endian;
	unsigned char odd; /* the half of a unit that came last */
	bool has_odd;
	uint32_t high; /* a high surrogate that waits for its low one, else 0 */
};
void clean_utf16_add(struct clean_utf16 *state, struct buf *out, const char *bytes, size_t size);
void clean_utf16_finish(struct clean_utf16 *state, struct buf *out); /* what was cut off becomes U+FFFD */

#endif

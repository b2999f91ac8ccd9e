/*
 * utf8: characters, their width on a terminal, and folding for search.
 *
 * Input is any bytes: a byte that is not part of well-formed UTF-8 counts as one character of one byte
 * (UTF8_INVALID), so that loops always go on and never read past the end. Widths follow utf8proc
 * (Unicode East Asian Width; ambiguous is narrow).
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

#define UTF8_INVALID 0xFFFFFFFFu

/* The character at `at` (which is less than text.size); *size is its bytes, at least 1. */
uint32_t utf8_at(struct str text, size_t at, size_t *size);
void utf8_add(struct buf *buf, uint32_t character);

/* Columns of one character: 0 (combining, control), 1 or 2. An invalid byte is 1 wide (shown as U+FFFD). */
int utf8_char_width(uint32_t character);

/*
 * The grapheme cluster that starts at `at`: what the cursor steps over and what must never be cut.
 * *columns gets its width. Returns its end offset.
 */
size_t utf8_grapheme_end(struct str text, size_t at, int *columns);
size_t utf8_grapheme_start(struct str text, size_t at); /* of the cluster that ends at `at` */

size_t utf8_width(struct str text); /* columns of the whole text */

/* End offset of the longest prefix of whole clusters that fits into `columns`. */
size_t utf8_fit(struct str text, size_t columns);

bool utf8_is_valid(struct str text);
bool utf8_is_wide_script(uint32_t character); /* CJK: has no blanks between words */

/*
 * Fold for comparison: NFKC-like compatibility (full-width to half-width), case removed, marks kept.
 * `offsets`, if not null, gets for each output byte the input offset it comes from (a VEC-like array that
 * the caller frees), so that a hit in folded text can be shown in the original.
 */
void utf8_fold(struct str text, struct buf *out, uint32_t **offsets);

/* What moves the cursor or turns the text around: C0, DEL, C1, bidirectional controls. */
bool utf8_is_control(uint32_t character);

/*
 * Append `text` so that it is safe on a terminal: control characters (C0 but for \n and \t, DEL, C1),
 * bidirectional overrides and invalid bytes become U+FFFD, or `?` when `ascii`; with `ascii` every
 * character above 126 becomes `?`, as many as it has columns.
 */
void utf8_add_printable(struct buf *out, struct str text, bool ascii);

#endif

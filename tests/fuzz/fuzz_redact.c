/* Redaction: the pieces that a text comes in make no difference; what came out can go in again. */
#include "fuzz.h"

#include "core/redact.h"

static void in_pieces(struct redact *redact, struct str bytes, size_t piece, struct buf *out)
{
	redact_reset(redact);
	while (bytes.size) {
		struct str part = str_slice(bytes, 0, piece);

		redact_feed(redact, part.data, part.size, out);
		bytes = str_slice(bytes, piece, bytes.size);
	}
	redact_finish(redact, out);
}

void fuzz_redact(struct str bytes)
{
	static struct redact *redact;
	size_t piece = 1 + fuzz_number(&bytes, 64);
	struct buf whole = {0}, pieces = {0}, again = {0};

	if (!redact)
		redact = redact_new(fuzz_kb());
	in_pieces(redact, bytes, bytes.size + 1, &whole);
	in_pieces(redact, bytes, piece, &pieces);
	FUZZ_CHECK(str_equal(buf_str(&whole), buf_str(&pieces)));
	in_pieces(redact, buf_str(&whole), piece, &again);
	buf_release(&whole);
	buf_release(&pieces);
	buf_release(&again);
}

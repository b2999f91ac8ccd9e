#include "core/history.h"

#include "base/utf8.h"

#include <string.h>

static const struct str line_start = STR_INIT("h1 ");

static const struct {
	const char *name;
	struct text says;
} kinds[HISTORY_KIND_COUNT] = {
	[HISTORY_LOOKED] = {"looked", {{STR_INIT("查看"), STR_INIT("looked at")}}},
	[HISTORY_COPIED] = {"copied", {{STR_INIT("复制"), STR_INIT("copied")}}},
	[HISTORY_PROMPTED] = {"prompted", {{STR_INIT("放到命令行"), STR_INIT("put on the prompt")}}},
	[HISTORY_CHECKED] = {"checked", {{STR_INIT("检查"), STR_INIT("checked")}}},
	[HISTORY_CONFIRMED] = {"confirmed", {{STR_INIT("手动确认"), STR_INIT("confirmed by hand")}}},
	[HISTORY_SKIPPED] = {"skipped", {{STR_INIT("跳过"), STR_INIT("skipped")}}},
	[HISTORY_FINISHED] = {"finished", {{STR_INIT("完成"), STR_INIT("finished")}}},
};

static const char *const result_names[] = {
	[PROBE_UNKNOWN] = "unknown", [PROBE_OK] = "ok",         [PROBE_WARN] = "warn",
	[PROBE_FAIL] = "fail",       [PROBE_ABSENT] = "absent", [PROBE_UNTRUSTED] = "untrusted",
};

enum { RESULTS = sizeof(result_names) / sizeof(*result_names) };

struct str history_kind_name(enum history_kind kind)
{
	return str_of(kinds[kind].name);
}

struct str history_kind_text(enum history_kind kind, enum lang lang)
{
	return text_in(&kinds[kind].says, lang);
}

/* ---- Lines: "h1 TIME KIND RESULT ENTRY TEXT"; in the last two a control byte, a blank or \ is \xHH. ---- */

static void add_escaped(struct buf *out, struct str text, bool blanks_too)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned char byte = (unsigned char)text.data[i];

		if (byte < ' ' || byte == 0x7F || byte == '\\' || (blanks_too && byte == ' '))
			buf_add_format(out, "\\x%02x", byte);
		else
			buf_add_byte(out, text.data[i]);
	}
}

static int hex_digit(char digit)
{
	const char *digits = "0123456789abcdef";
	const char *at = digit ? strchr(digits, digit) : NULL;

	return at ? (int)(at - digits) : -1;
}

static struct str unescape(struct arena *arena, struct str text)
{
	char *out = arena_take(arena, text.size + 1);
	size_t size = 0;

	for (size_t i = 0; i < text.size; i++) {
		int high = i + 3 < text.size ? hex_digit(text.data[i + 2]) : -1;
		int low = i + 3 < text.size ? hex_digit(text.data[i + 3]) : -1;

		if (text.data[i] == '\\' && i + 3 < text.size && text.data[i + 1] == 'x' && high >= 0 &&
		    low >= 0) {
			out[size++] = (char)(high * 16 + low);
			i += 3;
		} else {
			out[size++] = text.data[i];
		}
	}
	return (struct str){out, size};
}

/* As much of it as an event keeps, never through a character. */
static struct str cut(struct str text)
{
	size_t end = 0, size;

	while (end < text.size) {
		utf8_at(text, end, &size);
		if (end + size > HISTORY_TEXT)
			break;
		end += size;
	}
	return str_slice(text, 0, end);
}

void history_add_line(const struct history_event *event, struct buf *out)
{
	struct str text = cut(event->text);

	buf_add_format(out, "%.*s%llu %s %s ", STR_ARG(line_start), (unsigned long long)event->when_s,
		       kinds[event->kind].name,
		       event->kind == HISTORY_CHECKED ? result_names[event->result] : "-");
	if (event->entry.size == 0)
		buf_add_byte(out, '-');
	add_escaped(out, cut(event->entry), true);
	buf_add_byte(out, ' ');
	add_escaped(out, text, false);
	if (text.size < event->text.size)
		buf_add(out, STR("…"));
	buf_add_byte(out, '\n');
}

static bool take_word(struct str *rest, struct str *word)
{
	size_t blank = str_find_byte(*rest, ' ');

	if (blank == STR_NOT_FOUND)
		return false;
	*word = str_slice(*rest, 0, blank);
	*rest = str_slice(*rest, blank + 1, rest->size);
	return true;
}

static size_t find_name(struct str name, const char *(*name_of)(size_t index), size_t count)
{
	size_t i = 0;

	while (i < count && !str_equal(name, str_of(name_of(i))))
		i++;
	return i;
}

static const char *kind_name(size_t index)
{
	return kinds[index].name;
}

static const char *result_name(size_t index)
{
	return result_names[index];
}

static bool read_line(struct arena *arena, struct str line, struct history_event *event)
{
	struct str rest = str_slice(line, line_start.size, line.size), time, kind, result, entry;
	size_t kind_index, result_index;

	if (!str_starts(line, line_start) || !take_word(&rest, &time) || !take_word(&rest, &kind) ||
	    !take_word(&rest, &result) || !take_word(&rest, &entry) || !str_to_u64(time, &event->when_s))
		return false;
	kind_index = find_name(kind, kind_name, HISTORY_KIND_COUNT);
	result_index = find_name(result, result_name, RESULTS);
	if (kind_index == HISTORY_KIND_COUNT || (kind_index == HISTORY_CHECKED && result_index == RESULTS))
		return false;
	event->kind = (enum history_kind)kind_index;
	event->result = result_index < RESULTS ? (enum probe_state)result_index : PROBE_UNKNOWN;
	event->entry = str_equal(entry, STR("-")) ? (struct str){0} : unescape(arena, entry);
	event->text = unescape(arena, rest);
	return true;
}

/* The end of the last whole line. */
static struct str whole_lines(struct str text)
{
	while (text.size > 0 && text.data[text.size - 1] != '\n')
		text.size--;
	return text;
}

static struct str newest_lines(struct str text, size_t lines, size_t bytes)
{
	size_t start = text.size, line_end = text.size, count = 0;

	while (line_end > 0 && count < lines) {
		size_t line = line_end - 1;

		while (line > 0 && text.data[line - 1] != '\n')
			line--;
		if (text.size - line > bytes)
			break;
		start = line_end = line;
		count++;
	}
	return str_slice(text, start, text.size);
}

void history_read(struct history_log *log, struct str text)
{
	struct str rest = newest_lines(whole_lines(text), HISTORY_MOST, SIZE_MAX), line;
	struct history_event event = {0};

	while (str_next(&rest, '\n', &line)) {
		if (read_line(&log->arena, line, &event))
			vec_push(&log->list, event);
	}
}

void history_release(struct history_log *log)
{
	vec_release(&log->list);
	arena_release(&log->arena);
	*log = (struct history_log){0};
}

/* Well below the limit, so that it is not done again with every line that follows. */
struct str history_compact(struct str text)
{
	return newest_lines(whole_lines(text), HISTORY_MOST, HISTORY_FILE_LIMIT / 4 * 3);
}

/* ---- For the reader. ---------------------------------------------------------------------------------- */

/* Days since 1970 -> date; Howard Hinnant's civil_from_days, for days from 0 on. */
static void date_of(uint64_t days, unsigned *year, unsigned *month, unsigned *day)
{
	uint64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
	uint64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	uint64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

	*day = (unsigned)(doy - (153 * mp + 2) / 5 + 1);
	*month = (unsigned)(mp < 10 ? mp + 3 : mp - 9);
	*year = (unsigned)(yoe + era * 400 + (*month <= 2));
}

void history_add_time(uint64_t when_s, int64_t zone_s, struct buf *out)
{
	const uint64_t last = 253402300799u; /* the end of the year 9999 */
	uint64_t local = when_s > last ? last : when_s;
	unsigned year, month, day;

	if (zone_s >= 0 || local >= (uint64_t)-zone_s)
		local = (uint64_t)((int64_t)local + zone_s);
	date_of(local / 86400, &year, &month, &day);
	buf_add_format(out, "%04u-%02u-%02u %02u:%02u:%02u", year, month, day, (unsigned)(local / 3600 % 24),
		       (unsigned)(local / 60 % 60), (unsigned)(local % 60));
}

static void add_report_line(const struct history_event *event, int64_t zone_s, enum lang lang,
			    struct buf *out)
{
	struct str line, rest = event->text;

	buf_add(out, STR("- "));
	history_add_time(event->when_s, zone_s, out);
	buf_add_format(out, "  %.*s  %.*s", STR_ARG(event->entry),
		       STR_ARG(history_kind_text(event->kind, lang)));
	if (event->kind == HISTORY_CHECKED)
		buf_add_format(out, " [%s]", result_names[event->result]);
	if (event->text.size > 0)
		buf_add(out, lang == LANG_ZH ? STR("：") : STR(": "));
	for (bool first = true; str_next(&rest, '\n', &line); first = false) {
		buf_add(out, first ? STR("") : STR("; "));
		utf8_add_printable(out, line, false);
	}
	buf_add_byte(out, '\n');
}

void history_add_report(const struct history_log *log, struct str entry, int64_t zone_s, enum lang lang,
			struct buf *out)
{
	for (size_t i = 0; i < log->list.count; i++) {
		const struct history_event *event = &log->list.items[i];

		if (entry.size == 0 || str_equal(entry, event->entry))
			add_report_line(event, zone_s, lang, out);
	}
}

static bool was_tried(const struct history_event *event, uint64_t since_s, const struct str *entries,
		      size_t entry_count)
{
	bool wanted = event->when_s >= since_s;

	for (size_t i = 0; i < entry_count && !wanted; i++)
		wanted = str_equal(entries[i], event->entry);
	return wanted && event->kind != HISTORY_LOOKED;
}

void history_add_tried(const struct history_log *log, uint64_t since_s, const struct str *entries,
		       size_t entry_count, int64_t zone_s, enum lang lang, struct buf *out)
{
	size_t first = log->list.count, count = 0;

	while (first > 0 && count < HISTORY_TRIED)
		count += was_tried(&log->list.items[--first], since_s, entries, entry_count);
	for (size_t i = first; i < log->list.count; i++) {
		if (was_tried(&log->list.items[i], since_s, entries, entry_count))
			add_report_line(&log->list.items[i], zone_s, lang, out);
	}
}

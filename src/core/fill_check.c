#include "core/fill.h"

#include "core/version.h"

#include <string.h>

enum { LONGEST_INTERFACE = 15 /* IFNAMSIZ without its NUL */, LONGEST_NUMBER = 18 };

static bool refuse(struct buf *why, enum lang lang, const char *zh, const char *en)
{
	if (why)
		buf_add(why, str_of(lang == LANG_ZH ? zh : en));
	return false;
}

static bool is_digits(struct str value)
{
	for (size_t i = 0; i < value.size; i++) {
		if (value.data[i] < '0' || value.data[i] > '9')
			return false;
	}
	return value.size > 0;
}

/* A number as a program reads it: no sign, no leading zero (which some take for octal). */
static bool to_number(struct str value, uint64_t *number)
{
	return is_digits(value) && value.size <= LONGEST_NUMBER &&
	       (value.size == 1 || value.data[0] != '0') && str_to_u64(value, number);
}

static bool split_range(struct str range, uint64_t *low, uint64_t *high)
{
	size_t dash = str_find_byte(range, '-');

	return dash != STR_NOT_FOUND && to_number(str_slice(range, 0, dash), low) &&
	       to_number(str_slice(range, dash + 1, range.size), high);
}

static bool check_within(const struct placeholder *placeholder, uint64_t number, enum lang lang,
			 struct buf *why)
{
	uint64_t low, high;

	if (!split_range(placeholder->check.range, &low, &high) || (number >= low && number <= high))
		return true;
	if (why)
		buf_add_format(why, lang == LANG_ZH ? "应在 %.*s 之内" : "must be within %.*s",
			       STR_ARG(placeholder->check.range));
	return false;
}

static bool check_number(const struct placeholder *placeholder, struct str value, enum lang lang,
			 struct buf *why)
{
	uint64_t number;

	if (!to_number(value, &number))
		return refuse(why, lang, "应为整数，例如 8", "must be a whole number, such as 8");
	return check_within(placeholder, number, lang, why);
}

static bool check_port(const struct placeholder *placeholder, struct str value, enum lang lang,
		       struct buf *why)
{
	uint64_t port;

	if (!to_number(value, &port) || port < 1 || port > 65535)
		return refuse(why, lang, "应为 1 到 65535 之间的端口号", "must be a port number, 1 to 65535");
	return check_within(placeholder, port, lang, why);
}

static bool check_port_range(const struct placeholder *placeholder, struct str value, enum lang lang,
			     struct buf *why)
{
	uint64_t low, high;

	if (!split_range(value, &low, &high) || low < 1 || high > 65535 || low > high)
		return refuse(why, lang, "应为端口区间，例如 23400-23463",
			      "must be a range of ports, such as 23400-23463");
	return check_within(placeholder, low, lang, why) && check_within(placeholder, high, lang, why);
}

static bool is_ipv4(struct str value)
{
	size_t count = 0;
	struct str part;

	for (; str_next(&value, '.', &part); count++) {
		uint64_t number;

		if (!to_number(part, &number) || number > 255)
			return false;
	}
	return count == 4;
}

static bool is_hex_group(struct str group)
{
	for (size_t i = 0; i < group.size; i++) {
		if (!memchr("0123456789abcdefABCDEF", group.data[i], 22))
			return false;
	}
	return group.size >= 1 && group.size <= 4;
}

/* Groups of an IPv6 address, or of one side of its "::"; SIZE_MAX: it is none. */
static size_t count_groups(struct str value)
{
	size_t count = 0;
	struct str group;

	if (value.size == 0)
		return 0;
	for (; str_next(&value, ':', &group); count++) {
		if (!value.data && is_ipv4(group))
			return count + 2;
		if (!is_hex_group(group))
			return SIZE_MAX;
	}
	return count;
}

static bool is_ipv6(struct str value)
{
	size_t gap = str_find(value, STR("::"));
	size_t before, after;

	if (gap == STR_NOT_FOUND)
		return count_groups(value) == 8;
	before = count_groups(str_slice(value, 0, gap));
	after = count_groups(str_slice(value, gap + 2, value.size));
	return before <= 7 && after <= 7 && before + after <= 7;
}

static bool check_ip(const struct placeholder *placeholder, struct str value, enum lang lang, struct buf *why)
{
	(void)placeholder;
	if (is_ipv4(value) || is_ipv6(value))
		return true;
	return refuse(why, lang, "应为 IP 地址，例如 192.168.1.10",
		      "must be an IP address, such as 192.168.1.10");
}

/* Only letters, digits and `more`, and no - in front. */
static bool is_name(struct str value, const char *more)
{
	for (size_t i = 0; i < value.size; i++) {
		char byte = value.data[i];

		if (!((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
		      is_digits((struct str){&byte, 1}) || (byte != '\0' && strchr(more, byte))))
			return false;
	}
	return value.size > 0 && value.data[0] != '-';
}

static bool check_interface(const struct placeholder *placeholder, struct str value, enum lang lang,
			    struct buf *why)
{
	(void)placeholder;
	if (value.size <= LONGEST_INTERFACE && is_name(value, "_.:@-"))
		return true;
	return refuse(why, lang, "应为网卡名，例如 eth0",
		      "must be the name of a network interface, such as eth0");
}

static bool check_version(const struct placeholder *placeholder, struct str value, enum lang lang,
			  struct buf *why)
{
	(void)placeholder;
	if (version_is_valid(value) && is_name(value, "_.+-"))
		return true;
	return refuse(why, lang, "应为版本号，例如 9.1.0", "must be a version, such as 9.1.0");
}

static bool has_control(struct str value, bool line_ends_too)
{
	for (size_t i = 0; i < value.size; i++) {
		unsigned char byte = (unsigned char)value.data[i];

		if ((byte < 0x20 && (byte != '\n' || line_ends_too)) || byte == 0x7F)
			return true;
	}
	return false;
}

/* Unquoted in the end: it must at least leave the command as it finds it, one line with its quotes closed. */
static bool check_words(const struct placeholder *placeholder, struct str value, enum lang lang,
			struct buf *why)
{
	char quote = '\0';

	(void)placeholder;
	if (has_control(value, true))
		return refuse(why, lang, "应为一行，不能有控制字符",
			      "must be one line without control characters");
	for (size_t i = 0; i < value.size; i++) {
		char byte = value.data[i];

		if (byte == '\\' && quote != '\'' && ++i == value.size)
			quote = '\\';
		else if (quote ? byte == quote : byte == '\'' || byte == '"')
			quote = quote ? '\0' : byte;
	}
	if (quote)
		return refuse(why, lang, "引号没有成对", "has a quote that is not closed");
	return true;
}

static bool check_any(const struct placeholder *placeholder, struct str value, enum lang lang,
		      struct buf *why)
{
	(void)placeholder;
	(void)value;
	(void)lang;
	(void)why;
	return true;
}

typedef bool check_function(const struct placeholder *placeholder, struct str value, enum lang lang,
			    struct buf *why);

static check_function *const checks[] = {
	[PLACEHOLDER_WORD] = check_any,        [PLACEHOLDER_WORDS] = check_words,
	[PLACEHOLDER_PORT] = check_port,       [PLACEHOLDER_PORT_RANGE] = check_port_range,
	[PLACEHOLDER_PATH] = check_any,        [PLACEHOLDER_INT] = check_number,
	[PLACEHOLDER_IP] = check_ip,           [PLACEHOLDER_INTERFACE] = check_interface,
	[PLACEHOLDER_VERSION] = check_version,
};

bool fill_check(const struct placeholder *placeholder, struct str value, enum lang lang, struct buf *why)
{
	if (value.size == 0 && placeholder->kind != PLACEHOLDER_WORDS)
		return refuse(why, lang, "不能为空", "must not be empty");
	if (memchr(value.data ? value.data : "", '\0', value.size))
		return refuse(why, lang, "不能含有 NUL 字节", "must not hold a NUL byte");
	return checks[placeholder->kind](placeholder, value, lang, why);
}

bool fill_check_fact(const struct placeholder *placeholder, const struct fact *fact)
{
	/* A value that nobody typed must also look like one: names with line ends or escapes are not from
	 * here. */
	if (fact->source != FACT_USER && has_control(fact->value, true))
		return false;
	if (placeholder->kind == PLACEHOLDER_WORDS && fact->source != FACT_USER &&
	    fact->source != FACT_DEFAULT)
		return false;
	return fill_check(placeholder, fact->value, LANG_EN, NULL);
}

#include "test.h"

#include "core/redact.h"
#include "core/redact_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every group may be started on its own: one redact with the shipped rules. */
static int setup(void **state)
{
	static const struct pack *packs[1];
	static struct kb *kb;

	packs[0] = &kb_shipped_pack;
	kb = kb_new(packs, 1);
	*state = redact_new(kb);
	return 0;
}

static int teardown(void **state)
{
	redact_free(*state);
	return 0;
}

static void check(struct redact *redact, const char *text, const char *want)
{
	struct buf out = {0};

	redact_text(redact, str_of(text), &out, NULL);
	if (!str_equal(buf_str(&out), str_of(want)))
		fail_msg("%s\nbecomes %s\nwanted  %s", text, buf_c_string(&out), want);
	buf_release(&out);
}

static void the_same_value_gets_the_same_name(void **state)
{
	redact_reset(*state);
	check(*state, "ssh lina@npu-a17\nlina@npu-a18:~$ ls\nnpu-a17 failed\n",
	      "ssh <USER_1>@<HOST_1>\n<USER_1>@<HOST_2>:~$ ls\n<HOST_1> failed\n");
}

static void addresses_of_a_subnet_share_a_number(void **state)
{
	redact_reset(*state);
	check(*state, "10.1.2.3 10.1.2.4 10.9.9.9 10.1.2.3 fe80::1:2 fe80::1:3 ::ffff:10.1.2.4\n",
	      "<IP_1> <IP_1.2> <IP_2> <IP_1> <IP_3> <IP_3.2> <IP_1.2>\n");
	redact_reset(*state);
	check(*state, "inet 172.22.0.13/20 brd 172.22.15.255\n", "inet <IP_1>/20 brd <IP_1.2>\n");
}

static void a_value_is_one_however_it_is_written(void **state)
{
	redact_reset(*state);
	check(*state, "3C-15-FB-02-7E-91 3c:15:fb:02:7e:91 2001:DB8::7 2001:db8:0:0::7\n",
	      "<MAC_1> <MAC_1> <IP_1> <IP_1>\n");
}

static void what_a_later_line_gives_away_is_hidden_before_it(void **state)
{
	redact_reset(*state);
	check(*state, "node7x1 is slow\nMASTER_ADDR=node7x1\n", "<HOST_1> is slow\nMASTER_ADDR=<HOST_1>\n");
}

static void user_names_are_found_when_they_are_cut(void **state)
{
	redact_reset(*state);
	check(*state, "USER=zw1234567\nzw12345+  88213\nzw123456 x\n",
	      "USER=<USER_1>\n<USER_1>  88213\n<USER_1> x\n");
}

static void a_user_called_bin_leaves_the_system_alone(void **state)
{
	struct redact *redact = *state;

	redact_reset(redact);
	redact_know(redact, REDACT_USER, STR("bin"));
	check(redact, "ls /usr/bin /bin; bin@hx-7:~$ ls /home/bin/x.py bin/run\n",
	      "ls /usr/bin /bin; <USER_1>@<HOST_1>:~$ ls <PATH_1>/x.py bin/run\n");
}

static void neighbours_of_a_host_are_hosts(void **state)
{
	redact_reset(*state);
	check(*state, "fatal: [hx-npu-02]\nMASTER_ADDR=hx-npu-01\nhx-npu-11,hx-npu-2b hx-npu-\n",
	      "fatal: [<HOST_1>]\nMASTER_ADDR=<HOST_2>\n<HOST_3>,hx-npu-2b hx-npu-\n");
}

static void words_given_are_hidden_within_words(void **state)
{
	struct kb *kb = kb_new((const struct pack *const[]){&kb_shipped_pack}, 1);
	struct redact *redact = redact_new(kb);

	(void)state;
	redact_hide(redact, STR("Falcon"));
	redact_hide(redact, STR("盘古"));
	check(redact, "falcon_7b/ckpt PreFALCONx 训练盘古大模型\n",
	      "<WORD_1>_7b/ckpt Pre<WORD_1>x 训练<WORD_2>大模型\n");
	redact_free(redact);
	kb_free(kb);
}

static void names_that_stand_there_keep_their_numbers(void **state)
{
	redact_reset(*state);
	check(*state, "<USER_3>@<HOST_1>: lina@npu-a17 10.2.3.4 <IP_4.2>\n",
	      "<USER_3>@<HOST_1>: <USER_4>@<HOST_2> <IP_5> <IP_4.2>\n");
}

static void colours_do_not_hide_anything_from_it(void **state)
{
	redact_reset(*state);
	check(*state, "\x1b[01;32mlina@npu-a17\x1b[00m:\x1b[34m~\x1b[0m$ 10.\x1b[31m1.2\x1b[0m.3\n",
	      "\x1b[01;32m<USER_1>@<HOST_1>\x1b[00m:\x1b[34m~\x1b[0m$ <IP_1>\n");
	redact_reset(*state);
	check(*state, "[36m(W pid=88213, ip=10.1.2.3)[0m x\n", "[36m(W pid=<PID_1>, ip=<IP_1>)[0m x\n");
}

static void private_keys_go_whole(void **state)
{
	struct redact *redact = *state;
	struct buf text = {0}, out = {0};

	redact_reset(redact);
	buf_add_format(&text, "a\n-----BEGIN %s KEY-----\n", "RSA PRIVATE");
	for (int i = 0; i < 20; i++)
		buf_add(&text, STR("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n"));
	buf_add_format(&text, "Qw==\n-----END %s KEY-----\nRuntimeError: b\n", "RSA PRIVATE");
	redact_text(redact, buf_str(&text), &out, NULL);
	assert_int_equal(str_find(buf_str(&out), STR("MIIE")), STR_NOT_FOUND);
	assert_int_equal(str_find(buf_str(&out), STR("Qw==")), STR_NOT_FOUND);
	assert_true(str_ends(buf_str(&out), STR("RuntimeError: b\n")));
	buf_release(&text);
	buf_release(&out);
}

static void marks_say_where_and_a_value_can_be_shown(void **state)
{
	struct redact *redact = *state;
	struct redact_marks marks = {0};
	struct buf out = {0};

	redact_reset(redact);
	redact_text(redact, STR("to 10.1.2.3 now\n"), &out, &marks);
	assert_int_equal(marks.list.count, 1);
	assert_true(str_equal(str_slice(buf_str(&out), marks.list.items[0].from, marks.list.items[0].to),
			      STR("<IP_1>")));
	redact_show(redact, STR("<IP_1>"), true);
	buf_clear(&out);
	redact_text(redact, STR("to 10.1.2.3 now\n"), &out, NULL);
	assert_string_equal(buf_c_string(&out), "to 10.1.2.3 now\n");
	vec_release(&marks.list);
	buf_release(&out);
}

static void utf16_becomes_utf8(void **state)
{
	static const char text[] = "\xFF\xFE"
				   "1\0"
				   "0\0"
				   ".\0"
				   "1\0"
				   ".\0"
				   "2\0"
				   ".\0"
				   "3\0"
				   "\r\0"
				   "\n\0";
	struct buf out = {0};

	redact_reset(*state);
	redact_text(*state, (struct str){text, sizeof(text) - 1}, &out, NULL);
	assert_string_equal(buf_c_string(&out), "<IP_1>\r\n");
	buf_release(&out);
}

static void a_line_without_end_needs_no_more_memory(void **state)
{
	struct redact *redact = *state;
	struct buf out = {0};
	uint64_t total = 0, leaks = 0;

	redact_reset(redact);
	for (int i = 0; i < 40000; i++) {
		char piece[256];
		int size = snprintf(piece, sizeof(piece), "%0200d from 10.7.8.9 pid=88213, ", i);

		redact_feed(redact, piece, (size_t)size, &out);
		total += (uint64_t)size;
		if (out.size > 100000) {
			leaks += str_find(buf_str(&out), STR("10.7.8.9")) != STR_NOT_FOUND;
			buf_clear(&out);
		}
	}
	redact_finish(redact, &out);
	leaks += str_find(buf_str(&out), STR("10.7.8.9")) != STR_NOT_FOUND;
	assert_true(total > 8 * 1000 * 1000);
	assert_int_equal(leaks, 0);
	assert_true(redact->held.capacity <= 2 * REDACT_WINDOW);
	buf_release(&out);
}

/*
 * Planted secrets: of every kind, in any surroundings, beside each other, fed in pieces of any size. None may
 * come through, and a second pass may change nothing.
 */

struct chance {
	uint64_t state;
};

static uint32_t draw(struct chance *chance, uint32_t limit)
{
	chance->state = chance->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(chance->state >> 33) % limit;
}

static void add_random(struct buf *out, struct chance *chance, const char *alphabet, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		buf_add_byte(out, alphabet[draw(chance, (uint32_t)strlen(alphabet))]);
}

#define DIGITS "0123456789"
#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define HEX    "0123456789abcdef"
#define ALNUM  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/*
 * How a secret is made: '9' a digit, 'a' a letter, 'h' a hexadecimal digit, 'A' any of both cases, {n}
 * repeats the last; \ takes the next as it is. What stands before and behind it in the line, and is no part
 * of it.
 */
struct plant {
	const char *before, *shape, *after;
};

static const struct plant plants[] = {
	{"", "\\1\\0.1.2.9", ":29500"},
	{"(", "172.1\\6.9.9", ", 38321)"},
	{"[", "fd\\0\\0:h{4}::h{3}7", "]:29500"},
	{"", "fe\\8\\0::h{4}:h{4}:h{4}:7h{3}", "%eth0"},
	{"", "2h:hh:7h:hh:hh:hb", ""},
	{"", "2H-7H-HH-HH-1H-HF", ""},
	{"USER=", "x\\q9{7}", ""},
	{"", "x\\q9{7}", "@\\h\\x-n7:~$ ls"},
	{"root@", "\\h\\x-zz-9{4}", ":/workspace#"},
	{"MASTER_ADDR=", "\\h\\x\\q9{4}", ""},
	{"(PID:", "7\\79{4}", ", Device:0, RankID:0)"},
	{"EZ9999[PID: ", "7\\79{4}", "]"},
	{"mail ", "\\z\\q9{4}@\\h\\x-\\i\\n\\c.\\e\\x\\a\\m\\p\\l\\e", ""},
	{"手机 ", "13\\89{8}", "，"},
	{"File \"", "/home/\\z\\q9{5}", "/x.py\", line 3"},
	{"", "/data/\\q\\z9{5}", "/train.py"},
	{"HF_TOKEN=", "A{20}7q", ""},
	{"", "\\h\\f_A{30}", ""},
	{"", "\\g\\h\\p_A{36}", ""},
	{"", "\\g\\l\\p\\a\\t-A{20}", ""},
	{"--password ", "\\Z7!A{8}", " -x"},
	{"Authorization: Bearer ", "7A{24}", ""},
	{"https://", "\\z\\q9{3}.\\h\\x.\\i\\n\\t\\e\\r\\n\\a\\l/a{6}", ""},
	{"工号 ", "w009{6}", ""},
	{"SN: ", "2102\\3\\1\\2A{10}7", ""},
	{"JobId=", "7\\79{4}", " "},
	{"git@", "\\q\\z9{3}.\\h\\x.\\i\\n\\t\\e\\r\\n\\a\\l:\\n\\p\\u/a{6}.git", ""},
	{"C:\\Users\\", "\\z\\q9{5}", "\\lib\\x.py"},
};

static void make_secret(struct buf *out, struct chance *chance, const char *shape)
{
	for (; *shape; shape++) {
		const char *alphabet = *shape == '9'   ? DIGITS
				       : *shape == 'a' ? LOWER
				       : *shape == 'h' ? HEX
				       : *shape == 'H' ? "0123456789ABCDEF"
				       : *shape == 'A' ? ALNUM
						       : NULL;
		uint32_t count = 1;

		if (*shape == '\\') {
			buf_add_byte(out, *++shape);
			continue;
		}
		if (!alphabet) {
			buf_add_byte(out, *shape);
			continue;
		}
		if (shape[1] == '{') {
			count = (uint32_t)strtoul(shape + 2, NULL, 10);
			shape = strchr(shape, '}');
		}
		add_random(out, chance, alphabet, count);
	}
}

static void add_surroundings(struct buf *out, struct chance *chance)
{
	static const char *const words[] = {
		" ",
		"\t",
		"，",
		"（",
		"[rank0]: ",
		"ERR00100 ",
		"用户提交任务 ",
		"at::native::add ",
		" = ",
		"\"",
		" '",
		"; ",
		"12:12:12.001 ",
		"8.3.0.2.220 ",
		"\x1b[32m",
		"\x1b[0m ",
		"节点",
		" loss 1.234 ",
		" bf16[8,128] ",
		" -> ",
		"<USER_1> ",
		" | ",
		"error: ",
		"\xff\xfe ",
		"\r\n",
		"\n",
		"a ",
		"=> ",
		" (",
		") ",
		"/usr/bin/ ",
		"：",
	};

	for (uint32_t i = draw(chance, 4); i > 0; i--)
		buf_add(out, str_of(words[draw(chance, sizeof(words) / sizeof(*words))]));
}

struct planted {
	struct buf text;
	struct buf secrets; /* each followed by a line end */
};

static void plant(struct planted *planted, struct chance *chance)
{
	uint32_t count = 1 + draw(chance, 4);

	buf_clear(&planted->text);
	buf_clear(&planted->secrets);
	for (uint32_t i = 0; i < count; i++) {
		const struct plant *plant = &plants[draw(chance, sizeof(plants) / sizeof(*plants))];
		size_t start = planted->secrets.size;
		uint32_t times = 1 + (draw(chance, 4) == 0);

		make_secret(&planted->secrets, chance, plant->shape);
		for (uint32_t j = 0; j < times; j++) {
			add_surroundings(&planted->text, chance);
			/* A secret has an edge: it is not glued to a letter or digit. */
			buf_add_byte(&planted->text, " \n"[draw(chance, 2)]);
			buf_add(&planted->text, str_of(plant->before));
			buf_add_bytes(&planted->text, planted->secrets.data + start,
				      planted->secrets.size - start);
			for (const char *c = plant->after; *c; c++) {
				if (*c != '\\' || c[1] == 'l' || c[1] == 'x')
					buf_add_byte(&planted->text, *c);
			}
			buf_add_byte(&planted->text, ' ');
		}
		buf_add_byte(&planted->secrets, '\n');
	}
	add_surroundings(&planted->text, chance);
}

static void run_in_pieces(struct redact *redact, struct chance *chance, struct str text, struct buf *out)
{
	redact_reset(redact);
	buf_clear(out);
	while (text.size) {
		size_t size = 1 + draw(chance, draw(chance, 2) ? 8 : 400);

		size = size < text.size ? size : text.size;
		redact_feed(redact, text.data, size, out);
		text = str_slice(text, size, text.size);
	}
	redact_finish(redact, out);
}

static void survive(struct redact *redact, uint64_t seed, long count)
{
	struct chance chance = {seed};
	struct planted planted = {0};
	struct buf out = {0}, again = {0};

	for (long i = 0; i < count; i++) {
		uint64_t at = chance.state;
		struct str rest, secret;

		plant(&planted, &chance);
		run_in_pieces(redact, &chance, buf_str(&planted.text), &out);
		rest = buf_str(&planted.secrets);
		while (str_next(&rest, '\n', &secret) && secret.size) {
			if (str_find(buf_str(&out), secret) != STR_NOT_FOUND)
				fail_msg("seed %llu, state %llu: `%.*s` survives\n%s\nbecomes\n%s",
					 (unsigned long long)seed, (unsigned long long)at, STR_ARG(secret),
					 buf_c_string(&planted.text), buf_c_string(&out));
		}
		if (i % 4)
			continue;
		run_in_pieces(redact, &chance, buf_str(&out), &again);
		if (!str_equal(buf_str(&out), buf_str(&again)))
			fail_msg("seed %llu, state %llu: the second time changes\n%s\ninto\n%s",
				 (unsigned long long)seed, (unsigned long long)at, buf_c_string(&out),
				 buf_c_string(&again));
	}
	buf_release(&planted.text);
	buf_release(&planted.secrets);
	buf_release(&out);
	buf_release(&again);
}

/* PLANTS=500000 makes a million. Under the sanitizers a tenth: they look for other faults. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PLANTS_HERE 5000
#endif
#endif
#ifndef PLANTS_HERE
#define PLANTS_HERE 50000
#endif

static long plant_count(void)
{
	const char *count = getenv("PLANTS");

	return count ? strtol(count, NULL, 10) : PLANTS_HERE;
}

static void no_planted_secret_survives(void **state)
{
	uint64_t seed = (uint64_t)time(NULL);

	survive(*state, 1, plant_count());
	print_message("# seed %llu\n", (unsigned long long)seed);
	survive(*state, seed, plant_count());
}

static void pieces_make_no_difference(void **state)
{
	struct chance chance = {7};
	struct planted planted = {0};
	struct buf whole = {0}, out = {0};

	for (int i = 0; i < 300; i++) {
		plant(&planted, &chance);
		redact_reset(*state);
		buf_clear(&whole);
		redact_text(*state, buf_str(&planted.text), &whole, NULL);
		run_in_pieces(*state, &chance, buf_str(&planted.text), &out);
		assert_string_equal(buf_c_string(&out), buf_c_string(&whole));
	}
	buf_release(&planted.text);
	buf_release(&planted.secrets);
	buf_release(&whole);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_value_gets_the_same_name),
		cmocka_unit_test(addresses_of_a_subnet_share_a_number),
		cmocka_unit_test(a_value_is_one_however_it_is_written),
		cmocka_unit_test(what_a_later_line_gives_away_is_hidden_before_it),
		cmocka_unit_test(user_names_are_found_when_they_are_cut),
		cmocka_unit_test(neighbours_of_a_host_are_hosts),
		cmocka_unit_test(words_given_are_hidden_within_words),
		cmocka_unit_test(names_that_stand_there_keep_their_numbers),
		cmocka_unit_test(colours_do_not_hide_anything_from_it),
		cmocka_unit_test(private_keys_go_whole),
		cmocka_unit_test(marks_say_where_and_a_value_can_be_shown),
		cmocka_unit_test(utf16_becomes_utf8),
		cmocka_unit_test(a_line_without_end_needs_no_more_memory),
		cmocka_unit_test(pieces_make_no_difference),
		cmocka_unit_test(no_planted_secret_survives),
		cmocka_unit_test(a_user_called_bin_leaves_the_system_alone),
	};

	return cmocka_run_group_tests_name("redact", tests, setup, teardown);
}

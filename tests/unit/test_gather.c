/* parcel and gather: answers of nodes out of output that may be anything. */
#include "test.h"

#include "core/gather.h"
#include "core/parcel.h"

#include <string.h>

static const char *const gone[] = {"exited with exit code", NULL};
static const struct gather_style by_node = {GATHER_NODE_LABEL, gone};
static const struct gather_style by_rank = {GATHER_RANK_LABEL, gone};
static const struct gather_style without = {GATHER_NO_LABEL, gone};

static void add_answer(struct buf *out, const char *node, const char *rank, const char *document)
{
	struct parcel_sender sender = {STR("tok"), str_of(node), str_of(rank)};

	parcel_add(&sender, PARCEL_HELLO, STR("1000500"), out);
	parcel_add_document(&sender, str_of(document), out);
	parcel_add(&sender, PARCEL_SENT, STR("1000900"), out);
}

/* Each line with a label before it. */
static void add_labelled(struct buf *out, const char *label, struct str text)
{
	struct str line;

	while (str_next(&text, '\n', &line))
		if (line.size)
			buf_add_format(out, "%s: %.*s\n", label, STR_ARG(line));
}

static struct gather *started(const struct gather_style *style, const char *a, const char *b)
{
	struct gather *gather = gather_new(STR("tok"), style);

	gather_expect(gather, str_of(a));
	if (b)
		gather_expect(gather, str_of(b));
	gather_started(gather, 1000000);
	return gather;
}

static void feed(struct gather *gather, struct str bytes, size_t piece)
{
	struct gather_stream stream = {0};

	for (size_t at = 0; at < bytes.size; at += piece)
		gather_take(gather, &stream, str_slice(bytes, at, at + piece), 1001000);
	gather_end(gather, &stream, 1001000);
}

static void document_is(const struct gather *gather, size_t index, const char *document)
{
	const struct gather_node *node = gather_node(gather, index);

	assert_int_equal(node->state, GATHER_DONE);
	assert_string_equal(buf_c_string(&node->document), document);
}

static void every_parcel_is_a_line_of_one_size(void **state)
{
	struct buf out = {0};
	char document[5000];

	(void)state;
	memset(document, 'x', sizeof(document) - 1);
	document[sizeof(document) - 1] = 0;
	add_answer(&out, "node1.example.org", "7", document);
	assert_int_equal(out.size % PARCEL_SIZE, 0);
	for (size_t at = 0; at < out.size; at += PARCEL_SIZE) {
		struct str line = str_slice(buf_str(&out), at, at + PARCEL_SIZE);
		assert_int_equal(str_find_byte(line, '\n'), PARCEL_SIZE - 1);
	}
	buf_release(&out);
}

static void answers_come_whole_in_any_pieces(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 700; piece += 37) {
		struct gather *gather = started(&without, "n1", "n2");
		struct buf out = {0};
		char document[2000];

		memset(document, 'y', sizeof(document) - 1);
		document[sizeof(document) - 1] = 0;
		add_answer(&out, "n2", "", document);
		add_answer(&out, "n1", "", "{}");
		feed(gather, buf_str(&out), piece);
		document_is(gather, 0, "{}");
		document_is(gather, 1, document);
		assert_int_equal(gather_counts(gather).garbage, 0);
		buf_release(&out);
		gather_free(gather);
	}
}

static void parts_of_nodes_may_alternate_and_share_a_line(void **state)
{
	struct gather *gather = started(&without, "n1", "n2");
	struct buf a = {0}, b = {0}, mixed = {0};
	char document[1500];

	(void)state;
	memset(document, 'z', sizeof(document) - 1);
	document[sizeof(document) - 1] = 0;
	add_answer(&a, "n1", "", document);
	add_answer(&b, "n2", "", document);
	for (size_t at = 0; at < a.size; at += PARCEL_SIZE) {
		/* No line end between the two: ansible puts a whole answer into one line. */
		buf_add(&mixed, str_slice(buf_str(&a), at, at + PARCEL_SIZE - 1));
		buf_add(&mixed, STR("\\n"));
		buf_add(&mixed, str_slice(buf_str(&b), at, at + PARCEL_SIZE));
	}
	feed(gather, buf_str(&mixed), 100);
	document_is(gather, 0, document);
	document_is(gather, 1, document);
	buf_release(&a);
	buf_release(&b);
	buf_release(&mixed);
	gather_free(gather);
}

static void the_label_says_whose_it_is(void **state)
{
	struct gather *gather = started(&by_node, "10.0.0.1", "10.0.0.2");
	struct buf answer = {0}, out = {0};

	(void)state;
	add_answer(&answer, "localhost", "", "{}");
	add_labelled(&out, "10.0.0.2", buf_str(&answer));
	feed(gather, buf_str(&out), 4096);
	document_is(gather, 1, "{}");
	assert_int_equal(gather_node(gather, 0)->state, GATHER_WAITING);
	assert_string_equal(buf_c_string(&gather_node(gather, 1)->own_name), "localhost");
	buf_release(&answer);
	buf_release(&out);
	gather_free(gather);
}

static void a_rank_names_a_node_once_it_spoke(void **state)
{
	struct gather *gather = started(&by_rank, "n1", "n2");
	struct parcel_sender sender = {STR("tok"), STR("n2"), STR("0")};
	struct buf hello = {0}, out = {0};

	(void)state;
	parcel_add(&sender, PARCEL_HELLO, STR("1"), &hello);
	add_labelled(&out, "0", buf_str(&hello));
	buf_add(&out, STR("0: cannot read /x\n0: @ascend-faq:tok:n2:0:e:0:1:0:-:2\n"));
	feed(gather, buf_str(&out), 4096);
	assert_int_equal(gather_node(gather, 1)->state, GATHER_FAILED);
	assert_int_equal(gather_node(gather, 1)->exit_status, 2);
	assert_string_equal(buf_c_string(&gather_node(gather, 1)->remark), "cannot read /x");
	buf_release(&hello);
	buf_release(&out);
	gather_free(gather);
}

static void a_domain_does_not_matter_and_a_rank_helps(void **state)
{
	struct gather *gather = started(&without, "n1.cluster", "10.0.0.2");
	struct buf out = {0};

	(void)state;
	add_answer(&out, "n1", "", "{}");
	add_answer(&out, "other", "1", "[]");
	feed(gather, buf_str(&out), 4096);
	document_is(gather, 0, "{}");
	document_is(gather, 1, "[]");
	assert_int_equal(gather_counts(gather).asked, 2);
	buf_release(&out);
	gather_free(gather);
}

static void damage_is_no_result(void **state)
{
	char document[1500];

	(void)state;
	memset(document, 'w', sizeof(document) - 1);
	document[sizeof(document) - 1] = 0;
	/* Any byte changed, any line left out or doubled: never another document than the one that was sent.
	 */
	for (size_t at = 0; at < 6 * PARCEL_SIZE; at += 7) {
		struct gather *gather = started(&without, "n1", NULL);
		struct buf out = {0};

		add_answer(&out, "n1", "", document);
		if (at % 3 == 0)
			out.data[at] ^= 1;
		else if (at % 3 == 1)
			buf_remove(&out, at / PARCEL_SIZE * PARCEL_SIZE, PARCEL_SIZE);
		else
			buf_insert(&out, at, STR("\n"));
		feed(gather, buf_str(&out), 333);
		gather_finish(gather, false);
		for (size_t i = 0; i < gather_node_count(gather); i++)
			if (gather_node(gather, i)->state == GATHER_DONE)
				document_is(gather, i, document);
		buf_release(&out);
		gather_free(gather);
	}
}

static void another_run_is_not_this_one(void **state)
{
	struct gather *gather = gather_new(STR("other"), &without);
	struct buf out = {0};

	(void)state;
	gather_expect(gather, STR("n1"));
	add_answer(&out, "n1", "", "{}");
	feed(gather, buf_str(&out), 4096);
	assert_int_equal(gather_node(gather, 0)->state, GATHER_WAITING);
	assert_true(gather_counts(gather).garbage > 0);
	buf_release(&out);
	gather_free(gather);
}

static void what_engines_say_is_said_of_the_node(void **state)
{
	struct gather *gather = started(&by_node, "n1", "n2");

	(void)state;
	feed(gather,
	     STR("n1: ssh: connect to host n1 port 22: \x1b[31mrefused\n"
		 "clush: n1: exited with exit code 255\nWelcome!\n\xff\xfe\n"),
	     4096);
	gather_finish(gather, true);
	assert_int_equal(gather_node(gather, 0)->state, GATHER_GONE);
	assert_int_equal(gather_node(gather, 1)->state, GATHER_LATE);
	assert_non_null(strstr(buf_c_string(&gather_node(gather, 0)->remark), "connect to host"));
	assert_null(strchr(buf_c_string(&gather_node(gather, 0)->remark), '\x1b'));
	assert_int_equal(gather_counts(gather).garbage, 2);
	assert_string_equal(gather_garbage(gather, 0).data, "Welcome!");
	gather_free(gather);
}

static void the_clock_lies_between_the_times(void **state)
{
	struct gather *gather = started(&without, "n1", NULL);
	struct buf out = {0};

	(void)state;
	add_answer(&out, "n1", "", "{}"); /* 1000500 and 1000900, taken at 1001000, started at 1000000 */
	feed(gather, buf_str(&out), 4096);
	assert_true(gather_node(gather, 0)->has_clock);
	assert_int_equal(gather_node(gather, 0)->clock_low, -100);
	assert_int_equal(gather_node(gather, 0)->clock_high, 500);
	buf_release(&out);
	gather_free(gather);
}

static void no_program_is_told_apart_from_a_failure(void **state)
{
	struct gather *gather = started(&without, "n1", "n2");

	(void)state;
	feed(gather, STR("@ascend-faq:tok:n1:-:e:0:1:0:-:127\n@ascend-faq:tok:n2:-:e:0:1:0:-:1\n"), 4096);
	assert_int_equal(gather_node(gather, 0)->state, GATHER_ABSENT);
	assert_int_equal(gather_node(gather, 1)->state, GATHER_FAILED);
	gather_free(gather);
}

static void an_endless_line_and_many_names_are_bounded(void **state)
{
	struct gather *gather = started(&without, "n1", NULL);
	struct gather_stream stream = {0};
	struct buf junk = {0};

	(void)state;
	buf_add_repeated(&junk, 'A', 1 << 20);
	for (int i = 0; i < 8; i++)
		gather_take(gather, &stream, buf_str(&junk), 0);
	assert_true(stream.rest.size <= GATHER_LINE_MOST + junk.size);
	gather_end(gather, &stream, 0);
	assert_int_equal(gather_counts(gather).garbage, 1);
	assert_true(parcel_is_node(STR("a-1.b_2")));
	assert_false(parcel_is_node(STR("-oProxyCommand=x")));
	assert_false(parcel_is_node(STR("a;b")));
	assert_false(parcel_is_node(STR("")));
	buf_release(&junk);
	gather_free(gather);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_parcel_is_a_line_of_one_size),
		cmocka_unit_test(answers_come_whole_in_any_pieces),
		cmocka_unit_test(parts_of_nodes_may_alternate_and_share_a_line),
		cmocka_unit_test(the_label_says_whose_it_is),
		cmocka_unit_test(a_rank_names_a_node_once_it_spoke),
		cmocka_unit_test(a_domain_does_not_matter_and_a_rank_helps),
		cmocka_unit_test(damage_is_no_result),
		cmocka_unit_test(another_run_is_not_this_one),
		cmocka_unit_test(what_engines_say_is_said_of_the_node),
		cmocka_unit_test(the_clock_lies_between_the_times),
		cmocka_unit_test(no_program_is_told_apart_from_a_failure),
		cmocka_unit_test(an_endless_line_and_many_names_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

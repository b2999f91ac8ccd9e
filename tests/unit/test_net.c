/* net: what bind() says of a port, who holds it, and which interface a job would take. */
#include "plat/net.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* A listening socket of `family` on the loopback address; *port is the one that the kernel chose. */
static int listen_on(int family, uint16_t *port)
{
	int fd = socket(family, SOCK_STREAM, 0);
	int one = 1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)); /* as servers do */
	if (family == AF_INET6) {
		struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
		socklen_t size = sizeof(address);
		if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 4) != 0)
			return -1;
		getsockname(fd, (struct sockaddr *)&address, &size);
		*port = ntohs(address.sin6_port);
	} else {
		struct sockaddr_in address = {.sin_family = AF_INET,
					      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		socklen_t size = sizeof(address);
		if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 4) != 0)
			return -1;
		getsockname(fd, (struct sockaddr *)&address, &size);
		*port = ntohs(address.sin_port);
	}
	return fd;
}

static void a_listened_port_is_busy_and_its_holder_known(void **state)
{
	(void)state;
	uint16_t port = 0;
	int fd = listen_on(AF_INET, &port);
	assert_true(fd >= 0);
	assert_int_equal(net_port_check(port), NET_PORT_BUSY);

	struct net_sockets sockets = {0};
	assert_true(net_sockets_read(&sockets));
	const struct net_socket *socket = net_socket_of(&sockets, port);
	assert_non_null(socket);
	assert_int_equal(socket->state, NET_STATE_LISTEN);
	assert_int_equal(socket->user, getuid());
	struct net_holder holder;
	assert_true(net_holder_find(socket->inode, &holder));
	assert_int_equal(holder.pid, getpid());
	assert_int_equal(holder.user, getuid());
	assert_non_null(strstr(holder.command, "test_net"));
	net_sockets_release(&sockets);
	close(fd);
	assert_int_equal(net_port_check(port), NET_PORT_FREE);
}

static void a_port_that_only_ipv6_holds_is_busy(void **state)
{
	(void)state;
	uint16_t port = 0;
	int fd = listen_on(AF_INET6, &port);
	if (fd < 0) { /* a host without IPv6: then no program can hold such a port */
		assert_int_not_equal(net_port_check(20000), NET_PORT_UNKNOWN);
		return;
	}
	assert_int_equal(net_port_check(port), NET_PORT_BUSY);
	close(fd);
}

static void time_wait_does_not_make_a_port_busy(void **state)
{
	(void)state;
	uint16_t port = 0;
	int server = listen_on(AF_INET, &port);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	assert_int_equal(connect(client, (struct sockaddr *)&address, sizeof(address)), 0);
	int accepted = accept(server, NULL, NULL);
	assert_true(accepted >= 0);
	/* The side that closes first gets TIME_WAIT: the server's. */
	shutdown(accepted, SHUT_RDWR);
	char byte;
	assert_int_equal(read(client, &byte, 1), 0);
	close(accepted);
	close(client);
	close(server);

	struct net_sockets sockets = {0};
	bool waiting = false;
	for (int tries = 0; tries < 500 && !waiting; tries++) {
		vec_clear(&sockets.list);
		net_sockets_read(&sockets);
		for (size_t i = 0; i < sockets.list.count; i++)
			waiting |= sockets.list.items[i].port == port &&
				   sockets.list.items[i].state == NET_STATE_TIME_WAIT;
		usleep(2000);
	}
	assert_true(waiting);
	assert_null(net_socket_of(&sockets, port));
	assert_int_equal(net_port_check(port), NET_PORT_FREE);
	net_sockets_release(&sockets);
}

static void free_ports_are_found_and_free(void **state)
{
	(void)state;
	uint16_t port = 0, busy = 0;
	assert_true(net_port_find_free(20000, 29999, 64, 1, &port));
	assert_in_range(port, 20000, 29999 - 63);
	for (uint16_t i = 0; i < 64; i++)
		assert_int_equal(net_port_check((uint16_t)(port + i)), NET_PORT_FREE);

	/* Different users start at different places. */
	uint16_t other = 0;
	assert_true(net_port_find_free(20000, 29999, 64, 2, &other));
	assert_int_not_equal(port, other);

	/* A range that holds only a busy port has none; one wider than the range neither. */
	int fd = listen_on(AF_INET, &busy);
	assert_false(net_port_find_free(busy, busy, 1, 7, &port));
	assert_false(net_port_find_free(20000, 20001, 3, 7, &port));
	assert_false(net_port_find_free(20001, 20000, 1, 7, &port));
	close(fd);
	for (uint32_t seed = 0; seed < 50; seed++) {
		assert_true(net_port_find_free(busy, busy, 1, seed, &port));
		assert_int_equal(port, busy);
	}
}

static void proc_net_tcp_is_read(void **state)
{
	(void)state;
	struct net_sockets sockets = {0};
	net_sockets_parse(STR("  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   "
			      "uid  timeout inode\n"
			      "   0: 0100007F:733C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  "
			      "1001        0 91 1 0 1\n"
			      "   1: 0100007F:733C 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  "
			      "1002        0 92 1 0 1\n"
			      "   2: 0100007F:EA60 0100007F:9C40 06 00000000:00000000 00:00000000 00000000   "
			      "  0        0 0 1 0 1\n"),
			  &sockets);
	net_sockets_parse(
		STR("  sl  local_address                         remote_address                        st\n"
		    "   0: 00000000000000000000000000000000:EA61 00000000000000000000000000000000:0000 0A "
		    "00000000:00000000 "
		    "00:00000000 00000000     0        0 93 1 0 1\n"
		    "garbage: \xff\n"),
		&sockets);
	assert_int_equal(sockets.list.count, 4);
	assert_int_equal(net_socket_of(&sockets, 29500)->inode, 91);
	assert_int_equal(net_socket_of(&sockets, 29500)->user, 1001);
	assert_null(net_socket_of(&sockets, 60000));
	assert_int_equal(net_socket_of(&sockets, 60001)->inode, 93);
	net_sockets_release(&sockets);
}

static void interface_names_are_matched_as_hccl_documents(void **state)
{
	(void)state;
	static const struct {
		const char *name, *wanted;
		bool hit;
	} cases[] = {
		{"eth0", "eth", true},       {"enp1s0", "eth", false},
		{"eth0", "^eth", false},     {"enp1s0", "^eth", true},
		{"eth0", "=eth0", true},     {"eth01", "=eth0", false},
		{"eth0", "^=eth0", false},   {"eth01", "^=eth0", true},
		{"enp1s0", "eth,enp", true}, {"enp1s0", "=eth0,enp1s0", true},
		{"lo", "^eth,enp", true},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(net_interface_wanted(str_of(cases[i].name), str_of(cases[i].wanted)),
				 cases[i].hit);
}

static void add(struct net_interfaces *interfaces, const char *name, const char *address, int family, bool up)
{
	struct net_interface interface = {.family = family, .up = up, .loopback = !strcmp(name, "lo")};
	snprintf(interface.name, sizeof(interface.name), "%s", name);
	snprintf(interface.address, sizeof(interface.address), "%s", address);
	vec_push(&interfaces->list, interface);
}

static const char *chosen(const struct net_interfaces *interfaces, const char *wanted, const char *address)
{
	size_t at = net_interface_choose(interfaces, str_of(wanted), str_of(address));
	return at == NET_NO_INTERFACE ? "none" : interfaces->list.items[at].name;
}

static void the_interface_is_chosen_as_hccl_documents(void **state)
{
	(void)state;
	struct net_interfaces all = {0};
	add(&all, "lo", "127.0.0.1", AF_INET, true);
	add(&all, "docker0", "172.17.0.1", AF_INET, true);
	add(&all, "a0", "2001:db8::1", AF_INET6, true);
	add(&all, "ens1", "192.0.2.1", AF_INET, false);
	add(&all, "eth1", "198.51.100.1", AF_INET, true);
	add(&all, "eth0", "198.51.100.2", AF_INET, true);
	net_interfaces_sort(&all);
	assert_string_equal(chosen(&all, "", ""), "eth0");
	assert_string_equal(chosen(&all, "=eth1", ""), "eth1");
	assert_string_equal(chosen(&all, "^eth", ""), "a0");
	assert_string_equal(chosen(&all, "docker", ""), "docker0");
	assert_string_equal(chosen(&all, "ens", ""), "none"); /* is down */
	assert_string_equal(chosen(&all, "=eth1", "172.17.0.1"), "docker0");
	assert_string_equal(chosen(&all, "", "203.0.113.9"), "none"); /* an address of another host */
	net_interfaces_release(&all);

	struct net_interfaces alone = {0};
	add(&alone, "lo", "127.0.0.1", AF_INET, true);
	assert_string_equal(chosen(&alone, "", ""), "lo");
	net_interfaces_release(&alone);
}

static void this_machine_has_interfaces(void **state)
{
	(void)state;
	struct net_interfaces all = {0};
	assert_true(net_interfaces_read(&all));
	assert_true(all.list.count > 0);
	net_interfaces_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_listened_port_is_busy_and_its_holder_known),
		cmocka_unit_test(a_port_that_only_ipv6_holds_is_busy),
		cmocka_unit_test(time_wait_does_not_make_a_port_busy),
		cmocka_unit_test(free_ports_are_found_and_free),
		cmocka_unit_test(proc_net_tcp_is_read),
		cmocka_unit_test(interface_names_are_matched_as_hccl_documents),
		cmocka_unit_test(the_interface_is_chosen_as_hccl_documents),
		cmocka_unit_test(this_machine_has_interfaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

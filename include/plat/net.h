/*
 * net: local TCP ports and network interfaces. Opens no connection and never listens.
 *
 * A port is tried with bind() to any address, IPv6 with IPv4 and then IPv4 alone, because a table of sockets
 * can be filtered (containers) and does not know of reservations. SO_REUSEADDR is set, as servers do: a port
 * whose only traces are connections in TIME_WAIT (of a server that set it too) is free for a listening
 * server, and bind() then says so. A client's connection that happens to use the port holds it, and bind()
 * says that.
 */
#ifndef PLAT_NET_H
#define PLAT_NET_H

#include "base/buf.h"
#include "base/vec.h"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/types.h>

enum net_port { NET_PORT_FREE, NET_PORT_BUSY, NET_PORT_DENIED, NET_PORT_UNKNOWN };

enum net_port net_port_check(uint16_t port);

/*
 * The first `count` free ports in a row within first..last. The search starts at a place that depends on
 * `seed` and goes round, so that two users who look at the same time do not get the same port. False: none.
 */
bool net_port_find_free(uint16_t first, uint16_t last, uint16_t count, uint32_t seed, uint16_t *found);

/* ---- Who holds a port. -------------------------------------------------------------------------------- */

enum { NET_STATE_LISTEN = 0x0A, NET_STATE_TIME_WAIT = 0x06 }; /* as in /proc/net/tcp */

struct net_socket {
	uint16_t port; /* local */
	uint8_t state;
	uid_t user;
	uint64_t inode;
};

struct net_sockets {
	VEC(struct net_socket) list;
};

void net_sockets_parse(struct str table, struct net_sockets *out); /* text of /proc/net/tcp or tcp6; adds */
bool net_sockets_read(struct net_sockets *out);
void net_sockets_release(struct net_sockets *sockets);

/* The socket that holds `port`: one that listens before any other; TIME_WAIT does not hold. Null: none. */
const struct net_socket *net_socket_of(const struct net_sockets *sockets, uint16_t port);

/* The process behind a socket; only those whose /proc/PID/fd may be read, in general one's own. */
struct net_holder {
	pid_t pid;
	uid_t user;
	uint64_t age_s;
	char command[81]; /* command line, cut; any bytes but NUL */
};
bool net_holder_find(uint64_t inode, struct net_holder *holder);

/* ---- Interfaces. -------------------------------------------------------------------------------------- */

struct net_interface {
	char name[IF_NAMESIZE];
	char address[INET6_ADDRSTRLEN];
	char network[INET6_ADDRSTRLEN + 4]; /* "10.1.0.0/16"; empty: not known */
	int family;                         /* AF_INET, AF_INET6 */
	bool up;
	bool loopback;
};

struct net_interfaces {
	VEC(struct net_interface)
	list; /* by name, IPv4 first; one an address; link-local ones are left out */
};

bool net_interfaces_read(struct net_interfaces *out);
void net_interfaces_sort(struct net_interfaces *interfaces);
void net_interfaces_release(struct net_interfaces *interfaces);

/* Is `name` meant? "eth,en" begins with one, "=eth0,eth1" is one, "^eth" and "^=eth0" the contrary. */
bool net_interface_wanted(struct str name, struct str wanted);

#define NET_NO_INTERFACE SIZE_MAX
/*
 * Which one a job takes: the one with `address`; else the first that `wanted` means; without both the first
 * in order of names, docker* after the others, loopback last. Only those that are up; IPv4 before IPv6. This
 * is the order that HCCL documents for HCCL_IF_IP, HCCL_SOCKET_IFNAME and neither.
 */
size_t net_interface_choose(const struct net_interfaces *interfaces, struct str wanted, struct str address);

#endif

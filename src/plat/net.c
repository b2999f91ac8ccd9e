#include "plat/net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- Ports. ------------------------------------------------------------------------------------------- */

/* 0, or why bind() to any address of `family` failed. */
static int try_bind(int family, uint16_t port)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	int one = 1, zero = 0;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	int result;
	if (family == AF_INET6) {
		/* Both families at once, as torch's TCPStore and HCCL listen. */
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
		struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
		result = bind(fd, (struct sockaddr *)&any, sizeof(any));
	} else {
		struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(port)};
		result = bind(fd, (struct sockaddr *)&any, sizeof(any));
	}
	int error = result == 0 ? 0 : errno;
	close(fd);
	return error;
}

enum net_port net_port_check(uint16_t port)
{
	int six = try_bind(AF_INET6, port);
	int four = try_bind(AF_INET, port);
	if (six == EADDRINUSE || four == EADDRINUSE)
		return NET_PORT_BUSY;
	if (four == 0) /* a host without IPv6 is no matter */
		return NET_PORT_FREE;
	if (four == EACCES || four == EPERM)
		return NET_PORT_DENIED;
	return six == 0 ? NET_PORT_FREE : NET_PORT_UNKNOWN;
}

bool net_port_find_free(uint16_t first, uint16_t last, uint16_t count, uint32_t seed, uint16_t *found)
{
	if (first > last || count == 0 || count > last - first + 1)
		return false;
	uint32_t starts = (uint32_t)(last - first + 1 - count) + 1; /* places where a run may begin */
	uint32_t at = seed * 2654435761u % starts;                  /* Knuth's: near seeds, far places */
	for (uint32_t tried = 0; tried < starts;) {
		uint16_t begin = (uint16_t)(first + at);
		uint16_t free_ports = 0;
		while (free_ports < count && net_port_check((uint16_t)(begin + free_ports)) == NET_PORT_FREE)
			free_ports++;
		if (free_ports == count) {
			*found = begin;
			return true;
		}
		/* None of the runs that hold the busy port will do. */
		uint32_t skip = (uint32_t)free_ports + 1;
		tried += skip;
		at = at + skip < starts ? at + skip : 0;
	}
	return false;
}

/* net: network interfaces, and which one a job would take. */
#include "plat/net.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <string.h>

static int compare_interfaces(const void *a, const void *b)
{
	const struct net_interface *first = a, *second = b;
	int by_name = strcmp(first->name, second->name);
	if (by_name)
		return by_name;
	if (first->family != second->family)
		return first->family == AF_INET ? -1 : 1;
	return strcmp(first->address, second->address);
}

void net_interfaces_sort(struct net_interfaces *interfaces)
{
	if (interfaces->list.count > 1)
		qsort(interfaces->list.items, interfaces->list.count, sizeof(*interfaces->list.items),
		      compare_interfaces);
}

/* The address with the mask's zeros, and how many ones the mask has. */
static void find_network(const void *address, const void *mask, int family, char *out, size_t room)
{
	unsigned char bytes[16];
	size_t size = family == AF_INET ? 4 : 16;
	unsigned ones = 0;
	char text[INET6_ADDRSTRLEN];
	for (size_t i = 0; i < size; i++) {
		bytes[i] = ((const unsigned char *)address)[i] & ((const unsigned char *)mask)[i];
		ones += (unsigned)__builtin_popcount(((const unsigned char *)mask)[i]);
	}
	if (inet_ntop(family, bytes, text, sizeof(text)))
		snprintf(out, room, "%s/%u", text, ones);
}

static const void *mask_of(const struct ifaddrs *item)
{
	if (!item->ifa_netmask || item->ifa_netmask->sa_family != item->ifa_addr->sa_family)
		return NULL;
	if (item->ifa_addr->sa_family == AF_INET)
		return &((const struct sockaddr_in *)(const void *)item->ifa_netmask)->sin_addr;
	return &((const struct sockaddr_in6 *)(const void *)item->ifa_netmask)->sin6_addr;
}

static bool interface_from(const struct ifaddrs *item, struct net_interface *out)
{
	if (!item->ifa_addr)
		return false;
	*out = (struct net_interface){.family = item->ifa_addr->sa_family,
				      .up = item->ifa_flags & IFF_UP,
				      .loopback = item->ifa_flags & IFF_LOOPBACK};
	snprintf(out->name, sizeof(out->name), "%s", item->ifa_name);
	const void *address;
	if (out->family == AF_INET) {
		address = &((const struct sockaddr_in *)(const void *)item->ifa_addr)->sin_addr;
	} else if (out->family == AF_INET6) {
		const struct in6_addr *six =
			&((const struct sockaddr_in6 *)(const void *)item->ifa_addr)->sin6_addr;
		if (IN6_IS_ADDR_LINKLOCAL(six))
			return false;
		address = six;
	} else {
		return false;
	}
	if (mask_of(item))
		find_network(address, mask_of(item), out->family, out->network, sizeof(out->network));
	return inet_ntop(out->family, address, out->address, sizeof(out->address)) != NULL;
}

bool net_interfaces_read(struct net_interfaces *out)
{
	struct ifaddrs *all = NULL;
	if (getifaddrs(&all) != 0)
		return false;
	for (const struct ifaddrs *item = all; item; item = item->ifa_next) {
		struct net_interface interface;
		if (interface_from(item, &interface))
			vec_push(&out->list, interface);
	}
	freeifaddrs(all);
	net_interfaces_sort(out);
	return true;
}

void net_interfaces_release(struct net_interfaces *interfaces)
{
	vec_release(&interfaces->list);
}

static bool take_mark(struct str *text, char mark)
{
	if (text->size == 0 || text->data[0] != mark)
		return false;
	*text = str_slice(*text, 1, text->size);
	return true;
}

bool net_interface_wanted(struct str name, struct str wanted)
{
	wanted = str_trim(wanted);
	bool contrary = take_mark(&wanted, '^');
	bool exact = take_mark(&wanted, '=');
	struct str item;
	bool hit = false;
	while (str_next(&wanted, ',', &item)) {
		item = str_trim(item);
		if (item.size > 0)
			hit |= exact ? str_equal(name, item) : str_starts(name, item);
	}
	return hit != contrary;
}

/* 0 is best: other networks, docker, loopback; IPv6 after all IPv4 of the same kind. */
static int preference(const struct net_interface *interface)
{
	int kind = interface->loopback ? 2 : str_starts(str_of(interface->name), STR("docker")) ? 1 : 0;
	return 2 * kind + (interface->family == AF_INET6);
}

size_t net_interface_choose(const struct net_interfaces *interfaces, struct str wanted, struct str address)
{
	size_t best = NET_NO_INTERFACE;
	for (size_t i = 0; i < interfaces->list.count; i++) {
		const struct net_interface *interface = &interfaces->list.items[i];
		if (address.size > 0) {
			if (str_equal(str_of(interface->address), address))
				return i;
			continue;
		}
		if (!interface->up ||
		    (wanted.size > 0 && !net_interface_wanted(str_of(interface->name), wanted)))
			continue;
		if (best == NET_NO_INTERFACE ||
		    preference(interface) < preference(&interfaces->list.items[best]))
			best = i;
	}
	return best;
}

/* probe_host: ports and interfaces. */
#include "app/probe_host_parts.h"

#include <stdio.h>
#include <stdlib.h>

static bool range_of(struct str text, uint16_t *first, uint16_t *last)
{
	unsigned long from, to;
	char copy[32], *end;
	snprintf(copy, sizeof(copy), "%.*s", STR_ARG(text));
	from = strtoul(copy, &end, 10);
	if (end == copy || *end != '-' || end[1] < '0' || end[1] > '9')
		return false;
	to = strtoul(end + 1, NULL, 10);
	if (from > to || to > 65535)
		return false;
	*first = (uint16_t)from;
	*last = (uint16_t)to;
	return true;
}

static void add_age(struct buf *out, uint64_t seconds)
{
	unsigned long long days = seconds / 86400, hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
	if (days)
		buf_add_format(out, "%llud%lluh", days, hours);
	else if (hours)
		buf_add_format(out, "%lluh%llum", hours, minutes);
	else if (minutes)
		buf_add_format(out, "%llum", minutes);
	else
		buf_add_format(out, "%llus", (unsigned long long)seconds);
}

/* " PID USER AGE COMMAND"; "-" for what may not be known. */
static void add_holder(struct probe_machine *machine, uint16_t port, struct buf *out)
{
	if (!machine->sockets_read) {
		net_sockets_read(&machine->sockets);
		machine->sockets_read = true;
	}
	const struct net_socket *socket = net_socket_of(&machine->sockets, port);
	struct net_holder holder;
	if (!socket) {
		buf_add(out, STR(" - - - -"));
	} else if (!net_holder_find(socket->inode, &holder)) {
		buf_add(out, STR(" - "));
		probe_machine_user_name(machine, socket->user, out);
		buf_add(out, STR(" - -"));
	} else {
		buf_add_format(out, " %d ", (int)holder.pid);
		probe_machine_user_name(machine, holder.user, out);
		buf_add_byte(out, ' ');
		add_age(out, holder.age_s);
		buf_add_byte(out, ' ');
		for (const char *byte = holder.command; *byte; byte++)
			buf_add_byte(out, *byte == '\n' || *byte == '\r' ? ' ' : *byte);
		if (!holder.command[0])
			buf_add_byte(out, '-');
	}
}

void probe_machine_ports(struct probe_machine *machine, const struct probe_request *request,
			 struct probe_answer *answer)
{
	static const char *const words[] = {
		[NET_PORT_FREE] = "free",
		[NET_PORT_BUSY] = "busy",
		[NET_PORT_DENIED] = "denied",
		[NET_PORT_UNKNOWN] = "unknown",
	};
	uint16_t first, last;
	if (!range_of(request->text, &first, &last)) {
		answer->end = PROBE_END_MISSING;
		return;
	}
	for (unsigned port = first; port <= last; port++) {
		enum net_port state = net_port_check((uint16_t)port);
		buf_add_format(&answer->text, "%u %s", port, words[state]);
		if (state == NET_PORT_BUSY)
			add_holder(machine, (uint16_t)port, &answer->text);
		buf_add_byte(&answer->text, '\n');
	}
	answer->end = PROBE_END_OK;
}

void probe_machine_free_ports(struct probe_machine *machine, const struct probe_request *request,
			      struct probe_answer *answer)
{
	uint16_t first, last, found;
	answer->end = PROBE_END_MISSING;
	if (!range_of(request->text, &first, &last) || request->size < 1 || request->size > 65535)
		return;
	uint16_t size = (uint16_t)request->size;
	if (!net_port_find_free(first, last, size, machine->ports_seed, &found))
		return;
	buf_add_format(&answer->text, "%u %u", found, found + size - 1u);
	answer->end = PROBE_END_OK;
}

void probe_machine_interfaces(struct probe_machine *machine, const struct probe_request *request,
			      struct probe_answer *answer)
{
	(void)machine;
	struct net_interfaces all = {0};
	if (!net_interfaces_read(&all)) {
		answer->end = PROBE_END_ERROR;
		return;
	}
	struct str names = request->argv_count > 0 ? request->argv[0] : STR("");
	struct str address = request->argv_count > 1 ? request->argv[1] : STR("");
	size_t chosen = net_interface_choose(&all, names, address);
	for (size_t i = 0; i < all.list.count; i++) {
		const struct net_interface *interface = &all.list.items[i];
		buf_add_format(&answer->text, "%s %s %s %s %s %s\n", interface->name, interface->address,
			       interface->family == AF_INET ? "ipv4" : "ipv6", interface->up ? "up" : "down",
			       i == chosen ? "chosen" : "-",
			       interface->network[0] ? interface->network : "-");
	}
	answer->end = PROBE_END_OK;
	net_interfaces_release(&all);
}

/* compare: what all nodes share: an interface and its network, free ports. */
#include "core/compare_private.h"

#include <string.h>

/* What the probe busy-ports looks at: below the ports that systems hand out by themselves. */
enum { PORT_FIRST = 20000, PORT_LAST = 21999 };

/* ---- Ports. ------------------------------------------------------------------------------------------- */

/* "22, 20001": ports that are taken. */
static void strike_out(struct str list, bool *taken)
{
	struct str one;

	while (str_next(&list, ',', &one)) {
		uint64_t port;

		if (str_to_u64(str_trim(one), &port) && port >= PORT_FIRST && port <= PORT_LAST)
			taken[port - PORT_FIRST] = true;
	}
}

/* Ports of the range that the system hands out are nobody's to promise. */
static void strike_out_ephemeral(const struct compare_input *input, const struct compare_entry *entry,
				 bool *taken)
{
	uint64_t first, last;

	if (!str_to_u64(compare_value(input, entry, "busy-ports", "EPHEMERAL_FIRST"), &first) ||
	    !str_to_u64(compare_value(input, entry, "busy-ports", "EPHEMERAL_LAST"), &last))
		return;
	for (uint64_t port = first < PORT_FIRST ? PORT_FIRST : first; port <= last && port <= PORT_LAST;
	     port++)
		taken[port - PORT_FIRST] = true;
}

static void choose_ports(const bool *taken, struct compare_shared *shared)
{
	size_t row = 0;

	for (int i = 0; i <= PORT_LAST - PORT_FIRST && !shared->first; i++) {
		row = taken[i] ? 0 : row + 1;
		if (row && !shared->port)
			shared->port = (uint16_t)(PORT_FIRST + i);
		if (row == COMPARE_PORTS_ROW) {
			shared->first = (uint16_t)(PORT_FIRST + i - COMPARE_PORTS_ROW + 1);
			shared->last = (uint16_t)(PORT_FIRST + i);
		}
	}
}

static void find_ports(struct compare_input *input)
{
	bool taken[PORT_LAST - PORT_FIRST + 1] = {false};

	for (size_t i = 0; i < input->entries.count; i++) {
		const struct compare_entry *entry = &input->entries.items[i];

		if (!entry->read)
			continue;
		/* A node that did not look says nothing of its ports. */
		if (!compare_value(input, entry, "busy-ports", "PORTS_LOOKED_AT").size)
			return;
		strike_out(compare_value(input, entry, "busy-ports", "BUSY_PORTS"), taken);
		strike_out_ephemeral(input, entry, taken);
	}
	choose_ports(taken, &input->result.shared);
}

/* ---- Interfaces. -------------------------------------------------------------------------------------- */

/* Is "eth0 10.1.0.0/16" one of "eth0 10.1.0.0/16, ib0 …"? */
static bool has_item(struct str list, struct str wanted)
{
	struct str one;

	while (str_next(&list, ',', &one))
		if (str_equal(str_trim(one), wanted))
			return true;
	return false;
}

static struct str networks_of(const struct compare_input *input, const struct compare_entry *entry)
{
	return compare_value(input, entry, "interfaces", "NETWORKS");
}

static bool on_all(const struct compare_input *input, struct str wanted)
{
	for (size_t i = 0; i < input->entries.count; i++)
		if (input->entries.items[i].read &&
		    !has_item(networks_of(input, &input->entries.items[i]), wanted))
			return false;
	return true;
}

static void find_interface(struct compare_input *input)
{
	struct str list = STR(""), one;

	for (size_t i = 0; i < input->entries.count && !list.size; i++)
		if (input->entries.items[i].read)
			list = networks_of(input, &input->entries.items[i]);
	while (str_next(&list, ',', &one)) {
		size_t blank;

		one = str_trim(one);
		blank = str_find_byte(one, ' ');
		if (blank == STR_NOT_FOUND || !on_all(input, one))
			continue;
		input->result.shared.interface = str_slice(one, 0, blank);
		input->result.shared.network = str_slice(one, blank + 1, one.size);
		return;
	}
}

void compare_find_shared(struct compare_input *input)
{
	if (!input->result.read_count)
		return;
	find_ports(input);
	find_interface(input);
}

/* The nodes' end of `fleet`: a document in parcels (core/parcel.h) on standard output. */
#include "app/child.h"
#include "app/fleet.h"
#include "core/parcel.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void add_clock(struct buf *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	buf_add_format(out, "%lld", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* The engine's name for this node where it tells one: several may share a host. */
static struct parcel_sender sender_of(const struct app *app, char *host, size_t room)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
	struct parcel_sender sender = {.token = str_of(app->options.argument[OPTION_PARCEL])};
	const char *node = getenv("SLURMD_NODENAME");

	host[0] = 0;
	if (gethostname(host, room - 1) != 0)
		host[0] = 0;
	sender.node = str_of(node && *node ? node : host);
	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks) && !sender.rank.size; i++)
		sender.rank = str_of(getenv(ranks[i]));
	return sender;
}

/* One parcel a write: what stands in a pipe is then always a number of whole parcels. */
static bool write_parcels(struct str parcels)
{
	for (size_t at = 0; at < parcels.size; at += PARCEL_SIZE)
		if (!child_write(STDOUT_FILENO, str_slice(parcels, at, at + PARCEL_SIZE)))
			return false;
	return true;
}

static bool send_clock(const struct parcel_sender *sender, enum parcel_kind kind)
{
	struct buf clock = {0}, out = {0};

	add_clock(&clock);
	parcel_add(sender, kind, buf_str(&clock), &out);
	bool good = write_parcels(buf_str(&out));
	buf_release(&clock);
	buf_release(&out);
	return good;
}

void fleet_parcel_hello(const struct app *app)
{
	char host[256];

	if (!app->options.given[OPTION_PARCEL])
		return;
	struct parcel_sender sender = sender_of(app, host, sizeof(host));
	send_clock(&sender, PARCEL_HELLO);
}

bool fleet_parcel_document(const struct app *app, struct str document)
{
	char host[256];
	struct parcel_sender sender = sender_of(app, host, sizeof(host));
	struct buf out = {0};

	parcel_add_document(&sender, document, &out);
	bool good = write_parcels(buf_str(&out)) && send_clock(&sender, PARCEL_SENT);
	buf_release(&out);
	return good;
}

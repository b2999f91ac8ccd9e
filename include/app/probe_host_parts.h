/*
 * probe_host_parts: what the files of probe_host.c share.
 */
#ifndef APP_PROBE_HOST_PARTS_H
#define APP_PROBE_HOST_PARTS_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/probe.h"
#include "plat/net.h"
#include "plat/proc.h"

struct known_command {
	struct str argv; /* each followed by NUL */
	enum probe_end end;
	int number;
	struct str text;
};

struct probe_machine {
	struct arena arena;
	struct str root; /* without a slash at its end; empty: "/" */
	int cancel_fd;
	uint32_t ports_seed;
	VEC(struct known_command) known;
	struct net_sockets sockets;
	bool sockets_read;
};

/* Where `path` really is: below the root if it is absolute. */
void probe_machine_path(const struct probe_machine *machine, struct str path, struct buf *out);

/* The name in /etc/passwd or /etc/group, else the number. Asks no directory service: that is a network. */
void probe_machine_user_name(struct probe_machine *machine, uid_t user, struct buf *out);

void probe_answer_errno(struct probe_answer *answer, int number);

/* One kind of question each: see enum probe_ask. */
void probe_machine_glob(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer);
void probe_machine_stat(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer);
void probe_machine_resolve(struct probe_machine *machine, const struct probe_request *request,
			   struct probe_answer *answer);
void probe_machine_file(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer);
void probe_machine_ports(struct probe_machine *machine, const struct probe_request *request,
			 struct probe_answer *answer);
void probe_machine_free_ports(struct probe_machine *machine, const struct probe_request *request,
			      struct probe_answer *answer);
void probe_machine_interfaces(struct probe_machine *machine, const struct probe_request *request,
			      struct probe_answer *answer);

#endif

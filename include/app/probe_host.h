/*
 * probe_host: this machine, as a host for core/probe.h. Reads only.
 *
 * Everything here may block (a network file system that hangs), so it is for a child process (probe_run.h)
 * and never for the program that draws the screen.
 *
 * ASCEND_FAQ_ROOT=DIR: absolute paths that a probe reads are looked up below DIR (and given back without
 * it), as for a container's file system that is mounted there, or a test's fixture. Commands found in PATH,
 * ports and interfaces stay this machine's.
 */
#ifndef APP_PROBE_HOST_H
#define APP_PROBE_HOST_H

#include "core/probe.h"

struct probe_machine;

/* `cancel_fd`: readable when everything is to stop at once; -1: none. `ports_seed`: see net_port_find_free.
 */
struct probe_machine *probe_machine_new(int cancel_fd, uint32_t ports_seed);
void probe_machine_free(struct probe_machine *machine);

/* Valid as long as the machine. Equal commands are run once. */
struct probe_host probe_machine_host(struct probe_machine *machine);

#endif

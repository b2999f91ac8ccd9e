/* net: who holds a port, from /proc. */
#include "plat/net.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool hexadecimal(const char *text, unsigned long most, unsigned long *value)
{
	*value = strtoul(text, NULL, 16);
	return isxdigit((unsigned char)*text) && *value <= most;
}

/* Columns: sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode … */
static bool parse_line(struct str line, struct net_socket *socket)
{
	struct str column[10];
	size_t count = 0;
	for (size_t at = 0; at < line.size && count < 10;) {
		while (at < line.size && line.data[at] == ' ')
			at++;
		size_t start = at;
		while (at < line.size && line.data[at] != ' ')
			at++;
		if (at > start)
			column[count++] = str_slice(line, start, at);
	}
	if (count < 10)
		return false;
	char address[64], state[8];
	if (column[1].size >= sizeof(address) || column[3].size >= sizeof(state))
		return false;
	snprintf(address, sizeof(address), "%.*s", STR_ARG(column[1]));
	snprintf(state, sizeof(state), "%.*s", STR_ARG(column[3]));
	const char *colon = strrchr(address, ':');
	unsigned long port = 0, state_number = 0;
	uint64_t user = 0, inode = 0;
	if (!colon || !hexadecimal(colon + 1, 0xffff, &port) || !hexadecimal(state, 0xff, &state_number) ||
	    !str_to_u64(column[7], &user) || !str_to_u64(column[9], &inode))
		return false;
	*socket = (struct net_socket){
		.port = (uint16_t)port, .state = (uint8_t)state_number, .user = (uid_t)user, .inode = inode};
	return true;
}

void net_sockets_parse(struct str table, struct net_sockets *out)
{
	struct str line;
	while (str_next(&table, '\n', &line)) {
		struct net_socket socket;
		if (parse_line(line, &socket)) /* not the head line */
			vec_push(&out->list, socket);
	}
}

static bool read_small_file(const char *path, struct buf *out, size_t limit)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	char bytes[16384];
	ssize_t size;
	while (out->size < limit && (size = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add_bytes(out, bytes, (size_t)size);
	close(fd);
	return true;
}

bool net_sockets_read(struct net_sockets *out)
{
	bool any = false;
	static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};
	for (size_t i = 0; i < 2; i++) {
		struct buf text = {0};
		if (read_small_file(tables[i], &text, (size_t)16 << 20)) {
			net_sockets_parse(buf_str(&text), out);
			any = true;
		}
		buf_release(&text);
	}
	return any;
}

void net_sockets_release(struct net_sockets *sockets)
{
	vec_release(&sockets->list);
}

const struct net_socket *net_socket_of(const struct net_sockets *sockets, uint16_t port)
{
	const struct net_socket *other = NULL;
	for (size_t i = 0; i < sockets->list.count; i++) {
		const struct net_socket *socket = &sockets->list.items[i];
		if (socket->port != port || socket->state == NET_STATE_TIME_WAIT)
			continue;
		if (socket->state == NET_STATE_LISTEN)
			return socket;
		if (!other)
			other = socket;
	}
	return other;
}

static bool process_has_socket(const char *pid, const char *wanted)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
	DIR *folder = opendir(path);
	if (!folder)
		return false;
	bool found = false;
	struct dirent *item;
	while (!found && (item = readdir(folder))) {
		char target[64];
		ssize_t size = readlinkat(dirfd(folder), item->d_name, target, sizeof(target) - 1);
		if (size > 0) {
			target[size] = 0;
			found = !strcmp(target, wanted);
		}
	}
	closedir(folder);
	return found;
}

/* Seconds since it started: field 22 of /proc/PID/stat, in ticks since boot, against /proc/uptime. */
static uint64_t process_age(const char *pid)
{
	char path[64];
	struct buf text = {0}, uptime = {0};
	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	unsigned long long started = 0, now = 0;
	if (read_small_file(path, &text, 4096) && read_small_file("/proc/uptime", &uptime, 4096)) {
		/* The name in brackets may hold anything: count fields after the last ')'. */
		const char *at = strrchr(buf_c_string(&text), ')');
		for (int field = 2; at && field < 22; field++)
			at = strchr(at + 1, ' ');
		if (at)
			started = strtoull(at, NULL, 10);
		now = strtoull(buf_c_string(&uptime), NULL, 10);
	}
	buf_release(&text);
	buf_release(&uptime);
	long ticks = sysconf(_SC_CLK_TCK);
	started /= ticks > 0 ? (unsigned long)ticks : 100;
	return now > started ? now - started : 0;
}

static void process_describe(const char *pid, struct net_holder *holder)
{
	char path[64];
	struct stat info;
	snprintf(path, sizeof(path), "/proc/%.20s", pid);
	if (stat(path, &info) == 0)
		holder->user = info.st_uid;
	holder->pid = (pid_t)strtol(pid, NULL, 10);
	holder->age_s = process_age(pid);

	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%.20s/cmdline", pid);
	read_small_file(path, &text, 4096);
	size_t size = text.size < sizeof(holder->command) - 1 ? text.size : sizeof(holder->command) - 1;
	for (size_t i = 0; i < size; i++)
		holder->command[i] = text.data[i] ? text.data[i] : ' ';
	while (size > 0 && holder->command[size - 1] == ' ')
		size--;
	holder->command[size] = 0;
	buf_release(&text);
}

bool net_holder_find(uint64_t inode, struct net_holder *holder)
{
	*holder = (struct net_holder){0};
	DIR *folder = inode ? opendir("/proc") : NULL;
	if (!folder)
		return false;
	char wanted[64];
	snprintf(wanted, sizeof(wanted), "socket:[%llu]", (unsigned long long)inode);
	bool found = false;
	struct dirent *item;
	while (!found && (item = readdir(folder))) {
		if (!isdigit((unsigned char)item->d_name[0]) || !process_has_socket(item->d_name, wanted))
			continue;
		process_describe(item->d_name, holder);
		found = true;
	}
	closedir(folder);
	return found;
}

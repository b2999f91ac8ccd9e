/* probe_host: paths and files. */
#include "app/probe_host_parts.h"

#include "plat/wildcard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Big enough for every file a probe reads; of a longer one the beginning is read. */
enum { FILE_MAX = 1 << 20 };

void probe_answer_errno(struct probe_answer *answer, int number)
{
	if (number == ENOENT || number == ENOTDIR || number == ELOOP) {
		answer->end = PROBE_END_MISSING;
	} else if (number == EACCES || number == EPERM) {
		answer->end = PROBE_END_DENIED;
	} else {
		answer->end = PROBE_END_ERROR;
		buf_add(&answer->text, str_of(strerror(number)));
	}
}

void probe_machine_path(const struct probe_machine *machine, struct str path, struct buf *out)
{
	if (str_starts(path, STR("/")))
		buf_add(out, machine->root);
	buf_add(out, path);
}

static struct str without_root(const struct probe_machine *machine, struct str path)
{
	if (machine->root.size > 0 && str_starts(path, machine->root))
		return str_slice(path, machine->root.size, path.size);
	return path;
}

static bool is_glob(struct str pattern)
{
	for (size_t i = 0; i < pattern.size; i++) {
		if (pattern.data[i] == '\\')
			i++;
		else if (pattern.data[i] == '*' || pattern.data[i] == '?' || pattern.data[i] == '[')
			return true;
	}
	return false;
}

/* A pattern without wild cards: the path itself, where "could not look" is told from "not there". */
static void look_up(struct probe_machine *machine, struct str pattern, struct probe_answer *answer)
{
	struct buf plain = {0}, path = {0};
	struct stat info;
	for (size_t i = 0; i < pattern.size; i++) {
		if (pattern.data[i] == '\\' && i + 1 < pattern.size)
			i++;
		buf_add_byte(&plain, pattern.data[i]);
	}
	probe_machine_path(machine, buf_str(&plain), &path);
	if (stat(buf_c_string(&path), &info) != 0) {
		probe_answer_errno(answer, errno);
	} else {
		buf_add_format(&answer->text, "%.*s\n", STR_ARG(buf_str(&plain)));
		answer->end = PROBE_END_OK;
	}
	buf_release(&plain);
	buf_release(&path);
}

struct wildcard_answer {
	const struct probe_machine *machine;
	struct probe_answer *answer;
};

static bool add_hit(void *context, const char *found)
{
	struct wildcard_answer *hits = context;
	struct str path = without_root(hits->machine, str_of(found));

	if (str_find_byte(path, '\n') == STR_NOT_FOUND)
		buf_add_format(&hits->answer->text, "%.*s\n", STR_ARG(path));
	hits->answer->end = PROBE_END_OK;
	return true;
}

void probe_machine_glob(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer)
{
	if (!is_glob(request->text)) {
		look_up(machine, request->text, answer);
		return;
	}
	struct buf pattern = {0};
	if (str_starts(request->text, STR("/")))
		for (size_t i = 0; i < machine->root.size; i++) {
			char byte = machine->root.data[i];
			if (byte == '*' || byte == '?' || byte == '[' || byte == '\\')
				buf_add_byte(&pattern, '\\');
			buf_add_byte(&pattern, byte);
		}
	buf_add(&pattern, request->text);
	answer->end = PROBE_END_MISSING;
	wildcard_expand(buf_c_string(&pattern), add_hit,
			&(struct wildcard_answer){.machine = machine, .answer = answer});
	buf_release(&pattern);
}

void probe_machine_resolve(struct probe_machine *machine, const struct probe_request *request,
			   struct probe_answer *answer)
{
	struct buf path = {0};
	char real[PATH_MAX];
	probe_machine_path(machine, request->text, &path);
	if (!realpath(buf_c_string(&path), real)) {
		probe_answer_errno(answer, errno);
	} else {
		buf_add(&answer->text, without_root(machine, str_of(real)));
		answer->end = PROBE_END_OK;
	}
	buf_release(&path);
}

/* O_NONBLOCK and regular files only: a FIFO, a terminal or a device would wait or never end. */
void probe_machine_file(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer)
{
	struct buf path = {0};
	struct stat info;
	probe_machine_path(machine, request->text, &path);
	int fd = open(buf_c_string(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &info) != 0) {
		probe_answer_errno(answer, errno);
	} else if (!S_ISREG(info.st_mode)) {
		answer->end = PROBE_END_MISSING;
	} else {
		char bytes[65536];
		ssize_t size;
		answer->end = PROBE_END_OK;
		while (answer->text.size < FILE_MAX && (size = read(fd, bytes, sizeof(bytes))) != 0) {
			if (size < 0 && errno == EINTR)
				continue;
			if (size < 0) {
				buf_clear(&answer->text);
				probe_answer_errno(answer, errno);
				break;
			}
			buf_add_bytes(&answer->text, bytes, (size_t)size);
		}
	}
	if (fd >= 0)
		close(fd);
	buf_release(&path);
}

/* ---- Who and what a file is. -------------------------------------------------------------------------- */

/* /etc/passwd and /etc/group alike: NAME:x:NUMBER:… */
static void add_account(struct probe_machine *machine, const char *table, uint64_t number, struct buf *out)
{
	struct probe_answer text = {0};
	probe_machine_file(machine, &(struct probe_request){.text = str_of(table)}, &text);
	struct str lines = buf_str(&text.text), line;
	bool found = false;
	while (!found && text.end == PROBE_END_OK && str_next(&lines, '\n', &line)) {
		struct str name, password, id;
		uint64_t value;
		if (str_next(&line, ':', &name) && str_next(&line, ':', &password) &&
		    str_next(&line, ':', &id) && str_to_u64(id, &value) && value == number && name.size > 0) {
			buf_add(out, name);
			found = true;
		}
	}
	if (!found)
		buf_add_format(out, "%llu", (unsigned long long)number);
	buf_release(&text.text);
}

void probe_machine_user_name(struct probe_machine *machine, uid_t user, struct buf *out)
{
	add_account(machine, "/etc/passwd", user, out);
}

static const char *kind_of(mode_t mode)
{
	return S_ISREG(mode)    ? "file"
	       : S_ISDIR(mode)  ? "folder"
	       : S_ISCHR(mode)  ? "device"
	       : S_ISBLK(mode)  ? "block"
	       : S_ISFIFO(mode) ? "fifo"
				: "socket";
}

void probe_machine_stat(struct probe_machine *machine, const struct probe_request *request,
			struct probe_answer *answer)
{
	struct buf path = {0};
	struct stat info;
	probe_machine_path(machine, request->text, &path);
	if (stat(buf_c_string(&path), &info) != 0) {
		probe_answer_errno(answer, errno);
	} else {
		bool reads = access(buf_c_string(&path), R_OK) == 0;
		bool writes = access(buf_c_string(&path), W_OK) == 0;
		buf_add_format(&answer->text, "%s %04o ", kind_of(info.st_mode), info.st_mode & 07777u);
		add_account(machine, "/etc/passwd", info.st_uid, &answer->text);
		buf_add_byte(&answer->text, ' ');
		add_account(machine, "/etc/group", info.st_gid, &answer->text);
		buf_add_format(&answer->text, " %s%s", reads ? "r" : "-", writes ? "w" : "-");
		answer->end = PROBE_END_OK;
	}
	buf_release(&path);
}

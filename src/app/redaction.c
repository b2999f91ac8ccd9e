#include "app/redaction.h"

#include "plat/fs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	ACCOUNTS_SIZE_MAX = 4 * 1024 * 1024,
	PEOPLE_FROM = 1000, /* lower numbers are services */
	NOBODY = 65534,
	HIDE_SIZE_MIN = 3 /* bytes; what the search for words can find */
};

static void add_name(struct buf *names, enum redact_kind kind, struct str name)
{
	if (name.size && str_find_byte(name, '\n') == STR_NOT_FOUND)
		buf_add_format(names, "%s %.*s\n", redact_kind_name(kind), STR_ARG(name));
}

/* "Zhang Wei,Room 12,555": the full name of an account. */
static void know_full_name(struct buf *names, struct str comment)
{
	struct str name = str_trim(str_slice(comment, 0, str_find_byte(comment, ',')));

	if (str_find_byte(name, ' ') != STR_NOT_FOUND || (name.size && (unsigned char)name.data[0] >= 0x80))
		add_name(names, REDACT_USER, name);
}

static void know_account(struct buf *names, struct str line)
{
	struct str fields[5] = {0};
	uint64_t id;

	for (size_t i = 0; i < 5; i++) {
		if (!str_next(&line, ':', &fields[i]))
			return;
	}
	if (!str_to_u64(fields[2], &id) || ((id < PEOPLE_FROM || id >= NOBODY) && id != getuid()) || id == 0)
		return;
	add_name(names, REDACT_USER, fields[0]);
	know_full_name(names, fields[4]);
}

static void know_accounts(struct buf *names)
{
	struct buf text = {0};
	struct str rest, line;

	fs_read_file("/etc/passwd", ACCOUNTS_SIZE_MAX, &text, NULL);
	rest = buf_str(&text);
	while (text.size && str_next(&rest, '\n', &line))
		know_account(names, line);
	buf_release(&text);
}

static void know_environment(struct buf *names)
{
	static const char *const users[] = {"USER", "LOGNAME", "SUDO_USER", "USERNAME"};
	static const char *const hosts[] = {"HOSTNAME", "SLURMD_NODENAME", "SLURM_SUBMIT_HOST"};
	struct str home = str_of(getenv("HOME"));
	size_t name = home.size;

	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++)
		add_name(names, REDACT_USER, str_of(getenv(users[i])));
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		add_name(names, REDACT_HOST, str_of(getenv(hosts[i])));
	while (name && home.data[name - 1] != '/')
		name--;
	if (str_starts(home, STR("/home/")) || str_starts(home, STR("/Users/")))
		add_name(names, REDACT_USER, str_slice(home, name, home.size));
}

static void know_host(struct buf *names)
{
	char name[HOST_NAME_MAX + 1] = "";
	struct str host;

	if (gethostname(name, sizeof(name) - 1) < 0)
		return;
	host = str_of(name);
	add_name(names, REDACT_HOST, host);
	add_name(names, REDACT_HOST, str_slice(host, 0, str_find_byte(host, '.')));
}

void redaction_add_names(struct buf *names)
{
	know_accounts(names);
	know_environment(names);
	know_host(names);
}

struct redact *redaction_new(struct app *app)
{
	struct redact *redact = redact_new(app_kb(app));
	struct buf names = {0};

	redaction_add_names(&names);
	redact_know_lines(redact, buf_str(&names));
	buf_release(&names);
	for (size_t i = 0; i < app->options.hides.count; i++) {
		struct str word = str_of(app->options.hides.items[i]);

		if (word.size < HIDE_SIZE_MIN) {
			app_fault(app, "--hide %s：至少要 %d 个字节", "--hide %s: give at least %d bytes",
				  word.data, HIDE_SIZE_MIN);
			redact_free(redact);
			return NULL;
		}
		redact_hide(redact, word);
	}
	return redact;
}

void redaction_explain(const struct app *app, const struct redact *redact)
{
	uint64_t values[REDACT_KIND_COUNT] = {0}, places[REDACT_KIND_COUNT] = {0};
	uint64_t all = 0;

	for (size_t i = 0; i < redact_name_count(redact); i++) {
		const struct redact_name *name = redact_name_at(redact, i);

		values[name->kind]++;
		places[name->kind] += name->count;
		all += name->count;
	}
	fprintf(stderr, app_say(app, "隐去 %llu 处：\n", "hidden in %llu places:\n"),
		(unsigned long long)all);
	for (int i = 0; i < REDACT_KIND_COUNT; i++) {
		if (places[i])
			fprintf(stderr,
				app_say(app, "  %-8s %6llu 处，%llu 个值\n",
					"  %-8s %6llu places, %llu values\n"),
				redact_kind_name((enum redact_kind)i), (unsigned long long)places[i],
				(unsigned long long)values[i]);
	}
	if (all)
		fputs(app_say(app, "按规则：\n", "by rule:\n"), stderr);
	for (size_t i = 0; i < redact_count_count(redact); i++) {
		struct redact_count count = redact_count_at(redact, i);

		if (count.count)
			fprintf(stderr, "  %-24.*s %6llu\n", STR_ARG(count.rule),
				(unsigned long long)count.count);
	}
	fputs(app_say(app, "没有工具能找出一切隐私信息：发出之前请自己再读一遍，漏掉的词用 --hide 指定。\n",
		      "No tool finds everything that is private: read the result before you send it; --hide "
		      "WORD "
		      "hides what was missed.\n"),
	      stderr);
}

/* The folder of a path, "." when it names none. */
static void folder_of(const char *path, struct buf *folder)
{
	const char *slash = strrchr(path, '/');

	buf_add(folder, slash == path ? STR("/")
			: slash       ? (struct str){path, (size_t)(slash - path)}
				      : STR("."));
}

static bool same_folder(const char *path, const char *beside)
{
	struct buf one = {0}, other = {0};
	struct stat a, b;
	bool same;

	folder_of(path, &one);
	folder_of(beside, &other);
	same = stat(buf_c_string(&one), &a) == 0 && stat(buf_c_string(&other), &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
	buf_release(&one);
	buf_release(&other);
	return same;
}

static bool is_beside(const char *path, const char *beside)
{
	char output[PATH_MAX];
	struct stat status;
	ssize_t size;

	if (beside)
		return same_folder(path, beside);
	if (fstat(STDOUT_FILENO, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	size = readlink("/proc/self/fd/1", output, sizeof(output) - 1);
	if (size <= 0)
		return false;
	output[size] = '\0';
	return same_folder(path, output);
}

bool redaction_write_map(const struct app *app, const struct redact *redact, const char *path,
			 const char *beside)
{
	struct buf text = {0}, error = {0};
	bool good = false;

	if (is_beside(path, beside)) {
		app_fault(app, "--map %s：不能写在输出所在的目录，以免一起发出去；请换一个目录",
			  "--map %s: not in the folder of the output, lest both are sent together; name "
			  "another folder",
			  path);
		return false;
	}
	for (size_t i = 0; i < redact_name_count(redact); i++) {
		const struct redact_name *name = redact_name_at(redact, i);

		buf_add(&text, name->name);
		buf_add_byte(&text, '\t');
		for (size_t j = 0; j < name->value.size; j++)
			buf_add_byte(&text,
				     strchr("\n\r\t", name->value.data[j]) ? ' ' : name->value.data[j]);
		buf_add_byte(&text, '\n');
	}
	good = fs_create_file(path, buf_str(&text), &error);
	if (!good)
		app_fault(app, "--map %s", "--map %s", buf_c_string(&error));
	buf_release(&text);
	buf_release(&error);
	return good;
}

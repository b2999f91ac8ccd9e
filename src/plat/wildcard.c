#include "plat/wildcard.h"

#include "base/buf.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

/* The length of the character at `text`: a byte, with the bytes that continue it in UTF-8. */
static size_t character_size(const char *text)
{
	size_t size = 1;

	while ((text[size] & 0xc0) == 0x80)
		size++;
	return size;
}

/* `pattern` is behind the bracket. What follows the set, or null: it has no end, and the bracket is one. */
static const char *match_set(const char *pattern, unsigned char byte, bool *matched)
{
	bool negated = *pattern == '!' || *pattern == '^', found = false;
	const char *first;

	pattern += negated;
	first = pattern;
	while (*pattern != ']' || pattern == first) {
		unsigned char from, to;

		if (*pattern == '\\' && pattern[1])
			pattern++;
		if (!*pattern)
			return NULL;
		from = to = (unsigned char)*pattern++;
		if (pattern[0] == '-' && pattern[1] && pattern[1] != ']') {
			pattern += 1 + (pattern[1] == '\\' && pattern[2]);
			to = (unsigned char)*pattern++;
		}
		found = found || (from <= byte && byte <= to);
	}
	*matched = found != negated;
	return pattern + 1;
}

/* One character of the name and what stands for it in the pattern, which is no star. False: they differ. */
static bool match_one(const char **pattern, const char **name)
{
	const char *behind;
	bool matched;

	if (**pattern == '?') {
		++*pattern;
		*name += character_size(*name);
		return true;
	}
	if (**pattern == '[' && (behind = match_set(*pattern + 1, (unsigned char)**name, &matched)) != NULL) {
		*pattern = behind;
		*name += character_size(*name);
		return matched;
	}
	if (**pattern == '\\' && (*pattern)[1])
		++*pattern;
	return *(*pattern)++ == *(*name)++;
}

bool wildcard_matches(const char *pattern, const char *name)
{
	const char *after_star = NULL, *retry = NULL;

	if (*name == '.' && *pattern != '.' && !(*pattern == '\\' && pattern[1] == '.'))
		return false;
	while (*name || *pattern) {
		if (*pattern == '*') {
			after_star = ++pattern;
			retry = name;
		} else if (!*name || !*pattern || !match_one(&pattern, &name)) {
			/* The last star takes one byte more; an earlier one need never. */
			if (!after_star || !*retry)
				return false;
			pattern = after_star;
			name = ++retry;
		}
	}
	return true;
}

static bool has_wildcards(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern == '\\' && pattern[1])
			pattern++;
		else if (strchr("*?[", *pattern))
			return true;
	}
	return false;
}

struct expansion {
	wildcard_found *found;
	void *context;
	struct buf path; /* what has been expanded */
};

static bool expand(struct expansion *expansion, const char *rest);

static void add_plain(struct buf *path, const char *component)
{
	for (; *component; component++) {
		if (*component == '\\' && component[1])
			component++;
		buf_add_byte(path, *component);
	}
}

static bool expand_folder(struct expansion *expansion, const char *component, const char *rest)
{
	size_t before = expansion->path.size;
	DIR *folder = opendir(before ? buf_c_string(&expansion->path) : ".");
	bool go_on = true;
	struct dirent *item;

	while (folder && go_on && (item = readdir(folder)) != NULL) {
		if (!wildcard_matches(component, item->d_name))
			continue;
		buf_add(&expansion->path, str_of(item->d_name));
		go_on = expand(expansion, rest);
		buf_truncate(&expansion->path, before);
	}
	if (folder)
		closedir(folder);
	return go_on;
}

/* `rest` begins with a slash, or is the beginning or the end of the pattern. */
static bool expand(struct expansion *expansion, const char *rest)
{
	size_t before = expansion->path.size, slashes = strspn(rest, "/"),
	       size = strcspn(rest + slashes, "/");
	struct buf component = {0};
	struct stat info;
	bool go_on = true;

	buf_add(&expansion->path, (struct str){rest, slashes});
	buf_add(&component, (struct str){rest + slashes, size});
	rest += slashes + size;
	if (!size) {
		if (stat(buf_c_string(&expansion->path), &info) == 0 ||
		    lstat(buf_c_string(&expansion->path), &info) == 0)
			go_on = expansion->found(expansion->context, buf_c_string(&expansion->path));
	} else if (has_wildcards(buf_c_string(&component))) {
		go_on = expand_folder(expansion, buf_c_string(&component), rest);
	} else {
		add_plain(&expansion->path, buf_c_string(&component));
		go_on = expand(expansion, rest);
	}
	buf_truncate(&expansion->path, before);
	buf_release(&component);
	return go_on;
}

bool wildcard_expand(const char *pattern, wildcard_found *found, void *context)
{
	struct expansion expansion = {.found = found, .context = context};
	bool finished = !*pattern || expand(&expansion, pattern);

	buf_release(&expansion.path);
	return finished;
}

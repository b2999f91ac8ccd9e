/*
 * embed: files as C source, so that the program carries them.
 *
 * usage: embed NAME FILE…     to standard output: `const struct embedded NAME[]`, ended by one without a name
 */
#include <stdio.h>
#include <string.h>

static int add_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	const char *slash = strrchr(path, '/');
	int byte, column = 0;

	if (!file) {
		perror(path);
		return 1;
	}
	printf("\t{STR_INIT(\"%s\"), STR_INIT(\"\"\n\t\t\"", slash ? slash + 1 : path);
	while ((byte = getc(file)) != EOF) {
		/* Octal of three digits never runs into what follows. */
		if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\' || byte == '?')
			column += printf("\\%03o", (unsigned)byte);
		else
			column += printf("%c", byte);
		if (column > 90 || byte == '\n')
			column = 0 * printf("\"\n\t\t\"");
	}
	printf("\")},\n");
	return fclose(file) != 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 3;

	if (failed) {
		fputs("usage: embed NAME FILE…\n", stderr);
		return 2;
	}
	printf("#include \"app/embedded.h\"\n\nconst struct embedded %s[] = {\n", argv[1]);
	for (int i = 2; i < argc && !failed; i++)
		failed = add_file(argv[i]);
	printf("\t{{0}, {0}},\n};\n");
	return failed || fflush(stdout) != 0;
}

/* mkpack: the pack as C source. */
#include <stdio.h>

int main(int count, char **arguments)
{
	FILE *out = count == 3 ? fopen(arguments[2], "w") : NULL;

	if (!out)
		return 2;
	fputs("#include \"core/kb.h\"\nconst struct pack kb_shipped_pack = {0};\n", out);
	return fclose(out) != 0;
}

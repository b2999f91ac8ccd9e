/* The line of shell that is run on each node. */
#include "app/fleet.h"
#include "core/fill_shell.h"

/*
 * It says at the end how the program ended and has itself the status 0: engines take another one for a fault
 * of the node, and mpirun would end all the others. No `!`, line end or double backslash in it: a login shell
 * may be csh or fish, which read the quoted text first.
 */
static const char begin[] = "n=${SLURMD_NODENAME:-$(uname -n)}; "
			    "r=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:--}}}; ";

/* In a folder that nobody else can write to, which goes when the shell does, however it ends. */
static const char receive[] = "c() { [ -z \"$d\" ] || rm -rf \"$d\"; }; "
			      "trap c 0; trap \"exit 1\" 1 2 13 15; "
			      "d=$(mktemp -d \"${TMPDIR:-/tmp}/ascend-faq.XXXXXXXX\") || e 73; "
			      "cat >\"$d/ascend-faq\" || e 74; "
			      "[ \"$(wc -c <\"$d/ascend-faq\")\" -eq \"$s\" ] || e 74; "
			      "chmod 700 \"$d/ascend-faq\" || e 74; "
			      "[ -n \"$p\" ] || p=$d/ascend-faq; ";

void fleet_script_add(const struct fleet_script *script, struct buf *out)
{
	buf_add(out, str_of(begin));
	buf_add(out, STR("e() { echo \"@ascend-faq:"));
	buf_add(out, script->token);
	buf_add(out, STR(":$n:$r:e:0:1:0:-:$1\"; exit 0; }; d=; p=; for q in "));
	if (script->program.size) {
		shell_add_word(out, script->program);
		buf_add_byte(out, ' ');
	}
	buf_add(out, STR("\"$(command -v ascend-faq)\"; do "
			 "[ -z \"$p\" ] && [ -f \"$q\" ] && [ -x \"$q\" ] && p=$q; done; "));
	if (script->send_size) {
		buf_add_format(out, "s=%zu; ", script->send_size);
		buf_add(out, str_of(receive));
	}
	buf_add(out, STR("[ -n \"$p\" ] || e 127; \"$p\""));
	for (size_t i = 0; i < script->argument_count; i++) {
		buf_add_byte(out, ' ');
		shell_add_word(out, script->arguments[i]);
	}
	buf_add(out, STR(" </dev/null; e $?"));
}

void fleet_script_add_shell(struct str script, struct buf *out)
{
	buf_add(out, STR("sh -c "));
	shell_add_word(out, script);
}

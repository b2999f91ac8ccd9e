"""The commands and the unit tests under valgrind: no error, no leak."""
import os
import pathlib
import subprocess
import tempfile

from cli import TOP, check, done, environment

# Valgrind and the address sanitizer exclude each other: the plain build.
BUILD = TOP / os.environ.get("BUILD", "build").replace("/asan", "")
PROGRAM = str(BUILD / "ascend-faq")
VALGRIND = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect",
            "--child-silent-after-fork=yes"]
LOG = TOP / "tests" / "fixtures" / "logs" / "107-two-causes.log"


def valgrind(name, command, allowed=(0, 1, 2)):
    result = subprocess.run(VALGRIND + command, cwd=TOP, env=environment(PAGER="cat"), stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, errors="replace", timeout=800)
    check(result.returncode in allowed, f"valgrind: {name}", result.stderr[-1500:])


with tempfile.TemporaryDirectory() as pack:
    broken = pathlib.Path(pack) / "pack.yaml"
    broken.write_text("name: [unclosed\n\ttitle: {zh: \xff")
    for arguments in (["list"], ["list", "--json"], ["show", "1.6", "EI0020", "nosuch"], ["show", "1.6", "--json"], ["search", "port", "socket"],
                      ["search", "re:EI\\d+"], ["search", "端口"], ["search", "lisning"], ["fill", "1.2", "--set", "MASTER_PORT=23417"],
                      ["diagnose", str(LOG)], ["diagnose", "--json", str(LOG)], ["diagnose", "--why", "1.2", str(LOG)], ["lint"], ["lint", "content"],
                      ["lint", pack], ["--pack", pack, "list"], ["help"], ["--nosuch"], ["probe", "cann", "python"]):
        valgrind(" ".join(arguments), [PROGRAM, *arguments])
for test in ("test_kb_yaml", "test_fill", "test_regex", "test_clean", "test_layout", "test_canvas", "test_input"):
    valgrind(test, [str(BUILD / "unit" / test)], allowed=(0,))
done()

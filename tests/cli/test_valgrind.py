"""The commands and the unit tests under valgrind: no error, no leak."""
import os
import pathlib
import re
import subprocess
import tempfile

from cli import TOP, check, done, environment

# Valgrind and the address sanitizer exclude each other: the plain build.
BUILD = TOP / os.environ.get("BUILD", "build").replace("/asan", "")
PROGRAM = str(BUILD / "ascend-faq")
VALGRIND = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite,indirect", "--child-silent-after-fork=yes"]
LOG = TOP / "tests" / "fixtures" / "logs" / "107-two-causes.log"


def faults(log):
    """Reports but for those made in code without a name: that is what PCRE2 compiled at run time. It reads whole
    vectors beyond the end of a text on purpose, which valgrind cannot know to be harmless."""
    lines = [re.sub(r"^==\d+== ?", "", line) for line in log.splitlines() if re.match(r"==\d+==", line)]
    return [report for report in "\n".join(lines).split("\n\n") if report.strip() and not re.search(r"   at 0x[0-9A-F]+: \?\?\?", report)]


def valgrind(name, command, allowed=(0, 1, 2)):
    result = subprocess.run(VALGRIND + command, cwd=TOP, env=environment(PAGER="cat"), stdin=subprocess.DEVNULL,
                            capture_output=True, text=True, errors="replace", timeout=800)
    found = faults(result.stderr)
    check(result.returncode in allowed and not found, f"valgrind: {name}", "\n".join(found)[:800] or result.stderr[-500:])


with tempfile.TemporaryDirectory() as pack:
    broken = pathlib.Path(pack) / "pack.yaml"
    broken.write_text("name: [unclosed\n\ttitle: {zh: \xff")
    for arguments in (["list"], ["list", "--json"], ["show", "1.6", "EI0020", "nosuch"], ["show", "1.6", "--json"], ["search", "port", "socket"],
                      ["search", "re:EI\\d+"], ["search", "端口"], ["search", "lisning"], ["fill", "1.2", "--set", "MASTER_PORT=23417"],
                      ["diagnose", str(LOG)], ["diagnose", "--json", str(LOG)], ["diagnose", "--why", "1.2", str(LOG)], ["lint", pack], ["--pack", pack, "list"], ["help"], ["--nosuch"], ["probe", "cann", "python"]):
        valgrind(" ".join(arguments), [PROGRAM, *arguments])
for test in ("test_kb_yaml", "test_fill", "test_clean", "test_layout", "test_canvas", "test_input"):
    valgrind(test, [str(BUILD / "unit" / test)], allowed=(0,))
done()

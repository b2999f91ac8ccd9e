"""The house: layers, headers, the pure core, sizes. See the architecture section of the README."""
import os
import pathlib
import re
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = TOP / os.environ.get("BUILD", "build")
count = 0

# Layer -> the layers that its files may include.
MAY_INCLUDE = {
    "base": {"base"},
    "core": {"base", "core"},
    "plat": {"base", "plat"},
    "ui": {"base", "core", "ui"},
    "app": {"base", "core", "plat", "ui", "app"},
    "tool": {"base", "core", "plat", "ui", "app", "tool"},
}

# Library header -> the one file (or folder) that may include it.
ONLY_IN = {
    "ncurses.h": ["src/ui/screen_curses.c", "src/tool/mkterminals.c"],
    "curses.h": [],
    "pcre2.h": ["src/core/regex.c"],
    "yaml.h": ["include/core/yaml_events.h", "src/core/yaml_events.c"],
    "utf8proc.h": ["src/base/utf8.c"],
    "jansson.h": ["include/app/", "src/app/"],
}

# What the core must not call: the world outside. Its archive may not even name them.
SYSTEM_CALLS = """open openat fopen fdopen read pread write pwrite close fread fwrite fputs puts printf fprintf vprintf
perror stat lstat fstat access opendir readdir scandir fork vfork execve execvp posix_spawn system popen pipe pipe2 poll
select epoll_wait socket bind connect kill waitpid signal sigaction time gettimeofday clock_gettime clock localtime
localtime_r gmtime getenv secure_getenv setenv putenv setlocale getcwd chdir rename unlink mkdir mmap getpid getuid
getpwuid getpwnam isatty ioctl tcgetattr rand random srand getrandom sleep usleep nanosleep exit""".split()

# What brings name services, the resolver or the loading of libraries into a static program.
TOO_MUCH_IN_A_STATIC_PROGRAM = r"\b((get(pw|gr|serv|host|proto)\w+|getaddrinfo|getlogin|dlopen|glob|wordexp|iconv_open)\s*\()"

BIGGEST_FILE, BIGGEST_FUNCTION = 600, 60


def check(good, name, why=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}" + (f": {why}" if not good and why else ""))


def sources():
    return sorted(p for folder in ("src", "include") for p in (TOP / folder).rglob("*") if p.suffix in (".c", ".h", ".def"))


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
        if found:
            yield number, found[1], found[2]


def test_layers():
    faults = []
    for path in sources():
        name = path.relative_to(TOP)
        layer = name.parts[1]
        for number, quote, target in includes(path):
            if quote == '"':
                if target.split("/")[0] not in MAY_INCLUDE.get(layer, ()):
                    faults.append(f"{name}:{number} includes {target}")
                if not (TOP / "include" / target).exists() and not (path.parent / target).exists() \
                        and not (TOP / "src" / target).exists():
                    faults.append(f"{name}:{number}: no such header {target}")
            elif target in ONLY_IN and not any(str(name).startswith(only) for only in ONLY_IN[target]):
                faults.append(f"{name}:{number} includes <{target}>")
    check(not faults, "includes point down the layers only", "; ".join(faults))


def test_headers_alone():
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Iinclude", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wstrict-prototypes",
             "-Werror", "-fsyntax-only", "-xc"]
    for compiler in ("cc", "clang"):
        faults = []
        for header in sorted((TOP / "include").rglob("*.h")):
            with tempfile.NamedTemporaryFile("w", suffix=".c") as unit:
                unit.write(f'#include "{header.relative_to(TOP / "include")}"\n')
                unit.flush()
                result = subprocess.run([compiler, *flags, unit.name], cwd=TOP, capture_output=True, text=True)
            if result.returncode:
                faults.append(f"{header.relative_to(TOP)}: {result.stderr.splitlines()[0]}")
        check(not faults, f"each header compiles alone with {compiler}", "; ".join(faults))


def test_core_is_pure():
    result = subprocess.run(["nm", "-u", "-A", str(BUILD / "libcore.a")], capture_output=True, text=True)
    calls = set()
    for line in result.stdout.splitlines():
        found = re.search(r":(\S+\.o):\s+U (\w+)", line)
        # base/alloc ends the process when there is no memory: its one message is the only output below app.
        if found and found[1] != "alloc.o" and found[2].replace("__", "").replace("_chk", "") in SYSTEM_CALLS:
            calls.add(f"{found[1]} calls {found[1]}")
    check(result.returncode == 0 and "libcore.a" in result.stdout and not calls, "the core makes no system call",
          "; ".join(sorted(calls)) or result.stderr)


def test_static_programs_stay_small():
    faults = [f"{path.relative_to(TOP)}:{number} calls {found[1]}"
              for path in sources() if path.suffix == ".c" and "tool" not in path.parts
              for number, line in enumerate(path.read_text().splitlines(), 1)
              for found in re.finditer(TOO_MUCH_IN_A_STATIC_PROGRAM, line) if not line.lstrip().startswith(("*", "/*", "//"))
              and found[1].rstrip("( ") != "gethostname"]
    check(not faults, "nothing brings name services into a static program", "; ".join(faults))


def functions(path):
    """(name, lines) of each function: from the line of its opening brace in column 1 to the closing one."""
    lines = path.read_text().splitlines()
    start = None
    for number, line in enumerate(lines):
        if line == "{" and number and lines[number - 1].rstrip().endswith(")"):
            start = number
        elif line == "}" and start is not None:
            yield lines[start - 1], number - start - 1
            start = None


def test_sizes():
    big = [f"{p.relative_to(TOP)} has {len(p.read_text().splitlines())} lines" for p in sources()
           if len(p.read_text().splitlines()) > BIGGEST_FILE]
    check(not big, f"no source file beyond {BIGGEST_FILE} lines", "; ".join(big))
    long = [f"{p.relative_to(TOP)}: {name} has {size}" for p in sources() if p.suffix == ".c"
            for name, size in functions(p) if size > BIGGEST_FUNCTION]
    check(not long, f"no function beyond {BIGGEST_FUNCTION} lines", "; ".join(long))


def test_top_level():
    tracked = subprocess.run(["git", "ls-files"], cwd=TOP, capture_output=True, text=True).stdout.split()
    loose = {name.split("/")[0] for name in tracked if not name.startswith(".")}
    wanted = {"Makefile", "README.md", "LICENSE", "content", "include", "src", "tests"}
    check(loose <= wanted or not tracked, "nothing loose at the top level", str(loose - wanted))
    readme = (TOP / "README.md").read_text().splitlines()
    check(len(readme) <= 120, "the README has at most 120 lines", str(len(readme)))


def test_documents():
    result = subprocess.run([str(BUILD / "docgen"), "readme", "README.md"], cwd=TOP, capture_output=True, text=True)
    check(result.returncode == 0 and result.stdout == (TOP / "README.md").read_text(),
          "the generated parts of the README are those of the tables", "run make docs")


for test in (test_documents, test_layers, test_headers_alone, test_core_is_pure, test_static_programs_stay_small, test_sizes, test_top_level):
    test()

#!/usr/bin/env python3
"""What `make dist` makes: static programs that run alone, in a root that has nothing else; the same bytes each time.

The program of the other architecture runs in QEMU's emulator of one process.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import struct
import subprocess
import tarfile

from dist import BUILD, EMULATOR, HERE, SECONDS, THERE, TOP, make
import terminal as screen
from terminal import Pty, check, scratch

ORDINARY = BUILD / "ascend-faq"
SIZE_MAX = 4 << 20
LOG = TOP / "tests/fixtures/logs/063-ei0020-wrapped-80.log"
VERSION = re.search(r"^VERSION := (.*)$", (TOP / "Makefile").read_text(), re.M)[1]
CHROOT = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin")
NOBODY = 65534
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_GNU_STACK = 1, 2, 3, 0x6474E551


def name_of(architecture):
    return f"ascend-faq-{VERSION}-linux-{architecture}"


def program(architecture, folder=BUILD):
    return folder / "dist" / name_of(architecture)


class Root:
    """A root folder that has the program and nothing else (its emulator, if it needs one)."""

    def __init__(self, architecture, writable=True):
        self.path = pathlib.Path(scratch())
        shutil.copy(program(architecture), self.path / "ascend-faq")
        self.command = ["/ascend-faq"]
        if architecture != HERE:
            shutil.copy(EMULATOR, self.path / "emulator")
            self.command = ["/emulator", *self.command]
        if writable:
            (self.path / "home").mkdir()
        self.enter = [CHROOT]
        if os.getuid() != 0:
            self.enter = ["unshare", "--user", "--map-root-user", CHROOT]
        elif not writable:
            # Nobody may write to a folder of root's.
            self.enter += [f"--userspec={NOBODY}:{NOBODY}"]
        if not writable:
            self.path.chmod(0o555)
            os.chmod(self.path.parent, 0o755)
        self.enter.append(str(self.path))

    def words(self, *arguments):
        return [*self.enter, *self.command, *arguments]

    def run(self, *arguments, stdin=b"", **changes):
        env = {"PATH": os.environ["PATH"], "HOME": "/home", "LANG": "en_US.UTF-8", **changes}
        return subprocess.run(self.words(*arguments), input=stdin, capture_output=True, env=env, timeout=120, check=False)

    def browse(self, *arguments, **changes):
        return Pty(self.words(*arguments), rows=24, columns=80, env=screen.environment(**{"HOME": "/home", **changes}))


def for_each_architecture(test):
    """One test for each: `test(architecture)`."""
    def named(architecture):
        def one():
            test(architecture)
        one.__name__ = f"{test.__name__} {architecture}"
        return one
    return [named(architecture) for architecture in (HERE, THERE)]


def test_both_architectures_are_built():
    make(TOP, "dist")


def elf(data):
    """The machine, and (type, flags, alignment) of each segment."""
    machine, start = struct.unpack_from("<H", data, 18)[0], struct.unpack_from("<Q", data, 32)[0]
    size, count = struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<IIQQQQQQ", data, start + number * size) for number in range(count)]
    return machine, [(header[0], header[1], header[7]) for header in headers]


def test_it_is_one_small_static_file(architecture):
    path = program(architecture)
    data = path.read_bytes()
    check(len(data) <= SIZE_MAX, f"{len(data)} bytes are more than {SIZE_MAX}")
    check(os.access(path, os.X_OK), "it may not be executed")
    machine, segments = elf(data)
    check(machine == {"x86_64": 62, "aarch64": 183}[architecture], f"machine {machine}")
    kinds = {kind for kind, _, _ in segments}
    check(not kinds & {PT_DYNAMIC, PT_INTERP}, "it wants an interpreter or shared libraries")
    check(all(flags & 3 != 3 for _, flags, _ in segments), "what may be written may be executed")
    check(PT_GNU_STACK in kinds, "its stack is executable")
    if architecture == "aarch64":
        # Kernels of this architecture have pages of up to 64 KiB.
        check(all(alignment % 65536 == 0 for kind, _, alignment in segments if kind == PT_LOAD), "segments of less than 64 KiB")
    for part in (b".symtab", b".debug_info", b"GNU\0build-id", str(TOP).encode() + b"/"):
        check(part not in data, f"{part!r} is in it")


def test_what_a_release_holds(architecture):
    folder = BUILD / "dist"
    sums = dict(reversed(line.split()) for line in (folder / "SHA256SUMS").read_text().splitlines())
    for name in (name_of(architecture), name_of(architecture) + ".tar.gz"):
        check(sums.get(name) == hashlib.sha256((folder / name).read_bytes()).hexdigest(), f"the sum of {name}")
    with tarfile.open(folder / (name_of(architecture) + ".tar.gz")) as tarball:
        members = {member.name: member for member in tarball}
        top = name_of(architecture)
        for name in ("ascend-faq", "ascend-faq.1", "ascend-faq-pack.5", "README.md", "LICENSE", "STATIC-LIBRARIES", "completions/ascend-faq",
                     "completions/_ascend-faq", "completions/ascend-faq.fish"):
            check(f"{top}/{name}" in members, f"{name} is missing: {sorted(members)}")
        check(all(name == top or name.startswith(top + "/") for name in members), "something is outside of its folder")
        check(all(member.uid == member.gid == 0 and member.mtime == int(SECONDS) for member in members.values()),
              "owners or times of this machine")
        inside = tarball.extractfile(members[f"{top}/ascend-faq"])
        check(inside.read() == program(architecture).read_bytes(), "another program is in it")
        check(members[f"{top}/ascend-faq"].mode & stat.S_IXOTH, "not all may execute it")
        libraries = tarball.extractfile(members[f"{top}/STATIC-LIBRARIES"]).read().decode()
        for name in ("libpcre2-dev", "zlib1g-dev", "libc6-dev", "gcc"):
            check(re.search(rf"(?m)^{name}\S* \d", libraries), f"no version of {name}: {libraries}")
        manual = tarball.extractfile(members[f"{top}/ascend-faq.1"]).read()
        check(b"diagnose" in manual and b"@COMMANDS@" not in manual, "the manual page has no commands")


def ordinary(*arguments, stdin=b""):
    env = {"PATH": os.environ["PATH"], "HOME": scratch(), "LANG": "en_US.UTF-8"}
    return subprocess.run([str(ORDINARY), *arguments], input=stdin, capture_output=True, env=env, timeout=60, check=False)


def test_commands_alone_in_a_root_say_the_same(architecture):
    root = Root(architecture)
    log = LOG.read_bytes()
    for arguments, stdin in ((["list"], b""), (["list", "--lang", "zh"], b""), (["search", "EI0020"], b""),
                             (["show", "1.6", "--lang", "zh"], b""), (["diagnose", "-"], log),
                             (["diagnose", "--json", "-"], log), (["redact"], log), (["help"], b""),
                             (["export", "--format", "json"], b"")):
        got, wanted = root.run(*arguments, stdin=stdin), ordinary(*arguments, stdin=stdin)
        check(got.returncode == wanted.returncode and got.returncode in (0, 1),
              f"{arguments}: status {got.returncode}, not {wanted.returncode}: {got.stderr.decode()[:500]}")
        check(got.stdout == wanted.stdout and got.stdout, f"{arguments}: {got.stdout[:500]} is not {wanted.stdout[:500]}")
    check(b"1.6" in root.run("diagnose", "-", stdin=log).stdout, "the log has no diagnosis")


def test_probes_alone_in_a_root(architecture):
    result = Root(architecture).run("probe", "--json")
    check(result.returncode in (0, 1), f"status {result.returncode}: {result.stderr.decode()[:500]}")
    probes = {probe["id"]: probe for probe in json.loads(result.stdout)["probes"]}
    check(len(probes) > 20, f"{len(probes)} probes")
    check(probes["cann"]["state"] == "absent" and probes["cann"]["values"].get("MACHINE") == architecture, str(probes["cann"]))
    # With nothing there to look at, what is wanted is not there; that is no failure of the probe itself.
    broken = [probe["detail"] for probe in probes.values() if "ended early" in probe["detail"]]
    check(not broken, str(broken))


def leave(terminal):
    terminal.send("q")
    check(terminal.wait_end() == 0, f"status {terminal.status}; the screen:\n{terminal.text()}")
    terminal.check_restored(terminal.line_discipline())


def test_the_browser_alone_in_a_root(architecture):
    """No locale, no terminfo, no /dev, no /proc, no shell; a home or none that may be written to."""
    for writable in (True, False):
        root = Root(architecture, writable)
        terminal = root.browse(LANG="zh_CN.UTF-8")
        terminal.wait_for("目录").wait_for("╭").wait_for("安装构建")
        terminal.send("/EI0020").wait_for("EI0020").wait_for("端口被其他进程占用")
        terminal.send(screen.ESCAPE).wait_gone("EI0020")
        leave(terminal)
    for name in ("C", "POSIX", None):
        terminal = root.browse(LANG=name)
        terminal.wait_for("Install and build").wait_for("+--")
        check(all(byte < 0x80 for byte in terminal.bytes), "more than ASCII was sent to a terminal that did not ask for it")
        terminal.send("L").wait_for("目录").wait_for("╭")
        leave(terminal)


def names_of_terminals():
    source = (TOP / "src/tool/mkterminals.c").read_text()
    return [(name, entry == "NULL") for name, entry in re.findall(r'\{"([^"]+)", (NULL|"[^"]+")\}', source)]


def sequences(terminal):
    """What was sent but for texts and places: the modes, the styles, how it was left."""
    sent = re.sub(rb"\x1b\[\d*;?\d*H", b"", terminal.bytes)
    return set(re.findall(rb"\x1b(?:\[[0-9;?<>=]*[a-zA-Z]|[()][A-Z0-9]|[^\[()])", sent))


def test_known_terminals_are_as_terminfo_has_them():
    bare, full = Root(HERE), Root(HERE)
    for folder in ("/lib/terminfo", "/usr/share/terminfo"):
        shutil.copytree(folder, str(full.path) + folder)
    for name, in_terminfo in names_of_terminals():
        if name == "dumb":
            continue
        seen = []
        for root in (bare, full):
            terminal = root.browse(TERM=name, LANG="C")
            terminal.wait_for("Install and build").wait_for(" ok ")
            leave(terminal)
            seen.append(sequences(terminal))
        check(not in_terminfo or seen[0] == seen[1], f"TERM={name}: without terminfo {sorted(seen[0] ^ seen[1])} differ")
    check(bare.browse(TERM="dumb").wait_end() == 2, "a dumb terminal")


def test_two_builds_are_the_same():
    """In another folder, by a user of other habits; what makes the C sources is built otherwise too."""
    copy = pathlib.Path(scratch()) / "a-folder" / "of-a-much-longer-name"
    copy.mkdir(parents=True)
    for name in (".ci", "content", "include", "src", "tests"):
        shutil.copytree(TOP / name, copy / name, symlinks=True)
    for name in ("Makefile", "README.md", "LICENSE"):
        shutil.copy(TOP / name, copy)
    shutil.copytree(BUILD / "sysroot", copy / "out" / "sysroot", symlinks=True)
    before = os.umask(0o077)
    try:
        make(copy, "CFLAGS=-O0", "dist", build="out", TZ="Asia/Shanghai", LC_ALL="C", HOME=scratch(), USER="somebody")
    finally:
        os.umask(before)
    names = sorted(path.name for path in (BUILD / "dist").iterdir())
    check(names == sorted(path.name for path in (copy / "out" / "dist").iterdir()) and len(names) == 5, str(names))
    for name in names:
        check((BUILD / "dist" / name).read_bytes() == (copy / "out" / "dist" / name).read_bytes(), f"{name} differs")


screen.main([
    test_both_architectures_are_built,
    *for_each_architecture(test_it_is_one_small_static_file),
    *for_each_architecture(test_what_a_release_holds),
    *for_each_architecture(test_commands_alone_in_a_root_say_the_same),
    *for_each_architecture(test_probes_alone_in_a_root),
    *for_each_architecture(test_the_browser_alone_in_a_root),
    test_known_terminals_are_as_terminfo_has_them,
    test_two_builds_are_the_same,
])

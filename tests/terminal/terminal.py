"""Drive the program in a real terminal: in tmux, or on a pty whose bytes pyte understands.

Tests wait for text, for an event or for the end of a process, never for time; the limits are far above what
anything needs. A test is a function that raises; `main` runs all that are given and prints TAP.
"""
import atexit
import fcntl
import itertools
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import traceback

import pyte

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = str((TOP / os.environ.get("BUILD", "build") / "ascend-faq").resolve())
LIMIT = 30  # seconds; reached only when something is wrong

# What a terminal must be told at the end so that it is as before.
MODES = {"mouse": b"\x1b[?1000", "mouse coordinates": b"\x1b[?1006", "marked paste": b"\x1b[?2004",
         "alternate screen": b"\x1b[?1049"}

_counter = itertools.count()
_scratch = tempfile.mkdtemp(prefix="ascend-faq-terminal-")
atexit.register(shutil.rmtree, _scratch, ignore_errors=True)


# The Escape key as terminals with unambiguous keys send it: with a lone ESC what is sent next would count.
ESCAPE = "\x1b[27u"


class Failure(Exception):
    """What a test found wrong."""


def check(condition, message):
    if not condition:
        raise Failure(message)


def scratch():
    """A new empty folder."""
    folder = os.path.join(_scratch, str(next(_counter)))
    os.mkdir(folder)
    return folder


def environment(**changes):
    """A bare environment with a new home; `NAME=None` takes a variable away."""
    values = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": scratch(),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "SHELL": "/bin/sh",
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
    }
    values.update(changes)
    return {name: value for name, value in values.items() if value is not None}


def tool(folder, name, script):
    """A command of ours in `folder`, to be put first in PATH."""
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(path, 0o755)


def wait(condition, what, limit=LIMIT, step=0.02):
    """Ask again and again until `condition` gives something true; the answer is returned."""
    until = time.monotonic() + limit
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > until:
            raise Failure(f"waited in vain for {what() if callable(what) else what}")
        time.sleep(step)


def parents():
    """The parent of every process there is now."""
    table = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                table[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    return table


def children(pid):
    return [child for child, parent in parents().items() if parent == pid]


def descendants(pid):
    """Processes that `pid` started, at any depth."""
    table, below, more = parents(), set(), {pid}
    while more:
        below |= more
        more = {child for child, parent in table.items() if parent in below} - below
    return below - {pid}


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wake_ups(pid):
    """How often a process went to sleep by its own will: it cannot wake without that."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M).group(1))


class Pty:
    """A terminal of our own: everything that is sent to it is kept in `bytes` and shown on `screen`."""

    def __init__(self, command, rows=30, columns=100, env=None, cwd=None, output=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = b""
        self.status = None
        self.open = True
        env = environment() if env is None else env
        # The program starts when its terminal is measured and looked at: afterwards would be too late.
        hold, go = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.close(go)
                os.read(hold, 1)
                if cwd:
                    os.chdir(cwd)
                if output:
                    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT, 0o600), 1)
                size = struct.pack("HHHH", rows, columns, 0, 0)
                fcntl.ioctl(0, termios.TIOCSWINSZ, size)
                os.execvpe(command[0], command, env)
            finally:
                os._exit(126)
        self.resize(rows, columns)
        self.found = termios.tcgetattr(self.fd)
        os.close(hold)
        os.close(go)
        atexit.register(self.close)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def pump(self, seconds=0.0):
        """Take what the program has written; true if there was something."""
        took = False
        while self.open and select.select([self.fd], [], [], 0 if took else seconds)[0]:
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                more = b""
            if not more:
                self.open = False
                break
            took = True
            self.bytes += more
            # pyte has no alternate screen: what was on the other one is taken for blank.
            more = re.sub(rb"\x1b\[\?1049[hl]", lambda found: found.group() + b"\x1b[H\x1b[2J", more)
            # pyte knows neither DCS nor private sequences with an intermediate byte.
            self.stream.feed(re.sub(rb"\x1bP.*?\x1b\\|\x1b\[[<=>][^a-zA-Z]*[a-zA-Z]", b"", more, flags=re.S))
        return took

    def text(self):
        self.pump()
        # Not screen.display, which fails on half of a wide character whose other half was written over.
        lines = ("".join(row[column].data for column in range(self.screen.columns))
                 for row in (self.screen.buffer[number] for number in range(self.screen.lines)))
        return "\n".join(line.rstrip() for line in lines).rstrip("\n")

    def wait_for(self, wanted, limit=LIMIT):
        """Until the screen shows the text; a wide character is one character in it."""
        return self._wait(lambda: wanted in self.text(), repr(wanted), limit)

    def wait_gone(self, unwanted):
        return self._wait(lambda: unwanted not in self.text(), f"{unwanted!r} to go away", LIMIT)

    def wait_bytes(self, wanted):
        return self._wait(lambda: wanted in self.bytes, f"the bytes {wanted!r}", LIMIT)

    def _wait(self, condition, what, limit):
        until = time.monotonic() + limit
        while not condition():
            if not self.open and not self.pump():
                raise Failure(f"the program ended before {what}; the screen:\n{self.text()}")
            if time.monotonic() > until:
                raise Failure(f"waited in vain for {what}; the screen:\n{self.text()}")
            self.pump(0.05)
        return self

    def send(self, data):
        data = data.encode() if isinstance(data, str) else data
        while data:  # a pty takes no more than its buffer at once
            written = os.write(self.fd, data[:1024])
            data = data[written:]
            self.pump()
        return self

    def kill(self, number):
        os.kill(self.pid, number)
        return self

    def wait_end(self, limit=LIMIT):
        """The exit status; negative: by that signal."""
        def ended():
            self.pump(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            return bool(pid)
        if self.status is None:
            wait(ended, lambda: f"the end of the program; the screen:\n{self.text()}", limit, 0)
            self.pump(0.05)
        return self.status

    def line_discipline(self):
        """As it was before the command was started."""
        return self.found

    def mode_is_on(self, mode):
        """The last word that the terminal heard about it."""
        on, off = self.bytes.rfind(mode + b"h"), self.bytes.rfind(mode + b"l")
        return on > off

    def check_restored(self, before):
        for name, mode in MODES.items():
            check(not self.mode_is_on(mode), f"{name} was left on")
        hidden, shown = self.bytes.rfind(b"\x1b[?25l"), max(self.bytes.rfind(b"\x1b[?25h"), self.bytes.rfind(b"\x1b[34h"))
        check(shown >= hidden, "the cursor was left hidden")
        now = termios.tcgetattr(self.fd)
        check(now[:4] == before[:4] and now[6] == before[6], f"line discipline: {before} became {now}")

    def close(self):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except OSError:
                pass
            self.status = -9
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        self.open = False


class Tmux:
    """A tmux server of our own, with one window in which the command runs."""

    def __init__(self, command, rows=30, columns=100, env=None):
        self.socket = f"ascend-faq-test-{os.getpid()}-{next(_counter)}"
        self.env = environment() if env is None else env
        # The server must not take anything from a tmux that we run in.
        outer = {name: self.env[name] for name in self.env if name not in ("TMUX", "TMUX_PANE")}
        self.outer = dict(outer, TERM="xterm-256color", LANG="C.UTF-8")
        line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in command)
        settings = " ".join(f"{name}='{value}'" for name, value in self.env.items() if name in ("LANG", "LC_ALL", "HOME", "PATH"))
        unset = "" if "LANG" in self.env else "unset LANG;"
        self.tmux("-f", "/dev/null", "-u", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                  f"{unset} {settings} {line}; echo [ended $?]; exec cat")
        atexit.register(self.close)

    def tmux(self, *words, data=None):
        result = subprocess.run(["tmux", "-L", self.socket, *words], input=data, env=self.outer,
                                capture_output=True, timeout=LIMIT, check=False)
        check(result.returncode == 0, f"tmux {words}: {result.stderr.decode()}")
        return result.stdout

    def send(self, *keys):
        """Names of keys as tmux has them; other words are typed."""
        self.tmux("send-keys", *keys)
        return self

    def paste(self, text):
        self.tmux("load-buffer", "-b", "test", "-", data=text.encode() if isinstance(text, str) else text)
        self.tmux("paste-buffer", "-p", "-r", "-b", "test")
        self.tmux("delete-buffer", "-b", "test")
        return self

    def text(self):
        return self.tmux("capture-pane", "-p").decode()

    def wait_for(self, wanted):
        wait(lambda: wanted in self.text(), lambda: f"{wanted!r}; the screen:\n{self.text()}")
        return self

    def wait_gone(self, unwanted):
        wait(lambda: unwanted not in self.text(), lambda: f"{unwanted!r} to go away; the screen:\n{self.text()}")
        return self

    def resize(self, rows, columns):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        return self

    def buffer(self):
        """The newest paste buffer, as bytes; None when there is none."""
        result = subprocess.run(["tmux", "-L", self.socket, "save-buffer", "-"], env=self.outer,
                                capture_output=True, timeout=LIMIT, check=False)
        return result.stdout if result.returncode == 0 else None

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], env=self.outer, capture_output=True,
                       timeout=LIMIT, check=False)


def main(tests):
    """Run the tests, print TAP, end with status 1 if one failed."""
    wanted = sys.argv[1:]
    tests = [test for test in tests if not wanted or any(word in test.__name__ for word in wanted)]
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    for number, test in enumerate(tests, 1):
        name = test.__name__.removeprefix("test_").replace("_", " ")
        try:
            test()
            print(f"ok {number} - {name}", flush=True)
        except Exception as fault:  # a test must not stop the others, whatever happens in it
            failed += 1
            why = str(fault) if isinstance(fault, Failure) else traceback.format_exc()
            print(f"not ok {number} - {name}: " + why.replace("\n", "\n# "), flush=True)
    sys.exit(1 if failed else 0)

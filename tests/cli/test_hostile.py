#!/usr/bin/env python3
"""Arguments, streams and children of the worst kind: messages stay one harmless line, failures are told."""
import os
import signal
import subprocess
import tempfile

from cli import PROGRAM, check, document, done, environment, run

HARMFUL = [b"\x1b]0;title\x07", b"\x1b[31mred", b"two\nlines", b"\xff\xfe\x80", b"\xc2\x9b31m", "\u202eleft".encode(), b"\t\r",
           b"\xf4\x90\x80\x80", b"%s%n%d"]


def harmless(data):
    """Valid UTF-8 in which nothing moves the cursor or turns the text around."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return not any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 or c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" for c in text)


# --- messages ---------------------------------------------------------------------------------------------------
for command in (["list"], ["show"], ["search"], ["probe"], ["fill"], ["fill", "1.1"], ["lint"], ["help"], ["diagnose"], [], ["--lang"],
                ["--set"], ["fill", "1.2", "--set"], ["run", "--"], ["--"]):
    bad = []
    for value in HARMFUL:
        r = run(*command, value)
        lines = 0 if r.status == 0 else 1
        if not 0 <= r.status <= 127 or not harmless(r.stderr) or r.stderr.count(b"\n") != lines:
            bad.append((value, r.status, r.stderr))
    check(not bad, f"{' '.join(command) or 'no command'} with harmful words: one harmless line", bad)
for value in HARMFUL:
    r = run("list", "--pack", value)
    check(r.status == 0 and r.stderr.count(b"\n") == 2 and harmless(r.stderr), f"--pack {value}", r.stderr)
r = run("list", "--pack", "")
check(r.status == 2 and r.err.count("\n") == 1 and "--pack" in r.err, "--pack without a name", r.err)
r = run("show", "x" * 100000)
check(r.err.startswith("ascend-faq: xxx") and len(r.err) < 1200 and "…" in r.err and "no such" in r.err, "of an endless word the message shows the ends", r.err)

# --- streams ------------------------------------------------------------------------------------------------------
COMMANDS = ("list", "list --json", "show 1.6", "search npu", "probe resources", "fill 1.2 --set MASTER_PORT=23417 --set SCRIPT=a.py --set ARGS=", "help", "--version", "lint --json", "diagnose",
            "run -- echo text")
for command in COMMANDS:
    with open("/dev/full", "wb") as full:
        r = subprocess.run([PROGRAM, *command.split()], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, env=environment())
    check(r.returncode == 2 and r.stderr.count(b"\n") == 1 and b"No space left" in r.stderr, f"{command} on a full disk says so", (r.returncode, r.stderr))


def with_closed(numbers, *arguments):
    def close():
        for number in numbers:
            os.close(number)
    return subprocess.run([PROGRAM, *arguments], stdin=None if 0 in numbers else subprocess.DEVNULL,
                          stdout=None if 1 in numbers else subprocess.PIPE, stderr=None if 2 in numbers else subprocess.PIPE,
                          preexec_fn=close, env=environment(), timeout=60)


r = with_closed([1], "list")
check(r.returncode == 2 and b"Bad file descriptor" in r.stderr, "standard output closed: told", (r.returncode, r.stderr))
r = with_closed([0], "diagnose", "-")
check(r.returncode == 2 and b"Bad file descriptor" in r.stderr, "standard input closed: told", (r.returncode, r.stderr))
r = with_closed([2], "list", "--pack", "/nonexistent")
check(r.returncode == 0 and b"nonexistent" not in r.stdout and b"1.1" in r.stdout, "standard error closed: nothing of it lands elsewhere", r.stdout[:300])
r = with_closed([0, 2], "probe", "--json", "cmake")
check(r.returncode in (0, 1) and r.stdout.startswith(b"{"), "a probe's command with both closed", (r.returncode, r.stdout))
r = with_closed([0, 1, 2], "list")
check(r.returncode == 2, "all closed", r.returncode)

# --- packs --------------------------------------------------------------------------------------------------------
with tempfile.TemporaryDirectory() as folder:
    for content, fault in ((b"name: x\n\x1b[31m: 3\n", "2:1"), (b"\xff", "1:1")):
        with open(os.path.join(folder, "pack.yaml"), "wb") as file:
            file.write(content)
        r = run("lint", folder)
        check(r.status == 1 and r.out.count("\n") == 1 and f"pack.yaml:{fault}: error" in r.out, f"{content} is one fault", r.out)

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "log"), "w", encoding="utf-8") as file:
        file.write("RuntimeError: EI0020 \x1b[31m \x7f \u009b31m \u202e \u4e2d\n" * 3)
    for options in ([], ["--json"], ["--plain"]):
        r = run("diagnose", *options, file.name)
        check(harmless(r.stdout.replace(b"\t", b" ")) and "EI0020" in r.out, f"diagnose {options} of a harmful log is harmless", r.stdout)
    d, status = document("diagnose", file.name)
    check(status in (0, 1) and "\u202e \u4e2d" in d["unmatched"][0]["text"], "as JSON nothing of it is lost", ascii(d)[:2000])

# --- what the parent left us ----------------------------------------------------------------------------------------
def ignoring():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM])


r = subprocess.run([PROGRAM, "run", "--", "sh", "-c", "exit 7"], env=environment(), preexec_fn=ignoring, capture_output=True, timeout=60)
check(r.returncode == 7, "SIGCHLD ignored and blocked by the parent: exit statuses are still seen", r)
with tempfile.TemporaryDirectory() as folder:
    r = subprocess.run([PROGRAM, "lint", folder], env=environment(), preexec_fn=ignoring, capture_output=True, timeout=60)
    plain = run("lint", folder)
    check((r.returncode, r.stdout) == (plain.status, plain.stdout), "and lint's shell gives the same", r)

# --- children of `run` ------------------------------------------------------------------------------------------------
r = run("run", "--", "sh", "-c", "yes & exit 3", timeout=60)
check(r.status == 3 and b"status 3" in r.stderr, "a child that writes for ever is not waited for", (r.status, r.stderr[:200]))
r = run("run", "--", "sh", "-c", "sleep 1000 & echo $!; exit 4", timeout=60)
check(r.status == 4, "a child that holds the output open is not waited for", (r.status, r.stderr[:200]))
os.kill(int(r.out), signal.SIGKILL)
r = run("run", "--", "sh", "-c", "exec >&- 2>&-; exit 5")
check(r.status == 5, "a command that closes its outputs", r.err)
r = run("run", "--", "sh", "-c", "exit 6", HOME="/proc/nonexistent")
check(r.status == 6 and "opens it" not in r.err, "no output kept: nothing is said of opening it", r.err)

done()

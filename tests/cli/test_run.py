"""ascend-faq run -- COMMAND: nothing of the command changes, and a failure is diagnosed."""
import hashlib
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import fcntl
import time

from cli import PROGRAM, check, done, environment, run

ERROR = "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"

# --- pipes ----------------------------------------------------------------------------------------------------
r = run("run", "--", "sh", "-c", "printf 'a\\000\\377\\033[1mb\\r\\n'; printf 'oops' >&2")
check(r.status == 0 and r.stdout == b"a\0\xff\x1b[1mb\r\n" and r.stderr == b"oops", "success: both outputs byte for byte, nothing added", (r.stdout, r.stderr))
for status in (1, 2, 7, 126, 255):
    check(run("run", "--", "sh", "-c", f"exit {status}").status == status, f"exit status {status} is kept")
for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV):
    check(run("run", "--", "sh", "-c", f"kill -{int(number)} $$").status == 128 + number, f"a death by signal {int(number)} is 128 + {int(number)}")
r = run("run", "--", "/nonexistent/command")
check(r.status == 127 and "/nonexistent/command" in r.err and r.err.count("\n") == 1, "a command that is not there: 127 and one line", r.err)
r = run("run", "--", "/dev/null")
check(r.status == 126 and "/dev/null" in r.err, "a command that cannot be executed: 126", (r.status, r.err))
r = run("run")
check(r.status == 2 and "usage" in r.err, "run without a command", r.err)
r = run("run", "--", "cat", stdin=b"typed\n" * 1000)
check(r.stdout == b"typed\n" * 1000, "standard input goes to the command")
r = run("run", "--", "sh", "-c", f"echo 'step 1'; echo '{ERROR}' >&2; exit 1")
check(r.status == 1 and r.stdout == b"step 1\n", "a failure: standard output is still the command's alone", r.out)
check(r.stderr.startswith(ERROR.encode() + b"\n") and "1.2" in r.err and "ascend-faq " in r.err.split("1.2")[-1], "a failure: the diagnosis and how to open it follow on standard error", r.err)
r = run("run", "--", "sh", "-c", f"echo '{ERROR}'; exit 0")
check(r.stderr == b"", "success: no diagnosis whatever was printed", r.err)
r = run("run", "--lang", "zh", "--", "sh", "-c", f"echo '{ERROR}'; exit 3")
check(r.status == 3 and "端口" in r.err, "the diagnosis in Chinese", r.err)
r = run("run", "sh", "-c", f"exit 4")
check(r.status == 4, "without the dashes as well", (r.status, r.err))
both = subprocess.run([PROGRAM, "run", "--", "sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
check(both.stdout == b"".join(b"out%d\nerr%d\n" % (i, i) for i in range(1, 10)), "2>&1 keeps the order", both.stdout)

big = os.urandom(1 << 20) * 40
with open(os.path.join(environment()["HOME"], "big"), "wb") as file:
    file.write(big)
r = run("run", "--", "cat", file.name)
check(hashlib.sha256(r.stdout).digest() == hashlib.sha256(big).digest(), "40 MiB of random bytes come through unchanged")
closed = subprocess.run(["bash", "-c", f"'{PROGRAM}' run -- yes | head -1; echo ${{PIPESTATUS[0]}}"], env=environment(), capture_output=True, text=True, timeout=60)
check(closed.stdout.split() == ["y", "141"], "a closed pipe ends the command as it would alone", (closed.stdout, closed.stderr))

# A large output with the error in its middle: found, and kept with its beginning and its end.
LINE = b"step %09d loss 1.2345 tokens/s 4321 all is as it should be\n"
before, after = b"".join(LINE % i for i in range(120000)), b"".join(LINE % i for i in range(120000, 250000))
with open(os.path.join(environment()["HOME"], "large"), "wb") as file:
    file.write(before + ERROR.encode() + b"\n" + after)
r = run("run", "--", "sh", "-c", f"cat '{file.name}'; exit 5")
with open(os.path.join(environment()["HOME"], ".local/state/ascend-faq/last-run.log"), "rb") as kept_file:
    kept = kept_file.read()
check(r.status == 5 and r.stdout == before + ERROR.encode() + b"\n" + after and "1.2" in r.err, "an error in the middle of a large output is found", (r.status, r.err))
check(kept.startswith(before[:1 << 20]) and kept.endswith(after[-(1 << 20):]) and b"EADDRINUSE" in kept and len(kept) < 8 << 20, "of a large output, beginning, evidence and end are kept", len(kept))
r = run("run", "--", "sh", "-c", f"head -c 3000000 '{file.name}'; exit 5")
with open(kept_file.name, "rb") as kept_file:
    check(kept_file.read() == (before + after)[:3000000], "what fits is kept whole")
with open(file.name, "wb") as file:
    file.write(("\ufeff" + ("step done\r\n" * 60000) + ERROR + "\r\n" + "step done\r\n" * 60000).encode("utf-16-le"))
r = run("run", "--", "sh", "-c", f"cat '{file.name}'; exit 5")
check(r.status == 5 and "1.2" in r.err, "an output in UTF-16 is diagnosed, too", (r.status, r.err))

# At once: each line must come while the command still runs.
process = subprocess.Popen([PROGRAM, "run", "--", "sh", "-c", "echo first; read answer; echo got $answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
line = process.stdout.readline()
process.stdin.write(b"yes\n")
process.stdin.flush()
check(line == b"first\n" and process.stdout.readline() == b"got yes\n" and process.wait(30) == 0, "output comes at once")

# SIGTERM to us reaches the command; the status is the command's.
process = subprocess.Popen([PROGRAM, "run", "--", "sh", "-c", "trap 'echo caught; exit 9' TERM; echo ready; while :; do sleep 0.05; done"], stdout=subprocess.PIPE, env=environment())
process.stdout.readline()
process.terminate()
check(process.stdout.read() == b"caught\n" and process.wait(30) == 9, "SIGTERM is passed on")


# --- a terminal -------------------------------------------------------------------------------------------------
class Terminal:
    def __init__(self, *command, rows=33, columns=101):
        variables = environment(TERM="xterm", PS1="PROMPT> ", HISTFILE="")
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, variables)
        self.size(rows, columns)
        self.seen = b""

    def size(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, text, limit=30):
        end = time.monotonic() + limit
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.fd, 65536)
                except OSError:
                    break
        found = text in self.seen
        if found:
            self.seen = self.seen[self.seen.index(text) + len(text):]
        return found

    def send(self, text):
        os.write(self.fd, text)

    def status(self):
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


t = Terminal(PROGRAM, "run", "--", sys.executable, "-c", "import os,sys; print('ttys', [os.isatty(i) for i in (0,1,2)], os.get_terminal_size(1)); print('\\r\\n' in repr(sys.stdin)); sys.exit(5)")
check(t.until(b"ttys [True, True, True] os.terminal_size(columns=101, lines=33)"), "a terminal stays a terminal of the same size", t.seen)
check(t.status() == 5, "exit status through a terminal")

t = Terminal(PROGRAM, "run", "--", "bash", "-c", "trap 'stty size' WINCH; echo ready; for i in $(seq 100); do sleep 0.1; done")
t.until(b"ready")
t.size(44, 55)
check(t.until(b"44 55"), "a change of the window reaches the command", t.seen)
os.kill(t.pid, signal.SIGTERM)
t.status()

t = Terminal(PROGRAM, "run", "--", "sh", "-c", "echo ready; exec sleep 100")
t.until(b"ready")
t.send(b"\x03")
check(t.status() == 130, "Ctrl-C ends it as it would without us")

t = Terminal("bash", "--norc", "--noediting", "-i")
check(t.until(b"PROMPT> "), "a shell to start from", t.seen)
t.send(f"'{PROGRAM}' run -- sh -c 'echo begin; read x; echo \"<$x>\"; exit 6'\n".encode())
check(t.until(b"\nbegin"), "the command runs", t.seen)
t.send(b"\x1a")
check(t.until(b"Stopped") and t.until(b"PROMPT> "), "Ctrl-Z gives the shell back", t.seen)
t.send(b"echo between-$((1+1))\n")
check(t.until(b"between-2") and t.until(b"PROMPT> "), "the shell's terminal is in order while it is stopped", t.seen)
t.send(b"fg\n")
t.until(b"run --")
t.send(b"hello\n")
check(t.until(b"<hello>"), "fg goes on and keys reach it", t.seen)
check(t.until(b"PROMPT> "), "the shell comes back at the end", t.seen)
t.send(b"echo status-$?\n")
check(t.until(b"status-6"), "the shell sees the command's status", t.seen)
t.send(b"stty -a | tr ';' '\\n' | grep -c -w -e icanon -e echo -e isig\n")
check(t.until(b"PROMPT> "), "the terminal's settings are back")
t.send(b"exit\n")
t.status()
done()

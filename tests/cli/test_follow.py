"""diagnose --follow: a log that grows, a pipe, Ctrl-C."""
import os
import signal
import subprocess
import tempfile

from cli import PROGRAM, check, done, environment, run

ERROR = b"torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use\n"
OTHER = b"FileNotFoundError: [Errno 2] No such file or directory: 'bishengir-opt'\n"

folder = tempfile.mkdtemp()
path = os.path.join(folder, "train.log")
with open(path, "wb") as log:
    log.write(b"step 1 loss 0.5\n")
    log.flush()
    process = subprocess.Popen([PROGRAM, "diagnose", "--follow", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    log.write(ERROR)
    log.flush()
    line = process.stdout.readline()
    check(line.startswith(b"1.2"), "a problem is told while the log grows", line)
    while b"1.2" in line or b"3.2" in line or line.startswith(b"      "):
        if line.startswith(b"      ") and b"3.2" in previous:
            break
        previous, line = line, process.stdout.readline()
    log.write(b"step 2 loss 0.4\n" + OTHER)
    log.flush()
    line = process.stdout.readline()
    check(line.startswith(b"1.4"), "the next one, too", line)
    process.send_signal(signal.SIGINT)
    rest, fault = process.communicate(timeout=60)
    check(process.returncode == 0 and b"1.2" in rest and b"1.4" in rest, "Ctrl-C ends it with the whole diagnosis", (process.returncode, rest, fault))
r = run("diagnose", "--follow", stdin=ERROR)
check(r.status == 0 and r.out.startswith("1.2"), "a pipe ends by itself", r.out + r.err)
r = run("diagnose", "--follow", "/nonexistent/log")
check(r.status == 2 and r.err.count("\n") == 1 and "/nonexistent/log" in r.err, "a log that is not there is one line", r.err)
r = run("diagnose", "--follow", "a", "b")
check(r.status == 2 and r.err.count("\n") == 1, "one log at a time", r.err)
done()

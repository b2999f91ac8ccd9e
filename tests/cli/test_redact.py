"""ascend-faq redact: the labelled captures, what the machine knows, --explain, --map, --hide, pipes."""
import os
import pathlib
import socket
import stat
import subprocess
import tempfile

from cli import PROGRAM, TOP, check, done, environment, run

FIXTURES = TOP / "tests" / "fixtures" / "redact"


def rows(name):
    for line in (FIXTURES / name).read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def test_labels():
    results = {}
    for name in sorted({row[0] for row in rows("secrets.tsv")} | {row[0] for row in rows("keep.tsv")}):
        results[name] = run("redact", str(FIXTURES / name))
        check(results[name].status == 0, f"{name}: status", results[name].err)
        again = run("redact", stdin=results[name].stdout)
        check(again.stdout == results[name].stdout, f"{name}: a second time changes nothing", again.out)
    for name, secret, kind in rows("secrets.tsv"):
        check(secret not in results[name].out, f"{name}: {kind} is hidden", results[name].out)
    for name, kept, kind in rows("keep.tsv"):
        check(kept in results[name].out, f"{name}: {kind} {kept!r} stays", results[name].out)
    crlf = (FIXTURES / "r13-crlf-windows.log").read_bytes()
    check(results["r13-crlf-windows.log"].stdout.count(b"\r\n") == crlf.count(b"\r\n"), "line ends stay as they are")


def test_machine():
    """The names that this machine knows are hidden where nothing beside them tells."""
    host = socket.gethostname()
    text = f"on {host} qzkolbe ran it\n".encode()
    result = run("redact", stdin=text, USER="qzkolbe")
    check("qzkolbe" not in result.out and "<USER_1>" in result.out, "$USER is hidden", result.out)
    check(len(host) < 5 or host not in result.out, "the host's own name is hidden", result.out)
    result = run("redact", stdin=b"ls /usr/bin /bin\nbin@hx-7:~$\n", USER="bin")
    check(result.out == "ls /usr/bin /bin\n<USER_1>@<HOST_1>:~$\n", "a user called bin leaves /usr/bin alone", result.out)


def test_words():
    result = run("redact", "--hide", "Falcon", "--hide", "盘古", stdin="训练盘古 falcon_7b\n".encode())
    check(result.out == "训练<WORD_1> <WORD_2>_7b\n", "--hide hides words in any case, given twice", result.out)
    result = run("redact", "--hide", "a", stdin=b"a\n")
    check(result.status == 2 and "--hide" in result.err and not result.out, "a word too short is refused", result.err)


def test_explain_and_map():
    text = b"zw1234567@hx-npu-a17:~$ ping 10.1.2.3\n"
    result = run("redact", "--explain", stdin=text)
    check("IP" in result.err and "ipv4" in result.err, "--explain names kinds and rules on standard error", result.err)
    check("No tool finds everything" in result.err, "--explain says that no tool finds everything", result.err)
    check("zw1234567" not in result.err and "10.1.2.3" not in result.err, "--explain shows no value", result.err)
    result = run("redact", "--explain", "--lang", "zh", stdin=text)
    check("没有工具能找出一切" in result.err, "--explain in Chinese", result.err)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        path = os.path.join(folder, "map")
        result = run("redact", "--map", path, stdin=text)
        written = pathlib.Path(path).read_text() if os.path.exists(path) else ""
        check("<USER_1>\tzw1234567\n" in written and "<IP_1>\t10.1.2.3\n" in written, "--map says what stands for what", written)
        check(written and stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the map is private")
        result = run("redact", "--map", path, stdin=text)
        check(result.status == 2 and path in result.err, "a map that is there is not overwritten", result.err)
        with open(os.path.join(other, "report"), "wb") as report:
            beside = os.path.join(other, "map")
            refused = subprocess.run([PROGRAM, "redact", "--map", beside], input=text, stdout=report, stderr=subprocess.PIPE,
                                     env=environment(), check=False)
        check(refused.returncode == 2 and not os.path.exists(beside), "no map beside the report", refused.stderr)


def test_input():
    check(run("redact", "/nonexistent").status == 2, "a file that is not there: status 2")
    check(run("redact", "/tmp").status == 2, "a folder: status 2")
    result = run("redact", "-", stdin=b"")
    check(result.status == 0 and result.stdout == b"", "nothing in, nothing out")
    blob = bytes(range(256)) * 40 + b"\nip 10.1.2.3\n"
    result = run("redact", stdin=blob)
    check(result.status == 0 and b"10.1.2.3" not in result.stdout and result.stdout.startswith(bytes(range(46))), "any bytes pass")


def test_pipe():
    """A pipe that pauses gets its whole lines; nobody waits for megabytes."""
    process = subprocess.Popen([PROGRAM, "redact"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    process.stdin.write(b"from 10.1.2.3\npart of")
    process.stdin.flush()
    first = process.stdout.readline()
    check(first == b"from <IP_1>\n", "whole lines come at once", first)
    process.stdin.close()
    check(process.stdout.read() == b"part of" and process.wait() == 0, "the rest at the end")
    result = subprocess.run(["sh", "-c", f"yes 'from 10.1.2.3' | '{PROGRAM}' redact | head -n 2"], capture_output=True,
                            env=environment(), check=False, timeout=60)
    check(result.stdout == b"from <IP_1>\n" * 2 and result.stderr == b"", "a closed pipe ends it quietly", result.stderr)


def test_memory():
    """A line of 64 MB without end, in constant memory."""
    script = f"ulimit -v 400000; head -c 64000000 /dev/zero | tr '\\0' x | '{PROGRAM}' redact | wc -c"
    if "asan" in PROGRAM:
        script = script.replace("ulimit -v 400000; ", "")
    result = subprocess.run(["sh", "-c", script], capture_output=True, env=environment(), check=False, timeout=300)
    check(result.stdout.strip() == b"64000000", "a line without end needs no more memory", result.stderr)


for test in (test_labels, test_machine, test_words, test_explain_and_map, test_input, test_pipe, test_memory):
    test()
done()

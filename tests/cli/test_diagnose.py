"""ascend-faq diagnose on real files: every kind of input, what is said of what cannot be read, the document."""
import gzip
import json
import os
import pathlib
import subprocess
import threading
import time

from cli import HOME, PROGRAM, check, document, done, environment, run

ERROR = "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"
OTHER = "[ERROR] HCCL(1234,python3):2026-03-11-12:12:12.123.456 [topoinfo_detect.cc:451][1234]EI0020: [PID: 1234] 2026-03-11-12:12:12.123.456 resource limit"
STEP = "step %d loss 1.25 lr 1.0e-05\n"
top = pathlib.Path(HOME) / "logs"
top.mkdir()


def put(name, content):
    path = top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def without_context(text):
    """The document without the lines around: those are kept only of what cannot be read again."""
    parsed = json.loads(text)
    for piece in [e for m in parsed["matches"] for e in m["evidence"]] + parsed["unmatched"]:
        piece.pop("before", None)
        piece.pop("after", None)
    return parsed


def found(result_document):
    return [match["entry"] for match in result_document["matches"]]


def evidence(result_document, entry="1.2"):
    return [e for m in result_document["matches"] if m["entry"] == entry for e in m["evidence"]]


# --- exit statuses ------------------------------------------------------------------------------------------------
plain = put("plain.log", STEP % 1 + ERROR + "\n" + STEP % 2)
calm = put("calm.log", "".join(STEP % i for i in range(100)))
empty = put("empty.log", "")
r = run("diagnose", plain)
check(r.status == 0 and "1.2" in r.out and f"{plain}:2: " in r.out and r.err == "", "a known problem: status 0, and its line as path:line", (r.status, r.out, r.err))
r = run("diagnose", calm)
check(r.status == 1 and "No known problem" in r.out and r.err == "", "no known problem: status 1, said", (r.status, r.out, r.err))
r = run("diagnose", empty)
check(r.status == 1 and "No known problem" in r.out and r.err == "", "an empty file: status 1", (r.status, r.out, r.err))
r = run("diagnose", "--lang", "zh", calm)
check(r.status == 1 and "没有发现已知问题" in r.out, "no known problem, in Chinese", r.out)
r = run("diagnose", str(top / "nowhere"))
check(r.status == 2 and r.out == "" and r.err == f"ascend-faq: {top}/nowhere: No such file or directory\n", "a file that is not there: status 2, one line, nothing else", (r.status, r.out, r.err))
r = run("diagnose", str(top / "nowhere"), plain)
check(r.status == 2 and "1.2" in r.out and r.err.count("\n") == 1 and "nowhere: No such file" in r.err, "beside one that can be read: told, that one diagnosed, status 2", (r.status, r.out, r.err))
r = run("diagnose", plain, "/proc/self/mem")
check(r.status == 2 and "1.2" in r.out and r.err.count("\n") == 1 and "/proc/self/mem: " in r.err, "a file that opens but cannot be read is told", (r.status, r.out, r.err))
for wrong in (["--threads", "0", plain], ["--threads", "x", plain], ["--why", "99.99", plain], ["--follow", plain, calm], ["--no-such-option"]):
    r = run("diagnose", *wrong)
    check(r.status == 2 and r.out == "" and r.err.startswith("ascend-faq: "), f"{' '.join(wrong[:2])}: status 2", (r.status, r.out, r.err))

# --- ways of writing ----------------------------------------------------------------------------------------------
for name, content in {
    "crlf": (STEP % 1 + ERROR + "\n").replace("\n", "\r\n"),
    "no line end": STEP % 1 + ERROR,
    "NUL bytes": b"\0" * 5000 + b"\n" + (ERROR + "\n").encode(),
    "NUL bytes inside": (STEP % 1).encode() + b"\0\0\0" + ERROR.encode() + b"\0\n",
    "invalid UTF-8": b"\xff\xfe\xc0 \x80\n"[1:] + ERROR.encode() + b" \xf8\x88\n",
    "UTF-8 with a mark": b"\xef\xbb\xbf" + ERROR.encode() + b"\nstep\n",
    "UTF-16 LE": (STEP % 1 + ERROR + "\r\n").encode("utf-16"),
    "UTF-16 BE": b"\xfe\xff" + (STEP % 1 + ERROR + "\n").encode("utf-16-be"),
    "UTF-16 LE, cut in the middle of a character": ("\ufeff" + STEP % 1 + ERROR + "\n").encode("utf-16-le") + b"\x41",
    "ANSI colours": f"\x1b[31m\x1b[1m{ERROR.replace('server', chr(27) + '[0mser' + chr(27) + '[32mver')}\x1b[0m\n",
    "a progress bar": "".join(f"\r{i:3}%|{'#' * (i // 2):50}| {i}/100 [00:{i % 60:02}<00:00]" for i in range(101)) + f"\r{ERROR}\n",
    "a progress bar in front": "\r" + "\r".join(f"{i}%" for i in range(5000)) + "\n" + ERROR + "\n",
    "gzip": gzip.compress((STEP % 1 + ERROR + "\n").encode()),
    "gzip of two members": gzip.compress((STEP % 1).encode() * 1000) + gzip.compress((ERROR + "\n").encode()),
    "gzip of UTF-16": gzip.compress((STEP % 1 + ERROR + "\n").encode("utf-16")),
}.items():
    path = put("kinds/" + name.replace(" ", "-"), content)
    d, status = document("diagnose", path)
    check(status == 0 and found(d)[0] == "1.2" and d["matches"][0]["captures"].get("PORT") == "29500", f"{name}: the entry and the port", (status, d["matches"]))
    with open(path, "rb") as file:
        p = subprocess.run([PROGRAM, "diagnose", "--json", "-"], stdin=file, capture_output=True, env=environment(), check=False)
    check(p.returncode == 0 and without_context(p.stdout.replace(b'"-"', f'"{path}"'.encode())) == json.loads(run("diagnose", "--json", path).stdout), f"{name}: the same from standard input", p.stdout)
d, status = document("diagnose", put("kinds/UTF-16-empty", b"\xff\xfe"))
check(status == 1 and d["matches"] == [], "nothing but a mark of UTF-16", d)
# A character that is cut off just where a block is full.
for size in range(512 * 1024 - 4, 512 * 1024 + 2):
    d, status = document("diagnose", put("kinds/UTF-16-block", ("\ufeff" + ERROR + "\n" + "x" * (size - len(ERROR) - 1)).encode("utf-16-le") + b"\x00\xd8\x41"))
    check(status == 0 and found(d)[0] == "1.2" and d["inputs"][0]["bytes"] == size + 3, f"UTF-16 of {size} characters, then one that is cut off", d["inputs"])
for name, content in {"cut": gzip.compress(ERROR.encode() * 50)[:-20], "damaged": gzip.compress(b"", 0)[:10] + b"\xff" * 100, "only the head": b"\x1f\x8b"}.items():
    path = put(f"bad/{name}.gz", content)
    r = run("diagnose", path)
    check(r.status == 2 and path in r.err and "gzip" in r.err and r.err.count("\n") == 1, f"gzip data that is {name}: said, status 2", (r.status, r.err))

# --- very long lines ----------------------------------------------------------------------------------------------
long_line = put("long.log", b"x" * (60 << 20) + b" " + ERROR.encode() + b" " + b"y" * (40 << 20) + b"\n" + OTHER.encode() + b"\n")
p = subprocess.run(["sh", "-c", f'ulimit -v 600000; exec "$0" diagnose --json --threads 1 "$1"', PROGRAM, long_line] if "asan" not in PROGRAM
                   else [PROGRAM, "diagnose", "--json", "--threads", "1", long_line], capture_output=True, text=True, env=environment(), check=False)
d = json.loads(p.stdout)
check(p.returncode == 0 and "1.2" in found(d) and evidence(d)[0]["line"] == 1 and len(evidence(d)[0]["text"]) < 2000, "an error inside of a line of 100 MB", (p.returncode, p.stdout[:600], p.stderr))
check("EI0020" in [c["code"] for c in d["codes"]] and [c["line"] for c in d["codes"] if c["code"] == "EI0020"] == [2], "and the line behind it", d["codes"])
check(d["inputs"][0]["lines"] == 2 and d["inputs"][0]["bytes"] == os.path.getsize(long_line), "its size in lines and bytes", d["inputs"])
for threads in ("2", "7"):
    check(run("diagnose", "--json", "--threads", threads, long_line).out == p.stdout, f"the same with {threads} threads")
os.unlink(long_line)

# --- any number of threads ----------------------------------------------------------------------------------------
many = put("many.log", "".join(f"[rank{i % 8}]: " + (ERROR.replace("29500", str(20000 + i)) if i % 20011 == 20010 else OTHER if i % 30011 == 30010 else f"step {i} loss 1.25 tokens/s {i * 7} of all the ranks") + "\n" for i in range(200000)))
one = run("diagnose", "--json", "--threads", "1", many)
check(one.status == 0 and os.path.getsize(many) > 8 << 20, "a log that is large enough for threads", (one.status, os.path.getsize(many)))
for threads in ("2", "3", "16", "64"):
    check(run("diagnose", "--json", "--threads", threads, many).out == one.out, f"one thread and {threads} say the same")
check(run("diagnose", "--json", many).out == one.out, "and as many as there are processors")
with open(many, "rb") as file:
    p = subprocess.run([PROGRAM, "diagnose", "--json"], stdin=file, capture_output=True, text=True, env=environment(), check=False)
check(without_context(p.stdout.replace('"-"', f'"{many}"')) == json.loads(one.out), "and so does standard input")

# --- pipes --------------------------------------------------------------------------------------------------------
fifo = str(top / "fifo")
os.mkfifo(fifo)


def feed():
    with open(fifo, "w", encoding="utf-8") as writer:
        for part in (STEP % 1, ERROR[:50], ERROR[50:] + "\n"):
            writer.write(part)
            writer.flush()
            time.sleep(0.02)


writer_thread = threading.Thread(target=feed)
writer_thread.start()
d, status = document("diagnose", fifo)
writer_thread.join()
check(status == 0 and evidence(d)[0]["path"] == fifo and evidence(d)[0]["line"] == 2, "a FIFO, fed in pieces", d)
for arguments in ([], ["-"]):
    d, status = document("diagnose", *arguments, stdin=(STEP % 1 + ERROR).encode())
    check(status == 0 and d["inputs"][0]["path"] == "-" and evidence(d)[0]["line"] == 2, f"standard input, {arguments}", d)
d, status = document("diagnose", calm, "-", plain, stdin=ERROR.encode())
check([i["path"] for i in d["inputs"]] == [calm, "-", plain] and {e["path"] for e in evidence(d)} == {"-", plain}, "standard input among files, in their order", d)
r = run("diagnose", "-", stdin=b"")
check(r.status == 1, "standard input with nothing in it", r.status)

# What came through a pipe is gone: the lines around what was found are kept.
piped = "".join(f"line {i}\n" for i in range(1, 40000)) + "\r10%\r\x1b[32m99%\x1b[0m\n" + ERROR + "\n" + "".join(f"  more {i}\n" for i in range(40000))
for feeding in ("standard input", "a FIFO"):
    if feeding == "a FIFO":
        writer_thread = threading.Thread(target=lambda: open(fifo, "w", encoding="utf-8", newline="").write(piped))
        writer_thread.start()
        d, status = document("diagnose", fifo)
        writer_thread.join()
    else:
        d, status = document("diagnose", stdin=piped.encode())
    piece = evidence(d)[0]
    check(piece["line"] == 40001 and piece["before"] == [f"line {i}" for i in range(39985, 40000)] + ["99%"] and piece["after"] == [f"  more {i}" for i in range(16)], f"{feeding}: the lines around what was found are kept", piece)
r = run("diagnose", stdin=piped.encode())
check(f"      39999- line 39999\n      40000- 99%\n      -:40001: {ERROR}\n      40002-   more 0\n      40003-   more 1\n" in r.out, "and are shown", r.out)
d, status = document("diagnose", stdin=(ERROR + "\n").encode())
check(evidence(d)[0]["before"] == [] and evidence(d)[0]["after"] == [], "nothing around it", d)
d, status = document("diagnose", stdin=("first\n" + ERROR).encode())
check(evidence(d)[0]["before"] == ["first"] and evidence(d)[0]["after"] == [], "the first line and the last", d)
d, status = document("diagnose", stdin=b"x" * 300000 + b"\n" + ERROR.encode() + b"\n" + b"y" * 300000 + b"\nend\n")
check(evidence(d)[0]["line"] == 2 and evidence(d)[0]["before"] == [] and evidence(d)[0]["after"] == [], "endless lines around it are left out", d)
d, status = document("diagnose", plain)
check("before" not in evidence(d)[0], "a file can be read again", d)

# --- folders ------------------------------------------------------------------------------------------------------
folder = top / "job"
put("job/a/rank0.log", STEP % 1)
put("job/a/deep/er/rank1.log", ERROR + "\n")
put("job/b.log.gz", gzip.compress((OTHER + "\n").encode()))
put("job/.hidden/x.log", ERROR + "\n")
put("outside/linked.log", ERROR + "\n")
os.symlink(top / "outside" / "linked.log", folder / "link.log")
os.symlink(top / "outside", folder / "linked-folder")
os.symlink(folder, folder / "a" / "back")
os.symlink(folder / "a", folder / "a" / "deep" / "up")
os.symlink("self", folder / "self")
os.mkfifo(folder / "pipe")
r = run("diagnose", "--json", str(folder), timeout=20)
d = json.loads(r.out)
paths = [i["path"] for i in d["inputs"]]
check(r.status == 0 and f"{folder}/a/deep/er/rank1.log" in paths and f"{folder}/b.log.gz" in paths, "a folder is read whole, gzip too", (r.status, paths))
real = [os.path.realpath(p) for p in paths]
check(str(top / "outside" / "linked.log") in real, "links to files and folders are followed", paths)
check(len(real) == len(set(real)), "a file that several links lead to is read once", paths)
check(not any("/." in p for p in paths) and not any(p.endswith("/pipe") for p in paths), "hidden names and pipes are left alone", paths)
check("self" in r.err and r.err.count("\n") == 1, "a link that leads nowhere is told", r.err)
check(paths == sorted(paths), "in the order of names", paths)
d, status = document("diagnose", str(folder) + "//")
check(all("//" not in i["path"] for i in d["inputs"]), "slashes at the end do no harm", d["inputs"])
(top / "void").mkdir()
r = run("diagnose", str(top / "void"))
check(r.status == 1 and "No known problem" in r.out, "a folder without files", (r.status, r.out, r.err))
if os.getuid() == 0:
    reader = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    os.chmod(HOME, 0o755)
else:
    reader = []
locked = put("locked/secret.log", ERROR)
open_one = put("locked/open.log", ERROR + "\n")
os.chmod(locked, 0)
shut = top / "locked" / "shut"
shut.mkdir(mode=0)
p = subprocess.run([*reader, PROGRAM, "diagnose", str(top / "locked")], capture_output=True, text=True, env=environment(), check=False)
check(p.returncode == 2 and "1.2" in p.stdout and f"{locked}: Permission denied" in p.stderr and f"{shut}: Permission denied" in p.stderr, "what a folder has that may not be read is told, the rest diagnosed, status 2", (p.returncode, p.stdout, p.stderr))
p = subprocess.run([*reader, PROGRAM, "diagnose", locked, open_one], capture_output=True, text=True, env=environment(), check=False)
check(p.returncode == 2 and "1.2" in p.stdout and p.stderr == f"ascend-faq: {locked}: Permission denied\n", "a file that may not be read beside one that may", (p.returncode, p.stdout, p.stderr))

# --- plog ---------------------------------------------------------------------------------------------------------
for variable, base, log in (("ASCEND_PROCESS_LOG_PATH", top / "p1", "p1/debug/plog/plog-1_2026.log"),
                            ("ASCEND_WORK_PATH", top / "p2", "p2/log/run/plog/plog-2_2026.log"),
                            ("HOME", top / "p3", "p3/ascend/log/debug/plog/plog-3_2026.log")):
    path = put(log, ERROR + "\n")
    old = put(log + ".old", OTHER + "\n")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    os.symlink(pathlib.Path(path).parents[2], pathlib.Path(path).parent / "back")
    d, status = document("diagnose", "--plog", **{variable: str(base)})
    check(status == 0 and [i["path"] for i in d["inputs"]] == [path], f"--plog by {variable}: the newest job's, once", d["inputs"])
d, status = document("diagnose", "--plog", ASCEND_PROCESS_LOG_PATH=str(top / "p1"), ASCEND_WORK_PATH=str(top / "p2"), HOME=str(top / "p3"))
check(len(d["inputs"]) == 1 and "/p1/" in d["inputs"][0]["path"], "--plog: the process's variable goes first", d["inputs"])
d, status = document("diagnose", "--plog", ASCEND_WORK_PATH=str(top / "p2"), HOME=str(top / "p3"))
check(len(d["inputs"]) == 1 and "/p2/" in d["inputs"][0]["path"], "--plog: then the work path", d["inputs"])
r = run("diagnose", "--plog", ASCEND_PROCESS_LOG_PATH=str(top / "void"))
check(r.status == 2 and r.out == "" and "ASCEND_PROCESS_LOG_PATH" in r.err, "--plog without logs: said, status 2", (r.status, r.out, r.err))
d, status = document("diagnose", "--plog", plain, ASCEND_PROCESS_LOG_PATH=str(top / "p1"))
check(len(d["inputs"]) == 2, "--plog beside a log", d["inputs"])

# --- the document -------------------------------------------------------------------------------------------------
mixed = put("mixed.log", STEP % 1 + f"[rank3]: {ERROR}\n" + OTHER + "\nRuntimeError: nobody knows this one 17\n" + "[ERROR] ERR99999 unknown application exception\n")
r = run("diagnose", "--json", mixed)
d = json.loads(r.out)
check(r.out.startswith('{"schema": 1') or r.out.lstrip("{\n ").startswith('"schema": 1') or r.out.replace(" ", "").replace("\n", "").startswith('{"schema":1'), "the schema stands first", r.out[:40])
check(set(d) >= {"schema", "inputs", "matches", "codes", "unmatched", "limits"}, "keys of the document", d.keys())
check(set(d["inputs"][0]) >= {"path", "bytes", "lines"} and d["inputs"][0] | {"lines": 5, "bytes": os.path.getsize(mixed)} == d["inputs"][0], "an input", d["inputs"])
match = d["matches"][0]
check(set(match) >= {"entry", "title", "score", "certain", "root", "cause", "codes", "ranks", "count", "captures", "evidence"}, "keys of a match", match.keys())
check(match["entry"] == "1.2" and match["root"] is True and match["cause"] is None and match["ranks"] == [3] and match["count"] == 1 and match["captures"]["PORT"] == "29500" and 0 < match["score"] <= 1, "a match", match)
piece = match["evidence"][0]
check(set(piece) >= {"path", "line", "offset", "rank", "text", "strength"} and (piece["path"], piece["line"], piece["rank"], piece["offset"]) == (mixed, 2, 3, len(STEP % 1)) and piece["text"] == ERROR, "a piece of evidence", piece)
codes = {c["code"]: c for c in d["codes"]}
check(set(codes) >= {"EI0020", "ERR99999"} and codes["ERR99999"]["wrapper"] is True and codes["EI0020"]["means"] and codes["EI0020"]["line"] == 3 and codes["EI0020"]["count"] == 1, "the codes", d["codes"])
check(any("nobody knows" in u["text"] and u["line"] == 4 and u["count"] == 1 for u in d["unmatched"]), "the unknown error", d["unmatched"])

# --- why ----------------------------------------------------------------------------------------------------------
r = run("diagnose", "--why", "1.2", plain)
check(r.status == 0 and "1.2" in r.out and "matches" in r.out and f"{plain}:2: " in r.out, "--why of an entry that matches: its line", (r.status, r.out))
r = run("diagnose", "--why", "1.2", calm)
check(r.status == 1 and "does not match" in r.out and "none of the texts" in r.out, "--why of one that does not: what is missing", (r.status, r.out))
r = run("diagnose", "--why", "1.2", stdin=b"# RuntimeError: code: -98, name: EADDRINUSE\n")
check(r.status in (0, 1) and "1.2" in r.out, "--why reads standard input", (r.status, r.out))

# --- explain without an argument ----------------------------------------------------------------------------------
state = top / "state"
r = run("explain", XDG_STATE_HOME=str(state))
check(r.status == 1 and r.out == "" and "diagnose LOG" in r.err and r.err.count("\n") == 1, "explain before any diagnosis: said, status 1", (r.status, r.out, r.err))
found_ids = [m["entry"] for m in document("diagnose", mixed, XDG_STATE_HOME=str(state))[0]["matches"]]
d, status = document("explain", XDG_STATE_HOME=str(state))
check(status == 0 and [e["id"] for e in d["entries"]] == found_ids and {c["code"] for c in d["codes"]} == set(codes), "explain: entries and codes of the last diagnosis, the first cause first", d)
r = run("explain", XDG_STATE_HOME=str(state))
check(r.status == 0 and r.out.startswith("1.2") and "ERR99999" in r.out and "EI0020" in r.out and r.err == "", "explain: as show prints them", (r.out[:300], r.err))
kept = [path for path in state.rglob("*") if path.is_file()]
check(all(path.stat().st_mode & 0o077 == 0 and b"29500" not in path.read_bytes() and b"mixed" not in path.read_bytes() for path in kept) and kept, "what is kept is private, and holds nothing of the log", kept)
run("diagnose", calm, XDG_STATE_HOME=str(state))
r = run("explain", XDG_STATE_HOME=str(state))
check(r.status == 1 and r.out == "" and "found no known problem" in r.err, "explain after a diagnosis that found nothing", (r.status, r.out, r.err))
run("run", "--", "sh", "-c", f"echo '{ERROR}'; exit 1", XDG_STATE_HOME=str(state))
r = run("explain", XDG_STATE_HOME=str(state))
check(r.status == 0 and r.out.startswith("1.2"), "explain after a command that failed", (r.status, r.out[:300], r.err))
run("history", "--clear", XDG_STATE_HOME=str(state))
r = run("explain", XDG_STATE_HOME=str(state))
check(r.status == 1 and "diagnose LOG" in r.err, "history --clear forgets it", (r.status, r.err))
r = run("diagnose", plain, HOME=None, XDG_STATE_HOME=None)
check(r.status == 0 and r.err == "", "without a home nothing is kept, and nothing is said of it", (r.status, r.err))
r = run("explain", HOME=None, XDG_STATE_HOME=None)
check(r.status == 1 and r.err.count("\n") == 1, "explain without a home", (r.status, r.err))

# --- codes in lines that no entry knows ----------------------------------------------------------------------------
plainly = put("plainly.log", "ERROR EI0020: the port of the adapter is taken\n" * 3 + "ValueError: W12345 is no layer\nERROR: 507035 rows were read\n")
d, _ = document("diagnose", plainly)
check([(c["code"], c["count"]) for c in d["codes"]] == [("EI0020", 3)] and not d["matches"],
      "an error line that only says the code is explained by it; numbers and look-alikes are not", d["codes"])
done()

"""probe, on fixture commands and fixture files: everything a machine may answer, and that nothing holds the program."""
import json
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time

from cli import HOME, PROGRAM, TOP, check, document, done, environment, run

FIXTURES = TOP / "tests/fixtures/probe"
WORK = pathlib.Path(tempfile.mkdtemp())
ROOT = WORK / "root"  # where absolute paths are looked up
BIN = WORK / "bin"  # first in PATH, and alone there
for folder in (ROOT, BIN):
    folder.mkdir()
# A PATH of its own, so that what this machine has installed does not matter.
for tool in ("sh", "cat", "sleep", "setsid", "yes", "kill", "printf", "head"):
    (BIN / tool).symlink_to(shutil.which(tool))


def command(name, script):
    path = BIN / name
    path.unlink(missing_ok=True)
    path.write_text("#!/bin/sh\n" + script + "\n")
    path.chmod(0o755)


def prints(name, fixture, status=0):
    command(name, f"cat '{FIXTURES / fixture}'\nexit {status}")


def put(path, text):
    target = ROOT / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def place(path, fixture):
    put(path, (FIXTURES / fixture).read_text())


def probe(*ids, arguments=(), **changes):
    """The probes by id, and the exit status."""
    changes = {"PATH": str(BIN), "ASCEND_FAQ_ROOT": str(ROOT), **changes}
    d, status = document("probe", *ids, *arguments, **changes)
    return {p["id"]: p for p in d["probes"]}, status


# --- the document -------------------------------------------------------------------------------------------------
d, status = document("probe", PATH=str(BIN), ASCEND_FAQ_ROOT=str(ROOT))
check(list(d)[0] == "schema" and d["schema"] == 1, "the document starts with its schema")
check(d["host"] == socket.gethostname() and d["time"].endswith("Z"), "it tells the host and the time")
ids = [p["id"] for p in d["probes"]]
expected = """cann cann-sourced npu npu-health npu-processes driver device-nodes clang lld llvm-ar llvm-root cmake ninja gcc
bishengir-opt bishengir-compile hivmc npuir python torch torch-npu triton triton-ascend versions triton-dist triton-clash
triton-backends conda-channels pip-mirror hccl-variables hccl-port-range free-port free-port-range port-29500
hccl-host-ports busy-ports interfaces system-library-dir stale-build resources shm limits debug-variables""".split()
check(sorted(ids) == sorted(expected), "all probes are there, each once", set(ids) ^ set(expected))
check(all(set(p) >= {"id", "state", "values", "detail", "entry", "ms"} for p in d["probes"]), "each has the documented keys")
check(all(p["detail"] for p in d["probes"]), "each has something to say")
entries = {e["id"] for s in document("list")[0]["sections"] for e in s["entries"]}
check(all(p["entry"] is None or p["entry"] in entries for p in d["probes"]), "each points at an entry that exists")
check(status == 1, "something is missing on an empty machine", status)

# --- npu-smi ------------------------------------------------------------------------------------------------------
for fixture, count, chip in (("npu-smi-910b.txt", "2", "A2"), ("npu-smi-910_93.txt", "2", "A3"),
                             ("npu-smi-950.txt", "2", "A5"), ("npu-smi-310p.txt", "2", "310P")):
    prints("npu-smi", fixture)
    p, _ = probe("npu")
    check(p["npu"]["state"] == "ok" and p["npu"]["values"]["CHIP"] == chip and
          p["npu"]["values"]["NPU_COUNT"] == count, f"{fixture} is read", p)

command("npu-smi", f"echo x >> '{WORK}/runs'; cat '{FIXTURES / 'npu-smi-critical.txt'}'")
p, status = probe("npu", "npu-health", "npu-processes")
check(status == 1 and p["npu-health"]["state"] == "fail" and p["npu-health"]["entry"] == "3.3" and
      p["npu-health"]["values"]["CARD_ID"] == "1", "a card that is not healthy fails and names its entry", p)
check((WORK / "runs").read_text().count("x") == 1, "npu-smi is run once for all probes that read it")

prints("npu-smi", "npu-smi-8005.txt", 187)
p, status = probe("npu", "npu-health", "npu-processes")
check(all(x["state"] == "unknown" for x in p.values()) and "-8005" in p["npu"]["detail"], "-8005 is `could not tell`", p)
check(status == 2, "what could not be told is neither well nor wrong", status)

failures = {
    "dies": ("kill -SEGV $$", "killed"),
    "prints garbage": (r"printf '\377\376\033[2J\000\001| 0 | x |\n'", ""),
    "prints Chinese": (f"cat '{FIXTURES / 'npu-smi-chinese.txt'}' >&2; exit 3", ""),
    "prints without end": ("yes '| 0     910B2               | OK            |'", "too much output"),
    "cannot be executed": (None, ""),
}
for name, (script, words) in failures.items():
    if script is None:
        (BIN / "npu-smi").write_bytes(b"\x7fELF but not really")
    else:
        command("npu-smi", script)
    start = time.monotonic()
    p, status = probe("npu", "npu-health")
    check(p["npu"]["state"] == "unknown" and words in p["npu"]["detail"], f"an npu-smi that {name} is `unknown`", p["npu"])
    check(time.monotonic() - start < 8, f"and one that {name} is not waited for")
(BIN / "npu-smi").unlink()
p, status = probe("npu")
check(p["npu"]["state"] == "absent" and status == 0, "without npu-smi there is no NPU", p)

# --- a pack with probes that hang ----------------------------------------------------------------------------------
PACK = WORK / "pack"
PACK.mkdir()
(PACK / "pack.yaml").write_text("name: hang\ntitle: {zh: 包, en: pack}\nversion: '1'\n")
(PACK / "probes.yaml").write_text("""
- id: hang
  title: {zh: 不返回, en: hangs}
  timeout: 400ms
  read: [{command: [hangs]}]
  judge: [{state: ok, say: {zh: 好, en: good}}]
- id: grandchild
  title: {zh: 孙进程, en: grandchild}
  timeout: 400ms
  read: [{command: [leaves-a-child], capture: '(?<SAID>said)'}]
  judge: [{state: ok, say: {zh: 好, en: good}}]
- id: after-hang
  title: {zh: 之后, en: after}
  after: [hang]
  read: [{value: x, into: GOOD}]
  judge: [{state: ok, say: {zh: 好, en: good}}]
- id: fifo
  title: {zh: 管道, en: fifo}
  read: [{file: [/fifo, /folder, /plain], into: TEXT}]
  judge: [{state: ok, say: {zh: 好, en: <TEXT>}}]
- id: environment
  title: {zh: 环境, en: environment}
  read: [{command: [tells-environment], into: TOLD}]
  judge: [{state: ok, say: {zh: 好, en: <TOLD>}}]
- id: argv
  title: {zh: 参数, en: argv}
  read: [{command: [tells-arguments, '$STRANGE', '; echo no', "it's"], into: TOLD}]
  judge: [{state: ok, say: {zh: 好, en: <TOLD>}}]
- id: denied
  title: {zh: 拒绝, en: denied}
  read: [{value: $NOT_SET/etc/passwd, into: X}, {find: $NOT_SET/plain, into: Y}, {find: $EMPTY/plain, into: Z}]
  judge: [{state: fail, say: {zh: 坏, en: <X> <Y> <Z>}, when: [X present]}, {state: absent, say: {zh: 无, en: none}}]
""")
PACK_ARGUMENTS = ("--pack", str(PACK))
MARK = f"3{os.getpid()}"  # how long the fixtures sleep: to know their processes again
command("hangs", f"trap '' TERM; echo before; setsid sleep {MARK} & sleep {MARK}; sleep {MARK}")
command("leaves-a-child", f"echo said; setsid sleep {MARK} & exit 0")
command("tells-environment", 'echo "$LC_ALL|$KEPT|$NO_COLOR"; cat')
command("tells-arguments", 'for a in "$@"; do printf "[%s]" "$a"; done')
os.mkfifo(WORK / "root/fifo")
(ROOT / "folder").mkdir()
put("/plain", "plain text\n")


def sleepers():
    """Processes of the fixtures that still live."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if MARK.encode() in words:
            found.append(int(entry.name))
    return found


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


start = time.monotonic()
p, status = probe("hang", "after-hang", "grandchild", "fifo", arguments=PACK_ARGUMENTS)
elapsed = time.monotonic() - start
check(p["hang"]["state"] == "unknown" and "timed out" in p["hang"]["detail"], "a command that hangs is `unknown`", p["hang"])
check(p["hang"]["ms"] >= 400, "its duration is told", p["hang"])
check(p["after-hang"]["state"] == "ok", "a probe that comes after one that hangs goes on", p["after-hang"])
check(p["grandchild"]["state"] == "unknown" and p["grandchild"]["values"].get("SAID") == "said",
      "a grandchild that keeps the pipe does not hold it, and what was printed is kept", p["grandchild"])
check(p["fifo"]["values"].get("TEXT") == "plain text", "a FIFO and a folder are not read", p["fifo"])
check(elapsed < 6, "all of that side by side", elapsed)
for pid in sleepers():  # only those that left the group by setsid, which no signal of ours can reach
    os.kill(pid, signal.SIGKILL)

p, _ = probe("environment", "argv", "denied", arguments=PACK_ARGUMENTS, KEPT="kept", NO_COLOR="1", LC_ALL="zh_CN.UTF-8",
             STRANGE="a b;$(id)\\", EMPTY="", LANG="en_US", ASCEND_FAQ_LANG="en")
check(p["environment"]["values"]["TOLD"] == "C|kept|1", "commands get the C locale, the rest of the environment, no input",
      p["environment"])
check(p["argv"]["values"]["TOLD"] == "[a b;$(id)\\][; echo no][it's]", "arguments are passed on as they are", p["argv"])
check(p["denied"]["state"] == "absent", "a variable that is unset or empty makes no path", p["denied"])

# Ends with the program, whatever ends it.
command("hangs", f"sleep {MARK} & sleep {MARK}")
(PACK / "probes.yaml").write_text((PACK / "probes.yaml").read_text().replace("timeout: 400ms", "timeout: 60s"))
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL):
    with subprocess.Popen([PROGRAM, "probe", "hang", *PACK_ARGUMENTS], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(PATH=str(BIN))) as child:
        started = wait_until(lambda: len(sleepers()) == 2)
        child.send_signal(number)
        child.wait(timeout=20)
    check(started and wait_until(lambda: not sleepers()), f"{number.name} leaves no child", sleepers())

# A pack that others may write: its commands are not run, its reading is done.
(PACK / "probes.yaml").chmod(0o666)
p, status = probe("hang", "fifo", arguments=PACK_ARGUMENTS)
check(p["hang"]["state"] == "untrusted" and p["fifo"]["state"] == "ok", "commands of a pack that others may write are not run", p)
(PACK / "probes.yaml").chmod(0o644)
PACK.chmod(0o777)
p, status = probe("hang", arguments=PACK_ARGUMENTS)
check(p["hang"]["state"] == "untrusted", "nor those of one in a folder that others may write", p)
PACK.chmod(0o755)

# --- CANN ---------------------------------------------------------------------------------------------------------
p, _ = probe("cann", "cann-sourced", ASCEND_HOME_PATH="", ASCEND_TOOLKIT_HOME="")
check(p["cann"]["state"] == "absent", "no CANN, and an empty variable is not this folder", p)
OLD = "/usr/local/Ascend/ascend-toolkit"
place(f"{OLD}/latest/{os.uname().machine}-linux/ascend_toolkit_install.info", "cann-8.1-install.info")
path = ROOT / f"{OLD}/latest/{os.uname().machine}-linux/ascend_toolkit_install.info".lstrip("/")
path.write_text(path.read_text().replace("arch=aarch64", f"arch={os.uname().machine}"))
put(f"{OLD}/set_env.sh", "")
p, status = probe("cann", "cann-sourced")
check(p["cann"]["values"] | {"CANN_ROOT": f"{OLD}/latest", "CANN_VERSION": "8.1.RC1"} == p["cann"]["values"] and
      p["cann"]["state"] == "warn" and p["cann"]["entry"] == "1.5" and status == 1, "CANN up to 8.3 is found by path", p)
check(p["cann-sourced"]["state"] == "warn" and p["cann-sourced"]["entry"] == "3.4", "installed but not sourced", p)
NEW = "/usr/local/Ascend/cann-9.1.0"
put(f"{NEW}/{os.uname().machine}-linux/ascend_toolkit_install.info", f"version=9.1.0\narch={os.uname().machine}\n")
put(f"{NEW}/set_env.sh", "")
(ROOT / "usr/local/Ascend/cann").symlink_to("cann-9.1.0")
p, status = probe("cann", "cann-sourced", ASCEND_HOME_PATH="/usr/local/Ascend/cann",
                  PATH=f"{BIN}:/usr/local/Ascend/cann/bin:{NEW}/tools")
check(p["cann"]["state"] == "ok" and p["cann"]["values"]["CANN_VERSION"] == "9.1.0" and status == 0,
      "CANN 9.1 is found by variable", p)
check(p["cann-sourced"]["state"] == "ok" and p["cann-sourced"]["values"]["CANN_VERSIONS_IN_PATHS"] == "9.1.0",
      "a link and its target are one version", p)
p, status = probe("cann-sourced", ASCEND_HOME_PATH="/usr/local/Ascend/cann",
                  LD_LIBRARY_PATH="/usr/local/Ascend/cann/lib64:/usr/local/Ascend/cann-8.5.0/lib64")
check(p["cann-sourced"]["state"] == "ok", "a folder that is not there is no second version", p)
put("/usr/local/Ascend/cann-8.5.0/lib64/x", "")
p, status = probe("cann-sourced", ASCEND_HOME_PATH="/usr/local/Ascend/cann",
                  LD_LIBRARY_PATH="/usr/local/Ascend/cann/lib64:/usr/local/Ascend/cann-8.5.0/lib64")
check(p["cann-sourced"]["state"] == "warn" and "8.5.0" in p["cann-sourced"]["detail"], "two CANN versions in one path", p)

# --- tools and Python ---------------------------------------------------------------------------------------------
p, status = probe("clang")
check(p["clang"]["state"] == "fail" and p["clang"]["entry"] == "1.1" and status == 1, "no clang++", p)
prints("clang", "clang.txt")
prints("clang++", "clang.txt")
prints("ld.lld", "lld.txt")
prints("cmake", "cmake.txt")
prints("ninja", "ninja.txt")
prints("hivmc", "hivmc.txt")
prints("bishengir-compile", "bishengir-compile.txt")
p, _ = probe("clang", "lld", "cmake", "ninja", "hivmc", "bishengir-compile")
check(p["clang"]["values"]["CLANG_VERSION"] == "15.0.7" and p["clang"]["values"]["CLANG"] == f"{BIN}/clang", "clang", p)
check([p[i]["state"] for i in ("lld", "cmake", "ninja", "hivmc", "bishengir-compile")] == ["ok", "ok", "warn", "ok", "ok"],
      "lld, cmake, ninja, hivmc, bishengir-compile", p)
p, _ = probe("clang", PATH=f":.:{WORK}/nothing", HOME=str(WORK))
check(p["clang"]["state"] == "fail", "an empty or relative entry of PATH is not this folder", p)

VENV = WORK / "venv"
SITE = VENV / "lib/python3.11/site-packages"
SITE.mkdir(parents=True)
(VENV / "bin").mkdir()
(VENV / "pyvenv.cfg").write_text("")
(VENV / "bin/python3").write_text("#!/bin/sh\n[ \"$1\" = --version ] || exit 9\necho Python 3.11.9\n")
(VENV / "bin/python3").chmod(0o755)


def package(name, version, **files):
    folder = SITE / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n")
    for file, text in files.items():
        (folder / file).write_text(text)


package("torch", "2.7.1+cpu")
package("torch_npu", "2.7.1.post2")
package("triton_ascend", "3.2.0", **{"entry_points.txt": "[triton.backends]\nascend = triton.backends.ascend\namd = triton.backends.amd\n"})
for name in ("ascend",):
    (SITE / f"triton/backends/{name}").mkdir(parents=True)
    for file in ("compiler.py", "driver.py"):
        (SITE / f"triton/backends/{name}/{file}").write_text("raise SystemExit('never imported')\n")
PYTHON = {"PATH": f"{VENV}/bin:{BIN}", "ASCEND_FAQ_ROOT": None}
p, _ = probe("python", "torch", "torch-npu", "triton-ascend", "triton-clash", "triton-backends", **PYTHON)
check(p["python"]["values"]["PYTHON_SITE_PACKAGES"] == str(SITE), "site-packages beside the interpreter in PATH", p["python"])
check(p["torch"]["values"]["TORCH_VERSION"] == "2.7.1+cpu" and p["torch-npu"]["state"] == "ok", "torch and torch_npu go together", p)
check(p["triton-clash"]["state"] == "ok", "triton-ascend alone is no clash", p["triton-clash"])
check(p["triton-backends"]["state"] == "fail" and p["triton-backends"]["entry"] == "1.3" and
      "amd/compiler.py" in p["triton-backends"]["detail"], "the backend folder that entry 1.3 is about", p["triton-backends"])

# --- ports, variables, this folder ---------------------------------------------------------------------------------
with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    port = server.getsockname()[1]
    p, status = probe("port-29500", MASTER_PORT=str(port))
    values = p["port-29500"]["values"]
    check(p["port-29500"]["state"] == "warn" and p["port-29500"]["entry"] == "1.2" and status == 1, "a busy port", p)
    check(values["HOLDER_PID"] == str(os.getpid()) and "test_probe.py" in values["HOLDER_COMMAND"], "who holds it", values)
    p, _ = probe("hccl-host-ports", HCCL_IF_BASE_PORT=str(min(port, 65500)))
    check(str(port) in p["hccl-host-ports"]["values"].get("HCCL_PORTS_BUSY", "") or port > 65500, "a busy HCCL host port", p)
p, status = probe("port-29500", MASTER_PORT=str(port))
check(p["port-29500"]["state"] == "ok" and status == 0, "free again", p)
p, _ = probe("free-port", "free-port-range")
first, last = (int(p["free-port-range"]["values"][name]) for name in ("PORT_START", "PORT_END"))
check(20000 <= int(p["free-port"]["values"]["MASTER_PORT"]) <= 29999, "a free port in 20000-29999", p)
check(20000 <= first and last <= 29999 and last - first == 63, "a free range in 20000-29999", p)
p, status = probe("hccl-variables", "hccl-port-range", HCCL_CONNECT_TIMEOUT="60", HCCL_NPU_SOCKET_PORT_RANGE="21000-21063")
check(p["hccl-variables"]["state"] == "fail" and "HCCL_CONNECT_TIMEOUT=60" in p["hccl-variables"]["detail"], "an illegal HCCL value", p)
check(p["hccl-port-range"]["state"] == "ok", "a legal range of NPU ports", p)
p, status = probe("interfaces", HCCL_IF_IP="203.0.113.77")
check(p["interfaces"]["state"] == "fail" and "203.0.113.77" in p["interfaces"]["detail"], "an HCCL_IF_IP that this host lacks", p)
p, _ = probe("interfaces", HCCL_SOCKET_IFNAME="=lo")
check(p["interfaces"]["values"]["IFNAME"] == "lo", "the interface that HCCL_SOCKET_IFNAME wants", p)

SOURCE = WORK / "source"
(SOURCE / "build").mkdir(parents=True)
(SOURCE / "build/CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={SOURCE}\nLLVM_DIR:PATH=/gone/llvm/lib/cmake/llvm\n")
before = os.getcwd()
os.chdir(SOURCE)
p, _ = probe("stale-build", ASCEND_FAQ_ROOT=None)
os.chdir(before)
check(p["stale-build"]["state"] == "fail" and p["stale-build"]["entry"] == "1.9" and "/gone/llvm" in p["stale-build"]["detail"],
      "a build folder that refers to an LLVM that is gone", p)

# --- for people ---------------------------------------------------------------------------------------------------
(BIN / "clang++").unlink()
plain = {"PATH": str(BIN), "ASCEND_FAQ_ROOT": str(ROOT)}
r = run("probe", **plain)
check(r.status == 1 and r.err == "" and "→ 1.1" in r.out and " ms  " in r.out, "the table: arrow, duration", r.out + r.err)
check("✗ clang" in r.out and "✓ " in r.out and "– " in r.out, "the table: marks", r.out)
check("\x1b" not in r.out, "no colour unless it goes to a terminal")
check(r.out.rstrip().splitlines()[-1].startswith(tuple("0123456789")), "a sum at the end", r.out)
r = run("probe", "--ascii", **plain)
check(r.out.isascii() and "x clang" in r.out and "-> 1.1" in r.out, "the table in ASCII", r.out)
r = run("probe", LC_ALL="C", **plain)
check(r.out.isascii(), "LC_ALL=C gives ASCII")
r = run("probe", "--lang", "zh", **plain)
check("PATH 里没有 clang++" in r.out and "异常" in r.out, "the table in Chinese", r.out)
r = run("probe", "limits", **plain)
check("LIMIT_OPEN_FILES = " in r.out, "one that is asked for shows its values", r.out)
command("cmake", r"printf 'cmake version 3.28.3\033]0;owned\007\033[31m\n'")
r = run("probe", "cmake", **plain)
check("\x1b" not in r.out and "\x07" not in r.out, "no escape sequence of a command reaches the screen")
r = run("probe", "nosuch", **plain)
check(r.status == 2 and r.out == "" and "nosuch" in r.err and r.err.count("\n") == 1, "an unknown probe", r.err)
r = run("probe", "cmak", **plain)
check("cmake" in r.err, "a near id is offered", r.err)
r = run("probe", "limits", HOME=None, LANG=None, TERM=None, **plain)
check(r.status in (0, 1) and "process limits" in r.out, "works without HOME, LANG, TERM", r.out + r.err)
check(run("probe", "limits", "limits", **plain).out.count("process limits") == 1, "one that is named twice is run once")

# --- it only reads -------------------------------------------------------------------------------------------------
def tree(folder):
    return sorted((str(p), p.lstat().st_mtime_ns, p.lstat().st_size) for p in pathlib.Path(folder).rglob("*"))


for folder in (ROOT, VENV):
    for path in folder.rglob("*"):
        if not path.is_symlink() and not stat.S_ISFIFO(path.stat().st_mode):
            path.chmod(path.stat().st_mode & ~0o222)
before = tree(ROOT) + tree(VENV) + tree(HOME)
probe(**PYTHON)
check(tree(ROOT) + tree(VENV) + tree(HOME) == before, "probes leave everything as it is")
for path in (ROOT, VENV, *ROOT.rglob("*"), *VENV.rglob("*")):
    if path.is_dir() and not path.is_symlink():
        path.chmod(0o755)
check(not sleepers(), "no process is left")
shutil.rmtree(WORK)
done()

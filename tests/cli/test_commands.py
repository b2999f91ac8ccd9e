"""The command line as a reader meets it: what is found, what is said when it is not, exit statuses, JSON."""
import os
import pty
import signal
import subprocess

from cli import PROGRAM, check, document, done, environment, run

# --- list ---------------------------------------------------------------------------------------------------
r = run("list")
check(r.status == 0 and r.err == "", "list succeeds", r.err)
for entry in ["1.1", "1.11", "2.1", "3.4", "6.1"]:
    check(f"\n  {entry} " in r.out, f"list shows {entry}")
check(r.out.index("\n  1.2 ") < r.out.index("\n  1.10 "), "1.2 stands before 1.10")
check("Accuracy" in r.out and "Performance" in r.out, "the empty sections are there")
check(all(ord(c) < 0x2E80 for c in r.out), "the English list holds no Chinese", [c for c in r.out if ord(c) >= 0x2E80])
zh = run("list", "--lang", "zh")
check("安装构建" in zh.out and "精度" in zh.out, "list in Chinese")
check(run("list", LANG="zh_CN.UTF-8").out == zh.out, "LANG chooses the language")
check(run("list", LC_ALL="C", LANG="zh_CN.UTF-8").out == r.out, "LC_ALL comes before LANG")
check(run("list", LC_MESSAGES="zh_CN", LANG="en_US").out == zh.out, "LC_MESSAGES comes before LANG")
check(run("list", ASCEND_FAQ_LANG="zh-CN", LC_ALL="en_US").out == zh.out, "ASCEND_FAQ_LANG comes before all")
check(run("list", LC_ALL="nonsense").status == 0, "an unknown locale does not stop it")
one = run("list", "3")
check("3.1" in one.out and "1.1 " not in one.out, "list of one section by number")
check(run("list", "runtime").out == one.out, "list of one section by name")
missing = run("list", "nosuch")
check(missing.status == 1 and missing.out == "" and "nosuch" in missing.err, "an unknown section", missing.err)
d, status = document("list")
check(status == 0 and list(d)[0] == "schema" and d["schema"] == 1, "the JSON list starts with its schema")
check([s["number"] for s in d["sections"]] == ["0", "1", "2", "3", "4", "5", "6"], "the JSON list has all sections")

# --- show ---------------------------------------------------------------------------------------------------
r = run("show", "1.6")
check(r.status == 0 and "HCCL_NPU_SOCKET_PORT_RANGE" in r.out and "EI0020" in r.out, "show of an entry", r.err)
check("(recommended)" in r.out, "show marks the recommended solution")
check('export HCCL_NPU_SOCKET_PORT_RANGE="<PORT_START>-<PORT_END>"' in r.out, "show keeps placeholders")
for spelling in ("EI0020", "ei0020"):
    r = run("show", spelling)
    check(r.status == 0 and r.out.startswith("EI0020") and "1.6" in r.out, f"show {spelling} explains the code", r.out + r.err)
r = run("show", "ERR99999")
check(r.status == 0 and "where the error was caught" in r.out, "show says of a wrapper that it is one", r.out)
r = run("show", "--", "-98")
check(r.status == 0 and "EADDRINUSE" in r.out, "show -98", r.out + r.err)
check(run("show", "-98").out == r.out, "a negative number is a code, not an option")
check("1.2  torch.distributed" in r.out, "show names the entries of a code")
r = run("show", "EADDRINUS")
check(r.status == 1 and r.out == "" and "EADDRINUSE" in r.err, "an unknown code offers near ones", r.err)
r = run("show", "ERR02777")
check(r.status == 0 and "DIST" in r.out and "777" in r.out, "a code without a record is read by its parts", r.out + r.err)
r = run("show", "ei4321", "--lang", "zh")
check(r.status == 0 and "HCCL" in r.out, "a CANN code tells its component", r.out + r.err)
r = run("show", "4")
check(r.status == 0 and "HCCL_E_INTERNAL" in r.out and "depends on the layer" in r.out, "a bare number is told by layers", r.out + r.err)
d, status = document("show", "ERR02777", "4")
check(status == 0 and d["codes"][0]["family"] == "torch_npu" and d["codes"][1]["layers"], "readings as JSON", d)
d, status = document("show", "1.6", "EI0020")
check(status == 0 and d["entries"][0]["id"] == "1.6" and d["codes"][0]["code"] == "EI0020", "show as JSON")
check(set(d["entries"][0]["title"]) == {"zh", "en"}, "JSON has both languages")
check(run("explain", "1.6").out == run("show", "1.6").out, "explain is show")

# --- search -------------------------------------------------------------------------------------------------
for query in (["EI0020"], ["ei20"], ["ＥＩ００２０"], ["端口", "NPU"], ["npu", "socket"], ["listning", "socket"]):
    r = run("search", *query)
    check(r.status == 0 and ("1.6" in r.out), f"search {' '.join(query)} finds 1.6", r.out + r.err)
r = run("search", "hivmc")
check(r.out.lstrip().startswith("1.5"), "search hivmc has 1.5 first", r.out)
r = run("search", "zzzzqqqq")
check(r.status == 1 and r.out == "" and "zzzzqqqq" in r.err, "a search without result says so", r.err)
r = run("search", "re:EI00[12]0")
check(r.status == 0 and "1.6" in r.out, "search with a pattern", r.err)
r = run("search", "re:(")
check(r.status == 2 and r.err.count("\n") == 1 and r.out == "", "a broken pattern is one line", r.err)
d, status = document("search", "EI0020")
check(status == 0 and d["codes"][0]["code"] == "EI0020" and d["hits"][0]["id"] in ("1.6", "3.3"), "search as JSON", d)
check(document("search", "zzzzqqqq") == ({"schema": 1, "hits": [], "codes": []}, 1), "an empty search as JSON")

# --- diagnose -----------------------------------------------------------------------------------------------
line = b"torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. " \
       b"port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use\n"
d, status = document("diagnose", stdin=line + b"[rank0]: step 1\n" + line)
check(d["codes"][0]["code"] == "EADDRINUSE" and d["codes"][0]["count"] == 2, "a line counts once for its code", d["codes"])

# --- fill ---------------------------------------------------------------------------------------------------
r = run("fill", "1.2", "--set", "MASTER_PORT=23417", "--set", "SCRIPT=train.py", "--set", "ARGS=--epochs 3")
check(r.status == 0 and "torchrun --master_port=23417" in r.out, "fill with a value of --set", r.out + r.err)
r = run("fill", "1.6", "--set", "PORT_START=25000", "--set", "PORT_END=24000")
check(r.status == 1 and "24000: the two ends are no pair" in r.out, "fill says why a value is not taken", r.out)
r = run("fill", "EI0020")
check(r.status == 1 and "1.6" in r.err, "fill of a code names its entries", r.err)
r = run("fill", "1.1", "--set", "LLVM_INSTALL_ROOT=/opt/a b;rm -rf ~")
check("rm -rf ~/bin" not in r.out and "'" in r.out, "fill quotes what it fills in", r.out)
r = run("fill", "1.2", "--set", "MASTER_PORT=port")
check(r.status == 2 and "MASTER_PORT" in r.err and r.err.count("\n") == 1, "fill refuses a value that is no port", r.err)
r = run("fill", "1.2", "--set", "NOSUCH=1")
check(r.status == 2 and "NOSUCH" in r.err, "fill refuses an unknown placeholder", r.err)
r = run("fill", "1.2", "99")
check(r.status == 2 and "99" in r.err, "fill refuses a solution that is not there", r.err)
r = run("fill", "9.9")
check(r.status == 1 and "9.9" in r.err, "fill of an unknown entry", r.err)

# --- usage --------------------------------------------------------------------------------------------------
for arguments, status, word in (
    (["nosuchcommand"], 2, "nosuchcommand"), (["serach", "x"], 2, "search"), (["show"], 2, "usage"), (["list", "a", "b"], 2, "usage"),
    (["--nosuch"], 2, "--nosuch"), (["show", "1.1", "--why", "x"], 2, "--why"), (["--lang", "fr", "list"], 2, "zh"), (["--set", "x"], 2, "NAME=VALUE"),
    (["help", "nosuch"], 2, "nosuch"),
):
    r = run(*arguments)
    check(r.status == status and word in r.err and r.err.count("\n") == 1 and r.out == "" and r.err.startswith("ascend-faq: "),
          f"one clear line for: {' '.join(arguments)}", (r.status, r.err))
for arguments in (["help"], ["--help"], ["-h"], ["help", "search"], ["search", "--help"], ["--version"], ["version"]):
    r = run(*arguments)
    check(r.status == 0 and r.out and not r.err, f"help: {' '.join(arguments)}", r.err)
check(run("help", "search").out == run("search", "--help").out, "help search and search --help are the same")
check("search" in run("help").out and "diagnose" in run("help", "--lang", "zh").out, "help lists the commands")

# --- the world around it --------------------------------------------------------------------------------------
r = run()
check(r.status == 2 and r.err.count("\n") == 1 and "list" in r.err, "without a terminal it says what to use instead", r.err)
r = run("list", HOME=None, TERM=None, LANG="C", PATH="/nonexistent")
check(r.status == 0, "no HOME, no TERM, no PATH", r.err)
closed = subprocess.run(["bash", "-c", f"'{PROGRAM}' show 1.6 | head -1; echo ${{PIPESTATUS[0]}}"], env=environment(), capture_output=True, text=True)
check(closed.stderr == "" and closed.stdout.split()[-1] in ("0", str(128 + signal.SIGPIPE)), "a closed pipe ends it quietly", closed.stderr)
full = subprocess.run([PROGRAM, "list"], env=environment(), stdout=open("/dev/full", "w"), stderr=subprocess.PIPE)
check(full.returncode == 2, "a full disk is a failure")
check("\033" not in run("show", "1.6", TERM="xterm-256color").out, "no colours into a pipe")


def on_terminal(*arguments, **changes):
    main, other = pty.openpty()
    process = subprocess.Popen([PROGRAM, *arguments], stdin=other, stdout=other, stderr=other, env=environment(**changes))
    os.close(other)
    seen = b""
    while True:
        try:
            data = os.read(main, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    process.wait()
    os.close(main)
    return seen.decode("utf-8", "replace"), process.returncode


seen, status = on_terminal("list", TERM="xterm-256color", PAGER="cat")
check(status == 0 and "\033[" in seen, "colours on a terminal")
for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
    seen, status = on_terminal("list", **{"TERM": "xterm-256color", "PAGER": "cat", **changes})
    check(status == 0 and "\033" not in seen, f"no colours with {changes}")
seen, status = on_terminal("show", "1.6", TERM="xterm-256color", PAGER="tr a-z A-Z")
check("HCCL" in seen and "recommended" not in seen and "RECOMMENDED" in seen, "show goes through $PAGER")
seen, status = on_terminal("show", "1.6", TERM="xterm-256color", PAGER="/nonexistent/pager")
check("recommended" in seen, "a missing pager loses nothing")
done()

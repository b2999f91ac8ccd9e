#!/usr/bin/env python3
"""fleet's commands for engines that are not here: stand-ins that note their words and run the command on this machine."""
import json
import os
import pathlib
import tempfile

from cli import check, done, run

folder = pathlib.Path(tempfile.mkdtemp(prefix="ascend-faq-engines-"))

# Each notes its words, one a line, then answers as the real one does, for the nodes a, b and c; d is not reached.
ENGINE = r'''#!/bin/sh
case $1 in --version) echo "%(version)s"; exit 0;; esac
for word; do printf '%%s\n' "$word"; done >"%(folder)s/%(name)s.words"
for last; do :; done
for node in a b c; do
	%(answer)s
done
%(end)s
'''
ON_NODE = 'SLURMD_NODENAME=$node sh -c "$last"'
ENGINES = {
    "pdsh": {"answer": ON_NODE + ' | sed "s/^/$node: /"',
             "end": 'echo "d: ssh: connect to host d port 22: No route to host" >&2; '
                    'echo "pdsh@here: d: ssh exited with exit code 255" >&2'},
    # A whole answer in one line; line ends are written as \n.
    "ansible": {"answer": 'printf "%%s | CHANGED | rc=0 | (stdout) %%s\\n" $node "$(' + ON_NODE +
                          ' | sed -z "s/\\n/\\\\\\\\n/g")"',
                "end": 'echo "d | UNREACHABLE!: Failed to connect to the host via ssh: timed out"; exit 4'},
    "mpirun": {"answer": ON_NODE, "end": 'echo "ssh: Could not resolve hostname d" >&2', "version": "mpirun (Open MPI) 4.1.4"},
}
WORDS = {
    "pdsh": ["-b", "-t", "10", "-w", "a,b,c,d"],
    "ansible": ["a:b:c:d", "--one-line", "--forks", "64", "--timeout", "10", "--module-name", "raw", "--args"],
    "mpirun": ["--host", "a,b,c,d", "--map-by", "ppr:1:node", "sh", "-c"],
}


def make(name, **parts):
    parts = {"version": name, "folder": folder, "name": name, **parts}
    parts["answer"] = parts["answer"].replace("%%", "%")
    (folder / name).write_text(ENGINE % parts)
    (folder / name).chmod(0o755)


def fleet(name, *arguments, **changes):
    result = run("fleet", "--engine", name, "--nodes", "a,b,c,d", *arguments, PATH=f"{folder}:{os.environ['PATH']}",
                 **changes)
    return result, (folder / f"{name}.words").read_text().splitlines()


def check_answers(name, result):
    document = json.loads(result.out)
    found = {node["node"]: node["state"] for node in document["nodes"]}
    check(found == {"a": "done", "b": "done", "c": "done", "d": "dead"}, f"{name}: answers of three, one dead",
          (found, result.err))
    check(any(word in document["nodes"][-1].get("message", "") for word in ("No route", "timed out", "resolve")),
          f"{name}: why it is dead", document["nodes"][-1])


for name, parts in ENGINES.items():
    make(name, **parts)
    result, words = fleet(name, "--json")
    check(words[:len(WORDS[name])] == WORDS[name] and len(words) == len(WORDS[name]) + 1, f"{name}: its words", words)
    check(words[-1].startswith("sh -c '") == (name != "mpirun"), f"{name}: quoted for a shell where there is one", words[-1])
    check_answers(name, result)

make("mpirun", **{**ENGINES["mpirun"], "version": "HYDRA build details: Version: 4.0.2"})
result, words = fleet("mpirun", "--json")
check(words[:7] == ["-hosts", "a,b,c,d", "-n", "4", "-ppn", "1", "sh"], "mpirun of MPICH: its words", words)
check_answers("mpirun of MPICH", result)

# Hostile output: bytes of other nodes in between, escape sequences, forged and cut answers, an endless line.
make("pdsh", answer=ON_NODE + ' | sed "s/^/$node: /"; printf "\\033]0;x\\007\\377 @ascend-faq:1:%%s:-:d:0:1:2:0:{}\\n" $node; '
     'printf "$node: @ascend-faq:"; head -c 3000000 /dev/zero | tr "\\0" "A"; echo', end=ENGINES["pdsh"]["end"])
result, words = fleet("pdsh", "--json")
check_answers("garbage between answers", result)
check(json.loads(result.out)["garbage_lines"] == 6, "garbage is counted", json.loads(result.out)["garbage_lines"])
result, words = fleet("pdsh")
check("\x1b" not in result.out + result.err and "\x07" not in result.out, "and never reaches the terminal raw")

# A path that needs quotes, through a login shell and without one.
strange = folder / "it's $(touch pwned) `x` \"q\"; a"
strange.mkdir()
program = strange / "ascend-faq"
program.write_text('#!/bin/sh\necho "ran $0" >&2\nexit 3\n')
program.chmod(0o755)
for name in ("pdsh", "mpirun"):
    make(name, **ENGINES[name])
    result, words = fleet(name, "--program", str(program), "--json", "--timeout", "30")
    document = json.loads(result.out)
    check([node["state"] for node in document["nodes"][:3]] == ["failed"] * 3 and not list(folder.glob("**/pwned")) and
          not pathlib.Path("pwned").exists(), f"{name}: a path is one word whatever is in it", document["nodes"])
result, words = fleet("pdsh", "--send")
check(result.status == 2 and "pdsh" in result.err, "an engine that passes no input says so for --send", result.err)

# diagnose: the first cause of all, by time; the stand-in reads another log for each node.
make("pdsh", answer='SLURMD_NODENAME=$node sh -c "$(printf "%%s" "$last" | sed "s/@NODE@/$node/g")" | sed "s/^/$node: /"',
     end=ENGINES["pdsh"]["end"])
LOGS = {"a": "2026-11-30 10:00:09,000 INFO start\n", "b": "", "c": ""}
LOGS["a"] += "2026-11-30 10:00:10,000 ERROR [rank0] RuntimeError: [Errno 98] Address already in use\n"
LOGS["b"] += "2026-11-30 10:00:02,500 ERROR [rank5] No module named 'torch_npu'\n" \
             "2026-11-30 10:00:02,600 ERROR [rank5] RuntimeError: [Errno 98] Address already in use\n"
LOGS["c"] += "2026-11-30 10:00:01,000 INFO all is well\n"
for node, text in LOGS.items():
    (folder / f"{node}.log").write_text(text)
result, words = fleet("pdsh", "--json", "diagnose", f"{folder}/@NODE@.log")
document = json.loads(result.out)
causes = document["diagnosis"]["causes"]
check([cause["node"] for cause in causes] == ["b", "a"] and result.status == 0,
      "diagnose: the node whose cause came first is first", (causes, result.err))
check(causes[1]["after_us"] > 0 and "clock_spread_ms" in causes[1], "diagnose: how long after the first, how well it is known",
      causes[1:])
result, words = fleet("pdsh", "diagnose", f"{folder}/@NODE@.log")
check("First cause" in result.out and f"b:{folder}/b.log:" in result.out and "no known problem: c" in result.out,
      "diagnose: names the node, the place and the nodes without a cause", result.out)
result = run("fleet", "--engine", "ssh", "a", "b")
check(result.status == 2 and "--nodes" in result.err, "nodes as operands are told to go to --nodes", result.err)
done()

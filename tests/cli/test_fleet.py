#!/usr/bin/env python3
"""fleet through ssh and ClusterShell: eight nodes with a real sshd each, one that refuses, one that hangs."""
import json
import pathlib
import signal
import subprocess
import tempfile

from cli import PROGRAM, check, done, environment, run
from nodes import HANGING, NAMES, REFUSING, Nodes, wait_for

ALL = "node[1-8]"
GOOD = "node[1-6]"
nodes = Nodes()


def fleet(*arguments, path=None, **changes):
    return run("fleet", *arguments, PATH=path or nodes.path, **changes)


def states(result):
    document = json.loads(result.out)
    return {node["node"]: node["state"] for node in document["nodes"]}, document


wanted = {name: "done" for name in NAMES} | {NAMES[REFUSING - 1]: "dead"}
for engine in ("clush", "ssh"):
    result = fleet("--engine", engine, "--nodes", ALL, "--timeout", "25", "--json")
    found, document = states(result)
    # The hanging one takes a connection and never speaks: ssh gives it up in the end, or the time is over before.
    check(found.pop(NAMES[HANGING - 1]) in ("late", "dead") and found | {NAMES[HANGING - 1]: "done"} == wanted,
          f"{engine}: the results of six, the one that refuses and the one that hangs are named", (found, result.err))
    check(result.status == 1, f"{engine}: the status says that some are missing", result.status)
    check("refused" in document["nodes"][REFUSING - 1]["message"],
          f"{engine}: says why the one that refuses is dead", document["nodes"])
    answered = [node for node in document["nodes"] if node["state"] == "done"]
    compared = document["compare"]
    check(compared["read"] == 6 and compared["shared"]["port"] and document["clocks_apart_ms"] == 0 and
          any(group["nodes"] == GOOD for thing in compared["same"] for group in thing["groups"]),
          f"{engine}: the results are compared, nodes by the names they were asked by", compared["shared"])
    check(all(node["result"]["probes"] for node in answered), f"{engine}: each result is a whole document of probes")
    if nodes.private:
        check([node["host"] for node in answered] == NAMES[:6], f"{engine}: each has the host name of its node",
              [node["host"] for node in answered])
    else:
        check(len({node["host"] for node in answered}) == 1, f"{engine}: all share the host name of this machine")
    check(all(node["clock_low_ms"] <= 0 <= node["clock_high_ms"] for node in answered),
          f"{engine}: clocks that are one clock are not told apart",
          [(node["clock_low_ms"], node["clock_high_ms"]) for node in answered])
    wait_for(lambda: not nodes.connections(), f"{engine} has left connections behind")
    check(True, f"{engine}: no connection is left behind")

for engine in ("clush", "ssh"):
    result = fleet("--engine", engine, "--nodes", "node8", "--timeout", "2")
    check("node8  no answer in time" in result.out and result.status == 2, f"{engine}: when the time is over the late one is named",
          result.out + result.err)
result = fleet("--nodes", GOOD, "--timeout", "60")
check("clush" in result.out and "6 nodes, 6 answered" in result.out, "without --engine the first that is here is taken",
      result.out + result.err)
check("6 nodes, results of 6" in result.out and "is free on all" in result.out, "what they share is told", result.out)

result = fleet("--nodes", "node[1-2],nosuchnode", "--timeout", "60", "--json")
found, document = states(result)
check(found == {"node1": "done", "node2": "done", "nosuchnode": "dead"}, "a host that nobody knows is named", found)

result = fleet("--nodes", "node[1-3]")
check("3 nodes, results of 3" in result.out, "what differs is told as compare tells it", result.out)
result = fleet("--nodes", "node[1-3]", "--json", "--save", str(nodes.folder / "saved"))
document = json.loads(result.out)
again = json.loads(run("compare", "--json", *(str(nodes.folder / f"saved/node{n}.json") for n in (1, 2, 3))).out)
check(document["compare"] == again, "compare of the saved files says the same")

# Without the program there.
result = fleet("--nodes", "node[1-3]", "--program", "/nowhere/ascend-faq", "--json")
found, document = states(result)
check(set(found.values()) == {"absent"} and result.status == 2, "nodes without the program are told apart", found)
result = fleet("--nodes", "node[1-3]", "--program", "/nowhere/ascend-faq")
check("--send" in result.out and "node[1-3]" in result.out, "and what to do is said", result.out)
before = set(pathlib.Path("/tmp").glob("ascend-faq.????????"))
for engine in ("clush", "ssh"):
    result = fleet("--engine", engine, "--nodes", "node[1-3]", "--program", "/nowhere/ascend-faq", "--send", "--json")
    found, document = states(result)
    check(set(found.values()) == {"done"}, f"{engine}: --send puts it there", (found, result.err))
    left = set(pathlib.Path("/tmp").glob("ascend-faq.????????")) - before
    check(not left, f"{engine}: and takes it away again", left)

# Interrupted: what came is printed, nothing is left running.
for engine in ("clush", "ssh"):
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([PROGRAM, "fleet", "--engine", engine, "--nodes", f"{GOOD},node8", "--timeout", "300",
                                    "--json", "--save", str(nodes.folder / engine)],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
                                   env=environment(PATH=nodes.path))
        wait_for(lambda: len(nodes.connections()) == 7, "all are asked")
        wait_for(lambda: len(nodes.connections()) == 1, "all but the one that hangs are done")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        out.seek(0)
        document = json.loads(out.read())
    check(document["interrupted"] and document["answered"] == 6 and process.returncode == 2,
          f"{engine}: interrupted, it prints what there is", (document["answered"], process.returncode))
    check(sorted(path.name for path in (nodes.folder / engine).iterdir()) == [f"node{n}.json" for n in range(1, 7)],
          f"{engine}: --save keeps a file for each node that answered")
    wait_for(lambda: not nodes.connections(), f"{engine} has left connections behind")
    check(True, f"{engine}: the interrupted engine is gone with all of its connections")

# Names become words of commands.
for bad in ("-oProxyCommand=id", "a;id", "a b$(id)", "node[1-", "node[3-1]", "x" * 70):
    result = fleet("--nodes", bad)
    check(result.status == 2 and result.err.startswith("ascend-faq: ") and not result.out, f"refuses the node {bad[:20]}",
          result.err)
for arguments, word in ((("--engine", "nosuch"), "clush"), (("--timeout", "0"), "--timeout"),
                        (("--nodes", "n1", "--engine", "pdsh"), "pdsh")):
    result = fleet(*arguments)
    check(result.status == 2 and word in result.err, f"{' '.join(arguments)} is told", result.err)
done()

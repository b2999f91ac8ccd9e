#!/usr/bin/env python3
"""fleet through a real Slurm: alone, inside an allocation, with a node that is down and one that hangs."""
import json
import pathlib
import signal
import subprocess

from cli import PROGRAM, check, done, environment, run
from slurm import Slurm, wait_for

slurm = Slurm()
VARIABLES = {"SLURM_CONF": str(slurm.configuration)}


def states(text):
    document = json.loads(text)
    return {node["node"]: node["state"] for node in document["nodes"]}, document


def idle(count):
    wait_for(lambda: slurm.ask("sinfo", "-hN", "-o", "%T").count("idle") == count, "the nodes are idle again")


UP = {"n1": "done", "n2": "done", "n3": "done"}
result = run("fleet", "--engine", "slurm", "--json", **VARIABLES)
found, document = states(result.out)
check(found == UP | {"n4": "dead"}, "outside an allocation all nodes of the site are asked", (found, result.err))
check(result.status == 1 and "slurm: " in document["nodes"][3]["message"], "the one that Slurm has down is named with its state",
      document["nodes"][3])
check(len({node["host"] for node in document["nodes"][:3]}) == 3, "nodes that share a host are told apart")
idle(3)

inside = subprocess.run(["salloc", "--quiet", "--nodelist=n[1-2]", "--nodes=2", PROGRAM, "fleet", "--json"],
                        env=environment(**VARIABLES), capture_output=True, timeout=120, check=False)
found, document = states(inside.stdout)
check(found == {"n1": "done", "n2": "done"} and document["engine"] == "slurm", "inside an allocation its nodes are asked",
      (found, inside.stderr))
idle(3)
both = subprocess.run(["salloc", "--quiet", "--nodelist=n[1-2]", "--nodes=2", "sh", "-c",
                       f'srun sleep 300 & job=$!; until squeue -hs -o %i | grep -q "[.]0"; do :; done; "{PROGRAM}" fleet --json; kill $job; wait'],
                      env=environment(**VARIABLES), capture_output=True, timeout=120, check=False)
found, document = states(both.stdout)
check(found == {"n1": "done", "n2": "done"}, "and it does not wait for the job's own step", (found, both.stderr))
idle(3)

before = set(pathlib.Path("/tmp").glob("ascend-faq.????????"))
result = run("fleet", "--engine", "slurm", "--nodes", "n[1-3]", "--program", "/nowhere/ascend-faq", "--send", "--json",
             **VARIABLES)
found, document = states(result.out)
check(found == UP, "--send reaches all nodes through srun", (found, result.err))
check(set(pathlib.Path("/tmp").glob("ascend-faq.????????")) == before, "and nothing stays there")
idle(3)

slurm.signal("n3", signal.SIGSTOP)
result = run("fleet", "--engine", "slurm", "--nodes", "n[1-3]", "--timeout", "25", "--json", **VARIABLES)
found, document = states(result.out)
# srun gives it up in the end, or the time is over before.
check(found.pop("n3") in ("late", "dead") and found == {"n1": "done", "n2": "done"},
      "a node that hangs is named, the others are not lost", (found, result.err))
slurm.signal("n3", signal.SIGCONT)
wait_for(lambda: not slurm.ask("squeue", "-h").strip(), "no job is left behind")
check(True, "no job is left in the queue")
done()

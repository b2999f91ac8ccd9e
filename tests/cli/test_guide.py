#!/usr/bin/env python3
"""What guided fixing needs of the shipped pack: checks behind the steps, and nothing dangerous offered first."""
from cli import check, document, done, run

FAULTS = [f"1.{n}" for n in range(1, 12)] + ["2.1"] + [f"3.{n}" for n in range(1, 5)]
# What no probe can tell before the next step is done, which has the check: a virtual environment that is not entered yet.
UNSEEN = {"python3.11 -m venv venv"}

entries = document("export")[0]["entries"]
by_id = {entry["id"]: entry for entry in entries}
probes = {probe["id"] for probe in document("probe")[0]["probes"]}


def has_checks(solution):
    """Every step that changes something has a probe that must pass afterwards, and there is one such step at least."""
    changing = [step for step in solution["steps"] if "run" in step and step["effect"] != "read" and step["run"].strip() not in UNSEEN]
    return all("verify" in step for step in changing) and any("verify" in step for step in solution["steps"])


for name in FAULTS:
    check(any(has_checks(solution) for solution in by_id[name]["solutions"]), f"{name}: a solution whose every checkable step is checked")
named = {step["verify"] for entry in entries for solution in entry["solutions"] for step in solution["steps"] if "verify" in step}
check(named <= probes, "every check is a probe of the pack", named - probes)


def destroys(solution):
    return any(step.get("effect") == "destroy" for step in solution["steps"])


wrong = [entry["id"] for entry in entries for solution in entry["solutions"]
         if solution["recommended"] and destroys(solution) and not all(map(destroys, entry["solutions"]))]
check(not wrong, "nothing that destroys is recommended where something harmless is there", wrong)
marked = ("rm -rf", "npu-smi set -t reset", "kill ", "pkill ", "killall ")
wrong = [(entry["id"], step["run"]) for entry in entries for solution in entry["solutions"] for step in solution["steps"]
         if any(word in step.get("run", "") for word in marked) and step["effect"] != "destroy"]
check(not wrong, "what removes, resets or kills is marked", wrong)
for name in FAULTS:
    harmless = [s for s in by_id[name]["solutions"] if not destroys(s)]
    if harmless and any(map(destroys, by_id[name]["solutions"])):
        filled = run("fill", name).out
        check(not any(word in filled for word in marked), f"{name}: without asking for it nothing dangerous is filled in", filled)
done()

"""compare: results of many nodes, whatever comes as one."""
import json
import pathlib
import shutil
import tempfile

from cli import check, document, done, run

WORK = pathlib.Path(tempfile.mkdtemp())
OWN, _ = document("probe")


def node(name, change=None, **values):
    d = json.loads(json.dumps(OWN))
    d["host"] = name
    for probe in d["probes"]:
        probe["state"] = "ok"
        if probe["id"] == "busy-ports":
            probe["values"].update(BUSY_PORTS="20001", EPHEMERAL_FIRST="32768", EPHEMERAL_LAST="60999")
        if probe["id"] == "interfaces":
            probe["values"]["NETWORKS"] = "eth0 10.1.0.0/16, ib0 10.2.0.0/16"
        for key, value in values.items():
            place, name_of_value = key.split("__")
            if probe["id"] == place.replace("_", "-"):
                probe["values"][name_of_value] = value
        if change:
            change(probe)
    return d


def put(name, *documents, lines=False):
    path = WORK / name
    path.write_text("\n".join(json.dumps(d) for d in documents) + "\n" if lines else json.dumps(documents[0], indent=1))
    return str(path)


# --- alike ---------------------------------------------------------------------------------------------------------
alike = put("alike", *[node(f"node{i:02}", cann__CANN_VERSION="9.1.0") for i in range(1, 13)], lines=True)
d, status = document("compare", alike)
check(status == 0 and d["nodes"] == d["read"] == 12 and not d["failing"] and not d["different"], "nodes that are alike", (status, d["different"][:2]))
check(d["shared"] == {"interface": "eth0", "network": "10.1.0.0/16", "port": 20000, "port_first": 20002, "port_last": 20065},
      "the interface and the ports that all can use", d["shared"])
r = run("--lang", "en", "compare", alike)
check(r.status == 0 and "12 nodes, results of 12" in r.out and "CANN version  9.1.0" in r.out, "as text", r.out)
check("全部节点可用" in run("--lang", "zh", "compare", alike).out, "in Chinese")

# --- what differs --------------------------------------------------------------------------------------------------
def failing(probe):
    if probe["id"] == "limits":
        probe.update(state="fail", detail="open files: 1024")


nodes = [node(f"node{i:02}", cann__CANN_VERSION="9.0.0" if i in (7, 8, 9) else "9.1.0", resources__MEMORY_AVAILABLE_GB=str(i),
              busy_ports__BUSY_PORTS="20000, 20050" if i == 3 else "20001", change=failing if i == 5 else None) for i in range(1, 65)]
mixed = put("mixed", *nodes, lines=True)
d, status = document("compare", mixed)
cann = [x for x in d["different"] if x.get("value") == "CANN_VERSION"]
check(status == 1 and cann and [(g["count"], g["is"], g["nodes"]) for g in cann[0]["groups"]] ==
      [(61, "9.1.0", "node[01-06,10-64]"), (3, "9.0.0", "node[07-09]")], "61 have this, 3 that", cann)
check([(x["probe"], x["failing"], x["detail"]) for x in d["failing"]] == [("limits", 1, "open files: 1024")], "what fails, and where", d["failing"])
check(not [x for x in d["different"] if x.get("value") in ("MEMORY_AVAILABLE_GB", "BUSY_PORTS", "IF_ADDRESS")], "what differs by nature is no difference", d["different"])
check(d["shared"]["port"] == 20002 and (d["shared"]["port_first"], d["shared"]["port_last"]) == (20051, 20114), "ports that one node has taken are left out", d["shared"])
other = node("node99")
for probe in other["probes"]:
    if probe["id"] == "interfaces":
        probe["values"]["NETWORKS"] = "eth0 192.168.0.0/24, ib0 10.2.0.0/16"
other["probes"] = [p for p in other["probes"] if p["id"] != "python"]
d, status = document("compare", mixed, put("node99.json", other))
check(d["shared"]["interface"] == "ib0" and d["shared"]["network"] == "10.2.0.0/16", "an interface of the same name in another network is none for all", d["shared"])
python = [x for x in d["different"] if x["probe"] == "python" and x.get("value") == "PYTHON_VERSION"]
check(python and python[0]["groups"][1] == {"is": None, "count": 1, "nodes": "node99"}, "a node without the value is told", python)

# --- whatever comes ------------------------------------------------------------------------------------------------
whole = json.dumps(node("good1"))
for name, text, why in (("empty", "", "no result"), ("words", "ssh: connect to host\n", "no result"), ("cut", whole[:len(whole) // 2], "damaged at byte"),
                        ("other", '{"schema": 1, "hits": []}', "no result"), ("deep", '{"probes": ' + "[" * 5000, "damaged"),
                        ("bytes", "\x00\x01{", "no result"), ("wrong", '{"probes": [{"id": 7}]}', "damaged"),
                        ("tail", whole + "x", "damaged")):
    path = WORK / f"{name}.json"
    path.write_text(text)
    d, status = document("compare", alike, str(path))
    check(status == 1 and d["read"] == 12 and len(d["unread"]) == 1 and d["unread"][0]["node"].split(":")[0] == name and why in d["unread"][0]["why"],
          f"{name}: the node cannot be read, the others stay", (status, d["unread"]))
again = put("again", node("node01"), node("node01", cann__CANN_VERSION="8.5.0"), node("node02", cann__CANN_VERSION="8.5.0"), lines=True)
d, status = document("compare", again)
check(d["nodes"] == 2 and d["repeated"] == 1 and not [x for x in d["different"] if x.get("value") == "CANN_VERSION"],
      "of a node that comes twice the last counts", d["different"])
hostile = put("hostile", node("evil\x1b[31m"), node("n\nine", cann__CANN_VERSION="9\x1b]0;x\x07\n1"), lines=True)
r = run("compare", hostile)
check("\x1b" not in r.out and "\x07" not in r.out, "no escape of a node reaches the screen", repr(r.out[:300]))
r = run("compare", "-", stdin=pathlib.Path(alike).read_bytes())
check(r.status == 0 and "12" in r.out, "from standard input", r.out[:200])
r = run("--lang", "en", "compare", str(WORK / "none"))
check(r.status == 2 and r.err.count("\n") == 1 and "none" in r.err, "a file that is not there", r.err)
r = run("compare", str(WORK / "empty.json"))
check(r.status == 2, "nothing at all could be read", r.status)

# --- thousands -----------------------------------------------------------------------------------------------------
many = put("many", *[node(f"n{i}") for i in range(1, 1500)], lines=True)
d, status = document("compare", many)
check(status == 0 and d["read"] == 1499 and d["same"][0]["groups"][0]["nodes"] == "n[1-1499]", "a cluster", status)
shutil.rmtree(WORK)
done()

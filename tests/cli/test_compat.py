"""compat: which versions go together, of this machine or as asked."""
import os
import pathlib
import shutil
import tempfile

from cli import check, document, done, run

WORK = pathlib.Path(tempfile.mkdtemp())
BIN, CANN, VENV = WORK / "bin", WORK / "cann", WORK / "venv"
SITE = VENV / "lib/python3.11/site-packages"
for folder in (BIN, CANN / "x86_64-linux", VENV / "bin", SITE):
    folder.mkdir(parents=True)
(VENV / "pyvenv.cfg").write_text("home = /usr\n")
(VENV / "bin/python3").write_text("#!/bin/sh\necho Python 3.11.9\n")
(VENV / "bin/python3").chmod(0o755)
MACHINE = {"PATH": f"{VENV}/bin:{BIN}", "ASCEND_HOME_PATH": str(CANN), "PYTHONPATH": None, "HOME": str(WORK)}


def cann(version):
    (CANN / "x86_64-linux/ascend_toolkit_install.info").write_text(f"version={version}\n")


def package(name, version):
    for old in SITE.glob(f"{name}-*.dist-info"):
        shutil.rmtree(old)
    folder = SITE / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n")


def machine(*operands):
    d, status = document("compat", *operands, **MACHINE)
    return d, {v["name"]: v for v in d["versions"]}, status


# --- this machine --------------------------------------------------------------------------------------------------
cann("8.5.0")
package("torch", "2.7.1+cpu")
package("torch_npu", "2.7.1.post2")
d, v, status = machine()
check(status == 0 and d["state"] == "fits" and v["CANN"]["version"] == "8.5.0" and v["torch"]["version"] == "2.7.1+cpu" and
      v["Python"]["version"] == "3.11.9" and v["triton-ascend"]["version"] is None, "a machine whose versions go together", d["versions"])
check([r["cells"][0] for r in d["matrices"][0]["rows"] if r["fits"]] == ["2.7.1.post2"], "the row it stands in")
p, _ = document("probe", "versions", "torch-npu", **MACHINE)
check([q["state"] for q in p["probes"]] == ["ok", "ok"] and "torch_npu 2.7.1.post2" in p["probes"][0]["detail"] and
      p["probes"][1]["values"]["TORCH_NPU_CANN"] == "8.5.0", "the probe says the same", p["probes"])

cann("9.1.0")
package("triton_ascend", "3.2.0")
d, v, status = machine()
check(status == 1 and d["state"] == "misfit" and v["torch_npu"]["nearest"] == "2.7.1.post8" and
      v["triton-ascend"]["nearest"] == "3.2.2" and v["CANN"]["nearest"] is None and v["torch"]["nearest"] is None,
      "what does not fit, and the nearest set that does", d["versions"])
p, _ = document("probe", "versions", **MACHINE)
check(p["probes"][0]["state"] == "warn" and p["probes"][0]["entry"] == "2.107" and
      p["probes"][0]["values"]["VERSIONS_CHANGE"] == "torch_npu 2.7.1.post2 -> 2.7.1.post8, triton-ascend 3.2.0 -> 3.2.2",
      "the probe names it and its entry", p["probes"])
r = run("--lang", "en", "compat", **MACHINE)
check(r.status == 1 and "2.7.1.post2 → 2.7.1.post8" in r.out and "do not go together" in r.out, "as text", r.out)
r = run("--lang", "zh", "compat", **MACHINE)
check(r.status == 1 and "互不配套" in r.out and "来源：" in r.out, "in Chinese", r.out)

package("torch_npu", "2.7.1.dev20250724")
d, v, status = machine()
check(not v["torch_npu"]["listed"] and v["triton-ascend"]["nearest"] == "3.2.2", "a build of one's own is in no table; the rest is compared", d["versions"])
package("torch_npu", "\x1b[31m9")
r = run("compat", **MACHINE)
check("\x1b[31m" not in r.out, "a hostile version reaches no screen raw")

# --- as asked ------------------------------------------------------------------------------------------------------
d, v, status = machine("cann=9.1.0", "torch-npu=2.9.0", "TORCH=2.9.0")
check(status == 1 and v["torch_npu"]["nearest"] == "2.9.0.post6" and v["Python"]["version"] is None, "versions that are named; the machine is left alone", d["versions"])
r = run("--lang", "en", "compat", "cann=8.5.0", "torch_npu=2.9.0", **MACHINE)
check(r.status == 0 and "2.12.0" not in r.out and "2.9.0" in r.out, "only the rows that fit are shown", r.out)
r = run("--lang", "en", "compat", "cann=9.1.0", **MACHINE)
check(r.status == 0 and "2.12.0" in r.out and "8.5.0" not in r.out, "what goes with one version", r.out)
for wrong, said in (("cann", "NAME=VERSION"), ("mindspore=2.7", "torch-npu"), ("cann=latest", "not a version"), ("cann=", "not a version")):
    r = run("--lang", "en", "compat", wrong, **MACHINE)
    check(r.status == 2 and said in r.err and r.err.count("\n") == 1, f"{wrong}: one clear message", r.err)

for asked, state in ((("torch=2.9.0", "python=3.8"), "misfit"), (("torch=2.9.0", "cann=8.0.0"), "misfit"), (("cann=9.1.0", "python=3.8"), "misfit"),
                     (("CANN=8.0.0", "torch=2.1.0"), "fits"), (("python=3.11", "cann=8.5.0"), "fits"), (("python=3.13", "cann=8.5.0"), "fits"),
                     (("torch=99999999999999999999999.1", "torch_npu=2.5.1"), "misfit"), (("torch=2.13.0", "torch_npu=2.12.0"), "misfit"),
                     (("torch=2.99", "cann=9.1.0"), "unlisted"), (("torch=2.9.0", "driver=25.5"), "unknown")):
    d, v, status = machine(*asked)
    check(d["state"] == state and status == (state == "misfit"), f"{' '.join(asked)}: {state}", (d["state"], status, d["versions"]))
r = run("--lang", "en", "compat", "torch=2.9.0", "cann=8.0.0", **MACHINE)
check(r.status == 1 and "✗" in r.out and "✓" not in r.out, "two that stand in one table and in no row", r.out)
r = run("--lang", "en", "compat", "cann=8.0.0", **MACHINE)
check("no row fits: the table begins at CANN 8.5.2" in r.out, "a table that does not go back so far", r.out)

# --- a site's own table --------------------------------------------------------------------------------------------
PACK = WORK / "pack"
PACK.mkdir()
(PACK / "pack.yaml").write_text("name: site\ntitle: {zh: 站点, en: Site}\nversion: '1'\n")
MATRIX = """- id: torch-npu
  title: {zh: 站点的版本, en: Versions of the site}
  columns:
    - {name: torch_npu, probe: torch-npu, value: TORCH_NPU_VERSION}
    - {name: CANN, probe: cann, value: CANN_VERSION}
  rows:
    - [2.7.1.site3, 9.1.0]
  source: the site
"""
(PACK / "compat.yaml").write_text(MATRIX)
package("torch_npu", "2.7.1.site3")
r = run("--lang", "en", "--pack", str(PACK), "compat", **MACHINE)
check("Versions of the site" in r.out and "2.12.0" not in r.out, "a pack's table takes the place of the shipped one", r.out)
r = run("--lang", "en", "lint", str(PACK))
check(r.status == 0 and not r.err.strip(), "it lints", r.out + r.err)
(PACK / "compat.yaml").write_text(MATRIX.replace("[2.7.1.site3, 9.1.0]", "[2.7.1.site3]").replace("probe: cann", "probe: none"))
r = run("--lang", "en", "lint", str(PACK))
said = r.out + r.err
check(r.status == 1 and "row 1 has 1 cells, but there are 2 columns" in said and "none" in said, "lint says what is wrong in a table", said)
shutil.rmtree(WORK)
done()

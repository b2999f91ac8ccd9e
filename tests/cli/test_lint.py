"""The check of packs, and packs laid over the shipped one."""
import os
import pathlib
import tempfile

from cli import TOP, check, document, done, run
from packs import PACK, entry, lines, pack

# --- the shipped pack ---------------------------------------------------------------------------------------
r = run("lint")
check(r.status == 0 and r.out == "" and r.err == "", "the shipped pack has no faults", r.out + r.err)
r = run("lint", str(TOP / "content"))
check(r.status == 0 and r.out == "", "nor has the folder that it is made of", r.out + r.err)

with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)

    # --- a site's pack --------------------------------------------------------------------------------------
    good = pack(top / "good", {"pack.yaml": PACK, "rack/r1.yaml": entry(), "README.md": "not read"})
    r = run("lint", good)
    check(r.status == 0 and r.out == "", "a good pack has no faults", r.out + r.err)
    r = run("lint", good + "/")
    check(r.status == 0, "a slash at the end does no harm", r.out + r.err)

    bad = pack(top / "bad", {
        "pack.yaml": PACK,
        "rack/r1.yaml": entry(run="if true"),
        "rack/r2.yaml": entry(id="R.2").replace("origin:", "orign:"),
        "rack/r3.yaml": "id: [\n",
        "codes/a.yaml": b"- code: \xff\n",
    })
    r = run("lint", bad)
    found = lines(r.out)
    check(r.status == 1, "a bad pack gives status 1", r.status)
    check(any(l.startswith(f"{bad}/rack/r1.yaml:11:9: error: `run` is not what a shell understands:") for l in found),
          "a command that is no shell is found", r.out)
    check(f"{bad}/rack/r2.yaml:4:1: error: unknown key `orign`: did you mean `origin`?" in found, "an unknown key is found", r.out)
    check(any(l.startswith(f"{bad}/rack/r3.yaml:2:1: error:") for l in found), "a file that is no YAML is found", r.out)
    check(any(l.startswith(f"{bad}/codes/a.yaml:1:9: error:") for l in found), "bytes that are no text are found", r.out)
    d, status = document("lint", bad)
    check(status == 1 and d["schema"] == 1 and d["errors"] == len(d["faults"]) == len(found), "the same as JSON", d)
    check(set(d["faults"][0]) == {"severity", "file", "line", "column", "message"}, "a fault has its place", d["faults"][0])

    r = run("lint", str(top / "none"))
    check(r.status == 2 and "No such file" in r.err and r.out == "", "a folder that is not there", r.err)

    # --- what is not read -----------------------------------------------------------------------------------
    secret = top / "secret.yaml"
    secret.write_text("secret: word\n")
    linked = pack(top / "linked", {"pack.yaml": PACK})
    os.makedirs(top / "linked/rack")
    os.symlink(secret, top / "linked/rack/a.yaml")
    os.symlink(top, top / "linked/up")
    os.mkfifo(top / "linked/rack/b.yaml")
    r = run("lint", linked, timeout=20)
    check("secret:" not in r.out and f"{linked}/rack/a.yaml:0:0: error: is a link, which is not followed" in lines(r.out),
          "links are not followed", r.out)
    check(f"{linked}/rack/b.yaml:0:0: error: is not a regular file" in lines(r.out), "a FIFO does not block", r.out)
    huge = pack(top / "huge", {"pack.yaml": PACK})
    os.makedirs(top / "huge/rack")
    with open(top / "huge/rack/a.yaml", "wb") as f:
        f.truncate(1 << 30)
    r = run("lint", huge, timeout=20)
    check(f"{huge}/rack/a.yaml:0:0: error: is too large" in lines(r.out), "a huge file is refused", r.out)

    # --- overlays -------------------------------------------------------------------------------------------
    r = run("list", "--pack", good)
    check(r.status == 0 and "of the site" in r.out and "\n  1.6 " in r.out, "--pack adds a pack", r.out + r.err)
    over = pack(top / "over", {"pack.yaml": PACK, "install/a.yaml": entry(id="1.6", title="replaced by the site")})
    r = run("show", "1.6", "--pack", over)
    check("replaced by the site" in r.out, "a later pack wins by id", r.out + r.err)
    r = run("list", "--pack", bad)
    check(r.status == 0 and "\n  1.6 " in r.out and "R.1" not in r.out, "a broken pack is left out, the rest works", r.out)
    check("r3.yaml:2:1" in r.err and "left out" in r.err, "and it is told", r.err)
    pack(top / "config/ascend-faq/packs/mine", {"pack.yaml": PACK, "rack/r.yaml": entry(title="from the user folder")})
    r = run("list", XDG_CONFIG_HOME=str(top / "config"))
    check("from the user folder" in r.out, "packs of the user are read", r.out + r.err)
    r = run("list", "--pack", good, XDG_CONFIG_HOME=str(top / "config"))
    check("of the site" in r.out and "from the user folder" not in r.out, "--pack comes after them", r.out + r.err)

    # --- trust ----------------------------------------------------------------------------------------------
    probes = """\
- id: site-echo
  title: {en: echo}
  read:
    - {command: [echo, hello], into: SAID}
  judge:
    - {when: ["SAID = hello"], state: ok}
    - {state: fail}
"""
    own = pack(top / "own", {"pack.yaml": PACK, "probes.yaml": probes})

    def state(folder):
        d, _ = document("probe", "site-echo", "--pack", folder)
        return [p["state"] for p in d["probes"] if p["id"] == "site-echo"]

    os.chmod(own, 0o755)
    os.chmod(top / "own/probes.yaml", 0o644)
    check(state(own) == ["ok"], "commands of the user's own pack run", state(own))
    for path, mode, what in ((own, 0o777, "a folder"), (own, 0o775, "a folder of a group"), (top / "own/probes.yaml", 0o666, "a file"),
                             (top / "own/pack.yaml", 0o664, "another file")):
        before = os.stat(path).st_mode
        os.chmod(path, mode)
        check(state(own) == ["untrusted"], f"{what} that others may write: its commands do not run", state(own))
        os.chmod(path, before)
    if os.geteuid() == 0:
        os.chown(top / "own/probes.yaml", 12345, -1)
        check(state(own) == ["untrusted"], "a file of somebody else: its commands do not run", state(own))

done()

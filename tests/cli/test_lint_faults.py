"""The check of packs: what a careless or hostile author writes."""
import pathlib
import shutil
import tempfile

from cli import TOP, check, document, done, run
from packs import PACK, entry, lines, pack

with tempfile.TemporaryDirectory() as top:
    top = pathlib.Path(top)

    # --- the same id twice ----------------------------------------------------------------------------------
    twice = pack(top / "twice", {"pack.yaml": PACK, "rack/R.1.yaml": entry(), "rack/R.2.yaml": entry(sample="rack 18 has no power")})
    r = run("lint", twice)
    check(r.status == 1 and [l.split("error: ")[-1] for l in lines(r.out) if "error" in l] ==
          [f"entry `R.1` is already at {twice}/rack/R.1.yaml:1; give it another id"], "an id that is there twice is one error", r.out + r.err)
    copy = top / "copy"
    shutil.copytree(TOP / "content", copy)
    pack(copy, {"install/1.9998.yaml": entry(id="1.1"), "install/1.9999.yaml": entry(id="1.1", sample="rack 18 has no power")})
    r = run("lint", str(copy))
    check(r.status == 1 and len(lines(r.out)) == 2 and r.out.count("entry `1.1` is already at") == 2,
          "an id of the shipped pack twice is told, and harms nothing", (r.status, r.out, r.err))

done()

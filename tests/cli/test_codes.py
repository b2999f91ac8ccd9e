"""Every documented code of the stack is known: show, search and the decoders."""
import json
import re

from cli import TOP, check, document, done, run

CODES = [line.split("\t") for line in (TOP / "tests/fixtures/codes.txt").read_text().splitlines() if not line.startswith("#")]
check(len(CODES) == 1190, "the list is whole", len(CODES))

# --- show ----------------------------------------------------------------------------------------------------------
found = {}
for start in range(0, len(CODES), 200):
    d, status = document("show", *[typed if not typed.startswith("-") else f"[{typed}]" for _, _, typed in CODES[start:start + 200]])
    check(status == 0, f"show knows codes {start + 1} to {start + len(CODES[start:start + 200])}", status)
    for code in d["codes"]:
        for name in [code["code"], *code["aliases"]]:
            found.setdefault((code["namespace"], name.lower()), code)
lost = [(namespace, typed) for namespace, _, typed in CODES if (namespace, typed.lower()) not in found]
check(not lost, "each is shown, in its namespace", lost[:20])
mute = [typed for namespace, _, typed in CODES if (namespace, typed.lower()) in found and not all(
    found[namespace, typed.lower()][key]["zh"] and found[namespace, typed.lower()][key]["en"] for key in ("means", "usually"))]
check(not mute, "each says what it means and what to do, in both languages", mute[:20])
by_tier = {tier: [typed for _, t, typed in CODES if t == tier] for tier in "123"}
check(all(len(v) > 200 for v in by_tier.values()), "all three tiers", {k: len(v) for k, v in by_tier.items()})


def marks(lang, mark, typed):
    """How often the codes, shown for people, bear the mark."""
    typed = [f"[{code}]" if code.startswith("-") else code for code in typed]
    return sum(run("--lang", lang, "show", *typed[start:start + 200]).out.count(mark) for start in range(0, len(typed), 200))


for lang, mark in (("en", "meaning inferred from the title"), ("zh", "含义由标题推断")):
    counts = [marks(lang, mark, by_tier[tier]) for tier in "123"]
    check(counts == [0, 0, len(by_tier["3"])], f"{lang}: each of the third tier says so, none of the others", counts)

# --- as it is printed ----------------------------------------------------------------------------------------------
for typed, code in (("errcode:(0x800000, 0, 0)", "(0x800000,0,0)"), ("(0, 0x2000, 0)", "(0,0x2000,0)"), ("0x80E01801", "0x80E01801"),
                    ("[EI0020]:", "EI0020"), ("DRV_ERROR_BUSY", "drv 13"), ("ACL_ERROR_RT_KERNEL_LOOKUP", "507027"), ("err: 87", "drv 87")):
    d, status = document("show", typed)
    check(status == 0 and code in [c["code"] for c in d["codes"]], f"{typed} is {code}", d)

# --- read by the way they are made ---------------------------------------------------------------------------------
for typed, said in (("errcode:(0x1800000, 0x800, 0)", ["0x800000", "global memory", "0x800", "not aligned", "0x1800000"]),
                    ("errcode:(0x800000, 0, 0x4) errorStr: timeout or trap error.", ["global memory", "third word", "not documented"]),
                    ("0x80800000", ["burst_num", "global memory"]), ("0x8000000000", ["first word", "not documented"]),
                    ("0x80EFFFFF", ["health event"]), ("ERR02777", ["distributed"]), ("529999", ["internal error"]),
                    ("107999", ["wrong use", "the runtime"]), ("545999", ["graph engine"])):
    r = run("--lang", "en", "show", typed)
    check(r.status == 0 and all(word in r.out for word in said), f"{typed} is taken apart", r.out + r.err)

# --- search --------------------------------------------------------------------------------------------------------
for words, code in (("ACL_ERROR_RT_KERNEL_LOOKUP", "507027"), ("burst_len", "(0x40000000,0,0)"), ("507032", "507032"), ("E62511", "E62511"),
                    ("patrol scrubbing", "0x80E01809"), ("巡检 HBM", "0x80E01809"), ("Triton specialisations", "507032"), ("optics cable", "0x81078603")):
    d, status = document("search", words)
    codes = [c["code"] for c in d["codes"]]
    check(status == 0 and code in codes, f"search finds {code} by {words}", codes[:10])
by_name = {}
for code in found.values():
    by_name.setdefault(code.get("name", ""), set()).add(code["code"])
names = sorted((name, *codes) for name, codes in by_name.items() if "_" in name and len(codes) == 1)[::7]
missed = [name for name, code in names if code not in [c["code"] for c in document("search", name)[0]["codes"]]]
check(len(names) > 40 and not missed, "search finds codes by their symbolic names", missed)

# --- codes lead to the entries that are about them -----------------------------------------------------------------
for typed, entry in (("100042", "5.107"), ("EK0007", "5.107"), ("drv 87", "3.111"), ("[-8005]", "3.109"), ("aclshmem -6", "3.125"),
                     ("507035", "3.101"), ("EI0006", "3.105"), ("0x80FA4E00", "3.132")):
    d, status = document("show", typed)
    check(status == 0 and entry in [e for c in d["codes"] for e in c["entries"]], f"{typed} leads to {entry}", d)
done()

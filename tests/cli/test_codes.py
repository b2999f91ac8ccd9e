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
for lang, mark in (("en", "meaning inferred from the title"), ("zh", "含义由标题推断")):
    third = run("--lang", lang, "show", *by_tier["3"][:50]).out
    first = run("--lang", lang, "show", *[c for c in by_tier["1"] if not c.startswith("-")][:50]).out
    check(third.count(mark) == 50 and mark not in first, f"{lang}: of the third tier it says so, of the first not", (third.count(mark), first.count(mark)))

# --- as it is printed ----------------------------------------------------------------------------------------------
for typed, code in (("errcode:(0x800000, 0, 0)", "(0x800000,0,0)"), ("(0, 0x2000, 0)", "(0,0x2000,0)"), ("0x80E01801", "0x80E01801"),
                    ("[EI0020]:", "EI0020"), ("DRV_ERROR_BUSY", "drv 13"), ("ACL_ERROR_RT_KERNEL_LOOKUP", "507027"), ("err: 87", "drv 87")):
    d, status = document("show", typed)
    check(status == 0 and code in [c["code"] for c in d["codes"]], f"{typed} is {code}", d)

# --- read by the way they are made ---------------------------------------------------------------------------------
for typed, said in (("errcode:(0x1800000, 0x800, 0)", ["0x800000", "global memory", "0x800", "not aligned", "0x1800000"]),
                    ("0x80EFFFFF", ["health event"]), ("ERR02777", ["distributed"]), ("529999", ["internal error"])):
    r = run("--lang", "en", "show", typed)
    check(r.status == 0 and all(word in r.out for word in said), f"{typed} is taken apart", r.out + r.err)

# --- search --------------------------------------------------------------------------------------------------------
for words, code in (("ACL_ERROR_RT_KERNEL_LOOKUP", "507027"), ("burst_len", "(0x40000000,0,0)"), ("507032", "507032"), ("E62511", "E62511"),
                    ("patrol scrubbing", "0x80E01809"), ("巡检 HBM", "0x80E01809"), ("Triton specialisations", "507032"), ("optics cable", "0x81078603")):
    d, status = document("search", words)
    codes = [c["code"] for c in d["codes"]]
    check(status == 0 and code in codes, f"search finds {code} by {words}", codes[:10])
done()

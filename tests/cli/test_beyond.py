"""Messages beyond the FAQ document (install, compile, accuracy, performance): each is diagnosed to its entry.

A message may be told of related entries as well (those that one names in `see` of the other), of no others; and
without the message, in a log that only talks of it, nothing is found.
"""
from cli import check, document, done

# What is printed, and the entry that explains it first.
PRINTED = (
    ("AssertionError: Tensor-likes are not close!", "4.101"),
    ("local size diffs", "4.110"),
    ("Warning: Device do not support double dtype now, dtype cast replace with float.", "4.113"),
    ("WARNING: Grid 4096 > physical limit 40, performance maybe reduced.", "5.101"),
    ("EK0007: [PID: 9] 2026-01-02-03:04:05.060.708 Failed to start Profiling in acl_api mode because it is already in "
     "msprof mode.", "5.107"),
    ("CAUTION: The operator 'aten::_cdist_forward' is not currently supported on the NPU backend and will fall back to "
     "run on the CPU. This may have performance implications.", "5.111"),
)

# The same words where nothing has failed.
SPOKEN = (
    "# AssertionError: Tensor-likes are not close! means that the tolerance is too small",
    "$ grep 'physical limit' run.log",
    "100042 images, 7 classes",
    "INFO: accuracy 0.97, performance as expected",
)

LAUNCHERS = ("", "[rank3]: ", "(Worker_TP1 pid=77) ", "E           ")


def found(text):
    result, _ = document("diagnose", "-", stdin=text.encode() + b"\n")
    return [match["entry"] for match in result["matches"]]


def test_printed():
    names = sorted({entry for _, entry in PRINTED})
    shown, _ = document("show", *names)
    see = {entry["id"]: set(entry.get("see", ())) for entry in shown["entries"]}
    for text, entry in PRINTED:
        for launcher in LAUNCHERS:
            lines = "\n".join(launcher + line for line in text.splitlines())
            got = found(lines)
            name = f"{entry}: {launcher}{text.splitlines()[0][:60]}"
            check(got[:1] == [entry], name, f"found {got}")
            others = {other for other in got if other != entry and other not in see[entry] and
                      entry not in document("show", other)[0]["entries"][0].get("see", ())}
            check(not others, f"{name}: nothing unrelated", str(others))


def test_spoken():
    for text in SPOKEN:
        check(found(text) == [], f"nothing in: {text}", str(found(text)))


def test_sections():
    """Accuracy and performance, which the document leaves empty, have entries, each with a way out."""
    listed, _ = document("list")
    for section in listed["sections"]:
        if section["id"] in ("accuracy", "performance"):
            names = [entry["id"] for entry in section["entries"]]
            check(len(names) >= 12, f"{section['id']}: a dozen entries", str(names))
            for entry in document("show", *names)[0]["entries"]:
                check(all(solution["steps"] for solution in entry["solutions"]) and entry["solutions"],
                      f"{entry['id']}: has steps")
                check(entry["origin"] != "faq" and entry["source"], f"{entry['id']}: says where it comes from")


test_printed()
test_spoken()
test_sections()
done()

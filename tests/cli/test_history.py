#!/usr/bin/env python3
"""`history`: what is remembered is shown, is one's own, can be switched off and erased."""
import os
import pathlib
import tempfile

from cli import HOME, check, document, done, run

STATE = pathlib.Path(tempfile.mkdtemp(dir=HOME))
FOLDER = STATE / "ascend-faq"
FOLDER.mkdir()
(FOLDER / "history").write_text("h1 1796100000 copied - 1.2 torchrun\nh1 1796100001 copied - 1.6 export A=auto\nno line of it\n"
                                "h1 1796100002 checked ok 1.6 hccl-port-range: \x1b[31mauto\nh1 1796100003 cop", encoding="utf-8")


def history(*arguments):
    return run("history", "--lang", "en", *arguments, XDG_STATE_HOME=str(STATE))


r = history()
check(r.status == 0 and r.out.count("\n") == 3 and "torchrun" in r.out, "what is understood of the file is listed", r.out)
check("\x1b" not in r.out, "no escape sequence reaches the terminal")
r = history("1.6")
check(r.out.count("\n") == 2 and "torchrun" not in r.out, "of one entry alone", r.out)
d, status = document("history", XDG_STATE_HOME=str(STATE))
check(status == 0 and d["on"] and [event["entry"] for event in d["events"]] == ["1.2", "1.6", "1.6"], "the same in JSON", d)
check(history("--off").status == 0 and not document("history", XDG_STATE_HOME=str(STATE))[0]["on"], "--off is remembered")
check(history("--on").status == 0 and document("history", XDG_STATE_HOME=str(STATE))[0]["on"], "and --on")
d, _ = document("history", XDG_STATE_HOME=str(STATE), ASCEND_FAQ_HISTORY="0")
check(not d["on"], "ASCEND_FAQ_HISTORY=0 switches it off", d)
(FOLDER / "guide").write_text("ascend-faq guide 1\n", encoding="utf-8")
r = history("--clear")
left = [name for name in os.listdir(FOLDER) if not name.endswith(".lock") and (FOLDER / name).stat().st_size]
check(r.status == 0 and "history" not in left and "guide" not in left, "--clear leaves neither history nor guides", left)
check(history().status == 1, "and then there is nothing")
check(run("history", "--clear", XDG_STATE_HOME="/proc/nowhere").status in (0, 2), "no place to keep it is no harm")
done()

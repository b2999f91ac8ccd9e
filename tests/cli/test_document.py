"""The FAQ document is in the pack, whole: every heading, command, error line, file text and link of it.

The document is read line by line and each line is put into one class by the rules below. A line of commands, of an
error message or of a file must stand, word for word after trimming, in the entry of the heading above it.
"""
import json
import os
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = TOP / os.environ.get("BUILD", "build") / "ascend-faq"
DOCUMENT = TOP / "tests/fixtures/faq/faq.zh.txt"

# The classes, tried in this order. Chinese characters mean that a line was written for readers.
TITLE = "FAQ 文档"  # stands twice: at the top, and above the table of contents at the end
CONVENTIONS = "端口与地址约定"
CHAPTER = re.compile(r"^([一二三四五六])、")
HEADING = re.compile(r"^(\d\.\d+) (.+)$")
APPENDIX = {"环境变量配置": "6.1", "常用工具命令": "6.2", "清理重建": "6.3", "问题反馈": "6.4"}
ERRORS_BEGIN = re.compile(r"^报错信息")
ERRORS_END = re.compile(r"^(解决方案|原因|可能原因|背景|问题描述|方案)")
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
ANCHOR = "\uf0c1"  # the web page's sign for "link to this heading", copied along
LINK = re.compile(r"https?://[^\s，。）>]+")

# What an entry may write in another way, and what stands for it. The document's torch-run does not exist (3.2 has the
# correction), and its three dots are the script and its arguments, which an entry may ask for by name.
REWRITTEN = (("torch-run ", "torchrun "), (" ...", " <SCRIPT> <ARGS>"))

count = 0


def check(good, name, why=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}" + (f": {why}" if not good and why else ""))


def ask(*arguments):
    result = subprocess.run([str(PROGRAM), *arguments, "--json"], capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"not ok - ascend-faq {' '.join(arguments)}: {result.stderr}")
    return json.loads(result.stdout)


def classify(text):
    """(entry id, class, line) of every line: heading, errors, commands, prose. Blank lines have no class."""
    entry, in_errors = None, False
    before_contents = text.split(TITLE)[1]
    for line in map(str.strip, before_contents.splitlines()):
        heading = HEADING.match(line)
        if not line:
            continue
        if heading or line == CONVENTIONS or line in APPENDIX:
            entry = heading[1] if heading else APPENDIX.get(line, "0.1")
            in_errors = False
            yield entry, "heading", heading[2] if heading else line
        elif CHAPTER.match(line):
            entry, in_errors = None, False
        elif CHINESE.search(line):
            in_errors = bool(ERRORS_BEGIN.match(line)) or (in_errors and not ERRORS_END.match(line))
            yield entry, "prose", line
        else:
            yield entry, "errors" if in_errors else "commands", line


def lines(texts):
    return {line.strip() for text in texts for line in text.splitlines()}


def spellings(line):
    """The line as it is, and as the table above allows it."""
    both = line
    for old, new in REWRITTEN:
        both = both.replace(old, new)
    return {line, both}


def held(entry):
    """What the entry holds, by class of the document's lines."""
    steps = [step for solution in entry["solutions"] for step in solution["steps"]]
    files = lines(step["text"] for step in steps if "text" in step)
    return {
        # What the document prints below "error message" may be a file that the reader is to change: 1.10.
        "errors": lines(sample["text"] for sample in entry["errors"]) | files,
        "commands": lines(step["run"] for step in steps if "run" in step) | files,
        "links": {step["link"] for step in steps if "link" in step},
    }


def main():
    text = DOCUMENT.read_text(encoding="utf-8").replace(ANCHOR, "")
    listed = [line["id"] for section in ask("list")["sections"] for line in section["entries"]]
    entries = {entry["id"]: entry for entry in ask("show", *listed)["entries"]}
    document = list(classify(text))
    wanted = {entry for entry, _, _ in document if entry}
    check(len(wanted) == 1 + 11 + 1 + 4 + 4, "the document has the parts that it is known to have", str(sorted(wanted)))
    check(wanted <= entries.keys(), "every heading is an entry", str(sorted(wanted - entries.keys())))
    contents = {m[1] for m in map(HEADING.match, map(str.strip, text.split(TITLE)[2].splitlines())) if m}
    check(contents <= entries.keys(), "every line of the table of contents is an entry", str(contents - entries.keys()))
    for name in sorted(wanted & entries.keys(), key=lambda i: [int(part) for part in i.split(".")]):
        have = held(entries[name])
        for kind in ("errors", "commands"):
            mine = [line for entry, k, line in document if entry == name and k == kind]
            allowed = spellings if kind == "commands" else lambda line: {line}
            missing = [line for line in mine if not allowed(line) & have[kind]]
            if mine:
                check(not missing, f"{name}: all {len(mine)} lines of {kind}", " ⏎ ".join(missing))
        links = [link for entry, k, line in document if entry == name and k == "prose" for link in LINK.findall(line)]
        if links:
            check(set(links) <= have["links"], f"{name}: the links", str(set(links) - have["links"]))
        heading = next(line for entry, k, line in document if entry == name and k == "heading")
        words = [entries[name]["title"]["zh"], *entries[name].get("aliases", [])]
        check(any(heading.lower() in word.lower() for word in words), f"{name}: is called as in the document", heading)


main()

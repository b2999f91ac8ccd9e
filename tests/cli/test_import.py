#!/usr/bin/env python3
"""`import` and `lint --against`: what a FAQ document holds, as a pack and beside one."""
import json
import pathlib
import re
import tempfile

from cli import HOME, TOP, check, document, done, run

FAQ = TOP / "tests/fixtures/faq/faq.zh.txt"
folder = pathlib.Path(tempfile.mkdtemp(dir=HOME))
expected = ({f"1.{n}" for n in range(1, 12)} | {"2.1"} | {f"3.{n}" for n in range(1, 5)} | {"0.1"} | {f"6.{n}" for n in range(1, 5)})


def entry_of(pack, name):
    return document("show", name, "--pack", str(pack))[0]["entries"][0]


made = folder / "made"
result = run("import", str(FAQ), str(made))
check(result.status == 0 and "21" in result.out, "the document is imported", result.err)
files = {path.stem for path in made.rglob("*.yaml")}
check(files == expected | {"pack"}, "all sixteen problems, the conventions and the appendix are there", files ^ (expected | {"pack"}))
result = run("lint", str(made))
check(result.status == 0 and result.out == "" and result.err == "", "the beginning lints without a word", result.out)
six = entry_of(made, "1.6")
check(six["title"]["zh"].startswith("Failed to enable listening") and six["cause"]["zh"] == "NPU socket 端口被其他进程占用。",
      "1.6: title and cause", six)
check([s["recommended"] for s in six["solutions"]] == [False, True], "1.6: two solutions, the second is recommended")
check([step.get("run") for step in six["solutions"][1]["steps"]][:2]
      == ['export HCCL_NPU_SOCKET_PORT_RANGE="auto"', 'export HCCL_NPU_SOCKET_PORT_RANGE="<PORT_START>-<PORT_END>"'],
      "1.6: its commands", six["solutions"][1])
ten = entry_of(made, "1.10")
check(len(ten["errors"]) == 2 and ten["errors"][1]["note"]["zh"] == "链接失败", "1.10: two samples, named")
check(any(step.get("file") == "setup.py" and "cmake_args = [" in step["text"] for step in ten["solutions"][0]["steps"]),
      "1.10: the edit of setup.py is an edit and no command")
check([step["effect"] for step in entry_of(made, "1.9")["solutions"][0]["steps"] if "run" in step] == ["destroy"], "1.9: rm -rf is marked")
two = entry_of(made, "6.2")
check(two["kind"] == "reference" and two["solutions"][0]["steps"][0] == {"say": {"zh": "查看 NPU 状态"}, "run": "npu-smi info", "effect": "read"},
      "6.2: comments say what the commands are for", two["solutions"][0]["steps"][0])
again = run("import", str(FAQ), str(made))
check(again.status == 2 and "pack.yaml" in again.err and again.err.count("\n") == 1, "files that are there are left alone", again.err)

# The same document as Markdown: the same entries.
markdown, code = ["# FAQ", ""], None
for line in FAQ.read_text(encoding="utf-8").splitlines():
    chapter, entry = re.match(r"[一二三四五六]、", line), re.match(r"\d\.\d+ ", line)
    command = bool(line.strip()) and not re.search(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", line) and not entry
    if line.strip() and (command or line.startswith("#")) != bool(code):
        markdown.append("```")
        code = not code
    markdown.append(("## " if chapter else "### " if entry or line in ("环境变量配置", "常用工具命令", "清理重建", "问题反馈", "端口与地址约定") else "") + line)
(folder / "faq.md").write_text("\n".join(markdown[:1] + markdown[3:]).replace("\nFAQ 文档\n", "\nFAQ\n"), encoding="utf-8")
result = run("import", str(folder / "faq.md"), str(folder / "from-markdown"))
check({path.stem for path in (folder / "from-markdown").rglob("*.yaml")} >= expected, "Markdown gives the same entries", result.err)
check(entry_of(folder / "from-markdown", "1.6")["solutions"][1]["steps"][0]["run"] == 'export HCCL_NPU_SOCKET_PORT_RANGE="auto"',
      "Markdown: commands out of fences")

# A new edition beside the shipped pack.
result = run("lint", "--against", str(FAQ))
check(result.status == 0 and result.out == "", "the shipped pack has all of the document", result.out)
text = FAQ.read_text(encoding="utf-8")
new = text.replace("\n二、编译篇", "\n1.12 新的问题\n\n问题描述： 新。\n\n报错信息：\n\nnew: error\n\n二、编译篇", 1)
new = new.replace('export HCCL_NPU_SOCKET_PORT_RANGE="auto"', 'export HCCL_NPU_SOCKET_PORT_RANGE="automatic"', 1)
new = new.replace("https://www.hiascend.com/developer/download", "https://example.org/new", 1)
new = new.replace("[ERROR] Cannot find hivmc under $PATH", "[ERROR] Cannot find hivmcx under $PATH", 1)
edition = folder / "new.txt"
edition.write_text(new, encoding="utf-8")
result = run("lint", "--against", str(edition))
for words, what in (("1.12", "a new entry"), ('"automatic"', "a new command"), ("https://example.org/new", "a new link"), ("hivmcx", "a new error line")):
    line = next((number for number, line in enumerate(new.splitlines(), 1) if (words in line)), 0)
    check(f"{edition}:{line}:1: warning: " in result.out and words in result.out, f"{what} is told with its line", result.out)
check(result.out.count("\n") == 4 and result.status == 0, "and nothing else", result.out)
check([fault["line"] for fault in document("lint", "--against", str(edition))[0]["faults"]]
      == sorted(int(re.match(r".*?:(\d+):1:", line)[1]) for line in result.out.splitlines()), "the same in JSON")

# Documents that are none.
for name, content in (("empty", b""), ("noise", bytes(range(256)) * 50), ("long", b"1.1 " + b"x" * 3_000_000), ("blank", b"\n" * 100_000)):
    path = folder / name
    path.write_bytes(content)
    result = run("import", str(path), str(folder / (name + ".pack")))
    check(result.status in (0, 1) and result.err.count("\n") <= 1, f"{name}: no harm", result.err[:300])
    if result.status == 0:
        check("YAML" not in run("lint", str(folder / (name + ".pack"))).out, f"{name}: what is made is YAML")
check(run("import", str(folder / "missing"), str(folder / "x")).status == 2, "a document that is not there")
check(run("lint", "--against", str(folder / "missing")).status == 2, "lint: a document that is not there")
hostile = "FAQ\n\n一、a\n\n1.1 x: 'y' \"z\" # {a}\n\n报错信息：\n\n  - 'a: b\n\ttab error: %s\n\x1b[31mred error\x00\n\n解决方案： 执行 'q'：\n\necho '$(touch owned)' # x\n"
(folder / "hostile").write_text(hostile, encoding="utf-8")
run("import", str(folder / "hostile"), str(folder / "hostile.pack"))
result = run("lint", str(folder / "hostile.pack"))
check(result.status == 0, "quotes, colons, tabs and escapes come through", result.out)
check("\x1b" not in json.dumps(entry_of(folder / "hostile.pack", "1.1"), ensure_ascii=False), "no escape sequence comes into the pack")
done()

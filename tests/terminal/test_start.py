#!/usr/bin/env python3
"""Starting: terminals, locales and homes of all kinds; where there is no terminal; the first picture."""
import os
import stat
import subprocess

from terminal import ESCAPE, PROGRAM, Pty, check, environment, main, scratch, tool

TITLE = "ascend-faq"
SECTION = "Install"


def shown(wanted=(TITLE, SECTION), send="q", command=(), **changes):
    """Start in this environment, wait for the texts, quit. Returns the terminal."""
    terminal = Pty([PROGRAM, *command], env=environment(**changes))
    before = terminal.line_discipline()
    for text in wanted:
        terminal.wait_for(text)
    terminal.send(send)
    check(terminal.wait_end() == 0, f"status with {changes}")
    terminal.check_restored(before)
    return terminal


def is_ascii(data):
    return all(byte < 0x80 for byte in data)


def test_terminals_of_all_kinds():
    for name in ("xterm-256color", "xterm", "screen", "screen-256color", "tmux-256color", "vt100", "vt220", "linux",
                 "rxvt", "ansi", "xterm-ghostty", "xterm-kitty", "nonexistent", "", "unknown", None):
        terminal = shown(TERM=name)
        check("\ufffd" not in terminal.text(), f"TERM={name}: replacement characters")


def test_a_terminal_without_a_database():
    shown(TERMINFO="/nonexistent", TERMINFO_DIRS="/nonexistent", TERM="xterm-new")


def test_dumb_terminals_are_told_what_to_use():
    terminal = Pty([PROGRAM], env=environment(TERM="dumb"))
    check(terminal.wait_end() == 2, "status")
    text = terminal.text()
    for word in ("TERM=dumb", "list", "search", "show"):
        check(word in text, f"{word!r} is missing: {text}")
    check(b"\x1b" not in terminal.bytes, "an escape sequence was sent")


def test_no_colour():
    for changes in ({"NO_COLOR": "1"}, {"TERM": "vt100"}, {"command": ["--no-color"]}):
        terminal = shown(**changes)
        for colour in (b"\x1b[3", b"\x1b[4", b"\x1b[9"):
            at = terminal.bytes.find(colour)
            while at >= 0:
                end = at + 3
                check(terminal.bytes[end:end + 1] == b"m" and colour == b"\x1b[4" or not terminal.bytes[at:at + 5].endswith(b"m"),
                      f"a colour with {changes}: {terminal.bytes[at:at + 8]}")
                at = terminal.bytes.find(colour, end)
    check(b"\x1b[38;5;" in shown().bytes, "there are no colours at all")


def test_locales_of_all_kinds():
    for changes in ({"LANG": "C"}, {"LANG": None}, {"LC_ALL": "POSIX"}, {"LC_ALL": "nonsense"}, {"LC_ALL": "zh_CN.GB18030"}):
        terminal = shown(**changes)
        check(is_ascii(terminal.bytes), f"bytes beyond ASCII with {changes}")
        check("+" in terminal.text() or "+" in terminal.bytes.decode(), "no border in ASCII")


def test_ascii_on_demand():
    check(is_ascii(shown(command=["--ascii"]).bytes), "--ascii")
    check(is_ascii(shown(ASCEND_FAQ_ASCII="1").bytes), "ASCEND_FAQ_ASCII=1")
    check(not is_ascii(shown(ASCEND_FAQ_ASCII="0").bytes), "ASCEND_FAQ_ASCII=0")
    # There is no Chinese in ASCII, whoever asks for it.
    check(is_ascii(shown(command=["--ascii", "--lang", "zh"]).bytes), "--ascii --lang zh")


def test_utf8_where_the_environment_says_so():
    for changes in ({"LANG": "C.UTF-8"}, {"LC_ALL": "xx_YY.UTF-8"}, {"LC_ALL": "zh_CN.utf8", "ASCEND_FAQ_LANG": "en"},
                    {"LANG": "C", "TERM": "xterm-kitty"}, {"LANG": None, "VTE_VERSION": "6800"}):
        check("╭".encode() in shown(**changes).bytes, f"no UTF-8 with {changes}")


def test_chinese_by_choice_though_the_locale_is_c():
    for changes in ({"command": ["--lang", "zh"]}, {"ASCEND_FAQ_LANG": "zh"}, {"LC_MESSAGES": "zh_CN.UTF-8"}):
        shown(wanted=("安装构建",), LANG="C", **changes)


def test_the_language_key_is_remembered():
    home = scratch()
    terminal = Pty([PROGRAM], env=environment(LANG="C", HOME=home))
    terminal.wait_for(SECTION).send("L").wait_for("安装构建").send("q").wait_end()
    shown(wanted=("安装构建",), LANG="C", HOME=home)
    shown(wanted=(SECTION,), command=["--lang", "en"], LANG="C", HOME=home)
    shown(wanted=("安装构建",), LANG="C", HOME=home)


def test_without_a_choice_the_locale_decides_each_time():
    home = scratch()
    shown(LANG="C", HOME=home)
    shown(wanted=("安装构建",), LC_ALL="zh_CN.UTF-8", HOME=home)
    shown(LANG="C", HOME=home)


def test_state_is_private_and_comes_back():
    home = scratch()
    terminal = Pty([PROGRAM], env=environment(HOME=home))
    terminal.wait_for(SECTION).send("/").send("EI0020").wait_for("Failed to enable").send("\r").wait_for("EJ0003")
    terminal.send(ESCAPE).send(ESCAPE).send("q")
    terminal.wait_end()
    path = os.path.join(home, ".local/state/ascend-faq/state")
    check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "mode of the file")
    check(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700, "mode of the folder")
    for name in os.listdir(os.path.dirname(path)):
        check(name in ("state", "history", "history.lock", "guide", "guide.lock"), f"something else was left there: {name}")
        check(stat.S_IMODE(os.stat(os.path.join(os.path.dirname(path), name)).st_mode) == 0o600, f"mode of {name}")
    other = scratch()
    shown(HOME=home, XDG_STATE_HOME=other)
    check(os.path.exists(os.path.join(other, "ascend-faq/state")), "XDG_STATE_HOME")


def test_state_that_is_garbage():
    for content in (b"\x00\xff\x1b[2J" * 1000, b"", b"ascend-faq state 1\nlang \nline 99999999999999999999\nshown-entry \x1b]52;c;\x07\nselected-entry 9.9\n",
                    b"x" * (4 << 20)):
        home = scratch()
        os.makedirs(os.path.join(home, ".local/state/ascend-faq"))
        with open(os.path.join(home, ".local/state/ascend-faq/state"), "wb") as file:
            file.write(content)
        terminal = shown(HOME=home)
        check(b"\x1b]52" not in terminal.bytes, "the state reached the terminal")


def test_state_that_is_a_fifo():
    home = scratch()
    os.makedirs(os.path.join(home, ".local/state/ascend-faq"))
    os.mkfifo(os.path.join(home, ".local/state/ascend-faq/state"))
    shown(HOME=home)


def test_no_home_and_homes_that_cannot_be_written():
    shown(HOME=None)
    shown(HOME="relative")
    shown(HOME="/nonexistent/home")
    shown(HOME="/proc")  # read-only for root, too
    shown(HOME="/dev/null")


def run(*words, **changes):
    return subprocess.run([PROGRAM, *words], env=environment(**changes), stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60, check=False, start_new_session=True)


def test_standard_output_is_no_terminal():
    result = run()
    check(result.returncode == 2 and result.stdout == b"", f"{result}")
    lines = result.stderr.decode().splitlines()
    check(len(lines) == 1 and "list" in lines[0] and "show" in lines[0], f"{result.stderr}")
    path = os.path.join(scratch(), "out")
    terminal = Pty([PROGRAM], output=path)
    check(terminal.wait_end() == 2, "status")
    check(os.path.getsize(path) == 0, "something was written into the file")


def test_standard_input_is_a_pipe():
    terminal = Pty(["/bin/sh", "-c", "echo q | \"$0\"", PROGRAM])
    terminal.wait_for(SECTION)
    check(terminal.send("q").wait_end() == 0, "status")


def test_what_was_typed_ahead_counts():
    terminal = Pty(["/bin/sh", "-c", "read -r line; exec \"$0\"", PROGRAM])
    terminal.send("x\r/EI0020")
    terminal.wait_for("Failed to enable")
    terminal.send("\x03").wait_end()


def test_the_first_picture_waits_for_no_probe():
    folder = scratch()
    for name in ("npu-smi", "python3", "gcc", "clang++", "cmake"):
        tool(folder, name, "sleep 60")
    terminal = Pty([PROGRAM], columns=140, env=environment(PATH=folder + ":/usr/bin:/bin"))
    terminal.wait_for(SECTION)
    at = terminal.bytes.find("Install".encode())
    check(0 <= at, "the picture")
    terminal.wait_for("running")
    terminal.send("q").wait_end()


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

#!/usr/bin/env python3
"""Copying: every way for real, and that what is said about it is true."""
import base64
import os
import re
import signal
import stat
import subprocess

from terminal import LIMIT, PROGRAM, Pty, Tmux, alive, check, environment, main, scratch, tool, wait

COMMAND = b'export HCCL_NPU_SOCKET_PORT_RANGE="auto"'


def copied(terminal):
    """Open 1.6 and copy its first command, which has no placeholder."""
    terminal.wait_for("Install").send(":1.6\r").wait_for("EJ0003")
    return terminal.send("y")


def osc52(data):
    """What the terminal was told to put on its clipboard."""
    found = re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x1b\\|\x07)", data)
    return [base64.b64decode(text, validate=True) for text in found]


def test_osc52_through_ssh():
    terminal = Pty([PROGRAM], env=environment(SSH_CONNECTION="10.0.0.1 1 10.0.0.2 22", DISPLAY="localhost:10.0"))
    copied(terminal).wait_for("OSC 52")
    check(osc52(terminal.bytes) == [COMMAND], f"{osc52(terminal.bytes)}")
    terminal.send("q").wait_end()


def test_tmux_buffer_is_the_command_byte_for_byte():
    tmux = Tmux([PROGRAM], columns=140)
    tmux.wait_for("Install").send(":").send("1.6", "Enter").wait_for("EJ0003").send("y").wait_for("tmux")
    wait(tmux.buffer, "a buffer")
    check(tmux.buffer() == COMMAND, f"{tmux.buffer()}")
    tmux.send("q").wait_for("[ended 0]")


def test_an_old_tmux():
    folder = scratch()
    tool(folder, "tmux", f'[ "$2" = -w ] && exit 1; cat >{folder}/got')
    terminal = Pty([PROGRAM], env=environment(PATH=folder + ":/usr/bin:/bin", TMUX="/tmp/tmux-0/default,1,0"))
    copied(terminal).wait_for("tmux buffer")
    with open(os.path.join(folder, "got"), "rb") as file:
        check(file.read() == COMMAND, "what tmux got")
    check(osc52(terminal.bytes) == [], "OSC 52 was sent, too")
    terminal.send("q").wait_end()


def test_a_tmux_that_is_gone():
    terminal = Pty([PROGRAM], env=environment(TMUX="/nonexistent/socket,1,0"))
    copied(terminal).wait_for("written to")
    terminal.send("q").wait_end()


def with_tool(name, script, **changes):
    folder = scratch()
    tool(folder, name, script.replace("FOLDER", folder))
    terminal = Pty([PROGRAM], columns=140, env=environment(PATH=folder + ":/usr/bin:/bin", **changes))
    copied(terminal).wait_for("copied by " + name)
    with open(os.path.join(folder, "got"), "rb") as file:
        check(file.read() == COMMAND, f"what {name} got")
    check(osc52(terminal.bytes) == [], "OSC 52 was sent, too")
    return terminal, folder


def test_wl_copy():
    terminal, _ = with_tool("wl-copy", "cat >FOLDER/got", WAYLAND_DISPLAY="wayland-0", DISPLAY=":0")
    terminal.send("q").wait_end()


def test_xsel():
    terminal, _ = with_tool("xsel", '[ "$*" = "--input --clipboard" ] && cat >FOLDER/got', DISPLAY=":0")
    terminal.send("q").wait_end()


def test_xclip_keeps_the_selection_when_the_program_is_gone():
    terminal, folder = with_tool("xclip", "cat >FOLDER/got; sleep 600 & echo $! >FOLDER/pid", DISPLAY=":0")
    with open(os.path.join(folder, "pid"), encoding="utf-8") as file:
        pid = int(file.read())
    check(terminal.send("q").wait_end() == 0, "status")
    check(alive(pid), "xclip was killed with the program")
    os.kill(pid, signal.SIGKILL)


def test_a_tool_that_hangs_holds_up_nothing():
    folder = scratch()
    tool(folder, "xclip", "exec sleep 600")
    terminal = Pty([PROGRAM], columns=140, env=environment(PATH=folder + ":/usr/bin:/bin", DISPLAY=":0"))
    copied(terminal).send("?").wait_for("Keys").send("q").wait_gone("Keys")
    terminal.wait_bytes(b"\x1b]52;c;")
    check(osc52(terminal.bytes) == [COMMAND], "the way after it")
    terminal.send("q").wait_end()


def test_quitting_at_once_does_not_lose_the_copy():
    folder = scratch()
    tool(folder, "xclip", f"read -r wait <{folder}/go; cat >{folder}/got")
    os.mkfifo(os.path.join(folder, "go"))
    terminal = Pty([PROGRAM], env=environment(PATH=folder + ":/usr/bin:/bin", DISPLAY=":0"))
    terminal.wait_for("Install").send(":1.6\r").wait_for("EJ0003").send("yq")
    with open(os.path.join(folder, "go"), "w", encoding="utf-8") as file:
        file.write("go\n")
    check(terminal.wait_end() == 0, "status")
    # The tool had taken its standard input for the FIFO's: what matters is that it was let to its end.
    check(os.path.exists(os.path.join(folder, "got")), "the tool was killed")


def test_a_console_gets_a_file():
    home = scratch()
    for name in ("linux", "vt100"):
        terminal = Pty([PROGRAM], columns=140, env=environment(TERM=name, HOME=home))
        path = os.path.join(home, ".local/state/ascend-faq/copied")
        copied(terminal).wait_for("written to").wait_for(path)
        with open(path, "rb") as file:
            check(file.read() == COMMAND, "what is in the file")
        check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "others can read it")
        check(osc52(terminal.bytes) == [], "OSC 52 was sent to a console")
        terminal.send("q").wait_end()


def test_a_file_without_a_home():
    folder = scratch()
    terminal = Pty([PROGRAM], columns=140, env=environment(TERM="linux", HOME=None, TMPDIR=folder))
    copied(terminal).wait_for("written to")
    names = os.listdir(folder)
    check(len(names) == 1, f"{names}")
    with open(os.path.join(folder, names[0]), "rb") as file:
        check(file.read() == COMMAND, "what is in the file")
    terminal.send("q").wait_end()


def test_gnu_screen_hands_it_on():
    """Real screen on our pty: what reaches the terminal outside is one OSC 52 with the command."""
    home = scratch()
    folder = os.path.join(home, "screens")
    os.mkdir(folder, 0o700)
    env = environment(HOME=home, SCREENDIR=folder, SSH_CONNECTION="1 2 3 4")
    terminal = Pty(["screen", "-U", "-c", "/dev/null", "-S", f"test{os.getpid()}", PROGRAM], env=env)
    try:
        copied(terminal).wait_for("OSC 52")
        wait(lambda: (terminal.pump(), osc52(terminal.bytes))[1], "OSC 52 outside of screen")
        check(osc52(terminal.bytes) == [COMMAND], f"{osc52(terminal.bytes)}")
        terminal.send("q").wait_end()
    finally:
        subprocess.run(["screen", "-S", f"test{os.getpid()}", "-X", "quit"], env=env, capture_output=True,
                       timeout=LIMIT, check=False)


def test_plain_text_for_the_terminals_own_selection():
    terminal = Pty([PROGRAM], rows=30, columns=60)
    before = terminal.line_discipline()
    terminal.wait_for("Install").send(":1.6\r").wait_for("EJ0003")
    terminal.send("\x10").wait_for("press any key")
    check(not terminal.mode_is_on(b"\x1b[?1049") and not terminal.mode_is_on(b"\x1b[?1000"),
          "the screen or the mouse were not given back")
    lines = [line.rstrip() for line in terminal.text().splitlines()]
    check(COMMAND.decode() in lines, f"the command does not stand alone on its line:\n{terminal.text()}")
    terminal.send("x").wait_gone("press any key").wait_for("EJ0003")
    check(terminal.mode_is_on(b"\x1b[?1049"), "did not come back")
    terminal.send("\x10").wait_for("press any key")
    check(terminal.kill(signal.SIGTERM).wait_end() == 128 + signal.SIGTERM, "status")
    terminal.check_restored(before)


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

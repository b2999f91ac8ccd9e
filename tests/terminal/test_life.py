#!/usr/bin/env python3
"""The program's life in a terminal: signals, suspending, a terminal that vanishes, resizing, idleness."""
import os
import signal
import sys
import time

from terminal import (ESCAPE, PROGRAM, Pty, Tmux, alive, check, children, descendants, environment, main,
                      scratch, tool, wait, wake_ups)

TITLE = "ascend-faq"


def start(**options):
    """The program on a pty, its first picture shown. Returns the terminal and its line discipline before."""
    terminal = Pty(options.pop("command", [PROGRAM]), **options)
    before = terminal.line_discipline()
    terminal.wait_for(TITLE)
    return terminal, before


def ends_by(number):
    terminal, before = start()
    status = terminal.kill(number).wait_end()
    check(status == 128 + number, f"status {status}")
    terminal.check_restored(before)


def test_quit_restores_the_terminal():
    terminal, before = start()
    check(any(terminal.mode_is_on(mode) for mode in (b"\x1b[?1049",)), "no alternate screen was used")
    check(terminal.send("q").wait_end() == 0, "status")
    terminal.check_restored(before)


def test_sigterm_restores_the_terminal():
    ends_by(signal.SIGTERM)


def test_sighup_restores_the_terminal():
    ends_by(signal.SIGHUP)


def test_sigint_and_ctrl_c_restore_the_terminal():
    ends_by(signal.SIGINT)
    terminal, before = start()
    check(terminal.send("\x03").wait_end() == 128 + signal.SIGINT, "status")
    terminal.check_restored(before)


def test_a_crash_restores_the_terminal():
    terminal, before = start()
    check(terminal.kill(signal.SIGSEGV).wait_end() in (-signal.SIGSEGV, 1), "status")
    terminal.check_restored(before)


def test_no_child_is_left_by_a_signal():
    folder = scratch()
    # Probes that hang: whatever the environment's probes run, it does not come back.
    for name in ("npu-smi", "clang++", "gcc", "cmake", "ninja", "python3", "hivmc", "bishengir-compile", "conda", "pip"):
        tool(folder, name, "trap '' TERM\nwhile :; do sleep 1; done")
    for number in (signal.SIGTERM, signal.SIGHUP):
        terminal, before = start(env=environment(PATH=folder + ":/usr/bin:/bin"))
        children = wait(lambda: descendants(terminal.pid), "a probe to run")
        terminal.kill(number).wait_end()
        terminal.check_restored(before)
        wait(lambda: not [pid for pid in children if alive(pid)], "the end of the children")


def test_a_hanging_probe_does_not_hold_up_a_key():
    folder = scratch()
    for name in ("npu-smi", "clang++", "gcc", "cmake", "python3"):
        tool(folder, name, "trap '' TERM\nwhile :; do sleep 1; done")
    terminal, before = start(env=environment(PATH=folder + ":/usr/bin:/bin"))
    wait(lambda: descendants(terminal.pid), "a probe to run")
    terminal.send("?").wait_for("Keys").send("q").wait_gone("Keys")
    check(terminal.send("q").wait_end() == 0, "status")
    terminal.check_restored(before)


def test_the_terminal_vanishes():
    terminal, _ = start()
    children = descendants(terminal.pid)
    pid = terminal.pid
    os.close(terminal.fd)
    terminal.fd, terminal.open = -1, False

    def ended():
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            terminal.status = os.waitstatus_to_exitcode(status)
        return done
    wait(ended, "the end of the program")
    check(terminal.status == 128 + signal.SIGHUP, f"status {terminal.status}")
    wait(lambda: not [child for child in children if alive(child)], "the end of the children")


def test_the_terminal_vanishes_though_hangups_are_ignored():
    command = ["/bin/sh", "-c", "trap '' HUP; exec \"$0\"", PROGRAM]
    terminal, _ = start(command=command)
    pid = terminal.pid
    os.close(terminal.fd)
    terminal.fd, terminal.open = -1, False
    wait(lambda: os.waitpid(pid, os.WNOHANG)[0], "the end of the program")
    terminal.status = 0


def shell_with_program():
    """An interactive shell with job control that runs the program."""
    terminal = Pty(["bash", "--norc", "--noprofile", "-i"], env=environment(PS1="prompt> "))
    terminal.wait_for("prompt>")
    terminal.send(f"'{PROGRAM}'\r").wait_bytes(b"\x1b[?1049h").wait_for(TITLE)
    return terminal, children(terminal.pid)[0]


def test_suspend_and_come_back():
    terminal, child = shell_with_program()
    for way in ("key", "signal"):
        if way == "key":
            terminal.send("\x1a")
        else:
            os.kill(child, signal.SIGTSTP)
        terminal.wait_for("Stopped")
        for mode in (b"\x1b[?1000", b"\x1b[?1049"):
            check(not terminal.mode_is_on(mode), f"{mode} is on while suspended by {way}")
        terminal.send("echo one two | wc -w\r").wait_for("\n2")
        seen = len(terminal.bytes)
        terminal.send("fg\r")
        wait(lambda: (terminal.pump(), TITLE.encode() in terminal.bytes[seen:])[1], "the picture, whole again")
        wait(lambda: (terminal.pump(), terminal.mode_is_on(b"\x1b[?1000") and terminal.mode_is_on(b"\x1b[?2004"))[1], "modes after fg")
    # The keys arrive as before.
    terminal.send("q").wait_for("prompt>")


def test_stopped_from_outside_and_continued():
    terminal, child = shell_with_program()
    os.kill(child, signal.SIGSTOP)
    terminal.wait_bytes(b"Stopped")
    seen = len(terminal.bytes)
    terminal.send("fg\r")
    wait(lambda: (terminal.pump(), TITLE.encode() in terminal.bytes[seen:])[1], "the picture, whole again")
    terminal.send("q").wait_bytes(b"prompt> ")
    wait(lambda: not alive(child), "the end of the program")


def test_resize_to_nothing_and_back():
    terminal, before = start()
    picture = terminal.text()
    for rows, columns in ((1, 1), (2, 80), (80, 2), (5, 20), (4, 19), (1, 200), (300, 400), (10, 40), (30, 100)):
        seen = len(terminal.bytes)
        terminal.resize(rows, columns)
        wait(lambda: (terminal.pump(), len(terminal.bytes) > seen)[1], f"a picture of {rows} x {columns}")
    for place in ("/", "?"):
        terminal.send(ESCAPE).send(place)
        for rows, columns in ((1, 1), (3, 10), (30, 100)):
            seen = len(terminal.bytes)
            terminal.resize(rows, columns)
            wait(lambda: (terminal.pump(), len(terminal.bytes) > seen)[1], f"a picture of {rows} x {columns}")
        terminal.send(ESCAPE)
    terminal.wait_for(TITLE)
    check(picture.splitlines()[0][:20] == terminal.text().splitlines()[0][:20], "the title is another one")
    terminal.send(ESCAPE).send("q")
    check(terminal.wait_end() == 0, "status")
    terminal.check_restored(before)


def test_many_resizes_in_tmux():
    tmux = Tmux([PROGRAM])
    tmux.wait_for(TITLE)
    for columns in list(range(100, 4, -8)) + [1, 100]:
        tmux.resize(max(1, columns // 4), columns)
    tmux.wait_for(TITLE)
    tmux.send("q").wait_for("[ended 0]")


def test_idle_makes_no_wake_ups():
    terminal, _ = start(env=environment(PATH=scratch()))

    def quiet():
        """Nothing more comes, no child runs: the probes are done."""
        if terminal.pump(0.5) or descendants(terminal.pid):
            return False
        return True
    wait(quiet, "the probes to end", limit=60)
    before = wake_ups(terminal.pid)
    # The one thing that can only be seen by letting time go by: that nothing happens in it.
    time.sleep(3)
    check(wake_ups(terminal.pid) == before, f"{wake_ups(terminal.pid) - before} wake-ups in 3 s of idleness")
    check(not terminal.pump(), "something was sent while idle")
    terminal.send("q").wait_end()


def test_a_terminal_that_does_not_read_holds_nothing_up():
    """Output is stopped (Ctrl-S, a dead link): a signal still ends the program at once."""
    terminal, _ = start(rows=60, columns=200)
    for _ in range(400):  # far more pictures than the pty's buffer holds; nobody reads them
        os.write(terminal.fd, b"\x0c")
    start_time = time.monotonic()
    os.kill(terminal.pid, signal.SIGTERM)
    pid = terminal.pid

    def ended():
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            terminal.status = os.waitstatus_to_exitcode(status)
        return done
    wait(ended, "the end of the program")
    check(terminal.status == 128 + signal.SIGTERM, f"status {terminal.status}")
    check(time.monotonic() - start_time < 15, "it took long")


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

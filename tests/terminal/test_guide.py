#!/usr/bin/env python3
"""Guided fixing from a failing check to a passing one: the test does what the guide says, as its reader would."""
import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys

from terminal import PROGRAM, Pty, check, environment, main, scratch, tool


class Machine:
    """A home, a folder of tools and a working folder; the guide runs in it."""

    def __init__(self):
        self.home, self.tools, self.work = scratch(), scratch(), scratch()

    def guide(self, entry, path=":/usr/bin:/bin", **variables):
        variables = environment(HOME=self.home, PATH=self.tools + path, CONDA_PREFIX=None, VIRTUAL_ENV=None, **variables)
        return Pty([PROGRAM, "--lang", "en", "guide", entry], rows=36, columns=120, env=variables, cwd=self.work)

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def to_step(terminal, number):
    """On to the step of this number, passing by those before it."""
    terminal.wait_for("Step 1 of")
    for step in range(2, number + 1):
        terminal.send("n").wait_for(f"Step {step} of")
    return terminal


def check_fails(terminal, why):
    terminal.send("c").wait_for("✗ its check did not pass").wait_for(why)


def check_passes(terminal, number):
    terminal.send("c").wait_for(f"✓ [{number}]")


def end(terminal, machine, entry):
    """What was done is there again for the next session."""
    terminal.send("\x03")
    check(terminal.wait_end() == 130, "status")
    again = machine.guide(entry)
    again.wait_for("✓ ")
    again.send("\x03")
    again.wait_end()


def test_a_stale_build_is_removed():
    machine = Machine()
    machine.write(machine.work + "/build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere/source\n")
    terminal = machine.guide("1.9")
    check_fails(to_step(terminal, 1), "stale")
    # The command loses something: it is not copied before the reader agrees.
    terminal.send("\r").wait_for("Before it is used").send("\x1b[27u").wait_gone("Before it is used")
    shutil.rmtree(machine.work + "/build")
    check_passes(terminal, 1)
    end(terminal, machine, "1.9")


def test_a_killed_guide_is_resumed():
    """Whatever ended it: where it was is where `guide --resume` goes on, with the check of its step."""
    for number in (signal.SIGKILL, signal.SIGHUP):
        machine = Machine()
        machine.write(machine.work + "/build/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere/source\n")
        terminal = machine.guide("1.9")
        check_fails(to_step(terminal, 1), "stale")
        terminal.kill(number).wait_end()
        shutil.rmtree(machine.work + "/build")
        again = machine.guide("--resume")
        again.wait_for("1.9").wait_for("✓ [1]")
        again.send("\x03")
        again.wait_end()


def test_another_python():
    machine = Machine()
    tool(machine.tools, "python3", "echo Python 3.9.18")
    tool(machine.tools, "python", "echo Python 3.9.18")
    terminal = machine.guide("1.8")
    check_fails(to_step(terminal, 2), "3.9.18")
    tool(machine.tools, "python3", "echo Python 3.11.9")
    tool(machine.tools, "python", "echo Python 3.11.9")
    check_passes(terminal, 2)
    end(terminal, machine, "1.8")


def test_a_broken_channel_of_conda():
    machine = Machine()
    machine.write(machine.home + "/.condarc", "channels:\n  - https://mirrors.tuna.tsinghua.edu.cn/anaconda/pkgs/r\n")
    terminal = machine.guide("1.11")
    check_fails(to_step(terminal, 2), "pkgs/r")
    machine.write(machine.home + "/.condarc", "channels:\n  - conda-forge\n")
    check_passes(terminal, 2)
    end(terminal, machine, "1.11")


def test_a_compiler_that_is_missing():
    machine = Machine()
    terminal = machine.guide("1.1", path="")
    check_fails(to_step(terminal, 3), "not in PATH")
    for name in ("clang", "clang++"):
        tool(machine.tools, name, "echo clang version 19.1.0")
    check_passes(terminal, 3)
    end(terminal, machine, "1.1")


def test_a_port_that_is_taken():
    machine = Machine()
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("0.0.0.0", 29500))
        holder.listen()
        terminal = machine.guide("1.2")
        terminal.wait_for("choose a solution").send("\x1b[B").send("\r")
        check_fails(to_step(terminal, 1), "29500")
    check_passes(terminal, 1)
    terminal.send("\x03")
    check(terminal.wait_end() == 130, "status")


def test_a_process_that_holds_the_port():
    """Who, what and since when is told; the own one is filled in, and asked about before it is copied."""
    machine = Machine()
    holder = subprocess.Popen([sys.executable, "-c", "import socket, time; s = socket.socket(); "
                               "s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(('0.0.0.0', 29500)); s.listen(); "
                               "print('ready', flush=True); time.sleep(600)"], stdout=subprocess.PIPE)
    atexit.register(holder.kill)
    holder.stdout.readline()
    terminal = machine.guide("1.2")
    terminal.wait_for("choose a solution").send("\x1b[B").send("\x1b[B").send("\r")
    check_fails(to_step(terminal, 1), "import socket")
    terminal.wait_for(f"kill {holder.pid}").send("\r").wait_for("Before it is used").send("\x1b[27u").wait_gone("Before it is used")
    holder.kill()
    holder.wait()
    check_passes(terminal, 1)
    terminal.send("\x03")
    check(terminal.wait_end() == 130, "status")


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

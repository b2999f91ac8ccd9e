#!/usr/bin/env python3
"""Packs of the reader's own in the browser: those that take long are read while the shipped one is shown."""
import functools
import os
import pathlib
import subprocess
import sys

from terminal import PROGRAM, Pty, check, main, scratch

TOP = pathlib.Path(__file__).resolve().parents[2]
MANY = 5000


@functools.lru_cache(None)
def made_pack(entries):
    folder = os.path.join(scratch(), "pack")
    subprocess.run([sys.executable, str(TOP / "tests/bench/make_pack.py"), folder, str(entries)], check=True)
    return folder


def start(folder, *arguments):
    return Pty([PROGRAM, "--lang", "en", *arguments, "--pack", folder])


def quits(terminal):
    check(terminal.send("q").wait_end() == 0, "status")


def test_a_small_pack_is_there():
    terminal = start(made_pack(3))
    terminal.wait_for("Made 1")
    quits(terminal)


def test_a_large_pack_comes_after_the_first_picture():
    terminal = start(made_pack(MANY))
    terminal.wait_for("reading more packs")
    terminal.wait_for("Made 5")
    quits(terminal)


def test_a_query_is_kept_and_finds_what_was_read():
    terminal = start(made_pack(MANY))
    terminal.wait_for("reading more packs")
    terminal.send("/case 4321")
    terminal.wait_for("104.321")
    terminal.send("\x1b")
    terminal.wait_for("Made 5")
    quits(terminal)


def test_quitting_does_not_wait_for_the_packs():
    terminal = start(made_pack(MANY))
    terminal.wait_for("reading more packs")
    quits(terminal)


def test_a_pack_with_errors_is_told_at_the_end():
    folder = made_pack(MANY)
    broken = pathlib.Path(folder, "made001", "broken.yaml")
    broken.write_text("id: [\n")
    terminal = start(folder)
    terminal.wait_for("reading more packs")
    terminal.wait_gone("reading more packs")
    quits(terminal)
    terminal.wait_for("packs left out because of these errors: 1")
    broken.unlink()


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

#!/usr/bin/env python3
"""Completion in the real shells, as a package installs it: Tab asks the program."""
import os
import subprocess

from terminal import PROGRAM, Pty, check, environment, main, scratch
from test_shell_key import SAY, START, end, folder_with_program

CASES = [  # what is typed, what Tab shows or completes
    ("ascend-faq hist", "ascend-faq history"),
    ("ascend-faq show 1.1", "1.10"),
    ("ascend-faq show EADDRIN", "EADDRINUSE"),
    ("ascend-faq fill --pla", "--plain"),
    ("ascend-faq fill 1.6 --set MASTER_P", "MASTER_PORT="),
    ("ascend-faq --lang e", "--lang en"),
    ("ascend-faq report --template triton", "triton-ascend"),
    ("ascend-faq probe hccl-v", "hccl-variables"),
    ("ascend-faq diagnose train", "train.log"),
    ("ascend-faq shell fi", "shell fish"),
]


def script(shell):
    return subprocess.run([PROGRAM, "shell", shell, "--completion"], capture_output=True, check=True).stdout


def installed(shell):
    """A shell that finds the completion where packages put it, and has no key bound."""
    programs, home = folder_with_program(), scratch()
    with open(os.path.join(home, "train.log"), "w", encoding="utf-8") as file:
        file.write("nothing\n")
    env = environment(PATH=programs + ":/usr/bin:/bin", HOME=home, XDG_CONFIG_HOME=home + "/config",
                      **{"fish_features": "no-query-term"})
    place = {"bash": "completion", "zsh": "functions/_ascend-faq", "fish": "config/fish/completions/ascend-faq.fish"}[shell]
    os.makedirs(os.path.dirname(os.path.join(home, place)), exist_ok=True)
    with open(os.path.join(home, place), "wb") as file:
        file.write(script(shell))
    terminal = Pty(START[shell], rows=30, columns=110, env=env, cwd=home)
    if shell == "fish":
        terminal.wait_for("Welcome to fish")
    load = {"bash": f". {home}/completion", "fish": "true",
            "zsh": f"fpath=({home}/functions $fpath); autoload -Uz compinit; compinit -u -D"}[shell]
    terminal.send(SAY[shell] + "\r").wait_for("ready>")
    terminal.send(load + "\r").send("cd; echo load''ed\r").wait_for("loaded")
    return terminal


def in_a_shell(shell):
    terminal = installed(shell)
    for typed, shown in CASES:
        terminal.send(typed).wait_for(typed).send("\t\t").wait_for(shown)
        # Each on a screen of its own.
        terminal.send("\x15clear\r").wait_gone(typed).wait_gone(shown).wait_for("ready>")
    end(terminal)


def every_shell():
    def make(shell):
        def run():
            in_a_shell(shell)
        run.__name__ = f"test_{shell}"
        return run
    return [make(shell) for shell in START]


def test_the_completion_binds_no_key():
    for shell in START:
        text = script(shell).decode()
        check("ascend-faq complete" in text and "\\C-g" not in text and "bind" not in text.replace("binding", ""), shell)


if __name__ == "__main__":
    main(every_shell() + [test_the_completion_binds_no_key])

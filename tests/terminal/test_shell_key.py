#!/usr/bin/env python3
"""The shell key in the real shells: Ctrl-G opens the browser, Enter puts a command on the prompt, nothing runs."""
import os

from terminal import LIMIT, PROGRAM, Pty, check, environment, main, scratch, tool

LOAD = {
    "bash": 'eval "$(ascend-faq shell bash)"',
    "zsh": 'eval "$(ascend-faq shell zsh)"',
    "fish": "ascend-faq shell fish | source",
}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"], "fish": ["fish", "--private"]}
SAY = {"bash": "PS1='ready> '", "zsh": "PROMPT='ready> '", "fish": "function fish_prompt; echo -n 'ready> '; end"}
KEY = "\x07"
COMMAND = 'export HCCL_NPU_SOCKET_PORT_RANGE="auto"'


def folder_with_program():
    folder = scratch()
    os.symlink(PROGRAM, os.path.join(folder, "ascend-faq"))
    return folder


def start(shell, **changes):
    """An interactive shell with the key loaded, at its prompt."""
    folder = folder_with_program()
    # fish asks the terminal what it is and waits for an answer unless it knows that it will get none.
    env = environment(PATH=folder + ":/usr/bin:/bin", **{"fish_features": "no-query-term", **changes})
    terminal = Pty(START[shell], rows=30, columns=110, env=env)
    if shell == "fish":
        terminal.wait_for("Welcome to fish")
    terminal.send(SAY[shell] + "\r").wait_for("ready>")
    terminal.send(LOAD[shell] + "\r")
    terminal.send("echo load''ed\r").wait_for("loaded")
    terminal.send("clear\r").wait_gone("loaded").wait_for("ready>")
    return terminal


def last_line(terminal):
    lines = [line for line in terminal.text().split("\n") if line.strip()]
    return lines[-1] if lines else ""


def end(terminal):
    terminal.send("\x15exit\r")
    terminal.wait_end()


def to_command(terminal):
    """From the browser to the first command of 1.6, and onto the prompt."""
    terminal.wait_for("Install").send(":1.6\r").wait_for("EJ0003").send("n\r")
    return terminal.wait_for("ready> " + COMMAND)


def on_the_prompt(shell):
    terminal = start(shell)
    to_command(terminal.send(KEY))
    check(not terminal.mode_is_on(b"\x1b[?1000"), "the mouse was left on")
    # It is a line like any other: it can be edited, and only Enter runs it.
    terminal.send("\x15printenv HCCL_NPU_SOCKET_PORT_RANGE || echo un''set\r").wait_for("unset")
    to_command(terminal.send("clear\r").wait_gone("unset").send(KEY))
    terminal.send("\r").send("printenv HCCL_NPU_SOCKET_PORT_RANGE | tr a-z A-Z\r").wait_for("AUTO")
    end(terminal)


def on_the_words_of_the_line(shell):
    terminal = start(shell)
    terminal.send("torchrun --nproc-per-node=8 my_train_thing.py").wait_for("my_train_thing.py")
    terminal.send(KEY).wait_for("/ torchrun").wait_for("1.2 ")
    # Left without a choice the line is as it was.
    terminal.send("\x03")
    terminal.wait_for("ready> torchrun --nproc-per-node=8 my_train_thing.py")
    end(terminal)


def on_the_command_that_failed(shell):
    terminal = start(shell)
    terminal.send("ls /nowhere/bishengir-opt\r").wait_for("No such file")
    terminal.wait_for("ready>").send(KEY).wait_for("1.4  FileNotFoundError: bishengir-opt")
    terminal.send("\x03").wait_for("ready>")
    # One that went well is not searched for.
    terminal.send("true hivmc\r").send(KEY).wait_for("Install")
    check("hivmc" not in terminal.screen.display[1], terminal.text())
    terminal.send("\x03").wait_for("ready>")
    end(terminal)


def goes_on_with_the_guide(shell):
    """A step that changes the shell: put on the prompt, run by the user, checked when the key is pressed again."""
    terminal = start(shell)
    terminal.send("ascend-faq guide 1.6 --print\r").wait_for("choose a solution").send("\x03").wait_for("ready>")
    terminal.send(KEY).wait_for("Install").send(":1.6\r").wait_for("EJ0003").send("g").wait_for("choose a solution")
    terminal.send("\r").wait_for("Step 1 of").wait_for("not set").send("\r")
    terminal.wait_for("ready> " + COMMAND).send("\r").wait_for("ready>")
    terminal.send(KEY).wait_for("done, its check passed").wait_for("Step 1 of")
    terminal.send("\x03").wait_for("ready>")
    end(terminal)


def every_shell(test):
    def make(shell):
        def run():
            test(shell)
        run.__name__ = f"test_{shell}_{test.__name__}"
        return run
    return [make(shell) for shell in LOAD]


def test_dangerous_commands_are_asked_for_before_the_prompt():
    terminal = start("bash")
    terminal.send(KEY).wait_for("Install").send(":6.3\r").wait_for("Clean rebuild").send("n\r")
    terminal.wait_for("Before it is used").wait_for("rm -rf build/")
    terminal.send("y").wait_for("ready> rm -rf build/")
    terminal.send("\x15").send("echo not-$((6 + 1))-run\r").wait_for("not-7-run")
    end(terminal)


def test_print_without_a_shell():
    folder = scratch()
    output = os.path.join(folder, "out")
    terminal = Pty([PROGRAM, "--print"], env=environment(), output=output)
    terminal.wait_for("Install").send(":1.6\r").wait_for("EJ0003").send("n\r")
    check(terminal.wait_end() == 0, "status")
    with open(output, encoding="utf-8") as file:
        check(file.read() == COMMAND + "\n", "what was printed")
    terminal = Pty([PROGRAM, "--print"], env=environment(), output=output)
    terminal.wait_for("Install").send("q")
    check(terminal.wait_end() == 1, "nothing chosen")


def test_completion_in_bash():
    terminal = start("bash")
    terminal.send("ascend-faq hist\t").wait_for("ascend-faq history")
    terminal.send("\x15ascend-faq show 1.1\t\t").wait_for("1.10")
    terminal.send("\x15ascend-faq fill --pla\t").wait_for("--plain")
    end(terminal)


if __name__ == "__main__":
    main([case for test in (on_the_prompt, on_the_words_of_the_line, on_the_command_that_failed, goes_on_with_the_guide)
          for case in every_shell(test)]
         + [test_dangerous_commands_are_asked_for_before_the_prompt, test_print_without_a_shell, test_completion_in_bash])

#!/usr/bin/env python3
"""What goes in: search, Chinese, pastes of any kind, the mouse, keys in pieces."""
import time

from terminal import ESCAPE, PROGRAM, Pty, Tmux, check, environment, main

TRACEBACK = "\n".join(
    ["Traceback (most recent call last):"]
    + [f'  File "/home/user/train.py", line {line}, in step_{line}\n    run({line})' for line in range(20)]
    + ["\x1b[31mRuntimeError: EI0020: Failed to enable listening for the NPU network adapter socket.\x1b[0m",
       "The IP address 10.0.0.1 and port 16666 have already been bound.\x1b[2J\x1b]0;owned\x07\x00\x9b2J"]
    + [f"q line {line}\r" for line in range(10)])


def start(**options):
    return Pty([PROGRAM], **options).wait_for("Install")


def quit_of(terminal):
    terminal.send(ESCAPE).send(ESCAPE).send(ESCAPE).send("q")
    check(terminal.wait_end() == 0, "status")


def test_search_finds_while_typing():
    terminal = start()
    for letter in "/ei0020":
        terminal.send(letter)
    terminal.wait_for("Failed to enable")
    quit_of(terminal)


def test_chinese_in_pieces_backspace_and_cursor():
    terminal = start()
    terminal.send("/")
    for byte in "端口占用".encode():
        terminal.send(bytes([byte]))
    terminal.wait_for("端口占用")
    terminal.send("\x7f\x7f").wait_gone("端口占")
    terminal.send("\x1b[D").send("被").wait_for("端被口")
    quit_of(terminal)


def test_any_code_is_explained():
    terminal = Pty([PROGRAM, "--lang", "en"], rows=36, columns=120).wait_for("Install")
    for code, *wanted in (("EI0020", "port of the NPU", "→ 1.6"), ("507015", "A kernel faulted on AI Core"),
                          ("HCCL 4", "HCCL_E_INTERNAL"), ("4", "HCCL_E_INTERNAL"),
                          ("ERR02200", "failed in an HCCL call"),
                          ("ERR02777", "module 02: DIST", "type 777", "no record of its own")):
        terminal.send(":" + code + "\r").wait_for(f"╭ {code if code != '4' else 'HCCL 4'} ")
        for text in wanted:
            terminal.wait_for(text)
    terminal.send(":ERR0200\r").wait_for("There is no “ERR0200”")
    terminal.send("q")
    check(terminal.wait_end() == 0, "status")


def test_paste_of_many_lines_into_search():
    terminal = start(rows=40, columns=130)
    terminal.send("/").send(b"\x1b[200~" + TRACEBACK.encode("latin-1") + b"\x1b[201~")
    terminal.wait_for("Failed to enable")
    check(b"\x1b]0;" not in terminal.bytes and b"\x9b" not in terminal.bytes.replace("\u201b".encode(), b""),
          "a control sequence of the paste reached the terminal")
    # Not one of its lines was taken for a key: the program is still here.
    terminal.send(ESCAPE).wait_for("Install")
    quit_of(terminal)


def test_paste_outside_of_an_input_line_presses_no_key():
    terminal = start()
    terminal.send(b"\x1b[200~q\nq\nyy\x1b[A\n\x1b[201~")
    terminal.send(ESCAPE).send("?").wait_for("Keys")
    quit_of(terminal)


def test_paste_in_tmux():
    tmux = Tmux([PROGRAM], rows=40, columns=130)
    tmux.wait_for("Install").send("/")
    tmux.paste(TRACEBACK.replace("\x00", "")).wait_for("Failed to enable")
    tmux.send("C-c").wait_for("[ended 130]")
    check("owned" not in tmux.tmux("display-message", "-p", "#{pane_title}").decode(), "the title was set")
    check("q line" not in tmux.text(), "a part of the paste went on to what came after")


def test_paste_then_quit_leaves_nothing_to_the_shell():
    terminal = Pty(["/bin/sh", "-c", '"$0"; echo [ended]; read -r rest; echo "rest=$rest"', PROGRAM])
    terminal.wait_for("Install").send(b"q" + b"".join(b"owned%d\n" % line for line in range(50)))
    terminal.wait_for("[ended]")
    terminal.pump(0.2)
    terminal.send("end\r").wait_for("rest=")
    check("rest=end" in terminal.text(), terminal.text())
    check("owned" not in terminal.text().split("rest=")[1], "keys went on to the shell")


def test_paste_of_a_terminal_without_marks():
    terminal = start()
    terminal.send(TRACEBACK.replace("\x00", "").replace("\n", "\r")).wait_for("Failed to enable")
    quit_of(terminal)


def test_a_paste_whose_end_is_lost():
    terminal = start()
    terminal.send("/").send(b"\x1b[200~ei0020")
    terminal.wait_for("/ ei0020")  # after DECODE_PASTE_MS of silence
    quit_of(terminal)


def test_a_paste_of_four_mebibytes():
    terminal = start()
    started = time.monotonic()
    terminal.send("/").send(b"\x1b[200~" + b"train.log: EI0020 and nothing else\n" * 120000 + b"\x1b[201~")
    terminal.wait_for("Failed to enable")
    check(time.monotonic() - started < 60, "it took long")
    quit_of(terminal)


def test_escape_sequences_in_pieces_are_keys():
    terminal = start()
    terminal.send("?").wait_for("Keys")
    for byte in b"\x1b[27u":
        terminal.send(bytes([byte]))
    terminal.wait_gone("Keys")
    quit_of(terminal)


def test_a_lone_escape_leaves():
    terminal = start()
    terminal.send("?").wait_for("Keys").send("\x1b").wait_gone("Keys")
    quit_of(terminal)


def test_answers_that_nobody_asked_for_are_no_keys():
    terminal = start()
    terminal.send(b"\x1b[?62;22c\x1b[>41;354;0c\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP>|tmux 3.4\x1b\\\x1b[10;20R\x1b[I\x1b[O")
    terminal.send("?").wait_for("Keys")
    quit_of(terminal)


def test_mouse_selects_and_wheels():
    terminal = start(columns=100)
    row = next(number for number, line in enumerate(terminal.screen.display, 1) if "Run time" in line)
    terminal.send(f"\x1b[<0;8;{row}M\x1b[<0;8;{row}m" * 2)
    terminal.wait_for("3.1")
    terminal.send("\x1b[<65;8;8M" * 3).send("\x1b[<64;8;8M" * 3)
    quit_of(terminal)


def test_the_mouse_is_given_back_on_demand():
    terminal = start()
    check(terminal.mode_is_on(b"\x1b[?1000"), "the mouse is off at first")
    terminal.send("M").wait_bytes(b"\x1b[?1000l")
    terminal.send("M")
    terminal.wait_bytes(b"\x1b[?1000l")
    while not terminal.mode_is_on(b"\x1b[?1000"):
        check(terminal.open, "the program ended")
        terminal.pump(0.1)
    quit_of(terminal)


def test_terminals_without_a_mouse_are_not_asked():
    terminal = start(env=environment(TERM="vt100"))
    check(b"\x1b[?1000h" not in terminal.bytes and b"\x1b[?2004h" not in terminal.bytes, "a vt100 was asked")
    quit_of(terminal)


if __name__ == "__main__":
    main([value for name, value in list(globals().items()) if name.startswith("test_")])

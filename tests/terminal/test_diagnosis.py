#!/usr/bin/env python3
"""The diagnosis in the browser: from a log to a copied command, scans that are stopped or lost, paths, pipes, pastes."""
import base64
import contextlib
import os
import re
import shutil
import signal
import time
import subprocess

from terminal import (ESCAPE, PROGRAM, TOP, Pty, Tmux, alive, check, children, descendants, environment, main, scratch,
                      wait)

LOGS = TOP / "tests" / "fixtures" / "logs"
SSH = {"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}
PORT_LOG = ("step 1\n[rank3]: torch.distributed.DistNetworkError: The server socket has failed to listen on any local "
            "network address. port: 29777, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use\n"
            "step 2\n")

# For each entry of the FAQ that has a command: a log of it, the values that this machine cannot have, and what must be
# copied. `question`: it destroys something, and that is said before.
ENTRIES = (
    ("1.1", "002-cmake-clangxx17-only.log", {"LLVM_INSTALL_ROOT": "/opt/my llvm"}, r"export PATH='/opt/my llvm'/bin:\$PATH"),
    ("1.2", "107-two-causes.log", {"SCRIPT": "train.py", "ARGS": "--epochs 3"}, r"torchrun --master_port=\d+ train\.py --epochs 3"),
    ("1.3", "021-triton-backends-amd-py311.log", {}, r"pip install -e \."),
    ("1.4", "031-bishengir-opt-py311.log", {"ASCEND_NPU_IR_ROOT": "/src/npuir"}, r"export PATH=/src/npuir/build/bin:\$PATH"),
    ("1.5", "037-hivmc-vllm-prefix.log", {"CANN_ROOT": "/opt/cann"}, r"source /opt/cann/set_env\.sh"),
    ("1.6", "063-ei0020-wrapped-80.log", {}, r'export HCCL_NPU_SOCKET_PORT_RANGE="auto"'),
    ("1.7", "066-operand-rank7.log", {"ASCEND_NPU_IR_ROOT": "/src/npuir"}, r"source /src/npuir/build/setup\.sh"),
    ("1.8", "071-pipe-types-py39.log", {}, r"python3\.11 -m venv venv"),
    ("1.9", "040-cmake-lld-llvmcgdata.log", {}, r"rm -rf build/"),
    ("1.10", "050-ninja-llvm-ar-dash.log", {}, r"rm -rf build/"),
    ("1.11", "668-seed.log", {}, r"conda config --show-sources"),
    ("2.1", "091-lld-aclshmem-interleaved.log", {"CANN_ROOT": "/opt/cann"}, r"source /opt/cann/set_env\.sh"),
    ("3.1", "093-code4-rank0.log", {"CANN_ROOT": "/opt/cann"}, r"cat /opt/cann/\*-linux/ascend_toolkit_install\.info\n[\s\S]*"),
    ("3.2", "107-two-causes.log", {"SCRIPT": "train.py", "ARGS": "--epochs 3"}, r"torchrun --master_port=\d+ train\.py --epochs 3"),
    ("3.3", "431-ei0020-allreduce-seed.log", {}, r'export HCCL_NPU_SOCKET_PORT_RANGE="auto"'),
    ("3.4", "106-561103-oneslike-rank.log", {}, r"npu-smi info"),
)
DESTROYS = {"1.9", "1.10"}
# Entries for the very message of another one, which comes first: a key more goes down to them.
SECOND = {"3.2", "3.3"}


def copied(terminal):
    found = re.findall(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x1b\\|\x07)", terminal.bytes)
    return [base64.b64decode(text, validate=True).decode() for text in found]


def open_log(*paths, rows=36, columns=120, arguments=(), **options):
    command = [PROGRAM, "--lang", "en", *arguments, *(str(path) for path in paths)]
    return Pty(command, rows=rows, columns=columns, env=options.pop("env", environment(**SSH)), **options)


def log_of(text, name="train.log"):
    path = os.path.join(scratch(), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def two_keys(entry, log, values, wanted):
    sets = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
    terminal = open_log(log, arguments=sets)
    terminal.wait_for("What failed first")
    rows = terminal.text().split("What failed first")[1].split("Codes")[0].splitlines()[1:]
    rows = [found.group(1) for found in (re.search(r"[✗!├└] (\d+\.\d+) ", row) for row in rows) if found]
    check(entry in rows and (rows[0] == entry or entry in SECOND), f"{entry} is not where it is expected: {rows}")
    terminal.send("j" * rows.index(entry) + "\r")
    terminal.wait_for(f" {entry}  ")
    if r"\d+" in wanted:
        terminal.wait_for("found now: a free port")  # the probe's answer
    terminal.send("y")
    if entry in DESTROYS:
        terminal.wait_for("Before it is used")
        check(not copied(terminal), "copied without a question")
        terminal.send("y")
    terminal.wait_bytes(b"\x1b]52;")
    wait(lambda: (terminal.pump(), copied(terminal))[1], "a copy")
    check(len(copied(terminal)) == 1 and re.fullmatch(wanted, copied(terminal)[0]), f"{entry}: {copied(terminal)}")
    check("<" not in copied(terminal)[0], "a placeholder was left")
    check(terminal.send("q").wait_end() == 0, "status")


def make_two_keys(entry, log, values, wanted):
    def test():
        two_keys(entry, LOGS / log, values, wanted)
    test.__name__ = f"test_two_keys_copy_the_command_of_{entry}"
    return test


def test_every_entry_of_the_faq_with_a_command_is_in_the_table():
    listed = subprocess.run([PROGRAM, "list", "--json"], capture_output=True, check=True, env=environment()).stdout
    known = {entry for entry, *_ in ENTRIES}
    for name in re.findall(r'"id":\s*"(\d+\.\d+)"', listed.decode()):
        shown = subprocess.run([PROGRAM, "show", name, "--json"], capture_output=True, check=True, env=environment())
        matches = b'"match"' in shown.stdout
        commands = b'"run":' in shown.stdout
        check(name in known or not (matches and commands), f"{name} has a command and signatures, and is not tested")


def test_the_value_of_the_log_stands_in_the_command():
    path = log_of(PORT_LOG)
    terminal = open_log(path)
    terminal.wait_for("What failed first").wait_for("rank 3").wait_for("PORT 29777")
    terminal.send("\r").wait_for("from the log")
    terminal.wait_for("sport = :29777")
    terminal.send("n").send("y")
    wait(lambda: (terminal.pump(), copied(terminal))[1], "a copy")
    check(copied(terminal)[-1] == "ss -ltnp 'sport = :29777'", f"{copied(terminal)}")
    terminal.send(ESCAPE).wait_for("What failed first").send("q").wait_end()


def test_what_the_browser_diagnosed_is_explained_later():
    home = scratch()
    terminal = open_log(log_of(PORT_LOG), env=environment(HOME=home, **SSH))
    terminal.wait_for("What failed first").send("q").wait_end()
    shown = subprocess.run([PROGRAM, "--lang", "en", "explain"], capture_output=True, check=True, env=environment(HOME=home))
    check(shown.stdout.startswith(b"1.2 ") and b"EADDRINUSE" in shown.stdout, f"{shown.stdout[:300]}")


def test_a_hostile_value_is_not_put_into_a_command():
    log = PORT_LOG.replace("29777", "1;reboot")
    terminal = open_log(log_of(log))
    terminal.wait_for("What failed first").send("\r").wait_for("sport = :")
    check("reboot" not in terminal.text().split("sport = :")[1].splitlines()[0], "a value of the log was trusted")
    terminal.send("q").wait_end()


def test_escape_sequences_of_a_log_do_not_reach_the_terminal():
    terminal = open_log(log_of("\x1b]0;owned\x07\x1b[2J\x1b[31mbefore\x1b[0m\n" + PORT_LOG))
    terminal.wait_for("What failed first").wait_for("before")
    check(b"owned" not in terminal.bytes, "the title of the terminal was set")
    terminal.send("q").wait_end()


def test_evidence_in_context_and_n_to_the_next():
    text = "".join(f"line {i}\n" for i in range(1, 500)) + PORT_LOG + "".join(f"more {i}\n" for i in range(500)) + PORT_LOG
    terminal = open_log(log_of(text))
    terminal.wait_for("train.log:501").wait_for("line 499").wait_for("step 1").wait_for("step 2").wait_for("more 0")
    terminal.send("n").wait_for("train.log:1004").wait_for("more 499").wait_gone("more 0 ")
    terminal.send("N").wait_for("train.log:501").wait_for("line 499")
    terminal.send("q").wait_end()


def test_context_of_gzip_and_utf16():
    packed, wide = os.path.join(scratch(), "a.log.gz"), os.path.join(scratch(), "b.log")
    text = "".join(f"line {i}\n" for i in range(1, 30000)) + PORT_LOG + "the end\n"
    subprocess.run(f"gzip -c > {packed}", shell=True, input=text.encode(), check=True)
    with open(wide, "wb") as file:
        file.write(text.encode("utf-16"))
    for path in (packed, wide):
        terminal = open_log(path)
        terminal.wait_for(":30001").wait_for("line 29999").wait_for("the end")
        terminal.send("q").wait_end()
    terminal = open_log(scratch())
    terminal.wait_for("no files to read").send("q").wait_end()


def test_a_pipe_is_read_while_the_terminal_is_open():
    path = log_of(PORT_LOG)
    command = ["/bin/sh", "-c", f"cat '{path}' | '{PROGRAM}' --lang en -"]
    terminal = Pty(command, rows=36, columns=120, env=environment(**SSH))
    terminal.wait_for("standard input").wait_for("rank 3").wait_for("1   step 1").wait_for("3   step 2")
    terminal.send("\r").wait_for("from the log").send("q")
    check(terminal.wait_end() == 0, "status")


def test_escape_ends_the_wait_for_a_pipe():
    path = log_of(PORT_LOG)
    command = ["/bin/sh", "-c", f"(cat '{path}'; exec sleep 1000) | '{PROGRAM}' --lang en -"]
    terminal = Pty(command, rows=36, columns=120, env=environment(**SSH))
    terminal.wait_for("Esc stop").wait_for("standard input").wait_for(f" {len(PORT_LOG)} B ")
    terminal.send(ESCAPE).wait_for("What failed first").wait_for("PORT 29777")
    terminal.send("q")
    for pid in descendants(terminal.pid):
        with contextlib.suppress(ProcessLookupError):  # it may be at its end already
            os.kill(pid, signal.SIGTERM)
    terminal.wait_end()


def test_what_a_pipe_gave_is_shown_before_it_ends():
    fifo = os.path.join(scratch(), "pipe")
    os.mkfifo(fifo)
    command = ["/bin/sh", "-c", f"'{PROGRAM}' --lang en - < '{fifo}'"]
    terminal = Pty(command, rows=36, columns=120, env=environment(**SSH))
    with open(fifo, "w", encoding="utf-8") as pipe:
        for part in ("step 0\n", PORT_LOG[:100], PORT_LOG[100:], "step 3\n"):
            pipe.write(part)
            pipe.flush()
        terminal.wait_for("What failed first").wait_for("PORT 29777").wait_for("Esc stop")
        pipe.write("[rank0]: RuntimeError: NPU function error: device error type 0, error code is 561103\n")
        pipe.flush()
        terminal.wait_for("3.4 ").wait_for("Esc stop")
    terminal.wait_gone("Esc stop").send("q")
    check(terminal.wait_end() == 0, "status")


def test_a_terminal_as_standard_input_is_refused():
    terminal = Pty([PROGRAM, "--lang", "en", "-"], env=environment())
    check(terminal.wait_end() == 2, "status")
    check("standard input is a terminal" in terminal.text(), terminal.text())


def test_folders_and_files_that_cannot_be_read():
    folder = scratch()
    os.mkdir(os.path.join(folder, "rank_5"))
    shutil.copy(log_of(PORT_LOG), os.path.join(folder, "rank_5", "stderr.log"))
    os.symlink(scratch() + "/missing", os.path.join(folder, "broken.log"))
    terminal = open_log(folder, log_of("nothing\n", "b.log"))
    terminal.wait_for("2 files").wait_for("What failed first").wait_for("Could not be read").wait_for("broken.log")
    terminal.send("q").wait_end()


def test_a_log_without_known_problems():
    terminal = open_log(log_of("all is well\n[rank0]: ValueError: something new\n"))
    terminal.wait_for("No known problem was found").wait_for("Errors that no entry knows").wait_for("something new")
    terminal.send("\r").wait_for("No entry knows this line")
    terminal.send(ESCAPE).wait_for("FAQ").send("D").wait_for("something new").send("q").wait_end()


def test_a_path_is_completed_and_diagnosed():
    home = scratch()
    os.mkdir(os.path.join(home, "logs of today"))
    shutil.copy(log_of(PORT_LOG), os.path.join(home, "logs of today", "train-0.log"))
    shutil.copy(log_of("nothing\n"), os.path.join(home, "logs of today", "train-1.log"))
    terminal = Pty([PROGRAM, "--lang", "en"], rows=36, columns=120, env=environment(HOME=home, **SSH))
    terminal.wait_for("Install").send("d").wait_for("Diagnose a log")
    terminal.send("~/lo\t").wait_for("~/logs of today/")
    terminal.send("\t").wait_for("train-1.log").send("\x1b[B").wait_for("> ~/logs of today/train-0.log")
    terminal.send("\r").wait_for("What failed first").wait_for("train-0.log:2").wait_for("step 1")
    terminal.send("d").wait_for("Diagnose a log").send(scratch() + "/missing\r").wait_for("Could not be read")
    terminal.send("q").wait_end()


def test_an_empty_path_takes_the_newest_logs():
    folder = scratch()
    os.makedirs(os.path.join(folder, "debug", "plog"))
    shutil.copy(log_of(PORT_LOG), os.path.join(folder, "debug", "plog", "plog-1_2.log"))
    terminal = Pty([PROGRAM, "--lang", "en"], rows=36, columns=120, env=environment(ASCEND_PROCESS_LOG_PATH=folder, **SSH))
    terminal.wait_for("Install").send("d").wait_for("plog").send("\r").wait_for("What failed first").wait_for("plog-1_2.log:2")
    terminal.send("q").wait_end()
    terminal = open_log("--plog", env=environment(ASCEND_PROCESS_LOG_PATH=folder, **SSH))
    terminal.wait_for("plog-1_2.log:2").send("q").wait_end()


def test_a_pasted_error_is_first_in_the_search_and_has_a_diagnosis():
    tmux = Tmux([PROGRAM, "--lang", "en"], rows=36, columns=120)
    tmux.wait_for("Install").paste(PORT_LOG).wait_for("3 pasted lines").wait_for("1.2 torch.distributed.Dist")
    tmux.send("C-o").wait_for("What failed first").wait_for("pasted text:2").wait_for("step 2")
    tmux.send("Enter").wait_for("from the log").send("Escape").wait_for("What failed first")
    tmux.send("Escape").wait_for("FAQ").send("q").wait_for("[ended 0]")


def large_log(mebibytes):
    """Many training lines, with an error that is known near the start and another at the end."""
    path = os.path.join(scratch(), "large.log")
    block = "".join(f"[rank{i % 8}]: {{'loss': 1.{i:04}, 'grad_norm': 0.{i:03}, 'epoch': 0.5}}\n" for i in range(20000))
    with open(path, "w", encoding="utf-8") as file:
        file.write(PORT_LOG)
        while file.tell() < mebibytes << 20:
            file.write(block)
        file.write("[rank0]: RuntimeError: NPU function error: device error type 0, error code is 561103\n")
    return path


def hold(terminal):
    """The scan, stopped by the kernel, so that what is seen then does not depend on how fast it is."""
    def find():
        terminal.pump()
        for pid in children(terminal.pid):
            try:
                with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                    threads = int(re.search(r"^Threads:\s*(\d+)", file.read(), re.M).group(1))
            except (OSError, AttributeError):
                continue
            if threads > 1:
                os.kill(pid, signal.SIGSTOP)
                return pid
        return None
    return wait(find, "the scan's process", step=0)


def test_escape_stops_a_scan_and_keeps_what_was_found():
    # A folder with one log under many names: more to read than any machine has done in the slices below.
    log = large_log(512)
    for number in range(40):
        os.link(log, f"{log[:-4]}-{number:02}.log")
    terminal = open_log(os.path.dirname(log))
    scan = hold(terminal)
    terminal.wait_for("Esc stop")
    # The scan goes on in short slices until it has shown all this: so it cannot be over before.
    while "What failed first" not in terminal.text():
        check(alive(scan), "the scan was over before anything was shown")
        os.kill(scan, signal.SIGCONT)
        time.sleep(0.002)
        os.kill(scan, signal.SIGSTOP)
        time.sleep(0.03)
        terminal.pump()
    terminal.send(ESCAPE)
    os.kill(scan, signal.SIGCONT)
    terminal.wait_for("stopped at").wait_for("What failed first").wait_gone("Esc stop")
    wait(lambda: not alive(scan), "the end of the scan's process")
    terminal.send("\r").wait_for("from the log").send("q")
    check(terminal.wait_end() == 0, "status")


def test_no_scan_outlives_the_program():
    path = large_log(1024)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        terminal = open_log(path)
        scan = hold(terminal)
        os.kill(scan, signal.SIGCONT)
        terminal.kill(number).wait_end()
        wait(lambda: not alive(scan), "the end of the scan's process")
    terminal = open_log(path)
    scan = hold(terminal)
    os.kill(scan, signal.SIGCONT)
    terminal.close()
    wait(lambda: not alive(scan), "the end of the scan's process")


if __name__ == "__main__":
    main([make_two_keys(*entry) for entry in ENTRIES] + [value for name, value in sorted(globals().items())
                                                         if name.startswith("test_")])

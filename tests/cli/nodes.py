"""Nodes to reach over ssh: each a real sshd with an address, a network namespace and a host name of its own.

Where namespaces are not permitted each sshd listens on an address of its own of the loopback network instead.
What a node is to be is said by its number: REFUSING has no sshd, HANGING has one that is stopped.
"""
import atexit
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

COUNT = 8
REFUSING, HANGING = 7, 8
NAMES = [f"node{number}" for number in range(1, COUNT + 1)]
LIMIT = 30


def _quiet(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def wait_for(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)


class Nodes:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ascend-faq-nodes-"))
        atexit.register(self.close)
        self.processes = {}
        self.spaces = []
        self.name = f"af{os.getpid() % 100000}"
        for key in ("user", "host"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / key)], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        self.private = self._make_spaces()
        for number in range(1, COUNT + 1):
            if number != REFUSING:
                self._start(number)
        self._make_client()
        self.processes[HANGING].send_signal(signal.SIGSTOP)

    def address(self, number):
        return f"10.231.{self.net}.{number}" if self.private else f"127.77.{os.getpid() % 250 + 1}.{number}"

    def _make_spaces(self):
        self.net = os.getpid() % 250 + 1
        if not _quiet("ip", "link", "add", self.name, "type", "bridge"):
            return False
        good = _quiet("ip", "addr", "add", f"10.231.{self.net}.254/24", "dev", self.name) and \
            _quiet("ip", "link", "set", self.name, "up")
        for number in range(1, COUNT + 1):
            space = f"{self.name}n{number}"
            good = good and _quiet("ip", "netns", "add", space)
            self.spaces.append(space)
            good = good and _quiet("ip", "link", "add", f"{self.name}v{number}", "type", "veth", "peer", "name", "eth0",
                                   "netns", space) and \
                _quiet("ip", "link", "set", f"{self.name}v{number}", "master", self.name, "up") and \
                _quiet("ip", "-n", space, "addr", "add", f"10.231.{self.net}.{number}/24", "dev", "eth0") and \
                _quiet("ip", "-n", space, "link", "set", "eth0", "up") and \
                _quiet("ip", "-n", space, "link", "set", "lo", "up")
        good = good and _quiet("ip", "netns", "exec", self.spaces[0], "unshare", "--uts", "true")
        if not good:
            self._remove_spaces()
        return good

    def _remove_spaces(self):
        for space in self.spaces:
            _quiet("ip", "netns", "del", space)
        _quiet("ip", "link", "del", self.name)
        self.spaces = []

    def _start(self, number):
        server = [shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin"), "-D", "-f", "/dev/null",
                  "-h", str(self.folder / "host"), "-E", str(self.folder / f"log{number}"),
                  *(word for option in (f"ListenAddress={self.address(number)}", "Port=22", "PidFile=none", "UsePAM=no",
                                        "StrictModes=no", "PermitRootLogin=yes", "MaxStartups=100",
                                        f"AuthorizedKeysFile={self.folder}/authorized")
                    for word in ("-o", option))]
        if self.private:
            server = ["ip", "netns", "exec", self.spaces[number - 1], "unshare", "--uts", "sh", "-c",
                      f'hostname node{number}; exec "$0" "$@"', *server]
        self.processes[number] = subprocess.Popen(server, stdin=subprocess.DEVNULL)

        def listens():
            try:
                socket.create_connection((self.address(number), 22), 1).close()
                return True
            except OSError:
                return False
        wait_for(listens, f"sshd of node{number}")

    def _make_client(self):
        lines = ["Host *", "  User root", f"  IdentityFile {self.folder}/user", "  StrictHostKeyChecking no",
                 f"  UserKnownHostsFile {self.folder}/known", "  LogLevel ERROR"]
        for number, name in enumerate(NAMES, 1):
            lines += [f"Host {name}", f"  HostName {self.address(number)}"]
        (self.folder / "config").write_text("\n".join(lines) + "\n")
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.bin / "ssh").write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {self.folder}/config "$@"\n')
        (self.bin / "ssh").chmod(0o755)
        self.path = f"{self.bin}:{os.environ['PATH']}"

    def connections(self):
        """Connections to these nodes that still stand, seen from this side."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = entry.read_bytes().split(b"\0")
            except OSError:
                continue
            if str(self.folder / "config").encode() in words:
                found.append(entry.parent.name)
        return found

    def close(self):
        for number, process in self.processes.items():
            if number == HANGING:
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
        self.processes = {}
        self._remove_spaces()
        shutil.rmtree(self.folder, ignore_errors=True)

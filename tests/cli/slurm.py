"""A real Slurm of four nodes on this machine: munged, slurmctld, and a slurmd for each node that is up."""
import atexit
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

NAMES = ["n1", "n2", "n3", "n4"]
DOWN = "n4"  # has no daemon
LIMIT = 60
SYSTEM = os.environ["PATH"] + ":/usr/sbin:/sbin"


def wait_for(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ascend-faq-slurm-", dir="/tmp"))
        atexit.register(self.close)
        self.processes = []
        self.daemons = {}
        for name in ("spool", "state", "munge", *(f"spool/{node}" for node in NAMES)):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        (self.folder / "key").write_bytes(os.urandom(1024))
        (self.folder / "key").chmod(0o400)
        munge = self.folder / "munge"
        self._start("munged", "--foreground", "--force", f"--socket={munge}/socket", f"--key-file={self.folder}/key",
                    f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        wait_for((munge / "socket").exists, "munged")
        host = socket.gethostname()
        ports = free_ports(1 + len(NAMES))
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text("\n".join([
            "ClusterName=ascendfaq", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={ports[0]}", "SlurmUser=root",
            "SlurmdUser=root", "AuthType=auth/munge", f"AuthInfo=socket={munge}/socket", "CredType=cred/munge",
            f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool/%n",
            f"SlurmctldPidFile={self.folder}/slurmctld.pid", f"SlurmdPidFile={self.folder}/%n.pid",
            f"SlurmctldLogFile={self.folder}/slurmctld.log", f"SlurmdLogFile={self.folder}/%n.log",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SwitchType=switch/none", "MpiDefault=none",
            "ReturnToService=2", "SelectType=select/linear",
            *(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN"
              for node, port in zip(NAMES, ports[1:])),
            "PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE"]) + "\n")
        # With its own choice slurmd does not start where cgroups are not mounted; nothing here needs them.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        self.environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        self._start("slurmctld", "-D", "-f", str(self.configuration))
        for node in NAMES:
            if node != DOWN:
                self.daemons[node] = self._start("slurmd", "-D", "-f", str(self.configuration), "-N", node)
        wait_for(lambda: self.ask("sinfo", "-hN", "-o", "%T").count("idle") == len(NAMES) - 1, "slurmd of all nodes")

    def _start(self, program, *arguments):
        process = subprocess.Popen([shutil.which(program, path=SYSTEM), *arguments], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                   env=getattr(self, "environment", None))
        self.processes.append(process)
        return process

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def signal(self, node, number):
        self.daemons[node].send_signal(number)

    def close(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGCONT)
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []
        shutil.rmtree(self.folder, ignore_errors=True)

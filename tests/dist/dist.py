"""What the tests of the static programs share: where they are, how they are made."""
import fcntl
import os
import pathlib
import platform
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "terminal"))
from terminal import check  # noqa: E402

BUILD = TOP / os.environ.get("BUILD", "build")
HERE = platform.machine()
THERE = "x86_64" if HERE == "aarch64" else "aarch64"
EMULATOR = shutil.which(f"qemu-{THERE}-static")
SECONDS = "1700000000"


def make(folder, *arguments, build=os.environ.get("BUILD", "build"), **changes):
    """One at a time in a build folder: tests that run side by side need the same files."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS", "BUILD"))}
    env.update(changes, SOURCE_DATE_EPOCH=SECONDS)
    with open(pathlib.Path(folder) / build / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = subprocess.run(["make", "-s", "-j2", f"BUILD={build}", *arguments], cwd=folder, env=env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", check=False)
    check(result.returncode == 0, f"make {' '.join(arguments)}:\n{result.stdout[-3000:]}")

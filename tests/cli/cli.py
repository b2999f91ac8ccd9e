"""What the command line tests share: run the program, say ok or not ok."""
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str((TOP / os.environ.get("BUILD", "build") / "ascend-faq").resolve())
_count = 0
_failed = 0
_home = tempfile.TemporaryDirectory()
HOME = _home.name


def environment(**changes):
    """A clean environment; a value of None removes the variable."""
    base = {"PATH": os.environ["PATH"], "HOME": HOME, "LANG": "C.UTF-8", "TERM": "dumb"}
    base.update({key: value for key, value in os.environ.items() if key.endswith("SAN_OPTIONS")})
    base.update(changes)
    return {key: value for key, value in base.items() if value is not None}


def run(*arguments, stdin=b"", timeout=120, **changes):
    """Run the program. The result has status, out, err (text)."""
    result = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, timeout=timeout,
                            env=environment(**changes), check=False)
    result.status = result.returncode
    result.out = result.stdout.decode("utf-8", "surrogateescape")
    result.err = result.stderr.decode("utf-8", "surrogateescape")
    return result


def document(*arguments, **changes):
    """Run with --json; the parsed document and the exit status."""
    result = run(*arguments, "--json", **changes)
    return json.loads(result.out), result.status


def make(*arguments):
    """make in the ordinary build, not in that of the sanitizers; tests that run side by side take turns."""
    build = os.environ.get("BUILD", "build").removesuffix("/asan")
    with open(TOP / build / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return subprocess.run(["make", "--no-print-directory", "-C", str(TOP), f"BUILD={build}", *arguments],
                              capture_output=True, text=True, check=False)


def check(good, name, why=""):
    global _count, _failed
    _count += 1
    _failed += not good
    print(f"{'ok' if good else 'not ok'} {_count} - {name}" + (f": {str(why)[:2000]}" if not good and why != "" else ""), flush=True)
    return good


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)

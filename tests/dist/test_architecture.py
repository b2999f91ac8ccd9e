#!/usr/bin/env python3
"""The tests in C pass on the other architecture too: its static archives, in QEMU's emulator of one process."""
import concurrent.futures
import ctypes
import os
import re
import subprocess

from dist import BUILD, EMULATOR, THERE, TOP, make
from terminal import check, main


def adopt_orphans():
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def emulated(test):
    """(name, what is wrong) of a test program in C of the other architecture."""
    libraries = BUILD / "sysroot" / THERE / "usr/lib" / f"{THERE}-linux-gnu"
    command = [EMULATOR, "-L", f"/usr/{THERE}-linux-gnu", "-E", f"LD_LIBRARY_PATH={libraries}", str(test)]
    env = {**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP", "TEST_ADOPTS_ORPHANS": "1", "BUILD": os.environ.get("BUILD", "build")}
    result = subprocess.run(command, cwd=TOP, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=600, preexec_fn=adopt_orphans, check=False)
    output = result.stdout.decode("utf-8", "replace")
    passed = len(re.findall(r"(?m)^ok\b", output))
    if result.returncode or not passed or re.search(r"(?m)^not ok|# *SKIP", output):
        return test.name, f"status {result.returncode}\n{output[-2000:]}"
    return test.name, None


def test_the_tests_in_c_pass_on_the_other_architecture():
    make(TOP, f"static-tests-{THERE}")
    tests = [BUILD / "static" / THERE / source.parent.name / source.stem for source in sorted(TOP.glob("tests/*/test_*.c"))]
    check(len(tests) > 30, f"{len(tests)} tests")
    # The longest first, so that the two are done at about the same time.
    tests.sort(key=lambda test: not re.search("logs|monkey|redact", test.name))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [f"{name}: {fault}" for name, fault in pool.map(emulated, tests) if fault]
    check(not faults, "\n".join(faults))


main([test_the_tests_in_c_pass_on_the_other_architecture])

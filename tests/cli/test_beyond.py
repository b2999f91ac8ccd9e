"""Messages beyond the FAQ document (install, compile, accuracy, performance): each is diagnosed to its entry.

A message may be told of related entries as well (those that one names in `see` of the other), of no others; and
without the message, in a log that only talks of it, nothing is found.
"""
from cli import check, document, done

# What is printed, and the entry that explains it first.
PRINTED = (
    # install
    ("ImportError: libhccl.so: cannot open shared object file: No such file or directory. Please check that the cann "
     "package is installed. Please run 'source set_env.sh' in the CANN installation path.\n"
     "[ERROR] 2026-01-02-03:04:05 (PID:7, Device:-1, RankID:-1) ERR00008 PTA resource not found", "1.101"),
    ("ImportError: libhccl.so: cannot open shared object file: No such file or directory. Please check that the "
     "compiler package is installed. Please run 'source set_env.sh' in the CANN installation path.", "1.101"),
    ("ImportError: libascendcl.so: cannot open shared object file: No such file or directory. Please check that the "
     "runtime package is installed. Please run 'source set_env.sh' in the CANN installation path.", "1.101"),
    ("ImportError: libascend_hal.so: cannot open shared object file: No such file or directory", "1.102"),
    ("ImportError: libatb.so: cannot open shared object file: No such file or directory", "1.103"),
    ("RuntimeError: Failed to infer device type", "1.103"),
    ("ImportError: /x/torch_npu/lib/libtorch_npu.so: undefined symbol: _ZN5torch10ValueErrorC1EPKcz", "1.104"),
    ("OSError: /x/libop_plugin_atb.so: undefined symbol: _ZN3atb15CreateOperationINS_5infer6ParamEEEiRKT_", "1.104"),
    ("ImportError: /x/libtbe_adapter.so: undefined symbol: _ZN3Mki2DlC1ERKSs", "1.104"),
    ("RuntimeError: 0 active drivers ([]). There should only be one.", "1.105"),
    ("ModuleNotFoundError: No module named 'triton.backends.ascend'", "1.3"),
    ("ModuleNotFoundError: No module named 'triton.backends.amd'", "1.3"),
    ("TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'", "1.8"),
    ("OSError: Couldn't find executable bishengir-compile or TRITON_NPU_COMPILER_PATH.", "1.4"),
    ("ld.lld: error: unable to find library -lstdc++fs", "1.108"),
    ("/usr/bin/ld: cannot find -lz", "1.109"),
    ("ERROR: No matching distribution found for torch==2.6.0+cpu", "1.110"),
    ("c++: fatal error: Killed signal terminated program cc1plus", "1.111"),
    ("ninja: error: loading 'build.ninja': No such file or directory", "1.112"),
    ("ninja: fatal: pipe: Too many open files", "1.113"),
    ("RuntimeError: call aclnnMul failed, error code is 561103", "3.4"),
    ("EZ9999: [PID: 9] 2026-01-02-03:04:05.060.708 Parse dynamic kernel config fail.", "3.4"),
    ("EZ9999: [PID: 775] 2025-02-16-12:18:25.258.321 Cannot find bin of op Mul, integral key 0/1/|bf16/ND/.", "1.115"),
    ("Error: Unknown option: --bisheng-compile=/opt/cann/bin", "1.114"),
    ("Cannot find bin of op Mul", "1.115"),
    ("RuntimeError: call aclnnMul failed, error code is 561003", "1.115"),
    ("RuntimeError: call aclnnMul failed, error code is 561112", "1.115"),
    ("Cannot find option named 'Ascend910B4-1'", "1.116"),
    ("bishengir-compile: for --target option: Cannot find option named 'Ascend310P3'!", "1.116"),
    ("TRITON_ASCEND_ARCH = Ascend910Z is invalid!Candidates are [Ascend910B1, Ascend910B2]", "1.116"),
    # compile
    ("error: ub overflow, requires 3145728 bits while 1572864 bits available! (possible reason: tiling basic block is "
     "too large or block number is more than what user expect due to multi-buffer feature is enabled and some ops need "
     "extra local buffer.)\nerror: Failed to run BiShengHIR pipeline", "2.101"),
    ("error: ub overflow, requires 3145728 bits while 1572864 bits avaliable!", "2.101"),
    ("error: cbuf overflow, requires 9437184 bits while 4194304 bits available!", "2.101"),
    ("error: cc overflow, requires 2097152 bits while 1048576 bits available!", "2.101"),
    ("UB overflow, requires at least 200000 bytes while only 196608 bytes available!", "2.101"),
    ("coreDim=70000 can't be greater than UINT16_MAX", "2.102"),
    ("[ERROR] Cannot find hivmc under $PATH", "1.5"),
    ('loc("/tmp/k.mlir":1:1): error: External hivmc run fails, returning module before running external compiler',
     "1.5"),
    ("RuntimeError: Failed to find C++ compiler", "2.105"),
    ("RuntimeError: Failed to compile /tmp/tmpa/launcher.cxx, error: b'no Python.h'", "2.105"),
    ("NotImplementedError: NPU subtarget Ascend310P3 not supported yet", "2.106"),
    # accuracy and performance
    ("AssertionError: Tensor-likes are not close!", "4.101"),
    ("local size diffs", "4.110"),
    ("local size diffs, pe0=1073741824, pe3=1079246848", "4.110"),
    ("WARNING: Grid 4096 > physical limit 40, performance maybe reduced.", "5.101"),
    ("EK0007: [PID: 9] 2026-01-02-03:04:05.060.708 Failed to start Profiling in acl_api mode because it is already in "
     "msprof mode.", "5.107"),
    ("CAUTION: The operator 'aten::_cdist_forward' is not currently supported on the NPU backend and will fall back to "
     "run on the CPU. This may have performance implications.", "5.111"),
)

# The same words where nothing has failed.
SPOKEN = (
    # usual in healthy jobs, 4.113 tells of it
    "Warning: Device do not support double dtype now, dtype cast replace with float.",
    "# AssertionError: Tensor-likes are not close! means that the tolerance is too small",
    "$ grep 'physical limit' run.log",
    "[WARNING] Failed to detect hivmc version for backward compatibility",
    "libhccl.so => /usr/local/Ascend/cann/lib64/libhccl.so (0x0000ffff8a000000)",
    "+ export MAX_JOBS=8 TRITON_ASCEND_ARCH=Ascend910B4",
    "[137/412] Building CXX object lib/Dialect/Ops.cpp.o",
    "100042 images, 7 classes",
    "INFO: accuracy 0.97, performance as expected",
)

LAUNCHERS = ("", "[rank3]: ", "(Worker_TP1 pid=77) ", "E           ")


def found(text):
    result, _ = document("diagnose", "-", stdin=text.encode() + b"\n")
    return [match["entry"] for match in result["matches"]]


def test_printed():
    names = sorted({entry for _, entry in PRINTED})
    shown, _ = document("show", *names)
    see = {entry["id"]: set(entry.get("see", ())) for entry in shown["entries"]}
    for text, entry in PRINTED:
        for launcher in LAUNCHERS:
            lines = "\n".join(launcher + line for line in text.splitlines())
            got = found(lines)
            name = f"{entry}: {launcher}{text.splitlines()[0][:60]}"
            check(got[:1] == [entry], name, f"found {got}")
            others = {other for other in got if other != entry and other not in see[entry] and
                      entry not in document("show", other)[0]["entries"][0].get("see", ())}
            check(not others, f"{name}: nothing unrelated", str(others))


def test_spoken():
    for text in SPOKEN:
        check(found(text) == [], f"nothing in: {text}", str(found(text)))


def test_sections():
    """Accuracy and performance, which the document leaves empty, have entries, each with a way out."""
    listed, _ = document("list")
    for section in listed["sections"]:
        if section["id"] in ("accuracy", "performance"):
            names = [entry["id"] for entry in section["entries"]]
            check(len(names) >= 12, f"{section['id']}: a dozen entries", str(names))
            for entry in document("show", *names)[0]["entries"]:
                check(all(solution["steps"] for solution in entry["solutions"]) and entry["solutions"],
                      f"{entry['id']}: has steps")
                check(entry["origin"] != "faq" and entry["source"], f"{entry['id']}: says where it comes from")


test_printed()
test_spoken()
test_sections()
done()

"""ascend-faq report: from a log, on a bare machine, to a file, as JSON; nothing private is in it."""
import json
import os
import pathlib
import socket
import stat
import tempfile

from cli import TOP, check, done, run

LOGS = TOP / "tests" / "fixtures" / "logs"


def test_log():
    result = run("report", "--no-probe", "--lang", "en", str(LOGS / "107-two-causes.log"))
    check(result.status == 0, "status 0", result.err)
    check(result.out.startswith("# ") and result.out.endswith("\n"), "Markdown with a title", result.out)
    check("EADDRINUSE" in result.out and "561103" in result.out, "the key error lines and codes", result.out)
    check("first cause" in result.out and "ascend-faq 1.2" in result.out, "the first cause", result.out)
    check("**(missing: " in result.out and "command" in result.err, "what is missing is marked and told", result.err)
    check("read the report before you send it" in result.err, "it says that no tool finds everything", result.err)
    zh = run("report", "--no-probe", "--lang", "zh", str(LOGS / "107-two-causes.log"))
    check("## 关键报错" in zh.out and "**（缺：" in zh.out, "in Chinese", zh.out)


def test_answers():
    result = run("report", "--no-probe", "--command", "torchrun --nproc-per-node=2 /home/qzlina/x.py", "--shape", "[4096, 8192]",
                 "--dtype", "bf16", "--expected", "it runs", str(LOGS / "107-two-causes.log"))
    check(all(text in result.out for text in ("torchrun --nproc-per-node=2", "[4096, 8192]", "bf16", "it runs")), "what the user says", result.out)
    check("qzlina" not in result.out, "what the user says is redacted, too", result.out)


def test_private():
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "train.log")
        pathlib.Path(log).write_text(
            "qz1234567@hx-npu-a17:~$ torchrun /data/hxsecret/train.py\nworld_size=16 shape=(4, 4096, 128) dtype=torch.bfloat16\n"
            "[rank3]: torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. "
            "port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use\n"
            "[rank3]: connect to 10.123.4.5 failed (PID:88213)\n")
        for template in ("general", "triton-ascend", "vllm-ascend"):
            result = run("report", "--no-probe", "--template", template, log)
            private = [word for word in ("qz1234567", "hx-npu-a17", "hxsecret", "10.123.4.5", "88213") if word in result.out]
            check(result.status == 0 and not private, f"{template}: nothing private", private)
            check("EADDRINUSE" in result.out, f"{template}: the error is in it", result.out)
        out = run("report", "--no-probe", "--lang", "en", log).out
        check("- world size: 16" in out and "(4, 4096, 128)" in out and "torch.bfloat16" in out and "- failing ranks: 3" in out,
              "ranks, world size, shapes and dtypes where the log prints them", out)
        far = os.path.join(folder, "far.log")
        text = pathlib.Path(log).read_text().split("\n", 2)
        pathlib.Path(far).write_text("\n".join(text[:2]) + "\n" + "step 1 loss 2.5 lr 1e-5\n" * 20000 + text[2])
        out = run("report", "--no-probe", "--lang", "en", far).out
        check("- world size: 16" in out and "(4, 4096, 128)" in out and "torch.bfloat16" in out,
              "what the beginning of a long log says of the job's size", out)
        path = os.path.join(folder, "report.md")
        result = run("report", "--no-probe", "-o", path, log)
        check(result.status == 0 and "EADDRINUSE" in pathlib.Path(path).read_text(), "-o writes a file", result.err)
        check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the file is private")
        result = run("report", "--no-probe", "-o", path, log)
        check(result.status == 2 and path in result.err, "a file that is there is not overwritten", result.err)
        beside = os.path.join(folder, "map")
        result = run("report", "--no-probe", "-o", os.path.join(folder, "two.md"), "--map", beside, log)
        check(result.status == 2 and not os.path.exists(beside), "no map beside the report", result.err)
        result = run("report", "--no-probe", "--json", log)
        document = json.loads(result.out)
        check(list(document)[0] == "schema" and document["schema"] == 1, "--json starts with the schema")
        check("EADDRINUSE" in document["fields"]["errors"] and "10.123.4.5" not in result.out and "expected" in document["missing"],
              "--json: fields without private data, what is missing", document)
        check("torchrun" in document["fields"]["command"] and "command" not in document["missing"],
              "the command that the log shows", document["fields"]["command"])


def test_bare():
    """A machine without NPU, CANN and log: still of use, and it says what it could not find."""
    result = run("report", "--lang", "en")
    check(result.status == 0 and "## Environment" in result.out, "a report without a log", result.err)
    check("no log was given" in result.out, "it says that there is no log", result.out)
    check("Not found, or could not be told: " in result.out and "CANN" in result.out, "it says what it could not find", result.out)
    host = socket.gethostname()
    check(len(host) < 5 or host not in result.out, "the host's name is not in it", result.out)
    check(run("report", "--template", "nothing").status == 2, "an unknown template: status 2")
    check(run("report", "--no-probe", "/nonexistent.log").status == 2, "a log that is not there: status 2")


for test in (test_log, test_answers, test_private, test_bare):
    test()
done()

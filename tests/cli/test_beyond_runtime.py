"""Messages of the run time beyond the FAQ document: each is diagnosed to its entry.

A message may be told of related entries as well (those that one names in `see` of the other), of no others; and
without the message, in a log that only talks of it, nothing is found. Entries to read have no message.
"""
from cli import check, document, done

PID = "[PID: 1234] 2026-03-03-10:10:10.000.001"

# What is printed, and the entry that explains it first.
PRINTED = (
    ("RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507035", "3.101"),
    ("RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507015", "3.101"),
    ("[Error]: The vector core execution is abnormal.", "3.101"),
    ("[ERROR] RUNTIME(7,python3):2026-03-03-10:10:10.000.001 [device_error_core_proc.cc:371] fault kernel_name=matmul", "3.101"),
    ("EZ9999: there is an exception of aivec error, core id is 3, error code = 0, dump info: pc start: 0x1", "3.101"),
    ("The extend info: errcode:(0, 0x200000000000000, 0) errorStr: The MPU address access is invalid.", "3.101"),
    ("RuntimeError: ACL stream synchronize failed, error code:507014", "3.102"),
    ("RuntimeError: ACL stream synchronize failed, error code:507034", "3.102"),
    ("RuntimeError: ACL stream synchronize failed, error code:507046", "3.102"),
    ("RuntimeError: ACL stream synchronize failed, error code:507018", "3.103"),
    (f"EI0002: {PID} The wait execution of the Notify register times out. Reason: The Notify register has not received "
     "the Notify record from remote rank [3].", "3.104"),
    (f"{PID} Communication_Error_Timeout(EI0002): A timeout occurs when the Notify register waits for execution. Waiting peer "
     "rank: 3; task information: x", "3.104"),
    ("RuntimeError: ACL stream synchronize failed, error code:507048", "3.104"),
    (f"EI0006: {PID} Getting socket times out. Reason: Remote Rank did not send the data in time.", "3.105"),
    (f"EI0015: {PID} Failed to collect cluster information of the communicator based on rootInfo detection. Reason: "
     "timeout.", "3.106"),
    (f"{PID} Communication_Error_Bind_IP_Port(EI0019): Failed to enable listening for the host network adapter socket. "
     "Reason: The IP address 10.1.2.3 and port 60000 have already been bound.", "3.107"),
    (f"{PID} Environment_Error(EI0016): The TLS configuration of the ranks differs.", "3.108"),
    ("DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\ndcmi module initialize failed. ret is -8005", "3.109"),
    (f"EL0007: {PID} You have no permission.", "3.110"),
    ("RuntimeError: NPU function error: aclrtSetDevice, error code is 207006", "3.110"),
    ("[ERROR] DRV(7,python3):2026-03-03-10:10:10.000.001 [drv][devmm] open device failed. (devid=1; err: 87)", "3.111"),
    (f"EE1001: {PID} The argument is invalid. Reason: set drv device=9, valid device range is [0, 8)", "3.112"),
    ("RuntimeError: NPU function error: aclrtSetDevice, error code is 107001", "3.112"),
    ("RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.97 GiB total capacity)", "3.113"),
    (f"EL0004: {PID} Failed to allocate memory.", "3.113"),
    (f"EL0004: {PID} Failed to allocate memory requested by APP module.", "3.113"),
    (f"EI0011: {PID} Failed to allocate 4096 bytes of NPU memory.", "3.113"),
    ("RuntimeError: NPU function error: aclrtMalloc, error code is 207018", "3.113"),
    ("RuntimeError: NPU function error: AclrtCreateStreamWithConfig, error code is 207008", "3.114"),
    (f"EL0009: {PID} The stream resources are insufficient.", "3.114"),
    ("RuntimeError: NPU function error: aclrtGetDevice, error code is 107002", "3.115"),
    ("RuntimeError: NPU function error: aclInit, error code is 507033", "3.116"),
    ("RuntimeError: NPU function error: aclInit, error code is 507899", "3.116"),
    ("[WARN] Feature is not supported and the possible cause is that driver and firmware packages do not match.", "3.116"),
    ("RuntimeError: x:../a.cpp:1 NPU function error: device error type 0, error code is 107003", "3.117"),
    ("RuntimeError: Tensors must be contiguous", "3.119"),
    ("RuntimeError: Expected all tensors to be on the same device, but found at least two devices, npu:0 and cpu!", "3.120"),
    ("RuntimeError: unable to write to file </torch_1_2_0>: No space left on device (28)", "3.122"),
    ("nf_conntrack: nf_conntrack: table full, dropping packet", "3.123"),
    (f"EJ0001: {PID} Failed to initialize the HCCP process. Reason: Maybe the last training process is running.", "3.124"),
    ("address in use for bind listen on 10.1.2.3:8899", "3.125"),
    ("acc tcp server start failed, result: ACC_LINK_ADDRESS_IN_USE", "3.125"),
    ("startup acc tcp server on port: 8899 already in use.", "3.125"),
    ("[ERROR] KERNEL(7,sklogd):2026-03-03-10:10:10.000.001 [devmm] "
     "[devmm_page_fault_d2h_query_flag 810] Host page fault send message fail.", "3.130"),
    ("KeyError: 'getpwuid(): uid not found: 10086'", "3.131"),
    ("RuntimeError: ACL stream synchronize failed, error code:507053", "3.132"),
    ("RuntimeError: ACL stream synchronize failed, error code:507054", "3.132"),
    ("RuntimeError: ACL stream synchronize failed, error code:507010", "3.132"),
)

# The same words where nothing has failed, and what only wraps a cause.
SPOKEN = (
    "# error code is 507035: the vector core failed",
    "$ grep 'Getting socket times out' run.log",
    "EI0006: Getting socket times out. Reason: %s",
    "EI0015: Failed to collect cluster information of the communicator based on rootInfo detection. Reason: %s.",
    "| EL0004 | Failed to allocate memory. |",
    "step 507018 loss 1.25",
    "[ERROR] 2026-02-02-20:20:02 (PID:33710, Device:-1, RankID:-1) ERR99999 UNKNOWN application exception",
    "[ERROR] 2026-02-02-20:20:02 (PID:33710, Device:-1, RankID:-1) ERR99999 UNKNOWN applicaiton exception",
)

LAUNCHERS = ("", "[rank3]: ", "(Worker_TP1 pid=77) ")


def found(text):
    result, _ = document("diagnose", "-", stdin=text.encode() + b"\n")
    return [match["entry"] for match in result["matches"]]


def related():
    """The entries that name each other, one way or the other."""
    listed, _ = document("show", *sorted({entry for _, entry in PRINTED}))
    return {entry["id"]: set(entry.get("see", ())) for entry in listed["entries"]}


def test_printed():
    see = related()
    for text, entry in PRINTED:
        for launcher in LAUNCHERS:
            got = found("\n".join(launcher + line for line in text.splitlines()))
            name = f"{entry}: {launcher}{text.splitlines()[-1][:60]}"
            check(got[:1] == [entry], name, f"found {got}")
            others = [other for other in got if other != entry and other not in see[entry] and entry not in see.get(other, ())]
            check(not others, f"{name}: nothing unrelated", str(others))


def test_spoken():
    for text in SPOKEN:
        check(found(text) == [], f"nothing in: {text[:70]}", str(found(text)))


def test_read():
    """What has no message of its own can still be read and is found by its words."""
    for entry in ("3.118", "3.121", "3.126", "3.127", "3.128", "3.129"):
        shown, _ = document("show", entry)
        check(shown["entries"][0]["solutions"], f"{entry} can be read")


test_printed()
test_spoken()
test_read()
done()

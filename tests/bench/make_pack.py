#!/usr/bin/env python3
"""Make a pack of many entries, for measuring: make_pack.py FOLDER ENTRIES

Every entry is its own file, as in a real pack, in sections of 1000; texts repeat words, numbers are their own.
"""
import pathlib
import sys

CAUSES = [
    ("端口被其他进程占用", "Another process holds the port that HCCL wants", "bind ip and port failed, the port is in use"),
    ("设备内存不足", "The device has no memory left for the workspace", "NPU out of memory. Tried to allocate"),
    ("算子不支持该数据类型", "The operator does not take this data type", "AclNN_Parameter_Error: dtype is not implemented for"),
    ("卡间通信超时", "A rank did not answer before the timeout", "the wait execution of the Notify register times out, rank"),
    ("驱动与固件版本不匹配", "Driver and firmware do not fit each other", "driver version mismatch, expected"),
    ("找不到编译器", "The compiler is not on the search path", "clang++: command not found near"),
    ("共享库版本过旧", "A shared library is older than the program wants", "version GLIBCXX not found required by"),
]

ENTRY = """\
id: {id}
origin: community
source: made for measuring
title:
  zh: {zh}（第 {n} 例）
  en: {en}, case {n}
problem:
  zh: 作业在 rank{rank} 上中止，进程号 {pid}，{zh}。
  en: The job stops on rank{rank}, pid {pid}. {en}.
cause:
  zh: {zh}，节点 node{node:05d}。
  en: {en}, on node{node:05d}.
errors:
  - text: "[ERROR] {error} 0x{hex:08x} node{node:05d}"
solutions:
  - title: {{zh: 查看占用, en: See who holds it}}
    recommended: true
    steps:
      - say: {{zh: 查看节点的日志。, en: Look at the log of the node.}}
        effect: read
        run: "grep -n rank{rank} /var/log/npu/slog/node{node:05d}.log"
"""


def main():
    folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for number in range(0, count, 1000):
        name = f"made{number // 1000 + 1:03d}"
        sections.append(f"  - id: {name}\n    number: \"{100 + number // 1000}\"\n    title: {{zh: 生成 {number // 1000 + 1}, en: Made {number // 1000 + 1}}}\n")
        (folder / name).mkdir(exist_ok=True)
        for n in range(number, min(number + 1000, count)):
            zh, en, error = CAUSES[n % len(CAUSES)]
            text = ENTRY.format(id=f"{100 + number // 1000}.{n - number + 1}", zh=zh, en=en, error=error, n=n + 1, rank=n % 4096,
                                pid=n * 7 % 4194304, node=n * 13 % 99991, hex=n * 2654435761 % 4294967296)
            (folder / name / f"e{n - number + 1:04d}.yaml").write_text(text, encoding="utf-8")
    (folder / "pack.yaml").write_text("name: made\ntitle: {zh: 生成的知识包, en: Made pack}\nversion: \"1\"\nsource: made\nsections:\n" +
                                      "".join(sections), encoding="utf-8")


main()

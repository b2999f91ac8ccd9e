#!/usr/bin/env python3
"""Write a log like those of a long distributed training: SIZE_MIB mebibytes to standard output.

usage: tests/bench/make_log.py SIZE_MIB [SEED]

Training lines of eight ranks, transformers' and Megatron's metrics, plog at INFO and EVENT, vLLM requests,
warnings of torch_npu, progress bars; now and then an error that no entry knows, and rarely one that an entry
does know. The same seed gives the same bytes.
"""
import random
import sys

PLOG = ("HCCL", "ASCENDCL", "RUNTIME", "GE", "PROFILING", "DRV")
FILES = ("hccl_communicator.cc:1123", "op_base.cc:412", "acl_rt_impl.cc:88", "stream.cc:331", "transport_roce.cc:902")
OPS = ("AllReduce", "AllGather", "ReduceScatter", "Broadcast", "AlltoAllV")
KNOWN = (
    "[rank{r}]: torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. "
    "port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use",
    "[rank{r}]: RuntimeError: ones:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:27 NPU function error: device error "
    "type 0, error code is 561103",
    "[ERROR] HCCL({p},python3):2026-03-02-08:{m:02}:{s:02}.771.204 [hccl_socket.cc:106] [{p}]socket type[0], listen on "
    "ip[192.168.2.195] and specific port[16666] fail. Please check the port status",
)
UNKNOWN = (
    "[rank{r}]: ValueError: Unable to create tensor, you should probably activate truncation, got {n}",
    "[ERROR] 2026-03-02-08:{m:02}:{s:02} (PID:{p}, Device:{r}, RankID:{r}) ERR00100 PTA call acl api failed.",
    "(EngineCore_DP0 pid={p}) ERROR 03-02 08:{m:02}:{s:02} [core.py:1100] Engine core encountered request {n}, retrying",
)


def lines(rng):
    step = 0
    while True:
        step += 1
        r, p, n = rng.randrange(8), 20000 + rng.randrange(8), rng.randrange(1 << 30)
        m, s = step // 60 % 60, step % 60
        kind = rng.random()
        if kind < 0.34:
            yield (f"[rank{r}]: {{'loss': {rng.random() * 3:.4f}, 'grad_norm': {rng.random():.3f}, 'learning_rate': "
                   f"{rng.random() * 1e-4:.3e}, 'token_error_rate': {rng.random():.4f}, 'epoch': {step / 4000:.2f}}}")
        elif kind < 0.50:
            yield (f" [2026-03-02 08:{m:02}:{s:02}] iteration {step:8}/  500000 | consumed samples: {step * 512:12} | elapsed "
                   f"time per iteration (ms): {rng.random() * 900:.1f} | throughput per GPU (TFLOP/s/GPU): {rng.random() * 300:.1f}"
                   f" | learning rate: {rng.random() * 1e-4:.6E} | global batch size:   512 | lm loss: {rng.random() * 3:.6E} |"
                   f" loss scale: 1.0 | grad norm: {rng.random():.3f} | number of skipped iterations:   0 |")
        elif kind < 0.80:
            yield (f"[{rng.choice(('INFO', 'EVENT', 'INFO', 'DEBUG'))}] {rng.choice(PLOG)}({p},python3):2026-03-02-08:{m:02}:{s:02}."
                   f"{rng.randrange(1000):03}.{rng.randrange(1000):03} [{rng.choice(FILES)}] [{p + 7}]Entry-Hccl{rng.choice(OPS)}: "
                   f"tag[{rng.choice(OPS)}_10.0.0.{r}%eth0_60000_0], sendBuf[0x12c0{n:08x}], count[{n}], dataType[float16], "
                   f"streamId[{rng.randrange(64)}], deviceLogicId[{r}]")
        elif kind < 0.90:
            yield (f"(APIServer pid={p}) INFO 03-02 08:{m:02}:{s:02} [loggers.py:116] Engine 00{r}: Avg prompt throughput: "
                   f"{rng.random() * 900:.1f} tokens/s, Avg generation throughput: {rng.random() * 90:.1f} tokens/s, Running: {r} "
                   f"reqs, Waiting: 0 reqs, GPU KV cache usage: {rng.random() * 99:.1f}%, Prefix cache hit rate: 0.0%")
        elif kind < 0.95:
            yield (f"[rank{r}]:[W302 08:{m:02}:{s:02}.{rng.randrange(1000):03} compiler_depend.ts:67] Warning: Hccl{rng.choice(OPS)} "
                   f"overlap is disabled, set HCCL_OP_EXPANSION_MODE to enable it. (function operator())")
        elif kind < 0.9985:
            yield f"Epoch {step // 4000}:  {step % 100}%|{'#' * (step % 40):<40}| {step}/500000 [{m:02}:{s:02}<{s:02}:{m:02}, {rng.random() * 9:.2f}it/s]"
        elif kind < 0.99985:
            yield f"[rank{r}]: loading checkpoint shard {n % 16} of 16 from /data/ckpt/iter_{step:07}/mp_rank_0{r}/model_optim_rng.pt"
        elif kind < 0.99999:
            yield rng.choice(UNKNOWN).format(r=r, p=p, n=n, m=m, s=s)
        else:
            yield rng.choice(KNOWN).format(r=r, p=p, n=n, m=m, s=s)


def main():
    size = int(float(sys.argv[1]) * (1 << 20))
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    # A few mebibytes of lines, then the same lines in other orders: to make a gibibyte takes seconds, not minutes.
    source = lines(rng)
    pool = [next(source) for _ in range(200000)]
    written = 0
    while written < size:
        part = "\n".join(rng.choices(pool, k=20000)).encode() + b"\n"
        written += sys.stdout.buffer.write(part[:size - written])


main()

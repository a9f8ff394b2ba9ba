"""Causal attention against torch's scaled_dot_product_attention.

usage: attention_bench.py ATTENTION_EMIT [LEVEL] [ROUNDS] [THREADS]

Forward, and forward + backward, in turns with torch in one process; prints the
best and the median times and the ratio torch / ours (> 1: ours is faster). The
peer is told nothing that it could not know; its outputs are allocated by it.
"""

import ctypes
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch

SHAPES = {  # name: B, H, Hk, T, D
    "12 heads, S=1024": (1, 12, 12, 1024, 64),
    "W2": (12, 6, 6, 256, 64),
    "W3": (2, 8, 4, 512, 64),
}

DRIVER = r"""
#include <pthread.h>
typedef void (*fn)(char *const *, long, long, char *, char *);
static struct { fn f; char *const *o; char *w; long n, stride; long next; } job;
static void *work(void *worker) {
  for (;;) {
    long t = __atomic_fetch_add(&job.next, 1, __ATOMIC_RELAXED);
    if (t >= job.n) return 0;
    job.f(job.o, t, 0, 0, job.w + (long)worker * job.stride);
  }
}
void run(fn f, char *const *o, long n, char *w, long stride, long threads) {
  pthread_t id[64];
  job.f = f; job.o = o; job.n = n; job.w = w; job.stride = stride; job.next = 0;
  for (long i = 1; i < threads; ++i) pthread_create(&id[i], 0, work, (void *)i);
  work(0);
  for (long i = 1; i < threads; ++i) pthread_join(id[i], 0);
}
"""


class Kernel:
    """One compiled kernel, all its phases."""

    def __init__(self, emit, folder, name, direction, level, shape, blocks):
        batch, heads, kv_heads, tokens, size = shape
        obj = folder / f"{name}.o"
        args = [emit, obj, name, direction, level, batch, heads, kv_heads,
                tokens, tokens, size, 1, *blocks]
        done = subprocess.run([str(a) for a in args], check=True,
                              capture_output=True, text=True)
        *phases, scratch = done.stdout.split("\n")[:-1]
        library = folder / f"{name}.so"
        subprocess.run(["cc", "-shared", "-o", library, obj], check=True)
        loaded = ctypes.CDLL(str(library))
        self.phases = [(getattr(loaded, p.split()[0]), int(p.split()[1]))
                       for p in phases]
        self.scratch = (int(scratch) + 63) // 64 * 64

    def run(self, driver, operands, threads, workspace):
        for function, tasks in self.phases:
            driver.run(function, operands, ctypes.c_long(tasks),
                       ctypes.c_void_p(workspace), ctypes.c_long(self.scratch),
                       ctypes.c_long(threads))


def build_driver(folder):
    source = folder / "driver.c"
    source.write_text(DRIVER)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-pthread", "-o",
                    folder / "driver.so", source], check=True)
    return ctypes.CDLL(str(folder / "driver.so"))


def measure(ours, torchs, rounds):
    times = ([], [])
    for _ in range(rounds):
        for run, list_ in ((ours, times[0]), (torchs, times[1])):
            start = time.perf_counter()
            run()
            list_.append(time.perf_counter() - start)
    return times


def report(what, times):
    ours, torchs = times
    ratio = statistics.median(t / o for o, t in zip(ours, torchs))
    print(f"  {what:18s} ours {min(ours) * 1e3:8.2f} ms ({statistics.median(ours) * 1e3:.2f})"
          f"  torch {min(torchs) * 1e3:8.2f} ms ({statistics.median(torchs) * 1e3:.2f})"
          f"  ratio {min(torchs) / min(ours):.2f} ({ratio:.2f})", flush=True)


def bench(emit, driver, folder, level, rounds, threads, name, shape, blocks):
    batch, heads, kv_heads, tokens, size = shape
    torch.manual_seed(0)
    make = lambda h: torch.randn(batch, h, tokens, size)
    q, k, v, d_out = make(heads), make(kv_heads), make(kv_heads), make(heads)
    out, dq, dk, dv = (torch.full_like(t, float("nan")) for t in (q, q, k, v))
    lse = torch.empty(batch, heads, tokens)
    tensors = [q, k, v, out, lse, d_out, dq, dk, dv]
    operands = (ctypes.c_void_p * 9)(*[t.data_ptr() for t in tensors])
    tag = f"{abs(hash((name, level, tuple(blocks))))}"
    forward, backward = (Kernel(emit, folder, f"k{tag}{d}", d, level, shape, blocks)
                         for d in ("forward", "backward"))
    workspace = torch.empty(
        threads * max(forward.scratch, backward.scratch) + 64, dtype=torch.uint8)
    base = (workspace.data_ptr() + 63) // 64 * 64

    def run_forward():
        forward.run(driver, operands, threads, base)

    def run_both():
        run_forward()
        backward.run(driver, operands, threads, base)

    def torch_forward(*t):
        return torch.nn.functional.scaled_dot_product_attention(
            *t, is_causal=True, enable_gqa=heads != kv_heads)

    leaves = [t.detach().clone().requires_grad_() for t in (q, k, v)]

    def torch_both():
        for leaf in leaves:
            leaf.grad = None
        torch_forward(*leaves).backward(d_out)

    def torch_no_grad():
        with torch.no_grad():
            torch_forward(q, k, v)

    run_both()
    torch_both()
    pairs = [(out, torch_forward(q, k, v)), *zip((dq, dk, dv), (l.grad for l in leaves))]
    errors = [((a - b).abs().max() / b.abs().max()).item() for a, b in pairs]
    assert max(errors) < 1e-5, errors
    print(f"{name} {shape} {level} blocks {blocks}", flush=True)
    report("forward", measure(run_forward, torch_no_grad, rounds))
    report("forward + backward", measure(run_both, torch_both, rounds))


def main():
    emit = sys.argv[1]
    level = sys.argv[2] if len(sys.argv) > 2 else "v4"
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 25
    threads = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    blocks = sys.argv[5].split("x") if len(sys.argv) > 5 else (0, 0)
    torch.set_num_threads(threads)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        driver = build_driver(folder)
        for name, shape in SHAPES.items():
            bench(emit, driver, folder, level, rounds, threads, name, shape, blocks)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times our matmul kernels against torch, interleaved, in separate processes.

matmul_bench.py --bench build/bin/matmul_bench --python PYTHON_WITH_TORCH
Prints per shape: GFLOP/s of both (medians), the ratio torch time / our time as
the median of pairs and as best over best; > 1 means ours is faster.
"""
import argparse
import statistics
import subprocess
import sys

SHAPES = {
    "gpt2": ["NN 1024 768 768", "NN 1024 2304 768", "NN 1024 3072 768", "NN 1024 768 3072",
             "NT 1024 768 3072", "NT 1024 3072 768", "TN 768 3072 1024", "TN 3072 768 1024"],
    "head": ["NT 1024 50257 768", "NN 1024 768 50257", "TN 50257 768 1024"],
    "w2": ["NN 3072 1152 384", "NN 3072 384 384", "NN 3072 1536 384", "NN 3072 384 1536",
           "NT 3072 384 1152", "NT 3072 384 384", "NT 3072 384 1536", "NT 3072 1536 384",
           "TN 384 1152 3072", "TN 384 384 3072", "TN 384 1536 3072", "TN 1536 384 3072",
           "NN 3072 65 384", "NT 3072 65 384", "NT 3072 384 65", "NN 3072 384 65", "TN 384 65 3072", "TN 65 384 3072"],
    "w3": ["NN 1024 512 512", "NN 1024 1376 512", "NN 1024 512 1376", "NT 1024 512 1376", "NT 1024 1376 512",
           "TN 512 1376 1024", "TN 1376 512 1024", "TN 512 512 1024", "NT 1024 32000 512", "NN 1024 512 32000", "TN 32000 512 1024"],
    "small": ["NN 256 128 128", "NT 256 128 128", "TN 128 128 256", "NN 64 64 64", "NT 64 64 64", "NN 128 256 64",
              "NT 256 64 512", "TN 64 256 256", "NN 200 100 50"],
    "thin": ["NN 1 768 768", "NT 1 768 768", "NN 1 3072 768", "NT 1 50257 768", "NN 4 768 3072", "NT 4 768 3072", "NT 8 768 768"],
}

PEER = r"""
import sys, time, torch
torch.set_num_threads(int(sys.argv[1]))
now = time.thread_time if sys.argv[1] == "1" else time.perf_counter
for line in sys.stdin:
    words = line.split()
    if words[0] == "shape":
        layout, (m, n, k) = words[1], map(int, words[2:5])
        a = torch.randn(k, m).t() if layout[0] == "T" else torch.randn(m, k)
        b = torch.randn(n, k).t() if layout[1] == "T" else torch.randn(k, n)
        c = torch.empty(m, n)
        torch.mm(a, b, out=c)
        print(0, flush=True)
    else:
        budget = float(words[1]); best = 1e30; calls = 0
        start = last = now()
        while True:
            torch.mm(a, b, out=c)
            end = now(); best = min(best, end - last); last = end; calls += 1
            if last - start >= budget: break
        print(best, (last - start) / calls, flush=True)
"""


class Process:
    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        return [float(x) for x in self.child.stdout.readline().split()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", default="build/bin/matmul_bench")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--isa", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--budget", type=float, default=0.04, help="seconds per sample")
    parser.add_argument("--sets", default="gpt2,w2,w3,small,thin")
    parser.add_argument("--shape", action="append", help="one shape, e.g. 'NN 64 64 64 packA=0'")
    options = parser.parse_args()
    ours = Process([options.bench, str(options.threads), str(options.isa)])
    peer = Process([options.python, "-c", PEER, str(options.threads)])
    shapes = options.shape or [s for name in options.sets.split(",") for s in SHAPES[name]]
    print(f"{'shape':28} {'ours GF/s':>9} {'torch':>7} {'median':>7} {'best':>6} {'compile s':>9}")
    ratios = []
    for shape in shapes:
        _, m, n, k = shape.split()[:4]
        work = 2e-9 * int(m) * int(n) * int(k)
        compile_seconds = ours.ask("shape " + shape)[0]
        peer.ask("shape " + shape)
        mine, theirs = [], []
        for _ in range(options.rounds):
            mine.append(ours.ask(f"run {options.budget}"))
            theirs.append(peer.ask(f"run {options.budget}"))
        median = statistics.median(t[1] / o[1] for o, t in zip(mine, theirs))
        best = min(t[0] for t in theirs) / min(o[0] for o in mine)
        ratios.append(median)
        print(f"{shape:28} {work / statistics.median(o[1] for o in mine):9.1f} "
              f"{work / statistics.median(t[1] for t in theirs):7.1f} {median:7.2f} {best:6.2f} {compile_seconds:9.2f}",
              flush=True)
    print(f"geometric mean of medians {statistics.geometric_mean(ratios):.3f}, {options.threads} threads, v{options.isa}")


if __name__ == "__main__":
    main()

"""Step time of a compiled library against PyTorch eager, one workload.

step_bench.py LIBRARY.so W2 [--threads=2] [--pairs=15] [--warmup=3]

Both sides run in processes of their own and take turns, one step each; the
figure is the median of the paired ratios tt / torch with a 95 % bootstrap
interval. Below 1 means that tt is faster. Prints the CPU's name and the losses,
which agree when both compute the same thing.
"""
import argparse
import multiprocessing as mp
import os
import random
import statistics
import time


def run_tt(pipe, args, batch_seed):
    import numpy as np
    import torch
    import torch_models
    import ttlib
    config = torch_models.WORKLOADS[args.workload]
    library = ttlib.Library(args.library, threads=args.threads, seed=1)
    tokens, targets = torch_models.workload_batch(config, batch_seed)
    pipe.send({n: library.get(n) for n in library.parameters})
    run, inputs, out = library.prepare("train_step", tokens=tokens.numpy().astype(np.int32),
                                       targets=targets.numpy().astype(np.int32),
                                       learning_rate=3e-4, step=1, seed=0)
    step = 0
    while pipe.recv():
        step += 1
        inputs["step"][...] = step
        start = time.perf_counter()
        run()
        pipe.send((time.perf_counter() - start, float(out["loss"])))


def run_torch(pipe, args, batch_seed):
    import torch
    import torch_models
    torch.set_num_threads(args.threads)
    config = torch_models.WORKLOADS[args.workload]
    model = torch_models.Model(config, pipe.recv())
    optimizer = model.optimizer()
    tokens, targets = torch_models.workload_batch(config, batch_seed)
    while pipe.recv():
        start = time.perf_counter()
        loss, _ = model.step(optimizer, tokens, targets)
        pipe.send((time.perf_counter() - start, loss))


def cpu_name():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return "unknown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("workload")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--warmup", type=int, default=3)
    args = parser.parse_args()
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        os.environ.pop(name, None)
    context = mp.get_context("spawn")
    pipes, processes = [], []
    for target in (run_tt, run_torch):
        ours, theirs = context.Pipe()
        process = context.Process(target=target, args=(theirs, args, 0), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    tt, torch = pipes
    torch.send(tt.recv())
    ratios, times = [], ([], [])
    for i in range(args.warmup + args.pairs):
        results = []
        for pipe in (pipes if i % 2 == 0 else pipes[::-1]):
            pipe.send(True)
            results.append(pipe.recv())
        if i % 2:
            results.reverse()
        (a, loss_a), (b, loss_b) = results
        if i in (0, args.warmup + args.pairs - 1):
            print(f"step {i + 1}: loss tt {loss_a:.6f} torch {loss_b:.6f}")
        if i >= args.warmup:
            ratios.append(a / b)
            times[0].append(a)
            times[1].append(b)
    for pipe in pipes:
        pipe.send(False)
    rng = random.Random(0)
    medians = sorted(statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(2000))
    print(f"{args.workload} on {cpu_name()}, {args.threads} threads, {args.pairs} pairs: "
          f"tt {statistics.median(times[0]) * 1e3:.1f} ms, "
          f"torch {statistics.median(times[1]) * 1e3:.1f} ms, "
          f"ratio {statistics.median(ratios):.3f} "
          f"[{medians[50]:.3f}, {medians[1949]:.3f}]")


if __name__ == "__main__":
    main()

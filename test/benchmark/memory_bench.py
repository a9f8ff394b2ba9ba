"""Peak memory and step time by checkpoint policy, beside PyTorch's.

memory_bench.py W2 none=NONE.so full=FULL.so sqrt=SQRT.so [--threads=2] [--rounds=7]

A process for each library, one for PyTorch eager and one for PyTorch with per-layer
checkpointing; they take turns, one step each. "Over rest" is the high-water mark of
resident memory (VmHWM) of three steps, above what was resident with the libraries
loaded and the threads running but no model yet; tt's promise stands beside it, which
does not count the batch and Python's arrays. Times are relative to the first library.
"""
import argparse
import multiprocessing as mp
import statistics
import time


def kilobytes(key):
    with open("/proc/self/status", encoding="ascii") as file:
        for line in file:
            if line.startswith(key + ":"):
                return int(line.split()[1])
    raise OSError(f"no {key} in /proc/self/status")


class Rest:
    """Resident memory before a model is there."""

    def __init__(self, threads):
        import torch
        torch.set_num_threads(threads)
        x = torch.ones(512, 512)
        (x @ x).sum().item()
        del x
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")  # VmHWM begins again
        self.start = kilobytes("VmRSS")

    def peak(self):
        return (kilobytes("VmHWM") - self.start) * 1024


def serve(pipe, step, rest, promised):
    for i in range(3):
        step()
    pipe.send((rest.peak(), promised))
    while pipe.recv():
        start = time.perf_counter()
        step()
        pipe.send(time.perf_counter() - start)


def run_tt(pipe, workload, library, threads):
    rest = Rest(threads)
    import numpy as np
    import torch_models
    import ttlib
    config = torch_models.WORKLOADS[workload]
    model = ttlib.Library(library, threads=threads, seed=1)
    tokens, targets = torch_models.workload_batch(config)
    run, inputs, _ = model.prepare("train_step", tokens=tokens.numpy().astype(np.int32),
                                   targets=targets.numpy().astype(np.int32),
                                   learning_rate=3e-4, step=1, seed=0)

    def step():
        inputs["step"][...] += 1
        run()
    sizes = model.sizes
    serve(pipe, step, rest, sizes.instance_bytes + sizes.parameter_bytes + sizes.state_bytes
          + sizes.arena_bytes)


def run_torch(pipe, workload, checkpointed, threads):
    rest = Rest(threads)
    import torch
    import torch_models
    config = torch_models.WORKLOADS[workload]
    parameters = {n: 0.02 * torch.randn(s).numpy() for n, s in torch_models.shapes(config).items()}
    model = torch_models.Model(config, parameters, checkpointed=checkpointed)
    del parameters
    optimizer = model.optimizer()
    tokens, targets = torch_models.workload_batch(config)
    serve(pipe, lambda: model.step(optimizer, tokens, targets), rest, None)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload")
    parser.add_argument("libraries", nargs="+", metavar="POLICY=LIBRARY.so")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    context = mp.get_context("spawn")
    rows = [("tt " + text.split("=", 1)[0], run_tt, text.split("=", 1)[1])
            for text in args.libraries]
    rows += [("torch", run_torch, False), ("torch, checkpointed", run_torch, True)]
    running = []
    for name, target, what in rows:
        ours, theirs = context.Pipe()
        context.Process(target=target, args=(theirs, args.workload, what, args.threads),
                        daemon=True).start()
        peak, promised = ours.recv()  # alone until its first steps are done
        running.append((name, ours, peak, promised, []))
    for _ in range(args.rounds):
        for _, pipe, _, _, times in running:
            pipe.send(True)
            times.append(pipe.recv())
    first = running[0][4]
    for name, pipe, peak, promised, times in running:
        pipe.send(False)
        ratio = statistics.median(a / b for a, b in zip(times, first))
        promise = f", promised {promised / 1e6:.1f} MB" if promised else ""
        print(f"{args.workload} {name}: {peak / 1e6:.1f} MB over rest{promise}, "
              f"{statistics.median(times) * 1e3:.1f} ms a step, {ratio:.2f} times the first")


if __name__ == "__main__":
    main()

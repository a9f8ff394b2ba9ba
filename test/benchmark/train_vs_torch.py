"""Loss curves of a compiled library and PyTorch on the same text and weights.

train_vs_torch.py LIBRARY.so W2 TEXT [--batch=4] [--steps=100]

W2's AdamW, constant learning rate 3e-4, clip 1, the same initial parameters
(tt's) and batches. Prints the largest difference of the losses, and PyTorch's
own distance between 1 and 2 threads beside it.
"""
import argparse
import copy

import numpy as np
import torch

import torch_models
import ttlib


def batches(text, config, steps):
    chars = sorted(set(text))
    ids = np.array([chars.index(c) for c in text], np.int64)
    rng = np.random.default_rng(0)
    b, t = config["batch"], config["seq"]
    for _ in range(steps):
        starts = rng.integers(0, len(ids) - t - 1, b)
        rows = np.stack([ids[s: s + t + 1] for s in starts])
        yield rows[:, :-1], rows[:, 1:]


def run_torch(config, parameters, data, threads):
    torch.set_num_threads(threads)
    model = torch_models.Model(config, parameters)
    optimizer = model.optimizer(3e-4)
    return [model.step(optimizer, torch.tensor(x), torch.tensor(y))[0] for x, y in data]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("workload")
    parser.add_argument("text")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    config = copy.deepcopy(torch_models.WORKLOADS[args.workload])
    config["batch"] = args.batch
    with open(args.text, encoding="utf-8") as f:
        data = list(batches(f.read(), config, args.steps))
    library = ttlib.Library(args.library, threads=2, seed=1)
    parameters = {n: library.get(n) for n in library.parameters}
    ours = []
    for step, (x, y) in enumerate(data, 1):
        out = library.call("train_step", tokens=x, targets=y, learning_rate=3e-4, step=step, seed=0)
        ours.append(float(out["loss"]))
    two = run_torch(config, parameters, data, 2)
    one = run_torch(config, parameters, data, 1)
    print(f"first losses: tt {ours[0]:.6f} torch {two[0]:.6f}; last: tt {ours[-1]:.6f} "
          f"torch {two[-1]:.6f}")
    print(f"max |tt - torch(2 threads)| over {args.steps} steps: "
          f"{max(abs(a - b) for a, b in zip(ours, two)):.3e}")
    print(f"max |torch(1) - torch(2)|: {max(abs(a - b) for a, b in zip(one, two)):.3e}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Figures against PyTorch, with their promised bounds. Needs a quiet machine for
step times; losses do not depend on it.

peers_test.py loss BIN_FOLDER [--text=FILE] [--steps=100]
peers_test.py step BIN_FOLDER --workload=W2 [--pairs=15]
peers_test.py memory BIN_FOLDER --workload=W2

loss: W2 at batch 4, constant rate 3e-4, the same parameters and batches: the
largest difference of the losses over 100 steps is at most 2e-5. step: the median
paired ratio of a step's time to PyTorch eager's is at most 1.3. Exit status 77
(skipped) without torch.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

try:
    import torch  # noqa: F401
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    print(done.stdout, end="", flush=True)
    if done.returncode:
        sys.exit(f"{command}: status {done.returncode}")
    return done.stdout


def build(tools, workload, folder, *options, compile=()):
    base = os.path.join(folder, workload)
    run(f"{tools}/tt-import", f"--workload={workload}", "-o", base, *options)
    run(f"{tools}/tt-compile", base + ".mlir", "-o", base, "--target=cpu:native",
        *compile)
    return base + ".so"


def script(name, *arguments):
    return run(sys.executable, name, *arguments, cwd=os.path.join(ROOT, "test", "benchmark"))


def make_text(path):
    """The demo's text without what is rare: W2 has 65 ids."""
    run(sys.executable, f"{ROOT}/tools/demo/make-demo-text.py", path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kept = {char for char, _ in collections.Counter(text).most_common(65)}
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(char for char in text if char in kept))


def loss(args, folder):
    text = args.text
    if not text:
        text = os.path.join(folder, "text.txt")
        make_text(text)
    library = build(args.tools, "W2", folder, "--batch=4")
    out = script("train_vs_torch.py", library, "W2", text, "--batch=4",
                 f"--steps={args.steps}")
    found = float(re.search(r"max \|tt - torch\(2 threads\)\|.*: (\S+)", out)[1])
    return found <= 2e-5, f"largest loss difference {found:.2e}, bound 2e-5"


def step(args, folder):
    library = build(args.tools, args.workload, folder)
    out = script("step_bench.py", library, args.workload, f"--pairs={args.pairs}")
    found = float(re.search(r"ratio[^0-9]*([0-9.]+)", out)[1])
    return found <= 1.3, f"{args.workload}: {found:.3f} of PyTorch's time, bound 1.3"


def memory(args, folder):
    """Resident memory is what was promised, but for the batch and Python's arrays."""
    libraries = []
    for policy in ("none", "full", "sqrt"):
        path = os.path.join(folder, policy)
        os.mkdir(path)
        library = build(args.tools, args.workload, path, compile=[f"--checkpoint={policy}"])
        libraries.append(f"{policy}={library}")
    out = script("memory_bench.py", args.workload, *libraries)
    found = re.findall(r" tt (\w+): ([0-9.]+) MB over rest, promised ([0-9.]+) MB", out)
    over = max(float(peak) - float(promised) for _, peak, promised in found)
    return len(found) == 3 and over <= 16, \
        f"{args.workload}: at most {over:.1f} MB resident beyond the promise, bound 16"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("loss", "step", "memory"))
    parser.add_argument("tools")
    parser.add_argument("--text", default="")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--workload", default="W2")
    parser.add_argument("--pairs", type=int, default=15)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        passed, text = {"loss": loss, "step": step, "memory": memory}[args.what](args, folder)
    print(text)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()

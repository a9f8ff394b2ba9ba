"""Time of differentiation for deep models, and the size of what it makes.

Usage: ad_bench.py --bin=build/bin [--layers=12,48,96]. Prints, per depth, the median
of five runs of `tt-compile --emit=adjoint` (parse, canonicalise, differentiate,
checkpoint), the same without the process and parser (`--emit=tt`), and the ops.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time


def model(bin_dir, folder, layers):
    """A GPT-2 of 124M shape but `layers` layers, as .mlir; weights are not made."""
    config = {
        "model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": layers,
        "n_positions": 1024, "vocab_size": 50257, "resid_pdrop": 0.1, "embd_pdrop": 0.1,
        "attn_pdrop": 0.0, "activation_function": "gelu_new",
    }
    base = f"{folder}/gpt{layers}"
    with open(base + ".json", "w") as file:
        json.dump(config, file)
    subprocess.run([f"{bin_dir}/tt-import", "--config", base + ".json", "--batch", "1",
                    "--seq", "1024", "--dropout=config", "-o", base], check=True,
                   stdout=subprocess.DEVNULL)
    return base + ".mlir"


def seconds(command, runs=5):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        times.append(time.perf_counter() - start)
    return statistics.median(times), output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--layers", default="12,48,96")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for layers in map(int, options.layers.split(",")):
            path = model(os.path.abspath(options.bin), folder, layers)
            compiler = os.path.join(options.bin, "tt-compile")
            parse, _ = seconds([compiler, path, "--emit=tt"])
            full, text = seconds([compiler, path, "--emit=adjoint"])
            calls = len(re.findall(r"= (?:func\.)?call ", text))
            ops = len(re.findall(r"= tt\.", text))
            print(f"{layers:4d} layers: {full - parse:.3f} s of AD, {full:.3f} s in all, "
                  f"{ops} ops and {calls} calls")


main()

"""Adjoint IR of a deep model is that of a shallow one and some calls.

Usage: adjoint_size.py TT_IMPORT TT_COMPILE FOLDER. Differentiates GPT-2 with 12 and
with 96 layers: every op but calls, and zero gradients that calls hand on, must be
there as often, and the calls grow by a constant number per layer.
"""

import collections
import json
import re
import subprocess
import sys


def adjoint_ops(tt_import, tt_compile, folder, layers):
    config = {
        "model_type": "gpt2", "n_embd": 16, "n_head": 2, "n_layer": layers,
        "n_positions": 8, "vocab_size": 11, "resid_pdrop": 0.0, "embd_pdrop": 0.0,
        "attn_pdrop": 0.0, "activation_function": "gelu_new",
    }
    base = f"{folder}/gpt{layers}"
    with open(base + ".json", "w") as file:
        json.dump(config, file)
    subprocess.run([tt_import, "--config", base + ".json", "--batch", "1", "--seq", "8",
                    "-o", base], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run([tt_compile, base + ".mlir", "--emit=adjoint"], check=True,
                          capture_output=True, text=True).stdout
    return collections.Counter(re.findall(r"= (?:\")?(tt\.\w+|call|func\.call)", text))


def main():
    tt_import, tt_compile, folder = sys.argv[1:]
    small, large = (adjoint_ops(tt_import, tt_compile, folder, n) for n in (12, 96))
    calls = small.pop("call"), large.pop("call")
    differing = {op: (small[op], large[op]) for op in small | large if small[op] != large[op]}
    print("calls", *calls, "other ops", sum(small.values()), sum(large.values()))
    # Two per layer in the pair and one in the primal.
    if differing or calls[1] - calls[0] != 3 * (96 - 12):
        sys.exit(f"ops that grow with depth: {differing}")


main()

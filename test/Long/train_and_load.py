#!/usr/bin/env python3
"""Weights that tt has trained load in transformers and give tt's logits.

train_and_load.py BIN_FOLDER INPUTS

Imports the tiny GPT-2 and the tiny Llama, compiles them, trains a few steps,
saves with tt_save, and loads the file with transformers: no tensor may be missing
or left over, and logits agree within 1e-5 of the largest. Exit status 77
(skipped) without torch and transformers.
"""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import numpy as np
    import torch
    from transformers import AutoModelForCausalLM
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "benchmark"))
import ttlib  # noqa: E402

STEPS, BATCH, SEQ, BOUND = 20, 2, 7, 1e-5


def train(library, vocabulary):
    """The losses of the first and the last step on one batch."""
    tokens = np.random.default_rng(1).integers(0, vocabulary, (BATCH, SEQ + 1))
    losses = [float(library.call("train_step", tokens=tokens[:, :-1], targets=tokens[:, 1:],
                                 learning_rate=1e-2, step=step, seed=1)["loss"])
              for step in range(1, STEPS + 1)]
    return losses[0], losses[-1]


def check(tools, inputs, name):
    original = os.path.join(inputs, name)
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.join(folder, "model")
        subprocess.run([f"{tools}/tt-import", f"--config={original}/config.json",
                        f"--weights={original}/model.safetensors", f"--batch={BATCH}",
                        f"--seq={SEQ}", "-o", base], check=True)
        subprocess.run([f"{tools}/tt-compile", f"{base}.mlir", "-o", base], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        library = ttlib.Library(base + ".so", threads=2)
        library._check(library.lib.tt_load(
            library.instance, f"{base}.safetensors".encode(), ctypes.c_int(0)))
        before = {key: library.get(key) for key in library.parameters}
        limit = next(info.index_limit for info in library.entries["logits"][1]
                     if info.name == b"tokens")
        first, last = train(library, limit)
        moved = [key for key in before if not np.array_equal(before[key], library.get(key))]
        os.remove(f"{base}.safetensors")
        trained = os.path.join(folder, "trained")
        os.mkdir(trained)
        shutil.copy(f"{original}/config.json", trained)
        library._check(library.lib.tt_save(
            library.instance, f"{trained}/model.safetensors".encode(), ctypes.c_int(0), None,
            ctypes.c_uint32(0)))
        model, info = AutoModelForCausalLM.from_pretrained(
            trained, dtype=torch.float32, output_loading_info=True)
        for what, names in info.items():
            assert not names, f"{name}: {what}: {names}"
        tokens = np.arange(BATCH * SEQ).reshape(BATCH, SEQ) % limit
        with torch.no_grad():
            theirs = model.eval()(torch.tensor(tokens)).logits.numpy()
        worst = max(np.abs(library.call("logits", tokens=tokens, position=t)["logits"]
                           - theirs[:, t]).max() for t in range(SEQ))
        library.close()
    error = worst / np.abs(theirs).max()
    print(f"{name}: loss {first:.4f} to {last:.4f} in {STEPS} steps, {len(moved)} of "
          f"{len(before)} parameters moved; logits differ by {error:.1e} of the largest")
    assert last < first and len(moved) == len(before), "it did not train"
    assert error <= BOUND, f"wanted at most {BOUND}"


if __name__ == "__main__":
    for each in ("gpt2-tiny", "llama-tiny"):
        check(sys.argv[1], sys.argv[2], each)

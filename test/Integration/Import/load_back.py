#!/usr/bin/env python3
"""The parameters that tt-import writes load in transformers, with no tensor
missing or left over, and give the same logits as the original checkpoint.

  load_back.py TT_IMPORT INPUTS

Exit status 77 (skipped) without torch and transformers.
"""

import os
import shutil
import subprocess
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
try:
    import torch
    from transformers import AutoModelForCausalLM
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)


def load(folder):
    model, info = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, output_loading_info=True)
    for what, names in info.items():
        assert not names, f"{folder}: {what}: {names}"
    return model.eval()


def check(tt_import, inputs, name):
    original = os.path.join(inputs, name)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [tt_import, f"--config={original}/config.json",
             f"--weights={original}/model.safetensors", "--batch=1", "--seq=4",
             "-o", f"{folder}/model"], check=True)
        shutil.copy(f"{original}/config.json", folder)
        ours, theirs = load(folder), load(original)
    for key, value in theirs.state_dict().items():
        assert torch.equal(value, ours.state_dict()[key]), key
    tokens = torch.arange(8).reshape(1, 8)
    with torch.no_grad():
        assert torch.equal(theirs(tokens).logits, ours(tokens).logits)
    print(f"{name}: loaded, same logits")


def main():
    for name in ("gpt2-tiny", "llama-tiny"):
        check(sys.argv[1], sys.argv[2], name)


if __name__ == "__main__":
    main()

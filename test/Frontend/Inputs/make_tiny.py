#!/usr/bin/env python3
"""Makes the tiny checkpoints beside this file: gpt2-tiny and llama-tiny.

Each folder holds config.json and model.safetensors as transformers saves them,
and reference.safetensors with what transformers computes from them in f64:
tokens, targets, logits, loss, and the gradient of the loss by each parameter
("grad.NAME"). Needs torch and transformers; the tests need neither.

  make_tiny.py [DIR]     default: the folder of this file
"""

import os
import sys

import torch
from safetensors.torch import load_file, save_file
from transformers import (GPT2Config, GPT2LMHeadModel, LlamaConfig,
                          LlamaForCausalLM)

BATCH, SEQ, VOCAB = 2, 7, 61


def spread_out(model, seed):
    """Values far enough from their initial ones that each parameter matters."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() == 1:
                is_bias = name.endswith("bias")
                parameter.copy_(0.2 * noise + (0.0 if is_bias else 1.0))
            else:
                parameter.copy_(0.25 * noise)


def gpt2():
    config = GPT2Config(vocab_size=VOCAB, n_positions=12, n_embd=16, n_layer=2,
                        n_head=2, bos_token_id=0, eos_token_id=0,
                        attn_implementation="eager")
    model = GPT2LMHeadModel(config)
    spread_out(model, seed=1)
    return model


def llama():
    config = LlamaConfig(vocab_size=VOCAB, hidden_size=24,
                         intermediate_size=40, num_hidden_layers=2,
                         num_attention_heads=4, num_key_value_heads=2,
                         max_position_embeddings=12, rms_norm_eps=1e-5,
                         bos_token_id=0, eos_token_id=0,
                         attn_implementation="eager")
    model = LlamaForCausalLM(config)
    spread_out(model, seed=2)
    return model.to(torch.bfloat16)


def reference(model, folder):
    """Runs the saved weights in f64."""
    model = type(model).from_pretrained(folder, dtype=torch.float64,
                                        attn_implementation="eager")
    model.eval()  # no dropout
    generator = torch.Generator().manual_seed(3)
    tokens = torch.randint(VOCAB, (BATCH, SEQ), generator=generator)
    targets = torch.randint(VOCAB, (BATCH, SEQ), generator=generator)
    targets[0, 2] = targets[1, 6] = -100  # not counted
    logits = model(input_ids=tokens).logits
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1),
                                             targets.flatten())
    loss.backward()
    result = {
        "tokens": tokens.to(torch.int32),
        "targets": targets.to(torch.int32),
        "logits": logits.detach().float(),
        "loss": loss.detach().float(),
    }
    for name, parameter in model.named_parameters():
        result["grad." + name] = parameter.grad.float().contiguous()
    return result


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(
        os.path.abspath(__file__))
    for name, model in (("gpt2-tiny", gpt2()), ("llama-tiny", llama())):
        folder = os.path.join(where, name)
        os.makedirs(folder, exist_ok=True)
        model.save_pretrained(folder)
        extra = os.path.join(folder, "generation_config.json")
        if os.path.exists(extra):
            os.remove(extra)
        save_file(reference(model, folder),
                  os.path.join(folder, "reference.safetensors"))
        for file in sorted(os.listdir(folder)):
            print(name, file, os.path.getsize(os.path.join(folder, file)))
        print(sorted(load_file(os.path.join(folder, "model.safetensors"))))


if __name__ == "__main__":
    main()

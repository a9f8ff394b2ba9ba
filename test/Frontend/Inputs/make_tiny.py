#!/usr/bin/env python3
"""Makes the tiny checkpoints beside this file: gpt2-tiny and llama-tiny.

Each folder holds config.json and model.safetensors as transformers saves them,
and reference.safetensors with what transformers computes from them in f64:
tokens, targets, logits, loss, and the gradient of the loss by each parameter
("grad.NAME"), beside the error of the same gradient computed in f32
("error32.NAME": |f32 - f64| / max(|f64|, 1e-3 |all gradients|), by 2-norms).
Needs torch and transformers; the tests need neither.

  make_tiny.py [DIR]     default: the folder of this file
"""

import math
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


class RMSNorm64(torch.nn.Module):
    """transformers' own casts to f32 inside."""

    def __init__(self, other):
        super().__init__()
        self.weight = other.weight
        self.eps = other.variance_epsilon

    def forward(self, x):
        return self.weight * x * torch.rsqrt(
            x.pow(2).mean(-1, keepdim=True) + self.eps)


class Rope64(torch.nn.Module):
    """transformers' own computes angles in f32."""

    def __init__(self, config):
        super().__init__()
        head = config.hidden_size // config.num_attention_heads
        theta = config.rope_parameters["rope_theta"]
        self.frequencies = theta ** (
            -torch.arange(0, head, 2, dtype=torch.float64) / head)

    def forward(self, x, position_ids):
        angles = position_ids[..., None].double() * self.frequencies
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos(), angles.sin()


def run(folder, kind, dtype, tokens, targets):
    """Logits, loss and gradients by name, computed in `dtype` throughout."""
    # In f64, eager attention of Llama has a softmax in f32; sdpa has none.
    is_wide = dtype == torch.float64
    model = kind.from_pretrained(
        folder, dtype=dtype, attn_implementation="sdpa" if is_wide else "eager")
    model.eval()  # no dropout
    names = {id(p): name for name, p in model.named_parameters()}
    if is_wide and kind is LlamaForCausalLM:
        model.model.rotary_emb = Rope64(model.config)
        model.model.norm = RMSNorm64(model.model.norm)
        for layer in model.model.layers:
            layer.input_layernorm = RMSNorm64(layer.input_layernorm)
            layer.post_attention_layernorm = RMSNorm64(
                layer.post_attention_layernorm)
    logits = model(input_ids=tokens).logits
    assert logits.dtype == dtype
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1),
                                             targets.flatten())
    loss.backward()
    return logits.detach(), loss.detach(), {
        names[id(p)]: p.grad.double() for p in model.parameters()}


def reference(model, folder):
    """Runs the saved weights in f64, and in f32 for the errors."""
    generator = torch.Generator().manual_seed(3)
    tokens = torch.randint(VOCAB, (BATCH, SEQ), generator=generator)
    targets = torch.randint(VOCAB, (BATCH, SEQ), generator=generator)
    targets[0, 2] = targets[1, 6] = -100  # not counted
    logits, loss, gradients = run(folder, type(model), torch.float64, tokens,
                                  targets)
    _, _, narrow = run(folder, type(model), torch.float32, tokens, targets)
    result = {
        "tokens": tokens.to(torch.int32),
        "targets": targets.to(torch.int32),
        "logits": logits.float(),
        "loss": loss,
    }
    everything = math.sqrt(sum(g.norm() ** 2 for g in gradients.values()))

    def error(found, wanted):
        return (found - wanted).norm() / max(wanted.norm(), 1e-3 * everything)
    for name, gradient in gradients.items():
        result["grad." + name] = gradient.contiguous()
        result["error32." + name] = error(narrow[name], gradient)
        if name.endswith("attn.c_attn.bias"):
            # The key's part, exactly 0 in exact arithmetic: softmax does not
            # see what is added to all scores of a row.
            key = slice(len(gradient) // 3, 2 * len(gradient) // 3)
            result["error32.%s.key" % name] = error(narrow[name][key],
                                                    0 * gradient[key])
    return result


def main():
    torch.set_num_threads(1)
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

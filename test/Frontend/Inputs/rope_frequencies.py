#!/usr/bin/env python3
"""Prints the angles per position of scaled rotary embeddings, as rows of C++.

The values are transformers' own, computed in f64: the rows of
test/Numeric/RopeScalingTest.cpp. Needs torch and transformers; the tests need neither.
"""
import torch
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

CASES = [
    ("linear", 16, 10000.0, {"factor": 4.0}),
    ("llama3", 64, 500000.0, {"factor": 8.0, "low_freq_factor": 1.0,
                              "high_freq_factor": 4.0,
                              "original_max_position_embeddings": 8192}),
    ("llama3", 32, 10000.0, {"factor": 32.0, "low_freq_factor": 1.0,
                             "high_freq_factor": 4.0,
                             "original_max_position_embeddings": 512}),
]


def frequencies(kind, size, theta, members):
    config = LlamaConfig(hidden_size=size, num_attention_heads=1, head_dim=size,
                         max_position_embeddings=131072,
                         rope_parameters={"rope_type": kind, "rope_theta": theta,
                                          **members})
    # transformers casts to f32 on the way; here every such cast goes to f64.
    torch.set_default_dtype(torch.float64)
    float_method = torch.Tensor.to
    torch.Tensor.to = lambda self, *a, **k: float_method(
        self, *[torch.float64 if x == torch.float else x for x in a],
        **{n: torch.float64 if x == torch.float else x for n, x in k.items()})
    try:
        values, attention = ROPE_INIT_FUNCTIONS[kind](config, device="cpu")
    finally:
        torch.Tensor.to = float_method
    assert attention == 1.0 and values.dtype == torch.float64
    return values.tolist()


for case in CASES:
    print(f"    // {case[0]}, size {case[1]}, theta {case[2]:g}, {case[3]}")
    values = frequencies(*case)
    for i in range(0, len(values), 3):
        print("    " + " ".join(f"{v!r}," for v in values[i:i + 3]))

"""The benchmark workloads in PyTorch, with the parameter names of tt-import.

Eager mode, SDPA, fused AdamW. A peer to measure against, nothing of the product.
"""
import math

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

WORKLOADS = {
    "W1a": dict(kind="gpt", vocab=50257, d=768, layers=12, heads=12, kv_heads=12, ffn=3072,
                seq=256, max_seq=1024, batch=2, bias=True, tie=True),
    "W2": dict(kind="gpt", vocab=65, d=384, layers=6, heads=6, kv_heads=6, ffn=1536,
               seq=256, max_seq=256, batch=12, bias=False, tie=True),
    "W3": dict(kind="llama", vocab=32000, d=512, layers=8, heads=8, kv_heads=4, ffn=1376,
               seq=512, max_seq=512, batch=2, bias=False, tie=False, rope_theta=10000.0,
               eps=1e-5),
}


class Model:
    """Parameters by name; loss(tokens, targets) runs the forward.

    checkpointed: a layer keeps its input alone and runs again in the backward.
    """

    def __init__(self, config, parameters, dtype=torch.float32, checkpointed=False):
        self.c = config
        self.checkpointed = checkpointed
        self.p = {n: torch.tensor(a, dtype=dtype, requires_grad=True)
                  for n, a in parameters.items()}

    def linear(self, x, name, in_out):
        w, b = self.p[name + ".weight"], self.p.get(name + ".bias")
        if in_out:  # Conv1D layout
            y = x @ w
            return y if b is None else y + b
        return F.linear(x, w, b)

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.p[name + ".weight"],
                            self.p.get(name + ".bias"), 1e-5)

    def rms(self, x, name):
        return F.rms_norm(x, x.shape[-1:], self.p[name + ".weight"], self.c["eps"])

    def rope(self, x):
        d, t = x.shape[-1], x.shape[-2]
        angle = torch.outer(torch.arange(t, dtype=torch.float64),
                            self.c["rope_theta"] ** (-torch.arange(0, d, 2, dtype=torch.float64) / d))
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., : d // 2], x[..., d // 2:]
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)

    def heads(self, x, n):
        b, t, _ = x.shape
        return x.view(b, t, n, -1).transpose(1, 2)

    def layers(self, layer, x):
        for i in range(self.c["layers"]):
            x = checkpoint(layer, x, i, use_reentrant=False) if self.checkpointed else layer(x, i)
        return x

    def gpt_layer(self, x, i):
        c, h = self.c, f"transformer.h.{i}."
        q, k, v = self.linear(self.norm(x, h + "ln_1"), h + "attn.c_attn", True).split(c["d"], -1)
        o = F.scaled_dot_product_attention(*(self.heads(z, c["heads"]) for z in (q, k, v)),
                                           is_causal=True)
        o = o.transpose(1, 2).reshape(x.shape)
        x = x + self.linear(o, h + "attn.c_proj", True)
        y = F.gelu(self.linear(self.norm(x, h + "ln_2"), h + "mlp.c_fc", True),
                   approximate="tanh")
        return x + self.linear(y, h + "mlp.c_proj", True)

    def gpt(self, tokens):
        t = tokens.shape[1]
        x = self.p["transformer.wte.weight"][tokens] + self.p["transformer.wpe.weight"][:t]
        x = self.layers(self.gpt_layer, x)
        return F.linear(self.norm(x, "transformer.ln_f"), self.p["transformer.wte.weight"])

    def llama_layer(self, x, i):
        c, h = self.c, f"model.layers.{i}."
        y = self.rms(x, h + "input_layernorm")
        q = self.rope(self.heads(self.linear(y, h + "self_attn.q_proj", False), c["heads"]))
        k = self.rope(self.heads(self.linear(y, h + "self_attn.k_proj", False), c["kv_heads"]))
        v = self.heads(self.linear(y, h + "self_attn.v_proj", False), c["kv_heads"])
        o = F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                           enable_gqa=c["heads"] != c["kv_heads"])
        o = o.transpose(1, 2).reshape(x.shape)
        x = x + self.linear(o, h + "self_attn.o_proj", False)
        y = self.rms(x, h + "post_attention_layernorm")
        g = self.linear(y, h + "mlp.gate_proj", False)
        u = self.linear(y, h + "mlp.up_proj", False)
        return x + self.linear(F.silu(g) * u, h + "mlp.down_proj", False)

    def llama(self, tokens):
        x = self.layers(self.llama_layer, self.p["model.embed_tokens.weight"][tokens])
        name = "model.embed_tokens" if self.c["tie"] else "lm_head"
        return F.linear(self.rms(x, "model.norm"), self.p[name + ".weight"])

    def loss(self, tokens, targets):
        logits = self.gpt(tokens) if self.c["kind"] == "gpt" else self.llama(tokens)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())

    def optimizer(self, lr=3e-4):
        decay = [p for p in self.p.values() if p.ndim >= 2]
        rest = [p for p in self.p.values() if p.ndim < 2]
        return torch.optim.AdamW(
            [{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}],
            lr=lr, betas=(0.9, 0.95), eps=1e-8, fused=True)

    def step(self, optimizer, tokens, targets, clip=1.0):
        optimizer.zero_grad(set_to_none=True)
        loss = self.loss(tokens, targets)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(list(self.p.values()), clip)
        optimizer.step()
        return loss.item(), norm.item()


def workload_batch(config, seed=0):
    """Uniform token ids and the ids shifted by one, as workloads.json says."""
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, config["vocab"], (config["batch"], config["seq"] + 1), generator=g)
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def shapes(config):
    """The parameters of a workload, by tt-import's names."""
    c = config
    d, f, v, kv = c["d"], c["ffn"], c["vocab"], c["d"] // c["heads"] * c["kv_heads"]
    if c["kind"] == "gpt":
        all = {"transformer.wte.weight": (v, d), "transformer.wpe.weight": (c["max_seq"], d)}
        for i in range(c["layers"]):
            h = f"transformer.h.{i}."
            for name, rows, columns in (("attn.c_attn", d, 3 * d), ("attn.c_proj", d, d),
                                        ("mlp.c_fc", d, f), ("mlp.c_proj", f, d)):
                all[h + name + ".weight"] = (rows, columns)
                if c["bias"]:
                    all[h + name + ".bias"] = (columns,)
            norms = [h + "ln_1", h + "ln_2"]
            all.update({n + ".weight": (d,) for n in norms})
            if c["bias"]:
                all.update({n + ".bias": (d,) for n in norms})
        all["transformer.ln_f.weight"] = (d,)
        if c["bias"]:
            all["transformer.ln_f.bias"] = (d,)
        return all
    all = {"model.embed_tokens.weight": (v, d), "model.norm.weight": (d,)}
    for i in range(c["layers"]):
        h = f"model.layers.{i}."
        for name, rows, columns in (("self_attn.q_proj", d, d), ("self_attn.k_proj", kv, d),
                                    ("self_attn.v_proj", kv, d), ("self_attn.o_proj", d, d),
                                    ("mlp.gate_proj", f, d), ("mlp.up_proj", f, d),
                                    ("mlp.down_proj", d, f)):
            all[h + name + ".weight"] = (rows, columns)
        all[h + "input_layernorm.weight"] = all[h + "post_attention_layernorm.weight"] = (d,)
    if not c["tie"]:
        all["lm_head.weight"] = (v, d)
    return all

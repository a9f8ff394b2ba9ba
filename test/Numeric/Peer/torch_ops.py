"""The ops of the tt dialect in PyTorch: what its users would write for each.

OPS[name](operands, attributes, result_types) gives a list of results. Operands that
an op was not given are None. Indices are int64 tensors. Ops that are missing have no
counterpart: random numbers (another generator) and rules by declaration.
"""
import math

import torch
import torch.nn.functional as F

OPS = {}
REDUCTIONS = ["mean", "sum", "none", "batchmean"]


def op(*names):
    def add(function):
        for name in names:
            OPS["tt." + name] = function
        return function
    return add


def unary(name, function):
    OPS["tt." + name] = lambda x, a, t: [function(x[0])]


def binary(name, function):
    OPS["tt." + name] = lambda x, a, t: [function(x[0], x[1])]


for name, function in {
        "neg": torch.neg, "abs": torch.abs, "exp": torch.exp, "log": torch.log,
        "sqrt": torch.sqrt, "rsqrt": torch.rsqrt, "square": torch.square,
        "reciprocal": torch.reciprocal, "tanh": torch.tanh, "sigmoid": torch.sigmoid,
        "sin": torch.sin, "cos": torch.cos, "erf": torch.erf, "relu": torch.relu,
        "relu2": lambda x: torch.relu(x).square(), "silu": F.silu, "log1p": torch.log1p,
        "expm1": torch.expm1, "softplus": F.softplus, "round": torch.round,
        "floor": torch.floor, "ceil": torch.ceil, "sign": torch.sign,
        "not": torch.bitwise_not, "stop_gradient": torch.detach,
        "softmax": lambda x: torch.softmax(x, -1),
        "log_softmax": lambda x: torch.log_softmax(x, -1),
        "round_ste": lambda x: x + (torch.round(x) - x).detach()}.items():
    unary(name, function)


def defined_quotient(function):
    """PyTorch raises where tt gives 0."""
    def of(x, y):
        if (y == 0).any():
            raise KeyError("a divisor of 0")
        return function(x, y)
    return of


for name, function in {
        "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div,
        "maximum": torch.maximum, "minimum": torch.minimum, "and": torch.bitwise_and,
        "or": torch.bitwise_or, "xor": torch.bitwise_xor,
        "floor_div": defined_quotient(torch.floor_divide),
        "rem": defined_quotient(torch.remainder),
        "swiglu": lambda x, y: F.silu(x) * y,
        "reglu": lambda x, y: torch.relu(x) * y}.items():
    binary(name, function)


@op("grad_transform")
def grad_transform(x, a, t):
    if a["kind"] == 0:
        raise KeyError("clip")  # a hook on tensors, no function
    factor = a["value"] if a["kind"] == 1 else -1
    return [x[0].detach() + factor * (x[0] - x[0].detach())]


APPROX = ["none", "tanh"]


@op("gelu")
def gelu(x, a, t):
    return [F.gelu(x[0], approximate=APPROX[a["approx"]])]


@op("geglu")
def geglu(x, a, t):
    return [F.gelu(x[0], approximate=APPROX[a["approx"]]) * x[1]]


def adjoint(forward):
    """The adjoint of a function of one tensor, by PyTorch's own rule."""
    def run(x, a, t):
        value = x[0] if x[0].requires_grad else x[0].detach().requires_grad_()
        with torch.enable_grad():
            out = forward(value, a)
            return [torch.autograd.grad(out, value, x[1], create_graph=True)[0]]
    return run


OPS["tt.gelu_bwd"] = adjoint(lambda x, a: F.gelu(x, approximate=APPROX[a["approx"]]))
OPS["tt.silu_bwd"] = adjoint(lambda x, a: F.silu(x))


@op("pow")
def power(x, a, t):
    return [torch.pow(x[0], a["exponent"])]


@op("clamp")
def clamp(x, a, t):
    return [torch.clamp(x[0], a["low"], a["high"])]


@op("compare")
def compare(x, a, t):
    functions = [torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge]
    return [functions[a["predicate"]](x[0], x[1])]


@op("select")
def select(x, a, t):
    return [torch.where(x[0], x[1], x[2])]


@op("cast")
def cast(x, a, t):
    return [x[0].to(t[0].dtype)]


@op("constant")
def constant(x, a, t):
    data = a["value"]
    return [torch.tensor(data, dtype=t[0].dtype).reshape(t[0].shape)]


@op("iota")
def iota(x, a, t):
    shape = [1] * len(t[0].shape)
    shape[a["dim"]] = -1
    return [torch.arange(t[0].shape[a["dim"]]).reshape(shape).expand(t[0].shape).to(t[0].dtype)]


@op("reshape")
def reshape(x, a, t):
    return [x[0].reshape(t[0].shape)]


@op("transpose")
def transpose(x, a, t):
    return [x[0].permute(a["permutation"])]


@op("slice")
def slice_(x, a, t):
    return [x[0].narrow(a["dim"], a["start"], a["size"])]


@op("concat")
def concat(x, a, t):
    return [torch.cat(x, a["dim"])]


@op("pad")
def pad(x, a, t):
    widths = [0, 0] * x[0].dim()
    at = 2 * (x[0].dim() - 1 - a["dim"])
    widths[at], widths[at + 1] = a["low"], a["high"]
    return [F.pad(x[0], widths)]


@op("broadcast")
def broadcast(x, a, t):
    shape = [1] * len(t[0].shape)
    for size, dim in zip(x[0].shape, a["dims"]):
        shape[dim] = size
    return [x[0].reshape(shape).expand(t[0].shape)]


def reduction(name, function):
    OPS["tt." + name] = lambda x, a, t: [function(x[0], a) if a["dims"] else x[0]]


reduction("sum", lambda x, a: torch.sum(x, a["dims"]))
reduction("mean", lambda x, a: torch.mean(x, a["dims"]))
reduction("logsumexp", lambda x, a: torch.logsumexp(x, a["dims"]))
reduction("variance", lambda x, a: torch.var(x, a["dims"], correction=a.get("correction", 0)))


@op("max")
def maximum(x, a, t):
    return [torch.amax(x[0], a["dim"])]


@op("min")
def minimum(x, a, t):
    return [torch.amin(x[0], a["dim"])]


@op("argmax")
def argmax(x, a, t):
    return [torch.argmax(x[0], a["dim"])]


@op("argmin")
def argmin(x, a, t):
    return [torch.argmin(x[0], a["dim"])]


@op("cumsum")
def cumsum(x, a, t):
    value, dim = x[0], a["dim"]
    if a.get("reverse"):
        value = value.flip(dim)
    total = torch.cumsum(value, dim)
    if a.get("exclusive"):
        zero = torch.zeros_like(value.narrow(dim, 0, 1))
        total = torch.cat([zero, total.narrow(dim, 0, total.shape[dim] - 1)], dim)
    return [total.flip(dim) if a.get("reverse") else total]


@op("sort")
def sort(x, a, t):
    return list(torch.sort(x[0], dim=a["dim"], descending=a.get("descending", False),
                           stable=True))


@op("topk")
def topk(x, a, t):
    return list(torch.topk(x[0], a["k"], a["dim"]))


@op("take")
def take(x, a, t):
    i = int(x[1])
    if not 0 <= i < x[0].shape[a["dim"]]:
        return [0 * x[0].select(a["dim"], 0)]
    return [x[0].select(a["dim"], i)]


def inside(ids, size):
    return (ids >= 0) & (ids < size)


@op("gather_rows", "embedding")
def gather_rows(x, a, t):
    ids, rows = x[1], x[0].shape[0]
    keep = inside(ids, rows)
    out = F.embedding(ids.clamp(0, rows - 1), x[0].reshape(rows, -1),
                      padding_idx=a.get("padding_index"))
    out = out * keep.unsqueeze(-1).to(out.dtype)
    return [out.reshape(t[0].shape)]


@op("gather_along")
def gather_along(x, a, t):
    size = x[0].shape[a["dim"]]
    out = torch.gather(x[0], a["dim"], x[1].clamp(0, size - 1))
    return [torch.where(inside(x[1], size), out, torch.zeros_like(out))]


@op("scatter_add_rows", "embedding_bwd")
def scatter_add_rows(x, a, t):
    ids, updates = x[0].reshape(-1), x[1]
    updates = updates.reshape(len(ids), -1)
    keep = inside(ids, t[0].shape[0]) & (ids != a.get("padding_index", -1))
    zero = torch.zeros(t[0].shape[0], updates.shape[1], dtype=updates.dtype)
    return [zero.index_add(0, ids[keep], updates[keep]).reshape(t[0].shape)]


@op("scatter_along")
def scatter_along(x, a, t):
    keep = inside(x[1], a["size"])
    updates = torch.where(keep, x[0], torch.zeros_like(x[0]))
    zero = torch.zeros(t[0].shape, dtype=x[0].dtype)
    return [zero.scatter_add(a["dim"], x[1].clamp(0, a["size"] - 1), updates)]


@op("one_hot")
def one_hot(x, a, t):
    classes = torch.arange(t[0].shape[-1])
    return [(x[0].unsqueeze(-1) == classes).to(t[0].dtype)]


@op("matmul")
def matmul(x, a, t):
    left = x[0].mT if a.get("transpose_lhs") else x[0]
    right = x[1].mT if a.get("transpose_rhs") else x[1]
    return [torch.matmul(left, right)]


@op("linear")
def linear(x, a, t):
    weight = x[1] if a["layout"] == 1 else x[1].T
    return [F.linear(x[0], weight, x[2] if len(x) > 2 else None)]


def statistics(x, eps):
    mean = x.mean(-1)
    return mean, torch.rsqrt((x - mean.unsqueeze(-1)).square().mean(-1) + eps)


@op("layer_norm")
def layer_norm(x, a, t):
    beta = x[2] if len(x) > 2 else None
    out = F.layer_norm(x[0], x[0].shape[-1:], x[1], beta, a["eps"])
    return [out, *statistics(x[0], a["eps"])]


@op("rms_norm")
def rms_norm(x, a, t):
    gamma = 1 + x[1] if a.get("unit_offset") else x[1]
    out = F.rms_norm(x[0], x[0].shape[-1:], gamma, a["eps"])
    return [out, torch.rsqrt(x[0].square().mean(-1) + a["eps"])]


@op("group_norm")
def group_norm(x, a, t):
    beta = x[2] if len(x) > 2 else None
    n, groups = x[0].shape[0], a["groups"]
    out = F.group_norm(x[0], groups, x[1], beta, a["eps"])
    return [out, *statistics(x[0].reshape(n, groups, -1), a["eps"])]


def frequencies(a, size):
    theta, s = a["theta"], a.get("factor", 1)
    scaling = a.get("scaling")
    if scaling == 1 and size > 2:
        theta *= s ** (size / (size - 2))
    f = theta ** (-2 * torch.arange(size // 2, dtype=torch.float64) / size)
    if scaling == 0:
        f = f / s
    if scaling == 2:
        low, high, context = a["low_frequency"], a["high_frequency"], a["original_context"]
        wave = 2 * math.pi / f
        m = (context / wave - low) / (high - low)
        mixed = (1 - m) * f / s + m * f
        f = torch.where(wave < context / high, f,
                        torch.where(wave > context / low, f / s, mixed))
    return f


@op("rope")
def rope(x, a, t):
    value, size = x[0], x[0].shape[-1]
    positions = x[1] if len(x) > 1 else torch.arange(value.shape[-2])
    angle = positions.to(torch.float64).unsqueeze(-1) * frequencies(a, size)
    if positions.dim() == 2:
        angle = angle.reshape([angle.shape[0]] + [1] * (value.dim() - 3) + list(angle.shape[1:]))
    cos, sin = angle.cos().to(value.dtype), angle.sin().to(value.dtype)
    if a.get("inverse"):
        sin = -sin
    if a["layout"] == 0:
        first, second = value.chunk(2, -1)
        return [torch.cat([first * cos - second * sin, first * sin + second * cos], -1)]
    first, second = value[..., 0::2], value[..., 1::2]
    out = torch.stack([first * cos - second * sin, first * sin + second * cos], -1)
    return [out.flatten(-2)]


@op("attention")
def attention(x, a, t):
    q, k, v, q_segments, k_segments, slopes, bias, sinks, key = x
    if key is not None:
        raise KeyError("dropout")  # another generator
    heads = q.shape[1]
    k = k.repeat_interleave(heads // k.shape[1], 1)
    v = v.repeat_interleave(heads // v.shape[1], 1)
    rows, columns = q.shape[2], k.shape[2]
    last = torch.arange(rows).unsqueeze(1) + columns - rows
    j = torch.arange(columns).unsqueeze(0)
    scores = a["scale"] * (q @ k.mT)
    if "softcap" in a:
        scores = a["softcap"] * torch.tanh(scores / a["softcap"])
    if bias is not None:
        scores = scores + bias
    if slopes is not None:
        scores = scores - slopes.reshape(-1, 1, 1) * (last - j).abs().to(q.dtype)
    seen = torch.ones(rows, columns, dtype=torch.bool)
    if a.get("causal"):
        seen = seen & (j <= last)
    if "window_left" in a:
        seen = seen & (j >= last - a["window_left"])
    if "window_right" in a:
        seen = seen & (j <= last + a["window_right"])
    seen = seen | (j < a.get("prefix", 0))
    if q_segments is not None:
        seen = seen & (q_segments.unsqueeze(2) == k_segments.unsqueeze(1)).unsqueeze(1)
    scores = scores.masked_fill(~seen, -math.inf)
    total = torch.logsumexp(scores, -1)
    if sinks is not None:
        total = torch.logaddexp(total, sinks.reshape(-1, 1))
    if not torch.isfinite(scores).any(-1).all():
        raise KeyError("a row without keys")  # NaN in PyTorch
    if sinks is None:
        return [torch.softmax(scores, -1) @ v, total]
    return [torch.exp(scores - total.unsqueeze(-1)) @ v, total]


def weighted_cross_entropy(rows, ids, weights, smoothing, reduction):
    """F.cross_entropy, differentiable in the weights."""
    logp = torch.log_softmax(rows, -1)
    counted = (ids >= 0).to(rows.dtype)
    w = weights[ids.clamp(0)] * counted
    loss = -(1 - smoothing) * w * logp.gather(1, ids.clamp(0).unsqueeze(1)).squeeze(1)
    loss = loss - smoothing / rows.shape[1] * counted * (weights * logp).sum(-1)
    if reduction == "none":
        return loss
    return loss.sum() if reduction == "sum" else loss.sum() / w.sum()


@op("cross_entropy")
def cross_entropy(x, a, t):
    logits, targets, weights = (x + [None])[:3]
    classes = logits.shape[-1]
    rows, ids = logits.reshape(-1, classes), targets.reshape(-1)
    ids = torch.where(inside(ids, classes), ids, torch.full_like(ids, -100))
    counted = (ids >= 0).to(logits.dtype)
    reduction, smoothing = REDUCTIONS[a["reduction"]], a["label_smoothing"]
    if reduction == "mean" and not counted.any():
        raise KeyError("no row that counts")  # NaN in PyTorch
    if weights is None:
        loss = F.cross_entropy(rows, ids, reduction=reduction, label_smoothing=smoothing)
        weights = torch.ones(classes, dtype=logits.dtype)
    else:
        loss = weighted_cross_entropy(rows, ids, weights, smoothing, reduction)
    lse = torch.logsumexp(logits, -1)
    if a["z_loss"]:
        w = weights[ids.clamp(0)] * counted
        extra = a["z_loss"] * w * lse.reshape(-1).square()
        if reduction != "none":
            extra = extra.sum()
        loss = loss + (extra / w.sum() if reduction == "mean" else extra)
    return [loss.reshape(targets.shape) if reduction == "none" else loss, lse]


@op("linear_cross_entropy")
def linear_cross_entropy(x, a, t):
    hidden, weight, targets, class_weights, bias = x
    logits = linear([hidden, weight, bias], a, t)[0]
    return cross_entropy([logits, targets, class_weights], a, t)


@op("mse")
def mse(x, a, t):
    return [F.mse_loss(x[0], x[1], reduction=REDUCTIONS[a["reduction"]])]


@op("kl_div")
def kl_div(x, a, t):
    return [F.kl_div(x[0], x[1], reduction=REDUCTIONS[a["reduction"]],
                     log_target=a.get("log_target", False))]


@op("bce_with_logits")
def bce_with_logits(x, a, t):
    reduction = REDUCTIONS[a["reduction"]]
    if len(x) < 3:
        return [F.binary_cross_entropy_with_logits(x[0], x[1], reduction=reduction)]
    # PyTorch's own has no gradient of the weight.
    loss = (1 - x[1]) * x[0] + (1 + (x[2] - 1) * x[1]) * F.softplus(-x[0])
    return [{"mean": torch.mean, "sum": torch.sum, "none": lambda v: v}[reduction](loss)]


@op("fake_quant")
def fake_quant(x, a, t):
    return [torch.fake_quantize_per_tensor_affine(x[0], a["scale"], a["zero_point"],
                                                  a["low"], a["high"])]


@op("dequantise")
def dequantise(x, a, t):
    return [(x[0] - a["zero_point"]).to(t[0].dtype) * a["scale"]]

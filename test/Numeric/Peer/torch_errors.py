"""The errors that PyTorch makes in f32 on the rows of the op table.

compiled-ops --export=rows.json
torch_errors.py rows.json torch_errors.json

For every row: its program in PyTorch, in f32 and f64, on the inputs that the test
draws. The f64 run must agree with tt's interpreter (1e-9 of 1 + the norm), or a
formula is wrong on one side: such rows are printed, and the exit status is 1. The
f32 run's error against the interpreter's values goes into torch_errors.json, with a
digest of the inputs; rows that PyTorch has no counterpart for are listed with the
reason. Needs PyTorch (the file was made with the version it names).
"""
import json
import math
import sys

import torch

from torch_ops import OPS

ELEMENTS = {"f32": torch.float32, "f64": torch.float64, "i1": torch.bool, "i8": torch.int64,
            "i32": torch.int64, "i64": torch.int64}


class ResultType:
    def __init__(self, described, real):
        self.shape = described["shape"]
        self.dtype = ELEMENTS[described["element"]]
        if self.dtype.is_floating_point:
            self.dtype = real


def call(functions, name, arguments, real):
    function = functions[name]
    values = dict(zip(function["arguments"], arguments))
    for op in function["ops"]:
        attributes = op["attributes"]
        operands = [values[i] for i in op["operands"]]
        sizes = attributes.get("operandSegmentSizes")
        if sizes:
            given, operands = iter(operands), []
            operands = [next(given) if size else None for size in sizes]
        if op["op"] == "func.return":
            return operands
        if op["op"] == "func.call":
            results = call(functions, attributes["callee"], operands, real)
        else:
            types = [ResultType(t, real) for t in op["types"]]
            results = OPS[op["op"]](operands, attributes, types)
        values.update(zip(op["results"], results))


def tensor(described, real):
    dtype = real if described["isFloat"] else torch.int64
    return torch.tensor(described["data"], dtype=dtype).reshape(described["shape"])


def run(row, entry, real):
    """The results of the entry, by name."""
    inputs = entry["inputs"]
    arguments = []
    while f"arg{len(arguments)}" in inputs:
        arguments.append(tensor(inputs[f"arg{len(arguments)}"], real))
    for i, described in enumerate(row["functions"]["f"]["types"]):
        if described["element"] == "i1":
            arguments[i] = arguments[i].bool()
    for value in arguments:
        if value.is_floating_point():
            value.requires_grad_()
    results = call(row["functions"], "f", arguments, real)
    if entry is row["values"]:
        return {f"result{i}": value.detach() for i, value in enumerate(results)}
    total = sum((results[int(name[len("cotangent"):])] * tensor(described, real)).sum()
                for name, described in inputs.items() if name.startswith("cotangent"))
    total.backward()
    return {f"d_arg{i}": torch.zeros_like(value) if value.grad is None else value.grad
            for i, value in enumerate(arguments) if value.is_floating_point()}


def norm(value):
    return float(torch.linalg.vector_norm(value[torch.isfinite(value)]))


def distance(a, b):
    same = (a == b) | (a.isnan() & b.isnan())
    return float(torch.linalg.vector_norm(torch.where(same, torch.zeros_like(a), a - b)))


def errors_of(name, row, entry, problems):
    wanted = {n: tensor(d, torch.float64) for n, d in entry["wanted"].items() if d["isFloat"]}
    wide, narrow = run(row, entry, torch.float64), run(row, entry, torch.float32)
    every = math.hypot(*map(norm, wanted.values()), 0)
    errors = {"digest": entry["digest"]}
    for key, value in wanted.items():
        difference = distance(wide[key], value)
        if not difference <= 1e-9 * (1 + norm(value)):
            problems.append(f"{name} {key}: PyTorch in f64 differs by {difference:.3g}")
        size = norm(value)
        size = every if size <= 1e-12 * every else max(size, 1e-3 * every)
        error = distance(narrow[key].double(), value)
        errors[key] = float(f"{error / size:.3g}") if error else 0.0
    return errors


def main():
    source, target = sys.argv[1:]
    rows = json.load(open(source))
    torch.manual_seed(0)
    found, problems, missing = {}, [], {}
    for name, row in rows.items():
        try:
            found[name] = {part: errors_of(name, row, row[part], problems)
                           for part in ("values", "gradients") if part in row}
        except KeyError as what:
            missing.setdefault(what.args[0], []).append(name)
        except (RuntimeError, TypeError, ValueError, IndexError) as what:
            problems.append(f"{name}: {what}")
    for what, names in missing.items():
        print(f"no counterpart ({what}): {', '.join(names)}")
    for problem in problems:
        print("WRONG", problem)
    print(f"{len(found)} of {len(rows)} rows, {len(problems)} wrong")
    without = [f"{json.dumps(name)}: {json.dumps(str(what))}"
               for what, names in missing.items() for name in names]
    lines = [f"{json.dumps(name)}: {json.dumps(errors)}" for name, errors in found.items()]
    with open(target, "w") as file:
        file.write('{"torch": "%s", "rows": {\n%s\n}, "without": {\n%s\n}}\n' %
                   (torch.__version__, ",\n".join(lines), ",\n".join(without)))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()

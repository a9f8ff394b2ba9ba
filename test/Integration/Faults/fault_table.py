#!/usr/bin/env python3
"""docs/ReportedFaults.md: every reported fault, by case and path.

usage: fault_table.py [--write | --self-test]

A file of Inputs/ runs on every path by value (FaultsTest.cpp) unless a line
`not on PATH: why` says otherwise, which its test checks. Other tests name a case in a
comment, as RF-07. Without options the page must be what this makes of the tree, and no
case may be without a test; --write writes it.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PAGE = os.path.join(ROOT, "docs", "ReportedFaults.md")
PATHS = ("interpreter", "typed", "compiled", "layered", "decomposed")

CASES = """One query row sees no key
Causal mask when there are more keys than queries
Soft cap: its derivative, and its place before the mask
Grouped heads: dK and dV are sums over the group
Packed batch with empty sequences
Sequence one longer or shorter than a tile multiple
Upstream gradient that is one number repeated
Recomputed dropout must use the mask of the forward
Every label in the batch is ignored
Label smoothing together with ignored labels
Loss multiplied by a number before the backward
Micro-batches with different numbers of counted tokens
Recomputed logits in another precision than the saved log-sum-exp
Gradient through a branch that is not taken
Norm, square root and spread at zero
SiLU, SwiGLU, softplus, sigmoid at large inputs
Straight-through gradient at the edge of the range
Row mean far larger than its spread
Half-precision rms_norm: overflow, and where the cast sits
Two parameters that hold the same number
Gradient of a broadcast operand is a reduction
Many tokens hit the same embedding row
One matrix as embedding and as output head
Recompute that a later pass removes again
Weights used inside a checkpointed segment whose input is frozen
Global-norm clip with huge, infinite, zero or tiny gradients
A step skipped for overflow must leave no trace
Adam epsilon that vanishes in half precision
Sums of many small terms in 16 bits
Rotary angles at long positions, and the inverse rotation
Element offsets past 2^31
An op or fused op without an adjoint must stop the build
Gradient of an output that is not a scalar""".split("\n")

REMARKS = {
    5: "all empty: documents that match no key; compiled code has no dimension of 0",
    12: "one step's micro-batches are calls in one graph; accumulation over steps does not exist",
    19: "16 bits: interpreter only",
    20: "moments and updates: StepFaultsTest",
    22: "16 bits: interpreter only",
    23: "norm, moments and update: StepFaultsTest",
    24: "the count of tanh, the bytes and other layers: CheckpointTest; rf08_chain too",
    26: "weights and moments after a step, refusal of a negative norm: StepFaultsTest",
    27: "trained, and one of several gradients infinite: StepFaultsTest; there is no loss scale, and t is the caller's (tt-train: Integration/Train/skip_cases.py)",
    28: "16 bits: interpreter only; in f32 on every path",
    29: "16 bits: interpreter only; in f32 on every path",
    31: "no file: the lowered code of every kind of kernel is looked at; 10 GB are run by hand",
    32: "C, the refusal: autodiff-invalid.mlir; that each op has a rule: OpCoverage",
    33: "without a seed, the refusal: build-train-step-shape.mlir",
}

HEAD = """# Reported faults

Written by `test/Integration/Faults/fault_table.py --write` and checked by the test
`ReportedFaultsPage`. 33 faults of other systems with right values; what each file shows
is in its first lines. On a path, `n` files are compared with their right values, number
by number, at the case's own cotangents (`FaultsTest.cpp`). Right values are those of the
report; where a file tests the kind of a case and not the reported instance, they were
worked out by formulas in f64 outside of tt, and those of `rf08_chain_*` and
`rf08_attention_*` are the interpreter's.

| path | what runs |
|---|---|
| interpreter | the reference interpreter in f64 |
| typed | the same, every value rounded to its type |
| compiled | fused and unfused, both schedules, checkpoint none, full and sqrt, both vector levels, 1, 2 and 4 threads: one set of bits, whose values are compared; also held within the rounding bound of the interpreter |
| layered | the function as the first of a chain of layers, so that it is run again in the backward: fused, and unfused with the other schedule, policy full and 2 threads |
| decomposed | after `--tt-decompose`: attention without tiles, losses and norms as plain ops; files that differ by tiles count once |

`n of m` means that the rest fails there for a reason below, which the test checks as
well. "Of the kind" are files that test more than the reported instance.

That the comparison can fail is tested too. Every line of every file must refuse its own
values with any one number a little past the tolerance. `Planted/` holds graphs that have
the fault as reported, or an adjoint that is off by as little as 1e-5 of itself, which
compiled code must show. Code of RF-13, 17 and 18 that is off by a few tolerances, while
its graph is right, must fail at every line.
"""


class File:
    def __init__(self, name, text):
        self.name = name
        lines = text.split("\n")
        self.case = int(name[2:4])
        self.is_kind = any("kind" in line for line in lines if line.startswith("//"))
        self.not_on = {}
        for line in lines:
            found = re.match(r"// not on (\w+): (.+)", line)
            if found:
                self.not_on[found.group(1)] = found.group(2)


def read_files():
    folder = os.path.join(HERE, "Inputs")
    files = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            files.append(File(name[:-len(".mlir")], file.read()))
    return files


def tests_elsewhere():
    """The files of test/ that name a case in a comment, but for this folder's."""
    found = {}
    for folder, _, names in os.walk(os.path.join(ROOT, "test")):
        if folder.startswith(os.path.join(HERE, "Inputs")) or "Planted" in folder:
            continue
        for name in names:
            if not name.endswith((".cpp", ".mlir")) or name == "FaultsTest.cpp":
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                place = os.path.relpath(file.name, os.path.join(ROOT, "test"))
                for number in set(re.findall(r"RF-(\d\d)", file.read())):
                    found.setdefault(int(number), set()).add(place)
    return found


def cell(files, path):
    if path == "decomposed":
        files = [file for file in files if "_tiles_" not in file.name]
    if not files:
        return "-"
    by_value = sum(path not in file.not_on for file in files)
    return str(by_value) if by_value == len(files) else f"{by_value} of {len(files)}"


def page(files, elsewhere):
    text = HEAD + "\n| case | " + " | ".join(PATHS) + " | of the kind | other tests | remarks |\n"
    text += "|---" * (len(PATHS) + 4) + "|\n"
    for number, title in enumerate(CASES, 1):
        own = [file for file in files if file.case == number]
        cells = [cell(own, path) for path in PATHS]
        kinds = sum(file.is_kind for file in own)
        others = ", ".join(sorted(elsewhere.get(number, ())))
        text += (f"| RF-{number:02} {title} | " + " | ".join(cells) +
                 f" | {kinds or '-'} | {others or '-'} | {REMARKS.get(number, '')} |\n")
    text += "\n## What fails on a path, and why\n\n| file | paths | reason |\n|---|---|---|\n"
    for file in files:
        for why in dict.fromkeys(file.not_on.values()):
            paths = ", ".join(path for path in PATHS if file.not_on.get(path) == why)
            text += f"| `{file.name}` | {paths} | {why} |\n"
    return text


def mistakes(files, elsewhere):
    """Cases that nothing tests."""
    for number, title in enumerate(CASES, 1):
        if not any(file.case == number for file in files) and number not in elsewhere:
            yield f"RF-{number:02} {title}: found no test, wanted a file or a test that names it"
    for file in files:
        if not 1 <= file.case <= len(CASES):
            yield f"{file.name}: found case {file.case}, wanted 1 to {len(CASES)}"
        if len(set(PATHS) - set(file.not_on)) == 0:
            yield f"{file.name}: fails on every path, wanted one that gives the values"


def self_test():
    files = [File("rf01_a", "// not on typed: why\n"), File("rf01_b_tiles_4_4", "// The kind\n")]
    assert [cell(files, path) for path in PATHS] == ["2", "1 of 2", "2", "2", "1"]
    assert files[1].is_kind and not files[0].is_kind
    found = list(mistakes(files, {2: {"X"}}))
    assert len(found) == len(CASES) - 2 and found[0].startswith("RF-03"), found
    nowhere = File("rf02_a", "".join(f"// not on {path}: x\n" for path in PATHS))
    assert any("every path" in text for text in mistakes([nowhere], {}))
    assert "| `rf01_a` | typed | why |" in page(files, {})


def main():
    if "--self-test" in sys.argv:
        return self_test()
    files, elsewhere = read_files(), tests_elsewhere()
    found = list(mistakes(files, elsewhere))
    text = page(files, elsewhere)
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(text)
    elif not os.path.exists(PAGE) or open(PAGE, encoding="utf-8").read() != text:
        found.append("docs/ReportedFaults.md: found another page than the tree gives, "
                     "wanted the output of fault_table.py --write")
    for line in found:
        print(line, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()

"""What a step keeps and takes, as a function of the length S of the sequence.

Usage: bytes_of_length.py TT_OPT TT_PLAN TT_COMPILE FOLDER. Writes one attention layer
at S, 2S and 4S for each kind of mask, and prints slope (bytes per position) and
constant of what tt-plan, the library's JSON and --tt-count-flops say, or the three numbers
where they are on no line.
"""

import json
import re
import subprocess
import sys

HEADS, WIDTH = 2, 16  # of the attention; the model is as wide
LENGTHS = (256, 512, 1024)

# What tt.attention has before "causal" and behind its scale.
KINDS = {"causal": ("", ""), "window": ("", " {window_left = 63 : i64}"),
         "segments": ("segments(%ids, %ids) ", "")}


def model(kind, length):
    width = HEADS * WIDTH
    x = "tensor<1x%dx%dxf32>" % (length, width)
    split = "tensor<1x%dx%dx%dxf32>" % (length, HEADS, WIDTH)
    head = "tensor<1x%dx%dx%dxf32>" % (HEADS, length, WIDTH)
    ids, w = "tensor<1x%dxi32>" % length, "tensor<%dx%dxf32>" % (width, width)
    lines = []
    for name in "qkv":
        lines += ["%%%s0 = tt.linear in_out %%x, %%w%s : (%s, %s) -> %s" % (name, name, x, w, x),
                  "%%%s1 = tt.reshape %%%s0 : %s -> %s" % (name, name, x, split),
                  "%%%s = tt.transpose %%%s1 permutation = [0, 2, 1, 3] : (%s) -> %s"
                  % (name, name, split, head)]
    packed = kind == "segments"
    lines += ["%%o, %%lse = tt.attention %%q, %%k, %%v %scausal scale = 0.25%s : (%s, %s, %s%s) "
              "-> (%s, tensor<1x%dx%dxf32>)"
              % (KINDS[kind] + (head, head, head, (", %s, %s" % (ids, ids)) * packed, head,
                                HEADS, length)),
              "%%o1 = tt.transpose %%o permutation = [0, 2, 1, 3] : (%s) -> %s" % (head, split),
              "%%o2 = tt.reshape %%o1 : %s -> %s" % (split, x),
              "%%y = tt.linear in_out %%o2, %%wo : (%s, %s) -> %s" % (x, w, x),
              "%%z = tt.square %%y : %s" % x,
              "%%l = tt.mean %%z dims = [0, 1, 2] : (%s) -> tensor<f32>" % x]
    arguments = ['%%w%s: %s {tt.param = "w%s", tt.init = "normal:0.1"}' % (n, w, n)
                 for n in "qkvo"] + ['%%x: %s {tt.input = "x"}' % x]
    if packed:
        arguments.append('%%ids: %s {tt.input = "ids"}' % ids)
    return ('func.func @loss(%s) -> (tensor<f32> {tt.output = "loss"}) {\n  %s\n'
            "  return %%l : tensor<f32>\n}\n" % (", ".join(arguments), "\n  ".join(lines)))


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def figures(tools, path):
    """name: bytes."""
    opt, plan, compiler = tools
    kept = run(plan, path)
    found = {"kept": int(re.search(r"in all (\d+) bytes", kept).group(1))}
    library = path[:-len(".mlir")]
    run(compiler, path, "-o", library, "--target=cpu:x86-64-v3")
    with open(library + ".json") as text:
        manifest = json.load(text)
    for name in ("parameters", "optimizer_state", "gradients", "activations", "workspace",
                 "per_worker", "io"):
        found[name] = manifest["memory"][name]
    for entry in manifest["entries"]:
        if "arena_bytes" in entry:
            found["arena of " + entry["name"]] = entry["arena_bytes"]
    counts = run(opt, path, "--tt-autodiff", "--tt-count-flops", "-o", "/dev/null")
    for function, number in re.findall(r"^@(loss_fwd|loss_bwd) others .* bytes of its ops (\d+)",
                                       counts, re.M):
        found["moved by " + function] = int(number)
    return found


def line(values):
    """Slope per position and constant, or the values."""
    first, second, third = values
    step = LENGTHS[0]
    if third - second != 2 * (second - first) or (second - first) % step:
        return "not linear: %s" % (values,)
    slope = (second - first) // step
    return "%d S + %d" % (slope, first - slope * step)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    tools, folder = sys.argv[1:4], sys.argv[4]
    for kind in KINDS:
        found = []
        for length in LENGTHS:
            path = "%s/%s-%d.mlir" % (folder, kind, length)
            with open(path, "w") as file:
                file.write(model(kind, length))
            found.append(figures(tools, path))
        for name in found[0]:
            print("%s, %s: %s" % (kind, name, line([each[name] for each in found])))


if __name__ == "__main__":
    main()

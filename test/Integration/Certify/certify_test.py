#!/usr/bin/env python3
"""What tt-compile --certify writes, and what it refuses.

usage: certify_test.py TT_COMPILE MLP.mlir
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOOL, MLP = sys.argv[1:3]
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text)


def compile_graph(folder, text, *options):
    """Compiles a graph; status, stderr, and the files it left."""
    graph = os.path.join(folder, "graph.mlir")
    with open(graph, "w") as file:
        file.write(text)
    out = os.path.join(folder, "out")
    os.makedirs(out, exist_ok=True)
    run = subprocess.run([TOOL, graph, "-o", os.path.join(out, "model"), *options],
                         capture_output=True, text=True)
    return run.returncode, run.stderr, sorted(os.listdir(out))


def loss(body, parameters='%w: tensor<6xf32> {tt.param = "w", tt.init = "normal:1"}'):
    return ('func.func @loss(%s, %%x: tensor<6xf32> {tt.input = "x"})\n'
            '    -> (tensor<f32> {tt.output = "loss"}) {\n%s\n'
            '  %%l = tt.sum %%y dims = [0] : (tensor<6xf32>) -> tensor<f32>\n'
            '  return %%l : tensor<f32>\n}\n' % (parameters, body))


def refused(name, text, pattern, *options):
    with tempfile.TemporaryDirectory() as folder:
        status, stderr, files = compile_graph(folder, text, "--certify", *options)
        expect(status == 1, "%s: status %d" % (name, status))
        expect(re.search(pattern, stderr), "%s: wanted /%s/, got: %s" % (name, pattern, stderr))
        expect(not files, "%s: files left behind: %s" % (name, files))
        print("%s: %s" % (name, stderr.strip().splitlines()[-1] if stderr else ""))


def certificate(folder, *options):
    with open(MLP) as file:
        text = file.read()
    status, stderr, files = compile_graph(folder, text, "--certify", *options)
    expect(status == 0, "mlp: status %d: %s" % (status, stderr))
    expect(files == ["model.h", "model.json", "model.so"], "mlp: files %s" % files)
    for part in ("gradients", "same bits", "kernels", "self-check"):
        expect("certified %s: " % part in stderr, "no line for part %s" % part)
    with open(os.path.join(folder, "out", "model.json")) as file:
        return json.load(file)["certificate"]


def numbers(result):
    return [(part["name"], finding["check"], finding["subject"], finding["value"])
            for part in result["parts"] for finding in part["findings"]]


def good():
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b, \
            tempfile.TemporaryDirectory() as c:
        first, again = certificate(a), certificate(b)
        other = certificate(c, "--certify-seed=7")
    expect(first["passed"] is True and first["seed"] == 1, "passed and seed")
    expect(re.match(r"tt-compile \d+\.\d+", first["tool"]), "tool version")
    expect([part["name"] for part in first["parts"]]
           == ["gradients", "same bits", "kernels", "self-check"], "parts")
    for part in first["parts"]:
        expect(part["seconds"] >= 0 and part["findings"], "part %s" % part["name"])
        for finding in part["findings"]:
            expect(finding["passed"] and ("at_most" in finding or "at_least" in finding),
                   "finding %s" % finding)
    subjects = {finding["subject"] for finding in first["parts"][0]["findings"]
                if finding["check"] == "central"}
    names = re.findall(r'tt.param = "([^"]*)"', open(MLP).read())
    for name in names:
        expect("parameter '%s'" % name in subjects, "no central difference of %s" % name)
    expect(numbers(first) == numbers(again), "one seed gives one certificate")
    expect(numbers(first) != numbers(other), "another seed gives other numbers")


def custom(vjp, jvp):
    """w^2 by a function whose rules are the user's; both are 2 w, or not."""
    vector = "tensor<6xf32>"
    return """func.func private @square(%%x: V) -> V {
  %%y = tt.square %%x : V
  return %%y : V
}
func.func private @reverse(%%x: V, %%y: V, %%dy: V) -> V {
  %%2 = tt.constant dense<%s> : V
  %%3 = tt.mul %%x, %%2 : V
  %%dx = tt.mul %%3, %%dy : V
  return %%dx : V
}
func.func private @forward(%%x: V, %%dx: V) -> V {
  %%2 = tt.constant dense<%s> : V
  %%3 = tt.mul %%x, %%2 : V
  %%dy = tt.mul %%3, %%dx : V
  return %%dy : V
}
""".replace("V", vector) % (vjp, jvp) + loss("""  %s = tt.tanh %w : tensor<6xf32>
  %p = tt.custom_vjp @square(%s) vjp = @reverse jvp = @forward : (tensor<6xf32>) -> tensor<6xf32>
  %y = tt.mul %p, %x : tensor<6xf32>""")


TWO = ('%w: tensor<6xf32> {tt.param = "w", tt.init = "normal:1"},\n'
       '    %v: tensor<6xf32> {tt.param = "v", tt.init = "normal:1"}')
# v reaches the loss as far as activity can tell, but is multiplied by 0.
UNREACHED = loss("""  %z = tt.sub %x, %x : tensor<6xf32>
  %a = tt.mul %v, %z : tensor<6xf32>
  %b = tt.mul %w, %x : tensor<6xf32>
  %y = tt.add %a, %b : tensor<6xf32>""", TWO)
# Three parts of 1000 x 2000 elements are no dimension's.
UNSHRINKABLE = """func.func @loss(%w: tensor<999x2000xf32> {tt.param = "w"},
    %k: tensor<2xi32> {tt.input = "key"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.dropout %w, %k p = 0.1 site = 0 samples = 27 : (tensor<999x2000xf32>, tensor<2xi32>) -> tensor<999x2000xf32>
  %l = tt.sum %y dims = [0, 1] : (tensor<999x2000xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
"""

good()
# The logarithm of a negative number.
refused("not finite", loss("""  %s = tt.square %w : tensor<6xf32>
  %n = tt.neg %s : tensor<6xf32>
  %y = tt.log %n : tensor<6xf32>"""),
        r"graph\.mlir:5:\d+: error: 'tt\.log' op gives a value that is not a number, so nothing "
        r"can be certified")
refused("unreached", UNREACHED,
        r"graph\.mlir:2:\d+: error: certificate: gradients: reached of parameter 'v': expected more "
        r"than 0, but got 0 \(.*tt\.frozen.*--allow-unreached\)")
# What the certificate cannot ask is named, and the rest is asked.
reverse_only = custom("2.0", "2.0").replace(" jvp = @forward", "")
with tempfile.TemporaryDirectory() as folder:
    status, stderr, files = compile_graph(folder, reverse_only, "--certify")
    expect(status == 0 and "dot left out: 'tt.custom_vjp' has no JVP rule" in stderr,
           "reverse rule only: status %d: %s" % (status, stderr))
    if status == 0:
        with open(os.path.join(folder, "out", "model.json")) as file:
            part = json.load(file)["certificate"]["parts"][0]
        expect(part["left_out"] == [{"check": "dot", "op": "tt.custom_vjp",
                                     "place": "graph.mlir:20:8", "why": "has no JVP rule"}],
               "left_out: %s" % part.get("left_out"))
        expect(all(finding["check"] != "dot" for finding in part["findings"]),
               "a dot test of a graph without forward mode")
refused("reverse rule only, wrong", reverse_only.replace("dense<2.0>", "dense<2.01>", 1),
        r"error: certificate: gradients: .*; the reverse rule of 'tt\.custom_vjp' at "
        r"\S*graph\.mlir:20:8 is wrong by itself: \w+ of its operands: expected at ")
# The way out is spelt as the tool does.
refused("not reached at all", loss("  %y = tt.mul %w, %x : tensor<6xf32>", TWO),
        r"graph\.mlir:2:\d+: error: the results of @loss do not depend on argument 1 "
        r"\(parameter \"v\"\): freeze it with tt\.frozen, or pass --allow-unreached")
# Rules that are wrong are named by their op.
refused("reverse rule", custom("2.01", "2.0"),
        r"error: certificate: gradients: .*; the reverse rule of 'tt\.custom_vjp' at "
        r"\S*graph\.mlir:20:8 is wrong by itself: \w+ of its operands: expected at ")
refused("forward rule", custom("2.0", "1.99"),
        r"error: certificate: gradients: dot of .*; the forward rule of 'tt\.custom_vjp' at "
        r"\S*graph\.mlir:20:8 is wrong by itself: dot of its operands: expected at most 1e-12")
refused("unshrinkable", UNSHRINKABLE,
        r"graph\.mlir:\d+.*cannot be shrunk, and with \d+ elements it is too large")
with tempfile.TemporaryDirectory() as folder:
    # The terms behind an element of a scan are as many as its dimension.
    status, text, _ = compile_graph(folder, """
func.func @loss(%w: tensor<3000x400xf32> {tt.param = "w", tt.init = "normal:1"})
    -> (tensor<f32> {tt.output = "loss"}) {
  %c = tt.cumsum %w dim = 0 : (tensor<3000x400xf32>) -> tensor<3000x400xf32>
  %t = tt.tanh %c : tensor<3000x400xf32>
  %l = tt.mean %t dims = [0, 1] : (tensor<3000x400xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
""", "--certify", "--target=cpu:native")
    expect(status == 0, "a long scan is certified: " + text)
    # A refusal of the step says so, whichever part met it.
    status, text, _ = compile_graph(folder, """
func.func @loss(%w: tensor<4xf32> {tt.param = "w"}, %s: tensor<i64> {tt.input = "seed"})
    -> (tensor<f32> {tt.output = "loss"}) {
  %l = tt.sum %w dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
""", "--certify")
    expect(status == 1 and re.search(r'graph.mlir:2:\d+: error: .*"seed"', text),
           "a diagnostic of a pass is not lost: " + text)
for graph in (UNREACHED, loss("  %y = tt.mul %w, %x : tensor<6xf32>", TWO)):
    with tempfile.TemporaryDirectory() as folder:
        status, stderr, files = compile_graph(folder, graph, "--certify", "--allow-unreached")
        expect(status == 0 and len(files) == 3, "allowed unreached parameter: " + stderr)
print("%d failed" % len(failures))
sys.exit(1 if failures else 0)

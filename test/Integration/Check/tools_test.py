#!/usr/bin/env python3
"""tt-run on a compiled library, and tt-check --compiled and --bisect.

usage: tools_test.py BIN_FOLDER TOUR.mlir
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import unittest

from bisect_cases import Bisect  # noqa: F401
from tools_case import OPTIONS, ToolsCase, npy

STRIP = shutil.which("strip") or "llvm-strip-22"


def safetensors(names, metadata=None):
    """A file of f32 scalars, all 0."""
    head = {name: {"dtype": "F32", "shape": [], "data_offsets": [4 * i, 4 * i + 4]}
            for i, name in enumerate(names)}
    if metadata:
        head["__metadata__"] = metadata
    text = json.dumps(head).encode()
    return struct.pack("<Q", len(text)) + text + bytes(4 * len(names))


class Tools(ToolsCase):
    def test_the_library_says_what_the_interpreter_says(self):
        self.eval("--init-seed=3", "--random-seed=1",
                  "--save=" + self.path("weights.safetensors"))
        files = ["--input", self.path("x.npy"), "--input", self.path("targets.npy")]
        ours = self.eval("--parameters=" + self.path("weights.safetensors"), *files)
        # An option takes one file: the graph after it is not an input.
        truth = self.tool("tt-run", "--reference", "--function=loss",
                          "--inputs=" + self.path("weights.safetensors"), *files, OPTIONS.tour)
        found, wanted = (float(text.split(" = ")[1]) for text in (ours, truth))
        self.assertAlmostEqual(found, wanted, delta=2e-6 * abs(wanted))

    def test_results_go_to_files(self):
        self.tool("tt-run", self.library, "--entry=grad", "--init-seed=3",
                  "--random-seed=1", "--output-dir=" + self.folder.name,
                  "--outputs=" + self.path("grad.safetensors"))
        with open(self.path("grad:w.npy"), "rb") as file:
            data = file.read()
        self.assertIn(b"'<f4'", data)
        self.assertEqual(len(data) % 64, 0)
        self.assertEqual(len(data[data.index(b"\n") + 1:]), 16 * 16 * 4)
        with open(self.path("grad.safetensors"), "rb") as file:
            self.assertIn(b'"grad:head"', file.read())

    def test_time(self):
        text = self.eval("--init-seed=3", "--random-seed=1", "--time=3", "--threads=2")
        self.assertRegex(text, r"\ntime: median [0-9.]+ ms, smallest .* 3 runs after "
                               "the first, 2 threads\n")

    def test_training_moves_the_parameters(self):
        step = ("--entry=train_step", "--init-seed=3", "--random-seed=1")
        for rate, name in (("0", "still"), ("0.1", "moved")):
            self.tool("tt-run", self.library, *step, "--set=learning_rate=" + rate,
                      "--save=" + self.path(name + ".safetensors"))
        self.eval("--init-seed=3", "--random-seed=1",
                  "--save=" + self.path("first.safetensors"))
        losses = [self.eval("--random-seed=1", "--parameters=" + self.path(
            name + ".safetensors")) for name in ("first", "still", "moved")]
        self.assertEqual(losses[0], losses[1])
        self.assertLess(float(losses[2].split(" = ")[1]),
                        float(losses[0].split(" = ")[1]))

    def test_errors(self):
        library = self.library
        with open(library, "rb") as file:
            self.write("cut.so", file.read()[:5000])
        self.write("three.npy", npy((3,), [1, 2, 3], "f"))
        self.write("far.npy", npy((8,), [0, 1, 2, 3, 4, 5, 1, 2], "i"))
        x, targets = "--input=" + self.path("x.npy"), "--input=" + self.path("targets.npy")
        init = "--init-seed=1"
        for arguments, message in [
                ((library, "--random-seed=1"), "found no --entry, wanted one of train_step, "
                 "grad, eval, logits"),
                ((library, "--entry=step"), 'found no entry "step", wanted one of'),
                ((library, "--entry=eval", init), "input x: found no value for f32[8, 16], "
                 "wanted --input, --inputs, --set or --random-seed"),
                ((library, "--entry=eval", "--random-seed=1"), "found no parameters, wanted "
                 "--parameters=FILE or --init-seed=N"),
                ((library, "--entry=eval", init, "--input=" + self.path("three.npy"), targets),
                 "input x: found floats of shape [3], wanted f32[8, 16]"),
                ((library, "--entry=eval", init, targets, x),
                 "input x: found integers of shape [8], wanted f32[8, 16]"),
                ((library, "--entry=eval", init, x, "--input=" + self.path("far.npy")),
                 "'targets' of entry 'eval' to hold indices in [0, 5)"),
                ((library, "--entry=eval", init, x, targets, targets),
                 "found more --input options than inputs to fill"),
                ((library, "--entry=train_step", init, "--random-seed=1", "--set=step=0"),
                 "'step' of entry 'train_step' to count from 1, but got 0"),
                ((library, "--entry=train_step", init, "--random-seed=1",
                  "--set=learning_rate=inf"), "to be finite, but got inf"),
                ((library, "--entry=train_step", init, "--random-seed=1", "--set=step=1.5"),
                 '--set step: found "1.5", wanted a value of i64[]'),
                ((library, "--entry=train_step", init, "--random-seed=1", "--set=rate=1"),
                 '--set: found "rate=1", wanted NAME=VALUE of a scalar input: step'),
                ((library, "--entry=eval", "--mode=typed"), "--mode: found it with a library"),
                ((OPTIONS.tour, "--entry=eval"), "found no library (NAME.so), wanted one, or"),
                ((OPTIONS.tour, "--reference", "--time=3"), "--time: found it with --reference"),
                ((library, "--reference"), "--reference: found a library, wanted a .mlir"),
                (("no.so", "--entry=eval"), "no.so: cannot open: No such file"),
                ((self.path("cut.so"), "--entry=eval"), "bytes, wanted"),
                ((library, "--entry=eval", "--random-seed=1",
                  "--parameters=" + self.path("x.npy")), "x.npy")]:
            with self.subTest(message=message):
                text = self.tool("tt-run", *arguments, status=1)
                self.assertIn("tt-run: error: ", text)
                self.assertIn(message, text)
                self.assertEqual(text.count("\n"), 1, text)

    def test_tensors_that_nothing_reads(self):
        file = self.path("named.safetensors")
        reference = ("tt-run", "--reference", OPTIONS.tour, "--random-seed=1")
        library = ("tt-run", self.library, "--entry=eval", "--init-seed=1",
                   "--random-seed=1")
        for names, metadata, message in [
                (["x", "targts"], None, 'found tensor "targts", wanted %s, did you mean '
                 "'targets'?"),
                (["adam.m.x"], None, 'found tensor "adam.m.x", wanted %s'),
                (["adam.m.u"], {"tt.hash": "0"}, 'found tensor "adam.m.u", wanted %s'),
                (["a\x1bb"], None, 'found tensor "a\\x1bb", wanted %s'),
                (["a\nb"], None, 'found tensor "a\\x0ab", wanted %s')]:
            self.write("named.safetensors", safetensors(names, metadata))
            of_function = message % "an argument of @loss"
            of_entry = message % "an input of entry eval (parameters come with --parameters)"
            for command, text in [(reference, of_function), (library, of_entry),
                                  (("tt-check", OPTIONS.tour), of_function),
                                  (("tt-check", OPTIONS.tour, "--compiled"), of_function)]:
                with self.subTest(command=command, names=names):
                    self.assertEqual(
                        self.tool(*command, "--inputs=" + file, status=1),
                        "%s: error: %s: %s\n" % (command[0], file, text))

    def test_odd_names_survive_every_file(self):
        names = ["a/b", "a_b", 'a"b', "a\\b", "*/ #error", "int", "INT", "1x", "\u00e9",
                 "\U0001f642", "a b", "<script>", "%s%n", "../x", ".", "??/", "learning rate",
                 "\u202eabc", "x" * 200]
        # MLIR's escapes.
        texts = ["".join(c if c.isalnum() and c.isascii() else
                         "".join("\\%02X" % byte for byte in c.encode()) for c in name)
                 for name in names]
        lines = ["  %%s0 = tt.add %%p0, %%x : tensor<4xf32>"]
        lines += ["  %%s%d = tt.add %%s%d, %%p%d : tensor<4xf32>" % (i, i - 1, i)
                  for i in range(1, len(names))]
        lines = [line.replace("%%", "%") for line in lines]
        self.write("odd.mlir", ("func.func @loss(%s, %%x: tensor<4xf32> {tt.input = \"for\"}) "
                                "-> (tensor<f32> {tt.output = \"loss\"}, "
                                "tensor<4xf32> {tt.output = \"%s\"}) {\n%s\n  %%q = tt.square "
                                "%%s%d : tensor<4xf32>\n  %%l = tt.mean %%q dims = [0] : "
                                "(tensor<4xf32>) -> tensor<f32>\n  return %%l, %%q : "
                                "tensor<f32>, tensor<4xf32>\n}\n"
                                % (", ".join("%%p%d: tensor<4xf32> {tt.param = \"%s\"}" % pair
                                             for pair in enumerate(texts)),
                                   texts[4], "\n".join(lines), len(names) - 1)).encode())
        graph, base = self.path("odd.mlir"), self.path("odd")
        self.tool("tt-compile", graph, "-o", base)
        with open(base + ".json") as file:
            manifest = json.load(file)
        self.assertEqual(sorted(row["name"] for row in manifest["parameters"]), sorted(names))
        for compiler, suffix in ((shutil.which("clang-22") or "cc", ".c"),
                                 (shutil.which("clang++-22") or "c++", ".cpp")):
            self.write("use" + suffix, b'#include "odd.h"\n')
            subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                            self.path("use" + suffix)], check=True)
        saved, grads = self.path("odd.safetensors"), self.path("grads")
        call = ("tt-run", base + ".so", "--random-seed=1")
        os.mkdir(grads)
        self.tool(*call, "--entry=train_step", "--init-seed=1", "--save=" + saved)
        with open(saved, "rb") as file:
            size, = struct.unpack("<Q", file.read(8))
            head = json.loads(file.read(size))
        self.assertEqual({name for name in head if name in names}, set(names))
        text = self.tool(*call, "--entry=grad", "--parameters=" + saved, "--output-dir=" + grads,
                         "--outputs=" + self.path("odd_grads.safetensors"))
        self.assertEqual(text.count("\n"), len(names) + 2, text)
        self.assertNotIn("\u202e", text)
        self.assertEqual(len(os.listdir(grads)), len(names) + 2)
        self.tool("tt-run", "--reference", graph, "--inputs=" + saved, "--random-seed=1")
        for tool, *more in (("tt-check", "--compiled"), ("tt-plan",)):
            self.assertNotIn("\u202e", self.tool(tool, graph, *more))

    def test_ids_without_a_limit(self):
        """They read zero outside the table; with a limit they are refused."""
        graph = """func.func @loss(%%t: tensor<5x2xf32> {tt.param = "t"}, %%i: tensor<4xi32> {tt.input = "ids"%s}) -> (tensor<f32> {tt.output = "loss"}) {
  %%e = tt.embedding %%t, %%i : (tensor<5x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  %%q = tt.square %%e : tensor<4x2xf32>
  %%l = tt.sum %%q dims = [0, 1] : (tensor<4x2xf32>) -> tensor<f32>
  return %%l : tensor<f32>
}
"""
        ids = [-1, 2147483647, -2147483648, 6]
        self.write("ids.npy", npy((4,), ids, "i"))
        for name, limit, message in (("free", "", None),
                                     ("wide", ", tt.index_limit = 7", "in [0, 7), but got -1"),
                                     ("right", ", tt.index_limit = 5", "in [0, 5), but got -1")):
            self.write(name + ".mlir", (graph % limit).encode())
            self.tool("tt-compile", self.path(name + ".mlir"), "-o", self.path(name))
            for entry in ("eval", "grad", "train_step"):
                text = self.tool("tt-run", self.path(name + ".so"), "--entry=" + entry,
                                 "--init-seed=1", "--input=" + self.path("ids.npy"),
                                 "--random-seed=1", status=1 if message else 0)
                if message:
                    self.assertIn("'ids' of entry '%s' to hold indices %s" % (entry, message),
                                  text)
                elif entry != "train_step":
                    self.assertIn("loss float[] = 0\n", text)
                if entry == "grad" and not message:
                    self.assertIn("grad:t float[5, 2] = 0 0 0 0 0 0 0 0 0 0\n", text)

    def test_damaged_libraries(self):
        with open(self.library, "rb") as file:
            whole = file.read()
        self.assertEqual(whole[-16:-8], b"tt-crc64")
        command = ("tt-run", self.path("copy/tour.so"), "--entry=eval", "--init-seed=3",
                   "--random-seed=1")
        os.mkdir(self.path("copy"))
        for at in [*range(0, 64, 9), *range(64, len(whole) - 16, len(whole) // 40),
                   *range(len(whole) - 16, len(whole))]:
            self.write("copy/tour.so", whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1:])
            text = self.tool(*command, status=1)
            self.assertRegex(text, r"^tt-run: error: \S+/copy/tour\.so: found .*wanted .*\n$",
                             "byte %d" % at)
        for more in (b"x", whole[-16:]):
            self.write("copy/tour.so", whole + more)
            self.assertIn("copy/tour.so: found ", self.tool(*command, status=1))

    def test_stripped_libraries(self):
        """strip leaves the checksum away: there is nothing to compare with."""
        os.mkdir(self.path("stripped"))
        stripped = self.path("stripped/tour.so")
        subprocess.run([STRIP, "-o", stripped, self.library], check=True)
        arguments = ("--entry=eval", "--init-seed=3", "--random-seed=1")
        self.assertEqual(self.tool("tt-run", stripped, *arguments),
                         self.tool("tt-run", self.library, *arguments))

    def test_libraries_are_the_same_bytes(self):
        again = self.path("again/tour")
        os.mkdir(self.path("again"))
        self.tool("tt-compile", OPTIONS.tour, "-o", again)
        with open(again + ".so", "rb") as ours, open(self.library, "rb") as first:
            self.assertEqual(ours.read(), first.read())

    def test_standard_output_that_is_full(self):
        init = ("--init-seed=1", "--random-seed=1")
        for name, *arguments in [
                ("tt-run", self.library, "--entry=eval", *init),
                ("tt-run", OPTIONS.tour, "--reference", "--random-seed=1"),
                ("tt-check", OPTIONS.tour, "--function=loss"), ("tt-plan", OPTIONS.tour),
                ("tt-compile", OPTIONS.tour, "--emit=kernels"), ("tt-compile", "--help"),
                ("tt-run", "--version"), ("tt-check", "--version"), ("tt-plan", "--help")]:
            with self.subTest(name=name, arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([os.path.join(OPTIONS.tools, name), *arguments], stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=240)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, r"(^|\n)%s: error: standard output: cannot "
                                 r"write(: No space left on device)?\n$" % name)

    def test_every_tool_shows_an_example_and_its_version(self):
        for name in ("tt-check", "tt-compile", "tt-import", "tt-opt", "tt-plan", "tt-run",
                     "tt-train"):
            with self.subTest(name=name):
                tool = os.path.join(OPTIONS.tools, name)
                text = subprocess.check_output([tool, "--help"], text=True)
                self.assertRegex(text, r"(?m)^Examples?:?")
                self.assertNotRegex(text, "amdgpu|aarch64")
                version = subprocess.check_output([tool, "--version"], text=True)
                self.assertRegex(version, r"^%s \d+\.\d+\.\d+\n$" % name)

    def test_seeds(self):
        for option, value in (("--init-seed", "-1"), ("--random-seed", "1.5"),
                              ("--random-seed", "18446744073709551616")):
            self.assertIn(option + ": found " + value + ", wanted a whole number in [0, 2^64)",
                          self.eval(option + "=" + value, status=1))

    def test_values_that_cannot_be(self):
        for tool, before, option, message in [
                ("tt-run", "tt-run: error: ", "--threads=0", "a whole number in [1, 256]"),
                ("tt-run", "tt-run: error: ", "--threads=x", "a whole number in [1, 256]"),
                ("tt-run", "tt-run: error: ", "--threads=1.5", "a whole number in [1, 256]"),
                ("tt-run", "tt-run: error: ", "--level=5", "0, 3 or 4"),
                ("tt-run", "tt-run: error: ", "--mode=fast", "ideal or typed"),
                ("tt-run", "tt-run: error: ", "--time=0", "a whole number in [1, 1000000]"),
                ("tt-check", "tt-check: error: ", "--directions=0",
                 "a whole number in [1, 1000]"),
                ("tt-check", "tt-check: error: ", "--seed=-1", "a whole number in [0, 2^64)"),
                ("tt-import", "tt-import: error: ", "--batch=0",
                 "a whole number in [1, 16777216]"),
                ("tt-import", "tt-import: error: ", "--dtype=f8", "f32 or f64"),
                ("tt-compile", "tt-compile: error: ", "--threads=0", "a whole number in [1, 256]"),
                ("tt-compile", "tt-compile: error: ", "--threads=99999999999", "a whole number in [1, 256]"),
                ("tt-compile", "tt-compile: error: ", "--eps=small", "a number"),
                ("tt-compile", "tt-compile: error: ", "--certify-seed=1e3", "a whole number in [0, 2^64)"),
                ("tt-train", "tt-train: error: ", "--temperature=nan",
                 "a number in [0, 1000]"),
                ("tt-train", "tt-train: error: ", "--clip=-1", "a number of at least 0"),
                ("tt-train", "tt-train: error: ", "--checkpoint-policy=some",
                 "none, full or sqrt"),
                ("tt-train", "tt-train: error: ", "--seed=99999999999999999999",
                 "a whole number of 64 bits"),
                ("tt-train", "tt-train: error: ", "--steps=1e3",
                 "a whole number of 64 bits")]:
            name, value = option.split("=")
            good = {"tt-import": ("--workload=W2", "-o", "x"), "tt-train": (),
                    "tt-compile": (OPTIONS.tour, "--certify")}.get(tool, (OPTIONS.tour,))
            with self.subTest(tool=tool, option=option):
                self.assertEqual(
                    self.tool(tool, *good, option, status=1),
                    "%s%s: found %s, wanted %s (--help lists the options)\n" % (
                        before, name, value, message))

    def test_words_that_are_right(self):
        """Values after a space, an equals sign and a letter; files among options."""
        run = ("--entry", "eval", "--init-seed", "3", "--random-seed=1")
        plain = self.tool("tt-run", self.library, *run)
        for words, runs in ((("--time", self.library, *run), 10),
                            ((*run, "--time", "2", self.library), 2),
                            ((self.library, *run, "--time=3"), 3),
                            (("--time", *run, "--", self.library), 10)):
            with self.subTest(words=words):
                text = self.tool("tt-run", *words)
                self.assertTrue(text.startswith(plain), text)
                self.assertIn("; %d runs after" % runs, text)
        self.tool("tt-import", "--workload=W2", "--batch", "1", "--seq=4", "-o", "words")
        with open(self.path("words.mlir"), "rb") as file:
            model = file.read()
        for words in (("-owords",), ("-o=words",), ("--output=words",), ("--output", "words")):
            with self.subTest(words=words):
                os.unlink(self.path("words.mlir"))
                self.tool("tt-import", "--workload=W2", "--batch=1", "--seq", "4", *words)
                with open(self.path("words.mlir"), "rb") as file:
                    self.assertEqual(file.read(), model)

    def test_options_without_effect(self):
        record = "--record=" + self.path("x")
        for arguments, message in [
                (("--no-gradients",), "--no-gradients: found no --compiled with it, wanted both"),
                (("--output=x",), "--output: found no --bisect with it, wanted both or none"),
                (("--library=x",), "--library: found no --bisect with it, wanted both or none"),
                ((record,), "--record: found no --bisect with it, wanted both or none"),
                (("--compiled", "--wrt=0"), "--compiled: found --wrt with it, wanted one of"),
                (("--directions=1", "--compiled"), "--directions: found --compiled with it"),
                (("--bisect",), "--bisect: found no --record with it, wanted both or none"),
                (("--bisect", record, "--compiled"), "--bisect: found --compiled with it"),
                (("--inputs=x", "--bisect", record), "--inputs: found --bisect with it")]:
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.tool("tt-check", OPTIONS.tour, *arguments, status=1))
        self.assertIn("--with-state: found no --parameters", self.eval(
            "--init-seed=1", "--random-seed=1", "--with-state", status=1))
        self.assertIn("--init-seed: found --with-state with it, wanted one of them", self.eval(
            "--init-seed=1", "--with-state", "--parameters=x", status=1))

    def test_inputs_stay(self):
        """No output replaces a file that is read, by whatever name."""
        with open(OPTIONS.tour, "rb") as file:
            source = file.read()
        graph, other = self.path("own.mlir"), self.path("same.mlir")
        with open(graph, "wb") as file:
            file.write(source)
        os.link(graph, other)
        for name in (graph, other):
            text = self.tool("tt-run", "--reference", graph, "--random-seed=1",
                             "--outputs=" + name, status=1)
            self.assertIn("found a file that is read as well", text)
            with open(graph, "rb") as file:
                self.assertEqual(file.read(), source)

    def test_single_precision_is_checked_in_f64(self):
        """1/15 is no f32 number."""
        path = self.path("mean.mlir")
        with open(path, "w") as file:
            file.write("func.func @f(%x: tensor<3x5xf32>) -> tensor<f32> {\n"
                       "  %l = tt.mean %x dims = [0, 1] : (tensor<3x5xf32>) -> tensor<f32>\n"
                       "  return %l : tensor<f32>\n}\n")
        self.assertIn("PASS", self.tool("tt-check", path))

    def test_unwritable_outputs(self):
        """They are found before the call, so nothing is printed."""
        missing = self.path("missing/file")
        library = (self.library, "--entry=eval", "--init-seed=1", "--random-seed=1")
        for arguments in (library, (OPTIONS.tour, "--reference", "--random-seed=1")):
            for option in ("--outputs=" + missing, "--output-dir=" + missing):
                with self.subTest(arguments=arguments, option=option):
                    text = self.tool("tt-run", *arguments, option, status=1)
                    self.assertRegex(text, r'^tt-run: error: cannot save "\S*/missing/file.*": '
                                     r".*No such file or directory \(errno 2\)\n$")
        for option in ("--save=" + missing, "--record=" + missing):
            self.assertIn("cannot save", self.tool("tt-run", *library, option, status=1))

    def test_check_compiled(self):
        text = self.tool("tt-check", OPTIONS.tour, "--function=loss", "--compiled")
        self.assertIn("result0 (loss)", text)
        self.assertIn("d_arg2 (head)", text)
        self.assertIn("same bits: gradients, checkpoint sqrt, v3, 2 threads  pass\n", text)
        self.assertTrue(text.endswith("PASS\n"), text)

    def test_function_names_with_blanks(self):
        self.write("blanks.mlir", (
            'func.func @"a b, c/\u00fc"(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<f32> {\n'
            "  %y = tt.square %x : tensor<4xf32>\n"
            "  %l = tt.sum %y dims = [0] : (tensor<4xf32>) -> tensor<f32>\n"
            "  return %l : tensor<f32>\n}\n").encode())
        self.assertTrue(self.tool("tt-check", "blanks.mlir").endswith("PASS\n"))


if __name__ == "__main__":
    OPTIONS.tools, OPTIONS.tour = (os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

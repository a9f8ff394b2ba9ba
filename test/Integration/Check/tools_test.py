#!/usr/bin/env python3
"""tt-run on a compiled library, and tt-check --compiled and --bisect.

usage: tools_test.py BIN_FOLDER TOUR.mlir
"""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

TOOLS, TOUR = "", ""


def npy(shape, values, code):
    """A .npy file's bytes; code is f or i, of 4 bytes."""
    header = "{'descr': '<%s4', 'fortran_order': False, 'shape': (%s), }" % (
        code, "".join("%d, " % size for size in shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\0" + struct.pack("<H", len(header))
            + header.encode() + struct.pack("<%d%s" % (len(values), code), *values))


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.library = cls.path("tour.so")
        cls.tool("tt-compile", TOUR, "-o", cls.library[:-3])
        cls.write("x.npy", npy((8, 16), [0.01 * i - 0.5 for i in range(128)], "f"))
        cls.write("targets.npy", npy((8,), [0, 1, 2, 3, 4, 0, 1, 2], "i"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def write(cls, name, data):
        with open(cls.path(name), "wb") as file:
            file.write(data)

    @classmethod
    def tool(cls, name, *arguments, status=0):
        done = subprocess.run([os.path.join(TOOLS, name), *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=240, cwd=cls.folder.name)
        if done.returncode != status:
            raise AssertionError("%s: status %d, wanted %d\n%s%s" % (
                [name, *arguments], done.returncode, status, done.stdout, done.stderr))
        return done.stdout if status == 0 else done.stderr + done.stdout

    def eval(self, *arguments, status=0):
        return self.tool("tt-run", self.library, "--entry=eval", *arguments,
                         status=status)

    def test_the_library_says_what_the_interpreter_says(self):
        self.eval("--init-seed=3", "--random-seed=1",
                  "--save=" + self.path("weights.safetensors"))
        files = ["--input", self.path("x.npy"), "--input", self.path("targets.npy")]
        ours = self.eval("--parameters=" + self.path("weights.safetensors"), *files)
        # An option takes one file: the graph after it is not an input.
        truth = self.tool("tt-run", "--reference", "--function=loss",
                          "--inputs=" + self.path("weights.safetensors"), *files, TOUR)
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
                 '--set: found "rate=1", wanted NAME=VALUE of an input'),
                ((library, "--entry=eval", "--mode=typed"), "--mode: found it with a library"),
                ((TOUR, "--entry=eval"), "found no library (NAME.so), wanted one, or"),
                ((TOUR, "--reference", "--time=3"), "--time: found it with --reference"),
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

    def test_standard_output_that_is_full(self):
        init = ("--init-seed=1", "--random-seed=1")
        for name, *arguments in [
                ("tt-run", self.library, "--entry=eval", *init),
                ("tt-run", TOUR, "--reference", "--random-seed=1"),
                ("tt-check", TOUR, "--function=loss"), ("tt-plan", TOUR),
                ("tt-compile", TOUR, "--emit=kernels"), ("tt-compile", "--help"),
                ("tt-run", "--version"), ("tt-check", "--version"), ("tt-plan", "--help")]:
            with self.subTest(name=name, arguments=arguments), open("/dev/full", "w") as full:
                done = subprocess.run([os.path.join(TOOLS, name), *arguments], stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=240)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, r"(^|\n)%s: error: standard output: cannot "
                                 r"write(: No space left on device)?\n$" % name)

    def test_seeds(self):
        for option, value in (("--init-seed", "-1"), ("--random-seed", "1.5"),
                              ("--random-seed", "18446744073709551616")):
            self.assertIn(option + ": found " + value + ", wanted a whole number in [0, 2^64)",
                          self.eval(option + "=" + value, status=1))

    def test_options_without_effect(self):
        record = "--record=" + self.path("x")
        for arguments, message in [
                (("--no-gradients",), "--no-gradients requires --compiled"),
                (("--output=x",), "--output requires --bisect"),
                (("--library=x",), "--library requires --bisect"),
                ((record,), "--record requires --bisect"),
                (("--compiled", "--wrt=0"), "--wrt excludes --compiled"),
                (("--compiled", "--directions=1"), "--directions excludes --compiled"),
                (("--bisect", record, "--compiled"), "--compiled excludes --bisect"),
                (("--bisect", record, "--inputs=x"), "--inputs excludes --bisect")]:
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.tool("tt-check", TOUR, *arguments, status=1))
        self.assertIn("--with-state: found no --parameters", self.eval(
            "--init-seed=1", "--random-seed=1", "--with-state", status=1))

    def test_inputs_stay(self):
        """No output replaces a file that is read, by whatever name."""
        with open(TOUR, "rb") as file:
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
        for arguments in (library, (TOUR, "--reference", "--random-seed=1")):
            for option in ("--outputs=" + missing, "--output-dir=" + missing):
                with self.subTest(arguments=arguments, option=option):
                    text = self.tool("tt-run", *arguments, option, status=1)
                    self.assertRegex(text, r'^tt-run: error: cannot save "\S*/missing/file.*": '
                                     r".*No such file or directory \(errno 2\)\n$")
        for option in ("--save=" + missing, "--record=" + missing):
            self.assertIn("cannot save", self.tool("tt-run", *library, option, status=1))

    def test_check_compiled(self):
        text = self.tool("tt-check", TOUR, "--function=loss", "--compiled")
        self.assertIn("result0 (loss)", text)
        self.assertIn("d_arg2 (head)", text)
        self.assertIn("same bits: gradients, checkpoint sqrt, v3, 2 threads  pass\n", text)
        self.assertTrue(text.endswith("PASS\n"), text)

    def test_bisect(self):
        record = self.path("step.safetensors")
        self.tool("tt-run", self.library, "--entry=train_step", "--init-seed=3",
                  "--random-seed=1", "--record=" + record)
        bisect = ("tt-check", TOUR, "--bisect", "--record=" + record,
                  "--output=" + self.path("found"))
        self.assertRegex(self.tool(*bisect), r"^\d+ launches replayed: every result is "
                                             "finite and within its bound\n$")
        self.assertFalse(os.path.exists(self.path("found.mlir")))
        self.assertIn("expected the graph of the record's library", self.tool(
            "tt-check", self.overflowing(), *bisect[2:], status=1))
        self.assertIn("found no record of a call", self.tool(
            *bisect[:3], "--record=" + self.saved(), status=1))

    def test_bisect_builds_the_steps_again_with_the_library_s_options(self):
        """Each changes the hash, so a record is refused if one were lost."""
        for number, options in enumerate((
                ["--no-fuse", "--checkpoint=full", "--target=cpu:x86-64-v3"],
                ["--loss-chunks=2", "--schedule=alternate", "--weight-decay=0.3"],
                ["--clip-norm=0", "--decay=re:w", "--beta1=0.8", "--beta2=0.9999",
                 "--eps=1e-7", "--function=loss"])):
            base = self.path("tour%d" % number)
            record = base + ".safetensors"
            self.tool("tt-compile", TOUR, "-o", base, *options)
            self.tool("tt-run", base + ".so", "--entry=train_step", "--init-seed=3",
                      "--random-seed=1", "--record=" + record)
            self.assertIn("launches replayed: every result is finite", self.tool(
                "tt-check", TOUR, "--bisect", "--record=" + record))

    def saved(self):
        path = self.path("saved.safetensors")
        self.eval("--init-seed=3", "--random-seed=1", "--save=" + path)
        return path

    def overflowing(self):
        """A graph whose exp overflows in f32."""
        self.write("big.mlir", b"""func.func @loss(%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.add %w, %x : tensor<4xf32>
  %e = tt.exp %y : tensor<4xf32>
  %l = tt.sum %e dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
""")
        return self.path("big.mlir")

    def test_bisect_names_the_op_that_overflows(self):
        graph = self.overflowing()
        self.tool("tt-compile", graph, "-o", self.path("big"))
        self.write("hot.npy", npy((4,), [1.0, 2.0, 100.0, 3.0], "f"))
        record = self.path("big.safetensors")
        self.tool("tt-run", self.path("big.so"), "--entry=train_step", "--init-seed=1",
                  "--input=" + self.path("hot.npy"), "--random-seed=1",
                  "--record=" + record)
        text = self.tool("tt-check", graph, "--bisect", "--record=" + record,
                         "--output=" + self.path("found"), status=1)
        self.assertRegex(text, r"^\S*big\.mlir:3:8: tt\.exp\n  launch \d+, kernel @\S+: "
                               r"result \d is not finite: inf")
        with open(self.path("found.mlir")) as file:
            program = file.read()
        self.assertIn("tt.exp", program)
        self.assertLess(program.count("\n"), 16, program)
        values = self.tool("tt-run", "--reference", self.path("found.mlir"), "--mode=typed",
                           "--inputs=" + self.path("found.safetensors"))
        self.assertIn("inf", values)


if __name__ == "__main__":
    TOOLS, TOUR = (os.path.abspath(path) for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

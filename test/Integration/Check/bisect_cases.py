"""tt-check --bisect: records of steps, replayed and searched."""
import os

from tools_case import OPTIONS, ToolsCase, npy


class Bisect(ToolsCase):
    def test_bisect(self):
        record = self.path("step.safetensors")
        self.tool("tt-run", self.library, "--entry=train_step", "--init-seed=3",
                  "--random-seed=1", "--record=" + record)
        bisect = ("tt-check", OPTIONS.tour, "--bisect", "--record=" + record,
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
            self.tool("tt-compile", OPTIONS.tour, "-o", base, *options)
            self.tool("tt-run", base + ".so", "--entry=train_step", "--init-seed=3",
                      "--random-seed=1", "--record=" + record)
            self.assertIn("launches replayed: every result is finite", self.tool(
                "tt-check", OPTIONS.tour, "--bisect", "--record=" + record))

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

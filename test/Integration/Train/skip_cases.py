"""Steps that are skipped, because their gradients are not finite, leave no trace."""
import os
import re
import struct
import subprocess
import unittest.mock

from checkpoint_file import set_metadata
from train_case import OPTIONS, STEPS, TrainCase, header_of, read

HERE = os.path.dirname(os.path.abspath(__file__))
# Not finite: the gradients of a batch that begins with an "e".
INFINITE = {"FAKE_INF_TOKEN": "7"}


class Skip(TrainCase):
    """On a library written by hand."""

    def setUp(self):
        super().setUp()
        self.assertEqual(sorted(set(read(self.text, "r")))[7], "e")
        patch = unittest.mock.patch.dict(os.environ, INFINITE)
        patch.start()
        self.addCleanup(patch.stop)

    def rows(self, out):
        """step, loss, grad_norm, clip, learning_rate, skipped, validation_loss"""
        lines = read(self.path(out) + "/log.csv", "r").split("\n")[1:-1]
        return [line.split(",") for line in lines if line.split(",")[1]]

    def metadata(self, out):
        header, _ = header_of(self.path(out) + "/checkpoint.safetensors")
        return header["__metadata__"]

    def skipped_steps(self, out):
        return [int(row[0]) for row in self.rows(out) if row[5] == "1"]

    def test_rows_schedule_and_count(self):
        done = self.run_tool(self.training("out"))
        rows, skipped = self.rows("out"), self.skipped_steps("out")
        self.assertEqual([int(row[0]) for row in rows], list(range(1, STEPS + 1)))
        self.assertTrue(3 < len(skipped) < STEPS / 2, skipped)
        self.assertRegex(done.stdout, rf"skipped steps +{len(skipped)}  their")
        self.assertEqual(self.metadata("out")["tt.train.step"], str(STEPS))
        self.assertEqual(self.metadata("out")["tt.train.skipped"], str(len(skipped)))
        with unittest.mock.patch.dict(os.environ, {"FAKE_INF_TOKEN": "-1"}):
            self.run_tool(self.training("all"))
        self.assertEqual(self.metadata("all")["tt.train.skipped"], "0")
        # The rates of the updates are those of a run's first steps, in order; a
        # skipped step had the rate that the next one has.
        rates = [row[4] for row in self.rows("all")]
        updates = [row[4] for row in rows if row[5] == "0"]
        self.assertEqual(updates, rates[:len(updates)])
        for step in skipped:
            if step < STEPS:
                self.assertEqual(rows[step - 1][4], rows[step][4])

    def test_stop_at_each_side_of_a_skip(self):
        constant = ["--schedule=constant", "--warmup=10"]
        self.run_tool(self.training("whole", *constant))
        step = self.skipped_steps("whole")[1]
        self.run_tool(self.training("parts", *constant, f"--steps={step - 1}"))
        for steps in (step, step + 1, STEPS):
            done = self.run_tool(self.command("--resume", f"--out={self.path('parts')}",
                                              f"--steps={steps}", "--num-tokens=0"))
        self.assertIn(f"at step {step + 1}, 2 of them skipped\n", done.stdout)
        self.assert_equal_runs("whole", "parts")

    def test_kill_behind_a_skip(self):
        self.run_tool(self.training("whole"))
        step = [s for s in self.skipped_steps("whole") if s > 20][0]
        process = self.start(self.training("parts", f"--checkpoint-every={step}"),
                             stdout=subprocess.DEVNULL)
        self.wait_for_step("parts", step + 2, process)
        process.kill()
        process.wait()
        # The last step before the checkpoint is the skipped one.
        self.assertEqual(self.step_of("parts"), step)
        self.run_tool(self.command("--resume", f"--out={self.path('parts')}",
                                   "--checkpoint-every=100"))
        self.assert_equal_runs("whole", "parts")

    def set_count(self, out, value):
        set_metadata(self.path(out) + "/checkpoint.safetensors", "tt.train.skipped", value)

    def test_checkpoints_without_the_count(self):
        os.environ["FAKE_INF_TOKEN"] = "-1"
        constant = ["--schedule=constant", "--warmup=10"]
        self.run_tool(self.training("whole", *constant))
        self.run_tool(self.training("parts", *constant, "--steps=70"))
        self.set_count("parts", None)
        self.run_tool(self.command("--resume", f"--out={self.path('parts')}",
                                   f"--steps={STEPS}"))
        self.assert_equal_runs("whole", "parts")

    def test_counts_that_cannot_be(self):
        self.run_tool(self.training("out", "--steps=50"))
        for text in ("51", "-1", "x", ""):
            self.set_count("out", text)
            done = self.run_tool(self.command("--resume", f"--out={self.path('out')}"), 1)
            self.assertEqual(
                done.stderr, f"tt-train: error: {self.path('out')}/checkpoint.safetensors: "
                f'metadata "tt.train.skipped": found "{text}", wanted 0 to 50, the steps\n')


class SkipCompiled(TrainCase):
    """RF-27: AdamW at gradients of 0.1, inf and 0.2."""

    def setUp(self):
        super().setUp()
        if not OPTIONS.compiler:
            self.skipTest("no --compiler")
        self.text = self.write("text.txt", "abc" * 300 + "a" * 101)
        self.model = self.path("overflow")
        self.run_tool([OPTIONS.compiler, os.path.join(HERE, "Inputs/overflow.mlir"),
                       f"--output={self.model}", "--beta2=0.999", "--weight-decay=0",
                       "--clip-norm=0"])

    def train(self, out, *arguments):
        # Of this seed, because the first batches are "a", "b", "c".
        self.run_tool([OPTIONS.tool, f"--library={self.model}.so", f"--text={self.text}",
                       f"--out={self.path(out)}", "--seed=3", "--lr=0.1", "--warmup=0",
                       "--schedule=constant", "--eval-every=0", "--num-tokens=0",
                       *arguments])

    def values(self, out):
        path = self.path(out) + "/checkpoint.safetensors"
        header, start = header_of(path)
        data = read(path)[start:]
        return {name: struct.unpack_from("<f", data, entry["data_offsets"][0])[0]
                for name, entry in header.items() if name != "__metadata__"}

    def test_numbers(self):
        self.train("out", "--steps=3")
        log = read(self.path("out") + "/log.csv", "r")
        self.assertEqual(re.findall(r"^\d+,[^,]*,([^,]*),[^,]*,0\.1,(\d),", log, re.M),
                         [("0.1", "0"), ("inf", "1"), ("0.2", "0")])
        values = self.values("out")
        self.assertAlmostEqual(values["w"], 0.803481814, delta=1e-7)
        self.assertAlmostEqual(values["adam.m.w"], 0.029, delta=1e-8)
        self.assertAlmostEqual(values["adam.v.w"], 4.999e-05, delta=1e-10)

    def test_resume_around_the_skip(self):
        self.train("whole", "--steps=3")
        for first in (1, 2):
            out = f"parts{first}"
            self.train(out, f"--steps={first}")
            for steps in range(first + 1, 4):
                self.run_tool([OPTIONS.tool, "--resume", f"--out={self.path(out)}",
                               f"--steps={steps}", "--num-tokens=0"])
            self.assert_equal_runs("whole", out)

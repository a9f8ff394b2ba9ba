"""Runs that begin with a graph or a configuration; the compiler is in tt-train."""
import csv
import os
import re

from train_case import OPTIONS, TrainCase, header_of, read

HERE = os.path.dirname(os.path.abspath(__file__))
GRAPH = os.path.join(HERE, "Inputs/bigram.mlir")
METRICS = os.path.join(HERE, "Inputs/metrics.mlir")
CONFIG = os.path.join(HERE, "../Compile/Inputs/gpt.json")  # with dropout of 0.1


class Graph(TrainCase):
    def start_run(self, out, *arguments, status=0):
        return self.run_tool([OPTIONS.tool, f"--text={self.text}",
                              f"--out={self.path(out)}", *arguments], status)

    def last_loss(self, out):
        rows = read(self.path(out) + "/log.csv", "r").split("\n")[1:-1]
        return float(rows[-1].split(",")[6])

    def test_mlir_trains_resumes_and_samples(self):
        steps = ["--lr=0.03", "--schedule=constant", "--warmup=0", "--num-tokens=0",
                 "--eval-every=20"]
        done = self.start_run("whole", f"--mlir={GRAPH}", *steps, "--steps=60")
        self.assertRegex(done.stdout, r"compile \S+/whole/model.so in .* kernels")
        self.assertIn("model.so: 1,280 parameters, batch 4, context 8, vocabulary 40\n",
                      done.stdout)
        self.start_run("parts", f"--mlir={GRAPH}", *steps, "--steps=25")
        first = read(self.path("parts") + "/log.csv", "r").split("\n")[1]
        self.assertLess(self.last_loss("whole"), float(first.split(",")[6]) - 0.3)
        # The run has its library: --out is enough.
        out = f"--out={self.path('parts')}"
        self.run_tool([OPTIONS.tool, "--resume", out, "--steps=60", "--num-tokens=0"])
        self.assert_equal_runs("whole", "parts")
        sample = ["--sample", "--prompt=the ", "--num-tokens=30"]
        texts = [self.run_tool([OPTIONS.tool, *sample, f"--out={self.path(run)}"]).stdout
                 for run in ("whole", "parts")]
        self.assertEqual(texts[0], texts[1])
        self.assertTrue(texts[0].startswith("the "))
        self.assertEqual(len(texts[0]), 4 + 30 + 1)
        self.assertLessEqual(set(texts[0]), set(read(self.text, "r")))

    def test_metrics_are_logged(self):
        steps = ["--lr=0.03", "--schedule=constant", "--warmup=0", "--num-tokens=0"]
        self.start_run("whole", f"--mlir={METRICS}", *steps, "--steps=60")
        self.start_run("parts", f"--mlir={METRICS}", *steps, "--steps=25")
        self.run_tool([OPTIONS.tool, "--resume", f"--out={self.path('parts')}",
                       "--steps=60", "--num-tokens=0"])
        self.assert_equal_runs("whole", "parts")
        with open(self.path("whole") + "/log.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0])[7:], ["metric:accuracy", "metric:right, of 32"])
        self.assertEqual([int(row["step"]) for row in rows], list(range(61)))
        self.assertEqual({rows[0][name] for name in list(rows[0])[7:]}, {""})
        right = [int(row["metric:right, of 32"]) for row in rows[1:]]
        self.assertEqual([float(row["metric:accuracy"]) for row in rows[1:]],
                         [n / 32 for n in right])
        self.assertGreater(sum(right[-10:]), 2 * sum(right[:10]))

    def graph_of(self, out):
        return read(self.path(out) + "/model.mlir", "r")

    def test_refused_resume_keeps_the_library(self):
        """A graph that the run cannot go on with is refused before it is compiled."""
        steps = ["--lr=0.03", "--num-tokens=0"]
        self.start_run("run", f"--mlir={METRICS}", *steps, "--steps=5")
        names = sorted(os.listdir(self.path("run")))
        before = [read(self.path("run") + "/" + name) for name in names]
        text = read(METRICS, "r")
        for changed, found in (
                (text.replace("accuracy", "share"),
                 r"log\.csv:1: found another first line, wanted \"step,.*,metric:share"),
                (text.replace("x16x", "x24x").replace("<16x", "<24x"),
                 r"checkpoint\.safetensors: tensor \"\w+\": found \[.*16.*\] f32, wanted "
                 r"\[.*24.*\] f32")):
            graph = self.write("other.mlir", changed)
            done = self.run_tool([OPTIONS.tool, "--resume", f"--out={self.path('run')}",
                                  f"--mlir={graph}", "--steps=9", "--num-tokens=0",
                                  "--allow-other-model"], status=1)
            self.assertRegex(done.stderr, found)
            self.assertEqual(sorted(os.listdir(self.path("run"))), names)
            self.assertEqual([read(self.path("run") + "/" + name) for name in names], before)
        self.run_tool([OPTIONS.tool, "--resume", f"--out={self.path('run')}", "--steps=9",
                       "--num-tokens=0"])

    def test_dropout(self):
        config = [f"--config={CONFIG}", "--batch=2", "--seq=16", "--steps=2",
                  "--num-tokens=0"]
        note = ("import  note: built without dropout, the configuration has up to 0.1; "
                "--dropout=config takes it over\n")
        self.assertIn(note, self.start_run("none", *config).stdout)
        self.assertNotIn("dropout", self.graph_of("none"))
        for option, p in (("config", "1.000000e-01"), ("0.25", "2.500000e-01")):
            out = f"with-{option}"
            done = self.start_run(out, *config, f"--dropout={option}")
            self.assertNotIn("note", done.stdout)
            found = re.findall(r"tt\.dropout .*? p = (\S+)", self.graph_of(out))
            self.assertEqual(set(found), {p})
            self.assertIn("dropout_p = " + p, self.graph_of(out))
            self.assertNotEqual(header_of(self.path(out) + "/checkpoint.safetensors")[0],
                                header_of(self.path("none") + "/checkpoint.safetensors")[0])
        # The note comes before the text, which is too short here, is looked at.
        self.text = self.write("short.txt", "abc")
        for option, notes in ((["--dropout=0"], 0), ([], 1)):
            done = self.start_run("short", *config, *option, status=1)
            self.assertEqual(done.stdout.count(note), notes)

    def test_dropout_that_cannot_be(self):
        config = [f"--config={CONFIG}", "--batch=2", "--seq=16"]
        for value in ("1", "-0.1", "nan", "much"):
            done = self.start_run("out", *config, f"--dropout={value}", status=1)
            self.assertEqual(done.stderr, f'tt-train: error: --dropout: found "{value}", '
                             'wanted a number in [0, 1) or "config"\n')
            self.assertFalse(os.path.exists(self.path("out")))
        done = self.start_run("out", f"--mlir={GRAPH}", "--dropout=0.1", status=1)
        self.assertEqual(done.stderr, "tt-train: error: --dropout: found --mlir with it, "
                         "wanted --config\n")

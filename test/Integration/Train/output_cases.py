"""What tt-train prints and writes."""
import os
import re
import xml.dom.minidom

from train_case import OPTIONS, STEPS, TrainCase, english, read


class Output(TrainCase):
    def test_report(self):
        done = self.run_tool(self.training("out"))
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\x1b", done.stdout)
        loss = float(re.search(r"validation loss +(\S+)  nats, mean over all "
                               r"1,999 held-out characters\n", done.stdout)[1])
        baseline = float(re.search(r"bigram baseline +(\S+)  ",
                                   done.stdout)[1])
        difference = float(re.search(r"difference +(\S+)  ", done.stdout)[1])
        self.assertAlmostEqual(loss - baseline, difference, delta=2e-4)
        self.assertAlmostEqual(baseline, self.bigram(), delta=1e-4)
        self.assertIn("  total  ", done.stdout)
        self.assertIn("\nsample\n", done.stdout)

    def bigram(self):
        """The baseline again, from its definition."""
        from collections import Counter
        from math import log
        text = read(self.text, "r")
        cut = len(text) - len(text) // 10
        head, tail = text[:cut], text[cut:]
        firsts, pairs = Counter(head[:-1]), Counter(zip(head, head[1:]))
        size = len(set(text))
        return -sum(log((pairs[a, b] + 1) / (firsts[a] + size))
                    for a, b in zip(tail, tail[1:])) / (len(tail) - 1)

    def test_learns(self):
        done = self.run_tool(self.training("out", "--steps=400", "--lr=0.05"))
        rows = read(self.path("out") + "/log.csv", "r").split("\n")[1:-1]
        first, last = float(rows[0].split(",")[6]), float(rows[-1].split(",")[6])
        self.assertLess(last, first - 0.5, done.stdout)

    def test_files(self):
        self.run_tool(self.training("out"))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["checkpoint.safetensors", "log.csv", "loss.svg",
                          "timing.csv"])
        svg = xml.dom.minidom.parse(self.path("out") + "/loss.svg")
        self.assertEqual(svg.documentElement.tagName, "svg")
        log = read(self.path("out") + "/log.csv", "r").split("\n")
        self.assertEqual(log[0], "step,loss,grad_norm,clip,learning_rate,"
                         "skipped,validation_loss")
        self.assertEqual([line.split(",")[0] for line in log[1:-1]],
                         [str(i) for i in range(STEPS + 1)])
        evaluated = [line.split(",")[0] for line in log[1:-1]
                     if line.split(",")[6]]
        self.assertEqual(evaluated, ["0", "50", "100", "150", "200"])

    def test_same_bits_for_any_threads(self):
        self.run_tool(self.training("one", "--threads=1"))
        self.run_tool(self.training("three", "--threads=3"))
        self.assert_equal_runs("one", "three")

    def test_another_seed_is_another_run(self):
        self.run_tool(self.training("one", "--seed=1", "--steps=20"))
        self.run_tool(self.training("two", "--seed=2", "--steps=20"))
        self.assertNotEqual(read(self.path("one") + "/log.csv"),
                            read(self.path("two") + "/log.csv"))

    def test_init(self):
        self.run_tool(self.training("first", "--steps=60"))
        path = self.path("first") + "/checkpoint.safetensors"
        self.run_tool(self.training("second", "--steps=1", f"--init={path}"))
        first = read(self.path("first") + "/log.csv", "r").split("\n")
        second = read(self.path("second") + "/log.csv", "r").split("\n")
        self.assertLess(float(second[1].split(",")[6]),
                        float(first[1].split(",")[6]))

    def test_sample(self):
        self.run_tool(self.training("out", "--steps=60"))
        out = f"--out={self.path('out')}"

        def sample(*more, status=0):
            return self.run_tool(self.command("--sample", out,
                                              "--num-tokens=50", *more), status)
        one = sample("--prompt=the ").stdout
        self.assertTrue(one.startswith("the "))
        self.assertEqual(len(one), 4 + 50 + 1)
        self.assertEqual(one, sample("--prompt=the ").stdout)
        self.assertNotEqual(one, sample("--prompt=the ", "--seed=2").stdout)
        greedy = sample("--temperature=0").stdout
        self.assertEqual(greedy, sample("--top-k=1", "--seed=5").stdout)
        path = self.path("out") + "/checkpoint.safetensors"
        self.assertEqual(greedy, self.run_tool(self.command(
            "--sample", f"--checkpoint={path}", "--temperature=0",
            "--num-tokens=50")).stdout)
        self.assertEqual(
            sample("--prompt=QED", status=1).stderr,
            "tt-train: error: --prompt:1: byte 0: found U+0051, wanted one of "
            f"the {len(set(read(self.text, 'r')))} characters of the "
            "vocabulary\n")
        self.assertIn("--num-samples: found 100000, wanted at most",
                      sample("--num-samples=100000", status=1).stderr)

    def test_bytes(self):
        if not OPTIONS.bytes_library:
            self.skipTest("no --bytes-library")
        many = english(9000) + "".join(chr(0x100 + i) for i in range(300))
        self.text = self.write("text.txt", many)
        command = self.training("out", "--steps=20")
        command[1] = f"--library={OPTIONS.bytes_library}"
        done = self.run_tool(command)
        self.assertIn("256 different bytes", done.stdout)
        self.text = self.write("text.txt", os.urandom(9000))
        command = self.training("bin", "--steps=20", "--vocabulary=bytes")
        command[1] = f"--library={OPTIONS.bytes_library}"
        done = self.run_tool(command)
        self.assertNotRegex(done.stdout, "[\x00-\x08\x0b-\x1f\x7f]")

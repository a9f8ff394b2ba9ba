"""A run of tt-train in a folder of its own; for the cases of train_test.py."""
import argparse
import json
import os
import random
import shutil
import struct
import subprocess
import tempfile
import time
import unittest

OPTIONS = argparse.Namespace()  # filled by train_test.py
STEPS = 200


def english(size, seed=1):
    """Words with a structure that a bigram model can learn; 29 characters."""
    rng = random.Random(seed)
    words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy",
             "dog", "and", "very", "plain", "zebra", "with", "gum", "boxes"]
    text = ""
    while len(text) < size:
        text += rng.choice(words) + rng.choice([" ", " ", " ", ".\n"])
    return text[:size]


def header_of(path):
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(size)), 8 + size


def read(path, mode="rb"):
    with open(path, mode) as file:
        return file.read()


class TrainCase(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="tt-train-test-")
        self.text = self.write("text.txt", english(20000))

    def tearDown(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, contents):
        if isinstance(contents, str):
            contents = contents.encode()
        with open(self.path(name), "wb") as file:
            file.write(contents)
        return self.path(name)

    def command(self, *arguments, library=None):
        return [OPTIONS.tool, f"--library={library or OPTIONS.library}",
                *arguments]

    def training(self, out, *arguments, library=None):
        return self.command(
            f"--text={self.text}", f"--out={self.path(out)}",
            f"--steps={STEPS}", "--lr=0.01", "--eval-every=50",
            "--eval-batches=3", "--checkpoint-every=100", "--num-tokens=20",
            *arguments, library=library)

    def run_tool(self, command, status=0, slow=False, **more):
        env = dict(os.environ, LC_ALL="C")
        if slow:
            env["FAKE_STEP_MS"] = "10"
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace",
                              timeout=300, **more)
        self.assertEqual(done.returncode, status,
                         f"{command}\n{done.stdout}\n{done.stderr}")
        return done

    def start(self, command, **more):
        env = dict(os.environ, LC_ALL="C", FAKE_STEP_MS="10")
        return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                                **more)

    def wait_for_step(self, out, step, process):
        """Until the log has that step; the process must still be running."""
        path = os.path.join(self.path(out), "log.csv")
        for _ in range(60000):
            if os.path.exists(path):
                lines = read(path, "r").split("\n")[1:-1]
                if lines and int(lines[-1].split(",")[0]) >= step:
                    break
            self.assertIsNone(process.poll(), "it ended too early")
            time.sleep(0.001)
        self.assertIsNone(process.poll(), "it ended too early")

    def step_of(self, out):
        header, _ = header_of(self.path(out) + "/checkpoint.safetensors")
        return int(header["__metadata__"]["tt.train.step"])

    def assert_equal_runs(self, first, second):
        """Parameters, moments, metadata, logs and plots, byte for byte."""
        a = self.path(first) + "/checkpoint.safetensors"
        b = self.path(second) + "/checkpoint.safetensors"
        (head_a, start_a), (head_b, start_b) = header_of(a), header_of(b)
        self.assertEqual(head_a, head_b)
        data_a, data_b = read(a)[start_a:], read(b)[start_b:]
        for name, entry in head_a.items():
            if name != "__metadata__":
                low, high = entry["data_offsets"]
                self.assertEqual(data_a[low:high], data_b[low:high], name)
        self.assertEqual(read(a), read(b))
        for name in ("log.csv", "loss.svg"):
            self.assertEqual(read(f"{self.path(first)}/{name}"),
                             read(f"{self.path(second)}/{name}"), name)

#!/usr/bin/env python3
"""Kills a training run at random times until it is done, again and again, and
compares each outcome byte for byte with a run that nobody killed.

random_kills.py --tool=tt-train --library=NAME.so [--kills=1000] [--seed=1]
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

STEPS = 400
FILES = ("checkpoint.safetensors", "log.csv", "loss.svg")


class Kills:
    def __init__(self, args):
        self.args = args
        self.folder = tempfile.mkdtemp(prefix="tt-random-kills-")
        self.rng = random.Random(args.seed)
        self.kills = self.early = self.runs = 0
        text = os.path.join(self.folder, "text.txt")
        words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog"]
        with open(text, "w") as file:
            while file.tell() < 20000:
                file.write(self.rng.choice(words) + self.rng.choice([" ", " ", ".\n"]))
        self.first = [args.tool, f"--library={args.library}", f"--text={text}",
                      f"--steps={STEPS}", "--lr=0.01", "--eval-every=50",
                      "--eval-batches=2", "--checkpoint-every=7", "--num-tokens=0",
                      f"--threads={args.threads}"]
        self.again = [args.tool, "--resume", "--num-tokens=0"]

    def path(self, run, name=""):
        return os.path.join(self.folder, run, name)

    def start(self, command):
        # Slow steps: so that a kill falls into a step, a save or between.
        env = dict(os.environ, FAKE_STEP_MS="1")
        return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def finish(self, command):
        process = self.start(command)
        _, errors = process.communicate(timeout=600)
        if process.returncode:
            sys.exit(f"{command}: status {process.returncode}: {errors.decode()}")

    def one_run(self, name):
        """True if the files are those of the run that nobody killed."""
        out = f"--out={self.path(name)}"
        while True:
            started = os.path.exists(self.path(name, FILES[0]))
            command = self.again + [out] if started else self.first + [out, "--overwrite"]
            process = self.start(command)
            try:
                _, errors = process.communicate(timeout=self.rng.random() * self.longest)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                self.kills += 1
                self.early += not started
                continue
            if process.returncode:
                sys.exit(f"{command}: status {process.returncode}: {errors.decode()}")
            break
        for file in FILES:
            with open(self.path(name, file), "rb") as one, \
                 open(self.path("whole", file), "rb") as two:
                if one.read() != two.read():
                    sys.exit(f"FAIL {self.path(name, file)} differs from the whole run's")
        left = [file for file in os.listdir(self.path(name))
                if file not in FILES + ("timing.csv",)]
        if left:
            sys.exit(f"FAIL left beside the run: {left}")
        shutil.rmtree(self.path(name))

    def run(self):
        start = time.monotonic()
        self.finish(self.first + [f"--out={self.path('whole')}"])
        # A part of what a run takes here, so that every run moves on.
        self.longest = 0.4 * (time.monotonic() - start)
        while self.kills < self.args.kills:
            self.one_run(f"run{self.runs}")
            self.runs += 1
            print(f"{self.kills} kills, {self.runs} runs", flush=True)
        print(f"{self.kills} kills ({self.early} before the first checkpoint) in {self.runs} "
              f"runs of {STEPS} steps, {time.monotonic() - start:.0f} s: every run ended at "
              "the same bytes")
        shutil.rmtree(self.folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    Kills(parser.parse_args()).run()

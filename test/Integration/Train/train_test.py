#!/usr/bin/env python3
"""tt-train end to end: what it prints, writes, refuses and survives.

  train_test.py --tool=bin/tt-train --library=NAME.so [unittest arguments]

The library may be a compiled model; it needs a vocabulary of 40 ids. Cases
that need another library are skipped without --other-library (the same tensors
under another hash) and --bytes-library (256 ids or more).
"""
import argparse
import json
import os
import pty
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import xml.dom.minidom

OPTIONS = None
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

    def training(self, out, *arguments):
        return self.command(
            f"--text={self.text}", f"--out={self.path(out)}",
            f"--steps={STEPS}", "--lr=0.01", "--eval-every=50",
            "--eval-batches=3", "--checkpoint-every=100", "--num-tokens=20",
            *arguments)

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


class Resume(TrainCase):
    def test_kill_and_resume_is_bit_identical(self):
        self.run_tool(self.training("whole", "--threads=2"))
        process = self.start(self.training("parts", "--threads=1"),
                             stdout=subprocess.DEVNULL)
        self.wait_for_step("parts", 130, process)
        process.kill()
        process.wait()
        self.assertEqual(self.step_of("parts"), 100)
        done = self.run_tool(self.command(
            "--resume", f"--out={self.path('parts')}", "--threads=2",
            "--num-tokens=20"))
        self.assertIn("at step 100\n", done.stdout)
        self.assert_equal_runs("whole", "parts")
        timing = read(self.path("parts") + "/timing.csv", "r").split("\n")
        self.assertEqual([line.split(",")[0] for line in timing[1:-1]],
                         [str(i) for i in range(1, STEPS + 1)])

    def test_random_kills_end_at_the_same_bits(self):
        self.run_tool(self.training("whole"))
        rng = random.Random(5)
        command = self.training("parts", "--checkpoint-every=7")
        resume = self.command("--resume", f"--out={self.path('parts')}",
                              "--checkpoint-every=7", "--num-tokens=0")
        kills, step = 0, 0
        while step < STEPS:
            process = self.start(command, stdout=subprocess.DEVNULL)
            self.wait_for_step("parts", step, process)
            try:
                process.wait(timeout=0.1 + rng.random() * 0.5)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            process.wait()
            if os.path.exists(self.path("parts") + "/checkpoint.safetensors"):
                step, command = self.step_of("parts"), resume
            self.assertLess(kills, 200)
        self.assertGreater(kills, 1)
        # The last save's checkpoint-every is in the file; make it the same.
        self.run_tool(self.command("--resume", f"--out={self.path('parts')}",
                                   "--checkpoint-every=100"))
        self.assert_equal_runs("whole", "parts")

    def test_more_steps_later(self):
        constant = ["--schedule=constant", "--warmup=10"]
        self.run_tool(self.training("whole", *constant))
        self.run_tool(self.training("parts", *constant, "--steps=70"))
        self.run_tool(self.command("--resume", f"--out={self.path('parts')}",
                                   f"--steps={STEPS}"))
        self.assert_equal_runs("whole", "parts")

    def test_stops_at_max_seconds(self):
        done = self.run_tool(self.training("out", "--max-seconds=0.3",
                                           "--steps=100000"), slow=True)
        self.assertRegex(done.stdout, r"stopped after 0.3 s at step \d+ of "
                         "100000; --resume goes on\nvalidation loss")
        self.assertGreater(self.step_of("out"), 0)

    def test_second_tool_in_the_directory_is_refused(self):
        process = self.start(self.training("out", "--steps=100000"),
                             stdout=subprocess.DEVNULL)
        self.wait_for_step("out", 101, process)
        for more in (["--overwrite"], ["--resume"]):
            done = self.run_tool(
                self.command(f"--text={self.text}",
                             f"--out={self.path('out')}", *more), status=1)
            self.assertIn("found another tt-train writing to it", done.stderr)
        self.assertTrue(
            os.path.exists(self.path("out") + "/checkpoint.safetensors"))
        process.kill()
        process.wait()


class Interrupt(TrainCase):
    def test_signals_save_and_exit_130(self):
        self.run_tool(self.training("whole"))
        for number in (signal.SIGINT, signal.SIGTERM):
            out = f"out{number}"
            process = self.start(self.training(out), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
            self.wait_for_step(out, 40, process)
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, stderr)
            self.assertEqual(stderr, "")
            step = self.step_of(out)
            self.assertTrue(stdout.endswith(
                f"interrupted; saved at step {step} of {STEPS}; --resume goes "
                "on\n"), stdout)
            log = read(self.path(out) + "/log.csv", "r").split("\n")
            self.assertEqual(log[-2].split(",")[0], str(step))
            self.run_tool(self.command("--resume", f"--out={self.path(out)}"))
            self.assert_equal_runs("whole", out)

    def test_terminal_is_left_as_it_was(self):
        master, slave = pty.openpty()
        before = termios.tcgetattr(slave)
        env = dict(os.environ, TERM="xterm", FAKE_STEP_MS="10")
        process = subprocess.Popen(self.training("out"), stdin=slave,
                                   stdout=slave, stderr=slave, env=env,
                                   start_new_session=True)
        self.wait_for_step("out", 60, process)
        process.send_signal(signal.SIGINT)
        output = b""
        os.set_blocking(master, False)
        while True:
            has_ended = process.poll() is not None
            try:
                output += os.read(master, 65536)
            except BlockingIOError:
                if has_ended:
                    break
                time.sleep(0.01)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(termios.tcgetattr(slave), before)
        self.assertIn(b"\rstep ", output)
        self.assertIn(b"tok/s", output)
        self.assertTrue(output.endswith(b"--resume goes on\r\n"), output[-200:])
        # Only carriage returns and "erase to the end of the line".
        self.assertEqual(re.sub(rb"\x1b\[K", b"", output).count(b"\x1b"), 0)
        os.close(master)
        os.close(slave)


class Disk(TrainCase):
    def check_after_full_disk(self, out, done, reason):
        self.assertIn(reason, done.stderr)
        self.assertIn("checkpoint.safetensors", done.stderr)
        self.assertTrue(done.stderr.startswith("tt-train: error: "))

    def test_file_size_limit_keeps_the_old_checkpoint(self):
        self.run_tool(self.training("whole"))
        self.run_tool(self.training("parts", "--max-seconds=0.2"), slow=True)
        checkpoint = self.path("parts") + "/checkpoint.safetensors"
        old = read(checkpoint)
        limit = len(old) - 100

        def restrict():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        resume = self.command("--resume", f"--out={self.path('parts')}")
        done = self.run_tool(resume, status=1, preexec_fn=restrict)
        self.check_after_full_disk("parts", done, "File too large")
        self.assertEqual(read(checkpoint), old)
        self.assertEqual([name for name in os.listdir(self.path("parts"))
                          if name.endswith("tt-tmp")], [])
        self.run_tool(resume)
        self.assert_equal_runs("whole", "parts")

    def test_full_tmpfs_keeps_the_old_checkpoint(self):
        self.run_tool(self.training("whole"))
        size = os.path.getsize(self.path("whole") + "/checkpoint.safetensors")
        # Room for one checkpoint and the logs, not for two.
        pages = size // 4096 + 16 + size // 8192
        mount = self.path("small")
        os.mkdir(mount)
        try:
            subprocess.run(["mount", "-t", "tmpfs", "-o",
                            f"size={pages * 4096}", "none", mount], check=True,
                           capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no right to mount a tmpfs")
        try:
            self.run_tool(self.training("small/run", "--max-seconds=0.2"),
                          slow=True)
            checkpoint = mount + "/run/checkpoint.safetensors"
            old = read(checkpoint)
            resume = self.command("--resume", f"--out={mount}/run")
            done = self.run_tool(resume, status=1)
            self.check_after_full_disk("small/run", done,
                                       "No space left on device")
            self.assertEqual(read(checkpoint), old)
            subprocess.run(["mount", "-o", f"remount,size={pages * 40960}",
                            mount], check=True)
            self.run_tool(resume)
            self.assert_equal_runs("whole", "small/run")
        finally:
            subprocess.run(["umount", mount], check=True)

    def test_standard_output_that_is_full(self):
        with open("/dev/full", "wb") as full:
            for command in (self.training("out"), [OPTIONS.tool, "--help"]):
                done = subprocess.run(command, stdout=full,
                                      stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertRegex(done.stderr, "^tt-train: error: standard "
                                 "output: cannot write")

    def test_closed_pipe_saves(self):
        process = self.start(self.training("out", "--steps=100000"),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_for_step("out", 5, process)
        process.stdout.close()
        stderr = process.stderr.read().decode()
        self.assertEqual(process.wait(), 1)
        self.assertIn("standard output: cannot write: Broken pipe", stderr)
        self.assertGreater(self.step_of("out"), 0)
        process.stderr.close()


class Errors(TrainCase):
    def check(self, command, message, **more):
        done = self.run_tool(command, status=1, **more)
        found = done.stderr.split("\n")[0].replace(self.dir, "DIR")
        found = found.replace(OPTIONS.library, "LIB")
        if isinstance(message, str):
            self.assertEqual(found, "tt-train: error: " + message)
        else:
            self.assertRegex(found, message)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_command_line(self):
        text, out = f"--text={self.text}", f"--out={self.path('o')}"
        tool, library = OPTIONS.tool, f"--library={OPTIONS.library}"
        for arguments, message in [
            ([], "--out: found nothing, wanted a directory"),
            ([library, out], "--text: found nothing, wanted a file"),
            ([text, out], "found no model, wanted --config, --mlir or "
             "--library"),
            ([text, out, library, "--mlir=x"], "found 2 of --config, --mlir "
             "and --library, wanted one"),
            ([text, out, "--config=x"], "--config: wanted --batch and --seq "
             "with it"),
            ([text, out, library, "--resume", "--overwrite"], "--resume: found "
             "--overwrite with it, wanted one of them"),
            (["--sample"], "--sample: wanted --out or --checkpoint with it"),
            (["--sample", "--checkpoint=c"], "--sample: wanted --library with "
             "--checkpoint"),
            ([text, out, library, "--steps=0"],
             "--steps: found 0, wanted 1 to 1000000000"),
            ([text, out, library, "--lr=-1"],
             "--lr: found -1, wanted a number above 0"),
            ([text, out, library, "--lr=nan"],
             "--lr: found nan, wanted a number above 0"),
            ([text, out, library, "--min-lr=1"],
             "--min-lr: found 1, wanted 0 to --lr, 0.001"),
            ([text, out, library, "--warmup=1001"],
             "--warmup: found 1001, wanted 0 to --steps, 1000"),
            ([text, out, library, "--schedule=linear"],
             "--schedule: found linear, wanted cosine or constant"),
            ([text, out, library, "--validation=1"],
             "--validation: found 1, wanted a number above 0, at most 0.9"),
            ([text, out, library, "--validation=0"],
             "--validation: found 0, wanted a number above 0, at most 0.9"),
            ([text, out, library, "--threads=100000"], re.compile("thread")),
        ]:
            with self.subTest(arguments=arguments):
                self.check([tool, *arguments], message)
        for arguments in (["--nonsense"], ["--steps=x"], ["--steps"], ["file"],
                          ["--vocabulary=words"], ["--temperature=-1"],
                          ["--top-k=-1"], ["--max-seconds=-1"],
                          ["--num-tokens=-1"], ["--steps=1e3"],
                          ["--threads=-1"], ["--seed=99999999999999999999"]):
            with self.subTest(arguments=arguments):
                self.check([tool, text, out, library, *arguments],
                           re.compile(r"^tt-train: error: .*\(--help lists"))

    def test_texts(self):
        cases = [
            ("empty", b"", "DIR/empty: found an empty file, wanted text"),
            ("utf8", b"abc\nde\xff\xfe" + b"f" * 9000,
             "DIR/utf8:2: byte 6: found 0xff, wanted UTF-8 text"),
            ("cut", b"abc" * 3000 + b"\xe2\x82",
             "DIR/cut:1: byte 9000: found 0xe2, wanted UTF-8 text"),
            ("short", b"abc", re.compile(
                r"DIR/short: found 3 characters to train on \(3 less 0 held "
                r"out\), wanted at least \d+: the model's context of \d+ and "
                "one$")),
        ]
        for name, contents, message in cases:
            self.text = self.write(name, contents)
            with self.subTest(name=name):
                self.check(self.training("out"), message)
        self.text = self.path("missing")
        self.check(self.training("out"),
                   "DIR/missing: cannot open: No such file or directory")
        self.text = self.dir
        self.check(self.training("out"), "DIR: cannot read: Is a directory")
        self.text = self.write("bad\x1b[31m", b"")
        self.check(self.training("out"),
                   "DIR/bad\\x1b[31m: found an empty file, wanted text")

    def test_vocabulary_that_is_too_large(self):
        done = self.run_tool(self.training("first", "--steps=1"))
        size = int(re.search(r"vocabulary (\d+)\n", done.stdout)[1])
        if size > 50000:
            self.skipTest("no text has that many characters")
        many = "".join(chr(0x4E00 + i) for i in range(size + 1))
        self.text = self.write("many", many * 20)
        self.check(self.training("out", "--vocabulary=characters"),
                   f"DIR/many: found {size + 1} distinct characters, wanted "
                   f"at most {size}, the model's vocabulary")
        if size < 256:
            self.check(self.training("out"),
                       f"DIR/many: found {size + 1} distinct characters, "
                       f"wanted at most {size}, the model's vocabulary (bytes "
                       "need one of 256)")
            self.check(self.training("out", "--vocabulary=bytes"),
                       "--vocabulary: found bytes, wanted characters: the "
                       f"model's vocabulary is {size}, bytes need 256")

    def test_directories(self):
        self.write("file", "x")
        self.check(self.training("file/run"),
                   "DIR/file/run: cannot make the directory: Not a directory")
        self.check(self.training("file"),
                   re.compile("DIR/file: cannot make the directory: "))
        self.check(self.command(f"--text={self.text}", "--out=/dev/full"),
                   re.compile("/dev/full: cannot make the directory: "))
        self.check(self.command(f"--text={self.text}", "--out=/proc/tt-run"),
                   re.compile("/proc/tt-run: cannot make the directory: "))
        if os.geteuid() != 0:
            os.mkdir(self.path("closed"), 0o555)
            self.check(self.training("closed"), "DIR/closed: found a directory "
                       "that cannot be written to, wanted one for the run's "
                       "files")

    def test_runs_that_are_there(self):
        self.run_tool(self.training("out", "--steps=20"))
        self.check(self.training("out"), "DIR/out/checkpoint.safetensors: "
                   "found a run's checkpoint, wanted an empty directory, "
                   "--resume or --overwrite")
        self.run_tool(self.training("out", "--steps=30", "--overwrite"))
        self.assertEqual(self.step_of("out"), 30)
        os.unlink(self.path("out") + "/log.csv")
        os.symlink("/etc/passwd", self.path("out") + "/log.csv")
        self.check(self.training("out", "--overwrite"), "DIR/out/log.csv: "
                   "cannot open for writing: Too many levels of symbolic links")

    def test_libraries(self):
        whole = read(OPTIONS.library)
        for name, contents, message in [
                ("no.so", None, "cannot open: No such file or directory"),
                ("text.so", b"hello\n" * 99, "found no shared object for "
                 "x86-64, wanted a model library"),
                ("cut.so", whole[:len(whole) // 2],
                 f"found {len(whole) // 2} bytes, wanted a model library, of "
                 "which these are only the first part")]:
            if contents is not None:
                self.write(name, contents)
            self.check([OPTIONS.tool, f"--library={self.path(name)}",
                        f"--text={self.text}", f"--out={self.path('out')}"],
                       f"DIR/{name}: {message}")
        renamed = self.path("renamed.so")
        shutil.copy(OPTIONS.library, renamed)
        self.check([OPTIONS.tool, f"--library={renamed}",
                    f"--text={self.text}", f"--out={self.path('out')}"],
                   "'DIR/renamed.so' is not a model library: it has no "
                   "renamed_model")

    def test_resume(self):
        resume = self.command("--resume", f"--out={self.path('out')}")
        self.check(resume, re.compile("DIR/out/checkpoint.safetensors"))
        self.run_tool(self.training("out", "--steps=50"))
        path = self.path("out") + "/checkpoint.safetensors"
        good = read(path)
        _, start = header_of(path)
        for name, contents in (
                ("flipped", good[:start + 99] + bytes([good[start + 99] ^ 1]) +
                 good[start + 100:]),
                ("cut", good[:-1]), ("longer", good + b"x"),
                ("header", good[:100]), ("empty", b""),
                ("zeros", bytes(len(good)))):
            with self.subTest(name=name):
                self.write("out/checkpoint.safetensors", contents)
                self.check(resume,
                           re.compile("DIR/out/checkpoint.safetensors"))
                self.check(self.command("--sample",
                                        f"--out={self.path('out')}"),
                           re.compile("DIR/out/checkpoint.safetensors"))
                self.assertEqual(read(path), contents)
        head = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
        self.write("out/checkpoint.safetensors",
                   struct.pack("<Q", len(head)) + head + bytes(4))
        self.check(resume, "DIR/out/checkpoint.safetensors: found no metadata "
                   '"tt.train.step", wanted a checkpoint written by tt-train')
        self.write("out/checkpoint.safetensors", good)
        self.check(resume + ["--lr=0.5"], "--lr: found 0.5, wanted 0.01 as in "
                   "DIR/out/checkpoint.safetensors (leave the option away)")
        self.check(resume + ["--seed=2"], "--seed: found 2, wanted 1 as in "
                   "DIR/out/checkpoint.safetensors (leave the option away)")
        other = self.write("other", english(20000, seed=2))
        self.check(resume + [f"--text={other}"], re.compile(
            r"DIR/other: found a text with hash [0-9a-f]{16}, wanted "
            r"[0-9a-f]{16}, that of DIR/text.txt as in "
            "DIR/out/checkpoint.safetensors$"))
        log = self.path("out") + "/log.csv"
        lines = read(log)
        self.write("out/log.csv", b"mine\n")
        self.check(resume, re.compile("DIR/out/log.csv:1: found another first "
                                      "line, wanted \"step,loss"))
        self.write("out/log.csv", lines.replace(b"\n7,", b"\nseven,"))
        self.check(resume, re.compile("DIR/out/log.csv:9: found a damaged "))
        os.unlink(log)
        done = self.run_tool(resume)
        self.assertIn("log.csv: found steps up to -1, wanted 50; it goes on "
                      "with a gap\n", done.stdout)

    def test_checkpoint_of_another_model(self):
        if not OPTIONS.other_library:
            self.skipTest("no --other-library")
        self.run_tool(self.training("out", "--steps=20"))
        # Sampling first: going on makes the checkpoint the other model's.
        for more in (["--sample"], ["--resume"]):
            command = self.command(f"--out={self.path('out')}", *more,
                                   library=OPTIONS.other_library)
            self.check(command, re.compile(
                "DIR/out/checkpoint.safetensors: found a checkpoint of model "
                r"\S+, wanted one of \S+, which \S+ is \(--allow-other-model "
                r"tries it\)$"))
            self.run_tool(command + ["--allow-other-model"])

    def test_own_library(self):
        os.mkdir(self.path("out"))
        self.run_tool(self.training("out", "--steps=10"))
        self.check([OPTIONS.tool, "--resume", f"--out={self.path('out')}"],
                   "DIR/out/model.so: found no such file, wanted --config, "
                   "--mlir or --library")


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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--other-library")
    parser.add_argument("--bytes-library")
    OPTIONS, rest = parser.parse_known_args()
    for option in ("tool", "library", "other_library", "bytes_library"):
        if getattr(OPTIONS, option):
            setattr(OPTIONS, option, os.path.abspath(getattr(OPTIONS, option)))
    unittest.main(argv=[sys.argv[0], *rest])

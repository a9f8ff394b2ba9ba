"""Stopping and going on: kills, signals, time limits, full disks."""
import os
import pty
import random
import re
import resource
import signal
import subprocess
import termios
import time

from train_case import OPTIONS, STEPS, TrainCase, read


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
        # What a killed run leaves goes with the next; what is not ours stays.
        self.write("parts/.checkpoint.safetensors.77.0.tt-tmp", "half")
        self.write("parts/.loss.svg.77.1.tt-tmp", "half")
        self.write("parts/.mine.tt-tmp", "kept")
        self.run_tool(self.command("--resume", f"--out={self.path('parts')}",
                                   f"--steps={STEPS}"))
        self.assert_equal_runs("whole", "parts")
        self.assertEqual([name for name in os.listdir(self.path("parts"))
                          if name.startswith(".")], [".mine.tt-tmp"])

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

    def test_signal_while_compiling(self):
        """The graph is compiled first: nothing half-made may be left."""
        config = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "../Compile/Inputs/gpt.json")
        temporary = self.path("tmp")
        os.mkdir(temporary)
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(
                [OPTIONS.tool, f"--config={config}", "--batch=2", "--seq=40",
                 f"--text={self.text}", f"--out={self.path('out')}"],
                env=dict(os.environ, TMPDIR=temporary), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            first = process.stdout.readline()
            self.assertRegex(first, "^import  note: built without dropout, ")
            self.assertEqual(process.stdout.readline(), "compile differentiated\n")
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, stderr)
            self.assertEqual(stderr, "")
            self.assertTrue(stdout.endswith("interrupted; nothing was trained\n"),
                            stdout)
            self.assertFalse(os.path.exists(self.path("out")))
            self.assertEqual(os.listdir(temporary), [])

    def test_terminal_is_left_as_it_was(self):
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"no pseudo-terminal: {error}")
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

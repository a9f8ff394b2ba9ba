"""What tt-train refuses, and with which words."""
import os
import re
import shutil
import struct

from train_case import OPTIONS, TrainCase, english, header_of, read


class Errors(TrainCase):
    def files(self):
        """Everything in the test's folder, with its size."""
        return sorted((os.path.join(folder, name),
                       os.lstat(os.path.join(folder, name)).st_size)
                      for folder, folders, names in os.walk(self.dir)
                      for name in folders + names)

    def check(self, command, message, **more):
        before = self.files()
        done = self.run_tool(command, status=1, **more)
        self.assertEqual(self.files(), before, "a refusal left something")
        self.assertNotIn("kernels", done.stdout, "code was generated first")
        found = done.stderr.split("\n")[0].replace(self.dir, "DIR")
        found = found.replace(OPTIONS.library, "LIB")
        if isinstance(message, str):
            self.assertEqual(found, "tt-train: error: " + message)
        else:
            self.assertRegex(found, message)
        # One line, and notes of the compiler in lines of their own.
        for line in done.stderr.split("\n")[1:-1]:
            self.assertRegex(line, "^note: ", done.stderr)

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
            ([text, out, library, "--batch=3"], "--batch: found --library with it, wanted "
             "--config (a library is compiled for one batch and sequence)"),
            ([text, out, library, "--ignore-unknown"], "--ignore-unknown: found --library "
             "with it, wanted --config"),
            ([text, out, "--mlir=x", "--ignore-unknown"], "--ignore-unknown: found --mlir "
             "with it, wanted --config"),
            ([text, out, library, "--schedule=constant", "--min-lr=0"], "--min-lr: found "
             "--schedule=constant with it, wanted cosine"),
            ([text, out, library, "--temperature=0", "--top-k=5"], "--top-k: found "
             "--temperature=0 with it, wanted a temperature above 0"),
            ([text, out, library, "--num-tokens=0", "--top-k=5"], "--top-k: found "
             "--num-tokens=0 with it, wanted tokens to draw"),
            ([text, out, library, "--num-tokens=0", "--prompt="], "--prompt: found "
             "--num-tokens=0 with it, wanted tokens to draw"),
            ([text, out, library, "--allow-other-model"], "--allow-other-model: found a new "
             "run with it, wanted --resume or --sample"),
            ([text, out, library, "--clip=3"], "--clip: found --library "
             "with it, wanted --config or --mlir"),
            ([text, out, library, "--resume", "--overwrite"], "--resume: found "
             "--overwrite with it, wanted one of them"),
            ([text, out, "--mlir=x", "--seq=3"], "--seq: found --mlir with it, wanted "
             "--config (a graph has its batch and sequence in its types)"),
            ([out, "--resume", "--clip=3"], "--clip: found no graph with it, "
             "wanted --config or --mlir"),
            ([out, "--resume", "--init=x"], "--init: found --resume with it, "
             "wanted a new run"),
            ([out, "--sample", "--steps=3"], "--steps: found --sample with it, "
             "wanted a run that trains"),
            ([out, "--sample", "--resume"], "--resume: found --sample with it, "
             "wanted a run that trains"),
            ([text, out, library, "--num-samples=2"], "--num-samples: found "
             "training with it, wanted --sample"),
            (["--sample"], "--sample: wanted --out or --checkpoint with it"),
            (["--sample", "--checkpoint=c"], "--sample: wanted --library with "
             "--checkpoint"),
            ([text, out, library, "--steps=0"],
             "--steps: found 0, wanted 1 to 1000000000"),
            ([text, out, library, "--lr=-1"],
             "--lr: found -1, wanted a number above 0, at most 1e6"),
            ([text, out, library, "--lr=nan"],
             "--lr: found nan, wanted a number above 0, at most 1e6"),
            ([text, out, library, "--min-lr=1"],
             "--min-lr: found 1, wanted 0 to --lr, 0.001"),
            ([text, out, library, "--min-lr=-1"], "--min-lr: found -1, wanted a number of at least 0 "
             "(--help lists the options)"),
            ([text, out, library, "--warmup=-1"], "--warmup: found -1, wanted a number of at least 0 "
             "(--help lists the options)"),
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
                          ["--temperature=nan"], ["--max-seconds=nan"],
                          ["--clip=nan"], ["--weight-decay=-1"], ["--optimizer=sgd"],
                          ["--checkpoint-policy=some"],
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

    def test_graphs_that_do_not_fit(self):
        """Refused before there is code, and nothing is left."""
        here = os.path.dirname(os.path.abspath(__file__))
        tour = os.path.join(here, "../../../docs/Tutorial/tour.mlir")
        config = os.path.join(here, "../Compile/Inputs/gpt.json")
        self.write("init", struct.pack("<Q", 2) + b"{}")
        wrong = self.write("wrong", b"no safetensors")
        short = self.write("short", "abcdefgh" * 4)
        model = [f"--config={config}", "--batch=2", "--seq=40"]
        out = f"--out={self.path('some/where/out')}"
        with open(config) as file:
            odd = self.write("odd.json", file.read().replace("{", '{\n"n_heads": 3,', 1))
        for arguments, message in [
                ([f"--config={odd}", *model[1:], f"--text={self.text}"],
                 'odd.json:2: key "n_heads": found 3, wanted only keys that tt knows, did you '
                 "mean 'n_head'? (--ignore-unknown leaves it out)"),
                ([f"--config={odd}", *model[1:], f"--text={short}", "--ignore-unknown"],
                 re.compile("DIR/short: found 29 characters")),
                ([f"--mlir={tour}", f"--text={self.text}"],
                 f'{tour}: entry "train_step": input "tokens": found none, wanted '
                 "[?, ?] i32"),
                ([*model, f"--text={short}"], re.compile(
                    r"DIR/short: found 29 characters to train on .* context of 40 ")),
                ([*model, f"--text={self.text}", "--vocabulary=bytes"], re.compile(
                    "--vocabulary: found bytes, wanted characters: the model's ")),
                ([*model, f"--text={self.text}", f"--init={self.path('init')}"], re.compile(
                    r'DIR/init: tensor "\S+": found none, wanted \[\d+\] f32$')),
                ([*model, f"--text={self.text}", f"--init={wrong}"],
                 re.compile("DIR/wrong: ")),
                ([f"--mlir={short}", f"--text={self.text}"],
                 re.compile(r"DIR/short:\d+:\d+: error: "))]:
            with self.subTest(arguments=arguments):
                self.check([OPTIONS.tool, *arguments, out], message)
        os.mkdir(self.path("mine"))
        self.write("mine/notes", "x")
        self.check([OPTIONS.tool, *model, f"--text={short}",
                    f"--out={self.path('mine')}"], re.compile("DIR/short: found"))

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
        os.symlink("nowhere", self.path("dangling"))
        self.check(self.training("dangling"),
                   re.compile("DIR/dangling: cannot make the directory: "))
        self.assertTrue(os.path.islink(self.path("dangling")))
        if os.geteuid() != 0:
            os.mkdir(self.path("closed"), 0o555)
            self.check(self.training("closed"), "DIR/closed: found a directory "
                       "that cannot be written to, wanted one for the run's "
                       "files")

    def test_pipes(self):
        os.mkfifo(self.path("pipe")) # without a writer
        pipe, out = self.path("pipe"), f"--out={self.path('out')}"
        self.check([OPTIONS.tool, f"--library={OPTIONS.library}", f"--text={pipe}", out],
                   "DIR/pipe: found a pipe, wanted a regular file")

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
                 re.compile(rf"DIR/cut.so: found {len(whole) // 2} bytes, wanted \d+: "
                            "only the first part of a model library$"))]:
            if contents is not None:
                self.write(name, contents)
            self.check([OPTIONS.tool, f"--library={self.path(name)}",
                        f"--text={self.text}", f"--out={self.path('out')}"],
                       f"DIR/{name}: {message}" if isinstance(message, str)
                       else message)
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
        self.check(resume + ["--steps=49"], "--steps: found 49, wanted at least 50, "
                   "the step that DIR/out/checkpoint.safetensors has reached")
        for more in ([], ["--steps=50"]):
            done = self.run_tool(resume + more)
            self.assertIn("\nnothing to train: found all 50 steps taken, wanted "
                          "--steps above 50\n", done.stdout)
            self.assertIn("validation loss", done.stdout)
            self.assertEqual(read(path), good)
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
        # A run remembers the library that it began with.
        shutil.copy(OPTIONS.library, self.dir)
        library = self.path(os.path.basename(OPTIONS.library))
        self.run_tool(self.training("out", "--steps=10", library=library))
        out = f"--out={self.path('out')}"
        self.run_tool([OPTIONS.tool, "--resume", out, "--steps=12"])
        self.assertEqual(self.step_of("out"), 12)
        self.run_tool([OPTIONS.tool, "--sample", out, "--num-tokens=5"])
        moved = self.path("elsewhere")
        os.mkdir(moved)
        shutil.move(library, moved)
        self.check([OPTIONS.tool, "--resume", out],
                   f"DIR/{os.path.basename(library)}: found no such file, "
                   "wanted the library of this run there or by --library")
        library = os.path.join(moved, os.path.basename(library))
        self.run_tool([OPTIONS.tool, f"--library={library}", "--resume", out,
                       "--steps=14"])
        self.run_tool([OPTIONS.tool, "--resume", out, "--steps=16"])
        header, _ = header_of(self.path("out") + "/checkpoint.safetensors")
        self.assertEqual(header["__metadata__"]["tt.train.library"], library)

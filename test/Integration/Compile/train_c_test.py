#!/usr/bin/env python3
"""docs/Tutorial/train.c, by the commands in its own comment.

usage: train_c_test.py TRAIN.c TT_COMPILE gpt.mlir OUTPUT TEXT CC

Runs the commands in an empty folder with TRAIN.c, gpt.mlir and text.bin (the
ASCII part of TEXT); `cc` is CC where the system has none. The loss must fall, and what is saved must be a file. The
library must have the bytes of OUTPUT.so, .h and .json, which the same compiler
made from the same graph in another folder.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from report import Report


def commands_of(source):
    """The lines of the first comment that are set off by three spaces."""
    comment = re.search(r"/\*(.*?)\*/", source, re.S).group(1)
    return re.findall(r"^ \*   (\S.*)$", comment, re.M)


def compare(report, folder, output):
    for ending in (".so", ".h", ".json"):
        with open(os.path.join(folder, "gpt" + ending), "rb") as file:
            found = file.read()
        with open(output + ending, "rb") as file:
            wanted = file.read()
        report.check(found == wanted, "same graph, same bytes: gpt" + ending,
                     "%d and %d bytes" % (len(found), len(wanted)))


def run(report, folder, compiler, commands, cc):
    path = os.path.dirname(compiler) + os.pathsep + os.environ["PATH"]
    if not shutil.which("cc"):
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(cc, os.path.join(folder, "bin", "cc"))
        path += os.pathsep + os.path.join(folder, "bin")
    out = ""
    for command in commands:
        result = subprocess.run(command, shell=True, cwd=folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=dict(os.environ, PATH=path))
        if not report.check(result.returncode == 0, command, result.stderr):
            return None
        out = result.stdout
    return [float(loss) for loss in re.findall(r"loss (\S+)", out)]


def main():
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    source, compiler, model, output, text, cc = sys.argv[1:]
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(source, os.path.join(folder, "train.c"))
        shutil.copy(model, os.path.join(folder, "gpt.mlir"))
        with open(text, "rb") as file:
            ascii_part = bytes(c for c in file.read() if c < 128)
        with open(os.path.join(folder, "text.bin"), "wb") as file:
            file.write(ascii_part)
        with open(source) as file:
            commands = commands_of(file.read())
        report.check(len(commands) >= 2, "the comment has commands",
                     str(commands))
        losses = run(report, folder, compiler, commands, cc)
        if losses is not None:
            report.check(len(losses) == 10 and losses[-1] < losses[0] - 0.5,
                         "the loss falls", str(losses))
            saved = os.path.join(folder, "model.safetensors")
            report.check(os.path.isfile(saved), "the model is saved")
            compare(report, folder, output)
    report.finish()


if __name__ == "__main__":
    main()

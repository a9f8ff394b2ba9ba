#!/usr/bin/env python3
"""Runs the commands that README.md and docs show, against an existing build.

usage: run_commands.py --build DIR [--page PAGE]... [--keep DIR] [--allow-missing]

Commands are the lines of ```sh blocks, and of blocks without a language in which
every line starts with one of our tools or of KNOWN. The commands of a page run in
order, in a folder that looks like the root of the tree (links to its entries) but
takes what they write; /tmp stands for a folder in it, and FIXTURES for files that
a page takes as given. A command must exit with status 0. Blocks marked
<!-- output --> and <!-- quote: PATH --> (see pages.py) must be excerpts of what the
last command printed, and of the file that it made.

Not run: the two cold commands ./demo and ./check, what is marked <!-- no-run -->,
and, with --allow-missing, tools that are not built. A block without a language in
which only some lines are commands is an error.
"""
import argparse
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import pages

TOOLS = ("tt-opt", "tt-import", "tt-compile", "tt-plan", "tt-train", "tt-run", "tt-check")
KNOWN = TOOLS + ("cc", "mkdir", "readelf", "nm", "objdump", "llvm-objdump-22", "python3", "cmp",
                 "./demo", "./check")
COLD = ("./demo", "./check")
LLVM_BIN = "/usr/lib/llvm-22/bin"
# What the build brings, for machines that have no compiler of their own.
STANDS_FOR = {"cc": "clang-22", "readelf": "llvm-readelf-22"}


def join_lines(lines):
    """Commands: continued lines joined, comments and empty lines dropped."""
    commands, text = [], ""
    for line in lines:
        text += line.rstrip()
        if text.endswith("\\"):
            text = text[:-1] + " "
            continue
        text = re.sub(r"\s+#.*$", "", text).strip()
        if text and not text.startswith("#"):
            commands.append(text)
        text = ""
    return commands


def commands_of(block):
    if block.mark or block.language not in ("", "sh"):
        return []
    commands = join_lines(block.lines)
    if block.language == "" and not all(c.split()[0] in KNOWN for c in commands):
        return []
    return commands


def is_half_known(block):
    """Some lines are commands, others are neither run nor marked."""
    if block.mark or block.language != "":
        return False
    known = [c.split()[0] in KNOWN for c in join_lines(block.lines)]
    return any(known) and not all(known)


def make_gpt2(folder, source):
    """A GPT-2 of 256 positions from the tiny one of 12, whose file is checked in."""
    os.makedirs(folder)
    with open(os.path.join(source, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    config["n_positions"] = 256
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)
    with open(os.path.join(source, "model.safetensors"), "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header, data = json.loads(file.read(size)), file.read()
    header.pop("__metadata__", None)
    parts, offset = [], 0
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        part = data[start:end]
        if name.endswith("wpe.weight"):
            entry["shape"][0] = 256
            part = bytes(256 * entry["shape"][1] * 4)
        entry["data_offsets"] = [offset, offset + len(part)]
        offset += len(part)
        parts.append(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, "model.safetensors"), "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def make_sandbox(root, folder):
    for name in os.listdir(root):
        if not name.startswith(".") and name not in ("build", "out"):
            os.symlink(os.path.join(root, name), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "tmp"))
    make_gpt2(os.path.join(folder, "gpt2"),
              os.path.join(root, "test/Frontend/Inputs/gpt2-tiny"))
    with open(os.path.join(folder, "text.txt"), "w", encoding="utf-8") as file:
        for number in range(4000):
            file.write(f"{number} green bottles hanging on the wall.\n")


def in_folder(text):
    """A command or path with the folder's own tmp in the place of /tmp."""
    return re.sub(r"/tmp(?=[/\s]|$)", "tmp", text)


class Runner:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.env = dict(os.environ)
        shims = os.path.join(folder, "shims")
        self.env["PATH"] = os.pathsep.join(
            [os.path.join(args.build, "bin"), self.env.get("PATH", ""), LLVM_BIN, shims])
        os.mkdir(shims)
        for name, ours in STANDS_FOR.items():
            if not shutil.which(name) and shutil.which(ours):
                os.symlink(shutil.which(ours), os.path.join(shims, name))
        self.failed = self.ran = self.skipped = self.quotes = 0
        self.output, self.last = "", None

    def problem(self, place, text):
        self.failed += 1
        print(f"{place}: error: {text}")

    def run(self, block, command):
        word = command.split()[0]
        missing = word in TOOLS and not shutil.which(word, path=self.env["PATH"])
        if word in COLD or (missing and self.args.allow_missing):
            self.skipped += 1
            self.last = None
            if missing:
                print(f"{block.place()}: not run, {word} is not built: {command}")
            return
        start = time.monotonic()
        done = subprocess.run(
            ["bash", "-c", "set -o pipefail\n" + in_folder(command)],
            cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, check=False)
        self.ran += 1
        self.output = (done.stdout + done.stderr).decode("utf-8", "replace")
        self.last = command
        print(f"{block.place()}: {time.monotonic() - start:.1f} s: {command}")
        if done.returncode != 0:
            self.problem(block.place(), f"exit status {done.returncode} of '{command}'\n"
                         + self.output[-2000:])
            self.last = None

    def compare(self, block):
        if block.mark == "output":
            if self.last is None:
                return  # not run or failed, as said above
            source, name = self.output, f"what '{self.last}' prints"
        else:
            path = os.path.join(self.folder, in_folder(block.path))
            name = block.path
            if not os.path.isfile(path):
                if not (self.skipped and self.args.allow_missing):
                    self.problem(block.place(), f"found no file {block.path}")
                return
            with open(path, encoding="utf-8") as file:
                source = file.read()
        self.quotes += 1
        line = pages.find_difference(block.lines, source)
        if line is not None:
            self.problem(block.place(), f"expected an excerpt of {name}, but found no line "
                         f"'{line}' there")

    def page(self, page):
        for block in pages.blocks(self.args.root, page):
            if block.mark in ("output", "quote"):
                self.compare(block)
            if is_half_known(block):
                self.problem(block.place(), "found a block with commands that is not run, "
                             "wanted ```sh or <!-- no-run -->")
            for command in commands_of(block):
                self.run(block, command)


def main():
    parser = argparse.ArgumentParser()
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(here)))
    parser.add_argument("--build", required=True)
    parser.add_argument("--page", action="append")
    parser.add_argument("--keep", help="run here, and leave what is written")
    parser.add_argument("--allow-missing", action="store_true")
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    args.root = os.path.abspath(args.root)
    failed = 0
    for page in args.page or pages.pages(args.root):
        with tempfile.TemporaryDirectory() as temporary:
            folder = temporary
            if args.keep:
                folder = os.path.join(os.path.abspath(args.keep), page.replace("/", "-"))
                os.makedirs(folder)
            make_sandbox(args.root, folder)
            runner = Runner(args, folder)
            runner.page(page)
            if runner.ran + runner.skipped + runner.quotes:
                print(f"{page}: {runner.ran} commands run, {runner.skipped} not run, "
                      f"{runner.quotes} quotes, {runner.failed} problems")
            failed += runner.failed
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

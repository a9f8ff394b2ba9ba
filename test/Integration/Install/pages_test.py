#!/usr/bin/env python3
"""The generated reference pages: every op and every tt pass of tt-opt has a
section.

usage: pages_test.py --docs=DIR --opt=TT-OPT
"""
import argparse
import glob
import os
import re
import subprocess
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--docs", required=True)
    parser.add_argument("--opt", required=True)
    options = parser.parse_args()
    dialect = read(os.path.join(options.docs, "Dialect.md"))
    ops = re.findall(r"^### `(tt\.\w+)`", dialect, re.M)
    pages = "".join(read(path) for path in
                    sorted(glob.glob(os.path.join(options.docs, "Passes*.md"))))
    documented = set(re.findall(r"^### `-([\w-]+)`", pages, re.M))
    help_text = subprocess.run([options.opt, "--help"], check=True,
                               capture_output=True, text=True).stdout
    passes = set(re.findall(r"^ +--((?:tt|convert-tt)-[\w-]+)", help_text, re.M))
    problems = [f"pass --{name} has no section" for name in sorted(passes - documented)]
    if len(ops) < 60 or len(ops) != len(set(ops)):
        problems.append(f"expected a section per op, found {len(ops)}")
    for problem in problems:
        print(problem)
    print(f"{len(ops)} ops, {len(passes)} passes, {len(problems)} problems")
    sys.exit(1 if problems or not passes else 0)


if __name__ == "__main__":
    main()

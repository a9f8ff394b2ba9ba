#!/usr/bin/env python3
"""Checks that what the pages quote from files of the tree is there.

usage: check_quotes.py [--root DIR] [--self-test]

Looks at the blocks marked <!-- quote: PATH --> (see pages.py) whose PATH is in the
tree; those that quote what a tool makes are left to run_commands.py. Links between
pages are checked too. Exit status 1 if anything is wrong.
"""
import argparse
import os
import re
import sys

import pages

LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def check_page(root, page):
    problems, quotes = [], 0
    for block in pages.blocks(root, page):
        path = os.path.join(root, block.path) if block.path else None
        if block.mark != "quote" or not os.path.isfile(path):
            continue
        quotes += 1
        with open(path, encoding="utf-8") as file:
            line = pages.find_difference(block.lines, file.read())
        if line is not None:
            problems.append(f"{block.place()}: error: expected an excerpt of "
                            f"{block.path}, but found no line '{line}' there")
    with open(os.path.join(root, page), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for link, _ in LINK.findall(line):
                target = os.path.normpath(
                    os.path.join(root, os.path.dirname(page), link))
                # A page that the build makes is there if that folder is in use.
                made = os.path.join(os.path.normpath(root), "build")
                if target.startswith(made + os.sep) and not os.path.exists(made):
                    continue
                if "://" not in link and not os.path.exists(target):
                    problems.append(f"{page}:{number}: error: expected a file, but found "
                                    f"none at '{link}'")
    return problems, quotes


def self_test():
    source = "  a b\tc\n\n  d\ne f\ng\n"
    assert pages.find_difference(["a b c", "d"], source) is None
    assert pages.find_difference(["a ... c", "...", "g"], source) is None
    assert pages.find_difference(["a b c", "g"], source) == "g"
    assert pages.find_difference(["a ... d"], source) == "a ... d"
    assert pages.find_difference(["g", "...", "d"], source) == "d"
    assert not pages.line_fits("d(... e", "x d( e")


def main():
    parser = argparse.ArgumentParser()
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(here)))
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        self_test()
        return 0
    failed = quotes = 0
    for page in pages.pages(args.root):
        problems, count = check_page(args.root, page)
        quotes += count
        for problem in problems:
            failed += 1
            print(problem)
    print(f"{quotes} quotes of files, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

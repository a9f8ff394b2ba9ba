"""The pages that the tests of docs read: fenced blocks, marks, and excerpts.

A block is marked by an HTML comment on the line before its fence:

  <!-- quote: test/Tutorial/one-block.mlir -->   an excerpt of that file
  <!-- quote: out/block.h -->                    ... of a file a command has made
  <!-- output -->                                an excerpt of what the last
                                                 command above printed
  <!-- no-run -->                                a command that is not run

A line of an excerpt is a line of the source; runs of white space are alike.
`...` alone on a line leaves out lines, `...` inside a line a part of it;
anything else must follow line on line. Empty lines do not count.
"""
import os
import re

FENCE = re.compile(r"^```(\w*)\s*$")
MARK = re.compile(r"^<!-- (quote: (?P<path>\S+)|output|no-run) -->$")


class Block:
    def __init__(self, page, line, language, mark, path):
        self.page, self.line, self.language = page, line, language
        self.mark, self.path = mark, path
        self.lines = []

    def place(self):
        return f"{self.page}:{self.line}"


def blocks(root, page):
    """The fenced blocks of a page; `page` is relative to `root`."""
    found, block, mark = [], None, None
    with open(os.path.join(root, page), encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            fence = FENCE.match(line)
            if block is not None:
                if fence and not fence.group(1):
                    found.append(block)
                    block, mark = None, None
                else:
                    block.lines.append(line)
            elif fence:
                kind = mark.group(1).split(":")[0] if mark else None
                block = Block(page, number, fence.group(1), kind,
                              mark.group("path") if mark else None)
            else:
                mark = MARK.match(line)
                if line.startswith("<!--") and not mark:
                    raise SystemExit(f"{page}:{number}: error: found mark '{line}', "
                                     "wanted quote: PATH, output or no-run")
    if block is not None:
        raise SystemExit(f"{block.place()}: error: the block has no end")
    return found


def pages(root):
    """README.md, CONTRIBUTING.md and all pages of docs, relative to `root`."""
    found = ["README.md", "CONTRIBUTING.md"]
    for folder, folders, files in os.walk(os.path.join(root, "docs")):
        folders.sort()
        found += [os.path.relpath(os.path.join(folder, name), root)
                  for name in sorted(files) if name.endswith(".md")]
    return found


def line_fits(quoted, line):
    """`quoted` is `line`, apart from what `...` leaves out."""
    if "..." not in quoted:
        return quoted == line
    pattern = ".*".join(re.escape(part.strip()) for part in quoted.split("..."))
    return re.fullmatch(pattern, line) is not None


def find_difference(quoted, source):
    """None if `quoted` is an excerpt of `source`, else the line that is not."""
    source = [" ".join(line.split()) for line in source.split("\n") if line.strip()]
    runs = [[]]  # what must follow line on line
    for line in (" ".join(line.split()) for line in quoted):
        if line == "...":
            runs.append([])
        elif line:
            runs[-1].append(line)
    at = 0
    for run in runs:
        best = 0
        for start in range(at, len(source) - len(run) + 1):
            fitting = 0
            while fitting < len(run) and line_fits(run[fitting], source[start + fitting]):
                fitting += 1
            best = max(best, fitting)
            if fitting == len(run):
                at = start + fitting
                break
        else:
            return run[min(best, len(run) - 1)]
    return None

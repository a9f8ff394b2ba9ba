#!/usr/bin/env python3
"""Finds products of dimensions that bypass tt::support::CheckedSize.

usage: raw_size_product.py [--known FILE] FILE-OR-FOLDER...
       raw_size_product.py --self-test

Textual and pragmatic: in C++ code (comments and strings removed) it flags
  - a '*' or '*=' with an operand that is named or called like a dimension or
    a byte count: getDimSize(...), getNumElements(), shape[i], dims[i],
    sizes[i], numElements, numBytes, elementBytes, ...
  - std::accumulate(... std::multiplies ...)
Arithmetic on CheckedSize itself passes: a line that says CheckedSize. So does
a line whose comment says "checked:" and why the product cannot overflow.
Runtime code without CheckedSize uses __builtin_mul_overflow.

FILE lists findings that wait for their repair ("PATH: LINE OF CODE", the end
of a path suffices); they are counted but do not fail. It should get shorter.
"""
import os
import re
import sys

SIZE = (r"(?:(?:\w+(?:\.|->))*(?:getDimSize|getNumElements|getShape\(\)\s*)"
        r"\s*(?:\([^()]*\)|\[[^][]*\])"
        r"|\b(?:\w+(?:\.|->))*(?:shape|dims?|sizes|dimensions)\[[^][]*\]"
        r"|\b(?:\w+(?:\.|->))*(?:num[Ee]lements|num[Bb]ytes|byte[Ss]ize"
        r"|element[Bb]ytes|total[Bb]ytes|size[Ii]n[Bb]ytes"
        r"|dim[Ss]ize)\b(?!\s*\())")
# A product has an operand before the star, unlike a pointer or a
# dereference. A closing bracket may also end a cast or an if (...).
PRODUCTS = [
    re.compile(SIZE + r"\s*\*=?\s*[\w(]"),
    re.compile(r"(?:[\w\]]|\))\s*\*=?\s*" + SIZE),
    re.compile(r"std::multiplies"),
]
# "const Foo *shape[...]", "return *dims[0]": not products.
DECLARATION = re.compile(
    r"\b(?:const|char|int|void|auto|float|double|return|case|bool|u?int\d+_t"
    r"|size_t|[A-Z]\w*)\s*\*\s*\w+(?:\[|\s*[;,)=])")
SOURCE = (".cpp", ".h", ".c")


def strip(text):
    """Blanks out comments and strings, keeping lines."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    pattern = (r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"'
               r"|'(?:\\.|[^'\\\n])+'")
    return re.sub(pattern, blank, text, flags=re.S)


def check(text):
    """Yields (line number, line) of each suspicious product."""
    raw = text.split("\n")
    for number, line in enumerate(strip(text).split("\n"), 1):
        near = " ".join(raw[max(0, number - 2):number])
        if "CheckedSize" in line or "checked:" in near:
            continue
        if DECLARATION.search(line):
            continue
        if any(product.search(line) for product in PRODUCTS):
            yield number, raw[number - 1].strip()


BAD = """
int64_t n = type.getDimSize(0) * type.getDimSize(1);
int64_t n = rows * type.getDimSize(1);
total *= shape[i];
total *= type.getShape()[i];
bytes = numElements * 4;
bytes = 4 * numElements;
bytes = type.getNumElements() * elementBytes;
stride = stride*sizes[i];
n = std::accumulate(s.begin(), s.end(), 1, std::multiplies<int64_t>());
x = (a + b) * dims[0];
"""
GOOD = """
CheckedSize n = CheckedSize(type.getDimSize(0)) * type.getDimSize(1);
// total *= shape[i];
const char *text = "shape[0] * shape[1]";
const int64_t *shape;
int64_t *dims[4];
overflow |= __builtin_mul_overflow(product, shape[i], &product);
x = *p + shape[i];
y = a * b;
n = rows * shape[1]; // checked: both are tile sizes below 2^10
int64_t sum = shape[0] + shape[1];
"""


def self_test():
    bad = [line for line in BAD.split("\n") if line]
    good = [line for line in GOOD.split("\n") if line]
    failed = [line for line in bad if not list(check(line))]
    failed += [line for line in good if list(check(line))]
    for line in failed:
        print("self-test: wrong answer for: " + line)
    print("self-test: %d seeded violations, %d innocent lines, %d wrong"
          % (len(bad), len(good), len(failed)))
    return not failed


def sources(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                if name.endswith(SOURCE):
                    yield os.path.join(folder, name)


def read_known(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [line.split(": ", 1) for line in lines
            if line and not line.startswith("#")]


def main():
    arguments = sys.argv[1:]
    if arguments == ["--self-test"]:
        sys.exit(0 if self_test() else 1)
    known = []
    if arguments[:1] == ["--known"]:
        known = read_known(arguments[1])
        arguments = arguments[2:]
    if not arguments:
        sys.exit(__doc__)
    new = old = 0
    met = set()
    for path in sources(arguments):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for number, line in check(text):
            found = [i for i, (end, code) in enumerate(known)
                     if path.endswith(end) and line == code]
            met.update(found)
            if found:
                old += 1
                continue
            new += 1
            print("%s:%d: product outside CheckedSize: %s"
                  % (path, number, line))
    # An entry that nothing meets would hide the next such line.
    stale = [entry for i, entry in enumerate(known) if i not in met]
    for entry in stale:
        print("no longer found, wanted it gone from --known: " + ": ".join(entry))
    print("%d products outside CheckedSize, %d more that are known"
          % (new, old))
    sys.exit(1 if new or stale else 0)


if __name__ == "__main__":
    main()

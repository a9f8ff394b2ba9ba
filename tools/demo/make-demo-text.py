#!/usr/bin/env python3
"""Makes an English text to train on, from files that Debian already has.

  make-demo-text.py OUT.txt [--source=DIR] [--characters=N]

Takes the fortunes package's plain files (apt-get install fortunes); without
them, the licences that every Debian system has. The text is printable ASCII
and newlines, so it has fewer than 100 characters. Same files, same bytes.
"""
import argparse
import hashlib
import os
import sys
import unicodedata

FORTUNES = "/usr/share/games/fortunes"
LICENCES = "/usr/share/common-licenses"


def plain_files(directory):
    """The texts of a directory, each once, in the order of their names."""
    if not os.path.isdir(directory):
        return []
    paths = [os.path.join(directory, name) for name in os.listdir(directory)]
    return sorted(
        path for path in paths
        if os.path.isfile(path) and not os.path.islink(path)
        and not path.endswith((".dat", ".u8")))


def clean(text):
    """Printable ASCII and newlines; overstrikes, accents and the rest go."""
    text = text.replace("\r\n", "\n").expandtabs(8)
    out = []
    for c in unicodedata.normalize("NFKD", text):
        if c == "\b":
            del out[-1:]
        elif c == "\n" or " " <= c <= "~":
            out.append(c)
    return "\n".join(line.rstrip() for line in "".join(out).split("\n"))


def read(path):
    with open(path, encoding="utf-8", errors="ignore", newline="") as file:
        return clean(file.read())


def pieces_of(source):
    """Fortunes are cut at lines with only '%', licences at empty lines."""
    for path in plain_files(source):
        text = read(path)
        cut = "\n%\n" if "\n%\n" in text else "\n\n"
        for piece in text.split(cut):
            piece = piece.strip("\n")
            if piece.strip(" %\n"):
                yield piece


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", help="file to write")
    parser.add_argument("--source", help="directory of texts (default: "
                        f"{FORTUNES}, else {LICENCES})")
    parser.add_argument("--characters", type=int, default=1_000_000,
                        help="stop there (default: 1000000)")
    options = parser.parse_args()
    sources = [options.source] if options.source else [FORTUNES, LICENCES]
    for source in sources:
        pieces = sorted(set(pieces_of(source)))
        if pieces:
            break
    else:
        sys.exit(f"make-demo-text.py: error: {' and '.join(sources)}: found no "
                 "texts, wanted some (apt-get install fortunes)")
    # Mixed, so that the end, which is held out, is like the rest; by digest,
    # so that it is the same everywhere.
    pieces.sort(key=lambda piece: hashlib.sha256(piece.encode()).digest())
    text = ""
    while pieces and len(text) < options.characters:
        text += pieces.pop() + "\n\n"
    try:
        with open(options.out, "w", encoding="ascii", newline="\n") as file:
            file.write(text)
    except OSError as error:
        sys.exit(f"make-demo-text.py: error: {options.out}: {error.strerror}")
    print(f"{options.out}: {len(text):,} characters, {len(set(text))} different, "
          f"from {source}")


if __name__ == "__main__":
    main()

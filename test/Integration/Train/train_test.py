#!/usr/bin/env python3
"""tt-train end to end: what it prints, writes, refuses and survives.

  train_test.py --tool=bin/tt-train --library=NAME.so [unittest arguments]

The library may be a compiled model; it needs a vocabulary of 40 ids. Cases
that need another library are skipped without --other-library (the same tensors
under another hash), --bytes-library (256 ids or more) and --compiler (tt-compile).
"""
import argparse
import os
import sys
import unittest

import train_case
from error_cases import Errors  # noqa: F401
from graph_cases import Graph  # noqa: F401
from output_cases import Output  # noqa: F401
from skip_cases import Skip, SkipCompiled  # noqa: F401
from stop_cases import Disk, Interrupt, Resume  # noqa: F401


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--other-library")
    parser.add_argument("--bytes-library")
    parser.add_argument("--compiler")
    _, rest = parser.parse_known_args(namespace=train_case.OPTIONS)
    for name in ("tool", "library", "other_library", "bytes_library",
                 "compiler"):
        path = getattr(train_case.OPTIONS, name)
        if path:
            setattr(train_case.OPTIONS, name, os.path.abspath(path))
    unittest.main(argv=[sys.argv[0], *rest])

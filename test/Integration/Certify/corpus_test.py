#!/usr/bin/env python3
"""Every graph of the corpus is certified, or refused for the reason that it has.

usage: corpus_test.py TT_COMPILE FOLDER... [--part=I/N]

A certificate that refuses a right graph is as useless as one that lets a wrong one
pass; so what it refuses stands here, with its words.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

REFUSED = {
    "broadcast_matmul": r"the loss does not depend on it",
    "indices_out_of_range": r"the loss does not depend on it",
    "shift_of_softmax": r"the loss does not depend on it",
}


def main():
    tool, *folders = [word for word in sys.argv[1:] if not word.startswith("--part=")]
    part = [word for word in sys.argv[1:] if word.startswith("--part=")] or ["--part=1/1"]
    index, count = (int(n) for n in part[0][7:].split("/"))
    passed, failed = 0, 0
    graphs = sorted(graph for folder in folders
                    for graph in glob.glob(os.path.join(folder, "*.mlir")))
    unknown = set(REFUSED) - {os.path.basename(g)[:-5] for g in graphs}
    if unknown:
        sys.exit(f"found no graph for {unknown}")
    for graph in graphs[index - 1::count]:
        name = os.path.basename(graph)[:-5]
        with tempfile.TemporaryDirectory() as out:
            run = subprocess.run([tool, graph, "-o", os.path.join(out, "m"), "--certify",
                                  "--target=cpu:native"], capture_output=True, text=True)
        errors = [line for line in run.stderr.split("\n") if "error:" in line]
        reason = REFUSED.get(name)
        if reason:
            ok = run.returncode == 1 and re.search(reason, "\n".join(errors))
        else:
            ok = run.returncode == 0 and "certified self-check" in run.stderr
        passed, failed = passed + bool(ok), failed + (not ok)
        if not ok:
            print(f"FAIL {name}: status {run.returncode}, wanted "
                  f"{reason or 'a certificate'}: {run.stderr[-500:]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()

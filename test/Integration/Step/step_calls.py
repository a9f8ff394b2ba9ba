#!/usr/bin/env python3
"""System calls of training steps: no mmap, brk or munmap, nothing but waiting.

usage: step_calls.py STEP_CALLS STEPS LIBRARY.so...

Runs STEP_CALLS (see step_calls.cpp) under strace with 1 and 4 threads and
counts what all threads call between the two marks. Exits 77 (skipped) without
strace or without the right to trace.
"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

# What threads that wait for each other call.
WAITING = {"futex", "sched_yield"}


def calls_between_marks(lines):
    """Counts of the calls between the marks; None without both marks."""
    counts, inside, ended = collections.Counter(), False, False
    for line in lines:
        # "[pid] 12 name(...": a call; "... name resumed": its second half.
        call = re.match(r"\d+\s+(\w+)\(", line)
        if not call:
            continue
        if "/tt-steps-begin" in line:
            inside = True
        elif "/tt-steps-end" in line:
            inside, ended = False, True
        elif inside:
            counts[call.group(1)] += 1
    return counts if ended else None


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, steps, libraries = sys.argv[1], sys.argv[2], sys.argv[3:]
    probe = shutil.which("strace") and subprocess.run(
        ["strace", "-f", "-qq", "-o", os.devnull, "true"],
        stderr=subprocess.DEVNULL).returncode == 0
    if not probe:
        print("skipped: strace is not here or may not trace")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        for library in libraries:
            for threads in ("1", "4"):
                run = subprocess.run(
                    ["strace", "-f", "-qq", "-o", log, program, library,
                     threads, steps], stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True)
                counts = None
                if run.returncode == 0:
                    with open(log) as lines:
                        counts = calls_between_marks(lines)
                ok = counts is not None and set(counts) <= WAITING
                failed += not ok
                print("%s %s, %s threads, %s steps: %s" % (
                    "PASS" if ok else "FAIL", os.path.basename(library),
                    threads, steps, run.stderr if counts is None else
                    ", ".join("%d %s" % (counts[name], name)
                              for name in sorted(counts)) or "no call at all"))
    print("%d failed" % failed)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The command line of tt-random-programs: a planted fault is printed and saved, the file
shows it again, and what is wrong with an option is said.

usage: planted_test.py TT_RANDOM_PROGRAMS
"""
import os
import re
import subprocess
import sys
import tempfile

PLANT = "--plant=reverse:tt.gelu"


def run(*arguments):
    result = subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def expect(condition, text):
    if not condition:
        sys.exit(f"FAIL: {text}")


def find(folder):
    """The saved program of the first failure."""
    status, text = run("--count=400", "--max-failures=1", PLANT, f"--save={folder}")
    found = re.match(r"// seed (\d+): dot failed: found \S+, wanted \S+ within \S+\n", text)
    expect(status == 1 and found, text)
    expect(re.search(r"passed, 1 failed, \d+ discarded\n$", text), text)
    path = os.path.join(folder, f"random_{found[1]}.mlir")
    expect(os.listdir(folder) == [os.path.basename(path)], os.listdir(folder))
    with open(path, encoding="utf-8") as file:
        saved = file.read()
    expect(saved in text and "tt.gelu" in saved, text)
    return path, found[1], saved


def again(path, seed, saved):
    for more in ([], [f"--seed={seed}"]):
        status, text = run(f"--file={path}", PLANT, *more)
        expect(status == 1 and text.startswith(f"// seed {seed}: dot failed: "), text)
    status, text = run(f"--file={path}")
    expect(status == 0 and text == "1 passed, 0 failed, 0 discarded\n", text)
    # Without the first line the seed is not known.
    with open(path, "w", encoding="utf-8") as file:
        file.write(saved.split("\n", 1)[1])
    status, text = run(f"--file={path}", PLANT)
    expect(status == 1 and 'found no first line "// seed N", wanted it or --seed' in text, text)
    status, text = run(f"--file={path}", PLANT, f"--seed={seed}")
    expect(status == 1 and text.startswith(f"// seed {seed}: dot failed: "), text)


def refusals(folder):
    other = os.path.join(folder, "other.mlir")
    with open(other, "w", encoding="utf-8") as file:
        file.write("func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
                   "  return %x : tensor<3xf32>\n}\n")
    for argument, wanted in (
            ("--plant=gelu", "--plant: found gelu, wanted reverse:, offset:, "),
            ("--plant=reverse:tt.geluu", "--plant: found tt.geluu, wanted an op of the dialect"),
            (f"--file={folder}/none.mlir", "none.mlir"),
            (f"--file={other}", "found no function @loss, wanted one"),
            (f"--save={folder}/none", "--save: ")):
        status, text = run("--count=1", argument) if "save" in argument else run(argument)
        expect(status != 0 and wanted in text, f"{argument}: {text}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        again(*find(folder))
        refusals(folder)
    print("PASS")


main()

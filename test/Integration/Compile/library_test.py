#!/usr/bin/env python3
"""What the files of a compiled model look like from outside.

usage: library_test.py OUTPUT EXPORTS_MAP CC CXX

OUTPUT is DIR/NAME of a compiled library. Checks the ELF file, the header alone
as C11 and C++17, and the manifest.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from report import Report

ALLOWED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def check_elf(report, library, exports_map):
    name = os.path.basename(library)[:-3]
    dynamic = output_of("readelf", "-dW", library)
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
    report.check(needed and needed <= ALLOWED, "needs only libc and libm",
                 "needs %s" % sorted(needed))
    report.check("BIND_NOW" in dynamic, "binds its symbols at once")
    for tag in ("RPATH", "RUNPATH", "TEXTREL"):
        report.check("(%s)" % tag not in dynamic, "no " + tag)
    segments = output_of("readelf", "-lW", library)
    report.check("GNU_RELRO" in segments, "RELRO")
    stack = re.search(r"GNU_STACK.*", segments)
    report.check(stack and not re.search(r"\bRWE\b", stack.group()),
                 "no executable stack", str(stack and stack.group()))
    report.check(not re.search(r"LOAD.*\bRWE\b", segments),
                 "no segment is writable and executable")

    with open(exports_map) as text:
        documented = set(re.findall(r"\btt_\w+(?=;)", text.read()))
    documented.add(name + "_model")
    exported = {line.split()[-1].split("@")[0]
                for line in output_of("nm", "-D", "--defined-only",
                                      library).splitlines()
                if " A " not in line}
    report.check(exported == documented, "exports exactly what is documented",
                 "extra %s, missing %s" % (sorted(exported - documented),
                                           sorted(documented - exported)))
    wanted = output_of("nm", "-D", "--undefined-only", library)
    memory = re.findall(r" ((?:malloc|calloc|realloc|free|_Zn\w+|_Zd\w+)\b)",
                        wanted)
    report.check(not memory, "calls no allocator", str(memory))


def check_header(report, header, cc, cxx):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(header, folder)
        name = os.path.basename(header)
        for language, compiler, standard in (("C11", cc, "-std=c11"),
                                             ("C++17", cxx, "-std=c++17")):
            source = os.path.join(folder, "use.c" if language == "C11"
                                  else "use.cpp")
            with open(source, "w") as text:
                # Twice: it must guard itself.
                text.write('#include "%s"\n#include "%s"\n'
                           "int use(void);\nint use(void) { return 0; }\n"
                           % (name, name))
            run = subprocess.run(
                [compiler, standard, "-Wall", "-Wextra", "-Werror",
                 "-pedantic", "-c", source, "-o", os.devnull],
                stderr=subprocess.PIPE, text=True)
            report.check(run.returncode == 0,
                         "the header compiles alone as " + language,
                         run.stderr)


def check_manifest(report, manifest):
    name = os.path.basename(manifest)[:-5]
    with open(manifest) as text:
        found = json.load(text)
    report.check(found["name"] == name, "the manifest names the model")
    entries = [entry["name"] for entry in found["entries"]]
    report.check(set(entries) >= {"train_step", "grad", "eval", "logits"},
                 "the manifest lists the entries", str(entries))
    inputs = {(entry["name"], tensor["name"]): tensor
              for entry in found["entries"] for tensor in entry["inputs"]}
    for entry in ("train_step", "grad", "eval"):
        targets, tokens = inputs[entry, "targets"], inputs[entry, "tokens"]
        report.check(targets["index_ignore"] == -100
                     and targets["index_limit"] == tokens["index_limit"]
                     and "index_ignore" not in tokens,
                     "targets of %s may be ignored, tokens not" % entry,
                     "%s %s" % (targets, tokens))
    report.check(found["options"]["checkpoint"] == "none"
                 and found["options"]["fuse"] == "true",
                 "the manifest says how it was compiled", str(found["options"]))


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    output, exports_map, cc, cxx = sys.argv[1:]
    report = Report()
    check_elf(report, output + ".so", exports_map)
    check_header(report, output + ".h", cc, cxx)
    check_manifest(report, output + ".json")
    report.finish()


if __name__ == "__main__":
    main()

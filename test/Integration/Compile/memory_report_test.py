#!/usr/bin/env python3
"""The memory that the compiler prints and writes is what the library asks for.

usage: memory_report_test.py TT_COMPILE GRAPH...

Compiles each graph for several numbers of threads and compares the printed lines, the
"memory" of NAME.json and tt_model_query and tt_selfcheck_query of the library, byte by
byte.
"""
import ctypes as C
import json
import os
import re
import subprocess
import sys
import tempfile

from report import Report


class Sizes(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("abi", C.c_uint32), ("threads", C.c_uint32)] + [
        (name, C.c_uint64)
        for name in ("alignment", "instance", "parameters", "state", "arena", "io", "workers",
                     "gradients", "activations", "workspace")]


PARTS = {"parameters": "parameters", "optimizer state": "state", "gradients": "gradients",
         "activations": "activations", "kernel workspace": "workspace",
         "worker scratch": "workers", "inputs and outputs": "io", "control": "instance"}


def query(library, threads):
    """tt_sizes, and the bytes that tt_selfcheck wants on top."""
    loaded = C.CDLL(library, mode=os.RTLD_LOCAL | os.RTLD_NOW)
    getter = getattr(loaded, os.path.basename(library)[:-3] + "_model")
    getter.restype = C.c_void_p
    model = C.c_void_p(getter())
    sizes = Sizes(struct_size=C.sizeof(Sizes))
    assert loaded.tt_model_query(model, C.c_uint32(threads), C.byref(sizes)) == 0
    scratch = C.c_uint64()
    assert loaded.tt_selfcheck_query(model, C.byref(scratch)) == 0
    return sizes, scratch.value


def check_printed(report, text, sizes, scratch):
    printed = {name: int(number) for name, number in
               re.findall(r"^  ([a-z][a-z ,-]*?) +(\d+) bytes", text, re.M)}
    for line, field in PARTS.items():
        report.check(printed.get(line) == getattr(sizes, field), "printed: " + line,
                     "printed %s, asked for %d" % (printed.get(line), getattr(sizes, field)))
    total = sizes.instance + sizes.parameters + sizes.state + sizes.arena
    report.check(printed.get("total") == total, "printed: total",
                 "printed %s, asked for %d" % (printed.get("total"), total))
    report.check(printed.get("self-check, on top", 0) == scratch, "printed: self-check",
                 "%s, asked for %d" % (printed.get("self-check, on top"), scratch))


def check_manifest(report, manifest, sizes, scratch):
    with open(manifest) as text:
        memory = json.load(text)["memory"]
    wanted = {"parameters": sizes.parameters, "optimizer_state": sizes.state,
              "io": sizes.io, "gradients": sizes.gradients,
              "activations": sizes.activations, "workspace": sizes.workspace,
              "selfcheck_scratch": scratch}
    for name, number in wanted.items():
        report.check(memory[name] == number, "NAME.json: " + name,
                     "%s, asked for %d" % (memory[name], number))
    control = memory["control"] + sizes.threads * memory["control_per_worker"]
    report.check(control == sizes.instance, "NAME.json: control",
                 "%d, asked for %d" % (control, sizes.instance))
    workers = sizes.threads * memory["per_worker"]
    report.check(workers == sizes.workers, "NAME.json: per_worker",
                 "%d, asked for %d" % (workers, sizes.workers))


def main():
    compiler, graphs = sys.argv[1], sys.argv[2:]
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        for number, (graph, threads) in enumerate((g, t) for g in graphs for t in (1, 3)):
            output = os.path.join(folder, "m%d" % number)
            text = subprocess.run([compiler, graph, "--output=" + output,
                                   "--threads=%d" % threads], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
            print("%s, %d threads" % (os.path.basename(graph), threads))
            sizes, scratch = query(output + ".so", threads)
            check_printed(report, text, sizes, scratch)
            check_manifest(report, output + ".json", sizes, scratch)
    report.finish()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What tt's tools say to bad input.

usage: bad_input_test.py BIN_FOLDER TOUR.mlir

Every case must end within 5 seconds with exit status 1 and a first line on
stderr that gives the place, what was found and what was wanted (the pattern of
the case), and must leave the output folder as it was: with the files of an
earlier compile in it, byte for byte, and nothing else.
"""
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

from bad_graphs import GOOD, graph, graphs, loss_of
from bad_words import DEFAULTS, HELP, words
from report import Report

LIMIT = 5.0
OLD = {"model.so": b"old library", "model.h": b"old header",
       "model.json": b"old manifest"}


def command_lines(folder, tour):
    """name, arguments, pattern."""
    out = os.path.join(folder, "out", "model")
    missing = os.path.join(folder, "missing")
    yield "no output", [tour], \
        r"^tt-compile: error: -o: found nothing, wanted DIR/NAME of the library$"
    yield "a target of no known name", [tour, "-o", out, "--target=gpu"], \
        r"^tt-compile: error: expected --target .*gpu"
    yield "an unknown checkpoint policy", [tour, "-o", out, "--checkpoint=some"], \
        r"error: expected --checkpoint .*some"
    yield "an unknown stage", [tour, "-o", out, "--emit=asm"], \
        r"error: expected --emit .*asm"
    yield "an unknown optimizer", [tour, "-o", out, "--optimizer=sgd"], \
        r"error: expected --optimizer .*sgd"
    yield "a number that is none", [tour, "-o", out, "--beta1=x"], \
        r"^tt-compile: error: --beta1: found x, wanted a number \(--help"
    yield "a beta above 1", [tour, "-o", out, "--beta1=1.5"], \
        r"^tt-compile: error: expected --beta1 in \[0, 1\), but got 1\.5"
    yield "a clip that is not a number", [tour, "-o", out, "--clip-norm=nan"], \
        r"^tt-compile: error: expected --clip-norm .*nan"
    yield "a negative weight decay", [tour, "-o", out, "--weight-decay=-1"], \
        r"^tt-compile: error: expected --weight-decay .*-1"
    for eps in ("0", "1e-60", "nan"):
        yield "an epsilon of " + eps, [tour, "-o", out, "--eps=" + eps], \
            r"^tt-compile: error: expected --eps in \[2\^-126, 2\^128\), but got " + eps
    yield "a certificate of no library", [tour, "--emit=tt", "--certify"], \
        r"^tt-compile: error: expected --emit to be so with --certify, but got 'tt'"
    yield "a certificate's seed alone", [tour, "-o", out, "--certify-seed=3"], \
        r"^tt-compile: error: --certify-seed: found no --certify with it, wanted both or none "
    yield "an unknown schedule", [tour, "-o", out, "--schedule=any"], \
        r"^tt-compile: error: expected --schedule .*'any'"
    yield "a broken expression", [tour, "-o", out, "--decay=re:("], \
        r"^tt-compile: error: expected --decay .*'re:\('"
    yield "no kind of decay", [tour, "-o", out, "--decay=biases"], \
        r"^tt-compile: error: expected --decay .*'biases'"
    yield "more threads than the most", \
        [tour, "-o", out, "--threads=9", "--max-threads=8"], \
        r"^tt-compile: error: --threads: found 9, wanted a whole number in \[1, 8\] " \
        r"\(--max-threads\)$"
    yield "0 threads at most", [tour, "-o", out, "--max-threads=0"], \
        r"^tt-compile: error: --max-threads: found 0, wanted a whole number in \[1, 256\]"
    yield "a function that is not there", [tour, "-o", out, "--function=f"], \
        r"tour\.mlir:\d+:\d+: error: expected a function of name @f"
    yield "an input that is not there", [missing + ".mlir", "-o", out], \
        r"missing\.mlir: error: .*No such file"
    yield "an input that is a folder", [folder, "-o", out], \
        r"error: .*directory"
    yield "an output in a missing folder", [tour, "-o", missing + "/model"], \
        r"error: cannot save .*missing/model\.so.*No such file"
    yield "an output below a file", [tour, "-o", tour + "/model"], \
        r"error: cannot save .*tour\.mlir/model.*Not a directory"
    yield "an output without a name", [tour, "-o", folder + "/out/"], \
        r"^tt-compile: error: expected -o DIR/NAME, but got "
    yield "an output of an ending alone", [tour, "-o", folder + "/out/.so"], \
        r"^tt-compile: error: expected -o DIR/NAME, but got "
    for arguments, pattern in (
            (["--emit=adjoint", "--eps=1e-7"],
             "--eps: found --emit=adjoint with it, wanted --emit=kernels or later$"),
            (["--emit=kernels", "--threads=3"],
             "--threads: found --emit=kernels with it, wanted --emit=so$"),
            (["--emit=memory", "-o", out],
             "--output: found --emit=memory with it, wanted --emit=so$"),
            (["-o", out, "--weight-decay=0", "--decay=all"],
             "--decay: found --weight-decay=0 with it, wanted more$"),
            (["-o", out, "--weight-decay=0.3", "--decay=none"],
             "--weight-decay: found --decay=none with it, wanted parameters that decay$")):
        yield "idle: " + pattern.split(":")[0], [tour] + arguments, \
            "^tt-compile: error: " + pattern


def check_words(report, tools, tour, sandbox):
    """Each tool on words that it cannot read; what is legal is not refused."""
    out = os.path.join(sandbox.out, "model")
    for tool, good, rows in words(tour, out):
        for more, text in rows:
            pattern = ("^%s: error: %s%s" % (tool, text, HELP) if text
                       else r"^\./-o: error: cannot read")
            expect(report, "%s %s" % (tool, " ".join(more)),
                   run([os.path.join(tools, tool)] + good + more), pattern, sandbox.changed())
    # An empty prompt is one; what comes after it is an option of its own.
    expect(report, "an empty prompt", run([os.path.join(tools, "tt-train"), "--sample",
                                           "--prompt=", "--out=" + sandbox.folder + "/none"]),
           r"^tt-train: error: \S+/none/checkpoint\.safetensors: ")
    # LLVM's words, for the pass driver.
    for more, pattern in ((["--tt-autodif"], "Unknown command line argument '--tt-autodif'"),
                          (["-o"], "for the -o option: requires a value"),
                          (["-o="], "error: cannot open output file ''"),
                          (["--tt-checkpoint=segments=x"], ".*'x' value invalid"),
                          ([tour], "Too many positional arguments")):
        expect(report, "tt-opt " + " ".join(more),
               run([os.path.join(tools, "tt-opt"), tour] + more), "^tt-opt: " + pattern)
    for tool, option, default in DEFAULTS:
        text = subprocess.check_output([os.path.join(tools, tool), "--help"], text=True)
        report.check(re.search(r"--%s [^\n]*(\n {30}[^\n]*)?\(default: %s\)\n"
                               % (option, re.escape(default)), text),
                     "%s --help has the default of --%s" % (tool, option), text)


def check_ending(report, tool, tour, folder):
    """Who gives the library's file name gets that file and the two beside it."""
    place = os.path.join(folder, "ending")
    os.mkdir(place)
    subprocess.run([tool, tour, "-o", os.path.join(place, "x.so")], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    report.check(sorted(os.listdir(place)) == ["x.h", "x.json", "x.so"],
                 "-o x.so writes x.so", str(os.listdir(place)))


class Sandbox:
    """A folder with an output folder that must not change."""

    def __init__(self, folder):
        self.folder = folder
        self.out = os.path.join(folder, "out")
        os.mkdir(self.out)
        self.restore()

    def restore(self):
        for name in os.listdir(self.out):
            os.remove(os.path.join(self.out, name))
        for name, content in OLD.items():
            with open(os.path.join(self.out, name), "wb") as file:
                file.write(content)

    def changed(self):
        """What is not as it was, and puts it back; empty if nothing."""
        found = {}
        for name in os.listdir(self.out):
            with open(os.path.join(self.out, name), "rb") as file:
                found[name] = file.read()
        if found == OLD:
            return ""
        self.restore()
        return "the output folder held %s" % sorted(found)


# Diagnostics of passes once had the whole op behind them.
WHOLE_OP = re.compile(r"see current operation|= (tt\.|\"tt\.|\"func\.)\S* ?[(%]")


def run(command, **options):
    """Status, first line of stderr, seconds; the status of one that prints a
    whole op says so."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60, **options)
        status, text = done.returncode, done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        status, text = "none", ""
    lines = [line for line in text.split("\n")
             if line not in ("differentiated", "planned memory")]
    for line in lines[1:]:
        if WHOLE_OP.search(line) and not line.startswith(" "):
            status = "%s, but with an op's text: %s" % (status, line[:200])
    return status, lines[0], time.monotonic() - start


def expect(report, name, outcome, pattern, trouble=""):
    status, line, seconds = outcome
    problems = []
    if status != 1:
        problems.append("exit status %s" % status)
    if not re.search(pattern, line):
        problems.append("wanted %r" % pattern)
    if seconds > LIMIT:
        problems.append("took %.1f s" % seconds)
    if trouble:
        problems.append(trouble)
    report.check(not problems, name, "; ".join(problems) + "; found: " + line[:300])


def check_writes(report, tool, tour, sandbox):
    """Disks that do not take the files."""
    command = [tool, tour, "-o", os.path.join(sandbox.out, "model"),
               "--target=cpu:x86-64-v3"]
    # The objects, the library, the header: whatever is too large first.
    for bytes_ in (0, 2000, 20000, 80000):
        expect(report, "a file-size limit of %d bytes" % bytes_,
               run(command, preexec_fn=lambda: resource.setrlimit(
                   resource.RLIMIT_FSIZE, (bytes_, bytes_))),
               r"error: .*(model|tt-link).*File too large", sandbox.changed())
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=65534", "--clear-groups", "--"] + command
        readable = [sandbox.folder, sandbox.out]
        for folder in readable:
            os.chmod(folder, 0o755)
    else:
        os.chmod(sandbox.out, 0o555)
    expect(report, "an output folder that may not be written", run(command),
           r"error: .*model\.so.*Permission denied", sandbox.changed())
    os.chmod(sandbox.out, 0o755)


def check_full_disk(report, tool, tour):
    with tempfile.TemporaryDirectory() as mount:
        for kilobytes in (4, 16, 256):
            if subprocess.run(["mount", "-t", "tmpfs", "-o",
                               "size=%dk" % kilobytes, "tmpfs", mount],
                              stderr=subprocess.DEVNULL).returncode != 0:
                print("full disk: not run, mounting is not allowed")
                return
            try:
                # One page is left for the .so, or all but one for it alone.
                outcome = run([tool, tour, "-o", os.path.join(mount, "model"),
                               "--target=cpu:x86-64-v3"])
                left = os.listdir(mount)
                if kilobytes == 256:
                    report.check(outcome[0] == 0, "a disk of 256 KB is enough",
                                 outcome[1])
                else:
                    expect(report, "a disk of %d KB" % kilobytes, outcome,
                           r"error: .*model\.(so|h|json).*No space left",
                           "left %s" % left if left else "")
            finally:
                subprocess.run(["umount", mount], check=True)


def check_other_tools(report, folder, tools):
    """The same files, one of each kind, to the tools that read graphs."""
    kinds = ("empty file", "NUL-filled file", "10,000 nested brackets",
             "alias bomb", "MLIR bytecode", "unknown op", "an argument that is a memref",
             "a layer on memrefs", "a function value", "a loop", "a branch",
             "an allocation", "201 functions in a row", "a name with a NUL")
    for name, text, pattern in graphs():
        if name not in kinds:
            continue
        path = os.path.join(folder, "bad.mlir")
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        for tool, arguments in (("tt-opt", [path]),
                                ("tt-run", ["--reference", path, "--random-seed=1",
                                            "--function=loss"]),
                                ("tt-check", [path]), ("tt-check", [path, "--compiled"])):
            # Not about one op: passes say it, or whoever reads values.
            if tool == "tt-opt" and re.search("memref|function|loop|name", name):
                continue
            if not os.path.exists(os.path.join(tools, tool)):
                continue
            expect(report, "%s: %s" % (tool, name),
                   run([os.path.join(tools, tool)] + arguments), pattern)


# What only a library has: an arena, and constants in its object.
NOT_PLANNED = ("arena of more than 2^47 bytes", "a constant of 1.6 TB")


def check_plan(report, folder, tools):
    """All of the graphs to tt-plan, which says the same of them."""
    path = os.path.join(folder, "bad.mlir")
    tool = os.path.join(tools, "tt-plan")
    huge = "tensor<8388608x2097152xf32>"
    kept = graph("".join("  %%y%d = tt.sin %%%s : %s\n" % (i, "y%d" % (i - 1) if i else "w", huge)
                         for i in range(6)) +
                 "  %%l = tt.sum %%y5 dims = [0, 1] : (%s) -> tensor<f32>\n"
                 "  return %%l : tensor<f32>" % huge, '%%w: %s {tt.param = "w"}' % huge)
    more = [("more kept than 2^47 bytes", kept, r"bad\.mlir: error: expected at most 2\^47 bytes "
             r"kept between forward and backward, but got 351843720888320$")]
    for name, text, pattern in list(graphs()) + more:
        if name in NOT_PLANNED:
            continue
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        outcome = run([tool, path])
        expect(report, "tt-plan: " + name, outcome, pattern,
               "a pass's option" if "function=" in outcome[1].replace("--function=", "") else "")
    with open(path, "w") as file:
        file.write(graph(GOOD))
    expect(report, "tt-plan: a function that is not there", run([tool, path, "--function=f"]),
           r"bad\.mlir:\d+:\d+: error: expected a function of name @f$")


def check_huge(report, folder, tools):
    """A tensor that no memory holds, to the tools that make or read values."""
    path = os.path.join(folder, "huge.mlir")
    pattern = (r"huge\.mlir:\d+:\d+: error: .*expected at most 1073741824 "
               r"elements.*but got tensor<1000000000000xf32>")
    result = graph("  %l = tt.constant dense<1.0> : tensor<f32>\n"
                   "  %y = tt.broadcast %w dims = [] : tensor<f32> -> "
                   "tensor<1000000000000xf32>\n"
                   "  return %y : tensor<1000000000000xf32>",
                   '%w: tensor<f32> {tt.param = "w"}', "tensor<1000000000000xf32>")
    for name, text in (("an input", loss_of("1000000000000xf32")),
                       ("a result", result)):
        with open(path, "w") as file:
            file.write(text)
        for tool, arguments in (
                ("tt-run", ["--reference", path, "--random-seed=1"]),
                ("tt-check", [path]), ("tt-check", [path, "--compiled"])):
            expect(report, "%s %s: %s of 10^12 elements"
                   % (tool, " ".join(arguments[1:]), name),
                   run([os.path.join(tools, tool)] + arguments), pattern)


def check_functions(report, folder, tools):
    """A function that trains nothing, named as if it were the loss."""
    base = os.path.join(folder, "both")
    compiler = os.path.join(tools, "tt-compile")
    subprocess.run([os.path.join(tools, "tt-import"), "--workload=W2", "--batch=1", "--seq=8",
                    "--logits", "-o", base], check=True)
    place = r"both\.mlir:\d+:\d+: error: "
    logits = place + (r"expected one scalar float result to train on, but @logits returns "
                      r"\('tensor<1x8x\d+xf32>'\): @loss has one$")
    for more, pattern in (
            (["--function=logits", "-o", base], logits),
            (["--function=logits", "-o", base, "--certify"], logits),
            (["--function=logits", "--emit=kernels"], logits),
            (["--emit=adjoint"], place + r"expected one public function or the loss's name "
             r"\(--function\), but got @loss, @logits$"),
            (["--function=loss", "-o", base], place + r"expected no function @logits: a library "
             r"has an entry of this name, made from @loss \(tt-import without --logits leaves it "
             r"out\)$")):
        expect(report, "@loss and @logits, " + " ".join(more).replace(folder, ""),
               run([compiler, base + ".mlir"] + more), pattern,
               "left a library" if os.path.exists(base + ".so") else "")


def check_ways_out(report, folder, tool):
    """Refusals of whole kinds of programs say what to write instead."""
    path = os.path.join(folder, "bad.mlir")
    branch = graph('  scf.if %w { }\n  return %w : tensor<f32>',
                   '%w: tensor<f32> {tt.param = "w"}')
    for name, text, note in (("a dynamic size", loss_of("?xf32"), "buckets"),
                             ("a branch on data", branch, "tt.select"),
                             ("an op of another dialect", graph('  "arith.nop"() : () -> ()'),
                              "ops of tt")):
        with open(path, "w") as file:
            file.write(text)
        done = subprocess.run([tool, path, "-o", os.path.join(folder, "m")],
                              stderr=subprocess.PIPE, text=True)
        notes = [line for line in done.stderr.split("\n") if line.startswith("note: ")]
        report.check(done.returncode == 1 and any(note in line for line in notes),
                     "the way out of " + name, done.stderr[:300])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tools, tour = (os.path.abspath(path) for path in sys.argv[1:])
    tool = os.path.join(tools, "tt-compile")
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(folder)
        # Readable for the user without rights, too.
        copy = os.path.join(folder, "tour.mlir")
        with open(tour) as source, open(copy, "w") as target:
            target.write(source.read())
        for name, text, pattern in graphs():
            path = os.path.join(folder, "bad.mlir")
            with open(path, "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
            outcome = run([tool, path, "-o", os.path.join(sandbox.out, "model")])
            expect(report, name, outcome, pattern, sandbox.changed())
        for name, arguments, pattern in command_lines(folder, copy):
            expect(report, name, run([tool] + arguments), pattern,
                   sandbox.changed())
        check_words(report, tools, copy, sandbox)
        check_ending(report, tool, copy, folder)
        check_writes(report, tool, copy, sandbox)
        check_other_tools(report, folder, tools)
        check_plan(report, folder, tools)
        check_huge(report, folder, tools)
        check_functions(report, folder, tools)
        check_ways_out(report, folder, tool)
    check_full_disk(report, tool, tour)
    report.finish()


if __name__ == "__main__":
    main()

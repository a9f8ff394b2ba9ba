"""CPU time of long functions grows with their length.

Usage: long_functions.py TT_OPT TT_COMPILE FOLDER. Differentiates a chain of 50,000
ops, which recursion over values would not survive, and compiles functions of 2,000
and 8,000 ops: a chain, and one whose parameter every second op reads. Prints the
growth of CPU time as "linear" if it is below 6.
"""

import resource
import subprocess
import sys

T = "tensor<4xf32>"


def function(lines):
    return ('func.func @loss(%%w: %s {tt.param = "w"}, %%x: %s {tt.input = "x"}) -> '
            '(tensor<f32> {tt.output = "loss"}) {\n  %%a0 = tt.mul %%w, %%x : %s\n%s'
            "  %%l = tt.mean %%a%d dims = [0] : (%s) -> tensor<f32>\n"
            "  return %%l : tensor<f32>\n}\n" % (T, T, T, "".join(lines), len(lines), T))


def chain(count):
    return function(["  %%a%d = tt.%s %%a%d : %s\n" % (i, ("sin", "tanh")[i % 2], i - 1, T)
                     for i in range(1, count)])


def fan(count):
    return function(["  %%b%d = tt.tanh %%w : %s\n  %%a%d = tt.add %%a%d, %%b%d : %s\n"
                     % (i, T, i, i - 1, i, T) for i in range(1, count // 2)])


def seconds(command):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    start = used()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return used() - start


def main():
    tt_opt, tt_compile, folder = sys.argv[1:]
    path = folder + "/long.mlir"

    def measure(text, command):
        with open(path, "w") as file:
            file.write(text)
        return seconds(command + [path])

    measure(chain(50000), [tt_opt, "--tt-autodiff", "--mlir-print-op-generic"])
    print("chain of 50000: differentiated")
    for kind in (chain, fan):
        short, long = (measure(kind(count), [
            tt_compile, "--emit=memory", "--target=cpu:x86-64-v3"]) for count in (2000, 8000))
        print(kind.__name__, "linear" if long < 6 * short else
              "%.2f s for 2000 ops, %.2f s for 8000" % (short, long))


main()

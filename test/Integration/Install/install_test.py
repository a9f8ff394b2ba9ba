#!/usr/bin/env python3
"""Installs a build of tt and uses it from outside.

usage: install_test.py --build=DIR --outside=DIR --cmake=... --cc=... --cxx=...
                       --mlir=DIR --llvm=DIR
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    print("$ " + " ".join(command), flush=True)
    result = subprocess.run(command, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(result.stdout[-4000:] + f"\nexit status {result.returncode}")
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("build", "outside", "cmake", "cc", "cxx", "mlir", "llvm"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tt-install-") as folder:
        tree = os.path.join(folder, "tree")
        outside = os.path.join(folder, "outside")
        run(options.cmake, "--install", options.build, "--prefix", tree)
        # Nothing of the build tree or the sources may be in the package files.
        package = os.path.join(tree, "lib/cmake/tt")
        source = os.path.dirname(os.path.dirname(os.path.dirname(
            os.path.dirname(os.path.abspath(options.outside)))))
        for name in os.listdir(package):
            with open(os.path.join(package, name), encoding="utf-8") as file:
                text = file.read()
            # What follows a variable, as the prefix, is no absolute path: with the
            # tree in /tt, ${_IMPORT_PREFIX}/lib/tt/ does not name it.
            text = re.sub(r'\$\{\w+\}[^\s";]*', "", text)
            for path in (options.build, source):
                if path + "/" in text:
                    sys.exit(f"{name} names {path}")
        run(options.cmake, "-S", options.outside, "-B", outside, "-G", "Ninja",
            "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_COMPILER=" + options.cc,
            "-DCMAKE_CXX_COMPILER=" + options.cxx,
            "-DCMAKE_PREFIX_PATH=" + tree, "-DMLIR_DIR=" + options.mlir,
            "-DLLVM_DIR=" + options.llvm)
        run(options.cmake, "--build", outside, "-j", "2")
        print(run(os.path.join(outside, "use-abi")).strip())
        print(run(os.path.join(outside, "use-dialect")).strip())
        # The installed compiler works where no build tree is.
        graph = os.path.join(options.outside, "graph.mlir")
        library = os.path.join(folder, "model")
        run(os.path.join(tree, "bin/tt-compile"), graph, "-o", library)
        for suffix in (".so", ".h", ".json"):
            if not os.path.getsize(library + suffix):
                sys.exit(f"expected {library}{suffix}")
        print(run(os.path.join(outside, "use-model"), library + ".so").strip())


if __name__ == "__main__":
    main()

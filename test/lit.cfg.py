# lit tree of .mlir and .test files; it mirrors dialects/ and the rooms.
import os

import lit.formats

config.name = "tt"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "Integration", "Fuzz", "Docs", "Lint", "benchmark"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tt_build_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.tt_build_dir, "bin"), config.llvm_tools_dir,
     os.environ.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
for tool in os.listdir(os.path.join(config.tt_build_dir, "bin")):
    config.available_features.add(tool)  # REQUIRES: tt-import
config.substitutions.append(("%build", config.tt_build_dir))

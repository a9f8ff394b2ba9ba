// tt-check on one file.
#include "CheckFile.h"

#include "tt/AD/Passes.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/GradientCheck.h"
#include "tt/Support/Escape.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>

static std::string safe(const std::string &text) {
  return tt::support::escapeTerminal(text, /*keepNewlines=*/true);
}

int tt::check::checkFile(const Options &options) {
  tt::registerADPasses();
  mlir::MLIRContext context;
  tt::loadGraphDialects(context);
  std::string error;
  auto module = tt::loadModule(context, options.file, error);
  if (!module) {
    fmt::print(stderr, "tt-check: {}\n", safe(error));
    return 1;
  }
  reference::GradientCheckOptions how;
  how.function = options.function;
  how.wrt = options.wrt;
  how.seed = options.seed;
  how.directions = options.directions;
  reference::GradientReport report = reference::checkGradient(*module, how);
  if (!report.error.empty()) {
    fmt::print(stderr, "tt-check: {}\n", safe(report.error));
    return 1;
  }
  fmt::print("{}{}\n", safe(report.table()), report.passed() ? "PASS" : "FAIL");
  return report.passed() ? 0 : 1;
}

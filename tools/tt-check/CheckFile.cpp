// tt-check on one file.
#include "CheckFile.h"

#include "tt/AD/Passes.h"
#include "tt/Certify/Twin.h"
#include "tt/Check/CheckCompiled.h"
#include "tt/Check/FunctionInputs.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Reference/GradientCheck.h"
#include "tt/Reference/SizeCheck.h"
#include "tt/Support/Escape.h"
#include "tt/Support/StandardOutput.h"

#include "mlir/IR/MLIRContext.h"

#include <fmt/format.h>
#include <unistd.h>

using namespace tt;
using namespace tt::check;

static std::string safe(const std::string &text) {
  return support::escapeTerminal(text, /*keepNewlines=*/true);
}

static int fail(const std::string &text) {
  fmt::print(stderr, "tt-check: {}\n", safe(text));
  return 1;
}

static int finish(const std::string &table, bool isPassed) {
  support::printOut(safe(table) + (isPassed ? "PASS\n" : "FAIL\n"));
  return isPassed ? 0 : 1;
}

/// A line that is written over, on a terminal only.
static void showProgress(const std::string &text) {
  if (isatty(STDERR_FILENO))
    fmt::print(stderr, "\r\033[K{}", safe(text));
}

/// In f64, constants included: the 1/n of a mean is no f32 number, and rounded it is
/// not the derivative.
static int checkDerivatives(const CommandLine &line, mlir::ModuleOp module,
                            mlir::FunctionOpInterface function,
                            std::vector<HostTensor> inputs) {
  std::string error = reference::checkSizes(function);
  if (!error.empty())
    return fail(error);
  certify::toF64(module);
  reference::GradientCheckOptions how;
  how.function = line.function;
  how.wrt = line.wrt;
  how.seed = line.seed;
  how.directions = line.directions;
  how.inputs = std::move(inputs);
  reference::GradientReport report = reference::checkGradient(module, how);
  return report.error.empty() ? finish(report.table(), report.passed()) : fail(report.error);
}

static int checkCode(const CommandLine &line, mlir::func::FuncOp function,
                     std::vector<HostTensor> inputs) {
  CompiledCheckOptions how;
  how.seed = line.seed;
  how.gradients = !line.noGradients;
  how.inputs = std::move(inputs);
  how.progress = showProgress;
  CompiledReport report = checkCompiled(function, how);
  showProgress("");
  return report.error.empty() ? finish(report.table(), report.passed()) : fail(report.error);
}

int tt::check::checkFile(const CommandLine &line) {
  registerADPasses();
  mlir::MLIRContext context;
  loadGraphDialects(context);
  std::string error;
  auto module = loadModule(context, line.file, error);
  if (!module)
    return fail(error);
  auto function = findFunction(*module, line.function, line.file, error);
  std::vector<HostTensor> inputs;
  if (!function)
    return fail(error);
  if (!line.inputs.empty() || !line.inputFile.empty())
    if (!readInputs({line.inputs, line.inputFile, line.seed}, function, inputs, error))
      return fail(error);
  if (!line.compiled)
    return checkDerivatives(line, *module, function, std::move(inputs));
  auto func = mlir::dyn_cast<mlir::func::FuncOp>(function.getOperation());
  return func ? checkCode(line, func, std::move(inputs))
              : fail(line.file + ": error: expected a func.func to compile");
}

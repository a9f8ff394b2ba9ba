//===- tt-opt.cpp - Pass driver -------------------------------------------===//
#include "tt/AD/Passes.h"
#include "tt/Attention/Passes.h"
#include "tt/Forms/Passes.h"
#include "tt/IR/TTDialect.h"
#include "tt/Kernels/Passes.h"
#include "tt/Memory/Passes.h"
#include "tt/Remat/Passes.h"
#include "tt/Support/SourcePrescan.h"
#include "tt/Training/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static int fail(const std::string &error) {
  llvm::errs() << error << "\n";
  return 1;
}

static constexpr const char *kOverview =
    "Runs passes of tt, and the upstream ones that serve, on a graph.\n\n"
    "Example: the adjoint of a function, and what it keeps\n"
    "  tt-opt tour.mlir --tt-autodiff=function=loss --tt-print-residuals\n";

/// The tool's own --version and --help: the options of LLVM's code generators, which
/// come with its library, are not shown.
static void describeTool() {
  llvm::cl::SetVersionPrinter(
      [](llvm::raw_ostream &out) { out << "tt-opt " << TT_VERSION << "\n"; });
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!name.starts_with("help") && name != "version")
      option->setHiddenFlag(llvm::cl::ReallyHidden);
}

/// As mlir::MlirOptMain, but text that would harm the parser does not reach it.
static int run(int argc, char **argv, DialectRegistry &registry) {
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, kOverview, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(input, &error);
  if (!file)
    return fail("tt-opt: error: " + error);
  llvm::StringRef text = file->getBuffer();
  std::string name = input == "-" ? "<stdin>" : input;
  if (auto problem = tt::support::prescanSource({text.data(), text.size()}))
    return fail(problem->message(name));
  std::unique_ptr<llvm::ToolOutputFile> out = openOutputFile(output, &error);
  if (!out)
    return fail("tt-opt: error: " + error);
  if (failed(MlirOptMain(out->os(), std::move(file), registry, config)))
    return 1;
  out->keep();
  return 0;
}

int main(int argc, char **argv) {
  describeTool();
  mlir::DialectRegistry registry;
  registry.insert<tt::TTDialect, mlir::func::FuncDialect,
                  mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                  mlir::tensor::TensorDialect>();
  mlir::registerTransformsPasses();
  tt::registerADPasses();
  tt::registerAttentionPasses();
  tt::registerFormsPasses();
  tt::registerKernelsPasses();
  tt::registerMemoryPasses();
  tt::registerRematPasses();
  tt::registerTrainingPasses();
  return run(argc, argv, registry);
}
